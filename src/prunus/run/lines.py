"""Which line of an algorithm's own source is running when an event of a watched search happens."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import TypeAlias

from prunus.kernel.traced import Procedure

Line = tuple[str, int]
"""The name of a file, without its folder, and the number of a line, from 1."""


def sources_of(procedures: Iterable[Procedure]) -> dict[str, str]:
    """The texts of the files in which some procedures stand, by their names without folders."""
    paths = [Path(each.__code__.co_filename) for each in procedures]
    return {path.name: path.read_text(encoding="utf-8") for path in dict.fromkeys(paths)}


Follower: TypeAlias = "Callable[[FrameType, str, object], Follower | None]"


@cache
def _breaks(path: str) -> frozenset[int]:
    """The lines of a file that leave a loop."""
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    return frozenset(node.lineno for node in ast.walk(tree) if isinstance(node, ast.Break))


class Seen:
    """What one call has done: the `line` that it runs or ended with, the one that last changed its
    best value, and the one that left its loop after the last call of a node."""

    def __init__(self, code: CodeType, line: int) -> None:
        self.code, self.line = code, line
        self.changed: int | None = None
        self.left: int | None = None
        self.best: object = None


class Lines:
    """Follows calls of some procedures. `procedures`: those whose files count; `nodes`: those whose
    lines are followed one by one, with their variable `best` (None: they have none)."""

    def __init__(
        self,
        procedures: Iterable[Procedure],
        nodes: Iterable[Procedure] = (),
        best: str | None = None,
    ) -> None:
        self.files = {each.__code__.co_filename for each in procedures}
        self.codes: set[CodeType] = {each.__code__ for each in nodes}
        self.best = best
        self.calls: dict[FrameType, Seen] = {}
        self.ended: Seen | None = None
        self.given: Line | None = None
        self.given_cut: Line | None = None

    @contextmanager
    def following(self) -> Iterator[None]:
        """A context in which calls of the nodes in this thread are followed. Where a debugger
        follows them already, they are not, and no line is known."""
        if not self.codes:
            yield
            return
        if sys.gettrace() is not None:
            self.files.clear()
            yield
            return
        sys.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(None)
            self.calls.clear()

    def now(self, cut: bool = False) -> Line | None:
        """The line that runs: the one that `at` has given, for cut-offs its own, otherwise that of
        the nearest call in the files; None if there is no such call."""
        if self.given is not None:
            return (self.given_cut if cut else None) or self.given
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename not in self.files:
            frame = frame.f_back
        return None if frame is None else _line(frame.f_code, frame.f_lineno)

    @contextmanager
    def at(self, code: CodeType, line: int | None, cut: int | None = None) -> Iterator[None]:
        """A context in which this line of a procedure is the one that runs, and this one cuts off.
        Without a line, it changes nothing."""
        if line is None:
            yield
            return
        self.given = _line(code, line)
        self.given_cut = None if cut is None else _line(code, cut)
        try:
            yield
        finally:
            self.given = self.given_cut = None

    def changed(self, frame: FrameType) -> int | None:
        """The line of a call that last changed its best value."""
        seen = self.calls.get(frame)
        return None if seen is None else seen.changed

    def goes_on(self, frame: FrameType | None) -> None:
        """Note that a call is still in its loop: it visits another node."""
        if frame is not None and frame in self.calls:
            self.calls[frame].left = None

    def _called(self, frame: FrameType, event: str, _: object) -> Follower | None:
        if frame.f_code not in self.codes:
            return None
        self.calls[frame] = Seen(frame.f_code, frame.f_lineno)
        return self._ran

    def _ran(self, frame: FrameType, event: str, _: object) -> Follower | None:
        seen = self.calls.get(frame)
        if seen is None:
            return None
        best = None if self.best is None else frame.f_locals.get(self.best)
        if best != seen.best:
            seen.best, seen.changed = best, seen.line
        if event == "line":
            seen.line = frame.f_lineno
            if seen.line in _breaks(frame.f_code.co_filename):
                seen.left = seen.line
        elif event == "return":
            self.ended = seen
        return self._ran


def _line(code: CodeType, number: int) -> Line:
    return Path(code.co_filename).name, number
