"""Machine code kept on disk between processes.

Each piece of code is one file, named by the digest of everything it is made from, including its
signature, so that an edit anywhere gives another name. If a file is missing, damaged or cannot be
loaded, the code is compiled again. The folder is `PRUNUS_CACHE_DIR`, by default `prunus` in the
user's cache folder; `PRUNUS_CACHE=off` turns the cache off.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import tempfile
from pathlib import Path
from typing import Any

from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from prunus.kernel.code import hand
from prunus.kernel.code.linking import loaded_library

LIMIT = 512 << 20
"""The cache's size limit in bytes. Beyond it, the files that have gone unused longest are deleted,
down to three quarters of it."""

_TURNS = 4
"""Out of 256 files that are kept, the number after which the size is looked at: that takes a look
at every file."""


class DiskCache(_Cache):
    """The cache of one function, with the interface that Numba's dispatchers expect."""

    def __init__(self, name: str, digest: str, place: Path) -> None:
        # `name` is the prefix of the file's name.
        self._name, self._digest, self._place = name, digest, place

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._place)

    def enable(self) -> None:
        """Always enabled."""

    def disable(self) -> None:
        """Always enabled."""

    def flush(self) -> None:
        """Deletes nothing: other processes may use the files."""

    def _path(self, codegen: Any) -> Path:
        key = hashlib.sha256(
            "|".join((self._digest, repr(codegen.magic_tuple()))).encode()
        ).hexdigest()
        return self._place / f"{self._name}{key[:40]}.bin"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for a signature, or None."""
        target_context.refresh()
        path = self._path(target_context.codegen())
        try:
            data = path.read_bytes()
            checksum, body = data[:32], data[32:]
            if hashlib.sha256(body).digest() != checksum:
                return None
            reduced = pickle.loads(body)  # noqa: S301 - the user's own folder
            loaded = CompileResult._rebuild(_Loading(target_context), *reduced)._replace(
                target_context=target_context
            )
            os.utime(path)
        except Exception:  # whatever a damaged or foreign file raises: compile again
            return None
        return loaded

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep compiled code; if that fails, the search goes on without it, and the next caller is
        told why. Code that holds addresses of this process is not kept."""
        if cres.library.has_dynamic_globals:
            return
        try:
            body = dumps(cres._reduce())
            self._place.mkdir(parents=True, exist_ok=True)
            path = self._path(cres.library.codegen)
            handle, temporary = tempfile.mkstemp(dir=self._place, suffix=".tmp")
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(body).digest() + body)
            os.replace(temporary, path)
            if int(path.stem[-2:], 16) < _TURNS:
                trim(self._place)
        except OSError as error:  # a full disk, a read-only folder
            hand.note_unkept(self._place, error.strerror or str(error))
        except Exception:  # a type that cannot be pickled
            return


class _Loading:
    """The context that Numba needs when it rebuilds code from its parts."""

    unserialize_library = staticmethod(loaded_library)

    def __init__(self, context: Any) -> None:
        self.typing_context, self.get_executable = context.typing_context, context.get_executable

    def codegen(self) -> _Loading:
        """The object that rebuilds a library from its kept parts."""
        return self


def trim(place: Path, limit: int = LIMIT) -> None:
    """Delete the files that have gone unused longest if all together have more than `limit` bytes;
    another process may do so at the same time."""
    with os.scandir(place) as entries:
        found = [_described(entry) for entry in entries if entry.name.endswith(".bin")]
    files = sorted(filter(None, found), reverse=True)
    if sum(size for _, size, _ in files) <= limit:
        return
    kept = 0
    for _, size, path in files:
        kept += size
        if kept > limit * 3 // 4:
            Path(path).unlink(missing_ok=True)


def _described(entry: os.DirEntry[str]) -> tuple[float, int, str] | None:
    """When a file was used last, its size and its path; None if it is there no more."""
    try:
        found = entry.stat()
    except FileNotFoundError:
        return None
    return found.st_mtime, found.st_size, entry.path
