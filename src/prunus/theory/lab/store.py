"""The files of a run: a journal to which each finished block is appended, and the table of a
finished run."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from prunus.core.generic import Json
from prunus.core.journal import Journal, whole_lines
from prunus.theory.lab.experiment import LabError, Moments, Value
from prunus.theory.lab.plan import Block, Plan

if TYPE_CHECKING:
    import polars

Row = dict[str, Value | None]
Results = dict[tuple[int, int], Mapping[str, Moments]]
"""The results of finished blocks, by row and number."""

SUFFIX: Final = ".journal"
ROUNDING: Final = 1e-12
"""A variance of real numbers below this part of the mean of their squares is only rounding and
counts as 0."""


class BlockJournal(Journal):
    """The finished blocks of a run, which the next run with the same parameters continues."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.header: Mapping[str, object] = {}
        self.results: Results = {}

    @classmethod
    def open(cls, folder: Path, plan: Plan, fresh: bool = False) -> BlockJournal:
        """Open the journal of a plan in a folder, creating both if they are missing.

        The journal of a run with other parameters is replaced if that run was finished or `fresh`
        is true; otherwise LabError says how the two differ. Raises OSError if nothing can be
        written, and JournalError if another run is writing it.
        """
        journal = cls(cls.path_of(folder, plan))
        try:
            journal._start(plan, fresh)
        except BaseException:
            journal.close()
            raise
        return journal

    def _start(self, plan: Plan, fresh: bool) -> None:
        header, results = parsed(self.path, self.lines)
        self.header = plan.header
        if not fresh and header == plan.header:
            self.results = results
            self.go_on()
            return
        if header and not fresh and len(results) < header.get("blocks", 0):
            raise LabError(_refusal(self.path, header, plan.header, len(results)))
        self.begin(plan.header)

    @staticmethod
    def path_of(folder: Path, plan: Plan) -> Path:
        """The path of a plan's journal in a folder."""
        return folder / f"{plan.experiment.name}{SUFFIX}"

    def add(self, block: Block, found: Mapping[str, Moments]) -> None:
        """Keep a finished block, unless it is kept already."""
        if (block.row, block.number) not in self.results:
            self.append({"row": block.row, "block": block.number, "moments": found})
            self.results[block.row, block.number] = found


def read_journal(path: Path) -> tuple[Json, Results]:
    """Header and finished blocks; empty if there is no journal. Raises LabError for a file that is
    not a journal."""
    return parsed(path, whole_lines(path))


def parsed(path: Path, lines: Sequence[bytes]) -> tuple[Json, Results]:
    """Header and finished blocks in the lines of this journal. Raises LabError as `read_journal`
    does."""
    header: Json = {}
    results: Results = {}
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            if number == 1:
                header = record if record["experiment"] else {}
            else:
                results[record["row"], record["block"]] = {
                    name: Moments(*sums) for name, sums in record["moments"].items()
                }
        except (ValueError, KeyError, TypeError, AttributeError):
            raise LabError(
                f"{path}, line {number}: not the journal of an experiment; move it away or start "
                f"again with --fresh"
            ) from None
    return header, results


def _refusal(path: Path, old: Mapping[str, object], new: Mapping[str, object], done: int) -> str:
    names = [
        name for name in new if name not in ("digest", "blocks") and old.get(name) != new[name]
    ]
    differ = (
        ", ".join(f"{name} {old.get(name)} there, {new[name]} now" for name in names)
        or "other parameters of the rows"
    )
    return (
        f"{path} holds {done} of {old.get('blocks')} blocks of an unfinished run that differs "
        f"({differ}): finish that one "
        "with its own command, choose another --output, or discard its blocks with --fresh"
    )


def combined(plan: Plan, results: Results) -> list[dict[str, Moments]]:
    """The moments of each row: its blocks added up in order, so that rounding does not depend on
    which finished first."""
    sums: list[dict[str, Moments]] = [{} for _ in plan.points]
    for block in plan.blocks:
        row = sums[block.row]
        for name, moments in results[block.row, block.number].items():
            row[name] = row[name] + moments if name in row else moments
    return sums


