"""Facts about a position that are certain without a search: bounds of its value, actions that
suffice, the distance to the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Final, cast

from prunus.core.generic import S
from prunus.core.knowledge.part import Part
from prunus.core.rules import INFINITY

if TYPE_CHECKING:
    from prunus.core.game import Game

HOOKS: Final = (
    "bounds",
    "last_value",
    "plies_left",
    "secured",
    "worthwhile",
)
"""The methods that change how a game is searched if a class defines them."""


class Certainties(Part[S]):
    """Facts on which proofs may rest, so that they must be true of every position; `prunus.check`
    tests them. See `Part` for classes derived from this one alone."""

    last_plies: ClassVar[int] = 0
    """The most `plies_left` for which `last_value` may be called."""

    has_bounds: ClassVar[bool] = False
    has_last_value: ClassVar[bool] = False
    has_plies_left: ClassVar[bool] = False
    has_secured: ClassVar[bool] = False
    has_worthwhile: ClassVar[bool] = False

    def bounds(self, state: S, /) -> tuple[int, int]:
        """Bounds (lowest, highest) that the value of the State, for the player to move, certainly
        lies between. If those of the start allow either side to win, no position may be worth more
        than the larger of them, and estimates stay below it. What the rules tell without a
        search, such as a win with the next move or that nobody can win any more, belongs here: a
        search to the end of the game expands no State whose bounds decide its question."""
        return (-INFINITY, INFINITY)

    def secured(self, state: S, alpha: int, /) -> tuple[int, int]:
        """Bounds of the value as in `bounds`, from what each side is certain to keep whatever is
        played (Othello: stable discs), for the question whether the value is more than `alpha`. A
        search to the end calls it just before it expands the position, so it may cost more; if it
        cannot answer the question, it should return wide bounds quickly."""
        return (-INFINITY, INFINITY)

    def worthwhile(self, state: S, /) -> Iterable[int]:
        """Some of the actions of a State that is not terminal, including a best one; a search to
        the end of the game considers no others. Forced replies belong here."""
        return self.actions(state)

    def plies_left(self, state: S, /) -> int:
        """The most plies, not counting passes, that the game can last from here; near the end a
        search to the end skips work that no longer pays."""
        return INFINITY

    def last_value(self, state: S, alpha: int, /) -> int:
        """Whether the value of a State with at most `last_plies` plies left is more than `alpha`: a
        result <= alpha is an upper bound of it, a greater one a lower bound. Define it if a special
        loop reaches the end faster than actions and results do."""
        return 0

    def solving_game(self) -> Game:
        """The same game in a form for searches to the end, with the same actions and values, whose
        States may store what `bounds`, `worthwhile` and `order` would otherwise compute again and
        again; `solving_state` makes them. Such a form may cost more per move than it saves a search
        that rarely calls these methods, so other searches use the game itself. A derived class
        inherits the form, whatever rules it changes: return `self` for classes other than your
        own."""
        return cast("Game", self)

    def solving_state(self, state: S, /) -> object:
        """The State of `solving_game` for this one. Only needed if there is another form."""
        return state
