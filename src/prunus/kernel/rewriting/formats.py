"""f-strings with a format: `{x:03d}` becomes `format(x, "03d")`."""

from __future__ import annotations

from typing import Any

from numba.core import ir
from numba.core.byteflow import TraceRunner
from numba.core.interpreter import Interpreter

HAS_FORMAT = 4
"""The argument of FORMAT_VALUE where a format lies on the stack above the value."""

_take_plain, _call_plain = TraceRunner.op_FORMAT_VALUE, Interpreter.op_FORMAT_VALUE


def _take(self: Any, state: Any, inst: Any) -> None:
    """The instructions FORMAT_VALUE and, from Python 3.13 on, FORMAT_WITH_SPEC."""
    if inst.opname == "FORMAT_VALUE" and inst.arg != HAS_FORMAT:
        _take_plain(self, state, inst)
        return
    spec, value = state.pop(), state.pop()
    strvar, res = state.make_temp(), state.make_temp()
    state.append(inst, value=value, res=res, strvar=strvar, spec=spec)
    state.push(res)


def _call(self: Any, inst: Any, value: Any, res: Any, strvar: Any, spec: Any = None) -> None:
    """The same as a call."""
    if spec is None:
        _call_plain(self, inst, value, res, strvar)
        return
    self.store(value=ir.Global("format", format, loc=self.loc), name=strvar)
    given = (self.get(value), self.get(spec))
    self.store(ir.Expr.call(self.get(strvar), given, (), loc=self.loc), res)


TraceRunner.op_FORMAT_VALUE = TraceRunner.op_FORMAT_WITH_SPEC = _take
Interpreter.op_FORMAT_VALUE = Interpreter.op_FORMAT_WITH_SPEC = _call
