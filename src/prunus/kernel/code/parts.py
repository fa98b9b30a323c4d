"""What makes up functions, methods, properties and objects of any form, for digests."""

from __future__ import annotations

import ast
import dis
import functools
import inspect
import types
from enum import Enum
from typing import Any, Final

import numpy as np

from prunus.core.arrays import View
from prunus.core.game import Game

PROTOCOL: Final = 4
"""The protocol by which objects tell what they are made of."""


def within(value: Any) -> Any:
    """What makes up a function, method or property of any form; other values as they stand."""
    if isinstance(value, staticmethod | classmethod):
        return within(value.__func__)
    if isinstance(value, property):
        return value.fget, value.fset
    if isinstance(value, functools.cached_property):
        return "cached property", value.func
    if isinstance(value, types.MethodType):
        return "method", value.__func__, value.__self__
    if isinstance(value, functools.partial):
        return "partial", value.func, value.args, value.keywords
    if isinstance(value, View):
        return value.array
    function = getattr(value, "py_func", value) if _is_of_numba(value) else value
    return function.__wrapped__ if isinstance(function, functools._lru_cache_wrapper) else function


def contents(value: object) -> tuple[Any, ...]:
    """What tells an object from others of its class: the name of a function that is not written in
    Python, and what it belongs to; what pickling would keep of others. Nothing for those that
    cannot be pickled."""
    if _is_of_numba(value):
        return (getattr(value, "__name__", ""),)
    if type(value).__module__ == "typing":
        return (repr(value),)
    if _is_native(value):
        owner = getattr(value, "__self__", None)
        owner = getattr(value, "__objclass__", owner)
        name = getattr(value, "__qualname__", None) or getattr(value, "__name__", "")
        return getattr(value, "__module__", None), name, owner
    try:
        found = value.__reduce_ex__(PROTOCOL)
    except Exception:  # of any kind: the method may be a user's
        return ()
    if not isinstance(found, tuple):
        return (found,)
    # The fourth and fifth part are iterators of a list's items and of a dictionary's.
    return (*found[:3], *(part if part is None else list(part) for part in found[3:5]))


def _is_native(value: object) -> bool:
    """Whether a value is a function that is not written in Python, such as `max`."""
    native = (
        types.BuiltinFunctionType
        | types.MethodDescriptorType
        | types.WrapperDescriptorType
        | types.MethodWrapperType
        | types.ClassMethodDescriptorType
    )
    return isinstance(value, native) or (type(value).__module__ == "numpy" and callable(value))


def _is_of_numba(value: object) -> bool:
    return type(value).__module__.partition(".")[0] in ("numba", "llvmlite")


def is_told(value: object) -> bool:
    """Whether a digest tells a value from all others for certain."""
    if isinstance(value, dict):
        return all(is_told(part) for item in value.items() for part in item)
    if isinstance(value, tuple | list | set | frozenset):
        return all(map(is_told, value))
    if isinstance(value, types.MethodType):
        return isinstance(value.__self__, Game)
    plain = int | float | str | bytes | complex | range | slice | type | np.ndarray | np.generic
    return value is None or isinstance(value, plain | View | Enum | types.FunctionType)


def source_of(function: types.FunctionType) -> str:
    """The source of a function itself: not of one that it wraps, and for a lambda of nothing else
    on its lines. Raises OSError or TypeError if it is not in a file."""
    code = function.__code__
    if code.co_name != "<lambda>":
        return inspect.getsource(code)
    text = "".join(inspect.findsource(code)[0])
    places = [
        (found.lineno, found.col_offset)
        for found in (instruction.positions for instruction in dis.get_instructions(code))
        if found is not None and found.lineno and found.end_col_offset
    ]
    around = [
        node
        for node in _lambdas(text)
        if node.lineno == code.co_firstlineno and all(_holds(node, *place) for place in places)
    ]
    if not around:
        raise OSError(f"the source of {function.__qualname__} is not where it was")
    return ast.get_source_segment(text, around[-1]) or ""


@functools.lru_cache(8)
def _lambdas(text: str) -> list[ast.Lambda]:
    """The lambdas of a file, each before those within it."""
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Lambda)]


def _holds(node: ast.Lambda, line: int, column: int) -> bool:
    end = node.end_lineno or node.lineno, node.end_col_offset or 0
    return (node.lineno, node.col_offset) <= (line, column) < end
