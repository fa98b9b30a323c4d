"""How much a browser may ask for. All that comes in is measured against these numbers before any
work is done for it."""

from __future__ import annotations

from typing import Final

MESSAGE: Final = 65_536
"""The most bytes of a request's body, or of a message through a WebSocket."""

GAME: Final = 120
"""The most characters of a game's name with its options."""

POSITION: Final = 2_000
"""The most characters of a position."""

MOVES: Final = 600
"""The most moves after it."""

NAME: Final = 32
"""The most characters of a move's name."""

ACTIONS: Final = 400
"""The most actions that a position may have."""

TEXT: Final = 40_000
"""The most characters of a saved game."""

MINUTES: Final = 180.0
"""The most minutes of a player for a game."""

INCREMENT: Final = 60.0
"""The most seconds that a move adds."""

LEFT: Final = 60.0 * MINUTES + MOVES * INCREMENT
"""The most seconds on a clock."""

NUMBER: Final = 128
"""The largest integer among a game's options, except those of `NUMBERS`."""

NUMBERS: Final = {"seed": 2**31, "values": 2**31, "coins": 2**31, "marbles": 999}

PILES: Final = (12, 40)
"""The most piles among a game's options, and the most objects in one."""

TREE: Final = 2_000
"""The most nodes of a tree."""

TREE_DEPTH: Final = 32

TREE_VALUE: Final = 1_000_000
"""The largest value of a leaf, with either sign."""

TRACED: Final = 3_000
"""The most nodes that a watched search may visit."""

WRITTEN: Final = 20_000
"""The most positions that are counted to find the fewest leaves."""

DEPTH: Final = 60
"""The most plies to look ahead."""

SECONDS: Final = 60.0
"""The longest search."""

HINT: Final = 5.0
"""The longest search for the values of all actions."""

REVIEW: Final = 60.0
"""The longest review of a game, all its moves together."""

LINES: Final = 5
"""The most lines of an analysis."""

TABLE: Final = 16.0
"""The size of the table of an analysis of several lines, in megabytes."""

LAB: Final = 20.0
"""The most seconds that an experiment's own estimate for a run may be."""

LAB_STARTS: Final = 180.0
"""The seconds after which a run ends that has measured nothing: its process starts and compiles,
which on a busy machine can take longer than all the measuring."""

LAB_ENDS: Final = 60.0
"""The seconds after which a run ends, from the first block on that it has measured."""

LAB_PARAMETERS: Final = 8
"""The most parameters of which a run chooses the values."""

LAB_VALUES: Final = 64
"""The most values of one of them."""

LAB_ROWS: Final = 200
"""The most rows of a run."""

LAB_SAMPLES: Final = 200_000
"""The most samples of a row."""

LAB_BLOCKS: Final = 5_000
"""The most blocks of samples in which a run is cut."""

LAB_MEMORY: Final = 256 * 2**20
"""The most bytes that a row may need."""

LAB_TABLES: Final = 32
"""The tables that are kept for downloads."""

FOUND: Final = 12
"""The positions of a database that are shown at once."""

SLOTS: Final = 3
"""The searches that run at the same time; those of one client are one less."""

WAITING: Final = 100
"""The most searches that wait for a slot."""

TURNS: Final = 2
"""The requests for positions that are worked on at the same time."""

TURNS_WAITING: Final = 400
"""The most requests for positions that wait: two of each client."""

JOBS: Final = 4
"""The most searches of one client, running or waiting."""

CLIENTS: Final = 200
"""The most clients at the same time."""

GAMES: Final = 16
"""The games, with their options, that are kept ready."""
