"""`prunus`: the commands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from prunus.cli import (
    bench,
    certificates,
    counting,
    databases,
    engines,
    errors,
    fitting,
    lab,
    matches,
    studio,
)
from prunus.cli import book as books
from prunus.cli.arguments import Backend, Game, Run
from prunus.cli.options import (
    DEPTH_HELP,
    Adaptive,
    Algorithm,
    AllMoves,
    AsJson,
    AtEvent,
    Beam,
    Behind,
    Best,
    BookFile,
    DatabaseFolder,
    EngineOptions,
    Evaluation,
    Faster,
    Floyd,
    Futility,
    Megabytes,
    NoBook,
    Nodes,
    NullMove,
    Position,
    Presearch,
    Probcut,
    ProbcutFit,
    Quiescence,
    Quiet,
    Reductions,
    Replayed,
    Second,
    Seconds,
    Singular,
    SyzygyFolders,
    Threads,
    TracedDatabase,
)

app = typer.Typer(
    name="prunus",
    help="Adversarial game-tree search: analyse, solve, trace and play games whose rules are plain "
    "Python.",
    epilog='Try: prunus analyze tic-tac-toe "X.O/.X./..."',
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(fitting.app, name="fit")
app.add_typer(books.app, name="book")
app.add_typer(databases.app, name="db")
app.add_typer(bench.app, name="bench")
app.add_typer(lab.app, name="lab")
app.add_typer(certificates.app)
app.add_typer(counting.app)
app.add_typer(matches.app)
app.add_typer(engines.app)
app.add_typer(studio.app)


def _version(wanted: bool) -> None:
    if wanted:
        from prunus import __version__

        typer.echo(f"prunus {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
def games() -> None:
    """List the games, their options and how their positions are written."""
    from prunus.cli import listing

    typer.echo(listing.games())


@app.command()
def algorithms(json: AsJson = False) -> None:
    """List the algorithms: name, what each can do, what it is, source."""
    from prunus.cli import listing

    typer.echo(listing.algorithms(json))


@app.command(
    epilog="Examples: prunus analyze connect-four 4455 --depth 12; prunus analyze nim 3,4,5 "
    "--all-moves --json"
)
def analyze(
    context: typer.Context,
    game: Game,
    position: Position = "",
    algorithm: Algorithm = "engine",
    depth: Annotated[int | None, typer.Option(help=DEPTH_HELP)] = None,
    backend: Run = Backend.auto,
    all_moves: AllMoves = False,
    multi_pv: Best = 1,
    prefer_faster: Faster = False,
    nodes: Nodes = None,
    seconds: Seconds = None,
    adaptive: Adaptive = False,
    threads: Threads = 1,
    table: Megabytes = 64,
    quiescence: Quiescence = False,
    quiet: Quiet = 0,
    behind: Behind = 0,
    beam: Beam = 0,
    null_move: NullMove = 0,
    reductions: Reductions = 0,
    futility: Futility = 0,
    singular: Singular = 0,
    floyd: Floyd = 0,
    presearch: Presearch = 0,
    second: Second = 0,
    probcut: Probcut = 0,
    probcut_fit: ProbcutFit = None,
    options: EngineOptions = "",
    no_book: NoBook = False,
    database: DatabaseFolder = "",
    evaluation: Evaluation = "",
    json: AsJson = False,
) -> None:
    """Search a position to a depth: the value, the best moves, the line, and whether the value is
    proved."""
    from prunus.cli import searching

    searching.command({**context.params, "depth": depth if depth is not None else "usual"})


@app.command(
    epilog="Examples: prunus solve tic-tac-toe; prunus solve nim:misere=true 1,2,2; prunus solve "
    "connect-four - < positions"
)
def solve(
    context: typer.Context,
    game: Game,
    position: Position = "",
    algorithm: Algorithm = "engine",
    backend: Run = Backend.auto,
    all_moves: AllMoves = False,
    multi_pv: Best = 1,
    prefer_faster: Faster = False,
    nodes: Nodes = None,
    seconds: Seconds = None,
    threads: Threads = 1,
    table: Megabytes = 64,
    no_book: NoBook = False,
    database: DatabaseFolder = "",
    evaluation: Evaluation = "",
    json: AsJson = False,
) -> None:
    """Search a position to the end of the game: the proved value."""
    from prunus.cli import searching

    searching.command({**context.params, "depth": None})


@app.command(
    epilog='Examples: prunus compare tic-tac-toe "X.O/.X./..."; prunus compare connect-four 4455 '
    "--depth 6"
)
def compare(
    context: typer.Context,
    game: Game,
    position: Position = "",
    depth: Annotated[
        int | None,
        typer.Option(help="Plies; by default as deep as minimax gets within a million nodes."),
    ] = None,
    algorithms: Annotated[
        str, typer.Option(help="Names separated by commas; by default all that suit the game.")
    ] = "",
    seconds: Annotated[
        float | None, typer.Option(min=0.001, help="Stop each algorithm after this many seconds.")
    ] = None,
    backend: Run = Backend.auto,
    table: Megabytes = 64,
    evaluation: Evaluation = "",
    json: AsJson = False,
) -> None:
    """Search a position with every algorithm: values, nodes and times side by side; exit status 1
    if they disagree."""
    from prunus.cli import comparing

    comparing.command(context.params)


@app.command(epilog="Example: prunus check my_game.py:MyGame")
def check(
    game: Game,
    seed: Annotated[int, typer.Option(help="A different number draws different random games.")] = 0,
    games: Annotated[int, typer.Option(min=1, help="How many random games to play.")] = 100,
    evaluation: Evaluation = "",
    backend: Run = Backend.auto,
) -> None:
    """Play a game at random and say in plain words what is wrong with its rules; exit status 1 if
    something is."""
    from prunus.adapters import open_any
    from prunus.checking import check as run_check
    from prunus.games.catalogue import make_game
    from prunus.games.evaluations import with_evaluation
    from prunus.kernel.backends import COMPILE

    made = open_any(game)[0] if not game.startswith("tree") else make_game(game)
    made = with_evaluation(made, evaluation)
    report = run_check(made, seed=seed, games=games, compile=COMPILE[backend.value])
    typer.echo(str(report))
    raise typer.Exit(0 if report.ok else 1)


@app.command(epilog="Example: prunus play connect-four --first --depth 8")
def play(
    game: Game,
    position: Position = "",
    depth: Annotated[int, typer.Option(min=1, help="Plies that the computer looks ahead.")] = 8,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=0.001, help="Instead of --depth: seconds for each of the computer's moves."
        ),
    ] = None,
    first: Annotated[
        bool, typer.Option("--first/--second", help="Whether you make the first move.")
    ] = True,
    seed: Annotated[
        int | None,
        typer.Option(help="Draws among equal moves; the same seed makes the same choices."),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            help="Instead of --depth: how hard the computer is to beat, 1 to 10; the levels are in "
            "the documentation of matches.",
            show_default=False,
        ),
    ] = None,
    algorithm: Algorithm = "engine",
    backend: Run = Backend.auto,
    no_book: NoBook = False,
    book: BookFile = "",
    syzygy: SyzygyFolders = "",
    database: DatabaseFolder = "",
    evaluation: Evaluation = "",
) -> None:
    """Play against the computer in the terminal. Type a move's name, or: hint, undo, moves,
    quit."""
    from prunus.adapters import open_any
    from prunus.core.errors import SearchError
    from prunus.games.evaluations import with_evaluation
    from prunus.kernel.backends import COMPILE
    from prunus.play.advice.library import Library
    from prunus.play.levels import level_of
    from prunus.play.person import Computer, Table

    made, at = open_any(game, position)
    made = with_evaluation(made, evaluation)
    if level is not None and database:
        raise SearchError("--level makes the computer err, and with --database it never does")
    library = Library(book, syzygy, database=database)
    computer = Computer(depth, seconds, algorithm, seed, COMPILE[backend.value], library=library)
    if level is not None:
        computer = replace(computer, level=level_of(level), algorithm="engine")
    # A database knows the quickest wins; a book only which moves win.
    alone = no_book or database
    Table(made, at, replace(computer, book=False) if alone else computer).run(person_first=first)


@app.command(
    epilog="Example: prunus trace figure:name=000-figure-4 --algorithm alphabeta --svg tree.svg"
)
def trace(
    game: Game,
    position: Position = "",
    algorithm: Algorithm = "alphabeta",
    depth: Annotated[
        int | None, typer.Option(help="Plies to look ahead; by default to the end of the game.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(help="Draw the tree into this SVG file.")] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write a page on which you can step through the search.")
    ] = None,
    evaluation: Evaluation = "",
    options: Annotated[
        str,
        typer.Option(
            help="With --algorithm engine: its options, such as beam=3,quiescence=true.",
            show_default=False,
        ),
    ] = "",
    database: TracedDatabase = "",
    steps: Annotated[
        bool, typer.Option("--steps", help="Print what the search did, one event after another.")
    ] = False,
    replay: Replayed = False,
    at: AtEvent = None,
    json: AsJson = False,
    limit: Annotated[int, typer.Option(min=1, help="The most nodes to record.")] = 10_000,
) -> None:
    """Show a search node by node: windows, values, pruned branches and the reason for each cut.

    Windows and values are for MAX, the player to move at the root. With --database each node also
    shows what the database says; the search itself does not use it.
    """
    from prunus.cli import tracing

    tracing.command(locals())


@app.command(epilog="Examples: prunus errata; prunus errata 001-pvs")
def errata(
    name: Annotated[
        str, typer.Argument(help="A slip by name; without one they are listed.", show_default=False)
    ] = "",
) -> None:
    """Show a slip of the sources: the program as printed and as it should be, side by side, call by
    call, on the smallest tree or graph on which they differ."""
    from prunus.cli import slips

    typer.echo(slips.shown(name) if name else slips.listed())


@app.command()
def demo() -> None:
    """Analyse real positions of Connect Four, tic-tac-toe and Nim."""
    from prunus.cli.demo import run as run_demo

    run_demo()


def run() -> NoReturn:
    """The entry point: every error is one line and exit status 2."""
    errors.leave(errors.guarded(app))
