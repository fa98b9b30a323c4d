"""A variable that may have no value is asked for it where Python reads it.

Numba reads a variable where its value is used: in `n + f()` after the call, whose error would come
instead of that of an `n` without a value. So, where a variable may have none, reading it is a
statement by itself, which `unbound.py` sees. And one that only gets its own value, `n = n`, never
has one: it would be looked for in a circle.
"""

from __future__ import annotations

import inspect
from types import CodeType
from typing import Any

from numba.core import ir
from numba.core.interpreter import Interpreter
from numba.core.utils import PYVERSION

from prunus.kernel.rewriting.repairs import DROPPED, ask

_MARKED = PYVERSION >= (3, 12)
"""Whether Python itself marks the places where local variables are read that may have no value."""

_LOADS = {"LOAD_DEREF"} if _MARKED else {"LOAD_DEREF", "LOAD_FAST"}
_OTHERS = {"STORE_DEREF", "DELETE_DEREF", "STORE_FAST", "DELETE_FAST"}


def _given(code: CodeType) -> frozenset[str]:
    """The parameters of a function."""
    starred = bool(code.co_flags & inspect.CO_VARARGS) + bool(
        code.co_flags & inspect.CO_VARKEYWORDS
    )
    return frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + starred])


def _doubtful(self: Any) -> set[int]:
    """The places in the bytecode where a variable of the function is read that may have no value
    there, found by following forwards which variables certainly have one."""
    code = self.func_id.func.__code__
    own = {*code.co_cellvars} if _MARKED else {*code.co_varnames, *code.co_cellvars}
    if not own:
        return set()
    blocks, doubtful = self.cfa.blocks, dict[int, set[int]]()
    entering, work = {min(blocks): _given(code)}, [min(blocks)]
    while work:
        label = work.pop()
        having, doubtful[label] = set(entering[label]), set()
        for place in blocks[label].body:
            instruction = self.bytecode[place]
            if instruction.opname not in _LOADS and instruction.opname not in _OTHERS:
                continue
            name = code._varname_from_oparg(instruction.arg)
            if instruction.opname in _LOADS and name in own - having:
                doubtful[label].add(place)
            if instruction.opname.startswith("DELETE"):
                having.discard(name)
            else:
                having.add(name)
        for target, _ in self.cfa.graph.successors(label):
            coming = entering[target] & having if target in entering else frozenset(having)
            if entering.get(target) != coming:
                entering[target] = coming
                work.append(target)
    return set[int]().union(*doubtful.values())


def _asking(plain: Any) -> Any:
    """An instruction that reads a variable."""

    def load(self: Any, inst: Any, res: Any, *more: Any, **also: Any) -> None:
        if inst.opname == "LOAD_FAST_CHECK":
            is_doubtful = True
        else:
            if "prunus_doubtful" not in self.__dict__:
                self.prunus_doubtful = _doubtful(self)
            is_doubtful = inst.offset in self.prunus_doubtful
        if is_doubtful:
            name = self.func_id.func.__code__._varname_from_oparg(inst.arg)
            ask(self, self.get(name), inst)
        plain(self, inst, res, *more, **also)

    return load


_plain_ending = Interpreter._legalize_exception_vars


def _end_circles(self: Any) -> None:
    """Take the value from variables that are only copies of each other."""
    _plain_ending(self)
    copies = {
        name: found[0].name
        for name, found in self.definitions.items()
        if len(found) == 1 and isinstance(found[0], ir.Var)
    }
    circle = {name for name in copies if name in _followed(copies, name)}
    for block in self.blocks.values() if circle else ():
        for place, statement in reversed(list(enumerate(block.body))):
            if isinstance(statement, ir.Assign) and statement.target.name in circle:
                read = block.scope.redefine(DROPPED, loc=statement.loc)
                nothing = ir.Assign(ir.Expr.undef(statement.loc), statement.target, statement.loc)
                block.body[place : place + 1] = [
                    ir.Assign(statement.value, read, statement.loc),
                    nothing,
                ]
                self.definitions[read.name] = [statement.value]
                self.definitions[statement.target.name] = [nothing.value]


def _followed(copies: dict[str, str], name: str) -> set[str]:
    """The variables of which one is a copy, directly or not."""
    found = set[str]()
    while name in copies and copies[name] not in found:
        name = copies[name]
        found.add(name)
    return found


Interpreter._legalize_exception_vars = _end_circles
Interpreter.op_LOAD_DEREF = _asking(Interpreter.op_LOAD_DEREF)
if _MARKED:
    Interpreter.op_LOAD_FAST_CHECK = _asking(Interpreter.op_LOAD_FAST_CHECK)
else:
    Interpreter.op_LOAD_FAST = _asking(Interpreter.op_LOAD_FAST)
