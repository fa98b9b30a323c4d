"""A digest of everything that machine code is made from, so that a cached copy is never stale.

It covers code as loaded in this process rather than files, which may have changed since: bytecode,
constants, names, defaults and closures of the functions, of every function and constant that they
reach by name, the attributes of the classes and of the instance, and the source of the kernel
itself. While the process lives, `Digest.is_current` tells whether a new digest of the same things
would be equal.
"""

from __future__ import annotations

import dataclasses
import hashlib
import reprlib
import types
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, Final

from prunus.core.game import Game
from prunus.kernel.code.parts import contents, source_of, within
from prunus.kernel.code.set_orders import copying
from prunus.kernel.code.toolchain import is_known
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


_OF_MEMBERS = frozenset(("_value_", "_name_", "__objclass__", "_sort_order_"))
"""What every member of an enumeration keeps."""

OBJECTS: Final = 10_000
"""The number of objects whose contents a digest knows."""

MADE_BY_DATACLASS: Final = ("<string>", dataclasses.__file__, reprlib.__file__)
"""The files of the functions that `dataclass` makes."""


class Digest:
    """Collects what code depends on; `hexdigest` names it. A shallow digest includes other
    functions than the first by name only. A digest by `sources` uses the source text of functions
    instead of their bytecode, so that another version of Python finds the same name, and leaves out
    the names of the user's modules: a file is one game, whether it was imported, run or loaded by a
    command. `names` are those that functions read besides, perhaps of a module that is kept
    somewhere."""

    def __init__(
        self, shallow: bool = False, sources: bool = False, names: Iterable[str] = ()
    ) -> None:
        self._shallow, self._sources = shallow, sources
        self._hash = hashlib.sha256()
        self._seen: dict[int, int] = {}
        self._inside: set[int] = set()
        self._kept: list[Any] = []
        self._watch = Watch()
        # What objects contain changes while rules are interpreted that keep what they found in
        # them, so that it does not count as a change during a search.
        self._within_objects = Watch()
        self._has_objects = False
        self._objects: list[Any] = []
        self._opened = 0
        self._modules: dict[int, types.ModuleType] = {}
        self._entered: list[types.ModuleType] = []
        self.names = set(names)
        self._read: set[tuple[int, str]] = set()

    def hexdigest(self) -> str:
        """The name of everything added so far."""
        return self._hash.hexdigest()

    def is_current(self) -> bool:
        """Whether everything added is unchanged, but for what objects contain."""
        return self._watch.is_current()

    def has_its_objects(self) -> bool:
        """Whether what objects contain is unchanged."""
        return not self._has_objects or self._within_objects.is_current()

    def watch(self, container: Any) -> None:
        """Let `is_current` check a container that does not enter the digest."""
        self._watch.container(container)

    def text(self, *parts: object) -> None:
        """Add plain text."""
        for part in parts:
            self._hash.update(str(part).encode("utf-8", "backslashreplace") + b"\0")

    def owner(self, game: Game) -> None:
        """Say whose rules these are: methods bound to the game are told apart without what it
        keeps."""
        self._is_new(game, "game")

    def function(self, function: types.FunctionType) -> None:
        """Add a function and everything that it reaches by name."""
        self._function(function)
        self._finish()

    def value(self, value: Any) -> None:
        """Add a constant, a function, a class, an object or a container of these."""
        self._value(value)
        self._finish()

    def cls(self, cls: type) -> None:
        """Add a class: its bases and everything defined in it. Classes of the standard library and
        of the compiler count by name only."""
        self._cls(cls)
        self._finish()

    def _finish(self) -> None:
        """Add what was left for later: the contents of objects, which may refer to each other in
        long chains, and what modules are asked for by any of the names that were met."""
        while self._objects or self._reads_more():
            if self._objects:
                self._open(self._objects.pop())

    def _open(self, value: Any) -> None:
        self._opened += 1
        if self._opened > OBJECTS:
            return
        usual = self._watch
        # Prunus's own objects do not change while it runs.
        own = type(value).__module__.startswith("prunus.")
        self._watch = Watch() if own else self._within_objects
        self._watch.container(getattr(value, "__dict__", None))
        self._value(contents(value))
        self._has_objects |= not own
        self._watch = usual

    def _reads_more(self) -> bool:
        """Add the attributes of modules whose names have been met since; whether there are any."""
        met = [
            (module, name)
            for module in self._modules.values()
            for name in sorted(self.names)
            if (id(module), name) not in self._read
        ]
        for module, name in met:
            self._read.add((id(module), name))
            self._watch.name(vars(module), name)
            if name in vars(module):
                self.text("attribute", name)
                self._value(vars(module)[name])
        return bool(met)

    def _function(self, function: types.FunctionType) -> None:
        if self._is_new(function, "function"):
            self.text("function", self._home(function.__module__), function.__qualname__)
            if is_known(function.__module__) or (self._shallow and len(self._kept) > 1):
                return
            self._watch.function(function)
            if self._sources:
                self.text(source_of(function))
            else:
                self._code(function.__code__)
            self._value(function.__defaults__)
            self._value(function.__kwdefaults__)
            names = sorted(set(_names(function.__code__)))
            self.names.update(names)
            for name, cell in zip(
                function.__code__.co_freevars, function.__closure__ or (), strict=True
            ):
                self.text("closure", name)
                self._found(content(cell), names)
            self._globals(function, names)

    def _value(self, value: Any) -> None:
        value = within(value)
        self._watch.container(value)
        if isinstance(value, types.FunctionType):
            self._function(value)
        elif isinstance(value, types.CodeType):
            self._code(value)
        elif isinstance(value, type):
            self._cls(value)
        elif isinstance(value, dict):
            self._items(value, list(value.items()))
        elif isinstance(value, tuple | list):
            self._items(value, value)
        elif isinstance(value, set | frozenset):
            self._set(value)
        elif isinstance(value, types.ModuleType):
            self._module(value)
        elif isinstance(value, Enum):
            self._member(value)
        elif isinstance(
            value, int | float | str | bytes | complex | types.NoneType | types.EllipsisType
        ):
            self._plain(value)
        elif isinstance(value, range | slice):
            self._items(value, (value.start, value.stop, value.step))
        elif hasattr(value, "tobytes") and hasattr(value, "dtype"):  # a NumPy array or scalar
            self.text("array", value.dtype, value.shape)
            self._hash.update(value.tobytes())
        else:
            self._object(value)

    def _set(self, value: Any) -> None:
        # Rules may iterate over a set, or copy it. Its order is the same in all processes unless it
        # depends on the hashes of strings.
        if _is_ordered(value):
            places = {item: place for place, item in enumerate(value)}
            self.text("copied", *(places[item] for item in copying(value) or ()))
            self._items(value, list(value))
        else:
            self._items(value, _sorted(value))

    def _module(self, module: types.ModuleType) -> None:
        """A module that is kept somewhere: which of its names are asked for is not known yet."""
        self.text("module", module.__name__)
        if not is_known(module.__name__) and not module.__name__.startswith("prunus"):
            self._modules.setdefault(id(module), module)

    def _member(self, member: Enum) -> None:
        self.text("member", member.name)
        self._value(member.value)
        more = {name: v for name, v in vars(member).items() if name not in _OF_MEMBERS}
        if more:
            self._value(more)
        self._cls(type(member))

    def _plain(self, value: Any) -> None:
        """A number, a text or the like. A class of the user's may write them as it likes."""
        kind = type(value)
        if is_known(kind.__module__):
            self.text(kind.__name__, repr(value))
        else:
            base = next(base for base in kind.__mro__ if base.__module__ == "builtins")
            self.text(kind.__name__, base.__repr__(value))
            self._cls(kind)

    def _object(self, value: Any) -> None:
        kind = type(value)
        self.text("object", self._home(kind.__module__), kind.__qualname__)
        if self._is_new(value, "object"):
            self._objects.append(value)

    def _cls(self, cls: type) -> None:
        self.text("class", self._home(cls.__module__), cls.__qualname__)
        if is_known(cls.__module__) or not self._is_new(cls, "class"):
            return
        self._watch.cls(cls)
        for base in (*cls.__mro__[1:], *(type(cls),) * (type(cls) is not type)):
            self._cls(base)
        for name, member in sorted(cls.__dict__.items()):
            if name not in _UNIMPORTANT and not (
                self._sources and name.startswith("__") and not _is_written_in(cls, name, member)
            ):
                self.text("member", name)
                self._value(member)

    def _home(self, module: str) -> str:
        """What stands for the module that something is defined in."""
        return "" if self._sources and not is_known(module) else module

    def _items(self, whole: Any, items: Any) -> None:
        self.text(type(whole).__name__, len(items))
        if type(whole).__module__ != "builtins":
            self._cls(type(whole))  # a record's methods are reached through the record alone
        if id(whole) in self._inside:
            self.text("within itself")
            return
        self._inside.add(id(whole))
        for item in items:
            self._value(item)
        self._inside.discard(id(whole))

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
            self._value(constant)

    def _globals(self, function: types.FunctionType, names: list[str]) -> None:
        for name in names:
            # A name that is missing, or a builtin, may be defined later.
            self._watch.name(function.__globals__, name)
            if name in function.__globals__:
                self.text("global", name)
                self._found(function.__globals__[name], names)

    def _found(self, value: Any, names: list[str]) -> None:
        """What a function finds by name: a module, or any other value."""
        if isinstance(value, types.ModuleType):
            self.text("module", value.__name__)
            self._attributes(value, names)
        else:
            self._value(value)

    def _attributes(self, module: types.ModuleType, names: list[str]) -> None:
        """`module.helper`, `package.module.helper`: any other name in a function may be the
        attribute that is meant."""
        if is_known(module.__name__) or module in self._entered:
            return
        self._entered.append(module)
        for name in names:
            self._watch.name(vars(module), name)
            if name in vars(module):
                self.text("attribute", name)
                self._found(vars(module)[name], names)
        self._entered.pop()


