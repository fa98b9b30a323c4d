"""`isinstance`, `is` and `type(x) is C` in compiled code, which knows types, not objects.

What a type leaves open is refused: whether a value that is a truth value on one path and a number
on another is a `bool`, and whether two equal numbers or tuples are one object.
"""

from __future__ import annotations

import collections
from typing import Any

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.typing.builtins import CmpOpIdentity
from numba.core.typing.templates import signature
from numba.cpython import builtins

from prunus.core.bits import u64, u128, u256
from prunus.kernel.boards.packed import Packed
from prunus.kernel.boards.state_making import StateClassType
from prunus.kernel.containers.choices import Choice
from prunus.kernel.containers.classes import ClassType
from prunus.kernel.containers.deques import DequeType
from prunus.kernel.containers.enums import EnumClass
from prunus.kernel.containers.hashes import replace
from prunus.kernel.containers.known_tables import TableType
from prunus.kernel.containers.local_lists import LocalList
from prunus.kernel.numbers.integers import (
    EITHER,
    LONG,
    MASK,
    TRUTH_OR_EITHER,
    TRUTH_OR_INT,
    U64,
)
from prunus.kernel.numbers.wide import Wide

_NUMBERS: dict[Any, tuple[type, ...]] = {
    TRUTH_OR_INT: (bool, int),
    TRUTH_OR_EITHER: (bool, int, u64),
    EITHER: (int, u64),
    MASK: (int,),
    LONG: (int,),
    U64: (u64,),
    types.float64: (float,),
}

_OTHERS: tuple[tuple[Any, type], ...] = (
    (types.Boolean, bool),
    (types.NoneType, type(None)),
    (types.UnicodeType, str),
    (types.RangeType, range),
    (types.Set, set),
    (DequeType, collections.deque),
    (types.List, list),
    (LocalList, list),
    (types.DictType, dict),
    (Packed, tuple),
    (types.BaseTuple, tuple),
)
"""The Python classes of the values of other types; the first that fits."""

_ORIGINS = {"tuple": tuple, "list": list, "range": range}


def classes_of(kind: Any) -> tuple[type, ...]:
    """The Python classes that a value of this type may have; none if they are not known."""
    kind = types.unliteral(kind)
    if kind in _NUMBERS:
        return _NUMBERS[kind]
    if isinstance(kind, types.EnumMember | types.IntEnumMember | types.BaseNamedTuple):
        return (kind.instance_class,)
    if isinstance(kind, Wide):
        return ({128: u128, 256: u256}[kind.bits],) if kind.is_unsigned else (int,)
    if isinstance(kind, types.Integer):
        return (int,) if kind.signed and kind.bitwidth == 64 else ()
    if isinstance(kind, types.Optional):
        inner = classes_of(kind.type)
        return (*inner, type(None)) if inner else ()
    if isinstance(kind, TableType):
        return (_ORIGINS[kind.origin],) if kind.origin in _ORIGINS else ()
    return next(((cls,) for of, cls in _OTHERS if isinstance(kind, of)), ())


def named_classes(kind: Any) -> tuple[type, ...]:
    """The classes that an expression of this type names, one or a tuple of them; none if it names
    something else."""
    if isinstance(kind, types.BaseTuple):
        parts = [named_classes(part) for part in kind]
        return tuple(cls for part in parts for cls in part) if all(parts) else ()
    if isinstance(kind, types.NumberClass):
        found = classes_of(kind.instance_type)
        return found if len(found) == 1 else ()
    if isinstance(kind, types.NamedTupleClass | EnumClass):
        return (kind.instance_class,)
    named: Any = kind.cls if isinstance(kind, StateClassType | ClassType) else None
    if isinstance(kind, types.Function):
        named = kind.typing_key
    return (named,) if isinstance(named, type) else ()


def _is_instance(var: Any, typs: Any) -> Any:
    wanted, found = named_classes(typs), classes_of(var)
    if not wanted or not found:
        raise errors.TypingError(
            f"isinstance() of {var} cannot be compiled here: its class is only known in Python"
        )
    if found == (set,):
        found = (set, frozenset)  # which are one type
    if bool in found and len(found) > 1:
        # Also the type of a member of some enumeration on one path.
        found = (*found, *(cls for cls in wanted if issubclass(cls, int)))
    answers = {issubclass(cls, wanted) for cls in found}
    if answers == {True}:
        return lambda var, typs: True
    if answers == {False}:
        return lambda var, typs: False
    if isinstance(var, types.Optional):
        inner = {issubclass(cls, wanted) for cls in classes_of(var.type)}
        if inner == {True}:
            return lambda var, typs: var is not None
        if inner == {False}:
            return lambda var, typs: var is None
    raise errors.TypingError(
        f"isinstance() of {var} cannot be compiled: it is not known which of these it is"
    )


replace(builtins.ol_isinstance, _is_instance)


_WITH_IDENTITY = (types.List, types.Set, types.DictType, types.Array)
_FUNCTIONS = (types.Callable, Choice)


def _may_compare(left: Any, right: Any) -> bool:
    """Whether the types alone, or the machine's addresses, tell if both are the same object."""
    nothing = (types.NoneType, types.Omitted)
    if isinstance(left, nothing) or isinstance(right, nothing):
        return True
    if isinstance(left, types.Boolean) and isinstance(right, types.Boolean):
        return True
    members = types.EnumMember | types.IntEnumMember
    if isinstance(left, members) and isinstance(right, members):
        return left == right
    if isinstance(left, _WITH_IDENTITY) and isinstance(right, _WITH_IDENTITY):
        return True
    if named_classes(left) or named_classes(right):
        return len(named_classes(left)) == len(named_classes(right)) == 1
    return isinstance(left, _FUNCTIONS) or isinstance(right, _FUNCTIONS)


def _typed(self: Any, args: Any, kws: Any) -> Any:
    left, right = args
    if not _may_compare(left, right):
        raise errors.TypingError(
            "`is` asks whether two things are one object, which compiled code does not know of "
            f"{left} and {right}: write `==`"
        )
    return signature(types.boolean, left, right)


CmpOpIdentity.generic = _typed

_numbas_is = type(builtins.generic_is)(
    builtins.generic_is.__code__, builtins.generic_is.__globals__, "generic_is"
)


def _is(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """The value of `is` where no more specific code is known."""
    left, right = map(named_classes, sig.args)
    if left and right:
        return ir.Constant(ir.IntType(1), int(left == right))
    if sig.args[0] != sig.args[1]:
        return cgutils.false_bit
    return _numbas_is(context, builder, sig, args)


replace(builtins.generic_is, _is)
replace(builtins.opaque_is, _is)
