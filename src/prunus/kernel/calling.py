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
    return tuple([arguments[name] for name in parameters_of(function)])


@lru_cache(maxsize=1024)
def together(first: Callable[..., int], second: Callable[..., int]) -> Callable[..., int]:
    """A function that calls one of two functions, so that they are compiled together and what both
    call is compiled only once.

    Its parameters are `which` (0 or 1) and the first function's, which must include the second's.
    """
    parameters = parameters_of(first)
    if missing := set(parameters_of(second)) - set(parameters):
        raise ValueError(
            f"{second.__name__} takes {', '.join(sorted(missing))}, which {first.__name__} does not"
        )
    name = f"{first.__name__}_or_{second.__name__}"
    text = (
        f"def {name}(which, {', '.join(parameters)}):\n"
        f"    if which == 0:\n"
        f"        return first({', '.join(parameters)})\n"
        f"    return second({', '.join(parameters_of(second))})\n"
    )
    namespace: dict[str, Any] = {"first": first, "second": second, "__name__": first.__module__}
    exec(text, namespace)  # noqa: S102
    made: Callable[..., int] = namespace[name]
    return made
