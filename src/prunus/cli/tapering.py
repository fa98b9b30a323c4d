"""`prunus fit evaluation` for tapered evaluations: games of the engine against itself, or games
kept in files, and weights that predict their results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from prunus.cli.arguments import Backend
from prunus.kernel.backends import COMPILE

if TYPE_CHECKING:
    from prunus.core.game import Game
    from prunus.learn.recorded import Recorded
    from prunus.learn.results import Games, Positions, Source
    from prunus.learn.tapered import Fit, Fitted


@dataclass(frozen=True)
class Wanted:
    """The games, how to fit, the file of positions, and the file of weights to write."""

    games: Sequence[Games]
    fit: Fit
    positions: Path | None
    out: Path | None


def fit_tapered(
    made: Game,
    playing: Game,
    wanted: Wanted,
    backend: Backend,
    watch: Callable[[str, int, int], None],
    facts: Mapping[str, object],
) -> bool:
    """Go through the games, fit, report, and write the weights of `made`; true if Ctrl-C ended the
    games. `facts` go into the file. Raises SearchError."""
    from prunus.evaluation.weights import save_weights
    from prunus.learn.tapered import fit_results, samples_of

    compile = COMPILE[backend.value]
    positions, sources, interrupted = _gathered(playing, wanted, compile, watch)
    samples = samples_of(made, positions, compile, watch)
    how = replace(wanted.fit, held=tuple(made.held_features))
    found = fit_results(samples, positions.result, made.stage_weights(), how, watch)
    _report(found, len(positions), int(samples.game.max(initial=-1)) + 1)
    if wanted.out is not None:
        told = {
            "sources": sources,
            "fit": asdict(how),
            "slope": found.slope,
            "loss": {"set aside": found.apart, "fitted": found.others},
        }
        for path in save_weights(wanted.out, found.weights, {**facts, **told}):
            typer.echo(f"{path}: {path.stat().st_size:,} bytes", err=True)
    return interrupted


def _gathered(
    playing: Game,
    wanted: Wanted,
    compile: bool | None,
    watch: Callable[[str, int, int], None],
) -> tuple[Positions, list[Source], bool]:
    """The positions of all games, with those of the file; their sources; whether Ctrl-C was
    pressed."""
    from prunus.learn.results import gather

    first, *others = wanted.games
    positions, sources, interrupted = gather(playing, first, wanted.positions, compile, watch)
    for games in others:
        if interrupted:
            break
        positions, sources, interrupted = gather(playing, games, wanted.positions, compile, watch)
    return positions, sources, interrupted


def recorded(path: Path, think: int, every: int) -> Recorded:
    """The games in the file of a match, but for those that a failure ended. Raises MatchError."""
    from prunus.learn.recorded import Line, Recorded
    from prunus.play.tournament.store import games_in

    lines = []
    for record in (played.record for played in games_in(path)):
        if record.failed is None:
            points = int(2 * record.score - 1)
            lines.append(
                Line(
                    record.start,
                    (*record.opening, *record.moves),
                    len(record.opening),
                    points if record.first_begins else -points,
                )
            )
    return Recorded(path.name, lines, think, every)


def _report(found: Fitted, positions: int, games: int) -> None:
    typer.echo(
        f"{positions:,} positions of {games:,} games; the logistic slope is {found.slope:.0f}"
    )
    typer.echo("positions   loss before   loss after")
    for name, (before, after) in (("set aside", found.apart), ("fitted", found.others)):
        typer.echo(f"{name:<9}  {before:>12.5f}  {after:>11.5f}")
