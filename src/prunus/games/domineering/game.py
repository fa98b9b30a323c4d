"""Domineering on any board of up to 128 cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from prunus.core.bits import CASTS, mix, u8, u64, u128
from prunus.core.game import Game
from prunus.core.knowledge.evaluation import Evaluation
from prunus.games.domineering.certainties import DomineeringCertainties
from prunus.games.domineering.evaluation import DomineeringMobility, DomineeringRoom
from prunus.games.domineering.notation import DomineeringNotation
from prunus.games.domineering.rules import Board
from prunus.games.domineering.tactics import DomineeringTactics


class Domineering(
    DomineeringNotation, DomineeringRoom, DomineeringTactics, DomineeringCertainties, Game
):
    """Two players put dominoes on a board in turn, one on two cells of a column (V, for vertical),
    the other on two cells of a row (H); who cannot move loses (Andersson; Conway 1976, On Numbers
    and Games).

    V begins, with `horizontal` H does. A board has at most 128 cells and 26 columns, otherwise
    ValueError. Utility, for the player to move at the end: -128; the evaluation is in dominoes.
    A cell is one bit, row by row (here 3 x 4):

        0  1  2  3
        4  5  6  7
        8  9 10 11

    An action is the number of the upper or left cell of the domino.
    """

    class State(NamedTuple):
        free: u64
        turn: u8

    evaluations: ClassVar[Mapping[str, Evaluation | type[Evaluation]]] = {
        "mobility": DomineeringMobility,
        "room": DomineeringRoom,
    }

    def __new__(cls, rows: int = 8, columns: int = 8, horizontal: bool = False) -> Domineering:
        # A larger board is the same game with longer words.
        large = cls is Domineering and rows * columns > CASTS[cls.word][0]
        return object.__new__(Domineering128 if large else cls)

    def key(self, state: Board) -> u64:
        """The free cells; one bit more if there is room for it, otherwise a hash."""
        if self.rows * self.columns < 64:
            return state.free << 1 | state.turn
        return mix(state.free ^ state.turn * u64(0x9E3779B97F4A7C15))


class Domineering128(Domineering):
    """Domineering on boards of up to 128 cells."""

    class State(NamedTuple):
        free: u128
        turn: u8

    name = "Domineering"
    word = u128
    key = Game.key  # type: ignore[assignment]
