"""Tablut, the Lappish game that Linnaeus saw in 1732, on 9 x 9 cells: 81 cells and an empty column
on the right take 90 bits of a `u128`.

prunus check examples/tablut.py:Tablut
prunus analyze examples/tablut.py:Tablut --depth 4
"""

from collections.abc import Iterator
from typing import NamedTuple

from prunus import Game, PositionError, u8, u128
from prunus.core.bits import bit_index
from prunus.core.grids import cell_name, read_grid, write_grid

ROW = 10
START = "...AAA.../....A..../....D..../A...D...A/AADDKDDAA/A...D...A/....D..../....A..../...AAA..."
WON = 1000


class Tablut(Game):
    """Sixteen attackers, who move first, against a king and eight defenders.

    All move like a rook in chess; no piece stops on the throne in the middle or passes it, and the
    king does not return to it. A man is captured when an opponent's move leaves it between two
    opponents on a line; the king counts as a capturing piece. The king is captured in the same way,
    except that on the throne he must be surrounded on four sides, and beside it on the other three.
    The king's side wins when he reaches the edge and loses when he is captured. A player who cannot
    move loses, and a repeated position is a draw. Bit 10 * row + column is a cell.
    """

    class State(NamedTuple):
        attackers: u128
        defenders: u128
        king: u128
        turn: u8

    repetition = "draw"

    def __init__(self) -> None:
        self.board = u128(sum(0x1FF << ROW * row for row in range(9)))
        self.edge = u128(self.board & ~sum(0x7F << ROW * row + 1 for row in range(1, 8)))
        self.throne = u128(1 << 44)
        self.middle = self.throne | self.around(self.throne)

    def initial(self) -> State:
        return self.parse(START)

    def around(self, cell: u128) -> u128:
        return cell << 1 | cell >> 1 | cell << ROW | cell >> ROW

    def actions(self, state: State) -> Iterator[int]:
        men = state.attackers if state.turn == 0 else state.defenders | state.king
        free = self.board & ~(state.attackers | state.defenders | state.king | self.throne)
        while men:
            start = bit_index(men)
            men &= men - 1
            for step in (1, ROW):
                end = start + step
                while free >> end & 1:
                    yield 128 * start + end
                    end += step
                end = start - step
                while end >= 0 and free >> end & 1:
                    yield 128 * start + end
                    end -= step

    def result(self, state: State, action: int) -> State:
        start, end = u128(1) << action // 128, u128(1) << action % 128
        if state.turn == 0:
            attackers = state.attackers ^ start ^ end
            taken = self.taken(end, attackers, state.defenders | state.king)
            king = state.king & ~taken
            if state.king & self.middle:
                around = self.around(state.king)
                held = around & ~(attackers | self.throne) == 0 and around & end
                king = state.king & 0 if held else state.king
            return self.State(attackers, state.defenders & ~taken, king, 1)
        king = end if start == state.king else state.king
        defenders = state.defenders if start == state.king else state.defenders ^ start ^ end
        taken = self.taken(end, defenders | king, state.attackers)
        return self.State(state.attackers & ~taken, defenders, king, 0)

    def taken(self, moved: u128, own: u128, other: u128) -> u128:
        """The cells of the men captured by a man that has moved to a cell: neighbours with a piece
        of his side behind them."""
        found = moved & 0
        for step in (1, ROW):
            found |= moved << step & other & own >> step
            found |= moved >> step & other & own << step
        return found

    def is_terminal(self, state: State) -> bool:
        if state.king == 0 or state.king & self.edge:
            return True
        return all(False for _ in self.actions(state))

    def utility(self, state: State) -> int:
        return -WON

    def to_move(self, state: State) -> int:
        return state.turn

    def bounds(self, state: State) -> tuple[int, int]:
        return (-WON, WON)

    def evaluate(self, state: State) -> int:
        ahead = state.attackers.bit_count() - 2 * state.defenders.bit_count()
        return ahead if state.turn == 0 else -ahead

    # Texts: the rows from the top, then who moves if it is not the attackers: `.../... D`.

    def parse(self, text: str) -> State:
        rows, _, side = text.strip().partition(" ")
        if side not in ("", "A", "D"):
            raise PositionError(f"after the rows comes A or D, the side to move, not {side!r}")
        board = read_grid(rows, 9, 9, ".ADK")
        if board.count(3) > 1:
            raise PositionError(
                f"there is one king K, or none when he is taken, not {board.count(3)}"
            )
        men = [
            sum(1 << cell + cell // 9 for cell in range(81) if board[cell] == value)
            for value in (1, 2, 3)
        ]
        return self.State(*men, side == "D")

    def format(self, state: State) -> str:
        sides = (state.attackers, state.defenders, state.king)
        board = [
            sum(value * (men >> cell + cell // 9 & 1) for value, men in enumerate(sides, 1))
            for cell in range(81)
        ]
        return write_grid(board, 9, ".ADK") + (" D" if state.turn else "")

    def action_name(self, state: State, action: int) -> str:
        start, end = divmod(int(action), 128)
        return "-".join(cell_name(cell - cell // ROW, 9) for cell in (start, end))
