"""`prunus db`: games solved in every position."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from prunus.cli.arguments import Game
from prunus.cli.status import Status
from prunus.databases.outcome import Outcome

if TYPE_CHECKING:
    from prunus.databases.building import Asked, Work
    from prunus.databases.folder import Database, Manifest
    from prunus.databases.labels import Value

app = typer.Typer(
    help="Databases: a game solved in every position that can be reached, also in games with "
    "cycles; each position's win, draw or loss with its distance from the end, or its score.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Folder = Annotated[
    Path, typer.Argument(help="The folder of a database.", show_default=False, metavar="FOLDER")
]
At = Annotated[
    str,
    typer.Argument(help="As in `prunus analyze`; the default is the start.", metavar="POSITION"),
]
Threads = Annotated[int, typer.Option(min=0, help="Threads; 0: one for each core.")]
Of = Annotated[
    str,
    typer.Option(
        "--game", help="The game, if it is not found as when the database was built: FILE.py:CLASS."
    ),
]


@app.command(epilog="Example: prunus db build three-mens-morris --out morris")
def build(
    game: Game,
    position: At = "",
    out: Annotated[
        Path | None, typer.Option(help="The folder to write; it must not exist.", metavar="FOLDER")
    ] = None,
    outcomes: Annotated[
        bool,
        typer.Option(
            "--outcomes",
            help="Wins, draws and losses with distances also in a game that is played for scores.",
        ),
    ] = False,
    keep_every: Annotated[
        float, typer.Option(min=0, help="Keep the work on the disk this often, in seconds.")
    ] = 60.0,
    memory: Annotated[
        str,
        typer.Option(
            help="Take no more: 4GB, 500MB. A build that needs more goes through the disk.",
            metavar="SIZE",
        ),
    ] = "",
    threads: Threads = 0,
    workers: Annotated[
        int,
        typer.Option(
            min=0,
            help="Build by so many processes of this machine, a Dask cluster (needs "
            "'prunus[cluster]'). The files are the same.",
        ),
    ] = 0,
    scheduler: Annotated[
        str,
        typer.Option(
            help="Build by the workers of a Dask cluster, all of which see the exchange under the "
            "same name: tcp://HOST:8786.",
            metavar="ADDRESS",
        ),
    ] = "",
    exchange: Annotated[
        str,
        typer.Option(
            help="Where those who build in parts exchange files: a folder, or the URL of a store "
            "that fsspec knows, such as s3://BUCKET/FOLDER. Without it, beside FOLDER.",
            metavar="PLACE",
        ),
    ] = "",
    partitions: Annotated[
        int,
        typer.Option(
            min=0,
            help="Build part by part, by workers or through the disk; 0: one part for each "
            "worker or, with --memory, 64.",
        ),
    ] = 0,
) -> None:
    """Solve every position that can be reached from a position, and keep the values in a folder.
    Endless play counts as a draw. All of it happens in memory, unless --memory or --partitions says
    otherwise. The work is kept in FOLDER.building (of builds in parts in FOLDER.exchange, or below
    --exchange) from time to time: after Ctrl-C, or if the process is killed, the same command goes
    on."""
    from prunus.cli.clusters import Who, build_by_parts
    from prunus.databases.building import Asked, Work
    from prunus.databases.cluster.building import exchange_of
    from prunus.databases.errors import DatabaseError
    from prunus.databases.limit import bytes_of
    from prunus.run.request import threads_asked

    if out is None:
        raise DatabaseError("where to? --out FOLDER names the folder that is to be made")
    words = ["prunus", "db", "build", game, *([position] if position else [])]
    words += [*(["--outcomes"] if outcomes else []), "--out", str(out)]
    asked = Asked(game, position, shlex.join(words), outcomes)
    most = bytes_of(memory) if memory else 0
    in_parts = bool(workers or scheduler or partitions or exchange)
    if in_parts or exchange_of(out).exists():
        if threads and in_parts:
            raise DatabaseError(
                "--threads belongs to a build in memory by one process: of those that build in "
                "parts, each has one thread"
            )
        said = build_by_parts(asked, out, Who(workers, scheduler, partitions, most, exchange))
    else:
        work = Work(threads_asked(threads), often=keep_every, memory=most or None)
        said = _build(asked, out, work)
    typer.echo(
        f"{said['positions']:,} positions in {said['seconds']:.1f} s: {said['won']:,} won, "
        f"{said['drawn']:,} drawn, {said['lost']:,} lost for the player to move"
    )
    if said["longest"] is not None:
        typer.echo(f"the longest win or loss takes {_plies(said['longest'])}")
    typer.echo(f"written to {out}; look positions up by: prunus db show {out} [POSITION]")


def _build(asked: Asked, out: Path, work: Work) -> Manifest:
    """Build a database in memory, or through the disk if that is not enough, `asked.start` being as
    the user wrote it; return what it contains."""
    from prunus.adapters import open_any
    from prunus.cli.clusters import Who, build_by_parts, has_room
    from prunus.databases.building import Interrupted, build_database
    from prunus.databases.cluster.building import why_not
    from prunus.databases.limit import MemoryLimitError

    game, at = open_any(asked.game, asked.start)
    status, began = Status(), time.perf_counter()

    def watch(doing: str, number: int) -> None:
        status.show(f"{doing}: {number:,}, {time.perf_counter() - began:.0f} s")

    said = asked
    if asked.start:
        said = asked._replace(start=game.format(at.state))
    try:
        return build_database(game, at.state, out, said, work._replace(watch=watch))
    except MemoryLimitError as error:
        # Without its traceback, which holds all that was in memory.
        stopped = MemoryLimitError(error.why, error.more)
    except Interrupted as error:
        status.clear()
        typer.echo(f"prunus: {error}", err=True)
        raise
    finally:
        status.clear()
    if why_not(game) or not has_room(work.memory or 0):
        raise stopped
    typer.echo(f"{stopped.why}: it goes on through the disk", err=True)
    return build_by_parts(asked, out, Who(memory=work.memory or 0))


@app.command(epilog="Example: prunus db info morris")
def info(folder: Folder) -> None:
    """Show the facts about a database."""
    from prunus.databases.folder import read_manifest

    said = read_manifest(folder)
    size = sum(entry["bytes"] for entry in said["files"].values())
    ranks = said.get("ranks")
    rows = [
        ("game", said["identity"]),
        ("start", said["start"] or "the game's own"),
        ("positions", f"{said['positions']:,}, {said['ends']:,} of them ends of the game"),
        *([("ranks", f"{ranks:,}: the game numbers its positions")] if ranks else []),
        ("won", f"{said['won']:,} for the player to move"),
        ("drawn", f"{said['drawn']:,}"),
        ("lost", f"{said['lost']:,}"),
        (
            "values",
            "scores" if said["scored"] else f"wins in at most {_plies(said['longest'] or 0)}",
        ),
        ("size", f"{size:,} bytes"),
        (
            "made",
            f"{said['date']} in {said['seconds']} s by {said['threads']} threads, Prunus "
            f"{said['versions']['prunus']}: {said['command']}",
        ),
    ]
    for label, text in rows:
        typer.echo(f"{label:<11}{text}")


@app.command(epilog="Example: prunus db verify morris")
def verify(folder: Folder, of: Of = "", threads: Threads = 0) -> None:
    """Check a database: checksums, and each position's value against the positions after it; exit
    status 1 if something is wrong."""
    from prunus.databases.verifying import verify_database
    from prunus.run.request import threads_asked

    database, status, began = _open(folder, of), Status(), time.perf_counter()
    wrong = verify_database(
        database,
        threads=threads_asked(threads),
        watch=lambda doing, number: status.show(f"{doing}: {number:,}"),
    )
    status.clear()
    for line in wrong:
        typer.echo(line)
    if wrong:
        raise typer.Exit(1)
    typer.echo(
        f"{folder}: checksums right, {len(database):,} values follow from each other, "
        f"{time.perf_counter() - began:.1f} s"
    )


@app.command(epilog='Example: prunus db probe morris "XX./OO./... X"')
def probe(folder: Folder, position: At = "", of: Of = "") -> None:
    """Look a position up."""
    database = _open(folder, of)
    typer.echo(_words(_found(database, _state(database, position)), database.scored))


@app.command(epilog='Example: prunus db show morris "XX./OO./... X"')
def show(folder: Folder, position: At = "", of: Of = "") -> None:
    """Show a position with the value of every move, the best first."""
    database = _open(folder, of)
    state = _state(database, position)
    value = _found(database, state)
    typer.echo(database.game.format(state))
    typer.echo(_words(value, database.scored))
    for action, known in database.moves(state):
        name = database.game.action_name(state, action)
        typer.echo(f"  {name:<10} {_words(known, database.scored)}")


@app.command(
    epilog="Examples: prunus db query morris --longest; prunus db query morris --outcome won "
    "--only-move --limit 3"
)
def query(
    folder: Folder,
    outcome: Annotated[
        Outcome | None, typer.Option(help="For the player to move.", show_default=False)
    ] = None,
    plies: Annotated[
        int | None, typer.Option(min=0, help="This far from the end.", show_default=False)
    ] = None,
    score: Annotated[
        int | None, typer.Option(help="Of this score, in a database of scores.", show_default=False)
    ] = None,
    longest: Annotated[
        bool, typer.Option("--longest", help="Those of them that are furthest from the end.")
    ] = False,
    only_move: Annotated[
        bool, typer.Option("--only-move", help="In which exactly one move keeps the value.")
    ] = False,
    limit: Annotated[int, typer.Option(min=0, help="Show at most this many.")] = 5,
) -> None:
    """Find positions: the longest wins, positions with a single winning move, ..."""
    from prunus.databases.querying import Query, find_positions

    database = _open(folder, "")
    states, total = find_positions(
        database, Query(outcome, plies, score, longest, only_move), limit
    )
    typer.echo(f"{total:,} positions match" + (f"; {limit} of them:" if total > limit else ""))
    for state in states:
        value = _found(database, state)
        typer.echo(f"\n{database.game.format(state)}\n{_words(value, database.scored)}")


@app.command(epilog="Example: prunus db export morris --out morris.parquet")
def export(
    folder: Folder,
    out: Annotated[
        Path | None,
        typer.Option(help="The Parquet file to write.", metavar="FILE", show_default=False),
    ] = None,
    of: Of = "",
    threads: Threads = 0,
) -> None:
    """Write a database as one table, a row for each position, for Polars, pandas, DuckDB and the
    like: position, key, outcome, plies (or score), moves. Needs pip install 'prunus[lab]'."""
    from prunus.databases.errors import DatabaseError
    from prunus.databases.exporting import export_database
    from prunus.run.request import threads_asked

    if out is None:
        raise DatabaseError("where to? --out FILE.parquet names the file that is to be made")
    database, status, began = _open(folder, of), Status(), time.perf_counter()

    def watch(doing: str, number: int) -> None:
        taken = time.perf_counter() - began
        left = taken * (len(database) - number) / number
        status.show(f"{doing}: {number:,} of {len(database):,} positions, {left:.0f} s left")

    rows = export_database(database, out, threads=threads_asked(threads), watch=watch)
    status.clear()
    typer.echo(
        f"{rows:,} positions in {time.perf_counter() - began:.1f} s; written to {out}, "
        f"{out.stat().st_size:,} bytes"
    )


def _open(folder: Path, spec: str) -> Database:
    from prunus.adapters import open_any
    from prunus.databases.folder import Database, read_manifest

    return Database(folder, open_any(spec or read_manifest(folder)["game"])[0])


def _state(database: Database, text: str) -> object:
    from prunus.core.position import read_position

    return read_position(database.game, text).state if text else database.positions.start


def _found(database: Database, state: object) -> Value:
    from prunus.databases.errors import DatabaseError

    value = database.probe(state)
    if value is None:
        raise DatabaseError(
            f"{database.game.format(state)} is not in {database.folder}: it cannot be reached from "
            f"{database.manifest['start'] or 'the start'}"
        )
    return value


def _words(value: Value, scored: bool) -> str:
    if scored:
        return f"score {value.value:+d}" if value.value else "score 0"
    if value.plies is None or value.value == 0:
        return "draw"
    return f"{'win' if value.value > 0 else 'loss'} in {_plies(value.plies)}"


def _plies(number: int) -> str:
    return f"{number} {'ply' if number == 1 else 'plies'}"
