"""Items of lists for Numba with an index or item of our integer types, and what cannot be put into
a list, a dictionary or a set."""

from __future__ import annotations

import operator
from functools import cache
from types import FunctionType
from typing import Any

from numba.core import cgutils, errors, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.cpython.listobj import ListInstance, delitem_list, setitem_list, setitem_list_slice
from numba.extending import lower_builtin, overload

from prunus.kernel.boards.packed import Packed
from prunus.kernel.containers.hashes import original, replace
from prunus.kernel.containers.known_tables import TableType
from prunus.kernel.containers.list_slots import give_back_slice
from prunus.kernel.containers.sequences import SizedList, checked_row
from prunus.kernel.containers.set_lookups import other_kind
from prunus.kernel.numbers.integers import LONG, MASK, Either, Number, Whole, mixture
from prunus.kernel.numbers.wide import Wide
from prunus.kernel.numbers.words import signed_word
from prunus.kernel.reporting.type_names import in_words

_INDICES = (Whole, types.Boolean)


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        fits = len(args) == 2 and isinstance(args[0], types.List) and isinstance(args[1], _INDICES)
        return signature(args[0].dtype, *args) if fits else None


def _get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    plain = signature(sig.return_type, sig.args[0], types.intp)
    return context.get_function(operator.getitem, plain)(
        builder, [args[0], signed_word(context, builder, sig.args[1], args[1])]
    )


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        """Raises TypingError, saying why, if a number of another kind is put into a list or a
        dictionary."""
        if len(args) != 3:
            return None
        held = (
            args[0].dtype
            if isinstance(args[0], types.List)
            else getattr(args[0], "value_type", None)
        )
        words = mixture(held, args[2])
        is_longer = held == types.int64 and args[2] in (MASK, LONG)
        if isinstance(args[0], types.DictType) and is_longer:
            words = (
                "a number of 64 bits is put among plain integers: make the values of the "
                "dictionary u64"
            )
        if _has_float(args[2]) and isinstance(held, types.Integer):
            words = _AMONG.format("put among")
        if words:
            raise errors.TypingError(words)
        if not isinstance(args[0], types.List) or not isinstance(args[1], Number):
            return None
        if isinstance(held, SizedList) and args[2] == types.List(held.dtype):
            return signature(types.none, *args)  # its length is checked when it is put there
        # The type of the items was fixed before; a plain integer of 64 bits raises when it is put
        # there.
        fits = isinstance(args[1], _INDICES) and self.context.can_convert(args[2], held) is not None
        return signature(types.none, *args) if is_longer or fits else None


def _set_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, index, item = sig.args
    plain = signature(types.none, kind, types.intp, kind.dtype)
    place = signed_word(context, builder, index, args[1])
    if isinstance(kind.dtype, SizedList) and not isinstance(item, SizedList):
        value = checked_row(context, builder, item, args[2], kind.dtype.count)
    else:
        value = context.cast(builder, args[2], item, kind.dtype)
    return setitem_list(context, builder, plain, [args[0], place, value])


_AMONG = "a float is {} integers: make them floats too (0.0), or write int(...)"


def _has_float(kind: Any) -> bool:
    if isinstance(kind, types.BaseTuple):
        return any(map(_has_float, kind.types))
    return isinstance(kind, types.Float)


def _refusing(template: Any, what: str, among: Any, given: Any) -> None:
    """Let one of Numba's templates refuse a float where it would be cut to an integer. `among` and
    `given` find the types of the items that are there, and of the one that comes to them, among
    the template's arguments."""
    plain = template.generic

    def generic(self: Any, args: Any, kws: Any) -> Any:
        found = plain(self, args, kws)
        if found is not None and _has_float(given(args)) and not _has_float(among(args)):
            raise errors.TypingError(_AMONG.format(what))
        return found

    template.generic = generic


def _refuse_truths(template: Any) -> None:
    """Let the template of `items += more` refuse truth values among integers: what `str` makes of
    them is known only where the list is made."""
    plain = template.generic

    def generic(self: Any, args: Any, kws: Any) -> Any:
        found = plain(self, args, kws)
        if found is not None and _become_numbers(args[0].dtype, args[1].dtype):
            raise errors.TypingError(
                "truth values are put among integers by `+=`: write int(...) around them"
            )
        return found

    template.generic = generic


def _become_numbers(held: Any, given: Any) -> bool:
    """Whether truth values would be made integers to be held."""
    if isinstance(held, types.BaseTuple) and isinstance(given, types.BaseTuple):
        return len(held) == len(given) and any(map(_become_numbers, held, given))
    return isinstance(given, types.Boolean) and isinstance(held, types.Integer)


@cache
def refuse_floats() -> None:
    """Once, after Numba has loaded its own templates: floats are not cut to be put into lists of
    integers, or to be looked for in sets of integers; nor are numbers made truth values to be
    looked for in sets of those."""
    from numba.core.typing import collections, listdecl

    def held(args: Any) -> Any:
        return getattr(args[0], "dtype", None)

    _refusing(collections.SetItemSequence, "put among", held, lambda args: args[2])
    _refusing(collections.InContainer, "looked for among", held, lambda args: args[1])
    _refusing(listdecl.InplaceAddList, "put among", held, lambda args: args[1].dtype)
    _refuse_truths(listdecl.InplaceAddList)
    plain = collections.InContainer.generic

    def generic(self: Any, args: Any, kws: Any) -> Any:
        is_other = isinstance(args[0], types.Set) and other_kind(args[0].dtype, args[1])
        if is_other:
            return None
        if isinstance(args[0], types.Set) and _would_be_truth(args[0].dtype, args[1]):
            raise errors.TypingError(
                "a number is looked for among truth values: put numbers into the set, int(...)"
            )
        return plain(self, args, kws)

    collections.InContainer.generic = generic


