"""A store that fsspec knows: `s3://bucket/folder`, `file:///folder`, and so on.

A file is written under another name and renamed where that is one step. Elsewhere, as in stores of
objects, it is written at once: these show an object when it is whole.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import partial
from importlib.util import find_spec
from typing import Protocol
from uuid import uuid4

from prunus.databases.cluster.lease import NAME, leased
from prunus.databases.cluster.stores import SMALL, Bytes, ExchangeError, Source, Whole


class FileSystem(Protocol):
    """What is used of fsspec's AbstractFileSystem. Some systems have parameters of their own in
    between (s3fs: the version of an object), so these are given by name."""

    def cat_file(self, path: str, *, start: int | None = None, end: int | None = None) -> bytes: ...

    def info(self, path: str) -> Mapping[str, int]: ...

    def pipe_file(self, path: str, value: bytes) -> object: ...

    def mv(self, path1: str, path2: str) -> object: ...

    def makedirs(self, path: str, exist_ok: bool = False) -> object: ...

    def exists(self, path: str) -> bool: ...

    def ls(self, path: str, detail: bool) -> list[str]: ...

    def rm(self, path: str, recursive: bool = False) -> object: ...

    def rm_file(self, path: str) -> object: ...

    def rmdir(self, path: str) -> object: ...

    def invalidate_cache(self, path: str | None = None) -> object: ...


class Remote:
    """The files below a URL."""

    def __init__(self, url: str) -> None:
        self.where = url.rstrip("/")
        self._system, self._root = _opened(self.where)
        inner = [self._system]
        while hasattr(inner[-1], "fs"):
            inner.append(inner[-1].fs)
        self.alone = "memory" in _protocols(inner[-1])
        self._renames = _has_own_move(inner[-1])
        self._folders: set[str] = set()

    def named(self, name: str) -> str:
        return f"{self.where}/{name}"

    def read(self, name: str) -> bytes:
        with self._said(name, "read"):
            return bytes(self._system.cat_file(self._path(name)))

    def open(self, name: str) -> Source:
        take = partial(self._range, name)
        first = take(0, SMALL)
        return Whole(first) if len(first) < SMALL else Ranges(first, take)

    def _range(self, name: str, begin: int, end: int) -> bytes:
        """The bytes of a file from `begin` up to `end` or its own end, if that comes before."""
        path = self._path(name)
        with self._said(name, "read"):
            try:
                return bytes(self._system.cat_file(path, start=begin, end=end))
            except FileNotFoundError:
                raise
            except Exception:  # what stores of objects say of a range behind the end
                self._system.invalidate_cache(path)
                if begin < self._system.info(path)["size"]:
                    raise
                return b""

    def write(self, name: str, blocks: Iterable[Bytes]) -> int:
        data, path = b"".join(blocks), self._path(name)
        folder = path.rpartition("/")[0]
        with self._said(name, "written"):
            if folder not in self._folders:
                self._system.makedirs(folder, exist_ok=True)
                self._folders.add(folder)
            if not (self._renames and self._is_moved_in(path, data)):
                self._system.pipe_file(path, data)
        return len(data)

    def has(self, name: str) -> bool:
        with self._said(name, "looked for"):
            self._system.invalidate_cache(self._path(name))
            return self._system.exists(self._path(name))

    def names(self, folder: str) -> list[str]:
        try:
            with self._said(folder, "listed"):
                path = self._path(folder)
                # What a listing said once may be kept, but others write here, too.
                self._system.invalidate_cache(path)
                found = self._system.ls(path, detail=False)
        except FileNotFoundError:
            return []
        names = (str(path).rstrip("/").rpartition("/")[2] for path in found)
        return sorted(name for name in names if name)

    def remove(self, name: str) -> None:
        with contextlib.suppress(FileNotFoundError), self._said(name, "removed"):
            self._system.rm_file(self._path(name))

    def clear(self) -> None:
        for name in self.names(""):
            if name != NAME:
                with contextlib.suppress(FileNotFoundError), self._said(name, "removed"):
                    self._system.rm(self._path(name), recursive=True)
        self._folders.clear()

    def held(self) -> AbstractContextManager[Callable[[], None]]:
        return self._held()

    @contextlib.contextmanager
    def _held(self) -> Iterator[Callable[[], None]]:
        try:
            with leased(self) as expect:
                yield expect
        finally:
            with contextlib.suppress(Exception):  # stores of objects have no folders
                if not self.names(""):
                    self._system.rmdir(self._root)

    def _is_moved_in(self, path: str, data: bytes) -> bool:
        """Write a file under another name first; whether the store could rename it."""
        folder, _, name = path.rpartition("/")
        part = f"{folder}/.{name}.{uuid4().hex}.part"
        try:
            self._system.pipe_file(part, data)
            self._system.mv(part, path)
        except NotImplementedError:
            self._renames = False
        except BaseException:
            with contextlib.suppress(Exception):
                self._system.rm_file(part)
            raise
        else:
            return True
        self._system.rm_file(part)
        return False

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}" if name else self._root

    @contextlib.contextmanager
    def _said(self, name: str, done: str) -> Iterator[None]:
        """Say of every error of a store, of which each has its own, what could not be done."""
        try:
            yield
        except FileNotFoundError:
            if done == "written":
                raise ExchangeError(
                    f"{self.named(name)} cannot be written: {self.where} does not exist, nor can "
                    f"it be made; make the bucket or folder first"
                ) from None
            raise
        except Exception as error:
            raise ExchangeError(
                f"{self.named(name)} cannot be {done}: {type(error).__name__}: {error}. What is "
                f"done stays; as soon as that is cured, the same command goes on"
            ) from None


class Ranges:
    """A file that is read range by range; its beginning is there."""

    size = -1

    def __init__(self, first: bytes, take: Callable[[int, int], bytes]) -> None:
        self._first, self._take = first, take

    def line(self) -> bytes:
        while b"\n" not in self._first:
            more = self._take(len(self._first), 4 * len(self._first))
            if not more:
                break
            self._first += more
        return self._first[: self._first.find(b"\n") + 1 or len(self._first)]

    def take(self, begin: int, size: int) -> Bytes:
        end = begin + size
        if end <= len(self._first):
            return memoryview(self._first)[begin:end]
        return self._take(begin, end)


def _opened(url: str) -> tuple[FileSystem, str]:
    """What fsspec has for a URL, and the path in it. Raises ExchangeError."""
    if find_spec("fsspec") is None:
        raise ExchangeError(
            f"the exchange {url} needs fsspec, which is not installed: pip install "
            f"'prunus[cluster]', or give a folder"
        )
    import fsspec

    try:
        system, path = fsspec.core.url_to_fs(url)
    except ImportError as error:
        raise ExchangeError(
            f"the exchange {url} needs a package that is not installed: {error}. Install it for "
            f"this process and for all workers (pip install ...), or give a folder"
        ) from None
    except Exception as error:
        raise ExchangeError(
            f"the exchange {url} cannot be opened: {error}. Give a folder, or a URL that fsspec "
            f"knows, such as s3://BUCKET/FOLDER or file:///FOLDER"
        ) from None
    return system, str(path).rstrip("/")


def _protocols(system: object) -> tuple[str, ...]:
    found = getattr(system, "protocol", ())
    return (found,) if isinstance(found, str) else tuple(found)


def _has_own_move(system: object) -> bool:
    """Whether a file system renames files; those which do not copy a file, and remove the first."""
    import fsspec

    move = getattr(type(system), "mv", None)
    return move is not None and move is not fsspec.AbstractFileSystem.mv
