"""Boards that are kept as a tuple of rows, as people write them, compiled and interpreted."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import pytest

import prunus
from prunus import Game, i8, i16, u8, u32, u64, u128, with_item
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
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from tests.amount import few

LINES = [
    *([(r, c) for c in range(3)] for r in range(3)),
    *([(r, c) for r in range(3)] for c in range(3)),
    [(i, i) for i in range(3)],
    [(i, 2 - i) for i in range(3)],
]


class Flat(Game):
    """Noughts and crosses on one tuple."""

    class State(NamedTuple):
        board: tuple[int, ...]
        turn: int

    def initial(self):
        return self.State((0,) * 9, 1)

    def actions(self, state):
        for action in range(9):
            if self.at(state, *divmod(action, 3)) == 0:
                yield action

    def at(self, state, r, c):
        return state.board[r * 3 + c]

    def result(self, state, action):
        return self.State(with_item(state.board, action, state.turn), 3 - state.turn)

    def won(self, state, player):
        return any(all(self.at(state, r, c) == player for r, c in line) for line in LINES)

    def is_full(self, state):
        return all(state.board)

    def is_terminal(self, state):
        return self.won(state, 1) or self.won(state, 2) or self.is_full(state)

    def utility(self, state):
        if self.won(state, state.turn):
            return 1
        return -1 if self.won(state, 3 - state.turn) else 0


class Rows(Flat):
    """The same on rows."""

    class State(NamedTuple):
        board: tuple[tuple[int, ...], ...]
        turn: int

    def initial(self):
        return self.State(((0, 0, 0), (0, 0, 0), (0, 0, 0)), 1)

    def at(self, state, r, c):
        return state.board[r][c]

    def is_full(self, state):
        return all(cell for row in state.board for cell in row)

    def result(self, state, action):
        board = [list(row) for row in state.board]
        board[action // 3][action % 3] = state.turn
        return self.State(tuple(tuple(row) for row in board), 3 - state.turn)


class Mapped(Rows):
    def result(self, state, action):
        board = list(map(list, state.board))
        board[action // 3][action % 3] = state.turn
        return self.State(tuple(map(tuple, board)), 3 - state.turn)

    def is_full(self, state):
        return all(map(all, state.board))


class OneRow(Rows):
    def result(self, state, action):
        r, c = divmod(action, 3)
        row = list(state.board[r])
        row[c] = state.turn
        board = list(state.board)
        board[r] = tuple(row)
        return state._replace(board=tuple(board), turn=3 - state.turn)

    def is_full(self, state):
        return not any(0 in row for row in state.board)


class Cut(Rows):
    def result(self, state, action):
        r, c = divmod(action, 3)
        row = state.board[r]
        row = row[:c] + (state.turn,) + row[c + 1 :]
        return self.State(state.board[:r] + (row,) + state.board[r + 1 :], 3 - state.turn)


class Item(Rows):
    def result(self, state, action):
        r, c = divmod(action, 3)
        row = with_item(state.board[r], c, state.turn)
        return self.State(with_item(state.board, r, row), 3 - state.turn)


class Asked(Rows):
    def result(self, state, action):
        board = tuple(
            tuple(state.turn if (r, c) == divmod(action, 3) else cell for c, cell in enumerate(row))
            for r, row in enumerate(state.board)
        )
        return self.State(board, 3 - state.turn)


class Indexed(Rows):
    """With the declared size, and numbers of 8 bits."""

    class State(NamedTuple):
        board: tuple[tuple[u8, u8, u8], tuple[u8, u8, u8], tuple[u8, u8, u8]]
        turn: u8

    def result(self, state, action):
        at = divmod(action, 3)
        board = [
            tuple(state.turn if (r, c) == at else state.board[r][c] for c in range(3))
            for r in range(3)
        ]
        return self.State(tuple(board), 3 - state.turn)


WAYS = (Rows, Mapped, OneRow, Cut, Item, Asked, Indexed)


@pytest.mark.parametrize("way", few(WAYS, 2), ids=lambda way: way.__name__)
def test_the_same_search_as_on_one_tuple(way):
    flat = prunus.solve(Flat(), compile=True)
    found = prunus.solve(way(), compile=True)
    assert (found.backend, found.value, found.proved) == ("compiled", 0, True)
    assert found.line() == flat.line()
    assert prunus.analyze(way(), depth=4, compile=False).value == 0


class Kinds(Game):
    """Rows that compiled code packs, and rows that it does not."""

    class State(NamedTuple):
        small: tuple[tuple[u8, ...], ...]
        long: tuple[tuple[i8, ...], ...]
        flags: tuple[tuple[bool, ...], ...]
        words: tuple[tuple[u64, ...], ...]
        wide: tuple[tuple[u128, u128], ...]
        pair: tuple[tuple[i16, i16, i16], tuple[i16, i16, i16]]
        cells: tuple[u32, ...]
        last: i8

    def initial(self):
        return drawn(random.Random(1))


def drawn(rng: random.Random) -> Any:
    def rows(count: int, length: int, low: int, high: int) -> Any:
        return tuple(tuple(rng.randint(low, high) for _ in range(length)) for _ in range(count))

    return Kinds.State(
        rows(3, 4, 0, 255),
        rows(5, 7, -128, 127),
        rows(2, 9, 0, 1),
        rows(2, 5, 0, (1 << 64) - 1),
        rows(3, 2, 0, (1 << 128) - 1),
        rows(2, 3, -(1 << 15), (1 << 15) - 1),
        rows(1, 6, 0, (1 << 32) - 1)[0],
        rng.randint(-128, 127),
    )


def kept(game, state, memory, k):
    memory.kept[k] = state
    held = memory.kept[k]
    memory.kept[1 - k] = held._replace(long=state.long, pair=held.pair)
    memory.out[0] = state_key(memory.kept[1 - k])
    total = 0
    for row in held.long:
        for cell in row:
            total = total * 31 + cell
            total %= 1000003
    memory.out[1] = u64(total + held.small[k][2] + held.long[k + 2][6] + held.flags[k][8])
    memory.out[2] = held.words[k][4]
    other = state._replace(long=with_item(state.long, k, with_item(state.long[k], 6, 5)))
    memory.out[3] = u64(10 * (held == state) + (other == state) + 100 * (other != held))
    return 0


def test_states_are_kept_and_keys_are_equal():
    rng, game = random.Random(27), Kinds()
    memory = Memory({"out": ("u64", 4), "kept": ("state", 2)}, prototype=game.initial())
    given = {"game": game, "state": game.initial(), "memory": memory, "k": 0}
    compiled = compile_function(kept, given)
    for _ in range(40):
        state, k = drawn(rng), rng.randrange(2)
        compiled(game, state, memory, k)
        found = [int(number) for number in memory.out[:4]]
        assert memory.kept[0] == memory.kept[1] == state
        assert found[0] == state_key(state) and found[3] in (11, 110)
        kept(game, state, memory, k)
        assert found == [int(number) for number in memory.out[:4]]


def test_layout_and_lengths():
    rng = random.Random(5)
    layout = StateLayout(drawn(rng))
    assert layout.lengths == ((4,) * 3, (7,) * 5, (9, 9), (5, 5), (2,) * 3, (3, 3), 6, -1)
    assert lengths_of(layout.prototype()) == layout.lengths
    assert {cell for row in layout.prototype().long for cell in row} == {0}
    buffer = memoryview(bytearray(layout.size * 2))
    for index in (0, 1, 0):
        state = drawn(rng)
        layout.pack(buffer, index, state)
        assert layout.unpack(buffer, index) == state


class Small(NamedTuple):
    rows: tuple[tuple[u8, ...], ...]


class Fixed(NamedTuple):
    rows: tuple[tuple[u8, u8], tuple[u8, u8]]


Small = type("A", (Game,), {"State": Small}).State
Fixed = type("B", (Game,), {"State": Fixed}).State


def test_no_two_shapes_share_a_key():
    shapes = [((),), ((), ()), ((0,),), ((0, 0),), ((0,), (0,)), ((0,), ()), ((), (0,)), ()]
    assert len({state_key(Small(rows)) for rows in shapes}) == len(shapes)
    assert not key_is_exact(Small(((1, 2), (3, 4)))) and key_is_exact(Fixed(((1, 2), (3, 4))))
    keys = {state_key(Fixed(((a, b), (b, a)))) for a in range(16) for b in range(16)}
    assert len(keys) == 256


def test_what_a_field_takes():
    (field,) = fields_of(Fixed)
    assert (field.scalar, field.length, field.columns) == (u8, 2, 2)
    assert is_machine_state(Fixed([[1, 2], [3, 4]])) and Fixed([[1, 2], [3, 4]]).rows[1] == (3, 4)
    with pytest.raises(ValueError, match="a row of State field 'rows' has 2 items, not 3"):
        Fixed(((1, 2, 3), (4, 5, 6)))
    with pytest.raises(ValueError, match="State field 'rows' has 2 items, not 1"):
        Fixed(((1, 2),))
    with pytest.raises(TypeError, match="a row of State field 'rows' is a tuple but is given 1"):
        Fixed((1, 2))
    with pytest.raises(TypeError, match="State field 'rows' is a tuple but is given 1"):
        Fixed(1)
    with pytest.raises(OverflowError, match="an item of State field 'rows' is a u8"):
        Fixed(((1, 2), (3, 256)))


class Grows(Rows):
    """Another row with each action."""

    class State(NamedTuple):
        board: tuple[tuple[int, ...], ...]
        turn: int

    def result(self, state, action):
        return self.State((*state.board, (1, 1, 1)), 3 - state.turn)


class Ragged(Rows):
    """Rows of different lengths, which are read at places that are written out."""

    def initial(self):
        return self.State(((0,), (0, 0)), 1)

    def actions(self, state):
        return [a for a in range(3) if self.cell(state, a) == 0]

    def cell(self, state, a):
        if a == 0:
            return state.board[0][0]
        return state.board[1][a - 1]

    def result(self, state, action):
        top, bottom = state.board
        if action == 0:
            return self.State(((state.turn,), bottom), 3 - state.turn)
        return self.State((top, with_item(bottom, action - 1, state.turn)), 3 - state.turn)

    def is_terminal(self, state):
        return self.cell(state, 0) == 2 or 0 not in (*state.board[0], *state.board[1])

    def utility(self, state):
        return -1 if self.cell(state, 0) == 2 else 1


def test_rows_of_different_lengths():
    found = [prunus.solve(Ragged(), compile=compile) for compile in (True, False)]
    assert found[0].value == found[1].value and found[0].line() == found[1].line()
    with pytest.raises(prunus.PrunusError, match="rows of 3, 3, 3, 3 items where other States"):
        prunus.solve(Grows(), compile=True)


def test_a_database_of_rows(tmp_path):
    game = Rows()
    positions = number_positions(game, compile=True)
    made = {"game": "rows", "start": "", "command": "", "seconds": 0.0, "threads": 1}
    write(solve_positions(positions, compile=True), tmp_path / "rows", made)
    database = Database(tmp_path / "rows", game)
    assert verify_database(database) == [] and len(positions) == 5478
    state = game.play(["0", "1", "4"])
    assert database.value(state) == prunus.solve(game, state, compile=False).value == -1
