"""Exact values by tests to the end of the game (`prove`), for games that have no cycles and know the limits of their values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from prunus.game import Game
from prunus.search.prove import limits
from prunus.search.registry import PROVE
from prunus.search.session import STATISTICS, Outcome, Session, Setup
from prunus.tables.proofs import HIGHEST, LOWEST


def can_prove(session: Session) -> bool:
    """Whether tests to the end can find the values of this search: their limits are known and fit an entry of the table, they are the
    game's own, and no line of play repeats a position."""
    game = session.game
    low, high = game.bounds(game.initial())
    return LOWEST < low <= high < HIGHEST and not session.setup.prefer_faster and game.repetition_rule == 0


class Solver:
    """Tests of positions of one game, which share a table and count their work together."""

    def __init__(self, game: Game, state: Any, setup: Setup) -> None:
        table = setup.table
        assert table is not None
        self.proofs = table.proofs()
        self.game = game
        self.session = Session(game, state, PROVE, 1, replace(setup, settings=self.proofs.fields(), fit=()))
        self.counts: dict[str, int] = dict.fromkeys(STATISTICS, 0)
        self.seconds = 0.0
        self.estimated = False

    def more_than(self, state: Any, alpha: int) -> int | None:
        """Whether the value of a State is more than `alpha`: a lower bound that says so, or an upper one that denies it; None where the
        test was stopped."""
        if self.game.is_terminal(state):
            return int(self.game.utility(state))
        self.session.state = state
        outcome = self.session.run(1, alpha, alpha + 1)
        self.counts = {name: self.counts[name] + outcome.counts[name] for name in STATISTICS}
        self.seconds += outcome.seconds
        self.estimated = self.estimated or outcome.estimated
        return outcome.value

    def value(self, state: Any, low: int, high: int, guess: int = 0) -> tuple[int, int]:
        """The limits of a State's value that tests leave between `low` and `high`: equal ones, but for a search that was stopped. The first
        test is at `guess`, and the next ones go away from it by steps that double; once the value is caught between two of them, they
        divide what is left. Tests beyond the value, which are cheap, save less than they cost."""
        alpha, step = guess, 0
        above = below = False
        while low < high:
            alpha = max(low, min(alpha, high - 1))
            bound = self.more_than(state, alpha)
            if bound is None:
                break
            if bound > alpha:
                low, above = min(high, bound), True
                alpha = low + step
            else:
                high, below = max(low, bound), True
                alpha = high - 1 - step
            step = 2 * step + 1
            if above and below:
                alpha = (low + high) // 2
        return low, high

    def best_action(self, state: Any, value: int) -> int | None:
        """An action that reaches the State's value, the first in order of promise; None for a search that was stopped."""
        game = self.game
        actions = [int(action) for action in game.worthwhile(state)]
        if game.has_order:
            actions.sort(key=lambda action: -game.order(state, action))
        for action in actions:
            child = game.result(state, action)
            if game.keeps_turn(state, child):
                bound = self.more_than(child, value - 1)
                if bound is None or bound >= value:
                    return None if bound is None else action
            else:
                bound = self.more_than(child, -value)
                if bound is None or bound <= -value:
                    return None if bound is None else action
        return None

    def line(self, state: Any, value: int) -> tuple[int, ...]:
        """A line of best actions to the end of the game, as far as the search was not stopped."""
        found: list[int] = []
        while not self.game.is_terminal(state):
            action = self.best_action(state, value)
            if action is None:
                break
            child = self.game.result(state, action)
            value = value if self.game.keeps_turn(state, child) else -value
            found.append(action)
            state = child
        return tuple(found)

    def outcome(self, value: int | None, line: tuple[int, ...]) -> Outcome:
        """What the tests so far amount to."""
        moves = () if value is None or not line else ((line[0], value),)
        return Outcome(value, moves, line, self.counts, self.seconds, self.estimated)


def solved(game: Game, state: Any, setup: Setup, whole_line: bool = True) -> Outcome:
    """The value of a State that is not terminal, and a line that reaches it (its first action only, unless `whole_line`)."""
    solver = Solver(game, state, setup)
    lowest, highest = game.bounds(game.initial())
    found = limits(game, state)
    low, high = solver.value(state, max(lowest, found.low), min(highest, found.high))
    if low < high:
        return solver.outcome(None, ())
    if not whole_line:
        action = solver.best_action(state, low)
        return solver.outcome(low, () if action is None else (action,))
    return solver.outcome(low, solver.line(state, low))
