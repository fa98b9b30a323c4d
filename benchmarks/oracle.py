"""A million random games: every algorithm against ten-line minimax, all compiled: `python -m
benchmarks.oracle [--games N] [--first SEED]`.

One call of machine code per game (`judge`) runs the oracle and every algorithm in the registry. It
checks

- the value, of the whole game or (for every other seed) within a depth limit, with estimates at the
horizon;
- that the line an algorithm reports has that value at its end (`cached-minimax` is exempt, because
it leaves its line to be completed);
- on trees without passes, that no algorithm without an early stop visits fewer leaves than the
smallest proof of the value has, that alpha-beta visits no more than branch and bound, and that
branch and bound visits no more than minimax.

Pure strategies of the two players meet in one leaf. So the smallest proof of a value v has, over
all orders of the actions, as many leaves as the smallest proof of "at least v" and the smallest of
"at most v" together, less one (Knuth & Moore 1975, section 7, for any tree). `minimax-extreme`,
which stops early at the game's limits, is exempt from the count of leaves.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.common import Mismatch, Progress
from prunus.algorithms.alphabeta import alphabeta
from prunus.algorithms.alphabeta_hard import alphabeta_hard
from prunus.algorithms.alphabeta_maxmin import max_value as alphabeta_max_value
from prunus.algorithms.alphabeta_table import alphabeta_table
from prunus.algorithms.branch_and_bound import branch_and_bound
from prunus.algorithms.cached_minimax import cached_minimax
from prunus.algorithms.labelling import labelling
from prunus.algorithms.minimax import minimax
from prunus.algorithms.minimax_extreme import minimax_extreme
from prunus.algorithms.minimax_maxmin import max_value as minimax_max_value
from prunus.algorithms.mtdf import dual, mtdf, sss
from prunus.algorithms.open_list_alphabeta import open_list_alphabeta
from prunus.algorithms.open_list_minimax import open_list_minimax
from prunus.algorithms.pvs import pvs
from prunus.algorithms.sss_stockman import sss_stockman
from prunus.algorithms.visiting import visiting
from prunus.core.game import INFINITY, Game
from prunus.engine.search import engine
from prunus.games.random_game import RandomGame
from prunus.kernel.backends import prepare
from prunus.kernel.memory import Memory
from prunus.run.algorithm import Algorithm
from prunus.run.configuration import Configuration
from prunus.run.memories import new_memory
from prunus.run.registry import ALGORITHMS
from prunus.tables.transposition import TranspositionTable

DEPTH, BRANCHING = 6, 5
"""The largest games: no line is longer, no node has more actions."""

IMPOSSIBLE: Final = 1 << 40
"""The leaf count of a proof that does not exist. Two of them may be added, so it is less than
INFINITY, 2**62, whose double exceeds 64 bits."""

ROOM: Final = sum(BRANCHING**level for level in range(DEPTH + 1))
CACHE: Final = 512

NAMES: Final = (
    "minimax",
    "minimax-maxmin",
    "minimax-extreme",
    "labelling",
    "branch-and-bound",
    "alphabeta",
    "alphabeta-hard",
    "alphabeta-maxmin",
    "open-list-minimax",
    "open-list-alphabeta",
    "cached-minimax",
    "visiting",
    "sss-stockman",
    "iterative-deepening",
    "pvs",
    "mtdf",
    "sss",
    "dual",
    "engine",
)
"""The algorithms in the order in which `judge` runs them and numbers their errors. (`aspiration` is
the function of `iterative-deepening`.)"""

ENTRIES: Final = (2, 64, 2048, 1 << 20)
"""The sizes of the transposition tables: the first three in turn, the last one for every thousandth
game."""


def naive(game: Game, state: Any, depth: int) -> int:
    """Minimax in ten lines, with which every other value is compared."""
    if game.is_terminal(state):
        return game.utility(state)
    if depth == 0:
        return game.evaluate(state)
    best = -INFINITY
    for action in game.actions(state):
        child = game.result(state, action)
        value = naive(game, child, depth - 1)
        best = max(best, value if game.keeps_turn(state, child) else -value)
    return best


def worth(game: Game, state: Any) -> int:
    """The value of a leaf."""
    return game.utility(state) if game.is_terminal(state) else game.evaluate(state)


def at_least(game: Game, state: Any, depth: int, value: int) -> int:
    """The fewest leaves that prove a State worth at least `value`; IMPOSSIBLE if it is not. One
    action is enough."""
    if depth == 0 or game.is_terminal(state):
        return 1 if worth(game, state) >= value else IMPOSSIBLE
    fewest = IMPOSSIBLE
    for action in game.actions(state):
        fewest = min(fewest, at_most(game, game.result(state, action), depth - 1, -value))
    return fewest


def at_most(game: Game, state: Any, depth: int, value: int) -> int:
    """The fewest leaves that prove a State worth at most `value`; IMPOSSIBLE if it is not. Every
    action must be refuted."""
    if depth == 0 or game.is_terminal(state):
        return 1 if worth(game, state) <= value else IMPOSSIBLE
    total = 0
    for action in game.actions(state):
        total = min(
            IMPOSSIBLE, total + at_least(game, game.result(state, action), depth - 1, -value)
        )
    return total


def line_value(game: Game, state: Any, depth: int, memory: Any) -> int:
    """The value at the end of the root's line, for the root's player."""
    row = depth * (depth - 1) // 2
    length = memory.line_length[depth]
    sign = 1
    for i in range(length):
        child = game.result(state, memory.line[row + i])
        if not game.keeps_turn(state, child):
            sign = -sign
        state = child
    if length < depth and not game.is_terminal(state):
        return INFINITY
    return sign * worth(game, state)


def settle(game: Game, state: Any, depth: int, value: int, number: int, memory: Any) -> None:
    """Judge an algorithm that has just returned this value, and clear the counters for the next."""
    if value != memory.expected:
        memory.wrong_values |= 1 << number
    if number < 10 and line_value(game, state, depth, memory) != memory.expected:
        memory.wrong_lines |= 1 << number
    leaves = memory.nodes - memory.interior - memory.table_hits
    if memory.counts_leaves != 0 and number != 2 and leaves < memory.least:
        memory.too_few_leaves |= 1 << number
    memory.leaves_of[number] = leaves
    memory.total_nodes += memory.nodes
    memory.nodes = 0
    memory.interior = 0
    memory.table_hits = 0
    memory.root_count = 0
    memory.evaluated = 0
    memory.ply = 0
    memory.path_length = 0
    memory.stack_top = 0
    for i in range(len(memory.table)):
        memory.table[i] = 0
    for i in range(depth + 1):
        memory.line_length[i] = 0


def judge(game: Game, state: Any, depth: int, memory: Any) -> int:
    """Run the oracle and every algorithm; return 0 if all agree. The memory records what is wrong,
    one bit per algorithm."""
    memory.expected = naive(game, state, depth)
    if memory.counts_leaves != 0:
        memory.least = (
            at_least(game, state, depth, memory.expected)
            + at_most(game, state, depth, memory.expected)
            - 1
        )
    settle(game, state, depth, minimax(game, state, depth, memory), 0, memory)
    settle(game, state, depth, minimax_max_value(game, state, depth, memory), 1, memory)
    settle(game, state, depth, minimax_extreme(game, state, depth, memory), 2, memory)
    settle(game, state, depth, labelling(game, state, depth, memory), 3, memory)
    settle(game, state, depth, branch_and_bound(game, state, depth, INFINITY, memory), 4, memory)
    settle(
        game, state, depth, alphabeta(game, state, depth, -INFINITY, INFINITY, memory), 5, memory
    )
    settle(
        game,
        state,
        depth,
        alphabeta_hard(game, state, depth, -INFINITY, INFINITY, memory),
        6,
        memory,
    )
    settle(
        game,
        state,
        depth,
        alphabeta_max_value(game, state, depth, -INFINITY, INFINITY, memory),
        7,
        memory,
    )
    settle(game, state, depth, open_list_minimax(game, state, depth, memory), 8, memory)
    settle(game, state, depth, open_list_alphabeta(game, state, depth, memory), 9, memory)
    for slot in range(len(memory.cache_depth)):
        memory.cache_depth[slot] = -1
    settle(game, state, depth, cached_minimax(game, state, depth, memory), 10, memory)
    settle(game, state, depth, visiting(game, state, depth, memory), 11, memory)
    settle(game, state, depth, sss_stockman(game, state, depth, memory), 12, memory)
    settle(
        game,
        state,
        depth,
        alphabeta_table(game, state, depth, -memory.infinite, memory.infinite, memory),
        13,
        memory,
    )
    settle(
        game,
        state,
        depth,
        pvs(game, state, depth, -memory.infinite, memory.infinite, memory),
        14,
        memory,
    )
    settle(game, state, depth, mtdf(game, state, depth, memory), 15, memory)
    settle(game, state, depth, sss(game, state, depth, memory), 16, memory)
    settle(game, state, depth, dual(game, state, depth, memory), 17, memory)
    settle(
        game,
        state,
        depth,
        engine(game, state, depth, -memory.infinite, memory.infinite, memory),
        18,
        memory,
    )
    if memory.counts_leaves != 0 and not (
        memory.leaves_of[5] <= memory.leaves_of[4] <= memory.leaves_of[0]
    ):
        memory.wrong_order += 1
    return memory.wrong_values | memory.wrong_lines | memory.too_few_leaves | memory.wrong_order


FAULTS: Final = ("wrong_values", "wrong_lines", "too_few_leaves", "wrong_order")


def game_of(seed: int) -> tuple[RandomGame, int]:
    """The game of a seed and the depth to search it to: six independent digits of the seed select
    the parameters."""
    rest, depth = divmod(seed, DEPTH)
    rest, branching = divmod(rest, BRANCHING)
    rest, kind = divmod(rest, 4)
    rest, values = divmod(rest, 4)
    rest, width = divmod(rest, 3)
    depth = min(depth + 1, 5) if branching == BRANCHING - 1 else depth + 1
    game = RandomGame(
        seed,
        depth,
        (2, 5, 12)[width],
        branching + 1,
        (1, 2, 3, 50)[values],
        kind % 2 == 0,
        kind // 2 == 0,
    )
    return game, depth if rest % 2 == 0 else 1 + rest // 2 % depth


class Judge:
    """The compiled `judge` with its memory."""

    def __init__(self) -> None:
        if {*NAMES, "aspiration"} != set(ALGORITHMS):
            raise Mismatch(f"judge() runs {sorted(NAMES)}, the registry has {sorted(ALGORITHMS)}")
        game, depth = game_of(0)
        state = game.initial()
        self.memories = [_memory(game, state, entries) for entries in ENTRIES]
        self.memory = self.memories[0]
        arguments = {"game": game, "state": state, "depth": depth, "memory": self.memory}
        self.function, _ = prepare(judge, arguments, True)

    def examine(self, seed: int) -> str | None:
        """What is wrong with the game of a seed; None if nothing is."""
        game, depth = game_of(seed)
        game.freeze()
        prepare_block(game)
        memory = self.memory = self.memories[-1 if seed % 1000 == 0 else seed % 3]
        memory.root_depth, memory.line_length.array[:] = depth, 0
        memory.counts_leaves = int(not game.passes and not game.transpositions)
        if self.function(game, game.initial(), depth, memory) == 0:
            return None
        found = []
        for fault in FAULTS[:3]:
            bits = getattr(memory, fault)
            found += [f"{fault}: {name}" for number, name in enumerate(NAMES) if bits >> number & 1]
        found += ["wrong_order"] * bool(memory.wrong_order)
        for fault in FAULTS:
            setattr(memory, fault, 0)
        return f"seed {seed}, {game!r}, depth {depth}: {', '.join(found)}"


def prepare_block(game: Game) -> None:
    """Lay out the game's data for machine code that is already compiled."""
    from prunus.kernel.compiling.gametype import type_of_game

    type_of_game(game)


