"""The functions of `prunus.core.bits` and of Python that rules use on integers, for Numba: casts,
`range`, `min`, `bit_count`, `t[x]`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, overload, overload_method, type_callable

from prunus.core.bits import CASTS, WIDE, u64
from prunus.kernel.numbers.arithmetic import absolute_mask
from prunus.kernel.numbers.integers import SIGNED, U64, WORD, Number, Unsigned, Whole
from prunus.kernel.numbers.words import low_word, signed_word, truth, wrapped


def _teach_cast(cast: type, width: int, signed: bool) -> None:
    result = {u64: U64, bool: types.boolean}.get(cast, types.int64)

    @type_callable(cast)
    def typer_factory(context: Any) -> Any:
        return lambda value: result if isinstance(value, Number) else None

    @lower_builtin(cast, types.Any)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if width == 1:
            return truth(builder, sig.args[0], args[0])
        return wrapped(builder, low_word(builder, sig.args[0], args[0]), width, signed)


for _kind, (_width, _signed) in CASTS.items():
    if _kind is not bool and _kind not in WIDE:
        _teach_cast(_kind, _width, _signed)


def _counting(method: str, emit: Callable[[Any, Any], Any]) -> None:
    @intrinsic
    def count(typingctx: Any, value: Any) -> Any:
        return types.int64(types.uint64), lambda context, builder, sig, args: emit(builder, args[0])

    @overload_method(Whole, method)
    def of_whole(self):
        return lambda self: count(_raw(self))

    @overload_method(types.Integer, method)
    def of_integer(self):
        return lambda self: count(_raw(abs(self)))

    @overload_method(types.Boolean, method)
    def of_truth(self):
        return lambda self: int(self)  # noqa: PLW0108 - Numba compiles the lambda


@intrinsic
def _raw(typingctx: Any, value: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if sig.args[0] in SIGNED:
            return absolute_mask(context, builder, sig.args[0], args[0])
        return low_word(builder, sig.args[0], args[0])

    return types.uint64(value), lower


@intrinsic
def as_signed(typingctx: Any, value: Any) -> Any:
    """Any integer as a signed 64-bit one; raises OverflowError if it does not fit."""
    return types.int64(value), lambda context, builder, sig, args: signed_word(
        context, builder, sig.args[0], args[0]
    )


_counting("bit_count", lambda builder, x: builder.ctpop(x))
_counting("bit_length", lambda builder, x: builder.sub(WORD(64), builder.ctlz(x, ir.IntType(1)(0))))


@overload(range)
def _range(start, stop=None, step=None):
    kinds = [kind for kind in (start, stop, step) if not _absent(kind)]
    if not any(isinstance(kind, Whole) for kind in kinds):
        return None
    if len(kinds) == 1:
        return lambda start, stop=None, step=None: range(as_signed(start))
    if len(kinds) == 2:
        return lambda start, stop=None, step=None: range(as_signed(start), as_signed(stop))
    return lambda start, stop=None, step=None: range(
        as_signed(start), as_signed(stop), as_signed(step)
    )


def _absent(kind: Any) -> bool:
    return kind is None or isinstance(kind, types.Omitted | types.NoneType)


def _extreme(name: Any) -> None:
    @overload(name)
    def choose(first, second):
        if (
            isinstance(first, Number)
            and isinstance(second, Number)
            and (isinstance(first, Whole) or isinstance(second, Whole))
        ):
            if name is min:
                return lambda first, second: second if second < first else first
            return lambda first, second: second if second > first else first
        return None


_extreme(min)
_extreme(max)


@overload_method(Whole, "__hash__")
def _hash(self):
    # Python's hash of an integer is its remainder modulo the Mersenne prime 2**61 - 1, with its
    # sign; -1 is reserved for errors.
    if isinstance(self, Unsigned):
        return lambda self: as_signed(self % 0x1FFFFFFFFFFFFFFF)

    def hashed(self):
        rest = as_signed(abs(int(self)) % 0x1FFFFFFFFFFFFFFF)
        return rest if self >= 0 else -rest if rest != 1 else -2

    return hashed


@infer_global(operator.getitem)
class _TupleItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if (
            len(args) == 2
            and isinstance(args[0], types.UniTuple | types.NamedUniTuple)
            and isinstance(args[1], Whole)
        ):
            return signature(args[0].dtype, *args)
        return None


@lower_builtin(operator.getitem, types.UniTuple, Whole)
@lower_builtin(operator.getitem, types.NamedUniTuple, Whole)
def _tuple_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    plain = signature(sig.return_type, sig.args[0], types.intp)
    place = signed_word(context, builder, sig.args[1], args[1])
    return context.get_function(operator.getitem, plain)(builder, [args[0], place])
