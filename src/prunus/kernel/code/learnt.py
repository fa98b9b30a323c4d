"""What the compiler learns of each game and State class that it meets, in tables that are forgotten
all at once.

Its pieces refer to each other in all directions: a method's translation to those of the helpers
that it calls, an algorithm's to those of every game that it was compiled for. Machine code that is
ready needs none of them; without them the next game only takes as long as the first one does.
"""

from __future__ import annotations

from typing import Any, Final

from numba.core.registry import cpu_target

GAMES: Final = 32
"""So many pieces of machine code are made before what was learnt by them is forgotten."""

_tables: list[dict[Any, Any]] = []


def learnt() -> dict[Any, Any]:
    """A new table; what it holds may have a `key`, which the compiler knows it by."""
    _tables.append({})
    return _tables[-1]


def forget() -> None:
    """Empty all tables, between two compilations, and what Numba has noted of the types in them,
    which it finds out again."""
    context = cpu_target.target_context
    for table in _tables:
        for value in table.values():
            context._defns.pop(getattr(value, "key", None), None)
        table.clear()
    context.data_model_manager._cache.clear()
    context._generators.clear()
    for selectors in (context._defns, context._getattrs, context._setattrs):
        for selector in selectors.values():
            selector._cache.clear()
    for selector in (context._casts, context._get_constants):
        selector._cache.clear()
