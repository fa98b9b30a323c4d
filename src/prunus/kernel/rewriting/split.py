"""Corrections of faults in Numba's reading of bytecode where one expression becomes several blocks:
within `try` and in handlers nearly every instruction ends a block, since it may raise.

Keyword arguments lost their names there and were taken for positional ones; lists of constants were
refused.
"""

from __future__ import annotations

from typing import Any

from numba.core import byteflow
from numba.core.byteflow import Flow, TraceRunner
from numba.core.utils import PYVERSION

_plain_call, _plain_handle = TraceRunner.op_CALL, Flow._run_handle_exception


def _before(state: Any, inst: Any) -> Any:
    """The instruction before another, without those that do nothing; None for the first."""
    table = state._bytecode.table
    found = [table[offset] for offset in sorted(table) if offset < inst.offset]
    while found and found[-1].opname in ("PRECALL", "CACHE"):
        found.pop()
    return found[-1] if found else None


def _call(self: Any, state: Any, inst: Any) -> None:
    """The instruction CALL. Up to Python 3.12 the names of its keywords stand in KW_NAMES before
    it, perhaps in another block."""
    named = _before(state, inst)
    if named is not None and named.opname == "KW_NAMES":
        state._kw_names = named.arg
    _plain_call(self, state, inst)


def _cannot_raise(state: Any, inst: Any) -> bool:
    """Whether an instruction is a part of a list of constants: BUILD_LIST, LOAD_CONST,
    LIST_EXTEND."""
    if inst.opname == "LIST_EXTEND":
        return _before(state, inst).opname == "LOAD_CONST"
    return inst.opname == "BUILD_LIST"


def _reads_last(state: Any, inst: Any) -> bool:
    """Whether a `try` that Numba takes for ended, as it does behind an inner one, ends with an
    instruction that reads a variable, which may have no value."""
    if not inst.opname.startswith(("LOAD_FAST", "LOAD_DEREF")):
        return False
    if state.has_active_try() or state.in_with():
        return False
    entry = state._bytecode.find_exception_entry
    return entry(inst.offset) is not None and entry(inst.next) is None


def _handle(self: Any, runner: Any, state: Any) -> Any:
    """Numba's way to end a block after an instruction that may raise, unless it cannot; and after
    the last reading of a `try`."""
    inst = state.get_inst()
    if not _cannot_raise(state, inst):
        is_last = _reads_last(state, inst)
        is_handled = _plain_handle(self, runner, state)
        if is_last and not is_handled:
            state.split_new_block()
        return is_handled or is_last
    state.has_active_try = lambda: False
    try:
        return _plain_handle(self, runner, state)
    finally:
        del state.has_active_try


Flow._run_handle_exception = _handle
# A variable of the function around may have no value.
byteflow._NO_RAISE_OPS = byteflow._NO_RAISE_OPS - {"LOAD_DEREF"}
if PYVERSION < (3, 13):
    TraceRunner.op_CALL = _call
