"""Operators on integers for Numba, replacing its own: these give Python's results, or raise.

`_Integers` in `prunus.kernel.rewriting.passes` replaces each operator in a function by an
`Operation`. On integers it gives the types and results defined here; on anything else (floats,
tuples, lists) it is the operator that it replaces.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from numba.core import errors, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

from prunus.kernel.numbers import arithmetic
from prunus.kernel.numbers.comparisons import lower_sides
from prunus.kernel.numbers.either import emit_either, emit_either_unary
from prunus.kernel.numbers.in_place import tried
from prunus.kernel.numbers.integers import (
    EITHER,
    LONG,
    MASK,
    MEMBER_ON_THE_LEFT,
    TRUTH_ON_THE_LEFT,
    TRUTH_OR_EITHER,
    TRUTH_OR_INT,
    U64,
    Either,
    Number,
    Whole,
    is_count,
    is_small,
    may_be_truth,
)
from prunus.kernel.numbers.words import double, low_word

_UNSIGNED = (U64, MASK)


class Operation:
    """An operator in compiled code; `functions` are Python's functions that it replaces, in the
    order in which they are tried."""

    def __init__(self, name: str, *functions: Any) -> None:
        self.name, self.functions = name, functions
        self.__name__ = f"integer_{functions[0].__name__}"

    def __repr__(self) -> str:
        return repr(self.functions[-1])

    def __call__(self, *sides: Any) -> Any:
        return self.functions[-1](*sides)

    def __reduce__(self) -> Any:
        return _operation, (self.__name__,)


def meant(expression: Any) -> Any:
    """Python's operator that an expression of the intermediate code performs."""
    return expression.fn.functions[-1] if isinstance(expression.fn, Operation) else expression.fn


def _operation(name: str) -> Operation:
    made: Operation = globals()[name]
    return made


# The type of a result. A less specific type of a side must never give a more specific result: the
# types of loop variables widen during inference.


def _ring(name: str, left: Any, right: Any) -> Any:
    if U64 in (left, right) or EITHER in (left, right):
        return U64 if U64 in (left, right) else EITHER
    if is_small(left) and is_small(right):
        bits = (
            name in ("and", "or", "xor")
            and isinstance(left, types.Boolean)
            and isinstance(right, types.Boolean)
        )
        return types.boolean if bits else types.int64
    if name == "and":
        if any(
            isinstance(kind, types.IntegerLiteral) and kind.literal_value >= 0
            for kind in (left, right)
        ):
            return types.int64
        if MASK in (left, right):
            return MASK
        return types.int64 if is_small(left) or is_small(right) else LONG
    return MASK if name != "sub" and is_count(left) and is_count(right) else LONG


def _quotient(name: str, left: Any, right: Any) -> Any:
    if U64 in (left, right) or EITHER in (left, right):
        return U64 if U64 in (left, right) else EITHER
    is_rest = name == "mod" and isinstance(right, types.IntegerLiteral) and right.literal_value > 0
    if is_rest or (is_small(left) and is_small(right)):
        return types.int64
    return MASK if is_count(left) and is_count(right) else LONG


def _shift(name: str, left: Any, right: Any) -> Any:
    if U64 in (left, right) or EITHER in (left, right):
        return U64 if U64 in (left, right) else EITHER
    if name == "lshift" and isinstance(left, types.IntegerLiteral) and left.literal_value >= 0:
        return MASK
    return types.int64 if is_small(left) else left


def _power(name: str, left: Any, right: Any) -> Any:
    return types.int64 if is_small(left) and is_small(right) else None


_RESULTS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("add", "sub", "mul", "and", "or", "xor"), _ring),
    **dict.fromkeys(("floordiv", "mod"), _quotient),
    **dict.fromkeys(("lshift", "rshift"), _shift),
    "pow": _power,
}

_FOR_RING = ("add", "sub", "mul", "and", "or", "xor")
_RING = {
    U64: arithmetic.ring_u64,
    MASK: arithmetic.ring_mask,
    types.int64: arithmetic.ring_int,
    LONG: arithmetic.ring_long,
}
_DIVISION = {
    U64: arithmetic.quotient_u64,
    MASK: arithmetic.quotient_u64,
    types.int64: arithmetic.quotient_int,
    LONG: arithmetic.quotient_long,
}
_EMITTERS: dict[str, dict[Any, Callable[..., Any]]] = {
    **dict.fromkeys(_FOR_RING, _RING),
    "floordiv": _DIVISION,
    "mod": _DIVISION,
    "lshift": {
        U64: arithmetic.shifted_left_u64,
        MASK: arithmetic.shifted_left_mask,
        types.int64: arithmetic.shifted_left_int,
        LONG: arithmetic.shifted_left_long,
    },
    "rshift": {
        U64: arithmetic.shifted_right_u64,
        MASK: arithmetic.shifted_right_u64,
        types.int64: arithmetic.shifted_right_int,
        LONG: arithmetic.shifted_right_long,
    },
    "pow": {types.int64: arithmetic.power_int},
}


