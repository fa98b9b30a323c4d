"""Locks that keep a second process from writing what this one writes.

The operating system takes a lock away from a process that ends, however it ends, so that one that
is killed leaves none behind.
"""

from __future__ import annotations

import os
import warnings
from pathlib import Path

try:
    import fcntl
except ImportError:  # on systems without it, nothing stops a second writer
    fcntl = None  # type: ignore[assignment]

is_lockable = fcntl is not None
"""Whether this system has such locks."""


def locked(handle: int, place: Path) -> bool:
    """Lock an open file or folder until its descriptor is closed; False if someone else has done
    that. Where nothing can be locked, a warning says so and names the `place`."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        warnings.warn(
            f"{place} cannot be locked ({error.strerror}); do not start a second command that "
            "writes there",
            stacklevel=3,
        )
    return True


def still_there(handle: int, place: Path) -> bool:
    """Whether this open file or folder is the one that has the name now: the one who had the lock
    before may have removed or renamed it."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(place))
    except FileNotFoundError:
        return False
