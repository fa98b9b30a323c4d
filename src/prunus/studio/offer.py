"""The games that the studio offers: those of the catalogue, and those that its command line named.
Nothing that a browser sends names a file or a class."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from itertools import islice
from threading import Lock

from prunus.algorithms.repetition import allowed_actions, is_over
from prunus.core.errors import PrunusError
from prunus.core.game import Game
from prunus.core.generic import Json
from prunus.core.position import Position, read_position
from prunus.games.catalogue import GAMES, make_game
from prunus.games.errors import GameError
from prunus.games.files import CONVERSIONS
from prunus.studio import maxima
from prunus.studio.messages import Place
from prunus.studio.solved import Databases
from prunus.studio.tables import Tables

TEXTS = {("figure", "name"), ("uniform", "order")}
"""The options that are texts and name no file."""


class AskedTooMuch(PrunusError, ValueError):
    """More was asked for than a browser may; the message says what and how much."""


class Offer:
    """The games by name. `served`: games by the names under which they are offered. `databases`:
    those that may be looked into. `tables`: what the laboratory has measured."""

    def __init__(
        self, served: Mapping[str, Game] | None = None, databases: Databases | None = None
    ) -> None:
        self.served = dict(served or {})
        self.databases = Databases() if databases is None else databases
        self.tables = Tables()
        self._made: OrderedDict[str, Game] = OrderedDict()
        self._lock = Lock()

    def listed(self) -> list[Json]:
        """What a page has to know of each game."""
        own: list[Json] = [
            {"name": name, "title": game.title(), "own": True, "players": game.players}
            for name, game in self.served.items()
        ]
        known: list[Json] = [
            {
                "name": entry.name,
                "title": entry.summary,
                "own": False,
                "players": 3 if entry.name == "podium-nim" else 2,
                "notation": entry.notation,
                "example": entry.example,
                "options": [
                    {"name": option.name, "help": option.help, "default": option.default}
                    for option in entry.options
                    if option.kind != "str" or (entry.name, option.name) in TEXTS
                ],
            }
            for entry in GAMES.values()
            if entry.name != "tree"
        ]
        return own + known

    def game(self, spec: str) -> Game:
        """The game of this name; the same one as long as it is asked for often enough. Raises
        GameError, or AskedTooMuch for options that are too large."""
        if spec in self.served:
            return self.served[spec]
        name, _, options = spec.partition(":")
        if name not in GAMES or name == "tree":
            raise GameError(f"the studio has no game {name!r}")
        _measure(name, options)
        with self._lock:
            game = self._made.get(spec)
            if game is None:
                game = make_game(spec)
                game.freeze()
                self._made[spec] = game
                while len(self._made) > maxima.GAMES:
                    self._made.popitem(last=False)
            self._made.move_to_end(spec)
        return game

    def position(self, place: Place) -> tuple[Game, list[Position], list[int]]:
        """The game, its positions from the one typed to the one after the last move, and the
        actions between them. Raises PositionError, GameError, AskedTooMuch."""
        game = self.game(place.game)
        positions, actions = [read_position(game, place.position)], list[int]()
        _count(game, positions[0])
        for number, name in enumerate(place.moves, 1):
            actions.append(int(game.action_named(positions[-1].state, name, number)))
            positions.append(positions[-1].after(game, actions[-1]))
        _count(game, positions[-1])
        return game, positions, actions

    def last(self, place: Place) -> tuple[Game, Position]:
        """The game and the position after the last move. Raises what `position` raises."""
        game, positions, _ = self.position(place)
        return game, positions[-1]


def _count(game: Game, position: Position) -> None:
    if is_over(game, position.path):
        return
    most = maxima.ACTIONS
    if sum(1 for _ in islice(allowed_actions(game, position.path), most + 1)) > most:
        raise AskedTooMuch(f"the position has more than {most} actions; the studio takes up to so")


def _measure(name: str, text: str) -> None:
    """Raises GameError for options that a browser may not set, AskedTooMuch for numbers that are
    too large. What is not an option at all is left to the catalogue, whose words are better."""
    options = {option.name: option for option in GAMES[name].options}
    for piece in text.split(","):
        key, equals, value = (part.strip() for part in piece.partition("="))
        option = options.get(key)
        if option is None or not equals:
            continue
        if option.kind == "str" and (name, key) not in TEXTS:
            raise GameError(f"{name}: option {key} names a file, which a browser may not do")
        try:
            found = CONVERSIONS[option.kind](value)
        except (ValueError, KeyError):
            continue
        _measure_value(f"{name}: {key}", key, found)


def _measure_value(what: str, key: str, value: object) -> None:
    if isinstance(value, tuple):
        piles, objects = maxima.PILES
        if len(value) > piles or not all(0 <= each <= objects for each in value):
            raise AskedTooMuch(f"{what}: up to {piles} piles of up to {objects}")
    elif isinstance(value, int):
        most = maxima.NUMBERS.get(key, maxima.NUMBER)
        if abs(value) > most:
            raise AskedTooMuch(f"{what} is {value}; the studio takes up to {most}")


def served(specs: Sequence[str]) -> dict[str, Game]:
    """The games that the command line names, by the names under which they are offered. Raises
    GameError."""
    games: dict[str, Game] = {}
    for spec in specs:
        game = make_game(spec)
        game.freeze()
        name = game.title()[: maxima.GAME]
        while name in games or name in GAMES:
            name = f"{name}'"
        games[name] = game
    return games
