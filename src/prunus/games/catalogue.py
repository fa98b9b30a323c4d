"""The games that come with Prunus by name, and the user's own games by file: `nim:misere=true`,
`my.py:MyGame`."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from prunus.core.game import Game
from prunus.core.position import Position, read_position
from prunus.core.settings import read_settings
from prunus.games.errors import GameError
from prunus.games.files import CONVERSIONS, load_class, make_from_class, split_file

__all__ = ["GAMES", "Entry", "GameError", "Option", "make_game", "open_position"]


@dataclass(frozen=True)
class Option:
    """One option of a game: `kind` is "int", "bool", "str" or "piles" (numbers joined by `-`)."""

    name: str
    kind: str
    default: object
    help: str


@dataclass(frozen=True)
class Entry:
    """One game of the catalogue; `target` is `module:callable`, imported when the game is made."""

    name: str
    summary: str
    target: str
    options: tuple[Option, ...]
    notation: str
    example: str

    def factory(self) -> Callable[..., Game]:
        """The function that makes the game from its options."""
        module, name = self.target.split(":")
        made: Callable[..., Game] = getattr(importlib.import_module(module), name)
        return made


_BOARD: Final = (
    "rows from the top, X the first player, the side to move from the counts: X.O/.X./..."
)
_SEED: Final = Option("seed", "int", 0, "draws another game")

_ENTRIES: Final = (
    Entry(
        "connect-four",
        "stones fall to the lowest free cell of a column, four in line win",
        "prunus.games.connect_four:ConnectFour",
        (
            Option("width", "int", 7, "columns"),
            Option("height", "int", 6, "rows; width x (height + 1) <= 256"),
        ),
        "the columns played, from 1: 4455 (beyond 9: 4,4,10), or the rows from the top",
        "4455",
    ),
    Entry(
        "tic-tac-toe",
        "three in a row on 3 x 3",
        "prunus.games.mnk:TicTacToe",
        (Option("misere", "bool", False, "three in a row lose"),),
        _BOARD,
        "X.O/.X./...",
    ),
    Entry(
        "mnk",
        "k in a row on m rows and n columns",
        "prunus.games.mnk:MNK",
        (
            Option("m", "int", 3, "rows"),
            Option("n", "int", 3, "columns, 26 at most; m x (n + 1) <= 257"),
            Option("k", "int", 3, "stones in a row"),
            Option("misere", "bool", False, "k in a row lose"),
        ),
        _BOARD,
        "X.O/.X./...",
    ),
    Entry(
        "othello",
        "enclose opposing discs to turn them over; most discs win",
        "prunus.games.othello:Othello",
        (
            Option("size", "int", 8, "rows and columns: 4, 6 or 8"),
            Option(
                "patterns",
                "bool",
                True,
                "the evaluation fitted to patterns, on 8 x 8; false: a simple one",
            ),
            Option(
                "weights",
                "str",
                "",
                "a file written by `prunus fit evaluation othello`, instead of the weights that "
                "come with Prunus",
            ),
        ),
        "the squares by rows and the player to move, X black, O white: ---.../... X; or the moves: "
        "f5d6c3",
        "f5d6c3",
    ),
    Entry(
        "chess",
        "chess, also from the positions of Chess960",
        "prunus.games.chess:Chess",
        (
            Option("chess960", "bool", False, "castling from any place on the first rank"),
            Option(
                "claims",
                "bool",
                True,
                "a position's third time and fifty moves are draws; false: its fifth, and 75",
            ),
            Option(
                "weights",
                "str",
                "",
                "a file written by `prunus fit evaluation chess`, or `hand`, instead of the "
                "weights that come with Prunus",
            ),
        ),
        "a FEN, or the moves in SAN or as in UCI: e4 e5 Nf3; or a FEN, moves and moves",
        "e4 e5 Nf3",
    ),
    Entry(
        "nim",
        "take any number of objects from one pile; whoever takes the last one wins",
        "prunus.games.nim:Nim",
        (
            Option("piles", "piles", (3, 5, 7), "the start, as in 3-5-7"),
            Option("misere", "bool", False, "whoever takes the last one loses"),
        ),
        "the piles: 1,2,2",
        "1,2,2",
    ),
    Entry(
        "even-wins",
        "take marbles; whoever holds an even number at the end wins",
        "prunus.games.even_wins:EvenWins",
        (
            Option("marbles", "int", 27, "the start, an odd number"),
            Option("most", "int", 4, "the most that a player may take"),
        ),
        "the marbles left, and the parity of those that the player to move holds: 13 even",
        "13 even",
    ),
    Entry(
        "three-mens-morris",
        "three in a row with stones that move; achi with four",
        "prunus.games.three_mens_morris:ThreeMensMorris",
        (
            Option("stones", "int", 3, "stones of each player, 3 or 4"),
            Option("centre", "bool", True, "the first stone may go to the centre"),
        ),
        "rows from the top, X the first player, and the player to move: XX./.O./..O X",
        "XX./.O./..O X",
    ),
    Entry(
        "domineering",
        "dominoes on a board, one player's along the columns, the other's along the rows",
        "prunus.games.domineering:Domineering",
        (
            Option("rows", "int", 8, "rows"),
            Option("columns", "int", 8, "columns, 26 at most; rows x columns <= 128"),
            Option("horizontal", "bool", False, "the horizontal player begins"),
        ),
        "rows from the top, # a covered cell, and the player to move, V or H: ..#/..#/... H",
        "######../######../######../######../######../######../......../........ V",
    ),
    Entry(
        "podium-nim",
        "Nim for three: whoever takes last comes first, the player before second",
        "prunus.games.podium_nim:PodiumNim",
        (Option("piles", "piles", (1, 2, 3), "the start, as in 1-2-3"),),
        "the piles and the player to move: 1,2,2 B",
        "1,2,2 B",
    ),
    Entry(
        "tree",
        "a game tree of your own from a JSON file",
        "prunus.games.tree:read_tree",
        (Option("file", "str", "", "the JSON file"),),
        "the JSON file, and after # a node: tree.json#2.1 (with the option `file`: the node alone)",
        "tree.json#2.1",
    ),
    Entry(
        "figure",
        "a tree from the figures of the literature",
        "prunus.games.figures:figure_tree",
        (Option("name", "str", "000-figure-2", "which figure"),),
        "a node, by its name or its Dewey coordinates: 2.1",
        "2",
    ),
    Entry(
        "uniform",
        "uniform trees: random, ordered, best, worst or dependent",
        "prunus.games.uniform:UniformTree",
        (
            Option("degree", "int", 3, "children of each node"),
            Option("height", "int", 6, "depth of the leaves"),
            Option("order", "str", "random", "random, best, ordered, worst or dependent"),
            _SEED,
            Option("values", "int", 1 << 30, "the number of different leaf values (random)"),
            Option(
                "strength",
                "int",
                80,
                "the nodes in a hundred whose first child is the best (ordered)",
            ),
        ),
        "the children chosen from the root, from 1: 1 3 2",
        "1 3 2",
    ),
    Entry(
        "reluctant",
        "worst trees for randomised alpha-beta: wins and losses, at most one winning action",
        "prunus.games.reluctant:ReluctantTree",
        (
            Option("degree", "int", 2, "children of each node, at most 16"),
            Option("height", "int", 6, "depth of the leaves"),
            _SEED,
            Option("coins", "int", 0, "draws other orders of the actions in the same tree"),
            Option("won", "bool", False, "the root is won"),
        ),
        "the children chosen from the root, from 0: 1 0 1",
        "1 0 1",
    ),
    Entry(
        "random-game",
        "random games for tests: unequal depths, transpositions, passes",
        "prunus.games.random_game:RandomGame",
        (
            _SEED,
            Option("depth", "int", 6, "levels"),
            Option("width", "int", 6, "nodes in a level"),
            Option("branching", "int", 4, "most actions in a node"),
            Option("values", "int", 3, "utilities are -values to values"),
            Option("passes", "bool", True, "some actions keep the turn"),
            Option("transpositions", "bool", True, "several ways lead to a node; false: a tree"),
        ),
        "the actions played from the start: 0 2 1",
        "0 1",
    ),
)

GAMES: Final[Mapping[str, Entry]] = {entry.name: entry for entry in _ENTRIES}
"""The catalogue by name."""


def make_game(spec: str) -> Game:
    """The game that a text names: `NAME`, `NAME:option=value,option=value`, `FILE.py:CLASS` or
    `FILE.py:CLASS:option=value`.

    Raises GameError, whose one line says what is wrong and where.
    """
    parts = split_file(spec)
    if parts is not None:
        return make_from_class(load_class(parts[0], parts[1]), parts[2], spec)
    name, _, options = spec.partition(":")
    entry = GAMES.get(name.strip())
    if entry is None:
        raise GameError(f"there is no game {name.strip()!r}; {_meant(name.strip(), options)}")
    values = _options(entry, options)
    if entry.name == "tree":
        return _tree(str(values.get("file", "")))
    return _made(entry.factory(), values, spec)


def _meant(name: str, rest: str) -> str:
    """A suggestion for someone who wrote `name:rest`: a file of this name, a game with a similar
    name, or one of all games."""
    if name and Path(f"{name}.py").is_file():
        return f"did you mean {name}.py:{rest}?" if rest else f"did you mean {name}.py?"
    close = difflib.get_close_matches(name.lower(), GAMES, n=2)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"the games are {', '.join(GAMES)}; your own game is FILE.py:CLASS"


def open_position(spec: str, text: str = "") -> tuple[Game, Position]:
    """A game and one of its positions, from their texts. The position of `tree` names its file:
    `FILE.json#2.1`.

    Raises GameError, or PositionError if the text is not a position of the game.
    """
    name, _, options = spec.partition(":")
    if name.strip() == "tree" and "file" not in _options(GAMES["tree"], options):
        path, _, text = text.partition("#")
        game = _tree(path.strip())
    else:
        game = make_game(spec)
    return game, read_position(game, text)


def _tree(path: str) -> Game:
    if not path:
        raise GameError(
            "the game tree needs a JSON file: give FILE.json, or FILE.json#2.1 for a node, as the "
            "position"
        )
    return _made(GAMES["tree"].factory(), {"file": path}, "tree")


def _made(factory: Callable[..., Game], values: dict[str, object], spec: str) -> Game:
    try:
        return factory(**values)
    except ValueError as error:
        raise GameError(f"{spec}: {error}") from None


def _options(entry: Entry, text: str) -> dict[str, object]:
    known = {option.name: option for option in entry.options}
    examples = {name: _shown(option.default) for name, option in known.items()}
    given = read_settings(text.split(","), examples, entry.name, GameError)
    return {name: _converted(entry, known[name], value) for name, value in given.items()}


def _converted(entry: Entry, option: Option, text: str) -> object:
    try:
        return CONVERSIONS[option.kind](text)
    except (ValueError, KeyError):
        wanted = {
            "int": "an integer",
            "bool": "true or false",
            "piles": "numbers joined by -, as in 3-5-7",
        }[option.kind]
        raise GameError(f"{entry.name}: option {option.name} is {wanted}, not {text!r}") from None


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "-".join(map(str, value)) if isinstance(value, tuple) else str(value) or "..."