def _would_be_truth(held: Any, given: Any) -> bool:
    """Whether a number would be made a truth value to be looked for among such items."""
    if isinstance(held, types.BaseTuple) and isinstance(given, types.BaseTuple):
        return len(held) == len(given) and any(map(_would_be_truth, held, given))
    is_number = isinstance(given, Number) and not isinstance(given, types.Boolean)
    return isinstance(held, types.Boolean) and is_number


_set_slice = FunctionType(setitem_list_slice.__code__, setitem_list_slice.__globals__)


def _set_slice_of_itself_too(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """`items[a:b] = values`, where the values may be the list itself."""
    values_type = sig.args[2]
    items, values = (
        ListInstance(context, builder, kind, value)
        for kind, value in ((sig.args[0], args[0]), (values_type, args[2]))
    )
    is_same = builder.icmp_unsigned("==", items.meminfo, values.meminfo)
    given = cgutils.alloca_once_value(builder, args[2])
    with builder.if_then(is_same, likely=False):
        plain = types.List(values_type.dtype)  # a slice's length is not known
        copying = signature(plain, plain)
        copy = context.compile_internal(builder, lambda values: values[:], copying, [args[2]])
        builder.store(copy, given)
    whole = [args[0], args[1], builder.load(given)]
    give_back_slice(context, builder, sig, whole)
    _set_slice(context, builder, sig, whole)
    with builder.if_then(is_same, likely=False):
        context.nrt.decref(builder, values_type, builder.load(given))
    return context.get_dummy_value()


replace(setitem_list_slice, _set_slice_of_itself_too)


def _without(items, index):
    start, stop, step = index.indices(len(items))
    gone = range(start, stop, step)
    if len(gone) == 0:
        return
    first, last, apart = min(gone[0], gone[-1]), max(gone[0], gone[-1]), abs(step)
    free = first
    for place in range(first, len(items)):
        if place > last or (place - first) % apart:
            items[free] = items[place]
            free += 1
    del items[free:]


_delete_adjacent = original(delitem_list)


def _delete_slice(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """`del items[a:b:c]`; Numba knows no step."""
    if sig.args[1].has_step:
        return context.compile_internal(builder, _without, sig, args)
    return _delete_adjacent(context, builder, sig, args)


replace(delitem_list, _delete_slice)

_make_set = types.Set.__init__


def _made_set(self: Any, dtype: Any, reflected: bool = False) -> None:
    """The items have no types of constants, which only one number has, so that sets can be joined.

    Of two equal numbers of different types Python keeps the first; Numba's sets keep the last."""
    if isinstance(dtype, Either | Wide):
        what = (
            "u64 and plain integers together: make them one kind by u64(...) or int(...)"
            if isinstance(dtype, Either)
            else str(dtype)
        )
        raise errors.TypingError(f"a set cannot hold {what}")
    if not isinstance(dtype, types.Hashable | types.Undefined):
        raise errors.TypingError(
            f"a set of {in_words(str(dtype))} is not supported: use a list or a dictionary"
        )
    _make_set(self, _widened(dtype), reflected)


def _widened(kind: Any) -> Any:
    if isinstance(kind, types.Tuple | types.UniTuple):
        return types.BaseTuple.from_types(tuple(map(_widened, kind.types)))
    return types.unliteral(kind)


types.Set.__init__ = _made_set

for _index in _INDICES:
    lower_builtin(operator.getitem, types.List, _index)(_get_item)
    lower_builtin(operator.setitem, types.List, _index, types.Any)(_set_item)
for _place in (types.Integer, types.IntegerLiteral, *_INDICES):
    lower_builtin(operator.setitem, types.List, _place, Whole)(_set_item)


_ADDED = (types.BaseTuple, types.RangeType, types.Set, Packed, TableType)


@overload(operator.iadd)
def _extended(items, more):
    """`items += more` of a list and what is no list; arrays would be added item by item."""
    if not (isinstance(items, types.List) and isinstance(more, _ADDED)):
        return None

    def extended(items, more):
        items.extend(more)
        return items

    return extended


def _is_list(kind: Any) -> bool:
    return isinstance(kind, types.List) or _is_constant_list(kind)


def _is_constant_list(kind: Any) -> bool:
    return isinstance(kind, TableType) and kind.origin == "list"


@overload(operator.add)
def _joined(items, more):
    """`items + more` of two lists, one of them or both constants of the rules."""
    are_lists = _is_list(items) and _is_list(more)
    if not (are_lists and (_is_constant_list(items) or _is_constant_list(more))):
        return None

    def joined(items, more):
        made = list(items)
        made.extend(more)
        return made

    return joined


@overload(operator.mul)
def _repeated(items, times):
    """`items * times`, or `times * items`, of a constant list."""
    if _is_constant_list(items) and isinstance(times, Number):
        return lambda items, times: list(items) * times
    if _is_constant_list(times) and isinstance(items, Number):
        return lambda items, times: list(times) * items
    return None
