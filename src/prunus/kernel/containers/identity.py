"""`isinstance`, `is` and `type(x) is C` in compiled code, which knows types, not objects.

What a type leaves open is refused: whether a value that is a truth value on one path and a number
on another is a `bool`, and whether two equal numbers or tuples are one object.
"""

from __future__ import annotations

import collections
import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.typing.builtins import CmpOpIdentity, TypeBuiltin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.cpython import builtins
from numba.extending import lower_builtin

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
from prunus.kernel.pipeline.inference import is_ours

_NUMBERS: dict[Any, tuple[type, ...]] = {
    TRUTH_OR_INT: (bool, int),
    TRUTH_OR_EITHER: (bool, int, u64),
    EITHER: (int, u64),
    MASK: (int,),
    LONG: (int,),
    U64: (u64,),
    # Or what was one on another path: both are floats in compiled code.
    types.float64: (bool, int, float),
}

_OTHERS: tuple[tuple[Any, type], ...] = (
    (types.Boolean, bool),
    (types.NoneType, type(None)),
    (types.UnicodeType, str),
    (types.RangeType, range),
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
    if isinstance(kind, types.Set):
        return (frozenset if kind.reflected else set,)
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


def belongs(kind: Any, wanted: tuple[type, ...]) -> set[bool]:
    """The answers that `isinstance` may give for values of this type; none if they are not
    known."""
    found = classes_of(kind)
    if bool in found and int in found:
        # Also the type of a member of some enumeration on one path.
        found = (*found, *(cls for cls in wanted if issubclass(cls, int)))
    return {issubclass(cls, wanted) for cls in found}


def _is_instance(var: Any, typs: Any) -> Any:
    wanted = named_classes(typs)
    answers = belongs(var, wanted) if wanted else set()
    if not answers:
        raise errors.TypingError(
            f"isinstance() of {var} cannot be compiled here: its class is only known in Python"
        )
    if answers == {True}:
        return lambda var, typs: True
    if answers == {False}:
        return lambda var, typs: False
    if isinstance(var, types.Optional):
        inner = belongs(var.type, wanted)
        if inner == {True}:
            return lambda var, typs: var is not None
        if inner == {False}:
            return lambda var, typs: var is None
    raise errors.TypingError(
        f"isinstance() of {var} cannot be compiled: it is not known which of these it is"
    )


replace(builtins.ol_isinstance, _is_instance)


_plain_class = TypeBuiltin.generic


def _class_of(self: Any, args: Any, kws: Any) -> Any:
    """The type of `type(x)`: Numba takes what may be None for what it is otherwise."""
    if len(args) != 1 or kws or not is_ours():
        return _plain_class(self, args, kws)
    found = classes_of(args[0])
    if len(set(found)) > 1 or found == (set,):
        raise errors.TypingError(
            f"type() of {args[0]} cannot be compiled, since it may be one of several: write "
            "`isinstance(x, C)`, or `x is None`"
        )
    made = _plain_class(self, args, kws)
    return signature(ClassType(found[0]), *args) if made is None and found else made


TypeBuiltin.generic = _class_of


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


def _teach_equality(name: Any) -> None:
    """`type(x) == C` is `type(x) is C`."""
    key = f"prunus {name.__name__} of classes"

    @infer_global(name)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            named = [named_classes(kind) for kind in args if not isinstance(kind, types.BaseTuple)]
            are_classes = len(named) == 2 and all(len(classes) == 1 for classes in named)
            return signature(types.boolean, *args) if are_classes else None

        def get_impl_key(self, sig: Any) -> Any:
            return key

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        same = named_classes(sig.args[0]) == named_classes(sig.args[1])
        return ir.Constant(ir.IntType(1), int(same is (name is operator.eq)))

    lower_builtin(key, types.Any, types.Any)(lower)


_teach_equality(operator.eq)
_teach_equality(operator.ne)

replace(builtins.generic_is, _is)
replace(builtins.opaque_is, _is)
