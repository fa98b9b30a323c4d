"""Checks of a game that look at many positions together: signs, keys, values."""

from __future__ import annotations

from typing import Any

from prunus.checking.report import Report, Visit, small_value, turn_field
from prunus.game import Game

ENOUGH = 8
"""Decided games needed on either side before a sign is judged."""

SOLVED_NODES = 400
"""Exact values are computed where a position has no more descendants than this."""

SOLVED = 60
"""Positions whose exact values are compared."""


def check_whole(game: Game, visits: dict[Any, Visit], report: Report) -> None:
    """All checks of this module."""
    _check_keys(game, visits, report)
    _check_turn(game, visits, report)
    _check_utility_sign(game, visits, report)
    _check_evaluation_sign(game, visits, report)
    _check_values(game, visits, report)


def _add(report: Report, game: Game, visit: Visit, level: Any, kind: str, message: str) -> None:
    report.add(level, kind, message, str(game.format(visit.state)), visit.line)


def _check_keys(game: Game, visits: dict[Any, Visit], report: Report) -> None:
    """A 64-bit key of few positions does not collide by chance (below 1 in 10**10 for 20,000 positions)."""
    owners: dict[int, Visit] = {}
    for visit in visits.values():
        other = owners.setdefault(int(game.key(visit.state)), visit)
        if other.state != visit.state:
            field = turn_field(visit.state)
            side = bool(field) and other.state._replace(**{field: getattr(visit.state, field)}) == visit.state
            missed = f"the side to move ({field})" if side else "something that makes them different"
            _add(
                report,
                game,
                visit,
                "fault",
                "key",
                f"two States have the same key, which misses {missed}; the other: {game.format(other.state)}",
            )
            return


def _check_turn(game: Game, visits: dict[Any, Visit], report: Report) -> None:
    """Where a class does not define `to_move`, a turn field must change with every action."""
    for visit in visits.values():
        field = turn_field(visit.state)
        if not field or not game.alternates or visit.terminal:
            continue
        for action in game.actions(visit.state):
            if getattr(game.result(visit.state, action), field) == getattr(visit.state, field):
                message = f"action {action} keeps {field}, but without to_move(state) the players are taken to alternate"
                _add(report, game, visit, "fault", "to_move", message)
                return


def _swapped(game: Game, visit: Visit) -> Any:
    """The same position with the other player to move, None where the State does not say whose turn it is."""
    field = turn_field(visit.state)
    if not field or getattr(visit.state, field) not in (0, 1):
        return None
    return visit.state._replace(**{field: 1 - getattr(visit.state, field)})


def _check_utility_sign(game: Game, visits: dict[Any, Visit], report: Report) -> None:
    """A utility from one player's fixed side.

    Certain where the State holds the turn: if swapping the turn never changes the utility, although both signs occur, and it is always
    the same player who wins, whichever of them is to move at the end, then the utility was computed without looking at the turn.
    """
    decided = [(visit, game.utility(visit.state), _swapped(game, visit)) for visit in visits.values() if visit.terminal]
    decided = [(visit, value, swapped) for visit, value, swapped in decided if value != 0]
    if any(swapped is None for _, _, swapped in decided):
        _doubt_last_mover(game, [(visit, value) for visit, value, _ in decided], report)
        return
    winners = {_player(visit) if value > 0 else 1 - _player(visit) for visit, value, _ in decided}
    movers = [_player(visit) for visit, _, _ in decided]
    blind = all(game.is_terminal(swapped) and game.utility(swapped) == value for _, value, swapped in decided)
    if blind and len(winners) == 1 and min(movers.count(0), movers.count(1)) >= ENOUGH:
        message = (
            f"player {winners.pop()} wins every decided game, whoever made the last move, and the turn does not matter to utility: "
            "it seems to be one player's; it must be the value for the player to move (at the end: the one who did not move last)"
        )
        _add(report, game, decided[0][0], "fault", "sign", message)
        return
    _doubt_last_mover(game, [(visit, value) for visit, value, _ in decided], report)


def _player(visit: Visit) -> int:
    field = turn_field(visit.state)
    return int(getattr(visit.state, field)) if field else visit.mover


def _doubt_last_mover(game: Game, decided: list[tuple[Visit, int]], report: Report) -> None:
    if game.alternates and len(decided) >= ENOUGH and all(value > 0 for _, value in decided):
        message = (
            "whoever makes the last move always loses: right in misere games only. Utility is the value for the player to move, "
            "that is, at the end, for the one who did not move last"
        )
        _add(report, game, decided[0][0], "doubt", "sign", message)