def source_digest(cls: type, attributes: Mapping[str, object] | None = None) -> str:
    """The digest of the source of a class and of everything it reaches, and of attributes of an
    instance, which must be such as `is_told` accepts. Raises OSError or TypeError if some source is
    not in a file."""
    digest = Digest(sources=True)
    digest.cls(cls)
    for name, value in sorted((attributes or {}).items()):
        digest.text("attribute", name)
        digest.value(value)
    return digest.hexdigest()


def _is_written_in(cls: type, name: str, member: Any) -> bool:
    """Whether the class itself defines a special method, or fields; each version of Python adds
    others of its own."""
    if dataclasses.is_dataclass(cls) and name == "__dataclass_fields__":
        return True
    return (
        isinstance(member, types.FunctionType)
        and member.__module__ == cls.__module__
        and member.__code__.co_filename not in MADE_BY_DATACLASS
    )


def _is_ordered(value: Any) -> bool:
    """Whether the order of a set is the same in all processes: nothing in it has a hash that
    depends on those of strings."""
    return all(
        isinstance(item, int) or (isinstance(item, tuple) and _is_ordered(item)) for item in value
    )


def _sorted(value: Any) -> list[Any]:
    try:
        return sorted(value, key=repr)
    except Exception:  # a `repr` of the user's
        return sorted(value, key=lambda item: type(item).__qualname__)


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)
