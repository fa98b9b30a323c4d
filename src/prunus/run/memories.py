"""The memory an algorithm works in: made for a depth, and made ready for a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from prunus.algorithms.leaves import LONGEST_LINE
from prunus.algorithms.repetition import NONE, begin_path, path_fields
from prunus.core.arrays import View
from prunus.core.game import INFINITY, Game
from prunus.engine.amounts import put_amounts
from prunus.engine.frames import row_fields
from prunus.engine.learning import clear_ordering, lasting_fields
from prunus.engine.options import Options
from prunus.kernel.columns import StateView
from prunus.kernel.memory import FieldSpec, Memory, Spec
from prunus.run.algorithm import Algorithm
from prunus.run.configuration import Configuration
from prunus.tables.stack import stack_fields
from prunus.tables.transposition import TranspositionTable

COUNTERS: Final = ("nodes", "interior", "evaluated", "cutoffs", "first_cutoffs", "table_hits")
"""The counters of algorithms; `counts_of` derives the statistics. Leaves, the most frequent nodes,
are not counted but inferred."""

STATISTICS: Final = (
    "nodes",
    "leaves",
    "evaluated",
    "cutoffs",
    "first_cutoffs",
    "researches",
    "table_hits",
)


def new_memory(
    algorithm: Algorithm,
    state: object,
    depth: int,
    actions: int,
    how: Configuration | None = None,
    table: TranspositionTable | None = None,
    more: Spec | None = None,
) -> Memory:
    """The memory that an algorithm needs to search `depth` plies from a root with `actions`
    actions. `more`: fields that are added to those of the configuration, or replace them, such as
    `keeps_line` (see `prunus.algorithms.line`) or the path of repetitions (see `path_spec`)."""
    how = how or Configuration(algorithm)
    fields: dict[str, FieldSpec] = {
        "keeps_line": True,
        "twofold": False,
        **dict.fromkeys(
            (*COUNTERS, "haste", "root_depth", "reach", "root_count", "to_the_end"), "i64"
        ),
    }
    fields["stuck"] = ("state", 1)
    fields |= {"root_action": ("i64", actions + 1), "root_value": ("i64", actions + 1)}
    rows = depth + algorithm.extra_plies
    fields |= {"line_length": ("i32", rows + 1), "line": ("i64", rows * (rows + 1) // 2)}
    if algorithm.fields:
        fields |= algorithm.fields(rows, how.room or algorithm.room)
    if algorithm.table and table is not None:
        fields |= {**stack_fields(), **table.fields()}
    memory = Memory({**fields, **how.settings, **(more or {})}, prototype=state)
    fill(memory, how, rows, table)
    return memory


def fill(memory: Memory, how: Configuration, rows: int, table: TranspositionTable | None) -> None:
    """Put into a memory that is new, or as good as new, what a search expects there when it
    begins."""
    algorithm = how.algorithm
    if not memory.is_setting("haste"):
        memory.haste = int(how.prefer_faster)
    memory.root_depth = memory.reach = rows
    memory.line_length.array[:] = 0
    if hasattr(memory, "cache_depth"):
        memory.cache_depth.array[:] = -1
    if hasattr(memory, "asked"):
        memory.asked.array[:] = 0
    if algorithm.table and table is not None:
        memory.table_age = table.age
    if algorithm.options:
        clear_ordering(memory, bool(lasting(how, table)))
        put_amounts(how.options or Options(), memory)


def lasting(how: Configuration, table: TranspositionTable | None) -> dict[str, View]:
    """The arrays of a memory that last from one move of a player to the next: they belong to its
    table, and are made when they are first needed. None without the option, or with a table that is
    not a player's."""
    if how.options is None or not how.options.lasting or table is None or not table.loose:
        return {}
    if not table.learnt:
        table.learnt |= lasting_fields()
    return table.learnt


def path_spec(game: Game, how: Configuration, depth: int, past: int) -> Spec:
    """The fields of a Memory that depend on the game. For an algorithm that heeds repetitions, if
    the game has any: the path, for a search of `depth` plies after `past` States (rounded up, so
    that similar numbers give memories of one kind). For an algorithm with frames: the rows of the
    game's evaluation, if it has any."""
    algorithm = how.algorithm
    plies = depth + algorithm.extra_plies
    has_rows = algorithm.options and game.has_evaluate_row
    rows = row_fields(how.habit.row_of(game), plies) if has_rows else {}
    if not algorithm.heeds_repetition or game.repetition_rule == NONE:
        return rows
    return {**path_fields(plies + (past | 63), 0), **rows}


def comparable(field: object) -> object:
    """A key for a field of `path_spec`: fields with equal keys are alike."""
    return (field.shape, field.layout) if isinstance(field, StateView) else field


def counts_of(memory: Memory) -> dict[str, int]:
    """The statistics of a memory's counters: a node that was neither expanded nor found in the
    table is a leaf; algorithms without null windows count no searches that were made again."""
    leaves = memory.nodes - memory.interior - memory.table_hits
    return {name: leaves if name == "leaves" else getattr(memory, name, 0) for name in STATISTICS}


def begin(
    algorithm: Algorithm,
    memory: Memory,
    depth: int,
    guess: int = 0,
    to_the_end: bool = False,
    past: Sequence[object] = (),
    line: int = 0,
) -> None:
    """Make a memory ready for another run of `depth` plies, after the States in `past`, of which
    the last `line` belong to a line that a search has found (see `Root`)."""
    rows = depth + algorithm.extra_plies
    memory.to_the_end = int(to_the_end)
    memory.root_depth = rows
    memory.reach = LONGEST_LINE if to_the_end else depth
    memory.root_count = 0
    memory.line_length.array[: rows + 1] = 0
    if hasattr(memory, "path"):
        before = past if algorithm.heeds_repetition else ()
        begin_path(memory, before, max(0, len(before) - line))
    if algorithm.begin is not None:
        algorithm.begin(memory)
    if algorithm.table or algorithm.threads:
        memory.stack_top = 0
    if hasattr(memory, "guess"):
        memory.guess = guess
    if hasattr(memory, "highest"):
        memory.highest = INFINITY
