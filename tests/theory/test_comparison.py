"""The family of algorithms side by side, and the engine's distance from the minimal graph."""

from __future__ import annotations

import pytest

from prunus.core.game import INFINITY
from prunus.games import AnyUniformTree, ConnectFour, TicTacToe
from prunus.theory.comparison import FAMILY, Comparison, Disagreement
from prunus.theory.critical import minimal_leaves
from prunus.theory.ordering import minimal_graph, ordering_of
from tests import naive
from tests.amount import in_full

EVERYBODY = (*FAMILY, "sss-stockman")


@pytest.mark.parametrize(
    ("order", "values", "strength"), [("random", 1 << 30, 0), ("random", 3, 0), ("ordered", 1, 70)]
)
def test_everybody_finds_the_value_and_the_plain_ones_count_as_the_oracle(order, values, strength):
    for seed in range(10):
        game = AnyUniformTree(3, 4, order, seed, values, strength)
        comparison = Comparison(game, compile=False)
        found = comparison.family(game, game.initial(), 4, EVERYBODY)
        for name, deep in (("alphabeta", True), ("branch-and-bound", False)):
            seen = []
            value = naive.alphabeta(game, game.initial(), -INFINITY, INFINITY, seen, deep)
            assert (found[name].value, found[name].nodes) == (value, len(seen))
            assert found[name].leaves == sum(map(game.is_terminal, seen))
        assert found["minimax"].leaves == 81
        assert (
            found["sss-stockman"].leaves
            <= found["alphabeta"].leaves
            <= found["branch-and-bound"].leaves
            <= 81
        )
        assert min(each.leaves for each in found.values()) >= minimal_leaves(3, 4)


@in_full
def test_compiled_and_interpreted_count_the_same():
    game = AnyUniformTree(3, 4, "ordered", 3, strength=60)
    for name in ("alphabeta", "pvs", "sss"):
        runs = [
            Comparison(game, compile=compile).examine(game, game.tree(2), name, 4)
            for compile in (True, False)
        ]
        assert runs[0] == runs[1]


def test_the_table_is_empty_at_the_start():
    game = AnyUniformTree(3, 4, "random", 1)
    comparison = Comparison(game, compile=False)
    runs = [comparison.examine(game, game.initial(), "mtdf", 4) for _ in range(2)]
    assert runs[0] == runs[1]


def test_a_guess_that_is_right_takes_two_searches():
    game = AnyUniformTree(3, 4, "random", 1)
    comparison = Comparison(game, compile=False)
    value = comparison.examine(game, game.initial(), "minimax", 4).value
    good, bad = (
        comparison.examine(game, game.initial(), "mtdf", 4, guess) for guess in (value, -(1 << 29))
    )
    assert good.value == bad.value == value
    assert good.leaves < bad.leaves


def test_perfect_order_is_the_minimal_tree():
    game = AnyUniformTree(4, 4, "ordered", 5, strength=100)
    found = Comparison(game, compile=False).family(game, game.initial(), 4)
    assert found["alphabeta"].leaves == found["pvs"].leaves == minimal_leaves(4, 4)


def test_a_wrong_value_is_noticed():
    class Biased(Comparison):
        def examine(self, game, state, algorithm, depth, guess=0):
            found = super().examine(game, state, algorithm, depth, guess)
            return found._replace(value=found.value + (algorithm == "pvs"))

    game = AnyUniformTree(2, 2)
    with pytest.raises(Disagreement, match="pvs"):
        Biased(game, compile=False).family(game, game.initial(), 2)


def test_the_minimal_graph_is_no_more_than_the_search():
    game = ConnectFour(5, 4)
    found = ordering_of(game, game.initial(), 4, megabytes=1, compile=False)
    assert found is not None
    assert found.minimal == minimal_graph(game, game.initial(), 4, 1, False)
    assert 1 <= found.minimal <= found.leaves
    assert 0 < found.first <= 1
    # Without a table, alpha-beta in best order examines more than the minimal graph, in which lines
    # meet.
    plain = Comparison(game, compile=False).examine(game, game.initial(), "alphabeta", 4)
    assert found.minimal < plain.leaves


def test_a_decided_position_has_no_ordering():
    game = TicTacToe()
    assert ordering_of(game, game.parse("XX./OO./..."), 3, megabytes=1, compile=False) is None
