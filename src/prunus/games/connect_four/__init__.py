"""Connect Four: its rules, its positions as text, what is certain about a position, an order of
moves and an evaluation."""

from prunus.games.connect_four.game import ConnectFour, ConnectFour128, ConnectFour256

__all__ = ["ConnectFour", "ConnectFour128", "ConnectFour256"]
