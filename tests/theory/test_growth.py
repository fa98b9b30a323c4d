"""Random uniform trees: expected leaves, growth rates and their bounds (section 7.2, theorems 7.3,
7.4, 9.1)."""

from __future__ import annotations

import csv
import math
import os
import random
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest

from prunus.theory import growth
from prunus.theory.critical import leaves_without_deep_cutoffs, minimal_leaves
from prunus.theory.expected import exact_leaves, expected_leaves, expected_table, growth_rates
from prunus.theory.trees import tree_of
from prunus.theory.uneven import examined
from tests.errata.test_slips import p

FOLDER = (
    Path(os.environ.get("PRUNUS_REFERENCE", Path(__file__).parents[3] / "shared" / "reference"))
    / "theory"
)
needs_reference = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="no reference data: set PRUNUS_REFERENCE"
)


def rows(name):
    with (FOLDER / name).open() as file:
        return list(csv.DictReader(file))


def random_uniform(rng, d, h):
    """The leaves of one random tree, all different: only their relative order counts."""
    ranks = iter(rng.sample(range(d**h), d**h))

    def grow(level):
        return next(ranks) if level == h else [grow(level + 1) for _ in range(d)]

    return grow(0)


def leaves_examined(tree, deep, alpha=-math.inf, beta=math.inf):
    """A naive count: (value, leaves that alpha-beta or, without deep cut-offs, F1 examines);
    negamax, any sign of the leaves."""
    if not isinstance(tree, list):
        return tree, 1
    best, count = -math.inf, 0
    for child in tree:
        value, more = leaves_examined(child, deep, -beta, -max(alpha, best) if deep else -best)
        best, count = max(best, -value), count + more
        if best >= beta:
            break
    return best, count


def mean_and_error(counts):
    mean = sum(counts) / len(counts)
    return mean, math.sqrt(sum((x - mean) ** 2 for x in counts)) / len(counts)


# Expected leaves.


def test_published_values():
    assert exact_leaves(2, 2).without_deep == Fraction(11, 3)
    assert exact_leaves(2, 3).without_deep == exact_leaves(2, 3).alphabeta == Fraction(719, 105)
    assert exact_leaves(3, 2).alphabeta == Fraction(521, 70)


def test_expected_leaves_of_all_orders_of_four_leaves():
    """T(2, 2) by its definition."""
    counts = [leaves_examined([[a, b], [c, d]], True)[1] for a, b, c, d in permutations(range(4))]
    assert Fraction(sum(counts), len(counts)) == exact_leaves(2, 2).alphabeta


@pytest.mark.parametrize(("d", "h"), [(2, 4), (2, 5), (3, 4), (5, 2), (4, 3)])
def test_expected_leaves_by_simulation(d, h):
    """Alpha-beta and F1 differ from four levels on."""
    rng = random.Random(h)
    trees = [random_uniform(rng, d, h) for _ in range(3000)]
    expected = expected_leaves(d, h)
    assert (expected.alphabeta < expected.without_deep * 0.99) == (h >= 4)
    for deep, value in zip((True, False), expected, strict=True):
        mean, error = mean_and_error([leaves_examined(tree, deep)[1] for tree in trees])
        assert abs(mean - value) < 4 * error


def test_the_naive_counts_are_those_of_the_algorithms():
    rng = random.Random(2)
    for _ in range(20):
        tree = random_uniform(rng, 2, 4)
        for deep, algorithm in [(True, "alphabeta"), (False, "branch-and-bound")]:
            assert leaves_examined(tree, deep)[1] == len(examined(tree_of(tree), algorithm).leaves)


@pytest.mark.parametrize(
    ("d", "h"), [(1, 4), (2, 0), (2, 1), (2, 6), (2, 8), (3, 5), (5, 3), (6, 3), (9, 2), (27, 2)]
)
def test_integration_agrees_with_exact_numbers(d, h):
    for exact, found in zip(exact_leaves(d, h), expected_leaves(d, h), strict=True):
        assert found == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("d", [2, 3, 7, 20, 50, 200])
def test_integration_does_not_depend_on_its_nodes(d):
    for few, many in zip(expected_table(d, 20), expected_table(d, 20, 44), strict=True):
        assert few == pytest.approx(many, rel=1e-11)


@pytest.mark.parametrize("d", range(2, 51))
def test_two_levels_are_the_sum_of_p_ij(d):
    table = expected_table(d, 3)
    assert table[2].without_deep == pytest.approx(growth.two_levels(d), rel=1e-12)
    assert table[2].alphabeta == pytest.approx(growth.two_levels(d), rel=1e-12)
    assert table[3].alphabeta == pytest.approx(table[3].without_deep, rel=1e-12)


def test_expected_leaves_lie_between_their_limits():
    for d in (2, 3, 10, 50):
        for h, (full, shallow) in enumerate(expected_table(d, 12)):
            # Where nothing can be cut, all three agree up to rounding.
            assert minimal_leaves(d, h) <= full * (1 + 1e-12)
            assert full <= shallow * (1 + 1e-12)
            assert shallow <= d**h * (1 + 1e-12)


