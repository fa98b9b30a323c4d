"""The types of constants that hold other values, from the values."""

from __future__ import annotations

from collections import OrderedDict
from enum import Enum
from itertools import chain
from types import BuiltinFunctionType, FunctionType
from typing import Any

from numba import typeof
from numba.core import errors, types
from numba.core.registry import cpu_target
from numba.extending import models, register_model, typeof_impl

from prunus.core.bits import CASTS, i8, i16, i32, i64, u8, u16, u32, u64
from prunus.core.state import is_state_class
from prunus.kernel.boards.packed import Packed
from prunus.kernel.containers.known_tables import (
    Constant,
    MappingType,
    TableIterator,
    TableType,
    known,
)
from prunus.kernel.containers.text_tables import type_of_texts
from prunus.kernel.containers.type_keys import keyed_by
from prunus.kernel.numbers.integers import (
    EITHER,
    MASK,
    TRUTH_OR_EITHER,
    TRUTH_OR_INT,
    U64,
    may_be_truth,
)
from prunus.kernel.numbers.operators import CHECKED
from prunus.kernel.numbers.wide import constant
from prunus.kernel.reporting.special import check_special

SHORT = 8
"""Rows of at most this length are tuples to compiled code, if all have the same length."""


MANY = 64
"""Tuples of tuples with more scalars than this are tables."""


LONG_TUPLE = 32
"""Flat tuples of more numbers than this lie in memory like boards; shorter ones are values of
their own, whose items are chosen by comparisons."""


LONGEST_RANGE = 4096
"""Constant ranges of at most this length are tables."""


@keyed_by("places", "functions", "items")
class FunctionsType(types.IterableType):
    """The type of a constant dictionary of functions, or of tuples with functions in them:
    `functions` and `items` are those of the tuples of its values and items."""

    def __init__(self, key: Any, functions: Any, items: Any) -> None:
        self.places, self.functions, self.items = MappingType(key, None, "keys"), functions, items
        super().__init__(f"Functions({key}, {items})")

    @property
    def iterator_type(self) -> Any:
        """The type of its iterator, which gives the keys."""
        return TableIterator(self.places.keys_table)


@register_model(FunctionsType)
class _FunctionsModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(
            manager,
            kind,
            [(part, getattr(kind, part)) for part in ("places", "functions", "items")],
        )


def looked_up(value: Any) -> Any:
    """The `Constant` for a value that becomes a table, a dictionary or a set; any other value, or
    one that cannot, unchanged. Raises TypingError for a list or dictionary that contains itself."""
    try:
        return _looked_up(value)
    except RecursionError:
        raise errors.TypingError(
            f"a {type(value).__name__} that contains itself cannot be compiled in: keep it out of "
            f"the rules, or write it without the circle"
        ) from None


def _looked_up(value: Any) -> Any:
    kind: Any = None
    if type(value) in (tuple, list) and _holds_functions(value):
        return _of_functions(value)
    if type(value) in (dict, OrderedDict):
        key, item = _join_all(value.keys()), _join_all(value.values())
        if key is not None and item is None and _holds_functions(value.values()):
            parts = map(_of_functions, (value.values(), value.items()))
            kind = FunctionsType(key, *(part.kind for part in parts))
        else:
            values = known(TableType("tuple", item), value.values())
            kind = None if key is None or item is None else MappingType(key, values)
            kind = kind or type_of_texts(value, _row_of(value.values()))
    elif type(value) in (set, frozenset):
        key = _join_all(value)
        kind = None if key is None else MappingType(key, None, type(value).__name__)
    elif isinstance(value, range) and len(value) <= LONGEST_RANGE:
        kind = known(TableType("range", types.int64), value)
    elif type(value) is list or (type(value) is tuple and _is_nested(value)):
        item = _join_all(value)
        if item is None and _are_alike(value):
            return tuple(value)
        kind = None if item is None else known(TableType(type(value).__name__, item), value)
    elif type(value) is tuple and len(value) > LONG_TUPLE:
        scalar = _scalar_for(value)
        kind = None if scalar is None else Packed(scalar, len(value))
    else:
        return value
    return value if kind is None else Constant(value, kind)


def _are_alike(values: Any) -> bool:
    """Whether values are texts, or records of one class."""
    kinds = set(map(type, values))
    return len(kinds) == 1 and all(kind is str or hasattr(kind, "_fields") for kind in kinds)


def _scalar_for(values: tuple[Any, ...]) -> Any:
    """The narrowest scalar that holds all of several numbers of one kind; None for others."""
    kinds = set(map(type, values))
    if kinds in ({bool}, {u64}):
        return kinds.pop()
    if kinds != {int}:
        return None
    low, high = min(values), max(values)
    for scalar in (u8, i8, u16, i16, u32, i32, i64):
        width, signed = CASTS[scalar]
        beginning = -(1 << (width - 1)) if signed else 0
        if beginning <= low and high < beginning + (1 << width):
            return scalar
    return None


class Functions(tuple[Any, ...]):
    """Functions, and other values beside them, with the type of the tuple."""

    kind: Any


@typeof_impl.register(Functions)
def _typeof_functions(value: Any, context: Any) -> Any:
    return value.kind


def _holds_functions(items: Any) -> bool:
    """Whether some of several values are functions, or tuples or lists with one in them."""
    rows = [value if type(value) in (tuple, list) else [value] for value in items]
    return any(isinstance(part, FunctionType | BuiltinFunctionType) for row in rows for part in row)


def _of_functions(items: Any) -> Functions:
    """Such values in tuples. The functions of `operator` are replaced by those with checks."""
    made = Functions(
        _of_functions(item)
        if type(item) in (tuple, list)
        else CHECKED.get(item, item)
        if isinstance(item, BuiltinFunctionType)
        else constant(item)
        for item in items
    )
    kinds = tuple(map(cpu_target.typing_context.resolve_value_type, made))
    made.kind = types.BaseTuple.from_types(kinds)
    return made


