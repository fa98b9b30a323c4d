"""Loops over compiled sets and dictionaries, which notice that a rule changes them meanwhile.

Python looks at the number of items before each step, also before the one that ends the loop, and
raises RuntimeError if it is another one; an iterator that has ended stays at its end
(`setiter_iternext` in CPython's `setobject.c`, `dictiter_iternextkey` in `dictobject.c`). A set of
as many items as before is gone on with, where it stands. For a dictionary Python does so too until
it has given too many keys; what it gives then depends on the history of its table, so that compiled
code stops there with an error that no handler catches.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.imputils import RefType, impl_ret_borrowed, iternext_impl
from numba.cpython import setobj
from numba.cpython.setobj import SetInstance, SetIterInstance
from numba.extending import lower_builtin, register_model
from numba.typed import dictobject

from prunus.kernel.containers.hashes import replace
from prunus.kernel.numbers.integers import WORD
from prunus.kernel.reporting.raising import KEYS_EXCHANGED, fail, fail_if, guard

_OTHER, _ENDED = ir.Constant(WORD, -1), ir.Constant(WORD, -2)
"""In place of the number of items: the container got another number, or the loop has ended."""


@register_model(types.SetIter)
class _SetIterModel(models.StructModel):
    """Numba's, with the number of items that the set had."""

    def __init__(self, manager: Any, kind: Any) -> None:
        place = types.EphemeralPointer(types.intp)
        payload = types.MemInfoPointer(types.SetPayload(kind.container))
        super().__init__(manager, kind, [("meminfo", payload), ("index", place), ("used", place)])


@contextmanager
def unless_changed(context: Any, builder: Any, used: Any, known: Any, text: str) -> Iterator[None]:
    """Code for an iterator that is not at its end. It raises RuntimeError, now and at every later
    step, if a container has another number of items than the one at the address `known`."""
    size = builder.load(known)
    is_same = builder.icmp_unsigned("==", used, size)

    def leave() -> None:
        builder.store(_OTHER, known)
        fail(context, builder, RuntimeError, text)

    with builder.if_else(is_same, likely=True) as (same, other):
        with same:
            yield
        with other:
            has_changed = builder.icmp_unsigned("!=", size, _ENDED)
            guard(builder, has_changed, ("size", text, str(known)), leave)


def _set_iterator(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made = SetIterInstance(context, builder, sig.return_type, None)
    source = SetInstance(context, builder, sig.args[0], args[0])
    made._iter.meminfo = source.meminfo
    made._iter.index = cgutils.alloca_once_value(builder, WORD(0))
    made._iter.used = cgutils.alloca_once_value(builder, source.payload.used)
    return impl_ret_borrowed(context, builder, sig.return_type, made.value)


def _next_of_set(self: Any, result: Any) -> None:
    context, builder = self._context, self._builder
    payload, known = self._payload, self._iter.used
    text = "Set changed size during iteration"
    result.set_exhausted()
    with unless_changed(context, builder, payload.used, known, text):
        start = self.index
        builder.store(_ENDED, known)
        with payload._iterate(start=start) as loop:
            builder.store(payload.used, known)
            result.set_valid()
            result.yield_(loop.entry.key)
            self.index = builder.add(loop.index, WORD(1))
            loop.do_break()


replace(setobj.getiter_set, _set_iterator)
SetIterInstance.iternext = _next_of_set


# An iterator of a dictionary has four words of Numba's C code, and one more for what that does not
# notice: the number of entries that the table had. Numba keeps a pointer to these words,
# which a generator would lose between two of its items.

_PARENT, _TABLE, _SIZE, _POSITION, _ENTRIES = range(5)
_ENTRIES_OF_TABLE = 2


@register_model(types.DictIteratorType)
class _DictIteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        words = types.EphemeralArray(types.intp, _ENTRIES + 1)
        super().__init__(manager, kind, [("parent", kind.parent), ("state", words)])


def _word_at(builder: Any, words: Any, place: int) -> Any:
    return builder.gep(words, [WORD(place)])


def _pointed_at(builder: Any, address: Any, place: int) -> Any:
    """A word behind an address that is itself a word."""
    return builder.load(_word_at(builder, builder.inttoptr(address, WORD.as_pointer()), place))


def _bytes(builder: Any, pointer: Any) -> Any:
    return builder.bitcast(pointer, cgutils.voidptr_t)


def _begin(context: Any, builder: Any, result: Any, kind: Any, parent: Any) -> Any:
    """A new iterator at the beginning of a dictionary."""
    words = cgutils.alloca_once(builder, WORD, _ENTRIES + 1)
    data = dictobject._container_get_data(context, builder, kind, parent)
    called = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, cgutils.voidptr_t])
    begin = cgutils.get_or_insert_function(builder.module, called, "numba_dict_iter")
    builder.call(begin, [_bytes(builder, words), data])
    table = builder.load(_word_at(builder, words, _TABLE))
    entries = _pointed_at(builder, table, _ENTRIES_OF_TABLE)
    builder.store(entries, _word_at(builder, words, _ENTRIES))
    iterator = context.make_helper(builder, result)
    iterator.parent, iterator.state = parent, words
    return impl_ret_borrowed(context, builder, result, iterator._getvalue())


