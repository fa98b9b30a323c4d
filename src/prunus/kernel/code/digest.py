"""A digest of everything that machine code is made from, so that a cached copy is never stale.

It covers code as loaded in this process rather than files, which may have changed since: bytecode,
constants, names, defaults and closures of the functions, of every function and constant that they
reach by name, the attributes of the classes and of the instance, and the source of the kernel
itself. While the process lives, `Digest.is_current` tells whether a new digest of the same things
would be equal.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import platform
import sys
import types
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from prunus.core.arrays import View
from prunus.core.game import Game
from prunus.kernel.code.watch import Watch, content
from prunus.kernel.reporting.locating import line_ranks

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
    # Pickling adds `__slotnames__` to a class. Other evaluations of a game are no code of the game.
    (
        "__dict__",
        "__weakref__",
        "__doc__",
        "__module__",
        "__slots__",
        "__slotnames__",
        "__static_attributes__",
        "__firstlineno__",
        "__reduce__",
        "evaluations",
    )
)
"""Members of a class that its code does not depend on."""


class Digest:
    """Collects what code depends on; `hexdigest` names it. A shallow digest includes other
    functions than the first by name only. A digest by `sources` uses the source text of functions
    instead of their bytecode, so that another version of Python finds the same name, and leaves out
    the names of the user's modules: a file is one game, whether it was imported, run or loaded by a
    command."""

    def __init__(self, shallow: bool = False, sources: bool = False) -> None:
        self._shallow, self._sources = shallow, sources
        self._hash = hashlib.sha256()
        self._seen: dict[int, int] = {}
        self._kept: list[Any] = []
        self._watch = Watch()
        self._modules: list[types.ModuleType] = []

    def hexdigest(self) -> str:
        """The name of everything added so far."""
        return self._hash.hexdigest()

    def is_current(self) -> bool:
        """Whether everything added is unchanged, so that a new digest would be the same."""
        return self._watch.is_current()

    def watch(self, container: Any) -> None:
        """Let `is_current` check a container that does not enter the digest."""
        self._watch.container(container)

    def text(self, *parts: object) -> None:
        """Add plain text."""
        for part in parts:
            self._hash.update(str(part).encode("utf-8", "backslashreplace") + b"\0")

    def function(self, function: types.FunctionType) -> None:
        """Add a function and everything that it reaches by name."""
        if self._is_new(function, "function"):
            self.text("function", self._home(function.__module__), function.__qualname__)
            if _is_known(function.__module__) or (self._shallow and len(self._kept) > 1):
                return
            self._watch.function(function)
            if self._sources:
                self.text(inspect.getsource(function))
            else:
                self._code(function.__code__)
            self.value(function.__defaults__)
            self.value(function.__kwdefaults__)
            for name, cell in zip(
                function.__code__.co_freevars, function.__closure__ or (), strict=True
            ):
                self.text("closure", name)
                self.value(content(cell))
            self._globals(function)

    def value(self, value: Any) -> None:
        """Add a constant, a function, a class or a container of these."""
        self._watch.container(value)
        value = within(value)
        if isinstance(value, types.FunctionType):
            self.function(value)
        elif isinstance(value, types.CodeType):
            self._code(value)
        elif isinstance(value, type):
            self.cls(value)
        elif isinstance(value, dict):
            self._items(value, list(value.items()))
        elif isinstance(value, tuple | list):
            self._items(value, value)
        elif isinstance(value, set | frozenset):
            # Rules may iterate over a set. Its order is the same in all processes unless it depends
            # on the hashes of strings.
            numbers = all(isinstance(item, int | tuple) for item in value)
            self._items(value, list(value) if numbers else sorted(value, key=repr))
        elif isinstance(value, types.ModuleType):
            self.text("module", value.__name__)
        elif isinstance(value, Enum):
            self.text("member", value.name)
            self.value(value.value)
            self.cls(type(value))
        elif isinstance(
            value, int | float | str | bytes | complex | types.NoneType | types.EllipsisType
        ):
            self.text(type(value).__name__, repr(value))
        elif isinstance(value, range | slice):
            self._items(value, (value.start, value.stop, value.step))
        elif hasattr(value, "tobytes") and hasattr(value, "dtype"):  # a NumPy array or scalar
            self.text("array", value.dtype, value.shape)
            self._hash.update(value.tobytes())
        else:
            self.text("object", self._home(type(value).__module__), type(value).__qualname__)

    def cls(self, cls: type) -> None:
        """Add a class: its bases and everything defined in it. Classes of the standard library and
        of the compiler count by name only."""
        self.text("class", self._home(cls.__module__), cls.__qualname__)
        if _is_known(cls.__module__) or not self._is_new(cls, "class"):
            return
        self._watch.cls(cls)
        for base in cls.__mro__[1:]:
            self.cls(base)
        for name, member in sorted(cls.__dict__.items()):
            if name not in _UNIMPORTANT and not (
                self._sources and name.startswith("__") and not _is_written_in(cls, member)
            ):
                self.text("member", name)
                self.value(member)

    def _home(self, module: str) -> str:
        """What stands for the module that something is defined in."""
        return "" if self._sources and not _is_known(module) else module

    def _items(self, whole: Any, items: Any) -> None:
        self.text(type(whole).__name__, len(items))
        if type(whole).__module__ != "builtins":
            self.cls(type(whole))  # a record's methods are reached through the record alone
        for item in items:
            self.value(item)

    def _is_new(self, thing: Any, kind: str) -> bool:
        """Whether a function or class is met for the first time. If not, its number among those met
        stands for it: two that were met before must not be taken for each other."""
        number = self._seen.setdefault(id(thing), len(self._seen))
        if number < len(self._kept):
            self.text("known", kind, number)
            return False
        self._kept.append(thing)
        return True

    def _code(self, code: types.CodeType) -> None:
        for fact in _CODE_FACTS:
            self.text(fact, getattr(code, fact))
        self.text(getattr(code, "co_exceptiontable", b""))
        # Machine code refers to a line by its rank (`locating`), which comments do not change.
        ranks = line_ranks(code)
        self.text([(start, ranks.get(line)) for start, _, line in code.co_lines()])
        for constant in code.co_consts:
            self.value(constant)

    def _globals(self, function: types.FunctionType) -> None:
        names = sorted(set(_names(function.__code__)))
        for name in names:
            # A name that is missing, or a builtin, may be defined later.
            self._watch.name(function.__globals__, name)
            if name in function.__globals__:
                value = function.__globals__[name]
                self.text("global", name)
                self.value(value)
                self._attributes(value, names)

    def _attributes(self, module: Any, names: list[str]) -> None:
        """`module.helper`, `package.module.helper`: any other name in a function may be the
        attribute that is meant."""
        if (
            not isinstance(module, types.ModuleType)
            or _is_known(module.__name__)
            or module in self._modules
        ):
            return
        self._modules.append(module)
        for name in names:
            self._watch.name(vars(module), name)
            if name in vars(module):
                value = vars(module)[name]
                self.text("attribute", name)
                self.value(value)
                self._attributes(value, names)
        self._modules.pop()


def within(value: Any) -> Any:
    """What makes up a function, method or property of any form; other values as they stand."""
    if isinstance(value, staticmethod | classmethod):
        return within(value.__func__)
    if isinstance(value, property):
        return value.fget, value.fset
    if isinstance(value, types.MethodType):
        return "method", value.__func__, value.__self__
    if isinstance(value, functools.partial):
        return "partial", value.func, value.args, value.keywords
    function = getattr(value, "py_func", value)
    return function.__wrapped__ if isinstance(function, functools._lru_cache_wrapper) else function


def source_digest(cls: type, attributes: Mapping[str, object] | None = None) -> str:
    """The digest of the source of a class and of everything it reaches, and of attributes of an
    instance, which must be such as `is_told` accepts. Raises OSError or TypeError if some source is
    not in a file."""
    digest = Digest(sources=True)
    digest.cls(cls)
    for name, value in sorted((attributes or {}).items()):
        digest.text("attribute", name)
        digest.value(value.array if isinstance(value, View) else value)
    return digest.hexdigest()


def is_told(value: object) -> bool:
    """Whether a digest tells a value from all others. Of most objects it knows the class alone."""
    if isinstance(value, dict):
        return all(is_told(part) for item in value.items() for part in item)
    if isinstance(value, tuple | list | set | frozenset):
        return all(map(is_told, value))
    if isinstance(value, types.MethodType):
        return isinstance(value.__self__, Game)
    plain = int | float | str | bytes | complex | range | slice | type | np.ndarray | np.generic
    return value is None or isinstance(value, plain | View | Enum | types.FunctionType)


def _is_written_in(cls: type, member: Any) -> bool:
    """Whether the class itself defines a special method; each version of Python adds others of its
    own."""
    return isinstance(member, types.FunctionType) and member.__module__ == cls.__module__


_FOREIGN = frozenset(sys.stdlib_module_names) | {"numpy", "numba", "llvmlite"}
_OWN = frozenset(
    f"prunus.core.{name}"
    for name in (
        "arrays",
        "bits",
        "game",
        "knowledge.certainties",
        "knowledge.evaluation",
        "knowledge.part",
        "knowledge.tactics",
        "rules",
        "state",
    )
)


def _is_known(module: str | None) -> bool:
    """Whether versions and `toolchain` identify a module's code, so that names are enough."""
    name = module or ""
    return name.split(".")[0] in _FOREIGN or name in _OWN or name.startswith("prunus.kernel.")


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


_LEVELS = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "LLVM_REFPRUNE_PASS")
"""Settings of Numba (as `NUMBA_OPT`) that give other machine code."""


@cache
def toolchain() -> str:
    """Everything that turns code into machine code: versions, the processor, and the source of the
    translation."""
    import llvmlite
    import numba
    import numpy

    package = Path(__file__).resolve().parents[2]
    sources = hashlib.sha256()
    for path in sorted(
        [
            *package.joinpath("kernel").rglob("*.py"),
            *(package.parent.joinpath(*name.split(".")).with_suffix(".py") for name in _OWN),
        ]
    ):
        sources.update(str(path.relative_to(package)).encode() + path.read_bytes())
    versions = (
        sys.version,
        numba.__version__,
        llvmlite.__version__,
        numpy.__version__,
        platform.machine(),
        *(str(getattr(numba.config, name)) for name in _LEVELS),
    )
    return "|".join((*versions, sources.hexdigest()))
