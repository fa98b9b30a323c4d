"""The folder that the workers share: files from one to another, and what is finished.

A task is a function from files to files. It writes all of its arrays, each under another name that
is then changed, and last of all its record: what it did, in numbers. So a record stands for a task
that is done, a task that is killed leaves none and can be run again by anyone, and two workers who
run the same task write the same bytes under the same names.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
import uuid
from collections.abc import Mapping, Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Final, NamedTuple, TypedDict

import numpy as np

from prunus.databases.errors import DatabaseError
from prunus.databases.workshop import AnyArray, Plan

PLAN: Final = "plan.json"

SMALL: Final = 1 << 16
"""Files of fewer bytes are read, not mapped into memory."""

ALIGNED: Final = 64
"""Arrays begin at multiples of so many bytes in a file."""

ASIDE: Final = "aside"
"""The name of the folder for partitions that are not in memory."""

LINKS: Final = "links"
"""The name of a file there with what never changes in a partition."""

FILES: Final = 10_000
"""The files that a process should be able to open at once: one for each round, and more."""

Pieces = AnyArray | list[AnyArray]
"""An array, or pieces of one that is written as a whole."""

PATIENCE: Final = 10.0
"""The seconds that a file of another machine may take to appear in a shared folder."""


class Record(TypedDict, total=False):
    """What a task did: `sent` is the number of messages to each partition, `heard` of those that it
    got, `new` of the positions it found or decided, `left` of those found whose children it has
    left to the next round, `ends` of the ends of the game among the others, with the `amounts` that
    they are worth; `bytes` were written to the folder, in `seconds` of processor time, by the
    process `worker`; `restored` tells that the partition was read from files first. In the last
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


class ExchangeError(DatabaseError):
    """Files of a build that are damaged or missing. What is done stays."""


class Part(NamedTuple):
    """The messages of one partition for another, and how many it has sent to all."""

    source: int
    first: int
    size: int
    total: int


class Exchange:
    """The shared folder of a build whose positions are split into `partitions`. A round ends for a
    partition when its moves take `most` bytes (0: any number)."""

    def __init__(self, folder: Path, partitions: int, most: int = 0) -> None:
        self.folder, self.partitions, self.most = folder, partitions, most
        self.written = 0

    @staticmethod
    def nowhere() -> Exchange:
        """That of no build."""
        return Exchange(Path(), 0)

    def save(self, round_: str, name: str, partition: int, arrays: Mapping[str, Pieces]) -> None:
        """Write arrays of one dimension, or the pieces of some, as one file, since each file takes
        its time."""
        whole = {
            title: given if isinstance(given, list) else [given] for title, given in arrays.items()
        }
        shapes = {
            title: (pieces[0].dtype.str, sum(len(piece) for piece in pieces))
            for title, pieces in whole.items()
        }
        head = json.dumps(shapes).encode()
        with _written(self._path(round_, name, partition)) as part, part.open("wb") as file:
            file.write(head + b" " * _missing(len(head) + 1) + b"\n")
            for pieces in whole.values():
                for piece in pieces:
                    file.write(np.ascontiguousarray(piece).data)
                file.write(b"\0" * _missing(file.tell()))
            self.written += file.tell()

    def has(self, round_: str, name: str, partition: int) -> bool:
        """Whether a file has been written."""
        return self._path(round_, name, partition).exists()

    def load(self, round_: str, name: str, partition: int) -> dict[str, AnyArray]:
        """The arrays of a file that was written, mapped into memory if it is large. Raises
        DatabaseError if it is not there, or is damaged."""
        path = self._path(round_, name, partition)
        mapped = _size(path) >= SMALL
        try:
            with path.open("rb") as file:
                head = file.readline()
                begin, arrays = len(head), {}
                data = mmap(file.fileno(), 0, access=ACCESS_READ) if mapped else head + file.read()
            for title, (kind, length) in json.loads(head).items():
                array = np.frombuffer(data, np.dtype(kind), length, begin)
                arrays[title] = array
                begin += array.nbytes + _missing(array.nbytes)
            if begin != len(data):
                raise ValueError(f"it has {len(data):,} bytes instead of {begin:,}")
            return arrays
        except (ValueError, TypeError, AttributeError) as error:
            raise ExchangeError(
                f"{path} is damaged: {error}; remove {self.folder.parent}, and begin again"
            ) from None

    def finish(self, round_: str, partition: int, record: Record) -> None:
        """Write the record of a task, which is done by that."""
        with _written(self._record(round_, partition)) as part:
            part.write_text(json.dumps(record), encoding="utf-8")

    def done(self, round_: str, partition: int) -> Record | None:
        """The record of a task; None if it is not done."""
        try:
            text = self._record(round_, partition).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        record: Record = json.loads(text)
        return record

    def parts(self, round_: str, partition: int) -> list[Part]:
        """Where the messages for a partition lie in the files of a round, in order. Raises
        DatabaseError if a task of that round is not done."""
        found = []
        for source in range(self.partitions):
            path = self._record(round_, source)
            _size(path)  # waits for it
            sent = json.loads(path.read_text(encoding="utf-8"))["sent"]
            if sent[partition]:
                found.append(Part(source, sum(sent[:partition]), sent[partition], sum(sent)))
        return found

    def received(
        self, round_: str, name: str, title: str, parts: Sequence[Part], words: int = 1
    ) -> list[AnyArray]:
        """The arrays of these messages, each of which has so many `words`; not mapped into memory,
        because a process may have few files open."""
        found = []
        for source, first, size, total in parts:
            array = self.load(round_, name, source)[title]
            if len(array) != total * words:
                raise ExchangeError(
                    f"{self._path(round_, name, source)} is damaged: {len(array):,} items instead "
                    f"of {total * words:,}; remove {self.folder.parent}, and begin again"
                )
            found.append(np.array(array[first * words : (first + size) * words]))
        return found

    def forget(self, round_: str, name: str) -> None:
        """Remove the files of a round, those of all partitions, that nobody needs any more."""
        for partition in range(self.partitions):
            self._path(round_, name, partition).unlink(missing_ok=True)

    def put_aside(
        self, name: str, rounds: int, partition: int, arrays: Mapping[str, Pieces]
    ) -> None:
        """Write what a partition is after so many rounds, in place of what it was before. Anybody
        may go on from there."""
        before = self._aside(name, partition)
        self.save(ASIDE, f"{name}-{rounds:05}", partition, arrays)
        for other, path in before.items():
            if other != rounds:
                path.unlink(missing_ok=True)

    def aside(
        self, name: str, rounds: int, partition: int
    ) -> tuple[int, dict[str, AnyArray]] | None:
        """What was put aside last, after at most so many rounds, and after how many; None if there
        is nothing, or nothing that is whole."""
        for done in sorted(self._aside(name, partition), reverse=True):
            if done <= rounds:
                with contextlib.suppress(ExchangeError, OSError):
                    return done, self.load(ASIDE, f"{name}-{done:05}", partition)
        return None

    def forget_aside(self, name: str, partition: int) -> None:
        """Remove what was put aside."""
        for path in self._aside(name, partition).values():
            path.unlink(missing_ok=True)

    def forget_links(self, partition: int) -> None:
        """Remove what never changes in a partition, so that it is written again."""
        self._path(ASIDE, LINKS, partition).unlink(missing_ok=True)

    def _aside(self, name: str, partition: int) -> dict[int, Path]:
        """The files of a partition that was put aside, by rounds."""
        found = (self.folder / ASIDE).glob(f"{name}-*-{partition:04}.arrays")
        return {int(path.name.split("-")[1]): path for path in found}

    def _path(self, round_: str, name: str, partition: int) -> Path:
        return self.folder / round_ / f"{name}-{partition:04}.arrays"

    def _record(self, round_: str, partition: int) -> Path:
        return self.folder / round_ / f"record-{partition:04}.json"


