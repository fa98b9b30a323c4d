"""Each slip marked for a test: the passage as printed is wrong, the cure is right. `docs/errata.md` tells the story."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

import prunus
from prunus.games import ExplicitTree
from prunus.games.figures import best_case
from tests.errata import as_printed, cured
from tests.errata.trees import INF, minimax, negamax, random_tree, trees


def wrong(count, right, attempt):
    return sum(attempt(tree) != right(tree) for tree in trees(count))


def test_000_the_result_is_assigned_after_the_loop():
    """Algorithms 2 to 4: on a fail-low there is no result at all, on a cut an old one."""
    assert as_printed.f2([3, 4], 5, 9) is as_printed.UNDEFINED
    assert as_printed.f2([[-3]], -INF, -4) is as_printed.UNDEFINED or as_printed.f2([[-3]], -INF, -4) < -4
    assert wrong(1000, negamax, lambda t: as_printed.f2(t, -INF, INF)) > 100
    assert wrong(1000, negamax, lambda t: cured.f2(t, -INF, INF)) == 0


def test_000_g2_starts_from_beta():
    """Algorithm 4: from alpha no child can improve on MIN's value."""
    assert wrong(1000, minimax, lambda t: as_printed.f2_maxmin(t, -INF, INF)) > 500
    assert wrong(1000, minimax, lambda t: cured.f2_maxmin(t, -INF, INF)) == 0


def p(i, j, d):
    """p_ij by remark 7.6: the smallest values must lie in rows k < i, one row after the other."""
    value = Fraction(1)
    for rows in range(i - 1, 0, -1):
        value *= Fraction(rows * d, rows * d + j - 1)
    return value


