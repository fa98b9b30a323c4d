"""The results of a long computation so far, kept in a file as it goes: a line that says what is
computed, then one line for each result."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any, TextIO


class Journal:
    """Results by number, appended to a file at once, so that neither Ctrl-C nor a crash loses more
    than the line being written. A file with another `subject` is overwritten. Several threads may
    add results. Each line ends with the seconds of work so far, including those of earlier
    sittings."""

    def __init__(self, path: Path, subject: dict[str, Any]) -> None:
        self.path, self.subject = path, json.loads(json.dumps(subject))
        self.results: dict[int, tuple[int, int]] = {}
        self._lock = threading.Lock()
        self._before = 0.0
        self._began = time.perf_counter()
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        self._take(text.splitlines(keepends=True))
        self._file: TextIO = path.open("w", encoding="utf-8")
        self._file.write(json.dumps(self.subject) + "\n")
        self._file.writelines(self._line(number) for number in self.results)
        self._file.flush()

    def _take(self, lines: list[str]) -> None:
        try:
            if not lines or json.loads(lines[0]) != self.subject:
                return
        except ValueError:
            return
        for line in lines[1:]:
            words = line.split()
            # The last line may be incomplete.
            if line.endswith("\n") and len(words) == 4:
                self.results[int(words[0])] = (int(words[1]), int(words[2]))
                self._before = max(self._before, float(words[3]))

    def _line(self, number: int) -> str:
        value, action = self.results[number]
        return f"{number} {value} {action} {self.seconds:.1f}\n"

    @property
    def seconds(self) -> float:
        """The seconds of work on these results, in this sitting and earlier ones."""
        return self._before + time.perf_counter() - self._began

    def add(self, number: int, value: int, action: int) -> None:
        """Keep a result: a value and an action."""
        with self._lock:
            self.results[number] = (value, action)
            self._file.write(self._line(number))
            self._file.flush()

    def close(self) -> None:
        """Close the file; it stays."""
        self._file.close()

    def remove(self) -> None:
        """Close the file and delete it: its results are now kept elsewhere."""
        self.close()
        self.path.unlink(missing_ok=True)
