"""Watching an algorithm from outside: the same source, interpreted, with stand-ins for some of its
procedures.

No algorithm knows that it is watched. The procedures on the paths to the watched ones are copied,
each with its own namespace in which the stand-ins replace the originals; a stand-in for the game
notes which action leads where.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from typing import Any

from prunus.core.game import Game

Procedure = Callable[..., Any]


def called_by(function: Procedure) -> dict[str, Procedure]:
    """The plain functions among the globals that a function uses, by name."""
    return {
        name: f
        for name in function.__code__.co_names
        if isinstance(f := function.__globals__.get(name), types.FunctionType)
    }


def reached_from(start: Procedure) -> set[Procedure]:
    """The plain functions that a function calls, directly or indirectly."""
    seen: set[Procedure] = set()
    waiting = list(called_by(start).values())
    while waiting:
        current = waiting.pop()
        if current not in seen:
            seen.add(current)
            waiting += called_by(current).values()
    return seen


def with_stand_ins(
    function: Procedure,
    watched: Iterable[Procedure],
    stand_in: Callable[[Procedure, Procedure], Procedure],
) -> Procedure:
    """The same algorithm with these procedures watched: wherever it, or a function it calls, calls
    one of them, `stand_in(procedure, copy)` is called instead; `copy` does what the procedure does.
    The originals stay unchanged."""
    wanted = set(watched)
    family = {
        f for f in reached_from(function) | {function} if f in wanted or reached_from(f) & wanted
    }
    copies = {original: _copy_of(original) for original in family}
    versions = {
        original: stand_in(original, copy) if original in wanted else copy
        for original, copy in copies.items()
    }
    for original, copy in copies.items():
        copy.__globals__.update(
            {
                name: versions[called]
                for name, called in called_by(original).items()
                if called in versions
            }
        )
    return versions[function]


def _copy_of(function: Procedure) -> Any:
    """The same code with a namespace of its own."""
    return types.FunctionType(
        function.__code__,
        dict(function.__globals__),
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )


class WatchedGame:
    """The game as a watched algorithm sees it: it answers the same, and notes which action made
    which State."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.made: list[tuple[Any, int]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def result(self, state: Any, action: int) -> Any:
        """The game's result of an action."""
        child = self._game.result(state, action)
        self.made.append((child, int(action)))
        return child

    def action_to(self, state: Any, first: int = 0) -> int | None:
        """The action that made this very State, of those noted from place `first` on; None if no
        action did (a null move, or the same node searched less deep)."""
        made = reversed(self.made[first:])
        return next((action for child, action in made if child is state), None)
