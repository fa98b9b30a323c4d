"""Comprehensions of Python 3.12 and later, which are part of the function around them.

Their variables are put where the function's own of the same name are, which are kept meanwhile and
put back in the end, or by a handler that then raises the error again. Numba reads both variables as
one: inner functions would see that of the comprehension, and handlers of the function, too, since
Numba forgets some of the handlers that put values back. Here the comprehension's have names of
their own. So nothing is kept and put back, and an error goes at once to the handler that would get
it next.
"""

from __future__ import annotations

import dis
from typing import Any, NamedTuple

from numba.core import errors, ir
from numba.core.bytecode import ByteCodePy312
from numba.core.interpreter import Interpreter
from numba.core.utils import PYVERSION

_RESTORING = {
    "SWAP",
    "POP_TOP",
    "STORE_FAST",
    "STORE_FAST_MAYBE_NULL",
    "STORE_FAST_STORE_FAST",
    "NOP",
}
"""The instructions of which a handler consists that only restores variables."""

_BETWEEN = {"LOAD_FAST_AND_CLEAR", "MAKE_CELL", "SWAP", "COPY", "NOP", "POP_TOP", "END_FOR"}
"""Instructions at the borders of comprehensions, which raise nothing."""


_BEGINNING = _BETWEEN | {"BUILD_LIST", "BUILD_SET", "BUILD_MAP", "GET_ITER"}
"""The instructions with which comprehensions begin, up to their loop."""


class Region(NamedTuple):
    """The instructions, by their offsets, in which a name means the variable of a comprehension."""

    start: int
    end: int
    name: str

    def renamed(self) -> str:
        """The variable's name in the intermediate code."""
        return f"{self.name}.in{self.start}"


def restoring_end(bytecode: Any, handler: int) -> int | None:
    """The offset at which the handler at an offset raises the error again, if it does nothing but
    restore variables before that."""
    for offset in sorted(offset for offset in bytecode.table if offset >= handler):
        name = bytecode.table[offset].opname
        if name == "RERAISE":
            return int(offset)
        if name not in _RESTORING:
            return None
    return None


def _rerouted(bytecode: Any, entries: list[Any]) -> tuple[Any, ...]:
    """The table of handlers, in which those that only restore variables are left out."""
    found, dead = [], []
    for entry in entries:
        kept = entry
        while kept is not None and (last := restoring_end(bytecode, kept.target)) is not None:
            dead.append(range(kept.target, last + 1))
            around = max(
                ((each.depth, each.start, each) for each in entries if _covers(each, last)),
                default=(0, 0, None),
                key=lambda each: each[:2],
            )[2]
            kept = around and _like(kept, kept.start, kept.end, around)
        if kept is not None:
            found.append(kept)
    found = [entry for entry in found if not any(entry.start in each for each in dead)]
    return tuple(_joined(bytecode, sorted(found, key=lambda entry: entry.start)))


def _covers(entry: Any, offset: int) -> bool:
    return bool(entry.start <= offset < entry.end)


def _like(entry: Any, start: int, end: int, other: Any) -> Any:
    """An entry from one offset to another, with the handler of another one."""
    return type(entry)(
        start=start, end=end, target=other.target, depth=other.depth, lasti=other.lasti
    )


def _joined(bytecode: Any, entries: list[Any]) -> list[Any]:
    """Entries in which those that follow each other and have one handler are one."""
    found: list[Any] = []
    for entry in entries:
        last = found[-1] if found else None
        if last is not None and last.target == entry.target and last.depth == entry.depth:
            between = (bytecode.table[each] for each in bytecode.table if last.end <= each)
            if all(
                each.opname in _BETWEEN or each.opname.startswith(("POP_JUMP", "JUMP"))
                for each in between
                if each.offset < entry.start
            ):
                found[-1] = _like(last, last.start, entry.end, last)
                continue
        found.append(entry)
    return found


def _regions(bytecode: Any) -> list[Region]:
    """Where names mean variables of comprehensions: up to the end of the loop that comes after the
    function's variables have been kept. Inner ones come later."""
    found = []
    offsets = sorted(bytecode.table)
    for place, offset in enumerate(offsets):
        inst = bytecode.table[offset]
        if inst.opname != "LOAD_FAST_AND_CLEAR":
            continue
        following = (bytecode.table[each] for each in offsets[place:])
        loop = next(each for each in following if each.opname not in _BEGINNING)
        if loop.opname != "FOR_ITER":
            raise errors.UnsupportedError("a comprehension cannot be compiled: write a loop")
        name = bytecode.co_varnames[inst.arg]
        if name in bytecode.co_freevars and name in bytecode.co_cellvars:
            # Some versions of Python take one for the other.
            raise errors.UnsupportedError(
                f"a comprehension has a variable {name!r}, which a function in it uses, and there "
                f"is a {name!r} of the function around: give it another name",
                ir.Loc(bytecode.func_id.filename, inst.lineno),
            )
        found.append(Region(offset + 1, loop.get_jump_target(), name))
    return found


