"""`prunus lab`: the theory of alpha-beta, measured."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from prunus.cli.book import duration
from prunus.cli.lab_tree import tree
from prunus.cli.status import Status

if TYPE_CHECKING:
    from prunus.theory.lab.plan import Plan
    from prunus.theory.lab.runner import State
    from prunus.theory.lab.store import Row
    from prunus.theory.lab.workers import Workers

app = typer.Typer(
    help="The laboratory: experiments on the theory of alpha-beta. Each measures the subject of a "
    "theorem, and prints, stores and draws measurement and theory side by side. Needs pip install "
    "'prunus[lab]'.",
    epilog="Begin with: prunus lab list; prunus lab run first-move-wins",
    no_args_is_help=True,
    rich_markup_mode=None,
)


app.command(
    "tree",
    epilog="Examples: prunus lab tree figure; prunus lab tree tree game.json --uniform; prunus lab "
    "tree nim 1,2 --positions",
)(tree)


class Where(StrEnum):
    """Where the measuring is done."""

    processes = "processes"
    serial = "serial"
    dask = "dask"


USUAL = Path("laboratory")

Name = Annotated[
    str, typer.Argument(help="A name listed by `prunus lab list`.", show_default=False)
]
Quick = Annotated[
    bool,
    typer.Option(
        "--quick", help="The small set: fewer rows and samples; seconds instead of minutes."
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        help="Draws the samples. The same seed gives the same numbers on any number of cores and "
        "machines."
    ),
]
Output = Annotated[
    Path,
    typer.Option(
        help="The folder for journals, tables (NAME.parquet) and figures (NAME.svg, NAME.png)."
    ),
]
Cores = Annotated[
    int | None,
    typer.Option(min=1, help="How many processes measure; by default one for each core."),
]
Fresh = Annotated[
    bool,
    typer.Option("--fresh", help="Start again: discard what stopped runs have left in --output."),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        help="With --executor dask: the address of the cluster's scheduler, tcp://HOST:8786."
    ),
]
Executor = Annotated[
    Where,
    typer.Option(
        help="processes: cores of this machine; serial: this process; dask: the workers of a Dask "
        "cluster, started with --nthreads 1 (needs 'prunus[cluster]'). The numbers are the same."
    ),
]
Samples = Annotated[
    int | None,
    typer.Option(
        min=2,
        help="Samples of each row, instead of the experiment's own number; exact rows stay exact.",
    ),
]
Set = Annotated[
    list[str],
    typer.Option(
        "--set", help="Other values of a parameter for all rows, such as d=3,4; can be repeated."
    ),
]


@app.command("list", epilog="Example: prunus lab list")
def list_all() -> None:
    """List the experiments: name, what is measured, the source of the theory, rows (and rows of
    --quick) and samples."""
    from prunus.theory.lab.registry import all_experiments

    known = all_experiments()
    width = max(map(len, known), default=0)
    for name, experiment in known.items():
        points = experiment.points(False)
        samples = sum(experiment.samples(point, False) for point in points)
        size = (
            f"{len(points)} rows ({len(experiment.points(True))}), "
            f"{f'{samples:,} samples' if samples else 'exact'}"
        )
        typer.echo(
            f"{name:<{width}}  {experiment.title}\n{'':<{width}}  {experiment.source}; {size}"
        )


@app.command(
    "run",
    epilog="Examples: prunus lab run first-move-wins --quick; prunus lab run no-deep-cutoffs --set "
    "d=3,7 --set n=4,8 --output results; prunus lab run no-deep-cutoffs --executor dask "
    "--scheduler tcp://10.0.0.1:8786",
)
def run_one(
    name: Name,
    quick: Quick = False,
    seed: Seed = 0,
    samples: Samples = None,
    settings: Set = [],  # noqa: B006
    cores: Cores = None,
    output: Output = USUAL,
    executor: Executor = Where.processes,
    scheduler: Scheduler = None,
    fresh: Fresh = False,
    into: Annotated[
        Path | None,
        typer.Option(
            help="Also write the experiment's section and figure into the page that `prunus lab "
            "reproduce --into` wrote."
        ),
    ] = None,
) -> None:
    """Run an experiment: print its table, and write it with the figure into --output.

    The work is cut into blocks of samples. Each finished block is kept at once in the journal
    NAME.journal, so that after Ctrl-C, or a crash, the same command continues where it stopped and
    arrives at the same numbers. In the table, q theory is what the theory says of q, q sigmas is
    the deviation in standard errors, and q low and q high are bounds; the number after ± is the
    standard error."""
    from prunus.theory.lab.plan import changes_of, make_plan
    from prunus.theory.lab.registry import all_experiments, experiment_named
    from prunus.theory.lab.report import put_section, text_of_page
    from prunus.theory.lab.store import read_table

    _needed(executor, scheduler)
    if into is not None:
        text_of_page(into)  # complains before anything is measured
    plan = make_plan(
        experiment_named(name),
        quick=quick,
        seed=seed,
        samples=samples,
        changes=changes_of(settings),
    )
    _perform([plan], _workers([plan], cores, executor, scheduler), output, fresh, _print)
    typer.echo(f"written to {output / name}.parquet, .svg and .png", err=True)
    if into is not None:
        titles = [each.title for each in all_experiments().values()]
        table = read_table(output / f"{name}.parquet")
        put_section(into, (plan.experiment, *table), output, titles)
        typer.echo(f"its section is written to {into}", err=True)


@app.command(
    epilog="Examples: prunus lab reproduce --quick; prunus lab reproduce --output results --into "
    "docs/laboratory.md"
)
def reproduce(
    quick: Quick = False,
    seed: Seed = 0,
    cores: Cores = None,
    output: Output = USUAL,
    executor: Executor = Where.processes,
    scheduler: Scheduler = None,
    fresh: Fresh = False,
    into: Annotated[
        Path | None,
        typer.Option(
            help="Also write the page to this Markdown file, its figures into a folder of the same "
            "name beside it."
        ),
    ] = None,
) -> None:
    """Run all experiments: every table and figure, and a page, laboratory.md, that explains them.
    Ctrl-C keeps what is finished; the same command continues from there."""
    from prunus.theory.lab.experiment import LabError
    from prunus.theory.lab.plan import make_plan
    from prunus.theory.lab.registry import all_experiments
    from prunus.theory.lab.report import write_page
    from prunus.theory.lab.store import read_table

    _needed(executor, scheduler)
    if into is not None and into.suffix != ".md":
        raise LabError(f"--into {into}: the page is Markdown, so its name ends in .md")
    plans = [
        make_plan(experiment, quick=quick, seed=seed) for experiment in all_experiments().values()
    ]
    began = time.perf_counter()
    _perform(plans, _workers(plans, cores, executor, scheduler), output, fresh, _name_only)
    finished = [
        (plan.experiment, *read_table(output / f"{plan.experiment.name}.parquet")) for plan in plans
    ]
    for page in [output / "laboratory.md", *([into] if into is not None else [])]:
        write_page(page, finished, output)
        typer.echo(f"written to {page}", err=True)
    typer.echo(f"{len(plans)} experiments in {duration(time.perf_counter() - began)}", err=True)


@app.command(epilog="Examples: prunus lab show; prunus lab show first-move-wins --output results")
def show(
    name: Annotated[
        str,
        typer.Argument(
            help="An experiment that was run; without it the folder's contents are listed."
        ),
    ] = "",
    output: Output = USUAL,
) -> None:
    """Print the table of an experiment that was run, without running anything; or list a folder's
    experiments and their progress."""
    from prunus.theory.lab.registry import experiment_named, require
    from prunus.theory.lab.store import SUFFIX, read_journal, read_table

    require("lab", "polars")
    if name:
        rows, header = read_table(output / f"{name}.parquet")
        _print_table(experiment_named(name).title, rows, header["seed"], header["quick"])
        return
    found = sorted(output.glob(f"*{SUFFIX}"))
    for path in found:
        header, results = read_journal(path)
        state = (
            "finished"
            if header and len(results) == header["blocks"]
            else f"{len(results)} of {header.get('blocks', '?')} blocks"
        )
        typer.echo(
            f"{path.stem}: {state}, seed "
            f"{header.get('seed')}{', quick' * bool(header.get('quick'))}"
        )
    if not found:
        typer.echo(
            f"nothing was run in {output}; prunus lab run NAME --output {output} runs an experiment"
        )


def _needed(executor: Where, scheduler: str | None) -> None:
    """Refuse wrong options and missing packages before anything is loaded."""
    from prunus.theory.lab.experiment import LabError
    from prunus.theory.lab.registry import require

    require("lab", "polars", "matplotlib")
    if executor is Where.dask:
        require("cluster", "distributed")
        if scheduler is None:
            raise LabError(
                "--executor dask needs the address of the cluster: --scheduler tcp://HOST:8786"
            )
    elif scheduler is not None:
        raise LabError(f"--scheduler needs --executor dask, not {executor}")


def _workers(
    plans: Sequence[Plan], cores: int | None, executor: Where, scheduler: str | None
) -> Callable[[], Workers]:
    """A function that starts the workers; this machine's memory is checked now."""
    from prunus.theory.lab.plan import check_memory
    from prunus.theory.lab.workers import Cluster, Processes, Serial

    if executor is Where.dask:
        return lambda: Cluster(str(scheduler))
    number = 1 if executor is Where.serial else cores or usable_cores()
    check_memory(plans, number)
    return Serial if number == 1 else lambda: Processes(number)


