"""Othello: its rules, its positions as text, evaluations, an order of moves and what is certain of
endings, a file for each."""

from prunus.games.othello.game import FEW, Othello
from prunus.games.othello.rules import PASS

__all__ = ["FEW", "PASS", "Othello"]
