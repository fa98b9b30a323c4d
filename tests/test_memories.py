"""The fields that the type checker knows are those that memories have."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, get_type_hints

import pytest

from prunus import u8
from prunus.engine.options import Options
from prunus.run.configuration import Configuration
from prunus.run.registry import ALGORITHMS, SEVERAL
from prunus.run.session import Session
from prunus.run.solver import PROVE
from prunus.run.task import Course, Root
from prunus.tables.proofs import ProofTable
from prunus.tables.transposition import TranspositionTable
from tests.play.loops import Drawing


class Everything(Drawing):
    """A game for which memories have all the fields that depend on the game: a path, and rows."""

    class Row(NamedTuple):
        count: u8

    def row(self, state):
        return self.Row(0)

    def next_row(self, row, state, action, child):
        return row

    def evaluate_row(self, state, row):
        return row.count


def declared(memory: Any) -> set[str]:
    """The fields of a memory's class."""
    assert issubclass(memory, Protocol)
    return {name for cls in memory.__mro__ for name in vars(cls).get("__annotations__", {})}


@pytest.mark.parametrize(
    "algorithm", [*(ALGORITHMS | SEVERAL).values(), PROVE], ids=lambda a: a.name
)
def test_memories_have_the_fields_that_are_declared(algorithm):
    game = Everything()
    game.freeze()
    state = game.initial()
    fields = ProofTable(0.1, state, False, True).fields() if algorithm is PROVE else {}
    options = Options() if algorithm.options else None
    how = Configuration(algorithm, False, options=options, fields=fields)
    table = TranspositionTable(0.1, game, state)
    memory = Session(game, Root(state), how, 2, Course(table)).memory
    hints = get_type_hints(algorithm.function)
    assert {name for name in declared(hints["memory"]) if not hasattr(memory, name)} == set()
