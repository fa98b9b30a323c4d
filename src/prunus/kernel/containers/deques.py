"""Compiled deques: lists of a type of their own, which count the changes of their length.

Like Python's, a loop over a deque raises RuntimeError before its next step, also before the one
that ends it, if the deque has changed meanwhile, even if it is as long as before
(`dequeiter_next` in CPython's `_collectionsmodule.c`); backwards, not after the last item.
"""

from __future__ import annotations

import collections
import operator
from functools import cache
from typing import Any

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.datamodel import models
from numba.core.imputils import RefType, impl_ret_borrowed, iternext_impl
from numba.core.types.containers import List, ListIter
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    bound_function,
    infer_getattr,
    infer_global,
    signature,
)
from numba.cpython import listobj
from numba.cpython.listobj import ListInstance, ListIterInstance, ListPayloadAccessor
from numba.extending import intrinsic, lower_builtin, overload, overload_method, register_model

from prunus.kernel.containers.list_loops import Backwards, step, step_backwards
from prunus.kernel.containers.loops_over_tables import unless_changed
from prunus.kernel.numbers.floats import no_float
from prunus.kernel.numbers.integers import WORD, Number


class DequeType(List):
    """The type of a deque."""

    def __init__(self, dtype: Any) -> None:
        _keep_apart()
        super().__init__(dtype)
        self.name = f"deque({self.dtype})"

    @property
    def iterator_type(self) -> Any:
        """The type of its iterator."""
        return DequeIterator(self)

    @property
    def backwards_type(self) -> Any:
        """The type of `reversed(deque)`."""
        return BackwardsDeque(self)

    def copy(self, dtype: Any = None, reflected: Any = None) -> Any:
        """The same type with items of another type."""
        return DequeType(dtype or self.dtype)

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The common type of two branches; None for a deque and a list."""
        if not isinstance(other, DequeType):
            return None
        dtype = typingctx.unify_pairs(self.dtype, other.dtype)
        return None if dtype is None else DequeType(dtype)

    def __unliteral__(self) -> Any:
        return self


class DequeIterator(ListIter):
    """The iterator of a deque."""

    container_class = DequeType


class BackwardsDeque(Backwards):
    """The type of `reversed(deque)`."""

    def __reduce__(self) -> Any:
        return BackwardsDeque, (self.items,)


register_model(DequeType)(models.ListModel)


@register_model(types.ListPayload)
class _PayloadModel(models.StructModel):
    """Numba's, for a deque with the number of its changes."""

    def __init__(self, manager: Any, kind: Any) -> None:
        members = [("size", types.intp), ("allocated", types.intp), ("dirty", types.boolean)]
        if isinstance(kind.container, DequeType):
            members.append(("changes", types.intp))
        super().__init__(manager, kind, [*members, ("data", kind.container.dtype)])


@register_model(DequeIterator)
class _IteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        place = types.EphemeralPointer(types.intp)
        payload = types.MemInfoPointer(types.ListPayload(kind.container))
        super().__init__(manager, kind, [("meminfo", payload), ("index", place), ("known", place)])


@register_model(BackwardsDeque)
class _BackwardsModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        place = types.EphemeralPointer(types.intp)
        members = [("items", kind.items), ("place", place), ("known", place)]
        super().__init__(manager, kind, members)


_plain_resize, _plain_allocate = ListInstance.resize, ListInstance.allocate_ex.__func__


def _resize(self: Any, new_size: Any) -> None:
    size = self.size
    _plain_resize(self, new_size)
    if isinstance(self._ty, DequeType):
        changed = self._builder.icmp_unsigned("!=", size, new_size)
        _count(self._builder, self, self._builder.zext(changed, WORD))


def _count(builder: Any, deque: Any, more: Any) -> None:
    deque._payload.changes = builder.add(deque._payload.changes, more)


def _allocate(cls: Any, context: Any, builder: Any, kind: Any, count: Any) -> Any:
    ok, made = _plain_allocate(cls, context, builder, kind, count)
    if isinstance(kind, DequeType):
        with builder.if_then(ok, likely=True):
            made._payload.changes = WORD(0)
    return ok, made


