"""How an algorithm is to search a game: what all searches have in common that are asked for in the
same way. It is kept from one call to the next."""

from __future__ import annotations

import weakref
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from prunus.core.game import Game
from prunus.engine.learning import learning_fields
from prunus.engine.options import Options
from prunus.kernel.code.rules import fix, rules_of
from prunus.kernel.columns import AnyView
from prunus.kernel.memory import Spec
from prunus.run.algorithm import Algorithm
from prunus.run.registry import algorithm_named
from prunus.run.request import Request, options_asked, suits
from prunus.tables.transposition import TranspositionTable

KEPT: Final = 16
"""The number of configurations that are kept with a game."""


@dataclass
class Habit:
    """Left by a search to the next one of the same configuration: `is_short` says that it was
    short, so that the next may be, too (`run/short.py`); `tables` holds its table if that is free
    (`run/spare.py`); `row` is a row of the evaluation of a game, which may take long to make."""

    is_short: bool = False
    tables: list[TranspositionTable] = field(default_factory=list)
    row: tuple[weakref.ref[Game], object] | None = None

    def row_of(self, game: Game) -> object:
        """Some row of a game's evaluation."""
        if self.row is None or self.row[0]() is not game:
            self.row = weakref.ref(game), game.row(game.initial())
        return self.row[1]


@dataclass(frozen=True)
class Configuration:
    """An algorithm and how it is to search, whatever the position and the limit.

    `compile` is True to demand machine code, False to interpret, None to compile if that is
    possible. `options` are those of the engine, None for other algorithms, and `fields` are fields
    of the memory besides those that the algorithm names. `leaps` allows deepening by more than a
    ply at a time.
    """

    algorithm: Algorithm
    compile: bool | None = None
    prefer_faster: bool = False
    room: int | None = None
    threads: int = 1
    options: Options | None = None
    fields: Spec = field(default_factory=dict)
    leaps: bool = False
    habit: Habit = field(default_factory=Habit, compare=False)

    @property
    def is_selective(self) -> bool:
        """Whether an option may change the value."""
        return self.options is not None and self.options.is_selective()

    @cached_property
    def settings(self) -> Spec:
        """The fields that the configuration adds to a memory: the engine's switches, and
        `fields`."""
        if self.options is None:
            return self.fields
        learnt = learning_fields(self.options.continuation, self.options.correction)
        return {**self.options.switches(), **learnt, **self.fields}

    @cached_property
    def kind(self) -> Hashable:
        """The configuration's part of the kind of a memory: constants to the compiler, and
        room."""
        # True and 1 are equal, but not the same setting.
        constants = [(name, of) for name, of in self.settings.items() if isinstance(of, int)]
        return self.algorithm.name, self.room, repr(constants)

    @cached_property
    def views(self) -> dict[str, AnyView]:
        """The arrays among the fields, which are shared with other memories."""
        return {name: of for name, of in self.settings.items() if isinstance(of, AnyView)}


def configuration_of(asked: Request) -> Configuration:
    """The configuration that a request asks for: the one that is kept with the game while its rules
    stay the same, or a new one. Raises UnknownAlgorithm, and SearchError if the algorithm does not
    suit the game or lacks something that is asked for."""
    game = asked.game
    # A configuration of an interpreted search is cheap to make, and ProbCut's file may change.
    if asked.compile is False or game.interpreted_only or Options.reads_fits(asked.options):
        fix(game)
        return _new(asked)
    rules = rules_of(game)
    known: tuple[object, dict[Hashable, Configuration]] | None
    known = game.__dict__.get("_prunus_configurations")
    if known is None or known[0] is not rules or len(known[1]) >= KEPT:
        known = rules, {}
        object.__setattr__(game, "_prunus_configurations", known)
    key = asked.kind()
    found = known[1].get(key)
    if found is None:
        found = known[1][key] = _new(asked)
    return found


def _new(asked: Request) -> Configuration:
    game = asked.game
    algorithm = algorithm_named(asked.algorithm)
    suits(game, algorithm, asked.prefer_faster)
    engine = options_asked(game, algorithm, asked.options)
    # Only the first thread counts its nodes, and other threads must not exceed the limit; nor may
    # an answer depend on which of them found something first, unless it is a player's.
    by_order = engine is not None and engine.goes_by_order(game)
    alone = asked.limit.nodes is not None or (by_order and not asked.plays())
    return Configuration(
        algorithm,
        compile=asked.compile,
        prefer_faster=asked.prefer_faster,
        room=asked.room,
        threads=1 if alone else asked.threads,
        options=engine,
        leaps=asked.leaps,
    )
