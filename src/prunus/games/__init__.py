"""Games: pure rules, one file a game, and the catalogue that finds them by name."""

from prunus.games.catalogue import GAMES, Entry, GameError, Option, make_game, open_position
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
