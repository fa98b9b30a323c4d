"""The fields of a `State`: those that a NamedTuple annotates, and how values are stored in them.

A field is a scalar of `prunus.core.bits.CASTS`, a tuple of one such scalar (`tuple[u8, ...]` or
`tuple[u8, u8, u8]`) or a tuple of such tuples, the rows of a board (`tuple[tuple[u8, ...], ...]`).
Python's `int` stands for i64 where all fields are of these kinds, and `str` for the numbers of the
text's letters, each a u8 (Latin-1); so do the rows of `tuple[str, ...]`. A State with any other
field works interpreted, but is not compiled.
"""

from __future__ import annotations

import contextlib
import operator
import sys
import types
import typing
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from prunus.core.bits import CASTS, i64, u8, u64

Value: TypeAlias = Any
"""A State, or what a field of one holds: a number, a tuple of numbers, or anything else."""


class Field(NamedTuple):
    """One field: its name, its scalar type (None: not a machine type), for a tuple the number of
    items (-1: any number), whether the scalar is written as `int`, for a tuple of rows the number
    of items of each row (-1: any number; 0: its items are no rows), and whether it is a text, or a
    tuple of texts; a text counts as the tuple of its letters."""

    name: str
    scalar: type | None
    is_tuple: bool = False
    length: int = 1
    is_plain: bool = False
    columns: int = 0
    is_text: bool = False

    @property
    def where(self) -> str:
        """What error messages call the field."""
        more = " (an int, of 64 bits here; u128 and u256 hold more)" if self.is_plain else ""
        return f"State field {self.name!r}{more}"

    @property
    def has_any_length(self) -> bool:
        """Whether it is a tuple, or a tuple of rows, that declares no number of items."""
        return -1 in (self.length, self.columns)

    def caster(self) -> Callable[[object], object]:
        """A function that converts a value to what the field stores; numbers in the field's range
        stay as they are. It raises OverflowError for a number outside the range, TypeError for a
        value that is not an integer, ValueError for a tuple of the wrong length. Fields without a
        machine type take anything."""
        if self.scalar is None:
            return lambda value: value
        where = f"State field {self.name!r}"
        if self.is_text:
            if self.columns == 0:
                return _storing_text(where)
            return _storing_items(_storing_text(f"a row of {where}"), where, self.length)
        if not self.is_tuple:
            return _storing(self.scalar, self.where)
        items = _storing(self.scalar, f"an item of {self.where}")
        if self.columns == 0:
            return _storing_items(items, where, self.length)
        row = _storing_items(items, f"a row of {where}", self.columns)
        return _storing_items(row, where, self.length)


def _storing_items(
    convert: Callable[[object], object], where: str, length: int
) -> Callable[[object], object]:
    """The function that converts a value to a tuple of `length` items (-1: any number) that
    `convert` makes. Its errors call the value `where`."""

    def cast(value: Value) -> object:
        if isinstance(value, str):
            raise TypeError(f"{where} is a tuple but is given {value!r}")
        try:
            items = tuple(map(convert, value))
        except TypeError:
            if hasattr(value, "__iter__"):
                raise
            raise TypeError(f"{where} is a tuple but is given {value!r}") from None
        if length not in (-1, len(items)):
            raise ValueError(f"{where} has {length} items, not {len(items)}")
        return items

    return cast


def _storing_text(where: str) -> Callable[[object], object]:
    """The function that converts a value to a text for storing. Its errors call the field
    `where`."""

    def store(value: object) -> object:
        if type(value) is str:
            return value
        if isinstance(value, str):
            return str.__str__(value)
        raise TypeError(
            f"{where} is a str but is given {value!r}; with another annotation, such as object, it "
            f"takes anything, and the game runs interpreted"
        )

    return store


def _storing(kind: type, where: str) -> Callable[[object], object]:
    """The function that converts a number to a scalar of this kind for storing. Its errors call the
    field `where`."""
    if kind is bool:
        return bool
    width, signed = CASTS[kind]
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    made: Value = kind if issubclass(kind, u64) else int

    def store(value: Value) -> object:
        if type(value) is made and low <= value <= high:
            return value
        try:
            number = operator.index(value)
        except TypeError:
            raise TypeError(
                f"{where} is {_article(kind)} {kind.__name__} but is given {value!r}; with another "
                f"annotation, such as object, it takes anything, and the game runs interpreted"
            ) from None
        if not low <= number <= high:
            span = f"-2**{width - 1} ... 2**{width - 1} - 1" if signed else f"0 ... 2**{width} - 1"
            raise OverflowError(
                f"{where} is {_article(kind)} {kind.__name__}, {span}: {number} is outside"
            )
        return int.__new__(made, number)

    return store


