"""`prunus perft` and `prunus positions`: counting what can be reached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from prunus.cli.arguments import Backend, Game, Run
from prunus.cli.options import Position

app = typer.Typer()

Threads = Annotated[int, typer.Option(min=0, help="Threads; 0: as many as there are cores.")]


@app.command(epilog="Examples: prunus perft connect-four --depth 8; prunus perft chess --divide")
def perft(
    game: Game,
    position: Position = "",
    depth: Annotated[int, typer.Option(min=0, help="Plies.")] = 5,
    divide: Annotated[
        bool, typer.Option("--divide", help="Show the lines that begin with each action, too.")
    ] = False,
    threads: Threads = 1,
    backend: Run = Backend.auto,
) -> None:
    """Count the lines of exactly --depth plies: the usual checksum of rules."""
    if not divide:
        typer.echo(count_lines(game, position, depth, threads, backend.value))
        return
    total = 0
    for name, lines in count_by_action(game, position, depth, threads, backend.value):
        typer.echo(f"{name}: {lines}")
        total += lines
    typer.echo(f"\n{total}")


@app.command(epilog="Example: prunus positions connect-four --plies 12 --threads 0")
def positions(
    game: Game,
    position: Position = "",
    plies: Annotated[
        int | None,
        typer.Option(min=0, help="Up to this many plies; by default all.", show_default=False),
    ] = None,
    symmetric: Annotated[
        bool, typer.Option("--symmetric", help="Count positions that are equal by symmetry as one.")
    ] = False,
    threads: Threads = 1,
    backend: Run = Backend.auto,
) -> None:
    """Count the different positions that can be reached, ply by ply. They are kept in memory."""
    show_positions(game, position, plies, symmetric, threads, backend.value)


def count_lines(spec: str, position: str, depth: int, threads: int, backend: str) -> int:
    """Perft of a position."""
    from prunus.adapters import open_any
    from prunus.algorithms.perft import count_lines as count
    from prunus.kernel.backends import COMPILE
    from prunus.run.request import threads_asked

    game, at = open_any(spec, position)
    return count(game, at.state, depth, threads_asked(threads), COMPILE[backend])


def count_by_action(
    spec: str, position: str, depth: int, threads: int, backend: str
) -> Iterator[tuple[str, int]]:
    """Perft of a position divided among its actions, under the names that other programs know."""
    from prunus.adapters import open_any
    from prunus.algorithms.perft import count_lines as count
    from prunus.kernel.backends import COMPILE
    from prunus.run.request import threads_asked

    game, at = open_any(spec, position)
    if depth == 0 or game.is_terminal(at.state):
        return
    for action in game.actions(at.state):
        name, child = game.protocol_name(at.state, action), game.result(at.state, action)
        yield name, count(game, child, depth - 1, threads_asked(threads), COMPILE[backend])


def show_positions(
    spec: str, position: str, plies: int | None, symmetric: bool, threads: int, backend: str
) -> None:
    """Print the numbers of different positions that can be reached, ply by ply, each as soon as it
    is known."""
    from prunus.adapters import open_any
    from prunus.algorithms.enumerating import positions_by_ply
    from prunus.kernel.backends import COMPILE
    from prunus.run.request import threads_asked

    game, at = open_any(spec, position)
    total = 0
    counts = positions_by_ply(
        game,
        at.state,
        symmetric=symmetric,
        threads=threads_asked(threads),
        compile=COMPILE[backend],
    )
    typer.echo(f"{'plies':>5} {'new positions':>20} {'so far':>20}")
    for ply, found in enumerate(counts):
        total += found
        typer.echo(f"{ply:>5} {found:>20,} {total:>20,}")
        if ply == plies:
            return
