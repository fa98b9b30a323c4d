"""The methods of a game and what they are given."""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Final

from prunus.core.errors import PrunusError

OURS: Final = "prunus.core."
"""Begins the names of the modules whose classes say what a method is given."""

CHECKED: Final = frozenset(
    (
        *("initial", "actions", "result", "is_terminal", "utility", "utilities", "to_move"),
        *("key", "canonical", "evaluate", "format", "parse", "action_name"),
    )
)
"""The methods whose parameters are compared. A method that has the name of another one, which a
game need not define, may be a helper of its own."""


class MethodError(PrunusError, TypeError):
    """A class of rules with a method that Prunus cannot call; the message says what the method is
    given and what it returns."""


def check_methods(cls: type) -> None:
    """Raise `MethodError` if one of the `CHECKED` methods in the body of a class takes other
    parameters than the one that it replaces."""
    for name, method in vars(cls).items():
        if name not in CHECKED or not isinstance(method, FunctionType):
            continue
        promised = _promised(cls, name)
        if promised is not None and not _takes(method, promised.__code__.co_argcount):
            raise MethodError(_refusal(cls, name, method, promised))


def call_of(method: FunctionType) -> str:
    """How a method is called, as people write it: `result(state, action)`."""
    code = method.__code__
    return f"{method.__name__}({', '.join(code.co_varnames[1 : code.co_argcount])})"


def _promised(cls: type, name: str) -> FunctionType | None:
    """The method of ours that a class replaces."""
    for base in cls.__mro__[1:]:
        method = vars(base).get(name)
        if isinstance(method, FunctionType) and base.__module__.startswith(OURS):
            return method
    return None


def _takes(method: FunctionType, count: int) -> bool:
    """Whether a function can be called with this number of arguments by position."""
    code = method.__code__
    names = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    if any(name not in (method.__kwdefaults__ or {}) for name in names):
        return False
    most = count if code.co_flags & inspect.CO_VARARGS else code.co_argcount
    return code.co_argcount - len(method.__defaults__ or ()) <= count <= most


def _refusal(cls: type, name: str, method: FunctionType, promised: FunctionType) -> str:
    """What is wrong with a method, where it stands, and what it has to be."""
    code = method.__code__
    taken = str(inspect.signature(method, follow_wrapped=False))
    meaning = inspect.cleandoc(promised.__doc__ or "").partition("\n\n")[0].replace("\n", " ")
    given = ", ".join(("self", *promised.__code__.co_varnames[1 : promised.__code__.co_argcount]))
    return (
        f"{cls.__name__}.{name}{taken} in {code.co_filename}:{code.co_firstlineno} is called as "
        f"{call_of(promised)}: write `def {name}({given})`. {meaning}"
    )
