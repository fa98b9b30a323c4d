"""The memories of the textbook algorithms, for the type checker."""

from __future__ import annotations

from typing import Protocol

from prunus.algorithms.leaves import LeafMemory
from prunus.algorithms.line import LineMemory
from prunus.algorithms.repetition import PathMemory
from prunus.core.memory import Counters
from prunus.tables.stack import StackMemory
from prunus.tables.transposition import TableMemory


class SearchMemory(Counters, LeafMemory, LineMemory, Protocol):
    """The memory of a search; `to_the_end` is 1 if it has no depth limit."""

    to_the_end: int


class PathSearchMemory(SearchMemory, PathMemory, Protocol):
    """The memory of a search that heeds repetitions."""


class TableSearchMemory(PathSearchMemory, StackMemory, TableMemory, Protocol):
    """The memory of a search with a transposition table, a stack of actions and the path."""
