"""Positions near the end of the game, whose exact values plain minimax can find: what the optional
methods say about them must hold."""

from __future__ import annotations

from typing import Final, NamedTuple

from prunus.checking.report import Report, Visit
from prunus.checking.walk import name_of
from prunus.core.game import INFINITY, Game

ENOUGH: Final = 8
"""The positions needed before the sign of evaluations is judged."""

SOLVED_NODES: Final = 400
"""The exact value of a position is computed if no more than this many of its descendants are still
unknown. Each may be one call deeper."""

ALL_NODES: Final = 40_000
"""The most descendants looked at, for all positions together."""

SOLVED: Final = 400
"""The most positions whose exact values are compared."""


class Exact(NamedTuple):
    """The value of a position, and the most plies that the game can go on from it. Passes, which
    are plies without a choice that leave `plies_left` unchanged, are not counted."""

    value: int
    plies: int


class Values:
    """Exact values by plain minimax, computed once for each position. A position with too many
    descendants, or with a cycle below it, has none."""

    def __init__(self, game: Game) -> None:
        self.game, self.left = game, ALL_NODES
        self._known: dict[object, Exact] = {}
        self._open: set[object] = set()
        self._room = 0

    def of(self, state: object) -> Exact | None:
        """The exact value of a State, None if it would take too long."""
        self._room = min(SOLVED_NODES, self.left)
        before = self._room
        found = self._solve(state)
        self._open.clear()
        self.left -= before - max(0, self._room)
        return found

    def _solve(self, state: object) -> Exact | None:
        name = name_of(state)
        if name in self._known:
            return self._known[name]
        self._room -= 1
        if self._room < 0 or name in self._open:
            return None
        self._open.add(name)
        found = (
            Exact(int(self.game.utility(state)), 0)
            if self.game.is_terminal(state)
            else self._expanded(state)
        )
        self._open.discard(name)
        if found is not None:
            self._known[name] = found
        return found

    def _expanded(self, state: object) -> Exact | None:
        best, longest, count = -INFINITY, 0, 0
        child: object = None
        for action in self.game.actions(state):
            child = self.game.result(state, action)
            below = self._solve(child)
            if below is None:
                return None
            count += 1
            best = max(best, below.value if self.game.keeps_turn(state, child) else -below.value)
            longest = max(longest, below.plies)
        is_pass = (
            count == 1
            and self.game.has_plies_left
            and self.game.plies_left(child) == self.game.plies_left(state)
        )
        return Exact(best, longest + (0 if is_pass else 1)) if count else None


def check_values(game: Game, visits: dict[object, Visit], report: Report) -> None:
    """Check what the optional methods say about the positions whose exact values are found, those
    of the longest lines first."""
    if game.players > 2:
        return
    values, images = Values(game), Values(game.solving_game())
    solved = agree = disagree = 0
    for visit in sorted(visits.values(), key=lambda visit: -visit.plies):
        exact = values.of(visit.state)
        if exact is None:
            if values.left <= 0:
                break
            continue
        solved += 1
        _check_limits(game, visit, exact, report)
        _check_canonical(game, visit, exact, report, values if game.has_canonical else images)
        if not visit.terminal:
            _check_worthwhile(game, visit, exact.value, report, values)
            sign = exact.value * game.evaluate(visit.state)
            agree, disagree = agree + (sign > 0), disagree + (sign < 0)
        if solved >= SOLVED:
            break
    if disagree >= ENOUGH and disagree > 9 * agree:
        message = (
            f"evaluate has the opposite sign of the exact value in {disagree} of "
            f"{agree + disagree} positions near the end"
        )
        report.add("doubt", "evaluation", message)


def _fault(game: Game, visit: Visit, report: Report, kind: str, message: str) -> None:
    report.add("fault", kind, message, str(game.format(visit.state)), visit.line)


def _check_limits(game: Game, visit: Visit, exact: Exact, report: Report) -> None:
    """Check `bounds`, `secured`, `plies_left` and `last_value` against the exact value."""
    state, value = visit.state, exact.value
    low, high = game.bounds(state)
    if not low <= value <= high:
        _fault(
            game, visit, report, "bounds", f"the value is {value}, outside bounds, {low} to {high}"
        )
    if visit.terminal:
        return
    left = game.plies_left(state)
    if exact.plies > left:
        _fault(
            game,
            visit,
            report,
            "plies_left",
            f"plies_left gives {left}, but the game can go on for {exact.plies} plies",
        )
    for alpha in (value - 1, value):
        low, high = game.secured(state, alpha)
        if not low <= value <= high:
            _fault(
                game,
                visit,
                report,
                "secured",
                f"the value is {value}, outside what is secured for alpha {alpha}, {low} to {high}",
            )
        if game.has_last_value and left <= game.last_plies:
            last = game.last_value(state, alpha)
            if (last > alpha) != (value > alpha) or (
                last > value if last > alpha else last < value
            ):
                told = "at least" if last > alpha else "at most"
                message = (
                    f"last_value gives {last} for alpha {alpha}, which says that the value "
                    f"is {told} {last}; it is {value}"
                )
                _fault(game, visit, report, "last_value", message)


def _check_canonical(
    game: Game, visit: Visit, exact: Exact, report: Report, values: Values
) -> None:
    """Check the value of the canonical State: the game's own, or, if only its form for searches to
    the end knows symmetries, that form's."""
    form, state = (
        (game, visit.state)
        if game.has_canonical
        else (values.game, game.solving_state(visit.state))
    )
    image = form.canonical(state)
    if image == state:
        return
    found = values.of(image)
    if found is not None and found.value != exact.value:
        message = (
            f"the value is {exact.value}, but canonical(state), {form.format(image)}, has "
            f"the value {found.value}"
        )
        _fault(game, visit, report, "canonical", message)


def _check_worthwhile(game: Game, visit: Visit, value: int, report: Report, values: Values) -> None:
    if not game.has_worthwhile:
        return
    found = []
    for action in game.worthwhile(visit.state):
        child = game.result(visit.state, action)
        worth = values.of(child)
        if worth is None:
            return
        found.append(worth.value if game.keeps_turn(visit.state, child) else -worth.value)
    if max(found) != value:
        message = f"the value is {value}, but the worthwhile actions lead to {max(found)} at best"
        _fault(game, visit, report, "worthwhile", message)
