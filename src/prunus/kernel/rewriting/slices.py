"""Slices of tuples, `cells[a:b]`: a type has to know the length of a tuple.

If the places are constants (`cells[:WIDTH]`, `cells[self.width :]`, `cells[len(cells) // 2 :]` of a
field), the slice is a tuple of known length. Otherwise it may be a list in compiled code, if it
stays in its function and is only asked for its items, its length and so on.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from numba.core import errors, ir, ir_utils, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.extending import overload

from prunus.kernel.boards.joining import cut, cut_reversed, joined
from prunus.kernel.boards.packed import Packed
from prunus.kernel.boards.packed_functions import add_item
from prunus.kernel.containers.sequences import call_instead, tuple_from_list, tuple_of
from prunus.kernel.numbers.operators import meant
from prunus.kernel.rewriting.escapes import (
    DEPTH,
    Watch,
    come_from,
    definition,
    function_of,
    names_of,
    statements,
)

_ARITHMETIC: Final[dict[Any, Callable[[int, int], int]]] = {
    operator.add: operator.add,
    operator.sub: operator.sub,
    operator.mul: operator.mul,
    operator.floordiv: operator.floordiv,
    operator.mod: operator.mod,
}

UNKNOWN: Final = object()
"""In place of a value that is no constant."""


def loose_slice(items, index):
    """`items[index]` in compiled code, if the slice is only read: of a tuple, a list."""
    raise NotImplementedError


@overload(loose_slice)
def _loose_slice(items, index):
    if not isinstance(items, types.UniTuple | Packed):
        return lambda items, index: items[index]

    def sliced(items, index):
        start, stop, step = index.indices(len(items))
        return [items[place] for place in range(start, stop, step)]

    return sliced


def loose_equal(items, other):
    """`items == other` in compiled code, for what was a slice and a tuple that is written out."""
    raise NotImplementedError


def loose_unequal(items, other):
    """The same for `items != other`."""
    raise NotImplementedError


@overload(loose_equal)
def _loose_equal(items, other):
    if not isinstance(items, types.List):
        return lambda items, other: items == other
    if not isinstance(other, types.BaseTuple | Packed):
        raise errors.TypingError("slice: it is compared with something else than a tuple")
    count = len(other)
    make = tuple_from_list(count)
    return lambda items, other: len(items) == count and make(items) == other


@overload(loose_unequal)
def _loose_unequal(items, other):
    return lambda items, other: not loose_equal(items, other)


@register_pass(mutates_CFG=False, analysis_only=False)
class LooseSlices(FunctionPass):
    """Makes slices at variable places by `loose_slice` where that gives the same answers."""

    _name = "prunus_loose_slices"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        found = [
            (block, statement)
            for _, block, statement in statements(func_ir)
            if (places := places_of(func_ir, statement)) is not None
            and any(known_value(func_ir, place, state.args) is UNKNOWN for place in places)
        ]
        changed = False
        for _, statement in found:
            # When slices share a name, the first one has already handled the others.
            if statement.value.op != "getitem":
                continue
            names = names_of(func_ir, [statement.target.name])
            made = [pair for pair in found if pair[1].target.name in names]
            watch = _Sliced(func_ir, names, state.args, False, DEPTH)
            watch.are_of_tuples = all(
                _length(func_ir, each.value.value, state.args) is not UNKNOWN for _, each in made
            )
            if come_from(func_ir, names, [each.value for _, each in made]) and watch.stays():
                for block, each in made:
                    call_instead(block, each, loose_slice, each.value.value, each.value.index)
                _compare_as_tuples(func_ir, names)
                changed = True
        if changed:
            func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        return changed


@register_pass(mutates_CFG=False, analysis_only=False)
class ConstantSlices(FunctionPass):
    """Makes slices at constant places that are computed, or have names, what Numba makes of places
    that are written out."""

    _name = "prunus_constant_slices"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir, changed = state.func_ir, False
        for _, _, statement in statements(func_ir):
            places = places_of(func_ir, statement)
            values = [known_value(func_ir, place, state.args) for place in places or ()]
            if places and UNKNOWN not in values and not _are_written(func_ir, places):
                before = statement.value
                statement.value = ir.Expr.static_getitem(
                    before.value, slice(*values), before.index, before.loc
                )
                func_ir._definitions[statement.target.name] = [statement.value]
                changed = True
        return changed


class _Sliced(Watch):
    """Follows a slice. Nothing is put into a tuple, and whether it equals something depends on what
    was sliced: no list is equal to a tuple."""

    READ = (*Watch.READ, set, frozenset, add_item)
    GO_THROUGH = (*Watch.GO_THROUGH, reversed)

    are_of_tuples = False
    """Whether the slices are certainly of tuples, not of lists. No helper knows."""

    def keeps_nothing(self, statement: Any) -> bool:
        """Whether a statement that uses the slice keeps no reference to it."""
        if isinstance(statement, ir.SetItem | ir.StaticSetItem):
            return False
        value = statement.value if isinstance(statement, ir.Assign) else None
        if isinstance(value, ir.Expr) and value.op == "binop" and meant(value) in _COMPARISONS:
            sides = (value.lhs, value.rhs)
            return self.are_of_tuples and any(_is_written(self.func_ir, side) for side in sides)
        if isinstance(value, ir.Expr) and value.op == "inplace_binop":
            # A list takes the items, as by `extend`; nothing else can be joined with a list.
            return meant(value) is operator.iadd and not self._is(value.lhs)
        return super().keeps_nothing(statement)

    def _call_keeps_nothing(self, target: Any, call: Any) -> bool:
        """Also the methods of sets and lists that take the items of what they are given. A tuple
        that is made of a slice has to know its length: `(*t[:i], v, *t[i + 1 :])` is a change of
        one item, which others see to."""
        if function_of(self.func_ir, call.func) in (tuple, tuple_of, joined, cut, cut_reversed):
            return False
        method = definition(self.func_ir, call.func)
        if isinstance(method, ir.Expr) and method.op == "getattr" and method.attr in _TAKING:
            owner = definition(self.func_ir, method.value)
            return isinstance(owner, ir.Expr) and not call.kws and call.vararg is None
        return super()._call_keeps_nothing(target, call)


def _is_written(func_ir: Any, variable: Any) -> bool:
    """Whether a variable is a tuple that is written out and has items."""
    found = definition(func_ir, variable)
    return (isinstance(found, ir.Expr) and found.op == "build_tuple" and bool(found.items)) or (
        isinstance(found, ir.Const) and type(found.value) is tuple and bool(found.value)
    )


def _compare_as_tuples(func_ir: Any, names: set[str]) -> None:
    """Compare the slices of these names, which are lists now, with what is written out."""
    for _, block, statement in list(statements(func_ir)):
        value = statement.value if isinstance(statement, ir.Assign) else None
        if isinstance(value, ir.Expr) and value.op == "binop" and meant(value) in _COMPARISONS:
            sides = [value.lhs, value.rhs]
            if sides[1].name in names:
                sides.reverse()
            if sides[0].name in names:
                call_instead(block, statement, _COMPARISONS[meant(value)], *sides)


_COMPARISONS = {operator.eq: loose_equal, operator.ne: loose_unequal}
_TAKING = ("update", "extend")


def places_of(func_ir: Any, statement: Any) -> Any:
    """The variables between the colons of a statement that assigns a slice; None for others."""
    return _slice_places(func_ir, statement.value) if isinstance(statement, ir.Assign) else None


def _slice_places(func_ir: Any, value: Any) -> Any:
    """The variables between the colons of an expression that is a slice; None for others."""
    if not isinstance(value, ir.Expr) or value.op != "getitem":
        return None
    made = definition(func_ir, value.index)
    is_slice = (
        isinstance(made, ir.Expr)
        and made.op == "call"
        and function_of(func_ir, made.func) is slice
        and len(made.args) in (2, 3)
        and not made.kws
    )
    return made.args if is_slice else None


def sliced_length(func_ir: Any, value: Any, kinds: Any) -> Any:
    """The length of what an expression slices from a tuple of known length at constant places;
    UNKNOWN for others."""
    places = _slice_places(func_ir, value)
    if not places:
        return UNKNOWN
    values = [known_value(func_ir, place, kinds) for place in places]
    length = _length(func_ir, value.value, kinds)
    if length is UNKNOWN or UNKNOWN in values or values[2:] == [0]:
        return UNKNOWN
    return len(range(length)[slice(*values)])


def _are_written(func_ir: Any, places: Any) -> bool:
    """Whether all places are written out as numbers, which Numba sees by itself."""
    return all(isinstance(definition(func_ir, place), ir.Const) for place in places)


def known_value(func_ir: Any, variable: Any, kinds: Any) -> Any:
    """The number, or None, that a variable certainly has; `kinds` are the types of the function's
    arguments."""
    found = definition(func_ir, variable)
    if isinstance(found, ir.Const | ir.Global | ir.FreeVar):
        return found.value if found.value is None or type(found.value) is int else UNKNOWN
    if not isinstance(found, ir.Expr):
        return UNKNOWN
    if found.op == "binop" and meant(found) in _ARITHMETIC:
        left, right = (known_value(func_ir, side, kinds) for side in (found.lhs, found.rhs))
        if type(left) is not int or type(right) is not int:
            return UNKNOWN
        is_division = meant(found) in (operator.floordiv, operator.mod)
        return UNKNOWN if is_division and right == 0 else _ARITHMETIC[meant(found)](left, right)
    if found.op == "unary" and meant(found) is operator.neg:
        number = known_value(func_ir, found.value, kinds)
        return -number if type(number) is int else UNKNOWN
    if found.op == "call" and function_of(func_ir, found.func) is len and len(found.args) == 1:
        return _length(func_ir, found.args[0], kinds)
    return UNKNOWN


def _length(func_ir: Any, variable: Any, kinds: Any) -> Any:
    """The length of a tuple that is an argument of the function, or a field of one."""
    found = definition(func_ir, variable)
    name = None
    if isinstance(found, ir.Expr) and found.op == "getattr":
        found, name = definition(func_ir, found.value), found.attr
    if not isinstance(found, ir.Arg) or found.index >= len(kinds):
        return UNKNOWN
    kind = kinds[found.index]
    if name is not None:
        kind = field_type(kind, name)
    return len(kind) if isinstance(kind, types.UniTuple | Packed) else UNKNOWN


def field_type(kind: Any, name: str) -> Any:
    """The type of a field of a State or another named tuple of this type; None if there is none."""
    is_record = isinstance(kind, types.BaseNamedTuple) and name in kind.fields
    return kind.types[kind.fields.index(name)] if is_record else None
