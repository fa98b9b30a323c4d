"""Explicit trees, the figures, uniform trees and random games."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from prunus.core.game import INFINITY, PositionError
from prunus.games import ExplicitTree, RandomGame, UniformTree
from prunus.games.figures import FIGURES, best_case
from prunus.games.uniform import LEVEL_BITS
from tests.naive import alphabeta, leaves, minimax_value


def cut_off(
    tree: ExplicitTree, window: tuple[int, int] = (-INFINITY, INFINITY), deep: bool = True
) -> tuple[int, set[str], int]:
    """The value, the branches at visited nodes that alpha-beta never enters, and the number of
    nodes visited."""
    seen: list[Any] = []
    value = alphabeta(tree, tree.initial(), *window, seen, deep)
    visited = set(seen)
    inner = [state for state in visited if not tree.is_terminal(state)]
    missed = {tree.result(s, a) for s in inner for a in tree.actions(s)} - visited
    return value, {tree.dewey(state) for state in missed}, len(seen)


@pytest.mark.parametrize("name", FIGURES)
def test_figures(name: str) -> None:
    figure = FIGURES[name]()
    assert minimax_value(figure.tree, figure.tree.initial()) == figure.value
    value, missed, _ = cut_off(figure.tree, figure.window)
    assert value == figure.value
    assert missed == set(figure.pruned)
    assert FIGURES[name].__doc__ and ("ours" in FIGURES[name].__doc__ or name.endswith("ordered"))


def test_deep_cut_offs_need_deep_bounds() -> None:
    assert {"2.2.1.2", "2.2.2.2"} & cut_off(FIGURES["000-figure-4"]().tree, deep=False)[1] == set()
    assert "2.1.1.2" not in cut_off(FIGURES["001-d13"]().tree, deep=False)[1]


def test_ordering_by_value_is_not_always_best() -> None:
    by_value, reordered = FIGURES["000-figure-7"]().tree, FIGURES["000-figure-7-reordered"]().tree
    assert cut_off(by_value)[2] == 7 and cut_off(reordered)[2] == 4


def test_winning_line_of_d8() -> None:
    tree = FIGURES["001-d8"]().tree
    state, line = tree.initial(), []
    while not tree.is_terminal(state):
        target = minimax_value(tree, state)
        action = next(
            a for a in tree.actions(state) if -minimax_value(tree, tree.result(state, a)) == target
        )
        line.append(tree.action_name(state, action))
        state = tree.result(state, action)
    assert line == ["c", "g", "k", "o", "q"]


def test_best_case_counts() -> None:
    figure = best_case(3, 5)
    assert cut_off(figure.tree, (-1, 1))[2] == 26
    assert cut_off(figure.tree)[2] == 72


def test_three_ways_to_write_a_tree(tmp_path: Path) -> None:
    nested = ExplicitTree.from_nested([[3, 12], 5])
    file = tmp_path / "t.json"
    file.write_text('{"1.1": 3, "1.2": 12, "2": 5}')
    objects = (
        '{"children": [{"name": "b", "children": [{"value": 3}, {"value": 12}]}, {"value": 5}]}'
    )
    for tree in (
        ExplicitTree.from_dewey({"2": 5, "1.2": 12, "1.1": 3}),
        ExplicitTree.from_json(file),
        ExplicitTree.from_json(objects),
    ):
        for name in ("child_start", "child_count", "value", "mover"):
            assert getattr(tree, name).tolist() == getattr(nested, name).tolist()
    named = ExplicitTree.from_json(objects)
    assert (
        named.action_name(named.initial(), 0) == "b"
        and named.parse("b.2") == named.parse("1.2")
        and named.format(named.parse("b")) == "b"
    )
    assert ExplicitTree.from_dewey({"": 4}).utility(nested.initial()) == 4


def test_values_are_for_the_player_to_move() -> None:
    tree = ExplicitTree.from_nested(
        {"children": [{"value": 5, "player": "MAX"}, {"value": 7}, {"value": 2, "children": [1]}]}
    )
    children = [tree.result(tree.initial(), a) for a in tree.actions(tree.initial())]
    assert [tree.utility(child) for child in children[:2]] == [5, -7]
    assert tree.evaluate(children[2]) == -2 and tree.keeps_turn(tree.initial(), children[0])
    assert tree.bounds(tree.initial()) == (-1, 7) and tree.bounds(children[1]) == (-7, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "the tree is empty"),
        ("{}", "the tree is empty"),
        ("[1, []]", "node 2 is an empty list"),
        ("[1, [2.5]]", "node 2.1: a value is an integer, not 2.5"),
        ("[1, true]", "node 2: a value is an integer, not True"),
        ("[1,\n 2,,]", "line 2, column 4"),
        ('{"1": 3, "3": 4}', "node 3 is given, but its sibling 2 is missing"),
        ('{"1.x": 3}', "not Dewey coordinates"),
        ('{"children": [{"name": "a"}]}', "node 1 is a leaf without a value"),
        ('{"children": [{"value": 1, "player": "ME"}]}', '"player" is "MAX" or "MIN"'),
        ('{"children": [{"value": 1, "color": 2}], "name": "r"}', "unknown field 'color'"),
        ('{"children": [{"value": 1, "name": "a"}, {"value": 1, "name": "a"}]}', "same name"),
        ("[4611686018427387904]", "out of range"),
    ],
)
def test_malformed_trees(text: str, message: str) -> None:
    with pytest.raises(ValueError) as error:
        ExplicitTree.from_json(text)
    assert message in str(error.value)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"gone\.json: No such file"):
        ExplicitTree.from_json(tmp_path / "gone.json")
    (tmp_path / "bad.json").write_text("[1,")
    with pytest.raises(ValueError, match=r"bad\.json, line 1, column \d"):
        ExplicitTree.from_json(str(tmp_path / "bad.json"))


def test_positions_in_trees() -> None:
    tree = ExplicitTree.from_nested([[3, 12], 5])
    assert tree.format(tree.parse("1.2")) == "1.2" and tree.parse("") == tree.initial()
    with pytest.raises(PositionError, match="node 1 has no child '3'; its children: 1 2"):
        tree.parse("1.3")


# Uniform trees.


@pytest.mark.parametrize(
    ("d", "h"), [(1, 4), (2, 0), (2, 5), (2, 8), (3, 4), (3, 5), (4, 4), (5, 3)]
)
def test_best_and_worst_orders(d: int, h: int) -> None:
    for seed in range(3):
        for order, count in (("best", d ** math.ceil(h / 2) + d ** (h // 2) - 1), ("worst", d**h)):
            tree = UniformTree(d, h, order, seed)
            seen: list[Any] = []
            value = alphabeta(tree, tree.initial(), -INFINITY, INFINITY, seen)
            assert value == minimax_value(tree, tree.initial())
            assert sum(tree.is_terminal(state) for state in seen) == count
            assert leaves(tree, tree.initial()) == d**h


def test_best_child_is_first_everywhere() -> None:
    tree = UniformTree(3, 4, "best", 9)

    def look(state: Any) -> int:
        if tree.is_terminal(state):
            return tree.utility(state)
        values = [-look(tree.result(state, a)) for a in tree.actions(state)]
        assert values[0] == state.way >> LEVEL_BITS and all(
            value < values[0] for value in values[1:]
        )
        return values[0]

    look(tree.initial())


@pytest.mark.parametrize("strength", [0, 30, 80, 100])
def test_the_best_child_is_first_as_often_as_wanted(strength: int) -> None:
    tree = UniformTree(4, 6, "ordered", 9, strength=strength)
    places: Counter[int] = Counter()

    def look(state: Any) -> int:
        if tree.is_terminal(state):
            return tree.utility(state)
        values = [-look(tree.result(state, a)) for a in tree.actions(state)]
        places[values.index(max(values))] += 1
        assert max(values) == state.way >> LEVEL_BITS and values.count(max(values)) == 1
        return max(values)

    look(tree.initial())
    count = sum(places.values())
    # Four standard deviations of a binomial draw; the other children share the rest.
    assert abs(places[0] - count * strength / 100) <= 4 * math.sqrt(
        count * strength / 100 * (1 - strength / 100)
    )
    assert strength == 100 or min(places[place] for place in (1, 2, 3)) > 0.2 * (count - places[0])


def test_totally_dependent_trees() -> None:
    tree = UniformTree(3, 3, "dependent", 4)

    def leaf_values(state: Any) -> list[int]:
        """From the root player's side."""
        if tree.is_terminal(state):
            return [tree.utility(state) if state.way % 2 == 0 else -tree.utility(state)]
        parts = [leaf_values(tree.result(state, a)) for a in tree.actions(state)]
        ordered = sorted(parts)
        assert all(max(a) < min(b) for a, b in itertools.pairwise(ordered))
        return [value for part in parts for value in part]

    assert len(set(leaf_values(tree.initial()))) == 27


