"""Exact values by tests to the end of the game (`prove`), for games that have no cycles and know the limits of their values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from prunus.game import Game
from prunus.search.prove import limits
from prunus.search.registry import PROVE
from prunus.search.session import STATISTICS, Outcome, Session, Setup
from prunus.tables.proofs import HIGHEST, LOWEST, Limits, recall

STEP: Final = 2
"""What the tests begin to step by from a guess."""

NEAR: Final = 30
"""A game with an evaluation is solved to its end where so many plies are left at most; before, deepening has more to say."""


def can_prove(session: Session) -> bool:
    """Whether tests to the end can find the values of this search: their limits are known and fit an entry of the table, they are the
    game's own, and no line of play repeats a position."""
    game = session.game
    low, high = game.bounds(game.initial())
    return LOWEST < low <= high < HIGHEST and not session.setup.prefer_faster and game.repetition_rule == 0


def is_near_end(session: Session) -> bool:
    """Whether a game with an evaluation is near enough to its end that tests will reach it."""
    game = session.game
    return game.has_plies_left and game.plies_left(session.state) <= NEAR


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

    def value(self, state: Any, low: int, high: int, guess: int | None = None) -> tuple[int, int]:
        """The limits of a State's value that tests leave between `low` and `high`: equal ones, but for a search that was stopped. The tests
        begin at a guess, where there is one, and go from the limit that each of them proves in growing steps to the other side of the value
        (after Plaat et al. 1996, MTD(f)). What remains they divide, first far from 0, which is the quickest to decide (Pons 2015)."""
        lowest, highest, steps = low, high, 0
        while low < high:
            if guess is None or lowest < low <= high < highest:
                middle = _dividing(low, high)
            elif low == lowest and high == highest:
                middle = max(low, min(high, guess) - 1)
            else:
                middle = min(high - 1, low + STEP * steps) if high == highest else max(low, high - 1 - STEP * steps)
                steps = 2 * steps + 1
            bound = self.more_than(state, middle)
            if bound is None:
                break
            low, high = (low, max(low, bound)) if bound <= middle else (min(high, bound), high)
        return low, high

    def known(self, state: Any) -> Limits:
        """What the rules say of a State's value at a glance, or else the table."""
        found = limits(self.game, state)
        if found.low == found.high:
            return found
        home = self.game.canonical(state) if self.game.has_canonical else state
        proved = recall(home, self.game.key(home), self.session.memory)
        return Limits(max(found.low, proved.low), min(found.high, proved.high))

    def best_action(self, state: Any, value: int) -> int | None:
        """An action that reaches the State's value: one of which that is known already, otherwise the first in order of promise; None for a
        search that was stopped."""
        game = self.game
        actions = [int(action) for action in game.worthwhile(state)]
        if game.has_order:
            actions.sort(key=lambda action: -game.order(state, action))
        children = [(action, game.result(state, action)) for action in actions]
        for is_known in (True, False):
            for action, child in children:
                keeps = game.keeps_turn(state, child)
                if is_known:
                    found = self.known(child)
                    bound: int | None = found.low if keeps else found.high
                else:
                    bound = self.more_than(child, value - 1 if keeps else -value)
                if bound is None:
                    return None
                if bound >= value if keeps else bound <= -value:
                    return action
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


def _dividing(low: int, high: int) -> int:
    """Where a test divides the limits of a value."""
    middle = low + (high - low) // 2
    if middle <= 0 and -(-low // 2) < middle:
        return -(-low // 2)
    if middle >= 0 and high // 2 > middle:
        return high // 2
    return middle


def solved(game: Game, state: Any, setup: Setup, whole_line: bool = True, guess: int | None = None) -> Outcome:
    """The value of a State that is not terminal, and a line that reaches it (its first action only, unless `whole_line`)."""
    solver = Solver(game, state, setup)
    lowest, highest = game.bounds(game.initial())
    found = limits(game, state)
    low, high = solver.value(state, max(lowest, found.low), min(highest, found.high), guess)
    if low < high:
        return solver.outcome(None, ())
    if not whole_line:
        action = solver.best_action(state, low)
        return solver.outcome(low, () if action is None else (action,))
    return solver.outcome(low, solver.line(state, low))
