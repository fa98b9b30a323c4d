"""Calls of functions that the settings leave nothing to do.

An algorithm calls a function for each of its options: `ends_by_repetition`, `corrected`. If the
option is off, or the game has nothing of the kind, such a function only returns a constant or one
of its arguments. Then its result stands in place of the call, and the function is not compiled: it
would cost more time than the rest of the line that calls it, and the branch that its result rules
out, too.

Whether a function is idle is read from its bytecode. Only what every version of Python spells alike
is followed; a function with anything else on its way is called as it is written.
"""

from __future__ import annotations

import dis
import operator
import types as pytypes
from collections.abc import Callable
from typing import Any, Final

from numba.core import ir
from numba.core.ir_utils import get_definition, guard

from prunus.kernel.containers.memory import UNKNOWN
from prunus.kernel.pipeline.inference import remembered
from prunus.kernel.rewriting.settings import replace_definition, with_settings

OWN: Final = "prunus."
"""Only Prunus's own functions are examined: users' functions have no settings."""

_COMPARISONS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
}

_NOTHING: Final = ("RESUME", "NOP", "CACHE", "TO_BOOL", "NOT_TAKEN")
_LOCALS: Final = ("LOAD_FAST", "LOAD_FAST_BORROW", "LOAD_FAST_CHECK")
_CONSTANTS: Final = ("LOAD_CONST", "LOAD_SMALL_INT", "RETURN_CONST")
_RETURNS: Final = ("RETURN_VALUE", "RETURN_CONST")

_JUMPS: Final = {
    "POP_JUMP_IF_FALSE": False,
    "POP_JUMP_IF_TRUE": True,
    "POP_JUMP_FORWARD_IF_FALSE": False,
    "POP_JUMP_FORWARD_IF_TRUE": True,
}
"""The jumps by the truth of the value that they take off the stack."""
_KEEPING: Final = {"JUMP_IF_FALSE_OR_POP": False, "JUMP_IF_TRUE_OR_POP": True}
"""Those that leave the value there if they jump."""


class Parameter:
    """A parameter of the function that is examined, by its number."""

    def __init__(self, number: int) -> None:
        self.number = number


class _Busy(Exception):
    """The function does something, or what it does is not understood."""


def replace_idle(state: Any) -> bool:
    """Put the results of idle functions in place of the calls in one function's intermediate code;
    true if there were any."""
    changed = False
    for block in state.func_ir.blocks.values():
        for statement in block.find_insts(ir.Assign):
            call = statement.value
            if not (isinstance(call, ir.Expr) and call.op == "call"):
                continue
            result = _result_of(state, call)
            if result is None:
                continue
            (value,) = result
            statement.value = (
                call.args[value.number]
                if isinstance(value, Parameter)
                else ir.Const(value, statement.loc)
            )
            replace_definition(state.func_ir, statement.target, call, statement.value)
            changed = True
    return changed


def _result_of(state: Any, call: Any) -> tuple[Any] | None:
    """The result of an idle call: a constant, or a parameter; None for all other calls."""
    named = guard(get_definition, state.func_ir, call.func)
    function = named.value if isinstance(named, ir.Global) else None
    if (
        not isinstance(function, pytypes.FunctionType)
        or not (function.__module__ or "").startswith(OWN)
        or call.kws
        or call.vararg is not None
        or len(call.args) != function.__code__.co_argcount
        or function.__code__.co_kwonlyargcount
    ):
        return None
    kinds = tuple(with_settings(state, argument) for argument in call.args)
    if not any(kinds):
        return None
    found: tuple[Any] | None = remembered(
        "idle", (function, kinds), lambda: idle_result(function, kinds)
    )
    return found


def idle_result(function: Any, kinds: tuple[Any, ...]) -> tuple[Any] | None:
    """The one thing that a function returns if it does nothing else, a constant or a Parameter;
    None if it does more. `kinds` are the types of the arguments that have settings."""
    stack: list[Any] = []
    target = None
    try:
        for step in dis.get_instructions(function):
            # Every jump that is followed goes forward.
            if target not in (None, step.offset):
                continue
            target = None
            if step.opname in _CONSTANTS:
                stack.append(_plain(step.argval))
            if step.opname in _RETURNS:
                return (stack.pop(),)
            jumps = _jumps(step.opname, stack)
            if jumps:
                target = step.argval
            elif jumps is None and step.opname not in (*_NOTHING, *_CONSTANTS):
                _calculate(step, stack, kinds, function)
    except (_Busy, IndexError):
        return None
    return None


def _plain(value: Any) -> Any:
    if value is None or type(value) in (int, bool):
        return value
    raise _Busy


def _truth(value: Any) -> bool:
    if isinstance(value, Parameter):
        raise _Busy
    return bool(value)


def _jumps(name: str, stack: list[Any]) -> bool | None:
    """Whether a step jumps; None if it is no jump."""
    if name == "JUMP_FORWARD":
        return True
    if name in _JUMPS:
        return _truth(stack.pop()) is _JUMPS[name]
    if name in _KEEPING:
        if _truth(stack[-1]) is _KEEPING[name]:
            return True
        stack.pop()
        return False
    return None


def _calculate(step: Any, stack: list[Any], kinds: tuple[Any, ...], function: Any) -> None:
    """Follow a step that computes a constant from constants. Raises _Busy for all others."""
    name = step.opname
    if name in _LOCALS:
        number = function.__code__.co_varnames.index(step.argval)
        if number >= function.__code__.co_argcount:
            raise _Busy
        stack.append(Parameter(number))
    elif name == "LOAD_GLOBAL" and "NULL" not in step.argrepr:
        stack.append(_plain(function.__globals__.get(step.argval, stack)))
    elif name == "LOAD_ATTR" and "NULL" not in step.argrepr:
        stack.append(_setting(stack.pop(), step.argval, kinds))
    elif name == "COMPARE_OP":
        right, left = stack.pop(), stack.pop()
        compare = _COMPARISONS.get(step.argrepr.removeprefix("bool(").removesuffix(")"))
        if compare is None or type(left) not in (int, bool) or type(right) not in (int, bool):
            raise _Busy
        stack.append(compare(left, right))
    elif name == "UNARY_NOT":
        stack.append(not _truth(stack.pop()))
    elif name == "UNARY_NEGATIVE":
        stack.append(-_plain(stack.pop()))
    elif name == "COPY" and step.arg == 1:
        stack.append(stack[-1])
    elif name == "POP_TOP":
        stack.pop()
    else:
        raise _Busy


def _setting(owner: Any, name: str, kinds: tuple[Any, ...]) -> Any:
    """The value of a setting of an argument."""
    kind = kinds[owner.number] if isinstance(owner, Parameter) else None
    known = kind.known(name) if kind is not None else UNKNOWN
    if known is UNKNOWN:
        raise _Busy
    return known
