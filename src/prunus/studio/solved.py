"""Databases for a browser: their positions with the value of every move, how many positions there
are of each value, and some of them. The command line names the folders; a browser knows their names
only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prunus.adapters import open_any
from prunus.core.game import Game
from prunus.core.generic import Json
from prunus.core.position import Position, read_position
from prunus.databases.errors import DatabaseError
from prunus.databases.folder import Database, identity_of, read_manifest
from prunus.databases.labels import DRAWN, LOST, OPEN, WON, ZERO, Labels, Value
from prunus.games.catalogue import GAMES
from prunus.run.limits import Stop
from prunus.studio import maxima
from prunus.studio.boards import described
from prunus.studio.messages import Find, InDatabase, Tally

BLOCK: Final = 1 << 22
"""The labels that are looked at between two looks at Stop."""

BARS: Final = 1_000
"""The most values whose positions are counted one by one."""

Matching = Callable[[Labels], NDArray[np.bool_]]


class Solved:
    """A database that a browser may look into."""

    def __init__(self, name: str, database: Database) -> None:
        self.name, self.database, self.game = name, database, database.game
        self._lock, self._tally = Lock(), dict[int, int]()

    def told(self) -> Json:
        """What a page has to know of it."""
        said = self.database.manifest
        names = ("positions", "ends", "won", "drawn", "lost", "longest", "scored", "date")
        facts = {name: said[name] for name in names}  # type: ignore[literal-required]
        name = said["game"].split(":")[0]  # of the catalogue; anything else may be a path
        game = name if name in GAMES else ""
        return {"name": self.name, "title": self.game.title(), "game": game, **facts}

    def look(self, asked: InDatabase) -> Json:
        """A position after some moves: its board and its value; all moves with the values that they
        lead to, the best first. Values are for the player to move in the position. Raises
        PositionError, DatabaseError."""
        game, database = self.game, self.database
        start = database.positions.start
        states = [read_position(game, asked.position).state if asked.position else start]
        actions = list[int]()
        self._measure(states[0])
        for number, name in enumerate(asked.moves, 1):
            actions.append(int(game.action_named(states[-1], name, number)))
            states.append(game.result(states[-1], actions[-1]))
        self._measure(states[-1])
        value = self.probe(states[-1])
        if value is None:
            raise DatabaseError(
                f"{game.format(states[-1])} is not in {self.name}: it cannot be reached from "
                f"{game.format(start)}"
            )
        with self._lock:
            moves = database.moves(states[-1])
        names = {action: game.action_name(states[-1], action) for action, _ in moves}
        return {
            **described(game, [Position(state) for state in states], actions),
            "value": value._asdict(),
            "moves": [{"action": names[action], **known._asdict()} for action, known in moves],
        }

    def probe(self, state: object) -> Value | None:
        """The value of a position; None if it is not there."""
        with self._lock:
            return self.database.probe(state)

    def _measure(self, state: object) -> None:
        if self.game.is_terminal(state):
            return
        most = maxima.ACTIONS
        if sum(1 for _ in islice(self.game.actions(state), most + 1)) > most:
            raise DatabaseError(f"the position has more than {most} actions: too many to show")

    def tally(self, stop: Stop) -> Json:
        """How many positions there are of each value: won and lost by plies, drawn; or by score,
        unless there are too many scores."""
        counts = self._tally or self._counted(stop)
        if not stop.requested:
            self._tally = counts
        scored, bars = self.database.scored, dict[tuple[str, int | None], int]()
        for label, count in counts.items():
            bar = bar_of(label, scored)
            bars[bar] = bars.get(bar, 0) + count
        if len(bars) > BARS:
            bars.clear()
        order = sorted(bars.items(), key=lambda each: (each[0][0], each[0][1] or 0))
        return {
            "bars": [
                {"outcome": outcome, "number": number, "count": count}
                for (outcome, number), count in order
            ]
        }

    def _counted(self, stop: Stop) -> dict[int, int]:
        """How often each label occurs."""
        found = np.zeros(1 << 16, np.int64)
        for _, labels in self._blocks(stop):
            found += np.bincount(labels, minlength=len(found))
        return {int(label): int(found[label]) for label in np.flatnonzero(found)}

    def _blocks(self, stop: Stop) -> Iterator[tuple[int, Labels]]:
        labels = self.database.labels.array
        for first in range(0, len(labels), BLOCK):
            if stop.requested:
                return
            yield first, labels[first : first + BLOCK]

    def find(self, asked: Find, stop: Stop) -> Json:
        """Some positions of a value, in the order of their numbers."""
        matches = matching(asked, self.database.scored)
        left, places = asked.skip, list[int]()
        for first, labels in self._blocks(stop):
            here = np.flatnonzero(matches(labels))
            places += [first + int(at) for at in here[left : left + maxima.FOUND - len(places)]]
            left = max(0, left - len(here))
            if len(places) == maxima.FOUND:
                break
        with self._lock:
            states = [self.database.positions.state(place) for place in places]
        return {"positions": [self.game.format(state) for state in states]}


def bar_of(label: int, scored: bool) -> tuple[str, int | None]:
    """What a label is for the player to move, and in how many plies, or its score."""
    if scored:
        score = label - ZERO
        return ("won" if score > 0 else "lost" if score < 0 else "drawn"), score
    kind = label & 3
    if kind in (WON, LOST):
        return ("won" if kind == WON else "lost"), label >> 2
    return "drawn", None


def matching(asked: Find, scored: bool) -> Matching:
    """Whether labels are those of the positions asked for."""
    if scored:
        wanted = ZERO + (asked.number or 0)
        return lambda labels: labels == wanted
    if asked.outcome == "drawn":
        return lambda labels: ((labels & 3) == OPEN) | ((labels & 3) == DRAWN)
    kind = WON if asked.outcome == "won" else LOST
    if asked.number is None:
        return lambda labels: (labels & 3) == kind
    label = (asked.number << 2) | kind
    return lambda labels: labels == label


class Databases:
    """The databases by their names."""

    def __init__(self, known: Sequence[Solved] = ()) -> None:
        self.known = {each.name: each for each in known}

    def listed(self) -> list[Json]:
        """What a page has to know of each."""
        return [each.told() for each in self.known.values()]

    def of(self, game: Game) -> list[Solved]:
        """The databases of this game."""
        if not self.known:
            return []
        try:
            own = identity_of(game)
        except DatabaseError:  # nothing can be stored for such a game
            return []
        return [each for each in self.known.values() if identity_of(each.game) == own]

    def named(self, name: str) -> Solved:
        """The database of this name. Raises DatabaseError."""
        if name not in self.known:
            raise DatabaseError(f"the studio has no database {name!r}")
        return self.known[name]

    def work(self, asked: Tally | Find, stop: Stop) -> Json:
        """Count positions, or find some."""
        database = self.named(asked.database)
        return database.tally(stop) if isinstance(asked, Tally) else database.find(asked, stop)


def opened(folders: Sequence[Path]) -> Databases:
    """The databases in these folders, by the names of the folders. Raises DatabaseError, and
    GameError if the game of one is not found."""
    found: dict[str, Solved] = {}
    for folder in folders:
        game: Game = open_any(read_manifest(folder)["game"])[0]
        name = (folder.resolve().name or "database")[: maxima.GAME]
        while name in found:
            name = f"{name}'"
        found[name] = Solved(name, Database(folder, game))
    return Databases([*found.values()])
