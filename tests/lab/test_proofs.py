"""Where proofs break: exact fractions, all eigenvalues, the published degrees."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from prunus.theory.dependent import dependent_leaves_by_types
from prunus.theory.expected import exact_leaves
from prunus.theory.growth import probabilities
from prunus.theory.lab.experiments import proofs
from prunus.theory.lab.registry import experiment_named


def test_the_harmonic_number_is_below_the_root_from_7_on():
    """In fractions: H_d squared against d."""
    below = [d for d in range(2, 200) if sum(Fraction(1, i) for i in range(1, d + 1)) ** 2 < d]
    assert below == list(range(7, 200))
    rows = [proofs.measure_harmonic(point, 0, 1) for point in proofs.harmonic_points(False)]
    degrees = [point["d"] for point in proofs.harmonic_points(False)]
    outgrown = [d for d, row in zip(degrees, rows) if row["growth"].total > 1 + 1e-9]
    assert outgrown == [2, 3, 4, 5, 6]
    assert [row["quotient"].total < 1 for row in rows] == [d >= 7 for d in degrees]


@pytest.mark.parametrize(("d", "height"), [(2, 400), (3, 400), (4, 600), (12, 200), (30, 100)])
def test_the_growth_is_that_of_the_exact_recurrence(d, height):
    two = dependent_leaves_by_types(d, height + 2) / dependent_leaves_by_types(d, height) / d
    assert proofs.growth_of_dependent(d) ** 2 == pytest.approx(float(two), rel=1e-6)


@pytest.mark.parametrize("d", [2, 3, 7, 24, 25])
def test_the_bounds_are_those_of_all_eigenvalues_and_of_all_squares(d):
    found = {name: row.total for name, row in proofs.measure_bound({"d": d}, 0, 1).items()}
    p = probabilities(d)
    largest = max(abs(np.linalg.eigvals(np.sqrt(p))))
    assert found["r_star"] == pytest.approx(largest / np.sqrt(p.sum()))
    square = max(np.linalg.eigvalsh(np.sqrt(p) @ np.sqrt(p).T))
    assert found["singular"] == pytest.approx(np.sqrt(square / p.sum()))
    assert found["r_star"] <= found["singular"] < 1


def test_roots_of_small_trees_are_exact():
    r_star = max(abs(np.linalg.eigvals(np.sqrt(probabilities(2)))))
    for h in (2, 3, 4):
        exact = float(exact_leaves(2, h).without_deep) ** (1 / h)
        found = proofs.measure_candidate({"d": 2, "h": h}, 0, 1)["ratio"].total
        assert found == pytest.approx(exact / r_star)


def test_no_candidate_changes_sides_at_24():
    rows = [
        {**point, "ratio": proofs.measure_candidate(point, 0, 1)["ratio"].total}
        for point in proofs.candidate_points(True)
    ]
    assert all((row["ratio"] > 1) == (row["h"] == 2) for row in rows)
    said = proofs.candidate_finding(rows)
    assert "h = 2 above" in said and "h = 3 below" in said and "both" not in said
    rows[0]["ratio"] = 0.5
    assert "h = 2 on both sides" in proofs.candidate_finding(rows)


def test_parameters_that_make_no_sense_are_refused():
    for name, point in (
        ("harmonic-root", {"d": 0}),
        ("two-bounds", {"d": 1}),
        ("which-r1", {"d": 3, "h": 20}),
    ):
        with pytest.raises(ValueError, match="degrees are"):
            experiment_named(name).check(point)
