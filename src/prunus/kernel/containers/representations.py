"""Values as texts: `repr()`, and with it `str()` and f-strings, of what compiled code knows."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.registry import cpu_target
from numba.cpython import builtins
from numba.extending import overload, register_jitable

from prunus.kernel.boards.packed import Packed
from prunus.kernel.containers.deques import DequeType
from prunus.kernel.containers.hashes import replace
from prunus.kernel.containers.known_tables import TableType
from prunus.kernel.containers.local_lists import LocalList
from prunus.kernel.containers.member_texts import has_text, member_text
from prunus.kernel.containers.row_lists import RowLists
from prunus.kernel.numbers.integers import EITHER, LONG, MASK, U64
from prunus.kernel.numbers.wide import Wide
from prunus.kernel.numbers.wide_functions import as_index
from prunus.kernel.reporting.raising import NO_TEXT
from prunus.kernel.reporting.special import is_defined

_NO_TEXT = (
    f"{NO_TEXT} an integer, a truth value, a text, or a tuple, list or record of these cannot be "
    "made by compiled code"
)
_NO_REPR = f"{NO_TEXT} a text with quotes, backslashes or other special letters cannot be made"


def _repr(obj):
    if isinstance(obj, types.NoneType | types.Optional):
        return lambda obj: str(obj)  # noqa: PLW0108 - Numba compiles the lambda
    if isinstance(obj, types.UnicodeType):
        return _quoted
    if has_text(obj, "__repr__"):
        return lambda obj: member_text(obj, "__repr__")
    if cpu_target.typing_context.resolve_getattr(obj, "__repr__") is not None:
        return lambda obj: obj.__repr__()
    if obj in (U64, MASK) or (isinstance(obj, Wide) and obj.form in ("u", "natural")):
        return _unsigned
    if obj in (LONG, EITHER):
        return _signed
    if isinstance(obj, types.BaseTuple) and not isinstance(obj, types.UniTuple):
        return _of_parts(obj)
    if isinstance(obj, types.DictType):
        return _of_dictionary
    brackets = _brackets(obj)
    if brackets:
        return _of_items(*brackets)
    return _stop


def _stop(obj):
    # A rule may make such a text for an error only, which no search meets.
    made = ""
    if len(made) == 0:
        raise ValueError(_NO_TEXT)
    return made


def _brackets(kind: Any) -> str:
    """What stands around the items of a tuple or list of this type; nothing for others."""
    if isinstance(kind, TableType):
        return {"tuple": "()", "list": "[]"}.get(kind.origin, "")
    if isinstance(kind, DequeType):
        return ""
    if isinstance(kind, types.List | LocalList | RowLists):
        return "[]"
    return "()" if isinstance(kind, types.UniTuple | Packed) else ""


def _of_items(first: str, last: str) -> Any:
    of_one = ",)" if last == ")" else last

    def text(obj):
        made = first
        for item in obj:
            if len(made) > 1:
                made += ", "
            made += repr(item)
        return made + (of_one if len(obj) == 1 else last)

    return text


def _of_dictionary(obj):
    made = "{"
    for key in obj:
        if len(made) > 1:
            made += ", "
        made += repr(key) + ": " + repr(obj[key])
    return made + "}"


def _of_parts(kind: Any) -> Any:
    """For a tuple of different items, or a record."""
    if not isinstance(kind, types.BaseNamedTuple):
        last = ",)" if len(kind) == 1 else ")"
        return lambda obj: "(" + _from_part(obj, 0) + last
    cls = kind.instance_class
    if any(is_defined(cls, name) for name in ("__repr__", "__str__")):
        return _stop
    first = f"{cls.__name__}("
    return lambda obj: first + _from_part(obj, 0) + ")"


def _from_part(obj, i):
    """The text of the items of a tuple of different ones, or of a record, from place `i` on."""
    raise NotImplementedError


@overload(_from_part, prefer_literal=True)
def _text_from_part(obj, i):
    if not isinstance(i, types.IntegerLiteral):  # as Numba tries where the first way fails
        return None
    place, count = i.literal_value, len(obj)
    if place >= count:
        return lambda obj, i: ""
    label = f"{obj.fields[place]}=" if isinstance(obj, types.BaseNamedTuple) else ""
    if place == count - 1:
        return lambda obj, i: label + repr(obj[place])
    after = place + 1
    return lambda obj, i: label + repr(obj[place]) + ", " + _from_part(obj, after)


def _quoted(obj):
    for letter in obj:
        if not 32 <= ord(letter) < 127 or letter in "'\\":
            raise ValueError(_NO_REPR)
    return "'" + obj + "'"


def _signed(obj):
    return "-" + _unsigned(-obj) if obj < 0 else _unsigned(obj)


@register_jitable
def _unsigned(obj):
    made = "0123456789"[as_index(obj % 10)]
    rest = obj // 10
    while rest:
        made = "0123456789"[as_index(rest % 10)] + made
        rest //= 10
    return made


replace(builtins.ol_repr_generic, _repr)
