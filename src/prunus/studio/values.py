"""The values of all actions of a position, each with whether it is proved."""

from __future__ import annotations

from time import perf_counter
from typing import Final

from prunus.core.analysis import Analysis
from prunus.core.errors import SearchError
from prunus.core.game import Game
from prunus.core.generic import Json
from prunus.core.position import Position
from prunus.run.driver import analyze
from prunus.run.limits import Limit, Stop
from prunus.studio import maxima
from prunus.tables.book import Book, installed_book

SHARE: Final = 0.3
"""The part of the time in which the values of all actions are first looked for interpreted, because
code may have to be compiled or loaded."""

LEAST: Final = 0.02
"""The least time of a search, in seconds."""

MEGABYTES: Final = 8.0
"""The size of the tables of searches that take a moment: many of them follow each other."""


def values_of(game: Game, position: Position, seconds: float, stop: Stop) -> Json:
    """The analysis of a position, as `Analysis.to_dict`, with the values of all actions; `proved`
    of each says whether its value is. Takes so many seconds, up to twice as long if the value of
    the position is proved and those of its actions are not yet. Raises SearchError."""
    began, book = perf_counter(), installed_book(game)
    found = _deepened(game, position, began + seconds, seconds, stop, book)
    data = found.to_dict()
    known = found.proved and found.bound == "exact"
    for move in data.get("moves", ()):
        move["proved"] = known and found.algorithm in ("book", "database")
    if known and found.moves and found.algorithm not in ("book", "database"):
        _prove(found, position, data, max(began + seconds, perf_counter()) + seconds, stop)
        equal = [each for each in data["moves"] if each["proved"] and each["value"] == found.value]
        data["best_moves"] = [each["action"] for each in equal] or [data["best"]]
    return data


def _deepened(
    game: Game, position: Position, end: float, seconds: float, stop: Stop, book: Book | None
) -> Analysis:
    """The last of searches that go deeper and deeper which had a value for each action."""
    best, depth = None, 1
    compile: bool | None = False
    while depth <= maxima.DEPTH and not stop.requested:
        spared = (1 - SHARE) * seconds if compile is False else 0.0
        left = end - spared - perf_counter()
        if left <= 0 and best is not None and compile is None:
            break
        limit = Limit(depth, seconds=max(LEAST, left) if best is not None else maxima.HINT)
        found = analyze(
            game,
            position,
            limit=limit,
            stop=stop,
            all_moves=True,
            compile=compile,
            book=book,
            table=MEGABYTES,
        )
        if best is None or (not found.interrupted and found.moves):
            best = found
        if found.proved and found.bound == "exact":
            break
        if not found.interrupted:
            depth += 1
        elif compile is None:
            break
        else:
            compile = None
    if best is None:
        raise SearchError("the search was stopped before anything was known")
    return best


def _prove(found: Analysis, position: Position, data: Json, end: float, stop: Stop) -> None:
    """Search each action of a position whose value is proved: a search that has proved the best
    action need not have looked to the end of the others."""
    game, value = found.game, found.value
    for number, told in enumerate(data["moves"]):
        move = found.moves[number] if found.moves else None
        left = (end - perf_counter()) / (len(data["moves"]) - number)
        if move is None or stop.requested or left <= 0:
            return
        if move.action == found.best and move.value == value:
            told["proved"] = True
            continue
        child = position.after(game, move.action)
        limit = Limit(seconds=max(LEAST, left))
        after = analyze(game, child, limit=limit, stop=stop, table=MEGABYTES)
        if after.proved and after.bound == "exact" and after.value is not None:
            kept = game.keeps_turn(position.state, child.state)
            told["value"], told["proved"] = int(after.value if kept else -after.value), True
