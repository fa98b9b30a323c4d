"""`prunus fit`: search parameters and evaluation weights, fitted to the game's own searches and
games."""

from __future__ import annotations

import math
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from prunus.cli.arguments import Backend, Game, Run
from prunus.cli.options import Evaluation as Chosen
from prunus.cli.status import Status
from prunus.kernel.backends import COMPILE

if TYPE_CHECKING:
    from prunus.core.game import Game as AnyGame
    from prunus.learn.evaluating import Evaluation, Plan
    from prunus.learn.regression import Samples

app = typer.Typer(
    help="Fit an evaluation to games that the game plays, or search parameters to its searches.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Seed = Annotated[int, typer.Option(help="Draws the positions; the same seed draws the same ones.")]
Sample = Annotated[int, typer.Option(min=20, help="Positions from random play.")]


class Counter:
    """One line of progress on a terminal, for work longer than two seconds; erased when something
    else is counted."""

    def __init__(self) -> None:
        self.status, self.what = Status(seldom=None), ""

    def show(self, what: str, done: int, total: int) -> None:
        """`done` of `total` are finished; `what` names them."""
        if what != self.what:
            self.what = what
            self.status.begin()
        spent = time.perf_counter() - self.status.began
        left = spent * (total - done) / max(1, done)
        if done < total:
            self.status.show(f"{done:,} of {total:,} {what}, {left:.0f} s left")
        else:
            self.status.clear()


def _game(spec: str, evaluation: str = "") -> AnyGame:
    from prunus.adapters import open_any
    from prunus.games.evaluations import with_evaluation

    return with_evaluation(open_any(spec)[0], evaluation)


@app.command(epilog="Example: prunus fit probcut my_game.py:MyGame --deepest 8 --out probcut.json")
def probcut(
    game: Game,
    deepest: Annotated[int, typer.Option(min=3, max=63, help="The deepest search to predict.")] = 8,
    samples: Sample = 200,
    pairs: Annotated[
        int,
        typer.Option(
            min=1, max=3, help="Shallow depths for each deep one; more than 1 makes Multi-ProbCut."
        ),
    ] = 1,
    seed: Seed = 0,
    out: Annotated[
        Path | None, typer.Option(help="Keep the parameters in this file, for --probcut-fit.")
    ] = None,
    evaluation: Chosen = "",
    backend: Run = Backend.auto,
) -> None:
    """For --probcut: how well a shallow search predicts a deep one."""
    from prunus.engine.fits import write_fits
    from prunus.learn.fitting import fit_probcut

    counter = Counter()
    fits = fit_probcut(
        _game(game, evaluation),
        deepest,
        samples,
        seed,
        pairs,
        COMPILE[backend.value],
        lambda *n: counter.show("searches", *n),
    )
    typer.echo("deep  shallow  stage       a        b    sigma  correlation  positions")
    for f in fits:
        stage = "all" if f.stage is None else f.stage
        row = f"{f.a:>6.3f}  {f.b:>7.2f}  {f.sigma:>7.2f}  {f.correlation:>11.3f}  {f.samples:>9}"
        typer.echo(f"{f.deep:>4}  {f.shallow:>7}  {stage:>5}  {row}")
    if out is not None:
        write_fits(out, _made(game), fits, seed)


@app.command(epilog="Example: prunus fit likelihood my_game.py:MyGame --depth 6")
def likelihood(
    game: Game,
    depth: Annotated[
        int, typer.Option(min=2, max=63, help="The depth of the search for the best move.")
    ] = 6,
    samples: Sample = 200,
    seed: Seed = 0,
    evaluation: Chosen = "",
    backend: Run = Backend.auto,
) -> None:
    """For --floyd: how often the best move stands in each place of the order, and what Floyd's rule
    would charge for it; in a game with `likelihood`, also how often the best move is one of which
    it says this."""
    from prunus.learn.fitting import fit_likelihood

    counter = Counter()
    found = fit_likelihood(
        _game(game, evaluation),
        depth,
        samples,
        seed,
        COMPILE[backend.value],
        lambda *n: counter.show("searches", *n),
    )
    typer.echo("place  frequency  cost  positions")
    for place, (frequency, count) in enumerate(found.places, 1):
        cost = f"{-1000 * math.log(frequency):.0f}" if frequency else "-"
        typer.echo(f"{place:>5}  {frequency:>9.3f}  {cost:>4}  {count:>9}")
    if found.said:
        typer.echo("likelihood says  frequency  moves")
        for said, (frequency, count) in found.said.items():
            typer.echo(f"{said:>15.3f}  {frequency:>9.3f}  {count:>5}")


@app.command(
    epilog="Example: prunus fit evaluation othello --games 200 --out weights.json; then play "
    "othello:weights=weights.json"
)
def evaluation(
    game: Game,
    games: Annotated[
        int,
        typer.Option(min=0, help="Games to play; Ctrl-C stops and fits to those played so far."),
    ] = 1000,
    opening: Annotated[
        str, typer.Option(help="Random plies at the start of each game: a range to draw from.")
    ] = "2-20",
    depth: Annotated[
        int, typer.Option(min=1, help="Plies that the engine looks ahead after that.")
    ] = 4,
    nodes: Annotated[
        int,
        typer.Option(
            min=1, help="The end of a game is solved as far back as this many nodes allow."
        ),
    ] = 20000,
    ridge: Annotated[
        float,
        typer.Option(
            min=0, help="Keeps weights with few positions behind them small: more for less noise."
        ),
    ] = 5.0,
    seed: Seed = 0,
    out: Annotated[
        Path | None,
        typer.Option(help="Keep the weights as FILE.npy, and where they come from as FILE.json."),
    ] = None,
    positions: Annotated[
        Path | None,
        typer.Option(
            help="Keep the positions in this .npz file, and also fit to those already in it."
        ),
    ] = None,
    think: Annotated[
        int, typer.Option(min=100, help="Tapered evaluations: nodes that the engine takes a move.")
    ] = 1500,
    values: Annotated[
        float,
        typer.Option(
            min=0, max=1, help="Tapered evaluations: what search values count beside results."
        ),
    ] = 0.5,
    spread: Annotated[
        float,
        typer.Option(min=0.1, help="Tapered evaluations: how far weights may move from the start."),
    ] = 10.0,
    from_games: Annotated[
        list[Path] | None,
        typer.Option(
            help="Tapered evaluations: instead of playing, search positions of the games that "
            "`match` or `tournament` kept in this file with --out. Repeatable, with --positions."
        ),
    ] = None,
    every: Annotated[
        int, typer.Option(min=1, help="With --from-games: take every Nth position of a game.")
    ] = 3,
    player: Annotated[
        str, typer.Option(help="The game that plays: the same rules with another evaluation.")
    ] = "",
    evaluation: Chosen = "",
    backend: Run = Backend.auto,
) -> None:
    """The weights of a game's features(state), so that their sum predicts the value. The engine
    plays games against itself and solves their ends; a regression fits every earlier position to
    the value found there. One game in ten is set aside to judge the result."""
    from prunus.learn.evaluating import Plan, fit_samples
    from prunus.learn.results import Contest, Games
    from prunus.learn.tapered import Fit

    plan = Plan(games, _range(opening), depth, nodes, ridge, seed)
    for path in (out, positions):
        if path is not None and not path.resolve().parent.is_dir():
            raise typer.BadParameter(f"{path}: there is no folder {path.parent}")
    made, watch = _game(game, evaluation), Counter().show
    if made.has_weighted_sum:
        from prunus.cli.tapering import Wanted, fit_tapered, recorded

        chosen: list[Games] = [recorded(path, think, every) for path in from_games or ()]
        if len(chosen) > 1 and positions is None:
            raise typer.BadParameter("several files of games need --positions, which joins them")
        contest = Contest(games, plan.opening, think, seed=seed)
        wanted = Wanted(chosen or [contest], Fit(values, spread), positions, out)
        facts = {**_made(game)}
        if fit_tapered(made, _game(player) if player else made, wanted, backend, watch, facts):
            raise typer.Exit(130)
        return
    if from_games:
        raise typer.BadParameter(
            f"--from-games is for tapered evaluations, which have a weighted_sum; "
            f"{made.title()} has features"
        )
    samples, sources, interrupted = _positions(
        made, _game(player) if player else made, plan, backend, positions
    )
    found = fit_samples(made, samples, plan, interrupted, watch)
    _report(found)
    if out is not None:
        from prunus.evaluation.weights import save_weights

        for path in save_weights(
            out, found.weights, {**_made(game), "sources": sources, **found.provenance()}
        ):
            typer.echo(f"{path}: {path.stat().st_size:,} bytes", err=True)
    if found.interrupted:
        raise typer.Exit(130)


def _positions(
    made: AnyGame, playing: AnyGame | None, plan: Plan, backend: Backend, path: Path | None
) -> tuple[Samples, list[object], bool]:
    """The positions of new games and those kept in a file, which then holds both; their sources;
    whether Ctrl-C was pressed."""
    from dataclasses import asdict

    from prunus.learn.evaluating import gather
    from prunus.learn.regression import Samples

    samples, interrupted = gather(made, plan, COMPILE[backend.value], Counter().show, playing)
    source = {**_made(""), "plan": asdict(plan), "positions": len(samples)}
    sources: list[object]
    if path is None or not path.exists():
        sources = [source]
    else:
        kept, sources = Samples.load(path)
        samples, sources = kept.joined(samples), [*sources, source] if len(samples) else sources
    if path is not None:
        samples.save(path, sources)
    return samples, sources, interrupted


def _range(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    low, high = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if low > high:
        raise typer.BadParameter(
            f"--opening is a number of plies or a range of them, as in 2-20, not {text!r}"
        )
    return low, high


def _made(game: str) -> dict[str, object]:
    """The origin of a file: game, command, date, versions."""
    import datetime
    import platform

    import numpy as np

    from prunus import __version__

    versions = {"prunus": __version__, "numpy": np.__version__, "python": platform.python_version()}
    named = {"game": game} if game else {}
    return {
        **named,
        "command": " ".join(["prunus", *sys.argv[1:]]),
        "date": f"{datetime.date.today()}",
        "versions": versions,
    }


def _report(found: Evaluation) -> None:
    shares = f"{found.exact / max(1, found.positions):.0%} with exact values"
    typer.echo(
        f"{found.positions:,} positions of {found.games:,} games, {shares}; judged by the games "
        f"set aside:"
    )
    typer.echo("stage  positions  correlation  RMS error  mean error  spread of values")
    for part in found.calibration:
        name = "all" if part.stage is None else str(part.stage)
        row = (
            f"{part.correlation:>11.3f}  {part.rms:>9.2f}  {part.mean:>10.2f}  {part.spread:>16.2f}"
        )
        typer.echo(f"{name:>5}  {part.samples:>9,}  {row}")
    typer.echo("predicted      true  positions")
    for predicted, true, count in found.buckets:
        typer.echo(f"{predicted:>9.2f}  {true:>8.2f}  {count:>9,}")
