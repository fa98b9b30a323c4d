"""Long tuples of a State for Numba: a `Packed` holds its items side by side at their own width, in
a few vector registers or in memory.

In the intermediate code a packed tuple is a value like any other, so that it never changes under
another name. Its items are read from memory: a value that was loaded from memory that cannot change
in the meantime (an argument, a variable's storage) is read there; any other value is first stored
once, where it is made. Arguments are passed by address.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.types.abstract import IteratorType
from numba.extending import models, register_model

from prunus.core.bits import CASTS, i64, u64
from prunus.core.state import is_long
from prunus.kernel.boards.homes import at_home, passed_home
from prunus.kernel.numbers.integers import TRUTH_OR_INT, U64

CHUNK = 256
"""The bits of a vector. A longer tuple takes several, which fit the processor's own vectors without
rearrangement."""


class Packed(types.Sequence, types.Hashable):
    """The type of a tuple of `count` scalars of one kind of `CASTS`. A `mixed` one belongs to a
    list that holds both truth values and numbers."""

    def __init__(self, scalar: type, count: int, mixed: bool = False) -> None:
        self.scalar, self.count, self.mixed = scalar, count, mixed
        self.dtype = (
            TRUTH_OR_INT if mixed else {bool: types.boolean, u64: U64}.get(scalar, types.int64)
        )
        width, self.signed = CASTS[scalar]
        self.width = max(width, 8)
        whole = self.width * count <= CHUNK
        self.lanes = (
            max(1 << (count - 1).bit_length(), 64 // self.width) if whole else CHUNK // self.width
        )
        self.chunks = -(-count // self.lanes)
        self.item = ir.IntType(self.width)
        self.vector = ir.VectorType(self.item, self.lanes)
        super().__init__(f"tuple of {count} {scalar.__name__}{' or bool' if mixed else ''}")

    @property
    def iterator_type(self) -> Any:
        """The type that `iter` gives."""
        return PackedIterator(self)

    def __len__(self) -> int:
        return self.count

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The type of a variable that is this tuple on one path and another of the same length on
        another; None if there is no such type."""
        if isinstance(other, Packed):
            kinds = {self.dtype, other.dtype}
        elif isinstance(other, types.BaseTuple):
            kinds = {self.dtype, *map(types.unliteral, other.types)}
        else:
            return None
        if isinstance(other, Packed) and other.scalar is self.scalar:
            return (
                Packed(self.scalar, self.count, True)
                if len(other) == self.count and TRUTH_OR_INT in kinds
                else None
            )
        fits = kinds <= {types.int64, TRUTH_OR_INT} and len(other) == self.count
        return Packed(i64, self.count, TRUTH_OR_INT in kinds) if fits else None

    def __reduce__(self) -> Any:
        return Packed, (self.scalar, self.count, self.mixed)


def long_type(item: Any, count: int) -> Any:
    """The type of a tuple of `count` items of a Numba type: packed if it is long and the items are
    numbers of at most 64 bits."""
    scalar = {types.boolean: bool, U64: u64, types.int64: i64}.get(item)
    return (
        Packed(scalar, count)
        if scalar is not None and is_long(scalar, count)
        else types.UniTuple(item, count)
    )


class PackedIterator(IteratorType):
    """The type of an iterator over a packed tuple."""

    def __init__(self, items: Packed) -> None:
        self.items = items
        super().__init__(f"iterator of {items}")

    @property
    def yield_type(self) -> Any:
        """The type of its items."""
        return self.items.dtype

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The type of an iterator over what is one of two tuples."""
        items = self.items.unify(typingctx, other.items) if isinstance(other, PackedIterator) else 0
        return PackedIterator(items) if isinstance(items, Packed) else None

    def __reduce__(self) -> Any:
        return PackedIterator, (self.items,)


@register_model(PackedIterator)
class _IteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(
            manager, kind, [("index", types.EphemeralPointer(types.intp)), ("items", kind.items)]
        )


@register_model(Packed)
class PackedModel(models.PrimitiveModel):
    """An array of vectors. An argument is the address of one that does not change during the
    call."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, ir.ArrayType(kind.vector, kind.chunks))

    def get_argument_type(self) -> Any:
        """An address."""
        return self.be_type.as_pointer()

    def as_argument(self, builder: Any, value: Any) -> Any:
        """The address of storage that holds the value."""
        return passed_home(builder, value)

    def from_argument(self, builder: Any, value: Any) -> Any:
        """The value at an address, which stays valid as long as the function runs."""
        return at_home(builder, value)

    def get_data_type(self) -> Any:
        """The type in memory that others allocate, such as a list's: it can lie anywhere, while the
        vectors themselves must be aligned."""
        return ir.LiteralStructType([self.be_type], packed=True)

    def as_data(self, builder: Any, value: Any) -> Any:
        """The value as it is stored in memory."""
        return builder.insert_value(ir.Constant(self.get_data_type(), ir.Undefined), value, 0)

    def from_data(self, builder: Any, value: Any) -> Any:
        """The value of what is stored in memory."""
        return builder.extract_value(value, 0)
