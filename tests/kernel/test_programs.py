"""Random programs give the same results in Python and compiled; `python -m tests.kernel.programs`
runs more of them."""

from collections import Counter

from tests.kernel.battery import outcome
from tests.kernel.programs import RichWriter
from tests.kernel.writer import Writer


def test_random_programs(tmp_path):
    found = {seed: outcome(Writer(seed).program(), tmp_path) for seed in range(1, 15)}
    counts = Counter(each.kind for each in found.values())
    assert not counts["differs"], {
        seed: each for seed, each in found.items() if each.kind == "differs"
    }
    assert counts["agrees"] >= 7, found


def test_a_generator_of_a_literal_on_one_path(tmp_path):
    for seed in (1102, 5005):
        assert outcome(Writer(seed).program(), tmp_path).kind == "agrees"


def test_truth_values_wide_numbers_and_errors(tmp_path):
    for seed in (4, 14, 23):
        assert outcome(RichWriter(seed).program(), tmp_path).kind == "agrees"
