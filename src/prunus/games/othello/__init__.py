"""Othello: its rules, its positions as text, evaluations, an order of moves and what is certain
about endings, each in a file of its own."""

from prunus.games.othello.game import FEW, Othello
from prunus.games.othello.rules import PASS

__all__ = ["FEW", "PASS", "Othello"]
