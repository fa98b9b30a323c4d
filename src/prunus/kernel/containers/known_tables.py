"""The types of tables, which are constants that hold other values, and what these types tell of the
values: with it, LLVM drops tests that the code could not fail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numba.core import errors, typeinfer, types
from numba.core.typeconv import Conversion
from numba.core.typeinfer import BuildTupleConstraint
from numba.core.types.common import SimpleIteratorType
from numba.extending import models, register_model, typeof_impl

from prunus.kernel.containers.type_keys import keyed_by

FURTHEST_PLACE = 4096
"""Integers from 0 to this one are like places on a board. The types of other tables do not say what
their numbers are, so that a helper need not be compiled for each of them."""


class Known(types.IterableType):
    """The type of a constant, with what is known of it. Where two constants meet, `unify` gives
    what is known of both."""

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:
        """Whether it is `other` with more known of it."""
        return Conversion.safe if self.unify(typingctx, other) == other else None


@keyed_by("item")
class TableType(Known):
    """The type of a table: Python's type for it (a tuple, a list or a range), the type of its
    items, the least and the greatest of the plain integers in them if these are like places on a
    board, and its length; None for what is not known."""

    def __init__(
        self,
        origin: str,
        item: Any,
        bounds: tuple[int, int] | None = None,
        count: int | None = None,
    ) -> None:
        self.origin, self.item, self.bounds, self.count = origin, item, bounds, count
        places = "" if bounds is None else f"#{bounds[0]}-{bounds[1]}"
        length = "" if count is None else f"#{count}"
        super().__init__(f"Table({origin}, {item}){places}{length}")

    @property
    def iterator_type(self) -> Any:
        """The type of its iterator."""
        return TableIterator(self)

    @property
    def of_any_length(self) -> TableType:
        """The type of its slices."""
        return TableType(self.origin, self.item, self.bounds)

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The type of a variable that is one table on one path and another on another: what is
        known of both. None if their items differ."""
        if not isinstance(other, TableType) or self.origin != other.origin:
            return None
        item = self.item
        if item != other.item:
            is_nested = isinstance(item, TableType)
            item = item.unify(typingctx, other.item) if is_nested else None
        bounds = None
        if self.bounds is not None and other.bounds is not None:
            lows, highs = zip(self.bounds, other.bounds, strict=True)
            bounds = min(lows), max(highs)
        count = self.count if self.count == other.count else None
        return None if item is None else TableType(self.origin, item, bounds, count)


@keyed_by("table")
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


def known(kind: TableType, values: Any) -> TableType:
    """The type of a table with what its values tell."""
    return _with_facts(kind, list(values), len(values))


def _with_facts(kind: TableType, values: list[Any], count: int | None) -> TableType:
    if isinstance(kind.item, TableType):
        counts = set(map(len, values))
        row = counts.pop() if len(counts) == 1 else None
        item = _with_facts(kind.item, [item for value in values for item in value], row)
        return TableType(kind.origin, item, None, count)
    places = list(_plain_integers(values))
    are_places = places and min(places) >= 0 and max(places) <= FURTHEST_PLACE
    bounds = (min(places), max(places)) if are_places else None
    return TableType(kind.origin, kind.item, bounds, count)


def _plain_integers(values: Any) -> Iterator[int]:
    for value in values:
        if type(value) is int:
            yield value
        elif type(value) is tuple:
            yield from _plain_integers(value)


UNORDERED = (
    "the order of a set of members of an Enum differs from one run of Python to the next: make it "
    "a tuple, or let the members be those of an IntEnum"
)


