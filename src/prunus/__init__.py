"""Prunus: adversarial game-tree search. Write the rules of a game once, as plain Python; search it
interpreted, traced or compiled.

Derive a class from `Game`; `check` says what is wrong with it, `solve` and `analyze` search a
position (an `Analysis`), `trace` shows a search node by node (a `Trace`). `Limit` and `Options` say
how long and how to search, `Progress` is what a search tells while it runs. Prunus's own errors are
`PrunusError`s. The games that come along are in `prunus.games`.
"""

from typing import TYPE_CHECKING

from prunus.core.analysis import Analysis, Move, Statistics
from prunus.core.bits import Runtime, i8, i16, i32, i64, u8, u16, u32, with_item
from prunus.core.errors import PrunusError
from prunus.core.game import INFINITY, Game, PositionError
from prunus.core.knowledge.certainties import Certainties
from prunus.core.knowledge.evaluation import Evaluation
from prunus.core.knowledge.tactics import Tactics
from prunus.core.rules import Rules

if TYPE_CHECKING:
    from prunus.books.building import build_book
    from prunus.checking import Finding, Report, check
    from prunus.core.errors import SearchError
    from prunus.core.position import Position
    from prunus.databases.errors import DatabaseError
    from prunus.databases.folder import Database
    from prunus.engine.options import Options
    from prunus.evaluation.weights import WeightsError, load_weights
    from prunus.games.errors import GameError
    from prunus.kernel.backends import InterpretedWarning
    from prunus.kernel.reporting.messages import CannotCompile
    from prunus.run.background import Ponder, iterations_async
    from prunus.run.comparing import Comparison, compare
    from prunus.run.driver import analyze, iterations, solve
    from prunus.run.limits import Limit, Stop
    from prunus.run.progress import Progress
    from prunus.run.recording import TraceTooLarge
    from prunus.run.registry import UnknownAlgorithm
    from prunus.run.tracing import trace
    from prunus.tables.book import Book
    from prunus.tables.errors import BookError
    from prunus.tables.transposition import TranspositionTable
    from prunus.view.trace import Trace

    # Fields of these types take any integer, which is what type checkers have to know; like the
    # other casts.
    u64 = int
    u128 = int
    u256 = int
else:
    from prunus.core.bits import u64, u128, u256

__version__ = "0.1.0"

__all__ = [
    "INFINITY",
    "Analysis",
    "Book",
    "BookError",
    "CannotCompile",
    "Certainties",
    "Comparison",
    "Database",
    "DatabaseError",
    "Evaluation",
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
    "Rules",
    "Runtime",
    "SearchError",
    "Statistics",
    "Stop",
    "Tactics",
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

# What needs NumPy or Numba loads when it is first asked for, so that `import prunus` stays quick.
# Each name stands above, too, for those who read the text without running it: type checkers and
# editors.
_LAZY = {
    "Book": "prunus.tables.book",
    "BookError": "prunus.tables.errors",
    "CannotCompile": "prunus.kernel.reporting.messages",
    "Comparison": "prunus.run.comparing",
    "Database": "prunus.databases.folder",
    "DatabaseError": "prunus.databases.errors",
    "Finding": "prunus.checking",
    "GameError": "prunus.games.errors",
    "InterpretedWarning": "prunus.kernel.backends",
    "Limit": "prunus.run.limits",
    "Options": "prunus.engine.options",
    "Ponder": "prunus.run.background",
    "Position": "prunus.core.position",
    "Progress": "prunus.run.progress",
    "Report": "prunus.checking",
    "SearchError": "prunus.core.errors",
    "Stop": "prunus.run.limits",
    "Trace": "prunus.view.trace",
    "TraceTooLarge": "prunus.run.recording",
    "TranspositionTable": "prunus.tables.transposition",
    "UnknownAlgorithm": "prunus.run.registry",
    "WeightsError": "prunus.evaluation.weights",
    "analyze": "prunus.run.driver",
    "build_book": "prunus.books.building",
    "check": "prunus.checking",
    "compare": "prunus.run.comparing",
    "iterations": "prunus.run.driver",
    "iterations_async": "prunus.run.background",
    "load_weights": "prunus.evaluation.weights",
    "solve": "prunus.run.driver",
    "trace": "prunus.run.tracing",
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
    own = (
        "__all__",
        "__doc__",
        "__file__",
        "__name__",
        "__path__",
        "__spec__",
        "__version__",
        "games",
    )
    return sorted((*own, *__all__))
