"""Estimates of the values of positions, and the features and weights that they may be computed
from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, TypeAlias

from prunus.core.generic import S
from prunus.core.knowledge.part import Part
from prunus.core.state import typed_state
from prunus.core.values import raw

WEIGHT_UNIT: Final = 256
"""Fixed-point scale of weights: 256 is one unit of value."""

SHARE: Final = 1536
"""The whole of what stages share in a tapered evaluation: 24 phases times 64."""

HOOKS: Final = (
    "estimates",
    "evaluate",
    "evaluate_behind",
    "evaluate_row",
    "features",
    "shares",
    "weighted_sum",
)
"""The methods that change how a game is searched if a class defines them."""

AnyRow: TypeAlias = Any
"""A row: an instance of the evaluation's own class."""

Weights: TypeAlias = Any
"""An array of weights or a sequence of them; a view of the array once the game is used."""


class Evaluation(Part[S]):
    """Estimates of positions for the player to move. No proof relies on them.

    A class derived from this one alone is an evaluation written separately from the rules: `self`
    is the game that it is used with."""

    evaluations: ClassVar[Mapping[str, Evaluation | type[Evaluation]]] = {}
    """Other evaluations of the game, by the names under which `analyze` and players in matches know
    them."""

    feature_count: int = 0
    """The number of features that `features` can name; each has a weight in every stage."""

    weights: Weights
    """The weights of an evaluation, stage by stage, in units of 1 / `WEIGHT_UNIT`; data that a game
    with features may set."""

    held_features: ClassVar[Sequence[int]] = ()
    """Features whose weights a fit to the results of games leaves as they are, because it leaves
    out the positions that have them: those of games that are all but over. What such games leave
    undecided for long tells the opposite of what is true of the others."""

    stages: int = 1
    """The number of classes of positions that `stage` distinguishes."""

    Row: type[AnyRow]
    """The type that `row` returns: a NamedTuple class with fields like those of a State."""

    has_estimates: ClassVar[bool] = False
    has_evaluate: ClassVar[bool] = False
    has_evaluate_behind: ClassVar[bool] = False
    has_evaluate_row: ClassVar[bool] = False
    has_features: ClassVar[bool] = False
    has_shares: ClassVar[bool] = False
    has_weighted_sum: ClassVar[bool] = False

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        if isinstance(cls.__dict__.get("Row"), type):
            cls.Row = typed_state(cls.__dict__["Row"])

    def evaluate(self, state: S, /) -> int:
        """An estimate, for the player to move, of a State that is not terminal; strictly between
        the utilities of a loss and of a win."""
        return 0

    # Data that an evaluation carries forward from parent to child.

    def row(self, state: S, /) -> AnyRow:
        """The row of a State, computed from scratch: a `Row` of what `evaluate_row` needs besides
        the State itself, such as a running sum."""
        raise TypeError(f"{type(self).__name__} must define row(state) besides evaluate_row")

    def next_row(self, row: AnyRow, state: S, action: int, child: S, /) -> AnyRow:
        """The row of `child`, to which the legal action `action` leads from `state`, computed from
        the row of `state`. It must equal `row(child)`. The engine keeps one row for each ply of its
        line, and never undoes one."""
        return self.row(child)

    def evaluate_row(self, state: S, row: AnyRow, /) -> int:
        """`evaluate`, given the State's row. A class that defines this needs no `evaluate` of its
        own."""
        return 0

    def evaluate_behind(self, state: S, /) -> int:
        """A second evaluation, which takes over when `evaluate` says that the player to move is
        clearly behind."""
        return self.evaluate(state)

    @property
    def no_estimates(self) -> tuple[int, ...]:
        """A 0 for each player."""
        return (0,) * self.players

    def estimates(self, state: S, /) -> tuple[int, ...]:
        """An estimate for each player of a State that is not terminal, for more than two
        players."""
        return self.no_estimates

    def features(self, state: S, /) -> Iterable[tuple[int, int]]:
        """The terms of an evaluation: pairs of a feature (0 ... feature_count - 1) and its amount,
        that is how often or how strongly it is present. A number (such as the lead in discs) is one
        feature, with the number as its amount; a value looked up in a table (such as the discs on
        an edge) is one feature for each entry of the table, with the amount 1. A feature may occur
        several times. `prunus fit evaluation` finds the weights."""
        return ()

    def stage(self, state: S, /) -> int:
        """The class (0 ... stages - 1) of this position, for example by the number of pieces; each
        class has weights of its own."""
        return 0

    def weighed(self, state: S, most: int) -> int:
        """The sum of the features of a State, weighted by the attribute `weights` (see
        `prunus.load_weights`) and limited to -most ... most: an `evaluate` for games whose
        utilities are larger."""
        base, total = self.stage(state) * self.feature_count, 0
        for feature, amount in self.features(state):
            total += amount * self.weights[base + feature]
        return max(-most, min(most, (total + WEIGHT_UNIT // 2) // WEIGHT_UNIT))

    # A sum that the evaluation adds up by itself.

    def weighted_sum(self, state: S, /) -> int:
        """The sum of the features of a State, each times its item of the attribute `weights`, an
        array of `feature_count` numbers of 64 bits: the same sum as that of `features`, for
        evaluations that have too many of them to list them one by one. Nothing else may depend on
        the weights: `prunus fit evaluation` puts numbers of its own there, and reads the amounts
        from the sum."""
        return 0

    def shares(self, state: S, /) -> tuple[int, ...]:
        """For a tapered evaluation, how much the weights of each stage count in this State, in
        1 / `SHARE`; less in all if the estimate is to be trusted less. Its items are as many as
        the `stages`."""
        return (SHARE,)

    def stage_weights(self) -> Weights:
        """The weights of an evaluation with `weighted_sum`, in units of value: stages x features,
        as `prunus fit evaluation` begins with them."""
        raise TypeError(f"{type(self).__name__} must define stage_weights() besides weighted_sum")

    def probcut_file(self) -> str:
        """The file of ProbCut's parameters (`prunus fit probcut`) that searches of the game use if
        no other is given; empty: none."""
        return ""


def from_scratch(self: Evaluation[S], state: S) -> int:
    """The `evaluate` of a class that defines `evaluate_row`."""
    return self.evaluate_row(state, self.row(state))


def rows_of(cls: type[Evaluation]) -> tuple[bool, bool]:
    """Whether `evaluate_row` is what counts for a class, because no class derived later has an
    `evaluate` without it; and whether the class still needs an `evaluate` made from it."""
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
