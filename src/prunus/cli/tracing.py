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
from prunus.view.trace import Trace

WRITTEN: Final = 20_000
"""The largest tree whose minimal tree a page is told."""


def command(given: Keywords) -> None:
    """Record the search that the options of the command ask for, and write it as they say."""
    found, fewest = recorded(given)
    replay: bool = given["replay"]
    files: tuple[tuple[Path | None, Callable[[], str]], ...] = (
        (given["svg"], partial(found.svg, replay)),
        (given["html"], lambda: found.html(fewest())),
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


def recorded(given: Keywords) -> tuple[Trace, Callable[[], int | None]]:
    """The trace that the options ask for, and what counts the leaves of its minimal tree."""
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

    def fewest() -> int | None:
        from prunus.theory.critical import fewest_if

        return fewest_if(made, at.state, given["depth"], WRITTEN)

    return found, fewest
