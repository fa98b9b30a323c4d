"""Every slip that needs a test: the passage as printed is wrong, the cure is right.
`docs/errata.md` tells the story."""

from __future__ import annotations

import math
import random
import re
from fractions import Fraction
from pathlib import Path

import pytest

import prunus
from prunus.games import ExplicitTree
from prunus.games.figures import best_case
from prunus.theory.errata import as_printed, cured
from tests.errata.graphs import backward, random_graph, within
from tests.errata.trees import INF, minimax, minimax_to, negamax, random_tree, trees


def wrong(count, right, attempt):
    return sum(attempt(tree) != right(tree) for tree in trees(count))


def test_000_the_result_is_assigned_after_the_loop():
    """Algorithms 2 to 4: on a fail-low there is no result at all, on a cut an outdated one."""
    assert as_printed.f2([3, 4], 5, 9) is as_printed.UNDEFINED
    assert as_printed.f2([2, 9], -INF, 5) == 2 < 5 <= cured.f2([2, 9], -INF, 5)
    assert wrong(1000, negamax, lambda t: as_printed.f2(t, -INF, INF)) > 100
    assert wrong(1000, negamax, lambda t: cured.f2(t, -INF, INF)) == 0
    assert as_printed.f1([2, 9], 5) == 2 < 5 <= cured.f1([2, 9], 5)
    assert wrong(1000, negamax, lambda t: as_printed.f1(t, INF)) > 100
    assert wrong(1000, negamax, lambda t: cured.f1(t, INF)) == 0


def test_000_g2_starts_from_beta():
    """Algorithm 4: from alpha no child can improve on MIN's value."""
    assert wrong(1000, minimax, lambda t: as_printed.f2_maxmin(t, -INF, INF)) > 500
    assert wrong(1000, minimax, lambda t: cured.f2_maxmin(t, -INF, INF)) == 0


def p(i, j, d):
    """p_ij by remark 7.6: the smallest values must lie in rows k < i, one row after another."""
    value = Fraction(1)
    for rows in range(i - 1, 0, -1):
        value *= Fraction(rows * d, rows * d + j - 1)
    return value


@pytest.mark.parametrize(("i", "j", "d"), [(2, 2, 2), (3, 2, 2), (2, 3, 3), (3, 3, 3)])
def test_000_equation_14_ranges_over_k_below_i(i, j, d):
    """With max over k < i and min over k < j the probability is p_ij of (15); with the printed
    range it is not."""
    binomial = math.gamma(i + (j - 1) / d) / (math.gamma(i) * math.gamma(1 + (j - 1) / d))
    assert float(p(i, j, d)) == pytest.approx(1 / binomial)
    rng = random.Random(1)
    trials, right, printed = 20_000, 0, 0
    for _ in range(trials):
        rows = [[rng.random() for _ in range(d)] for _ in range(i - 1)]
        last = [rng.random() for _ in range(j - 1)]
        right += max(map(min, rows)) < min(last)
        # As printed, the second minimum runs over k < i, which includes items of row i that are not
        # there yet.
        longer = last + [rng.random() for _ in range(max(0, i - j))]
        printed += max(map(min, rows)) < min(longer[: i - 1])
    error = 4 * math.sqrt(float(p(i, j, d)) / trials)
    assert abs(right / trials - float(p(i, j, d))) < error
    if i != j:
        assert abs(printed / trials - float(p(i, j, d))) > error


def dependent_leaves(d, h):
    """Recurrence (28), exactly."""
    harmonic = sum(Fraction(1, i) for i in range(1, d + 1))
    a = b = c = Fraction(1)
    for _ in range(h):
        a, b, c = harmonic * a + (d - harmonic) * b, c, d * b
    return a


