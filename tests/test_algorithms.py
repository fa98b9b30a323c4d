"""All algorithms agree with ten-line minimax, interpreted and compiled, on random games of every
kind."""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import prunus
from prunus.algorithms import leaves
from prunus.algorithms.leaves import HASTE
from prunus.engine.learning import clear_ordering
from prunus.games import ConnectFour, ExplicitTree, RandomGame, TicTacToe, UniformTree
from prunus.kernel.backends import prepare
from prunus.run import driver
from prunus.run.configuration import Configuration
from prunus.run.memories import COUNTERS, STATISTICS, new_memory
from prunus.run.registry import ALGORITHMS, arguments_of
from prunus.run.request import options_asked
from prunus.run.session import Session
from prunus.run.task import Course, Root
from prunus.tables.transposition import TranspositionTable
from prunus.theory.trees import nested_of, random_tree
from tests.amount import amount, thinned
from tests.naive import minimax_value

WATCHED = [name for name in ALGORITHMS if ALGORITHMS[name].watch]
DEPTH = 6
GAMES = amount(80, 1500)

games = st.builds(
    RandomGame,
    seed=st.integers(0, 2**64 - 1),
    depth=st.integers(1, 4),
    width=st.integers(1, 6),
    branching=st.integers(1, 3),
    values=st.integers(1, 4),
    passes=st.booleans(),
    transpositions=st.booleans(),
)


class Bench:
    """One algorithm on one backend, ready to be run on one random game after another with the same
    memory."""

    def __init__(self, name: str, compile: bool, megabytes: float = 0.1) -> None:
        self.algorithm = ALGORITHMS[name]
        game = RandomGame()
        room = 4096 if self.algorithm.room else None
        self.table = TranspositionTable(megabytes, game, game.initial())
        self.memory = new_memory(
            self.algorithm,
            game.initial(),
            DEPTH,
            8,
            Configuration(self.algorithm, room=room),
            self.table,
        )
        arguments = arguments_of(game, game.initial(), DEPTH, self.memory)
        self.call, self.backend = prepare(self.algorithm.function, arguments, compile)
        self.names = list(inspect.signature(self.algorithm.function).parameters)

    def run(self, game: RandomGame, depth: int = DEPTH) -> int:
        game.freeze()
        for counter in COUNTERS:
            setattr(self.memory, counter, 0)
        self.memory.root_count = 0
        self.memory.root_depth = depth
        if self.algorithm.table:
            self.table.clear()
            self.memory.stack_top = self.memory.to_the_end = 0
        if self.algorithm.options:
            clear_ordering(self.memory)
        if hasattr(self.memory, "guess"):
            self.memory.guess = int(game.seed) % 7 - 3
        if "cache_depth" in self.memory._values:
            self.memory.cache_depth.array[:] = -1
        arguments = arguments_of(game, game.initial(), depth, self.memory)
        if self.backend == "compiled":
            from prunus.kernel.compiling.gametype import type_of_game

            type_of_game(game)
        return self.call(*(arguments[name] for name in self.names))


@pytest.fixture(scope="module")
def benches() -> Iterator[list[Bench]]:
    yield [Bench(name, compile) for name in ALGORITHMS for compile in (False, True)]


TABLED = [name for name in ALGORITHMS if ALGORITHMS[name].table]
SMALLEST = 0.0
"""Megabytes of a table of two entries."""


@pytest.fixture(scope="module")
def small_benches() -> Iterator[list[Bench]]:
    yield [
        Bench(name, True, megabytes)
        for name in thinned(TABLED, 3)
        for megabytes in (SMALLEST, 0.001)
    ]


def chosen(benches, game):
    """All algorithms; but of those with a table, which are slow to interpret, only one is
    interpreted, a different one for each game."""
    interpreted = TABLED[int(game.seed) % len(TABLED)]
    return [
        b
        for b in benches
        if b.backend == "compiled" or not b.algorithm.table or b.algorithm.name == interpreted
    ]


