"""Searches on games whose board is a long tuple, written in various ways: the same values and nodes
compiled and interpreted."""

from typing import NamedTuple

import pytest

import prunus
from prunus import Game, i8, u8, with_item
from tests.amount import thinned


class Crosses(Game):
    """Three in a row on a board of 3 x 4 cells, with 0 for empty; the board is changed by items."""

    class State(NamedTuple):
        board: tuple[u8, ...]
        marks: tuple[bool, ...]
        score: tuple[i8, i8]
        turn: bool

    def __init__(self) -> None:
        rows = [(4 * r + c, 4 * r + c + 1, 4 * r + c + 2) for r in range(3) for c in range(2)]
        columns = [(c, c + 4, c + 8) for c in range(4)]
        self.lines = tuple(rows + columns + [(0, 5, 10), (1, 6, 11), (2, 5, 8), (3, 6, 9)])

    def initial(self):
        return self.State((1, 2, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0), (False,) * 12, (0, -1), False)

    def actions(self, state):
        for i, cell in enumerate(state.board):
            if cell == 0:
                yield i

    def result(self, state, action):
        board = with_item(state.board, action, 2 if state.turn else 1)
        return state._replace(
            board=board, marks=with_item(state.marks, action, True), turn=not state.turn
        )

    def won(self, state):
        for a, b, c in self.lines:
            if state.board[a] != 0 and state.board[a] == state.board[b] == state.board[c]:
                return True
        return False

    def is_terminal(self, state):
        return self.won(state) or 0 not in state.board

    def utility(self, state):
        return -1 - state.board.count(0) if self.won(state) else 0


class Written(Crosses):
    """The same with comprehensions, slices and a new board for every action."""

    def actions(self, state):
        return [i for i, cell in enumerate(state.board) if cell == 0]

    def result(self, state, action):
        board = state.board[:action] + (2 if state.turn else 1,) + state.board[action + 1 :]
        return self.State(
            board,
            tuple(i == action or mark for i, mark in enumerate(state.marks)),
            state.score,
            not state.turn,
        )

    def won(self, state):
        board = state.board
        return any(board[a] != 0 and board[a] == board[b] == board[c] for a, b, c in self.lines)


def naive(game, state):
    if game.is_terminal(state):
        return game.utility(state)
    return max(-naive(game, game.result(state, action)) for action in game.actions(state))


ALGORITHMS = ("alphabeta", "cached-minimax", "open-list-alphabeta", "pvs", "engine", "sss-stockman")


@pytest.mark.parametrize(
    ("algorithm", "rules"),
    [
        *((algorithm, Crosses) for algorithm in thinned(ALGORITHMS, 2)),
        *((algorithm, Written) for algorithm in thinned(ALGORITHMS, 4)),
    ],
)
def test_searches_agree(algorithm, rules):
    game = rules()
    start = game.initial()
    for state in [game.result(start, action) for action in game.actions(start)][:3]:
        if game.is_terminal(state):
            continue
        found = [
            prunus.solve(game, state, algorithm=algorithm, compile=compile)
            for compile in (False, True)
        ]
        assert found[0].value == found[1].value == naive(game, state)
        assert found[0].statistics.nodes == found[1].statistics.nodes
        assert found[1].backend == "compiled"
