"""What the workers share: files from one to another, and what is finished.

A task is a function from files to files. It writes each file as a whole, and into the last one also
its record: what it did, in numbers. So a record stands for a task that is done, a task that is
killed leaves none and can be run again by anyone, and two workers who run the same task write the
same arrays under the same names. (A record in a file of its own would cost as much time as all else
that a small task does.)
"""

from __future__ import annotations

import contextlib
import json
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypedDict, cast

import numpy as np

from prunus.databases.cluster.arrays import Arrays, Parted, packed, sealed, unsealed
from prunus.databases.cluster.lease import NAME as LEASE
from prunus.databases.cluster.remote import Remote
from prunus.databases.cluster.stores import (
    Briefly,
    Bytes,
    ExchangeError,
    Folder,
    Source,
    Store,
    Whole,
    above,
    beneath,
    is_url,
)
from prunus.databases.errors import DatabaseError
from prunus.databases.workshop import AnyArray

PLAN: Final = "plan.json"

FORM: Final = 4
"""The form of what is exchanged, and of the way in which positions are dealt to partitions: what
was begun in another form cannot be gone on with."""

ASIDE: Final = "aside"
"""The name of the folder for partitions that are not in memory."""

LINKS: Final = "links"
"""The name of a file there with what never changes in a partition."""

KEPT, TOLD, PIECES = "kept", "told", "pieces"
"""The names of the last file of a task, by what it does: it finds positions, decides them or orders
them."""

LAST: Final = {"found": KEPT, "told": TOLD, "ordered": PIECES}
"""These names, by what the name of a round begins with."""

FILES: Final = 10_000
"""The files that a process should be able to open at once: one for each round, and more."""

Pieces = AnyArray | Parted
"""An array, or one in parts, which are read one by one."""

PATIENCE: Final = 10.0
"""The seconds that a file of another machine may take to appear in a shared folder."""


class Record(TypedDict, total=False):
    """What a task did: `sent` is the number of messages to each partition, `heard` of those that it
    got, `new` of the positions it found or decided, `left` of those found whose children it has
    left to the next round, `ends` of the ends of the game among the others, with the `amounts` that
    they are worth; `bytes` were written to the folder, in `seconds` of processor time, by the
    process `worker` (in a record that is read from a file, without those for this file); `restored`
    tells that the partition was read from files first. In the last
    round also what labels mean."""

    sent: list[int]
    heard: int
    new: int
    left: int
    ends: int
    amounts: list[int]
    bytes: int
    seconds: float
    worker: str
    restored: bool
    counts: tuple[int, int, int, int | None]


class File(NamedTuple):
    """A file of a partition, by the name of its round and its own name in that."""

    round: str
    name: str
    partition: int

    @property
    def path(self) -> str:
        """Its name in the store."""
        return f"{self.round}/{self.name}-{self.partition:04}.arrays"


class Damaged(ExchangeError):
    """A file that is not what the task of a partition wrote in a round, or (`gone`) is not there
    any more."""

    def __init__(self, message: str, file: File, gone: bool = False) -> None:
        super().__init__(message)
        self.message, self.file, self.gone = message, file, gone

    def __reduce__(self) -> tuple[type[Damaged], tuple[str, File, bool]]:
        return Damaged, (self.message, self.file, self.gone)


class Part(NamedTuple):
    """The messages of one partition for another."""

    source: int
    target: int
    size: int


def parts_of(sent: Sequence[int], partition: int) -> list[Part]:
    """The messages for a partition, of which each one has sent so many."""
    return [Part(source, partition, size) for source, size in enumerate(sent) if size]