@settings(max_examples=GAMES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(game=games)
def test_all_agree_with_minimax_on_random_games(benches, small_benches, game):
    expected = minimax_value(game, game.initial())
    nodes = {}
    for bench in small_benches:
        assert bench.run(game) == expected, (bench.algorithm.name, bench.table.entries, game)
    for bench in chosen(benches, game):
        assert bench.run(game) == expected, (bench.algorithm.name, bench.backend, game)
        counts = tuple(getattr(bench.memory, counter) for counter in COUNTERS)
        assert nodes.setdefault(bench.algorithm.name, counts) == counts, (
            bench.algorithm.name,
            game,
        )


@settings(
    max_examples=amount(200, 1000),
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(game=games, depth=st.integers(1, 3))
def test_all_agree_with_depth_limited_minimax(benches, game, depth):
    expected = minimax_value(game, game.initial(), depth)
    for bench in chosen(benches, game):
        assert bench.run(game, depth) == expected, (bench.algorithm.name, bench.backend, game)


@pytest.mark.parametrize("compile", [False, True])
@pytest.mark.parametrize("name", ALGORITHMS)
@settings(max_examples=25, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(game=games)
def test_results_are_sound(name, compile, game):
    """The best action, the actions proved equal to it, the line and the values of all root actions
    agree with minimax."""
    state = game.initial()
    truth = {}
    for action in game.actions(state):
        child = game.result(state, action)
        value = minimax_value(game, child)
        truth[action] = value if game.keeps_turn(state, child) else -value
    expected = max(truth.values())
    equal = tuple(action for action in truth if truth[action] == expected)
    found = prunus.analyze(game, algorithm=name, compile=compile, room=4096)
    assert (found.value, found.bound, found.proved) == (expected, "exact", True)
    chosen = ALGORITHMS[name]
    any_will_do = chosen.table or chosen.two_values  # these look at the easiest first
    assert found.best == equal[0] or (any_will_do and found.best in equal)
    assert set(found.best_moves) <= set(equal)
    assert line_value(game, state, found.pv) == expected
    every = prunus.analyze(game, algorithm=name, compile=compile, all_moves=True, room=4096)
    assert every.best_moves == equal
    assert {m.action: m.value for m in every.moves} == truth
    assert all(m.bound == "exact" for m in every.moves)


def line_value(game, state, line):
    """The result for the player to move in `state` when the line is played to its end."""
    sign = 1
    for action in line:
        child = game.result(state, action)
        sign = sign if game.keeps_turn(state, child) else -sign
        state = child
    assert game.is_terminal(state)
    return sign * game.utility(state)


def distance_value(game, state, depth, plies=0):
    """Minimax over pairs (value, preference for a near win or a distant loss), for the player to
    move."""
    if game.is_terminal(state) or depth == 0:
        value = game.utility(state) if game.is_terminal(state) else game.evaluate(state)
        return value, -plies if value > 0 else plies if value < 0 else 0
    best = None
    for action in game.actions(state):
        child = game.result(state, action)
        value, order = distance_value(game, child, depth - 1, plies + 1)
        pair = (value, order) if game.keeps_turn(state, child) else (-value, -order)
        best = pair if best is None else max(best, pair)
    return best


@pytest.mark.parametrize("name", ALGORITHMS)
@settings(max_examples=30, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(game=games, depth=st.integers(1, 5))
def test_faster_wins_and_slower_losses(name, game, depth):
    """With `prefer_faster` the value is still minimax's, and among equals the line is the nearest
    win or the most distant loss."""
    value, order = distance_value(game, game.initial(), depth)
    found = prunus.analyze(
        game, algorithm=name, depth=depth, prefer_faster=True, compile=False, room=4096
    )
    assert found.value == value == minimax_value(game, game.initial(), depth)
    if found.distance is not None and value != 0:
        assert found.distance == abs(order)


def test_a_shallow_loss_is_never_preferred_to_a_win():
    """Distances have a scale of their own: values of 1 and distances of hundreds of plies do not
    mix."""
    assert HASTE > 2 * leaves.LONGEST_LINE
    game = TicTacToe()
    state = game.parse("XX./OO./...")
    assert prunus.analyze(game, state, prefer_faster=True, compile=False).line() == ["c1"]


@pytest.mark.parametrize("name", ["alphabeta", "engine", "minimax"])
def test_values_too_large_for_the_scale_of_distances_are_refused(name):
    """Otherwise they would be taken for infinite values, and cause wrong cut-offs."""
    for value in (1 << 46, -(1 << 50), (1 << 62) - 1):
        tree = ExplicitTree.from_nested([[3, value], [2, 4]])
        assert prunus.analyze(tree, algorithm=name, depth=None, compile=False).proved
        with pytest.raises(driver.SearchError, match="prefer_faster multiplies values by 65,536"):
            prunus.analyze(tree, algorithm=name, depth=None, prefer_faster=True, compile=False)


def test_a_search_of_depth_d_evaluates_at_ply_d():
    """No leaf lies deeper than the limit, and no leaf above it is unfinished."""
    for name in WATCHED:
        found = prunus.trace(RandomGame(3, depth=6), algorithm=name, depth=3)
        assert {node.ply for node in found.nodes if node.leaf == "horizon"} <= {3}
        assert max(node.ply for node in found.nodes) <= 3


@pytest.mark.parametrize("name", WATCHED)
def test_traced_counts_equal_compiled_ones(name):
    for seed in range(40):
        game = RandomGame(seed, depth=5, branching=3)
        traced = prunus.trace(game, algorithm=name)
        compiled = one_run(game, name)
        assert len(traced.nodes) == traced.statistics.nodes == compiled.counts["nodes"]
        assert traced.value == compiled.value
        for counter in STATISTICS:
            assert getattr(traced.statistics, counter) == compiled.counts[counter], counter


def one_run(game, name):
    """One compiled search to the end, with the options that suit the game, but without the
    iterations with which `analyze` runs some algorithms."""
    game.freeze()
    state, chosen = game.initial(), ALGORITHMS[name]
    options = options_asked(game, chosen, None)
    how = Configuration(chosen, compile=True, room=100_000, options=options)
    course = Course(table=TranspositionTable(1, game, state), to_the_end=True)
    depth = leaves.LONGEST_LINE
    return Session(game, Root(state), how, depth, course).run(depth)


def test_a_new_seed_or_tree_never_recompiles():
    from prunus.games import ExplicitTree
    from prunus.kernel.compiling.gametype import type_of_game

    assert type_of_game(RandomGame(1)) is type_of_game(
        RandomGame(2, depth=9, width=3, passes=False)
    )
    assert type_of_game(ExplicitTree.from_nested([1, [2, 3]])) is type_of_game(
        ExplicitTree.from_nested([[5, 6, 7], 1])
    )
    assert type_of_game(ConnectFour(7, 6)) is not type_of_game(ConnectFour(6, 7))


def test_attributes_cannot_change_after_the_first_use():
    game = ConnectFour()
    prunus.analyze(game, depth=1, compile=False)
    with pytest.raises(AttributeError, match="cannot change after"):
        game.width = 5


def test_limits_give_the_best_so_far():
    """Stopped after a number of nodes, a search of one pass returns a lower bound from the root
    actions that it finished."""
    game = ConnectFour(5, 4)  # a draw (J. Tromp's table of boards)
    for compile in (True, False):
        found = prunus.analyze(game, algorithm="alphabeta", depth=None, compile=compile, nodes=2000)
        assert found.interrupted
        assert found.statistics.nodes <= 2001
        assert found.value is None or (found.bound == "lower" and found.value <= 0)


def test_time_limit_stops_a_long_search():
    found = prunus.analyze(ConnectFour(), compile=True, seconds=0.3)
    assert found.interrupted
    assert found.statistics.seconds > 0.2


def test_a_position_that_is_over_has_a_utility_and_no_best_move():
    game = TicTacToe()
    found = prunus.analyze(game, game.parse("XXX/OO./..."))
    assert (found.value, found.best, found.best_moves, found.pv, found.proved) == (
        -1,
        None,
        (),
        (),
        True,
    )


def test_an_estimate_outside_the_limits_proves_nothing():
    """If all leaves are positive, the estimate 0 of a game without an evaluation lies below its
    lowest value."""
    tree = ExplicitTree.from_nested([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    assert not prunus.analyze(tree, depth=1, compile=False).proved
    assert prunus.analyze(tree, depth=2, compile=False).proved


def test_bad_depths_are_refused():
    with pytest.raises(driver.SearchError, match="-1"):
        prunus.analyze(TicTacToe(), depth=-1)
    with pytest.raises(TypeError, match="number of plies"):
        prunus.analyze(TicTacToe(), depth="3")


def test_a_position_may_be_given_as_text():
    game = ConnectFour(5, 4)
    assert prunus.solve(game, "3322").value == prunus.solve(game, game.parse("3322")).value
    assert [found.value for found in prunus.iterations(game, "3322", limit=prunus.Limit(depth=2))][
        -1
    ] == 0
    with pytest.raises(prunus.PositionError, match=r"move 2 \(column 9\): there is no such column"):
        prunus.analyze(game, "39")


def second_searches(tree, sign=1):
    """What SCOUT evaluates although it has tested it: (value, number), from true values alone."""
    if not isinstance(tree, list):
        return sign * tree, 0
    best, number = None, 0
    for child in tree:
        value, below = second_searches(child, -sign)
        if best is None or -value > best:
            number += below + (best is not None)
            best = -value
    return best, number


@pytest.mark.parametrize("compile", [False, True])
def test_second_searches_are_reported(compile):
    """SCOUT's are those of the naive count. PVS and the engine have none where the first child is
    always best, alpha-beta never."""
    for seed in range(amount(20, 200)):
        nested = nested_of(random_tree(random.Random(seed), 4, 3, 5))
        found = prunus.analyze(
            ExplicitTree.from_nested(nested), algorithm="scout", depth=None, compile=compile
        )
        assert (found.value, found.statistics.researches) == second_searches(nested)
    for order, some in (("best", False), ("worst", True)):
        for name in ("pvs", "engine", "scout"):
            found = prunus.analyze(
                UniformTree(3, 4, order, seed=2), algorithm=name, depth=4, compile=compile
            )
            assert (found.statistics.researches > 0) == some, (order, name)
            assert ("re-searches" in str(found)) == some
    tree = UniformTree(3, 4, "worst", seed=2)
    assert prunus.analyze(tree, algorithm="alphabeta", compile=compile).statistics.researches == 0
