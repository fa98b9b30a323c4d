"""A game: rules, of which five methods are required, and optionally knowledge for searches."""

from __future__ import annotations

from typing import Final, Self, TypeVar

from prunus.core.generic import S
from prunus.core.knowledge import certainties, evaluation, tactics
from prunus.core.knowledge.certainties import Certainties
from prunus.core.knowledge.combining import combined
from prunus.core.knowledge.evaluation import (
    WEIGHT_UNIT,
    Evaluation,
    from_scratch,
    rows_of,
)
from prunus.core.knowledge.tactics import Tactics
from prunus.core.rules import (
    HOOKS,
    INFINITY,
    REPETITIONS,
    PositionError,
    Rules,
)
from prunus.core.runtime import runtime_attributes
from prunus.core.values import let_results_be_plain

__all__ = [
    "INFINITY",
    "OPTIONAL",
    "REPETITIONS",
    "WEIGHT_UNIT",
    "Game",
    "PositionError",
    "S",
    "game_meant",
    "runtime_attributes",
]

OPTIONAL: Final = tuple(sorted((*HOOKS, *evaluation.HOOKS, *tactics.HOOKS, *certainties.HOOKS)))
"""The methods that change how a game is searched if a class defines them."""


class Game(Evaluation[S], Tactics[S], Certainties[S]):
    """The rules of a game, written once as plain Python, and what searches should know of it.

    Derive from it, describe a position by a NamedTuple class `State` (fields `u8` ... `u64`,
    `u128`, `u256`, `i8` ... `i64`, `bool`, tuples of these, tuples of such rows) and write
    `initial`, `actions`, `result`, `is_terminal` and `utility`. Values are integers, always for the
    player to move. The parameters of a game are attributes set in `__init__`; they are fixed at the
    game's first use. Methods must not change anything.

    All other methods are optional; what a class does not define is not compiled. The methods of the
    rules are described in `Rules`; estimates of positions in `Evaluation`, hints such as which
    actions to try first in `Tactics`, and what is certain without a search in `Certainties`. One
    class may contain them all.
    """

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        cls.note_methods()

    def with_parts(
        self,
        *,
        evaluation: Evaluation | type[Evaluation] | str | None = None,
        tactics: Tactics | type[Tactics] | None = None,
        certainties: Certainties | type[Certainties] | None = None,
    ) -> Self:
        """The same game with other parts: separately written objects or classes (`class
        Corners(prunus.Evaluation): ...`), or the name of one of its `evaluations`. Each part
        replaces the game's own completely: what the part does not define, the game is without.
        Raises PartError if a part does not suit the game.
        """
        made: Self = combined(
            self, {"evaluation": evaluation, "tactics": tactics, "certainties": certainties}
        )
        return made

    @classmethod
    def _noted(cls) -> list[tuple[str, object]]:
        by_rows, needs_evaluate = rows_of(cls)
        if needs_evaluate:
            cls.evaluate = from_scratch  # type: ignore[method-assign]
        let_results_be_plain(cls, Game)
        has = {f"has_{name}": getattr(cls, name) is not plain for name, plain in _PLAIN}
        return [*super()._noted(), *(has | {"has_evaluate_row": by_rows}).items()]


G = TypeVar("G", bound=Game)

_PLAIN: Final = [(name, getattr(Game, name)) for name in OPTIONAL]
"""The optional methods as they are if a class does not define them."""


def game_meant(game: G, evaluation: Evaluation | type[Evaluation] | str | None = None) -> G:
    """The game that a caller gives, with another evaluation if one is given; see
    `Game.with_parts`. Raises TypeError, which says what to write, for anything but a game."""
    if isinstance(game, type) and issubclass(game, Rules):
        raise TypeError(
            f"{game.__name__} is a class of games; a game is made from it, by {game.__name__}(...)"
        )
    if isinstance(game, str):
        raise TypeError(
            f"{game!r} is a text; prunus.games.make_game({game!r}) makes the game of that name"
        )
    if not isinstance(game, Rules):
        raise TypeError(
            f"a game is expected, made from a class that derives from prunus.Game, not "
            f"{type(game).__name__}"
        )
    return game if evaluation is None else game.with_parts(evaluation=evaluation)


def furthest(game: Game) -> int:
    """A number such that no position of a game is worth more than it, or less than its negative,
    and that estimates stay below. It is read from the bounds of the start if these allow either
    side to win; otherwise, as where the start is won for certain, they say nothing about other
    positions, and it is INFINITY."""
    low, high = game.bounds(game.initial())
    return int(max(-low, high)) if low < 0 < high else INFINITY
