"""Games: pure rules, one file a game, and the catalogue that finds them by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from prunus.games.catalogue import GAMES, Entry, GameError, Option, make_game, open_position

if TYPE_CHECKING:
    from prunus.games.connect_four import ConnectFour
    from prunus.games.mnk import MNK, TicTacToe
    from prunus.games.nim import Nim, nim_value
    from prunus.games.random_game import RandomGame
    from prunus.games.tree import ExplicitTree
    from prunus.games.uniform import UniformTree

__all__ = [
    "GAMES",
    "MNK",
    "ConnectFour",
    "Entry",
    "ExplicitTree",
    "GameError",
    "Nim",
    "Option",
    "RandomGame",
    "TicTacToe",
    "UniformTree",
    "make_game",
    "nim_value",
    "open_position",
]

# Each game loads when it is asked for: trees need NumPy, and a list of games needs none of them.
_HOMES = {
    "ConnectFour": "connect_four",
    "ExplicitTree": "tree",
    "MNK": "mnk",
    "Nim": "nim",
    "RandomGame": "random_game",
    "TicTacToe": "mnk",
    "UniformTree": "uniform",
    "nim_value": "nim",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"prunus.games.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'prunus.games' has no attribute {name!r}")
