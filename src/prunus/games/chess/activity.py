"""Features of chess that all pieces decide: mobility, attacks on kings, threats, free passed
pawns."""

from __future__ import annotations

from typing import Final, NamedTuple

import prunus.games.chess.features as of
from prunus.core.bits import bswap, ctz, u64
from prunus.core.knowledge.evaluation import Weights
from prunus.games.chess.attacks import KING, KNIGHT, along_diagonals, along_files
from prunus.games.chess.moves import Board
from prunus.games.chess.rules import DARK, ChessRules
from prunus.games.chess.structure import (
    above,
    below,
    beside,
    filled,
    hit_downwards,
    hit_upwards,
)

HITS: Final = (0, 2, 2, 3, 5)
"""What a knight, bishop, rook or queen adds to an attack on a king, besides the squares near him
that it attacks."""

MOVES: Final = (0, of.KNIGHT_MOVES, of.BISHOP_MOVES, of.ROOK_MOVES, of.QUEEN_MOVES)

CENTRE_FILES: Final = u64(0x3C3C_3C3C_3C3C_3C3C)
HOME: Final = u64(0xFFFF_FF00)
"""The second to the fourth rank."""
OUTPOSTS: Final = u64(0xFFFF_FF00_0000)
"""The fourth to the sixth rank."""


class Reach(NamedTuple):
    """What the pieces of a kind attack, once and more than once; the worth of their mobility; and
    their weight in an attack on a king."""

    once: u64
    twice: u64
    worth: int
    units: int


class Force(NamedTuple):
    """What the pieces of a side attack, as the player to move sees the board."""

    pawns: u64
    knights: Reach
    bishops: Reach
    rooks: Reach
    queens: Reach
    pieces: u64
    king: u64
    twice: u64


