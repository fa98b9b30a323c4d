"""Comprehensions of Python 3.12 and later, which are part of the function around them.

Python guards each with a handler that gives the outer variable of the same name its value back and
raises the error again. Unless the function itself catches the error, nothing reads that variable
any more, and the handler does nothing but make Numba check for errors after every instruction.
Numba forgets the handlers of comprehensions without conditions; here all of them are forgotten.
"""

from __future__ import annotations

from typing import Any

from numba.core.bytecode import ByteCodePy312

_RESTORING = {
    "SWAP",
    "POP_TOP",
    "STORE_FAST",
    "STORE_FAST_MAYBE_NULL",
    "STORE_FAST_STORE_FAST",
    "NOP",
}
"""The instructions of which a handler consists that only restores variables."""


def restores_only(bytecode: Any, handler: int) -> bool:
    """Whether the handler at an offset restores variables, raises the error again, and so leaves
    the function."""
    for offset in sorted(offset for offset in bytecode.table if offset >= handler):
        name = bytecode.table[offset].opname
        if name == "RERAISE":
            around = bytecode.find_exception_entry(offset)
            return around is None or restores_only(bytecode, around.target)
        if name not in _RESTORING:
            return False
    return False


_made = ByteCodePy312.__init__


def _make(self: Any, func_id: Any) -> None:
    _made(self, func_id)
    self.exception_entries = tuple(
        entry for entry in self.exception_entries if not restores_only(self, entry.target)
    )


ByteCodePy312.__init__ = _make
