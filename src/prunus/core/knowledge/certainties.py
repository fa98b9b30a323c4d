"""What is certain of a position without a search: limits of its value, actions that suffice, how
far the end is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

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
"""The methods that change how a game is searched where a class defines them."""


class Certainties(Part):
    """What a proof may rest on, and therefore has to be true of every position; `prunus.check`
    tests it. See `Part` for classes derived from this one alone."""

    last_plies: ClassVar[int] = 0
    """How many `plies_left` there may be for `last_value`."""

    has_bounds: ClassVar[bool] = False
    has_last_value: ClassVar[bool] = False
    has_plies_left: ClassVar[bool] = False
    has_secured: ClassVar[bool] = False
    has_worthwhile: ClassVar[bool] = False

    def bounds(self, state: Any, /) -> tuple[int, int]:
        """Limits (lowest, highest) that the value of the State, for the player to move, certainly
        lies in; those of the start hold for the whole game. What the rules see at a glance, a win
        with the next move or that nobody can win any more, belongs here: a search to the end of the
        game expands no State whose limits say enough."""
        return (-INFINITY, INFINITY)

    def secured(self, state: Any, alpha: int, /) -> tuple[int, int]:
        """Limits of the value as in `bounds`, by what each side has for certain whatever is played
        (Othello: stable discs), for the question whether it is more than `alpha`. A search to the
        end asks for them once it is about to expand the position, so they may cost more; where they
        cannot answer the question, return wide ones soon."""
        return (-INFINITY, INFINITY)

    def worthwhile(self, state: Any, /) -> Iterable[int]:
        """Some of the actions of a State that is not terminal, a best one among them; a search to
        the end of the game looks at no others. Forced replies belong here."""
        return self.actions(state)

    def plies_left(self, state: Any, /) -> int:
        """How many plies, passes apart, a game goes on from here at most; the search to the end
        spares itself what does not pay near it."""
        return INFINITY

    def last_value(self, state: Any, alpha: int, /) -> int:
        """Whether the value of a State with at most `last_plies` plies left is more than `alpha`: a
        result <= alpha is an upper bound of it, a greater one a lower bound. Define it where a loop
        of its own sees the end faster than actions and results do."""
        return 0

    def solving_game(self) -> Game:
        """The same game in a form for searches to the end, with the same actions and values, whose
        States may hold what `bounds`, `worthwhile` and `order` would else find out again and again;
        `solving_state` makes them. A form may take more time for a move than it saves to a search
        that asks few of these methods, so that other searches stay with the game itself. A derived
        class inherits the form, whatever rules it changes: return `self` for classes that are not
        one's own."""
        return cast("Game", self)

    def solving_state(self, state: Any, /) -> Any:
        """The State of `solving_game` for this one. Wanted only where there is another form."""
        return state
