"""The memory that an algorithm works in: named counters and arrays behind one pointer, with the
same syntax on every backend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from prunus.core.arrays import View
from prunus.core.bits import CASTS, MASK64, u64
from prunus.core.state import StateLayout, is_machine_state
from prunus.kernel.columns import (
    _NOTHING,
    WIDE_KINDS,
    AnyView,
    Column,
    ObjectRows,
    ObjectView,
    RowView,
    StateView,
    WideColumn,
)

FieldSpec = str | tuple[str, int] | bool | int | View | WideColumn | StateView | ObjectView

Spec = Mapping[str, FieldSpec]

POLLED: Final = "nodes"
"""Every change of this counter checks whether the search is to stop."""

NEVER: Final = (1 << 63) - 1

KINDS: Final[dict[str, Any]] = {
    "u8": np.uint8,
    "u16": np.uint16,
    "u32": np.uint32,
    "u64": np.uint64,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "bool": np.bool_,
}


_NAMES: Final = {np.dtype(kind): name for name, kind in KINDS.items()}

Layout = tuple[tuple[str, str, bool], ...]
"""The fields of a Memory: name, kind, whether it is an array."""

Settings = tuple[tuple[str, int], ...]


class Stopped(Exception):
    """Raised inside an algorithm, when it counts a node, to stop its search: for a limit, Ctrl-C or
    another thread."""


class Memory:
    """A block of named fields: `Memory({"nodes": "i64", "line": ("i64", 100), "open": ("state",
    1000)}, prototype=state)`.

    A field is one of: a scalar ("i64", "u64", "u128", "u256"); an array `(kind, length)` with a
    kind from `KINDS` or `WIDE_KINDS`, or of States shaped like `prototype`; an array shared with
    another Memory (its view); or a setting. A setting is an integer or a truth value and constant
    to the compiler, which leaves out the code that it switches off. Arrays are not cleared.
    `memory.nodes += 1` and `memory.line[k] = x` mean the same interpreted and compiled: an array
    keeps the low bits of a number, a scalar of more than 64 bits raises OverflowError for a number
    that does not fit. A longer array does not recompile. Changing the counter `nodes` raises
    `Stopped` once it exceeds the limit set by `stop_after`, or after `stop` (from any thread).
    """

    __slots__ = ()  # so that assigning to a field that does not exist raises

    _layout: Layout
    _settings: Settings
    _places: dict[str, int]
    _counters: np.ndarray
    _of_states: tuple[str, ...]
    _of_rows: tuple[str, ...]
    _size: int
    _words: memoryview
    _values: dict[str, Any]
    _address: int

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    def __new__(cls, fields: Spec, prototype: Any = None) -> Memory:
        layout = tuple(
            (name, *_described(kind)) for name, kind in fields.items() if not isinstance(kind, int)
        )
        settings = tuple((name, kind) for name, kind in fields.items() if isinstance(kind, int))
        return object.__new__(_class_of(layout, settings))

    def __init__(self, fields: Spec, prototype: Any = None) -> None:
        arrays: dict[str, AnyView] = {}
        for name, kind in fields.items():
            if isinstance(kind, tuple):
                arrays[name] = _array(kind[0], kind[1], prototype)
            elif not isinstance(kind, str | int):
                arrays[name] = kind
        block = np.zeros(self._size, np.int64)
        object.__setattr__(self, "_block", block)
        object.__setattr__(self, "_words", memoryview(block))
        object.__setattr__(self, "_values", arrays)
        object.__setattr__(self, "_address", block.ctypes.data)
        self._words[0] = NEVER
        for name, view in arrays.items():
            self._show(name, view)

    def _show(self, name: str, view: AnyView) -> None:
        """Record the address and length of an array."""
        if not isinstance(view, ObjectView):
            place = self._places[name]
            self._words[place] = view.array.ctypes.data
            self._words[place + 1] = view.shape[0]

    def renew(self, views: Mapping[str, AnyView]) -> None:
        """Make the memory as good as new: counters at 0, no limit, and these arrays in place of the
        shared ones. The other arrays are not cleared."""
        self._block[self._counters] = 0
        self._words[0] = NEVER
        for name, view in views.items():
            self._values[name] = view
            self._show(name, view)

    def assign(self, values: Mapping[str, int]) -> None:
        """Write several words at once. Raises ValueError for a number outside an i64."""
        words, places = self._words, self._places
        for name, value in values.items():
            words[places[name]] = value

    def let_go(self, names: Iterable[str]) -> None:
        """Forget these arrays until `renew` brings others."""
        for name in names:
            self._values[name] = _NOTHING
            place = self._places[name]
            self._words[place] = self._words[place + 1] = 0

    def is_setting(self, name: str) -> bool:
        """Whether a field is a setting, which cannot be written."""
        return any(name == setting for setting, _ in self._settings)

    def stop(self, asked: bool = True) -> None:
        """End the search: its next node raises `Stopped`. Safe from any thread. `asked` tells a
        request to stop from a time limit."""
        self._words[0] = -1 if asked else -2

    def ended_by(self) -> Literal["asked", "time", "nodes"]:
        """The reason why the search ended: a request, the time limit or the limit of nodes."""
        return {-1: "asked", -2: "time"}.get(self._words[0], "nodes")  # type: ignore[return-value]

    def resume(self) -> None:
        """Let a stopped search go on, without a limit of nodes."""
        self._words[0] = NEVER

    def is_stopped(self) -> bool:
        """Whether the search has been stopped or has reached its limit of nodes."""
        return bool(self._words[0] < 0 or self.nodes > self._words[0])

    def stop_after(self, nodes: int) -> None:
        """Let the search count at most this many nodes."""
        self._words[0] = min(nodes, NEVER)


def _array(kind: str, length: int, prototype: Any) -> AnyView:
    if kind in WIDE_KINDS:
        return WideColumn(length, kind)
    if kind != "state":
        return Column(np.empty(length, KINDS[kind]))
    return (
        StateView(length, StateLayout(prototype))
        if is_machine_state(prototype)
        else ObjectView(length)
    )


def _described(kind: Any) -> tuple[str, bool]:
    """The name of a field's kind, and whether it is an array."""
    if isinstance(kind, str):
        return kind, False
    if isinstance(kind, tuple):
        return kind[0], True
    if isinstance(kind, WideColumn):
        return kind.kind, True
    if isinstance(kind, RowView | ObjectRows):
        return "row", True
    return ("state" if isinstance(kind, StateView | ObjectView) else _NAMES[kind.array.dtype]), True


