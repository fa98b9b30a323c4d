"""What a long computation has found so far, kept in a file as it goes: one line for each result, after a line that says what of."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any, TextIO


class Journal:
    """Results by number, appended to a file at once, so that neither Ctrl-C nor a crash loses more than the line being written. A file
    that was begun for something else (`subject`) is begun anew. Several threads may add to it."""

    def __init__(self, path: Path, subject: dict[str, Any]) -> None:
        self.path, self.subject = path, json.loads(json.dumps(subject))
        self.results: dict[int, tuple[int, int]] = {}
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        self._take(text.splitlines(keepends=True))
        self._file: TextIO = path.open("w", encoding="utf-8")
        self._file.write(json.dumps(self.subject) + "\n")
        self._file.writelines(f"{number} {value} {action}\n" for number, (value, action) in self.results.items())
        self._file.flush()

    def _take(self, lines: list[str]) -> None:
        try:
            if not lines or json.loads(lines[0]) != self.subject:
                return
        except ValueError:
            return
        for line in lines[1:]:
            words = line.split()
            # The last line may be torn.
            if line.endswith("\n") and len(words) == 3:
                self.results[int(words[0])] = (int(words[1]), int(words[2]))

    def add(self, number: int, value: int, action: int) -> None:
        """Keep a result: a value and an action."""
        with self._lock:
            self.results[number] = (value, action)
            self._file.write(f"{number} {value} {action}\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file; it stays."""
        self._file.close()

    def remove(self) -> None:
        """Close the file and delete it: its results are elsewhere now."""
        self.close()
        self.path.unlink(missing_ok=True)
