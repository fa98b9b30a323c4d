"""Keeping a second builder out of a store that has no locks.

The builder writes a file with its name and a number, which it counts up every few seconds. Whoever
comes and finds such a file waits: if the number changes, the other one lives. No clocks are
compared. A builder that was taken for dead, because it was stopped for that long, finds another
name in the file, and gives up.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Final, Protocol

from prunus.databases.cluster.stores import ExchangeError

NAME: Final = "builder.json"
"""The file with the name of the builder."""

BEAT: Final = 5.0
"""The seconds between two numbers."""

PATIENCE: Final = 4
"""After so many beats without a new number a builder is taken for dead."""


class Files(Protocol):
    """What is used of a store."""

    where: str

    def read(self, name: str) -> bytes: ...

    def write(self, name: str, blocks: list[bytes]) -> int: ...

    def remove(self, name: str) -> None: ...


class Holder:
    """The builder that holds a store; `lost` tells why it no longer does."""

    def __init__(self, store: Files) -> None:
        self.store, self.token, self.number, self.lost = store, uuid.uuid4().hex, 0, ""

    def take(self) -> None:
        """Hold the store. Raises ExchangeError if another process does."""
        found = _said(self.store)
        if found and _may_live(found) and self._changes(found):
            raise ExchangeError(
                f"{self.store.where}: another process is building there: number {found['process']} "
                f"on {found['host']}"
            )
        self.write()
        # If two came at once, both see who was last.
        time.sleep(BEAT / 10)
        if _said(self.store).get("token") != self.token:
            raise ExchangeError(
                f"{self.store.where}: another process has just begun to build there"
            )

    def beat(self) -> None:
        """Count up, unless another process holds the store."""
        found = _said(self.store)
        if found.get("token") == self.token:
            self.write()
        elif found:
            self.lost = "another process took this one for dead and builds there now"
        else:
            self.lost = f"{NAME} is gone, so another process may have built there: start again"

    def write(self) -> None:
        """Write the next number."""
        self.number += 1
        said = {"token": self.token, "host": platform.node(), "process": os.getpid()}
        self.store.write(NAME, [json.dumps({**said, "number": self.number}).encode()])

    def expect(self) -> None:
        """Raises ExchangeError if the store is no longer held."""
        if self.lost:
            raise ExchangeError(f"{self.store.where}: {self.lost}")

    def _changes(self, found: dict[str, object]) -> bool:
        last = time.monotonic() + PATIENCE * BEAT
        while time.monotonic() < last:
            time.sleep(BEAT / 5)
            now = _said(self.store)
            if now != found:
                return bool(now)
        return False


@contextlib.contextmanager
def leased(store: Files) -> Iterator[Callable[[], None]]:
    """Hold a store within the block; what is returned raises ExchangeError if that is over. Raises
    ExchangeError if another process holds it."""
    holder, over = Holder(store), threading.Event()
    holder.take()

    def beat() -> None:
        while not over.wait(BEAT) and not holder.lost:
            with contextlib.suppress(ExchangeError):  # it is tried again at the next beat
                holder.beat()

    thread = threading.Thread(target=beat, name="prunus-lease", daemon=True)
    thread.start()
    try:
        yield holder.expect
    finally:
        over.set()
        thread.join()
        with contextlib.suppress(ExchangeError):
            if _said(store).get("token") == holder.token:
                store.remove(NAME)


def _said(store: Files) -> dict[str, object]:
    """What the file says; nothing if there is none."""
    try:
        found = json.loads(store.read(NAME))
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _may_live(found: dict[str, object]) -> bool:
    """Whether a process may still run: of this machine, that is known, except on Windows, where
    to ask would end it."""
    if (
        os.name == "nt"
        or found.get("host") != platform.node()
        or not isinstance(found.get("process"), int)
    ):
        return True
    try:
        os.kill(int(str(found["process"])), 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True
