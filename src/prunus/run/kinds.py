"""Which method of a game gives something of the wrong kind: looked for when a search has ended with
an error, since such an error usually arises elsewhere and names something else."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final, NoReturn

from prunus.core.errors import PrunusError
from prunus.core.game import Game, S
from prunus.core.values import ResultError, raw

MOST: Final = 2000
"""The most positions that are looked at."""


@contextmanager
def in_terms_of_rules(game: Game[S], state: S) -> Iterator[None]:
    """A context for searches from a State: if one ends with an error because a method of the game
    gives something of the wrong kind, raises ResultError, which names the method."""
    try:
        yield
    except (AttributeError, OverflowError, TypeError, ValueError) as error:
        said = None
        if not isinstance(error, PrunusError):
            # An OverflowError tells the computation that led to an integer that is too large.
            said = wrong_kind(game, state, sizes=not isinstance(error, OverflowError))
        if said is None:
            raise
        raise ResultError(said) from error


def wrong_kind(game: Game[S], state: S, *, sizes: bool = True) -> str | None:
    """The first method found to give something of the wrong kind, in this position or those after
    it, and what; None if there is none or the rules themselves raise an error. `sizes`: an integer
    of more than 64 bits is of the wrong kind, too."""
    positions = [state]
    try:
        for at in positions:
            after = _after(game, at, sizes)
            positions += after[: MOST - len(positions)]
    except ResultError as error:
        return str(error)
    except Exception:
        return None
    return None


def _after(game: Game[S], state: S, sizes: bool) -> list[S]:
    """The States after one. Raises ResultError if a method gives something of the wrong kind."""
    turn, players = game.to_move(state), range(game.players)
    if turn not in players:
        _refuse(game, "to_move", repr(turn), f"the number of a player, {_among(players)}")
    over: object = game.is_terminal(state)
    if over is None:
        _refuse(game, "is_terminal", "None", "True or False; is a `return` missing?")
    if over:
        _look_at_values(game, state, sizes)
        return []
    after = [game.result(state, action) for action in _actions(game, state, sizes)]
    for child in after:
        if not isinstance(child, type(state)):
            hint = "; is a `return` missing?" if child is None else ""
            _refuse(game, "result", repr(child), f"a new {type(state).__name__}{hint}")
    return after


def _look_at_values(game: Game[S], state: S, sizes: bool) -> None:
    method = "utility" if game.players == 2 else "utilities"
    found = getattr(game, method)(state)
    for value in [found] if game.players == 2 else found:
        if not _fits(value, sizes):
            _refuse(game, method, repr(value), "an integer of at most 63 bits")


def _actions(game: Game[S], state: S, sizes: bool) -> list[int]:
    found: object = game.actions(state)
    if not isinstance(found, Iterable):
        hint = "; is a `return` or `yield` missing?" if found is None else ""
        _refuse(game, "actions", repr(found), f"a list of integers{hint}")
    actions = list(game.actions(state))
    for action in actions:
        if not _fits(action, sizes):
            hint = ""
            if isinstance(action, tuple):
                hint = ": number the actions, for example row * columns + column"
            _refuse(game, "actions", f"the action {action!r}", f"an integer of 64 bits{hint}")
    return actions


def _fits(value: object, sizes: bool) -> bool:
    """Whether this is an integer, and one of at most 64 bits if sizes count."""
    try:
        return -(1 << 63) <= operator.index(value) < 1 << 64 or not sizes  # type: ignore[arg-type]
    except TypeError:
        return False


def _among(players: range) -> str:
    return " or ".join(map(str, players)) if len(players) < 3 else f"0 ... {players[-1]}"


def _refuse(game: Game[S], method: str, what: str, wanted: str) -> NoReturn:
    function = raw(inspect.unwrap(getattr(type(game), method)))
    code = function.__code__
    raise ResultError(
        f"{type(game).__qualname__}.{method} gives {what}; it must be {wanted} "
        f"({code.co_filename}:{code.co_firstlineno})"
    )
