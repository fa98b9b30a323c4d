"""`check(game)`: play a game at random and say in plain words what is wrong with its rules."""

from __future__ import annotations

import random

from prunus.checking.report import FaultFoundError, Finding, Report
from prunus.checking.survey import compare_backends, survey
from prunus.checking.walk import Walker
from prunus.checking.whole import check_whole
from prunus.core.game import Game, game_meant
from prunus.run.arguments import expect

__all__ = ["Finding", "Report", "check", "survey"]


def check(game: Game, seed: int = 0, games: int = 100, compile: bool | None = None) -> Report:
    """Play `games` random games and report what is wrong.

    Certain errors ("fault"): an exception in the rules; a changed State or attribute; a position
    that is not over and has no actions; actions that are repeated, are not integers or exceed 63
    bits; results that are not a State or are the same State; an `is_terminal` that is not a truth
    value; a `to_move` that is not a player; any other value where an integer is expected; a utility
    as large as 2**62 or outside `bounds`; an evaluation outside the bounds of the whole game or
    equal to one of them; equal keys of different States (the report names the fields that the key
    misses) and different keys of equal States; a `canonical` that is not idempotent; an
    `action_count`, `timeless` or `remembered` that does not agree with the actions; a `rank` below
    0, not below `rank_count`, or from which `unrank` does not return to the position; a `settled`
    that actions do not add to, an `unsettled` State that plays differently, or a `layer` that
    rises; `predecessors` that leave a position out, or from which no action leads here;
    `parse(format(state))` that is another State; a `solving_game` that plays differently; a
    `next_row` other than the `row` of its State; a `gives_check` that `in_check` denies; an
    `is_action` that the actions deny; results of any method that differ when compiled, or errors
    raised only interpreted or only compiled. A sign error is certain if a State says whose turn it
    is: see `prunus.checking.whole`.

    Positions near the end are solved by plain minimax (`prunus.checking.exact`), which finds values
    outside `bounds` or `secured`, best actions that are not `worthwhile`, a `canonical` State with
    another value, wrong answers of `last_value`, and more plies than `plies_left`.

    Doubts, which are right in some games ("doubt"): a utility that does not look at whose turn it
    is, although both players win games; evaluations beyond the utilities; evaluations with the
    wrong sign; a position that comes again in a game without a rule of repetition.

    compile: None compares with the compiled game if it can be compiled; True reports a fault if it
    cannot be compiled; False does not compare.
    """
    game_meant(game).freeze()
    expect(seed=seed, games=games, compile=compile)
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
