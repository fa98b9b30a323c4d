"""Syzygy tables (Ronald de Man) of endings of chess, probed at the root by python-chess.

The tables know whether a position is won, drawn or lost under the rule of fifty moves if its last
capture or pawn move has just been made, and with their second kind of files (DTZ) how many plies it
takes to the next one. The game's own clock and the positions that came before are heeded here: a
value counts as proved only where neither can change it.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from prunus.algorithms.repetition import final_value, is_over, is_same_position
from prunus.core.game import Game
from prunus.core.position import Position
from prunus.play.advice.advice import Advice, AdviceError, existing
from prunus.play.advice.chess_board import board_of, expect_chess

if TYPE_CHECKING:
    import chess

LONGEST: Final = 99
"""A win is certain if the clock shows at most so many plies at the next capture or pawn move; one
less than the rule says, because the tables may round a distance up or down by a ply."""


@dataclass(frozen=True)
class _Known:
    """What the tables know after an action: the result for the player who makes it (1, 0, -1), the
    plies to the next capture or pawn move, counted from now on (None: not known), and whether the
    result is certain."""

    action: int
    result: int
    plies: int | None
    is_certain: bool


class SyzygyTables:
    """The tables in folders, separated as in PATH. Raises AdviceError if there are none, or the
    game is not chess."""

    def __init__(self, game: Game, folders: str) -> None:
        expect_chess(game, f"Syzygy tables in {folders}")
        import chess.syzygy

        self.tables = chess.syzygy.Tablebase()
        try:
            for folder in filter(None, folders.split(os.pathsep)):
                self.tables.add_directory(str(existing(folder, "Syzygy tables")))
        except OSError as error:
            raise AdviceError(f"Syzygy tables in {folders}: {error}") from None
        if not self.tables.wdl:
            raise AdviceError(f"Syzygy tables: there are none in {folders}")
        self.most = max(sum(map(str.isupper, name)) for name in self.tables.wdl)

    def advise(self, game: Game, position: Position, rng: random.Random) -> Advice | None:
        board = board_of(game, position.state)
        if len(board.piece_map()) > self.most or board.castling_rights:
            return None
        found = [self._known(game, position, int(each)) for each in game.actions(position.state)]
        known = [each for each in found if each is not None]
        if not known or len(known) < len(found):
            return None
        result = max(each.result for each in known)
        best = [each for each in known if each.result == result]
        certain = [each for each in best if each.is_certain]
        proved = bool(certain) and (result == 1 or all(each.is_certain for each in known))
        if result and all(each.plies is not None for each in best):
            # Only a move that gets nearer to the next capture or pawn move is sure to make progress
            # (and one that gets least near, to put the loss off).
            best = [min(certain or best, key=lambda each: result * (each.plies or 0))]
        elif proved and result:
            best = certain
        value = result * game.bounds(position.state)[1]
        return Advice(tuple(each.action for each in best), value, proved, "Syzygy")

    def _known(self, game: Game, position: Position, action: int) -> _Known | None:
        """What the tables know of an action; None if they do not have what it leads to."""
        after = position.after(game, action)
        if is_over(game, after.path):
            value = -final_value(game, after.path)
            return _Known(action, (value > 0) - (value < 0), 0, True)
        board = board_of(game, after.state)
        wdl = self._probed(self.tables.probe_wdl, board)
        if wdl is None:
            return None
        if abs(wdl) < 2:
            # Drawn, or drawn by the rule of fifty moves, which a repetition cannot make worse.
            return _Known(action, 0, None, wdl == 0)
        dtz = self._probed(self.tables.probe_dtz, board)
        result, clock = (-1 if wdl > 0 else 1), board.halfmove_clock
        if dtz is None:
            return _Known(action, result, None, clock == 0)
        is_certain = abs(dtz) + clock <= LONGEST and not _has_repeated(game, after, clock)
        if abs(dtz) + clock > LONGEST + 1:
            result = 0  # the rule of fifty moves comes first
        return _Known(action, result, 1 if clock == 0 else abs(dtz) + 1, is_certain)

    def _probed(self, probe: object, board: chess.Board) -> int | None:
        try:
            return int(probe(board))  # type: ignore[operator]
        except KeyError:  # `MissingTableError` is one
            return None

    def close(self) -> None:
        self.tables.close()


def _has_repeated(game: Game, position: Position, clock: int) -> bool:
    """Whether a position since the last capture or pawn move came up twice: another visit on the
    way to a win could then be the third."""
    recent = position.path[-1 - clock :]
    return any(
        is_same_position(game, recent[one], recent[other])
        for one in range(len(recent))
        for other in range(one + 2, len(recent), 2)
    )
