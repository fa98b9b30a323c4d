"""Nim against Bouton's theory."""

from __future__ import annotations

import itertools
import random
from functools import cache

import pytest

from prunus.core.game import PositionError
from prunus.games import Nim, nim_value
from tests.naive import minimax_value


@cache
def solved(piles: tuple[int, ...], misere: bool) -> int:
    """The value by brute force; the order of the piles does not matter."""
    if not any(piles):
        return 1 if misere else -1
    smaller = (
        piles[:i] + (rest,) + piles[i + 1 :] for i in range(len(piles)) for rest in range(piles[i])
    )
    return max(-solved(tuple(sorted(child)), misere) for child in smaller)


@pytest.mark.parametrize("misere", [False, True])
def test_theory_for_all_positions_of_four_piles_and_a_sample_of_five(misere: bool) -> None:
    for piles in itertools.combinations_with_replacement(range(8), 4):
        assert nim_value(piles, misere) == solved(piles, misere)
    five = list(itertools.combinations_with_replacement(range(8), 5))
    for piles in random.Random(1).sample(five, 200):
        assert nim_value(piles, misere) == solved(piles, misere)


@pytest.mark.parametrize("misere", [False, True])
def test_the_game_follows_the_theory(misere: bool) -> None:
    game = Nim(misere=misere)
    for piles in itertools.product(range(4), range(3), range(3)):
        state = game.parse(",".join(map(str, piles)))
        assert minimax_value(game, state) == nim_value(piles, misere)
        assert game.canonical(state).piles == tuple(sorted(piles))


def test_values_worth_remembering() -> None:
    assert nim_value((1, 2, 2)) == 1 and nim_value((1, 2, 3)) == -1 and nim_value((3, 5, 7)) == 1
    assert [nim_value((1,) * n, misere=True) for n in range(4)] == [1, -1, 1, -1]


def test_names_and_positions() -> None:
    game = Nim((1, 2, 2))
    assert [game.action_name(game.initial(), a) for a in game.actions(game.initial())] == [
        "1:1",
        "2:1",
        "2:2",
        "3:1",
        "3:2",
    ]
    assert game.play(["2:1"]).piles == (1, 1, 2)
    assert game.parse("9,0").piles == (9, 0)
    for text in ("1,,2", "1,256", "-1", "x"):
        with pytest.raises(PositionError, match="pile"):
            game.parse(text)
    for piles in ((), (256,), (-1, 2)):
        with pytest.raises(ValueError):
            Nim(piles)
