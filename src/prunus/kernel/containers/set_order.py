"""Operations on compiled sets that leave them in the order in which Python's leave them: see
`set_tables.py`."""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.core.imputils import for_iter, impl_ret_new_ref
from numba.cpython import setobj
from numba.cpython.setobj import SetInstance, _SetPayload

from prunus.kernel.containers.constant_sets import is_constant_set
from prunus.kernel.containers.hashes import replace
from prunus.kernel.containers.known_tables import MappingType
from prunus.kernel.containers.set_tables import (
    SMALLEST,
    add_entry,
    add_key,
    allocated,
    grown,
    is_used,
    make_room,
    merge,
    put,
    rebuild,
    remove_entry,
)
from prunus.kernel.numbers.integers import WORD
from prunus.kernel.reporting.raising import fail_if


def _copy(self: Any) -> Any:
    made = SetInstance.allocate(self._context, self._builder, self._ty)
    merge(made, self)
    return made


def _keep(made: Any, source: Any, others: Any, are_there: bool) -> None:
    """Add the items of one table that are, or are not, in another."""
    builder = made._builder
    with source._iterate() as loop:
        item, found = loop.entry.key, loop.entry.hash
        is_there, _ = others._lookup(item, found)
        with builder.if_then(is_there if are_there else builder.not_(is_there)):
            add_key(made, made.payload, item, found)


def _is_same(self: Any, other: Any) -> Any:
    return self._builder.icmp_unsigned("==", self.meminfo, other.meminfo)


def intersection(self: Any, other: Any) -> Any:
    """A new set of what two have in common."""
    context, builder = self._context, self._builder
    made = SetInstance.allocate(context, builder, self._ty)
    with builder.if_else(_is_same(self, other)) as (same, different):
        with same:
            merge(made, self)
        with different:
            here, there = self.payload, other.payload
            is_smaller = builder.icmp_unsigned(">", there.used, here.used)
            small, large = (
                _SetPayload(context, builder, self._ty, builder.select(is_smaller, one, two))
                for one, two in ((here.ptr, there.ptr), (there.ptr, here.ptr))
            )
            _keep(made, small, large, True)
    return made


def remaining(self: Any, other: Any) -> Any:
    """A new set of what is in one and not in another."""
    made = SetInstance.allocate(self._context, self._builder, self._ty)
    _keep(made, self.payload, other.payload, False)
    return made


def _intersect(self: Any, other: Any) -> None:
    """Keep only the items that are in another set, in a table made for them."""
    take(self, intersection(self, other))


def take(self: Any, made: Any) -> None:
    """Hold what a new set of some of the items holds, as it holds it, instead of all of them. The
    new set is released."""
    context, builder = self._context, self._builder
    old, source = self.payload, made.payload
    finger = old.finger
    with old._iterate() as loop:
        self.decref_value(loop.entry.key)
    size = builder.add(source.mask, WORD(1))
    allocated(self, self._allocate_payload(size, realloc=True))
    self._free_payload(old.ptr)
    payload = self.payload
    payload.finger = finger
    with source._iterate() as loop:
        item = loop.entry.key
        self.incref_value(item)
        put(self, payload, payload.get_entry(loop.index), item, loop.entry.hash)
    context.nrt.decref(builder, self._ty, made.value)
    self.set_dirty(True)


def _remove_all(self: Any, other: Any) -> None:
    """Remove the items of another set; itself, all."""
    builder = self._builder
    with builder.if_else(_is_same(self, other)) as (same, different):
        with same:
            self.clear()
        with different:
            payload = self.payload
            with other.payload._iterate() as loop:
                is_there, i = payload._lookup(loop.entry.key, loop.entry.hash)
                with builder.if_then(is_there):
                    remove_entry(self, payload, payload.get_entry(i))
            removed = builder.sub(payload.fill, payload.used)
            many = builder.icmp_unsigned(">", removed, builder.lshr(payload.mask, WORD(2)))
            with builder.if_then(many):
                rebuild(self, grown(builder, payload.used))


def _exchange(self: Any, other: Any) -> None:
    """Remove the items of another set that are here, and add its others."""
    builder = self._builder
    with builder.if_else(_is_same(self, other)) as (same, different):
        with same:
            self.clear()
        with different, other.payload._iterate() as loop:
            payload = self.payload
            item, found = loop.entry.key, loop.entry.hash
            is_there, i = payload._lookup(item, found, for_insert=True)
            entry = payload.get_entry(i)
            with builder.if_else(is_there) as (common, single):
                with common:
                    remove_entry(self, payload, entry)
                with single:
                    add_entry(self, payload, entry, item, found)


