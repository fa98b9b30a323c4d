"""One suite for every game in the catalogue; a game without perft counts in tests/perft/counts.json
fails it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from prunus.checking import check
from prunus.core.game import Game, PositionError
from prunus.games import GAMES, make_game, open_position
from tests import naive
from tests.amount import amount, in_full
from tests.playing import walk

HERE = Path(__file__).parent
COUNTS: dict[str, Any] = {
    spec.replace("tests/perft", str(HERE / "perft")): entry
    for spec, entry in json.loads((HERE / "perft/counts.json").read_text()).items()
}
SPECS = list(COUNTS)
LONG = (
    "othello",
    "othello:size=6",
    "chess",
    "chess:chess960=true,claims=false",
    "chess-ending",
    "hex",
    "fox-and-geese",
)
"""Games whose checks take long."""


def test_every_game_has_counts() -> None:
    counted = {spec.split(":")[0] for spec in SPECS}
    assert counted == set(GAMES), (
        f"add perft counts to tests/perft/counts.json: {sorted(set(GAMES) - counted)}"
        f"; not in the catalogue: {sorted(counted - set(GAMES))}"
    )
    assert all(entry["source"] and entry["counts"] for entry in COUNTS.values())


@pytest.mark.parametrize("spec", SPECS)
def test_perft(spec: str) -> None:
    game = make_game(spec)
    counts = [
        naive.perft(game, game.initial(), depth)
        for depth in range(1, len(COUNTS[spec]["counts"]) + 1)
    ]
    assert counts == COUNTS[spec]["counts"]


@pytest.mark.parametrize(
    "spec",
    [pytest.param(spec, marks=in_full) if spec in LONG else spec for spec in SPECS],
)
def test_check_finds_no_fault(spec: str) -> None:
    # A game of chess is long, and its evaluation is made for compiled code.
    games = 1 if spec.startswith("chess") else amount(4, 15)
    report = check(make_game(spec), games=games, compile=False)
    assert report.ok, str(report)


@pytest.mark.parametrize("spec", SPECS)
def test_action_names_are_unique_and_play(spec: str) -> None:
    game = make_game(spec)
    for seed in range(1 if spec.startswith("chess") else 3):
        for state in walk(game, seed)[:-1]:
            actions = list(game.actions(state))
            names = [game.action_name(state, action) for action in actions]
            assert len(set(names)) == len(names) and not any(" " in name for name in names)
            assert game.play(names[:1], state) == game.result(state, actions[0])


@pytest.mark.parametrize("spec", SPECS)
def test_texts_round_trip(spec: str) -> None:
    game = make_game(spec)
    assert game.parse("") == game.initial()
    for state in walk(game, 1):
        if type(game).format is not Game.format:
            assert game.parse(game.format(state)) == state
    with pytest.raises(PositionError) as error:
        game.parse("no such thing")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "entry",
    [entry for entry in GAMES.values() if entry.name != "tree"],
    ids=lambda entry: entry.name,
)
def test_examples_of_the_catalogue(entry: Any) -> None:
    game, at = open_position(entry.name, entry.example)
    state = at.state
    assert state != game.initial()
    assert entry.summary and entry.notation


@pytest.mark.parametrize("spec", SPECS)
def test_same_game_twice_is_equal(spec: str) -> None:
    first, second = make_game(spec), make_game(spec)
    assert repr(first) == repr(second)
    assert walk(first, 7) == walk(second, 7)
