"""`+=` and the like on other things than integers: whether something changes in place."""

from __future__ import annotations

from typing import Any, Final

from numba.core import errors, types

IN_PLACE: Final[dict[Any, Any]] = {}
"""What changes an array in rules, by Python's operator (`containers/array_functions.py`). Numba's
own operators are left alone, for code that is not Prunus's."""

_CHANGED = (
    "a constant of the module, the class or the game is changed or copied here: copy it by list or "
    "dict first, or keep what changes in the State"
)


def tried(functions: tuple[Any, ...], args: Any) -> tuple[Any, ...]:
    """Those of Python's functions that do what an operator does with these sides, in the order in
    which they are tried: the one that changes the left side, if there is one, before the one that
    makes something new.

    A tuple, a text or a frozenset is always made anew, a set never. A constant list or set, which
    Python would change, is refused; and an array that cannot be changed in place makes no new one:
    NumPy raises."""
    left = args[0]
    if len(functions) == 1:
        return functions
    origin = getattr(left, "origin", "")
    if origin in ("list", "set", "dict"):
        raise errors.TypingError(_CHANGED)
    if isinstance(left, types.Set):
        return functions[1:] if left.reflected else functions[:1]
    if isinstance(left, types.Hashable) or origin == "frozenset":
        return functions[1:]
    changing = IN_PLACE.get(functions[0]) if isinstance(left, types.Array) else None
    return functions if changing is None else (changing,)
