"""What is known of the positions of a book so far, kept in a journal."""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, NamedTuple

from prunus.core.journal import Journal
from prunus.tables.errors import BookError


class BookJournal(Journal):
    """A journal of the making of a book of one `kind`. The journal of another `subject` is
    overwritten, but not one of another kind, or one that says none: books of all kinds have the
    same places. Each record ends with the seconds of work so far, including those of earlier
    sittings."""

    kind: ClassVar[str]

    def __init__(
        self,
        path: Path,
        subject: dict[str, object],
        take: Callable[..., None],
        forget: Callable[[], None],
    ) -> None:
        """`take` is called with each result of the earlier sittings, as `keep` was; `forget` if
        one of them is none. Raises BookError for a journal of another kind, or of none, and
        JournalError for one that another command is writing."""
        self._before = 0.0
        self._began = time.perf_counter()
        super().__init__(path)
        try:
            _expect_kind(self.kind, path, self.lines)
            self._start({"kind": self.kind, **subject}, take, forget)
        except BaseException:
            self.close()
            raise

    def _start(
        self, subject: dict[str, object], take: Callable[..., None], forget: Callable[[], None]
    ) -> None:
        try:
            header, *records = map(json.loads, self.lines)
            if header == json.loads(json.dumps(subject)):
                for *record, seconds in records:
                    take(*record)
                    self._before = max(self._before, seconds)
                self.go_on()
                return
        except (ValueError, TypeError):
            forget()
        self.begin(subject)

    @property
    def seconds(self) -> float:
        """The seconds of work on these results, in this sitting and earlier ones."""
        return self._before + time.perf_counter() - self._began

    def keep(self, *record: object) -> None:
        """Write a result."""
        self.append([*record, round(self.seconds, 1)])


def _expect_kind(kind: str, path: Path, lines: list[bytes]) -> None:
    """Raises BookError if the first line is that of a journal of another kind, or of none."""
    try:
        header = json.loads(lines[0]) if lines else None
    except ValueError:
        return
    if not isinstance(header, dict):
        return
    if "kind" not in header:
        raise BookError(
            f"{path} keeps what another version of Prunus found for a book, and does not say of "
            f"which kind: finish that one with that version, give another --out, or remove the file"
        )
    found = header["kind"]
    if found != kind:
        raise BookError(
            f"{path} keeps what was found for a book {found}, not {kind}: finish that one, give "
            f"another --out, or remove the file"
        )


class SolvedJournal(BookJournal):
    """Values and best actions by the number of the position."""

    kind = "to a ply"

    def __init__(self, path: Path, subject: dict[str, object]) -> None:
        self.results: dict[int, tuple[int, int]] = {}
        super().__init__(path, subject, self._take, self.results.clear)

    def _take(self, number: int, value: int, action: int) -> None:
        self.results[number] = (value, action)

    def add(self, number: int, value: int, action: int) -> None:
        """Keep the value and the best action of a position."""
        self.keep(number, value, action)
        self._take(number, value, action)


class Searched(NamedTuple):
    """The nodes of a position's search; None: more than it was allowed. The value and a best action
    are None until they are known."""

    nodes: int | None
    value: int | None = None
    action: int | None = None


class CostJournal(BookJournal):
    """What searches have cost, by the number and the key of the position; a later record of a
    position replaces an earlier one."""

    kind = "by cost"

    def __init__(self, path: Path, subject: dict[str, object]) -> None:
        self.results: dict[tuple[int, int], Searched] = {}
        super().__init__(path, subject, self._take, self.results.clear)

    def _take(
        self, number: int, key: int, nodes: int | None, value: int | None, action: int | None
    ) -> None:
        self.results[number, key] = Searched(nodes, value, action)

    def add(self, number: int, key: int, found: Searched) -> None:
        """Keep the cost of a position, and its value if it is known."""
        self.keep(number, key, *found)
        self.results[number, key] = found


class PlayedJournal(BookJournal):
    """What searches have found, by the packed State: positions stay known whatever games they come
    from. Where a search found no value, `nodes` is its limit. A record that is damaged does not
    count."""

    kind = "from games"

    def __init__(self, path: Path, subject: dict[str, object]) -> None:
        self.results: dict[str, Searched] = {}
        super().__init__(path, subject, self._take, self.results.clear)

    def _take(
        self, state: str, nodes: int | None, value: int | None, action: int | None, check: int
    ) -> None:
        if check == _sum_of(state, nodes, value, action):
            self.results[state] = Searched(nodes, value, action)

    def add(self, state: str, found: Searched) -> None:
        """Keep what a search has found."""
        self.keep(state, *found, _sum_of(state, *found))
        self.results[state] = found


def _sum_of(*record: object) -> int:
    """The checksum of a record."""
    return zlib.crc32(json.dumps(record).encode())
