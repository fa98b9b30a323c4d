"""`import math` and `from math import gcd` inside a function: the same as at the top of the file.

Only for modules of Python's library and NumPy. What another module defines may change, and only
what the rules name at the top of their files is looked at again.
"""

from __future__ import annotations

import importlib
from typing import Any

from numba.core import errors, ir
from numba.core.byteflow import TraceRunner
from numba.core.interpreter import Interpreter

from prunus.kernel.code.toolchain import is_known
from prunus.kernel.rewriting.matching import constant_of


def _trace_module(self: Any, state: Any, inst: Any) -> None:
    """The instruction IMPORT_NAME: a level and a list of names become a module."""
    names, level, res = state.pop(), state.pop(), state.make_temp()
    state.append(inst, names=names, level=level, res=res)
    state.push(res)


def _import_module(self: Any, inst: Any, names: Any, level: Any, res: Any) -> None:
    """The same as a global name."""
    name = self.code_names[inst.arg]
    wanted, depth = (constant_of(self, self.get(each)) for each in (names, level))
    if depth or not is_known(name):
        raise errors.UnsupportedError(
            "only modules of Python's library and NumPy can be imported inside a function that is "
            "compiled: write the import at the top of the file",
            loc=self.loc,
        )
    module = importlib.import_module(name)
    if not wanted:
        name = name.partition(".")[0]
        module = importlib.import_module(name)
    self.store(ir.Global(name, module, loc=self.loc), res)


def _trace_name(self: Any, state: Any, inst: Any) -> None:
    """The instruction IMPORT_FROM: one of a module's names; the module stays."""
    res = state.make_temp()
    state.append(inst, module=state.get_tos(), res=res)
    state.push(res)


def _import_name(self: Any, inst: Any, module: Any, res: Any) -> None:
    """The same as a global name."""
    name, home = self.code_names[inst.arg], self.definitions[self.get(module).name][-1].value
    if not hasattr(home, name):
        raise errors.UnsupportedError(
            f"cannot import name {name!r} from {home.__name__!r}", loc=self.loc
        )
    self.store(ir.Global(name, getattr(home, name), loc=self.loc), res)


TraceRunner.op_IMPORT_NAME, Interpreter.op_IMPORT_NAME = _trace_module, _import_module
TraceRunner.op_IMPORT_FROM, Interpreter.op_IMPORT_FROM = _trace_name, _import_name
