"""What a game is: rules, of which five methods are needed, and what searches know of it, which is
optional."""

from __future__ import annotations

from typing import Any, Final, Self

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
from prunus.core.rules import HOOKS, INFINITY, REPETITIONS, PositionError, runtime_attributes
from prunus.core.values import let_results_be_plain

__all__ = [
    "INFINITY",
    "OPTIONAL",
    "REPETITIONS",
    "WEIGHT_UNIT",
    "Game",
    "PositionError",
    "runtime_attributes",
]

OPTIONAL: Final = tuple(sorted((*HOOKS, *evaluation.HOOKS, *tactics.HOOKS, *certainties.HOOKS)))
"""The methods that change how a game is searched where a class defines them."""


class Game(Evaluation, Tactics, Certainties):
    """The rules of a game, written once as plain Python, and what searches are to know of it.

    Derive from it, describe a position by a NamedTuple class `State` (fields `u8` ... `u64`,
    `u128`, `u256`, `i8` ... `i64`, `bool`, tuples of these) and write `initial`, `actions`,
    `result`, `is_terminal` and `utility`. Values are integers, always for the player to move. The
    parameters of a game are attributes set in `__init__`; they are fixed at the game's first use.
    Methods must not change anything.

    All other methods are optional; what a class does not define is not compiled. Those of the rules
    stand in `Rules`; what a position seems to be worth in `Evaluation`, which actions to try first
    and the like in `Tactics`, what is certain without a search in `Certainties`. They may all be
    written into the one class.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.note_methods()

    def with_parts(
        self,
        *,
        evaluation: Evaluation | type[Evaluation] | str | None = None,
        tactics: Tactics | type[Tactics] | None = None,
        certainties: Certainties | type[Certainties] | None = None,
    ) -> Self:
        """The same game with other parts: objects or classes written apart (`class
        Corners(prunus.Evaluation): ...`), or the name of one of its `evaluations`. Each takes over
        whole: what it does not define the game is without. Raises PartError where a part does not
        go with the game.
        """
        made: Self = combined(
            self, {"evaluation": evaluation, "tactics": tactics, "certainties": certainties}
        )
        return made

    @classmethod
    def _noted(cls) -> list[tuple[str, Any]]:
        by_rows, needs_evaluate = rows_of(cls)
        if needs_evaluate:
            cls.evaluate = from_scratch  # type: ignore[method-assign]
        let_results_be_plain(cls, Game)
        has = {f"has_{name}": getattr(cls, name) is not plain for name, plain in _PLAIN}
        return [*super()._noted(), *(has | {"has_evaluate_row": by_rows}).items()]


_PLAIN: Final = [(name, getattr(Game, name)) for name in OPTIONAL]
"""The optional methods as they are where a class does not define them."""