def _clear(self: Any) -> None:
    finger = self.payload.finger
    self._replace_payload(WORD(SMALLEST))
    self.payload.finger = finger
    self.set_dirty(True)


def _pop(self: Any) -> Any:
    """Remove the first item from where the last `pop` ended, and return it. The set has one."""
    context, builder = self._context, self._builder
    payload = self.payload
    mask = payload.mask
    index = cgutils.alloca_once_value(builder, builder.and_(payload.finger, mask))
    look, on, end = (builder.append_basic_block(f"pop.{name}") for name in ("look", "on", "end"))
    builder.branch(look)
    builder.position_at_end(look)
    i = builder.load(index)
    entry = payload.get_entry(i)
    builder.cbranch(is_used(context, builder, entry.hash), end, on)
    builder.position_at_end(on)
    builder.store(builder.and_(builder.add(i, WORD(1)), mask), index)
    builder.branch(look)
    builder.position_at_end(end)
    item = entry.key
    remove_entry(self, payload, entry, do_decref=False)
    payload.finger = builder.add(i, WORD(1))
    return item


def _allocate(cls: Any, context: Any, builder: Any, kind: Any, count: Any = None) -> Any:
    """A new, empty set, whatever the number of items it is to hold."""
    ok, made = cls.allocate_ex(context, builder, kind)
    allocated(made, ok)
    return made


def _update(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Add the items of another set, a dictionary or anything else that can be iterated over."""
    made = SetInstance(context, builder, sig.args[0], args[0])
    kind, items = sig.args[1], args[1]
    if isinstance(kind, types.Set):
        other = SetInstance(context, builder, kind, items)
        with builder.if_then(builder.not_(_is_same(made, other))):
            merge(made, other)
        return context.get_dummy_value()
    if is_constant_set(kind):
        kind, items = _ordered(made, kind, items)
    elif isinstance(kind, types.DictType | MappingType):
        make_room(made, _length_of(context, builder, kind, items))
    item_type = kind.iterator_type.yield_type
    with for_iter(context, builder, kind, items) as loop:
        made.add(context.cast(builder, loop.value, item_type, made.dtype))
        context.nrt.decref(builder, item_type, loop.value)
    return context.get_dummy_value()


def _length_of(context: Any, builder: Any, kind: Any, items: Any) -> Any:
    length = context.typing_context.resolve_value_type(len)
    counting = length.get_call_type(context.typing_context, (kind,), {})
    return context.get_function(length, counting)(builder, [items])


def _ordered(made: Any, kind: Any, items: Any) -> tuple[Any, Any]:
    """The items of a constant set in the order in which they are added to a set, with room made for
    them: a new set becomes a copy."""
    context, builder = made._context, made._builder
    constant = context.make_helper(builder, kind, value=items)
    table = kind.keys_table
    lengths = [
        _length_of(context, builder, table, each) for each in (constant.keys, constant.adding)
    ]
    make_room(made, lengths[0])
    is_new = builder.icmp_unsigned("==", made.payload.fill, WORD(0))
    is_unknown = builder.and_(is_new, builder.icmp_unsigned("!=", *lengths))
    fail_if(context, builder, is_unknown, RuntimeError, _UNKNOWN_ORDER)
    return table, builder.select(is_new, constant.adding, constant.keys)


_UNKNOWN_ORDER = (
    "the order of a copy of a constant set is not known: make the constant a list, and the set of "
    "that"
)


def _literal(context: Any, builder: Any, kind: Any, items: Any) -> Any:
    """A set of several values, of which Numba gives the last first."""
    made = SetInstance.allocate(context, builder, kind)
    if items:
        array = cgutils.alloca_once_value(builder, cgutils.pack_array(builder, items[::-1]))
        with cgutils.for_range(builder, WORD(len(items))) as loop:
            made.add(builder.load(cgutils.gep(builder, array, 0, loop.index)))
    return impl_ret_new_ref(context, builder, kind, made.value)


def _constructor(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made = SetInstance.allocate(context, builder, sig.return_type)
    _update(context, builder, types.none(sig.return_type, *sig.args), [made.value, *args])
    return impl_ret_new_ref(context, builder, sig.return_type, made.value)


for _name, _method in {
    "copy": _copy,
    "intersect": _intersect,
    "difference": _remove_all,
    "symmetric_difference": _exchange,
    "clear": _clear,
    "pop": _pop,
    "allocate": classmethod(_allocate),
}.items():
    setattr(SetInstance, _name, _method)
for _function, _by in (
    (setobj.set_update, _update),
    (setobj.set_constructor, _constructor),
    (setobj.build_set, _literal),
):
    replace(_function, _by)
