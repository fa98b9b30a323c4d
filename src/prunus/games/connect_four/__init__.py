"""Connect Four: its rules, its positions as text, what is certain of a position, and an order of
moves, each in a file of its own."""

from prunus.games.connect_four.game import ConnectFour, ConnectFour128, ConnectFour256

__all__ = ["ConnectFour", "ConnectFour128", "ConnectFour256"]
