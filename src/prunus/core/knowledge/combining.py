"""Games with the rules of one class and the evaluation, tactics or certainties of another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Final, TypeVar, cast
from weakref import WeakKeyDictionary, WeakValueDictionary

from prunus.core.errors import PrunusError
from prunus.core.knowledge.certainties import Certainties
from prunus.core.knowledge.evaluation import Evaluation
from prunus.core.knowledge.part import Part
from prunus.core.knowledge.tactics import Tactics
from prunus.core.rules import Rules, in_words

KINDS: Final[dict[str, type[Part]]] = {
    "evaluation": Evaluation,
    "tactics": Tactics,
    "certainties": Certainties,
}
"""The parts of a game that another class may replace, each as a whole."""

OPEN: Final = frozenset({"name", "evaluations"})
"""Names that a part may define for itself although every game has them too."""

NOTED: Final = frozenset({"alternates", "repetition_rule"})
"""Facts that classes find out about themselves."""

OWN: Final = "own"
"""In place of a name: the evaluation in the game's own class."""

KEPT: Final = 8
"""The number of combined games that a game remembers."""

G = TypeVar("G", bound=Rules)

Key = tuple[type[Rules], tuple[tuple[str, type[Part]], ...]]


class PartError(PrunusError, ValueError):
    """Raised when a part cannot be combined with a game; the message says why."""


_classes: WeakValueDictionary[Key, type[Rules]] = WeakValueDictionary()
_sources: WeakKeyDictionary[type, Key] = WeakKeyDictionary()


def combined(game: G, parts: Mapping[str, Part | type[Part] | str | None]) -> G:
    """The game with these parts in place of its own, by the names of `KINDS`; an evaluation may be
    given by name. The same classes give the same class, and the game remembers its latest
    combinations. Raises PartError.

    A part replaces the game's own completely: what the part does not define is as in a game without
    it, even if the game's own class has it.
    """
    origin, known = game.__dict__.get("_prunus_origin", (game, {}))
    game = origin
    given = {kind: _named(game, part) for kind, part in parts.items() if part is not None}
    chosen = {
        kind: part for kind in KINDS if (part := given.get(kind, known.get(kind))) is not None
    }
    if not chosen:
        return game
    game.freeze()
    made = game.__dict__.setdefault("_prunus_combined", {})
    key = tuple(
        (kind, id(part)) for kind, part in chosen.items()
    )  # what is made holds its parts, so that these stay their own
    now = game.attributes()
    if key not in made or not _is_same(made[key][0], now):
        if len(made) >= KEPT:
            del made[next(iter(made))]  # the oldest
        made[key] = now, _combined(game, chosen)
    return made[key][1]


def _is_same(before: Mapping[str, object], now: Mapping[str, object]) -> bool:
    """Whether a game still keeps the same objects under the same names."""
    return before.keys() == now.keys() and all(now[name] is before[name] for name in before)


def original(game: G) -> G:
    """The game that a combination was made from; any other game is its own original."""
    return game.__dict__.get("_prunus_origin", (game,))[0]


def has_part(game: Rules, kind: str) -> bool:
    """Whether the game is a combination with a separate part of this kind."""
    return kind in game.__dict__.get("_prunus_origin", (game, {}))[1]


def for_proofs(game: G) -> G:
    """The game with which to search to the end of `game`: a combination does without its separate
    evaluation, which would cost time and prove nothing, so that the search is that of the original
    game."""
    origin, parts = game.__dict__.get("_prunus_origin", (game, {}))
    if "evaluation" not in parts:
        return game
    return combined(origin, {kind: part for kind, part in parts.items() if kind != "evaluation"})


def evaluation_name(game: Rules) -> str | None:
    """The evaluation that searches of the game use: its name among the `evaluations` of the game,
    the class of a separate one with its parameters, or `OWN`; None if the game has none."""
    if not (getattr(game, "has_evaluate", False) or getattr(game, "has_estimates", False)):
        return None
    origin, parts = game.__dict__.get("_prunus_origin", (game, {}))
    part = parts.get("evaluation")
    if part is None:
        return OWN
    names = (name for name, known in origin.evaluations.items() if known is part)
    return next(names, part.__name__ if isinstance(part, type) else repr(part))


def sources(cls: type) -> tuple[type, ...]:
    """The classes that a class was combined from; none for a class that was written by hand."""
    found = _sources.get(cls)
    return () if found is None else (found[0], *(part for _, part in found[1]))


def _named(game: Rules, part: Part | type[Part] | str) -> Part | type[Part]:
    """A part; an evaluation may be given by its name among those of a game."""
    if not isinstance(part, str):
        return part
    known: Mapping[str, Part | type[Part]] = getattr(game, "evaluations", {})
    if part not in known:
        has = f"it has {', '.join(known)}" if known else "it has none by name"
        raise PartError(f"{game.title()} has no evaluation {part!r}: {has}")
    return known[part]


def _combined(game: G, parts: Mapping[str, Part | type[Part]]) -> G:
    classes = tuple((kind, p if isinstance(p, type) else type(p)) for kind, p in parts.items())
    for kind, part in classes:
        _expect_part(game, kind, part)
    made = cast("G", object.__new__(_class((type(game), classes))))
    replaced = {name for kind, _ in classes for name in _names_of(KINDS[kind])}
    kept = {name: value for name, value in game.attributes().items() if name not in replaced}
    made.__dict__.update(kept)
    for (_, cls), given in zip(classes, parts.values(), strict=True):
        for name, value in _attributes(game, given).items():
            if (hasattr(game, name) and name not in replaced | OPEN) or name in made.__dict__:
                raise PartError(f"{cls.__name__} sets {name!r}{_TAKEN.format(game.title())}")
            if name not in OPEN:
                made.__setattr__(name, value)
        cls.prepare(cast("Part", made))
        for name, value in kept.items():
            now = made.__dict__.get(name)
            if now is not value and now != value:
                raise PartError(
                    f"{cls.__name__}.prepare sets {name!r}{_TAKEN.format(game.title())}"
                )
    object.__setattr__(made, "_prunus_origin", (game, dict(parts)))
    return made