def _emit(name: str, context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kinds, made = sig.args, sig.return_type
    if isinstance(kinds[0], types.Boolean) and isinstance(kinds[1], Either):
        kinds, args = (kinds[0], LONG), (args[0], double(builder, kinds[1], args[1]))
    if made == types.boolean:
        bits = arithmetic.ring_u64(name, context, builder, kinds, args)
        return builder.icmp_unsigned("!=", bits, bits.type(0))
    if isinstance(made, Either):
        return emit_either(_EMITTERS[name], name, context, builder, kinds, args)
    if made is not U64 and any(isinstance(kind, Either) for kind in kinds):
        sides = zip(kinds, args, strict=True)
        args = [
            double(builder, kind, value) if isinstance(kind, Either) else value
            for kind, value in sides
        ]
        kinds = tuple(LONG if isinstance(kind, Either) else kind for kind in kinds)
    return _EMITTERS[name][types.int64 if made is TRUTH_OR_INT else made](
        name, context, builder, kinds, args
    )


def _unary_result(name: str, kind: Any) -> Any:
    if isinstance(kind, Either):
        return LONG if name == "int" else EITHER
    if name == "ones":
        return U64 if kind is U64 else MASK
    if name in ("neg", "invert"):
        return U64 if kind is U64 else types.int64 if is_small(kind) else LONG
    if name == "abs":
        return kind if kind in _UNSIGNED else types.int64 if is_small(kind) else MASK
    if name == "int":
        return MASK if kind in _UNSIGNED else types.int64 if is_small(kind) else LONG
    return types.int64 if is_small(kind) else kind


def _emit_unary(name: str, context: Any, builder: Any, sig: Any, args: Any) -> Any:
    (kind,), (value,), made = sig.args, args, sig.return_type
    if isinstance(kind, Either):
        return emit_either_unary(name, context, builder, value)
    if name == "ones":
        return (arithmetic.ones_u64 if made is U64 else arithmetic.ones)(
            context, builder, kind, value
        )
    if name == "neg":
        if made is U64:
            return builder.neg(value)
        return (arithmetic.negated_long if made is LONG else arithmetic.negated_int)(
            context, builder, kind, value
        )
    if name == "invert":
        return builder.not_(
            double(builder, kind, value) if made is LONG else low_word(builder, kind, value)
        )
    if name == "abs" and kind not in _UNSIGNED:
        return (arithmetic.absolute_mask if made is MASK else arithmetic.absolute_int)(
            context, builder, kind, value
        )
    return value if kind is LONG else low_word(builder, kind, value)


WRAPS = "which wraps in Python: write int(...) around it, or give its array 64 bits"


def is_narrow(kind: Any) -> bool:
    """Whether numbers of this type come from NumPy and have fewer than 64 bits. Items of a game's
    own arrays are plain integers."""
    return (
        isinstance(kind, types.Integer)
        and not isinstance(kind, types.IntegerLiteral)
        and kind.bitwidth < 64
    )


def _wraps(name: str, kind: Any) -> bool:
    """Whether an operator on a number of this type wraps in NumPy at fewer than 64 bits, or below
    zero."""
    if kind == types.uint64:
        return name in ("add", "sub", "mul", "lshift", "pow", "neg", "invert")
    return is_narrow(kind) and name in (*_RESULTS, "neg", "invert", "abs", "pos")


def _result_of(operation: Operation, args: Any) -> Any:
    if not all(isinstance(kind, Number) for kind in args):
        return None
    for kind in args:
        if _wraps(operation.name, kind):
            raise errors.TypingError(
                f"an operator is applied to a NumPy number of type {kind}, {WRAPS}"
            )
    if len(args) == 1 and operation.name in ("neg", "invert", "pos", "abs", "int", "ones"):
        return _unary_result(operation.name, *args)
    if len(args) != 2 or operation.name not in _RESULTS:
        return None
    left, right = args
    if isinstance(left, types.Boolean):
        # Python tries the right side first only if its class derives from the left one's; u64 does
        # not derive from bool.
        right = {U64: MASK, EITHER: LONG, TRUTH_OR_EITHER: LONG}.get(right, right)
    elif may_be_truth(left) and (right is U64 or isinstance(right, Either)):
        raise errors.TypingError(TRUTH_ON_THE_LEFT)
    elif isinstance(left, types.IntEnumMember) and (right is U64 or isinstance(right, Either)):
        raise errors.TypingError(MEMBER_ON_THE_LEFT)
    left, right = (EITHER if kind is TRUTH_OR_EITHER else kind for kind in (left, right))
    made = _RESULTS[operation.name](operation.name, left, right)
    if (
        operation.name in ("and", "or", "xor")
        and all(map(may_be_truth, args))
        and made != types.boolean
    ):
        # Of two truth values these give a truth value.
        return TRUTH_OR_EITHER if isinstance(made, Whole) else TRUTH_OR_INT
    return made


def _teach(operation: Operation) -> None:
    @infer_global(operation)
    class Template(AbstractTemplate):
        prefer_literal = True

        def generic(self, args: Any, kws: Any) -> Any:
            made = _result_of(operation, args)
            return signature(made, *args) if made is not None else self._other(args, kws)

        def _other(self, args: Any, kws: Any) -> Any:
            last: Exception | None = None
            for function in tried(operation.functions, args):
                try:
                    found = self.context.resolve_function_type(function, args, kws)
                except errors.TypingError as error:
                    last = error
                else:
                    if found is not None:
                        return found
            if last is not None:
                raise last
            return None

    lower_builtin(operation, types.VarArg(types.Any))(
        lambda context, builder, sig, args: _lower(operation, context, builder, sig, args)
    )


def _lower(operation: Operation, context: Any, builder: Any, sig: Any, args: Any) -> Any:
    if _result_of(operation, sig.args) is not None:
        return (_emit_unary if len(args) == 1 else _emit)(
            operation.name, context, builder, sig, args
        )
    last: Exception | None = None
    for function in tried(operation.functions, sig.args):
        try:
            found = context.get_function(context.typing_context.resolve_value_type(function), sig)
        except NotImplementedError as error:
            last = error
        else:
            context.add_linking_libs(getattr(found, "libs", ()))
            return found(builder, args)
    raise last or NotImplementedError(operation.__name__)


def _teach_own(operation: Operation) -> None:
    """The same for the operator itself if a side has one of our types; Numba's own functions
    (`sum`) need this."""
    function = operation.functions[0]

    @infer_global(function)
    class Template(AbstractTemplate):
        prefer_literal = True

        def generic(self, args: Any, kws: Any) -> Any:
            made = (
                _result_of(operation, args)
                if any(isinstance(kind, Whole) for kind in args)
                else None
            )
            return None if made is None else signature(made, *args)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _lower(operation, context, builder, sig, args)

    if operation.name in _RESULTS:
        lower_sides(function, lower)
    else:
        lower_builtin(function, Whole)(lower)


_BINARY = ("add", "sub", "mul", "and", "or", "xor", "floordiv", "mod", "lshift", "rshift", "pow")


def _low_bits(places: int) -> int:
    return (1 << places) - 1


def _operations() -> dict[Any, Operation]:
    made = {}
    for name in _BINARY:
        called = f"{name}_" if name in ("and", "or") else name
        plain, inplace = getattr(operator, called), getattr(operator, f"i{name}")
        made[plain] = Operation(name, plain)
        made[inplace] = Operation(name, inplace, plain)
    made[operator.itruediv] = Operation("truediv", operator.itruediv, operator.truediv)
    for name, function in (
        ("neg", operator.neg),
        ("invert", operator.invert),
        ("pos", operator.pos),
        ("abs", abs),
        ("int", int),
    ):
        made[function] = Operation(name, function)
    return made


OPERATIONS = _operations()
"""The replacements of Python's operators and functions."""

CHECKED: Final[dict[Any, Any]] = dict(OPERATIONS)
"""The functions on integers, those of `operator` too, that Numba knows but whose results would
silently leave 64 bits, with their replacements."""

for _made in OPERATIONS.values():
    globals()[_made.__name__] = _made  # Numba looks them up by name
    _teach(_made)
    _teach_own(_made)

ONES = Operation("ones", _low_bits)
"""`(1 << n) - 1`, which is a mask even if n is 64."""
integer__low_bits = ONES
_teach(ONES)

shift_left, shift_right = OPERATIONS[operator.lshift], OPERATIONS[operator.rshift]
