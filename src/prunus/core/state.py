"""States: NamedTuples whose fields are checked whenever one is built, and packed into words."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cache, partial
from itertools import islice, repeat
from typing import Final, TypeAlias, cast

from prunus.core.bits import CASTS, GOLDEN, MASK64, WIDE, mix, u64
from prunus.core.fields import Field, Value, declared_fields

Length: TypeAlias = "int | tuple[int, ...]"
"""The length of a field: -1 for a scalar, the number of items of a tuple, those of each row for a
tuple of rows."""


def is_state_class(cls: object) -> bool:
    """Whether `typed_state` has prepared this class."""
    return isinstance(cls, type) and "__prunus_fields__" in cls.__dict__


def fields_of(cls: type) -> tuple[Field, ...]:
    """The fields of a class that `typed_state` has prepared."""
    return cast("tuple[Field, ...]", cls.__dict__["__prunus_fields__"])


def typed_state(cls: type) -> type:
    """Make a NamedTuple class convert its fields to their annotated types, with checks, whenever an
    instance is built (the constructor, `_make`, `_replace`). The class is changed in place and
    returned; a class that is not a NamedTuple is returned unchanged."""
    if not (issubclass(cls, tuple) and hasattr(cls, "_fields")) or is_state_class(cls):
        return cls
    fields = declared_fields(cls)
    plain_new = cls.__new__
    casts = tuple(field.caster() for field in fields)

    def build(kind: type, values: Value) -> object:
        return tuple.__new__(
            kind, [convert(value) for convert, value in zip(casts, values, strict=True)]
        )

    def new(kind: type, *args: Value, **named: object) -> object:
        return build(
            kind, args if len(args) == len(casts) and not named else plain_new(kind, *args, **named)
        )

    def replace(self: Value, **named: object) -> object:
        unknown = named.keys() - set(cls._fields)
        if unknown:
            raise ValueError(f"State has no field named {', '.join(sorted(unknown))}")
        return build(
            cls, [named.get(name, value) for name, value in zip(cls._fields, self, strict=True)]
        )

    changed = cast(Value, cls)
    changed.__prunus_fields__ = fields
    changed.__new__ = new
    changed._make = classmethod(build)
    changed._replace = replace
    return cls


def is_machine_state(state: object) -> bool:
    """Whether a State consists of machine integers and of texts of letters of Latin-1 only, so that
    it can be compiled and laid out in memory."""
    if not is_state_class(type(state)):
        return False
    for field, value in zip(fields_of(type(state)), cast(Value, state), strict=True):
        if field.scalar is None:
            return False
        if field.is_text and not all(map(_is_plain_text, texts_in(field, value))):
            return False
    return True


def texts_in(field: Field, value: Value) -> tuple[str, ...]:
    """The texts in a field's value."""
    if not field.is_text:
        return ()
    return cast("tuple[str, ...]", value) if field.columns else (value,)


def _is_plain_text(text: str) -> bool:
    """Whether a text has letters, all of Latin-1."""
    return text != "" and (text.isascii() or max(text) <= "\xff")


def lengths_of(state: Value) -> tuple[Length, ...]:
    """The lengths of a State's fields."""
    return tuple(
        -1 if not field.is_tuple else tuple(map(len, value)) if field.columns else len(value)
        for field, value in zip(fields_of(type(state)), state, strict=True)
    )


def count_of(length: Length) -> int:
    """The number of scalars in a field of this length."""
    return abs(length) if isinstance(length, int) else sum(length)


def _rows(field: Field, value: Value) -> Value:
    """A field's value as tuples of scalars: one, or those of a tuple of rows."""
    if field.is_text:
        return [text.encode("latin-1") for text in texts_in(field, value)]
    if field.columns:
        return value
    return (value,) if field.is_tuple else ((value,),)


def scalars(state: Value) -> Iterator[tuple[type, Value]]:
    """The scalars of a State in order, tuples flattened: (type, value)."""
    for field, value in zip(fields_of(type(state)), state, strict=True):
        kind = cast(type, field.scalar)
        for row in _rows(field, value):
            for item in row:
                yield kind, item


def state_key(state: Value) -> u64:
    """A 64-bit key of a State: its fields packed side by side if they have at most 64 bits in all,
    otherwise a hash, which two States may share. The lengths of tuple fields that declare none
    (`tuple[u8, ...]`) count too, so that moving an item to the next field, or adding leading zeros,
    gives another key. `key_is_exact` says whether the key is one-to-one. Lists, sets and
    dictionaries count with their contents."""
    if not is_machine_state(state):
        return mix(hash(_hashable(state)))
    parts = list(scalars(state))
    shape = shape_key(type(state), lengths_of(state))
    key = u64(0)
    if sum(CASTS[kind][0] for kind, _ in parts) <= 64:
        for kind, value in parts:
            width = CASTS[kind][0]
            key = (key << width) | (u64(value) & ((1 << width) - 1))
        return key ^ shape
    key = shape
    for field, value in zip(fields_of(type(state)), state, strict=True):
        kind = cast(type, field.scalar)
        for row in _rows(field, value):
            if field.is_text or (field.is_tuple and is_long(kind, len(row))):
                key = mix((key ^ folded(kind, row)) + GOLDEN)
            else:
                for word in (word for item in row for word in words_of(kind, item)):
                    key = mix((key ^ u64(word)) + GOLDEN)
    return key


SHORT: Final = 4


def is_long(kind: type, length: int) -> bool:
    """Whether a tuple field of `length` scalars of this kind is long, which means that compiled
    code keeps it packed."""
    return length > SHORT and CASTS[kind][0] <= 64