@pytest.mark.parametrize(("i", "j", "d"), [(2, 2, 2), (3, 2, 2), (2, 3, 3), (3, 3, 3)])
def test_000_equation_14_ranges_over_k_below_i(i, j, d):
    """With max over k < i and min over k < j the probability is p_ij of (15); with the printed range it is not."""
    binomial = math.gamma(i + (j - 1) / d) / (math.gamma(i) * math.gamma(1 + (j - 1) / d))
    assert float(p(i, j, d)) == pytest.approx(1 / binomial)
    rng = random.Random(1)
    trials, right, printed = 20_000, 0, 0
    for _ in range(trials):
        rows = [[rng.random() for _ in range(d)] for _ in range(i - 1)]
        last = [rng.random() for _ in range(j - 1)]
        right += max(map(min, rows)) < min(last)
        # As printed the second minimum runs over k < i, which takes items of row i that are not there yet.
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
    return (d - harmonic) / (d - harmonic**2) * (d ** -(-h // 2) + harmonic * d ** (h // 2) - harmonic ** (h + 1) - harmonic**h) + harmonic**h


@pytest.mark.parametrize("d", [2, 3, 5, 8])
@pytest.mark.parametrize("h", [1, 2, 5, 8])
def test_000_theorem_7_5_needs_the_harmonic_number(d, h):
    """H_d is the sum of 1/i; the printed sum of 1/d is 1."""
    harmonic = sum(Fraction(1, i) for i in range(1, d + 1))
    assert theorem_7_5(d, h, harmonic) == dependent_leaves(d, h)
    if h > 1:
        assert theorem_7_5(d, h, Fraction(1)) != dependent_leaves(d, h)


def test_000_corollary_7_4_holds_from_7_on():
    """The ratio to the optimum diverges for d = 3 to 6, where H_d > sqrt(d), and converges to the constant from d = 7 on."""

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
        assert ratio(d, h) == pytest.approx((d - harmonic) * (1 + harmonic) / (2 * (d - harmonic**2)), rel=1e-3)
        assert ratio(d, h + 1) == pytest.approx((d - harmonic) * (d + harmonic) / ((d + 1) * (d - harmonic**2)), rel=1e-3)


def test_001_min_has_a_procedure_of_its_own():
    """AB calls the procedure of MAX for both players."""
    assert wrong(500, lambda t: minimax(t, False), lambda t: as_printed.ab(t, False)) > 250
    assert wrong(500, lambda t: minimax(t, False), lambda t: as_printed.minimize(t, -INF, INF)) == 0


def test_001_a_loop_to_the_length_runs_past_the_end():
    moves = ["a", "b"]
    with pytest.raises(IndexError):
        for i in range(len(moves) + 1):
            assert moves[i]


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
    """The leaf at the end of a line, None where the line is no line of the tree."""
    for i in line:
        if not isinstance(tree, list) or i >= len(tree):
            return None
        tree = tree[i]
    return None if isinstance(tree, list) else tree


def test_001_the_path_is_cleared_for_each_child():
    """A child that is a leaf, or is not better, leaves the last sibling's path behind."""
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


def maxn(tree, player, bound=None, others=None):
    """max^n for three players whose utilities sum to 9: the vector, with deep cut-offs where `others` holds ancestors' values."""
    if isinstance(tree, tuple):
        return tree
    best = None
    for child in tree:
        value = maxn(child, (player + 1) % 3, best and best[player], None if others is None else {**others, player: best[player] if best else 0})
        if best is None or value[player] > best[player]:
            best = value
        if others is not None and any(9 - best[player] <= known for who, known in others.items() if who != player):
            break
    return best


def test_002_deep_cutoffs_are_unsound_with_three_players():
    """In max^n a bound of a grandparent says nothing about which move its grandchild will prefer: the value of the root changes."""
    rng = random.Random(5)
    changed = 0
    for _ in range(2000):

        def leaf():
            a = rng.randrange(10)
            b = rng.randrange(10 - a)
            return (a, b, 9 - a - b)

        tree = [[[[leaf() for _ in range(2)] for _ in range(2)] for _ in range(2)] for _ in range(2)]
        changed += maxn(tree, 0)[0] != maxn(tree, 0, others={})[0]
    assert changed > 0


def test_003_the_level_is_handed_on_by_min_too():
    """As printed MIN's children start again at level 0: the search goes on beyond the limit."""
    deep = [[[[[[1]]]]]]
    assert as_printed.lookahead(deep, 0, 2) > 2


GRAPH = {"a": ["b", "x"], "b": ["a", "y"], "x": 0, "y": 1}
"""a and b lead to each other; x is worth 0 to MAX, y is worth 1. MAX moves in a, MIN in b."""


def visiting(graph, node, is_max, path, sentinel, cache=None):
    """Source 003's search of a graph with cycles: a node on the path counts as `sentinel(is_max)`."""
    if node in path:
        return sentinel(is_max)
    if cache is not None and (node, is_max) in cache:
        return cache[node, is_max]
    children = graph[node]
    if not isinstance(children, list):
        return children
    values = [visiting(graph, child, not is_max, path | {node}, sentinel, cache) for child in children]
    value = max(values) if is_max else min(values)
    if cache is not None:
        cache[node, is_max] = value
    return value


def as_printed_sentinel(is_max):
    return -INF if is_max else INF


def cured_sentinel(is_max):
    return INF if is_max else -INF


def test_003_the_parent_ignores_a_cycle():
    """A repeated node must be worthless to its parent: +infinity from a MAX node, whose parent is MIN. With the printed signs the parent
    is drawn into the cycle."""
    assert visiting(GRAPH, "a", True, frozenset(), cured_sentinel) == 1
    assert visiting(GRAPH, "a", True, frozenset(), as_printed_sentinel) == 0


def test_003_values_cached_while_a_cycle_is_cut_off_depend_on_the_path():
    """One graph, the same node asked for by two paths: the cache keeps what holds on the first path only."""
    rng = random.Random(2)
    differing = 0
    for _ in range(500):
        names = "abcdef"
        graph = {n: rng.sample(names, 2) + rng.sample("xyz", 1) for n in names} | {"x": 0, "y": 1, "z": -1}
        cache: dict = {}
        visiting(graph, "a", True, frozenset(), cured_sentinel, cache)
        differing += any(visiting(graph, n, m, frozenset(), cured_sentinel) != v for (n, m), v in cache.items())
    assert differing > 50


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
    assert len(prunus.trace(figure.tree, alpha=low, beta=high).nodes) == 26 == 2 * (3 ** (5 // 2 + 1) - 1) // (3 - 1)
    assert len(prunus.trace(figure.tree).nodes) == 72
