"""The work of a run: the rows of an experiment and their samples, cut into blocks. Everything that
can be wrong with it is found here."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from prunus.theory.lab.experiment import Experiment, LabError, Point, Value
from prunus.theory.lab.seeds import block_seed

MOST_BLOCKS: Final = 1_000_000
"""More are refused: the journal and the list of tasks are held in memory."""


@dataclass(frozen=True)
class Block:
    """A task: `count` samples of a row. `number` counts the blocks of the row from 0; `cost` is in
    seconds, roughly."""

    row: int
    number: int
    count: int
    seed: int
    cost: float


@dataclass(frozen=True)
class Plan:
    """A run of an experiment. samples: the samples of each row, 0 for an exact one."""

    experiment: Experiment
    points: tuple[Point, ...]
    samples: tuple[int, ...]
    seed: int
    quick: bool

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks, row by row."""
        return tuple(block for row in range(len(self.points)) for block in self._cut(row))

    def _cut(self, row: int) -> list[Block]:
        point, size = self.points[row], self.experiment.block
        total = self.samples[row] or 1
        cost = self.experiment.cost(point)
        name = self.experiment.name
        counts = [min(size, total - begin) for begin in range(0, total, size)]
        return [
            Block(row, i, count, block_seed(name, point, self.seed, i), count * cost)
            for i, count in enumerate(counts)
        ]

    @cached_property
    def header(self) -> dict[str, object]:
        """Everything that the numbers depend on: a journal is resumed only if all of it is
        equal."""
        rows = json.dumps(
            [
                [dict(point), samples]
                for point, samples in zip(self.points, self.samples, strict=True)
            ]
        )
        return {
            "experiment": self.experiment.name,
            "version": self.experiment.version,
            "seed": self.seed,
            "quick": self.quick,
            "rows": len(self.points),
            "samples": sum(self.samples),
            "block": self.experiment.block,
            "blocks": len(self.blocks),
            "digest": hashlib.sha256(rows.encode()).hexdigest()[:16],
        }


def make_plan(
    experiment: Experiment,
    *,
    quick: bool = False,
    seed: int = 0,
    samples: int | None = None,
    changes: Mapping[str, Sequence[str]] | None = None,
) -> Plan:
    """A checked plan.

    samples: the samples of each row that is not exact, instead of the experiment's own number.
    changes: for some parameters, the values (as texts) that replace their own; rows that become
    equal are run once. Raises LabError for parameters that make no sense, also according to the
    experiment's `check`.
    """
    if not -(1 << 63) <= seed < 1 << 63:
        raise LabError(f"a seed has 64 bits: {seed} does not fit")
    if samples is not None and samples < 2:
        raise LabError(f"{samples} samples have no standard error; at least 2 are needed")
    points = list(experiment.points(quick))
    for name, texts in (changes or {}).items():
        points = _changed(experiment, points, name, texts)
    counts = []
    for point in points:
        try:
            experiment.check(point)
        except ValueError as error:
            raise LabError(f"{experiment.name}: {error}") from None
        own = experiment.samples(point, quick)
        counts.append(own if samples is None or own == 0 else samples)
    number = sum(math.ceil((count or 1) / experiment.block) for count in counts)
    if number > MOST_BLOCKS:
        raise LabError(
            f"{experiment.name}: {sum(counts):,} samples are {number:,} blocks, more than "
            f"{MOST_BLOCKS:,}; ask for fewer samples"
        )
    return Plan(experiment, tuple(points), tuple(counts), seed, quick)


def _changed(
    experiment: Experiment, points: list[Point], name: str, texts: Sequence[str]
) -> list[Point]:
    with_it = [point for point in points if name in point]
    if not with_it:
        known = sorted({parameter for point in points for parameter in point})
        raise LabError(f"{experiment.name} has no parameter {name!r}; it has {', '.join(known)}")
    kind = type(with_it[0][name])
    values = [_parsed(name, text, kind) for text in texts]
    made: dict[str, Point] = {}
    for point in points:
        for value in values if name in point else [None]:
            changed = dict(point) if value is None else {**point, name: value}
            made.setdefault(json.dumps(changed, sort_keys=True), changed)
    return list(made.values())


def _parsed(name: str, text: str, kind: type) -> Value:
    try:
        value: Value = kind(text)
    except ValueError:
        raise LabError(
            f"{name}={text}: {name} is {'a whole number' if kind is int else 'a number'}"
        ) from None
    if isinstance(value, float) and not math.isfinite(value):
        raise LabError(f"{name}={text}: {name} is a finite number")
    return value


def changes_of(settings: Sequence[str]) -> dict[str, list[str]]:
    """{"d": ["3", "4"]} for ["d=3,4"]. Raises LabError for settings of another form."""
    found: dict[str, list[str]] = {}
    for setting in settings:
        name, equals, values = setting.partition("=")
        texts = [text.strip() for text in values.split(",")]
        if not equals or not name.strip() or not all(texts):
            raise LabError(f"--set {setting}: write a parameter and its values, d=3,4")
        found[name.strip()] = texts
    return found


def check_memory(plans: Sequence[Plan], processes: int) -> None:
    """Raise LabError if this many processes would need more memory than this machine has free
    now."""
    free = free_memory()
    for plan in plans:
        for point in plan.points:
            need = plan.experiment.memory(point) * processes
            if free is not None and need > free:
                shown = ", ".join(f"{name}={value}" for name, value in point.items())
                raise LabError(
                    f"{plan.experiment.name}, {shown}: {processes} processes need "
                    f"{need / 2**20:,.0f} MiB of memory, {free / 2**20:,.0f} "
                    "are free; use fewer --cores or smaller parameters (--set)"
                )


def free_memory() -> int | None:
    """The bytes of memory still available to programs; None if the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    sizes = [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    return sizes[0] if sizes else None
