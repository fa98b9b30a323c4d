"""A position of a game: a State and what came before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from prunus.core.game import Game, PositionError, S
from prunus.core.generic import Generic


@dataclass(frozen=True)
class Position(Generic[S]):
    """A State and its `past`: every State that the game has passed through to reach it, the
    earliest first.

    The past matters in games with a rule of repetition. Every function that takes a State also
    takes a Position.
    """

    state: S
    past: Sequence[S] = ()
    _is_checked: bool = field(default=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "past", tuple(self.past))

    @property
    def path(self) -> tuple[S, ...]:
        """All the States; this one is the last."""
        return (*self.past, self.state)

    def after(self, game: Game[S], action: int) -> Position[S]:
        """The position after a legal action."""
        known = self._is_checked or not self.past
        return Position(game.result(self.state, action), self.path, known)

    def check(self, game: Game[S]) -> None:
        """Raises PositionError if a State of the past is not followed by one of its successors."""
        if self._is_checked:
            return
        path = self.path
        for number, state in enumerate(self.past):
            if game.is_terminal(state):
                raise PositionError(
                    f"past[{number}] ends the game, and nothing can come after it: "
                    f"{game.format(state)}"
                )
            if not any(
                game.result(state, action) == path[number + 1] for action in game.actions(state)
            ):
                after = f"past[{number + 1}]" if number + 1 < len(self.past) else "the position"
                raise PositionError(
                    f"no action leads from past[{number}] to {after}: give every State that the "
                    f"game has passed through, in order"
                )
        object.__setattr__(self, "_is_checked", True)


class Walk(Generic[S]):
    """The States along lines of play from one State. Each line is compared with the last one: where
    both begin alike, the States are already known."""

    def __init__(self, game: Game[S], state: S) -> None:
        self.game, self.states = game, [state]
        self.line: tuple[int, ...] = ()

    def along(self, line: Sequence[int]) -> list[S]:
        """The States that a line of legal actions goes through, including the first."""
        shared = 0
        for action, before in zip(line, self.line, strict=False):
            if action != before:
                break
            shared += 1
        del self.states[shared + 1 :]
        self.line = self.line[:shared]
        for action in line[shared:]:
            self.states.append(self.game.result(self.states[-1], action))
        self.line = tuple(line)
        return list(self.states)


Asked: TypeAlias = S | Position[S] | str | None
"""What a caller may give for a position; see `position_of`."""


def _expected(game: Game[S], state: object) -> object:
    """The State. Raises TypeError if it is certainly none of the game's."""
    kind = getattr(type(game), "State", None)
    names = getattr(kind, "_fields", None)
    if names is not None and getattr(state, "_fields", None) != names:
        raise TypeError(
            f"{repr(state)[:60]} is no position of {game.title()}: give a State("
            f"{', '.join(names)}), a text as `format` writes it, or None for the start"
        )
    return state


def read_position(game: Game[S], text: str) -> Position[S]:
    """The position that a text describes: a position as the game writes it (`Game.parse`; nothing
    for the start), and what was played from there (`Game.split_moves`). Raises PositionError."""
    game.view_arrays()
    before, names = game.split_moves(text)
    position = Position(game.parse(before) if before else game.initial())
    for number, name in enumerate(names, 1):
        position = position.after(game, game.action_named(position.state, name, number))
    return position


def position_of(game: Game[S], asked: Asked[S]) -> Position[S]:
    """The position that a caller means by a Position, a State, a text (unless the game's States are
    texts) or None, the start of the game. It has a past only in games where repetitions count.
    Raises PositionError, and TypeError for what is none of these."""
    game.view_arrays()
    if asked is None:
        start = game.initial()
        if start is None:
            raise PositionError(f"{game.title()}: initial gives None; is a `return` missing?")
        return Position(start)
    if isinstance(asked, str) and not isinstance(game.initial(), str):
        asked = read_position(game, asked)
    if not isinstance(asked, Position):
        return Position(cast("S", _expected(game, asked)))
    _expected(game, asked.state)
    asked.check(game)
    return asked if game.repetition != "none" else Position(asked.state)
