"""Functions made by a function, `def maker(): ... return f`, that assign its variables by
`nonlocal`: compiled, each call would begin with the values that the variables had at compile time.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Iterator
from typing import Any

from numba.core import errors, ir

_CHANGING = ("STORE_DEREF", "DELETE_DEREF")


def changed_variables(function: Any) -> list[tuple[str, int]]:
    """The variables of the function around this one that it assigns, with their lines."""
    code = function.__code__
    return list(_changed(code, set(code.co_freevars)))


def _changed(code: types.CodeType, names: set[str]) -> Iterator[tuple[str, int]]:
    for step in dis.get_instructions(code) if names else ():
        if step.opname in _CHANGING and step.argval in names:
            line = step.positions.lineno if step.positions is not None else None
            yield step.argval, line or code.co_firstlineno
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _changed(inner, names & set(inner.co_freevars))


def check_shared(dispatcher: Any) -> None:
    """Make the dispatcher of such a function refuse to compile it."""
    function = dispatcher.py_func
    changed = changed_variables(function)
    if not changed:
        return

    def refused(args: Any, kws: Any) -> Any:
        name, line = changed[0]
        raise errors.TypingError(
            f"{name} keeps its value from one call of {function.__name__} to the next: whatever "
            "changes belongs in the State",
            loc=ir.Loc(function.__code__.co_filename, line),
        )

    dispatcher.get_call_template = refused
