"""Functions of the rules that are inlined into those that call them: which function a call calls,
and its intermediate code."""

from __future__ import annotations

import inspect
import types as pytypes
from collections.abc import Callable
from typing import Any

from numba.core import errors, ir, ir_utils

from prunus.kernel.code.dispatchers import dispatcher
from prunus.kernel.code.shared import changed_variables
from prunus.kernel.containers.classes import method_of_state, resolve_super
from prunus.kernel.reporting.locating import remember
from prunus.kernel.reporting.raising import InlinedLoc
from prunus.kernel.rewriting.closures import inline_closures
from prunus.kernel.rewriting.handling import intermediate
from prunus.kernel.rewriting.inlining import global_value
from prunus.kernel.rewriting.marks import catches
from prunus.kernel.rewriting.unbound import guard_unbound

DEEPEST = 4
"""The most functions that become one by inlining them into each other."""


def called_function(func_ir: Any, call: Any, args: Any) -> tuple[Any, list[Any]] | None:
    """The function that a call calls, and its arguments; None if it is not known here, or not a
    plain function."""
    if call.vararg is not None or call.varkwarg is not None:
        return None
    function, owner = function_behind(func_ir, call.func, args)
    if function is None:
        return None
    if owner is None and global_value(func_ir, call.func) is None:
        return None  # it gets no `self`
    given = list(call.args) if owner is None else [owner, *call.args]
    arguments = _bound(function, given, dict(call.kws), call.loc)
    return None if arguments is None else (function, arguments)


def function_behind(func_ir: Any, called: Any, args: Any) -> tuple[Any, Any]:
    """The plain function that a variable stands for, and the variable of its first argument if it
    is a method; (None, None) for others."""
    function, owner = global_value(func_ir, called), None
    if function is None:
        found = ir_utils.guard(ir_utils.get_definition, func_ir, called)
        if not (isinstance(found, ir.Expr) and found.op == "getattr"):
            return None, None
        owner = found.value
        made = ir_utils.guard(ir_utils.get_definition, func_ir, owner)
        is_argument = isinstance(made, ir.Arg) and made.index < len(args)
        kind = args[made.index] if is_argument else None
        function = _method(kind, found.attr)
        if function is None:
            function, owner = _of_class(made, kind, found.attr), None
    return (function, owner) if isinstance(function, pytypes.FunctionType) else (None, None)


def _method(kind: Any, name: str) -> Any:
    """The function behind a method of a game or a State; None for anything else."""
    find = getattr(kind, "function", None)
    return find(name) if find is not None else method_of_state(kind, name)


def _of_class(made: Any, kind: Any, name: str) -> Any:
    """What a class, or a game without passing itself, has under a name."""
    holder = made.value if isinstance(made, ir.Global | ir.FreeVar) else None
    holder = holder if isinstance(holder, type) else getattr(kind, "game", None)
    return None if holder is None else getattr(holder, name, None)


def _bound(function: Any, given: list[Any], named: dict[str, Any], loc: Any) -> list[Any] | None:
    """A value for each parameter of a function; None if they cannot be determined here."""
    parameters = list(inspect.signature(function).parameters.values())
    kinds = {parameter.kind for parameter in parameters}
    names = [parameter.name for parameter in parameters]
    if (
        kinds - {inspect.Parameter.POSITIONAL_OR_KEYWORD}
        or len(given) > len(names)
        or set(named) - set(names[len(given) :])
    ):
        return None
    values = given + [
        named.get(parameter.name, parameter.default) for parameter in parameters[len(given) :]
    ]
    known = all(isinstance(value, ir.Var) or type(value) in (int, bool) for value in values)
    return (
        [value if isinstance(value, ir.Var) else ir.Const(value, loc) for value in values]
        if known
        else None
    )


def functions_at(func_ir: Any, loc: Any) -> tuple[Any, ...]:
    """The functions that a statement is part of, from the outermost on."""
    inlined: tuple[Any, ...] = getattr(loc, "inlined", (func_ir.func_id.func,))
    return inlined


def inlined_with(inlined: tuple[Any, ...], function: Any) -> tuple[Any, ...]:
    """The functions that code is part of if it is inlined into these; none if there would be too
    many, or one of them twice."""
    return (*inlined, function) if len(inlined) < DEEPEST and function not in inlined else ()


def body_of(function: Any, fits: Callable[[Any], bool]) -> Any:
    """The intermediate code of a function; None if it cannot be inlined into another function, or
    does not fit."""
    try:
        func_ir = intermediate(function)
        inline_closures(func_ir)
        fitting = fits(func_ir)
        resolve_super(func_ir)
        guard_unbound(func_ir)
    except errors.NumbaError:
        return None  # the reason is given where it is compiled by itself
    if not fitting or catches(func_ir) or changed_variables(function):
        return None
    # Inlined code is watched for changes like all functions that are compiled along.
    dispatcher(function)
    remember(function)
    return func_ir


def locate(blocks: dict[int, Any], function: Any, inlined: tuple[Any, ...]) -> None:
    """Mark statements with the function they come from, for the lines of errors."""
    for block in blocks.values():
        for statement in block.body:
            statement.loc = InlinedLoc(statement.loc, function, inlined)
