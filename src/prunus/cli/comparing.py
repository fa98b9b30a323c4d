"""`prunus compare`: all algorithms on one position."""

from __future__ import annotations

import typer

from prunus.adapters import open_any
from prunus.cli.searching import Line
from prunus.core.generic import Keywords
from prunus.games.evaluations import with_evaluation
from prunus.kernel.backends import COMPILE
from prunus.run.comparing import compare
from prunus.run.progress import Progress
from prunus.run.request import Depth

DISAGREED = 1


def command(given: Keywords) -> None:
    """Compare, print, and exit with status 1 if algorithms disagree; `given` holds the command's
    options by name."""
    names = [name.strip() for name in given["algorithms"].split(",") if name.strip()] or None
    depth: Depth = "usual" if given["depth"] is None else given["depth"]
    doing = ""

    def begin(name: str) -> None:
        nonlocal doing
        doing = name
        line.status.show(f"{name} ...; Ctrl-C stops with what is done", at_once=True)

    def watch(progress: Progress) -> None:
        work = (
            f"compiling, {progress.compiling:.0f} s"
            if progress.compiling
            else f"{progress.nodes:,} nodes, {progress.seconds:.0f} s"
        )
        line.status.show(f"{doing}: {work}; Ctrl-C stops with what is done")

    with Line() as line:
        line.status.show("finding a depth", at_once=True)
        game, at = open_any(given["game"], given["position"])
        game = with_evaluation(game, given["evaluation"])
        backend = COMPILE[given["backend"]]
        limits = {
            "seconds": given["seconds"],
            "table": given["table"],
            "position": given["position"] or None,
        }
        found = compare(
            game, at, depth, algorithms=names, compile=backend, begin=begin, watch=watch, **limits
        )
    typer.echo(found.to_json() if given["json"] else str(found))
    if not found.agree:
        if given["json"]:
            typer.echo(f"prunus: {found.disagreement()}", err=True)
        raise typer.Exit(DISAGREED)
    if found.interrupted:
        raise typer.Exit(130)
