"""What the engine's functions find in their memory, for the type checker: a field that is missing
here is misspelt there. `prunus.engine.fields` gives the sizes of the arrays."""

from __future__ import annotations

from typing import Any, Protocol

from prunus.core.bits import u64


class Numbers(Protocol):
    """An array of numbers."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> int: ...

    def __setitem__(self, index: int, value: int) -> None: ...


class Words(Protocol):
    """An array of 64-bit words."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> u64: ...

    def __setitem__(self, index: int, value: u64) -> None: ...


class States(Protocol):
    """An array of States."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> Any: ...

    def __setitem__(self, index: int, value: Any) -> None: ...


class Switches(Protocol):
    """The options that are on (`Options.switches`): constants to the compiler."""

    killers: bool
    counter_moves: bool
    history: bool
    bounds: bool
    quiescence: bool
    uses_etc: bool
    uses_iid: bool
    uses_presearch: bool
    uses_behind: bool
    uses_beam: bool
    uses_null_move: bool
    uses_reductions: bool
    uses_futility: bool
    uses_singular: bool
    uses_floyd: bool
    uses_probcut: bool


class Amounts(Protocol):
    """The amounts of the options (`prunus.engine.amounts`); margins are on the scale of the
    search."""

    etc: int
    iid: int
    presearch: int
    beam: int
    null_move: int
    reductions: int
    floyd: int
    probcut: int
    quiet: int
    behind: int
    futility: int
    singular: int
    fit: Numbers


class Counters(Protocol):
    """What has been done so far."""

    nodes: int
    interior: int
    evaluated: int
    cutoffs: int
    first_cutoffs: int
    table_hits: int
    researches: int


class EngineMemory(Switches, Amounts, Counters, Protocol):
    """The memory of the engine.

    `haste` is 1 if faster wins are preferred, `to_the_end` is 1 in a search to the end of the game,
    and `root_depth` is the number of plies from the root to the end of the memory. The frames are
    `ply`, `path_action`, `budget` (what is left for Floyd's rule) and, if the game's evaluation has
    rows, `rows`. `excluded` is the root action that is left out. `stuck` holds the State that
    `dead_end` complains about.
    """

    haste: int
    to_the_end: int
    root_depth: int
    ply: int
    path_action: Numbers
    budget: Numbers
    excluded: int
    killer: Numbers
    counter: Numbers
    history_weight: Numbers
    stack_action: Numbers
    stack_score: Numbers
    stack_top: int
    busy: Words
    rows: States
    stuck: States
