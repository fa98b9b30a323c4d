"""The commands `match` and `tournament`: their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from prunus.cli.arguments import Game
from prunus.cli.options import PLAYER_HELP, AsJson

app = typer.Typer()

Opening = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Random plies before the players begin, the same in both games of a pair; by default "
        "8, or none after an opening from a file.",
        show_default=False,
    ),
]
OpeningsFile = Annotated[
    Path | None,
    typer.Option(
        "--openings",
        help="Openings from a file: .epd, .pgn, or any text with a POSITION in each line.",
    ),
]
Seed = Annotated[int, typer.Option(help="A different number draws different openings.")]
Depth = Annotated[
    int | None,
    typer.Option(min=1, help="Plies a move, for players whose description sets no limit."),
]
Nodes = Annotated[int | None, typer.Option(min=1, help="Nodes a move, in the same way.")]
Seconds = Annotated[float | None, typer.Option(min=0.001, help="Seconds a move, in the same way.")]
Clock = Annotated[
    str,
    typer.Option(
        help="The clock of a game, in the same way: 60 (seconds), 10+0.1 (and a tenth more each "
        "move), 40/60+0.5 (again after 40 moves).",
        show_default=False,
    ),
]
Margin = Annotated[
    float, typer.Option(min=0, help="Seconds by which a clock may be overstepped without a loss.")
]
Adjudicate = Annotated[
    str,
    typer.Option(
        help="End games early: proof, book, resign=VALUE/MOVES, draw=VALUE/MOVES/PLY, length=PLIES "
        "(some of these, after commas).",
        show_default=False,
    ),
]
Concurrency = Annotated[
    int,
    typer.Option(min=1, help="How many games are played side by side, in processes."),
]
Out = Annotated[
    Path | None,
    typer.Option(help="Keep each game in this SQLite file; a stopped match continues from it."),
]
Pgn = Annotated[Path | None, typer.Option(help="Chess: also write the games into this PGN file.")]
Database = Annotated[
    str,
    typer.Option(
        "--database",
        help="A folder of `prunus db build`: all searches look positions up in it (as with "
        "database=FOLDER), and with --adjudicate proof its values end games.",
        show_default=False,
        metavar="FOLDER",
    ),
]
VoidCrashes = Annotated[
    bool, typer.Option("--void-crashes", help="Leave out pairs in which a program crashed.")
]


@app.command(
    epilog="Examples: prunus match othello --first engine,seconds=0.2 --second 'gtp:gtp-rhino -l "
    "3' --games 50; prunus match connect-four --first engine,depth=8 --second alphabeta,depth=6 "
    "--opening 4"
)
def match(
    context: typer.Context,
    game: Game,
    first: Annotated[str, typer.Option(help=PLAYER_HELP)] = "engine",
    second: Annotated[
        str, typer.Option(help="The other player, described in the same way.")
    ] = "random",
    games: Annotated[
        int,
        typer.Option(
            min=2, help="How many games: an even number, because they are played in pairs."
        ),
    ] = 20,
    sprt: Annotated[
        str,
        typer.Option(
            help="End the match by a sequential test of the first player's Elo over the second: "
            "0,5 (normalised Elo), -2,2,logistic, alpha=0.05, beta=0.05. --games is then the most.",
            show_default=False,
        ),
    ] = "",
    opening: Opening = None,
    openings: OpeningsFile = None,
    seed: Seed = 0,
    depth: Depth = None,
    nodes: Nodes = None,
    seconds: Seconds = None,
    clock: Clock = "",
    margin: Margin = 0.0,
    adjudicate: Adjudicate = "",
    database: Database = "",
    concurrency: Concurrency = 1,
    out: Out = None,
    pgn: Pgn = None,
    json: AsJson = False,
) -> None:
    """Play two players against each other: the score with its error, and the time they used.

    Each opening is played twice, with the sides swapped. The errors are those of the mean over
    these pairs."""
    from prunus.cli import matching

    matching.command(context.params)


@app.command(
    epilog="Example: prunus tournament connect-four --player engine,depth=2 --player "
    "engine,depth=4 --player random --rounds 5 --out games.db"
)
def tournament(
    context: typer.Context,
    game: Game,
    player: Annotated[list[str], typer.Option(help=PLAYER_HELP)],
    rounds: Annotated[
        int, typer.Option(min=1, help="How many pairs of games any two players play.")
    ] = 10,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="Only the first player meets the others.")
    ] = False,
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            help="A rating that is known: NAME=ELO, the player's name in the table. Without any, "
            "the mean is 0.",
            show_default=False,
        ),
    ] = None,
    void_crashes: VoidCrashes = False,
    opening: Opening = None,
    openings: OpeningsFile = None,
    seed: Seed = 0,
    depth: Depth = None,
    nodes: Nodes = None,
    seconds: Seconds = None,
    clock: Clock = "",
    margin: Margin = 0.0,
    adjudicate: Adjudicate = "",
    database: Database = "",
    concurrency: Concurrency = 1,
    out: Out = None,
    pgn: Pgn = None,
    json: AsJson = False,
) -> None:
    """Play every player against every other one, or the first against all: ratings with errors.

    With --out, the same command continues a tournament that was stopped or killed."""
    from prunus.cli import standings

    standings.command(context.params)
