"""The class of a number that NumPy made: in Python `isinstance(np.int64(3), int)` and `flags[0] is
True` are false. In compiled code such a number has the type of a plain one, so that questions about
its class are refused where the function itself got it from NumPy.

`round(np.float64(x), 2)` is another algorithm than Python's, and refused likewise.

Truth values of NumPy are no numbers either: `flags[0] + flags[1]` is True and not 2, and they have
no difference. Compiled code would count them, so that operators on two truth values are refused
where they may be NumPy's."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Iterator
from types import CodeType
from typing import Any

import numpy as np
from numba.core import errors, ir, ir_utils, types
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.containers.local_lists import local_list
from prunus.kernel.containers.sequences import sized_list, tuple_of
from prunus.kernel.containers.views import ViewType
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

_COUNTING = frozenset(
    getattr(operator, prefix + name)
    for prefix in ("", "i")
    for name in ("add", "sub", "mul", "floordiv", "truediv", "mod", "pow", "lshift", "rshift")
)
_SIGNED = (operator.neg, operator.pos, operator.invert)

_PLAINLY: tuple[Any, ...] = (all, any, bool, int, isinstance, len, ord)
"""Functions whose results are Python's own numbers."""

ASKED = (
    "the class of a number from NumPy is asked for, which in Python is not that of a plain one: "
    "write int(...) or bool(...) around the number"
)
ROUNDED = (
    "a number from NumPy is rounded to digits, which NumPy does otherwise than Python: write "
    "float(...) around the number"
)
COUNTED = (
    "truth values that may be NumPy's are computed with, which in Python are no numbers "
    "(True + True is True): write int(...) around each of them"
)

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
                raise errors.TypingError(ASKED, statement.loc)
            if any(map(origins.are_numpys, _rounded(func_ir, value))):
                raise errors.TypingError(ROUNDED, statement.loc)
        return False


def _rounded(func_ir: Any, value: Any) -> list[Any]:
    """The variables that an expression rounds to a number of digits."""
    is_call = value.op == "call" and global_value(func_ir, value.func) is round
    return value.args[:1] if is_call and len(value.args) + len(value.kws) > 1 else []


@register_pass(mutates_CFG=False, analysis_only=True)
class NumpyTruths(FunctionPass):
    """Refuses to compute with truth values that may be NumPy's."""

    _name = "prunus_numpy_truths"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Look at one function's operators and their types; nothing changes."""
        knows = None
        for _, _, statement in statements(state.func_ir):
            if not isinstance(statement, ir.Assign) or not isinstance(statement.value, ir.Expr):
                continue
            sides = _counted_truths(state.typemap, statement.value)
            if not sides:
                continue
            if any(isinstance(state.typemap[side.name], types.Array) for side in sides):
                raise errors.TypingError(COUNTED, statement.loc)
            knows = _knows_numpy(state.func_id.func) if knows is None else knows
            plain = all(_Origins(state.func_ir, state.typemap).are_plain(side) for side in sides)
            if knows and not plain:
                raise errors.TypingError(COUNTED, statement.loc)
        return False


def _counted_truths(kinds: Any, value: Any) -> list[Any]:
    """The sides of an operator if all of them are truth values, or arrays of them, and NumPy's
    would not be counted by it."""
    if value.op == "unary":
        sides, is_array_safe = [value.value], meant(value) is operator.invert
        found = meant(value) in _SIGNED
    elif value.op in ("binop", "inplace_binop"):
        sides = [value.lhs, value.rhs]
        is_array_safe = meant(value) not in (operator.sub, operator.isub)
        found = meant(value) in _COUNTING
    else:
        return []
    side_kinds = [kinds[side.name] for side in sides]
    are_arrays = any(isinstance(kind, types.Array) for kind in side_kinds)
    if not found or (are_arrays and is_array_safe):
        return []
    items = (kind.dtype if isinstance(kind, types.Array) else kind for kind in side_kinds)
    return sides if all(isinstance(kind, types.Boolean) for kind in items) else []


def _knows_numpy(function: Any) -> bool:
    """Whether any function of the same module names NumPy, or an array of the module."""
    names = {name for name, value in function.__globals__.items() if _is_numpys(value)}
    return bool(names) and any(
        not names.isdisjoint(code.co_names)
        for value in list(function.__globals__.values())
        if getattr(value, "__module__", None) == function.__module__
        for code in _codes(value)
    )


def _is_numpys(value: Any) -> bool:
    if isinstance(value, np.ndarray | np.generic) or value is np:
        return True
    return str(getattr(value, "__module__", None) or "").partition(".")[0] == "numpy"


def _codes(value: Any) -> Iterator[Any]:
    """The code of a function, of the methods of a class, and of what is defined in them."""
    if isinstance(value, type):
        for item in vars(value).values():
            yield from _codes(item)
    else:
        function = getattr(value, "fget", getattr(value, "__func__", value))
        code = getattr(inspect.unwrap(function), "__code__", value)
        if isinstance(code, CodeType):
            yield code
            for constant in code.co_consts:
                if isinstance(constant, CodeType):
                    yield from _codes(constant)


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

    def __init__(self, func_ir: Any, kinds: Any = None) -> None:
        self.func_ir, self.kinds = func_ir, kinds
        self._seen: set[str] = set()

    def are_numpys(self, variable: Any) -> bool:
        """Whether NumPy made a variable's value, or items of it, on some path."""
        if not isinstance(variable, ir.Var) or variable.name in self._seen:
            return False
        self._seen.add(variable.name)
        found = self.func_ir._definitions.get(variable.name, ())
        return any(map(self._made, found))

    def are_plain(self, variable: Any) -> bool:
        """Whether a variable's value is certainly of one of Python's own classes."""
        if variable.name in self._seen:
            return True
        self._seen.add(variable.name)
        found = self.func_ir._definitions.get(variable.name, ())
        return bool(found) and all(map(self._is_plain, found))

    def _is_plain(self, value: Any) -> bool:
        if isinstance(value, ir.Var):
            return self.are_plain(value)
        if isinstance(value, ir.Const | ir.Global | ir.FreeVar):
            return isinstance(value.value, int)
        if not isinstance(value, ir.Expr):
            return False
        if value.op in ("binop", "inplace_binop", "unary"):
            return meant(value) in _PLAIN or all(map(self.are_plain, value.list_vars()))
        if value.op == "phi":
            return all(map(self.are_plain, value.incoming_values))
        if value.op in ("getitem", "static_getitem"):
            # Items of a game's own arrays are plain numbers interpreted, too.
            return isinstance(self.kinds[value.value.name], ViewType)
        return value.op == "call" and global_value(self.func_ir, value.func) in _PLAINLY

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
