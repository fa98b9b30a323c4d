"""Calling an algorithm with those of many arguments that it names: what it leaves out of its parameters it does not need."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=1024)  # each search asks, and some take less time than asking Python
def parameters_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's parameters, in order."""
    return tuple(inspect.signature(function).parameters)


def arguments_for(function: Callable[..., Any], arguments: Mapping[str, Any]) -> tuple[Any, ...]:
    """Those of the arguments that a function names, in the order of its parameters. Raises KeyError where one is missing."""
    return tuple(arguments[name] for name in parameters_of(function))