@pytest.mark.parametrize("d", [2, 3, 5, 10, 24, 50])
def test_expected_leaves_are_submultiplicative(d):
    """T(d, h1 + h2) <= T(d, h1) T(d, h2), strictly if both heights are positive."""
    table = expected_table(d, 16)
    for h1, h2 in product(range(1, 9), repeat=2):
        assert table[h1 + h2].without_deep < table[h1].without_deep * table[h2].without_deep


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (expected_table, (0, 3), "degree and height must be 1 to 200"),
        (expected_leaves, (2, 121), "0 to 120"),
        (exact_leaves, (0, 3), "not 0 and 3"),
        (exact_leaves, (3, 7), "more than 729 leaves"),
        (growth_rates, (3, 1), "at least 2"),
        (growth.probabilities, (0,), "at least 1"),
        (growth.perron_bound, (1,), "at least 2"),
        (growth.chosen_exponent, (2,), "at least 3"),
        (growth.norm_bound, (np.ones((2, 2)), 1.0), "more than 1"),
        (growth.fixed_point, (0,), "at least 1"),
        (growth.best_order_root, (0,), "at least 1"),
        (growth.binomial_bounds, (0, 0.5), "theorem 9.1"),
        (growth.binomial_bounds, (2, 1.5), "theorem 9.1"),
    ],
)
def test_what_makes_no_sense_is_refused(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)


# Growth rates.


@pytest.mark.parametrize("d", [1, 2, 3, 7])
def test_p_ij_is_the_product_of_remark_7_6(d):
    matrix = growth.probabilities(d)
    for i, j in product(range(1, d + 1), repeat=2):
        assert matrix[i - 1, j - 1] == pytest.approx(float(p(i, j, d)), rel=1e-13)
    assert matrix[0].tolist() == matrix[:, 0].tolist() == [1.0] * d


@pytest.mark.parametrize("d", [1, 2, 9, 50])
def test_spectral_radii(d):
    for matrix in (growth.probabilities(d), np.sqrt(growth.probabilities(d))):
        assert growth.spectral_radius(matrix) == pytest.approx(
            max(abs(np.linalg.eigvals(matrix))), rel=1e-12
        )


@pytest.mark.parametrize("d", range(2, 51))
def test_the_growth_rate_lies_within_its_bounds(d):
    """(20), (21), (24): C (d - 1)/ln d < C (1 - 1/d)/(1 - d^(-1/d)) <= r0 <= r <= r* <= the norm
    bounds, and r <= sqrt T(d, 2)."""
    rate = growth_rates(d, 30)
    better, simpler = growth.perron_bound(d)
    assert simpler < better <= growth.r0(d) < rate.without_deep < growth.r_star(d) < growth.r1(d)
    assert growth.pearl(d) < rate.alphabeta < rate.without_deep
    if d >= 3:
        first, second = growth.norm_bounds(d)
        assert growth.r_star(d) < first < second
    for s in (1.2, 2.0, 5.0):
        assert growth.r_star(d) <= growth.norm_bound(np.sqrt(growth.probabilities(d)), s)


def test_000_remark_7_7_no_degree_prefers_r1():
    """Errata, remark 7.7: with r1 = sqrt T(d, 2) there is no degree from 2 to 50 for which r1 is
    the better estimate."""
    for d in range(2, 51):
        rate = growth_rates(d, 30).without_deep
        assert abs(growth.r_star(d) - rate) < abs(growth.r1(d) - rate)


def test_000_equation_22_needs_its_brackets():
    """Errata, (22): the power s/t belongs to the sum over j, the power 1/s to the sum over i. As
    printed the exponents cancel: what remains is the sum of all elements, which exceeds the degree
    itself, and (24) does not follow."""
    for d in (10, 30, 50):
        matrix, s = np.sqrt(growth.probabilities(d)), growth.chosen_exponent(d)
        t = s / (s - 1)
        printed = float(np.sum(((matrix**t) ** (s / t)) ** (1 / s)))
        assert printed == pytest.approx(float(matrix.sum()))
        assert growth.r_star(d) < growth.norm_bound(matrix, s) < d < printed


def test_growth_in_the_long_run():
    """r0 and r* grow like d/log d, sqrt T(d, 2) like d/sqrt(log d): the ratios stay within narrow
    limits while d grows a hundredfold."""
    for rate, scale, low, high in [
        (growth.r0, lambda d: d / math.log(d), 1, 1.6),
        (growth.r_star, lambda d: d / math.log(d), 1, 4),
        (growth.r1, lambda d: d / math.sqrt(math.log(d)), 1, 1.2),
    ]:
        ratios = [rate(d) / scale(d) for d in (4, 40, 400)]
        assert all(low < ratio < high for ratio in ratios), ratios


@pytest.mark.parametrize("d", [1, 2, 3, 10, 50])
def test_pearl(d):
    xi = growth.fixed_point(d)
    assert xi**d + xi == pytest.approx(1, abs=1e-15)
    assert growth.pearl(d) == pytest.approx(xi / (1 - xi))


