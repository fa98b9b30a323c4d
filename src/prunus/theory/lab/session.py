"""A run from its plans to tables and figures in a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from prunus.theory.lab import plots
from prunus.theory.lab.plan import Plan
from prunus.theory.lab.runner import Job, State, run
from prunus.theory.lab.store import BlockJournal, Row, read_journal, rows_of, write_table
from prunus.theory.lab.workers import Workers

Done = Callable[[Plan, list[Row]], None]


def _unheard(plan: Plan, rows: list[Row]) -> None:
    pass


def _unseen(state: State) -> None:
    pass


def perform(
    plans: Sequence[Plan],
    workers: Workers,
    folder: Path,
    *,
    fresh: bool = False,
    show: Callable[[State], None] = _unseen,
    done: Done = _unheard,
) -> None:
    """Run plans and write NAME.parquet, NAME.svg and NAME.png of each into a folder as soon as it
    is finished, beside its journal.

    The same plans in the same folder continue where a run was stopped. fresh: start again instead.
    show: see `runner.run`. done: called with each finished table. Raises LabError and OSError,
    before any work, if a journal cannot be used, and whatever `runner.run` raises; workers are not
    stopped.
    """
    with ExitStack() as stack:
        jobs = []
        for plan in plans:
            journal = BlockJournal.open(folder, plan, fresh)
            stack.callback(journal.close)
            jobs.append(Job(plan, journal))

        def finish(job: Job) -> None:
            rows = rows_of(job.plan, job.journal.results)
            write_table(folder / f"{job.plan.experiment.name}.parquet", rows, job.plan.header)
            plots.save(job.plan.experiment, rows, folder)
            done(job.plan, rows)

        run(jobs, workers, show, finish)


def kept(plans: Sequence[Plan], folder: Path) -> tuple[int, int]:
    """The number of the plans' blocks that the journals of a folder hold, and the number of all
    blocks."""
    total = sum(len(plan.blocks) for plan in plans)
    done = 0
    for plan in plans:
        header, results = read_journal(BlockJournal.path_of(folder, plan))
        done += len(results) if header == plan.header else 0
    return done, total
