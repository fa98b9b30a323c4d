"""Compiled sets that keep their items in the order in which Python's sets keep them.

A rule may take the first item of a set, so the order must be the same both ways. It follows from
the hashes of the items, the size of the table and what was added and removed before. The facts
below are those of CPython 3.11 to 3.13 (`Objects/setobject.c`), and tests compare both with random
operations:

- A table has a power of two of entries, 8 at first. An item is looked for at its hash, and in the
  nine entries after it if they do not leave the table; then at i * 5 + 1 + the hash shifted by
  five, ten, ... bits. It is put into the last entry on this way whose item was removed, or else
  into the first empty one.
- When three fifths of the entries (without the last) are filled, counting removed ones, the table
  becomes the smallest one of more than four times as many entries as there are items (twice from
  50,000 items on), and the items are put into it in their order.
- A set that takes the items of another makes room for all of them at once; an empty set with a
  table of the same size as the other's, which has no removed items, becomes its exact copy.
- `pop` looks on where the last one ended.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.cpython import setobj
from numba.cpython.setobj import SetInstance, _SetPayload

from prunus.kernel.containers.hashes import hash_of
from prunus.kernel.numbers.integers import WORD

SMALLEST = 8
_NEIGHBOURS = WORD(9)
_SHIFT = WORD(5)
_MANY = WORD(50_000)
_REMOVED = (1 << 63) - 1
_INSTEAD_OF_REMOVED = (1 << 63) - 2
"""Stands for a hash that would be taken for that of a removed item: integers have none so large."""


def _hash_in_set(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    found = hash_of(context, builder, kind, value)
    if isinstance(kind, types.Number | types.Boolean):
        return found
    is_reserved = builder.icmp_unsigned("==", found, WORD(_REMOVED))
    return builder.select(is_reserved, WORD(_INSTEAD_OF_REMOVED), found)


def is_used(context: Any, builder: Any, found: Any) -> Any:
    """Whether this is the hash of an item, not the mark of an entry without one."""
    either = builder.or_(found, WORD(1 << 63))
    return builder.icmp_unsigned("!=", either, ir.Constant(WORD, -1))


def _probe(payload: Any, found: Any, check: Any) -> None:
    """Call `check` with the index of each entry of a hash's path, for code that leaves the loop;
    end in the block of the loop that nothing reaches."""
    builder = payload._builder
    mask = payload.mask
    one = WORD(1)
    perturbation = cgutils.alloca_once_value(builder, found)
    start = cgutils.alloca_once_value(builder, builder.and_(found, mask))
    index = cgutils.alloca_once(builder, WORD)
    last = cgutils.alloca_once(builder, WORD)
    run, step, on, jump = (
        builder.append_basic_block(f"probe.{name}") for name in ("run", "step", "on", "jump")
    )
    builder.branch(run)
    builder.position_at_end(run)
    i = builder.load(start)
    end = builder.add(i, _NEIGHBOURS)
    builder.store(i, index)
    builder.store(builder.select(builder.icmp_unsigned("<=", end, mask), end, i), last)
    builder.branch(step)
    builder.position_at_end(step)
    i = builder.load(index)
    check(i)
    builder.cbranch(builder.icmp_unsigned("<", i, builder.load(last)), on, jump)
    builder.position_at_end(on)
    builder.store(builder.add(i, one), index)
    builder.branch(step)
    builder.position_at_end(jump)
    shifted = builder.lshr(builder.load(perturbation), _SHIFT)
    builder.store(shifted, perturbation)
    i = builder.add(builder.mul(builder.load(start), _SHIFT), builder.add(shifted, one))
    builder.store(builder.and_(i, mask), start)
    builder.branch(run)


def _lookup(self: Any, item: Any, found: Any, for_insert: bool = False) -> tuple[Any, Any]:
    """Whether the set has an item with this hash, and the index of its entry, or else, for an
    insertion, of the one where it belongs."""
    context, builder, kind = self._context, self._builder, self._ty.dtype
    equal, comparison = _equality(context, kind)
    place = cgutils.alloca_once(builder, WORD)
    none = ir.Constant(WORD, -1)
    removed = cgutils.alloca_once_value(builder, none) if for_insert else None
    at_item, at_empty, end = (
        builder.append_basic_block(f"lookup.{name}") for name in ("item", "empty", "end")
    )

    def check(i: Any) -> None:
        entry = self.get_entry(i)
        builder.store(i, place)
        there = entry.hash
        with builder.if_then(builder.icmp_unsigned("==", there, found)):
            same = context.get_function(equal, comparison)(builder, (item, entry.key))
            with builder.if_then(same):
                builder.branch(at_item)
        with builder.if_then(setobj.is_hash_empty(context, builder, there)):
            builder.branch(at_empty)
        if for_insert:
            is_removed = builder.icmp_unsigned("==", there, WORD(_REMOVED))
            builder.store(builder.select(is_removed, i, builder.load(removed)), removed)

    _probe(self, found, check)
    builder.position_at_end(at_item)
    builder.branch(end)
    builder.position_at_end(at_empty)
    if for_insert:
        free = builder.load(removed)
        is_none = builder.icmp_unsigned("==", free, none)
        builder.store(builder.select(is_none, builder.load(place), free), place)
    builder.branch(end)
    builder.position_at_end(end)
    is_there = builder.phi(ir.IntType(1), "is_there")
    is_there.add_incoming(cgutils.true_bit, at_item)
    is_there.add_incoming(cgutils.false_bit, at_empty)
    return is_there, builder.load(place)


def _equality(context: Any, kind: Any) -> tuple[Any, Any]:
    typing_context = context.typing_context
    equal = typing_context.resolve_value_type(setobj.operator.eq)
    return equal, equal.get_call_type(typing_context, (kind, kind), {})


def put(self: Any, payload: Any, entry: Any, item: Any, found: Any) -> None:
    """Put an item into an empty entry."""
    builder = self._builder
    entry.hash = found
    entry.key = item
    payload.used = builder.add(payload.used, WORD(1))
    payload.fill = builder.add(payload.fill, WORD(1))


def _put_new(self: Any, payload: Any, item: Any, found: Any) -> None:
    """Put an item that is not there into a table with room, from which nothing was removed."""
    builder, context = self._builder, self._context
    place = cgutils.alloca_once(builder, WORD)
    end = builder.append_basic_block("put.end")

    def check(i: Any) -> None:
        builder.store(i, place)
        is_empty = setobj.is_hash_empty(context, builder, payload.get_entry(i).hash)
        with builder.if_then(is_empty):
            builder.branch(end)

    _probe(payload, found, check)
    builder.position_at_end(end)
    put(self, payload, payload.get_entry(builder.load(place)), item, found)


def add_entry(self: Any, payload: Any, entry: Any, item: Any, found: Any) -> None:
    """Put an item into an entry that is empty or whose item was removed."""
    context, builder = self._context, self._builder
    self.incref_value(item)
    is_empty = setobj.is_hash_empty(context, builder, entry.hash)
    entry.hash = found
    entry.key = item
    payload.used = builder.add(payload.used, WORD(1))
    with builder.if_then(is_empty, likely=True):
        payload.fill = builder.add(payload.fill, WORD(1))
        with builder.if_then(_is_full(builder, payload, payload.fill), likely=False):
            rebuild(self, grown(builder, payload.used))
    self.set_dirty(True)


def _is_full(builder: Any, payload: Any, fill: Any) -> Any:
    return builder.icmp_unsigned(
        ">=", builder.mul(fill, WORD(5)), builder.mul(payload.mask, WORD(3))
    )


def grown(builder: Any, used: Any) -> Any:
    """The number of entries that a new table is to exceed, from the number of items."""
    is_large = builder.icmp_unsigned(">", used, _MANY)
    return builder.shl(used, builder.select(is_large, WORD(1), WORD(2)))


def add_key(self: Any, payload: Any, item: Any, found: Any, do_resize: bool = True) -> None:
    """Add an item if it is not there."""
    builder = self._builder
    is_there, i = payload._lookup(item, found, for_insert=True)
    with builder.if_then(builder.not_(is_there)):
        entry = payload.get_entry(i)
        if do_resize:
            add_entry(self, payload, entry, item, found)
        else:  # into a new table with room for all
            self.incref_value(item)
            put(self, payload, entry, item, found)


def remove_entry(
    self: Any, payload: Any, entry: Any, do_resize: bool = True, do_decref: bool = True
) -> None:
    """Remove an item, of which the entry is known."""
    entry.hash = WORD(_REMOVED)
    if do_decref:
        self.decref_value(entry.key)
    payload.used = self._builder.sub(payload.used, WORD(1))
    self.set_dirty(True)


def rebuild(self: Any, items: Any) -> None:
    """Put all items, in their order, into a new table, the smallest of more than this number of
    entries."""
    builder = self._builder
    old = self.payload
    finger = old.finger
    leading = builder.ctlz(items, cgutils.false_bit)
    size = builder.shl(WORD(1), builder.sub(WORD(64), leading))
    smallest = WORD(SMALLEST)
    size = builder.select(builder.icmp_unsigned("<", size, smallest), smallest, size)
    allocated(self, self._allocate_payload(size, realloc=True))
    payload = self.payload
    payload.finger = finger
    with old._iterate() as loop:
        _put_new(self, payload, loop.entry.key, loop.entry.hash)
    self._free_payload(old.ptr)


def allocated(self: Any, ok: Any) -> None:
    """Raise MemoryError if an allocation failed."""
    builder = self._builder
    with builder.if_then(builder.not_(ok), likely=False):
        self._context.call_conv.return_user_exc(builder, MemoryError, ("no memory for a set",))


def make_room(self: Any, count: Any) -> None:
    """Before the `count` items of another set or dictionary are added."""
    builder = self._builder
    payload = self.payload
    fill = builder.add(payload.fill, count)
    with builder.if_then(_is_full(builder, payload, fill)):
        rebuild(self, builder.shl(builder.add(payload.used, count), WORD(1)))


def merge(self: Any, other: Any) -> None:
    """Add the items of another set, which is not this one and may hold another type of items."""
    context, builder = self._context, self._builder
    count = other.payload.used
    with builder.if_then(builder.icmp_unsigned("!=", count, WORD(0))):
        make_room(self, count)
        payload, source = self.payload, other.payload
        is_copy = builder.and_(
            builder.icmp_unsigned("==", payload.fill, WORD(0)),
            builder.and_(
                builder.icmp_unsigned("==", payload.mask, source.mask),
                builder.icmp_unsigned("==", source.fill, count),
            ),
        )
        with builder.if_else(is_copy) as (copying, adding):
            with copying, source._iterate() as loop:
                item = context.cast(builder, loop.entry.key, other.dtype, self.dtype)
                self.incref_value(item)
                put(self, payload, payload.get_entry(loop.index), item, loop.entry.hash)
            with adding, source._iterate() as loop:
                item = context.cast(builder, loop.entry.key, other.dtype, self.dtype)
                add_key(self, self.payload, item, loop.entry.hash)
        self.set_dirty(True)


setobj.MINSIZE, setobj.DELETED = SMALLEST, _REMOVED
setobj.get_hash_value, setobj.is_hash_used = _hash_in_set, is_used
_SetPayload._lookup = _lookup
for _name, _method in {
    "_add_entry": add_entry,
    "_add_key": add_key,
    "_remove_entry": remove_entry,
}.items():
    setattr(SetInstance, _name, _method)
