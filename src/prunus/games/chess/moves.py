"""The moves of chess: its State, and which actions are legal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from prunus.core.bits import ctz, u8, u64
from prunus.core.rules import Rules
from prunus.games.chess.attacks import (
    FORWARD,
    KING,
    KNIGHT,
    along_diagonals,
    along_files,
    between,
    lines,
)

KNIGHTS, BISHOPS, ROOKS, QUEENS, EN_PASSANT, CASTLING, DOUBLE = 1, 2, 3, 4, 5, 6, 7
"""What an action is besides a move from one square to another, in its bits 12 to 14: a promotion,
a capture en passant, castling (the target is the rook's square), a pawn's step of two squares."""

FIRST_RANK: Final = u64(0xFF)
THIRD_RANK: Final = u64(0xFF) << 16
LAST_RANK: Final = u64(0xFF) << 56
NOT_A: Final = u64(0xFEFE_FEFE_FEFE_FEFE)
NOT_H: Final = u64(0x7F7F_7F7F_7F7F_7F7F)


class Survey(NamedTuple):
    """What limits the actions of a State: all pieces, the opponent's, the king's square, the pieces
    that give check, the squares on which a piece other than the king ends a check (all but one's
    own if there is none), and the own pieces that must stay on a line with the king."""

    occupied: u64
    theirs: u64
    king: int
    checkers: u64
    useful: u64
    pinned: u64


class ChessMoves(Rules):
    """The State of chess, and its actions; the derived class `prunus.games.Chess` describes
    them."""

    class State(NamedTuple):
        pawns: u64
        knights: u64
        diagonals: u64
        straights: u64
        kings: u64
        mine: u64
        castling: u64
        en_passant: u8
        quiet: u8
        black: bool

    def __init__(self, chess960: bool) -> None:
        self.chess960 = bool(chess960)
        self.between, self.lines = between(), lines()

    # Attacks.

    def attackers(self, state: State, square: int, occupied: u64) -> u64:
        """The opponent's pieces among `occupied` that attack a square, if `occupied` are the
        squares that stop a line."""
        theirs = occupied & ~state.mine
        return theirs & (
            KNIGHT[square & 63] & state.knights
            | KING[square & 63] & state.kings
            | FORWARD[square & 63] & state.pawns
            | along_diagonals(occupied, square) & state.diagonals
            | along_files(occupied, square) & state.straights
        )

    def occupied(self, state: State) -> u64:
        """The squares with a piece."""
        return state.pawns | state.knights | state.diagonals | state.straights | state.kings

    def survey(self, state: State) -> Survey:
        """What limits the actions."""
        occupied = self.occupied(state)
        mine, theirs = state.mine, occupied & ~state.mine
        king = ctz(state.kings & mine)
        diagonals, straights = state.diagonals & theirs, state.straights & theirs
        rising, files = along_diagonals(occupied, king), along_files(occupied, king)
        checkers = rising & diagonals | files & straights
        checkers |= (KNIGHT[king & 63] & state.knights | FORWARD[king & 63] & state.pawns) & theirs
        useful = ~mine
        if checkers:
            useful = checkers | self.between[king << 6 | ctz(checkers)]
            if checkers & (checkers - 1):
                useful = u64(0)
        # A pinned piece is one of ours next to the king on a line, with a line piece behind it.
        pinned = u64(0)
        behind = (
            along_diagonals(occupied & ~(rising & mine), king) & ~rising & diagonals
            | along_files(occupied & ~(files & mine), king) & ~files & straights
        )
        while behind:
            pinned |= self.between[king << 6 | ctz(behind)] & mine
            behind &= behind - 1
        return Survey(occupied, theirs, king, checkers, useful, pinned)

    def in_check(self, state: State) -> bool:
        """Whether the king of the player to move is attacked."""
        return self.attackers(state, ctz(state.kings & state.mine), self.occupied(state)) != 0

    # Actions.

    def actions(self, state: State) -> Iterator[int]:
        for action in self.moves_to(state, ~u64(0), ~u64(0), ~u64(0)):
            yield action

    def moves_to(self, state: State, sources: u64, goals: u64, pawn_goals: u64) -> Iterator[int]:
        """The actions from some squares to some squares; pawns have their own goals."""
        now = self.survey(state)
        movers = sources & (state.mine if now.useful else state.kings & state.mine)
        while movers:
            source = ctz(movers)
            movers &= movers - 1
            is_pawn = (state.pawns >> source) & 1 != 0
            targets = self.targets(state, now, source) & (pawn_goals if is_pawn else goals)
            while targets:
                target = ctz(targets)
                targets &= targets - 1
                kind = self.kind(state, source, target) if is_pawn else 0
                last = QUEENS if kind == KNIGHTS else kind
                if not is_pawn and (state.mine >> target) & 1:
                    kind = last = CASTLING
                for each in range(kind, last + 1):
                    yield source | target << 6 | each << 12

    def kind(self, state: State, source: int, target: int) -> int:
        """The kind of a pawn's move; the first one for a promotion."""
        if target >= 56:
            return KNIGHTS
        if target - source == 16:
            return DOUBLE
        return EN_PASSANT if target == state.en_passant else 0

    def targets(self, state: State, now: Survey, source: int) -> u64:
        """The squares to which the piece on a square may move; for castling the rook's square."""
        place = u64(1) << source
        if state.kings & place:
            return self.king_targets(state, now) | self.castles(state, now)
        if state.pawns & place:
            found = self.pawn_targets(state, now, place)
        elif state.knights & place:
            found = KNIGHT[source & 63] & now.useful
        else:
            found = u64(0)
            if state.diagonals & place:
                found |= along_diagonals(now.occupied, source)
            if state.straights & place:
                found |= along_files(now.occupied, source)
            found &= now.useful
        if now.pinned & place:
            found &= self.lines[now.king << 6 | source]
        if state.pawns & place and FORWARD[source & 63] >> state.en_passant & 1:
            # The pawn that is taken may give check or cover the king, so that the rest of the rules
            # does not see whether this is legal.
            bit = u64(1) << state.en_passant
            found &= ~bit
            if self.may_take_passing(state, place):
                found |= bit
        return found

    def king_targets(self, state: State, now: Survey) -> u64:
        """The squares to which the king may go, but for castling."""
        near, found = KING[now.king & 63] & ~state.mine, u64(0)
        rest = now.occupied ^ (u64(1) << now.king)
        while near:
            if self.attackers(state, ctz(near), rest) == 0:
                found |= near & -near
            near &= near - 1
        return found

    def castles(self, state: State, now: Survey) -> u64:
        """The rooks with which the king may castle."""
        rooks, found = state.castling & FIRST_RANK, u64(0)
        if now.checkers:
            return found
        while rooks:
            rook = ctz(rooks)
            rooks &= rooks - 1
            king_to, rook_to = (2, 3) if rook < now.king else (6, 5)
            rest = now.occupied ^ (u64(1) << now.king) ^ (u64(1) << rook)
            way = self.way(now.king, king_to)
            if rest & (way | self.way(rook, rook_to)):
                continue
            while way and self.attackers(state, ctz(way), rest) == 0:
                way &= way - 1
            if way == 0:
                found |= u64(1) << rook
        return found

    def way(self, source: int, target: int) -> u64:
        """The squares of the first rank from one to the other, both included."""
        low, high = min(source, target), max(source, target)
        return (u64(2) << high) - (u64(1) << low)

    def pawn_targets(self, state: State, now: Survey, place: u64) -> u64:
        """The squares to which a pawn may go if it is not pinned, but for en passant."""
        one = place << 8 & ~now.occupied
        two = (one & THIRD_RANK) << 8 & ~now.occupied
        takes = (place & NOT_A) << 7 | (place & NOT_H) << 9
        return (one | two | takes & now.theirs) & now.useful

    def may_take_passing(self, state: State, place: u64) -> bool:
        """Whether the pawn on `place`, beside the one that has just made a step of two squares, may
        take it: whether the king is safe afterwards."""
        taken = u64(1) << (state.en_passant - 8)
        occupied = (self.occupied(state) ^ place ^ taken) | taken << 8
        king = ctz(state.kings & state.mine)
        # The pawn's new square counts as the opponent's here, but there is no piece on it.
        return self.attackers(state, king, occupied) == 0

    # Counting them.

    def action_count(self, state: State) -> int:
        """The number of actions: those of each piece are counted together, and so are all pawns'
        that are not pinned."""
        now = self.survey(state)
        count = self.king_targets(state, now).bit_count()
        if now.useful == 0:
            return count
        if state.castling & FIRST_RANK:
            count += self.castles(state, now).bit_count()
        knights = state.knights & state.mine & ~now.pinned
        while knights:
            count += (KNIGHT[ctz(knights) & 63] & now.useful).bit_count()
            knights &= knights - 1
        lines = state.diagonals & state.mine
        while lines:
            source = ctz(lines)
            found = along_diagonals(now.occupied, source) & now.useful
            if now.pinned & lines & -lines:
                found &= self.lines[now.king << 6 | source]
            count += found.bit_count()
            lines &= lines - 1
        lines = state.straights & state.mine
        while lines:
            source = ctz(lines)
            found = along_files(now.occupied, source) & now.useful
            if now.pinned & lines & -lines:
                found &= self.lines[now.king << 6 | source]
            count += found.bit_count()
            lines &= lines - 1
        return count + self.pawn_action_count(state, now)

    def pawn_action_count(self, state: State, now: Survey) -> int:
        """The number of the pawns' actions; a move to the last rank counts four times."""
        pawns = state.pawns & state.mine
        free = pawns & ~now.pinned
        one = free << 8 & ~now.occupied
        two = (one & THIRD_RANK) << 8 & ~now.occupied & now.useful
        one &= now.useful
        left = (free & NOT_A) << 7 & now.theirs & now.useful
        right = (free & NOT_H) << 9 & now.theirs & now.useful
        count = one.bit_count() + two.bit_count() + left.bit_count() + right.bit_count()
        if (one | left | right) & LAST_RANK:
            count += 3 * (
                (one & LAST_RANK).bit_count()
                + (left & LAST_RANK).bit_count()
                + (right & LAST_RANK).bit_count()
            )
        pinned = pawns & now.pinned
        while pinned:
            place = pinned & -pinned
            found = self.pawn_targets(state, now, place)
            found &= self.lines[now.king << 6 | ctz(pinned)]
            count += found.bit_count() + 3 * (found & LAST_RANK).bit_count()
            pinned ^= place
        if state.en_passant:
            passed = u64(1) << state.en_passant
            beside = ((passed & NOT_A) >> 9 | (passed & NOT_H) >> 7) & pawns
            while beside:
                if self.may_take_passing(state, beside & -beside):
                    count += 1
                beside &= beside - 1
        return count


Board = ChessMoves.State