def _keys_iterator(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _begin(context, builder, sig.return_type, sig.args[0], args[0])


def _view_iterator(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    view = context.make_helper(builder, sig.args[0], args[0])
    return _begin(context, builder, sig.return_type, sig.args[0].parent, view.parent)


@lower_builtin("iternext", types.DictIteratorType)
@iternext_impl(RefType.BORROWED)
def _next_of_dictionary(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    kind = sig.args[0]
    words = context.make_helper(builder, kind, args[0]).state
    size = _word_at(builder, words, _SIZE)
    used = _pointed_at(builder, builder.load(_word_at(builder, words, _PARENT)), 0)
    text = "dictionary changed size during iteration"
    result.set_exhausted()
    with unless_changed(context, builder, used, size, text):
        _check_keys(context, builder, words)
        key, value = (cgutils.alloca_once(builder, cgutils.voidptr_t) for _ in "kv")
        places = [cgutils.voidptr_t, key.type, value.type]
        called = ir.FunctionType(ir.IntType(32), places)
        step = cgutils.get_or_insert_function(builder.module, called, "numba_dict_iter_next")
        status = builder.call(step, [_bytes(builder, words), key, value])
        found = builder.icmp_unsigned("==", status, status.type(0))
        with builder.if_else(found) as (at_item, at_end):
            with at_item:
                pair = [
                    _loaded(context, builder, part, place)
                    for part, place in zip(kind.parent.keyvalue_type, (key, value), strict=True)
                ]
                result.set_valid()
                result.yield_(_of_pair(context, builder, kind, pair))
            with at_end:
                builder.store(_ENDED, size)


def _check_keys(context: Any, builder: Any, words: Any) -> None:
    parent, table, entries = (
        builder.load(_word_at(builder, words, place)) for place in (_PARENT, _TABLE, _ENTRIES)
    )
    now = _pointed_at(builder, parent, 1)
    is_other = builder.icmp_unsigned("!=", now, table)
    has_new = builder.icmp_unsigned("!=", _pointed_at(builder, now, _ENTRIES_OF_TABLE), entries)
    exchanged = builder.or_(is_other, has_new)
    fail_if(context, builder, exchanged, RuntimeError, KEYS_EXCHANGED)


def _loaded(context: Any, builder: Any, kind: Any, place: Any) -> Any:
    model = context.data_model_manager[kind]
    address = builder.bitcast(builder.load(place), model.get_data_type().as_pointer())
    return model.load_from_data_pointer(builder, address)


def _of_pair(context: Any, builder: Any, kind: Any, pair: list[Any]) -> Any:
    """What the loop is given of a key and its value."""
    if isinstance(kind.iterable, types.DictItemsIterableType):
        return context.make_tuple(builder, kind.yield_type, pair)
    return pair[isinstance(kind.iterable, types.DictValuesIterableType)]


replace(dictobject.impl_dict_getiter, _keys_iterator)
replace(dictobject.impl_iterable_getiter, _view_iterator)
