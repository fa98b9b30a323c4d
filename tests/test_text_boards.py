"""Boards that are kept as texts, or as tuples of letters, as people write them, compiled and
interpreted."""

from __future__ import annotations

import random
from enum import Enum
from typing import Any, NamedTuple

import pytest
from numba.core.runtime import _nrt_python as counts

import prunus
from prunus import Game, i8, u64
from prunus.core.state import (
    StateLayout,
    fields_of,
    is_machine_state,
    key_is_exact,
    lengths_of,
    state_key,
)
from prunus.databases.backward import solve_positions
from prunus.databases.building import write
from prunus.databases.folder import Database
from prunus.databases.numbering import number_positions
from prunus.databases.verifying import verify_database
from prunus.kernel.compiling import trial
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from prunus.kernel.reporting.messages import CannotCompile
from tests.amount import few

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
OTHER = {"X": "O", "O": "X"}


class Text(Game):
    """Noughts and crosses on one text."""

    class State(NamedTuple):
        board: str
        turn: str

    def initial(self):
        return self.State("." * 9, "X")

    def to_move(self, state):
        return 0 if state.turn == "X" else 1

    def at(self, state, action):
        return state.board[action]

    def actions(self, state):
        return [action for action in range(9) if self.at(state, action) == "."]

    def result(self, state, action):
        board = state.board
        board = board[:action] + state.turn + board[action + 1 :]
        return self.State(board, "O" if state.turn == "X" else "X")

    def winner(self, state):
        for a, b, c in LINES:
            mark = self.at(state, a)
            if mark != "." and mark == self.at(state, b) == self.at(state, c):
                return mark
        return None

    def is_terminal(self, state):
        return self.winner(state) is not None or not self.actions(state)

    def utility(self, state):
        winner = self.winner(state)
        if winner is None:
            return 0
        return 1 if winner == state.turn else -1


class Joined(Text):
    def result(self, state, action):
        cells = list(state.board)
        cells[action] = state.turn
        return state._replace(board="".join(cells), turn=OTHER[state.turn])

    def is_terminal(self, state):
        return self.winner(state) is not None or "." not in state.board


class Counted(Text):
    """Whose turn it is follows from the board, and lines are texts."""

    class State(NamedTuple):
        board: str

    MARKS = {0: "X", 1: "O"}

    def initial(self):
        return self.State(" " * 9)

    def to_move(self, state):
        return state.board.count("X") - state.board.count("O")

    def actions(self, state):
        for action, cell in enumerate(state.board):
            if cell == " ":
                yield action

    def result(self, state, action):
        (board,) = state
        mark = self.MARKS[self.to_move(state)]
        return self.State(f"{board[:action]}{mark}{board[action + 1 :]}")

    def winner(self, state):
        b = state[0]
        for mark in "XO":
            lines = (b[:3], b[3:6], b[6:], b[::3], b[1::3], b[2::3], b[::4], b[2:7:2])
            if any(line == mark * 3 for line in lines):
                return mark
        return ""

    def is_terminal(self, state):
        return bool(self.winner(state)) or " " not in state.board

    def utility(self, state):
        return -1 if self.winner(state) else 0


class Cells(Text):
    """A letter for each cell."""

    class State(NamedTuple):
        board: tuple[str, ...]
        turn: str

    def initial(self):
        return self.State((".",) * 9, "X")

    def result(self, state, action):
        cells = list(state.board)
        cells[action] = state.turn
        return self.State(tuple(cells), OTHER[state.turn])


class Cut(Cells):
    def result(self, state, action):
        board = state.board
        return self.State(
            board[:action] + (state.turn,) + board[action + 1 :], "O" if state.turn == "X" else "X"
        )


