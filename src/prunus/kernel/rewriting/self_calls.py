"""Methods that call themselves or each other: `self.name(...)` becomes a call of the method's
function, which Numba compiles while it is being compiled already."""

from __future__ import annotations

import dis
import inspect
from collections.abc import Iterator
from itertools import pairwise
from types import CodeType, FunctionType
from typing import Any

from numba.core import errors, ir, ir_utils

from prunus.kernel.code.cached import plain_function
from prunus.kernel.rewriting.inlining import global_value


def call_itself(func_ir: Any, args: Any) -> bool:
    """Let calls of the function by itself, also through other methods, be those of functions; true
    if there was one through `self`. Raises UnsupportedError for a generator."""
    function = func_ir.func_id.func
    game = getattr(args[0], "game", None) if args else None
    own = _name_of(game, function)
    changed = False
    for block in func_ir.blocks.values():
        for statement in list(block.find_insts(ir.Assign)):
            call = statement.value
            if not (isinstance(call, ir.Expr) and call.op == "call"):
                continue
            if global_value(func_ir, call.func) is function:
                _refuse_generator(func_ir, statement.loc)
            called = ir_utils.guard(ir_utils.get_definition, func_ir, call.func)
            if own is None or not (isinstance(called, ir.Expr) and called.op == "getattr"):
                continue
            owner = ir_utils.guard(ir_utils.get_definition, func_ir, called.value)
            if not (isinstance(owner, ir.Arg) and owner.index == 0) or call.vararg is not None:
                continue
            if _leads_to(game, called.attr, own):
                _refuse_generator(func_ir, statement.loc)
                _call_function(block, statement, getattr(game, called.attr).__func__, called.value)
                changed = True
    if changed:
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    return changed


def _refuse_generator(func_ir: Any, loc: Any) -> None:
    if func_ir.is_generator:
        raise errors.UnsupportedError(
            "a generator that calls itself cannot be compiled: let it return a list, or keep what "
            "is still to be done in a list of its own",
            loc,
        )


def _function(game: Any, name: str) -> Any:
    """The function behind a method of a game; None for anything else. (Looking it up runs no code
    of the game's.)"""
    if game is None or name in getattr(game, "__dict__", ()):
        return None
    held = plain_function(inspect.getattr_static(type(game), name, None))
    return held if isinstance(held, FunctionType) else None


def _name_of(game: Any, function: Any) -> str | None:
    """The name of the method of a game that has this function; None if there is none."""
    names = (name for cls in type(game).__mro__ for name in vars(cls))
    known = (name for name in (function.__name__, *names) if _function(game, name) is function)
    return next(known, None)


def _leads_to(game: Any, start: str, end: str) -> bool:
    """Whether a method of a game is another one, or may call it, directly or through others."""
    work, seen = [start], set[str]()
    while work:
        name = work.pop()
        if name == end:
            return True
        function = None if name in seen else _function(game, name)
        seen.add(name)
        if function is not None:
            code = function.__code__
            work += _asked_for(code, code.co_varnames[0]) if code.co_argcount else ()
    return False


def _asked_for(code: CodeType, own: str) -> Iterator[str]:
    """The names of the attributes that code asks the object of this name for, also in functions
    inside it."""
    for before, step in pairwise(dis.get_instructions(code)):
        if step.opname in ("LOAD_ATTR", "LOAD_METHOD") and before.opname.startswith("LOAD_"):
            loaded = before.argval[-1] if isinstance(before.argval, tuple) else before.argval
            if loaded == own:
                yield step.argval
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _asked_for(each, own)


def _call_function(block: Any, statement: Any, function: Any, owner: Any) -> None:
    """Let a statement that calls a method call its function with the object."""
    call, loc = statement.value, statement.loc
    name = block.scope.redefine(ir_utils.mk_unique_var("$itself"), loc=loc)
    made = ir.Assign(ir.Global(function.__name__, function, loc), name, loc)
    block.body.insert(block.body.index(statement), made)
    statement.value = ir.Expr.call(name, [owner, *call.args], call.kws, loc)
