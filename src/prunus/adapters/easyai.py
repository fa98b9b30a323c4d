"""Games written for easyAI, run unchanged and interpreted."""

from __future__ import annotations

import contextlib
import copy
import inspect
import io
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import ClassVar, NamedTuple, cast

from prunus.adapters.content import content
from prunus.adapters.replayed import Extended, ReplayedGame
from prunus.adapters.values import Foreign, library, one_word, scaled, suggestion
from prunus.games.errors import GameError
from prunus.games.files import load_module, make_from_class, split_file


class EasyPosition(Extended):
    """A private copy of an easyAI game at one moment, on which no move is ever made, and the names
    of the moves that led to it."""

    __slots__ = ("_moves", "_names", "_over", "entries", "line", "played")

    _moves: tuple[Foreign, ...]
    _names: tuple[str, ...]
    _over: bool

    def __init__(
        self, played: Foreign, line: tuple[str, ...], entries: bool, described: str = ""
    ) -> None:
        self.played, self.line, self.entries = played, line, entries
        # Described at once: even a method of the game that only looks may store something in it.
        self._described = described or self.describe()

    def describe(self) -> str:
        """Whose turn it is, with the game's `ttentry` if that is to be used, otherwise with all its
        contents."""
        return (
            f"{self.played.current_player} "
            f"{content(self.played.ttentry() if self.entries else vars(self.played))}"
        )

    @property
    def moves(self) -> tuple[Foreign, ...]:
        """The moves as the game lists them."""
        if not hasattr(self, "_moves"):
            # What these methods store in the game goes into its copies. Called once each, in this
            # order, they store the same in all of them.
            _ = self.over
            self._moves = tuple(self.played.possible_moves())
        return self._moves

    @property
    def names(self) -> tuple[str, ...]:
        """The moves' texts without white space; equal ones get their place in the list added."""
        if not hasattr(self, "_names"):
            plain = [one_word(str(move)) for move in self.moves]
            self._names = tuple(
                name if plain.count(name) == 1 else f"{name}#{place}"
                for place, name in enumerate(plain)
            )
        return self._names

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        if not hasattr(self, "_over"):
            self._over = bool(self.played.is_over())
        return self._over

    def after(self, action: int) -> EasyPosition:
        """The position that an action leads to."""
        move, name = self.moves[action], self.names[action]
        child = self.played.copy()
        child.make_move(move)
        child.switch_player()
        return EasyPosition(child, (*self.line, name), self.entries)

    def __deepcopy__(self, memo: dict[int, object]) -> EasyPosition:
        return EasyPosition(copy.deepcopy(self.played), self.line, self.entries, self._described)


class EasyAIGame(ReplayedGame):
    """A game derived from easyAI's `TwoPlayerGame`, starting from the position of the instance
    `game`.

    The instance is copied first and each move is made on a copy (`copy()`, which is easyAI's own),
    so neither it nor its players change. scoring: a function of the game, by default its method
    `scoring`, that gives the score for the player to move. Multiplied by `scale` it is the utility
    of a finished game, which must be an integer, and, rounded, the evaluation of other positions.
    entries: whether positions with equal `ttentry()` and the same player to move are equal, if the
    game has that method; otherwise positions are equal if all attributes are, the players'
    included. Raises GameError if `game` is not such a game or has no scoring.

    Actions are the places of the moves in `possible_moves()`; their names are the moves' texts
    without spaces. A position is written as the names of the moves played, separated by spaces.
    """

    interpreted_only: ClassVar[bool] = True

    class State(NamedTuple):
        """One position."""

        position: EasyPosition

    def __init__(
        self,
        game: Foreign,
        scoring: Callable[[Foreign], float] | None = None,
        scale: int = 1,
        entries: bool = True,
    ) -> None:
        kind = type(game).__name__
        if not isinstance(game, library("easyAI", "easyAI", "peers").TwoPlayerGame):
            raise GameError(
                f"a {kind} is not a game of easyAI: its class does not derive from "
                f"easyAI.TwoPlayerGame"
            )
        if scoring is None and not hasattr(game, "scoring"):
            raise GameError(
                f"{kind} has no method scoring(): Prunus needs it for the value of a finished game"
            )
        if scale < 1:
            raise GameError(f"the scale is {scale}; it has to be 1 or more")
        self.kind, self.scale, self._scoring = kind, scale, scoring
        # An AI player may hold a table of a million positions, which is no part of the rules.
        spared: dict[int, object] = {
            id(player.AI_algo): None for player in game.players or () if hasattr(player, "AI_algo")
        }
        self._start = self.State(
            EasyPosition(copy.deepcopy(game, spared), (), entries and hasattr(game, "ttentry"))
        )

    def title(self) -> str:
        return f"{self.kind} (easyAI)"

    def initial(self) -> State:
        return self._start

    def actions(self, state: State) -> Iterable[int]:
        return range(len(state.position.moves))

    def is_terminal(self, state: State) -> bool:
        return bool(state.position.over)

    def utility(self, state: State) -> int:
        return scaled(self._score(state), self.scale, f"the score of {self.kind}")

    def evaluate(self, state: State) -> int:
        return round(self._score(state) * self.scale)

    def _score(self, state: State) -> float:
        played = state.position.played
        return cast(float, played.scoring() if self._scoring is None else self._scoring(played))

    def to_move(self, state: State) -> int:
        """0 for easyAI's player 1, 1 for player 2."""
        return int(state.position.played.current_player) - 1

    # Texts.

    def format(self, state: State) -> str:
        """The output of the game's `show()`, if it has that method, and below it the moves played
        from the start."""
        drawing = io.StringIO()
        if hasattr(state.position.played, "show"):
            # If the drawing fails, what there is of it is kept: the search goes on.
            with contextlib.redirect_stdout(drawing), contextlib.suppress(Exception):
                copy.deepcopy(state.position.played).show()
        return self.written(drawing.getvalue(), state.position.line)

    def action_name(self, state: State, action: int) -> str:
        return str(state.position.names[int(action)])


