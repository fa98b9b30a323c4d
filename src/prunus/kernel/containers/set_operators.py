"""Operators and methods of compiled sets, constant ones among them, as Numba is taught them: see
`set_order.py` and `constant_sets.py`."""

from __future__ import annotations

import operator
from typing import Any

from numba.core import types
from numba.core.imputils import impl_ret_new_ref
from numba.cpython import setobj
from numba.cpython.setobj import SetInstance, check_all_set
from numba.extending import intrinsic, overload, overload_method

from prunus.kernel.containers import constant_sets
from prunus.kernel.containers.constant_sets import with_constant
from prunus.kernel.containers.frozen_sets import is_frozen_kind, like
from prunus.kernel.containers.hashes import original, replace
from prunus.kernel.containers.known_tables import MappingType
from prunus.kernel.containers.set_order import intersection, remaining, take


def _new_of(name: str, make: Any) -> Any:
    """An intrinsic that makes a new set from two."""

    def typed(typing_context: Any, a: Any, b: Any) -> Any:
        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            sides = [
                SetInstance(context, builder, kind, arg)
                for kind, arg in zip(sig.args, args, strict=True)
            ]
            return impl_ret_new_ref(context, builder, sig.return_type, make(*sides).value)

        return a(a, b), lower

    typed.__name__ = typed.__qualname__ = name
    return intrinsic(typed)


_new_intersection = _new_of("_new_intersection", intersection)
_new_remaining = _new_of("_new_remaining", remaining)


def _difference(a, b):
    if with_constant(a, b):
        return constant_sets.remaining(a, b)
    check_all_set(a, b)

    def difference(a, b):
        if len(a) >> 2 > len(b):
            made = set(a)
            made.difference_update(b)
            return like(a, made)
        return _new_remaining(a, b)

    return difference


def _common(a, b):
    if with_constant(a, b):
        return constant_sets.common(a, b)
    check_all_set(a, b)
    return lambda a, b: _new_intersection(a, b)  # noqa: PLW0108 - Numba compiles the lambda


def _exclusive(a, b):
    if with_constant(a, b):
        return constant_sets.exclusive(a, b)
    check_all_set(a, b)

    def exclusive(a, b):
        made = set(b)
        made.symmetric_difference_update(a)
        return like(a, made)

    return exclusive


def _union(a, b):
    if with_constant(a, b):
        return constant_sets.union(a, b)
    check_all_set(a, b)

    def union(a, b):
        made = set(a)
        if a is not b:
            made.update(b)
        return like(a, made)

    return union


@intrinsic
def _keep_common(typingctx, a, b):
    """Let a set hold what a new one holds: the items that it has in common with a third."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        one, made = (
            SetInstance(context, builder, kind, arg)
            for kind, arg in zip(sig.args, args, strict=True)
        )
        context.nrt.incref(builder, sig.args[1], args[1])
        take(one, made)
        return context.get_dummy_value()

    return types.none(a, b), lower


@overload(operator.iand)
def _keep_in_place(a, b):
    if not with_constant(a, b):
        return None

    def keep(a, b):
        _keep_common(a, a & b)
        return a

    return keep


def _in_place(operation: Any, made: Any) -> None:
    @overload(operation)
    def changed(a, b):
        return made(a, b) if with_constant(a, b) else None


def _teach(name: str, made: Any) -> None:
    """Let constant sets have a method."""

    def method(a, b):
        return made(a, b) if with_constant(a, b) else None

    method.__name__ = method.__qualname__ = name
    overload_method(MappingType, name)(method)


@overload_method(MappingType, "copy")
def _copy_constant(items):
    if not items.is_set:
        return None
    if is_frozen_kind(items):
        return lambda items: items
    return lambda items: set(items)  # noqa: PLW0108 - Numba compiles the lambda


def _asking(function: Any, made: Any) -> None:
    """Let one of Numba's questions about two sets also be one about a constant set."""
    plain = original(function)
    replace(function, lambda a, b: made(a, b) if with_constant(a, b) else plain(a, b))


for _function, _by in (
    (setobj.impl_set_difference, _difference),
    (setobj.set_intersection, _common),
    (setobj.set_symmetric_difference, _exclusive),
    (setobj.set_union, _union),
):
    replace(_function, _by)
for _operator, _made in (
    (operator.ior, constant_sets.update),
    (operator.isub, constant_sets.remove),
    (operator.ixor, constant_sets.exchange),
):
    _in_place(_operator, _made)
for _function, _made in (
    (setobj.set_issubset, constant_sets.is_within),
    (setobj.set_issuperset, constant_sets.is_around),
    (setobj.set_lt, constant_sets.is_strictly_within),
    (setobj.set_gt, constant_sets.is_strictly_around),
    (setobj.set_eq, constant_sets.is_equal),
    (setobj.set_ne, constant_sets.is_different),
    (setobj.set_isdisjoint, constant_sets.is_apart),
):
    _asking(_function, _made)
for _name, _method in {
    "issubset": constant_sets.is_within,
    "issuperset": constant_sets.is_around,
    "isdisjoint": constant_sets.is_apart,
    "union": constant_sets.union,
    "intersection": constant_sets.common,
    "difference": constant_sets.remaining,
    "symmetric_difference": constant_sets.exclusive,
}.items():
    _teach(_name, _method)
