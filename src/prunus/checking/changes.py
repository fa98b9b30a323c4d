"""Whether a method changes what it is given."""

from __future__ import annotations

import copy
from typing import cast

from prunus.core.game import Game
from prunus.core.state import is_machine_state


def is_fixed(argument: object) -> bool:
    """Whether an argument of a method is an integer, or a State of integers and tuples of them,
    which nothing can change."""
    return isinstance(argument, int) or (
        is_machine_state(argument)
        and all(isinstance(field, int | tuple) for field in cast("tuple[object, ...]", argument))
    )


def snapshot(game: Game, arrays: bool) -> dict[str, object]:
    """The attributes in a form that `==` compares; arrays, which may be large, become bytes or are
    left out."""
    found: dict[str, object] = {}
    for name, value in game.attributes().items():
        array = getattr(value, "array", value)
        if not hasattr(array, "tobytes"):
            found[name] = (
                copy.deepcopy(value) if isinstance(value, list | dict | set | bytearray) else value
            )
        elif arrays:
            found[name] = array.tobytes()
    return found


def same(a: object, b: object) -> bool:
    """Whether two values are equal; the same object, where `==` raises or has no truth value."""
    try:
        return bool(a == b)
    except Exception:
        return a is b
