"""The options of the engine: what is on, and how much of it. `prunus.engine.amounts` hands them to
a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar, Final

from prunus.core.errors import SearchError
from prunus.core.game import Game
from prunus.core.knowledge.combining import has_part
from prunus.core.settings import read_settings
from prunus.engine.fits import FitEntry, entries, read_fits

FIT_PAIRS: Final = 3
"""The shallow searches that ProbCut may try for one depth."""

FIT_DEPTHS: Final = 64
"""ProbCut is tried only in searches shallower than this."""

FIT_STAGES: Final = 16
"""The most stages of a game (`Game.stages`) for which ProbCut may have separate parameters."""

FIT_WORDS: Final = 4 * FIT_PAIRS * FIT_DEPTHS * FIT_STAGES
"""The words that the parameters of ProbCut take: four for each shallow search of each depth in each
stage."""


OptionValue = int | tuple[FitEntry, ...]
"""The value of an option: a switch or an amount, or the parameters of ProbCut."""


@dataclass(frozen=True)
class Options:
    """The techniques that the engine adds to alpha-beta with a table.

    Exact options: `killers`, `counter_moves` and `history` (order by killers, counter-moves and
    history), `etc` (enhanced transposition cut-offs in nodes with at least this many plies left to
    search, 0: off), `iid` (internal iterative deepening in nodes with at least this many plies
    left, 0: off), `presearch` (order the root's actions by searches this many plies shallower, 0:
    off), `bounds` (use the game's `bounds` when solving).

    Selective options, off by default; with any of them no result is proved: `quiescence` with
    `quiet` (the change of evaluation beyond which an action is noisy, for games without
    `noisy_actions`), `quiet_line` (a line is searched no deeper once this many actions in a row
    have each changed the evaluation by no more than `quiet`), `behind` (the margin from which the
    second evaluation counts), `beam` (search only this many of the actions, the first in the
    order), `null_move` (the reduction after a pass), `reductions` (from this place in the order on,
    actions are first searched shallower),
    `futility` (the most that a quiet action can gain in a node one ply above the limit), `singular`
    (the margin by which an action must surpass all others to be extended), `floyd` (follow a line
    while the product of its actions' probabilities is at least 1 in `floyd`), `probcut` (the
    confidence of cuts by shallow searches, in tenths of a standard deviation), `second` (compare
    the two best root actions once more by searches this many plies deeper), `delta` (the most that
    a noisy action beyond the limit can gain besides what it wins by exchange), `reuse` (values in
    the table serve shallower searches too), `check_extension` (search a ply deeper where the player
    to move is in check), `reverse_futility` (the margin for each ply left by which an evaluation
    must surpass the window to be taken for the value), `razoring` (the margin for each ply left by
    which it must fall short for quiescence to decide), `far_futility` (the margin for each ply left
    by which it must fall short for quiet actions to be skipped), `late_pruning` (skip quiet actions
    from this place on, and one place later for each square of a ply left). `gravity` (history also
    falls, for actions tried in vain), `continuation` (it is also kept for an action after another,
    by the game's `action_class`) and `lasting` (a player keeps it from move to move) are exact.

    Also selective: `quiescence_table` (quiescence reads and writes the table), `improving`
    (reductions, pruning and margins depend on whether the player to move stands better than at his
    last turn), `correction` (the evaluation is corrected by its errors in positions that share an
    `aspect`), `twofold` (a position that the search itself has been at before counts as a
    repetition), `iir` (from this many plies left on, a node without a table action is searched a
    ply less deeply), `null_verify` (from this many plies left on, a cut-off by the null move is
    verified), `multi_cut` (the margin for each ply left by which the table's action must surpass
    all others to be searched deeper), `exchanges` (the margin for each ply left by which an action
    may lose by exchange).
    """

    killers: bool = True
    counter_moves: bool = True
    history: bool = True
    etc: int = 3
    iid: int = 4
    presearch: int = 0
    bounds: bool = True
    quiescence: bool = False
    quiet: int = 0
    quiet_line: int = 0
    behind: int = 0
    beam: int = 0
    null_move: int = 0
    reductions: int = 0
    futility: int = 0
    far_futility: int = 0
    late_pruning: int = 0
    reverse_futility: int = 0
    razoring: int = 0
    delta: int = 0
    reuse: bool = False
    check_extension: bool = False
    gravity: bool = False
    quiescence_table: bool = False
    improving: bool = False
    continuation: bool = False
    correction: bool = False
    lasting: bool = False
    twofold: bool = False
    iir: int = 0
    null_verify: int = 0
    multi_cut: int = 0
    exchanges: int = 0
    singular: int = 0
    floyd: int = 0
    probcut: int = 0
    second: int = 0
    fit: tuple[FitEntry, ...] = ()
    """The parameters of `probcut`; those that the game suggests if it is empty. A depth may occur
    several times in a stage (Multi-ProbCut)."""

    SWITCHES: ClassVar = (
        "killers",
        "counter_moves",
        "history",
        "bounds",
        "quiescence",
        *("reuse", "check_extension", "gravity"),
        *("quiescence_table", "improving", "continuation", "correction"),
        *("lasting", "twofold"),
    )
    """The options that are merely on or off."""

    PRUNING: ClassVar = (
        "quiet_line",
        "behind",
        "beam",
        "null_move",
        "reductions",
        "futility",
        "far_futility",
        "late_pruning",
        "reverse_futility",
        "razoring",
        "delta",
        "iir",
        "null_verify",
        "multi_cut",
        "exchanges",
        "singular",
        "floyd",
        "probcut",
    )
    """The selective options that are off at 0 and otherwise an amount."""

    MARGINS: ClassVar = (
        "quiet",
        "behind",
        "futility",
        "far_futility",
        "reverse_futility",
        "razoring",
        "delta",
        "multi_cut",
        "exchanges",
        "singular",
    )
    """The options that are differences of values."""

    AMOUNTS: ClassVar = ("etc", "iid", "presearch", *PRUNING)
    """The options that are off at 0 and otherwise an amount."""

    SELECTIVE: ClassVar = (
        *("quiescence", "reuse", "check_extension", "quiescence_table", "improving", "twofold"),
        "correction",
        *PRUNING,
        "second",
    )
    """The options with which no result is proved."""

    ORDERED: ClassVar = (
        "quiet_line",
        "beam",
        "reductions",
        "futility",
        "far_futility",
        "late_pruning",
        "iir",
        "multi_cut",
        "exchanges",
        "singular",
        "floyd",
    )
    """The options with which a value depends on what the table holds: they treat an action by its
    place in the order, where the table's best action comes first, or a position by the line that
    has led to it."""

    def __post_init__(self) -> None:
        for name, value in self.values().items():
            if not hasattr(type(value), "__index__"):
                raise TypeError(f"the option {name} is {value!r}; it is an integer, True or False")
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
    def of(cls, game: Game, wanted: Mapping[str, OptionValue] | Options | None = None) -> Options:
        """The options for a game: those in `wanted`, and the others as suits the game. Killers,
        counter-moves and history are on if the game has noisy actions; in other games the game's
        own order, which never changes, was measured to hit the table more often. Internal
        deepening tells nothing without an evaluation. Raises SearchError for an unknown name, a
        negative value, or a file of ProbCut that cannot be read."""
        if isinstance(wanted, Options):
            return wanted
        if not wanted:
            return _usual(game.has_noisy_actions, game.has_evaluate)
        given = dict(wanted or {})
        for name, value in given.items():
            if name != "fit" and not hasattr(type(value), "__index__"):
                raise SearchError(
                    f"the option {name} is {value!r}; it is a number, or True or False"
                )
        unknown = given.keys() - {field.name for field in fields(cls)}
        if unknown:
            raise SearchError(
                f"the engine has no option {', '.join(sorted(unknown))}; it has "
                f"{', '.join(f.name for f in fields(cls))}"
            )
        settings: dict[str, OptionValue] = {
            **_suggested(game.has_noisy_actions, game.has_evaluate),
            **given,
        }
        if settings.get("probcut") and not settings.get("fit") and game.probcut_file():
            settings["fit"] = entries(read_fits(Path(game.probcut_file())))
        return _made(settings)

    @classmethod
    def for_play(
        cls, game: Game, wanted: Mapping[str, OptionValue] | Options | None = None
    ) -> Options:
        """The options of a player: those in `wanted`, then what the game itself recommends
        (`playing_options`); quiescence is on if the game has noisy actions and an evaluation. The
        margins that a game recommends belong to its own evaluation and are left out where it is
        searched with another. Raises SearchError as `of` does."""
        if isinstance(wanted, Options):
            return wanted
        usual = cls.recommended(
            game.playing_options,
            game.has_noisy_actions and game.has_evaluate,
            has_part(game, "evaluation"),
        )
        return cls.of(game, {**usual, **(wanted or {})})

    @classmethod
    def recommended(
        cls, playing: Mapping[str, int], can_be_quiet: bool, is_foreign: bool
    ) -> dict[str, OptionValue]:
        """What a player's options begin with, from what its game recommends. `can_be_quiet`: the
        game has noisy actions and an evaluation; `is_foreign`: it is searched with another
        evaluation than its own."""
        usual: dict[str, OptionValue] = dict(playing)
        if is_foreign:
            usual = {name: value for name, value in usual.items() if name not in cls.MARGINS}
        if can_be_quiet:
            usual.setdefault("quiescence", True)
        return usual

    @classmethod
    def among(cls, given: Mapping[str, OptionValue | str | Path | None]) -> dict[str, OptionValue]:
        """The entries of `given` that are options of the engine and not None; `fit` names a file,
        which is read. Raises SearchError if it cannot be read."""
        found: dict[str, OptionValue] = {}
        for field in fields(cls):
            value = given.get(field.name)
            if isinstance(value, str | Path):
                found[field.name] = entries(read_fits(Path(value)))
            elif value is not None:
                found[field.name] = value
        return found

    @staticmethod
    def wants_second(wanted: Mapping[str, OptionValue] | Options | None) -> bool:
        """Whether the options ask for a second look at the two best actions."""
        return bool(wanted.second if isinstance(wanted, Options) else (wanted or {}).get("second"))

    @staticmethod
    def reads_fits(wanted: Mapping[str, OptionValue] | Options | None) -> bool:
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
        """All options except `fit`, by name."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "fit"}

    def switches(self) -> dict[str, bool]:
        """The settings of a Memory: each switch by its name, and `uses_NAME` for each amount:
        whether it is used at all."""
        return dict(self._switches)

    def is_selective(self) -> bool:
        """Whether any option is on that may change the value."""
        return self._selective

    def goes_by_order(self, game: Game) -> bool:
        """Whether the value depends on the order of the actions, or on the line to a position, and
        so on what other threads put into the table. Floyd's rule does not depend on it in a game
        with `likelihood`."""
        names = [name for name in self.ORDERED if name != "floyd" or not game.has_likelihood]
        return any(getattr(self, name) for name in names)

    def suits(self, game: Game) -> None:
        """Raise SearchError if the game lacks something that an option needs."""
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


def option_value(text: str) -> int:
    """The value of an option as a text: a number, or true or false for options that are on or off.
    Raises ValueError."""
    switch = {"true": 1, "false": 0}.get(text.lower())
    return int(text) if switch is None else switch


def read_options(text: str) -> dict[str, OptionValue]:
    """The options that a text names, such as `beam=3,quiescence=true,probcut=10,fit=FILE`. Raises
    SearchError."""
    examples = dict.fromkeys(Options().values(), "1") | {"fit": "FILE"}
    given: dict[str, int | str] = {}
    for name, value in read_settings(text.split(","), examples, "the engine", SearchError).items():
        try:
            given[name] = value if name == "fit" else option_value(value)
        except ValueError:
            raise SearchError(
                f"the option {name} is {value!r}; it is a number, or true or false"
            ) from None
    return Options.among(given)


def _made(settings: Mapping[str, OptionValue]) -> Options:
    make: Callable[..., Options] = Options
    return make(**settings)


def _suggested(learns: bool, estimates: bool) -> dict[str, int]:
    """The options that differ from the default ones, for a game that has noisy actions or not
    (`learns`) and an evaluation or not (`estimates`)."""
    settings: dict[str, int] = {"killers": learns, "counter_moves": learns, "history": learns}
    return settings if estimates else {**settings, "iid": 0}


@lru_cache(maxsize=4)  # each search asks
def _usual(learns: bool, estimates: bool) -> Options:
    return _made(_suggested(learns, estimates))
