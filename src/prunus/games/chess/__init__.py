"""Chess: what pieces attack, the legal moves, rules, positions and moves as text, evaluations and
tactics, each in a file of its own."""

from prunus.games.chess.game import Chess

__all__ = ["Chess"]