_TAKEN: Final = ", which {} has too: give it another name"


def _attributes(game: Rules, part: Part | type[Part]) -> dict[str, object]:
    """The attributes of a part, which no longer change. A class with a constructor of its own is
    instantiated first; one without has none."""
    if isinstance(part, type):
        if not any("__init__" in vars(cls) for cls in _own(type(game), part)):
            return {}
        cls = part
        try:
            part = cls()
        except TypeError as error:
            raise PartError(
                f"{cls.__name__} needs arguments ({error}): pass an instance of it"
            ) from error
    part.view_arrays()
    object.__setattr__(part, "_frozen", True)
    return part.attributes()


def _class(key: Key) -> type[Rules]:
    made = _classes.get(key)
    if made is None:
        made = _classes[key] = _new_class(*key)
        _sources[made] = key
    return made


def _new_class(game: type[Rules], parts: tuple[tuple[str, type[Part]], ...]) -> type[Rules]:
    """A class derived from the parts, then from the game's class with those parts taken out. A part
    that the game's class already includes replaces it there."""
    body: dict[str, object] = {"__module__": game.__module__}
    for kind, part in parts:
        # What a part inherits from classes that the game has too is its own, not the game's.
        homes = [cls for cls in part.__mro__ if cls in game.__mro__]
        for name in _names_of(KINDS[kind]):
            home = next((cls for cls in homes if name in vars(cls)), None)
            if home is not None:
                body[name] = vars(home)[name]
    rest = type(game.__name__, (game,), body)
    added = tuple(dict.fromkeys(part for _, part in parts if not issubclass(game, part)))
    own: dict[str, object] = {
        "__module__": game.__module__,
        "__doc__": game.__doc__,
        "__init__": game.__init__,
        "__reduce__": _reduced,
        "name": game.name or in_words(game.__name__),
    }
    if all(kind != "certainties" for kind, _ in parts):
        own |= {"solving_game": _solving_game, "solving_state": _solving_state}
    made: type[Rules] = type(
        f"{game.__name__}With{''.join(part.__name__ for _, part in parts)}", (*added, rest), own
    )
    return made


def _solving_game(self: Certainties) -> Rules:
    """The `solving_game` of a combination that changes no certainties: that of the original, with
    the combination's tactics if they can read its States."""
    origin, parts = self.__dict__["_prunus_origin"]
    form = origin.solving_game()
    if form is origin:
        return self
    if "tactics" not in parts:
        return form
    readable = isinstance(form, type(origin)) and {*origin.State._fields} <= {*form.State._fields}
    return combined(form, {"tactics": parts["tactics"]}) if readable else self


def _solving_state(self: Certainties, state: object) -> object:
    return state if self.solving_game() is self else original(self).solving_state(state)


def _reduced(game: Rules) -> tuple[Callable[..., Rules], tuple[Rules, Mapping[str, Part]]]:
    return combined, game.__dict__["_prunus_origin"]


def _names_of(kind: type[Part]) -> Iterator[str]:
    """The names that belong to a kind of part."""
    names = (*vars(kind), *vars(kind).get("__annotations__", {}))
    return (
        name
        for name in dict.fromkeys(names)
        if not name.startswith(("_", "has_")) and name not in OPEN
    )


def _own(game: type[Rules], part: type[Part]) -> list[type]:
    """The classes that a part adds to those of a game."""
    return [cls for cls in part.__mro__ if cls not in game.__mro__]


def _expect_part(game: Rules, kind: str, part: type) -> None:
    """Raises PartError if a class is not a part of this kind, or defines a name that the game
    defines too."""
    if not (isinstance(part, type) and issubclass(part, KINDS[kind])):
        raise PartError(
            f"{part.__name__} is no {kind}: derive a class from prunus.{KINDS[kind].__name__}"
        )
    if part is KINDS[kind]:
        return
    allowed = {*_names_of(KINDS[kind]), *OPEN, *NOTED, "prepare"}
    for cls in _own(type(game), part):
        for name in vars(cls):
            if hasattr(game, name) and name not in allowed and not name.startswith(("__", "has_")):
                raise PartError(
                    f"{part.__name__} defines {name!r}, which {game.title()} has too: as its "
                    f"{kind} it may define {', '.join(sorted(_names_of(KINDS[kind])))}, and "
                    "helpers by names that the game does not have"
                )
    _expect_methods(game, kind, part)


def _expect_methods(game: Rules, kind: str, part: type[Part]) -> None:
    """Raises PartError if a class has methods, but none that belongs to its kind of part: their
    names may be misspelt. An empty class is a part that says nothing."""
    own = {name for cls in _own(type(game), part) for name in vars(cls) if name[0] != "_"}
    known = {name for name in _names_of(KINDS[kind]) if callable(vars(KINDS[kind]).get(name))}
    known |= {*_names_of(KINDS[kind])} & own
    if own & known or not own - {*OPEN, *NOTED, "prepare"}:
        return
    near = next(
        (
            f": is {name!r} meant to be {found[0]!r}?"
            for name in sorted(own)
            if (found := get_close_matches(name, known, 1))
        ),
        "",
    )
    raise PartError(
        f"{part.__name__} is to be the {kind} but defines none of its methods, "
        f"{', '.join(sorted(known))}{near}"
    )