_plain_ending = ListInstance.define_dtor


def _ending(self: Any) -> Any:
    """The function that gives back the items of a deque at its end: by its name Numba would take
    that of a list of such items, which have other places there."""
    if not isinstance(self._ty, DequeType):
        return _plain_ending(self)
    name = f".dtor.deque.{self.dtype}"
    pointer = cgutils.voidptr_t
    kind = ir.FunctionType(ir.VoidType(), [pointer])
    function = cgutils.get_or_insert_function(self._builder.module, kind, name)
    if function.is_declaration:
        function.linkage = "linkonce_odr"
        builder = ir.IRBuilder(function.append_basic_block())
        items = ListPayloadAccessor(self._context, builder, self._ty, function.args[0])
        with cgutils.for_range(builder, items.size) as loop:
            self._context.nrt.decref(builder, self.dtype, items.getitem(loop.index))
        builder.ret_void()
    return function


ListInstance.resize, ListInstance.allocate_ex = _resize, classmethod(_allocate)
ListInstance.define_dtor = _ending


_TEXT = "deque mutated during iteration"


@lower_builtin("getiter", DequeType)
def _iterator(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made = ListIterInstance.from_list(context, builder, sig.return_type, args[0])
    made._iter.known = cgutils.alloca_once_value(builder, made._payload.changes)
    return impl_ret_borrowed(context, builder, sig.return_type, made.value)


@lower_builtin("iternext", DequeIterator)
@iternext_impl(RefType.BORROWED)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    iterator = ListIterInstance(context, builder, sig.args[0], args[0])
    changes, known = iterator._payload.changes, iterator._iter.known
    result.set_exhausted()
    with unless_changed(context, builder, changes, known, _TEXT):
        step(builder, iterator, result)


@lower_builtin(reversed, DequeType)
def _begin_backwards(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made = context.make_helper(builder, sig.return_type)
    deque = ListInstance(context, builder, sig.args[0], args[0])
    made.items = args[0]
    made.place = cgutils.alloca_once_value(builder, builder.sub(deque.size, WORD(1)))
    made.known = cgutils.alloca_once_value(builder, deque._payload.changes)
    return impl_ret_borrowed(context, builder, sig.return_type, made._getvalue())


@lower_builtin("iternext", BackwardsDeque)
@iternext_impl(RefType.BORROWED)
def _next_backwards(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    iterator = context.make_helper(builder, sig.args[0], args[0])
    deque = ListInstance(context, builder, sig.args[0].items, iterator.items)
    result.set_exhausted()
    place = builder.load(iterator.place)
    with builder.if_then(builder.icmp_signed("!=", place, WORD(-1))):
        builder.store(WORD(-1), iterator.place)  # the error ends it, other than the one forwards
        with unless_changed(context, builder, deque._payload.changes, iterator.known, _TEXT):
            builder.store(place, iterator.place)
            step_backwards(context, builder, sig.args[0].items, iterator, result)


# What deques have, other than lists.


@infer_global(collections.deque)
class _Empty(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return None if args or kws else signature(DequeType(types.undefined))


@lower_builtin(collections.deque)
def _make_empty(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.build_list(builder, sig.return_type, [])


@overload(collections.deque)
def _deque(iterable):
    if not isinstance(iterable, types.IterableType):
        return None

    def make(iterable):
        made: Any = collections.deque()
        for item in iterable:
            made.append(item)
        return made

    return make


@infer_getattr
class _Methods(AttributeTemplate):
    key = DequeType

    @bound_function("deque.appendleft")
    def resolve_appendleft(self, deque: Any, args: Any, kws: Any) -> Any:
        """`deque.appendleft(item)`: the first item fixes the type."""
        unified = self.context.unify_pairs(deque.dtype, args[0])
        if unified is None:
            return None
        return signature(types.none, unified).replace(recvr=deque.copy(dtype=unified))

    @bound_function("list.pop")
    def resolve_pop(self, deque: Any, args: Any, kws: Any) -> Any:
        """`deque.pop()`."""
        if args:
            raise errors.TypingError("pop() of a deque takes no index: write `del q[i]`")
        return signature(deque.dtype)

    @bound_function("deque.popleft")
    def resolve_popleft(self, deque: Any, args: Any, kws: Any) -> Any:
        """`deque.popleft()`."""
        return None if args else signature(deque.dtype)

    def resolve_sort(self, deque: Any) -> Any:
        """Deques have no `sort`."""
        raise errors.TypingError("a deque has no `sort`: write sorted(...)")


@lower_builtin("deque.appendleft", DequeType, types.Any)
def _append_left(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    insert = signature(types.none, sig.args[0], types.intp, sig.args[1])
    return listobj.list_insert(context, builder, insert, [args[0], WORD(0), args[1]])


@lower_builtin("deque.popleft", DequeType)
def _pop_left(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    pop = signature(sig.return_type, sig.args[0], types.intp)
    return listobj.list_pop_integer(context, builder, pop, [args[0], WORD(0)])


@intrinsic
def _delete(typingctx, deque, place):
    def lower(context, builder, sig, args):
        pop = signature(deque.dtype, deque, types.intp)
        item = listobj.list_pop_integer(context, builder, pop, args)
        context.nrt.decref(builder, deque.dtype, item)
        return context.get_dummy_value()

    return types.none(deque, types.intp), lower


@overload(operator.delitem)
def _delete_item(deque, place):
    if not isinstance(deque, DequeType) or not isinstance(place, Number):
        return None
    return lambda deque, place: _delete(deque, place)  # noqa: PLW0108 - Numba compiles the lambda


@overload_method(DequeType, "remove")
def _remove(deque, value):
    def remove(deque, value):
        for i in range(len(deque)):
            if deque[i] == value:
                del deque[i]
                return
        raise ValueError("the value is not in the deque")

    return remove


@overload_method(DequeType, "extendleft")
def _extend_left(deque, items):
    def extend_left(deque, items):
        for item in list(items):
            deque.appendleft(item)

    return extend_left


@overload_method(DequeType, "rotate")
def _rotate(deque, n=1):
    if isinstance(n, types.Float):
        raise no_float("rotate")

    def rotate(deque, n=1):
        if len(deque) > 1:
            _touch(deque)
            for _ in range(n % len(deque)):
                deque.appendleft(deque.pop())

    return rotate


@intrinsic
def _touch(typingctx, deque):
    def lower(context, builder, sig, args):
        _count(builder, ListInstance(context, builder, deque, args[0]), WORD(1))
        return context.get_dummy_value()

    return types.none(deque), lower


@overload_method(DequeType, "copy")
def _copy(deque):
    return lambda deque: collections.deque(deque)  # noqa: PLW0108 - Numba compiles the lambda


# What Numba would do with deques as with lists.


def _without_deques(template: Any, is_refused: Any) -> None:
    plain = template.generic

    def generic(self: Any, args: Any, kws: Any) -> Any:
        return None if is_refused(*args) else plain(self, args, kws)

    template.generic = generic


def _is_slice(items: Any, index: Any, *_: Any) -> bool:
    if isinstance(items, DequeType) and isinstance(index, types.SliceType):
        raise errors.TypingError("a deque has no slices: make a list of it first")
    return False


def _are_mixed(left: Any, right: Any) -> bool:
    return isinstance(left, DequeType) != isinstance(right, DequeType)


def _is_deque(items: Any, *_: Any) -> bool:
    return isinstance(items, DequeType)


def _all_lists_or_all_deques(*args: Any) -> bool:
    return all(isinstance(kind, types.List) for kind in args) and not _are_mixed(*args)


@cache
def _keep_apart() -> None:
    """Let Numba tell them apart. Its modules are loaded after Prunus's own, which it asks first."""
    from numba.core.typing import collections as sequences
    from numba.core.typing import listdecl

    for template in (sequences.GetItemSequence, sequences.SetItemSequence):
        _without_deques(template, _is_slice)
    for template in (listdecl.ListCompare, listdecl.AddList):
        _without_deques(template, _are_mixed)
    _without_deques(sequences.DelItemSequence, _is_deque)
    listobj.all_list = _all_lists_or_all_deques
