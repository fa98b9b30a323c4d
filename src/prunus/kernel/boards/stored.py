"""How numbers and States lie in arrays: each at its own width; numbers beyond 64 bits as words, the
lowest first."""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba.core import types

from prunus.core.bits import CASTS, i8, i16, i32, i64, u8, u16, u32, u64, u128, u256
from prunus.kernel.boards.packed import Packed
from prunus.kernel.boards.packed_values import load_packed, store_packed
from prunus.kernel.boards.texts import Text
from prunus.kernel.numbers.integers import WORD
from prunus.kernel.numbers.wide import Wide
from prunus.kernel.numbers.wide_conversions import modulo
from prunus.kernel.numbers.words import low_word, word

INTEGERS: Final = {
    kind.__name__: kind for kind in (u8, u16, u32, u64, i8, i16, i32, i64, bool, u128, u256)
}
"""The integer kinds that arrays hold, by name."""


def form_of(kind: str) -> Any:
    """The LLVM type in memory of an item of this kind."""
    if kind[0] == "f":
        return ir.FloatType() if kind == "f32" else ir.DoubleType()
    return ir.IntType(8 if kind == "bool" else CASTS[INTEGERS[kind]][0])


def address_of(builder: Any, address: Any, offset: Any, form: Any) -> Any:
    """A pointer to item `offset`, of this LLVM type, in an array that starts at an address."""
    return builder.gep(builder.inttoptr(address, form.as_pointer()), [offset])


def load_scalar(builder: Any, kind: str, pointer: Any) -> Any:
    """The number at a pointer, in the form that compiled code computes with."""
    # Words are aligned to 8 bytes, and so are longer integers.
    value = builder.load(
        pointer, align=min(8, pointer.type.pointee.width // 8) if kind[0] in "ui" else None
    )
    if kind[0] == "f":
        return builder.fpext(value, ir.DoubleType()) if kind == "f32" else value
    if kind == "bool":
        return builder.icmp_unsigned("!=", value, value.type(0))
    width, signed = CASTS[INTEGERS[kind]]
    return value if width >= 64 else (builder.sext if signed else builder.zext)(value, WORD)


def store_scalar(builder: Any, kind: str, pointer: Any, given: Any, value: Any) -> None:
    """Store a number of any type; of an integer only the low bits that fit."""
    if kind[0] == "f":
        number = (
            value
            if isinstance(given, types.Float)
            else builder.sitofp(word(builder, given, value), ir.DoubleType())
        )
        if number.type != ir.DoubleType():
            number = builder.fpext(number, ir.DoubleType())
        builder.store(builder.fptrunc(number, ir.FloatType()) if kind == "f32" else number, pointer)
    elif isinstance(given, Wide) or kind in ("u128", "u256"):
        whole = modulo(builder, given, value, given.bits if kind == "bool" else form_of(kind).width)
        if kind == "bool":
            whole = builder.zext(builder.icmp_unsigned("!=", whole, whole.type(0)), form_of(kind))
        builder.store(whole, pointer, align=min(8, whole.type.width // 8))
    else:
        whole = low_word(builder, given, value)
        if kind == "bool":
            whole = builder.zext(builder.icmp_unsigned("!=", whole, WORD(0)), WORD)
        form = form_of(kind)
        builder.store(whole if form.width == 64 else builder.trunc(whole, form), pointer)


def start_of(builder: Any, kind: Any, address: Any, offset: Any) -> Any:
    """The address of item `offset` of an array of States, a view of type `kind`."""
    return builder.add(address, builder.mul(offset, WORD(kind.layout.size)))


class _Storage:
    """Where the scalars of one item of an array of States lie, in their order."""

    def __init__(self, builder: Any, kind: Any, address: Any, offset: Any) -> None:
        self.builder, self.base = builder, start_of(builder, kind, address, offset)
        self.places = iter(zip(kind.layout.kinds, kind.layout.offsets, strict=True))

    def next(self, count: int = 1) -> tuple[str, Any]:
        """The kind of the next scalar and a pointer to it; all `count` of a packed tuple are
        passed over."""
        kind, start = next(self.places)
        for _ in range(count - 1):
            next(self.places)
        form = form_of(kind.__name__).as_pointer()
        return kind.__name__, self.builder.inttoptr(self.builder.add(self.base, WORD(start)), form)


def load_state(context: Any, builder: Any, kind: Any, address: Any, offset: Any) -> Any:
    """Item `offset` of an array of States, a view of type `kind`."""
    return _load(context, builder, kind.state, _Storage(builder, kind, address, offset))


def _load(context: Any, builder: Any, kind: Any, storage: _Storage) -> Any:
    if isinstance(kind, types.BaseTuple):
        parts = [_load(context, builder, each, storage) for each in kind.types]
        return context.make_tuple(builder, kind, parts)
    if isinstance(kind, Text):
        return load_packed(builder, kind.packed, storage.next(kind.count)[1])
    if isinstance(kind, Packed):
        return load_packed(builder, kind, storage.next(len(kind))[1])
    return load_scalar(builder, *storage.next())


def store_state(builder: Any, kind: Any, address: Any, offset: Any, state: Any) -> None:
    """Set item `offset` of an array of States, a view of type `kind`."""
    _store(builder, kind.state, _Storage(builder, kind, address, offset), state)


def _store(builder: Any, kind: Any, storage: _Storage, value: Any) -> None:
    if isinstance(kind, types.BaseTuple):
        for i, each in enumerate(kind.types):
            _store(builder, each, storage, builder.extract_value(value, i))
    elif isinstance(kind, Text):
        store_packed(builder, kind.packed, value, storage.next(kind.count)[1])
    elif isinstance(kind, Packed):
        store_packed(builder, kind, value, storage.next(len(kind))[1])
    else:
        store_scalar(builder, *storage.next(), kind, value)
