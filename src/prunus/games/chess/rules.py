"""The rules of chess, also from the starting positions of Chess960."""

from __future__ import annotations

from typing import ClassVar, Final

from prunus.core.bits import bswap, ctz, u64
from prunus.games.chess.moves import (
    BISHOPS,
    CASTLING,
    DOUBLE,
    EN_PASSANT,
    FIRST_RANK,
    KNIGHTS,
    NOT_A,
    NOT_H,
    QUEENS,
    ROOKS,
    Board,
    ChessMoves,
)

WIN: Final = 30_000
"""The value of a mate."""

CLAIMED: Final = 100
AUTOMATIC: Final = 150
"""Plies without a capture or a pawn's move after which a draw can be claimed, and after which the
game is drawn without a claim."""

DARK: Final = u64(0xAA55_AA55_AA55_AA55)


class ChessRules(ChessMoves):
    """The rules of chess alone; the derived class `prunus.games.Chess` describes them and adds what
    searches know."""

    repetition: ClassVar[str] = "draw"
    repetition_count = 3

    def __init__(self, chess960: bool = False, claims: bool = True) -> None:
        super().__init__(chess960)
        self.quiet_limit = CLAIMED if claims else AUTOMATIC
        if not claims:
            self.repetition_count = 5

    def initial(self) -> Board:
        rank = u64(0xFF)
        return self.State(
            rank << 8 | rank << 48,
            u64(0x42) | u64(0x42) << 56,
            u64(0x2C) | u64(0x2C) << 56,
            u64(0x89) | u64(0x89) << 56,
            u64(0x10) | u64(0x10) << 56,
            rank << 8 | rank,
            u64(0x81) | u64(0x81) << 56,
            0,
            0,
            False,
        )

    def quiet_plies(self, state: Board) -> int:
        """The plies since the last capture or pawn move."""
        return int(state.quiet)

    def timeless(self, state: Board) -> Board:
        return state._replace(quiet=0)

    def remembered(self, state: Board, plies: int) -> Board:
        return self.timeless(state) if state.quiet + plies < self.quiet_limit else state

    def turned(self, state: Board) -> Board:
        """The same position with the opponent to move, as he sees it; there is no capture en
        passant."""
        return self.State(
            bswap(state.pawns),
            bswap(state.knights),
            bswap(state.diagonals),
            bswap(state.straights),
            bswap(state.kings),
            bswap(self.occupied(state) & ~state.mine),
            bswap(state.castling),
            0,
            state.quiet,
            not state.black,
        )

    # Results.

    def result(self, state: Board, action: int) -> Board:
        source, target, kind = action & 63, action >> 6 & 63, action >> 12
        if kind == CASTLING:
            return self.castled(state, source, target)
        start, end = u64(1) << source, u64(1) << target
        rest = ~(start | end)
        pawns = state.pawns & rest | (state.pawns >> source & 1) << target
        knights = state.knights & rest | (state.knights >> source & 1) << target
        diagonals = state.diagonals & rest | (state.diagonals >> source & 1) << target
        straights = state.straights & rest | (state.straights >> source & 1) << target
        kings = state.kings & rest | (state.kings >> source & 1) << target
        theirs = self.occupied(state) & ~state.mine & rest
        castling = state.castling & rest
        if state.kings & start:
            castling &= ~FIRST_RANK
        is_quiet = (state.pawns & start | self.occupied(state) & end) == 0
        if kind:
            if kind == EN_PASSANT:
                pawns &= ~(end >> 8)
                theirs &= ~(end >> 8)
            elif kind != DOUBLE:
                pawns ^= end
                if kind == KNIGHTS:
                    knights |= end
                if kind in (BISHOPS, QUEENS):
                    diagonals |= end
                if kind in (ROOKS, QUEENS):
                    straights |= end
        child = self.State(
            bswap(pawns),
            bswap(knights),
            bswap(diagonals),
            bswap(straights),
            bswap(kings),
            bswap(theirs),
            bswap(castling),
            0,
            min(state.quiet + 1, AUTOMATIC) if is_quiet else 0,
            not state.black,
        )
        return self.with_passing(child, target ^ 56) if kind == DOUBLE else child

    def castled(self, state: Board, king: int, rook: int) -> Board:
        """The State after castling with a rook."""
        king_to, rook_to = (2, 3) if rook < king else (6, 5)
        start, end = u64(1) << rook, u64(1) << rook_to
        return self.State(
            bswap(state.pawns),
            bswap(state.knights),
            bswap(state.diagonals),
            bswap(state.straights & ~start | end),
            bswap(state.kings & ~(u64(1) << king) | u64(1) << king_to),
            bswap(self.occupied(state) & ~state.mine),
            bswap(state.castling & ~FIRST_RANK),
            0,
            min(state.quiet + 1, AUTOMATIC),
            not state.black,
        )

    def with_passing(self, child: Board, square: int) -> Board:
        """The State after a pawn's step of two squares to `square`, as the opponent sees it: its
        field `en_passant` is set if the opponent may take the pawn."""
        place = u64(1) << square
        beside = ((place & NOT_A) >> 1 | (place & NOT_H) << 1) & child.pawns & child.mine
        if beside == 0:
            return child
        passed = child._replace(en_passant=square + 8)
        while beside:
            if self.may_take_passing(passed, beside & -beside):
                return passed
            beside &= beside - 1
        return child

    # The end.

    def is_terminal(self, state: Board) -> bool:
        if state.quiet >= self.quiet_limit or self.is_dead(state):
            return True
        return not self.can_move(state)

    def utility(self, state: Board) -> int:
        return -WIN if self.in_check(state) and not self.can_move(state) else 0

    def is_dead(self, state: Board) -> bool:
        """Whether neither side has the material for a mate: only kings, one knight or bishop
        besides, or bishops on squares of one colour."""
        queens = state.diagonals & state.straights
        if state.pawns | state.straights | queens:
            return False
        minor = state.knights | state.diagonals
        if minor & (minor - 1) == 0:
            return True
        return state.knights == 0 and (minor & DARK == 0 or minor & ~DARK == 0)

    def can_move(self, state: Board) -> bool:
        """Whether there is an action."""
        now = self.survey(state)
        # Most positions have an action of a piece that is found without looking for all.
        one = (state.pawns & state.mine & ~now.pinned) << 8 & ~now.occupied & now.useful
        if one or self.king_targets(state, now):
            return True
        movers = state.mine if now.useful else u64(0)
        while movers:
            if self.targets(state, now, ctz(movers)):
                return True
            movers &= movers - 1
        return False
