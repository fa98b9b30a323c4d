"""The positions of a book that are solved so far, kept in a journal."""

from __future__ import annotations

import json
import time
from pathlib import Path

from prunus.core.journal import Journal, whole_lines


class SolvedJournal(Journal):
    """Values and best actions by the number of the position. The journal of another `subject` is
    overwritten. Each record ends with the seconds of work so far, including those of earlier
    sittings."""

    def __init__(self, path: Path, subject: dict[str, object]) -> None:
        self.results: dict[int, tuple[int, int]] = {}
        self._before = 0.0
        self._began = time.perf_counter()
        super().__init__(path, subject, self._take(whole_lines(path), subject))

    def _take(self, lines: list[bytes], subject: dict[str, object]) -> int:
        """Take over the results of these lines; the bytes of those that can be continued."""
        try:
            header, *records = map(json.loads, lines)
            if header != json.loads(json.dumps(subject)):
                return 0
            for number, value, action, seconds in records:
                self.results[number] = (value, action)
                self._before = max(self._before, seconds)
        except (ValueError, TypeError):
            self.results.clear()
            return 0
        return sum(map(len, lines))

    @property
    def seconds(self) -> float:
        """The seconds of work on these results, in this sitting and earlier ones."""
        return self._before + time.perf_counter() - self._began

    def add(self, number: int, value: int, action: int) -> None:
        """Keep the value and the best action of a position."""
        self.append([number, value, action, round(self.seconds, 1)])
        self.results[number] = (value, action)
