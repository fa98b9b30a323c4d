"""The rules of a game: its class with everything that its methods reach, and its attributes; and
whether they are unchanged.

Machine code, tables and books belong to certain rules. Rules change while a program runs: a
module's constant is rebound, a notebook cell is run again, a list is appended to. Before reusing
anything that was made from rules, ask here.
"""

from __future__ import annotations

import hashlib
import threading
import weakref
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from functools import cached_property
from itertools import repeat
from operator import is_
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

from prunus.core.arrays import View
from prunus.core.game import Game, runtime_attributes
from prunus.kernel.code.digest import Digest
from prunus.kernel.code.parts import within
from prunus.kernel.code.recent import Recent
from prunus.kernel.code.toolchain import is_known
from prunus.kernel.code.watch import content

CLASSES: Final = 64
"""The number of classes whose digests are kept; computing one takes some milliseconds."""

_GONE: Final = object()
"""Instead of an attribute that is no longer there."""


class Rules:
    """The rules of one game as they were found. `name` is the digest of everything but data;
    `constants` are the attributes that are not data either."""

    def __init__(self, game: Game) -> None:
        # First of all: what a `cached_property` gives is an attribute from then on.
        data = data_of(game)
        self.constants = {
            name: v
            for name, v in sorted(game.attributes().items())
            if name not in data and not name.startswith("_")
        }
        self._cls = _digest_of(type(game))
        self._own = Digest(names=self._cls.names)
        self._own.owner(game)
        self._game = weakref.ref(game)
        self._add(self.constants.items())
        self._properties = _properties(game, self._own.names)
        self._add(self._properties)
        self._hidden: Digest | None = None
        # Properties may read attributes that begin with an underscore.
        for name, value in game.attributes().items():
            if name.startswith("_"):
                self._own.watch(value)
        self._class, self._kept, self._size = type(game), game.attributes(), 0
        self.name = hashlib.sha256(
            f"{self._cls.hexdigest()} {self._own.hexdigest()}".encode()
        ).hexdigest()

    def _add(self, constants: Iterable[tuple[str, Any]]) -> None:
        for name, value in constants:
            self._own.text("attribute", name)
            self._own.value(value)

    def is_current(self) -> bool:
        """Whether everything is unchanged; the check takes some microseconds."""
        return self._cls.is_current() and self._own.is_current() and self._has_its_properties()

    def has_its_attributes(self) -> bool:
        """Whether the game keeps the same objects under the same names. Assigning to an attribute
        is refused, but `object.__setattr__` and `game.__dict__` go past that, as rules may do that
        keep what they found; so it does not count as a change during a search."""
        game = self._game()
        if game is None:
            return True
        now = game.__dict__
        if type(game) is not self._class or not all(
            map(is_, map(now.get, self._kept, repeat(_GONE)), self._kept.values())
        ):
            return False
        size = len(now)
        if size != self._size:  # perhaps only by what searches keep with a game
            # Another thread may add something meanwhile; taking the list is one step.
            if any(name not in self._kept and _is_set(game, name) for name in list(now)):
                return False
            self._size = size
        return True

    def has_its_objects(self) -> bool:
        """Whether objects that the rules reach contain what they did."""
        hidden = self._hidden
        return (
            self._cls.has_its_objects()
            and self._own.has_its_objects()
            and (hidden is None or (hidden.is_current() and hidden.has_its_objects()))
        )

    def hidden(self, game: Game) -> str:
        """A digest of the game's attributes that begin with an underscore, which compiled rules do
        not read, but interpreted ones may. Those of Prunus's own games follow from the others."""
        if type(game).__module__.startswith("prunus.games."):
            return ""
        if self._hidden is None:
            self._hidden = Digest(names=self._cls.names)
            self._hidden.owner(game)
            for name, value in sorted(game.attributes().items()):
                if name.startswith("_"):
                    self._hidden.text("attribute", name)
                    self._hidden.value(value)
        return self._hidden.hexdigest()

    def _has_its_properties(self) -> bool:
        """Whether the properties still have their values. They may read what nothing watches, such
        as an object that holds settings, so they are asked again."""
        game = self._game()
        try:
            return game is None or all(
                _is_alike(_property(game, name), value) for name, value in self._properties
            )
        except RecursionError:  # a list that contains itself, made anew
            return False


class _Looks(threading.local):
    """The rules already checked in this thread, which are not checked again; None if each question
    is to check anew."""

    rules: dict[int, Rules] | None = None


_looks = _Looks()


@contextmanager
def looking_once() -> Iterator[None]:
    """Within this context, and in this thread only, the rules of each game are checked once for all
    questions. It is for the preparation of a search; the start of the search (`look_again`) ends
    it."""
    before, _looks.rules = _looks.rules, {}
    try:
        yield
    finally:
        _looks.rules = before


def look_again() -> None:
    """Time has passed, or will: from now on every question checks anew."""
    _looks.rules = None


