"""Random games of many kinds against every algorithm; `python -m tests.fuzz` goes on for as long as one likes."""

from __future__ import annotations

from dataclasses import replace

import pytest

import prunus
from prunus.search.registry import ALGORITHMS
from tests.fuzz.checks import Wrong, check
from tests.fuzz.games import ACYCLIC, CYCLIC, Drawn, Forbidden, Guesses, Lost, Mirrored, Nodes, Solved, Turns
from tests.fuzz.making import TooLarge, random_game
from tests.fuzz.running import Report, one, sweep
from tests.naive import minimax_value

KINDS = (*ACYCLIC, *CYCLIC)

HARD = (
    (Guesses, 222, "mtdf"),  # searches of several depths through one table, which cross
    (Mirrored, 464, "mtdf"),
    (Guesses, 693, "mtdf"),
    (Guesses, 102, "minimax-extreme"),  # an estimate beyond the limits of its position
    (Mirrored, 151, "minimax-extreme"),
    (Guesses, 191, "minimax-extreme"),
    (Turns, 119, "cached-minimax"),  # a position that is met again with less depth left
    (Guesses, 119, "cached-minimax"),
    (Guesses, 9, "cached-minimax"),  # a line whose end the cache no longer holds
    (Forbidden, 1, "engine"),  # no action left that is allowed
    (Forbidden, 2, "engine"),
    (Drawn, 8, "engine"),  # a line that goes on after a repetition
    (Drawn, 11, "engine"),
    (Drawn, 21, "engine"),  # a root action that lets the other side come back to the root
    (Lost, 11, "engine"),
)
"""Games that are hard, for the reason beside them."""


@pytest.mark.parametrize(("kind", "seed", "name"), HARD, ids=lambda value: value.__name__ if isinstance(value, type) else str(value))
def test_hard_games(kind, seed, name):
    report = Report()
    one(kind, seed, name, False, report)
    assert report.searches[name] == 1
    assert report.wrong == []


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_every_algorithm_on_every_kind_of_game(first):
    report = sweep(range(first, first + 10), KINDS, False)
    assert report.wrong == []
    assert all(report.searches[name] > 0 for name in ALGORITHMS if name != "visiting")


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (Solved, ("engine", "minimax-extreme", "mtdf")),
        (Mirrored, ("engine", "cached-minimax")),
        (Drawn, ("engine",)),
        (Forbidden, ("engine",)),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "-".join(value),
)
def test_machine_code_on_random_games(kind, names):
    report = sweep(range(150), [kind], True, names)
    assert report.wrong == []
    assert all(report.searches[name] > 30 for name in names)


@pytest.mark.parametrize("kind", ACYCLIC)
def test_the_oracle_is_minimax(kind):
    """The values of the arrays are those of the game that is played with them, and what helps a search is true."""
    for seed in range(30):
        game, truth = random_game(kind, seed)
        if truth.size(0, None) < 5000:
            assert truth.value(0) == minimax_value(game, game.initial())
            assert truth.value(0, 2) == minimax_value(game, game.initial(), 2)


def test_the_oracle_of_cycles_knows_each_rule():
    """0 and 1 lead to each other; whoever goes from 1 to the end gives the other one 5."""
    for kind, value in ((Drawn, 0), (Lost, 3), (Forbidden, 5)):
        truth = random_game(kind, 0)[1]
        truth.children, truth.worth, truth.turn = [[(0, 1)], [(0, 0), (1, 2)], []], [0, 0, 5], [0, 1, 0]
        assert truth.on_path((0,), None) == value


def test_wrong_answers_are_noticed():
    """Each thing that an answer says is looked at."""
    noticed = set()
    for seed in range(40):
        game, truth = random_game(Nodes, seed)
        found = prunus.analyze(game, algorithm="minimax", depth=3, all_moves=True, compile=False)
        how = {"all_moves": True}
        check(found, truth, 3, how)
        moves = tuple(replace(move, value=move.value + 1) for move in found.moves)
        others = [action for action, _ in truth.children[0] if action not in found.best_moves]
        for name, wrong in (
            ("value", replace(found, value=found.value + 1)),
            ("proved", replace(found, proved=True, value=found.value + 1)),
            ("line", replace(found, pv=found.pv[:-1], distance=None)),
            ("moves", replace(found, moves=moves)),
            ("best", replace(found, best=others[0]) if others else None),
            ("best actions", replace(found, best_moves=())),
        ):
            if wrong is not None:
                with pytest.raises(Wrong):
                    check(wrong, truth, 3, how)
                noticed.add(name)
    assert len(noticed) == 6


def test_a_game_with_too_many_lines_is_left_out():
    game, truth = random_game(Drawn, 8, least=60)
    truth.left = 10
    with pytest.raises(TooLarge):
        truth.along((0,), None)
    assert game.repetition == "draw"
