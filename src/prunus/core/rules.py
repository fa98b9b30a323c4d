"""The rules of a game: five methods, who is to move, repetitions, symmetry and keys, and text for
people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar, Final

from prunus.core.bits import u64
from prunus.core.drawing import Drawing
from prunus.core.errors import PrunusError
from prunus.core.fields import made_by
from prunus.core.generic import S
from prunus.core.methods import call_of, check_methods
from prunus.core.numbers import Numbers
from prunus.core.runtime import runtime_attributes
from prunus.core.state import state_key, typed_state

INFINITY: Final = 1 << 62
"""Larger than any value; values lie strictly between -INFINITY and INFINITY."""

REPETITIONS: Final = ("none", "draw", "loss", "forbidden")
"""The rules that a game may have for a repeated position (`Rules.repetition`)."""

MOVES: Final = re.compile(r"(?:^|\s)moves(?:\s|$)")
"""Stands between the text of a position and the names of the actions played from it."""

HOOKS: Final = (
    "action_count",
    "canonical",
    "layer",
    "predecessors",
    "quiet_plies",
    "remembered",
    "settled",
    "timeless",
    "unsettled",
    "utilities",
)
"""The optional methods of the rules that change how a game is searched."""


class PositionError(PrunusError, ValueError):
    """A text that is not a position or an action of the game; the message says what is wrong and
    where."""


class Rules(Numbers[S], Drawing[S]):
    """The rules of a game as plain Python; see `prunus.Game`, which adds what searches know of a
    game.

    Arguments are passed by position, so that a class may name its parameters freely. Methods must
    not change anything.
    """

    State: type[S]
    """The class of a position: if there is none, that NamedTuple outside of the class which
    `initial` and `result` make."""

    name: str = ""
    """The game's name for people; if empty, the class's name is used."""

    exact_key: ClassVar[bool] = False
    """Set it in a class whose own `key` tells any two States apart; positions are then recognised
    by their keys alone."""

    alternates: ClassVar[bool] = True
    """Whether the player to move changes with every action; False for a class that defines
    `to_move`."""

    interpreted_only: ClassVar[bool] = False
    """Set it in a class whose States are not made of machine integers: it runs interpreted, without
    an attempt to compile it."""

    players: ClassVar[int] = 2
    """The number of players. With more than two define `to_move` (0 ... players - 1) and
    `utilities`."""

    payoff_sum: ClassVar[int] = INFINITY
    """The most that the payoffs or estimates of all players together can add up to; INFINITY if
    unknown."""

    payoff_low: ClassVar[int] = -INFINITY
    """The least payoff that any player can get; -INFINITY if unknown."""

    repetition: ClassVar[str] = "none"
    """The consequence of a repeated position, one of `REPETITIONS`: the rules do not say, or the
    game has no cycles ("none"); the game is drawn ("draw"; with `settled`, what is settled counts);
    the player who caused it loses ("loss"); nobody may cause it ("forbidden")."""

    repetition_loss: ClassVar[int] = 1
    """The amount that a player loses for a repetition under "loss", and for having no other action
    under "forbidden"."""

    repetition_count: int = 2
    """The number of occurrences of a position that count as a repetition: 2, or 3 as in chess."""

    repetition_rule: ClassVar[int] = 0
    """The index of `repetition` in `REPETITIONS`, set when the class is made."""

    has_action_count: ClassVar[bool] = False
    has_canonical: ClassVar[bool] = False
    has_layer: ClassVar[bool] = False
    has_predecessors: ClassVar[bool] = False
    has_quiet_plies: ClassVar[bool] = False
    has_remembered: ClassVar[bool] = False
    has_settled: ClassVar[bool] = False
    has_timeless: ClassVar[bool] = False
    has_unsettled: ClassVar[bool] = False
    has_utilities: ClassVar[bool] = False

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        check_methods(cls)
        own = cls.__dict__.get("State")
        if own is None and ("initial" in cls.__dict__ or "result" in cls.__dict__):
            own = made_by(cls.initial, cls.result)
        if isinstance(own, type):
            cls.State = typed_state(own)

    @classmethod
    def _noted(cls) -> list[tuple[str, object]]:
        """Facts about the class that searches need: constants to the compiler. Raises ValueError
        for a rule of repetition that does not exist."""
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
        return [
            ("alternates", cls.to_move is Rules.to_move),
            ("repetition_rule", REPETITIONS.index(cls.repetition)),
        ]

    @classmethod
    def note_methods(cls) -> None:
        """Find out what searches need to know of the class; repeated before each use, because a
        class may be given methods later."""
        for name, value in cls._noted():
            # Values that have not changed are left alone: changing a class means changing the
            # rules.
            if cls.__dict__.get(name) is not value:
                setattr(cls, name, value)

    # The five methods of every game.

    def initial(self) -> S:
        """The State in which the game starts."""
        raise _missing(self, "initial")

    def actions(self, state: S, /) -> Iterable[int]:
        """The legal actions of a State that is not terminal, as integers; usually a generator."""
        raise _missing(self, "actions")

    def result(self, state: S, action: int, /) -> S:
        """The State that a legal action leads to."""
        raise _missing(self, "result")

    def is_terminal(self, state: S, /) -> bool:
        """Whether the game is over."""
        raise _missing(self, "is_terminal")

    def utility(self, state: S, /) -> int:
        """The value of a terminal State for the player to move."""
        raise _missing(self, "utility")

    # Optional.

    def utilities(self, state: S, /) -> tuple[int, ...]:
        """The value of a terminal State for each player, if there are more than two."""
        raise _missing(self, "utilities")

    def to_move(self, state: S, /) -> int:
        """The player (0 or 1) to move. Define it if an action may leave the turn with the same
        player; without it players alternate."""
        return 0

    def keeps_turn(self, state: S, child: S, /) -> bool:
        """Whether the player to move in `state` moves again in `child`, a result of it (values then
        keep their sign)."""
        return not self.alternates and self.to_move(state) == self.to_move(child)

    def key(self, state: S, /) -> int:
        """A 64-bit key (`u64`) of the State; equal States must have equal keys. The default packs
        the State exactly if it fits 64 bits."""
        return state_key(state)

    def action_count(self, state: S, /) -> int:
        """The number of actions, for perft, found faster than by `actions`. A class that defines it
        also says that both are right for States that are terminal: there is no action where the
        game is over for lack of one; where it is over for another reason, such as too little
        material, they are those that there would be if it went on, and perft goes on, too."""
        return sum(1 for _ in self.actions(state))

    def canonical(self, state: S, /) -> S:
        """The representative of the States that symmetry makes equal to this one: the same value
        for the player to move. That is the same player, unless players alternate."""
        return state

    # Games that are played for points, some of which are certain before the end.

    def settled(self, state: S, /) -> int:
        """What of the value of a State is already decided, for the player to move: the points he
        has made less the opponent's. The rest is the value of `unsettled`. A repetition that draws
        the game leaves this much. Defined together with `unsettled` and `layer`."""
        return 0

    def unsettled(self, state: S, /) -> S:
        """The State as if nothing were settled yet: with the same player to move and the same
        actions, which settle the same from here on as they do in this State. Databases hold only
        such States; `canonical` leaves them unsettled."""
        return state

    def layer(self, state: S, /) -> int:
        """A number from 0 to 65535 that no action raises, such as the stones on the board; it is
        the same for `canonical` and `unsettled` States. An action that settles something lowers it.
        A database is solved layer by layer, the lowest first, which saves memory."""
        return 0

    # For States that count the plies of the game.

    def timeless(self, state: S, /) -> S:
        """The State without what counts plies. `repetition` takes two States for the same position
        if theirs are equal. Define it if the game ends after a number of plies (in chess, fifty
        moves without a capture or pawn move) and the State counts them."""
        return state

    def remembered(self, state: S, plies: int, /) -> S:
        """The State under which tables remember what a search of at most `plies` plies finds: a
        State with the same actions, and with the same value in any such search. With `timeless`, it
        is the State without its count while the count cannot end the game within `plies`;
        otherwise the State itself."""
        return state

    def quiet_plies(self, state: S, /) -> int:
        """The number of plies since the last action that no later action can undo. Earlier States
        cannot come up again, so repetitions are not looked for among them."""
        return INFINITY

    # Text for people.

    def parse(self, text: str, /) -> S:
        """The State that a text describes. A game without a notation of its own reads the names of
        the actions played from the start, separated by spaces or commas. Raises PositionError."""
        return self.play(_names(text))

    def split_moves(self, text: str, /) -> tuple[str, list[str]]:
        """A text of two parts: the text of a position, empty for the start, and the names of the
        actions played from there. They stand behind the word `moves`; in a game without a `parse`
        of its own the names are enough."""
        found = MOVES.search(text)
        if found is not None:
            before, names = text[: found.start()].strip(), text[found.end() :]
            before = "" if before.lower() == "start" else before
        elif type(self).parse is Rules.parse:
            before, names = "", text
        else:
            before, names = text.strip(), ""
        return before, _names(names)

    def format(self, state: S, /) -> str:
        """The State as text for people."""
        return (
            ", ".join(f"{name}={value}" for name, value in state._asdict().items())
            if hasattr(state, "_asdict")
            else repr(state)
        )

    def whose_turn(self, state: S, /) -> int:
        """The player to move, 0 for the one who moves first in the game, if players alternate; -1
        if a State does not tell, and players are counted from the position that a game begins with.
        By default a field `turn` tells that is 0 or 1, and is 0 at the start."""
        turn, start = (getattr(each, "turn", -1) for each in (state, self.initial()))
        return int(turn) if start == 0 and turn in (0, 1) else -1

    def action_name(self, state: S, action: int, /) -> str:
        """The name of an action of this State."""
        return str(int(action))

    def protocol_name(self, state: S, action: int, /) -> str:
        """The name of an action in protocols between programs (chess: e2e4 instead of e4); by
        default its name for people."""
        return self.action_name(state, action)

    def play(self, names: Sequence[str], state: S | None = None) -> S:
        """The State after the named actions, from `state` or the start. Raises PositionError if one
        is illegal."""
        self.view_arrays()
        state = self.initial() if state is None else state
        for number, name in enumerate(names, 1):
            state = self.result(state, self.action_named(state, name, number))
        return state

    def action_named(self, state: S, name: str, number: int = 1, /) -> int:
        """The action of a State that has this name, which is number `number` of the moves being
        read. Raises PositionError if the game is over or no action has that name."""
        if self.is_terminal(state):
            raise PositionError(f"move {number} ({name}): the game is already over")
        legal = {self.action_name(state, action): int(action) for action in self.actions(state)}
        if name not in legal:
            raise PositionError(f"move {number} ({name}) is illegal here; legal: {' '.join(legal)}")
        return legal[name]

    # Attributes define the game: they are constants to the compiler.

    def __setattr__(self, attribute: str, value: object) -> None:
        if self.__dict__.get("_frozen"):
            raise AttributeError(
                f"{type(self).__name__}.{attribute} cannot change after the game's first use: "
                "attributes are compiled in or handed over once. Make another game instead."
            )
        kind = runtime_attributes(type(self)).get(attribute)
        object.__setattr__(self, attribute, _plain(value) if kind is None else kind(value))

    def __delattr__(self, attribute: str) -> None:
        self.__setattr__(attribute, None)
        object.__delattr__(self, attribute)

    def freeze(self) -> None:
        """Fix the attributes; every search does this first. NumPy arrays become views
        (`view_arrays`)."""
        type(self).note_methods()
        if self.__dict__.get("_frozen"):
            return
        self.view_arrays()
        object.__setattr__(self, "_frozen", True)

    def view_arrays(self) -> None:
        """Turn NumPy arrays into views (`prunus.core.arrays.View`) of the same data, whose items
        rules can compute with. Call this before calling rules ahead of the game's first search;
        `freeze` does it too."""
        for name, value in list(self.__dict__.items()):
            if type(value).__module__ == "numpy" and hasattr(value, "ctypes"):
                from prunus.core.arrays import View

                object.__setattr__(self, name, View(value))

    def attributes(self) -> dict[str, object]:
        """The instance's attributes: its parameters and its data."""
        return {
            name: value
            for name, value in self.__dict__.items()
            if not name.startswith("_prunus") and name != "_frozen"
        }

    def title(self) -> str:
        """The game's name for people: `name`, or the class's name in words."""
        return self.name or in_words(type(self).__name__)

    def __getstate__(self) -> dict[str, object]:
        # A copy does not get what searches keep with a game, which includes addresses.
        return self.attributes()

    def __repr__(self) -> str:
        plain = (int, float, str, bool, tuple)
        shown = ", ".join(
            f"{name}={value!r}"
            for name, value in self.attributes().items()
            if isinstance(value, plain) and name[0] != "_"
        )
        return f"{type(self).__name__}({shown})"


def _plain(value: object) -> object:
    """A number from NumPy as a plain one, as the items of a game's arrays are: one of few bits
    would wrap, and `flag + flag` of truth values is not 2. Other values, and floats of fewer than
    64 bits, which NumPy rounds, as they stand."""
    if type(value).__module__ != "numpy" or hasattr(value, "ctypes"):
        return value
    dtype, item = getattr(value, "dtype", None), getattr(value, "item", None)
    name = getattr(dtype, "name", "")
    if item is None or not (getattr(dtype, "kind", "no") in "biu" or name == "float64"):
        return value
    return u64(item()) if name == "uint64" else item()


def _names(text: str) -> list[str]:
    """The names of actions, which spaces or commas separate."""
    return text.replace(",", " ").split()


def in_words(name: str) -> str:
    """The name of a class in words, as people write it."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)


def _missing(game: Rules, method: str) -> TypeError:
    return TypeError(f"{type(game).__name__} has to define {call_of(getattr(Rules, method))}")
