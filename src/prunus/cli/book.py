"""`prunus book`: opening books, made, shown and checked."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from prunus.cli.book_games import games_of, make_from_games
from prunus.cli.status import Status

if TYPE_CHECKING:
    from prunus.books.costly import Costly
    from prunus.books.work import BookProgress, Resources
    from prunus.core.game import Game as AnyGame
    from prunus.tables.book import Book, Manifest

app = typer.Typer(
    help="Opening books: the proved values of positions near the start, of all, of those that are "
    "costly to search, or of those of games, which analyze, solve and play then look up.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Threads = Annotated[
    int, typer.Option(min=1, help="How many positions are solved at once; they share one table.")
]
Megabytes = Annotated[
    float | None,
    typer.Option(
        "--table",
        min=1,
        help="Megabytes of the transposition table; by default 512, and with --by-cost 64 for each "
        "search, as solve takes.",
        show_default=False,
    ),
]
GameName = Annotated[
    str,
    typer.Argument(
        help="A game as in `prunus analyze`: connect-four, connect-four:width=5,height=4."
    ),
]
Where = Annotated[
    Path | None,
    typer.Option(
        "--dir", help="The folder of the book; by default that of the game's installed book."
    ),
]


@app.command(epilog="Example: prunus book build connect-four:width=5,height=4 --plies 6")
def build(
    game: GameName,
    plies: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="The book holds all positions up to this many plies from the start; with "
            "--by-cost, the costly ones among them.",
            show_default=False,
        ),
    ] = None,
    by_cost: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="NODES",
            help="The book holds only the positions that cost more than this many nodes to solve "
            "(one thread, an empty table); the others are searched when they are asked for. "
            "Without --plies, it goes down to the first ply at which none costs more.",
            show_default=False,
        ),
    ] = None,
    from_games: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="The book holds only the positions of these games, up to --plies and with "
            "--by-cost the costly ones: the file of a match or tournament, a PGN, or a text with a "
            "game in each line (moves d3 c3); the option may be repeated. Chess: a Polyglot book, "
            "in the file that --out names.",
            show_default=False,
        ),
    ] = None,
    at_least: Annotated[
        int,
        typer.Option(
            min=1,
            help="With --from-games: positions that came up in so many games; for chess, moves "
            "that were played so many times.",
        ),
    ] = 1,
    nodes: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="With --from-games: leave out positions that are not solved within so many nodes; "
            "by default each is solved, however long it takes.",
            show_default=False,
        ),
    ] = None,
    threads: Threads = 1,
    table: Megabytes = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="The folder to write, for chess the file; by default a folder where the commands "
            "find it."
        ),
    ] = None,
    sample: Annotated[
        int,
        typer.Option(
            min=0,
            help="Write nothing: solve this many random positions at the last ply and estimate the "
            "time for all, and with --by-cost also how many are costly.",
        ),
    ] = 0,
    seed: Annotated[int, typer.Option(help="Draws another sample.")] = 0,
) -> None:
    """Make a book: solve every position at the last ply, up to symmetry, and back the values up.
    With --by-cost, search the positions ply by ply, and keep those that cost too much. Ctrl-C keeps
    what is solved; the same command continues from there. With --from-games, search each position
    of these games; for chess nothing is searched: a move's weight is the points that were made with
    it."""
    from prunus.adapters import open_any
    from prunus.books.building import build_book
    from prunus.books.costly import Costly, build_costly_book
    from prunus.books.played import PlayedPositions
    from prunus.books.work import MEGABYTES, Resources
    from prunus.run.task import MEGABYTES as ALONE

    if from_games and sample:
        raise typer.BadParameter("--sample is for books of all positions, not --from-games")
    if not from_games and (nodes is not None or at_least != 1):
        raise typer.BadParameter("--nodes and --at-least go with --from-games")
    if plies is None and by_cost is None and not from_games:
        raise typer.BadParameter(
            "say which positions: --plies N, --by-cost NODES, or --from-games FILE"
        )
    made, _ = open_any(game)
    show, using = _telling(), Resources(threads, table or ALONE)
    if from_games:
        chosen = PlayedPositions(plies, at_least, by_cost, nodes, tuple(map(str, from_games)))
        made_of_games = make_from_games(made, game, chosen, out, using, show)
        if made_of_games is None:
            return
        folder = made_of_games
    elif by_cost is not None:
        if sample:
            _estimate_costly(made, Costly(by_cost, plies), sample, seed, using)
            return
        folder = build_costly_book(
            made, Costly(by_cost, plies), out, spec=game, using=using, say=_note, watch=show
        )
    elif plies is not None:
        using = Resources(threads, table or MEGABYTES)
        if sample:
            _estimate(made, plies, sample, seed, using)
            return
        folder = build_book(made, plies, out, spec=game, using=using, say=_note, watch=show)
    typer.echo(f"written to {folder}")
    _print(_open(made, folder))


def _estimate(game: AnyGame, plies: int, sample: int, seed: int, using: Resources) -> None:
    """Say how long a book of all positions would take."""
    from prunus.books.building import estimate

    total, done, seconds = estimate(
        game, plies, sample, seed=seed, using=using, say=_note, watch=_telling()
    )
    if not done:
        raise typer.Exit(130)
    typer.echo(
        f"{done} of {total:,} positions at ply {plies} in {seconds:.1f} s; all would take "
        f"about {duration(seconds / done * total)} or less"
    )


def _estimate_costly(
    game: AnyGame, which: Costly, sample: int, seed: int, using: Resources
) -> None:
    """Say how many positions of such a book there are, and how long it would take."""
    from prunus.books.costly_estimate import estimate_costly

    found = estimate_costly(
        game, which, sample, seed=seed, using=using, say=_note, watch=_telling()
    )
    if not found.done:
        raise typer.Exit(130)
    typer.echo(
        f"{found.costly} of {found.done} positions at ply {which.plies} cost more than "
        f"{which.nodes:,} nodes, so about {found.costly * found.total / found.done:,.0f} of "
        f"{found.total:,}; the book would take about "
        f"{duration(found.seconds(which.nodes, using.threads))} or less"
    )


@app.command(epilog="Example: prunus book show connect-four:width=5,height=4")
def show(
    game: Annotated[
        str, typer.Argument(help="A game; without it all installed books are listed.")
    ] = "",
    folder: Where = None,
) -> None:
    """Show the facts about a book, or list the installed ones."""
    from prunus.adapters import open_any
    from prunus.tables.book import folders, read_manifest
    from prunus.tables.stored import MANIFEST

    if game:
        _print(_open(open_any(game)[0], folder))
        return
    if folder is not None:
        _print_manifest(folder, read_manifest(folder))
        return
    found = sorted(
        path.parent for place in folders() if place.is_dir() for path in place.glob(f"*/{MANIFEST}")
    )
    for each in found:
        manifest = read_manifest(each)
        typer.echo(
            f"{manifest['game']}: {manifest['plies']} plies, {sum(manifest['positions']):,} "
            f"positions, {each}"
        )
    if not found:
        typer.echo(
            f"no books are installed; they are looked for in {' and '.join(map(str, folders()))}"
        )


@app.command(epilog="Example: prunus book verify connect-four:width=5,height=4 --sample 50")
def verify(
    game: GameName,
    folder: Where = None,
    sample: Annotated[
        int, typer.Option(min=0, help="How many random positions to solve again.")
    ] = 20,
    seed: Annotated[int, typer.Option(help="Draws another sample.")] = 0,
) -> None:
    """Check a book: checksums, order, backed-up values, and the values of a random sample; exit
    status 1 if something is wrong."""
    from prunus.adapters import open_any
    from prunus.books.verifying import verify_book

    book = _open(open_any(game)[0], folder)
    began = last = time.perf_counter()

    def say(text: str) -> None:
        nonlocal last
        if time.perf_counter() - last > 2:
            last = time.perf_counter()
            _note(text)

    wrong = verify_book(book, sample, seed, say=say)
    for line in wrong:
        typer.echo(line)
    if wrong:
        raise typer.Exit(1)
    typer.echo(
        f"{book.folder}: checksums and order right, {sample} sampled positions right, "
        f"{time.perf_counter() - began:.1f} s"
    )


def _open(game: AnyGame, folder: Path | None) -> Book:
    from prunus.tables.book import Book, folder_name, folders, installed_book
    from prunus.tables.errors import BookError

    game.freeze()
    if folder is not None:
        return Book(folder, game)
    book = installed_book(game)
    if book is None:
        places = " and ".join(str(place / folder_name(game)) for place in folders())
        raise BookError(
            f"no book is installed for {game.title()} ({places}); `prunus book build` makes one, "
            f"--dir names another folder"
        )
    return book


def _print(book: Book) -> None:
    _print_manifest(book.folder, book.manifest)
    known = book.find(book.game.initial())
    if known is None:
        typer.echo("start      not in the book")
        return
    names = " ".join(book.game.action_name(book.game.initial(), action) for action in known.best)
    typer.echo(f"start      value {known.value}, best {names}")


def _print_manifest(folder: Path, manifest: Manifest) -> None:
    size = sum(entry["bytes"] for entry in manifest["files"].values())
    rows = [
        ("game", manifest["game"]),
        ("folder", str(folder)),
        ("plies", str(manifest["plies"])),
        (
            "positions",
            f"{sum(manifest['positions']):,} up to symmetry, by ply: "
            f"{' '.join(map(str, manifest['positions']))}",
        ),
        ("size", f"{size:,} bytes"),
        *_cost_of(manifest),
        *games_of(manifest),
        (
            "made",
            f"{manifest['date']} in {duration(manifest['seconds'])}, Prunus "
            f"{manifest['versions']['prunus']}: {manifest['command']}",
        ),
    ]
    for label, text in rows:
        typer.echo(f"{label:<11}{text}")


def _cost_of(manifest: Manifest) -> list[tuple[str, str]]:
    """What a book of costly positions says of its own and of the others."""
    if "cost" not in manifest:
        return []
    cost = manifest["cost"]
    return [
        (
            "cost",
            f"each more than {cost['nodes']:,} nodes; the others of {cost['searched']:,} up to ply "
            f"{manifest['plies']} at most {cost['most']:,}",
        )
    ]


def duration(seconds: float) -> str:
    """A time in words."""
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.1f} s"


def _note(text: str) -> None:
    typer.echo(text, err=True)


def _telling() -> Callable[[BookProgress], None]:
    """A function that tells what is solved: every two seconds on a terminal, every minute
    elsewhere."""
    status = Status(often=2)

    def show(progress: BookProgress) -> None:
        left = "" if progress.left is None else f", about {duration(progress.left)} left"
        status.show(
            f"{progress.before + progress.done:,} of {progress.total:,} positions "
            f"solved{left}; Ctrl-C keeps them"
        )

    return show
