"""Domineering: its rules, its positions as text, what is certain about a position, and two
evaluations."""

from prunus.games.domineering.game import Domineering, Domineering128

__all__ = ["Domineering", "Domineering128"]