def _article(kind: type) -> str:
    return "an" if kind.__name__[0] == "i" else "a"


def declared_fields(cls: Value) -> tuple[Field, ...]:
    """The fields of a NamedTuple class. Those written as `int` or `str` have no machine type beside
    any other that has none, since nothing is compiled there, nor if one has a default that does not
    suit it."""
    annotations = _annotations(cls)
    fields = tuple(_field(name, annotations.get(name)) for name in cls._fields)
    if all(field.scalar is not None and _suits(field, cls._field_defaults) for field in fields):
        return fields
    return tuple(
        Field(field.name, None) if field.is_plain or field.is_text else field for field in fields
    )


def unfit_fields(cls: Value) -> tuple[str, ...]:
    """The names of the fields that have no machine type by themselves, whatever stands beside
    them."""
    annotations = _annotations(cls)
    fields = (_field(name, annotations.get(name)) for name in cls._fields)
    return tuple(
        field.name
        for field in fields
        if field.scalar is None or not _suits(field, cls._field_defaults)
    )


def _field(name: str, annotation: object) -> Field:
    if annotation is str:
        return Field(name, u8, True, -1, is_text=True)
    written, length = _items(annotation)
    if written is str and length is not None:
        return Field(name, u8, True, length, columns=-1, is_text=True)
    columns = 0
    if length is not None:
        inner, inside = _items(written)
        if inside is not None:
            written, columns = inner, inside
    scalar = i64 if written is int else written
    if not isinstance(scalar, type) or scalar not in CASTS:
        return Field(name, None)
    if length is None:
        return Field(name, scalar, is_plain=written is int)
    return Field(name, scalar, True, length, written is int, columns)


def _items(annotation: object) -> tuple[object, int | None]:
    """What the items of an annotated tuple are, and their number, -1 for any; of anything else
    itself and None."""
    items = typing.get_args(annotation)
    if typing.get_origin(annotation) is not tuple or not items:
        return annotation, None
    if len(items) == 2 and items[1] is Ellipsis:
        return items[0], -1
    return (items[0], len(items)) if all(item == items[0] for item in items) else (None, len(items))


def _suits(field: Field, defaults: dict[str, object]) -> bool:
    """Whether the default of a field that is written as `int` or `str`, if it has one, can be
    stored."""
    if not (field.is_plain or field.is_text) or field.name not in defaults:
        return True
    try:
        field.caster()(defaults[field.name])
    except (OverflowError, TypeError, ValueError):
        return False
    return True


def _annotations(cls: type) -> dict[str, object]:
    try:
        return typing.get_type_hints(cls)
    except NameError:
        # A string annotation cannot see the names of an enclosing function; the other annotations
        # still count.
        scope = {
            **vars(typing),
            **vars(sys.modules.get(cls.__module__, typing)),
            **{kind.__name__: kind for kind in CASTS},
        }
        return {name: _evaluated(hint, scope) for name, hint in cls.__annotations__.items()}


def _evaluated(hint: object, scope: dict[str, object]) -> object:
    text = getattr(hint, "__forward_arg__", hint)
    try:
        return eval(text, scope) if isinstance(text, str) else hint  # noqa: S307 - the program's own annotation
    except NameError:
        return None


def _is_declared(kind: object) -> bool:
    """Whether this is a NamedTuple class that annotates its fields."""
    return (
        isinstance(kind, type)
        and issubclass(kind, tuple)
        and bool(getattr(kind, "_fields", ()))
        and "__annotations__" in vars(kind)
    )


def made_by(initial: object, result: object) -> type | None:
    """The NamedTuple class outside of a game's class of which these two methods make States: the
    only one that the first names, and the second too, unless that calls `_replace`. None if the
    module has already made such a value, which nothing has checked, unless another game has the
    same States."""
    if not (isinstance(initial, types.FunctionType) and isinstance(result, types.FunctionType)):
        return None
    found = [kind for kind in _named(initial) if _is_declared(kind)]
    if len(found) != 1:
        return None
    kind: type = found[0]
    if kind not in _named(result) and "_replace" not in result.__code__.co_names:
        return None
    around = [*initial.__globals__.values(), *_named(initial)]
    is_early = "__prunus_fields__" not in vars(kind) and any(type(each) is kind for each in around)
    return None if is_early else kind


def _named(function: types.FunctionType) -> list[Value]:
    """What a function's names outside of it stand for."""
    names, scope = function.__code__.co_names, function.__globals__
    known = [scope[name] for name in names if name in scope]
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # nothing is bound yet
            known.append(cell.cell_contents)
    return known