def folded(kind: type, items: tuple[int, ...]) -> int:
    """A hash of a long tuple. Its bytes are read as 64-bit words, each combined by exclusive or
    with a constant for its place; pairs of words are multiplied, and the halves of the products are
    combined and added up (the folded multiplication of wyhash, Wang Yi 2019)."""
    width, signed = CASTS[kind]
    data = struct.pack(f"<{len(items)}{_CODES[width][signed]}", *items)
    words = struct.unpack(f"<{-(-len(data) // 16) * 2}Q", data + bytes(-len(data) % 16))
    total = 0
    for i in range(0, len(words), 2):
        product = (words[i] ^ fold_constant(i)) * (words[i + 1] ^ fold_constant(i + 1))
        total += (product & MASK64) ^ product >> 64
    return total & MASK64


@cache
def fold_constant(place: int) -> int:
    """The constant for a word's place."""
    return int(mix(place + 1))


def shape_key(cls: type, lengths: tuple[Length, ...]) -> u64:
    """The contribution to a State's key of the lengths of tuple fields that declare none; 0 in a
    class without such fields."""
    key = u64(0)
    for field, length in zip(fields_of(cls), lengths, strict=True):
        if field.has_any_length:
            for each in (length,) if isinstance(length, int) else (len(length), *length):
                key = mix(key + each + 1)
    return key


def words_of(kind: type, value: int) -> tuple[int, ...]:
    """The 64-bit words of a scalar, the lowest first; a scalar of at most 64 bits is a single,
    unchanged word."""
    return (
        tuple(int(value) >> start & MASK64 for start in range(0, CASTS[kind][0], 64))
        if kind in WIDE
        else (value,)
    )


def _hashable(value: object) -> object:
    """A hashable stand-in for a value, equal for equal values; other objects that cannot be hashed
    all get the same one."""
    try:
        hash(value)
    except TypeError:
        if isinstance(value, list | tuple):
            return tuple(map(_hashable, value))
        if isinstance(value, set | dict):
            items = value.items() if isinstance(value, dict) else value
            return frozenset(map(_hashable, items))
        return None
    return value


def key_is_exact(state: object) -> bool:
    """Whether `state_key` tells any two States of this class apart: at most 64 bits in all, and
    every tuple's length declared."""
    if not is_machine_state(state) or has_any_length(type(state)):
        return False
    return sum(CASTS[kind][0] for kind, _ in scalars(state)) <= 64


def has_any_length(cls: type) -> bool:
    """Whether a class of States has tuple fields whose length is not declared (`tuple[u8,
    ...]`)."""
    return any(field.has_any_length for field in fields_of(cls))


_CODES = {8: "Bb", 16: "Hh", 32: "Ii", 64: "Qq", 1: "??", 128: ("QQ", ""), 256: ("QQQQ", "")}


class StateLayout:
    """How States of one shape lie in memory: scalars one after the other, each at its own width and
    aligned to it (at most to a word), padded to whole words."""

    def __init__(self, prototype: object) -> None:
        self.cls: type = type(prototype)
        self.kinds = tuple(kind for kind, _ in scalars(prototype))
        self.lengths = lengths_of(prototype)
        self._any_length = has_any_length(self.cls)
        self.offsets: tuple[int, ...] = ()
        end = 0
        for kind in self.kinds:
            size = max(1, CASTS[kind][0] // 8)
            aligned = min(size, 8)
            start = -(-end // aligned) * aligned
            self.offsets += (start,)
            end = start + size
        self.size = max(8, -(-end // 8) * 8)
        self._struct = struct.Struct(
            "@"
            + "".join(_CODES[width][signed] for width, signed in map(CASTS.__getitem__, self.kinds))
        )
        self._has_wide = any(kind in WIDE for kind in self.kinds)

    def __reduce__(self) -> tuple[type[StateLayout], tuple[object]]:
        return StateLayout, (self.prototype(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StateLayout) and (self.cls, self.lengths) == (
            other.cls,
            other.lengths,
        )

    def __hash__(self) -> int:
        return hash((self.cls, self.lengths))

    def prototype(self) -> object:
        """A State of this shape, all zeros."""
        return self._made(repeat(0))

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields of the State class."""
        return fields_of(self.cls)

    def fits(self, state: object) -> bool:
        """Whether a State of this class has this shape."""
        return not self._any_length or (
            is_machine_state(state) and lengths_of(state) == self.lengths
        )

    def pack(self, buffer: memoryview, index: int, state: object) -> None:
        """Store a State as item `index` of a buffer of such items."""
        if self._has_wide:
            values = [word for kind, value in scalars(state) for word in words_of(kind, value)]
        else:
            values = [value for _, value in scalars(state)]
        self._struct.pack_into(buffer, index * self.size, *values)

    def unpack(self, buffer: memoryview, index: int) -> object:
        """Load item `index` of a buffer of such items."""
        stored = iter(self._struct.unpack_from(buffer, index * self.size))
        flat = map(partial(_from_words, stored), self.kinds) if self._has_wide else stored
        return self._made(flat)

    def _made(self, flat: Iterator[object]) -> object:
        """The State that consists of these scalars."""
        shape = zip(self.fields, self.lengths, strict=True)
        return self.cls(*[_taken(flat, length, field.is_text) for field, length in shape])


def _taken(flat: Iterator[Value], length: Length, is_text: bool = False) -> object:
    """The next field of this length from a State's scalars."""
    if not isinstance(length, int):
        return tuple(_taken(flat, n, is_text) for n in length)
    if is_text:
        return bytes(islice(flat, length)).decode("latin-1")
    return next(flat) if length < 0 else tuple(islice(flat, length))


def _from_words(words: Iterator[int], kind: type) -> int:
    """The next scalar of the words that `words_of` made."""
    if kind not in WIDE:
        return next(words)
    return sum(next(words) << start for start in range(0, CASTS[kind][0], 64))