def _memory(game: Game, state: Any, entries: int) -> Memory:
    """The memory of all algorithms, with tables of `entries` entries."""
    table = TranspositionTable(entries * 32 / (1 << 20), game, state)
    assert table.entries == entries
    how = Configuration(_everything(), room=ROOM)
    memory = new_memory(how.algorithm, state, DEPTH, BRANCHING, how, table)
    memory.to_the_end = memory.guess = 0
    # Not a constant, because the compiler would make other versions of the procedures for
    # constants.
    memory.infinite = INFINITY
    return memory


def _everything() -> Algorithm:
    """A stand-in, for `new_memory` only, that needs the memory of all algorithms, and the judge's
    own."""
    own: dict[str, Any] = dict.fromkeys(
        (*FAULTS, "expected", "least", "counts_leaves", "total_nodes", "infinite"), "i64"
    )
    own["leaves_of"] = ("i64", len(NAMES))

    def fields(depth: int, room: int) -> dict[str, Any]:
        found = dict(own)
        for algorithm in ALGORITHMS.values():
            if algorithm.fields is not None:
                found |= algorithm.fields(
                    depth, CACHE if algorithm.name == "cached-minimax" else room
                )
        return found

    return Algorithm(name="judge", function=judge, fields=fields, table=True, options=True)


