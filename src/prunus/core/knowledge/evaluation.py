"""What a position seems to be worth: estimates, and the features and weights that they may be made
of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

from prunus.core.knowledge.part import Part
from prunus.core.state import typed_state
from prunus.core.values import raw

WEIGHT_UNIT: Final = 256
"""The weights of an evaluation are kept in so many parts of a value."""

HOOKS: Final = (
    "estimates",
    "evaluate",
    "evaluate_behind",
    "evaluate_row",
    "features",
)
"""The methods that change how a game is searched where a class defines them."""


class Evaluation(Part):
    """What positions seem to be worth to the player to move. None of it is trusted with a proof.

    A class that is derived from this one alone is an evaluation written apart from the rules:
    `self` is the game that it is used with."""

    evaluations: ClassVar[Mapping[str, Evaluation | type[Evaluation]]] = {}
    """Other evaluations of the game, by the names that `analyze` and players in matches know them
    by."""

    feature_count: int = 0
    """The number of features that `features` can name; each has a weight in every stage."""

    weights: Any
    """The weights of an evaluation, stage by stage, in parts of `WEIGHT_UNIT`; data that a game
    with features may set."""

    stages: int = 1
    """The number of classes of positions that `stage` tells apart."""

    Row: type[Any]
    """What `row` gives: a NamedTuple class with fields like those of a State."""

    has_estimates: ClassVar[bool] = False
    has_evaluate: ClassVar[bool] = False
    has_evaluate_behind: ClassVar[bool] = False
    has_evaluate_row: ClassVar[bool] = False
    has_features: ClassVar[bool] = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if isinstance(cls.__dict__.get("Row"), type):
            cls.Row = typed_state(cls.__dict__["Row"])

    def evaluate(self, state: Any, /) -> int:
        """An estimate, for the player to move, of a State that is not terminal; strictly between
        the utilities of a loss and of a win."""
        return 0

    # What an evaluation carries forward from parent to child.

    def row(self, state: Any, /) -> Any:
        """What `evaluate_row` needs of a State besides the State itself, such as a running sum: a
        `Row`, computed from scratch."""
        raise TypeError(f"{type(self).__name__} has to define row(state) beside evaluate_row")

    def next_row(self, row: Any, state: Any, action: int, child: Any, /) -> Any:
        """The row of `child`, which a legal action leads to from `state`, made from the row of
        `state`. It must equal `row(child)`. The engine keeps one row for each ply of its line, and
        none is ever undone."""
        return self.row(child)

    def evaluate_row(self, state: Any, row: Any, /) -> int:
        """`evaluate`, given the State's row. A class that defines this needs no `evaluate` of its
        own."""
        return 0

    def evaluate_behind(self, state: Any, /) -> int:
        """A second evaluation, which takes over where `evaluate` says that the player to move is
        clearly behind."""
        return self.evaluate(state)

    @property
    def no_estimates(self) -> tuple[int, ...]:
        """A 0 for each player."""
        return (0,) * self.players

    def estimates(self, state: Any, /) -> tuple[int, ...]:
        """An estimate for each player of a State that is not terminal, where there are more than
        two."""
        return self.no_estimates

    def features(self, state: Any, /) -> Iterable[tuple[int, int]]:
        """What an evaluation adds up: pairs of a feature (0 ... feature_count - 1) and how often,
        or how much of, it is there. A number (discs ahead) is one feature with the number as its
        amount; what is looked up in a table (the discs on an edge) is a feature for each entry of
        the table, with the amount 1. A feature may come several times. `prunus fit evaluation`
        finds the weights."""
        return ()

    def stage(self, state: Any, /) -> int:
        """The class of positions (0 ... stages - 1) that this one belongs to; each has weights of
        its own. The number of pieces, say."""
        return 0

    def weighed(self, state: Any, most: int) -> int:
        """The sum of the features of a State, weighed by the attribute `weights` (see
        `prunus.load_weights`), but never beyond -most or most: an `evaluate` for games whose
        utilities are larger."""
        base, total = self.stage(state) * self.feature_count, 0
        for feature, amount in self.features(state):
            total += amount * self.weights[base + feature]
        return max(-most, min(most, (total + WEIGHT_UNIT // 2) // WEIGHT_UNIT))

    def probcut_file(self) -> str:
        """The file of ProbCut's parameters (`prunus fit probcut`) that searches of the game use
        where no other is given; empty: none."""
        return ""


def from_scratch(self: Evaluation, state: Any) -> int:
    """The `evaluate` of a class that defines `evaluate_row`."""
    return self.evaluate_row(state, self.row(state))


def rows_of(cls: type[Evaluation]) -> tuple[bool, bool]:
    """Whether the `evaluate_row` of a class is what counts, since no class derived later has an
    `evaluate` without it; and whether the class still needs an `evaluate`, made from it."""
    for base in cls.__mro__:
        own = vars(base)
        whole = raw(own.get("evaluate")) not in (None, from_scratch, Evaluation.evaluate)
        if "evaluate_row" in own:
            by_rows = raw(own["evaluate_row"]) is not Evaluation.evaluate_row
            needs = by_rows and not whole and raw(cls.evaluate) is not from_scratch
            return by_rows, needs
        if whole:
            return False, False
    return False, False
