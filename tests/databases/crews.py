"""Builds by crews that forget, stop or die, and the same builds by one process."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

from prunus import u64
from prunus.core.position import Position
from prunus.databases.building import Asked, Work, build_database
from prunus.databases.cluster import tasks
from prunus.databases.cluster.building import Shared, build_by
from prunus.databases.cluster.exchange import Exchange
from prunus.databases.cluster.workers import Here
from prunus.games import make_game
from tests.databases import builder


class Weak(builder.Seeded):
    """A random graph whose keys tell few positions apart."""

    def key(self, state):
        return u64(state.node % 3)


KINDS = {
    "outcomes": (builder.Seeded, 1, False),
    "scores": (builder.Seeded, 3, False),
    "outcomes of scores": (builder.Seeded, 3, True),
    "ranked": (builder.SeededRanked, 1, False),
    "ranked scores": (builder.SeededRanked, 3, False),
    "weak keys": (Weak, 1, False),
}


class Opened:
    """Opens a game of one of the kinds, or of the catalogue, in any process."""

    def __init__(self, kind, seed=0):
        self.kind, self.seed = kind, seed

    def __call__(self):
        if self.kind in KINDS:
            cls, most, _ = KINDS[self.kind]
            game = cls(self.seed, most)
        else:
            game = make_game(self.kind)
        return game, Position(game.initial())

    @property
    def asked(self):
        return Asked(self.kind, "", "build", KINDS.get(self.kind, (None, 0, False))[2])


def alone(opened, folder):
    """What one process makes."""
    build_database(opened()[0], None, Path(folder), opened.asked, Work(compile=False))
    return builder.contents(folder)


def together(opened, folder, crew, partitions=3, exchange=""):
    """What a crew makes."""
    shared = Shared(partitions, compile=False, exchange=exchange)
    built = build_by(crew, opened, Path(folder), opened.asked, shared)
    return builder.contents(folder), built


class Forgetful(Here):
    """Keeps nothing in memory from one task to the next."""

    def run(self, given):
        found = []
        for task in given:
            tasks.shelf.clear()
            found += super().run([task])
        return found


class Torn(Here):
    """Does each task twice. The first time all files are written but for the record, as if it had
    been killed then; half of them are damaged afterwards."""

    def run(self, given):
        finish, found = Exchange.finish, []
        for task in given:
            written = []

            def save(exchange, round_, name, partition, arrays, save=Exchange.save, to=written):
                save(exchange, round_, name, partition, arrays)
                to.append((exchange.files, f"{round_}/{name}-{partition:04}.arrays"))

            Exchange.finish, Exchange.save = lambda *words: None, save
            try:
                super().run([task])
            finally:
                Exchange.finish, Exchange.save = finish, save.__defaults__[0]
            for files, name in written[::2]:
                files.write(name, [b"not whole"])
            found += super().run([task])
        return found


class Stopping(Here):
    """Is stopped by Ctrl-C after some tasks."""

    def __init__(self, after):
        super().__init__()
        self.left = after

    def run(self, given):
        found = []
        for task in given:
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
            found += super().run([task])
        return found


class Killing:
    """Has the first worker that comes to these rounds killed in the middle of a task, by numbers
    from 0; `marks` is a folder for notes that it has happened."""

    def __init__(self, crew, rounds, marks):
        self.crew, self.rounds, self.marks, self.number = crew, rounds, marks, 0

    def run(self, given):
        if self.number in self.rounds:
            mark = str(self.marks / str(self.number))
            given = [
                task._replace(function=dying, arguments=(mark, task.function, *task.arguments))
                for task in given
            ]
        self.number += 1
        return self.crew.run(given)


def dying(mark, function, *arguments):
    """Do a task; the first process that comes here is killed while it does it."""
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return function(*arguments)
    threading.Timer(0.003, os.kill, (os.getpid(), signal.SIGKILL)).start()
    while True:
        function(*arguments)
