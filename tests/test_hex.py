"""Hex: chains of steps and bridges that cannot be cut."""

from __future__ import annotations

import random
from functools import partial

import pytest

from prunus.games import Hex
from tests.naive import remembered_value


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_bounds_hold_in_every_position(size, swap):
    game = Hex(size, swap)
    value = partial(remembered_value, game, known={})
    seen, todo, told = set(), [game.initial()], 0
    while todo:
        state = todo.pop()
        if state not in seen:
            seen.add(state)
            low, high = game.bounds(state)
            assert low <= value(state) <= high, game.format(state)
            told += low == high
            if not game.is_terminal(state):
                todo += [game.result(state, action) for action in game.actions(state)]
    assert size < 3 or told > len(seen) // 3


def test_bounds_hold_in_positions_of_a_larger_board():
    game, draw, told = Hex(4), random.Random(7), 0
    value = partial(remembered_value, game, known={})
    for _ in range(150):
        state = game.initial()
        for _ in range(draw.randint(8, 12)):
            if not game.is_terminal(state):
                state = game.result(state, draw.choice(list(game.actions(state))))
        low, high = game.bounds(state)
        assert low <= value(state) <= high, game.format(state)
        told += low == high
    assert told > 30


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        # One stone in the middle is joined to both edges by bridges, whoever is to move.
        (".../.X./... O", (-1, -1)),
        (".../.X./... X", (1, 1)),
        # O has taken a cell of one bridge, and X has to answer.
        (".O./.X./... X", (-1, 1)),
        # O's own, from left to right.
        (".../.O./... X", (-1, -1)),
    ],
)
def test_bridges(text, bounds):
    game = Hex(3)
    assert game.bounds(game.parse(text)) == bounds


@pytest.mark.parametrize("turned", [False, True])
def test_two_bridges_that_need_the_same_cell_can_be_cut(turned):
    """O's stones a3, b4 and c2 are a bridge apart and one from the right edge, but X takes b3."""
    game = Hex(4)
    rows = ["X...", ".XO.", "O...", ".O.X"]
    if turned:
        rows = [row[::-1] for row in rows[::-1]]
    state = game.parse("/".join(rows) + " X")
    assert remembered_value(game, state, {}) == 1
    assert game.bounds(state)[1] == 1


@pytest.mark.parametrize("size", [5, 9])
def test_a_chain_of_bridges_wins_on_boards_of_any_size(size):
    """Every second row has a stone, each a bridge from the one above."""
    game = Hex(size)
    none = game.initial().first
    places = [row * size + size - 2 - row // 2 for row in range(1, size, 2)]
    chain = none
    for place in places:
        chain |= (none | 1) << place
    for turn, value in ((0, 1), (1, -1)):
        assert game.bounds(game.State(chain, none, turn)) == (value, value)
    for taken in (size - 2, size - 1):  # between the first stone and the upper edge
        assert game.bounds(game.State(chain, (none | 1) << taken, 1)) == (-1, 1)
