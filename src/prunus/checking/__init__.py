"""`check(game)`: plays a game at random and says in plain words what is wrong with its rules."""

from __future__ import annotations

import random

from prunus.checking.report import FaultFoundError, Finding, Report
from prunus.checking.survey import compare_backends, survey
from prunus.checking.walk import Walker
from prunus.checking.whole import check_whole
from prunus.core.game import Game

__all__ = ["Finding", "Report", "check", "survey"]


def check(game: Game, seed: int = 0, games: int = 100, compile: bool | None = None) -> Report:
    """Play `games` random games and report what is wrong.

    Found for certain ("fault"): an exception in the rules; a changed State or attribute; a position
    that is not over and has no actions; actions that are repeated, no integers or beyond 63 bits;
    results that are no State or the same State; `is_terminal` that is no truth value; `to_move`
    other than 0 or 1; what is no integer where one is wanted; a utility as large as 2**62 or
    outside `bounds`; an evaluation outside the bounds of the whole game or at one; equal keys of
    different States where a key should tell them apart (it names the fields that the key misses)
    and different keys of equal States; a `canonical` that is not idempotent; `parse(format(state))`
    that is another State; a `solving_game` that plays otherwise; results of any method that differ
    compiled, or errors that only one of the two raises. A sign error is certain where a State says
    whose turn it is: see `prunus.checking.whole`.

    Positions near the end are solved by plain minimax (`prunus.checking.exact`): values outside
    `bounds` or `secured`, best actions that are not `worthwhile`, a `canonical` State of another
    value, wrong answers of `last_value`, more plies than `plies_left`.

    Doubted, because some games are right so ("doubt"): a utility that does not look at whose turn
    it is, though both players win; evaluations beyond the utilities; evaluations of the wrong sign.

    compile: None compares with the compiled game where it can be compiled, True makes it a fault
    that it cannot, False leaves it out.
    """
    game.freeze()
    report = Report(game.title(), games)
    walker = Walker(game, report, random.Random(seed))  # noqa: S311 - play, not secrets
    try:
        for _ in range(games):
            walker.walk()
    except FaultFoundError:
        pass
    visits = walker.visits
    report.positions = len(visits)
    if report.ok and visits:
        check_whole(game, visits, report)
    if report.ok and visits and compile is not False:
        compare_backends(game, visits, report, required=compile is True)
    return report
