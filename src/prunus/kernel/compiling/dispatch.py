"""Plain functions for Numba: while Prunus compiles, a Python function met in compiled code is
compiled along, without a decorator."""

from __future__ import annotations

import functools
import sys
import threading
import types as pytypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import types
from numba.core.registry import cpu_target
from numba.core.typing.typeof import typeof_impl

from prunus.core.state import is_state_class
from prunus.kernel.boards import calls, keys, packed_functions, packed_items, packed_zip  # noqa: F401
from prunus.kernel.boards.records import teach_records
from prunus.kernel.boards.state_making import StateClassType
from prunus.kernel.code.dispatchers import PIPELINES, dispatcher
from prunus.kernel.code.linking import parts

# These modules teach Numba functions.
from prunus.kernel.containers import (  # noqa: F401
    array_functions,
    atomics,
    bisection,
    board_rows,
    builtin_functions,
    chains,
    choices,
    counting,
    deques,
    dictionary_keys,
    enums,
    extremes,
    hashes,
    identity,
    itertools_functions,
    list_extent,
    list_items,
    list_loops,
    lookups,
    loops_over_tables,
    ranges,
    representations,
    rows,
    set_constants,
    set_operators,
    set_order,
    strings,
    tables,
    text_functions,
    tuple_arrays,
    unions,
)
from prunus.kernel.containers.classes import ClassType
from prunus.kernel.containers.frozen_sets import refuse_changes
from prunus.kernel.containers.list_items import refuse_floats
from prunus.kernel.containers.text_fields import teach_texts
from prunus.kernel.numbers import (  # noqa: F401
    bit_functions,
    float_functions,
    floats,
    intrinsics,
    modular_lowering,
    truths,
    wide_conversions,
    wide_functions,
    wide_operators,
    wide_shifts,
)
from prunus.kernel.pipeline.inference import remembering
from prunus.kernel.pipeline.sparing import load_without_doubts
from prunus.kernel.reporting.special import check_class, check_special
from prunus.kernel.rewriting.passes import CollectingCompiler, Compiler, GivingCompiler

PIPELINES.update(plain=Compiler, giving=GivingCompiler, collecting=CollectingCompiler)

_local = threading.local()


@contextmanager
def compiling() -> Iterator[None]:
    """Within this context, and in this thread only, Numba knows plain functions and State
    classes."""
    _local.depth = getattr(_local, "depth", 0) + 1
    try:
        load_without_doubts()
        teach_records()
        teach_texts()
        refuse_floats()
        refuse_changes()
        with parts(), remembering():
            yield
    finally:
        _local.depth -= 1


def _is_compiling() -> bool:
    return getattr(_local, "depth", 0) > 0


def _typeof_checked(plain: Any) -> Any:
    """The type of a value whose class may derive from a class that Numba knows."""

    def typeof(value: Any, context: Any) -> Any:
        if _is_compiling() and type(value) not in (int, float, tuple, str):
            check_special(type(value))
            if not isinstance(value, tuple):
                check_class(type(value))
        return plain(value, context)

    return typeof


for _known in (int, float, tuple, str):
    typeof_impl.register(_known)(_typeof_checked(typeof_impl.dispatch(_known)))

_plain_function = typeof_impl.dispatch(pytypes.FunctionType)
_plain_class = typeof_impl.dispatch(type)


@typeof_impl.register(pytypes.FunctionType)
def _typeof_function(value: Any, context: Any) -> Any:
    # A function that Numba was taught (such as `with_item`) keeps its own translation.
    if _is_compiling() and cpu_target.typing_context._lookup_global(value) is None:
        return types.Dispatcher(dispatcher(value))
    return _plain_function(value, context)


@typeof_impl.register(type)
def _typeof_class(value: Any, context: Any) -> Any:
    if not _is_compiling():
        return _plain_class(value, context)
    if issubclass(value, tuple):
        check_special(value)
    if is_state_class(value):
        return StateClassType(value)
    known = _plain_class(value, context)
    is_known = known is not None or cpu_target.typing_context._lookup_global(value) is not None
    return (
        known
        if is_known or value.__module__.partition(".")[0] in sys.stdlib_module_names
        else ClassType(value)
    )


@typeof_impl.register(functools._lru_cache_wrapper)
def _typeof_cached(value: Any, context: Any) -> Any:
    return types.Dispatcher(dispatcher(value)) if _is_compiling() else None
