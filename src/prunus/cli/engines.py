"""The commands `uci`, `ugi` and `gtp`: Prunus as an engine for other programs."""

from __future__ import annotations

from typing import Annotated

import typer

from prunus.cli.arguments import Backend, Game, Run
from prunus.cli.options import BookFile, EngineOptions, Evaluation, SyzygyFolders
from prunus.core.generic import Keywords
from prunus.play.advice.library import Library
from prunus.play.protocols.serving import serve
from prunus.play.protocols.settings import Settings

app = typer.Typer()

Threads = Annotated[int, typer.Option(min=1, help="Threads of a search.")]
Table = Annotated[int, typer.Option("--table", min=1, help="Megabytes of the transposition table.")]
Strength = Annotated[
    int, typer.Option("--level", min=0, max=10, help="Play at this level; 0: full strength.")
]


@app.command(epilog="Example: prunus uci --threads 2")
def uci(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="chess, or another form of it.")] = "chess",
    threads: Threads = 1,
    table: Table = 64,
    options: EngineOptions = "",
    evaluation: Evaluation = "",
    level: Strength = 0,
    book: BookFile = "",
    syzygy: SyzygyFolders = "",
    backend: Run = Backend.auto,
) -> None:
    """Play chess under a program that speaks UCI."""
    serve("uci", settings(context.params))


@app.command(epilog="Example: prunus ugi connect-four")
def ugi(
    context: typer.Context,
    game: Game,
    threads: Threads = 1,
    table: Table = 64,
    options: EngineOptions = "",
    evaluation: Evaluation = "",
    level: Strength = 0,
    backend: Run = Backend.auto,
) -> None:
    """Play any game under a program that speaks UGI."""
    serve("ugi", settings(context.params))


@app.command(epilog="Example: prunus gtp othello --seconds 1")
def gtp(
    context: typer.Context,
    game: Game,
    seconds: Annotated[
        float, typer.Option(min=0.001, help="Seconds a move, until time settings are sent.")
    ] = 5.0,
    threads: Threads = 1,
    table: Table = 64,
    options: EngineOptions = "",
    evaluation: Evaluation = "",
    level: Strength = 0,
    backend: Run = Backend.auto,
) -> None:
    """Play any game under a program that speaks the Go Text Protocol."""
    serve("gtp", settings(context.params), seconds)


def settings(given: Keywords) -> Settings:
    """The settings that the options of a command give."""
    from prunus.engine.options import read_options
    from prunus.kernel.backends import COMPILE

    return Settings(
        given["game"],
        given["evaluation"],
        given["threads"],
        given["table"],
        options=read_options(given["options"]),
        compile=COMPILE[given["backend"].value],
        level=given["level"],
        library=Library(given.get("book", ""), given.get("syzygy", "")),
        own_book=bool(given.get("book")),
    )