def rules_of(game: Game) -> Rules:
    """The current rules of a game. They are kept with the game, and computed again if anything has
    changed. The game's attributes are fixed (`Game.freeze`)."""
    known = _known(game)
    if known is None:
        game.freeze()
        known = Rules(game)
        object.__setattr__(game, "_prunus_rules", known)
        if _looks.rules is not None:
            _looks.rules[id(game)] = known
    return known


def _known(game: Game) -> Rules | None:
    """The rules kept with a game, if nothing has changed since; otherwise None."""
    looks = _looks.rules
    if looks is not None and id(game) in looks:
        return looks[id(game)]
    known: Rules | None = game.__dict__.get("_prunus_rules")
    if known is None or not (
        known.is_current() and known.has_its_attributes() and known.has_its_objects()
    ):
        return None
    if looks is not None:
        looks[id(game)] = known
    return known


def data_of(game: Game) -> dict[str, Any]:
    """The attributes that are data and do not make other rules, by name: arrays, and those
    annotated `Runtime`; in the order of their names, those that were added to a game in use after
    the others."""
    scalars = runtime_attributes(type(game))
    found = {
        name: value
        for name, value in sorted(game.attributes().items())
        if isinstance(value, View) or name in scalars
    }
    # Code that was made before others were added goes on to find those that it knows.
    _, known = game.__dict__.get("_prunus_block", (None, {}))
    return {name: found[name] for name in dict.fromkeys((*known, *found)) if name in found}


def fix(game: Game) -> None:
    """Fix the attributes of a game, as `Game.freeze` does. If its rules are known and unchanged,
    this has been done already."""
    if game.interpreted_only or _known(game) is None:
        game.freeze()


_classes: Recent[type, Digest] = Recent(CLASSES)


def _digest_of(cls: type) -> Digest:
    """The digest of a class, shared by all its games."""
    known = _classes.get(cls)
    if known is None or not (known.is_current() and known.has_its_objects()):
        known = Digest()
        known.cls(cls)
        _classes.put(cls, known)
    return known


def _properties(game: Game, read: Container[str]) -> list[tuple[str, Any]]:
    """The values of what the class computes when it is asked for: properties, and of others, which
    may take long and are kept, those whose names its code reads. They are also constants to the
    compiler."""
    names = sorted(
        {
            name
            for base in type(game).__mro__
            for name, member in vars(base).items()
            if _is_computed(member) and (isinstance(member, property) or name in read)
        }
    )
    return [(name, _property(game, name)) for name in names]


def _is_computed(member: object) -> bool:
    """Whether a member of a class is a property or another descriptor that gives any value."""
    return isinstance(member, property | cached_property) or (
        hasattr(type(member), "__get__") and not is_known(type(member).__module__)
    )


def _is_set(game: Game, name: str) -> bool:
    """Whether something in a game's `__dict__` is an attribute that was set: nothing that searches
    keep there, nor what a `cached_property` gives."""
    return not (
        name.startswith("_prunus")
        or name == "_frozen"
        or isinstance(getattr(type(game), name, None), cached_property)
    )


def _property(game: Game, name: str) -> Any:
    try:
        return getattr(game, name)
    except Exception:  # a property that raises counts as one without a value
        return None


def _is_alike(now: Any, before: Any) -> bool:
    """Whether a property has the value that it had, also in a container or object made anew."""
    if now is before:
        return True
    if type(now) is not type(before):
        return False
    if isinstance(now, Enum | type | CodeType | ModuleType):
        return False
    if isinstance(now, dict):
        return _is_alike(list(now.items()), list(before.items()))
    if isinstance(now, tuple | list):
        return len(now) == len(before) and all(map(_is_alike, now, before))
    if hasattr(now, "tobytes") and hasattr(now, "dtype"):
        return (now.shape, now.dtype, now.tobytes()) == (
            before.shape,
            before.dtype,
            before.tobytes(),
        )
    if isinstance(now, int | float | str | bytes | complex | range | slice | set | frozenset):
        return _name(now) == _name(before)
    inner = within(now)
    if inner is not now:
        return _is_alike(inner, within(before))
    if isinstance(now, FunctionType):
        return now.__code__ is before.__code__ and _is_alike(_bound(now), _bound(before))
    return _name(now) == _name(before)


def _name(value: object) -> str:
    """A digest of one value."""
    digest = Digest()
    digest.value(value)
    return digest.hexdigest()


def _bound(function: FunctionType) -> tuple[Any, ...]:
    """What a function has besides its code: the values of its parameters and its closure."""
    cells = function.__closure__ or ()
    return function.__defaults__, function.__kwdefaults__, [content(cell) for cell in cells]


def meaning_of(game: Game) -> tuple[Any, ...]:
    """Everything that the values of positions depend on, for comparison: the class, the current
    rules and the data of a game."""
    rules = rules_of(game)  # this fixes the attributes, too, by which arrays become data
    data = tuple(
        (name, v.array.tobytes() if isinstance(v, View) else v)
        for name, v in sorted(data_of(game).items())
    )
    return type(game), rules.name, rules.hidden(game), data
