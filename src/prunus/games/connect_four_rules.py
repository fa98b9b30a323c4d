"""The rules of Connect Four on words of any length: what the classes for boards of 64, 128 and 256 bits share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from prunus.bits import u64, u128, u256
from prunus.game import Game, PositionError
from prunus.games.boards import is_start, read_rows

WIN, BLOCK, GIFT = 1 << 16, 1 << 14, 1 << 13
"""What `order` gives a win, a stone that stops one, and takes from one that lets the opponent win."""


class ConnectFourRules(Game):
    """What holds on boards of every size; see `prunus.games.ConnectFour`. A class derived from it has a `State` of `mine` and `mask`."""

    bits: ClassVar[int]
    """How many bits the fields of a State have."""

    def __init__(self, width: int = 7, height: int = 6) -> None:
        if width < 1 or height < 1:
            raise ValueError(f"width and height must be at least 1, not {width} and {height}")
        if width * (height + 1) > self.bits:
            needed = f"a board of {width} x {height} needs {width * (height + 1)} bits, width x (height + 1)"
            raise ValueError(f"{needed}; {self.bits} are the limit of {type(self).__name__}")
        word = {64: u64, 128: u128, 256: u256}[self.bits]
        self.width, self.height = width, height
        self.columns = tuple(sorted(range(width), key=lambda column: (abs(2 * column - width + 1), column)))
        self.one = word(1)
        self.foot = word(sum(1 << column * (height + 1) for column in range(width)))
        self.full = word(sum(((1 << height) - 1) << column * (height + 1) for column in range(width)))
        self.roof = self.foot << height
        self.middle = word(((2 << height) - 1) << width // 2 * (height + 1) if width % 2 == 1 else 0)
        # The rows from which an even number of cells, this one among them, leads to the top, and the others.
        self.even = word(sum(int(self.foot) << row for row in range(height) if (height - row) % 2 == 0))
        self.odd = self.full ^ self.even

    def initial(self) -> Any:
        return self.State(0, 0)

    def actions(self, state: Any) -> Iterator[int]:
        for column in self.columns:
            if (state.mask >> (column * (self.height + 1) + self.height - 1)) & 1 == 0:
                yield column

    def result(self, state: Any, action: int) -> Any:
        # Adding a bit at the foot of a column carries up to its lowest free cell.
        foot = self.one << (action * (self.height + 1))
        return self.State(state.mine ^ state.mask, state.mask | (state.mask + foot))

    def has_four(self, stones: u64) -> bool:
        """Whether these stones hold four in line."""
        h = self.height
        pairs = stones & (stones >> 1)  # vertical
        if pairs & (pairs >> 2):
            return True
        pairs = stones & (stones >> (h + 1))  # horizontal
        if pairs & (pairs >> (2 * h + 2)):
            return True
        pairs = stones & (stones >> h)  # falling to the right
        if pairs & (pairs >> (2 * h)):
            return True
        pairs = stones & (stones >> (h + 2))  # rising to the right
        return (pairs & (pairs >> (2 * h + 4))) != 0

    def is_terminal(self, state: Any) -> bool:
        return state.mask == self.full or self.has_lost(state)

    def utility(self, state: Any) -> int:
        if self.has_lost(state):
            return -((self.width * self.height + 2 - state.mask.bit_count()) // 2)
        return 0

    def bounds(self, state: Any) -> tuple[int, int]:
        """What a win or a loss as soon as possible would be worth; both limits are the value where a win with the next stone or a loss with
        the one after it is certain. Nobody wins before the fourth stone of his own, which is stone 7 or 8 of the game, nor where his
        stones and all empty cells together hold no four, nor the player to move where following him denies it (`followed_up`)."""
        opponent = state.mine ^ state.mask
        stones = state.mask.bit_count()
        cells = self.width * self.height
        if self.has_lost(state):
            lost = -((cells + 2 - stones) // 2)
            return (lost, lost)
        playable = (state.mask + self.foot) & self.full
        if self.wins(state) & playable:
            won = (cells + 1 - stones) // 2
            return (won, won)
        threats = self.threats(state)
        if playable and self.safe(threats, playable) == 0:
            lost = -((cells - stones) // 2)
            return (lost, lost)
        empty = self.full ^ state.mask
        lost_at = max(stones + 4, 8 - stones % 2)
        won_at = max(stones + 3, 8 - (stones + 1) % 2)
        low = -max(0, (cells + 2 - lost_at) // 2) if self.has_four(opponent | empty) else 0
        high = max(0, (cells + 2 - won_at) // 2) if self.has_four(state.mine | empty) else 0
        return (low, min(high, self.followed_up(state.mine, opponent, threats)))

    def followed_up(self, mine: u64, opponent: u64, threats: u64) -> int:
        """The most that the player to move gets from an opponent with these `threats` who only follows up (Allis 1988, claimeven), where
        that denies the player to move every four; otherwise a value beyond all others.

        The follower sets his stone on top of the last one while the columns hold even numbers of empty cells, so that he gets the
        upper cell of each pair. Where two columns hold odd numbers, he answers the lowest cell of one with that of the other. A column
        whose odd number ends below a threat of his is even without the two last cells: who takes the one below the threat loses, and in
        the end the player to move must. All of this is sure where the stones of the player to move, with all cells that he may get, hold
        no four.
        """
        mask = mine | opponent
        empty = self.full ^ mask
        heads = (mask + self.foot) & self.odd  # the lowest empty cells of columns that hold odd numbers
        uneven = (heads + self.full) & self.roof  # those columns, as cells of the roof
        goals = (threats & self.even) | self.roof
        upto = goals ^ (goals - self.foot)  # in each column from the bottom to the lowest goal, which may be the roof
        cut = uneven & ~upto
        single = uneven ^ cut
        if single.bit_count() % 2 == 1:
            if cut == 0:
                return self.width * self.height
            single |= cut & (~cut + 1)
            cut &= cut - 1
        closed = cut - (cut >> self.height)  # all cells of columns with a threat that counts
        below = upto & ~goals
        heads &= single - (single >> self.height)
        his = (empty & self.even & ~closed) | (empty & self.odd & below & closed) | heads
        if self.has_four(mine | his):
            return self.width * self.height
        if cut:
            unused = (empty & closed & ~below).bit_count() - 1
            return -((unused + 2) // 2)
        theirs = empty & self.odd & ~heads
        return -1 if self.has_four(opponent | theirs) else 0

    # What a State says of fours; `SolvingConnectFour` has it at hand.

    def has_lost(self, state: Any) -> bool:
        """Whether the opponent has four in line."""
        return self.has_four(state.mine ^ state.mask)

    def wins_with(self, state: Any, stone: u64) -> bool:
        """Whether this stone gives the player to move four in line."""
        return self.has_four(state.mine | stone)

    def wins(self, state: Any) -> u64:
        """The empty cells that give the player to move four in line."""
        return self.completing(state.mine, state.mask)

    def threats(self, state: Any) -> u64:
        """The empty cells that give his opponent four in line."""
        return self.completing(state.mine ^ state.mask, state.mask)

    def plies_left(self, state: Any) -> int:
        return self.width * self.height - state.mask.bit_count()

    def safe(self, threats: u64, playable: u64) -> u64:
        """The playable cells after which an opponent with these threats does not win with his next stone; he wins where there are none."""
        forced = threats & playable
        if forced:
            playable = forced if forced & (forced - 1) == 0 else self.one & 0
        return playable & ~(threats >> 1)

    def worthwhile(self, state: Any) -> Iterator[int]:
        """A win with the next stone, or else what does not lose to the opponent's next one; where nothing of that kind is left, all."""
        playable = (state.mask + self.foot) & self.full
        cells = self.wins(state) & playable
        if cells == 0:
            cells = self.safe(self.threats(state), playable)
        if cells == 0:
            cells = playable
        for column in self.columns:
            if (cells >> (column * (self.height + 1))) & ((1 << self.height) - 1):
                yield column

    def order(self, state: Any, action: int) -> int:
        """Wins first, then stones that stop a win; last those that let the opponent win above them. Among the others, what counts is the
        threats that a stone makes or keeps, those most below which the opponent must not play; fours in the making; how few fours
        it leaves open to the opponent; and how near the centre it is. The weights were tuned on node counts."""
        column = ((self.one << self.height) - 1) << (action * (self.height + 1))
        stone = (state.mask + self.foot) & column
        if self.wins_with(state, stone):
            return WIN
        opponent = state.mine ^ state.mask
        mine, mask = state.mine | stone, state.mask | stone
        made = self.completing(mine, mask)
        score = 64 * made.bit_count() + 144 * (made & ((mask + self.foot) << 1)).bit_count()
        score += self.prospects(mine, opponent, self.full ^ mask) - 4 * abs(2 * action - self.width + 1)
        threats = self.threats(state)
        if stone & threats:
            score += BLOCK
        if (stone << 1) & threats:
            score -= GIFT
        return score

    def prospects(self, mine: u64, opponent: u64, empty: u64) -> int:
        """What the fours still open are worth: those that `mine` fills by half or more, less those that the opponent can complete."""
        h = self.height
        count = 0
        free, open_to_him = mine | empty, opponent | empty
        for step in (1, h, h + 1, h + 2):
            second, third, fourth = mine >> step, mine >> (2 * step), mine >> (3 * step)
            half = (mine & second) | (third & fourth) | ((mine | second) & (third | fourth))
            pairs = free & (free >> step)
            count += 10 * (pairs & (pairs >> (2 * step)) & half).bit_count()
            pairs = open_to_him & (open_to_him >> step)
            count -= 4 * (pairs & (pairs >> (2 * step))).bit_count()
        return count

    def completing(self, stones: u64, mask: u64) -> u64:
        """The empty cells, reachable now or not, where one more stone of this side makes four in line."""
        h = self.height
        cells = (stones << 1) & (stones << 2) & (stones << 3)  # vertical
        for step in (h + 1, h, h + 2):  # horizontal, falling, rising
            pair = (stones << step) & (stones << (2 * step))
            cells |= pair & ((stones << (3 * step)) | (stones >> step))
            pair = (stones >> step) & (stones >> (2 * step))
            cells |= pair & ((stones >> (3 * step)) | (stones << step))
        return cells & (self.full ^ mask)

    def canonical(self, state: Any) -> Any:
        """The smaller of the position and its mirror image, comparing `mine`, then `mask`."""
        mine = self.mirrored(state.mine)
        mask = self.mirrored(state.mask)
        if mine < state.mine or (mine == state.mine and mask < state.mask):
            return self.State(mine, mask)
        return state

    def mirrored(self, stones: u64) -> u64:
        """The stones with the columns in reverse order."""
        turned = stones & self.middle
        for i in range(self.width // 2):
            column = ((self.one << self.height + 1) - 1) << (i * (self.height + 1))
            distance = (self.width - 1 - 2 * i) * (self.height + 1)
            turned |= ((stones >> distance) & column) | ((stones & column) << distance)
        return turned

    def stones(self, state: Any) -> int:
        """The number of stones on the board."""
        return int(state.mask.bit_count())

    # Texts.

    def parse(self, text: str) -> Any:
        if is_start(text):
            return self.initial()
        if "." in text or "/" in text or "X" in text.upper():
            return self._parse_rows(text)
        separated = self.width > 9 or "," in text or " " in text.strip()
        return self._play_columns(text.replace(",", " ").split() if separated else list(text.strip()))

    def _play_columns(self, columns: list[str]) -> Any:
        state = self.initial()
        for number, column in enumerate(columns, 1):
            where = f"move {number} (column {column})"
            if not column.isdecimal():
                raise PositionError(f"move {number} ({column!r}) is not the number of a column")
            if not 1 <= int(column) <= self.width:
                raise PositionError(f"{where}: there is no such column; columns are 1 to {self.width}")
            if self.is_terminal(state):
                raise PositionError(f"{where}: the game is already over")
            if int(column) - 1 not in self.actions(state):
                raise PositionError(f"{where}: the column is full")
            state = self.result(state, int(column) - 1)
        return state

    def _parse_rows(self, text: str) -> Any:
        stones = {"X": 0, "O": 0, ".": 0}
        for row, cells in enumerate(read_rows(text, self.height, self.width)):
            for column, cell in enumerate(cells):
                stones[cell] |= 1 << column * (self.height + 1) + self.height - 1 - row
        first, second = self.one * stones["X"], self.one * stones["O"]
        for column in range(self.width):
            heap = int((first | second) >> column * (self.height + 1)) & ((1 << self.height) - 1)
            if heap & (heap + 1):
                raise PositionError(f"column {column + 1}: a stone hangs over an empty cell")
        mine, theirs = (first, second) if first.bit_count() == second.bit_count() else (second, first)
        if self.has_four(mine):
            raise PositionError(f"the player to move already has four in line, which had ended the game: {text!r}")
        return self.made(mine, mine | theirs)

    def made(self, mine: u64, mask: u64) -> Any:
        """The State with these stones."""
        return self.State(mine, mask)

    def format(self, state: Any) -> str:
        mine, mask = int(state.mine), int(state.mask)
        first = mine if mask.bit_count() % 2 == 0 else mine ^ mask

        def cell(place: int) -> str:
            return "." if not mask >> place & 1 else "X" if first >> place & 1 else "O"

        stride, rows = self.height + 1, reversed(range(self.height))
        return "/".join("".join(cell(column * stride + row) for column in range(self.width)) for row in rows)

    def action_name(self, state: Any, action: int) -> str:
        return str(int(action) + 1)