@pytest.mark.parametrize(("degree", "height"), [(2, 53), (3, 34), (255, 6)])
@pytest.mark.parametrize("order", ["dependent", "worst"])
def test_the_largest_trees_still_have_room_for_their_values(
    order: str, degree: int, height: int
) -> None:
    tree, rng = UniformTree(degree, height, order, 5), random.Random(degree)
    for _ in range(20):
        state, value = tree.initial(), 0
        for level in range(height):
            action = rng.choice([0, degree - 1, rng.randrange(degree)])
            digit = tree.place_by_value(state.node, action) if order == "dependent" else action
            value = degree * value + (digit if level % 2 == 0 else -digit)
            state = tree.result(state, action)
            assert tree.is_terminal(state) == (level == height - 1)
        assert tree.utility(state) == (value if height % 2 == 0 else -value)


def test_permutations_are_uniform() -> None:
    """600 draws of 6 permutations; chi-squared with 5 degrees of freedom exceeds 20.5 for one seed
    in a thousand."""
    counts: Counter[tuple[int, ...]] = Counter()
    for seed in range(600):
        tree = UniformTree(3, 1, "dependent", seed)
        counts[tuple(tree.place_by_value(tree.initial().node, a) for a in range(3))] += 1
    assert len(counts) == 6 and sum((count - 100) ** 2 / 100 for count in counts.values()) < 20.5


