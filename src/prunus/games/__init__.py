"""Games: pure rules, one file a game, and the catalogue that finds them by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from prunus.games.catalogue import GAMES, Entry, GameError, Option, make_game, open_position

if TYPE_CHECKING:
    from prunus.games.awari import Awari
    from prunus.games.breakthrough import Breakthrough, Hexapawn
    from prunus.games.chess import Chess
    from prunus.games.connect_four import ConnectFour
    from prunus.games.dobutsu import Dobutsu
    from prunus.games.domineering import Domineering
    from prunus.games.dots import Dots
    from prunus.games.even_wins import EvenWins, even_wins_value
    from prunus.games.fox_and_geese import FoxAndGeese
    from prunus.games.hex import Hex
    from prunus.games.kalah import Kalah
    from prunus.games.mnk import MNK, TicTacToe
    from prunus.games.nim import Nim, nim_value
    from prunus.games.nine_mens_morris import NineMensMorris
    from prunus.games.othello import Othello
    from prunus.games.podium_nim import PodiumNim
    from prunus.games.random_game import RandomGame
    from prunus.games.reluctant import ReluctantTree
    from prunus.games.three_mens_morris import ThreeMensMorris
    from prunus.games.tree import ExplicitTree
    from prunus.games.uniform import AnyUniformTree, UniformTree

__all__ = [
    "GAMES",
    "MNK",
    "AnyUniformTree",
    "Awari",
    "Breakthrough",
    "Chess",
    "ConnectFour",
    "Dobutsu",
    "Domineering",
    "Dots",
    "Entry",
    "EvenWins",
    "ExplicitTree",
    "FoxAndGeese",
    "GameError",
    "Hex",
    "Hexapawn",
    "Kalah",
    "Nim",
    "NineMensMorris",
    "Option",
    "Othello",
    "PodiumNim",
    "RandomGame",
    "ReluctantTree",
    "ThreeMensMorris",
    "TicTacToe",
    "UniformTree",
    "even_wins_value",
    "make_game",
    "nim_value",
    "open_position",
]

# Each game is loaded when it is asked for: trees need NumPy, and a list of games needs no game.
_HOMES = {
    "AnyUniformTree": "uniform",
    "Awari": "awari",
    "Breakthrough": "breakthrough",
    "Chess": "chess",
    "ConnectFour": "connect_four",
    "Dobutsu": "dobutsu",
    "Domineering": "domineering",
    "Dots": "dots",
    "EvenWins": "even_wins",
    "ExplicitTree": "tree",
    "FoxAndGeese": "fox_and_geese",
    "Hex": "hex",
    "Hexapawn": "breakthrough",
    "Kalah": "kalah",
    "MNK": "mnk",
    "Nim": "nim",
    "NineMensMorris": "nine_mens_morris",
    "Othello": "othello",
    "PodiumNim": "podium_nim",
    "RandomGame": "random_game",
    "ReluctantTree": "reluctant",
    "ThreeMensMorris": "three_mens_morris",
    "TicTacToe": "mnk",
    "UniformTree": "uniform",
    "even_wins_value": "even_wins",
    "nim_value": "nim",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"prunus.games.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'prunus.games' has no attribute {name!r}")
