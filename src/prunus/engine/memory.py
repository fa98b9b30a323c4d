"""The engine's memory, for the type checker: a field that is missing here is misspelt there.
`prunus.engine.fields` gives the sizes of the arrays."""

from __future__ import annotations

from typing import Protocol

from prunus.algorithms.memory import TableSearchMemory
from prunus.core.memory import Array, StateArray
from prunus.tables.busy import DeferringMemory


class Switches(Protocol):
    """The options that are on (`Options.switches`): constants to the compiler."""

    killers: bool
    counter_moves: bool
    history: bool
    bounds: bool
    quiescence: bool
    reuse: bool
    check_extension: bool
    gravity: bool
    quiescence_table: bool
    improving: bool
    continuation: bool
    correction: bool
    lasting: bool
    twofold: bool
    uses_iir: bool
    uses_null_verify: bool
    uses_multi_cut: bool
    uses_exchanges: bool
    uses_etc: bool
    uses_iid: bool
    uses_presearch: bool
    uses_quiet_line: bool
    uses_behind: bool
    uses_null_move: bool
    uses_reductions: bool
    uses_futility: bool
    uses_far_futility: bool
    uses_late_pruning: bool
    uses_reverse_futility: bool
    uses_razoring: bool
    uses_delta: bool
    uses_singular: bool
    uses_floyd: bool
    uses_probcut: bool


class Amounts(Protocol):
    """The amounts of the options (`prunus.engine.amounts`); margins are on the scale of the
    search."""

    etc: int
    iid: int
    presearch: int
    quiet_line: int
    beam: int
    null_move: int
    null_verify: int
    iir: int
    reductions: int
    floyd: int
    probcut: int
    quiet: int
    behind: int
    futility: int
    far_futility: int
    late_pruning: int
    reverse_futility: int
    razoring: int
    delta: int
    multi_cut: int
    exchanges: int
    singular: int
    fit: Array[int]


class EngineMemory(Switches, Amounts, TableSearchMemory, DeferringMemory, Protocol):
    """The memory of the engine.

    The frames are `ply`, the arrays of `prunus.engine.frames.ARRAYS`, `budget` (what is left for
    Floyd's rule) and, if the game's evaluation has rows, `rows`. `excluded` is the root action that
    is left out, `researches` counts what was searched twice.
    """

    ply: int
    path_action: Array[int]
    budget: Array[int]
    excluded: int
    killer: Array[int]
    counter: Array[int]
    history_weight: Array[int]
    continuation_weight: Array[int]
    correction_weight: Array[int]
    path_class: Array[int]
    left_out: Array[int]
    without_pass: Array[int]
    expected: Array[int]
    stage: Array[int]
    rows: StateArray
    static: Array[int]
    estimated: Array[int]
    quiet_run: Array[int]
    checked: Array[int]
    researches: int
