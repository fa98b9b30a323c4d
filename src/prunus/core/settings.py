"""Settings written as text, `name=value`: of games, of players."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping


def read_settings(
    texts: Iterable[str], examples: Mapping[str, str], what: str, error: type[Exception]
) -> dict[str, str]:
    """The values, still as text, of settings such as `depth=3`, by name; empty texts are skipped.
    `examples` has every valid name, with an example of its value. Raises `error`, which says that
    `what` has no such setting, or that a value is missing."""
    found: dict[str, str] = {}
    for text in filter(None, map(str.strip, texts)):
        name, equals, value = (piece.strip() for piece in text.partition("="))
        if name not in examples:
            raise error(f"{what} has no option {name!r}; {hint(name, examples)}")
        if not equals:
            raise error(f"{what}: option {name} needs a value: {name}={examples[name]}")
        found[name] = value
    return found


def hint(name: str, known: Iterable[str]) -> str:
    """A hint for a user who wrote a name that is not among these."""
    known = list(known)
    near = difflib.get_close_matches(name, known, 1)
    return f"did you mean {near[0]}?" if near else f"its options: {', '.join(known) or 'none'}"
