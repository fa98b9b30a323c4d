"""Refusal of classes that define special methods (`__eq__`, `__len__`, `__add__`, ...), where
compiled code has an operation of its own for their values and would not call the method."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import Enum
from types import FunctionType
from typing import Any

from numba.core import errors, ir

_HARMLESS = frozenset(
    (
        "__annotate__",
        "__annotate_func__",
        "__class_getitem__",
        "__copy__",
        "__deepcopy__",
        "__dir__",
        "__getnewargs__",
        "__getstate__",
        "__init__",
        "__init_subclass__",
        "__new_member__",
        "__reduce__",
        "__reduce_ex__",
        "__replace__",
        "__repr__",
        "__setstate__",
        "__sizeof__",
        "__str__",
    )
)
"""Special methods that do not change what a value is or what operators do with it."""

_FOREIGN = frozenset((*sys.stdlib_module_names, "builtins", "numba", "numpy", "prunus"))

_GENERATED = ("collections", "enum", "namedtuple_", "prunus.", "typing")
"""How the modules of methods begin that Python or Prunus adds to a class."""


def own_members(cls: type) -> Iterator[tuple[type, str, Any]]:
    """The members that the user's own classes among the bases define: class, name and member."""
    for base in cls.__mro__:
        if base.__module__.partition(".")[0] not in _FOREIGN or base.__module__.startswith(
            "prunus.games."
        ):
            for name, member in vars(base).items():
                function = getattr(member, "__func__", member)
                if not str(getattr(function, "__module__", "")).startswith(_GENERATED):
                    yield base, name, member


def defined(cls: type, name: str) -> Any:
    """A member that the user's own classes define; None if there is none."""
    return next((member for _, known, member in own_members(cls) if known == name), None)


def is_defined(cls: type, name: str) -> bool:
    """Whether the user's own classes define a member, which may be None."""
    return any(known == name for _, known, _ in own_members(cls))


def check_special(cls: type) -> None:
    """Raise TypingError, at the method's line, if the values of a class (a record, an enumeration,
    numbers of its own) are not what compiled code takes them for."""
    for base, name, member in own_members(cls):
        if name == "__new__":
            # An enumeration's members and constants exist already; a record's own is generated.
            is_special = hasattr(cls, "_fields") and "_fields" not in vars(base)
        else:
            is_special = _is_special(cls, base, name, member)
        if is_special:
            function = getattr(member, "fget", getattr(member, "__func__", member))
            code = getattr(function, "__code__", None)
            raise errors.TypingError(
                f"{cls.__qualname__} defines {name}, which compiled code would not call: write a "
                "method with a name of its own",
                loc=code and ir.Loc(code.co_filename, code.co_firstlineno),
            )


class WrongClass(errors.TypingError, ValueError):
    """A number or text is of a class of the user's own. As a ValueError it gets the line that uses
    the constant: Numba adds it to these alone."""


def check_class(cls: type) -> None:
    """Raise WrongClass if numbers or texts are of a class of the user's own, which compiled code
    would take for Python's: `type(n) is int` is false of them, and their class may have methods."""
    if any(own_members(cls)) and not issubclass(cls, Enum):
        kind = next(base.__name__ for base in cls.__mro__ if base.__module__ == "builtins")
        raise WrongClass(
            f"the class {cls.__qualname__} is derived from {kind}, and compiled code would take "
            f"its values for plain ones: write {kind}(...) around them, or an IntEnum"
        )


def _is_special(cls: type, base: type, name: str, member: Any) -> bool:
    if name == "__format__":
        # Python gives those of numbers and texts to enumerations that are such.
        return isinstance(member, FunctionType)
    if name.startswith("__"):
        return callable(member) and name.endswith("__") and name not in _HARMLESS
    if name in getattr(cls, "_fields", ()):
        return "_fields" not in vars(base)
    return name in ("value", "_value_", "_missing_") and hasattr(cls, "__members__")
