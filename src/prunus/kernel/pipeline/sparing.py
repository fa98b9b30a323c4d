"""Work of Numba besides compiling that nobody needs while Prunus compiles.

Numba reports each call of LLVM as an event to its profilers, and each compiled function adds
another profiler. Types are tried out, and each that does not fit makes a coloured message that
nobody reads. The same names are mangled into symbols, and the same types measured, over and over.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import lru_cache
from typing import Any, Final
from weakref import WeakKeyDictionary

import llvmlite.binding as llvm
from numba.core import (
    base,
    config,
    errors,
    event,
    ir,
    itanium_mangler,
    lowering,
    typeinfer,
    types,
)
from numba.core.cpu import CPUContext
from numba.core.lowering import Lower
from numba.core.runtime.context import NRTContext
from numba.core.targetconfig import TargetConfig

from prunus.kernel.pipeline.inference import is_ours, remembered


def _unheard(tell: Callable[..., None]) -> Callable[..., None]:
    def told(*arguments: Any, **named: Any) -> None:
        if not is_ours():
            tell(*arguments, **named)

    return told


event.start_event, event.end_event = _unheard(event.start_event), _unheard(event.end_event)


def _colourless() -> None:
    scheme = type(errors.termcolor())
    plain = getattr(scheme, "_markup", None)
    if plain is not None:
        scheme._markup = lambda self, message, *style, **named: (
            message if is_ours() else plain(self, message, *style, **named)
        )


_colourless()
llvm.get_process_triple = process_triple = lru_cache(llvm.get_process_triple)
itanium_mangler._escape_string = lru_cache(maxsize=4096)(itanium_mangler._escape_string)


class ErrorContext:
    """What Numba adds to its errors on their way out, as its `new_error_context`, which makes a
    generator for each instruction."""

    __slots__ = ("_details", "_named", "_text")

    def __init__(self, text: str, *details: Any, **named: Any) -> None:
        self._text, self._details, self._named = text, details, named

    def __enter__(self) -> None:
        place = self._named.get("loc")
        if place is not None and not place.filename.startswith(errors._numba_path):
            errors.loc_info.update(self._named)

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, errors.NumbaError):
            error.add_context(errors._format_msg(self._text, self._details, self._named))


plain_context = errors.new_error_context
errors.new_error_context = typeinfer.new_error_context = lowering.new_error_context = ErrorContext

_plain_catch = errors.WarningsFixer.catch_warnings
_ONLY_PASSED_ON = nullcontext()


def _catch_warnings(self: Any, filename: Any = None, lineno: Any = None) -> Any:
    """Numba collects the warnings of each step of type inference, and changes the process's filters
    for that, so that warnings of other threads go astray. Here warnings are passed on at once."""
    return _ONLY_PASSED_ON if is_ours() else _plain_catch(self, filename, lineno)


errors.WarningsFixer.catch_warnings = _catch_warnings

_plain_reload = config.reload_config


def _reload_config() -> None:
    """Numba looks for a file and through the environment before each function; here it does so once
    per compilation."""
    remembered("configuration", None, _plain_reload)


config.reload_config = _reload_config

_plain_mangle = TargetConfig.get_mangle_string


def _get_mangle_string(self: Any) -> str:
    """Numba compresses the options of each function for its name, though they are hardly ever
    others."""
    mangled: str = remembered("options", (type(self), self.summary()), lambda: _plain_mangle(self))
    return mangled


TargetConfig.get_mangle_string = _get_mangle_string

_NOTHING, _VARIABLE, _INSTRUCTION, _ITEMS, _NAMED = range(5)
_ways: dict[type, int] = {}


def _way(kind: type) -> int:
    bases = (ir.Var, _VARIABLE), (ir.Inst, _INSTRUCTION), ((list, tuple), _ITEMS), (dict, _NAMED)
    found = _ways[kind] = next((way for base, way in bases if issubclass(kind, base)), _NOTHING)
    return found


def _list_variables(self: Any, value: Any) -> list[Any]:
    """The variables in a part of an instruction. Numba tests each part against one class after
    another; here its type selects the way."""
    kind = type(value)
    way = _ways[kind] if kind in _ways else _way(kind)
    if way == _NOTHING:
        return []
    if way == _VARIABLE:
        return [value]
    if way == _INSTRUCTION:
        return value.list_vars()
    found: list[Any] = []
    for part in value if way == _ITEMS else value.values():
        if _ways.get(type(part)) != _NOTHING:
            found += _list_variables(self, part)
    return found


ir.Inst._rec_list_vars = _list_variables

_plain_wrapper = Lower.create_cfunc_wrapper


def _create_cfunc_wrapper(self: Any) -> None:
    """The way into a function from C, which no translation of one of Python's functions needs."""
    if not is_ours():
        _plain_wrapper(self)


