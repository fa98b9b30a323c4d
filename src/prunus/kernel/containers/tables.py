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
from numba.core.types.common import SimpleIteratorType
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.cpython import slicing
from numba.extending import (
    lower_builtin,
    make_attribute_wrapper,
    models,
    register_model,
    typeof_impl,
)

from prunus.core.bits import MASK64, u64
from prunus.kernel.numbers.integers import (
    BIT,
    EITHER,
    MASK,
    TRUTH_OR_EITHER,
    TRUTH_OR_INT,
    U64,
    WORD,
    Either,
    Number,
    either,
    may_be_truth,
    signed_word,
)

SHORT = 8
"""Rows of at most this length are tuples to compiled code, if all have the same length."""

MANY = 64
"""Tuples of tuples with more scalars than this are tables."""

LONGEST_RANGE = 4096
"""Constant ranges of at most this length are tables."""


class TableType(types.IterableType):
    """The type of a table: Python's type for it (a tuple, a list or a range), and the type of its
    items."""

    def __init__(self, origin: str, item: Any) -> None:
        self.origin, self.item = origin, item
        super().__init__(f"Table({origin}, {item})")

    @property
    def iterator_type(self) -> Any:
        """The type of its iterator."""
        return TableIterator(self)


class TableIterator(SimpleIteratorType):
    """The iterator of a table."""

    def __init__(self, table: TableType) -> None:
        self.table = table
        super().__init__(f"iter({table})", table.item)


@register_model(TableType)
class _TableModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(
            manager,
            kind,
            [
                ("items", types.CPointer(types.int64)),
                ("length", types.int64),
                ("step", types.int64),
            ],
        )


@register_model(TableIterator)
class _IteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(
            manager, kind, [("place", types.EphemeralPointer(types.int64)), ("table", kind.table)]
        )


class MappingType(types.IterableType):
    """The type of a constant dictionary, or of a set (`value` is None). The table `places` holds an
    integer key's place at index key - `low`; if it is empty, keys are compared one by one."""

    def __init__(self, key: Any, value: Any) -> None:
        self.key_type, self.value_type = key, value
        self.keys_table = TableType("tuple", key)
        self.parts = [
            ("keys", self.keys_table),
            ("places", TableType("tuple", types.int64)),
            ("low", types.int64),
        ]
        if value is not None:
            self.parts += [
                ("values", TableType("tuple", value)),
                ("items", TableType("tuple", types.Tuple.from_types((key, value)))),
            ]
        super().__init__(f"Mapping({key}, {value})")

    @property
    def iterator_type(self) -> Any:
        """The type of its iterator, which gives the keys."""
        return TableIterator(self.keys_table)


@register_model(MappingType)
class _MappingModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, kind.parts)


for _part in ("keys", "places", "low", "values", "items"):
    make_attribute_wrapper(MappingType, _part, f"_{_part}")


class Constant:
    """A Python value that is looked up at run time, with its type."""

    def __init__(self, value: Any, kind: Any) -> None:
        self.value, self.kind = value, kind


@typeof_impl.register(Constant)
def _typeof_constant(value: Any, context: Any) -> Any:
    return value.kind


def looked_up(value: Any) -> Any:
    """The `Constant` for a value that becomes a table, a dictionary or a set; any other value, or
    one that cannot, unchanged."""
    kind: Any = None
    if isinstance(value, dict):
        key, item = _join_all(value.keys()), _join_all(value.values())
        kind = None if key is None or item is None else MappingType(key, item)
    elif isinstance(value, set | frozenset):
        key = _join_all(value)
        kind = None if key is None else MappingType(key, None)
    elif isinstance(value, range) and len(value) <= LONGEST_RANGE:
        kind = TableType("range", types.int64)
    elif type(value) is list or (type(value) is tuple and _is_nested(value)):
        item = _join_all(value)
        kind = None if item is None else TableType(type(value).__name__, item)
    else:
        return value
    return value if kind is None else Constant(value, kind)


def _is_nested(value: tuple[Any, ...]) -> bool:
    rows = [row for row in value if type(row) in (tuple, list)]
    alike = len({(type(row), len(row)) for row in rows}) == 1 and not any(
        _is_nested(row) or type(row) is list for row in rows
    )
    return len(rows) == len(value) > 0 and (not alike or sum(map(len, rows)) > MANY)


_NOTHING = types.undefined
"""The item type of empty containers, which is compatible with any other."""


def _kind_of(value: Any) -> Any:
    """The type of a value as an item of a table; None if it cannot be one."""
    if isinstance(value, bool):
        return types.boolean
    if isinstance(value, int):
        return _kind_of_number(value)
    if isinstance(value, float):
        return types.float64
    if type(value) is tuple and 0 < len(value) <= SHORT:
        kinds = [_kind_of(item) for item in value]
        return None if None in kinds else types.Tuple.from_types(tuple(kinds))
    if type(value) in (tuple, list):
        item = _join_all(value)
        return None if item is None else TableType(type(value).__name__, item)
    return None


def _kind_of_number(value: int) -> Any:
    if type(value) not in (int, u64) or not -(1 << 63) <= value < 1 << 64:
        return None
    return U64 if isinstance(value, u64) else MASK if value >= 1 << 63 else types.int64


def _join_all(values: Any) -> Any:
    joined = _NOTHING
    for value in values:
        kind = _kind_of(value)
        joined = None if kind is None else _join(joined, kind)
        if joined is None:
            return None
    return types.int64 if joined is _NOTHING else joined


