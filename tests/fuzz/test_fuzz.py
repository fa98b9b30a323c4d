"""Random games of many kinds against every algorithm; `python -m tests.fuzz` runs for as long as
you like."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import prunus
from prunus.run.registry import ALGORITHMS
from tests.amount import amount, in_full
from tests.fuzz.checks import Wrong, check
from tests.fuzz.games import (
    ACYCLIC,
    CYCLIC,
    Cells,
    Drawn,
    Forbidden,
    Guesses,
    Lost,
    Mirrored,
    Nodes,
    Rows,
    Solved,
    Turns,
    Wide,
)
from tests.fuzz.making import TooLarge, random_game
from tests.fuzz.running import again, sweep
from tests.naive import minimax_value

KINDS = (*ACYCLIC, *CYCLIC)

HARD: tuple[tuple[type[Nodes], int, dict[str, Any], int | None], ...] = (
    # Searches of several depths sharing one table.
    (Guesses, 222, {"algorithm": "mtdf", "depth": None, "table": 0.01}, None),
    (
        Mirrored,
        464,
        {"algorithm": "mtdf", "depth": None, "multi_pv": 3, "table": 0.001, "prefer_faster": True},
        3,
    ),
    (Guesses, 693, {"algorithm": "mtdf", "depth": None, "table": 0.01, "nodes": 300}, 3),
    # An estimate beyond the limits of its position.
    (Guesses, 102, {"algorithm": "minimax-extreme", "depth": 7}, None),
    (Mirrored, 151, {"algorithm": "minimax-extreme", "depth": 3}, 3),
    (Guesses, 191, {"algorithm": "minimax-extreme", "depth": 2}, None),
    # A position that is reached again with less depth left.
    (Turns, 119, {"algorithm": "cached-minimax", "depth": 7, "room": 1 << 17}, None),
    (Guesses, 119, {"algorithm": "cached-minimax", "depth": 4, "room": 16}, 0),
    # A line whose end is no longer in the cache.
    (Guesses, 9, {"algorithm": "cached-minimax", "depth": None, "room": 1}, 3),
    # No allowed action left.
    (
        Forbidden,
        12,
        {
            "algorithm": "engine",
            "depth": None,
            "table": 0.01,
            "options": {"etc": 1, "iid": 0, "bounds": 0},
        },
        None,
    ),
    (Forbidden, 18, {"algorithm": "engine", "depth": 2, "table": 0.01}, 0),
    (Forbidden, 21, {"algorithm": "engine", "depth": 4, "all_moves": True, "table": 0.1}, 3),
    # A second pass when all root actions are forbidden.
    (
        Forbidden,
        300400191,
        {
            "algorithm": "engine",
            "depth": None,
            "all_moves": True,
            "table": 0.1,
            "options": {"second": 1},
        },
        3,
    ),
    (
        Forbidden,
        300300666,
        {"algorithm": "engine", "depth": 2, "table": 0.001, "options": {"second": 3, "floyd": 20}},
        3,
    ),
    # A win that the table makes nearer or more distant than it is.
    (Solved, 5014, {"algorithm": "aspiration", "depth": 4, "table": 0.1, "prefer_faster": True}, 3),
    # A root action after which none is allowed, which a search to this depth does not see.
    (
        Forbidden,
        889466,
        {
            "algorithm": "engine",
            "depth": 1,
            "all_moves": True,
            "table": 0.1,
            "options": {"etc": 0, "presearch": 1},
        },
        3,
    ),
    # A line that continues after a repetition.
    (
        Drawn,
        8,
        {
            "algorithm": "engine",
            "depth": None,
            "table": 0.01,
            "options": {"etc": 1, "iid": 0, "bounds": 0},
        },
        3,
    ),
    (Drawn, 11, {"algorithm": "engine", "depth": 4, "all_moves": True, "table": 0.001}, 0),
    (Lost, 23, {"algorithm": "engine", "depth": 3, "table": 0}, 0),
    # A root action that lets the other side return to the root.
    (Drawn, 21, {"algorithm": "engine", "depth": None, "all_moves": True, "table": 0.0001}, 3),
    (Lost, 11, {"algorithm": "engine", "depth": 3, "all_moves": True, "table": 0}, None),
    # The lower bound of the root, reached by an estimate after an action that is worse.
    (Solved, 78119, {"algorithm": "iterative-deepening", "depth": None, "table": 0.0001}, 0),
    (Solved, 78119, {"algorithm": "mtdf", "depth": None, "all_moves": True, "table": 1}, 0),
    # An extreme value of the root, below which positions are worth more than it: a shorter line.
    (Solved, 78899, {"algorithm": "aspiration", "depth": 5, "table": 0, "prefer_faster": True}, 3),
)
"""Searches that are hard, for the reason given above each: the arguments of `again`,
interpreted."""


@pytest.mark.parametrize(
    ("kind", "seed", "how", "cheap"),
    HARD,
    ids=[f"{kind.__name__}-{seed}" for kind, seed, _, _ in HARD],
)
def test_hard_games(kind, seed, how, cheap):
    report = again(kind, seed, {**how, "compile": False}, cheap)
    assert report.searches.total() == 1
    assert report.wrong == []


@pytest.mark.parametrize("first", range(0, amount(10, 40), 10))
def test_every_algorithm_on_every_kind_of_game(first):
    report = sweep(range(first, first + 10), KINDS, False)
    assert report.wrong == []
    assert all(report.searches[name] > 0 for name in ALGORITHMS if name != "visiting")


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        pytest.param(Solved, ("engine", "minimax-extreme", "mtdf"), marks=in_full),
        pytest.param(Mirrored, ("engine", "cached-minimax"), marks=in_full),
        pytest.param(Drawn, ("engine",), marks=in_full),
        (Forbidden, ("engine",)),
        pytest.param(Wide, ("engine",), marks=in_full),
        pytest.param(Cells, ("engine", "pvs"), marks=in_full),
        pytest.param(Rows, ("engine", "pvs"), marks=in_full),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "-".join(value),
)
def test_machine_code_on_random_games(kind, names):
    report = sweep(range(150), [kind], True, names)
    assert report.wrong == []
    assert all(report.searches[name] > 30 for name in names)


@pytest.mark.parametrize("kind", ACYCLIC)
def test_the_oracle_is_minimax(kind):
    """The values from the arrays are those of the game that is played with them, and what helps a
    search is true."""
    for seed in range(30):
        game, truth = random_game(kind, seed)
        if truth.size(0, None) < 5000:
            assert truth.value(0) == minimax_value(game, game.initial())
            assert truth.value(0, 2) == minimax_value(game, game.initial(), 2)


def test_the_oracle_of_cycles_knows_each_rule():
    """0 and 1 lead to each other; whoever goes from 1 to the end gives the other one 5."""
    for kind, value in ((Drawn, 0), (Lost, 3), (Forbidden, 5)):
        truth = random_game(kind, 0)[1]
        truth.children, truth.worth, truth.turn = (
            [[(0, 1)], [(0, 0), (1, 2)], []],
            [0, 0, 5],
            [0, 1, 0],
        )
        assert truth.on_path((0,), None) == value


def test_wrong_answers_are_noticed():
    """Each statement of an answer is checked."""
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
