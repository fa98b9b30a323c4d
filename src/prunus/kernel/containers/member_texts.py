"""The texts of an enumeration's members: their names, and what `str()` and `repr()` give."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from types import FunctionType
from typing import Any, Final

from numba.core import errors, types
from numba.core.typing import signature
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_getattr, overload

from prunus.kernel.code.dispatchers import rely_on
from prunus.kernel.containers.enums import IntEnumMember, member_attribute
from prunus.kernel.reporting.special import defined

_TEXTS: Final[dict[str, Callable[[Any], str]]] = {
    "__str__": str,
    "__repr__": repr,
    "name": attrgetter("name"),
}


def member_text(member, special):
    """What `str()` ("__str__") or `repr()` ("__repr__") of a member is, or its name ("name"), where
    `has_text` is true."""
    raise NotImplementedError


def has_text(kind: Any, special: str) -> bool:
    """Whether compiled code knows such texts of members of this type: the enumeration has no method
    or attribute for it, and the values of its members can be compared."""
    compared = types.Integer | types.Boolean | types.UnicodeType
    is_plain = isinstance(kind, types.EnumMember) and isinstance(kind.dtype, compared)
    return is_plain and not _is_own(kind.instance_class, special)


def _is_own(cls: type, special: str) -> bool:
    """Whether an enumeration has a method or attribute of its own. Those for texts that Python
    gives to enumerations of numbers or texts are written in C."""
    found = defined(cls, special)
    return found is not None and (special == "name" or isinstance(found, FunctionType))


@overload(member_text, prefer_literal=True)
def _member_text(member, special):
    if not isinstance(special, types.StringLiteral):  # as Numba tries where the first way fails
        return None
    cls = member.instance_class
    rely_on(cls)
    members = tuple(cls)
    texts = tuple(map(_TEXTS[special.literal_value], members))
    if isinstance(member, IntEnumMember):
        values = tuple(map(int, members))

        def of_number(member, special):
            value = int(member)
            for i in range(len(values) - 1):
                if values[i] == value:
                    return texts[i]
            return texts[-1]

        return of_number
    values = tuple(each.value for each in members)

    def of_value(member, special):
        for i in range(len(values) - 1):
            if values[i] == member.value:
                return texts[i]
        return texts[-1]

    return of_value


@infer_getattr
class _Name(AttributeTemplate):
    key = types.EnumMember

    def resolve_name(self, kind: Any) -> Any:
        """The type of a member's name, unless the enumeration has such an attribute itself."""
        rely_on(kind.instance_class)
        if _is_own(kind.instance_class, "name"):
            return None
        if not has_text(kind, "name"):
            raise errors.TypingError(
                f"the names of {kind.instance_class.__qualname__}'s members cannot be compiled, "
                "since their values are neither integers nor texts: compare the members with =="
            )
        return types.unicode_type


@lower_getattr(types.EnumMember, "name")
def _name(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if not has_text(kind, "name"):
        return member_attribute(context, builder, kind, value, "name")
    sig = signature(types.unicode_type, kind)
    return context.compile_internal(
        builder, lambda member: member_text(member, "name"), sig, [value]
    )
