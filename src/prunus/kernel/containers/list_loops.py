"""Iterators of compiled lists, forwards and backwards. As in Python they see what is done to the
list meanwhile, and one that has ended stays at its end, whatever is added."""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.imputils import RefType, impl_ret_borrowed, iternext_impl
from numba.core.types.common import SimpleIteratorType
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.cpython.listobj import ListInstance, ListIterInstance
from numba.extending import lower_builtin, register_model

from prunus.kernel.boards.packed_values import item_pointer
from prunus.kernel.containers.local_lists import LocalList, read_place
from prunus.kernel.containers.type_keys import keyed_by
from prunus.kernel.numbers.integers import WORD


@lower_builtin("iternext", types.ListIter)
@iternext_impl(RefType.BORROWED)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    iterator = ListIterInstance(context, builder, sig.args[0], args[0])
    step(builder, iterator, result)


def step(builder: Any, iterator: Any, result: Any) -> None:
    """Give a list's next item, if there is one."""
    index = iterator.index
    is_inside = builder.icmp_unsigned("<", index, iterator.size)
    result.set_valid(is_inside)
    with builder.if_else(is_inside) as (inside, ended):
        with inside:
            result.yield_(iterator.getitem(index))
            iterator.index = builder.add(index, WORD(1))
        with ended:
            iterator.index = WORD(-1)


@keyed_by("items")
class Backwards(SimpleIteratorType):
    """The type of `reversed(items)` for a list."""

    def __init__(self, items: Any) -> None:
        self.items = items
        super().__init__(f"reversed({items})", items.dtype)

    def __reduce__(self) -> Any:
        return Backwards, (self.items,)


@register_model(Backwards)
class _Model(models.StructModel):
    """The list, and the place of the next item: if there is none, no item follows."""

    def __init__(self, manager: Any, kind: Any) -> None:
        place = types.EphemeralPointer(types.intp)
        super().__init__(manager, kind, [("items", kind.items), ("place", place)])


@infer_global(reversed)
class _Reversed(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        is_list = len(args) == 1 and isinstance(args[0], types.List | LocalList)
        made = getattr(args[0], "backwards_type", None) or Backwards(args[0]) if is_list else None
        return made and signature(made, *args)


def _length(context: Any, builder: Any, kind: Any, items: Any) -> Any:
    if isinstance(kind, LocalList):
        return WORD(kind.items.count)
    return ListInstance(context, builder, kind, items).size


@lower_builtin(reversed, types.List)
@lower_builtin(reversed, LocalList)
def _begin(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made = context.make_helper(builder, sig.return_type)
    last = builder.sub(_length(context, builder, sig.args[0], args[0]), WORD(1))
    made.items, made.place = args[0], cgutils.alloca_once_value(builder, last)
    return impl_ret_borrowed(context, builder, sig.return_type, made._getvalue())


@lower_builtin("iternext", Backwards)
@iternext_impl(RefType.BORROWED)
def _next_backwards(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    iterator = context.make_helper(builder, sig.args[0], args[0])
    step_backwards(context, builder, sig.args[0].items, iterator, result)


def step_backwards(context: Any, builder: Any, kind: Any, iterator: Any, result: Any) -> None:
    """Give the item of a list before the last one given, if there is one."""
    place = builder.load(iterator.place)
    is_inside = builder.icmp_unsigned("<", place, _length(context, builder, kind, iterator.items))
    result.set_valid(is_inside)
    with builder.if_else(is_inside) as (inside, ended):
        with inside:
            result.yield_(_item(context, builder, kind, iterator.items, place))
            builder.store(builder.sub(place, WORD(1)), iterator.place)
        with ended:
            builder.store(WORD(-1), iterator.place)


def _item(context: Any, builder: Any, kind: Any, items: Any, place: Any) -> Any:
    if isinstance(kind, LocalList):
        return read_place(builder, kind, item_pointer(builder, kind.items, items, place))
    return ListInstance(context, builder, kind, items).getitem(place)