class Rows(Text):
    """A text for each row."""

    class State(NamedTuple):
        board: tuple[str, str, str]
        turn: str

    def initial(self):
        return self.State(("...", "...", "..."), "X")

    def at(self, state, action):
        return state.board[action // 3][action % 3]

    def result(self, state, action):
        r, c = divmod(action, 3)
        rows = list(state.board)
        rows[r] = rows[r][:c] + state.turn + rows[r][c + 1 :]
        return self.State(tuple(rows), OTHER[state.turn])

    def is_terminal(self, state):
        return self.winner(state) is not None or not any("." in row for row in state.board)


class Lists(Rows):
    def result(self, state, action):
        cells = [list(row) for row in state.board]
        cells[action // 3][action % 3] = state.turn
        board = tuple("".join(row) for row in cells)
        return self.State(board, "O" if state.turn == "X" else "X")


WAYS = (Text, Joined, Counted, Cells, Cut, Rows, Lists)


@pytest.mark.parametrize("way", few(WAYS, 2), ids=lambda way: way.__name__)
def test_the_same_search_both_ways(way):
    found = prunus.solve(way(), compile=True)
    plain = prunus.solve(way(), compile=False)
    assert (found.backend, found.value, found.proved) == ("compiled", 0, True)
    assert (found.line(), found.statistics.nodes) == (plain.line(), plain.statistics.nodes)


class Kinds(Game):
    class State(NamedTuple):
        turn: str
        small: str
        board: str
        rows: tuple[str, ...]
        cells: tuple[str, str, str]
        numbers: tuple[i8, ...]
        last: int

    def initial(self):
        return drawn(random.Random(1))


def drawn(rng: random.Random) -> Any:
    def text(length: int) -> str:
        return "".join(chr(rng.choice((rng.randrange(256), 88, 46))) for _ in range(length))

    return Kinds.State(
        text(1),
        text(3),
        text(41),
        (text(8), text(5), text(9)),
        (text(1), text(1), text(1)),
        tuple(rng.randint(-128, 127) for _ in range(7)),
        rng.randint(-(1 << 63), (1 << 63) - 1),
    )


def kept(game, state, memory, k):
    memory.kept[k] = state
    held = memory.kept[k]
    memory.kept[1 - k] = held._replace(board=state.board, rows=held.rows)
    memory.out[0] = state_key(memory.kept[1 - k])
    total = ord(held.turn)
    for row in held.rows:
        for letter in row:
            total = (total * 31 + ord(letter)) % 1000003
    memory.out[1] = u64(total + ord(held.board[k - 41]) + ord(held.small[-1]) + len(held.cells[k]))
    turn, small, board, _, _, _, _ = state
    read = ord(state.rows[k][1]) + ord(state.cells[k][0]) + (state.cells[k] == state.turn)
    memory.out[2] = u64(board.count(turn) * 10 + (small in board) + 2 * (small < board) + read)
    other = state._replace(small=small[1:] + "~")
    memory.out[3] = u64(10 * (held == state) + (other == state) + 100 * (other != held))
    return 0


def test_states_are_kept_and_keys_are_equal():
    rng, game = random.Random(28), Kinds()
    memory = Memory({"out": ("u64", 4), "kept": ("state", 2)}, prototype=game.initial())
    given = {"game": game, "state": game.initial(), "memory": memory, "k": 0}
    compiled = compile_function(kept, given)
    for _ in range(40):
        state, k = drawn(rng), rng.randrange(2)
        compiled(game, state, memory, k)
        found = [int(number) for number in memory.out[:4]]
        assert memory.kept[0] == memory.kept[1] == state
        assert found[0] == state_key(state)
        assert found[3] in (11, 110)
        kept(game, state, memory, k)
        assert found == [int(number) for number in memory.out[:4]]


def held_in_tuples(game, state, memory, k):
    """References to texts that were made, held by tuples, where lists made them."""
    board = state.board
    made = [board[i : i + 2] + state.turn for i in range(3)]
    parts, same = tuple(made), (board[k:] + state.small,) * 3
    made[0] = made[1] = made[2] = "gone"
    texts = [board[i:] + board[:i] for i in range(9)]
    memory.out[0] = u64(parts[k] == board[k : k + 2] + state.turn)
    memory.out[1] = u64(same[2] == board[k:] + state.small and same[0] == same[1])
    memory.out[2] = u64(len(texts[k]) + len(parts))
    return 0


def test_tuples_hold_what_lists_gave_them_and_nothing_is_lost():
    rng, game = random.Random(3), Kinds()
    memory = Memory({"out": ("u64", 4), "kept": ("state", 2)}, prototype=game.initial())
    given = {"game": game, "state": game.initial(), "memory": memory, "k": 0}
    work = [compile_function(each, given) for each in (held_in_tuples, kept)]
    counts.memsys_enable_stats()
    before = counts.memsys_get_stats_alloc() - counts.memsys_get_stats_free()
    for _ in range(200):
        for compiled in work:
            compiled(game, drawn(rng), memory, rng.randrange(2))
        work[0](game, drawn(rng), memory, rng.randrange(3))
        assert [int(number) for number in memory.out[:3]] == [1, 1, 44]
    assert counts.memsys_get_stats_alloc() - counts.memsys_get_stats_free() == before


@pytest.mark.parametrize("way", few((Text, Cells, Rows), 1), ids=lambda way: way.__name__)
def test_a_search_frees_its_texts(way):
    prunus.analyze(way(), depth=3, compile=True)
    counts.memsys_enable_stats()
    before = counts.memsys_get_stats_alloc() - counts.memsys_get_stats_free()
    for depth in (2, 4, 5):
        prunus.analyze(way(), depth=depth, compile=True)
    prunus.analyze(way(), nodes=200, compile=True)
    assert counts.memsys_get_stats_alloc() - counts.memsys_get_stats_free() == before


def test_layout_and_lengths():
    rng = random.Random(5)
    layout = StateLayout(drawn(rng))
    assert layout.lengths == (1, 3, 41, (8, 5, 9), (1, 1, 1), 7, -1)
    assert lengths_of(layout.prototype()) == layout.lengths
    assert set(layout.prototype().board) == {"\0"}
    buffer = memoryview(bytearray(layout.size * 2))
    for index in (0, 1, 0):
        state = drawn(rng)
        layout.pack(buffer, index, state)
        assert layout.unpack(buffer, index) == state
    assert not layout.fits(drawn(rng)._replace(turn="XX"))
    assert not layout.fits(drawn(rng)._replace(turn="\u25cf"))


def test_no_two_texts_share_a_key():
    texts = ["X", "XX", "X\0", "\0X", "O", "XO", "OX", "X" * 9, "X" * 8, "\xe9"]
    states = [Counted.State(text) for text in texts]
    assert len(set(map(state_key, states))) == len(texts)
    assert not any(map(key_is_exact, states))
    rows = [("X", "O"), ("XO",), ("X", "O\0"), ("O", "X"), ("", "XO")]
    assert len({state_key(Cells.State(row, "X")) for row in rows}) == len(rows)


class Mark(str, Enum):  # noqa: UP042 - people write it so
    X = "X"


def test_what_a_field_takes():
    board, turn = fields_of(Cells.State)
    assert (board.is_text, board.length, board.columns) == (True, -1, -1)
    assert (turn.is_text, turn.length, turn.columns) == (True, -1, 0)
    state = Cells.State(["a", Mark.X], Mark.X)
    assert state == (("a", "X"), "X")
    assert type(state.turn) is type(state.board[1]) is str
    assert is_machine_state(state)
    assert not is_machine_state(state._replace(turn=""))
    assert not is_machine_state(state._replace(turn="\u25cf"))
    assert not is_machine_state(state._replace(board=("a", "\u25cf")))
    with pytest.raises(TypeError, match="State field 'turn' is a str but is given None"):
        state._replace(turn=None)
    with pytest.raises(TypeError, match="a row of State field 'board' is a str but is given 1"):
        state._replace(board=("a", 1))
    with pytest.raises(TypeError, match="State field 'board' is a tuple but is given 'ab'"):
        state._replace(board="ab")
    with pytest.raises(ValueError, match="State field 'board' has 3 items, not 2"):
        Rows.State(("...", "..."), "X")


def test_beside_what_no_machine_type_holds_a_text_is_anything():
    class Loose(Game):
        class State(NamedTuple):
            board: str
            more: object

    state = Loose.State(None, 1)
    assert state.board is None
    assert not is_machine_state(state)


class Moves(Text):
    """The text of the moves so far."""

    class State(NamedTuple):
        moves: str
        turn: str

    first = "-"

    def initial(self):
        return self.State(self.first, "X")

    def at(self, state, action):
        digit = str(action)
        if digit not in state.moves:
            return "."
        return "XO"[state.moves.index(digit) % 2]

    def result(self, state, action):
        return self.State(state.moves + str(action), "O" if state.turn == "X" else "X")


class Empty(Moves):
    first = ""


class Pretty(Text):
    def result(self, state, action):
        state = super().result(state, action)
        return state._replace(board=state.board.replace("X", "\u25cf"))


REFUSED = [
    (Moves, "'moves' of Moves.State has 1 letters at first and 2 later; .* one length"),
    (Empty, "'moves' of Moves.State is empty"),
    (Pretty, "'board' of Text.State has a letter beyond Latin-1, '\u25cf'"),
]


@pytest.mark.parametrize(("game", "reason"), REFUSED, ids=lambda value: str(value)[:20])
def test_texts_that_compiled_code_cannot_hold(game, reason):
    with pytest.raises(CannotCompile, match=reason):
        prunus.analyze(game(), depth=2, compile=True)
    with pytest.warns(prunus.InterpretedWarning):
        found = prunus.analyze(game(), depth=2, algorithm="minimax", nodes=10**6)
    assert (found.backend, found.value) == ("interpreted", 0)


@pytest.mark.parametrize(
    ("game", "error", "reason"),
    [
        (Moves, OverflowError, "'moves' is given a text of another length than the 1 letters"),
        (Pretty, OverflowError, "'board' is given letters beyond Latin-1"),
    ],
)
def test_what_no_trial_has_found_is_an_error(game, error, reason, monkeypatch):
    monkeypatch.setattr(trial, "GAMES", 0)
    with pytest.raises(error, match=reason):
        prunus.analyze(game(), depth=2, compile=True)


class Sized(Game):
    """Of `size` coins the last one wins; a State is made where no other is given."""

    class State(NamedTuple):
        coins: str
        turn: int

    def __init__(self, size: int = 5) -> None:
        self.size = size

    def initial(self):
        return self.made("o" * self.size, 0)

    def made(self, coins, turn):
        return self.State(coins, turn)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        return [n for n in (1, 2) if n <= state.coins.count("o")]

    def result(self, state, action):
        left = state.coins.rstrip("-")[:-action]
        return self.made(left + "-" * (self.size - len(left)), 1 - state.turn)

    def is_terminal(self, state):
        return "o" not in state.coins

    def utility(self, state):
        return -1


def test_two_sizes_one_after_the_other():
    for size in (5, 9, 5, 4):
        found = prunus.solve(Sized(size), compile=True)
        assert (found.backend, found.value) == ("compiled", 1 if size % 3 else -1)


class Outside(Text):
    def actions(self, state):
        return [a for a in range(10) if state.board[a] == "."]


@pytest.mark.parametrize("compile", [True, False])
def test_an_index_outside_a_text(compile):
    with pytest.raises(IndexError):
        prunus.analyze(Outside(), depth=2, compile=compile)


def test_a_database_of_texts(tmp_path):
    game = Rows()
    positions = number_positions(game, compile=True)
    made = {"game": "texts", "start": "", "command": "", "seconds": 0.0, "threads": 1}
    write(solve_positions(positions, compile=True), tmp_path / "texts", made)
    database = Database(tmp_path / "texts", game)
    assert verify_database(database) == []
    assert len(positions) == 5478
    state = game.play(["0", "1", "4"])
    assert database.value(state) == prunus.solve(game, state, compile=False).value == -1
