"""States for Numba: `self.State(...)` with its casts, `state._replace(...)`, `with_item`,
`state_key`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, cast

from numba.core import errors, types
from numba.core.imputils import lower_cast

from prunus.core.bits import CASTS, WIDE, u64
from prunus.core.fields import Field, unfit_fields
from prunus.core.state import Length, fields_of, is_long, lengths_of
from prunus.kernel.boards.furthest import cut, nothing_yet, refuse
from prunus.kernel.boards.homes import home_of
from prunus.kernel.boards.packed import Packed
from prunus.kernel.boards.packed_values import (
    item_pointer,
    loop,
    narrowed,
    new_home,
    read_item,
    widened,
)
from prunus.kernel.boards.shapes import usual_length
from prunus.kernel.boards.texts import Text, is_string, text_of
from prunus.kernel.numbers.integers import U64, WORD
from prunus.kernel.numbers.wide import TRUTH_OR_WIDE, WIDE_TYPES, AnyNumber, Wide
from prunus.kernel.numbers.wide_conversions import natural, plain_word, truth
from prunus.kernel.numbers.words import outside, stored_scalar, word

_native: dict[type, Any] = {bool: types.boolean, u64: U64, **WIDE_TYPES}


def scalar_type(kind: type) -> Any:
    """The Numba type that holds a scalar of a State in registers: narrow integers travel as signed
    words."""
    return _native.get(kind, types.int64)


def tuple_type(kind: type, length: Length) -> Any:
    """The Numba type of a tuple field of a State."""
    if not isinstance(length, int):
        return types.BaseTuple.from_types([tuple_type(kind, each) for each in length])
    return (
        Packed(kind, length) if is_long(kind, length) else types.UniTuple(scalar_type(kind), length)
    )


@lru_cache(maxsize=256)  # called by each search
def state_type(cls: type, lengths: tuple[Length, ...]) -> Any:
    """The Numba type of a State class whose fields have these lengths."""
    members = []
    for field, length in zip(fields_of(cls), lengths, strict=True):
        if field.scalar is None:
            raise errors.TypingError(_not_machine(cls, field))
        members.append(_member_type(field, length))
    return types.BaseTuple.from_types(members, cls)


def _member_type(field: Field, length: Length) -> Any:
    scalar = cast(type, field.scalar)
    if field.is_text:
        if isinstance(length, int):
            return Text(length)
        return types.BaseTuple.from_types([Text(each) for each in length])
    return tuple_type(scalar, length) if field.is_tuple else scalar_type(scalar)


def _not_machine(cls: type, field: Field) -> str:
    name = next(iter(unfit_fields(cls)), field.name)
    return (
        f"field {name!r} of {cls.__qualname__} is not a machine type: use int, str, "
        f"u8 ... u64, i8 ... i64, bool, tuples of numbers or tuples of such rows"
    )


def type_of_state(state: Any) -> Any:
    """The Numba type of a State."""
    return state_type(type(state), lengths_of(state))


def _cast_field(context: Any, builder: Any, field: Field, made: Any, kind: Any, value: Any) -> Any:
    """A value of type `kind` as a State's field holds it, whose type is `made`."""
    where = field.where
    if field.is_text:
        if kind == made:
            return value
        if isinstance(made, Text):
            return text_of(context, builder, made, kind, value, where)
        texts = [
            text_of(
                context, builder, each, given, builder.extract_value(value, i), f"a row of {where}"
            )
            for i, (each, given) in enumerate(zip(made.types, kind.types, strict=True))
        ]
        return context.make_tuple(builder, made, texts)
    if not field.is_tuple:
        return stored_item(context, builder, field.scalar, kind, value, where)
    if not field.columns:
        return _cast_row(context, builder, field.scalar, kind, value, where)
    rows = [
        _cast_row(context, builder, field.scalar, row, builder.extract_value(value, i), where)
        for i, row in enumerate(kind.types)
    ]
    return context.make_tuple(builder, made, rows)


def _cast_row(context: Any, builder: Any, scalar: Any, kind: Any, value: Any, where: str) -> Any:
    """A tuple of numbers as a field, or a row of one, holds it."""
    if is_long(scalar, len(kind)):
        return pack(context, builder, Packed(scalar, len(kind)), kind, value, where)
    parts = [
        stored_item(context, builder, scalar, item, part, f"an item of {where}")
        for item, part in items_of(builder, kind, value)
    ]
    return context.make_tuple(builder, types.UniTuple(scalar_type(scalar), len(parts)), parts)


def _number(kind: Any) -> Any:
    """The type of the number behind a member of an `IntEnum`; other types as they are."""
    return kind.dtype if isinstance(kind, types.IntEnumMember) else kind


def stored_item(
    context: Any,
    builder: Any,
    scalar: Any,
    kind: Any,
    value: Any,
    where: str = "an item of the tuple",
) -> Any:
    """A number converted to the scalar of a field or of a tuple's items. Outside its range it
    raises OverflowError, whose message calls it `where`."""
    kind = _number(kind)
    if kind is TRUTH_OR_WIDE:
        return value
    text = outside(scalar, where)
    if scalar in WIDE:
        return natural(context, builder, kind, value, CASTS[scalar][0], text)
    if isinstance(kind, Wide):
        if scalar is bool:
            return truth(builder, kind, value)
        value, kind = (
            plain_word(context, builder, kind, value, scalar is not u64, text),
            U64 if scalar is u64 else types.int64,
        )
    return stored_scalar(context, builder, scalar, kind, value, where)