Lower.create_cfunc_wrapper = _create_cfunc_wrapper

_plain_size = CPUContext.get_abi_sizeof
_sizes: dict[str, int] = {}
SIZES: Final = 4096
"""The number of sizes to remember; beyond it they are forgotten and computed again."""


def _get_abi_sizeof(self: Any, kind: Any) -> int:
    """Numba has LLVM parse a module for each size that it asks for; here each size is computed
    once."""
    text = str(kind)
    if "%" in text:  # a named type
        return _plain_size(self, kind)
    if text not in _sizes:
        if len(_sizes) >= SIZES:
            _sizes.clear()
        _sizes[text] = _plain_size(self, kind)
    return _sizes[text]


CPUContext.get_abi_sizeof = _get_abi_sizeof

_plain_takes = base._has_loc
_takes: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()
"""Whether each translation asked so far accepts a source location. The keys are weak: translations
lead to the games they were made for, which must not be kept alive."""


def _takes_place(translation: Any) -> bool:
    """Numba asks for a translation's signature each time it is called; here the answer is
    remembered."""
    try:
        found = _takes.get(translation)
        if found is None:
            found = _takes[translation] = _plain_takes(translation)
    except TypeError:  # an object without weak references
        return bool(_plain_takes(translation))
    return found


base._has_loc = _takes_place

_plain_count = NRTContext._call_incref_decref


def is_counted(context: Any, kind: Any) -> bool:
    """Whether values of a type hold reference-counted heap memory."""
    answer: bool = remembered(
        "counted", kind, context.data_model_manager[kind].contains_nrt_meminfo
    )
    return answer


def _call_incref_decref(self: Any, builder: Any, kind: Any, value: Any, name: str) -> None:
    """Numba takes a value apart down to its last number to see whether any part is
    reference-counted; here the type decides."""
    if is_counted(self._context, kind):
        _plain_count(self, builder, kind, value, name)


NRTContext._call_incref_decref = _call_incref_decref


def _arrays_without_scipy() -> Any:
    """Numba's translations for arrays, loaded without SciPy. They import SciPy only to see whether
    it is there, which takes as long as compiling thirty functions; it is imported anyway when a
    product of matrices is compiled."""
    loaded = sys.modules.get("numba.np.arraymath")
    if loaded is not None:
        return loaded
    from numba.np import linalg

    plain = linalg.ensure_blas

    def ensure_blas() -> None:
        if importlib.util.find_spec("scipy") is None:
            raise ImportError("no SciPy")

    linalg.ensure_blas = ensure_blas
    try:
        from numba.np import arraymath

        arraymath.ensure_blas = plain
    finally:
        linalg.ensure_blas = plain
    return arraymath


arraymath = _arrays_without_scipy()
"""Modules that need Numba's translations for arrays take them from here."""


@lru_cache
def load_without_doubts() -> None:
    """Load Numba's translations for dictionaries, without their warning that a value may lose
    precision while the type of stored values is not yet known."""
    from numba.typed import typedobjectutils

    plain = typedobjectutils._sentry_safe_cast

    def sentry(given: Any, wanted: Any) -> None:
        if wanted is not types.undefined:
            plain(given, wanted)

    typedobjectutils._sentry_safe_cast = sentry
