"""Knowledge of single actions: which to try first, which are noisy, whether a pass may be tried."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Final

from prunus.core.generic import S
from prunus.core.knowledge.part import Part

CLASSES: Final = 512
"""The classes of actions (`action_class`)."""

ASPECTS: Final = 4
"""The most aspects of a position (`aspect`)."""

HOOKS: Final = (
    "action_class",
    "aspect",
    "gives_check",
    "in_check",
    "is_action",
    "likelihood",
    "noisy_actions",
    "order",
    "pass_turn",
    "quiet_actions",
    "wins_exchange",
    "zugzwang",
)
"""The methods that change how a game is searched if a class defines them."""


class Tactics(Part[S]):
    """Hints to a search about actions and threats; wrong ones cost time, and strength in selective
    searches, but never a proof. See `Part` for classes derived from this one alone."""

    playing_options: ClassVar[Mapping[str, int]] = {}
    """The options of the engine, by name, with which it plays this game best. Players use them
    where nothing else is said; a search that is to find a value does not."""

    aspects: ClassVar[int] = 0
    """How many aspects of a position `aspect` distinguishes, at most `ASPECTS`."""

    has_action_class: ClassVar[bool] = False
    has_aspect: ClassVar[bool] = False
    has_gives_check: ClassVar[bool] = False
    has_in_check: ClassVar[bool] = False
    has_is_action: ClassVar[bool] = False
    has_likelihood: ClassVar[bool] = False
    has_noisy_actions: ClassVar[bool] = False
    has_order: ClassVar[bool] = False
    has_pass_turn: ClassVar[bool] = False
    has_quiet_actions: ClassVar[bool] = False
    has_wins_exchange: ClassVar[bool] = False
    has_zugzwang: ClassVar[bool] = False

    def order(self, state: S, action: int, /) -> int:
        """How promising an action looks: the search tries larger numbers first."""
        return 0

    def noisy_actions(self, state: S, /) -> Iterable[int]:
        """The actions after which an evaluation cannot be trusted (captures, promotions, ...), for
        quiescence search."""
        return ()

    def quiet_actions(self, state: S, /) -> Iterable[int]:
        """All other actions, in the order in which `actions` has them. With them a search looks for
        the quiet actions only when the noisy ones have been searched."""
        return ()

    def is_noisy(self, state: S, action: int, /) -> bool:
        """Whether an action is one of `noisy_actions`."""
        found = False
        for noisy in self.noisy_actions(state):
            found = found or noisy == action
        return found

    def is_action(self, state: S, number: int, /) -> bool:
        """Whether a number is one of the actions of a State. Define it if that can be told without
        listing them: with it, players that prove nothing anyway search with tables that hold no
        States (`TranspositionTable`, `verified`), which is faster."""
        found = False
        for action in self.actions(state):
            found = found or action == number
        return found

    def action_class(self, state: S, action: int, /) -> int:
        """A number from 0 to 511 that says what an action does, equal for actions that do much the
        same wherever they come from (the piece and its target). With it a search can learn which
        actions go well with which before them."""
        return 0

    def aspect(self, state: S, number: int, /) -> int:
        """A hash of one aspect of a State (`number` from 0 to `aspects` - 1) as the player to move
        sees it, such as the places of all pawns. With it a search can learn in which positions the
        evaluation is too high or too low: those that share an aspect."""
        return 0

    def in_check(self, state: S, /) -> bool:
        """Whether the player to move is under a threat that rules out standing pat and passing."""
        return False

    def gives_check(self, state: S, action: int, /) -> bool:
        """Whether the opponent is in check after an action. Define it if that can be told without
        the State that the action leads to: actions that are not searched then cost less."""
        return self.in_check(self.result(state, action))

    def pass_turn(self, state: S, /) -> S:
        """The State with the other player to move and nothing else changed, for the null move.
        Define it only if a pass is never better than the best action."""
        return state

    def zugzwang(self, state: S, /) -> bool:
        """Whether a pass, if the rules allowed it, might be better than every action, so that the
        null move must not be tried."""
        return False

    def wins_exchange(self, state: S, action: int, least: int, /) -> bool:
        """Whether an action wins at least `least`, in units of the evaluation, if both sides go on
        with what the action has begun (captures on the same square) only as long as that pays: a
        static exchange evaluation. It is asked of noisy actions and, with the option `exchanges`,
        of quiet ones, which lose what can be captured on their target."""
        return True

    def likelihood(self, state: S, action: int, /) -> float:
        """The probability, from 0 to 1, that a good player chooses this action (for Floyd's
        probability depth)."""
        return 1.0
