"""A digest of everything that machine code is made from, so that a cached copy is never stale.

It covers code as loaded in this process, not files, which may have changed since: bytecode, constants, names, defaults and closures of the
functions, of every function and constant that they reach by name, the attributes of the classes and of the instance, and the sources of
the kernel itself.
"""

from __future__ import annotations

import functools
import hashlib
import platform
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from prunus.kernel.locating import line_ranks

_CODE_FACTS = (
    "co_name",
    "co_flags",
    "co_argcount",
    "co_kwonlyargcount",
    "co_varnames",
    "co_names",
    "co_freevars",
    "co_cellvars",
    "co_code",
)

_UNIMPORTANT = frozenset(
    # `__slotnames__` is what pickling leaves in a class.
    ("__dict__", "__weakref__", "__doc__", "__module__", "__slots__", "__slotnames__", "__static_attributes__", "__firstlineno__")
)
"""Members of a class that say nothing of its code."""


class Digest:
    """Collects what code depends on; `hexdigest` names it."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256(toolchain().encode())
        self._seen: set[int] = set()
        self._kept: list[Any] = []
        self._bindings: list[tuple[Mapping[str, Any], str, Any]] = []
        self._cells: list[tuple[Any, Any]] = []

    def hexdigest(self) -> str:
        """The name of everything added so far."""
        return self._hash.hexdigest()

    def is_current(self) -> bool:
        """Whether every name that was followed still stands for the same object; then a new digest would be the same."""
        missing = object()
        return all(scope.get(name, missing) is value for scope, name, value in self._bindings) and all(
            _cell(cell) is value for cell, value in self._cells
        )

    def text(self, *parts: object) -> None:
        """Add plain texts."""
        for part in parts:
            self._hash.update(str(part).encode("utf-8", "backslashreplace") + b"\0")

    def function(self, function: Callable[..., Any]) -> None:
        """Add a function and everything that it reaches by name."""
        if self._is_new(function):
            self.text("function", function.__module__, function.__qualname__)
            if _is_known(function.__module__):
                return
            self._code(function.__code__)
            self.value(function.__defaults__)
            self.value(function.__kwdefaults__)
            for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
                self.text("closure", name)
                self._cells.append((cell, _cell(cell)))
                self.value(_cell(cell))
            self._globals(function)

    def value(self, value: Any) -> None:
        """Add a constant, a function, a class or a container of these."""
        function = getattr(value, "py_func", value)
        if isinstance(function, functools._lru_cache_wrapper):
            function = function.__wrapped__
        if isinstance(function, types.FunctionType):
            self.function(function)
        elif isinstance(value, staticmethod | classmethod):
            self.value(value.__func__)
        elif isinstance(value, property):
            self.value((value.fget, value.fset))
        elif isinstance(value, types.CodeType):
            self._code(value)
        elif isinstance(value, type):
            self.cls(value)
        elif isinstance(value, dict):
            self._items("dict", sorted(value.items(), key=lambda pair: repr(pair[0])))
        elif isinstance(value, tuple | list):
            self._items(type(value).__name__, value)
        elif isinstance(value, set | frozenset):
            self._items("set", sorted(value, key=repr))
        elif isinstance(value, types.ModuleType):
            self.text("module", value.__name__)
        elif isinstance(value, int | float | str | bytes | complex | types.NoneType | types.EllipsisType):
            self.text(type(value).__name__, repr(value))
        elif hasattr(value, "tobytes") and hasattr(value, "dtype"):
            self.text("array", value.dtype, value.shape)
            self._hash.update(value.tobytes())
        else:
            self.text("object", type(value).__module__, type(value).__qualname__)

    def cls(self, cls: type) -> None:
        """Add a class: its bases and everything defined in it. Classes of the standard library and of the compiler count by
        their names."""
        self.text("class", cls.__module__, cls.__qualname__)
        if _is_known(cls.__module__) or not self._is_new(cls):
            return
        for base in cls.__mro__[1:]:
            self.cls(base)
        for name, member in sorted(cls.__dict__.items()):
            if name not in _UNIMPORTANT:
                self.text("member", name)
                self._bindings.append((cls.__dict__, name, member))
                self.value(member)

    def _items(self, kind: str, items: Any) -> None:
        self.text(kind, len(items))
        for item in items:
            self.value(item)

    def _is_new(self, thing: Any) -> bool:
        if id(thing) in self._seen:
            return False
        self._seen.add(id(thing))
        self._kept.append(thing)
        return True

    def _code(self, code: types.CodeType) -> None:
        for fact in _CODE_FACTS:
            self.text(fact, getattr(code, fact))
        self.text(getattr(code, "co_exceptiontable", b""))
        # Machine code names lines by their rank (`locating`), which comments do not change.
        ranks = line_ranks(code)
        self.text([(start, ranks.get(line)) for start, _, line in code.co_lines()])
        for constant in code.co_consts:
            self.value(constant)

    def _globals(self, function: Callable[..., Any]) -> None:
        names = sorted(set(_names(function.__code__)))
        for name in names:
            if name not in function.__globals__:
                continue
            value = function.__globals__[name]
            self.text("global", name)
            self._bindings.append((function.__globals__, name, value))
            self.value(value)
            if isinstance(value, types.ModuleType) and not _is_known(value.__name__):
                # `module.helper`: any other name of the function may be the attribute that is meant.
                for other in names:
                    if hasattr(value, other):
                        self.text("attribute", other)
                        self._bindings.append((vars(value), other, getattr(value, other)))
                        self.value(getattr(value, other))


_FOREIGN = frozenset(sys.stdlib_module_names) | {"numpy", "numba", "llvmlite"}
_OWN = frozenset({"prunus.arrays", "prunus.bits", "prunus.game", "prunus.state"})


def _is_known(module: str | None) -> bool:
    """Whether a module's code is told by versions and by `toolchain`, so that names are enough."""
    name = module or ""
    return name.split(".")[0] in _FOREIGN or name in _OWN or name.startswith("prunus.kernel.")


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _cell(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


@cache
def toolchain() -> str:
    """Everything that turns code into machine code: versions, the processor, and the sources that define the translation."""
    import llvmlite
    import numba
    import numpy

    package = Path(__file__).resolve().parent.parent
    sources = hashlib.sha256()
    for path in sorted(
        [*package.joinpath("kernel").glob("*.py"), *(package / f"{name}.py" for name in ("arrays", "bits", "game", "state"))]
    ):
        sources.update(path.name.encode() + path.read_bytes())
    versions = (sys.version, numba.__version__, llvmlite.__version__, numpy.__version__, platform.machine())
    return "|".join((*versions, sources.hexdigest()))
