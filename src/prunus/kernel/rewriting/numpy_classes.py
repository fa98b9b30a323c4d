"""The class of a number that NumPy made: in Python `isinstance(np.int64(3), int)` and `flags[0] is
True` are false. In compiled code such a number has the type of a plain one, so that questions about
its class are refused where the function itself got it from NumPy."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numba.core import errors, ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.containers.local_lists import local_list
from prunus.kernel.containers.sequences import sized_list, tuple_of
from prunus.kernel.numbers.operators import meant
from prunus.kernel.rewriting.escapes import definition, statements
from prunus.kernel.rewriting.inlining import global_value
from prunus.kernel.rewriting.matching import attributes

_IDENTITY = (operator.is_, operator.is_not)

_PLAIN = (*_IDENTITY, operator.contains, operator.not_)
"""Operators that give Python's own truth values for any operands."""

_PASSING: tuple[Any, ...] = (abs, divmod, max, min, pow, sum)
_PASSING += (list, local_list, reversed, sized_list, sorted, tuple, tuple_of)
"""Functions whose results are of the class of what they are given."""

_OUT = ("item", "tolist")
"""Methods of arrays that give Python's own numbers."""


@register_pass(mutates_CFG=False, analysis_only=True)
class NumpyClasses(FunctionPass):
    """Refuses such questions."""

    _name = "prunus_numpy_classes"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Look at one function's intermediate code; nothing changes."""
        func_ir = state.func_ir
        asked = [
            (statement, statement.value)
            for _, _, statement in statements(func_ir)
            if isinstance(statement, ir.Assign)
            and isinstance(statement.value, ir.Expr)
            and statement.value.op in ("call", "binop")
        ]
        if not asked:
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        for statement, value in asked:
            origins = _Origins(func_ir)
            if any(map(origins.are_numpys, _asked_about(func_ir, value))):
                raise errors.TypingError(
                    "the class of a number from NumPy is asked for, which in Python is not that of "
                    "a plain one: write int(...) or bool(...) around the number",
                    statement.loc,
                )
        return False


def _asked_about(func_ir: Any, value: Any) -> list[Any]:
    """The variables about whose class or identity an expression asks."""
    if value.op == "binop":
        return [value.lhs, value.rhs] if meant(value) in _IDENTITY else []
    function = global_value(func_ir, value.func)
    is_question = function in (isinstance, attributes) or (
        function is type and len(value.args) == 1
    )
    return value.args[:1] if is_question else []


class _Origins:
    """Where the values of one function's variables come from, as far as it says so itself."""

    def __init__(self, func_ir: Any) -> None:
        self.func_ir = func_ir
        self._seen: set[str] = set()

    def are_numpys(self, variable: Any) -> bool:
        """Whether NumPy made a variable's value, or items of it, on some path."""
        if not isinstance(variable, ir.Var) or variable.name in self._seen:
            return False
        self._seen.add(variable.name)
        found = self.func_ir._definitions.get(variable.name, ())
        return any(map(self._made, found))

    def _made(self, value: Any) -> bool:
        if isinstance(value, ir.Var):
            return self.are_numpys(value)
        if isinstance(value, ir.Global | ir.FreeVar):
            return isinstance(value.value, np.ndarray | np.generic)
        if not isinstance(value, ir.Expr):
            return False
        if value.op in ("binop", "inplace_binop", "unary") and meant(value) in _PLAIN:
            return False
        if value.op == "call":
            return self._called(value)
        if value.op == "getattr":
            return isinstance(global_value(self.func_ir, value), np.ndarray | np.generic)
        return any(map(self.are_numpys, value.list_vars()))

    def _called(self, call: Any) -> bool:
        function = global_value(self.func_ir, call.func)
        if function in _PASSING:
            return any(map(self.are_numpys, call.args))
        if function is not None:
            module = getattr(function, "__module__", None) or ""
            return module.split(".")[0] == "numpy" and function is not np.float64
        method = definition(self.func_ir, call.func)
        is_method = isinstance(method, ir.Expr) and method.op == "getattr"
        return is_method and method.attr not in _OUT and self.are_numpys(method.value)
