"""Constants that hold other values: lists, dictionaries, sets and nested tuples of a module, a
class or a game, for Numba.

They become words of read-only memory, looked up when the code runs whatever their size, instead of
code for each item. A list is a `Table` of its items, and so is a tuple of tuples that differ in
type or are numerous. Rows of one short length are tuples to compiled code, all others are tables
again. Dictionaries and sets hold tables in Python's iteration order.
"""

from __future__ import annotations

import operator
import struct
from typing import Any

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.imputils import RefType, iternext_impl, lower_constant
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.cpython import slicing
from numba.extending import lower_builtin, lower_cast, make_attribute_wrapper

from prunus.core.bits import MASK64, u64
from prunus.kernel.boards.homes import at_home
from prunus.kernel.boards.packed import Packed
from prunus.kernel.code.set_orders import copying
from prunus.kernel.containers.known_tables import (
    Constant,
    MappingType,
    TableIterator,
    TableType,
)
from prunus.kernel.containers.table_types import FunctionsType, looked_up
from prunus.kernel.numbers.integers import BIT, MASK, WORD, Either, Number
from prunus.kernel.numbers.words import either, signed_word

ALIGNED = 32
"""The bytes to a multiple of which long tuples are aligned."""

for _part in ("places", "functions", "items"):
    make_attribute_wrapper(FunctionsType, _part, f"_{_part}")
for _part in ("keys", "places", "low", "values", "items", "adding"):
    make_attribute_wrapper(MappingType, _part, f"_{_part}")


# In memory, scalars are words and short rows lie one after the other; a table inside a table is its
# distance in words and its length. A set or dictionary inside a table is all its parts.


def _width(kind: Any) -> int:
    if isinstance(kind, types.BaseTuple):
        return sum(map(_width, kind.types))
    if isinstance(kind, MappingType):
        return sum(_width(part) for _, part in kind.parts)
    return 2 if isinstance(kind, TableType | Either) else 1


def _write(words: list[int], kind: Any, values: Any) -> int:
    """Append the items of a table; return the place of the first."""
    start, width = len(words), _width(kind)
    values = list(values)
    words += [0] * (width * len(values))
    for i, value in enumerate(values):
        _fill(words, start + i * width, kind, value)
    return start


def _fill(words: list[int], place: int, kind: Any, value: Any) -> None:
    if isinstance(kind, types.BaseTuple):
        for part, item in zip(kind.types, value, strict=True):
            _fill(words, place, part, item)
            place += _width(part)
    elif isinstance(kind, MappingType):
        contents = _contents(kind, value)
        for name, part in kind.parts:
            _fill(words, place, part, contents[name])
            place += _width(part)
    elif isinstance(kind, TableType):
        words[place : place + 2] = _write(words, kind.item, value) - place, len(value)
    elif isinstance(kind, Either):
        words[place : place + 2] = int(value) & MASK64, int(value < 0) + 2 * isinstance(value, u64)
    elif isinstance(kind, types.EnumMember):
        words[place] = value.value & MASK64
    elif isinstance(kind, types.Float):
        words[place] = struct.unpack("<Q", struct.pack("<d", value))[0]
    else:
        if kind is MASK and value < 0:
            raise errors.TypingError(
                f"a constant table holds {value} beside a number of 64 bits; make the large ones "
                f"u64"
            )
        words[place] = int(value) & MASK64


def _table(context: Any, builder: Any, kind: TableType, values: Any) -> Any:
    words: list[int] = []
    values = list(values)
    _write(words, kind.item, values)
    array = ir.Constant(ir.ArrayType(WORD, len(words)), [WORD(item) for item in words])
    memory = cgutils.global_constant(builder, "prunus_table", array)
    made = context.make_helper(builder, kind)
    made.items = builder.bitcast(memory, WORD.as_pointer())
    made.length, made.step = WORD(len(values)), WORD(1)
    return made._getvalue()


@lower_constant(TableType)
def _table_constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return _table(context, builder, kind, value.value)


