"""Results of any type as numbers: what a result is in Python says by which lines of rules it becomes
a number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

MODULUS = 1000003


def shape(value: Any) -> Any:
    """What kind of result a value is: a word, or a tuple of a word and the shapes in it."""
    if value is None:
        return "none"
    if isinstance(value, bool | np.bool_):
        return "truth"
    if hasattr(value, "_fields"):
        return "state" if hasattr(value, "x") else ("sequence", [shape(item) for item in value])
    if isinstance(value, int | np.integer):
        return "int"
    for kind, word in (((float, np.floating), "float"), (str, "text"), (np.ndarray, "array")):
        if isinstance(value, kind):
            return word
    if isinstance(value, dict):
        return "dict", joined([shape(key) for key in value]), joined(map(shape, value.values()))
    if isinstance(value, set | frozenset):
        return "set", joined([shape(item) for item in value])
    if hasattr(value, "__iter__") and not isinstance(value, type):
        items = list(value)
        word = "sequence" if hasattr(value, "__getitem__") else "iterator"
        return word, [shape(item) for item in items]
    return "other"


def joined(shapes: Iterable[Any]) -> Any:
    """One shape for all of several values."""
    different: list[Any] = []
    for each in shapes:
        if each not in different:
            different.append(each)
    if not different:
        return "nothing"
    if len(different) == 1:
        return different[0]
    if "none" in different:
        return "option", joined(each for each in different if each != "none")
    if all(each in ("int", "truth") for each in different):
        return "int"
    words = {each[0] if isinstance(each, tuple) else each for each in different}
    if len(words) == 1 and not words & {"option", "int"}:
        word = words.pop()
        if word in ("sequence", "iterator"):
            lists = [items for _, items in different]
            if len({len(items) for items in lists}) == 1:
                return word, [joined(several) for several in zip(*lists, strict=True)]
            return word, [joined(item for _, items in different for item in items)] * 99
        return word, *(joined(inner) for inner in zip(*(each[1:] for each in different)))
    return "other"


def digest(kind: Any, name: str, depth: int = 0) -> list[str]:
    """Lines that add a value of this shape to the number `h`."""
    word, *inner = kind if isinstance(kind, tuple) else (kind,)
    simple = {
        "none": f"h = h * 3 + (1 if {name} is None else 2)",
        "truth": f"h = h * 31 + (5 if {name} else 6) + int({name}) + int(not {name}) * 2",
        "int": f"h = h * 31 + int({name}) % {MODULUS} + (1 if {name} < 0 else 0)",
        "float": f"h = h * 31 + int({name} * 1000) % {MODULUS}",
        "text": f"h = h * 31 + len({name})",
        "array": f"h = h * 31 + int({name}.sum()) % {MODULUS} + {name}.size",
        "state": f"h = h * 31 + {name}.x + {name}.n",
        "other": "h = h * 31 + 1",
        "nothing": f"h = h * 31 + len({name})",
    }
    if word in simple:
        return [simple[word], f"h %= {MODULUS}"]
    item = f"q{depth}"
    if word == "option":
        rest = digest(inner[0], name, depth)
        return [
            f"if {name} is None:",
            "    h = h * 3 + 1",
            "else:",
            *(f"    {line}" for line in rest),
        ]
    if word == "dict":
        key, value = (digest(each, f"{item}{part}", depth + 1) for each, part in zip(inner, "kv"))
        lines = [f"h = h * 3 + len({name})"]
        if "nothing" not in (inner[0], inner[1]):
            lines.append(f"for {item}k, {item}v in {name}.items():")
            lines += [f"    {line}" for line in key + value]
        return lines
    each = inner[0] if word == "set" else joined(inner[0])
    lines = [] if word == "iterator" else [f"h = h * 3 + len({name})"]
    if each == "other" and word != "set" and len(inner[0]) < 20:  # items of several kinds
        for place, item_shape in enumerate(inner[0]):
            lines += digest(item_shape, f"{name}[{place}]", depth + 1)
        return lines
    if each not in ("nothing", "other"):
        lines += [f"for {item} in {name}:"]
        lines += [f"    {line}" for line in digest(each, item, depth + 1)]
    return lines