def rows_of(plan: Plan, results: Results) -> list[Row]:
    """The finished table: the parameters; then for each quantity q its mean, q_error (standard
    error, 0 if exact), q_theory, q_low and q_high if the theory gives them, and q_sigmas (the
    deviation in standard errors); last the number of samples (0: exact)."""
    rows: list[Row] = []
    for point, samples, sums in zip(
        plan.points, plan.samples, combined(plan, results), strict=True
    ):
        row: Row = dict(point)
        said = dict(plan.experiment.theory(point))
        for name, moments in sums.items():
            row |= _columns(name, moments, samples > 0, said)
        row |= {
            name if name.endswith(("_low", "_high")) else f"{name}_theory": _float(value)
            for name, value in said.items()
        }
        rows.append(row | {"samples": samples})
    return rows


def _columns(name: str, moments: Moments, sampled: bool, said: dict[str, float]) -> Row:
    mean, error = mean_and_error(moments) if sampled else (moments.total, 0.0)
    found: Row = {name: mean, f"{name}_error": error}
    if name in said:
        theory = _float(said.pop(name))
        found[f"{name}_theory"] = theory
        found[f"{name}_sigmas"] = (mean - theory) / error if error else None
    for bound in (f"{name}_low", f"{name}_high"):
        if bound in said:
            found[bound] = _float(said.pop(bound))
    return found


def mean_and_error(moments: Moments) -> tuple[float, float | None]:
    """The mean and its standard error (None for one sample). Exact up to the last division if the
    sums are integers."""
    count, total, squares = moments
    mean = _ratio(total, count)
    if count < 2:
        return mean, None
    if isinstance(total, int) and isinstance(squares, int):
        variance = _ratio(count * squares - total * total, count * (count - 1))
    else:
        variance = (squares - total * (total / count)) / (count - 1)
        variance = variance if variance > ROUNDING * squares / count else 0.0
    return mean, math.sqrt(variance / count)


def _ratio(a: int | float, b: int) -> float:
    try:
        return a / b
    except OverflowError:
        return math.inf


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def frame_of(rows: Sequence[Row]) -> polars.DataFrame:
    """The rows as a Polars frame: the columns in the order of their first appearance, `samples`
    last; missing values are null."""
    import polars

    names = [
        name for name in dict.fromkeys(name for row in rows for name in row) if name != "samples"
    ]
    columns = {name: [row.get(name) for row in rows] for name in (*names, "samples")}
    return polars.DataFrame(
        [polars.Series(name, _even(values)) for name, values in columns.items()]
    )


def _even(values: list[Value | None]) -> list[Value | None]:
    """The values of a column as one type: integers stay integers if all are integers that fit 64
    bits."""
    known = [value for value in values if value is not None]
    if any(isinstance(value, str) for value in known):
        return [None if value is None else str(value) for value in values]
    if known and all(isinstance(value, int) and abs(value) < 1 << 63 for value in known):
        return values
    return [_float(value) if isinstance(value, int | float) else None for value in values]


def write_table(path: Path, rows: Sequence[Row], header: Mapping[str, object]) -> None:
    """Write the finished table as Parquet, with the header among the file's metadata; an old table
    is replaced only by a complete new one."""
    part = path.with_suffix(".part")
    frame_of(rows).write_parquet(part, metadata={"prunus": json.dumps(header)})
    part.replace(path)


def read_table(path: Path) -> tuple[list[Row], Json]:
    """The rows of a written table, and its header. Raises LabError if there is none."""
    import polars

    if not path.exists():
        raise LabError(
            f"there is no {path}: prunus lab run {path.stem} --output {path.parent} makes it"
        )
    try:
        header = json.loads(polars.read_parquet_metadata(path)["prunus"])
        return polars.read_parquet(path).to_dicts(), header
    except (polars.exceptions.PolarsError, KeyError, ValueError) as error:
        raise LabError(f"{path} is not a table of the laboratory: {error}") from None