def _check_evaluation_sign(game: Game, visits: dict[Any, Visit], report: Report) -> None:
    """An evaluation that is not antisymmetric.

    With the turn swapped, an evaluation for the player to move changes its sign, but for a constant (the advantage of the move). It is
    certainly wrong only where the utility itself changes its sign so, and otherwise, as in impartial games, a doubt.
    """
    if type(game).evaluate is Game.evaluate:
        return
    pairs = [(visit, _swapped(game, visit)) for visit in visits.values()]
    inner = [(visit, swapped) for visit, swapped in pairs if swapped is not None and not visit.terminal and not game.is_terminal(swapped)]
    sums = {game.evaluate(visit.state) + game.evaluate(swapped) for visit, swapped in inner}
    if len(sums) > 1:
        finals = [(visit, swapped) for visit, swapped in pairs if swapped is not None and visit.terminal and game.utility(visit.state) != 0]
        partisan = len(finals) >= ENOUGH and all(game.utility(visit.state) == -game.utility(swapped) for visit, swapped in finals)
        visit, swapped = next((visit, swapped) for visit, swapped in inner if game.evaluate(visit.state) != -game.evaluate(swapped))
        message = (
            f"evaluate is not antisymmetric: {game.evaluate(visit.state)} here, {game.evaluate(swapped)} with the other player to move; "
            "it must be the value for the player to move"
        )
        _add(report, game, visit, "fault" if partisan else "doubt", "evaluation", message)


def _check_best_is_worthwhile(game: Game, visit: Visit, value: int, report: Report) -> None:
    found = []
    for action in game.worthwhile(visit.state):
        child = game.result(visit.state, action)
        worth = small_value(game, child, iter(range(SOLVED_NODES)))
        if worth is None:
            return
        found.append(worth if game.keeps_turn(visit.state, child) else -worth)
    if max(found) != value:
        message = f"the value is {value}, but the worthwhile actions lead to {max(found)} at best"
        _add(report, game, visit, "fault", "worthwhile", message)


def _check_secured(game: Game, visit: Visit, value: int, report: Report) -> None:
    for alpha in (value - 1, value):
        low, high = game.secured(visit.state, alpha)
        if not low <= value <= high:
            _add(
                report, game, visit, "fault", "secured", f"the value is {value}, outside what is secured for alpha {alpha}, {low} to {high}"
            )


def _check_canonical(game: Game, visit: Visit, value: int, report: Report) -> None:
    """The value of the canonical State, of the game and, where that alone knows symmetries, of its form for searches to the end."""
    form, state = (game, visit.state) if game.has_canonical else (game.solving_game(), game.solving_state(visit.state))
    image = form.canonical(state)
    if image != state and small_value(form, image, iter(range(2 * SOLVED_NODES))) != value:
        _add(report, game, visit, "fault", "canonical", f"the value is {value}, but not that of canonical(state): {form.format(image)}")


def _check_values(game: Game, visits: dict[Any, Visit], report: Report) -> None:
    """Exact values of positions near the end: inside `bounds` and `secured`, the same for the canonical State, and of the sign of
    `evaluate`."""
    agree = disagree = solved = 0
    beyond = False
    for visit in reversed(visits.values()):
        # Backwards through a game: what comes before a position with too many descendants has more, up to the end of another game.
        beyond = beyond and not visit.terminal
        value = None if beyond else small_value(game, visit.state, iter(range(SOLVED_NODES)))
        beyond = value is None
        if value is None:
            continue
        solved += 1
        low, high = game.bounds(visit.state)
        if not low <= value <= high:
            _add(report, game, visit, "fault", "bounds", f"the value is {value}, outside bounds, {low} to {high}")
        if game.has_secured and not visit.terminal:
            _check_secured(game, visit, value, report)
        if game.has_worthwhile and not visit.terminal:
            _check_best_is_worthwhile(game, visit, value, report)
        _check_canonical(game, visit, value, report)
        if not visit.terminal and value * game.evaluate(visit.state) != 0:
            agree, disagree = agree + (value * game.evaluate(visit.state) > 0), disagree + (value * game.evaluate(visit.state) < 0)
        if solved >= SOLVED:
            break
    if disagree >= ENOUGH and disagree > 9 * agree:
        message = f"evaluate has the opposite sign of the exact value in {disagree} of {agree + disagree} positions near the end"
        report.add("doubt", "evaluation", message)
