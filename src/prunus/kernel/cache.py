"""Machine code kept on disk between processes.

One file for each piece of code, named by the digest of everything it is made from and by its signature, so that an edit anywhere gives
another name. A file that is missing, damaged or cannot be loaded means: compile again. The folder is `PRUNUS_CACHE_DIR`, by default
`prunus` in the user's cache folder; `PRUNUS_CACHE=off` does without.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
from pathlib import Path
from typing import Any

from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

LIMIT = 512 << 20
"""The cache's size in bytes beyond which the files that were not used for longest are deleted."""


def folder() -> Path | None:
    """Where machine code is kept; None where it is not."""
    if os.environ.get("PRUNUS_CACHE", "").lower() in ("off", "0", "no"):
        return None
    given = os.environ.get("PRUNUS_CACHE_DIR")
    if given:
        return Path(given)
    home = os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else os.environ.get("XDG_CACHE_HOME")
    try:
        return Path(home or Path.home() / ".cache") / "prunus"
    except RuntimeError:
        return None


class DiskCache(_Cache):
    """The cache of one function, as Numba's dispatchers use it."""

    def __init__(self, name: str, digest: str, place: Path) -> None:
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
        """Other processes may use the files: nothing is deleted."""

    def _path(self, signature: Any, codegen: Any) -> Path:
        key = hashlib.sha256("|".join((self._digest, str(signature), repr(codegen.magic_tuple()))).encode()).hexdigest()
        return self._place / f"{self._name}-{key[:40]}.bin"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for a signature, or None."""
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        try:
            data = path.read_bytes()
            checksum, body = data[:32], data[32:]
            if hashlib.sha256(body).digest() != checksum:
                return None
            loaded = CompileResult._rebuild(target_context, *pickle.loads(body))  # noqa: S301 - the user's own folder
            os.utime(path)
        except Exception:  # whatever a damaged or foreign file raises, the answer is to compile again
            return None
        return loaded

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep compiled code; where that fails, the search goes on without."""
        try:
            body = dumps(cres._reduce())
            self._place.mkdir(parents=True, exist_ok=True)
            path = self._path(sig, cres.library.codegen)
            handle, temporary = tempfile.mkstemp(dir=self._place, suffix=".tmp")
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(body).digest() + body)
            os.replace(temporary, path)
            _trim(self._place)
        except Exception:  # a full disk, a read-only folder, a type that cannot be pickled
            return


def _trim(place: Path) -> None:
    files = sorted(((path.stat().st_mtime, path.stat().st_size, path) for path in place.glob("*.bin")), reverse=True)
    kept = 0
    for _, size, path in files:
        kept += size
        if kept > LIMIT:
            path.unlink(missing_ok=True)
