"""A journal: a file that keeps the results of a long computation while it runs.

Its first line, the header, says what is computed; each further line is one result. All are JSON.
"""

from __future__ import annotations

import json
import threading
from pathlib import Path


class Journal:
    """An open journal. A record is written in one piece and at once, so that neither Ctrl-C nor a
    crash loses more than the one being written. Several threads may append."""

    def __init__(self, path: Path, header: object, size: int = 0) -> None:
        """Continue the journal at `path` after its first `size` bytes, which end with a whole line
        (see `whole_lines`); with 0, begin a new one. Raises OSError if it cannot be written."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._lock = threading.Lock()
        self._file = path.open("ab", buffering=0)
        self._file.truncate(size)
        if not size:
            self.append(header)

    def append(self, record: object) -> None:
        """Write a record that JSON can express."""
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            self._file.write(line)

    def close(self) -> None:
        """Close the file; it stays."""
        self._file.close()

    def remove(self) -> None:
        """Close the file and delete it: its results are now kept elsewhere."""
        self.close()
        self.path.unlink(missing_ok=True)


def whole_lines(path: Path) -> list[bytes]:
    """The lines of a journal with their ends, without a last one that was cut off; none if there is
    no such file."""
    data = path.read_bytes() if path.exists() else b""
    return [line for line in data.splitlines(keepends=True) if line.endswith(b"\n")]
