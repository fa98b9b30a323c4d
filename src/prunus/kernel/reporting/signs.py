"""Operators in messages as they are written: `a + b` for add(a, b)."""

from __future__ import annotations

import re
from typing import Final

_CHANGING = {
    **{"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%"},
    **{"pow": "**", "matmul": "@", "lshift": "<<", "rshift": ">>"},
    **{"and": "&", "or": "|", "xor": "^"},
}
_BOTH = {
    **{f"{name}_" if name in ("and", "or") else name: sign for name, sign in _CHANGING.items()},
    **{"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="},
    **{"is_": "is", "is_not": "is not"},
}

SIGNS: Final = {
    **{name: f"{{0}} {sign} {{1}}" for name, sign in _BOTH.items()},
    **{f"i{name}": f"{{0}} {sign}= {{1}}" for name, sign in _CHANGING.items()},
    **{"neg": "-{0}", "pos": "+{0}", "invert": "~{0}", "not_": "not {0}"},
    **{"contains": "{1} in {0}", "getitem": "{0}[{1}]", "setitem": "{0}[{1}] = {2}"},
    "delitem": "del {0}[{1}]",
}
"""How operators are written, by the names of their functions in the module `operator`."""

_OWN = {"repeated": "mul", "power": "pow", "looked_up_item": "getitem"}
"""The kernel's own functions for some operators, which may have more parameters."""

_REFUSED = re.compile(r"(\w+) does not take these types: (i?\1)\((.*)\)")
_METHOD = re.compile(r"\b(?:(?:unicode|tuple|list|set|dict|deque)_)?(\w+?)(?:_impl)?\b")


def as_written(reason: str) -> str:
    """A message about a function that does not take some types: about the operator, if it is the
    function of one, or else under the function's name in Python."""
    found = _REFUSED.fullmatch(reason)
    if found is None:
        return reason
    parts, written = _parts(found[3]), SIGNS.get(found[2], "")
    if found[2] in _OWN:
        written = SIGNS[_OWN[found[2]]]
        parts = parts[: written.count("{")]
    if len(set(re.findall(r"\{\d\}", written))) != len(parts):
        name = _METHOD.fullmatch(found[2])
        return reason if name is None else reason.replace(found[2], name[1])
    sign = " ".join(re.sub(r"\{\d\}", " ", written).split()).replace("[ ]", "[]")
    return f"`{sign}` does not take these types: {written.format(*parts)}"


def _parts(text: str) -> list[str]:
    """What commas outside of brackets separate."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]
