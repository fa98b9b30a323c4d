"""Watching plain recursive functions: their calls as indented lines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import CodeType, FrameType
from typing import NamedTuple

from prunus.theory.errata.cases import INF


class Run(NamedTuple):
    """A call with everything that it called: a line for each call, with its result, and the result
    of the whole, or the error that ended it."""

    result: object
    lines: list[str]


def text(value: object) -> str:
    """A value, a tree or a path as text."""
    if value is None:
        return "undefined"
    if isinstance(value, list):
        return f"[{' '.join(map(text, value))}]"
    if isinstance(value, float) and abs(value) == INF:
        return "-∞" if value < 0 else "∞"
    return str(value)


def _described(code: CodeType, given: dict[str, object]) -> str:
    """The arguments of a call as text: what it looks at, who moves, the window or the level."""
    parts = [code.co_name]
    for name in ("tree", "node", "depth", "place", "label"):
        if name in given:
            parts.append(text(given[name]))
    for name in ("sign", "is_max", "max_moves"):
        if name in given:
            parts.append("MAX" if given[name] == 1 else "MIN")
    for low, high in (("alpha", "beta"), ("a", "b")):
        if low in given:
            parts.append(f"({text(given[low])}, {text(given[high])})")
    parts += [f"{name} {text(given[name])}" for name in ("bound", "level", "ply") if name in given]
    return " ".join(parts)


def watched(run: Callable[[], object], functions: Sequence[Callable[..., object]]) -> Run:
    """Call `run`, and watch every call of these functions. An exception is the result."""
    codes = {function.__code__ for function in functions}
    lines: list[tuple[int, str, list[str]]] = []
    open_calls: list[tuple[int, str, list[str]]] = []

    def note(frame: FrameType, event: str, given: object) -> None:
        code = frame.f_code
        if code not in codes:
            return
        if event == "call":
            names = code.co_varnames[: code.co_argcount]
            arguments = {name: frame.f_locals[name] for name in names}
            call = (len(open_calls), _described(code, arguments), list[str]())
            lines.append(call)
            open_calls.append(call)
        elif event == "return":
            open_calls.pop()[2].append(text(given))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        result = run()
    except Exception as error:
        result = error
    finally:
        sys.setprofile(before)
    failed = isinstance(result, Exception)
    return Run(
        f"error: {result}" if failed else result,
        [
            f"{'  ' * deep}{said} = {'error' if failed and found == ['undefined'] else found[0]}"
            for deep, said, found in lines
        ],
    )
