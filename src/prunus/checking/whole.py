"""Checks of a game that look at many positions together: signs, keys, sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from prunus.checking.exact import check_values
from prunus.checking.report import Level, Report, Visit, turn_field
from prunus.core.game import Game

FEW = 4
"""The decided games needed to doubt that utility looks at the turn."""

ENOUGH = 8
"""The decided games needed on either side before a sign is judged."""


def check_whole(game: Game, visits: dict[object, Visit], report: Report) -> None:
    """Run all checks of this module."""
    _check_keys(game, visits, report)
    _check_turn(game, visits, report)
    _check_utility_sign(game, visits, report)
    _check_evaluation_sign(game, visits, report)
    _check_evaluation_size(game, visits, report)
    check_values(game, visits, report)


def _add(report: Report, game: Game, visit: Visit, level: Level, kind: str, message: str) -> None:
    report.add(level, kind, message, str(game.format(visit.state)), visit.line)


def _check_keys(game: Game, visits: dict[object, Visit], report: Report) -> None:
    """Equal keys are a fault: the 64-bit keys of few positions do not collide by chance (below 1 in
    10**10 for 20,000 positions)."""
    owners: dict[int, Visit] = {}
    for visit in visits.values():
        other = owners.setdefault(int(game.key(visit.state)), visit)
        if other.state != visit.state:
            message = (
                f"two States have the same key, because it leaves out "
                f"{_difference(visit.state, other.state)}; the other State is "
                f"{game.format(other.state)}"
            )
            if game.exact_key:
                message += "; exact_key promises that this never happens, "
                message += "and searches take one for the other"
            _add(report, game, visit, "fault", "key", message)
            return


def _difference(state: object, other: object) -> str:
    """The difference between two States in words."""
    fields = [
        name
        for name in getattr(type(state), "_fields", ())
        if getattr(state, name) != getattr(other, name)
    ]
    if not fields:
        return "something that makes them different"
    if fields == [turn_field(state)]:
        return f"the side to move ({fields[0]})"
    return ", ".join(
        f"{name} ({getattr(state, name)} here, {getattr(other, name)} there)" for name in fields
    )


def _check_turn(game: Game, visits: dict[object, Visit], report: Report) -> None:
    """If a class does not define `to_move`, a turn field must change with every action."""
    for visit in visits.values():
        field = turn_field(visit.state)
        if not field or not game.alternates or visit.terminal:
            continue
        for action in game.actions(visit.state):
            if getattr(game.result(visit.state, action), field) == getattr(visit.state, field):
                message = (
                    f"action {action} keeps {field}, but without to_move(state) the players are "
                    f"assumed to alternate"
                )
                _add(report, game, visit, "fault", "to_move", message)
                return


def _turns(visits: dict[object, Visit]) -> dict[object, object]:
    """The two values of the field that says whose turn it is, each with the other one; empty if
    there is no such field."""
    field = next((turn_field(visit.state) for visit in visits.values()), "")
    values = {getattr(visit.state, field) for visit in visits.values()} if field else set()
    if values <= {0, 1} and values:
        return {0: 1, 1: 0}
    return dict(zip(values, [*values][::-1], strict=True)) if len(values) == 2 else {}


def _swapped(game: Game, visit: Visit, turns: dict[object, object]) -> object:
    """The same position with the other player to move, None if the State does not say whose turn it
    is, or if the rules fail for such a position, which need not occur."""
    field = turn_field(visit.state)
    if not field or getattr(visit.state, field) not in turns:
        return None
    replace: Callable[..., object] = getattr(visit.state, "_replace")  # noqa: B009 - of its class
    try:
        swapped = replace(**{field: turns[getattr(visit.state, field)]})
        _ = game.utility(swapped) if game.is_terminal(swapped) else game.evaluate(swapped)
    except Exception:
        return None
    return swapped


class _Decided(NamedTuple):
    """A position at the end of a game that somebody has won: its utility, the position with the
    other player to move (None: unknown), and the player to move."""

    visit: Visit
    value: int
    swapped: object
    mover: int


def _check_utility_sign(game: Game, visits: dict[object, Visit], report: Report) -> None:
    """Find a utility that is always one player's.

    This is certain if the State holds the turn: if swapping the turn never changes the utility,
    although both signs occur, and the same player always wins, whoever is to move at the end, then
    the utility was computed without looking at the turn. Otherwise it is a doubt.
    """
    if game.players > 2:
        return
    turns = _turns(visits)
    decided = [
        _Decided(
            visit,
            game.utility(visit.state),
            _swapped(game, visit, turns),
            _player(game, visit, turns),
        )
        for visit in visits.values()
        if visit.terminal
    ]
    decided = [each for each in decided if each.value != 0]
    winners = {each.mover if each.value > 0 else 1 - each.mover for each in decided}
    movers = [each.mover for each in decided]
    blind = all(
        each.swapped is not None
        and game.is_terminal(each.swapped)
        and game.utility(each.swapped) == each.value
        for each in decided
    )
    if blind and len(winners) == 1 and min(movers.count(0), movers.count(1)) >= ENOUGH:
        message = (
            f"player {winners.pop()} wins every decided game, whoever made the last move, and the "
            f"turn does not matter to utility: "
            "it seems to be one player's value; it must be the value for the player to move (at "
            "the end: the one who did not move last)"
        )
        _add(report, game, decided[0].visit, "fault", "sign", message)
        return
    if blind and len({each.value > 0 for each in decided}) == 2 and len(decided) >= FEW:
        _doubt_blindness(game, decided[0], report)
        return
    ends = [sum(each.visit.times for each in decided if each.mover == player) for player in (0, 1)]
    if len(winners) == 1 and min(ends) >= ENOUGH:
        _doubt_one_winner(game, winners.pop(), decided[0].visit, report)
        return
    _doubt_last_mover(game, decided, report)


def _player(game: Game, visit: Visit, turns: dict[object, object]) -> int:
    """The player to move: the one whom the State names, or `to_move`, or who it is in turn."""
    field = turn_field(visit.state)
    if field and 0 in turns and getattr(visit.state, field) in turns:
        return int(getattr(visit.state, field))
    return visit.plies % 2 if game.alternates else visit.mover


def _doubt_blindness(game: Game, decided: _Decided, report: Report) -> None:
    message = (
        f"utility does not look at whose turn it is: it is {decided.value} here, and "
        f"{decided.value} also with the other player to move, although both players win games. "
        f"This is right only if the State describes everything from the side of the player to "
        f"move; otherwise it is the first player's value, and must change its sign when the second "
        f"player is to move"
    )
    _add(report, game, decided.visit, "doubt", "sign", message)


def _doubt_one_winner(game: Game, winner: int, visit: Visit, report: Report) -> None:
    message = (
        f"player {winner} wins every decided game, whoever made the last move: right only if the "
        f"other one can hardly win. Utility is the value for the player to move (at the end: the "
        f"one who did not move last), not always the same player's"
    )
    _add(report, game, visit, "doubt", "sign", message)


def _doubt_last_mover(game: Game, decided: list[_Decided], report: Report) -> None:
    games = sum(each.visit.times for each in decided)
    if game.alternates and games >= ENOUGH and all(each.value > 0 for each in decided):
        message = (
            "the player who makes the last move always loses: right only in misere games. Utility "
            "is the value for the player to move: at the end, the one who did not move last"
        )
        _add(report, game, decided[0].visit, "doubt", "sign", message)


def _check_evaluation_sign(game: Game, visits: dict[object, Visit], report: Report) -> None:
    """Find an evaluation that is not antisymmetric.

    When the turn is swapped, an evaluation for the player to move changes its sign, apart from a
    constant (the advantage of the move). Anything else is certainly wrong only if the utility
    itself changes its sign in this way; otherwise, as in impartial games, it is a doubt.
    """
    if type(game).evaluate is Game.evaluate:
        return
    turns = _turns(visits)
    pairs = [(visit, _swapped(game, visit, turns)) for visit in visits.values()]
    inner = [
        (visit, swapped)
        for visit, swapped in pairs
        if swapped is not None and not visit.terminal and not game.is_terminal(swapped)
    ]
    sums = {game.evaluate(visit.state) + game.evaluate(swapped) for visit, swapped in inner}
    if len(sums) > 1:
        finals = [
            (visit, swapped)
            for visit, swapped in pairs
            if swapped is not None and visit.terminal and game.utility(visit.state) != 0
        ]
        partisan = len(finals) >= ENOUGH and all(
            game.is_terminal(swapped) and game.utility(visit.state) == -game.utility(swapped)
            for visit, swapped in finals
        )
        visit, swapped = next(
            (visit, swapped)
            for visit, swapped in inner
            if game.evaluate(visit.state) != -game.evaluate(swapped)
        )
        message = (
            f"evaluate is not antisymmetric: {game.evaluate(visit.state)} here, "
            f"{game.evaluate(swapped)} with the other player to move; "
            "it must be the value for the player to move"
        )
        _add(report, game, visit, "fault" if partisan else "doubt", "evaluation", message)


def _check_evaluation_size(game: Game, visits: dict[object, Visit], report: Report) -> None:
    """Find an evaluation beyond the utilities: a search would prefer it to a win. If there are only
    wins, draws and losses, an evaluation as large as a win is beyond them. If there are many
    scores, random games may miss the largest, so it has to be more than twice as large."""
    if type(game).evaluate is Game.evaluate or game.players > 2:
        return
    utilities = [game.utility(visit.state) for visit in visits.values() if visit.terminal]
    largest = max(map(abs, utilities), default=0)
    if largest == 0:
        return
    most = (
        largest - 1
        if len(utilities) >= ENOUGH and set(map(abs, utilities)) <= {0, largest}
        else 2 * largest
    )
    for visit in visits.values():
        value = 0 if visit.terminal else game.evaluate(visit.state)
        if abs(value) > most:
            message = (
                f"evaluate gives {value} here, and the utilities of {len(utilities)} finished "
                f"positions are {min(utilities)} to {max(utilities)}: it must lie strictly between "
                f"a loss and a win, otherwise a search prefers the estimate to the win"
            )
            _add(report, game, visit, "doubt", "evaluate", message)
            return