def items_of(builder: Any, kind: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """The items of a tuple, each with its type."""
    for i in range(len(kind)):
        yield (
            (kind.dtype, read_item(builder, kind, value, WORD(i)))
            if isinstance(kind, Packed)
            else (
                kind.types[i],
                builder.extract_value(value, i),
            )
        )


def pack(
    context: Any, builder: Any, wanted: Packed, kind: Any, value: Any, where: str = "the tuple"
) -> Any:
    """A tuple of numbers converted to a packed one of as many items (TypingError for another
    number). An item outside its range raises OverflowError, whose message calls the tuple
    `where`."""
    if kind == wanted or (
        isinstance(kind, Packed) and (kind.scalar, kind.count) == (wanted.scalar, wanted.count)
    ):
        return value
    if len(kind) != wanted.count:
        raise errors.TypingError(
            f"a tuple of {len(kind)} items stands where one of {wanted.count} is needed, such as "
            "the key of a dictionary: give all of them one length"
        )
    home = new_home(builder, wanted)

    def put(index: Any, item_kind: Any, item: Any) -> None:
        cast = word(
            builder,
            scalar_type(wanted.scalar),
            stored_item(context, builder, wanted.scalar, item_kind, item, f"an item of {where}"),
        )
        builder.store(narrowed(builder, wanted, cast), item_pointer(builder, wanted, home, index))

    if isinstance(kind, Packed):
        given = home_of(builder, value)
        plain, worst = kind.dtype is not U64 and wanted.scalar is not u64, nothing_yet(builder)
        with loop(builder, kind.count) as step:
            item = widened(
                builder, kind, builder.load(item_pointer(builder, kind, given, step.index))
            )
            if plain:
                item = cut(builder, wanted, word(builder, kind.dtype, item), worst)
                builder.store(item, item_pointer(builder, wanted, home, step.index))
            else:
                put(step.index, kind.dtype, item)
        if plain:
            refuse(context, builder, wanted, worst, where)
    else:
        for i, item in enumerate(kind.types):
            put(WORD(i), item, builder.extract_value(value, i))
    return builder.load(home)


@lower_cast(Packed, Packed)
@lower_cast(types.BaseTuple, Packed)
def _as_packed(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return pack(context, builder, toty, fromty, value)


def _check_field(cls: type, field: Field, kind: Any) -> Length:
    """The length of a field's value; of a text, which the compiler does not know, the one that it
    has in other States. Raises TypingError in plain words if the value does not suit the field."""
    where = f"field {field.name!r} of {cls.__qualname__}"
    if field.scalar is None:
        raise errors.TypingError(_not_machine(cls, field))
    if field.is_text:
        return _check_text(cls, field, kind, where)
    if not field.is_tuple:
        if not isinstance(_number(kind), AnyNumber) and not (
            kind is TRUTH_OR_WIDE and field.scalar is bool
        ):
            raise errors.TypingError(
                f"{where} is declared {_written(field)} but is given {_plain(kind)}"
            )
        return -1
    if not field.columns:
        return _check_items(field, kind, where, field.length)
    if not isinstance(kind, types.BaseTuple):
        raise errors.TypingError(f"{where} is a tuple of rows but is given {_plain(kind)}")
    _check_count(where, field.length, len(kind))
    return tuple(_check_items(field, row, f"a row of {where}", field.columns) for row in kind.types)


def _check_text(cls: type, field: Field, kind: Any, where: str) -> Length:
    usual = usual_length(cls, field)
    if kind == _member_type(field, usual):
        return usual  # it was a field before
    if not field.columns:
        if not is_string(kind):
            raise errors.TypingError(f"{where} is declared str but is given {_plain(kind)}")
        return usual
    if not isinstance(kind, types.BaseTuple) or not all(map(is_string, kind.types)):
        raise errors.TypingError(f"{where} is a tuple of texts but is given {_plain(kind)}")
    _check_count(where, len(cast("tuple[int, ...]", usual)), len(kind))
    return usual


def _check_items(field: Field, kind: Any, where: str, length: int) -> int:
    numbers = isinstance(kind, types.BaseTuple) and all(
        isinstance(_number(item), AnyNumber) for item in kind.types
    )
    if not numbers and not isinstance(kind, Packed):
        raise errors.TypingError(
            f"{where} is a tuple of {_written(field)} but is given {_plain(kind)}"
        )
    _check_count(where, length, len(kind))
    return len(kind)


def _check_count(where: str, length: int, given: int) -> None:
    if length not in (-1, given):
        raise errors.TypingError(f"{where} has {length} items but is given {given}")


def _written(field: Field) -> str:
    return "int" if field.is_plain else str(getattr(field.scalar, "__name__", ""))


def _plain(kind: Any) -> str:
    return "a float" if isinstance(kind, types.Float) else f"a value of type {kind}"
