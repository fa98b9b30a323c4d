"""`prunus trace`: a search node by node, as text, a picture or a page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import typer

from prunus.adapters import open_any
from prunus.core.generic import Keywords
from prunus.engine.options import read_options
from prunus.games.evaluations import with_evaluation
from prunus.run.tracing import trace

WRITTEN: Final = 20_000
"""The largest tree whose minimal tree a page is told."""


def command(given: Keywords) -> None:
    """Record the search that the options of the command ask for, and write it as they say."""
    made, at = open_any(given["game"], given["position"])
    made = with_evaluation(made, given["evaluation"])
    found = trace(
        made,
        at,
        given["algorithm"],
        given["depth"],
        limit=given["limit"],
        position=given["position"] or None,
        options=read_options(given["options"]) or None,
        lines=given["html"] is not None,
    )
    if given["database"]:
        from prunus.databases.folder import Database
        from prunus.databases.past import looked_up

        found = looked_up(found, Database(given["database"], made), at.past)
    if given["at"] is not None:
        found = found.at(given["at"])
    replay: bool = given["replay"]

    def page() -> str:
        from prunus.theory.critical import fewest_if

        return found.html(fewest_if(made, at.state, given["depth"], WRITTEN))

    files: tuple[tuple[Path | None, Callable[[], str]], ...] = (
        (given["svg"], partial(found.svg, replay)),
        (given["html"], page),
    )
    for path, draw in files:
        if path is not None:
            path.write_text(draw(), encoding="utf-8")
            typer.echo(f"{path}: {len(found.nodes)} nodes", err=True)
    if given["json"]:
        typer.echo(found.to_json())
    elif given["steps"]:
        typer.echo("\n".join(found.steps()))
    elif replay and given["svg"] is None:
        typer.echo("\n".join(found.replay()))
    elif all(path is None for path, _ in files):
        typer.echo(str(found))
