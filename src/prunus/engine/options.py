"""The options of the engine: what is on, and how much of it. How a search gets to know them says
`prunus.engine.amounts`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar, Final

from prunus.core.errors import SearchError
from prunus.core.game import Game
from prunus.engine.fits import FitEntry, entries, read_fits

FIT_PAIRS: Final = 3
"""The shallow searches that ProbCut may try for one depth."""

FIT_DEPTHS: Final = 64
"""ProbCut is for searches less deep than this."""

FIT_STAGES: Final = 16
"""The most stages of a game (`Game.stages`) that ProbCut may have parameters of their own for."""

FIT_WORDS: Final = 4 * FIT_PAIRS * FIT_DEPTHS * FIT_STAGES
"""Room for the parameters of ProbCut: four words for each shallow search of each depth in each
stage."""


@dataclass(frozen=True)
class Options:
    """What the engine does besides alpha-beta with a table.

    Exact: `killers`, `counters` and `counts` (order by killers, counter-moves and history), `etc`
    (enhanced transposition cut-offs in nodes of that many plies and more, 0: off), `iid` (internal
    iterative deepening likewise), `presearch` (order the root's actions by searches this much
    shallower, 0: off), `statics` (the game's `bounds`, when solving).

    Selective, off by default; with one of them no result is proved: `quiescence` with `quiet` (the
    change of evaluation beyond which an action is noisy, for games without `noisy_actions`),
    `behind` (the margin from which the second evaluation counts), `beam` (only the first so many
    actions), `null_move` (the reduction after a pass), `reductions` (late moves are first searched
    less deep, from this place in the order on), `futility` (the most that a quiet action can gain
    in a node one ply above the limit), `singular` (the margin by which an action must surpass all
    others to be extended), `floyd` (a line is followed while the product of its actions'
    probabilities is at least 1 in `floyd`), `probcut` (the confidence of cuts by shallow searches,
    in tenths of a standard deviation), `second` (the two best root actions are compared once more
    by searches this much deeper).
    """

    killers: bool = True
    counters: bool = True
    counts: bool = True
    etc: int = 3
    iid: int = 4
    presearch: int = 0
    statics: bool = True
    quiescence: bool = False
    quiet: int = 0
    behind: int = 0
    beam: int = 0
    null_move: int = 0
    reductions: int = 0
    futility: int = 0
    singular: int = 0
    floyd: int = 0
    probcut: int = 0
    second: int = 0
    fit: tuple[FitEntry, ...] = ()
    """For `probcut`; without it what the game suggests. A depth may come several times in a stage
    (Multi-ProbCut)."""

    SWITCHES: ClassVar = ("killers", "counters", "counts", "statics", "quiescence")
    """What is on or off, no more."""

    AMOUNTS: ClassVar = (
        "etc",
        "iid",
        "presearch",
        "behind",
        "beam",
        "null_move",
        "reductions",
        "futility",
        "singular",
        "floyd",
        "probcut",
    )
    """What is off at 0, and otherwise says how much."""

    SELECTIVE: ClassVar = (
        "quiescence",
        "behind",
        "beam",
        "null_move",
        "reductions",
        "futility",
        "singular",
        "floyd",
        "probcut",
        "second",
    )

    ORDERED: ClassVar = ("beam", "reductions", "futility", "singular", "floyd")
    """What treats an action by its place among the others, which the table's best action is the
    first of."""

    def __post_init__(self) -> None:
        for name, value in self.values().items():
            if value < 0:
                raise SearchError(f"the option {name} is {value}; it is 0 (off) or more")
        for (deep, *stage), count in Counter((entry[0], *entry[2:]) for entry in self.fit).items():
            if (
                not 0 < deep < FIT_DEPTHS
                or count > FIT_PAIRS
                or not all(0 <= each < FIT_STAGES for each in stage)
            ):
                raise SearchError(
                    f"{count} fits of ProbCut for depth {deep}: depths are 1 to {FIT_DEPTHS - 1}, "
                    f"with at most {FIT_PAIRS} each, stages 0 to {FIT_STAGES - 1}"
                )

    @classmethod
    def of(cls, game: Game, wanted: Mapping[str, int] | Options | None = None) -> Options:
        """The options for a game: those that are wanted by name, the others as the game suggests.
        Orders are learnt where some actions are noisy; elsewhere the game's own order, always the
        same, was measured to meet the table's positions more often. Internal deepening needs an
        evaluation to tell it anything."""
        if isinstance(wanted, Options):
            return wanted
        if not wanted:
            return _usual(game.has_noisy_actions, game.has_evaluate)
        given = dict(wanted or {})
        unknown = given.keys() - {field.name for field in fields(cls)}
        if unknown:
            raise SearchError(
                f"the engine has no option {', '.join(sorted(unknown))}; it has "
                f"{', '.join(f.name for f in fields(cls))}"
            )
        settings: dict[str, Any] = {
            **_suggested(game.has_noisy_actions, game.has_evaluate),
            **given,
        }
        if settings.get("probcut") and not settings.get("fit") and game.probcut_file():
            settings["fit"] = entries(read_fits(Path(game.probcut_file())))
        return cls(**settings)

    @classmethod
    def among(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Those of some values by name that are options of the engine; what `fit` names is a file,
        which is read (None: there is none). Raises SearchError where it cannot be."""
        found = {f.name: given[f.name] for f in fields(cls) if given.get(f.name) is not None}
        if "fit" in found:
            found["fit"] = entries(read_fits(Path(found["fit"])))
        return found

    @staticmethod
    def wants_second(wanted: Mapping[str, int] | Options | None) -> bool:
        """Whether the options, by name or as they are, ask for a second look at the two best
        actions."""
        return bool(wanted.second if isinstance(wanted, Options) else (wanted or {}).get("second"))

    @staticmethod
    def reads_fits(wanted: Mapping[str, int] | Options | None) -> bool:
        """Whether `of` reads the parameters of ProbCut from a file, which may change."""
        return not isinstance(wanted, Options) and bool((wanted or {}).get("probcut"))

    @cached_property
    def _switches(self) -> dict[str, bool]:
        on = {name: bool(getattr(self, name)) for name in self.SWITCHES}
        return on | {f"uses_{name}": getattr(self, name) != 0 for name in self.AMOUNTS}

    @cached_property
    def _selective(self) -> bool:
        return any(getattr(self, name) for name in self.SELECTIVE)

    def values(self) -> dict[str, int]:
        """All options that are numbers or on or off, by name."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "fit"}

    def switches(self) -> dict[str, bool]:
        """The settings of a Memory: what is on, by its name, and for each of the amounts whether it
        is used at all."""
        return dict(self._switches)

    def is_selective(self) -> bool:
        """Whether anything is on that may change the value."""
        return self._selective

    def goes_by_order(self, game: Game) -> bool:
        """Whether the value depends on the order of the actions, and so on what other threads put
        into the table. Floyd's costs do not where the game says how likely an action is."""
        names = [name for name in self.ORDERED if name != "floyd" or not game.has_likelihood]
        return any(getattr(self, name) for name in names)

    def suits(self, game: Game) -> None:
        """Raise SearchError where the game lacks what an option needs."""
        if self.null_move and not game.has_pass_turn:
            raise SearchError(
                f"the null move needs pass_turn(state), which {game.title()} does not define"
            )
        if self.probcut and not self.fit:
            raise SearchError(
                "ProbCut needs its parameters: fit them with `prunus fit probcut` and give the file"
            )
        if self.behind and not game.has_evaluate_behind:
            raise SearchError(
                f"the second evaluation needs evaluate_behind(state), which {game.title()} does "
                f"not define"
            )


def _suggested(learns: bool, estimates: bool) -> dict[str, Any]:
    """The options for a game with noisy actions (`learns`) and one with an evaluation
    (`estimates`), where they are not the usual ones."""
    settings: dict[str, Any] = {"killers": learns, "counters": learns, "counts": learns}
    return settings if estimates else {**settings, "iid": 0}


@lru_cache(maxsize=4)  # each search asks
def _usual(learns: bool, estimates: bool) -> Options:
    return Options(**_suggested(learns, estimates))
