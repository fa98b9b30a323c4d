"""Where the files of an exchange lie: a folder, or any store that fsspec knows.

A store has names of the form `round/file`. A file is there as a whole or not at all, as far as the
store can do that; what is cut short all the same is found by its checks (`arrays.py`).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Final, Protocol

from prunus.core.locks import still_there
from prunus.databases.errors import DatabaseError
from prunus.databases.workshop import lock

Bytes = bytes | memoryview

SMALL: Final = 1 << 16
"""Files of fewer bytes are read at once."""


class ExchangeError(DatabaseError):
    """Files of a build that are damaged, missing or out of reach. What is done stays."""


class Source(Protocol):
    """A file that is read in ranges; `size` is the number of its bytes, -1 if that is not known."""

    size: int

    def line(self) -> bytes:
        """The bytes up to the end of the first line; all of them if there is no such end."""

    def take(self, begin: int, size: int) -> Bytes:
        """So many bytes from there on; fewer if the file ends before."""


class Store(Protocol):
    """Files by names. Raises FileNotFoundError for names that are missing, and ExchangeError if the
    store cannot do what it is asked for. `alone` tells that other processes do not see it."""

    where: str
    alone: bool

    def named(self, name: str) -> str:
        """The full name of a file, for people."""

    def read(self, name: str) -> bytes:
        """All bytes of a file."""

    def open(self, name: str) -> Source:
        """A file that is large, perhaps."""

    def write(self, name: str, blocks: Iterable[Bytes]) -> int:
        """Write a file, or replace it; return the number of bytes."""

    def has(self, name: str) -> bool:
        """Whether there is a file."""

    def names(self, folder: str) -> list[str]:
        """The names of the files of a folder, without that of the folder."""

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""

    def clear(self) -> None:
        """Remove all files."""

    def held(self) -> AbstractContextManager[Callable[[], None]]:
        """Keep a second builder out within the block, where the store is empty afterwards if it was
        cleared. What is returned raises ExchangeError if that is over, because another one took
        this one for dead. Raises ExchangeError if there is another builder."""


def is_url(place: str) -> bool:
    """Whether this names a store of fsspec, not a folder."""
    return "://" in place


def beneath(place: str, name: str) -> str:
    """A folder in a folder, or in a store."""
    return f"{place.rstrip('/')}/{name}" if is_url(place) else str(Path(place).absolute() / name)


def above(place: str) -> str:
    """The folder, or the place in a store, in which this one is."""
    return place.rpartition("/")[0] if is_url(place) else str(Path(place).parent)


class Folder:
    """A folder, of which large files are mapped into memory."""

    alone = False

    def __init__(self, folder: Path) -> None:
        self.folder, self.where = folder, str(folder)

    def named(self, name: str) -> str:
        return str(self.folder / name)

    def read(self, name: str) -> bytes:
        return (self.folder / name).read_bytes()

    def open(self, name: str) -> Source:
        with (self.folder / name).open("rb") as file:
            if os.fstat(file.fileno()).st_size < SMALL:
                return Whole(file.read())
            return Whole(mmap(file.fileno(), 0, access=ACCESS_READ))

    def write(self, name: str, blocks: Iterable[Bytes]) -> int:
        path, size = self.folder / name, 0
        part = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
        if not path.parent.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with part.open("wb") as file:
                for block in blocks:
                    file.write(block)
                size = file.tell()
            os.replace(part, path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        return size

    def has(self, name: str) -> bool:
        return (self.folder / name).exists()

    def names(self, folder: str) -> list[str]:
        try:
            return sorted(os.listdir(self.folder / folder))
        except FileNotFoundError:
            return []

    def remove(self, name: str) -> None:
        (self.folder / name).unlink(missing_ok=True)

    def clear(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextlib.contextmanager
    def held(self) -> Iterator[Callable[[], None]]:
        handle = self._lock()
        try:
            yield lambda: None  # the lock of the system lasts as long as this process
        finally:
            os.close(handle)

    def _lock(self) -> int:
        """Make the folder if it is missing, and lock it; return its descriptor."""
        while True:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle = -1
            try:
                handle = os.open(self.folder, os.O_RDONLY)
                lock(handle, self.folder)
                if still_there(handle, self.folder):
                    return handle
            except FileNotFoundError:  # removed in between by the one who had the lock
                pass
            except BaseException:
                if handle >= 0:
                    os.close(handle)
                raise
            if handle >= 0:
                os.close(handle)


class Briefly:
    """A file that is open only while it is read."""

    def __init__(self, open: Callable[[], Source]) -> None:
        self._open = open
        self.size = open().size

    def line(self) -> bytes:
        return bytes(self._open().line())

    def take(self, begin: int, size: int) -> Bytes:
        return bytes(self._open().take(begin, size))


class Whole:
    """A file in memory, or mapped into it."""

    def __init__(self, data: bytes | mmap) -> None:
        self._data = data
        self.size = len(data)

    @property
    def is_mapped(self) -> bool:
        """Whether the file is open as long as this is kept."""
        return isinstance(self._data, mmap)

    def line(self) -> bytes:
        return self._data[: self._data.find(b"\n") + 1 or self.size]

    def take(self, begin: int, size: int) -> Bytes:
        return memoryview(self._data)[begin : begin + size]
