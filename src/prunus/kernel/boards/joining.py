"""Tuples that are joined from parts of other tuples, `t[k:] + t[:k]`: compiled code knows how many
items the whole has, but not how many each part has.

A part, which is cut at variable places, is not made as a tuple: what is passed on is where its
items lie, and how many there are. The whole is then made at once, after a test that its parts have
as many items as its type says; if not, OverflowError is raised, which no handler catches.
"""

from __future__ import annotations

import operator
from functools import cache
from typing import Any

from llvmlite import ir as native
from numba.core import cgutils, errors, types
from numba.cpython.listobj import ListInstance
from numba.extending import intrinsic, overload

from prunus.kernel.boards.homes import home_of, place_for
from prunus.kernel.boards.packed import Packed, long_type
from prunus.kernel.boards.packed_values import item_pointer, narrowed, new_home, widened
from prunus.kernel.numbers.integers import U64, WORD
from prunus.kernel.numbers.operators import OPERATIONS
from prunus.kernel.numbers.wide import Wide
from prunus.kernel.numbers.words import word
from prunus.kernel.reporting.raising import fail_if

OTHER_LENGTH = (
    "a tuple is joined from parts that do not have the {count} items in all that compiled code "
    "expects: keep the places of the slices inside the tuple, or make a list, list(t[a:b])"
)
MIXED = (
    "parts of tuples can only be joined if all their items are numbers of one type: write "
    "int(...), u64(...) or bool(...) around the others, or make lists of the parts"
)
CUT, STARRED, REPEATED, LOOSE, WHOLE = "c", "s", "r", "l", "w"
"""The kinds of parts: cut from a tuple, the same after a `*`, an item that is repeated, a tuple
that compiled code holds as a list, and any other tuple."""

_plus = OPERATIONS[operator.add]


def cut(items, index):
    """`items[index]` in compiled code, for a slice that is only joined with others: the tuple, the
    place of the first item, the number of items, and the distance from one to the next."""
    raise NotImplementedError


def cut_reversed(items, index):
    """The same for `items[index][::-1]`."""
    raise NotImplementedError


def many(items, times):
    """`(item,) * times` in compiled code, for a tuple that is only joined with others: the item,
    and the number of times."""
    raise NotImplementedError


def joined(kinds, constant, *parts):
    """The sum of tuples in compiled code. `kinds` has for each part its kind, and how often the
    length of the tuple that it belongs to counts in that of the whole; `constant` is added to
    that."""
    raise NotImplementedError


@overload(cut)
def _cut(items, index):
    if not isinstance(items, types.UniTuple | Packed):
        return lambda items, index: items[index]

    def made(items, index):
        start, stop, _ = index.indices(len(items))
        return items, start, max(stop - start, 0), 1

    return made


@overload(cut_reversed)
def _cut_reversed(items, index):
    if not isinstance(items, types.UniTuple | Packed):
        return lambda items, index: items[index][::-1]

    def made(items, index):
        start, stop, _ = index.indices(len(items))
        return items, stop - 1, max(stop - start, 0), -1

    return made


@overload(many)
def _many(items, times):
    if not isinstance(times, types.Integer) or times is U64:
        raise errors.TypingError("a tuple times a number that is no plain integer: write int(...)")
    return lambda items, times: (items[0], max(times, 0))


@overload(joined, prefer_literal=True)
def _joined(kinds, constant, *parts):
    if not isinstance(constant, types.IntegerLiteral):
        return None
    told = [(each[0], int(each[1:])) for each in kinds.literal_value.split()]
    cuts = [part for (kind, _), part in zip(told, parts, strict=True) if kind in (CUT, STARRED)]
    if cuts and not any(_is_cut(part) for part in cuts):
        are_tuples = any(isinstance(part, types.BaseTuple | Packed) for part in parts)
        are_plain = all(kind in (CUT, WHOLE) for kind, _ in told)
        if are_tuples or not are_plain or len(parts) not in _PLAIN:
            raise errors.TypingError(MIXED)
        return _PLAIN[len(parts)]
    made = [_Part(kind, times, part) for (kind, times), part in zip(told, parts, strict=True)]
    count = constant.literal_value + sum(part.times * part.length for part in made)
    if count < 1:
        raise errors.TypingError(MIXED)
    join = _joining(tuple(made), _type_of(made, count), count)
    return lambda kinds, constant, *parts: join(parts)


_PLAIN = {
    2: lambda kinds, constant, *parts: _plus(parts[0], parts[1]),
    3: lambda kinds, constant, *parts: _plus(_plus(parts[0], parts[1]), parts[2]),
    4: lambda kinds, constant, *parts: _plus(_plus(_plus(parts[0], parts[1]), parts[2]), parts[3]),
    5: lambda kinds, constant, *parts: _plus(
        _plus(_plus(_plus(parts[0], parts[1]), parts[2]), parts[3]), parts[4]
    ),
}
"""The sums of lists, texts and tables of constants."""


def _is_cut(kind):
    return (
        isinstance(kind, types.BaseTuple)
        and len(kind) == 4
        and isinstance(kind[0], types.UniTuple | Packed)
    )


