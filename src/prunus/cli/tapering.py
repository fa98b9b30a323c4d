"""`prunus fit evaluation` for tapered evaluations: games of the engine against itself, and weights
that predict their results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from prunus.cli.arguments import Backend
from prunus.kernel.backends import COMPILE

if TYPE_CHECKING:
    from prunus.core.game import Game
    from prunus.learn.results import Contest
    from prunus.learn.tapered import Fit, Fitted


@dataclass(frozen=True)
class Wanted:
    """The games to play, how to fit, the file of positions, and the file of weights to write."""

    contest: Contest
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
    """Play, fit, report, and write the weights of `made`; true if Ctrl-C ended the games. `facts`
    go into the file. Raises SearchError."""
    from prunus.evaluation.weights import save_weights
    from prunus.learn.results import gather
    from prunus.learn.tapered import fit_results, samples_of

    compile = COMPILE[backend.value]
    positions, sources, interrupted = gather(
        playing, wanted.contest, wanted.positions, compile, watch
    )
    samples = samples_of(made, positions, compile, watch)
    found = fit_results(samples, positions.result, made.stage_weights(), wanted.fit, watch)
    _report(found, len(positions), int(samples.game.max(initial=-1)) + 1)
    if wanted.out is not None:
        told = {
            "sources": sources,
            "fit": asdict(wanted.fit),
            "slope": found.slope,
            "loss": {"set aside": found.apart, "fitted": found.others},
        }
        for path in save_weights(wanted.out, found.weights, {**facts, **told}):
            typer.echo(f"{path}: {path.stat().st_size:,} bytes", err=True)
    return interrupted


def _report(found: Fitted, positions: int, games: int) -> None:
    typer.echo(
        f"{positions:,} positions of {games:,} games; the logistic slope is {found.slope:.0f}"
    )
    typer.echo("positions   loss before   loss after")
    for name, (before, after) in (("set aside", found.apart), ("fitted", found.others)):
        typer.echo(f"{name:<9}  {before:>12.5f}  {after:>11.5f}")