def _join(left: Any, right: Any) -> Any:
    """The type that holds values of both types; None if there is none."""
    if left == right or right is _NOTHING:
        return left
    if left is _NOTHING:
        return right
    scalars = (types.int64, types.boolean, MASK, U64, EITHER, TRUTH_OR_INT, TRUTH_OR_EITHER)
    if left in scalars and right in scalars:
        if may_be_truth(left) or may_be_truth(right):
            plain = {left, right} <= {types.int64, types.boolean, TRUTH_OR_INT}
            return TRUTH_OR_INT if plain else TRUTH_OR_EITHER
        if U64 in (left, right) or EITHER in (left, right):
            return EITHER
        return MASK if MASK in (left, right) else types.int64
    if (
        isinstance(left, types.BaseTuple)
        and isinstance(right, types.BaseTuple)
        and len(left) == len(right)
    ):
        kinds = [_join(a, b) for a, b in zip(left.types, right.types, strict=True)]
        return None if None in kinds else types.Tuple.from_types(tuple(kinds))
    rows = [_as_table(kind) for kind in (left, right)]
    if None in rows or rows[0].origin != rows[1].origin:
        return None
    item = _join(rows[0].item, rows[1].item)
    return None if item is None else TableType(rows[0].origin, item)


def _as_table(kind: Any) -> Any:
    if not isinstance(kind, types.BaseTuple):
        return kind if isinstance(kind, TableType) else None
    item = _NOTHING
    for part in kind.types:
        item = None if item is None else _join(item, part)
    return None if item is None else TableType("tuple", item)


# In memory, scalars are words and short rows lie one after the other; a table inside a table is its
# distance in words and its length.


def _width(kind: Any) -> int:
    if isinstance(kind, types.BaseTuple):
        return sum(map(_width, kind.types))
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
    elif isinstance(kind, TableType):
        words[place : place + 2] = _write(words, kind.item, value) - place, len(value)
    elif isinstance(kind, Either):
        words[place : place + 2] = int(value) & MASK64, int(value < 0) + 2 * isinstance(value, u64)
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


@lower_constant(MappingType)
def _mapping_constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    made = context.make_helper(builder, kind)
    keys = list(value.value)
    low, places = _places(keys)
    contents = {"keys": keys, "places": places}
    if kind.value_type is not None:
        contents |= {"values": value.value.values(), "items": value.value.items()}
    for name, part in kind.parts:
        setattr(
            made,
            name,
            WORD(low & MASK64) if name == "low" else _table(context, builder, part, contents[name]),
        )
    return made._getvalue()


def _places(keys: list[Any]) -> tuple[int, list[int]]:
    """For integers that lie close enough together: the lowest, and for each number from there on
    its place or -1."""
    if not keys or not all(isinstance(key, int) and abs(key) < 1 << 62 for key in keys):
        return 0, []
    low, high = min(keys), max(keys)
    if high - low > 4 * len(keys) + 256:
        return 0, []
    return low, [keys.index(key) if key in keys else -1 for key in range(low, high + 1)]


def _load(context: Any, builder: Any, kind: Any, pointer: Any) -> Any:
    if isinstance(kind, types.BaseTuple):
        parts, offset = [], 0
        for part in kind.types:
            parts.append(_load(context, builder, part, builder.gep(pointer, [WORD(offset)])))
            offset += _width(part)
        return context.make_tuple(builder, kind, parts)
    value = builder.load(pointer)
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
        made.length, made.step = builder.load(builder.gep(pointer, [WORD(1)])), WORD(1)
        return made._getvalue()
    if isinstance(kind, types.Float):
        return builder.bitcast(value, ir.DoubleType())
    return builder.icmp_unsigned("!=", value, WORD(0)) if isinstance(kind, types.Boolean) else value


def _item(context: Any, builder: Any, kind: TableType, table: Any, place: Any) -> Any:
    """The item at a place known to be in range."""
    offset = builder.mul(builder.mul(place, table.step), WORD(_width(kind.item)))
    return _load(context, builder, kind.item, builder.gep(table.items, [offset]))


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
                return signature(args[0], *args)
            if isinstance(args[1], Number):
                return signature(args[0].item, *args)
        return None


@lower_builtin(operator.getitem, TableType, types.Any)
def _get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    table = context.make_helper(builder, kind, value=args[0])
    place = signed_word(context, builder, sig.args[1], args[1])
    place = builder.select(
        builder.icmp_signed("<", place, WORD(0)), builder.add(place, table.length), place
    )
    with builder.if_then(builder.icmp_unsigned(">=", place, table.length), likely=False):
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
    made = context.make_helper(builder, kind)
    offset = builder.mul(builder.mul(piece.start, table.step), WORD(_width(kind.item)))
    made.items = builder.gep(table.items, [offset])
    made.length, made.step = (
        slicing.get_slice_length(builder, piece),
        builder.mul(table.step, piece.step),
    )
    return made._getvalue()


@lower_builtin(len, TableType)
def _length(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.make_helper(builder, sig.args[0], value=args[0]).length


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
    valid = builder.icmp_signed("<", place, table.length)
    result.set_valid(valid)
    with builder.if_then(valid):
        result.yield_(_item(context, builder, kind.table, table, place))
        builder.store(builder.add(place, WORD(1)), iterator.place)