class _Part:
    """What the type of a part says: the type of its items, and the length of the tuple that it
    belongs to, if that counts."""

    def __init__(self, kind: str, times: int, made: Any) -> None:
        self.kind, self.times, self.length = kind, times, 0
        if kind == LOOSE and isinstance(made, types.List) and not times:
            self.items = [made.dtype]
        elif kind in (CUT, STARRED) and _is_cut(made):
            self.items, self.length = [made[0].dtype], len(made[0])
        elif kind == REPEATED:
            self.items = [made[0]]
        elif kind in (WHOLE, LOOSE) and isinstance(made, types.BaseTuple | Packed):
            self.items = [made.dtype] if isinstance(made, Packed) else list(made.types)
            self.length = len(made)
        else:
            raise errors.TypingError(MIXED)
        self.items = [types.unliteral(item) for item in self.items]
        held = made[0] if kind in (CUT, STARRED) else made
        self.scalar = held.scalar if isinstance(held, Packed) else None
        self.is_list = isinstance(made, types.List)

    def key(self) -> Any:
        """What tells a part from others."""
        return self.kind, self.is_list

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Part) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())


def _type_of(parts: list[_Part], count: int) -> Any:
    """The type of the whole."""
    items = {item for part in parts for item in part.items}
    if len(items) != 1:
        raise errors.TypingError(MIXED)
    (item,) = items
    if not (item in (types.int64, types.boolean, U64) or isinstance(item, Wide)):
        raise errors.TypingError(MIXED)
    made = long_type(item, count)
    scalars = {part.scalar for part in parts}
    is_narrow = isinstance(made, Packed) and len(scalars) == 1 and None not in scalars
    return Packed(scalars.pop(), count) if is_narrow else made


@cache
def _joining(parts: tuple[_Part, ...], made: Any, count: int) -> Any:
    """The function that makes the whole from a tuple of its parts."""

    @intrinsic
    def join(typingctx, given):
        def lower(context, builder, sig, args):
            values = [builder.extract_value(args[0], i) for i in range(len(parts))]
            sources = [
                _Source(context, builder, part, kind, value)
                for part, kind, value in zip(parts, sig.args[0].types, values, strict=True)
            ]
            total, wrong = WORD(0), cgutils.false_bit
            for source in sources:
                total = builder.add(total, source.number)
                too_many = builder.icmp_unsigned(">", source.number, WORD(count))
                wrong = builder.or_(wrong, too_many)
            wrong = builder.or_(wrong, builder.icmp_unsigned("!=", total, WORD(count)))
            fail_if(context, builder, wrong, OverflowError, OTHER_LENGTH.format(count=count))
            target, place = _Target(context, builder, made, count), WORD(0)
            for source in sources:
                with cgutils.for_range(builder, source.number, intp=WORD) as step:
                    target.put(builder.add(place, step.index), source.item(step.index))
                place = builder.add(place, source.number)
            return target.whole()

        return made(given), lower

    return join


class _Source:
    """The items of a part, and their `number`."""

    def __init__(self, context: Any, builder: Any, part: _Part, kind: Any, value: Any) -> None:
        self.context, self.builder = context, builder
        self.first, self.step, self.held = WORD(0), WORD(1), kind
        self.address: Any = None
        if part.kind in (CUT, STARRED):
            self.held = kind[0]
            items, self.first, self.number, self.step = (
                builder.extract_value(value, i) for i in range(4)
            )
        elif part.kind == REPEATED:
            self.held = types.UniTuple(types.unliteral(kind[0]), 1)
            item = context.cast(builder, builder.extract_value(value, 0), kind[0], self.held.dtype)
            items = context.make_tuple(builder, self.held, [item])
            self.number, self.step = builder.extract_value(value, 1), WORD(0)
        elif part.is_list:
            self.list = ListInstance(context, builder, kind, value)
            self.number = self.list.size
            return
        else:
            items, self.number = value, WORD(len(kind))
        self._lay_down(items)

    def _lay_down(self, items: Any) -> None:
        """Put the items of a tuple where they can be read one by one."""
        if isinstance(self.held, Packed):
            self.address = home_of(self.builder, items)
            return
        dtype = types.unliteral(self.held.types[0]) if len(self.held) else types.int64
        self.address = place_for(
            self.builder,
            native.ArrayType(self.context.get_value_type(dtype), max(len(self.held), 1)),
        )
        for i, kind in enumerate(self.held.types):
            item = self.context.cast(
                self.builder, self.builder.extract_value(items, i), kind, dtype
            )
            self.builder.store(item, _place(self.builder, self.address, WORD(i)))

    def item(self, index: Any) -> Any:
        """One of them."""
        if self.address is None:
            return self.list.getitem(index)
        index = self.builder.add(self.first, self.builder.mul(self.step, index))
        if isinstance(self.held, Packed):
            place = item_pointer(self.builder, self.held, self.address, index)
            return widened(self.builder, self.held, self.builder.load(place))
        return self.builder.load(_place(self.builder, self.address, index))


class _Target:
    """The tuple that is made."""

    def __init__(self, context: Any, builder: Any, kind: Any, count: int) -> None:
        self.context, self.builder, self.kind, self.count = context, builder, kind, count
        if isinstance(kind, Packed):
            self.address = new_home(builder, kind)
        else:
            held = native.ArrayType(context.get_value_type(kind.dtype), count)
            self.address = place_for(builder, held)

    def put(self, index: Any, item: Any) -> None:
        """Give it an item."""
        if isinstance(self.kind, Packed):
            stored = narrowed(self.builder, self.kind, word(self.builder, self.kind.dtype, item))
            self.builder.store(stored, item_pointer(self.builder, self.kind, self.address, index))
        else:
            self.builder.store(item, _place(self.builder, self.address, index))

    def whole(self) -> Any:
        """The tuple with all its items."""
        if isinstance(self.kind, Packed):
            return self.builder.load(self.address)
        places = [_place(self.builder, self.address, WORD(i)) for i in range(self.count)]
        return self.context.make_tuple(self.builder, self.kind, map(self.builder.load, places))


def _place(builder: Any, address: Any, index: Any) -> Any:
    return builder.gep(address, [WORD(0), index], inbounds=True)
