"""The contents of any object as a text: equal contents give equal texts, in every process."""

from __future__ import annotations

from collections.abc import Iterable
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Final

PLAIN: Final = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), range)


def content(value: object, above: tuple[int, ...] = ()) -> str:
    """The text of a value. Collections and objects are described by their contents, sets and
    dictionaries in a fixed order, functions and classes only by their names. `above` are the
    identities of the objects that contain the value; an object inside itself is written as its
    distance upwards. Apart from these cases different contents give different texts. Raises
    TypeError for an object whose contents cannot be read."""
    if type(value) in PLAIN:
        return repr(value)
    if id(value) in above:
        return f"<{len(above) - above.index(id(value))} up>"
    above = (*above, id(value))
    kind = type(value).__qualname__
    if isinstance(value, dict):
        pairs = (f"{content(key, above)}: {content(item, above)}" for key, item in value.items())
        return f"{kind}{{{_joined(sorted(pairs))}}}"
    if isinstance(value, set | frozenset):
        return f"{kind}{{{_joined(sorted(content(item, above) for item in value))}}}"
    if isinstance(value, list | tuple):
        return f"{kind}[{_joined(content(item, above) for item in value)}]"
    if hasattr(value, "dtype") and hasattr(value, "tolist"):
        # NumPy's arrays and scalars: this is many times faster than going through their parts.
        return (
            f"{kind} {value.dtype} {getattr(value, 'shape', ())} {content(value.tolist(), above)}"
        )
    if isinstance(value, type | FunctionType | BuiltinFunctionType):
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, ModuleType):
        return value.__name__
    return f"{kind}({_parts(value, above)})"


def _parts(value: object, above: tuple[int, ...]) -> str:
    """The contents of an object: its attributes, or else the data it would be copied from."""
    named = getattr(value, "__dict__", None)
    ordinary: object = (object.__reduce_ex__, object.__reduce__)
    if named is not None and (type(value).__reduce_ex__, type(value).__reduce__) == ordinary:
        slots = [
            name for base in type(value).__mro__ for name in _slots(base) if hasattr(value, name)
        ]
        return content({**{name: getattr(value, name) for name in slots}, **named}, above)
    made = value.__reduce_ex__(4)
    parts = (
        made
        if isinstance(made, str)
        else tuple(
            list(part) if index in (3, 4) and part else part for index, part in enumerate(made)
        )
    )
    return content(parts, above)


def _slots(base: type) -> tuple[str, ...]:
    slots = base.__dict__.get("__slots__", ())
    return tuple(
        name
        for name in ((slots,) if isinstance(slots, str) else slots)
        if name not in ("__dict__", "__weakref__")
    )


def _joined(texts: Iterable[str]) -> str:
    return ", ".join(texts)
