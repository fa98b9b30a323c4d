"""The names of types in messages, in the words of Python."""

from __future__ import annotations

import re

_TYPES = (
    (r"Literal\[int\]\((-?\d+)\)", r"the number \1"),
    (r"[\w*]+ generator\(func=<function .*?has_finalizer=\w+\)", "a generator"),
    (r"\bint64\b|\bintp\b", "int"),
    (r"\bfloat64\b", "float"),
    (r"\bunicode_type\b", "str"),
    (r"\breflected list\b", "list"),
    (r"\barray\((\w+), \dd, \w+(?:, \w+)*\)", r"array of \1"),
    (r"(?<=\))(?:#[\d-]+)+", ""),  # what is known of tables
    (r"Literal\[str\]\(([^()]*)\)", r"the text '\1'"),
    (
        r"(?:OptionalType|Optional)\(((?:[^()]|\([^()]*\))+)\)(?: i\.e\. the type '[^']*')?",
        r"\1 or None",
    ),
    (r"\bnone\b", "None"),
    (r"\brange_state_int64\b", "range"),
    (r"\brange_iter_int64\b", "iterator of a range"),
    (r"<iv=[^<>]*>", ""),
    (r"\b[lL]ist\(([^()]+)\)", r"list of \1"),
    (r"\breflected set\(([^()]+)\)", r"frozenset of \1"),
    (r"\bset\(([^()]+)\)", r"set of \1"),
    (r"\bdeque\(([^()]+)\)", r"deque of \1"),
    (r"DictType\[([^\[\],]+),([^\[\],]+)\]", r"dictionary of \1 to \2"),
    (r"UniTuple\(([^()]+) x (\d+)\)", r"tuple of \2 \1"),
    (r"UniTuple\(([^(),]+), (\d+)\)", r"tuple of \2 \1"),
    (r"\bTuple\(\)", "empty tuple"),
    (r"\bTuple\(([^()]+)\)", r"tuple [\1]"),
    (r"type\(CPUDispatcher\(<function (?:[\w<>]+\.)*<lambda> at 0x\w+>\)\)", "a lambda"),
    (r"type\(CPUDispatcher\(<function (?:[\w<>]+\.)*(\w+) at 0x\w+>\)\)", r"the function \1"),
    (r"Function\(<built-in function (\w+)>\)", r"the function \1"),
    (r"(one of several functions)#\d+", r"\1"),
    (r"Enum class\((?:[\w<>]+\.)*(\w+)#\d+\)", r"\1"),
    (r"Enum\((?:[\w<>]+\.)*(\w+)#\d+\)", r"a \1"),
    (r"Game\((\w+)[^)]*\)", r"\1"),
    (r"Literal\[bool\]\((True|False)\)", r"\1"),
    (r"\bTable\((\w+), ([^()]+)\)", r"constant \1 of \2"),
    (r"\bMapping\(([^(),]+), None\)", r"constant set of \1"),
    (r"\bMapping\(([^(),]+), ([^()]+)\)", r"constant dictionary of \1 to \2"),
    (r"Function\(<class '(?:\w+\.)*(\w+)'>\)|\bclass\((\w+)\)", r"the class \1\2"),
    (r"Function\(<function (\w+) at 0x\w+>\)", r"the function \1"),
    (
        r"BoundFunction\(\('[\w.]+', \w+, '(\w+)', CPUDispatcher\(<function [^>]*>\), \w+\) for "
        r"(?:[^()]|\([^()]*\))+\)",
        r"the method \1",
    ),
    (
        r"BoundFunction\((?:\w+\.(\w+)|\(<class '[\w.]+'>, '(\w+)'\)) for "
        r"((?:[^()]|\([^()]*\))+)\)",
        r"the method \1\2 of \3",
    ),
    (r"\x1b\[[0-9;]*m", ""),
)


def in_words(reason: str) -> str:
    """The names of types in Python's words; types may hold other types."""
    before = ""
    while before != reason:
        before = reason
        for technical, ordinary in _TYPES:
            reason = re.sub(technical, ordinary, reason)
    return reason
