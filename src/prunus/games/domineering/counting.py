"""How many dominoes a player can still place: at most, and at least whatever the opponent does."""

from __future__ import annotations

from prunus.core.bits import u64
from prunus.games.domineering.rules import HORIZONTAL, DomineeringRules


class DomineeringCounts(DomineeringRules):
    """Counts of dominoes, as Breuker, Uiterwijk & van den Herik (2000), Solving 8 x 8 Domineering,
    use them: the cells of a player fall into runs along his direction, and a run of n cells holds
    n // 2 of his dominoes."""

    def most(self, free: u64, turn: int) -> int:
        """The dominoes that fit the free cells if only this player places any: no line of play has
        more of his."""
        return self.fitting(free, turn)

    def safe(self, free: u64, turn: int) -> int:
        """The dominoes that the opponent cannot prevent: those on cells that no domino of his can
        cover."""
        theirs = self.places(free, 1 - turn)
        return self.fitting(free & ~(theirs | theirs << self.step(1 - turn)), turn)

    def fitting(self, free: u64, turn: int) -> int:
        """The dominoes of a player that fit these cells, taken from the beginning of each run."""
        step = self.step(turn)
        inside = free & self.left if turn == HORIZONTAL else free
        count = 0
        begins = free & ~(inside << step)
        while begins:
            found = begins & self.places(free, turn)
            count += found.bit_count()
            begins = self.next_to(self.next_to(found, turn) & free, turn) & free
        return count

    def next_to(self, cells: u64, turn: int) -> u64:
        """The cells one step on in a player's direction, on the board."""
        if turn == HORIZONTAL:
            return (cells & self.left) << 1
        return cells << self.columns & self.board
