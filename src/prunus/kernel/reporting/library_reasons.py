"""What to write instead of functions of Python's library that compiled code does not know."""

from __future__ import annotations

from typing import Final

_INSTEAD: Final = {
    "partial": "a function, or a lambda, that gives these arguments",
    "groupby": "a loop that remembers the item before",
    "cycle": "`items[i % len(items)]`",
    "count": "`n += 1` in a `while` loop",
    "repeat": "the value itself where it is used, or `[value] * n`",
    "zip_longest": "a loop over the places, `for i in range(n)`",
    "starmap": "a generator expression, `f(a, b) for a, b in pairs`",
    "compress": "a generator expression, `v for v, wanted in zip(items, flags) if wanted`",
    "from_iterable": "two loops, `for row in rows for item in row`",
    "itemgetter": "a lambda, `lambda row: row[1]`",
    "attrgetter": "a lambda, `lambda card: card.rank`",
    "methodcaller": "a lambda, `lambda card: card.worth()`",
    "from_bytes": "a loop that shifts the bytes together, `n = n << 8 | byte`",
}

OF_LIBRARY: Final[tuple[tuple[str, str], ...]] = (
    (
        r"Untyped global name '(\w+)'[^\n]*(?:\n[^\n]*)?<class 'functools.partial'>",
        rf"\1 is a functools.partial, which cannot be compiled: write {_INSTEAD['partial']}",
    ),
    (
        r"Unknown attribute 'to_bytes'",
        "to_bytes cannot be compiled: write the bytes one by one, `n >> 8 & 255`",
    ),
    (
        r"Function\(<function is_sequence at",
        "`case (a, b):` cannot be compiled for a value of this kind: compare its length and items",
    ),
    (
        r"Function\(<function (?:deep)?copy at",
        "the module copy cannot be compiled: what never changes needs no copy, and a list is "
        "copied by `row[:]`, lists in a list by `[row[:] for row in rows]`",
    ),
    *(
        (
            rf"Unknown attribute '{name}' of type (?:Module|Function)\("
            rf"|Untyped global name '{name}'"
            r"[^\n]*(?:\n[^\n]*)?<class '(?:type|builtin_function_or_method)'>",
            f"{name} cannot be compiled: write {words}",
        )
        for name, words in _INSTEAD.items()
    ),
)
"""Patterns of messages, and what they mean."""
