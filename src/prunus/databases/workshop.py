"""The folder in which a database is built, beside the one that it becomes.

Every file is written under a temporary name, forced to the disk and renamed, and only then named in
the record, together with its SHA-256. So the record never names a file that is not whole, and a
builder that is killed at any moment leaves a beginning from which the same command goes on. The
record is replaced by the manifest of the database, and then the folder is renamed.

A builder holds a lock on the folder itself (`prunus.core.locks`).
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from prunus.core.locks import locked, still_there
from prunus.databases.errors import DatabaseError
from prunus.tables.stored import BLOCK, MANIFEST, damage, seal_of

PART: Final = ".part"
"""How the name of a file ends that is being written."""

AnyArray = NDArray[np.generic]


class StorageError(DatabaseError):
    """A file that cannot be written."""


class Plan(TypedDict):
    """What is being built: the rules, the start (empty: the game's own), whether only outcomes are
    wanted, and the version of Prunus. Only the same plan goes on with what another run left."""

    identity: str
    start: str
    outcomes: bool
    prunus: str


class StoredFile(TypedDict):
    """What a manifest says about a file."""

    bytes: int
    sha256: str


class Kept(StoredFile):
    """What the record says about a file; `note` is a number that belongs to it."""

    note: int


class Said(TypedDict, total=False):
    """What is read of a record, or of a manifest."""

    plan: Plan
    identity: str
    start: str
    positions: int
    scored: bool
    amount: int | None
    versions: dict[str, str]


class Workshop:
    """The folder `FOLDER.building` of a database FOLDER, locked until `close`; `is_damaged` tells
    that something was kept there that could not be read. Raises DatabaseError if FOLDER exists, if
    another process builds it, or if another plan was begun there."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder, self.plan, self.is_damaged = folder, plan, False
        self.place = folder.with_name(f"{folder.name}.building")
        self._handle = _locked(folder, self.place)
        try:
            self.files, self._spent = self._begun()
        except BaseException:
            os.close(self._handle)
            raise
        self._since = time.perf_counter()

    def __enter__(self) -> Workshop:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def seconds(self) -> float:
        """The time spent on this database, with that of earlier runs up to what they kept."""
        return self._spent + time.perf_counter() - self._since

    def _begun(self) -> tuple[dict[str, Kept], float]:
        """The files that earlier runs left, and the seconds they took."""
        path = self.place / MANIFEST
        files: dict[str, Kept] = {}
        spent = 0.0
        try:
            said = json.loads(path.read_text(encoding="utf-8"))
            if said["check"] != seal_of(said):
                raise ValueError
            # A manifest has no notes of its files; that of positions is their number.
            note = said.get("positions", 0)
            for name, kept in said["files"].items():
                size, digest = kept["bytes"], kept["sha256"]
                files[name] = {"bytes": size, "sha256": digest, "note": kept.get("note", note)}
            spent, plan = float(said["seconds"]), _plan_of(said, self.plan)
        except FileNotFoundError:
            left = len(list(self.place.glob("*.npy")))
            plan, self.is_damaged = self.plan, left > 0
            if left > 1:  # a builder that is killed may leave a first file without a record
                warnings.warn(f"{path} is missing: the build starts anew", stacklevel=2)
        except (ValueError, TypeError, KeyError, AttributeError):
            warnings.warn(f"{path} is damaged: the build starts anew", stacklevel=2)
            plan, self.is_damaged = self.plan, True
        for name, wanted in self.plan.items():
            if plan.get(name) != wanted:
                raise DatabaseError(
                    f"{self.place} has the beginning of another build: {name} is "
                    f"{plan.get(name)!r}, not {wanted!r}; remove it, or give another --out"
                )
        for other in self.place.iterdir():
            if other.name not in files and other != path:
                _remove(other)
        return files, spent

    def is_finished(self) -> bool:
        """Whether an earlier run was stopped when only the new name of the folder was missing, and
        the files are whole."""
        path = self.place / MANIFEST
        if not self.files or "format" not in json.loads(path.read_text(encoding="utf-8")):
            return False
        wrong = damage(self.place, self.files)
        self.is_damaged = wrong is not None
        return wrong is None

    def names(self, beginning: str) -> list[str]:
        """The names of the files that are kept and begin so, in order, without their ending."""
        found = (name.removesuffix(".npy") for name in self.files if name.startswith(beginning))
        return sorted(found)

    def load(self, name: str) -> AnyArray | None:
        """An array that was kept, mapped into memory; None if there is none, or if its file is no
        longer what was written, which is said in a warning."""
        file = f"{name}.npy"
        if file not in self.files:
            return None
        wrong = damage(self.place, {file: self.files[file]})
        if wrong is None:
            array: AnyArray = np.load(self.place / file, mmap_mode="r")
            return array
        self.is_damaged = True
        warnings.warn(f"{wrong.replace('manifest', 'record')}; it is made again", stacklevel=2)
        return None

    def demand(self, name: str) -> AnyArray:
        """The same of an array that has just been kept. Raises StorageError if it is not there, or
        not what was written."""
        array = self.load(name)
        if array is None:
            raise self._changed(f"{name}.npy")
        return array

    def save(self, name: str, pieces: Iterable[AnyArray], note: int = 0) -> None:
        """Keep an array, given in pieces (of which there is one at least, and which are looked at
        twice). Raises StorageError if the disk is full or fails; what
        was kept before stays."""
        path = self.place / f"{name}.npy"
        size, digest = 0, hashlib.sha256()
        with _written(path, self._handle) as file:
            for block in _as_npy(pieces):
                file.write(block)
                digest.update(block)
                size += len(block)
        self._record(
            {
                **self.files,
                path.name: {"bytes": size, "sha256": digest.hexdigest(), "note": note},
            }
        )

    def forget(self, *names: str) -> None:
        """Remove files that are no longer needed."""
        known = [f"{name}.npy" for name in names if f"{name}.npy" in self.files]
        if known:
            self._record({name: said for name, said in self.files.items() if name not in known})
        for name in known:
            _remove(self.place / name)

    def finish(self, manifest: Mapping[str, object]) -> None:
        """Write the manifest and give the folder its name; the files that the manifest does not
        name go."""
        self._write_json(manifest)
        self.publish()

    def publish(self) -> None:
        """Give the folder, whose manifest is written, its name. Raises StorageError if one of its
        files has been removed meanwhile, or cut short."""
        self._expect_there(MANIFEST)
        kept = json.loads((self.place / MANIFEST).read_text(encoding="utf-8"))["files"]
        for name, said in kept.items():
            self._expect_there(name, said["bytes"])
        for path in self.place.iterdir():
            if path.name != MANIFEST and path.name not in kept:
                _remove(path)
        os.rename(self.place, self.folder)
        parent = os.open(self.folder.parent, os.O_RDONLY)
        os.fsync(parent)
        os.close(parent)

    def abandon(self) -> None:
        """Let go of what is kept: nobody can go on with it."""
        self.files = {}

    def close(self) -> None:
        """Give up the lock. A folder in which nothing has been kept is removed."""
        if self._handle < 0:
            return
        if not self.files and self.place.exists():
            shutil.rmtree(self.place, ignore_errors=True)
        os.close(self._handle)
        self._handle = -1

    def _expect_there(self, name: str, size: int | None = None) -> None:
        path = self.place / name
        if not path.is_file() or size not in (None, path.stat().st_size):
            raise self._changed(name)

    def _changed(self, name: str) -> StorageError:
        return StorageError(
            f"{self.place / name} was removed or changed by somebody else: the same command makes "
            f"it again"
        )

    def _record(self, files: dict[str, Kept]) -> None:
        """Write which files are kept. They count from then on, so that what Ctrl-C interrupts can
        be done again."""
        said = {"plan": self.plan, "seconds": self.seconds, "files": files}
        self._write_json(said)
        self.files = files

    def _write_json(self, said: Mapping[str, object]) -> None:
        said = {**said, "check": seal_of(said)}
        with _written(self.place / MANIFEST, self._handle) as file:
            file.write((json.dumps(said, indent=1) + "\n").encode())


def _plan_of(said: Said, plan: Plan) -> Mapping[str, object]:
    """The plan in a record, or the one that a manifest tells of. If one amount is all that a game
    is played for, the manifest is the same whether outcomes were asked for or not."""
    if "plan" in said:
        return said["plan"]
    outcomes = not said["scored"] if said["amount"] is None else plan["outcomes"]
    names = {"identity": said["identity"], "start": said["start"], "outcomes": outcomes}
    return {**names, "prunus": said["versions"]["prunus"]}


@contextmanager
def _written(path: Path, folder: int) -> Iterator[io.BufferedWriter]:
    """A file that gets its name when it is whole and on the disk. Raises StorageError if that
    fails."""
    part = path.with_name(path.name + PART)
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.rename(part, path)
        os.fsync(folder)
    except BaseException as error:
        _remove(part)
        if not isinstance(error, OSError):
            raise
        raise StorageError(
            f"{path} cannot be written: {error.strerror or error}. What was kept before stays in "
            f"{path.parent}; as soon as that is cured, the same command goes on"
        ) from None


def _locked(folder: Path, place: Path) -> int:
    """Make the folder if it is missing, and lock it; return its descriptor."""
    while True:
        if folder.exists():
            raise DatabaseError(f"{folder} exists already; give another --out, or remove it first")
        if folder.is_symlink():
            raise DatabaseError(
                f"{folder} is a link to {os.readlink(folder)}, which does not exist; give another "
                f"--out, or remove the link first"
            )
        place.mkdir(parents=True, exist_ok=True)
        try:
            handle = os.open(place, os.O_RDONLY)
        except FileNotFoundError:  # renamed or removed in between by the one who had the lock
            continue
        try:
            lock(handle, place)
            if still_there(handle, place):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def lock(handle: int, place: Path) -> None:
    """Lock a folder, until its descriptor is closed. Raises DatabaseError if another process has
    done that."""
    if not locked(handle, place):
        raise DatabaseError(f"{place}: another process is building this database")


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _as_npy(pieces: Iterable[AnyArray]) -> Iterator[bytes | memoryview]:
    """Arrays of one dimension as one file of NumPy's format, in blocks."""
    header = io.BytesIO()
    kinds, lengths = zip(*((piece.dtype, len(piece)) for piece in pieces), strict=True)
    shape = (sum(lengths),)
    descr = np.lib.format.dtype_to_descr(kinds[0])
    np.lib.format.write_array_header_1_0(
        header, {"descr": descr, "fortran_order": False, "shape": shape}
    )
    yield header.getvalue()
    for piece in pieces:
        data = np.ascontiguousarray(piece).view(np.uint8).data
        for first in range(0, len(data), BLOCK):
            yield data[first : first + BLOCK]
