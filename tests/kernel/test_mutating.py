"""Rules that are changed at random mean the same in Python and compiled; `python -m
tests.kernel.mutating` tries more of them."""

import random
from collections import Counter

import pytest

from tests.amount import amount
from tests.kernel.battery import idioms
from tests.kernel.changed_games import GameTree, changed_game, examined_game, sources
from tests.kernel.changed_idioms import changed_idiom
from tests.kernel.mutating import examined_idiom, runs, text, tried


@pytest.mark.parametrize(
    ("examine", "number"), [(examined_idiom, amount(30, 150)), (examined_game, amount(16, 100))]
)
def test_mutants(examine, number, tmp_path):
    found = {seed: tried(examine, seed, tmp_path, 120) for seed in range(1, number)}
    counts = Counter(each.kind for each in found.values())
    assert not counts["differs"] and not counts["broken"], found
    assert counts["agrees"] >= len(found) // 4, counts


@pytest.mark.parametrize("is_game", [False, True])
def test_a_mutant_is_the_same_every_time(is_game):
    made = [text(seed, is_game) for seed in range(20)]
    assert made == [text(seed, is_game) for seed in range(20)]
    assert len(set(made)) > 15


def test_most_mutants_differ_from_every_idiom():
    bodies = {idiom.body for idiom in idioms()}
    made = [made for seed in range(200) if (made := changed_idiom(seed)) is not None]
    assert sum(each.body not in bodies for each in made) > 150


def test_most_mutants_differ_from_every_game():
    texts = {GameTree(source, random.Random(0)).text() for source in sources()}
    made = [made for seed in range(60) if (made := changed_game(seed)) is not None]
    assert sum(each.text() not in texts for each in made) > 45
    assert len(texts) > 20


def test_every_game_agrees_unchanged(tmp_path, monkeypatch):
    """So that what differs is the change."""
    chosen = amount(3, len(sources()))
    for source in random.Random(1).sample(sources(), chosen):
        tree = GameTree(source, random.Random(0))
        monkeypatch.setattr("tests.kernel.changed_games.changed_game", lambda seed, tree=tree: tree)
        assert examined_game(0, tmp_path).kind == "agrees", source.name


def test_a_game_that_differs_is_told(tmp_path, monkeypatch):
    """Compiled code is given another method than Python."""
    tree = GameTree(next(each for each in sources() if each.name == "Squares"), random.Random(0))
    monkeypatch.setattr("tests.kernel.changed_games.changed_game", lambda seed: tree)
    monkeypatch.setattr(
        "tests.kernel.changed_games.compile_function", lambda run, arguments: lambda *given: 0
    )
    assert examined_game(0, tmp_path).kind == "differs"


def test_what_has_no_result_is_left_out(tmp_path):
    idiom = idioms()[0]
    assert runs(idiom._replace(name="some", body="return t[2]\n"), tmp_path)
    assert runs(idiom._replace(name="fails", body="return t[x]\n"), tmp_path)
    assert not runs(idiom._replace(name="none", body="return absent\n"), tmp_path)
