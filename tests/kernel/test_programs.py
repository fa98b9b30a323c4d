"""Random programs give the same results in Python and compiled; `python -m tests.kernel.programs`
runs more of them."""

import os
import signal
import time
from collections import Counter

import pytest

from tests.amount import amount, few, in_full
from tests.kernel.apart import Ended, apart
from tests.kernel.battery import outcome
from tests.kernel.changing import compared
from tests.kernel.nested import NestedWriter
from tests.kernel.phrases import themes, writer
from tests.kernel.programs import RichWriter
from tests.kernel.writer import Writer


def test_random_programs(tmp_path):
    found = {seed: outcome(Writer(seed).program(), tmp_path) for seed in range(1, amount(4, 15))}
    counts = Counter(each.kind for each in found.values())
    assert not counts["differs"], {
        seed: each for seed, each in found.items() if each.kind == "differs"
    }
    assert counts["agrees"] >= len(found) // 2, found


def test_a_generator_of_a_literal_on_one_path(tmp_path):
    for seed in (1102, 5005):
        assert outcome(Writer(seed).program(), tmp_path).kind == "agrees"


def test_truth_values_wide_numbers_and_errors(tmp_path):
    for seed in few((4, 14, 23), 1):
        assert outcome(RichWriter(seed).program(), tmp_path).kind == "agrees"


def test_inner_functions(tmp_path):
    seeds = range(1, amount(14, 60))
    found = {seed: outcome(NestedWriter(seed).program(), tmp_path) for seed in seeds}
    kinds = Counter(each.kind for each in found.values())
    assert not kinds["differs"], found
    assert kinds["agrees"] > len(found) // 2, found


REFUSED = {"narrow", "special"}
"""The themes that are about what compiled code refuses."""


@pytest.mark.parametrize("theme", sorted(themes()))
def test_phrases(theme, tmp_path):
    seeds = range(4, amount(6, 10))
    found = {seed: outcome(writer(theme)(seed).program(), tmp_path) for seed in seeds}
    kinds = Counter(each.kind for each in found.values())
    assert not kinds["differs"], found
    assert kinds["agrees"] + kinds["stops"] or theme in REFUSED, found


def test_every_phrase_can_be_used():
    """No phrase has a hole that its theme cannot fill."""
    for name, theme in themes().items():
        used: set[str] = set()
        for seed in range(300):
            made = writer(name)(seed)
            made.program()
            used |= made.used
        for section in ("statement", "number", "truth", "witness"):
            assert set(theme.of(section)) <= used, name


@in_full
def test_rules_that_change():
    for seed in range(1, 3):
        counts, lines = compared(seed)
        assert counts["agrees"] and not counts["differs"], lines


def test_what_a_process_of_its_own_reports():
    assert apart(lambda: 7, 10) == 7
    with pytest.raises(Ended, match="ZeroDivisionError: "):
        apart(lambda: 7 // 0, 10)
    with pytest.raises(Ended, match="SIGKILL"):
        apart(lambda: os.kill(os.getpid(), signal.SIGKILL), 10)
    with pytest.raises(Ended, match="did not end within"):
        apart(lambda: time.sleep(60), 0.2)
