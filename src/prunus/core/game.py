"""What a game is: a class derived from `Game` with five methods; everything else is optional."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final
from weakref import WeakKeyDictionary

from prunus.core.bits import RUNTIME
from prunus.core.errors import PrunusError
from prunus.core.state import state_key, typed_state
from prunus.core.values import let_results_be_plain

INFINITY: Final = 1 << 62
"""Larger than any value; values lie strictly between -INFINITY and INFINITY."""


WEIGHT_UNIT: Final = 256
"""The weights of an evaluation are kept in so many parts of a value."""


OPTIONAL: Final = (
    "bounds",
    "canonical",
    "estimates",
    "evaluate",
    "evaluate_behind",
    "features",
    "in_check",
    "last_value",
    "likelihood",
    "noisy_actions",
    "order",
    "pass_turn",
    "plies_left",
    "secured",
    "utilities",
    "worthwhile",
)
"""The methods that change how a game is searched where a class defines them."""


REPETITIONS: Final = ("none", "draw", "loss", "forbidden")
"""What the rules of a game may say of a position that comes again (`Game.repetition`)."""


class PositionError(PrunusError, ValueError):
    """A text that is not a position or an action of the game; the message says what is wrong and
    where."""


class Game:
    """The rules of a game, written once as plain Python.

    Derive from it, describe a position by a NamedTuple class `State` (fields `u8` ... `u64`,
    `u128`, `u256`, `i8` ... `i64`, `bool`, tuples of these) and write `initial`, `actions`,
    `result`, `is_terminal` and `utility`. Values are integers, always for the player to move. The
    parameters of a game are attributes set in `__init__`; they are fixed at the game's first use.
    Methods must not change anything.
    """

    State: type[Any]
    name: str = ""
    """How people call the game; the class's name where it is empty."""

    exact_key: ClassVar[bool] = False
    """Set it in a class whose own `key` tells any two States apart; positions are then recognised
    by their keys alone."""

    alternates: ClassVar[bool] = True
    """Whether the player to move changes with every action; False for a class that defines
    `to_move`."""

    interpreted_only: ClassVar[bool] = False
    """Set it in a class whose States are no machine integers: it runs interpreted, without an
    attempt to compile it."""

    players: ClassVar[int] = 2
    """How many players there are. With more than two define `to_move` (0 ... players - 1) and
    `utilities`."""

    payoff_sum: ClassVar[int] = INFINITY
    """The most that payoffs and estimates, of all players together, can add up to; INFINITY where
    that is not known."""

    payoff_low: ClassVar[int] = -INFINITY
    """The least that any player can be paid; -INFINITY where that is not known."""

    last_plies: ClassVar[int] = 0
    """How many `plies_left` there may be for `last_value`."""

    repetition: ClassVar[str] = "none"
    """What becomes of a position that comes again, one of `REPETITIONS`: the rules do not say or
    know no cycles ("none"); the game is drawn ("draw"); who brought it about has lost ("loss");
    nobody may bring it about ("forbidden")."""

    repetition_loss: ClassVar[int] = 1
    """What a player loses by a repetition under "loss", and by having no other action under
    "forbidden"."""

    repetition_count: ClassVar[int] = 2
    """The how manieth time that a position is on the board counts as a repetition: 2, or 3 as in
    chess."""

    repetition_rule: ClassVar[int] = 0
    """The place of `repetition` in `REPETITIONS`, found out when the class is made."""

    feature_count: int = 0
    """The number of features that `features` can name; each has a weight in every stage."""

    weights: Any
    """The weights of an evaluation, stage by stage, in parts of `WEIGHT_UNIT`; data that a game
    with features may set."""

    stages: int = 1
    """The number of classes of positions that `stage` tells apart."""

    # Which optional methods a class defines: constants to the compiler, found out when the class is
    # made.
    has_bounds: ClassVar[bool] = False
    has_canonical: ClassVar[bool] = False
    has_estimates: ClassVar[bool] = False
    has_utilities: ClassVar[bool] = False
    has_evaluate: ClassVar[bool] = False
    has_evaluate_behind: ClassVar[bool] = False
    has_features: ClassVar[bool] = False
    has_in_check: ClassVar[bool] = False
    has_last_value: ClassVar[bool] = False
    has_likelihood: ClassVar[bool] = False
    has_noisy_actions: ClassVar[bool] = False
    has_order: ClassVar[bool] = False
    has_pass_turn: ClassVar[bool] = False
    has_plies_left: ClassVar[bool] = False
    has_secured: ClassVar[bool] = False
    has_worthwhile: ClassVar[bool] = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if isinstance(cls.__dict__.get("State"), type):
            cls.State = typed_state(cls.__dict__["State"])
        cls._note_methods()

    @classmethod
    def _note_methods(cls) -> None:
        """Find out what searches want to know of the class; once more before each use, for a class
        may be given methods later."""
        let_results_be_plain(cls, Game)
        if cls.repetition not in REPETITIONS:
            raise ValueError(
                f"{cls.__name__}.repetition is {cls.repetition!r}; it is one of "
                f"{', '.join(REPETITIONS)}"
            )
        if not isinstance(cls.repetition_count, int) or cls.repetition_count < 2:
            raise ValueError(
                f"{cls.__name__}.repetition_count is {cls.repetition_count!r}; it is a whole "
                f"number, 2 or more"
            )
        noted = [
            ("alternates", cls.to_move is Game.to_move),
            ("repetition_rule", REPETITIONS.index(cls.repetition)),
        ]
        noted += [(f"has_{name}", getattr(cls, name) is not plain) for name, plain in _PLAIN]
        for name, value in noted:
            # What is as it was stays untouched: to change a class is to change the rules.
            if cls.__dict__.get(name) is not value:
                setattr(cls, name, value)

    # The five methods of every game. What they are handed comes by place: a class may name it as it
    # likes.

    def initial(self) -> Any:
        """The State in which the game starts."""
        raise _missing(self, "initial")

    def actions(self, state: Any, /) -> Iterable[int]:
        """The legal actions of a State that is not terminal, as integers; usually a generator."""
        raise _missing(self, "actions")

    def result(self, state: Any, action: int, /) -> Any:
        """The State that a legal action leads to."""
        raise _missing(self, "result")

    def is_terminal(self, state: Any, /) -> bool:
        """Whether the game is over."""
        raise _missing(self, "is_terminal")

    def utility(self, state: Any, /) -> int:
        """What a terminal State is worth to the player to move."""
        raise _missing(self, "utility")

    # Optional: speed, strength and comfort, never correctness.

    def to_move(self, state: Any, /) -> int:
        """The player (0 or 1) to move. Define it where an action may leave the turn with the same
        player; without it players alternate."""
        return 0

    def keeps_turn(self, state: Any, child: Any, /) -> bool:
        """Whether the player to move in `state` is to move again in `child`, a result of it (then
        values keep their sign)."""
        return not self.alternates and self.to_move(state) == self.to_move(child)

    def evaluate(self, state: Any, /) -> int:
        """An estimate, for the player to move, of a State that is not terminal; strictly between
        the utilities of a loss and of a win."""
        return 0

    def utilities(self, state: Any, /) -> tuple[int, ...]:
        """What a terminal State is worth to each player, where there are more than two."""
        raise _missing(self, "utilities")

    @property
    def no_estimates(self) -> tuple[int, ...]:
        """A 0 for each player."""
        return (0,) * self.players

    def estimates(self, state: Any, /) -> tuple[int, ...]:
        """An estimate for each player of a State that is not terminal, where there are more than
        two."""
        return self.no_estimates

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
        return self

    def solving_state(self, state: Any, /) -> Any:
        """The State of `solving_game` for this one. Wanted only where there is another form."""
        return state

    def key(self, state: Any, /) -> Any:
        """A 64-bit key (`u64`) of the State; equal States must have equal keys. The default packs
        the State exactly where it fits 64 bits."""
        return state_key(state)

    def canonical(self, state: Any, /) -> Any:
        """The representative of the States that symmetry makes equal to this one (same player to
        move, same value)."""
        return state

    def order(self, state: Any, action: int, /) -> int:
        """How promising an action looks: the search tries larger numbers first."""
        return 0

    def noisy_actions(self, state: Any, /) -> Iterable[int]:
        """The actions after which an evaluation cannot be trusted (captures, promotions, ...), for
        quiescence search."""
        return ()

    def in_check(self, state: Any, /) -> bool:
        """Whether the player to move is under a threat that leaves no choice to stand pat or to
        pass."""
        return False

    def likelihood(self, state: Any, action: int, /) -> float:
        """How likely it is, from 0 to 1, that a good player chooses this action (for Floyd's
        probability depth)."""
        return 1.0

    def pass_turn(self, state: Any, /) -> Any:
        """The State with the other player to move and nothing else changed, for the null move.
        Define it only where a pass is never better than the best action."""
        return state

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

    def evaluate_behind(self, state: Any, /) -> int:
        """A second evaluation, which takes over where `evaluate` says that the player to move is
        clearly behind."""
        return self.evaluate(state)

    # Texts for people.

    def parse(self, text: str, /) -> Any:
        """The State that a text describes; without a notation of its own a game reads the names of
        the actions played from the start, separated by spaces or commas. Raises PositionError."""
        return self.play(text.replace(",", " ").split())

    def format(self, state: Any, /) -> str:
        """The State as people read it."""
        return (
            ", ".join(f"{name}={value}" for name, value in state._asdict().items())
            if hasattr(state, "_asdict")
            else repr(state)
        )

    def action_name(self, state: Any, action: int, /) -> str:
        """The name of an action of this State."""
        return str(int(action))

    def play(self, names: Sequence[str], state: Any = None) -> Any:
        """The State after the named actions, from `state` or the start. Raises PositionError where
        one is illegal."""
        self.view_arrays()
        state = self.initial() if state is None else state
        for number, name in enumerate(names, 1):
            state = self.result(state, self.action_named(state, name, number))
        return state

    def action_named(self, state: Any, name: str, number: int = 1, /) -> int:
        """The action of a State that has this name; it is move `number` of those that are read.
        Raises PositionError where the game is over or no action has that name."""
        if self.is_terminal(state):
            raise PositionError(f"move {number} ({name}): the game is already over")
        legal = {self.action_name(state, action): int(action) for action in self.actions(state)}
        if name not in legal:
            raise PositionError(f"move {number} ({name}) is illegal here; legal: {' '.join(legal)}")
        return legal[name]

    # Attributes are the game: they are constants to the compiler.

    def __setattr__(self, attribute: str, value: object) -> None:
        if self.__dict__.get("_frozen"):
            raise AttributeError(
                f"{type(self).__name__}.{attribute} cannot change after the game's first use: "
                "attributes are compiled in or handed over once. Make another game instead."
            )
        kind = runtime_attributes(type(self)).get(attribute)
        object.__setattr__(self, attribute, value if kind is None else kind(value))

    def __delattr__(self, attribute: str) -> None:
        self.__setattr__(attribute, None)
        object.__delattr__(self, attribute)

    def freeze(self) -> None:
        """Fix the attributes; every search does this first. NumPy arrays become views
        (`view_arrays`)."""
        type(self)._note_methods()
        if self.__dict__.get("_frozen"):
            return
        self.view_arrays()
        object.__setattr__(self, "_frozen", True)

    def view_arrays(self) -> None:
        """Let NumPy arrays become views (`prunus.core.arrays.View`) of the same data, whose items
        are what rules compute with. Whoever calls rules before the game's first search does this
        first; `freeze` does it too."""
        for name, value in list(self.__dict__.items()):
            if type(value).__module__ == "numpy" and hasattr(value, "ctypes"):
                from prunus.core.arrays import View

                object.__setattr__(self, name, View(value))

    def attributes(self) -> dict[str, Any]:
        """The instance's attributes: its parameters and its data."""
        return {
            name: value
            for name, value in self.__dict__.items()
            if not name.startswith("_prunus") and name != "_frozen"
        }

    def title(self) -> str:
        """The game's name for people: `name`, or else the class's name in words."""
        return self.name or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(self).__name__)

    def __repr__(self) -> str:
        plain = (int, float, str, bool, tuple)
        shown = ", ".join(
            f"{name}={value!r}"
            for name, value in self.attributes().items()
            if isinstance(value, plain) and name[0] != "_"
        )
        return f"{type(self).__name__}({shown})"


_PLAIN: Final = [(name, getattr(Game, name)) for name in OPTIONAL]
"""The optional methods as they are where a class does not define them."""


def _missing(game: Game, method: str) -> TypeError:
    parameters = ", ".join(list(inspect.signature(getattr(Game, method)).parameters)[1:])
    return TypeError(f"{type(game).__name__} has to define {method}({parameters})")


_runtime: WeakKeyDictionary[type, dict[str, type]] = WeakKeyDictionary()


def runtime_attributes(cls: type) -> dict[str, type]:
    """The attributes annotated `Runtime[...]` in a class and its bases, with their scalar types."""
    if cls not in _runtime:
        _runtime[cls] = _annotated_runtime(cls)
    return _runtime[cls]


def _annotated_runtime(cls: type) -> dict[str, type]:
    found: dict[str, type] = {}
    for base in reversed(cls.__mro__):
        if "__annotations__" not in base.__dict__ or base is object:
            continue
        try:
            hints = typing.get_type_hints(base, include_extras=True)
        except NameError:
            continue
        for name, hint in hints.items():
            if RUNTIME in getattr(hint, "__metadata__", ()):
                found[name] = typing.get_args(hint)[0]
    return found
