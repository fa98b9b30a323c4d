"""Long tuples of a State for Numba: a `Packed` holds its items side by side at their own width, in
a few vector registers or in memory.

In the intermediate code a packed tuple is a value like any other, so that it never changes under
another name. Its items are read from memory: a value that was loaded from memory that cannot change
in the meantime (an argument, a variable's storage) is read there; any other value is first stored
once, where it is made. Arguments are passed by address.
"""

from __future__ import annotations

import re
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.types.abstract import IteratorType
from numba.extending import models, register_model

from prunus.core.bits import CASTS, i64, u64
from prunus.core.state import is_long
from prunus.kernel.numbers.integers import TRUTH_OR_INT, U64

CHUNK = 256
"""The bits of a vector. A longer tuple takes several, which fit the processor's own vectors without
rearrangement."""

PREFIX = "$prunus_argument_"
"""The prefix of the names of variables that are assigned once and hold an argument or a field of
one."""

NUMBER = ir.IntType(32)


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

    def __reduce__(self) -> Any:
        return PackedIterator, (self.items,)


@register_model(PackedIterator)
class _IteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(
            manager, kind, [("index", types.EphemeralPointer(types.intp)), ("items", kind.items)]
        )


@register_model(Packed)
class _PackedModel(models.PrimitiveModel):
    """An array of vectors. An argument is the address of one that does not change during the
    call."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, ir.ArrayType(kind.vector, kind.chunks))

    def get_argument_type(self) -> Any:
        """An address."""
        return self.be_type.as_pointer()

    def as_argument(self, builder: Any, value: Any) -> Any:
        """The address of storage that holds the value."""
        return home_of(builder, value)

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


def at_home(builder: Any, pointer: Any) -> Any:
    """The packed tuple at an address where it does not change as long as the function runs."""
    value = builder.load(pointer)
    value.prunus_home = pointer
    return value


def place_for(builder: Any, kind: Any) -> Any:
    """Uninitialised storage on the stack."""
    here = builder.block
    builder.position_at_start(builder.function.entry_basic_block)
    place = builder.alloca(kind)
    _go_back(builder, here)
    return place


def _go_back(builder: Any, block: Any) -> None:
    """Position the builder at the end of the block, before its terminator."""
    if block.is_terminated:
        builder.position_before(block.terminator)
    else:
        builder.position_at_end(block)


def home_of(builder: Any, value: Any) -> Any:
    """The address of storage that holds the value of a packed tuple until the end of the statement
    being compiled."""
    source, path = _origin(value)
    if not path and hasattr(source, "prunus_home"):
        return source.prunus_home
    if (
        isinstance(source, ir.LoadInstr)
        and _is_aligned(source.type, path)
        and _is_unchanged(builder.block, source)
    ):
        return (
            builder.gep(source.operands[0], [NUMBER(0), *map(NUMBER, path)], inbounds=True)
            if path
            else source.operands[0]
        )
    value = source if not path else value
    home = place_for(builder, value.type)
    _store_where_made(builder, value, home)
    if not isinstance(value, ir.Constant):
        value.prunus_home = home
    return home


def _is_aligned(whole: Any, path: list[int]) -> bool:
    """Whether a part of a structure lies where vectors may lie."""
    for index in path:
        if getattr(whole, "packed", False):
            return False
        whole = whole.elements[index] if hasattr(whole, "elements") else whole.element
    return True


def _origin(value: Any) -> tuple[Any, list[int]]:
    """The instruction that a part of a structure comes from, and which part of the instruction's
    result it is."""
    path: list[int] = []
    while True:
        if isinstance(value, ir.ExtractValue):
            path = [*value.indices, *path]
            value = value.aggregate
        elif isinstance(value, ir.InsertValue) and path:
            places = list(value.indices)
            if path[: len(places)] == places:
                path = path[len(places) :]
                value = value.value
            elif places[: len(path)] == path:
                return value, path
            else:
                value = value.aggregate
        else:
            whole = _just_stored(value)
            if whole is not None:
                value, path = whole[0], [*whole[1], *path]
                continue
            argument = _held_argument(value)
            if argument is None:
                return value, path
            value = argument


def _just_stored(value: Any) -> tuple[Any, list[int]] | None:
    """The structure that was stored on the stack immediately before, and which part of it was
    loaded; None for any other value. This is how iterators pass on those they wrap, such as
    `enumerate`'s."""
    part = value.operands[0] if isinstance(value, ir.LoadInstr) else None
    place = part.operands[0] if isinstance(part, ir.GEPInstr) else None
    path = (
        [getattr(index, "constant", -1) for index in part.operands[1:]]
        if isinstance(part, ir.GEPInstr)
        else []
    )
    if not isinstance(place, ir.AllocaInstr) or path[:1] != [0] or -1 in path:
        return None
    body = value.parent.instructions
    for instruction in reversed(body[: body.index(value)]):
        if isinstance(instruction, ir.StoreInstr) and instruction.operands[1] is place:
            return instruction.operands[0], path[1:]
        if _may_change(instruction, place):
            return None
    return None


def _held_argument(value: Any) -> Any:
    """The content of the variable that was loaded, if it holds an argument."""
    place = value.operands[0] if isinstance(value, ir.LoadInstr) else None
    if not isinstance(place, ir.AllocaInstr) or not place.name.startswith(PREFIX):
        return None
    # The variable's storage is cleared before and after.
    stored = [
        instruction.operands[0]
        for block in place.function.blocks
        for instruction in block.instructions
        if isinstance(instruction, ir.StoreInstr)
        and instruction.operands[1] is place
        and not isinstance(instruction.operands[0], ir.Constant)
    ]
    return stored[0] if len(stored) == 1 else None


_OF_THE_RULES = re.compile(r"B\d+(\.\d+)?$")
"""The names of blocks that begin a statement of the rules; the blocks between them are parts of one
statement."""


def _is_unchanged(block: Any, load: Any) -> bool:
    """Whether the loaded value certainly still lies where it was loaded from. The path back to the
    load must be a straight line."""
    place = _base(load.operands[0])
    while True:
        body = block.instructions
        begin = body.index(load) + 1 if block is load.parent else 0
        if any(_may_change(instruction, place) for instruction in body[begin:]):
            return False
        if block is load.parent:
            return isinstance(place, ir.AllocaInstr)
        before = [
            other
            for other in block.function.blocks
            if other.terminator is not None and block in other.terminator.operands
        ]
        if len(before) != 1 or _OF_THE_RULES.match(block.name):
            return False
        block = before[0]


def _base(pointer: Any) -> Any:
    while isinstance(pointer, ir.GEPInstr | ir.CastInstr):
        pointer = pointer.operands[0]
    return pointer


def _may_change(instruction: Any, place: Any) -> bool:
    if isinstance(instruction, ir.StoreInstr):
        return _base(instruction.operands[1]) is place
    return isinstance(instruction, ir.CallInstr) and any(
        _base(operand) is place for operand in instruction.operands
    )


def _store_where_made(builder: Any, value: Any, home: Any) -> None:
    """Store a value in its home directly after the instruction that makes it, so that every use
    finds it there."""
    here = builder.block
    if isinstance(value, ir.Instruction):
        joins = [other for other in value.parent.instructions if isinstance(other, ir.PhiInstr)]
        builder.position_after(joins[-1] if isinstance(value, ir.PhiInstr) else value)
    else:
        builder.position_after(home)
    builder.store(value, home)
    _go_back(builder, here)


# Items and whole values.
