"""Idioms that are changed at random mean the same in Python and compiled; `python -m
tests.kernel.mutating` tries more of them."""

from collections import Counter

from tests.amount import amount
from tests.kernel.battery import idioms
from tests.kernel.mutants import mutant
from tests.kernel.mutating import runs, tried


def test_mutants(tmp_path):
    seeds = range(1, amount(30, 150))
    found = {seed: tried(seed, tmp_path, 120) for seed in seeds}
    counts = Counter(each.kind for each in found.values())
    assert not counts["differs"] and not counts["broken"], found
    assert counts["agrees"] >= len(found) // 4, counts


def test_a_mutant_is_the_same_every_time():
    assert [mutant(seed) for seed in range(40)] == [mutant(seed) for seed in range(40)]


def test_most_mutants_differ_from_every_idiom():
    bodies = {idiom.body for idiom in idioms()}
    made = [made for seed in range(200) if (made := mutant(seed)) is not None]
    assert sum(each.body not in bodies for each in made) > 150


def test_what_has_no_result_is_left_out(tmp_path):
    idiom = idioms()[0]
    assert runs(idiom._replace(name="some", body="return t[2]\n"), tmp_path)
    assert runs(idiom._replace(name="fails", body="return t[x]\n"), tmp_path)
    assert not runs(idiom._replace(name="none", body="return absent\n"), tmp_path)