def open_easyai(spec: str) -> EasyAIGame:
    """The game named by `FILE.py:CLASS:option=value`, with options of the constructor and `scale`,
    or by `CLASS` alone, one of easyAI's examples. The constructor gets two human players. Raises
    GameError."""
    base = library("easyAI", "easyAI", "peers").TwoPlayerGame
    parts = split_file(spec)
    if parts is None:
        name, _, options = spec.strip().partition(":")
        return _made(
            _class_in(
                vars(library("easyAI.games", "easyAI", "peers")), base, name.strip(), "easyAI"
            ),
            options,
            f"easyai:{spec}",
        )
    module = load_module(Path(parts[0]).expanduser())
    own = {
        key: value
        for key, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__
    }
    return _made(_class_in(own, base, parts[1], parts[0]), parts[2], f"easyai:{spec}")


def _class_in(names: Mapping[str, object], base: type, name: str, where: str) -> type:
    """The class of that name, or the only class if no name is given."""
    games = {
        key: value
        for key, value in names.items()
        if isinstance(value, type) and issubclass(value, base) and value is not base
    }
    if name in games:
        return games[name]
    if not name and len(games) == 1:
        return next(iter(games.values()))
    if not games:
        raise GameError(f"{where}: no class in it derives from easyAI.TwoPlayerGame")
    wrong = f"{where} has no game {name!r}" if name else f"{where}: which class?"
    if name in names:
        wrong = f"{where}: {name} does not derive from easyAI.TwoPlayerGame"
    raise GameError(f"{wrong}; {suggestion(name, games, 'games')}")


def _made(cls: type, options: str, spec: str) -> EasyAIGame:
    """The game of a class, with its options given as text."""
    human = library("easyAI", "easyAI", "peers").Human_Player
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    own = {
        p.name: p
        for p in inspect.signature(cls).parameters.values()
        if p.name not in ("players", "scale") and p.kind not in variadic
    }

    def make(scale: int = 1, **values: object) -> EasyAIGame:
        for name, value in values.items():
            values[name] = _converted(own[name].default, value)
        return EasyAIGame(cls([human(), human()], **values), scale=scale)

    scale = inspect.Parameter("scale", inspect.Parameter.KEYWORD_ONLY, default=1)
    described = cast(Foreign, make)
    described.__name__ = cls.__name__
    described.__signature__ = inspect.Signature(
        [*(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own.values()), scale]
    )
    game: Foreign = make_from_class(described, options, spec)
    return cast(EasyAIGame, game)


def _converted(default: object, value: object) -> object:
    """The value of an option whose default's type was not enough to read it: for None, an integer
    if the text looks like one; for a tuple or list, the numbers joined by `-`."""
    if default is None and isinstance(value, str) and re.fullmatch(r"[+-]?\d+", value):
        return int(value)
    if (
        isinstance(default, tuple | list)
        and isinstance(value, str)
        and re.fullmatch(r"\d+(-\d+)*", value)
    ):
        return type(default)(map(int, value.split("-")))
    return value
