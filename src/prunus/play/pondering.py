"""A search that goes on while the opponent thinks, from the reply that it expects."""

from __future__ import annotations

import time

from prunus.algorithms.repetition import is_over
from prunus.core.analysis import Analysis
from prunus.core.game import Game
from prunus.core.generic import Keywords
from prunus.core.position import Position
from prunus.run.background import Ponder
from prunus.run.limits import Limit


class Guess:
    """A search of the position after the expected reply to a move."""

    def __init__(
        self, game: Game, after: Position, reply: int, limit: Limit, options: Keywords
    ) -> None:
        self.expected = after.after(game, reply)
        self.began = time.perf_counter()
        self.ponder = Ponder(game, after, reply, limit=limit, **options)

    def answer(self, position: Position, seconds: float | None) -> Analysis | None:
        """What the search has found, if this position was expected, once it has taken so long, the
        opponent's time included (None: until it has reached its limits); otherwise, and if it has
        found nothing yet, None. The search has ended then."""
        if position.state != self.expected.state or len(position.past) != len(self.expected.past):
            self.ponder.miss()
            return None
        thought = time.perf_counter() - self.began
        found = self.ponder.hit(seconds=None if seconds is None else max(0.0, seconds - thought))
        return None if found is None or found.best is None else found

    def end(self) -> None:
        """End the search."""
        self.ponder.miss()


def expected_reply(game: Game, position: Position, line: tuple[int, ...]) -> Position | None:
    """The position after the first action of a line, if the opponent is to move there and its next
    action leads to an unfinished position in which it is this player's turn; otherwise None."""
    if len(line) < 2:
        return None
    after = position.after(game, line[0])
    if is_over(game, after.path) or game.keeps_turn(position.state, after.state):
        return None
    if line[1] not in set(map(int, game.actions(after.state))):
        return None
    then = after.after(game, line[1])
    is_turn = not game.keeps_turn(after.state, then.state)
    return after if is_turn and not is_over(game, then.path) else None
