"""`state_key` for Numba, with the same keys as `prunus.core.state`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from prunus.core.bits import CASTS, GOLDEN
from prunus.core.state import (
    count_of,
    fields_of,
    fold_constant,
    is_state_class,
    shape_key,
    state_key,
)
from prunus.kernel.boards.homes import home_of
from prunus.kernel.boards.packed import Packed
from prunus.kernel.boards.packed_values import loop
from prunus.kernel.boards.shapes import shape_of
from prunus.kernel.boards.states import items_of
from prunus.kernel.boards.texts import Text
from prunus.kernel.numbers.integers import U64, WORD
from prunus.kernel.numbers.wide import Wide
from prunus.kernel.numbers.wide_conversions import resized
from prunus.kernel.numbers.words import word

DOUBLE = ir.IntType(128)


@intrinsic
def _words_key(typingctx: Any, state: Any) -> Any:
    members: list[Any] = list(zip(fields_of(state.instance_class), state.types, strict=True))
    shape_found = shape_of(state)
    width = sum(
        CASTS[field.scalar][0] * count_of(length)
        for (field, _), length in zip(members, shape_found, strict=True)
    )

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        shape = WORD(shape_key(state.instance_class, shape_found))
        parts = [
            part
            for i, (field, kind) in enumerate(members)
            for part in _parts(builder, field, kind, builder.extract_value(args[0], i))
        ]
        if width <= 64:
            return builder.xor(_packed(builder, parts), shape)
        key = shape
        for _, kind, value in parts:
            if isinstance(kind, Packed):
                key = _mixed(builder, key, _folded(builder, kind, value))
            else:
                for word_of_it in _words(builder, kind, value):
                    key = _mixed(builder, key, word_of_it)
        return key

    return U64(state), lower


def _parts(builder: Any, field: Any, kind: Any, value: Any) -> Iterator[tuple[Any, Any, Any]]:
    """The scalars and packed tuples of a field in their order: the scalar's class, Numba's type,
    and the value."""
    if isinstance(kind, types.BaseTuple):
        for i, each in enumerate(kind.types):
            yield from _parts(builder, field, each, builder.extract_value(value, i))
    else:
        yield field.scalar, kind.packed if isinstance(kind, Text) else kind, value


def _words(builder: Any, kind: Any, value: Any) -> list[Any]:
    """The 64-bit words of a scalar, the lowest first."""
    if not isinstance(kind, Wide):
        return [word(builder, kind, value)]
    return [
        resized(builder, builder.lshr(value, value.type(start)), 64)
        for start in range(0, kind.bits, 64)
    ]


def _packed(builder: Any, parts: list[Any]) -> Any:
    key = WORD(0)
    for scalar, kind, value in parts:
        width = CASTS[scalar][0]
        for item_kind, item in (
            items_of(builder, kind, value) if isinstance(kind, Packed) else [(kind, value)]
        ):
            low = builder.and_(word(builder, item_kind, item), WORD((1 << width) - 1))
            key = low if width == 64 else builder.or_(builder.shl(key, WORD(width)), low)
    return key


def _mixed(builder: Any, key: Any, part: Any) -> Any:
    key = builder.add(builder.xor(key, part), WORD(GOLDEN))
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        key = builder.mul(builder.xor(key, builder.lshr(key, WORD(shift))), WORD(factor))
    return builder.xor(key, builder.lshr(key, WORD(31)))


def _folded(builder: Any, kind: Packed, items: Any) -> Any:
    """`prunus.core.state.folded`: in memory, too, zeros follow the items."""
    words = -(-kind.count * kind.width // 64)
    if kind.lanes * kind.width == 64 and kind.chunks == 1:
        only = builder.bitcast(builder.extract_value(items, 0), WORD)
        return _product(builder, builder.xor(only, WORD(fold_constant(0))), WORD(fold_constant(1)))
    home = builder.bitcast(home_of(builder, items), WORD.as_pointer())
    constants = _constants(builder.module, words + words % 2)
    total = cgutils.alloca_once_value(builder, WORD(0))
    with loop(builder, -(-words // 2)) as step:
        first = builder.shl(step.index, WORD(1))
        places = (first, builder.add(first, WORD(1)))
        factors = [
            builder.xor(
                builder.load(builder.gep(home, [at])),
                builder.load(builder.gep(constants, [WORD(0), at])),
            )
            for at in places
        ]
        builder.store(builder.add(builder.load(total), _product(builder, *factors)), total)
    return builder.load(total)


def _product(builder: Any, left: Any, right: Any) -> Any:
    """Both halves of the product of two words, combined by exclusive or."""
    whole = builder.mul(builder.zext(left, DOUBLE), builder.zext(right, DOUBLE))
    return builder.xor(
        builder.trunc(whole, WORD), builder.trunc(builder.lshr(whole, DOUBLE(64)), WORD)
    )


def _constants(module: Any, count: int) -> Any:
    name = f"prunus.folding.{count}"
    known = module.globals.get(name)
    if known is None:
        values = ir.Constant(
            ir.ArrayType(WORD, count), [int(fold_constant(i)) for i in range(count)]
        )
        known = ir.GlobalVariable(module, values.type, name)
        known.linkage, known.global_constant, known.initializer = "private", True, values
    return known


@overload(state_key)
def _state_key(state):
    if isinstance(state, types.BaseNamedTuple) and is_state_class(state.instance_class):
        return lambda state: _words_key(state)  # noqa: PLW0108
    return None
