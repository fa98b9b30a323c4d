"""A journal: a file that keeps the results of a long computation while it runs.

Its first line, the header, says what is computed; each further line is one result. All are JSON.
"""

from __future__ import annotations

import json
import threading
from io import FileIO
from pathlib import Path

from prunus.core.errors import PrunusError
from prunus.core.locks import is_lockable, locked, still_there


class JournalError(PrunusError, ValueError):
    """A journal that another computation is writing."""


class Journal:
    """An open journal, which nobody else can open meanwhile. A record is written in one piece and
    at once, so that neither Ctrl-C nor a crash loses more than the one being written. Several
    threads may append."""

    def __init__(self, path: Path) -> None:
        """Open the journal at `path`, an empty one if there is none; `lines` are those that it has.
        `begin` or `go_on` follows. Raises JournalError if another one has it open, OSError if it
        cannot be written."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._lock = threading.Lock()
        self._file = _opened(path)
        self.lines = whole_lines(path)

    def begin(self, header: object) -> None:
        """Forget what there is, and write the header."""
        self._file.truncate(0)
        self.append(header)

    def go_on(self) -> None:
        """Continue after the lines that there are, without a last one that was cut off."""
        self._file.truncate(sum(map(len, self.lines)))

    def append(self, record: object) -> None:
        """Write a record that JSON can express."""
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            self._file.write(line)

    def close(self) -> None:
        """Close the file; it stays."""
        self._file.close()

    def remove(self) -> None:
        """Delete the file and close it: its results are now kept elsewhere."""
        if is_lockable:  # before anybody else can have it
            self.path.unlink(missing_ok=True)
            self.close()
        else:  # a system that does not delete open files
            self.close()
            self.path.unlink(missing_ok=True)


def _opened(path: Path) -> FileIO:
    while True:
        file = path.open("ab", buffering=0)
        try:
            if not locked(file.fileno(), path):
                raise JournalError(
                    f"{path}: another command is writing what it finds there; let it end, or give "
                    "this one another place"
                )
            if still_there(file.fileno(), path):
                return file
        except BaseException:
            file.close()
            raise
        file.close()


def whole_lines(path: Path) -> list[bytes]:
    """The lines of a journal with their ends, without a last one that was cut off; none if there is
    no such file."""
    data = path.read_bytes() if path.exists() else b""
    return [line for line in data.splitlines(keepends=True) if line.endswith(b"\n")]
