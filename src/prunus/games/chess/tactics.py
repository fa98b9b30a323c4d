"""Which moves of chess disturb the balance, and which to try first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from prunus.core.bits import ctz, i64, mix, u64
from prunus.core.knowledge.tactics import Tactics
from prunus.games import recommended
from prunus.games.chess.attacks import (
    FALLING,
    FILE,
    FORWARD,
    KING,
    KNIGHT,
    RISING,
    along_diagonals,
    along_files,
)
from prunus.games.chess.moves import (
    CASTLING,
    DOUBLE,
    EN_PASSANT,
    FIRST_RANK,
    KNIGHTS,
    LAST_RANK,
    NOT_A,
    NOT_H,
    QUEENS,
    Board,
)
from prunus.games.chess.rules import ChessRules

WORTH: Final = (1, 3, 3, 5, 9, 10)
"""Pawn, knight, bishop, rook, queen, and the king, which takes last of all."""


EXCHANGED: Final = (100, 325, 335, 500, 975, 20_000)
"""The same in centipawns, for exchanges."""


ASPECT: Final = 0x9E37_79B9_7F4A_7C15
"""An odd factor that keeps the bits of different boards apart (`ChessTactics.aspect`)."""


LIKELIHOOD: Final = (0.34, 0.11, 0.02, 0.004)
"""How probable a move is for Floyd's rule: a capture or promotion that wins at least a pawn, an
even exchange, a quiet move that loses nothing, and one that loses material. Fitted on 500 random
positions, `prunus fit likelihood chess --depth 5 --samples 500 --seed 6`, which shows how often the
best move is one of each kind."""


class ChessTactics(ChessRules, Tactics):
    """Captures and promotions are noisy. They are tried in the order of what they win, and of two
    captures of equal pieces first that by the lesser piece (MVV-LVA)."""

    playing_options: ClassVar[Mapping[str, int]] = recommended.CHESS
    aspects: ClassVar[int] = 3

    def noisy_actions(self, state: Board) -> Iterator[int]:
        theirs = self.occupied(state) & ~state.mine
        passing = u64(1) << state.en_passant if state.en_passant else u64(0)
        for action in self.moves_to(state, ~u64(0), theirs, theirs | LAST_RANK | passing):
            yield action

    def quiet_actions(self, state: Board) -> Iterator[int]:
        theirs = self.occupied(state) & ~state.mine
        passing = u64(1) << state.en_passant if state.en_passant else u64(0)
        for action in self.moves_to(state, ~u64(0), ~theirs, ~(theirs | LAST_RANK | passing)):
            yield action

    def is_noisy(self, state: Board, action: int) -> bool:
        target, kind = u64(1) << (action >> 6 & 63), action >> 12
        taken = self.occupied(state) & ~state.mine & target
        return taken != 0 or 0 < kind <= EN_PASSANT

    def is_action(self, state: Board, number: int) -> bool:
        source, target, kind = number & 63, number >> 6 & 63, number >> 12
        if not 0 <= kind <= DOUBLE or not state.mine >> source & 1:
            return False
        now = self.survey(state)
        if now.useful == 0 and not state.kings >> source & 1:
            return False
        if not self.targets(state, now, source) >> target & 1:
            return False
        if state.pawns >> source & 1:
            first = self.kind(state, source, target)
            return first <= kind <= (QUEENS if first == KNIGHTS else first)
        return kind == (CASTLING if state.mine >> target & 1 else 0)

    def action_class(self, state: Board, action: int) -> int:
        """The piece and its target."""
        return self.piece_on(state, action & 63) << 6 | action >> 6 & 63

    def aspect(self, state: Board, number: int) -> u64:
        """The pawns; the other pieces of the player to move; those of the opponent."""
        if number == 0:
            return mix(state.pawns * ASPECT + (state.pawns & state.mine))
        side = (state.mine if number == 1 else ~state.mine) & ~state.pawns
        word = (state.knights & side) * ASPECT + (state.diagonals & side)
        return mix((word ^ word >> 32) * ASPECT + (state.straights & side) ^ state.kings & side)

    def order(self, state: Board, action: int) -> int:
        """0 for a quiet action, so that what the search has learnt decides."""
        kind, target = action >> 12, action >> 6 & 63
        won = 0
        if kind == EN_PASSANT:
            won = WORTH[0]
        elif (self.occupied(state) & ~state.mine) >> target & 1:
            won = WORTH[self.piece_on(state, target)]
        if 0 < kind <= QUEENS:
            won += WORTH[kind] - WORTH[0]
        return 16 * won - WORTH[self.piece_on(state, action & 63)] if won else 0

    def piece_on(self, state: Board, square: int) -> int:
        """The piece on a square that is not empty: 0 a pawn, then 1 a knight, 2 a bishop, 3 a rook,
        4 a queen, 5 a king."""
        # A sum of bits costs less than branches, which are hard to predict.
        bishop, rook = state.diagonals >> square & 1, state.straights >> square & 1
        lesser = (state.knights >> square & 1) + 2 * bishop + 3 * rook - (bishop & rook)
        return i64(lesser + 5 * (state.kings >> square & 1))

    def wins_exchange(self, state: Board, action: int, least: int) -> bool:
        """The captures on the target, each by the least piece, which either side may end; pins
        are overlooked."""
        source, target, kind = action & 63, action >> 6 & 63, action >> 12
        if kind == CASTLING:
            return least <= 0
        start, end = u64(1) << source, u64(1) << target
        occupied = (self.occupied(state) & ~start) | end
        balance, moved = -least, self.piece_on(state, source)
        if kind == EN_PASSANT:
            balance += EXCHANGED[0]
            occupied &= ~(end >> 8)
        elif self.occupied(state) & end:
            balance += EXCHANGED[self.piece_on(state, target)]
        if 0 < kind <= QUEENS:
            balance += EXCHANGED[kind] - EXCHANGED[0]
            moved = kind
        if balance < 0:
            return False
        # `balance`: what the side that captures next must win to turn the answer round.
        balance = EXCHANGED[moved] - balance
        is_mine, wins = False, True
        occupied &= ~end
        while balance > 0 or not wins:
            takers = self.takers(state, target, occupied) & (state.mine if is_mine else ~state.mine)
            if takers == 0:
                break
            wins = not wins
            taker = self.least_piece(state, takers)
            balance = EXCHANGED[self.piece_on(state, ctz(taker))] - balance
            if balance < (1 if wins else 0):
                break
            occupied &= ~taker
            is_mine = not is_mine
        return wins

    def takers(self, state: Board, square: int, occupied: u64) -> u64:
        """The pieces of both sides among `occupied` that attack a square."""
        place = u64(1) << square
        below = (place & NOT_A) >> 9 | (place & NOT_H) >> 7
        return occupied & (
            KNIGHT[square & 63] & state.knights
            | KING[square & 63] & state.kings
            | (FORWARD[square & 63] & ~state.mine | below & state.mine) & state.pawns
            | along_diagonals(occupied, square) & state.diagonals
            | along_files(occupied, square) & state.straights
        )

    def least_piece(self, state: Board, pieces: u64) -> u64:
        """The place of one of the least of some pieces."""
        queens = state.diagonals & state.straights
        found = pieces & state.pawns
        if found == 0:
            found = pieces & state.knights
        if found == 0:
            found = pieces & state.diagonals & ~queens
        if found == 0:
            found = pieces & state.straights & ~queens
        if found == 0:
            found = pieces & queens
        if found == 0:
            found = pieces
        return found & -found

    def gives_check(self, state: Board, action: int) -> bool:
        source, target, kind = action & 63, action >> 6 & 63, action >> 12
        if 0 < kind <= CASTLING:
            return self.in_check(self.result(state, action))
        start, end = u64(1) << source, u64(1) << target
        king = ctz(state.kings & ~state.mine)
        lines = RISING[king & 63] | FALLING[king & 63] | FILE[king & 63] | FIRST_RANK << (king & 56)
        if (start | end) & lines == 0:
            return state.knights & start != 0 and KNIGHT[king & 63] & end != 0
        if state.pawns & start and FORWARD[target] >> king & 1:
            return True
        if state.knights & start and KNIGHT[king & 63] & end:
            return True
        occupied, mine = self.occupied(state) & ~start | end, state.mine & ~start
        diagonals = state.diagonals & mine | (end if state.diagonals & start else u64(0))
        straights = state.straights & mine | (end if state.straights & start else u64(0))
        return (
            along_diagonals(occupied, king) & diagonals | along_files(occupied, king) & straights
        ) != 0

    def likelihood(self, state: Board, action: int) -> float:
        """A capture or promotion that wins material is likelier than an even exchange, a quiet move
        to a safe square, and a sacrifice. (A recapture is one that wins: what it takes back was
        lost before.) See `LIKELIHOOD`."""
        if not self.is_noisy(state, action):
            return LIKELIHOOD[2 if self.wins_exchange(state, action, 0) else 3]
        if self.wins_exchange(state, action, EXCHANGED[0]):
            return LIKELIHOOD[0]
        return LIKELIHOOD[1 if self.wins_exchange(state, action, 0) else 3]

    def zugzwang(self, state: Board) -> bool:
        """Whether the player to move has only a king and pawns."""
        return state.mine & ~(state.pawns | state.kings) == 0

    def pass_turn(self, state: Board) -> Board:
        return self.turned(state)
