"""Othello: its rules, its positions as text, what is certain of endings, and an evaluation, each in
a file of its own."""

from prunus.games.othello.game import FEW, Othello
from prunus.games.othello.rules import PASS

__all__ = ["FEW", "PASS", "Othello"]
