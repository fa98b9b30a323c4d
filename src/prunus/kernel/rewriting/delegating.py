"""`yield from items`, of which only the items are wanted, is the loop `for item in items: yield
item`: nothing is ever sent to a generator of rules, and nothing thrown into it. Numba knows the
loop. Both have the same number of instructions, in the same order, so that one is written over the
other.

    GET_YIELD_FROM_ITER           GET_ITER
    LOAD_CONST None               NOP
    SEND                          FOR_ITER
    YIELD_VALUE                   YIELD_VALUE
    RESUME                        POP_TOP
    JUMP_BACKWARD_NO_INTERRUPT    JUMP_BACKWARD
    END_SEND                      END_FOR        (not in Python 3.11)
    POP_TOP                       NOP            (in Python 3.13: POP_TOP)

A `yield from` whose result is used does not end with POP_TOP, and stays what it is.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterator
from typing import Any, Final

from numba.core.bytecode import ByteCodePy311, ByteCodePy312

_END_SEND: Final = () if sys.version_info < (3, 12) else (("END_SEND", "END_FOR"),)
_LAST: Final = "NOP" if sys.version_info < (3, 13) else "POP_TOP"

_PLACES: Final = (
    ("GET_YIELD_FROM_ITER", "GET_ITER"),
    ("LOAD_CONST", "NOP"),
    ("SEND", "FOR_ITER"),
    ("YIELD_VALUE", "YIELD_VALUE"),
    ("RESUME", "POP_TOP"),
    ("JUMP_BACKWARD_NO_INTERRUPT", "JUMP_BACKWARD"),
    *_END_SEND,
    ("POP_TOP", _LAST),
)
"""The instructions of a `yield from`, and those of the loop."""


def _write_loops(bytecode: Any) -> None:
    """Write a loop over each `yield from` of a function whose result is not used."""
    instructions = [each for each in bytecode.table.values() if each.opname != "CACHE"]
    for start, first in enumerate(instructions):
        found = instructions[start : start + len(_PLACES)]
        if first.opname == _PLACES[0][0] and [each.opname for each in found] == [
            before for before, _ in _PLACES
        ]:
            for instruction, (_, name) in zip(found, _PLACES, strict=True):
                instruction.opname, instruction.opcode = name, dis.opmap[name]


def _without_cleanups(bytecode: Any) -> Iterator[Any]:
    """The exception table of a function without the handlers of what is thrown into a generator:
    an error there belongs to whatever is around."""
    for entry in bytecode.exception_entries:
        target: Any = entry.target
        while target is not None and bytecode.table[target].opname == "CLEANUP_THROW":
            around = bytecode.find_exception_entry(target)
            target = None if around is None else around.target
            entry = around and entry._replace(  # noqa: PLW2901
                target=target, depth=around.depth, lasti=around.lasti
            )
        if entry is not None:
            yield entry


def _taught(made: Any) -> Any:
    def make(self: Any, func_id: Any) -> None:
        made(self, func_id)
        if "GET_YIELD_FROM_ITER" in {each.opname for each in self.table.values()}:
            _write_loops(self)
            self.exception_entries = tuple(_without_cleanups(self))

    return make


for _cls in (ByteCodePy311, ByteCodePy312):
    _cls.__init__ = _taught(_cls.__init__)
