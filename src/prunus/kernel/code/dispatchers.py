"""Numba's view of plain functions: a dispatcher for each, made when the function is first met."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Final

import numba
from numba.core import errors, types

from prunus.kernel.code import folding  # noqa: F401 - arguments go to their parameters
from prunus.kernel.code.cached import check_cached, plain_function
from prunus.kernel.code.digest import Digest
from prunus.kernel.code.learnt import learnt
from prunus.kernel.code.shared import check_shared
from prunus.kernel.code.toolchain import is_known

PIPELINES: Final[dict[str, Any]] = {}
"""Numba's pipelines by the way in which a function gives its results; the modules that make
pipelines add them here."""


@functools.cache
def _jit(way: str) -> Any:
    # Only compiled code calls these functions, so that they need no wrappers for Python or C.
    return numba.jit(
        nopython=True,
        nogil=True,
        boundscheck=True,
        pipeline_class=PIPELINES[way],
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
    )


_dispatchers: dict[tuple[Callable[..., Any], str], tuple[Digest, Any]] = learnt()


def dispatcher(function: Any, way: str = "plain") -> Any:
    """The Numba dispatcher of a function, which `functools.lru_cache` may wrap.
    `way` says how it gives its results: "plain"; "giving", one by one though it returns a list;
    "collecting", in a list though it is a generator."""
    made = _dispatchers.get((function, way))
    if made is None:
        plain = plain_function(function)
        seen = Digest(shallow=True)
        seen.function(plain)
        made = _dispatchers[function, way] = (seen, _jit(way)(plain))
        if plain.__code__.co_flags & inspect.CO_GENERATOR or way == "giving":
            made[1].get_call_template = functools.partial(_of_any_numbers, made[1])
        else:
            made[1]._compiler.fold_argument_types = _widening(made[1])
        if plain is not function:
            check_cached(made[1])
        if plain.__code__.co_freevars:
            check_shared(made[1])
    return made[1]


def _of_any_numbers(made: Any, args: Any, kws: Any) -> Any:
    """Type a generator by its arguments' kinds alone. A literal argument would give another type of
    generator than a variable, and a variable that is a literal on one path only could not hold
    both."""
    _expect_no_module((*args, *kws.values()))
    plain = {name: types.unliteral(kind) for name, kind in kws.items()}
    return type(made).get_call_template(made, tuple(map(types.unliteral, args)), plain)


def _widening(made: Any) -> Any:
    """How functions of algorithms, which work on a memory, are typed: the translation for any
    number also serves every constant that they are called with. Functions of rules are short, and
    faster if they know their constants."""
    plain = made._compiler.fold_argument_types

    def fold(args: Any, kws: Any) -> Any:
        signature, kinds = plain(args, kws)
        _expect_no_module(kinds)
        if any(isinstance(kind, types.IntegerLiteral) for kind in kinds) and any(
            hasattr(kind, "settings") for kind in kinds
        ):
            kinds = tuple(
                types.unliteral(kind) if isinstance(kind, types.IntegerLiteral) else kind
                for kind in kinds
            )
        return signature, kinds

    return fold


def _expect_no_module(kinds: Any) -> None:
    """Refuse a module of the user's as an argument: which of its names the function reads, the
    digest of the caller does not know."""
    for kind in kinds:
        if isinstance(kind, types.Module) and not is_known(kind.pymod.__name__):
            name = kind.pymod.__name__
            raise errors.TypingError(
                f"the module {name} is an argument here: pass what is read of it, or use it by name"
            )


_classes: dict[type, Digest] = learnt()


def rely_on(cls: type) -> None:
    """Say that the translation of some function, which need not name the class, follows from a
    member of the class."""
    if cls not in _classes:
        seen = _classes[cls] = Digest(shallow=True)
        seen.cls(cls)


def forget_changed() -> None:
    """Called before a compilation: if any function that was compiled along now means something else
    (a constant or a function that it names was rebound, a class that it is given was changed),
    discard all dispatchers, so that it and its callers are compiled again."""
    seen = [digest for digest, _ in list(_dispatchers.values())]
    if not all(digest.is_current() for digest in (*seen, *list(_classes.values()))):
        _dispatchers.clear()
        _classes.clear()