@lower_constant(Packed)
def _packed_constant(context: Any, builder: Any, kind: Packed, value: Any) -> Any:
    numbers = [int(number) % (1 << kind.width) for number in value.value]
    numbers += [0] * (kind.chunks * kind.lanes - kind.count)
    starts = range(0, len(numbers), kind.lanes)
    vectors = [ir.Constant(kind.vector, numbers[start : start + kind.lanes]) for start in starts]
    array = ir.Constant(ir.ArrayType(kind.vector, kind.chunks), vectors)
    memory = cgutils.global_constant(builder, "prunus_numbers", array)
    memory.align = ALIGNED
    return at_home(builder, memory)


@lower_constant(MappingType)
def _mapping_constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    made = context.make_helper(builder, kind)
    contents = _contents(kind, value.value)
    for name, part in kind.parts:
        is_low = name == "low"
        held = contents[name]
        setattr(made, name, WORD(held & MASK64) if is_low else _table(context, builder, part, held))
    return made._getvalue()


def _contents(kind: MappingType, value: Any) -> dict[str, Any]:
    """What the parts of a constant dictionary or set hold."""
    keys = list(value)
    low, places = _places(keys)
    contents = {"keys": keys, "places": places, "low": low}
    if kind.value_type is not None:
        contents |= {"values": list(value.values()), "items": list(value.items())}
    elif kind.is_set:
        contents["adding"] = copying(value) or []
    return contents


@lower_constant(FunctionsType)
def _functions_constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    made = context.make_helper(builder, kind)
    made.places = _mapping_constant(
        context, builder, kind.places, Constant(list(value.value), kind.places)
    )
    for name, values in (("functions", value.value.values()), ("items", value.value.items())):
        made_of = looked_up(tuple(values))
        setattr(made, name, context.get_constant_generic(builder, getattr(kind, name), made_of))
    return made._getvalue()