def open_exchange(folder: Path, plan: Plan, partitions: int, most: int) -> Exchange:
    """The shared folder of a build, a new one or one that an earlier run left, with as many
    partitions and bytes of moves as that had: whoever does a task writes the same. Raises
    DatabaseError if another build was begun there."""
    path = folder / PLAN
    # Files lie in a folder of a new name for each build, so that a task of an earlier one which
    # still runs somewhere cannot write among them.
    new = uuid.uuid4().hex
    wanted = {**plan, "partitions": partitions, "most": most, "files": new}
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        partitions, most = int(said["partitions"]), int(said["most"])
        files = str(said["files"])
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _written(path) as part:
            part.write_text(json.dumps(wanted), encoding="utf-8")
        return Exchange(folder / new, partitions, most)
    except (ValueError, TypeError, KeyError):
        raise DatabaseError(f"{path} is damaged: remove {folder}, and begin again") from None
    for name, value in plan.items():
        if said.get(name) != value:
            raise DatabaseError(
                f"{folder} has the beginning of another build: {name} is {said.get(name)!r}, not "
                f"{value!r}; remove it, or give another --out"
            )
    return Exchange(folder / files, partitions, most)


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


def _missing(size: int) -> int:
    """The bytes up to the next place where an array may begin."""
    return -size % ALIGNED


def _size(path: Path) -> int:
    """The bytes of a file. One that is missing may only not be visible here yet, so it is waited
    for; raises DatabaseError if that is in vain."""
    last = time.monotonic() + PATIENCE
    while True:
        try:
            return path.stat().st_size
        except FileNotFoundError:
            if time.monotonic() > last:
                raise ExchangeError(
                    f"{path} is missing: do all workers see the same folder under this name?"
                ) from None
        time.sleep(0.05)


class _written:  # noqa: N801 - used as a function is
    """Within the block, the temporary name of a file, which then gets its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.part = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")

    def __enter__(self) -> Path:
        if not self.path.parent.exists():
            self.path.parent.mkdir(parents=True, exist_ok=True)
        return self.part

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            os.replace(self.part, self.path)
        else:
            self.part.unlink(missing_ok=True)
