"""(m,n,k) games and Connect Four against boards made of lists, and their published counts."""

from __future__ import annotations

import csv
import os
import random
import re
from pathlib import Path
from typing import Any

import pytest

import prunus
from prunus.checking import check
from prunus.core.bits import u64
from prunus.core.game import PositionError
from prunus.games import MNK, ConnectFour, TicTacToe
from tests import naive_boards as boards
from tests.amount import amount, few, in_full
from tests.naive import minimax_value

REFERENCE = Path(
    os.environ.get("PRUNUS_REFERENCE", Path(__file__).parents[1] / "../shared/reference")
)


def reachable(game: Any) -> set[Any]:
    found, waiting = {game.initial()}, [game.initial()]
    while waiting:
        state = waiting.pop()
        if not game.is_terminal(state):
            fresh = {game.result(state, action) for action in game.actions(state)} - found
            found |= fresh
            waiting += fresh
    return found


def test_tic_tac_toe_counts() -> None:
    """Well known: 5,478 positions, 958 of them final (626, 316, 16); up to symmetry 765 and 138
    (91, 44, 3)."""
    game = TicTacToe()
    states = reachable(game)
    final = [state for state in states if game.is_terminal(state)]

    def results(states: Any) -> list[int]:
        x = [s for s in states if game.utility(s) < 0 and s.theirs.bit_count() > s.mine.bit_count()]
        drawn = [s for s in states if game.utility(s) == 0]
        return [len(x), len(states) - len(x) - len(drawn), len(drawn)]

    assert (len(states), len(final), results(final)) == (5478, 958, [626, 316, 16])
    classes = {game.canonical(state) for state in states}
    final_classes = {game.canonical(state) for state in final}
    assert (len(classes), len(final_classes), results(final_classes)) == (765, 138, [91, 44, 3])
    assert len({game.key(state) for state in states}) == 5478


def test_tic_tac_toe_reference_file() -> None:
    path = REFERENCE / "solved/tictactoe_counts.csv"
    if not path.exists():
        pytest.skip("no reference data")
    facts = dict(csv.reader(path.read_text().splitlines()))
    assert (
        facts["positions_reachable_incl_empty"] == "5478"
        and facts["positions_up_to_symmetry"] == "765"
    )


@pytest.mark.parametrize(
    ("m", "n", "k", "misere", "value"),
    [
        (2, 3, 2, False, 1),
        (2, 3, 2, True, -1),
        (2, 3, 3, False, 0),
        (2, 4, 2, True, -1),
        (2, 3, 9, False, 0),
        (1, 1, 1, False, 1),
        (1, 1, 1, True, -1),
    ],
)
def test_published_mnk_values(m: int, n: int, k: int, misere: bool, value: int) -> None:
    game = MNK(m, n, k, misere)
    assert minimax_value(game, game.initial()) == value


@pytest.mark.parametrize(
    ("m", "n", "k"),
    [
        (3, 3, 3),
        (5, 12, 4),
        (7, 8, 5),
        (8, 7, 4),
        (1, 9, 3),
        (9, 1, 3),
        (4, 6, 2),
        (8, 8, 5),
        (15, 15, 5),
    ],
)
def test_mnk_against_lists(m: int, n: int, k: int) -> None:
    game, chance = MNK(m, n, k), random.Random(m * n + k)
    for _ in range(6):
        board, state, player = boards.empty(m, n), game.initial(), "X"
        while not boards.over(board, k):
            assert not game.is_terminal(state)
            assert [game.action_name(state, a) for a in game.actions(state)] == [
                f"{chr(97 + c)}{r + 1}" for r, c in boards.moves(board, False)
            ]
            row, column = chance.choice(boards.moves(board, False))
            state = game.play([f"{chr(97 + column)}{row + 1}"], state)
            board[row][column] = player
            player = "O" if player == "X" else "X"
            assert game.format(state) == boards.text(board)
        assert game.is_terminal(state)
        assert game.utility(state) == (
            -1 if boards.has_line(board, "X", k) or boards.has_line(board, "O", k) else 0
        )


