"""The arguments and options of the commands, each with its help, written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

POSITION_HELP = (
    "connect-four: the columns played (4455); othello: the moves (f5d6c3); nim: the piles (1,2,2); "
    "tic-tac-toe and mnk: the rows (X.O/.X./...); tree: a JSON file. The default is the start. Any "
    "position, or the word start, may be followed by `moves` and the names of moves; earlier "
    "positions then count for repetitions. A single - reads one position a line from standard "
    "input and prints one JSON object a line."
)


DEPTH_HELP = (
    "Plies to look ahead; by default as many as --seconds or --nodes allow, or 10 without these "
    "(4 in a game that is never compiled)."
)


PLAYER_HELP = (
    "The player: an algorithm with options after commas, such as engine,seconds=0.1 or "
    "engine,depth=6,probcut=10,fit=FILE or alphabeta,depth=4 (depth, nodes, seconds a move; clock: "
    "seconds a game, or clock=equal: as long as the opponent; threads, table, adaptive, backend, "
    "name; evaluation: NAME or FILE.py:CLASS instead of the game's own; and the engine's own "
    "options: quiescence, reductions, ...); random; person; fallible and trap (with opponent, p, "
    "plies, depth; trap also with risk); or a program: gtp:COMMAND (Go "
    "Text Protocol), uci:COMMAND and xboard:COMMAND (chess), ugi:COMMAND (any game), with depth, "
    "nodes, seconds, clock, timeout, name and its own settings as option.NAME=VALUE."
)


Position = Annotated[str, typer.Argument(help=POSITION_HELP, show_default=False)]


Algorithm = Annotated[str, typer.Option(help="A name listed by `prunus algorithms`.")]


AllMoves = Annotated[
    bool, typer.Option("--all-moves", help="Also prove the value of every move, in a second pass.")
]


AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


Nodes = Annotated[
    int | None, typer.Option(min=1, help="Stop after this many nodes with the best so far.")
]


SECONDS_HELP = (
    "Stop after this many seconds with the best so far; compiling counts, except with --backend "
    "compiled. If compiling takes longer, the search runs interpreted."
)


Seconds = Annotated[float | None, typer.Option(min=0.001, help=SECONDS_HELP)]


Adaptive = Annotated[
    bool,
    typer.Option(
        "--adaptive", help="With --seconds: stop earlier if the best move is settled or far ahead."
    ),
]


Evaluation = Annotated[
    str,
    typer.Option(
        help="Instead of the game's own evaluation: one of its others, by name, or FILE.py:CLASS.",
        show_default=False,
    ),
]


Threads = Annotated[int, typer.Option(min=0, help="Threads of the engine; 0: one for each core.")]


Megabytes = Annotated[
    float, typer.Option("--table", min=0, help="Megabytes of the transposition table.")
]


Best = Annotated[
    int,
    typer.Option(
        "--multi-pv", min=1, help="Also prove the values of the best moves, this many of them."
    ),
]


NoBook = Annotated[
    bool,
    typer.Option(
        "--no-book", help="Search even if an opening book is installed (`prunus book show`)."
    ),
]


EngineOptions = Annotated[
    str,
    typer.Option(
        "--options",
        help="Any of the engine's options, such as late_pruning=5,reuse=true.",
        show_default=False,
    ),
]


BookFile = Annotated[
    str,
    typer.Option("--book", help="Chess: an opening book in Polyglot's format.", show_default=False),
]


SyzygyFolders = Annotated[
    str,
    typer.Option(
        "--syzygy",
        help="Chess: folders of Syzygy tables, separated as in PATH.",
        show_default=False,
    ),
]


DatabaseFolder = Annotated[
    str,
    typer.Option(
        "--database",
        help="A folder of `prunus db build`: positions in it are looked up, not searched.",
        show_default=False,
        metavar="FOLDER",
    ),
]


TracedDatabase = Annotated[
    str,
    typer.Option(
        "--database",
        help="A folder of `prunus db build`: each node also shows its value there.",
        show_default=False,
        metavar="FOLDER",
    ),
]


Replayed = Annotated[
    bool,
    typer.Option(
        "--replay",
        help="Print each event with the windows and labels known then, or with the list L; with "
        "--svg, a picture that plays the events.",
    ),
]


AtEvent = Annotated[
    int | None,
    typer.Option(
        "--at",
        min=1,
        metavar="EVENT",
        help="Show what is known after that many events; --steps numbers them.",
    ),
]


Faster = Annotated[
    bool,
    typer.Option(
        "--prefer-faster", help="Among equal moves take the faster win and the slower loss."
    ),
]


# The selective options of the engine; with any of them nothing is proved.
Quiescence = Annotated[
    bool,
    typer.Option(
        "--quiescence",
        help="At the depth limit, go on with noisy moves until the position is quiet.",
    ),
]


Quiet = Annotated[
    int,
    typer.Option(
        min=0, help="With --quiescence: the change of evaluation from which a move is noisy."
    ),
]


Behind = Annotated[
    int,
    typer.Option(min=0, help="Let the game's second evaluation take over at this deficit; 0: off."),
]


Beam = Annotated[
    int, typer.Option(min=0, help="Look at only this many moves of each position; 0: all.")
]


NullMove = Annotated[
    int,
    typer.Option(
        "--null-move",
        min=0,
        help="Try a pass first, with a search this many plies shallower; 0: off.",
    ),
]


Reductions = Annotated[
    int,
    typer.Option(
        min=0, help="Search moves from this place in the order on less deeply at first; 0: off."
    ),
]


Futility = Annotated[
    int,
    typer.Option(
        min=0, help="Skip last-ply moves that fall short by more than this evaluation; 0: off."
    ),
]


Singular = Annotated[
    int,
    typer.Option(
        min=0, help="Extend a move that is better than all others by this evaluation; 0: off."
    ),
]


Floyd = Annotated[
    int,
    typer.Option(
        min=0, help="Follow a line while its probability is at least 1 in this number; 0: off."
    ),
]


Second = Annotated[
    int,
    typer.Option(
        min=0, help="Compare the two best moves again by searches this many plies deeper; 0: off."
    ),
]


Probcut = Annotated[
    int,
    typer.Option(
        min=0,
        help="Cut off by shallow searches with this confidence, in tenths of sigma (10); 0: off.",
    ),
]


ProbcutFit = Annotated[
    Path | None,
    typer.Option(help="The parameters for --probcut: a file written by `prunus fit probcut`."),
]


Presearch = Annotated[
    int,
    typer.Option(
        min=0, help="Order the first moves by searches this many plies shallower; 0: off."
    ),
]