@pytest.mark.parametrize("d", [2, 3, 10, 50, 200])
def test_full_alphabeta_grows_at_pearls_rate(d):
    assert growth_rates(d, 120).alphabeta == pytest.approx(growth.pearl(d), rel=1e-7)
    assert growth_rates(d, 8).alphabeta != pytest.approx(growth.pearl(d), rel=1e-6)
    assert growth_rates(d, 120).without_deep == pytest.approx(
        growth_rates(d, 40).without_deep, rel=1e-11
    )


@pytest.mark.parametrize("d", [1, 2, 3, 7, 40])
def test_the_recurrence_without_deep_cutoffs_in_best_order(d):
    """The closed form of (26) and its root, the limit of the ratios."""
    for h in range(12):
        assert growth.best_order_leaves(d, h) == pytest.approx(
            leaves_without_deep_cutoffs(d, h), rel=1e-12
        )
    if d > 1:
        ratio = leaves_without_deep_cutoffs(d, 400) / leaves_without_deep_cutoffs(d, 399)
        assert ratio == pytest.approx(growth.best_order_root(d), rel=1e-9)


# Theorem 9.1.


def test_theorem_9_1():
    for k in (1, 2, 3, 10, 100, 1000):
        for x in np.linspace(0, 1, 41):
            low, binomial, high = growth.binomial_bounds(k, float(x))
            slack = 1 + 1e-12
            assert low <= binomial * slack
            assert binomial <= high * slack
            assert high <= low / growth.GAMMA_MINIMUM * slack
            if k > 1 and 0 < x < 1:
                assert low < binomial < high
            assert (
                binomial == pytest.approx(math.gamma(k + x) / math.gamma(k) / math.gamma(1 + x))
                if k < 100
                else True
            )


def test_the_constant_is_the_minimum_of_gamma():
    grid = [math.gamma(1 + x) for x in np.linspace(0, 1, 10001)]
    assert min(grid) == pytest.approx(growth.GAMMA_MINIMUM, abs=1e-8)
    assert min(grid) >= growth.GAMMA_MINIMUM
    assert math.gamma(1.4616321449683623) == pytest.approx(growth.GAMMA_MINIMUM, rel=1e-15)


def test_inequality_30():
    """(1 + t)^x <= 1 + t x for t > -1 and 0 <= x <= 1."""
    for t, x in product(np.linspace(-0.99, 20, 80), np.linspace(0, 1, 21)):
        assert (1 + t) ** x <= (1 + t * x) * (1 + 1e-12)


# The reference tables.


@pytest.mark.reference
@needs_reference
def test_reference_expected_leaves():
    found = rows("expected_leaves_random_uniform.csv")
    assert len(found) > 100
    tables = {
        d: expected_table(d, max(int(row["h"]) for row in found if int(row["d"]) == d))
        for d in {int(row["d"]) for row in found}
    }
    for row in found:
        d, h = int(row["d"]), int(row["h"])
        full, shallow = tables[d][h]
        assert full == pytest.approx(float(row["expected_full_alphabeta"]), rel=2e-6), (d, h)
        assert shallow == pytest.approx(float(row["expected_no_deep_cutoffs"]), rel=2e-6), (d, h)
        assert minimal_leaves(d, h) == int(row["best_case_minimal_tree"])
        assert d**h == int(row["minimax_d_pow_h"])


@pytest.mark.reference
@needs_reference
def test_reference_growth_rates():
    found = rows("km_growth_bounds_no_deep_cutoffs.csv")
    assert {int(row["d"]) for row in found} >= set(range(2, 33))
    for row in found:
        d = int(row["d"])
        assert growth.r0(d) == pytest.approx(float(row["r0_spectral_radius_of_p_ij"]), rel=1e-8)
        assert growth.r_star(d) == pytest.approx(
            float(row["rstar_spectral_radius_of_sqrt_p_ij"]), rel=1e-8
        )
        assert growth.two_levels(d) == pytest.approx(float(row["T_d_2_sum_p_ij"]), rel=1e-9)
        if row["numeric_growth_no_deep_sqrt_T18_over_T16"]:
            # The file has five decimals here.
            rate = growth_rates(d, 18)
            assert rate.without_deep == pytest.approx(
                float(row["numeric_growth_no_deep_sqrt_T18_over_T16"]), rel=2e-6, abs=6e-6
            )
            assert rate.alphabeta == pytest.approx(
                float(row["numeric_growth_full_alphabeta_sqrt_N18_over_N16"]), rel=2e-6, abs=6e-6
            )


@pytest.mark.reference
@needs_reference
def test_reference_pearl():
    for row in rows("pearl_branching_factor.csv"):
        d = int(row["d"])
        assert growth.fixed_point(d) == pytest.approx(float(row["xi_d"]), rel=1e-14)
        assert growth.pearl(d) == pytest.approx(
            float(row["branching_factor_xi_over_1_minus_xi"]), rel=1e-13
        )
