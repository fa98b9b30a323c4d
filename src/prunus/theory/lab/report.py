"""The page of the documentation: each figure with what the theorem says, what was measured, and
where the source errs."""

from __future__ import annotations

import math
import re
import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from prunus.theory.lab.experiment import Experiment, LabError

if TYPE_CHECKING:
    from prunus.theory.lab.store import Row

Finished = tuple[Experiment, Sequence["Row"], Mapping[str, object]]
"""An experiment, the rows of its table, the header of its run."""

FAR: Final = 3.0
"""The number of standard errors beyond which a measurement is called far from the theory."""

INTRODUCTION: Final = """# The laboratory

The numbers that the sources give for alpha-beta, computed and measured by Prunus. This page is
written by `prunus lab reproduce`. Each section is an experiment; `prunus lab run NAME` repeats it,
with other parameters if you like (`--set d=3,4`, `--samples`, `--seed`). `prunus lab list` names
all experiments. `prunus lab run --help` explains where tables (Parquet) and figures (SVG, PNG) go,
and how a run is stopped and resumed or spread over a cluster. These commands need `pip install
'prunus[lab]'`; `prunus lab tree GAME`, which counts the critical positions of one tree and what
algorithms examine in several orders, does not.

In the figures, marks are measurements, with bars of three standard errors if they are means of
samples; lines are what the theory says, and dotted lines are its bounds.
"""


COLUMNS: Final = 100
HELD: Final = "\0"
MARKED: Final = re.compile(r" (?=(?:[-+*>#|=:]+|[0-9]+[.)])(?: |$))")
"""A space before a mark that has a meaning at the beginning of a line."""


def write_page(page: Path, finished: Sequence[Finished], source: Path) -> None:
    """Write the page, and copy the figures of the folder `source` into a folder of the page's name
    beside it, unless the page itself is in `source`. Raises LabError for a page that is not
    Markdown, OSError if a figure is missing or nothing can be written."""
    if page.suffix != ".md":
        raise LabError(f"{page}: the page is Markdown, so its name ends in .md")
    beside = page.parent.resolve() == source.resolve()
    folder = "" if beside else f"{page.stem}/"
    page.parent.mkdir(parents=True, exist_ok=True)
    if not beside:
        (page.parent / page.stem).mkdir(exist_ok=True)
        for experiment, _, _ in finished:
            shutil.copyfile(
                source / f"{experiment.name}.svg", page.parent / folder / f"{experiment.name}.svg"
            )
    sections = [section(*each, folder) for each in finished]
    page.write_text("\n".join([INTRODUCTION, *sections]), encoding="utf-8")


def text_of_page(page: Path) -> str:
    """The page that `write_page` wrote. Raises LabError if there is none."""
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    if not text.startswith(INTRODUCTION):
        raise LabError(f"{page} is not a page that `prunus lab reproduce --into` wrote")
    return text


def put_section(page: Path, finished: Finished, source: Path, titles: Sequence[str]) -> None:
    """Write the section of one experiment into the page that `write_page` wrote, over the one that
    is there, or where it belongs among `titles`, those of all experiments in the page's order; and
    copy its figure from the folder `source`. Raises LabError for a file that is no such page,
    OSError if the figure cannot be read or the page not be written."""
    experiment = finished[0]
    sections = re.split(r"\n(?=## )", text_of_page(page))[1:]
    there = {text.split("\n", 1)[0].removeprefix("## "): text.rstrip() + "\n" for text in sections}
    beside = page.parent.resolve() == source.resolve()
    there[experiment.title] = section(*finished, "" if beside else f"{page.stem}/")
    if not beside:
        (page.parent / page.stem).mkdir(exist_ok=True)
        figure = f"{experiment.name}.svg"
        shutil.copyfile(source / figure, page.parent / page.stem / figure)
    places = {title: place for place, title in enumerate(titles)}
    ordered = sorted(there, key=lambda title: places.get(title, len(places)))
    page.write_text(
        "\n".join([INTRODUCTION, *(there[title] for title in ordered)]), encoding="utf-8"
    )


