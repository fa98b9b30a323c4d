"""Arrays as a file, with checks by which it is known whether they are what was written.

The first line has a record of how the file was made, if there is one, and says what follows: of
each array its kind of items and, for each of its parts, how many items it has and their check. The
line has a check itself. So whoever needs one part of one array reads and checks no more than that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple
from zlib import crc32

import numpy as np

from prunus.databases.cluster.stores import Bytes, ExchangeError, Source
from prunus.databases.workshop import AnyArray

ALIGNED: Final = 64
"""Arrays begin at multiples of so many bytes in a file."""

PAGE: Final = 1 << 12
"""The bytes that are added up before the CRC is computed, in words: that is ten times as fast. What
disks and networks do to files, bits that flip and pages that are lost, changes these sums."""


class Parted(NamedTuple):
    """An array that is read part by part, as the pieces of each of its parts."""

    kind: type[np.generic]
    parts: Sequence[list[AnyArray]]

    @staticmethod
    def cut(array: AnyArray, sizes: Sequence[int]) -> Parted:
        """An array that is cut into parts of these sizes."""
        parts = np.split(array, np.cumsum(sizes)[:-1]) if len(sizes) else []
        return Parted(array.dtype.type, [[part] for part in parts])


class Check:
    """The check of bytes that come one after the other."""

    def __init__(self) -> None:
        self._value, self._rest = 0, b""

    def add(self, data: Bytes) -> Check:
        """Take more bytes."""
        if self._rest:
            first = PAGE - len(self._rest)
            self._rest += data[:first]
            if len(self._rest) < PAGE:
                return self
            self._add_pages(self._rest, 1)
            data = data[first:]
        pages = len(data) // PAGE
        if pages:
            self._add_pages(data, pages)
        self._rest = bytes(data[pages * PAGE :])
        return self

    def value(self) -> int:
        """The check of all that came."""
        return crc32(self._rest, self._value)

    def _add_pages(self, data: Bytes, pages: int) -> None:
        words = np.frombuffer(data, np.uint64, pages * PAGE // 8)
        sums = words.reshape(pages, -1).sum(axis=1, dtype=np.uint64)
        self._value = crc32(sums.data, self._value)


def sealed(data: bytes) -> bytes:
    """A line, with its check at the end."""
    return b"%s %08x" % (data, crc32(data))


def unsealed(line: bytes) -> bytes:
    """What was sealed. Raises ValueError if it is something else."""
    data, _, check = line.strip().rpartition(b" ")
    if b"%08x" % crc32(data) != check:
        raise ValueError("its first line is not what was written")
    return data


def packed(
    arrays: Mapping[str, AnyArray | Parted], record: Mapping[str, object] | None = None
) -> Iterator[Bytes]:
    """Arrays of one dimension, or parts of some, as the blocks of a file, with a record of how they
    were made."""
    head, whole = {}, []
    for title, given in arrays.items():
        kind, parts = given if isinstance(given, Parted) else (given.dtype.type, [[given]])
        sizes = [sum(map(len, pieces)) for pieces in parts]
        head[title] = np.dtype(kind).str, sizes, [_check_of(pieces) for pieces in parts]
        whole.append([piece for pieces in parts for piece in pieces if len(piece)])
    line = sealed(json.dumps([record, head]).encode())
    yield line + b" " * _missing(len(line) + 1) + b"\n"
    for blocks in whole:
        size = 0
        for block in blocks:
            size += block.nbytes
            yield np.ascontiguousarray(block).view(np.uint8).data
        if _missing(size):
            yield b"\0" * _missing(size)


class Arrays:
    """The arrays of a file. Each is read and checked when it is asked for; `blame` makes the error
    that says what is wrong with the file. `record` is the one that was written with them."""

    def __init__(
        self, source: Source, blame: Callable[[object], ExchangeError], check: bool = True
    ) -> None:
        self._source, self._blame, self._check = source, blame, check
        self._known: dict[str, tuple[np.dtype[np.generic], list[int], list[int], int]] = {}
        line = source.line()
        begin = len(line)
        try:
            self.record, head = json.loads(unsealed(line))
            for title, (kind, sizes, checks) in head.items():
                self._known[title] = np.dtype(kind), sizes, checks, begin
                size = sum(sizes) * np.dtype(kind).itemsize
                begin += size + _missing(size)
        except (ValueError, TypeError, AttributeError) as error:
            raise blame(error) from None
        if source.size not in (begin, -1):
            raise blame(f"it has {source.size:,} bytes instead of {begin:,}")

    def __getitem__(self, title: str) -> AnyArray:
        kind, sizes, _, _ = self._known[title]
        if len(sizes) == 1:
            return self.part(title, 0)
        parts = [self.part(title, number) for number in range(len(sizes))]
        return np.concatenate([np.zeros(0, kind), *parts])

    def length(self, title: str) -> int:
        """The number of items of an array."""
        return sum(self._known[title][1])

    def part(self, title: str, number: int) -> AnyArray:
        """One part of an array."""
        kind, sizes, checks, begin = self._known[title]
        first, size = sum(sizes[:number]) * kind.itemsize, sizes[number] * kind.itemsize
        try:
            data = self._source.take(begin + first, size) if size else b""
        except FileNotFoundError:
            raise self._blame("it was removed while it was read") from None
        if len(data) != size:
            raise self._blame(f"it ends {size - len(data):,} bytes too early")
        if self._check and Check().add(data).value() != checks[number]:
            raise self._blame(f"`{title}` is not what was written")
        return np.frombuffer(data, kind)

    def all(self) -> dict[str, AnyArray]:
        """All arrays."""
        return {title: self[title] for title in self._known}


def _check_of(pieces: list[AnyArray]) -> int:
    check = Check()
    for piece in pieces:
        if len(piece):  # others have no bytes that could be looked at
            check.add(np.ascontiguousarray(piece).view(np.uint8).data)
    return check.value()


def _missing(size: int) -> int:
    """The bytes up to the next place where an array may begin."""
    return -size % ALIGNED
