"""Other functions on integers of more than 64 bits, compiled: `bit_count`, `range`, `min`, `hash`,
`t[x]`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, overload, overload_method

from prunus.kernel.numbers.wide import BIT, AnyNumber, Wide, is_negative_literal, type_of
from prunus.kernel.numbers.wide_conversions import natural, plain_word, resized, width_of
from prunus.kernel.numbers.words import signed_word


def _counting(method: str, emit: Callable[[Any, Any], Any]) -> None:
    @intrinsic
    def count(typingctx: Any, value: Any) -> Any:
        return types.int64(value), lambda context, builder, sig, args: resized(
            builder, emit(builder, args[0]), 64
        )

    @overload_method(Wide, method)
    def of_wide(self):
        return None if self.is_below or self.form == "masked" else lambda self: count(self)  # noqa: PLW0108 - Numba compiles the lambda


_counting("bit_count", lambda builder, x: builder.ctpop(x))
_counting(
    "bit_length", lambda builder, x: builder.sub(x.type(x.type.width), builder.ctlz(x, BIT(0)))
)


def _any_wide(*kinds: Any) -> bool:
    return any(isinstance(kind, Wide) for kind in kinds) and all(
        isinstance(kind, AnyNumber) for kind in kinds
    )


@intrinsic
def as_index(typingctx: Any, value: Any) -> Any:
    """Any integer as a plain one of 64 bits; raises if a u64 or a longer one does not fit."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = sig.args[0]
        if isinstance(kind, Wide):
            return plain_word(context, builder, kind, args[0])
        return signed_word(context, builder, kind, args[0])

    return types.int64(value), lower


@overload(range)
def _range(start, stop=None, step=None):
    given = [
        kind
        for kind in (start, stop, step)
        if not (kind is None or isinstance(kind, types.Omitted | types.NoneType))
    ]
    if not _any_wide(*given):
        return None
    if len(given) == 1:
        return lambda start, stop=None, step=None: range(as_index(start))
    if len(given) == 2:
        return lambda start, stop=None, step=None: range(as_index(start), as_index(stop))
    return lambda start, stop=None, step=None: range(
        as_index(start), as_index(stop), as_index(step)
    )


@intrinsic
def _as_natural(typingctx: Any, value: Any, other: Any) -> Any:
    """A number as a natural wide enough for the other one too: which of the two is chosen is only
    known at run time."""
    form = (
        "joined"
        if any(isinstance(kind, Wide) and kind.form in ("u", "joined") for kind in (value, other))
        else "natural"
    )
    made = type_of(max(width_of(value), width_of(other)), form)
    return made(value, other), lambda context, builder, sig, args: natural(
        context, builder, sig.args[0], args[0], made.bits
    )


def _extreme(name: Any) -> None:
    @overload(name)
    def choose(first, second):
        if not _any_wide(first, second):
            return None
        if first == second:
            if name is min:
                return lambda first, second: second if second < first else first
            return lambda first, second: second if second > first else first
        wide, other = (first, second) if isinstance(first, Wide) else (second, first)
        if wide.unify(None, other) is None and not is_negative_literal(other):
            return None
        if name is min:
            return lambda first, second: (
                _as_natural(second, first) if second < first else _as_natural(first, second)
            )
        return lambda first, second: (
            _as_natural(second, first) if second > first else _as_natural(first, second)
        )


_extreme(min)
_extreme(max)


@overload_method(Wide, "__hash__")
def _hash(self):
    # Python's hash of an integer is its remainder modulo the Mersenne prime 2**61 - 1.
    return (
        None
        if self.is_below or self.form == "masked"
        else lambda self: as_index(self % 0x1FFFFFFFFFFFFFFF)
    )


@infer_global(operator.getitem)
class _TupleItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if (
            len(args) == 2
            and isinstance(args[0], types.UniTuple | types.NamedUniTuple)
            and isinstance(args[1], Wide)
        ):
            return signature(args[0].dtype, *args)
        return None


@lower_builtin(operator.getitem, types.UniTuple, Wide)
@lower_builtin(operator.getitem, types.NamedUniTuple, Wide)
def _tuple_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    plain = signature(sig.return_type, sig.args[0], types.intp)
    return context.get_function(operator.getitem, plain)(
        builder, [args[0], plain_word(context, builder, sig.args[1], args[1])]
    )
