"""The place in a game's source that cannot be compiled: the innermost place in the user's own code
that the compiler names."""

from __future__ import annotations

import dis
import re
import sys
import sysconfig
import traceback
import types as pytypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from prunus.core.game import Game

_PLACE = re.compile(r'File "([^"]+)", line (\d+)|(?:at|from) ([^\s()]+\.py) \((\d+)\)')

_FOREIGN = tuple(
    str(Path(sysconfig.get_path(name)).resolve()) for name in ("stdlib", "purelib", "platlib")
)
_OWN = str(Path(__file__).resolve().parents[2])

_PROTOCOL = frozenset(base.__module__ for base in Game.__mro__ if base is not object)
"""The modules of what every game has."""


class _Span(NamedTuple):
    """The lines of a function."""

    name: str
    file: str
    first: int
    last: int


def where(error: BaseException, text: str, game: Any) -> str:
    """`FILE:LINE, in FUNCTION` for an error of the compiler with this text; empty if it names no
    place in the user's code.

    The text names the innermost place first, then the calls that led there.
    """
    places = [(m[0] or m[2], int(m[1] or m[3])) for m in _PLACE.findall(text)]
    location = getattr(error, "loc", None)
    if location is not None and location.filename:
        places.append((location.filename, location.line))
    places += _being_translated(error)
    spans = list(_spans(game))
    named = _place_of_name(text, game)
    for file, line in [] if named else places:
        within = [
            span for span in spans if _is_same(file, span.file) and span.first <= line <= span.last
        ]
        if within:
            inner = max(within, key=lambda span: span.first)
            return f"{inner.file}:{line}, in {inner.name}"
    return named


def _being_translated(error: BaseException) -> list[tuple[str, int]]:
    """The lines that Numba was translating when it raised an error that names none, innermost
    first: the translating code knows its place."""
    from numba.core import cgutils

    found: list[tuple[str, int]] = []
    for frame, _ in traceback.walk_tb(error.__traceback__):
        translating = frame.f_locals.get("self")
        if isinstance(translating, cgutils._StructProxy):
            continue  # knows no attributes but its fields
        location = getattr(translating, "loc", None)
        if getattr(location, "filename", None):
            found.insert(0, (location.filename, location.line))
    return found


def _is_same(file: str, source: str) -> bool:
    """Whether a file name as the compiler prints it, possibly relative, means this source file."""
    return file == source or (
        not file.startswith(("/", "<"))
        and source.replace("\\", "/").endswith("/" + file.lstrip("./"))
    )


def _place_of_name(text: str, game: Any) -> str:
    """The place of an undefined name, since the error itself names no line."""
    undefined = re.search(r"NameError: name '(\w+)' is not defined", text)
    for function in _functions(game) if undefined else ():
        for instruction in dis.get_instructions(function):
            if (
                undefined
                and instruction.opname == "LOAD_GLOBAL"
                and instruction.argval == undefined[1]
            ):
                line = (
                    instruction.positions.lineno
                    if instruction.positions
                    else function.__code__.co_firstlineno
                )
                return f"{function.__code__.co_filename}:{line}, in {function.__name__}"
    return ""


def _modules(game: Any) -> Iterator[Any]:
    """The modules of a game's classes, and all that belong neither to Python, nor to installed
    packages, nor to Prunus."""
    ours = {base.__module__ for base in type(game).__mro__} - _PROTOCOL
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if (
            isinstance(file, str)
            and (name in ours or not str(Path(file).resolve()).startswith((*_FOREIGN, _OWN)))
        ) or name in ours:
            yield module


def _functions(game: Any) -> Iterator[pytypes.FunctionType]:
    """The functions of the game's classes, then those of those modules and of the classes in
    them."""
    for holder in (*type(game).__mro__, *_modules(game)):
        if getattr(holder, "__module__", "") not in _PROTOCOL:
            yield from _in(holder, 3)


def _in(holder: Any, depth: int) -> Iterator[pytypes.FunctionType]:
    for value in list(vars(holder).values()):
        function = (
            value.fget
            if isinstance(value, property)
            else getattr(value, "__wrapped__", getattr(value, "__func__", value))
        )
        if isinstance(function, pytypes.FunctionType) and not _is_generated(holder, function):
            yield function
        elif (
            isinstance(value, type)
            and depth
            and value.__module__ == getattr(holder, "__module__", getattr(holder, "__name__", ""))
        ):
            yield from _in(value, depth - 1)


def _is_generated(holder: Any, function: pytypes.FunctionType) -> bool:
    """Whether Python generated a method of a dataclass or a NamedTuple: its lines are those of a
    text `<string>`, as lines of rules may be too."""
    is_record = hasattr(holder, "__dataclass_fields__") or hasattr(holder, "_fields")
    return (
        is_record
        and function.__code__.co_filename == "<string>"
        and function.__name__.startswith("_")
    )


def _spans(game: Any) -> Iterator[_Span]:
    for function in _functions(game):
        code = function.__code__
        lines = [line for inner in _codes(code) for *_, line in inner.co_lines() if line]
        yield _Span(
            function.__name__,
            code.co_filename,
            code.co_firstlineno,
            max(lines, default=code.co_firstlineno),
        )


def _codes(code: pytypes.CodeType) -> Iterator[pytypes.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, pytypes.CodeType):
            yield from _codes(constant)
