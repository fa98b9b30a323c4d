"""Domineering against sets of cells: moves, the counts of dominoes, values of small boards."""

from __future__ import annotations

import random
from functools import cache

import pytest

import prunus
from prunus.core.game import PositionError
from prunus.games import Domineering
from prunus.games.domineering.rules import WIN
from tests.amount import amount, in_full

Cells = frozenset[tuple[int, int]]
STEPS = ((1, 0), (0, 1))


def dominoes(free: Cells, turn: int) -> list[Cells]:
    """The dominoes that a player can place."""
    down, right = STEPS[turn]
    found = [frozenset({(r, c), (r + down, c + right)}) for r, c in free]
    return [domino for domino in found if domino <= free]


@cache
def wins(free: Cells, turn: int) -> bool:
    """Whether the player to move wins."""
    return any(not wins(free - domino, 1 - turn) for domino in dominoes(free, turn))


@cache
def most(free: Cells, turn: int) -> int:
    """The most dominoes of one player that fit, by trying all."""
    return max((1 + most(free - domino, turn) for domino in dominoes(free, turn)), default=0)


@cache
def kept(free: Cells, turn: int, to_move: int) -> int:
    """The dominoes that a player can place from here if the opponent only prevents, and either may
    pass."""
    if not dominoes(free, turn):
        return 0
    if to_move == turn:
        return max([1 + kept(free - domino, turn, 1 - turn) for domino in dominoes(free, turn)])
    return min(
        [kept(free - domino, turn, turn) for domino in dominoes(free, 1 - turn)]
        + [kept(free, turn, turn)]
    )


def random_cells(rng: random.Random, rows: int, columns: int) -> Cells:
    share = rng.random()
    return frozenset((r, c) for r in range(rows) for c in range(columns) if rng.random() < share)


def word(cells: Cells, columns: int) -> int:
    return sum(1 << r * columns + c for r, c in cells)


@pytest.mark.parametrize("size", [(4, 4), (3, 5), (5, 3), (1, 7), (7, 1), (8, 8), (11, 11)])
def test_moves_and_counts_against_sets(size: tuple[int, int]) -> None:
    rows, columns = size
    game = Domineering(rows, columns)
    rng = random.Random(rows * 100 + columns)
    for _ in range(amount(60, 300)):
        cells = random_cells(rng, rows, columns)
        for turn in (0, 1):
            state = game.State(game.word(word(cells, columns)), turn)
            found = {game.result(state, action).free for action in game.actions(state)}
            assert found == {word(cells - domino, columns) for domino in dominoes(cells, turn)}
            assert game.is_terminal(state) == (not found)
            assert int(game.canonical(state).free) <= state.free
            if rows * columns <= 16:
                assert game.most(state.free, turn) == most(cells, turn)
                assert game.safe(state.free, turn) <= kept(cells, turn, 1 - turn)


@pytest.mark.parametrize("size", [(4, 4), (3, 5), (5, 3), (2, 7)])
def test_bounds_hold(size: tuple[int, int]) -> None:
    rows, columns = size
    game = Domineering(rows, columns)
    rng = random.Random(columns)
    decided = 0
    for _ in range(amount(100, 1000)):
        cells = random_cells(rng, rows, columns)
        for turn in (0, 1):
            state = game.State(word(cells, columns), turn)
            low, high = game.bounds(state)
            assert low <= (WIN if wins(cells, turn) else -WIN) <= high
            decided += low == high
    assert decided > 50


@pytest.mark.parametrize("horizontal", [False, True])
@pytest.mark.parametrize("algorithm", ["alphabeta", "engine"])
def test_values_of_small_boards(algorithm: str, horizontal: bool) -> None:
    for rows, columns in ((2, 3), (3, 3), (2, 5), (4, 3), (3, 4)):
        everything = frozenset((r, c) for r in range(rows) for c in range(columns))
        game = Domineering(rows, columns, horizontal)
        found = prunus.analyze(game, algorithm=algorithm, depth=rows * columns, compile=False)
        assert found.value == (WIN if wins(everything, int(horizontal)) else -WIN)


@in_full
def test_solved_compiled() -> None:
    found = prunus.solve(Domineering(5, 6), compile=True)
    assert found.value == -WIN and found.proved


def test_larger_boards_have_longer_words() -> None:
    game = Domineering(11, 11)
    assert len(list(game.actions(game.initial()))) == 110
    assert game.parse(game.format(game.initial())) == game.initial()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("..../..../..../....", "the player to move, V or H"),
        ("..../..../.... V", "4 rows, not 3"),
        ("..../...x/..../.... V", "row 2, column 4"),
        ("..../...#/..../.... V", "1 are covered"),
    ],
)
def test_errors_say_where(text: str, words: str) -> None:
    with pytest.raises(PositionError, match=words):
        Domineering(4, 4).parse(text)


@pytest.mark.parametrize("size", [(0, 4), (12, 11), (1, 27)])
def test_boards_that_do_not_fit(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="board|at least"):
        Domineering(*size)
