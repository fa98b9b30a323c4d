"""Why a game cannot be compiled, in plain words: the method, the line and the reason."""

from __future__ import annotations

import dis
import inspect
import re
import types as pytypes
from typing import Any

from prunus.errors import PrunusError


class CannotCompile(PrunusError):
    """A game (or an algorithm) uses something that cannot be compiled. `where` is "FILE:LINE, in METHOD" or empty, `reason` plain words."""

    def __init__(self, game: str, where: str, reason: str) -> None:
        self.game, self.where, self.reason = game, where, reason
        super().__init__(f"{game} cannot be compiled: {reason}" + (f" ({where})" if where else ""))


_PLACE = re.compile(r'File "([^"]+)", line (\d+)|at ([^\s()]+\.py) \((\d+)\)')

_REASONS: tuple[tuple[str, str], ...] = (
    (r"([\w.]+ has no attribute '\w+')", r"\1"),
    (r"(self\.\w+ is a \w+, which cannot be compiled in[^\n]*)", r"\1"),
    (r"(self\.\w+ (?:begins with _|is a class method)[^\n]*)", r"\1"),
    (r"(_replace [^\n]+|[\w.<>]+ has no field named '\w+')", r"\1"),
    (r"(field '\w+' of [\w.<>]+ [^\n]+)", r"\1"),
    (r"(memory (?:has no )?field [^\n]+)", r"\1"),
    (r"([\w.<>]+ (?:returns|calls itself,) [^\n]+)", r"\1"),
    (r"(tuple\(\) of items whose number[^\n]+|a tuple times a number[^\n]+)", r"\1"),
    (r"(a slice of an array with a step[^\n]+)", r"\1"),
    (r"(a u64 on one path and a negative number[^\n]+)", r"\1"),
    (r"Cannot unify (.+?) and (.+?) for '\$[\w.$]+'", r"one branch gives \1, another \2; make them one type"),
    (r"Cannot unify (.+?) and (.+?) for '([\w$]+)(?:\.\d+)?'", r"\3 is \1 on one path and \2 on another; make it one type"),
    (r"can't unify return type from the following types: ([^\n]+)", r"the method returns values of different types: \1"),
    (r"NameError: name '(\w+)' is not defined", r"the name \1 is not defined"),
    (r"Untyped global name '([\w.]+)'[^\n]*(?:\n[^\n]*)?", r"\1 is not something compiled code can use"),
    (r"Function\(<built-in function truediv>\)", "/ gives a float; divide integers by //"),
    (r"Unknown attribute '(\w+)' of type ([^\n]+)", r"\2 has no \1 in compiled code"),
    (r"GET_YIELD_FROM_ITER|yield from", "`yield from` cannot be compiled: write `for action in ...: yield action`"),
    (r"[Uu]se of unsupported opcode \((\w+)\)", r"this statement is not supported in compiled code (\1)"),
    (
        r"yield in a closure",
        "a generator expression is compiled only where it is handed straight to any, all, sum, min, max, next, list, "
        "tuple, set or sorted; elsewhere write a loop",
    ),
    (r"The use of ([^\n]+) is unsupported", r"\1 is not supported in compiled code"),
    (r"[Cc]annot (?:determine|compute) [^\n]*slice|static_getitem|slice", "a tuple cannot be sliced at a variable place in compiled code"),
    (
        r"No implementation of function Function\((?:<built-in function )?([\w.]+)[^\n]*\) found for signature:\s*>>> ([^\n]+)",
        r"\1 does not take these types: \2",
    ),
    (r"Invalid use of ([^\n]+)", r"\1 is used in a way that compiled code does not know"),
    (r"cannot determine Numba type of <class '([^']+)'>", r"compiled code cannot use a \1"),
    (
        r"maximum recursion depth exceeded|unsupported recursion",
        "a function that calls itself (directly or through another) cannot be compiled",
    ),
)

_TYPES = (
    (r"Literal\[int\]\((-?\d+)\)", r"the number \1"),
    (r"\bint64\b|\bintp\b", "int"),
    (r"\bfloat64\b", "float"),
    (r"\bunicode_type\b", "str"),
    (r"\breflected list\b", "list"),
    (r"Game\((\w+)[^)]*\)", r"\1"),
    (r"\x1b\[[0-9;]*m", ""),
)


def explain(error: BaseException, game: Any) -> CannotCompile:
    """Turn what the compiler raised into plain words about the game's own source."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    reason = _reason(text) or _first_line(text) or type(error).__name__
    return CannotCompile(type(game).__name__, _where(error, text, game), reason)


_NOISE = re.compile(r"Failed in nopython mode|- Resolution failure|None$|During: |File \"|$")


def _first_line(text: str) -> str:
    """The first line that says something."""
    lines = (line.strip() for line in text.splitlines())
    return next((line[0].lower() + line[1:] for line in lines if not _NOISE.match(line)), "")


def _reason(text: str) -> str:
    for pattern, plain in _REASONS:
        found = re.search(pattern, text)
        if found:
            reason = found.expand(plain)
            for technical, ordinary in _TYPES:
                reason = re.sub(technical, ordinary, reason)
            return " ".join(reason.split())
    return ""


def _where(error: BaseException, text: str, game: Any) -> str:
    """The last place named that lies in the game's own code."""
    spans = _spans(game)
    found = ""
    places = [(m[0] or m[2], int(m[1] or m[3])) for m in _PLACE.findall(text)]
    location = getattr(error, "loc", None)
    if location is not None and location.filename:
        places.insert(0, (location.filename, location.line))
    for file, line in places:
        for name, source, first, last in spans:
            if (file == source or source.endswith(file.lstrip("."))) and first <= line <= last:
                found = f"{source}:{line}, in {name}"
    return found or _place_of_name(text, game)


def _place_of_name(text: str, game: Any) -> str:
    """Where an undefined name stands: such an error names no line."""
    undefined = re.search(r"name '(\w+)' is not defined", text)
    for function in _functions(game).values() if undefined else ():
        for instruction in dis.get_instructions(function):
            if instruction.opname == "LOAD_GLOBAL" and instruction.argval == undefined[1]:
                line = instruction.positions.lineno if instruction.positions else function.__code__.co_firstlineno
                return f"{function.__code__.co_filename}:{line}, in {function.__name__}"
    return ""


def _functions(game: Any) -> dict[str, pytypes.FunctionType]:
    """The functions of the game's module and of its class."""
    functions: dict[str, pytypes.FunctionType] = {}
    module = inspect.getmodule(type(game))
    for name, value in vars(module).items() if module is not None else ():
        if isinstance(value, pytypes.FunctionType):
            functions[name] = value
    for base in reversed(type(game).__mro__):
        if base.__module__ != "prunus.game":
            functions.update({n: f for n, f in vars(base).items() if isinstance(f, pytypes.FunctionType)})
    return functions


def _spans(game: Any) -> list[tuple[str, str, int, int]]:
    """The lines of those functions: (name, file, first line, last line)."""
    spans = []
    for name, function in _functions(game).items():
        code = function.__code__
        lines = [line for *_, line in code.co_lines() if line]
        spans.append((name, code.co_filename, code.co_firstlineno, max(lines, default=code.co_firstlineno)))
    return spans