class Exchange:
    """The files of a build whose positions are split into `partitions`; the store has the name
    `place`. A round ends for a partition when its moves take `most` bytes (0: any number)."""

    def __init__(self, place: str, partitions: int, most: int = 0) -> None:
        self.place, self.partitions, self.most = place, partitions, most
        self.store = _store(place) if place else None
        self.written = 0

    @staticmethod
    def nowhere() -> Exchange:
        """That of no build."""
        return Exchange("", 0)

    @property
    def files(self) -> Store:
        """Where the files are."""
        assert self.store is not None
        return self.store

    @property
    def home(self) -> str:
        """What has to be removed if files cannot be made again."""
        return above(self.place)

    def save(self, round_: str, name: str, partition: int, arrays: Mapping[str, Pieces]) -> None:
        """Write arrays of one dimension as one file, since each file takes its time."""
        self._save(File(round_, name, partition), packed(arrays))

    def has(self, round_: str, name: str, partition: int) -> bool:
        """Whether a file has been written."""
        return self.files.has(File(round_, name, partition).path)

    def has_last(self, round_: str, partition: int) -> bool:
        """Whether the last file of a task is there, whole or not."""
        return self.files.has(_last(round_, partition).path)

    @property
    def is_planned(self) -> bool:
        """Whether the record of the build's beginning is there, without which nobody could go on
        with it."""
        return store_at(self.home).has(PLAN)

    def load(
        self, round_: str, name: str, partition: int, often: bool = False, briefly: bool = False
    ) -> Arrays:
        """The arrays of a file that was written. If a process reads it `often`, it is checked the
        first time; `briefly`, a file that is mapped is open only while something is read of it, so
        that any number of files can be looked at. Raises ExchangeError if it is not there, or is
        damaged."""
        file = File(round_, name, partition)
        full = self.files.named(file.path)
        check = not (often and full in _checked)
        source = self._there(file, self.files.open)
        if briefly and isinstance(source, Whole) and source.is_mapped:
            source = Briefly(partial(self._there, file, self.files.open))
        found = Arrays(source, partial(self._damaged, file), check)
        if often and check:
            found.all()
            _checked.add(full)
        return found

    def finish(
        self, round_: str, partition: int, arrays: Mapping[str, Pieces], record: Record
    ) -> None:
        """Write the last file of a task, with its record: it is done by that."""
        self._save(_last(round_, partition), packed(arrays, record))

    def done(self, round_: str, partition: int) -> Record | None:
        """The record of a task; None if it is not done. Raises Damaged."""
        file = _last(round_, partition)
        try:
            return self._record(file, self.files.open(file.path))
        except FileNotFoundError:
            return None

    def undo(self, round_: str, partition: int) -> None:
        """Have a task count as not done."""
        self.files.remove(_last(round_, partition).path)

    def parts(self, round_: str, partition: int) -> list[Part]:
        """Where the messages for a partition lie in the files of a round, in order, as the records
        of all its tasks say. Raises DatabaseError if one is not done."""
        sent = []
        for source in range(self.partitions):
            file = _last(round_, source)
            record = self._record(file, self._there(file, self.files.open))
            sent.append(record["sent"][partition])
        return parts_of(sent, partition)

    def received(
        self, round_: str, name: str, title: str, parts: Sequence[Part], words: int = 1
    ) -> list[AnyArray]:
        """The arrays of these messages, each of which has so many `words`; not mapped into memory,
        because a process may have few files open."""
        found = []
        for source, target, size in parts:
            array = self.load(round_, name, source).part(title, target)
            if len(array) != size * words:
                raise self._damaged(
                    File(round_, name, source),
                    f"{len(array):,} items instead of {size * words:,}",
                )
            found.append(np.array(array))
        return found

    def forget(self, round_: str, name: str) -> None:
        """Remove the files of a round, those of all partitions, that nobody needs any more."""
        for partition in range(self.partitions):
            self.files.remove(File(round_, name, partition).path)

    def put_aside(
        self, name: str, rounds: int, partition: int, arrays: Mapping[str, Pieces]
    ) -> None:
        """Write what a partition is after so many rounds, in place of what it was before. Anybody
        may go on from there."""
        before = self._aside(name, partition)
        self.save(ASIDE, f"{name}-{rounds:05}", partition, arrays)
        for other in before:
            if other != rounds:
                self.files.remove(File(ASIDE, f"{name}-{other:05}", partition).path)

    def aside(
        self, name: str, rounds: int, partition: int
    ) -> tuple[int, dict[str, AnyArray]] | None:
        """What was put aside last, after at most so many rounds, and after how many; None if there
        is nothing, or nothing that is whole."""
        for done in sorted(self._aside(name, partition), reverse=True):
            if done <= rounds:
                with contextlib.suppress(ExchangeError, OSError):
                    return done, self.load(ASIDE, f"{name}-{done:05}", partition).all()
        return None

    def forget_aside(self, name: str, partition: int) -> None:
        """Remove what was put aside."""
        for rounds in self._aside(name, partition):
            self.files.remove(File(ASIDE, f"{name}-{rounds:05}", partition).path)

    def forget_links(self, partition: int) -> None:
        """Remove what never changes in a partition, so that it is written again."""
        self.files.remove(File(ASIDE, LINKS, partition).path)

    def _aside(self, name: str, partition: int) -> list[int]:
        """The rounds after which a partition was put aside."""
        last = f"-{partition:04}.arrays"
        return [
            int(path.split("-")[1])
            for path in self.files.names(ASIDE)
            if path.startswith(f"{name}-") and path.endswith(last)
        ]

    def _record(self, file: File, source: Source) -> Record:
        record = Arrays(source, partial(self._damaged, file)).record
        if record is None:
            raise self._damaged(file, "it has no record")
        return cast("Record", record)

    def _save(self, file: File, blocks: Iterable[Bytes]) -> None:
        self.written += self.files.write(file.path, blocks)
        _checked.discard(self.files.named(file.path))

    def _there(self, file: File, look: Callable[[str], Source]) -> Source:
        """A file that is to be read. One that is missing may only not be visible here yet, so it is
        waited for; raises Damaged if that is in vain."""
        last = time.monotonic() + PATIENCE
        while True:
            try:
                return look(file.path)
            except FileNotFoundError:
                if time.monotonic() > last:
                    raise Damaged(
                        f"{self.files.named(file.path)} is missing: do all workers see the same "
                        f"files under this name? If so, remove {self.home}, and begin again",
                        file,
                        gone=True,
                    ) from None
            time.sleep(0.05)

    def _damaged(self, file: File, why: object) -> Damaged:
        return Damaged(
            f"{self.files.named(file.path)} is damaged: {why}; remove {self.home}, and begin again",
            file,
        )


