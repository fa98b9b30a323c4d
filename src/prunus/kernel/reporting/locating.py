"""From an error raised in rules, interpreted or compiled, to the source line that raised it."""

from __future__ import annotations

import ctypes
import os
import sys
import types
import weakref
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

E = TypeVar("E", bound=BaseException)

PREFIX = "prunus:"
"""The prefix of the file names that stand for places in compiled code; the module's name
follows."""

THE_NUMBER = "the number given"
"""Stands in messages of compiled code for a number that is known only when they are raised."""

GIVEN = (ctypes.c_uint64 * 5)()
"""Where compiled code stores that number, with its sign."""

_OWN = str(Path(__file__).resolve().parents[2])
_RULES = str(Path(_OWN, "games"))

_codes: weakref.WeakValueDictionary[tuple[str, str], types.CodeType] = weakref.WeakValueDictionary()


def remember(function: Any) -> None:
    """Remember which code the module and the name of a function being compiled refer to."""
    _codes[function.__module__, function.__qualname__] = function.__code__


@lru_cache(maxsize=4096)
def line_ranks(code: types.CodeType) -> dict[int, int]:
    """Line -> its rank among the lines that have code, those of inner functions included. Comments
    and blank lines do not change ranks."""
    return {line: rank for rank, line in enumerate(sorted(set(_lines(code))))}


def _lines(code: types.CodeType) -> Iterator[int]:
    yield from (line for *_, line in code.co_lines() if line is not None)
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _lines(inner)


def _code(module: str, qualname: str) -> types.CodeType | None:
    found: Any = sys.modules.get(module)
    for name in qualname.split("."):
        members = vars(found) if found is not None and hasattr(found, "__dict__") else {}
        found = members.get(name)
    while not isinstance(found, types.FunctionType) or hasattr(found, "__wrapped__"):
        inner = (
            getattr(found, "__wrapped__", None)
            or getattr(found, "__func__", None)
            or getattr(found, "fget", None)
        )
        if inner is None:
            return _codes.get((module, qualname))
        found = inner
    return found.__code__


def _place(frame_code: types.CodeType, line: int) -> tuple[str, int, str] | None:
    """File, line and function of a frame; None if they cannot be determined."""
    if not frame_code.co_filename.startswith(PREFIX):
        return frame_code.co_filename, line, frame_code.co_name
    code = _code(frame_code.co_filename.removeprefix(PREFIX), frame_code.co_name)
    if code is None:
        return None
    lines = {rank: number for number, rank in line_ranks(code).items()}
    return code.co_filename, lines.get(line, code.co_firstlineno), code.co_name


def _frame(
    file: str, line: int, name: str, following: types.TracebackType | None
) -> types.TracebackType:
    """A traceback entry that shows this line."""
    # The frame of a generator that has not begun knows no caller. Any other would know this one's
    # callers, who know the error and the search: a circle.
    made = compile("def shown():\n    yield", file, "exec").co_consts[0]
    shown = types.FunctionType(made.replace(co_name=name, co_qualname=name), {})
    return types.TracebackType(following, shown().gi_frame, -1, line)


_TOLD = "_prunus_place"
_PLAIN = (OverflowError, ZeroDivisionError, IndexError, ValueError)


def located(error: E) -> E:
    """The same error with its place added: "(FILE:LINE, in METHOD)" at the end of the message of
    Python's own errors, or as a note on all others. Frames of compiled code become traceback
    entries that show the source."""
    if hasattr(error, _TOLD) or not isinstance(error, Exception):
        return error
    _name_number(error)
    place = None
    entries: list[types.TracebackType] = []
    entry = error.__traceback__
    while entry is not None:
        entries.append(entry)
        entry = entry.tb_next
    for i, entry in enumerate(entries):
        code = entry.tb_frame.f_code
        found = _place(code, entry.tb_lineno)
        if found is None:
            continue
        if code.co_filename.startswith(PREFIX):
            shown = _frame(*found, entry.tb_next)
            if i:
                entries[i - 1].tb_next = shown
            else:
                error.__traceback__ = shown
        if _is_of_rules(found[0]):
            place = found
    if place is not None:
        _tell(error, f"{place[0]}:{place[1]}, in {place[2]}")
    return error


def _name_number(error: Exception) -> None:
    """Put the refused number into the message of an error raised by compiled code."""
    is_plain = type(error) in (OverflowError, ValueError) and len(error.args) == 1
    text = error.args[0] if is_plain else None
    if isinstance(text, str) and THE_NUMBER in text:
        error.args = (
            text.replace(THE_NUMBER, str(int.from_bytes(bytes(GIVEN), "little", signed=True))),
        )


def _is_of_rules(file: str) -> bool:
    """Whether a source file is neither Prunus's own nor Numba's."""
    return (
        not file.startswith(_OWN) or file.startswith(_RULES)
    ) and f"{os.sep}numba{os.sep}" not in file


def _tell(error: Exception, place: str) -> None:
    error.__dict__[_TOLD] = place
    if type(error) in _PLAIN and len(error.args) == 1 and isinstance(error.args[0], str):
        error.args = (f"{error.args[0]} ({place})",)
    else:
        error.add_note(place)
