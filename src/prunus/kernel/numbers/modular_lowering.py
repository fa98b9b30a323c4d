"""The translation of what `modular` finds: a remainder or the low bits of plain integers, exact
even where an inner result needs more than 64 bits."""

from __future__ import annotations

from typing import Any

from llvmlite import ir as native
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, overload

from prunus.core.bits import clz, mulhi
from prunus.kernel.numbers import arithmetic
from prunus.kernel.numbers.integers import (
    BIT,
    DOUBLE,
    LONG,
    MASK,
    U64,
    WORD,
    Either,
    Number,
    is_small,
)
from prunus.kernel.numbers.modular import _BY_NAME, Term, _parts, part_of
from prunus.kernel.numbers.words import double, low_word


def _are_plain(kinds: Any) -> bool:
    return all(
        isinstance(kind, Number) and kind is not U64 and not isinstance(kind, Either)
        for kind in kinds
    )


@infer_global(part_of)
class _PartOf(AbstractTemplate):
    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        if not isinstance(args[0], types.IntegerLiteral):
            return None
        part = _parts[args[0].literal_value]
        if not _are_plain(args[1:]):
            return signature(self._of_operators(part.whole, args[1:]), *args)
        if part.mask is None and part.limit >> 32:
            self.context.resolve_function_type(_rest_of_product, (U64, U64, U64), {})
        return signature(
            MASK if part.whole.name == "and" and part.limit >> 63 else types.int64, *args
        )

    def _of_operators(self, node: Any, kinds: Any) -> Any:
        if not isinstance(node, Term):
            return kinds[node]
        sides = tuple(self._of_operators(side, kinds) for side in node.sides)
        return self.context.resolve_function_type(_BY_NAME[node.name], sides, {}).return_type


@lower_builtin(part_of, types.VarArg(types.Any))
def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    part = _parts[sig.args[0].literal_value]
    lowering = _Lowering(context, builder, sig.args[1:], args[1:])
    if not _are_plain(sig.args[1:]):
        return lowering.by_operators(part.whole)[1]
    if part.mask is not None:
        return builder.and_(lowering.low_bits(part.inner), WORD(part.mask))
    return lowering.rest(part.inner, part.limit)


