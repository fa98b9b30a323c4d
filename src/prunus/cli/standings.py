"""The command `tournament`: its live table and its result."""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING

import typer

from prunus.cli.matching import leave_if, openings_text, played, terms_of
from prunus.core.generic import Keywords
from prunus.play.players import MatchError
from prunus.play.ratings.bradley_terry import Rating, RatingError, Table
from prunus.play.tournament.event import Event

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table as Drawn

HEAD = ("rank", "player", "Elo", "+-", "games", "points", "%", "lost by failure")


def command(given: Keywords) -> None:
    """Play the tournament that the command's options describe and print the ratings; after Ctrl-C
    those so far, with status 130."""
    anchors = _anchors(given["anchor"] or [])
    terms = terms_of(given, tuple(given["player"]))
    event = Event(terms, given["rounds"], given["gauntlet"], given["concurrency"], given["out"])
    board = _Board(event, anchors, given["void_crashes"])
    interrupted = played(event, given["pgn"], board.show, board.end)
    try:
        table = event.table(anchors, not given["void_crashes"])
    except RatingError as error:
        if not interrupted:
            raise
        table = None
        typer.echo(f"prunus: {error}", err=True)
    if table is not None:
        typer.echo(
            json.dumps(as_data(event, table)) if given["json"] else text(event, table, anchors)
        )
    leave_if(interrupted, given["out"])


def _anchors(texts: list[str]) -> dict[str, float]:
    found = {}
    for each in texts:
        name, _, elo = each.rpartition("=")
        try:
            found[name.strip()] = float(elo)
        except ValueError:
            name = ""
        if not name.strip():
            raise MatchError(f"--anchor {each}: write the player's name and rating, NAME=2800")
    return found


class _Board:
    """The live table on a terminal; elsewhere a line for each tenth of the tournament."""

    def __init__(self, event: Event, anchors: dict[str, float], void: bool) -> None:
        self.event, self.anchors, self.void = event, anchors, void
        self.tenths = 0
        self.live: Live | None = None
        self.is_terminal = sys.stderr.isatty()

    def show(self) -> None:
        """Called after each game."""
        event = self.event
        done = sum(each.slot.round >= 0 for each in event.played)
        if not self.is_terminal:
            tenths = 10 * done // event.total
            if tenths > self.tenths:
                typer.echo(f"{done} of {event.total} games", err=True)
            self.tenths = tenths
            return
        try:
            table = event.table(self.anchors, not self.void)
        except RatingError:
            return
        if self.live is None:
            from rich.console import Console
            from rich.live import Live

            self.live = Live(console=Console(stderr=True), auto_refresh=False)
            self.live.start()
        self.live.update(_drawn(event, table, done), refresh=True)

    def end(self) -> None:
        """Take the live table away: the result follows."""
        if self.live is not None:
            from rich.text import Text

            self.live.update(Text(""), refresh=True)
            self.live.stop()
            self.live = None


def _drawn(event: Event, table: Table, done: int) -> Drawn:
    from rich.table import Table as Drawn

    drawn = Drawn(title=f"{event.terms.game}: {done} of {event.total} games", title_justify="left")
    for name in HEAD:
        drawn.add_column(name, justify="left" if name in ("player", HEAD[-1]) else "right")
    for row in _rows(event, table):
        drawn.add_row(*row)
    return drawn


def _rows(event: Event, table: Table) -> list[tuple[str, ...]]:
    failures = event.failures()
    rows = []
    for rank, each in enumerate(table.ratings, 1):
        failed = failures.get(each.name, {})
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(failed.items())) or "-"
        rows.append((str(rank), each.name, *_numbers(each), kinds))
    return rows


def _numbers(each: Rating) -> tuple[str, ...]:
    reach = (each.high - each.low) / 2
    return (
        f"{each.elo:.0f}",
        f"{reach:.0f}" if reach else "given",
        str(each.games),
        f"{each.points:g}",
        f"{100 * each.points / each.games:.1f}",
    )


def text(event: Event, table: Table, anchors: dict[str, float]) -> str:
    """The result as a table for people."""
    rows = [HEAD, *_rows(event, table)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    lines = [
        "  ".join(
            cell.ljust(width) if column in (1, len(HEAD) - 1) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    lines += ["", f"openings  {openings_text(event.terms)}"]
    scale = "the given ratings" if anchors else "a mean rating of 0"
    lines.append(
        f"Elo       relative to {scale}; +- is half the 95 % interval, over pairs of games"
    )
    if table.helped:
        lines.append(
            "          the games do not fix all ratings: each player has one more drawn game "
            "against an average one"
        )
    return "\n".join(lines)


def as_data(event: Event, table: Table) -> dict[str, object]:
    """The result for JSON; infinite numbers become null."""
    ratings = [
        {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in vars(each).items()
        }
        for each in table.ratings
    ]
    return {
        "game": event.terms.game,
        "games": sum(each.slot.round >= 0 for each in event.played),
        "ratings": ratings,
        "helped": table.helped,
        "failures": event.failures(),
        "opening": event.terms.plies,
        "openings": event.terms.openings,
        "seed": event.terms.seed,
    }