@pytest.mark.parametrize(
    ("width", "height"),
    [
        (7, 6),
        (4, 4),
        (9, 5),
        (12, 4),
        (1, 6),
        (6, 1),
        (32, 1),
        (5, 3),
        (8, 7),
        (9, 7),
        (10, 6),
        (15, 15),
    ],
)
def test_connect_four_against_lists(width: int, height: int) -> None:
    game, chance = ConnectFour(width, height), random.Random(width * height)
    for _ in range(12):
        board, state, player, columns = boards.empty(height, width), game.initial(), "X", []
        while not boards.over(board, 4):
            assert not game.is_terminal(state)
            assert sorted(game.actions(state)) == sorted(c for _, c in boards.moves(board, True))
            row, column = chance.choice(boards.moves(board, True))
            state = game.result(state, column)
            board[row][column] = player
            columns.append(column + 1)
            player = "O" if player == "X" else "X"
            assert game.stones(state) == len(columns) and game.format(state) == boards.text(board)
        won = boards.has_line(board, "X", 4) or boards.has_line(board, "O", 4)
        assert game.is_terminal(state)
        assert game.utility(state) == (-((width * height + 2 - len(columns)) // 2) if won else 0)
        assert game.parse(",".join(map(str, columns))) == state


def test_connect_four_positions_and_keys() -> None:
    """4 x 3: 12,031 positions (J. Tromp), each with a key of its own."""
    game = ConnectFour(4, 3)
    states = reachable(game)
    assert len(states) == len({game.key(state) for state in states}) == 12031
    mirrored = {game.canonical(state) for state in states}
    assert len(mirrored) < len(states) and {game.canonical(state) for state in mirrored} == mirrored


def test_connect_four_bounds_hold() -> None:
    game = ConnectFour(4, 3)
    chance = random.Random(5)
    for state in chance.sample(sorted(reachable(game)), 300):
        if game.stones(state) >= 7:
            low, high = game.bounds(state)
            value = minimax_value(game, state)
            assert low <= value <= high and minimax_value(game, game.canonical(state)) == value


@pytest.mark.parametrize(
    ("width", "height"), [(7, 6), (4, 4), (9, 5), (12, 4), (4, 6), (6, 1), (5, 3), (8, 7)]
)
def test_connect_four_sees_every_cell_that_completes_a_four(width: int, height: int) -> None:
    game, chance = ConnectFour(width, height), random.Random(width + height)
    full = int(game.full)
    for _ in range(40):
        mask = sum(
            ((1 << chance.randrange(height + 1)) - 1) << column * (height + 1)
            for column in range(width)
        )
        stones = u64(
            sum(
                1 << place
                for place in range(width * (height + 1))
                if mask >> place & 1 and chance.random() < 0.6
            )
        )
        if not game.has_four(stones):
            empty = [place for place in range(width * (height + 1)) if (full ^ mask) >> place & 1]
            expected = sum(1 << place for place in empty if game.has_four(stones | u64(1 << place)))
            assert game.completing(stones, u64(mask)) == expected


@pytest.mark.parametrize(
    ("width", "height"), few([(4, 4), (1, 63), (6, 1), (7, 6), (5, 3), (9, 5), (12, 4), (8, 7)], 4)
)
def test_connect_four_in_the_form_for_searches_to_the_end_is_the_same_game(
    width: int, height: int
) -> None:
    class Derived(ConnectFour):
        pass

    report = check(ConnectFour(width, height), games=amount(8, 40), compile=False)
    assert report.ok, str(report)
    game, derived = ConnectFour(width, height), Derived(width, height)
    form, state = game.solving_game(), game.parse("11" if height > 1 else "12")
    assert form is game.solving_game() and form.initial() == game.solving_state(game.initial())
    assert form.parse(game.format(state)) == game.solving_state(state) != state
    assert derived.solving_game() is derived and derived.solving_state(state) == state


@pytest.mark.parametrize(
    ("width", "height", "stones"),
    [
        (4, 4, 4),
        (5, 4, 8),
        pytest.param(6, 5, 16, marks=in_full),
        (7, 6, 28),
        pytest.param(4, 6, 10, marks=in_full),
    ],
)
def test_connect_four_limits_and_worthwhile_actions_hold(
    width: int, height: int, stones: int
) -> None:
    """Limits contain the value, which alpha-beta finds without them; a best action is among the
    worthwhile ones; the engine uses both and agrees."""
    game, chance = ConnectFour(width, height), random.Random(width * height)
    decided = forced = checked = 0
    table = prunus.TranspositionTable(1, game, game.initial())
    while checked < 60:
        state = game.initial()
        while game.stones(state) < stones + chance.randrange(6) and not game.is_terminal(state):
            state = game.result(state, chance.choice(list(game.actions(state))))
        if game.is_terminal(state):
            continue
        checked += 1
        found = prunus.solve(game, state, algorithm="alphabeta", all_moves=True, compile=True)
        values = {move.action: move.value for move in found.moves}
        low, high = game.bounds(state)
        chosen = list(game.worthwhile(state))
        assert low <= found.value <= high
        assert max(values[action] for action in chosen) == found.value
        decided, forced = decided + (low == high), forced + (len(chosen) < len(values))
        engine = prunus.solve(game, state, algorithm="engine", compile=True, table=table)
        assert (engine.value, engine.proved) == (found.value, True) and values[
            engine.best
        ] == found.value
    assert forced and (width < 7 or decided > 5)


def test_connect_four_order_is_centre_first() -> None:
    assert ConnectFour().columns == (3, 2, 4, 1, 5, 0, 6)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("44558", r"move 5 (column 8): there is no such column"),
        ("1111111", r"move 7 (column 1): the column is full"),
        ("12121212", r"move 8 (column 2): the game is already over"),
        ("4a", r"move 2 ('a') is not the number of a column"),
        ("445x", r"move 4 ('x') is not the number of a column"),
        ("......./X......", "the board has 6 rows, not 2"),
        (
            "......./......./......./......./...X.../...O...".replace("O", "."),
            "column 4: a stone hangs over an empty cell",
        ),
        ("......./......./......./......./......./XX.....", "2 X and 0 O"),
    ],
)
def test_connect_four_refuses(text: str, message: str) -> None:
    with pytest.raises(PositionError, match=re.escape(message)):
        ConnectFour().parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("X.O/.X.", "the board has 3 rows, not 2"),
        ("X.O/.X/...", "row 2 ('.X') has 2 cells, not 3"),
        ("X.O/.Z./...", "row 2, column 2: 'Z' is not"),
        ("XX./.X./...", "3 X and 0 O"),
        ("XXX/OOO/...", "both X and O have 3 in a row"),
        ("XXX/OO./O..", "X has 3 in a row, which ends the game, but O has moved"),
    ],
)
def test_mnk_refuses(text: str, message: str) -> None:
    with pytest.raises(PositionError, match=re.escape(message)):
        TicTacToe().parse(text)


def test_boards_that_do_not_fit() -> None:
    for make in (
        lambda: MNK(16, 16, 5),
        lambda: MNK(0, 3, 3),
        lambda: ConnectFour(40, 9),
        lambda: ConnectFour(0, 4),
        lambda: MNK(1, 30, 3),
    ):
        with pytest.raises(ValueError):
            make()
