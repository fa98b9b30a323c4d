"""Prunus: adversarial game-tree search. Write the rules of a game once, as plain Python; search it interpreted, traced or compiled."""

from prunus.analysis import Analysis, Move, Statistics
from prunus.bits import Runtime, i8, i16, i32, i64, u8, u16, u32, u64, with_item
from prunus.game import INFINITY, Game, PositionError

__version__ = "0.1.0"

__all__ = [
    "INFINITY",
    "Analysis",
    "Book",
    "Game",
    "Limit",
    "Move",
    "Ponder",
    "PositionError",
    "Runtime",
    "Statistics",
    "Stop",
    "TranspositionTable",
    "analyze",
    "build_book",
    "check",
    "i8",
    "i16",
    "i32",
    "i64",
    "iterations",
    "iterations_async",
    "load_weights",
    "solve",
    "trace",
    "u8",
    "u16",
    "u32",
    "u64",
    "with_item",
]

_LAZY = {
    "analyze": "prunus.search.driver",
    "iterations": "prunus.search.driver",
    "iterations_async": "prunus.search.background",
    "Ponder": "prunus.search.background",
    "Limit": "prunus.search.limits",
    "Stop": "prunus.search.limits",
    "TranspositionTable": "prunus.tables.transposition",
    "load_weights": "prunus.evaluation.weights",
    "Book": "prunus.tables.book",
    "build_book": "prunus.solving.building",
    "solve": "prunus.search.driver",
    "trace": "prunus.search.tracing",
    "check": "prunus.checking",
}


def __getattr__(name: str) -> object:
    # The functions that need NumPy or Numba load when they are first asked for, so that `import prunus` stays quick.
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'prunus' has no attribute {name!r}")
