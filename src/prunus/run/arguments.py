"""What callers may give for the arguments of searches: the wrong kind is told what to write."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from numbers import Integral
from typing import Final

from prunus.core.errors import SearchError
from prunus.engine.options import Options
from prunus.run.limits import Limit, Stop
from prunus.tables.book import Source
from prunus.tables.transposition import TranspositionTable

_NUMBERS: Final = (int, float)
_INTEGER: Final = ((Integral,), "an integer")

_EXPECTED: Final[Mapping[str, tuple[tuple[type, ...], str]]] = {
    "algorithm": ((str,), "a name that `prunus algorithms` lists"),
    "limit": ((Limit,), "a Limit, such as Limit(seconds=2)"),
    "nodes": _INTEGER,
    "seconds": (_NUMBERS, "a number"),
    "alpha": _INTEGER,
    "beta": _INTEGER,
    "seed": _INTEGER,
    "games": _INTEGER,
    "threads": _INTEGER,
    "multi_pv": _INTEGER,
    "room": _INTEGER,
    "compile": ((bool,), "True, False or None"),
    "table": ((TranspositionTable, *_NUMBERS), "a TranspositionTable, or a number of megabytes"),
    "options": ((Options, Mapping), 'Options, or their values by name, as {"killers": True}'),
    "book": (
        (bool, Source),  # whether something is a Source takes longer to find out
        "a Book, a Database, False (search without one) or None (use the one installed)",
    ),
    "stop": ((Stop,), "a Stop"),
    "watch": ((Callable,), "a function that takes a Progress"),  # type: ignore[dict-item]
}
"""The types of the arguments, and what they are in words."""

_LEAST: Final = {"multi_pv": 1, "room": 1, "games": 1, "table": 0}


def whole(number: int | None) -> int | None:
    """A float that is a whole number, such as 1e6, as an integer; everything else as it is."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def expect(**given: object) -> None:
    """Raise TypeError if an argument is of a type that it cannot have, and SearchError if it is a
    number that is too small. None, the default of most arguments, is let pass."""
    for name, value in given.items():
        if value is None and name != "algorithm":
            continue
        kinds, words = _EXPECTED[name]
        flags = (True, False) if name == "compile" else (False,) if name == "book" else ()
        is_odd_flag = isinstance(value, bool) and value not in flags
        if is_odd_flag or not isinstance(value, kinds):
            raise TypeError(f"{name} is {value!r}; it must be {words}")
        least = _LEAST.get(name)
        if least is None or not isinstance(value, Integral | float):
            continue
        if not least <= float(value) < math.inf:
            raise SearchError(f"{name} is {value}; it must be {least} or more")


def expect_window(alpha: int | None, beta: int | None) -> None:
    """Raise TypeError for ends that are not integers, and SearchError for an empty window."""
    expect(alpha=alpha, beta=beta)
    if alpha is not None and beta is not None and alpha >= beta:
        raise SearchError(f"the window is empty: alpha is {alpha}, and beta {beta} is not greater")