@dataclass(frozen=True)
class Part:
    """What a process found in some seeds: the number of games, the total of nodes, and the
    faults."""

    games: int
    trees: int
    nodes: int
    faults: list[str]


_judges: list[Judge] = []


def examine(seeds: range) -> Part:
    """Examine the games of some seeds."""
    if not _judges:
        _judges.append(Judge())
    judge = _judges[0]
    for memory in judge.memories:
        memory.total_nodes = 0
    faults, trees = [], 0
    for seed in seeds:
        fault = judge.examine(seed)
        trees += judge.memory.counts_leaves
        if fault is not None:
            faults.append(fault)
    return Part(len(seeds), trees, sum(memory.total_nodes for memory in judge.memories), faults)


def measure(games: int = 1_000_000, first: int = 0, chunk: int = 5000) -> dict[str, Any]:
    """Examine `games` games in as many processes as there are cores. Ctrl-C keeps what is
    finished."""
    began = time.perf_counter()
    chunks = [
        range(start, min(start + chunk, first + games))
        for start in range(first, first + games, chunk)
    ]
    progress, parts, interrupted = Progress("oracle", games), [], False
    Judge()  # compiles once; the processes load it from the cache
    context = multiprocessing.get_context("spawn")
    with context.Pool(os.cpu_count(), initializer=_ignore_interrupts) as pool:
        try:
            for part in pool.imap_unordered(examine, chunks):
                parts.append(part)
                progress.at(sum(p.games for p in parts))
        except KeyboardInterrupt:
            interrupted = True
            pool.terminate()
    faults = [fault for part in parts for fault in part.faults]
    done = sum(part.games for part in parts)
    return {
        "games": done,
        "algorithms": len(NAMES),
        "trees_with_counted_leaves": sum(part.trees for part in parts),
        "nodes": sum(part.nodes for part in parts),
        "seconds": time.perf_counter() - began,
        "faults": len(faults),
        "first_faults": faults[:20],
        "interrupted": interrupted,
    }


def _ignore_interrupts() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def show(found: dict[str, Any]) -> str:
    """The outcome in words."""
    lines = [
        f"{found['games']:,} random games x {found['algorithms']} algorithms against minimax: "
        f"{found['faults']} faults; leaves counted against the smallest proof in "
        f"{found['trees_with_counted_leaves']:,} of them; {found['nodes']:,} nodes in "
        f"{found['seconds']:.0f} s"
    ]
    return "\n".join(lines + found["first_faults"])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    options = parser.parse_args()
    found = measure(options.games, options.first)
    print(show(found))
    if found["faults"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
