"""Positions of games, each with the game's result and the value that the engine found there; and
games that the engine plays against itself with a limit of nodes."""

from __future__ import annotations

import json
import random
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Final, Protocol, TypedDict

import numpy as np

from prunus.algorithms.repetition import final_value, is_over
from prunus.core.errors import SearchError
from prunus.core.game import INFINITY, Game, S
from prunus.engine.learning import clear_ordering
from prunus.engine.options import Options
from prunus.kernel import threads
from prunus.learn.selfplay import Player, opened
from prunus.run.limits import in_words
from prunus.run.memories import begin

Array = np.ndarray
Kept = tuple[object, int, int, int]
"""A position: its State, the result, the value, the number of the game."""

Found = tuple[object, int, int]
"""The same without the number of the game."""

Watch = Callable[[str, int, int], None]
"""Called with what is counted, how many of them are done, and how many there are."""

DEEPEST: Final = 40
"""The deepest iteration of a search with a limit of nodes."""

FIRST: Final = 2
"""Its first iteration."""

EVERY: Final = 100
"""After this many games a file is written."""

SURE: Final = 4
"""After this many plies in a row at which both sides agree that the game is decided, it is taken
as decided."""


class Source(TypedDict):
    """Where positions come from: the player, the plan of the games, the number of the first one,
    and how many of them have been gone through."""

    player: str
    contest: dict[str, object]
    first: int
    played: int


class Games(Protocol):
    """Games whose positions are wanted: played for the purpose, or kept somewhere."""

    @property
    def games(self) -> int:
        """How many there are."""
        ...

    def plan(self) -> dict[str, object]:
        """What distinguishes them from others, as data for JSON; their number is no part of it."""
        ...

    def positions(self, player: Thinker, number: int) -> list[Found]:
        """Positions of game `number`. The same number gives the same ones, whichever games came
        before."""
        ...


@dataclass(frozen=True)
class Contest:
    """How games are played: `games` of them, each with a random opening whose number of plies lies
    in the range `opening`; `nodes` for each move; decided when the values found surpass `decided`
    for some moves; drawn after `plies`; and the `seed` of everything drawn. Game number n has the
    same opening whichever games are played besides."""

    games: int = 1000
    opening: tuple[int, int] = (6, 10)
    nodes: int = 2000
    decided: int = 700
    plies: int = 220
    seed: int = 0

    def plan(self) -> dict[str, object]:
        """All of it but the number of games."""
        return {**asdict(self), "opening": list(self.opening), "games": 0}

    def positions(self, player: Thinker, number: int) -> list[Found]:
        """The positions of game `number`, which is played now."""
        return play(player, self, number)


@dataclass(frozen=True)
class Positions:
    """Positions as numbers, a row each: the fields of the State, the result of the game for the
    player to move (-1, 0, 1), the value that a search found for him, and the number of the game."""

    states: Array
    result: Array
    value: Array
    game: Array

    def __len__(self) -> int:
        return len(self.result)

    @classmethod
    def of(cls, rows: Sequence[Kept], width: int) -> Positions:
        """Positions from rows of fields, result, value and game."""
        states = np.array([row[0] for row in rows], np.uint64).reshape(-1, width)
        facts = np.array([row[1:] for row in rows], np.int32).reshape(-1, 3)
        return cls(states, facts[:, 0].astype(np.int8), facts[:, 1], facts[:, 2])

    def joined(self, others: Positions) -> Positions:
        """These positions followed by `others`."""
        return Positions(
            *(
                np.concatenate([getattr(self, each.name), getattr(others, each.name)])
                for each in fields(self)
            )
        )

    def save(self, path: Path, sources: Sequence[Source]) -> None:
        """Save the positions and their sources in an `.npz` file, which is written completely or
        not at all."""
        part = path.with_name(f".{path.stem}.part.npz")
        np.savez_compressed(
            part,
            **{each.name: getattr(self, each.name) for each in fields(self)},
            sources=np.array(json.dumps(list(sources))),
        )
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> tuple[Positions, list[Source]]:
        """The positions and their sources from a file written by `save`. Raises ValueError."""
        try:
            with np.load(path, allow_pickle=False) as kept:
                arrays = [kept[each.name] for each in fields(cls)]
                return cls(*arrays), json.loads(str(kept["sources"]))
        except (KeyError, ValueError, zipfile.BadZipFile):
            raise ValueError(
                f"{path}: this file holds no positions with results, which `prunus fit evaluation "
                f"--positions` writes for a tapered evaluation"
            ) from None


