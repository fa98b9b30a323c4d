"""The laboratory of the horizon: the engine's answers against searches of a few lines over rules
written once more, as a story of words."""

from __future__ import annotations

from functools import cache

import pytest

import prunus
from prunus.theory.lab.experiments import horizon
from prunus.theory.lab.experiments import horizon_singular as singular
from prunus.theory.lab.registry import experiment_named
from tests.amount import amount, in_full

TRUTH = (-20, "save")
NAMES = {
    horizon.WAIT: "wait",
    horizon.ASIDE: "aside",
    horizon.SAVE: "save",
    horizon.DELAY: "delay",
    horizon.FLEE: "flee",
    horizon.TAKE: "take",
}
CHANCES = {"wait": 0.1, "aside": 0.1, "save": 0.3, "delay": 0.3, "take": 0.6, "flee": 1.0}


def moves(max_moves, delays, hangs, checked):
    """The actions and what they do: the balance for MAX, and what is left."""
    if checked:
        return [("flee", 0, delays, hangs, False)]
    found = [("wait", 0, delays, hangs, False), ("aside", 0, delays, hangs, False)]
    if max_moves and hangs:
        found.append(("save", -20, delays, False, False))
    if max_moves and delays:
        found.append(("delay", -1, delays - 1, hangs, True))
    if not max_moves and hangs:
        found.append(("take", -60, delays, False, False))
    return found


@cache
def value(max_moves, delays, hangs, checked, depth, leaf, extend):
    """MAX's gain from here in a search of this depth."""
    if extend and checked:
        depth = max(depth, 0) + 1
    if depth <= 0:
        return leaf(max_moves, delays, hangs, checked)
    best = max if max_moves else min
    return best(
        gain + value(not max_moves, *after, depth - 1, leaf, extend)
        for _, gain, *after in moves(max_moves, delays, hangs, checked)
    )


def still(*position):
    return 0


def quiet(max_moves, delays, hangs, checked):
    """Captures only, or none; a check is answered first."""
    if checked:
        return quiet(True, delays, hangs, False)
    return -60 if hangs and not max_moves else 0


def floyd(max_moves, delays, hangs, checked, chance, least):
    """Follow a line while the product of its chances is at least `least`."""
    if chance < least * (1 - 1e-9):
        return 0
    best = max if max_moves else min
    return best(
        gain + floyd(not max_moves, *after, chance * CHANCES[name], least)
        for name, gain, *after in moves(max_moves, delays, hangs, checked)
    )


def root(delays, below):
    """The value of each action of MAX at the root."""
    return {name: gain + below(*after) for name, gain, *after in moves(True, delays, True, False)}


def best(values):
    return max((value, name) for name, value in values.items())


def naive(method, delays, depth):
    """The value and the action that a search finds."""

    def plain(depth, leaf=still, extend=False):
        return root(delays, lambda *after: value(False, *after, depth - 1, leaf, extend))

    if method == "quiescence":
        return best(plain(depth, quiet))
    if method == "check extension":
        return best(plain(depth, extend=True))
    if method == "Floyd":
        least = 0.1**depth
        return best(
            {
                name: gain + floyd(False, *after, CHANCES[name], least)
                for name, gain, *after in moves(True, delays, True, False)
            }
        )
    values = plain(depth)
    if method == "second look":
        two = sorted(values, key=values.get)[-2:]
        deeper = plain(depth + horizon.LOOK)
        values = {name: deeper[name] for name in two}
    return best(values)


NAIVE = [method for method in horizon.METHODS if method != "singular extension"]


@pytest.mark.parametrize("method", NAIVE)
def test_the_laws_are_those_of_searches_of_a_few_lines(method):
    for delays in range(6 if method != "Floyd" else 4):
        law = horizon.METHODS[method].law(delays)
        seen = [naive(method, delays, depth) == TRUTH for depth in range(1, law + 4)]
        assert seen == [depth >= law for depth in range(1, law + 4)], delays


@pytest.mark.parametrize("method", NAIVE)
def test_the_engine_gives_the_naive_values_at_every_depth(method):
    for delays in range(amount(2, 4)):
        for depth in range(1, horizon.METHODS[method].law(delays) + 2):
            found, action, _ = horizon.answer(method, delays, depth)
            said = naive(method, delays, depth)
            # Quiet moves are alike, and so are actions of one value.
            assert found == said[0]
            assert action == horizon.SAVE or said != TRUTH


@pytest.mark.parametrize("method", horizon.METHODS)
def test_the_engine_obeys_the_laws(method):
    for delays in range(amount(2, 9)):
        found = horizon.measure_horizon({"method": method, "k": delays}, 0, 1)
        assert found["depth"].total == horizon.METHODS[method].law(delays)


def last_iteration(method, delays, depth):
    how = horizon.METHODS[method]
    nodes = [
        found.statistics.nodes
        for found in prunus.iterations(
            horizon.Delaying(delays),
            limit=prunus.Limit(depth=how.plies(depth)),
            options=dict(how.options(depth)),
            compile=False,
        )
    ]
    return nodes[-1] - nodes[-2]


@pytest.mark.parametrize(
    ("method", "nodes"), [pytest.param("Floyd", 307, marks=in_full), ("depth alone", 464)]
)
def test_the_last_iterations_that_the_page_compares(method, nodes):
    assert last_iteration(method, 4, horizon.METHODS[method].law(4)) == nodes


def test_a_depth_that_is_right_by_chance_is_not_enough():
    """At depth 7 the corridor looks as bad as it is, and at depth 9 good."""
    found = {
        (row["search"], row["depth"]): singular.measure_corridor(row, 0, 1)["value"].total
        for row in singular.corridor_points(False)
    }
    assert [found["depth alone", depth] for depth in (6, 7, 9, 12)] == [0, -20, 30, -20]
    assert [found["singular extension", depth] for depth in (5, 6, 7, 10)] == [0, -20, 30, -20]


def corridor(ply, inside, balance, depth):
    """MAX's value of the corridor, by its rules in words."""
    if depth == 0 or not inside:
        return balance
    sign = 1 if ply % 2 == 0 else -1
    bill = -20 if ply == 0 else -100 * sign
    on = corridor(ply + 1, True, singular.estimate(ply + 1), depth - 1)
    away = balance + bill
    return max(on, away) if sign == 1 else min(on, away)


def test_the_corridor_is_what_plain_minimax_says():
    for depth in range(1, 16):
        row = {"search": "depth alone", "depth": depth}
        said = singular.measure_corridor(row, 0, 1)["value"].total
        assert said == corridor(0, True, 0, depth) == singular.corridor_theory(row)["value"]
        row = {"search": "singular extension", "depth": depth}
        said = singular.measure_corridor(row, 0, 1)["value"].total
        assert said == corridor(0, True, 0, depth + singular.extra(depth))


def test_parameters_that_make_no_sense_are_refused():
    for name, point in (
        ("horizon", {"method": "x", "k": 1}),
        ("horizon", {"method": "Floyd", "k": 40}),
        ("singular-horizon", {"search": "x", "depth": 3}),
        ("singular-horizon", {"search": "depth alone", "depth": 0}),
    ):
        with pytest.raises(ValueError, match="not|are"):
            experiment_named(name).check(point)
