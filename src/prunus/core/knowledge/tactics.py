"""Knowledge of single actions: which to try first, which are noisy, whether a pass may be tried."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final

from prunus.core.generic import S
from prunus.core.knowledge.part import Part

HOOKS: Final = (
    "in_check",
    "likelihood",
    "noisy_actions",
    "order",
    "pass_turn",
)
"""The methods that change how a game is searched if a class defines them."""


class Tactics(Part[S]):
    """Hints to a search about actions and threats; wrong ones cost time, and strength in selective
    searches, but never a proof. See `Part` for classes derived from this one alone."""

    has_in_check: ClassVar[bool] = False
    has_likelihood: ClassVar[bool] = False
    has_noisy_actions: ClassVar[bool] = False
    has_order: ClassVar[bool] = False
    has_pass_turn: ClassVar[bool] = False

    def order(self, state: S, action: int, /) -> int:
        """How promising an action looks: the search tries larger numbers first."""
        return 0

    def noisy_actions(self, state: S, /) -> Iterable[int]:
        """The actions after which an evaluation cannot be trusted (captures, promotions, ...), for
        quiescence search."""
        return ()

    def in_check(self, state: S, /) -> bool:
        """Whether the player to move is under a threat that rules out standing pat and passing."""
        return False

    def pass_turn(self, state: S, /) -> S:
        """The State with the other player to move and nothing else changed, for the null move.
        Define it only if a pass is never better than the best action."""
        return state

    def likelihood(self, state: S, action: int, /) -> float:
        """The probability, from 0 to 1, that a good player chooses this action (for Floyd's
        probability depth)."""
        return 1.0