def test_random_leaves_spread_and_repeat() -> None:
    tree = UniformTree(4, 4, "random", 1, values=3)
    states = [tree.initial()]
    for _ in range(4):
        states = [tree.result(state, a) for state in states for a in tree.actions(state)]
    assert set(map(tree.utility, states)) == {-1, 0, 1}
    other = UniformTree(4, 4, "random", 2, values=3)
    assert minimax_value(other, other.initial()) in (-1, 0, 1)


def test_uniform_limits() -> None:
    for options in (
        {"degree": 0},
        {"height": -1},
        {"degree": 2, "height": 62},
        {"degree": 2, "height": 54, "order": "worst"},
        {"order": "sorted"},
        {"values": 0},
        {"strength": 101},
    ):
        with pytest.raises(ValueError):
            UniformTree(**options)
    assert "order='best'" in repr(UniformTree(order="best"))


# Random games.


def test_random_games_have_what_makes_searches_go_wrong() -> None:
    depths: set[int] = set()
    utilities: set[int] = set()
    passes = transpositions = 0
    for seed in range(30):
        game = RandomGame(seed)
        parents: Counter[Any] = Counter()
        waiting, found = [game.initial()], {game.initial()}
        while waiting:
            state = waiting.pop()
            if game.is_terminal(state):
                depths.add(state.level)
                utilities.add(game.utility(state))
                continue
            assert abs(game.evaluate(state)) < game.values
            for action in game.actions(state):
                child = game.result(state, action)
                passes += game.keeps_turn(state, child)
                parents[child] += 1
                if child not in found:
                    found.add(child)
                    waiting.append(child)
        transpositions += sum(count > 1 for count in parents.values())
    assert (
        len(depths) > 3 and utilities == set(range(-3, 4)) and passes > 30 and transpositions > 30
    )


def test_random_trees_have_no_transpositions() -> None:
    game = RandomGame(2, depth=5, transpositions=False, passes=False)
    states, waiting = set(), [game.initial()]
    while waiting:
        state = waiting.pop()
        assert state not in states and state.turn == state.level % 2
        states.add(state)
        if not game.is_terminal(state):
            waiting += [game.result(state, a) for a in game.actions(state)]
    with pytest.raises(ValueError):
        RandomGame(depth=40, transpositions=False)
