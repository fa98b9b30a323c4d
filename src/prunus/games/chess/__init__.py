"""Chess: what pieces attack, the rules, positions and moves as text, each in a file of its own."""

from prunus.games.chess.game import Chess

__all__ = ["Chess"]