class Thinker(Player):
    """A `Player` that deepens step by step until it has looked at a number of nodes, with the
    options that the game recommends to players, except where `options` says otherwise."""

    def __init__(
        self,
        game: Game,
        compile: bool | None = None,
        options: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__(game, compile, Options.for_play(game, options))
        # Which earlier positions a value rests on matters less here than the time it takes.
        self.table.loose = True

    def begin(self) -> None:
        """Forget earlier games, so that each is the same whichever were played before."""
        self.table.clear()
        clear_ordering(self.memory)

    def think(self, path: Sequence[object], nodes: int) -> tuple[int, int]:
        """The best action at the end of a path, and its value. Raises KeyboardInterrupt."""
        *past, state = path
        if self.game.has_quiet_plies:
            past = past[max(0, len(past) - self.game.quiet_plies(state)) :]
        memory = self.memory
        memory.resume()
        self.table.serve(self.game, state, tuple(past))
        action, value, first = next(iter(self.game.actions(state))), 0, memory.nodes
        for depth in range(FIRST, DEEPEST):
            begin(self.algorithm, memory, depth, past=past)
            if depth > FIRST:
                memory.stop_after(first + nodes)
            with in_words(self.game, memory):
                found, stopped = threads.run(partial(self._searched, state, depth), memory)
            count = memory.root_count
            if stopped:
                break
            if count:
                action, value = memory.root_action[count - 1], int(found)
            if memory.nodes - first > nodes // 2:
                break
        return action, value

    def _searched(self, state: object, depth: int) -> int:
        return self.function(self.game, state, depth, -INFINITY, INFINITY, self.memory)


def play(player: Thinker, contest: Contest, number: int) -> list[Found]:
    """Play game `number` of a contest. The State, result and value of its quiet positions: those in
    which the player to move is not in check and his best action is not noisy, and whose value is
    not far beyond what decides a game."""
    game = player.game
    rng = random.Random(f"{contest.seed}/{number}")  # noqa: S311 - a sample, not a secret
    path = opened(game, rng, rng.randint(*contest.opening))
    player.begin()
    kept: list[tuple[int, int]] = []
    sure, sign, outcome = 0, 0, 0
    while not is_over(game, path) and len(path) < contest.plies:
        action, value = player.think(path, contest.nodes)
        here = side(game, path, len(path) - 1)
        if is_quiet(game, path[-1], action) and abs(value) < 2 * contest.decided:
            kept.append((len(path) - 1, value))
        leads = here * ((value > contest.decided) - (value < -contest.decided))
        sure, sign = (sure + 1 if leads == sign and leads else int(leads != 0)), leads
        if sure >= SURE:
            outcome = sign
            break
        path.append(game.result(path[-1], action))
    else:
        if is_over(game, path):
            last = final_value(game, path)
            outcome = side(game, path, len(path) - 1) * ((last > 0) - (last < 0))
    return [(path[place], outcome * side(game, path, place), value) for place, value in kept]


def side(game: Game[S], path: Sequence[S], place: int) -> int:
    """1 if whoever began the game is to move at this place of it, otherwise -1."""
    if game.alternates:
        return 1 if place % 2 == 0 else -1
    return 1 if game.to_move(path[place]) == game.to_move(path[0]) else -1


def is_quiet(game: Game, state: object, action: int) -> bool:
    """Whether the player to move is not in check and this best action of his is not noisy."""
    if game.has_in_check and game.in_check(state):
        return False
    return not game.has_noisy_actions or action not in tuple(game.noisy_actions(state))


def expect_plain(game: Game) -> None:
    """Raise SearchError unless the States of a game are plain integers without signs."""
    state = game.initial()
    if not all(isinstance(item, int) and item >= 0 for item in state):
        raise SearchError(
            f"{game.title()}: positions with results are kept for States whose fields are single "
            f"integers, not for {state!r}"
        )


def gather(
    game: Game,
    games: Games,
    path: Path | None = None,
    compile: bool | None = None,
    watch: Watch | None = None,
) -> tuple[Positions, list[Source], bool]:
    """The positions of games and their sources, and whether Ctrl-C ended it, after the game in
    progress. Those in the file `path` come first; if some of them are of games with the same plan,
    it goes on after these. The file is written after every `EVERY` games and at the end. Raises
    SearchError and ValueError."""
    expect_plain(game)
    width = len(game.initial())
    kept, sources = Positions.of([], width), list[Source]()
    if path is not None and path.exists():
        kept, sources = Positions.load(path)
    source = _continued(game, games, sources, _next(kept))
    rows: list[Kept] = []
    interrupted, player = False, None
    while source["played"] < games.games and not interrupted:
        try:
            player = player or Thinker(game, compile)
            number = source["played"]
            playing = threads.start(partial(games.positions, player, number))
            rows += [(*row, source["first"] + number) for row in playing.result()]
            source["played"] += 1
            if watch is not None:
                watch("games", source["played"], games.games)
        except KeyboardInterrupt:
            interrupted = True
        ended = interrupted or source["played"] == games.games
        if ended or source["played"] % EVERY == 0:
            kept, rows = kept.joined(Positions.of(rows, width)), []
            if path is not None:
                kept.save(path, [*sources, source])
    return kept, [*sources, source] if source["played"] else sources, interrupted


def _continued(game: Game, games: Games, sources: list[Source], free: int) -> Source:
    """The source of the same games among `sources`, from which it is taken, or a new one; new
    positions are to have the numbers from `free` on."""
    plan = games.plan()
    for place, source in enumerate(sources):
        if (source["player"], source["contest"]) == (game.title(), plan):
            del sources[place]
            # Others have taken the numbers after its own.
            first = source["first"] if place == len(sources) else free - source["played"]
            return {**source, "first": first}
    return {"player": game.title(), "contest": plan, "first": free, "played": 0}


def _next(kept: Positions) -> int:
    return 1 + int(kept.game.max(initial=-1))