@keyed_by("key_type", "values_table", "origin")
class MappingType(Known):
    """The type of a constant dictionary, or of a set (`values` is None), with Python's type for it,
    `origin`. The table `places` holds an integer key's place at index key - `low`; if it is empty,
    keys are compared one by one. A set also has its items in the order of `set_orders.copying`, in
    the table `adding`."""

    def __init__(self, key: Any, values: TableType | None, origin: str = "dict") -> None:
        value = None if values is None else values.item
        self.key_type, self.value_type, self.values_table = key, value, values
        self.keys_table, self.origin = TableType("tuple", key), origin
        self.parts = [
            ("keys", self.keys_table),
            ("places", TableType("tuple", types.int64)),
            ("low", types.int64),
        ]
        if values is not None:
            self.parts += [
                ("values", values),
                ("items", TableType("tuple", types.Tuple.from_types((key, value)))),
            ]
        elif self.is_set:
            self.parts.append(("adding", self.keys_table))
        super().__init__(f"Mapping({key}, {values})")

    @property
    def is_set(self) -> bool:
        """Whether it is a set."""
        return self.origin in ("set", "frozenset")

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The type of a variable that is one dictionary on one path and another on another: what is
        known of both. None if their keys or values differ."""
        if not isinstance(other, MappingType) or self.key_type != other.key_type:
            return None
        if self.values_table is None or other.values_table is None:
            return None
        values = self.values_table.unify(typingctx, other.values_table)
        return None if values is None else MappingType(self.key_type, values)

    @property
    def iterator_type(self) -> Any:
        """The type of its iterator, which gives the keys."""
        # The hash of a member is that of its name, and texts have other hashes in each process.
        is_member = isinstance(self.key_type, types.EnumMember)
        if self.is_set and is_member and not isinstance(self.key_type, types.IntEnumMember):
            raise errors.TypingError(UNORDERED)
        return TableIterator(self.keys_table)


@register_model(MappingType)
class _MappingModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, kind.parts)


class Constant:
    """A Python value that is looked up at run time, with its type. It is equal to what the value
    is equal to, and as true: Numba drops branches by what constants say."""

    def __init__(self, value: Any, kind: Any) -> None:
        self.value, self.kind = value, kind

    def __eq__(self, other: object) -> bool:
        return bool(self.value == (other.value if isinstance(other, Constant) else other))

    def __hash__(self) -> int:
        return hash((type(self.value), len(self.value)))

    def __bool__(self) -> bool:
        return bool(self.value)


@typeof_impl.register(Constant)
def _typeof_constant(value: Any, context: Any) -> Any:
    return value.kind


class _BuildTuple(BuildTupleConstraint):
    """Numba's. Constants in one tuple get the type of what is known of all of them, so that the
    tuple can be looped over."""

    def __call__(self, inferring: Any) -> None:
        variables = [inferring.typevars[item.name] for item in self.items]
        kinds = [variable.getone() for variable in variables if len(variable) == 1]
        common = None
        if len(kinds) == len(variables) and len(set(kinds)) > 1 and all(map(_has_constant, kinds)):
            common = _common(inferring.context, kinds)
        if common is None:
            super().__call__(inferring)
        else:
            made = types.UniTuple(common, len(kinds))
            inferring.add_type(self.target, made, loc=self.loc)


def _has_constant(kind: Any) -> bool:
    return isinstance(kind, Known) or (
        isinstance(kind, types.BaseTuple) and any(map(_has_constant, kind.types))
    )


def _common(context: Any, kinds: list[Any]) -> Any:
    """The common type of several constants, or of tuples that differ only in the types of constants
    in them; None for others."""
    kinds = [types.unliteral(kind) for kind in kinds]
    common = kinds[0]
    if all(kind == common for kind in kinds):
        return common
    if all(isinstance(kind, types.Tuple | types.UniTuple) for kind in kinds):
        if len(set(map(len, kinds))) > 1:
            return None
        parts = [_common(context, list(column)) for column in zip(*kinds, strict=True)]
        return None if None in parts else types.Tuple.from_types(tuple(parts))
    for kind in kinds[1:]:
        common = common.unify(context, kind) if isinstance(common, Known) else None
    return common


typeinfer.BuildTupleConstraint = _BuildTuple
