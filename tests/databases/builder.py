"""Builders that are stopped: before a step that forces or renames a file, or at any moment."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

from prunus.databases import workshop
from prunus.databases.building import Asked, Work, build_database
from prunus.games import make_game
from prunus.tables.stored import MANIFEST
from tests.databases import naive


class Seeded(naive.Graph):
    """The random graph of a seed, as a game that a manifest can name."""

    def __init__(self, seed, most):
        like = naive.random_graph(seed, most)
        super().__init__(like.targets, like.first, like.mover, like.worth)
        self.seed, self.most = seed, most


class SeededRanked(naive.RankedGraph, Seeded):
    """The same with ranks."""


GAMES: dict[str, Callable[[], object]] = {
    "outcomes": lambda: Seeded(228, 1),
    "scores": lambda: Seeded(288, 3),
    "ranked": lambda: SeededRanked(228, 1),
    "morris": lambda: make_game("three-mens-morris"),
    "layers": lambda: make_game("awari:pits=2,stones=5"),
}


def build(name, folder, often=0.0, watch=None, memory=None):
    """Build the database of one of the games, interpreted, keeping everything at once."""
    asked = Asked(name, "", f"build {name}")
    work = Work(compile=False, often=often, watch=watch, memory=memory)
    return build_database(GAMES[name](), None, Path(folder), asked, work)


def stopping(stop, step):
    """Call `stop` before the step of this number: forcing or renaming a file. Returns a list whose
    length is the number of steps. Nothing is really forced, which would take long: what a process
    has written stays when only the process ends."""
    done = []

    def counted(call):
        def instead(*words):
            done.append(call)
            if len(done) == step:
                stop()
            call(*words)

        return instead

    changed = {name: getattr(os, name) for name in dir(os) if not name.startswith("__")}
    changed |= {"fsync": counted(lambda descriptor: None), "rename": counted(os.rename)}
    workshop.os = SimpleNamespace(**changed)
    return done


def contents(folder):
    """What is in a finished database, without what the clock says."""
    found = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
    manifest = json.loads(found.pop(MANIFEST))
    assert manifest.pop("check")
    return {**found, MANIFEST: {**manifest, "seconds": 0.0, "date": ""}}


def main(name, folder, step, seconds):
    """Build a database and print the number of steps. SIGKILL comes at this step, or after this
    time, if they are not 0."""

    def kill():
        os.kill(os.getpid(), signal.SIGKILL)

    if float(seconds):
        threading.Timer(float(seconds), kill).start()
    done = stopping(kill, int(step))
    build(name, folder)
    print(len(done), flush=True)  # noqa: T201
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
