"""Operations of constant sets, and of a constant set and one that rules make. What they make has
the order that it has in Python (`Objects/setobject.c`): the functions below take the items in the
same order, and make the same room for them."""

from __future__ import annotations

from typing import Any

from numba.core import errors, types
from numba.cpython.setobj import SetInstance
from numba.extending import intrinsic

from prunus.kernel.containers.frozen_sets import like
from prunus.kernel.containers.known_tables import MappingType
from prunus.kernel.containers.stack_sets import StackSet
from prunus.kernel.reporting.raising import fail_if


def is_constant_set(kind: Any) -> bool:
    """Whether a type is that of a constant set."""
    return isinstance(kind, MappingType) and kind.is_set


def with_constant(left: Any, right: Any) -> bool:
    """Whether these are types of sets, and one of them of a constant set."""
    sides = left, right
    sets = [isinstance(side, types.Set | StackSet) or is_constant_set(side) for side in sides]
    return all(sets) and any(map(is_constant_set, sides))


def _item_of(kind: Any) -> Any:
    return kind.key_type if isinstance(kind, MappingType) else kind.dtype


def check_items(left: Any, right: Any) -> None:
    """Raise TypingError for sets of different kinds of items."""
    one, other = _item_of(left), _item_of(right)
    if one != other or StackSet in map(type, (left, right)):
        raise errors.TypingError(
            f"a constant set is combined with one whose items are of another type: {one} and "
            f"{other}"
        )
    for side in (left, right):
        if is_constant_set(side):
            side.iterator_type  # noqa: B018 - raises if its order is not known


@intrinsic
def _empty(typingctx, kind):
    """A new set for items like those of `kind`."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return SetInstance.allocate(context, builder, sig.return_type).value

    return types.Set(_item_of(kind))(kind), lower


def _may_be_one(one, other):
    """Whether two constant sets may be the same set: they have the same items in one order."""
    if len(one) != len(other) or len(one) == 0:
        return False
    for i in range(len(one)):  # noqa: SIM110 - Numba compiles the loop
        if one._keys[i] != other._keys[i]:
            return False
    return True


def _copies_are_alike(items):
    """Whether a copy of a constant set is like a set to which its items are added one by one."""
    if len(items) > 4:
        return False
    for i in range(len(items)):  # noqa: SIM110 - Numba compiles the loop
        if items._keys[i] != items._adding[i]:
            return False
    return True


_UNKNOWN = (
    "a constant set is combined with one that has the same items in the same order: whether it is "
    "the same set, which Python would copy, is not known in compiled code"
)


@intrinsic
def _stop_if(typingctx, is_unknown):
    """Raise the error that says so; no handler catches it, as Python does not raise it."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        fail_if(context, builder, args[0], RuntimeError, _UNKNOWN)
        return context.get_dummy_value()

    return types.none(types.boolean), lower


def common(a, b):
    """`a & b`: of the smaller set, what the other has, too."""
    check_items(a, b)
    are_constant = is_constant_set(a) and is_constant_set(b)

    def made(a, b):
        if are_constant:
            _stop_if(_may_be_one(a, b) and not _copies_are_alike(a))
        found = _empty(a)
        if len(b) > len(a):
            for item in a:
                if item in b:
                    found.add(item)
        else:
            for item in b:
                if item in a:
                    found.add(item)
        return like(a, found)

    return made


def remaining(a, b):
    """`a - b`: from a copy of what is much larger, the items of the other are removed."""
    check_items(a, b)

    def made(a, b):
        if len(a) >> 2 > len(b):
            found = set(a)
            found.difference_update(set(b))
            return like(a, found)
        found = _empty(a)
        for item in a:
            if item not in b:
                found.add(item)
        return like(a, found)

    return made


def union(a, b):
    """`a | b`: a copy to which the other is added."""
    check_items(a, b)
    are_constant = is_constant_set(a) and is_constant_set(b)

    def made(a, b):
        if are_constant:
            _stop_if(len(a) > 2 and _may_be_one(a, b))
        found = set(a)
        found.update(b)
        return like(a, found)

    return made


def exclusive(a, b):
    """`a ^ b`: a copy of `b`, to which the items of `a` are added, or from which they are
    removed."""
    check_items(a, b)

    def made(a, b):
        found = set(b)
        for item in a:
            if item in found:
                found.discard(item)
            else:
                found.add(item)
        return like(a, found)

    return made


def update(a, b):
    """`a |= b` with a constant set `b`."""
    check_items(a, b)

    def changed(a, b):
        a.update(b)
        return a

    return changed


def remove(a, b):
    """`a -= b`."""
    check_items(a, b)

    def changed(a, b):
        a.difference_update(set(b))
        return a

    return changed


def exchange(a, b):
    """`a ^= b`."""
    check_items(a, b)

    def changed(a, b):
        for item in b:
            if item in a:
                a.discard(item)
            else:
                a.add(item)
        return a

    return changed


def is_within(a, b):
    """`a <= b`; the loop is over the constant set, of which every set tells what it has."""
    if is_constant_set(a):

        def within(a, b):
            if len(a) > len(b):
                return False
            for item in a._keys:  # noqa: SIM110 - Numba compiles the loop
                if item not in b:
                    return False
            return True

    else:

        def within(a, b):
            if len(a) > len(b):
                return False
            found = 0
            for item in b._keys:
                if item in a:
                    found += 1
            return found == len(a)

    return within


def is_around(a, b):
    """`a >= b`."""
    return lambda a, b: b <= a


def is_strictly_within(a, b):
    """`a < b`."""
    return lambda a, b: len(a) < len(b) and a <= b


def is_strictly_around(a, b):
    """`a > b`."""
    return lambda a, b: len(b) < len(a) and b <= a


def is_equal(a, b):
    """`a == b`."""
    return lambda a, b: len(a) == len(b) and a <= b


def is_different(a, b):
    """`a != b`."""
    return lambda a, b: not (len(a) == len(b) and a <= b)


def is_apart(a, b):
    """`a.isdisjoint(b)`."""
    if not is_constant_set(a):
        return lambda a, b: b.isdisjoint(a)

    def apart(a, b):
        for item in a._keys:  # noqa: SIM110 - Numba compiles the loop
            if item in b:
                return False
        return True

    return apart
