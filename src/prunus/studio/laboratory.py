"""The laboratory's experiments for a browser: what there is, and runs of some of their rows in a
process of their own, which ends with the run.

A browser chooses among the values of an experiment's parameters; a row that it makes of them is one
that the experiment declares, or one between two of those.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Final

from prunus.core.errors import PrunusError
from prunus.core.generic import Json
from prunus.run.limits import Stop
from prunus.studio import maxima
from prunus.studio.messages import Experiment as Asked
from prunus.studio.offer import AskedTooMuch
from prunus.studio.tables import Tables, plain
from prunus.theory.lab.experiment import Experiment, LabError, Point, Value
from prunus.theory.lab.plan import Plan, make_plan
from prunus.theory.lab.registry import all_experiments
from prunus.theory.lab.runner import Job, State, run
from prunus.theory.lab.store import BlockJournal, Row, rows_of
from prunus.theory.lab.workers import Processes

Tell = Callable[[str, Json], None]

CLOSE: Final = 15
"""Of a parameter whose whole values span less than this, all whole numbers between may be asked
for; of others only the declared ones."""


class Ended(PrunusError):
    """Raised within a run to end it before its last row."""


@cache
def known() -> dict[str, Experiment]:
    """The experiments by name."""
    return all_experiments()


def listed() -> list[Json]:
    """What a page has to know of each experiment to offer it."""
    return [
        {"name": each.name, "title": each.title, "source": each.source} for each in known().values()
    ]


def detailed(name: str) -> Json:
    """What a page has to know of an experiment to run it and to draw it: what it says, its
    parameters, its rows with the seconds and samples that each takes, and its figure."""
    experiment = _named(name)
    quick = experiment.points(True)
    return {
        "name": name,
        "title": experiment.title,
        "source": experiment.source,
        "says": experiment.says,
        "errs": experiment.errs,
        "figure": asdict(replace(experiment.figure, names=dict(experiment.figure.names))),
        "parameters": [
            {
                "name": parameter,
                "values": values_of(experiment, parameter),
                "chosen": list(dict.fromkeys(p[parameter] for p in quick if parameter in p)),
            }
            for parameter in dict.fromkeys(key for point in declared(experiment) for key in point)
        ],
        "rows": [
            [dict(point), experiment.cost(point), experiment.samples(point, True)]
            for point in declared(experiment)
        ],
        "samples": maxima.LAB_SAMPLES,
        "seconds": maxima.LAB,
        "parquet": find_spec("polars") is not None,
    }


def _named(name: str) -> Experiment:
    """The experiment with this name. Raises LabError."""
    if name not in known():
        raise LabError(f"the laboratory has no experiment {name!r}")
    return known()[name]


def declared(experiment: Experiment) -> list[Point]:
    """The rows that the experiment declares, also for its quick set, each once, without those that
    need too much memory."""
    points = [*experiment.points(False), *experiment.points(True)]
    each = {json.dumps(point, sort_keys=True): point for point in points}
    return [point for point in each.values() if experiment.memory(point) <= maxima.LAB_MEMORY]


def values_of(experiment: Experiment, parameter: str) -> list[Value]:
    """The values of a parameter that may be asked for, in order."""
    found = list(
        dict.fromkeys(point[parameter] for point in declared(experiment) if parameter in point)
    )
    numbers = [value for value in found if isinstance(value, int | float)]
    if len(numbers) < len(found):
        return found
    whole = [value for value in numbers if isinstance(value, int)]
    if len(whole) == len(found) and max(whole) - min(whole) < CLOSE:
        return list(range(min(whole), max(whole) + 1))
    return sorted(numbers)


def points_of(experiment: Experiment, asked: Mapping[str, Sequence[Value]]) -> list[Point]:
    """The rows with these values of the parameters, and with any of a parameter that is not
    mentioned. A value between two declared ones has the rows of the next larger one. Raises
    LabError for other parameters and values."""
    rows = points = declared(experiment)
    for parameter, values in asked.items():
        own = {point[parameter] for point in rows if parameter in point}
        if not own:
            raise LabError(f"{experiment.name} has no parameter {parameter!r} here")
        offered = values_of(experiment, parameter)
        for value in values:
            if value not in offered:
                raise LabError(f"{experiment.name}: {parameter} has no value {value!r} here")
        points = _with_values(points, parameter, own, values)
    each = {json.dumps(point, sort_keys=True): point for point in points}
    return list(each.values())


def _with_values(
    points: Sequence[Point], parameter: str, own: set[Value], values: Sequence[Value]
) -> list[Point]:
    found = [point for point in points if parameter not in point]
    for value in values:
        at = value
        if value not in own and isinstance(value, int):
            larger = [each for each in own if isinstance(each, int) and each > value]
            at = min(larger, default=value)
        for point in points:
            if parameter in point and point[parameter] == at:
                exact = type(point[parameter])(value)
                found.append({**point, parameter: exact})
    return found


def plan_of(asked: Asked) -> Plan:
    """The plan of a run. Raises LabError, and AskedTooMuch for a run that would take too long."""
    experiment = _named(asked.name)
    points = points_of(experiment, asked.values)
    if not points:
        raise LabError(f"{asked.name} has no row with these values: choose more of them")
    if len(points) > maxima.LAB_ROWS:
        raise AskedTooMuch(f"{len(points)} rows; the studio takes up to {maxima.LAB_ROWS}")
    chosen = replace(experiment, points=lambda quick: points)
    plan = make_plan(chosen, quick=True, seed=asked.seed, samples=asked.samples)
    counts = [max(1, count) for count in plan.samples]
    if sum(math.ceil(count / experiment.block) for count in counts) > maxima.LAB_BLOCKS:
        raise AskedTooMuch(f"{sum(counts):,} samples are too many for the studio: ask for fewer")
    seconds = sum(
        experiment.cost(point) * count for point, count in zip(plan.points, counts, strict=True)
    )
    if seconds > maxima.LAB:
        raise AskedTooMuch(
            f"this takes about {seconds:,.0f} s; the studio takes up to {maxima.LAB:.0f} s: choose "
            f"fewer values or samples"
        )
    return plan


def measured(asked: Asked, tables: Tables, stop: Stop, tell: Tell) -> Json:
    """Run some rows of an experiment; each is told as soon as it is finished. The answer is the
    whole table, or what is finished when the time is over or the run is stopped, and the name under
    which the table is kept for downloads."""
    plan = plan_of(asked)
    with tempfile.TemporaryDirectory(prefix="prunus-studio-") as folder:
        journal = BlockJournal.open(Path(folder), plan)
        try:
            progress = _Progress(plan, journal, stop, tell)
            finished = progress.run()
        finally:
            journal.close()
    rows = [row for _, row in sorted(progress.rows.items())]
    kept = tables.keep(asked.name, rows) if rows else None
    return {"finished": finished, "kept": kept, "rows": [plain(row) for row in rows]}


class _Progress:
    """A run, and what it has told."""

    def __init__(self, plan: Plan, journal: BlockJournal, stop: Stop, tell: Tell) -> None:
        self.plan, self.journal, self.stop, self.tell = plan, journal, stop, tell
        self.end = perf_counter() + maxima.LAB_STARTS
        self.measures = False
        self.rows: dict[int, Row] = {}
        self.missing = {
            row: [block.number for block in plan.blocks if block.row == row]
            for row in range(len(plan.points))
        }

    def run(self) -> bool:
        """Measure; whether all is finished."""
        workers = Processes(1)
        try:
            run([Job(self.plan, self.journal)], workers, self.show)
        except Ended:
            pass
        finally:
            workers.stop()
        self.take()
        return not self.missing

    def show(self, state: State) -> None:
        """Called after each block and about twice a second."""
        self.take()
        self.tell("progress", {"done": state.done, "total": state.total})
        if state.done and not self.measures:
            self.measures, self.end = True, perf_counter() + maxima.LAB_ENDS
        if self.stop.requested or perf_counter() > self.end:
            raise Ended

    def take(self) -> None:
        """Tell the rows whose blocks are all there."""
        results, new = self.journal.results, []
        for row, numbers in list(self.missing.items()):
            if all((row, number) in results for number in numbers):
                point, samples = self.plan.points[row], self.plan.samples[row]
                single = replace(self.plan, points=(point,), samples=(samples,))
                own = {(0, number): results[row, number] for number in numbers}
                self.rows[row] = rows_of(single, own)[0]
                new.append(plain(self.rows[row]))
                del self.missing[row]
        if new:
            self.tell("rows", {"rows": new})