def _is_nested(value: tuple[Any, ...]) -> bool:
    rows = [row for row in value if type(row) in (tuple, list, *_MAPPINGS)]
    alike = len({(type(row), len(row)) for row in rows}) == 1 and not any(
        type(row) is not tuple or _is_nested(row) for row in rows
    )
    return len(rows) == len(value) > 0 and (not alike or sum(map(len, rows)) > MANY)


_MAPPINGS = (set, frozenset, dict)

_NOTHING = types.undefined
"""The item type of empty containers, which is compatible with any other."""


def _kind_of(value: Any) -> Any:
    """The type of a value as an item of a table; None if it cannot be one."""
    if isinstance(value, Enum):
        kind = typeof(value)
        return kind if kind.dtype == types.int64 else None
    if isinstance(value, bool):
        return types.boolean
    if isinstance(value, int):
        return _kind_of_number(value)
    if isinstance(value, float):
        return types.float64
    is_record = isinstance(value, tuple) and hasattr(type(value), "_fields")
    if is_record and is_state_class(type(value)):
        return None
    if (type(value) is tuple or is_record) and 0 < len(value) <= SHORT:
        kinds = [_kind_of(item) for item in value]
        return None if None in kinds else _row(kinds, type(value) if is_record else None)
    if type(value) in (tuple, list):
        item = _joined(value)
        return None if item is None else TableType(type(value).__name__, item)
    return _kind_of_mapping(value) if type(value) in _MAPPINGS else None


def _kind_of_mapping(value: Any) -> Any:
    """The type of a set or dictionary as an item of a table; None if it cannot be one."""
    key = _joined(value)
    if type(value) is not dict:
        return None if key is None else MappingType(key, None, type(value).__name__)
    item = _joined(value.values())
    return None if None in (key, item) else MappingType(key, TableType("tuple", item))


def _row(kinds: list[Any], record: Any) -> Any:
    """The type of a short row; of a record if its class is given."""
    if record is not None:
        check_special(record)
    return types.BaseTuple.from_types(tuple(kinds), record)


def _kind_of_number(value: int) -> Any:
    if type(value) not in (int, u64) or not -(1 << 63) <= value < 1 << 64:
        return None
    return U64 if isinstance(value, u64) else MASK if value >= 1 << 63 else types.int64


def _join_all(values: Any) -> Any:
    """The type of the items of a table with these values; None if there is none."""
    joined = _joined(values)
    return None if joined is None else _settled(joined)


def table_of(origin: str, values: Any) -> Any:
    """The type of a table, of any length, of some of these values; None if it cannot be."""
    item = _join_all(values)
    return None if item is None else TableType(origin, item)


def _row_of(values: Any) -> Any:
    """The type of a table, of any length, that holds any of several tuples, or lists, or that of
    any of several sets or dictionaries; None for others."""
    kinds = set(map(type, values))
    if len(kinds) == 1 and kinds <= {*_MAPPINGS}:
        return _join_all(values)
    is_of_rows = kinds in ({tuple}, {list})
    return table_of(kinds.pop().__name__, chain(*values)) if is_of_rows else None


def _joined(values: Any) -> Any:
    joined = _NOTHING
    for value in values:
        kind = _kind_of(value)
        joined = None if kind is None else _join(joined, kind)
        if joined is None:
            return None
    return joined


def _is_open(kind: Any) -> bool:
    """Whether items of this type are empty, so that the type of theirs is not known."""
    if isinstance(kind, MappingType):
        return _is_open(kind.key_type)
    return _is_open(kind.item) if isinstance(kind, TableType) else kind is _NOTHING


def _settled(kind: Any) -> Any:
    """The type with integers as the items of what is empty."""
    if isinstance(kind, TableType):
        return TableType(kind.origin, _settled(kind.item))
    if isinstance(kind, MappingType):
        values = None if kind.values_table is None else _settled(kind.values_table)
        return MappingType(_settled(kind.key_type), values, kind.origin)
    if isinstance(kind, types.BaseTuple) and any(map(_is_open, kind.types)):
        return _row(list(map(_settled, kind.types)), getattr(kind, "instance_class", None))
    return types.int64 if kind is _NOTHING else kind


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
        records = [getattr(kind, "instance_class", tuple) for kind in (left, right)]
        kinds = [_join(a, b) for a, b in zip(left.types, right.types, strict=True)]
        if None in kinds or records[0] is not records[1]:
            return None
        return _row(kinds, None if records[0] is tuple else records[0])
    if isinstance(left, MappingType) and isinstance(right, MappingType):
        return _join_mappings(left, right)
    rows = [_as_table(kind) for kind in (left, right)]
    if None in rows or rows[0].origin != rows[1].origin:
        return None
    item = _join(rows[0].item, rows[1].item)
    return None if item is None else TableType(rows[0].origin, item)


def _join_mappings(left: MappingType, right: MappingType) -> Any:
    key = _join(left.key_type, right.key_type)
    if key is None or left.origin != right.origin:
        return None
    if left.values_table is None:
        return MappingType(key, None, left.origin)
    item = _join(left.value_type, right.value_type)
    return None if item is None else MappingType(key, TableType("tuple", item))


def _as_table(kind: Any) -> Any:
    if not isinstance(kind, types.BaseTuple) or isinstance(kind, types.BaseNamedTuple):
        return kind if isinstance(kind, TableType) else None
    item = _NOTHING
    for part in kind.types:
        item = None if item is None else _join(item, part)
    return None if item is None else TableType("tuple", item)
