"""A million random games: every algorithm, compiled, gives the value of ten-line minimax; whoever has no early stop and an infinite window
visits at least the leaves of the least critical tree.

`python -m benchmarks.oracle --games 1000000`
"""

from __future__ import annotations

import argparse
import inspect
import multiprocessing
import time
from typing import Any

from prunus.game import INFINITY, Game
from prunus.games import RandomGame
from prunus.kernel.backends import prepare
from prunus.kernel.gametype import type_of_game
from prunus.kernel.memory import Memory
from prunus.search.driver import COUNTERS, new_memory
from prunus.search.registry import ALGORITHMS, arguments_of

DEPTH = 6
IMPOSSIBLE = 1 << 40
"""More leaves than any tree here has; sums of it stay within 64 bits."""


def naive(game: Game, state: Any, memory: Any) -> int:
    """Ten-line minimax."""
    if game.is_terminal(state):
        return game.utility(state)
    best = -INFINITY
    for action in game.actions(state):
        child = game.result(state, action)
        value = naive(game, child, memory)
        if not game.keeps_turn(state, child):
            value = -value
        best = max(best, value)
    return best


def refuted(game: Game, state: Any, bound: int, memory: Any) -> int:
    """The fewest leaves that show the value of a State to be at least `bound`; IMPOSSIBLE where it is not."""
    if game.is_terminal(state):
        return 1 if game.utility(state) >= bound else IMPOSSIBLE
    fewest = IMPOSSIBLE
    for action in game.actions(state):
        fewest = min(fewest, held(game, game.result(state, action), -bound, memory))
    return fewest


def held(game: Game, state: Any, bound: int, memory: Any) -> int:
    """The fewest leaves that show the value of a State to be at most `bound`; IMPOSSIBLE where it is not."""
    if game.is_terminal(state):
        return 1 if game.utility(state) <= bound else IMPOSSIBLE
    total = 0
    for action in game.actions(state):
        total = min(IMPOSSIBLE, total + refuted(game, game.result(state, action), -bound, memory))
    return total


def critical(game: Game, state: Any, memory: Any) -> int:
    """The fewest leaves that prove a value from both sides share the principal variation's leaf (Knuth & Moore 1975): a lower bound for
    any algorithm is the larger of the two one-sided proofs, and their sum less one where all orders are free."""
    value = naive(game, state, memory)
    return refuted(game, state, value, memory) + held(game, state, value, memory) - 1


class Worker:
    """Compiled algorithms with memories of their own, run on one random game after the other."""

    def __init__(self) -> None:
        game = RandomGame()
        self.memory = Memory({"nodes": "i64"})
        plain = {"game": game, "state": game.initial(), "memory": self.memory}
        self.naive, _ = prepare(naive, plain, True)
        self.critical, _ = prepare(critical, plain, True)
        self.algorithms = []
        for algorithm in ALGORITHMS.values():
            memory = new_memory(algorithm, game.initial(), DEPTH, 8, room=2048 if algorithm.room else None)
            arguments = arguments_of(game, game.initial(), DEPTH, memory)
            call, _ = prepare(algorithm.function, arguments, True)
            names = list(inspect.signature(algorithm.function).parameters)
            self.algorithms.append((algorithm, memory, call, names))

    def check(self, seed: int) -> None:
        """One random game; raises AssertionError where an algorithm errs."""
        passes, transpositions = seed % 2 == 0, seed % 3 != 0
        game = RandomGame(seed, 1 + seed % 5, 1 + seed % 6, 1 + seed % 3, values=1 + seed % 4, passes=passes, transpositions=transpositions)
        type_of_game(game)
        state = game.initial()
        expected = self.naive(game, state, self.memory)
        least = 0 if passes else self.critical(game, state, self.memory)
        for algorithm, memory, call, names in self.algorithms:
            for counter in COUNTERS:
                setattr(memory, counter, 0)
            memory.root_count = 0
            if "cache_depth" in memory._values:
                memory.cache_depth.array[:] = -1
            arguments = arguments_of(game, state, DEPTH, memory)
            value = call(*(arguments[name] for name in names))
            leaves = memory.nodes - memory.interior - memory.table_hits
            if value != expected:
                raise AssertionError(f"{algorithm.name}: {value}, minimax {expected}, {game!r}")
            if algorithm.name not in ("minimax-extreme", "cached-minimax") and leaves < least:
                raise AssertionError(f"{algorithm.name}: {leaves} leaves, the minimal tree has {least}, {game!r}")


_worker: list[Worker] = []


def _chunk(seeds: range) -> int:
    if not _worker:
        _worker.append(Worker())
    for seed in seeds:
        _worker[0].check(seed)
    return len(seeds)


def measure(games: int = 1_000_000, processes: int | None = None) -> dict[str, Any]:
    """Check so many games on all cores; raises AssertionError at the first that fails."""
    began = time.perf_counter()
    chunks = [range(start, min(start + 2000, games)) for start in range(0, games, 2000)]
    done, shown = 0, began
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for count in pool.imap_unordered(_chunk, chunks):
            done += count
            if time.perf_counter() - shown > 2:
                shown = time.perf_counter()
                print(f"  {done:,} of {games:,} games, {shown - began:.0f} s", flush=True)
    return {"games": games, "algorithms": len(ALGORITHMS), "wrong": 0, "seconds": time.perf_counter() - began}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    print(measure(parser.parse_args().games))
