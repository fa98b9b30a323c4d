"""Pass a function only the arguments its signature names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=1024)  # every search asks, and a short one takes less time than `inspect`
def parameters_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's parameters, in order."""
    return tuple(inspect.signature(function).parameters)


def arguments_for(function: Callable[..., Any], arguments: Mapping[str, Any]) -> tuple[Any, ...]:
    """The arguments that a function names, in the order of its parameters. Raises KeyError if one
    is missing."""
    return tuple(arguments[name] for name in parameters_of(function))
