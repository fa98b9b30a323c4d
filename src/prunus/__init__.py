"""Prunus: adversarial game-tree search. Write the rules of a game once, as plain Python; search it interpreted, traced or compiled.

Derive a class from `Game`; `check` says what is wrong with it, `solve` and `analyze` search a position (an `Analysis`), `trace` shows a
search node by node (a `Trace`). `Limit` and `Options` say how long and how to search, `Progress` is what a search tells while it runs.
Prunus's own errors are `PrunusError`s. The games that come along are in `prunus.games`.
"""

from typing import TYPE_CHECKING

from prunus.analysis import Analysis, Move, Statistics
from prunus.bits import Runtime, i8, i16, i32, i64, u8, u16, u32, with_item
from prunus.errors import PrunusError
from prunus.game import INFINITY, Game, PositionError

if TYPE_CHECKING:
    from prunus.checking import Finding, Report, check
    from prunus.errors import SearchError
    from prunus.evaluation.weights import WeightsError, load_weights
    from prunus.games.errors import GameError
    from prunus.kernel.backends import InterpretedWarning
    from prunus.kernel.messages import CannotCompile
    from prunus.kernel.traced import TraceTooLarge
    from prunus.position import Position
    from prunus.search.background import Ponder, iterations_async
    from prunus.search.comparing import Comparison, compare
    from prunus.search.driver import analyze, iterations, solve
    from prunus.search.limits import Limit, Stop
    from prunus.search.options import Options
    from prunus.search.progress import Progress
    from prunus.search.registry import UnknownAlgorithm
    from prunus.search.tracing import trace
    from prunus.solving.building import build_book
    from prunus.tables.book import Book, BookError
    from prunus.tables.transposition import TranspositionTable
    from prunus.traces import Trace

    # Fields of these types take any integer, which is what type checkers have to know; like the other casts.
    u64 = int
    u128 = int
    u256 = int
else:
    from prunus.bits import u64, u128, u256

__version__ = "0.1.0"

__all__ = [
    "INFINITY",
    "Analysis",
    "Book",
    "BookError",
    "CannotCompile",
    "Comparison",
    "Finding",
    "Game",
    "GameError",
    "InterpretedWarning",
    "Limit",
    "Move",
    "Options",
    "Ponder",
    "Position",
    "PositionError",
    "Progress",
    "PrunusError",
    "Report",
    "Runtime",
    "SearchError",
    "Statistics",
    "Stop",
    "Trace",
    "TraceTooLarge",
    "TranspositionTable",
    "UnknownAlgorithm",
    "WeightsError",
    "analyze",
    "build_book",
    "check",
    "compare",
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
    "u128",
    "u256",
    "with_item",
]

# What needs NumPy or Numba loads when it is first asked for, so that `import prunus` stays quick. Each name stands above, too, for those
# who read the text without running it: type checkers and editors.
_LAZY = {
    "Book": "prunus.tables.book",
    "BookError": "prunus.tables.book",
    "CannotCompile": "prunus.kernel.messages",
    "Comparison": "prunus.search.comparing",
    "Finding": "prunus.checking",
    "GameError": "prunus.games.errors",
    "InterpretedWarning": "prunus.kernel.backends",
    "Limit": "prunus.search.limits",
    "Options": "prunus.search.options",
    "Ponder": "prunus.search.background",
    "Position": "prunus.position",
    "Progress": "prunus.search.progress",
    "Report": "prunus.checking",
    "SearchError": "prunus.errors",
    "Stop": "prunus.search.limits",
    "Trace": "prunus.traces",
    "TraceTooLarge": "prunus.kernel.traced",
    "TranspositionTable": "prunus.tables.transposition",
    "UnknownAlgorithm": "prunus.search.registry",
    "WeightsError": "prunus.evaluation.weights",
    "analyze": "prunus.search.driver",
    "build_book": "prunus.solving.building",
    "check": "prunus.checking",
    "compare": "prunus.search.comparing",
    "iterations": "prunus.search.driver",
    "iterations_async": "prunus.search.background",
    "load_weights": "prunus.evaluation.weights",
    "solve": "prunus.search.driver",
    "trace": "prunus.search.tracing",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name == "games":
            return import_module("prunus.games")
        if name in _LAZY:
            found = globals()[name] = getattr(import_module(_LAZY[name]), name)
            return found
        raise AttributeError(f"module 'prunus' has no attribute {name!r}")


def __dir__() -> list[str]:
    own = ("__all__", "__doc__", "__file__", "__name__", "__path__", "__spec__", "__version__", "games")
    return sorted((*own, *__all__))
