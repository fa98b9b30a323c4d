"""Dobutsu shogi: its rules, numbers for its positions, and what searches know of it."""

from prunus.games.dobutsu.game import Dobutsu

__all__ = ["Dobutsu"]