def places(layout: Layout) -> list[int]:
    """The word at which each field of a block begins: a scalar takes one or more words, an array
    two (address and length); word 0 is the node limit."""
    found, place = [], 1
    for _, kind, is_array in layout:
        found.append(place)
        place += 2 if is_array else _words_of(kind)
    return found


def _words_of(kind: str) -> int:
    """The number of words of a scalar."""
    return CASTS[WIDE_KINDS[kind]][0] // 64 if kind in WIDE_KINDS else 1


_classes: dict[Any, type[Memory]] = {}


def _class_of(layout: Layout, settings: Settings) -> type[Memory]:
    # True and 1 are equal, but they are different settings.
    key = (layout, repr(settings))
    if key not in _classes:
        members: dict[str, Any] = {
            "_layout": layout,
            "_settings": settings,
            "__slots__": ("_address", "_block", "_values", "_words"),
        }
        found = places(layout)
        members["_places"] = {
            name: place for (name, _, _), place in zip(layout, found, strict=True)
        }
        counters = [
            (place, kind)
            for (_, kind, is_array), place in zip(layout, found, strict=True)
            if not is_array
        ]
        words = [range(place, place + _words_of(kind)) for place, kind in counters]
        members["_counters"] = np.array([*chain(*words)], np.intp)
        members["_of_states"] = tuple(name for name, kind, _ in layout if kind == "state")
        members["_of_rows"] = tuple(name for name, kind, _ in layout if kind == "row")
        members["_size"] = 1 + sum(
            2 if is_array else _words_of(kind) for _, kind, is_array in layout
        )
        for name, value in settings:
            members[name] = property(_always(value))
        for (name, kind, is_array), place in zip(layout, found, strict=True):
            if not is_array and kind not in ("i64", "u64", *WIDE_KINDS):
                raise TypeError(
                    f"memory field {name!r}: a scalar is 'i64', 'u64', 'u128' or 'u256', not "
                    f"{kind!r}"
                )
            scalar = (
                _wide_property(name, place, WIDE_KINDS[kind])
                if kind in WIDE_KINDS
                else _scalar_property(name, place, kind == "u64")
            )
            members[name] = _array_property(name) if is_array else scalar
        _classes[key] = type("Memory", (Memory,), members)
    return _classes[key]


def _always(value: int) -> Callable[[Any], int]:
    return lambda memory: value


def _array_property(name: str) -> property:
    return property(lambda self: self._values[name])


def _wide_property(name: str, place: int, cast: type[u64]) -> property:
    count = CASTS[cast][0] // 64

    def get(self: Memory) -> u64:
        return cast(sum((self._words[place + i] & MASK64) << 64 * i for i in range(count)))

    def put(self: Memory, value: int) -> None:
        whole = int(value)
        if whole >> 64 * count:
            raise OverflowError(
                f"memory field {name!r} is a {cast.__name__}, 0 ... 2**{64 * count} - 1: {whole} "
                f"is outside"
            )
        for i in range(count):
            word = whole >> 64 * i & MASK64
            self._words[place + i] = word - (1 << 64) if word >> 63 else word

    return property(get, put)


def _scalar_property(name: str, place: int, unsigned: bool) -> property:
    def get(self: Memory) -> int:
        word: int = self._words[place]
        return u64(word) if unsigned else word

    low, high, span = (
        (0, MASK64, "0 ... 2**64 - 1")
        if unsigned
        else (-(1 << 63), (1 << 63) - 1, "-2**63 ... 2**63 - 1")
    )

    def put(self: Memory, value: int) -> None:
        word = int(value)
        if not low <= word <= high:
            raise OverflowError(
                f"memory field {name!r} is {'a u64' if unsigned else 'an i64'}, {span}: {word} is "
                f"outside"
            )
        self._words[place] = word - (1 << 64) if word >> 63 > 0 else word

    def count(self: Memory, value: int) -> None:
        put(self, value)
        if value > self._words[0]:
            raise Stopped

    return property(get, count if name == POLLED else put)
