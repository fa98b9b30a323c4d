"""SSS* finds minimax's value and evaluates no leaf that alpha-beta skips."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import prunus
from prunus.algorithms import sss_stockman
from prunus.algorithms.alphabeta import alphabeta
from prunus.algorithms.mtdf import sss
from prunus.core.errors import SearchError
from prunus.games import ExplicitTree, Nim, RandomGame, UniformTree
from prunus.run.configuration import Configuration
from prunus.run.memories import COUNTERS, new_memory
from prunus.run.registry import ALGORITHMS
from prunus.run.session import Session
from prunus.run.task import Course, Root
from prunus.tables.transposition import TranspositionTable
from prunus.theory.critical import fewest_leaves, minimal_leaves
from tests.amount import amount, in_full
from tests.naive import minimax_value
from tests.test_algorithms import Bench, games

NAME = "sss-stockman"
SSS = ALGORITHMS[NAME].function
ROOM = 1 << 14
QUIET = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}

# Trees whose States are paths; only a few different values, so that merits and bounds are often
# equal.
trees = st.builds(
    RandomGame,
    seed=st.integers(0, 2**64 - 1),
    depth=st.integers(1, 6),
    branching=st.integers(1, 3),
    values=st.integers(1, 5),
    passes=st.just(False),
    transpositions=st.just(False),
)
trees_with_passes = st.builds(
    RandomGame,
    st.integers(0, 2**64 - 1),
    st.integers(1, 6),
    branching=st.integers(1, 3),
    transpositions=st.just(False),
)
depths = st.integers(1, 6)


class Recording:
    """A game that records the States whose values are asked for."""

    def __init__(self, game: Any) -> None:
        self.game, self.leaves = game, []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def utility(self, state: Any) -> int:
        self.leaves.append(state)
        return self.game.utility(state)

    def evaluate(self, state: Any) -> int:
        self.leaves.append(state)
        return self.game.evaluate(state)


def evaluated(function: Any, game: Any, depth: int) -> list[Any]:
    """The leaves that a registered algorithm's function evaluates from the start of a game, in
    order, interpreted."""
    algorithm = next(a for a in ALGORITHMS.values() if a.function is function)
    game.freeze()
    state = game.initial()
    table = TranspositionTable(1, game, state) if algorithm.table else None
    watched = Recording(game)
    how = Configuration(algorithm, compile=False, room=ROOM)
    Session(watched, Root(state), how, depth, Course(table=table)).run(depth)
    return watched.leaves


def leaves_of(function: Any, game: Any, depth: int) -> set[Any]:
    """The set of leaf States that an algorithm evaluates; in a tree with unique States these are
    paths."""
    return set(evaluated(function, game, depth))


def value_of_line(bench: Bench, game: Any, depth: int) -> int:
    """The result for the root's player at the end of the line that a bench's memory holds; the line
    ends at a leaf."""
    state, sign, row = game.initial(), 1, depth * (depth - 1) // 2
    length = bench.memory.line_length[depth]
    for i in range(length):
        child = game.result(state, bench.memory.line[row + i])
        sign = sign if game.keeps_turn(state, child) else -sign
        state = child
    assert game.is_terminal(state) or length == depth
    return sign * (game.utility(state) if game.is_terminal(state) else game.evaluate(state))


def check_against_minimax(bench: Bench, game: RandomGame, depth: int) -> None:
    expected = minimax_value(game, game.initial(), depth)
    assert bench.run(game, depth) == expected
    assert value_of_line(bench, game, depth) == expected
    memory = bench.memory
    assert (memory.root_count, memory.root_value[0]) == (1, expected)
    assert memory.root_action[0] == memory.line[depth * (depth - 1) // 2]


@pytest.fixture(scope="module")
def interpreted() -> Bench:
    return Bench(NAME, False)


@pytest.fixture(scope="module")
def compiled() -> Bench:
    return Bench(NAME, True)


@settings(max_examples=500, **QUIET)
@given(game=games, depth=depths)
def test_interpreted_value_and_line_are_minimax(interpreted, game, depth):
    check_against_minimax(interpreted, game, depth)


@settings(max_examples=amount(1000, 5000), **QUIET)
@given(game=games, depth=depths)
def test_compiled_value_and_line_are_minimax(compiled, game, depth):
    check_against_minimax(compiled, game, depth)


@settings(max_examples=200, **QUIET)
@given(game=games, depth=depths)
def test_counts_are_the_same_on_both_backends(interpreted, compiled, game, depth):
    counts = []
    for bench in (interpreted, compiled):
        bench.run(game, depth)
        counts.append([getattr(bench.memory, name) for name in (*COUNTERS, "stored")])
    assert counts[0] == counts[1]


@settings(max_examples=100, **QUIET)
@given(game=games)
def test_the_action_is_the_first_of_the_best(game):
    found = prunus.analyze(game, algorithm=NAME, compile=False, room=ROOM)
    assert (found.value, found.best) == (
        (other := prunus.analyze(game, algorithm="alphabeta", compile=False)).value,
        other.best,
    )
    assert (found.bound, found.proved) == ("exact", True)


@settings(max_examples=amount(300, 1000), **QUIET)
@given(game=trees, depth=depths)
def test_evaluates_no_leaf_that_alphabeta_skips(game, depth):
    assert leaves_of(SSS, game, depth) <= leaves_of(alphabeta, game, depth)


@settings(max_examples=500, **QUIET)
@given(game=trees, depth=depths)
def test_null_windows_from_above_visit_the_leaves_of_sss(game, depth):
    """MTD(+infinity) with a table that replaces nothing evaluates the same leaves as SSS* (Plaat et
    al. 1996), so none that alpha-beta skips."""
    found = leaves_of(sss, game, depth)
    assert found == leaves_of(SSS, game, depth)
    assert found <= leaves_of(alphabeta, game, depth)


@settings(max_examples=300, **QUIET)
@given(game=trees_with_passes, depth=depths)
def test_evaluates_no_leaf_that_alphabeta_skips_with_passes(game, depth):
    assert leaves_of(SSS, game, depth) <= leaves_of(alphabeta, game, depth)


@settings(max_examples=300, **QUIET)
@given(game=trees, depth=depths)
def test_evaluates_a_critical_tree_and_each_leaf_once(game, depth):
    order = evaluated(SSS, game, depth)
    assert len(order) == len(set(order)) >= fewest_leaves(game, game.initial(), depth)


def test_often_evaluates_fewer_leaves_than_alphabeta():
    fewer = [
        len(leaves_of(SSS, g, 5)) < len(leaves_of(alphabeta, g, 5))
        for g in (UniformTree(3, 5, seed=seed) for seed in range(10))
    ]
    assert sum(fewer) >= 8


@pytest.mark.parametrize(("degree", "height"), [(2, 6), (3, 4), (3, 5), (5, 3), (4, 1)])
def test_best_ordered_trees_take_the_minimal_tree(degree, height):
    game = UniformTree(degree, height, "best", seed=height)
    found = leaves_of(SSS, game, height)
    assert len(found) == minimal_leaves(degree, height)
    assert found == leaves_of(alphabeta, game, height)


def test_without_the_leftmost_rule_alphabeta_may_evaluate_less(monkeypatch):
    """Ties broken to the right still give minimax's value, but evaluate leaves that alpha-beta
    skips: the theorem rests on the rule."""

    def rightmost(memory: Any, node: int, other: int) -> bool:
        if memory.merit[node] == memory.merit[other]:
            return leftmost(memory, other, node)
        return leftmost(memory, node, other)

    leftmost = sss_stockman.comes_before
    monkeypatch.setattr(sss_stockman, "comes_before", rightmost)
    dominated = []
    for seed in range(40):
        game = RandomGame(seed, depth=4, branching=3, values=2, passes=False, transpositions=False)
        assert prunus.analyze(
            game, algorithm=NAME, compile=False, room=ROOM
        ).value == minimax_value(game, game.initial())
        dominated.append(leaves_of(SSS, game, 4) <= leaves_of(alphabeta, game, 4))
    assert not all(dominated)


PLAAT = [[[[41, 5], [12, 90]], [[101, 80], [20, 30]]], [[[34, 80], [36, 35]], [[50, 36], [25, 3]]]]


def test_the_example_of_plaat_schaeffer_pijls_and_de_bruin():
    """Their example (A Minimax Algorithm Better than Alpha-Beta? No and Yes, 1995): the root's
    bound falls from 41 to 36 to 35. Leaves e, g, k, m are evaluated under the first bound, n under
    41, o under 36; the last pass proves 35."""
    tree = ExplicitTree.from_nested(PLAAT)
    order = [tree.value[leaf.node] for leaf in evaluated(SSS, tree, 4)]
    assert order == [41, 12, 34, 36, 5, 35, 50, 36]
    found = prunus.analyze(tree, algorithm=NAME, compile=False)
    # A sibling worth 50 or 36 has a merit of 35 too, but does not explain the value; the line ends
    # at leaf o.
    assert (found.value, found.line()) == (35, ["2", "1", "2", "2"])
    assert (found.statistics.leaves, found.statistics.nodes) == (8, 19)


def test_bounds_on_open_fall_as_in_the_example():
    """The contents of OPEN when leaf o has been evaluated: (o, 35), (k, 34), (g, 12), (n, 5), all
    SOLVED, as printed there."""
    tree = ExplicitTree.from_nested(PLAAT)
    memory = stopped_after(tree, leaves=6)
    waiting = sorted(
        (
            (memory.merit[node], memory.status[node], tree.dewey(memory.node[node]))
            for node in open_nodes(memory)
        ),
        reverse=True,
    )
    solved = sss_stockman.SOLVED
    assert waiting == [
        (35, solved, "2.1.2.2"),
        (34, solved, "2.1.1.1"),
        (12, solved, "1.1.2.1"),
        (5, solved, "1.1.1.2"),
    ]


def open_nodes(memory: Any) -> list[int]:
    return [memory.heap[place] for place in range(memory.waiting)]


def stopped_after(tree: ExplicitTree, leaves: int) -> Any:
    """The memory of a search when `leaves` leaves have been put on OPEN as SOLVED."""
    tree.freeze()
    how = Configuration(ALGORITHMS[NAME], room=ROOM)
    memory = new_memory(how.algorithm, tree.initial(), 4, 2, how)
    memory.stored = memory.waiting = 0
    sss_stockman.store(memory, tree.initial(), 4, 0, 0, True)
    sss_stockman.put(memory, 0, sss_stockman.LIVE, prunus.INFINITY)
    while memory.nodes - memory.interior < leaves:
        node = sss_stockman.pop(memory)
        if memory.status[node] == sss_stockman.LIVE:
            sss_stockman.examine(tree, node, memory)
        else:
            sss_stockman.hand_over(memory, node)
    return memory


def test_a_full_memory_is_refused_with_advice():
    with pytest.raises(
        MemoryError, match="more nodes than the memory holds; use alphabeta, or a smaller depth"
    ):
        prunus.analyze(UniformTree(3, 5), algorithm=NAME, compile=False, room=50)


@in_full
@pytest.mark.parametrize("compile", [False, True])
def test_nim_is_solved(compile):
    game = Nim((1, 2, 3))
    assert (
        prunus.analyze(game, algorithm=NAME, compile=compile, room=ROOM).value
        == prunus.analyze(game, compile=compile).value
    )


class Stuck(RandomGame):
    """Random games in which some nodes have no action although they are not terminal."""

    def actions(self, state: Any) -> Any:
        yield from range(state.level == 0 or self.draw(state, 0, 0) % 3)


def test_a_player_without_an_action_is_told_of():
    """As in the other algorithms: a State that is not terminal and has no action cannot be
    searched."""
    without = 0
    for seed in range(100):
        game = Stuck(seed, depth=4, branching=3)
        how = Configuration(ALGORITHMS[NAME], compile=False, room=ROOM)
        session = Session(game, Root(game.initial()), how, 4)
        try:
            assert session.run(4).value == minimax_value(game, game.initial(), 4)
        except SearchError:
            without += 1
            with pytest.raises(SearchError, match="no action"):
                prunus.analyze(game, algorithm=NAME, compile=False, room=ROOM)
    assert 0 < without < 100