def theorem_7_5(d, h, harmonic):
    return (d - harmonic) / (d - harmonic**2) * (
        d ** -(-h // 2) + harmonic * d ** (h // 2) - harmonic ** (h + 1) - harmonic**h
    ) + harmonic**h


@pytest.mark.parametrize("d", [2, 3, 5, 8])
@pytest.mark.parametrize("h", [1, 2, 5, 8])
def test_000_theorem_7_5_needs_the_harmonic_number(d, h):
    """H_d is the sum of 1/i; the printed sum of 1/d is 1."""
    harmonic = sum(Fraction(1, i) for i in range(1, d + 1))
    assert theorem_7_5(d, h, harmonic) == dependent_leaves(d, h)
    if h > 1:
        assert theorem_7_5(d, h, Fraction(1)) != dependent_leaves(d, h)


def test_000_corollary_7_4_holds_from_7_on():
    """The ratio to the optimum diverges for d = 3 to 6, where H_d > sqrt(d), and converges to the
    constant from d = 7 on."""

    def ratio(d, h):
        return float(dependent_leaves(d, h) / (d ** -(-h // 2) + d ** (h // 2) - 1))

    assert ratio(3, 20) == pytest.approx(11, abs=0.5)
    assert ratio(3, 160) == pytest.approx(45_132, rel=1e-3)
    for d in range(3, 7):
        assert ratio(d, 400) > 1.05 * ratio(d, 200)
    for d in (7, 10, 20):
        harmonic = float(sum(Fraction(1, i) for i in range(1, d + 1)))
        assert harmonic < math.sqrt(d)
        h = 4000 if d == 7 else 600
        assert ratio(d, h) == pytest.approx(
            (d - harmonic) * (1 + harmonic) / (2 * (d - harmonic**2)), rel=1e-3
        )
        assert ratio(d, h + 1) == pytest.approx(
            (d - harmonic) * (d + harmonic) / ((d + 1) * (d - harmonic**2)), rel=1e-3
        )


def test_001_min_has_a_procedure_of_its_own():
    """AB calls the procedure of MAX for both players."""
    assert wrong(500, lambda t: minimax(t, False), lambda t: as_printed.ab(t, False)) > 250
    assert wrong(500, lambda t: minimax(t, False), lambda t: as_printed.minimize(t, -INF, INF)) == 0


def test_001_a_loop_to_the_length_runs_past_the_end():
    for tree in trees(100):
        with pytest.raises(IndexError):
            as_printed.max_value(tree)


def test_001_a_window_from_minus_infinity_to_itself_is_empty():
    """The prose starts with alpha = beta = -infinity; the code, rightly, does not."""
    assert cured.f2([3, 5], -INF, -INF) == 3 != negamax([3, 5])


def test_001_pvs_searches_again_in_val_to_b():
    many = [random_tree(random.Random(seed), 4, 3, 20) for seed in range(5000)]
    bad = sum(as_printed.pvs(t, -INF, INF) != negamax(t) for t in many)
    assert bad > 500
    assert sum(cured.pvs(t, -INF, INF) != negamax(t) for t in many) == 0


def test_001_depth_below_zero_is_a_ply_too_many():
    assert as_printed.deepest_ply(3) == 4


def follow(tree, line):
    """The leaf at the end of a line; None if it is not a line of the tree."""
    for i in line:
        if not isinstance(tree, list) or i >= len(tree):
            return None
        tree = tree[i]
    return None if isinstance(tree, list) else tree


def test_001_the_path_is_cleared_for_each_child():
    """A child that is a leaf, or is no better, leaves the previous sibling's path behind."""
    bad = 0
    for tree in trees(2000):
        printed, right = [], []
        as_printed.pvs_line(tree, -INF, INF, printed)
        assert cured.pvs_line(tree, -INF, INF, right) == negamax(tree)
        assert follow(tree, right) == minimax(tree)
        bad += follow(tree, printed) != minimax(tree)
    assert bad > 100


def test_001_the_open_list_takes_the_labels_of_the_other_players_ancestors():
    many = list(trees(2000))
    assert sum(as_printed.list_alphabeta(t) != minimax(t) for t in many) > 500
    assert sum(as_printed.list_alphabeta(t, cured=True) != minimax(t) for t in many) == 0


TOTAL = 9


def maxn(tree, player, reach, above=()):
    """max^n for three players whose utilities sum to `TOTAL`: the vector. `above` holds the
    ancestors' players and best values so far; a node is left when what remains for one of the
    nearest `reach` of them is no improvement (0: never, 1: shallow cut-offs, 3: deep ones)."""
    if isinstance(tree, tuple):
        return tree
    best = None
    for child in tree:
        so_far = best[player] if best else -1
        value = maxn(child, (player + 1) % 3, reach, (*above, (player, so_far)))
        if value[player] > so_far:
            best = value
        if any(
            TOTAL - best[player] <= known
            for who, known in above[len(above) - reach :]
            if reach and who != player
        ):
            break
    return best


def three_player_tree(rng):
    def leaf():
        a = rng.randrange(TOTAL + 1)
        b = rng.randrange(TOTAL + 1 - a)
        return (a, b, TOTAL - a - b)

    return [[[[leaf() for _ in range(2)] for _ in range(2)] for _ in range(2)] for _ in range(2)]


def test_002_deep_cutoffs_are_unsound_with_three_players():
    """In max^n the bound of a parent is safe; that of a grandparent says nothing about which child
    its own child will prefer, and the value of the root changes."""
    rng = random.Random(5)
    many = [three_player_tree(rng) for _ in range(2000)]
    assert all(maxn(tree, 0, 1)[0] == maxn(tree, 0, 0)[0] for tree in many)
    assert sum(maxn(tree, 0, 3)[0] != maxn(tree, 0, 0)[0] for tree in many) > 0


def test_003_the_level_is_handed_on_by_min_too():
    """As printed, MIN's children start at level 0 again: a limit of two plies or more is never
    reached, and nothing is estimated."""
    many = list(trees(1000))
    for limit in (2, 3):
        assert all(as_printed.lookahead(tree, 0, limit) == minimax(tree) for tree in many)
        assert (
            sum(as_printed.lookahead(tree, 0, limit) != minimax_to(tree, limit) for tree in many)
            > 100
        )
        assert all(cured.lookahead(tree, 0, limit) == minimax_to(tree, limit) for tree in many)


CIRCLE = {"a": ["b", "win"], "b": ["a"], "win": 1}
"""MAX moves in a: to a win, or to b, whose only move leads back."""

DETOUR = {"a": ["b", "d"], "b": ["d", "loss"], "c": ["b"], "d": ["win", "c"], "win": 1, "loss": -1}
"""MAX moves in a and has lost: in b MIN takes the loss, in d MIN goes to c and MAX must go to b."""


@pytest.fixture(scope="module")
def graphs():
    return [random_graph(random.Random(seed)) for seed in range(2000)]


def test_003_backward_analysis_agrees_with_a_long_lookahead(graphs):
    """The judge of the next tests, against an oracle of its own."""
    for graph in (CIRCLE, DETOUR, *graphs[:500]):
        assert backward(graph) == within(graph, 2 * len(graph))


def test_003_a_parent_ignores_a_cycle(graphs):
    """A position with nothing but repetitions below it must be worth +infinity if MAX moves, so
    that MIN above it looks elsewhere, and -infinity if MIN moves. With the printed signs MAX above
    it prefers the cycle to the win."""
    assert as_printed.visit(CIRCLE, "a", True, {}) == INF
    assert cured.visit(CIRCLE, "a", True) == backward(CIRCLE)["a", True] == 1
    decided = [graph for graph in graphs if backward(graph)["a", True] != 0]
    assert (
        sum(
            as_printed.visit(graph, "a", True, {}) != backward(graph)["a", True]
            for graph in decided
        )
        > 20
    )
    assert (
        sum(cured.visit(graph, "a", True) != backward(graph)["a", True] for graph in decided) == 0
    )


def test_003_values_cached_while_a_cycle_is_cut_off_depend_on_the_path(graphs):
    """On the path a, b, d, c the step to b is a repetition, so that d looks won; once noted, that
    value is used on the path a, d, where it is wrong."""
    noted: dict = {}
    assert cured.visit(DETOUR, "a", True) == backward(DETOUR)["a", True] == -1
    assert cured.visit(DETOUR, "a", True, cache=noted) == 1
    assert (noted["d", False], backward(DETOUR)["d", False]) == (1, -1)
    spoilt = 0
    for graph in graphs:
        noted, truth = {}, backward(graph)
        cured.visit(graph, "a", True, cache=noted)
        wrong_notes = [c for c, value in noted.items() if truth[c] != 0 and value != truth[c]]
        assert all(cured.visit(graph, *c) == truth[c] for c in wrong_notes)
        spoilt += bool(wrong_notes)
    assert spoilt > 20


def test_003_endless_play_needs_backward_analysis(graphs):
    """Leaving cycles out gives a value even if neither side can force the end of the game; backward
    analysis calls it a draw."""
    drawn = [graph for graph in graphs if backward(graph)["a", True] == 0]
    assert sum(cured.visit(graph, "a", True) != 0 for graph in drawn) > 50


def test_003_the_first_strict_improvement_is_the_best_move():
    """Under alpha-beta other moves may return the same number as a bound."""
    bad = 0
    for tree in trees(5000, 3, values=4):
        truth = [minimax(child, False) for child in tree]
        bad += truth[as_printed.move_equal_to_maximum(tree)] != max(truth)
        found = prunus.analyze(ExplicitTree.from_nested(tree), compile=False) if bad < 20 else None
        if found is not None:
            assert truth[found.best] == max(truth)
    assert bad > 500


def test_004_the_best_case_needs_the_extreme_values_as_window():
    """m = 3, n = 5: 26 nodes with the window [MINVAL, MAXVAL], 72 with infinities."""
    figure = best_case(3, 5)
    low, high = figure.window
    assert (
        len(prunus.trace(figure.tree, alpha=low, beta=high).nodes)
        == 26
        == 2 * (3 ** (5 // 2 + 1) - 1) // (3 - 1)
    )
    assert len(prunus.trace(figure.tree).nodes) == 72


def test_the_page_names_tests_that_there_are():
    page = (Path(__file__).parents[2] / "docs" / "errata.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\d{3}_\w+)`", page))
    assert len(named) > 15
    assert named <= set(globals())
