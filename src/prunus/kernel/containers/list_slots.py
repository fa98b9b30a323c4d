"""The slots of a list whose items have memory of their own: lists, texts, tuples with lists.

Numba gives back what a slot held when an item is put there, also in a slot beyond the end that held
one before the list became shorter. There it leaves copies of items that have moved, or that
somebody else has taken over, as `pop(0)` does: the next `append` would free memory in use. Here a
slot that nothing is in any more is empty.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils
from numba.cpython import slicing
from numba.cpython.listobj import ListInstance, list_clear

from prunus.kernel.containers.hashes import replace
from prunus.kernel.numbers.integers import WORD

_plain_resize, _plain_move = ListInstance.resize, ListInstance.move


def _have_memory(items: Any) -> bool:
    return bool(items._datamodel.contains_nrt_meminfo())


def _resize(self: Any, new_size: Any) -> None:
    if _have_memory(self):
        builder, size = self._builder, self.size
        with builder.if_then(builder.icmp_signed("<", new_size, size)):
            self.zfill(new_size, size)
    _plain_resize(self, new_size)


def _move(self: Any, to: Any, start: Any, count: Any) -> None:
    _plain_move(self, to, start, count)
    if not _have_memory(self):
        return
    builder = self._builder
    end, end_there = builder.add(start, count), builder.add(to, count)
    forwards = builder.icmp_signed("<", to, start)
    left_start = builder.select(forwards, _larger(builder, start, end_there), start)
    left_end = builder.select(forwards, end, _smaller(builder, to, end))
    with builder.if_then(builder.icmp_signed("<", left_start, left_end)):
        self.zfill(left_start, left_end)


def _larger(builder: Any, one: Any, other: Any) -> Any:
    return builder.select(builder.icmp_signed(">", one, other), one, other)


def _smaller(builder: Any, one: Any, other: Any) -> Any:
    return builder.select(builder.icmp_signed("<", one, other), one, other)


def _clear(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """`items.clear()`, which gives back all of them."""
    items = ListInstance(context, builder, sig.args[0], args[0])
    give_back(items, WORD(0), items.size)
    items.resize(WORD(0))
    return context.get_dummy_value()


def give_back(items: Any, start: Any, end: Any) -> None:
    """Empty the slots from `start` to before `end`."""
    if _have_memory(items):
        with cgutils.for_range_slice(items._builder, start, end, WORD(1), WORD) as (slot, _):
            items.clear_value(slot)


def give_back_slice(context: Any, builder: Any, sig: Any, args: Any) -> None:
    """Before `items[a:b] = values`: empty the slots of the slice that get none of the values, if
    these are fewer."""
    items = ListInstance(context, builder, sig.args[0], args[0])
    if not _have_memory(items):
        return
    values = ListInstance(context, builder, sig.args[2], args[2])
    place = context.make_helper(builder, sig.args[1], args[1])
    slicing.guard_invalid_slice(context, builder, sig.args[1], place)
    items.fix_slice(place)
    length = slicing.get_slice_length(builder, place)
    fewer = builder.icmp_signed("<", values.size, length)
    adjacent = builder.icmp_signed("==", place.step, WORD(1))
    with builder.if_then(builder.and_(fewer, adjacent)):
        first, end = (builder.add(place.start, count) for count in (values.size, length))
        give_back(items, first, end)


ListInstance.resize, ListInstance.move = _resize, _move
replace(list_clear, _clear)
