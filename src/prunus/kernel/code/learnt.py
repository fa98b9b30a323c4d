"""The compiler's knowledge of each game and State class that it meets, in tables that are forgotten
all at once.

The pieces refer to each other in all directions: a method's translation to those of the helpers
that it calls, an algorithm's to those of every game that it was compiled for. Finished machine code
needs none of them; forgetting them only makes the next compilation take as long as the first.
"""

from __future__ import annotations

from typing import Any, Final

from numba.core.registry import cpu_target

GAMES: Final = 32
"""The number of pieces of machine code after which everything learnt is forgotten."""

_tables: list[dict[Any, Any]] = []


def learnt() -> dict[Any, Any]:
    """A new table. Its values may have a `key`, under which the compiler knows them."""
    _tables.append({})
    return _tables[-1]


def forget() -> None:
    """Empty all tables, between two compilations, together with Numba's caches about the types in
    them, which it fills again."""
    context = cpu_target.target_context
    for table in _tables:
        for value in table.values():
            context._defns.pop(getattr(value, "key", None), None)
        table.clear()
    context.data_model_manager._cache.clear()
    # The translations of Prunus's own generators are kept, and so must be what they are.
    for kind in [kind for kind in context._generators if not _is_own(kind)]:
        del context._generators[kind]
    for selectors in (context._defns, context._getattrs, context._setattrs):
        for selector in selectors.values():
            selector._cache.clear()
    for selector in (context._casts, context._get_constants):
        selector._cache.clear()


def _is_own(kind: Any) -> bool:
    """Whether a type of generators is of a function of Prunus or Numba, not of rules."""
    return kind.gen_func.__module__.partition(".")[0] in ("prunus", "numba")
