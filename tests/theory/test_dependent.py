"""Totally dependent trees and sizes of games: the formulas."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations, product

import pytest

from prunus.games import UniformTree
from prunus.games.figures import best_case
from prunus.theory import dependent, sizes
from prunus.theory.critical import minimal_leaves
from prunus.theory.trees import leaves_of, positions_of, tree_of
from prunus.theory.uneven import examined
from tests.theory.test_growth import FOLDER, leaves_examined, needs_reference, rows


@pytest.mark.parametrize("d", [1, 2, 3, 6, 7, 12])
def test_theorem_7_5_solves_its_recurrence(d):
    for h in range(9):
        assert dependent.dependent_leaves(d, h) == dependent.dependent_leaves_by_types(d, h)


def test_theorem_7_5_over_all_trees():
    """Degree 2, height 3: seven positions with two orders each, 128 trees equally likely. Degree 3,
    height 2: 6 to the fourth."""

    def grown(orders, d, h, value=0, level=0):
        if level == h:
            return value
        order = next(orders)
        side = 1 if level % 2 == 0 else -1
        return [grown(orders, d, h, value * d + side * digit, level + 1) for digit in order]

    for d, h, inner in [(2, 3, 7), (3, 2, 4)]:
        choices = product(permutations(range(d)), repeat=inner)
        counts = [leaves_examined(grown(iter(choice), d, h), True)[1] for choice in choices]
        assert len(counts) == math.factorial(d) ** inner
        assert Fraction(sum(counts), len(counts)) == dependent.dependent_leaves(d, h)


def test_corollary_7_4_from_7_on():
    for d in (7, 10, 30):
        h = 4000 if d == 7 else 600
        assert dependent.is_bounded(d)
        assert dependent.dependent_ratio(d, h) == pytest.approx(
            dependent.dependent_constant(d), rel=1e-3
        )
        assert dependent.dependent_ratio(d, h + 1) == pytest.approx(
            dependent.dependent_constant(d, odd=True), rel=1e-3
        )
        assert dependent.divergence(d) == 1


def test_corollary_7_4_fails_below_7():
    for d in range(2, 7):
        assert not dependent.is_bounded(d)
        assert dependent.divergence(d) > 1
        growth = (dependent.dependent_ratio(d, 800) / dependent.dependent_ratio(d, 780)) ** (1 / 20)
        # At d = 6 the rates of both terms nearly agree (H_6 = 2.450, sqrt 6 = 2.449), and the ratio
        # settles slowly, from above.
        assert growth == pytest.approx(dependent.divergence(d), rel=1e-6 if d < 6 else 2e-3)
        assert growth > dependent.divergence(d) * (1 - 1e-9)
        with pytest.raises(ValueError, match="diverges"):
            dependent.dependent_constant(d)
    assert dependent.dependent_ratio(3, 160) == pytest.approx(45_132, rel=1e-4)
    assert dependent.dependent_constant(1) == dependent.dependent_ratio(1, 9) == 1


def test_saks_and_wigderson():
    assert dependent.saks_wigderson(2) == pytest.approx((1 + math.sqrt(33)) / 4)
    assert dependent.saks_wigderson(1) == 1
    for d in range(2, 40):
        assert math.sqrt(d) < dependent.saks_wigderson(d) < d


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (dependent.harmonic, (0,)),
        (dependent.dependent_leaves, (3, -1)),
        (dependent.saks_wigderson, (0,)),
        (sizes.leaves_of_turns, (-1, 2)),
    ],
)
def test_what_makes_no_sense_is_refused(function, arguments):
    with pytest.raises(ValueError, match="must be at least"):
        function(*arguments)


def test_sizes_of_turns():
    for m, n in [(1, 4), (2, 5), (3, 3), (3, 0)]:
        tree = tree_of(UniformTree(m, n))
        assert len(leaves_of(tree)) == sizes.leaves_of_turns(m, n)
        assert len(list(positions_of(tree))) == sizes.nodes_of_turns(m, n)


def test_sizes_of_objects():
    def using_up(left):
        return [using_up(left - 1) for _ in range(left)] if left else 0

    for n in range(1, 6):
        tree = tree_of(using_up(n))
        assert len(leaves_of(tree)) == sizes.leaves_of_objects(n)
        assert (
            len(list(positions_of(tree)))
            == sizes.nodes_of_objects(n)
            == math.floor(math.e * math.factorial(n))
        )
    # Tic-tac-toe ends early: 255,168 games and 549,946 positions in its tree.
    assert sizes.leaves_of_objects(9) == 362_880 > 255_168
    assert sizes.nodes_of_objects(9) == 986_410 > 549_946


def test_the_first_move_wins():
    for m, n in [(2, 3), (3, 5), (3, 4), (4, 1)]:
        figure = best_case(m, n)
        assert examined(
            tree_of(figure.tree), window=figure.window
        ).nodes == sizes.nodes_of_a_first_move_win(m, n)
        if n % 2:
            assert sizes.nodes_of_a_first_move_win(m, n) == 2 * (m ** (n // 2 + 1) - 1) // (m - 1)


@pytest.mark.reference
@needs_reference
def test_reference_dependent_trees():
    assert (FOLDER / "expected_leaves_random_uniform.csv").exists()
    for row in rows("expected_leaves_random_uniform.csv"):
        d, h = int(row["d"]), int(row["h"])
        assert float(dependent.dependent_leaves(d, h)) == pytest.approx(
            float(row["expected_totally_dependent_model"]), rel=2e-6
        )
        assert minimal_leaves(d, h) <= dependent.dependent_leaves(d, h)