def usable_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _perform(
    plans: Sequence[Plan],
    start: Callable[[], Workers],
    output: Path,
    fresh: bool,
    done: Callable[[Plan, list[Row]], None],
) -> None:
    """Run with progress; after Ctrl-C say what is kept, and exit with status 130."""
    from prunus.theory.lab.session import kept, perform

    workers = start()
    progress = _Progress(done)
    try:
        perform(plans, workers, output, fresh=fresh, show=progress.show, done=progress.done)
    except KeyboardInterrupt:
        progress.end()
        finished, total = kept(plans, output)
        typer.echo(
            f"prunus: interrupted; {finished} of {total} blocks are kept in {output}; the same "
            f"command continues from there",
            err=True,
        )
        raise typer.Exit(130) from None
    finally:
        progress.end()
        workers.stop()


def _print(plan: Plan, rows: list[Row]) -> None:
    _print_table(plan.experiment.title, rows, plan.seed, plan.quick)


def _print_table(title: str, rows: list[Row], seed: int, quick: bool) -> None:
    from rich.console import Console

    from prunus.theory.lab.report import summary
    from prunus.theory.lab.table import rich_table

    # If the output is not a terminal, lines are as long as the table needs.
    console = Console(width=None if sys.stdout.isatty() else 400)
    console.print(rich_table(f"{title}; seed {seed}{', quick' * quick}", rows))
    typer.echo(summary(rows))


def _name_only(plan: Plan, rows: list[Row]) -> None:
    from prunus.theory.lab.report import summary

    typer.echo(f"{plan.experiment.name}: {summary(rows)}")


class _Progress:
    """The number of blocks done: on a terminal in one line, elsewhere in a line a minute."""

    def __init__(self, done: Callable[[Plan, list[Row]], None]) -> None:
        self.print = done
        self.status = Status()

    def show(self, state: State) -> None:
        """Called after each block and several times a second."""
        left = state.seconds_left()
        told = "compiling" if left is None else f"about {duration(left)} left"
        self.status.show(f"{state.done} of {state.total} blocks, {told}; Ctrl-C keeps them")

    def done(self, plan: Plan, rows: list[Row]) -> None:
        """Print a finished table; the line continues below it."""
        self.status.clear()
        self.print(plan, rows)

    def end(self) -> None:
        self.status.clear()
