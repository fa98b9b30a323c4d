"""`prunus certify`: proofs that can be checked without Prunus's searches."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from prunus.cli.arguments import GAME_HELP, Backend, Run
from prunus.cli.options import Position
from prunus.cli.status import Status

app = typer.Typer()


@app.command(
    epilog="Examples: prunus certify nim:misere=true 1,2,2 --out nim.json; prunus certify --check "
    "nim.json"
)
def certify(
    game: Annotated[str, typer.Argument(help=GAME_HELP, show_default=False)] = "",
    position: Position = "",
    out: Annotated[
        Path | None,
        typer.Option(help="The file to write.", metavar="FILE", show_default=False),
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option(
            help="Instead: check this certificate by the rules of its game alone; exit status 2 if "
            "it proves nothing.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    backend: Run = Backend.auto,
) -> None:
    """Write the least proof of a position's value into a file: a strategy for each player. It holds
    for games without cycles; all positions are enumerated in memory."""
    from prunus.core.errors import SearchError

    if (check is None) == (game == ""):
        raise SearchError(
            "what is to be certified? `prunus certify GAME [POSITION] --out FILE` writes a "
            "certificate, and `prunus certify --check FILE` checks one"
        )
    if check is not None:
        _check(check)
    elif out is None:
        raise SearchError("where to? --out FILE names the file that is to be written")
    else:
        _write(game, position, out, backend)


def _check(path: Path) -> None:
    from prunus.certificates import check

    found = check(path)
    typer.echo(
        f"{path}: checked; {found['game']} {found['position'] or 'start'}: the value is "
        f"{found['value']} for the player to move (at least: {found['at least']:,} positions, at "
        f"most: {found['at most']:,})"
    )


def _write(spec: str, position: str, out: Path, backend: Backend) -> None:
    """Write a certificate and show its size. On Ctrl-C nothing is written."""
    from prunus.adapters import open_any
    from prunus.certificates import certify
    from prunus.kernel.backends import COMPILE

    game, at = open_any(spec, position)
    status, began = Status(), time.perf_counter()

    def watch(doing: str, number: int) -> None:
        status.show(f"{doing}: {number:,} positions, {time.perf_counter() - began:.0f} s")

    try:
        made = certify(game, at, compile=COMPILE[backend.value], watch=watch)
        watch("writing and checking", len(made.at_least) + len(made.at_most))
        made.write(out, spec, position)
    finally:
        status.clear()
    sizes = made.sizes()
    typer.echo(
        f"{game.title()}: the value is {made.value} for the player to move\n"
        f"at least {made.value}: {sizes['at least']:,} positions; at most {made.value}: "
        f"{sizes['at most']:,}; {sizes['ends']:,} of them are ends of the game\n"
        f"as a tree: {sizes['least critical tree']:,} leaves, the fewest that prove the value; the "
        f"whole game has {sizes['whole game']:,} positions up to symmetry\n"
        f"written to {out} and checked; again: prunus certify --check {out}"
    )
