"""Perft: the number of positions at a given depth, the usual checksum of a move generator."""

from __future__ import annotations

from typing import Final, Protocol

from prunus.core.game import Game, S
from prunus.core.memory import Array, Counted, StateArray
from prunus.kernel.loops import for_each
from prunus.kernel.memory import Memory

APART: Final = 3
"""The lines of this many plies are distributed among threads."""


def perft(game: Game[S], state: S, depth: int, memory: Counted) -> int:
    """The number of lines of exactly `depth` plies from a State; a game that ends earlier counts
    0."""
    memory.nodes += 1
    if depth == 0:
        return 1
    if not game.has_action_count and game.is_terminal(state):
        return 0
    count = 0
    if depth == 1 and game.has_action_count:
        count = game.action_count(state)
        memory.nodes += count
        return count
    if depth == 1:
        # The lines that end here are counted without being played.
        for _ in game.actions(state):
            count += 1
        memory.nodes += count
        return count
    for action in game.actions(state):
        count += perft(game, game.result(state, action), depth - 1, memory)
    return count


def perft_from(game: Game, index: int, memory: LinesMemory) -> None:
    """Add up perft from one of the States in `memory.roots`."""
    memory.lines += perft(game, memory.roots[index], memory.left[0], memory)


def count_lines(
    game: Game[S], state: S, depth: int, threads: int = 1, compile: bool | None = None
) -> int:
    """Perft in threads: the number of lines of exactly `depth` plies from a State. Ctrl-C is raised
    as KeyboardInterrupt."""
    game.freeze()
    ends, left = [state], depth
    for _ in range(min(APART, depth) if threads > 1 else 0):
        ends = [
            game.result(end, action)
            for end in ends
            if not game.is_terminal(end)
            for action in game.actions(end)
        ]
        left -= 1
    fields = Memory({"roots": ("state", len(ends)), "left": ("i64", 1)}, prototype=state)
    fields.left[0] = left
    for number, end in enumerate(ends):
        fields.roots[number] = end
    shared = {"roots": fields.roots, "left": fields.left, "lines": "i64"}
    return sum(
        memory.lines
        for memory in for_each(
            game, perft_from, len(ends), shared, threads=threads, compile=compile
        )
    )


class LinesMemory(Counted, Protocol):
    """The memory of a thread that counts lines: States, the plies left from each, and the sum."""

    roots: StateArray
    left: Array[int]
    lines: int