def section(
    experiment: Experiment, rows: Sequence[Row], header: Mapping[str, object], folder: str = ""
) -> str:
    """An experiment's part of the page."""
    name = experiment.name
    small = ", the small set of `--quick`" if header.get("quick") else ""
    measured = " ".join(part for part in (experiment.finding(rows).strip(), summary(rows)) if part)
    paragraphs = [
        f"## {experiment.title}",
        f"![{experiment.title}]({folder}{name}.svg)",
        filled(
            f"**What the theory says** ({experiment.source}). {' '.join(experiment.says.split())}"
        ),
        filled(f"**What was measured.** {measured}"),
        *([filled(f"**Where the source errs.** {experiment.errs}")] if experiment.errs else []),
        filled(f"`prunus lab run {name}`, seed {header.get('seed')}{small}."),
    ]
    return "\n\n".join(paragraphs) + "\n"


def filled(paragraph: str) -> str:
    """A paragraph of Markdown in lines of at most `COLUMNS`. No line begins with a mark that would
    make it something else, such as an item of a list."""
    held = MARKED.sub(HELD, paragraph)
    lines = textwrap.wrap(held, COLUMNS, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace(HELD, " ")


def summary(rows: Sequence[Row]) -> str:
    """Sentences about any table: its size, and its distance from the theory."""
    samples = [int(count) for row in rows if isinstance(count := row.get("samples"), int) and count]
    size = f"{len(rows)} row{'s' * (len(rows) != 1)}"
    size += f", {sum(samples):,} samples." if samples else ", all exact." if rows else "."
    return " ".join([size, *_agreement(rows), *_bounds(rows)])


def _agreement(rows: Iterable[Row]) -> list[str]:
    sigmas, exact = [], []
    for row in rows:
        for name in [name.removesuffix("_theory") for name in row if name.endswith("_theory")]:
            value, theory, deviation = (
                row.get(name),
                row[f"{name}_theory"],
                row.get(f"{name}_sigmas"),
            )
            if isinstance(deviation, int | float):
                sigmas.append(abs(deviation))
            elif (
                isinstance(value, int | float)
                and isinstance(theory, int | float)
                and row.get(f"{name}_error") is not None
            ):
                exact.append(relative(value, theory))
    said = []
    if sigmas:
        far = sum(deviation > FAR for deviation in sigmas)
        said.append(
            f"Of {len(sigmas)} means, {far or 'none'} {'is' if far == 1 else 'are'} more than "
            f"{FAR:g} standard errors from the theory; the farthest is {max(sigmas):.1f} from it."
        )
    if exact:
        worst = max(exact)
        agrees = (
            "all agree with the theory"
            if worst < 1e-12
            else f"the largest relative difference from the theory is {worst:.1e}"
        )
        said.append(f"Of {len(exact)} exact numbers {agrees}.")
    return said


def relative(value: float, theory: float) -> float:
    """The relative difference of two numbers; infinite if only one of them is finite."""
    if value == theory:
        return 0.0
    if not (math.isfinite(value) and math.isfinite(theory)):
        return math.inf
    return abs(value - theory) / max(abs(value), abs(theory))


def _bounds(rows: Iterable[Row]) -> list[str]:
    compared = outside = 0
    for row in rows:
        for name in list(row):
            for end, direction in (("_low", 1), ("_high", -1)):
                value, bound = row.get(name.removesuffix(end)), row[name]
                if (
                    name.endswith(end)
                    and isinstance(value, int | float)
                    and isinstance(bound, int | float)
                ):
                    error = row.get(f"{name.removesuffix(end)}_error")
                    compared += 1
                    slack = FAR * (error if isinstance(error, int | float) else 0.0) + 1e-12 * abs(
                        bound
                    )
                    outside += direction * (bound - value) > slack
    if not compared:
        return []
    return [
        f"{'All' if not outside else f'All but {outside}'} of {compared} comparisons with bounds "
        f"hold."
    ]
