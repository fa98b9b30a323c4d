"""How large games are: numbers of moves and lengths in random and engine play, counts of games and
positions, positions held in memory. The bounds that textbooks give are in `prunus.theory.sizes`."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final, Protocol

from prunus.algorithms.enumerating import positions_by_ply
from prunus.core.game import Game, S
from prunus.core.memory import Array, Counted
from prunus.core.rng import below, generator
from prunus.kernel.backends import call
from prunus.kernel.memory import Memory
from prunus.run.configuration import Configuration
from prunus.run.driver import analyze
from prunus.run.registry import algorithm_named
from prunus.run.session import Session
from prunus.run.task import Root
from prunus.run.tracing import trace
from prunus.tables.transposition import TranspositionTable

LONGEST_RANDOM_GAME: Final = 10_000
"""The plies after which a random game is given up: it may go round in circles."""


@dataclass(frozen=True)
class Played:
    """Games that were played: for each the plies, and the sum of the legal actions over all its
    positions but the last."""

    plies: tuple[int, ...]
    choices: tuple[int, ...]

    @property
    def branching(self) -> tuple[float, ...]:
        """The mean number of legal actions of each game."""
        return tuple(
            choices / plies
            for plies, choices in zip(self.plies, self.choices, strict=True)
            if plies
        )


def playouts(game: Game[S], state: S, count: int, memory: PlayoutMemory) -> int:
    """Play games from a State with actions drawn at random; the plies and the choices of game i go
    to `memory.plies[i]` and `memory.choices[i]`. A game is given up after `LONGEST_RANDOM_GAME`
    plies; the result is the number of these."""
    unfinished = 0
    for number in range(count):
        here = state
        chance = generator(memory.seed, number)
        plies = 0
        choices = 0
        while plies < LONGEST_RANDOM_GAME and not game.is_terminal(here):
            legal = 0
            for _ in game.actions(here):
                legal += 1
            left, chance = below(chance, legal)
            chosen = here
            for action in game.actions(here):
                if left == 0:
                    chosen = game.result(here, action)
                    break
                left -= 1
            here = chosen
            plies += 1
            choices += legal
            memory.nodes += 1
        if plies == LONGEST_RANDOM_GAME:
            unfinished += 1
        memory.plies[number] = plies
        memory.choices[number] = choices
    return unfinished


def random_games(
    game: Game[S],
    count: int,
    seed: int,
    state: S | None = None,
    compile: bool | None = None,
) -> Played:
    """Games played at random, the same for the same seed. Raises ValueError for a count below 0,
    and if a game does not end."""
    if count < 0:
        raise ValueError(f"{count} games cannot be played")
    start = game.initial() if state is None else state
    memory = Memory(
        {"nodes": "i64", "seed": "u64", "plies": ("i64", count), "choices": ("i64", count)}
    )
    memory.seed = seed
    unfinished, _ = call(
        playouts, {"game": game, "state": start, "count": count, "memory": memory}, compile
    )
    if unfinished:
        raise ValueError(
            f"{game.title()}: {unfinished} of {count} random games have not ended after "
            f"{LONGEST_RANDOM_GAME:,} plies; "
            "its games may be endless"
        )
    return Played(tuple(map(int, memory.plies.array)), tuple(map(int, memory.choices.array)))


MOST_PLIES: Final = 500
"""The plies after which a game of the engine against itself is given up."""


def engine_games(
    game: Game, count: int, depth: int, seed: int, opening: int = 4, compile: bool | None = None
) -> Played:
    """Games that the engine plays against itself, searching `depth` plies deep, after `opening`
    random plies, which count too."""
    rng = random.Random(seed)  # noqa: S311 - a sample, not a secret
    table = TranspositionTable(4, game, game.initial())
    plies, choices = [], []
    for _ in range(count):
        state, length, legal = game.initial(), 0, 0
        table.clear()
        while not game.is_terminal(state) and length < MOST_PLIES:
            actions = [int(action) for action in game.actions(state)]
            best = (
                None
                if length < opening
                else analyze(
                    game, state, "engine", depth, table=table, compile=compile, book=False
                ).best
            )
            state = game.result(state, rng.choice(actions) if best is None else best)
            length, legal = length + 1, legal + len(actions)
        plies.append(length)
        choices.append(legal)
    return Played(tuple(plies), tuple(choices))


def games_from(game: Game[S], state: S, memory: Counted) -> int:
    """The number of lines from a State to the end of the game; counts the nodes of the tree."""
    memory.nodes += 1
    if game.is_terminal(state):
        return 1
    count = 0
    for action in game.actions(state):
        count += games_from(game, game.result(state, action), memory)
    return count


def count_games(
    game: Game[S], state: S | None = None, compile: bool | None = None
) -> tuple[int, int]:
    """The number of games (sequences of actions to the end) and the nodes of their tree."""
    start = game.initial() if state is None else state
    memory = Memory({"nodes": "i64"})
    found, _ = call(games_from, {"game": game, "state": start, "memory": memory}, compile)
    return found, memory.nodes


def count_positions(
    game: Game,
    most: int = 2_000_000,
    symmetric: bool = False,
    threads: int = 1,
    compile: bool | None = None,
) -> int:
    """The number of different States that can be reached; `symmetric`: States that `game.canonical`
    makes equal count as one. Raises ValueError if there are more than `most`: their set is kept in
    memory."""
    total = 0
    for found in positions_by_ply(game, symmetric=symmetric, threads=threads, compile=compile):
        total += found
        if total > most:
            raise ValueError(
                f"{game.title()} has more than {most:,} positions; ask for more only if they fit "
                f"into memory"
            )
    return total


@dataclass(frozen=True)
class Held:
    """The largest numbers of positions that searches of one tree hold at once: on the path of a
    depth-first search, on an open list (the path and the nodes waiting beside it), and in a
    breadth-first search, which keeps the whole tree in order to label it."""

    path: int
    open_list: int
    breadth_first: int


def positions_held(game: Game, depth: int, compile: bool | None = None) -> Held:
    """The positions held by `minimax` (traced), `open-list-minimax` and `labelling`, measured.
    Raises TraceTooLarge for a tree of more than 100,000 nodes, ValueError for a tree that is only a
    root."""
    if depth < 1 or game.is_terminal(game.initial()):
        raise ValueError(
            "a search of no plies holds only its root; ask for a depth of at least 1 and a game "
            "that is not over"
        )
    nodes = trace(game, game.initial(), "minimax", depth).nodes
    length: list[int] = []
    for node in nodes:
        length.append(1 if node.parent is None else length[node.parent] + 1)
    room = 2 * len(nodes)
    opened, labelled = (
        _written(game, algorithm, array, depth, room, compile)
        for algorithm, array in (("open-list-minimax", "open_depth"), ("labelling", "left"))
    )
    return Held(max(length), opened, labelled)


def _written(
    game: Game, algorithm: str, array: str, depth: int, room: int, compile: bool | None
) -> int:
    """The number of items of one of its memory's arrays that an algorithm has ever used."""
    how = Configuration(algorithm_named(algorithm), compile, room=room)
    session = Session(game, Root(game.initial()), how, depth)
    used = getattr(session.memory, array).array
    used[:] = -1
    session.run(depth)
    return int((used != -1).sum())


class PlayoutMemory(Counted, Protocol):
    """The memory of `playouts`: the seed, and what is noted of each game."""

    seed: int
    plies: Array[int]
    choices: Array[int]