_checked: set[str] = set()
"""The files that this process has read and checked, and reads often."""


def _last(round_: str, partition: int) -> File:
    return File(round_, LAST[round_.partition("-")[0]], partition)


def store_at(place: str) -> Store:
    """The folder of this name, or the store at a URL. Raises ExchangeError."""
    return Remote(place) if is_url(place) else Folder(Path(place))


_stores: dict[str, Store] = {}


def _store(place: str) -> Store:
    """The store of this name, which a process opens once."""
    if place not in _stores:
        _stores.clear()
        _checked.clear()
        _stores[place] = store_at(place)
    return _stores[place]


def open_exchange(store: Store, plan: Mapping[str, object], partitions: int, most: int) -> Exchange:
    """The exchange of a build, a new one or one that an earlier run left, with as many partitions
    and bytes of moves as that had: whoever does a task writes the same. Raises DatabaseError if
    another build was begun there, or there is something else, which would be removed at the end."""
    path, place = store.named(PLAN), store.where
    # Files lie in a folder of a new name for each build, so that a task of an earlier one which
    # still runs somewhere cannot write among them.
    new = uuid.uuid4().hex
    plan = {"form": FORM, **plan}
    wanted = {**plan, "partitions": partitions, "most": most, "files": new}
    try:
        said = json.loads(unsealed(store.read(PLAN)))
        partitions, most = int(said["partitions"]), int(said["most"])
        files = str(said["files"])
    except FileNotFoundError:
        if others := [name for name in store.names("") if name != LEASE and name[0] != "."]:
            raise DatabaseError(
                f"{place} is not empty ({others[0]}), and no build was begun there: move that "
                f"away, or give another --exchange"
            ) from None
        store.write(PLAN, [sealed(json.dumps(wanted).encode())])
        return Exchange(beneath(place, new), partitions, most)
    except (ValueError, TypeError, KeyError) as error:
        if isinstance(error, ExchangeError):
            raise
        raise DatabaseError(f"{path} is damaged: remove {place}, and begin again") from None
    for name, value in plan.items():
        if said.get(name) != value:
            raise DatabaseError(
                f"{place} has the beginning of another build: {name} is {said.get(name)!r}, not "
                f"{value!r}; remove it, or give another --out or --exchange"
            )
    return Exchange(beneath(place, files), partitions, most)


def database_in(store: Store) -> str:
    """What the database is called whose build was begun there; empty if that cannot be read."""
    try:
        return str(json.loads(unsealed(store.read(PLAN)))["database"])
    except (OSError, ValueError, TypeError, KeyError):
        return ""


def allow_files() -> None:
    """Have this process allowed to open FILES files, as far as the system lets it."""
    try:
        import resource
    except ImportError:  # another system, which has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