class ChessActivity(ChessRules):
    """The weighted sums of features of pieces."""

    weights: Weights

    def reach(self, squares: u64, kind: int, occupied: u64, area: u64, zone: u64) -> Reach:
        """What the pieces of a kind (1 knights to 4 queens) on some squares attack; `area` are the
        squares that count as moves, `zone` those near the opponent's king."""
        once, twice, worth, units = u64(0), u64(0), 0, 0
        while squares:
            square = ctz(squares)
            found = u64(0)
            if kind == 1:
                found = KNIGHT[square & 63]
            if kind == 2 or kind == 4:  # noqa: PLR1714 - a comparison each is folded away
                found = along_diagonals(occupied, square)
            if kind >= 3:
                found |= along_files(occupied, square)
            twice |= once & found
            once |= found
            count = (found & area).bit_count()
            worth += self.weights[MOVES[kind] + (count >> 1 if kind == 4 else count)]
            near = found & zone
            if near:
                units += HITS[kind] + near.bit_count()
            squares &= squares - 1
        return Reach(once, twice, worth, units)

    def force(self, board: Board) -> Force:
        """What the player to move attacks. Bishops see through own queens, rooks through own rooks
        and queens."""
        mine, occupied = board.mine, self.occupied(board)
        queens = board.diagonals & board.straights
        king, other = ctz(board.kings & mine), ctz(board.kings & ~mine)
        zone = KING[other & 63]
        zone |= zone >> 8
        hits = hit_upwards(board.pawns & mine)
        area = ~(hit_downwards(board.pawns & ~mine) | (board.pawns | board.kings) & mine)
        knights = self.reach(board.knights & mine, 1, occupied, area, zone)
        seen = occupied & ~(queens & mine)
        bishops = self.reach(board.diagonals & ~queens & mine, 2, seen, area, zone)
        seen = occupied & ~(board.straights & mine)
        rooks = self.reach(board.straights & ~queens & mine, 3, seen, area, zone)
        ladies = self.reach(queens & mine, 4, occupied, area, zone)
        once, twice = hits, knights.twice | bishops.twice | rooks.twice | ladies.twice
        twice |= once & knights.once
        once |= knights.once
        twice |= once & bishops.once
        once |= bishops.once
        twice |= once & rooks.once
        once |= rooks.once
        twice |= once & ladies.once
        once |= ladies.once
        near = KING[king & 63]
        return Force(hits, knights, bishops, rooks, ladies, once, near, twice | once & near)

    def activity_sum(self, state: Board, passed: u64) -> int:
        """All of them for the player to move, less those for the opponent;
        `passed` are the passed pawns of both."""
        turned = self.turned(state)
        mine, theirs = self.force(state), self.force(turned)
        return (
            self.weights[of.TEMPO]
            + self.side_sum(state, mine, theirs, passed)
            - self.side_sum(turned, theirs, mine, bswap(passed))
        )

    def side_sum(self, board: Board, own: Force, other: Force, passed: u64) -> int:
        """Those of the player to move."""
        return (
            own.knights.worth
            + own.bishops.worth
            + own.rooks.worth
            + own.queens.worth
            + self.king_sum(board, own, other)
            + self.threat_sum(board, own, other)
            + self.piece_sum(board, own)
            + self.runner_sum(board, passed & board.mine, other)
            + self.hunt_sum(board)
        )

    def king_sum(self, board: Board, own: Force, other: Force) -> int:
        """Attacks on the opponent's king; `other` is turned upside down."""
        total = 0
        units = own.knights.units + own.bishops.units + own.rooks.units + own.queens.units
        king = ctz(board.kings & ~board.mine)
        their_once, their_king = bswap(other.pieces), bswap(other.king)
        has_queen = board.diagonals & board.straights & board.mine != 0
        if units:
            place = min(of.DANGERS - 1, units) + (of.DANGERS if has_queen else 0)
            total += self.weights[of.DANGER + place]
        free = ~board.mine & ~(their_once | their_king & ~own.twice)
        if own.knights.once & free:
            checks = KNIGHT[king & 63] & own.knights.once & free
            total += checks.bit_count() * self.weights[of.CHECK]
        occupied = self.occupied(board)
        diagonals = along_diagonals(occupied, king) & free
        files = along_files(occupied, king) & free
        total += (diagonals & own.bishops.once).bit_count() * self.weights[of.CHECK + 1]
        total += (files & own.rooks.once).bit_count() * self.weights[of.CHECK + 2]
        checks = (diagonals | files) & own.queens.once
        total += checks.bit_count() * self.weights[of.CHECK + 3]
        ring = KING[king & 63] & own.pieces & ~their_once
        total += ring.bit_count() * self.weights[of.WEAK_RING]
        return total

    def threat_sum(self, board: Board, own: Force, other: Force) -> int:
        """Attacks on the opponent's pieces, by what attacks and what is attacked."""
        total = 0
        theirs = self.occupied(board) & ~board.mine
        guarded = bswap(other.pieces | other.king)
        minors = own.knights.once | own.bishops.once
        attacked = (own.pieces | own.king) & theirs
        hanging = attacked & ~guarded
        total += (hanging & own.king).bit_count() * self.weights[of.BY_KING]
        # What a pawn would attack after a step to a square that is safe enough.
        step = (board.pawns & board.mine) << 8 & ~self.occupied(board)
        step &= ~hit_downwards(board.pawns & ~board.mine) & (~guarded | own.pieces)
        targets = theirs & ~board.pawns
        total += (hit_upwards(step) & targets & ~own.pawns).bit_count() * self.weights[of.PUSH]
        firm = bswap(other.pawns) | bswap(other.twice) & ~own.twice
        limited = bswap(other.pieces) & own.pieces & ~firm & ~theirs
        total += limited.bit_count() * self.weights[of.RESTRICTED]
        attacked &= hanging | targets & (own.pawns | minors | own.rooks.once)
        while attacked:
            place = attacked & -attacked
            victim = self.kind_on(board, place)
            if hanging & place:
                total += self.weights[of.HANGING + victim]
            if own.pawns & place:
                total += self.weights[of.BY_PAWN + victim]
            elif minors & place:
                total += self.weights[of.BY_MINOR + victim]
            elif own.rooks.once & place:
                total += self.weights[of.BY_ROOK + victim]
            attacked ^= place
        return total

    def kind_on(self, board: Board, place: u64) -> int:
        """The kind of the piece on a place: 0 a pawn to 4 a queen; a king counts as a queen."""
        if board.pawns & place:
            return 0
        if board.knights & place:
            return 1
        if board.straights & place == 0:
            return 2 if board.diagonals & place else 4
        return 4 if board.diagonals & place else 3

    def piece_sum(self, board: Board, own: Force) -> int:
        """Where pieces stand with regard to pawns, two bishops, space."""
        total = 0
        mine, queens = board.mine, board.diagonals & board.straights
        pawns, theirs = board.pawns & mine, board.pawns & ~mine
        bishops, rooks = board.diagonals & ~queens & mine, board.straights & ~queens & mine
        if bishops & (bishops - 1):
            total += self.weights[of.PAIR]
        files = filled(pawns)
        free = filled(board.pawns)
        total += (rooks & free & ~files).bit_count() * self.weights[of.OPEN_FILE]
        total += (rooks & ~free).bit_count() * self.weights[of.OPEN_FILE + 1]
        if (theirs | board.kings & ~mine) >> 48:
            total += (rooks >> 48 & 0xFF).bit_count() * self.weights[of.SEVENTH]
        posts = OUTPOSTS & own.pawns & ~below(beside(theirs))
        total += (board.knights & mine & posts).bit_count() * self.weights[of.OUTPOST]
        total += (bishops & posts).bit_count() * self.weights[of.OUTPOST + 1]
        light, dark = (bishops & ~DARK).bit_count(), (bishops & DARK).bit_count()
        bad = light * (pawns & ~DARK).bit_count() + dark * (pawns & DARK).bit_count()
        total += bad * self.weights[of.BAD_BISHOP]
        more = pawns.bit_count() - 5
        total += (board.knights & mine).bit_count() * more * self.weights[of.WITH_PAWNS]
        total += bishops.bit_count() * more * self.weights[of.WITH_PAWNS + 1]
        total += rooks.bit_count() * more * self.weights[of.WITH_PAWNS + 2]
        total += (queens & mine).bit_count() * more * self.weights[of.WITH_PAWNS + 3]
        room = HOME & CENTRE_FILES & ~pawns & ~hit_downwards(theirs)
        space = (room & below(pawns)).bit_count() + room.bit_count()
        total += space * self.weights[of.SPACE]
        return total

    def runner_sum(self, board: Board, passed: u64, other: Force) -> int:
        """What stops passed pawns."""
        total = 0
        if passed:
            occupied, hits = self.occupied(board), bswap(other.pieces | other.king)
            rooks = board.straights & ~board.diagonals
            behind = rooks & below(passed)
            total += (behind & board.mine).bit_count() * self.weights[of.ROOK_BEHIND]
            total += (behind & ~board.mine).bit_count() * self.weights[of.ROOK_BEHIND + 1]
            while passed:
                place = passed & -passed
                rank = ctz(place) >> 3
                if occupied & ~board.mine & place << 8:
                    total += self.weights[of.BLOCKED + rank]
                elif hits & place << 8 == 0:
                    total += self.weights[of.SAFE_STOP + rank]
                if (hits | occupied) & above(place) == 0:
                    total += self.weights[of.SAFE_WAY + rank]
                passed ^= place
        return total

    def hunt_sum(self, board: Board) -> int:
        """A lone king against what can mate him: how far he is from the edge and from the other,
        and with bishop and knight from the bishop's corner, if there are no pawns."""
        total = 0
        theirs = self.occupied(board) & ~board.mine
        if theirs & (theirs - 1) == 0 and board.pawns == 0:
            king, own = ctz(theirs), ctz(board.kings & board.mine)
            file, rank = king & 7, king >> 3
            edge = 6 - min(file, 7 - file) - min(rank, 7 - rank)
            near = 14 - abs(file - (own & 7)) - abs(rank - (own >> 3))
            total += edge * self.weights[of.EDGE] + near * self.weights[of.KINGS_NEAR]
            bishops = board.diagonals & ~board.straights
            both = bishops & DARK and bishops & ~DARK
            if board.straights or both or (bishops and board.knights):
                total += self.weights[of.LONE]
            if bishops and board.knights and board.straights == 0:
                # The dark corners are a1 and h8.
                across = 7 - file + rank if bishops & DARK == 0 else file + rank
                total += abs(7 - across) * self.weights[of.CORNER]
        return total
