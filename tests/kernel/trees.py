"""Rules as trees of Python's grammar, to be changed: the places of names, statements and
expressions."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable
from typing import Any


class Tree:
    """Rules as trees. `parts` are what is changed of them, and `main` is the function of which most
    is changed. Every function may read the names `given`; `tests`, `items` and `counts` are
    conditions, something to loop over, and numbers of rounds, as its statements have them."""

    given: tuple[str, ...]
    tests: tuple[str, ...]
    items: str
    counts: tuple[str, ...]

    def __init__(self, parts: Iterable[ast.AST], main: ast.FunctionDef) -> None:
        self.parts, self.main = list(parts), main

    def nodes(self, kinds: Any) -> list[Any]:
        """All nodes of these kinds, in the order of the text."""
        return [node for part in self.parts for node in ast.walk(part) if isinstance(node, kinds)]

    def functions(self) -> list[ast.FunctionDef]:
        """All functions, and `main` twice more."""
        return [*self.nodes(ast.FunctionDef), self.main, self.main]

    def defined(self) -> set[str]:
        """The names around the functions."""
        raise NotImplementedError


def stores(node: ast.AST) -> bool:
    """Whether a node is a name that is assigned."""
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def names(scope: ast.AST) -> list[str]:
    """The variables of a function, and of what is within it."""
    found: dict[str, None] = {}
    for node in ast.walk(scope):
        if isinstance(node, ast.arg) and node.arg != "self":
            found[node.arg] = None
        elif stores(node):
            found[node.id] = None  # type: ignore[attr-defined]
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found[node.name] = None
        elif isinstance(node, ast.FunctionDef) and node is not scope:
            found[node.name] = None
    return list(found)


def renamed(scope: ast.AST, old: str, new: str) -> None:
    """Give a variable another name, wherever it is read, changed or declared within a node."""
    for node in ast.walk(scope):
        if isinstance(node, ast.Name) and node.id == old:
            node.id = new
        elif isinstance(node, ast.arg) and node.arg == old:
            node.arg = new
        elif isinstance(node, ast.keyword) and node.arg == old:
            node.arg = new
        elif isinstance(node, ast.ExceptHandler | ast.FunctionDef) and node.name == old:
            node.name = new
        elif isinstance(node, ast.Nonlocal | ast.Global):
            node.names = [new if name == old else name for name in node.names]


def blocks(functions: Iterable[ast.FunctionDef]) -> list[list[ast.stmt]]:
    """The lists of statements of functions."""
    found = []
    for function in functions:
        for node in ast.walk(function):
            for part in ("body", "orelse", "finalbody"):
                block = getattr(node, part, None)
                if isinstance(block, list) and block and not isinstance(node, ast.ClassDef):
                    found.append(block)
    return found


def expressions(scope: ast.AST) -> list[tuple[ast.AST, str, int | None]]:
    """The places of expressions that are read: node, field, and the index if it is a list."""
    found: list[tuple[ast.AST, str, int | None]] = []
    for node in ast.walk(scope):
        if isinstance(node, ast.arguments | ast.JoinedStr | ast.FormattedValue | ast.match_case):
            continue
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and not _is_changed(value):
                found.append((node, field, None))
            elif isinstance(value, list):
                found += [
                    (node, field, i)
                    for i, item in enumerate(value)
                    if isinstance(item, ast.expr) and not _is_changed(item)
                ]
    return found


def _is_changed(node: ast.AST) -> bool:
    return isinstance(node, ast.Starred | ast.Slice) or isinstance(
        getattr(node, "ctx", None), ast.Store | ast.Del
    )


def put(place: tuple[ast.AST, str, int | None], expression: ast.AST) -> None:
    """Put an expression into a place."""
    node, field, i = place
    if i is None:
        setattr(node, field, expression)
    else:
        getattr(node, field)[i] = expression


def at(place: tuple[ast.AST, str, int | None]) -> Any:
    """The expression in a place."""
    node, field, i = place
    return getattr(node, field) if i is None else getattr(node, field)[i]


def is_program(text: str) -> bool:
    """Whether Python compiles a text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "mutant", "exec")
    except (SyntaxError, ValueError):
        return False
    return True