@lower_builtin("getiter", FunctionsType)
def _functions_iterator(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    places = context.make_helper(builder, sig.args[0], value=args[0]).places
    sig = signature(sig.return_type, sig.args[0].places)
    return _keys_iterator(context, builder, sig, [places])


def _places(keys: list[Any]) -> tuple[int, list[int]]:
    """For integers that lie close enough together: the lowest, and for each number from there on
    its place or -1."""
    if not keys or not all(isinstance(key, int) and abs(key) < 1 << 62 for key in keys):
        return 0, []
    low, high = min(keys), max(keys)
    if high - low > 4 * len(keys) + 256:
        return 0, []
    return low, [keys.index(key) if key in keys else -1 for key in range(low, high + 1)]


def _load(context: Any, builder: Any, kind: Any, pointer: Any, bounds: Any) -> Any:
    """An item, or a part of one, from its address; `bounds` are those of plain integers in it."""
    if isinstance(kind, types.BaseTuple):
        parts, offset = [], 0
        for part in kind.types:
            place = builder.gep(pointer, [WORD(offset)])
            parts.append(_load(context, builder, part, place, bounds))
            offset += _width(part)
        return context.make_tuple(builder, kind, parts)
    if isinstance(kind, MappingType):
        made, offset = context.make_helper(builder, kind), 0
        for name, part in kind.parts:
            place = builder.gep(pointer, [WORD(offset)])
            setattr(made, name, _load(context, builder, part, place, None))
            offset += _width(part)
        return made._getvalue()
    value = builder.load(pointer)
    if bounds is not None and kind == types.int64:
        # With this LLVM needs no test that a place is on the board.
        span = builder.module.add_metadata([WORD(bounds[0]), WORD(bounds[1] + 1)])
        value.set_metadata("range", span)
    if isinstance(kind, Either):
        flags = builder.load(builder.gep(pointer, [WORD(1)]))
        return either(
            builder,
            value,
            builder.trunc(flags, BIT),
            builder.trunc(builder.lshr(flags, WORD(1)), BIT),
        )
    if isinstance(kind, TableType):
        made = context.make_helper(builder, kind)
        made.items = builder.gep(pointer, [value])
        length = builder.load(builder.gep(pointer, [WORD(1)]))
        made.length, made.step = length if kind.count is None else WORD(kind.count), WORD(1)
        return made._getvalue()
    if isinstance(kind, types.Float):
        return builder.bitcast(value, ir.DoubleType())
    return builder.icmp_unsigned("!=", value, WORD(0)) if isinstance(kind, types.Boolean) else value


def _item(context: Any, builder: Any, kind: TableType, table: Any, place: Any) -> Any:
    """The item at a place known to be in range."""
    offset = builder.mul(builder.mul(place, table.step), WORD(_width(kind.item)))
    return _load(context, builder, kind.item, builder.gep(table.items, [offset]), kind.bounds)


@infer_global(len)
class _Len(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return (
            signature(types.int64, *args)
            if len(args) == 1 and isinstance(args[0], TableType)
            else None
        )


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 2 and isinstance(args[0], TableType):
            if isinstance(args[1], types.SliceType):
                return signature(args[0].of_any_length, *args)
            if isinstance(args[1], Number):
                return signature(args[0].item, *args)
        return None


@lower_builtin(operator.getitem, TableType, types.Any)
def _get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    table = context.make_helper(builder, kind, value=args[0])
    length = _length_of(kind, table)
    place = signed_word(context, builder, sig.args[1], args[1])
    place = builder.select(
        builder.icmp_signed("<", place, WORD(0)), builder.add(place, length), place
    )
    with builder.if_then(builder.icmp_unsigned(">=", place, length), likely=False):
        context.call_conv.return_user_exc(
            builder, IndexError, (f"{kind.origin} index out of range",)
        )
    return _item(context, builder, kind, table, place)


@lower_builtin(operator.getitem, TableType, types.SliceType)
def _get_slice(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, slice_kind = sig.args
    table = context.make_helper(builder, kind, value=args[0])
    piece = context.make_helper(builder, slice_kind, value=args[1])
    slicing.guard_invalid_slice(context, builder, slice_kind, piece)
    slicing.fix_slice(builder, piece, table.length)
    made = context.make_helper(builder, sig.return_type)
    offset = builder.mul(builder.mul(piece.start, table.step), WORD(_width(kind.item)))
    made.items = builder.gep(table.items, [offset])
    made.length, made.step = (
        slicing.get_slice_length(builder, piece),
        builder.mul(table.step, piece.step),
    )
    return made._getvalue()


@lower_builtin(len, TableType)
def _length(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _length_of(sig.args[0], context.make_helper(builder, sig.args[0], value=args[0]))


def _length_of(kind: TableType, table: Any) -> Any:
    return table.length if kind.count is None else WORD(kind.count)


@lower_cast(TableType, TableType)
@lower_cast(MappingType, MappingType)
def _with_less_known(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    return value


@lower_builtin("getiter", TableType)
def _iterator(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made = context.make_helper(builder, sig.return_type)
    made.table, made.place = args[0], cgutils.alloca_once_value(builder, WORD(0))
    return made._getvalue()


@lower_builtin("getiter", MappingType)
def _keys_iterator(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made = context.make_helper(builder, sig.return_type)
    made.table = context.make_helper(builder, sig.args[0], value=args[0]).keys
    made.place = cgutils.alloca_once_value(builder, WORD(0))
    return made._getvalue()


@lower_builtin("iternext", TableIterator)
@iternext_impl(RefType.BORROWED)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    kind = sig.args[0]
    iterator = context.make_helper(builder, kind, value=args[0])
    table = context.make_helper(builder, kind.table, value=iterator.table)
    place = builder.load(iterator.place)
    valid = builder.icmp_signed("<", place, _length_of(kind.table, table))
    result.set_valid(valid)
    with builder.if_then(valid):
        result.yield_(_item(context, builder, kind.table, table, place))
        builder.store(builder.add(place, WORD(1)), iterator.place)
