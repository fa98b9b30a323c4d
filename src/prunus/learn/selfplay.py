"""Games of the engine against itself, whose positions are labelled with the value that the game had
once its end could be solved."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from prunus.algorithms.leaves import LONGEST_LINE
from prunus.algorithms.repetition import NONE, final_value, is_over
from prunus.core.game import INFINITY, Game
from prunus.engine.options import Options
from prunus.kernel import threads
from prunus.kernel.backends import prepare
from prunus.run.configuration import Configuration
from prunus.run.limits import in_words
from prunus.run.memories import begin, new_memory, path_spec
from prunus.run.random_play import play_at_random
from prunus.run.registry import algorithm_named, arguments_of
from prunus.tables.busy import new_busy
from prunus.tables.transposition import TranspositionTable

ACTIONS: Final = 4096
"""Room for the actions of a position."""

MEGABYTES: Final = 8
"""The megabytes of a player's table: few enough to stay in the processor's cache."""


class Player:
    """The engine with one memory for many short searches, each of them a single call: no
    iterations, no report. A search starts from the last State of a `path`, which holds every State
    of the game from its beginning; none of them ends the game."""

    def __init__(
        self, game: Game, compile: bool | None = None, options: Options | None = None
    ) -> None:
        game.freeze()
        algorithm = algorithm_named("engine")
        state = game.initial()
        self.game, self.algorithm = game, algorithm
        self.table = TranspositionTable(MEGABYTES, game, state)
        how = Configuration(algorithm, options=options or Options.of(game))
        path = path_spec(game, how, LONGEST_LINE, LONGEST_LINE)
        more = {"busy": new_busy(1), **path}
        self.memory = new_memory(algorithm, state, LONGEST_LINE, ACTIONS, how, self.table, more)
        arguments = arguments_of(game, state, LONGEST_LINE, self.memory)
        self.function, self.backend = prepare(algorithm.function, arguments, compile)

    def search(
        self,
        path: Sequence[object],
        depth: int,
        window: tuple[int, int] = (-INFINITY, INFINITY),
        nodes: int | None = None,
    ) -> int | None:
        """The value of a path's last State, `depth` plies deep (LONGEST_LINE: to the end of the
        game); None if it would take more than `nodes` nodes, or if the game goes on for longer.
        Raises KeyboardInterrupt."""
        *past, state = path
        memory = self.memory
        memory.resume()
        if self.game.repetition_rule != NONE:
            self.table.serve(self.game, state, tuple(past))
        begin(self.algorithm, memory, depth, to_the_end=depth == LONGEST_LINE, past=past)
        limit = None if nodes is None else memory.nodes + nodes
        if limit is not None:
            memory.stop_after(limit)
        evaluated = memory.evaluated
        with in_words(self.game, memory):
            value, stopped = threads.run(
                lambda: self.function(self.game, state, depth, *window, memory), memory
            )
        # If Ctrl-C came when the search was just over, the search has a result.
        if memory.is_stopped() and (limit is None or memory.nodes <= limit):
            raise KeyboardInterrupt
        return (
            None if stopped or (depth == LONGEST_LINE and memory.evaluated > evaluated) else value
        )

    def move(self, path: Sequence[object], depth: int) -> int:
        """The best action of a search `depth` plies deep."""
        value, memory = self.search(path, depth), self.memory
        return next(
            memory.root_action[i] for i in range(memory.root_count) if memory.root_value[i] == value
        )

    def solve(self, path: Sequence[object], guess: int, nodes: int) -> int | None:
        """The value at the end of the game, which is probably `guess`; None if more than `nodes`
        nodes would be needed."""
        value = self.search(path, LONGEST_LINE, (guess - 1, guess + 1), nodes)
        return (
            value
            if value is None or value == guess
            else self.search(path, LONGEST_LINE, nodes=nodes)
        )


@dataclass(frozen=True)
class Played:
    """The positions of one game: the unfinished ones from the end of the random opening on, the
    value of each for the player to move there, and the number of exact values at the end; earlier
    positions have the first exact value."""

    states: list[object]
    values: list[int]
    exact: int


def opened(game: Game, rng: random.Random, plies: int) -> list[object]:
    """The States of `plies` random plies, or of fewer if those would end the game."""
    played = play_at_random(game, plies, rng)
    if played.is_over:
        return played.states[: 1 + rng.randrange(len(played.actions))]
    return played.states


def reach(player: Player, rng: random.Random, opening: int, depth: int, plies: int) -> list[object]:
    """The States up to an unfinished one: `opening` random plies, then at most `plies` moves of
    searches `depth` plies deep."""
    path = opened(player.game, rng, opening)
    for _ in range(plies):
        after = [*path, player.game.result(path[-1], player.move(path, depth))]
        if is_over(player.game, after):
            break
        path = after
    return path


def play_game(
    player: Player, rng: random.Random, opening: tuple[int, int], depth: int, nodes: int
) -> Played:
    """Play one game: a number of random plies in the range `opening` (fewer if those would end it),
    then moves of searches `depth` plies deep. From its end backwards the positions are solved, with
    at most `nodes` nodes each, until one takes more."""
    game = player.game
    path = opened(game, rng, rng.randint(*opening))
    player.table.grow_older()
    while not is_over(game, path) and len(path) < LONGEST_LINE:
        path.append(game.result(path[-1], player.move(path, depth)))
    return _labelled(player, path, nodes)


def _labelled(player: Player, states: list[object], nodes: int) -> Played:
    game, last = player.game, len(states) - 1
    if not is_over(game, states):
        return Played([], [], 0)
    values = [0] * last + [final_value(game, states)]
    solving, exact = True, 0
    for place in range(last - 1, -1, -1):
        sign = 1 if game.keeps_turn(states[place], states[place + 1]) else -1
        values[place] = sign * values[place + 1]
        value = player.solve(states[: place + 1], values[place], nodes) if solving else None
        solving = value is not None
        if value is not None:
            values[place], exact = value, exact + 1
    return Played(states[:last], values[:last], exact)