class _Lowering:
    """Emits the instructions of a tree."""

    def __init__(self, context: Any, builder: Any, kinds: Any, values: Any) -> None:
        self.context, self.builder, self.kinds, self.values = context, builder, kinds, values

    def by_operators(self, node: Any) -> tuple[Any, Any]:
        """The type and the value, computed operator by operator."""
        if not isinstance(node, Term):
            return self.kinds[node], self.values[node]
        sides = [self.by_operators(side) for side in node.sides]
        operation = _BY_NAME[node.name]
        function = self.context.typing_context.resolve_value_type(operation)
        wanted = function.get_call_type(
            self.context.typing_context, tuple(kind for kind, _ in sides), {}
        )
        call = self.context.get_function(function, wanted)
        self.context.add_linking_libs(getattr(call, "libs", ()))
        given = zip(sides, wanted.args, strict=True)
        return wanted.return_type, call(
            self.builder,
            [self.context.cast(self.builder, value, kind, to) for (kind, value), to in given],
        )

    def low_bits(self, node: Any) -> Any:
        """The value modulo 2**64."""
        if not isinstance(node, Term):
            return low_word(self.builder, self.kinds[node], self.values[node])
        left = self.low_bits(node.sides[0])
        if node.name in ("neg", "invert"):
            return (self.builder.neg if node.name == "neg" else self.builder.not_)(left)
        if node.name == "lshift":
            place = node.sides[1]
            sides = (U64, self.kinds[place]), (left, self.values[place])
            return arithmetic.shifted_left_u64("lshift", self.context, self.builder, *sides)
        return arithmetic.ring_u64(
            node.name, self.context, self.builder, (U64, U64), (left, self.low_bits(node.sides[1]))
        )

    def rest(self, node: Any, limit: int) -> Any:
        """The value modulo a number below 2**63: of the value itself if it fits 64 bits, otherwise
        from remainders."""
        value, lost = self.value(node)
        made = cgutils.alloca_once(self.builder, WORD)
        with self.builder.if_else(lost, likely=False) as (long, short):
            with long:
                self.builder.store(self.of_rests(node, limit), made)
            with short:
                self.builder.store(self._rest_of(types.int64, value, limit), made)
        return self.builder.load(made)

    def value(self, node: Any) -> tuple[Any, Any]:
        """The value as a signed word, and whether it does not fit."""
        builder = self.builder
        if not isinstance(node, Term):
            kind, value = self.kinds[node], self.values[node]
            low = low_word(builder, kind, value)
            if is_small(kind):
                return low, BIT(0)
            return low, builder.icmp_signed(
                "!=", builder.sext(low, DOUBLE), double(builder, kind, value)
            )
        left, lost = self.value(node.sides[0])
        if node.name == "neg":
            left, right = WORD(0), left
        else:
            right, more = self.value(node.sides[1])
            lost = builder.or_(lost, more)
        operate = "sub" if node.name == "neg" else node.name
        pair = getattr(builder, f"s{operate}_with_overflow")(left, right)
        return builder.extract_value(pair, 0), builder.or_(lost, builder.extract_value(pair, 1))

    def _rest_of(self, kind: Any, value: Any, limit: int) -> Any:
        sides = (types.unliteral(kind), types.IntegerLiteral(limit)), (value, WORD(limit))
        return arithmetic.quotient_int("mod", self.context, self.builder, *sides)

    def of_rests(self, node: Any, limit: int) -> Any:
        """The value modulo the limit, computed from the sides modulo the limit."""
        builder, most = self.builder, WORD(limit)
        if not isinstance(node, Term):
            kind, value = self.kinds[node], self.values[node]
            return (
                self._rest_of(LONG, double(builder, kind, value), limit)
                if kind is LONG
                else self._rest_of(kind, value, limit)
            )
        left = self.of_rests(node.sides[0], limit)
        if node.name == "neg":
            return builder.select(
                builder.icmp_unsigned("==", left, WORD(0)), left, builder.sub(most, left)
            )
        right = self.of_rests(node.sides[1], limit)
        if node.name == "mul":
            return self._product(left, right, limit)
        if node.name == "sub":
            less = builder.sub(left, right)
            return builder.select(
                builder.icmp_unsigned("<", left, right), builder.add(less, most), less
            )
        total = builder.add(left, right)
        return builder.select(
            builder.icmp_unsigned("<", total, most), total, builder.sub(total, most)
        )

    def _product(self, left: Any, right: Any, limit: int) -> Any:
        if limit <= 1 << 32:
            return self.builder.urem(self.builder.mul(left, right), WORD(limit))
        function = self.context.typing_context.resolve_value_type(_rest_of_product)
        call = self.context.get_function(
            function, function.get_call_type(self.context.typing_context, (U64, U64, U64), {})
        )
        self.context.add_linking_libs(getattr(call, "libs", ()))
        return call(self.builder, [left, right, native.Constant(WORD, limit)])


def _rest_of_product(left, right, limit):
    """Numba's overload below: `left * right % limit` for u64 below the limit, which is below
    2**63."""
    raise NotImplementedError


@overload(_rest_of_product)
def _rest_of_product_overload(left, right, limit):
    def rest_of_product(left, right, limit):
        # Long division by two digits of 32 bits (Knuth, The Art of Computer Programming 2, 4.3.1,
        # algorithm D).
        places = clz(limit)
        low = left * right
        high = (mulhi(left, right) << places) | (low >> (64 - places))
        low = low << places
        divisor = limit << places
        first, second = divisor >> 32, divisor & 0xFFFFFFFF
        for i in range(2):
            digit = low >> 32 if i == 0 else low & 0xFFFFFFFF
            whole = high // first
            rest = high - whole * first
            while whole >> 32 != 0 or whole * second > (rest << 32 | digit):
                whole -= 1
                rest += first
                if rest >> 32 != 0:
                    break
            high = (high << 32 | digit) - whole * divisor
        return high >> places

    return rest_of_product