_made = ByteCodePy312.__init__


def _make(self: Any, func_id: Any) -> None:
    _made(self, func_id)
    entries = [self.fixup_eh(entry) for entry in dis.Bytecode(func_id.code).exception_entries]
    self.prunus_regions = _regions(self)
    if func_id.is_generator and entries:  # the last handler is for what leaves the generator
        last = max(entry.target for entry in entries)
        entries = [entry for entry in entries if entry.target != last]
    self.exception_entries = _rerouted(self, entries)


def _own(self: Any, name: str) -> str | None:
    """What a name means at the instruction that is read; None if it is the function's variable."""
    inst = self.prunus_inst
    regions = [
        each
        for each in self.bytecode.prunus_regions
        if each.name == name and each.start <= inst.offset < each.end
    ]
    return regions[-1].renamed() if regions else None


def _code_locals(self: Any) -> Any:
    """The names of the variables at the instruction that is read."""
    names = self.bytecode.co_varnames
    if not getattr(self.bytecode, "prunus_regions", None):
        return names
    mentioned = {each.name for each in self.bytecode.prunus_regions}
    return [(_own(self, name) if name in mentioned else None) or name for name in names]


def _keep_nothing(self: Any, inst: Any, res: Any) -> None:
    """The instruction LOAD_FAST_AND_CLEAR: the function's variable stays where it is."""
    self.store(ir.Const(None, self.loc), res)
    self.__dict__.setdefault("prunus_kept", set()).add(res)


def _is_kept(self: Any, value: str) -> bool:
    """Whether a value, on whatever path it has come, is what such an instruction has kept."""
    kept, seen, work = self.__dict__.get("prunus_kept", ()), set(), [value]
    while work:
        name = work.pop()
        if name in kept:
            return True
        if name not in seen:
            seen.add(name)
            work += [each.name for each in self.definitions[name] if isinstance(each, ir.Var)]
    return False


def _store_new(plain: Any) -> Any:
    """The instruction STORE_FAST: nothing is put back."""

    def store(self: Any, inst: Any, value: str) -> None:
        if not _is_kept(self, value):
            plain(self, inst, value)

    return store


def _store_and_load(self: Any, inst: Any, store_value: str, load_res: str) -> None:
    """The instruction STORE_FAST_LOAD_FAST of Python 3.13, likewise."""
    _put(self, inst.arg >> 4, store_value)
    self.store(self.get(self.code_locals[inst.arg & 15]), load_res)


def _store_two(self: Any, inst: Any, value1: str, value2: str) -> None:
    """The instruction STORE_FAST_STORE_FAST of Python 3.13, likewise."""
    _put(self, inst.arg >> 4, value1)
    _put(self, inst.arg & 15, value2)


def _put(self: Any, place: int, value: str) -> None:
    if not _is_kept(self, value):
        self.store(self.get(value), self.code_locals[place])


_dispatch = Interpreter._dispatch


def _note_instruction(self: Any, inst: Any, kws: Any) -> Any:
    self.prunus_inst = inst
    return _dispatch(self, inst, kws)


_store = Interpreter.op_STORE_DEREF


def _load_own(plain: Any) -> Any:
    """The instructions LOAD_DEREF and LOAD_CLOSURE: within a comprehension, of its own variable."""

    def load(self: Any, inst: Any, res: Any) -> None:
        own = _own_cell(self, inst)
        if own is None:
            plain(self, inst, res)
        else:
            self.store(self.get(own), res)

    return load


def _store_own(self: Any, inst: Any, value: Any) -> None:
    """The instruction STORE_DEREF, likewise."""
    own = _own_cell(self, inst)
    if own is None:
        _store(self, inst, value)
    else:
        self.store(self.get(value), own)


def _own_cell(self: Any, inst: Any) -> str | None:
    if not getattr(self.bytecode, "prunus_regions", None):
        return None
    return _own(self, self.func_id.func.__code__._varname_from_oparg(inst.arg))


ByteCodePy312.__init__ = _make
Interpreter.code_locals = property(_code_locals)
Interpreter._dispatch = _note_instruction
Interpreter.op_LOAD_FAST_AND_CLEAR = _keep_nothing
Interpreter.op_STORE_FAST = _store_new(Interpreter.op_STORE_FAST)
if PYVERSION >= (3, 13):
    Interpreter.op_STORE_FAST_LOAD_FAST = _store_and_load
    Interpreter.op_STORE_FAST_STORE_FAST = _store_two
Interpreter.op_LOAD_DEREF = _load_own(Interpreter.op_LOAD_DEREF)
Interpreter.op_LOAD_CLOSURE = _load_own(Interpreter.op_LOAD_CLOSURE)
Interpreter.op_STORE_DEREF = _store_own
