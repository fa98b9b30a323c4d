"""The table of proofs: what it keeps, what it replaces, and what it never trusts."""

from __future__ import annotations

from typing import Any

import pytest

from prunus.core.bits import u64
from prunus.core.game import Game
from prunus.games import ConnectFour
from prunus.kernel.memory import Memory
from prunus.tables.proofs import HIGHEST, LOWEST, WAYS, WORDS, keep, recall
from prunus.tables.words import GENERATION_BIT
from tests.knowing import Constant, with_entries


def kept(entries: int = 4, game: Game | None = None) -> tuple[Any, Memory]:
    game = ConnectFour() if game is None else game
    return game, Memory(with_entries(entries, game).fields(), prototype=game.initial())


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (-1, 1),
        (LOWEST, -3),
        (-32767, HIGHEST),
        (LOWEST + 1, HIGHEST - 1),
        (0, 0),
        (-5, -5),
        (7, HIGHEST),
    ],
)
def test_limits_are_found_as_they_were_kept(low, high):
    game, memory = kept()
    state = game.play(["4"])
    assert recall(state, u64(99), memory) == (LOWEST, HIGHEST)
    keep(state, u64(99), low, high, 200, memory)
    assert recall(state, u64(99), memory) == (low, high)
    assert recall(state, u64(98), memory) == (LOWEST, HIGHEST)


def test_limits_of_one_position_are_put_together():
    game, memory = kept()
    state = game.initial()
    for low, high in ((-4, HIGHEST), (LOWEST, 6), (-9, 2), (LOWEST, 8), (1, HIGHEST)):
        keep(state, u64(5), low, high, 3, memory)
    assert recall(state, u64(5), memory) == (1, 2)


def test_the_entry_of_least_effort_gives_way():
    game, memory = kept()
    state = game.initial()
    for key, effort in ((1, 9), (2, 3), (3, 20), (4, 7), (5, 4), (6, 1)):
        keep(state, u64(key), key, key, effort, memory)
    assert [recall(state, u64(key), memory).low for key in range(1, 7)] == [
        1,
        LOWEST,
        3,
        4,
        LOWEST,
        6,
    ]


def test_an_entry_keeps_the_greatest_effort():
    """A cheap test that tightens an entry does not make the entry cheap to find again."""
    game, memory = kept()
    state = game.initial()
    for key, effort in ((1, 30), (2, 9), (3, 9), (4, 9), (1, 2), (5, 9)):
        keep(state, u64(key), key, key, effort, memory)
    assert recall(state, u64(1), memory) == (1, 1)


def test_half_an_entry_does_not_verify():
    game, memory = kept()
    state = game.initial()
    keep(state, u64(77), -2, 3, 5, memory)
    generation = memory.proofs[len(memory.proofs) - 1]
    used = [
        slot
        for slot in range(WAYS)
        if memory.proofs[WORDS * slot + 1] >> GENERATION_BIT == generation
    ]
    assert len(used) == 1
    for word in (0, 1):
        whole = memory.proofs[WORDS * used[0] + word]
        for other in (whole ^ 1, whole ^ (1 << 17), u64(0)):
            memory.proofs[WORDS * used[0] + word] = other
            assert recall(state, u64(77), memory) == (LOWEST, HIGHEST)
        memory.proofs[WORDS * used[0] + word] = whole
    assert recall(state, u64(77), memory) == (-2, 3)


def test_positions_of_one_key_are_told_apart():
    game, memory = kept(4, Constant(1))
    states = [game.State(3, 0, node) for node in range(4)]
    for number, state in enumerate(states):
        keep(state, u64(7), number, number + 1, 5, memory)
    assert [recall(state, u64(7), memory) for state in states] == [
        (number, number + 1) for number in range(4)
    ]
    assert recall(game.State(3, 1, 0), u64(7), memory) == (LOWEST, HIGHEST)
