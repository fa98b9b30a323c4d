"""The figures of a run compared with those kept last, in one table.

The comparison reads the tables that the parts print: from each row, the ratios measured within one
run, with their ranges, or all figures if there are no ratios. Figures without a range depend on the
machine and mean little beside those of another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

NUMBER = r"[-+]?[\d,]*\.?\d+(?:e[-+]?\d+)?"
RATIO = re.compile(rf"({NUMBER}) \(({NUMBER}) - ({NUMBER})[,)]")
SECTION = re.compile(r"`python -m benchmarks\.(\w+)")


@dataclass(frozen=True)
class Figure:
    """A number; a median also has the range of its pairs."""

    value: float
    range: tuple[float, float] | None = None

    def text(self) -> str:
        """The number as the table shows it."""
        shown = f"{self.value:,.4g}"
        return f"{shown} ({self.range[0]:,.4g} - {self.range[1]:,.4g})" if self.range else shown

    def against(self, kept: Figure) -> str:
        """This figure divided by a kept one; called lower or higher if neither lies in the range of
        the other."""
        share = f"{self.value / kept.value:.2f}" if kept.value else ""
        if self.range is None or kept.range is None:
            return share
        if self.value > kept.range[1] and kept.value < self.range[0]:
            return f"{share} higher"
        if self.value < kept.range[0] and kept.value > self.range[1]:
            return f"{share} lower"
        return share


Figures = dict[tuple[str, str], Figure]
"""The figures of a part, by row and column."""


def figures(text: str) -> dict[str, Figures]:
    """All figures in a file of results, by the part that printed them."""
    found: dict[str, Figures] = {}
    part, header = "", None
    for line in text.splitlines():
        named = SECTION.match(line)
        if named:
            part = named[1]
        if not line.startswith("|"):
            header = None
            continue
        cells = [cell.strip() for cell in line.strip("| \n").split("|")]
        if header is None:
            header = cells
        elif part and not set(cells[0]) <= {"-", ":"}:
            row = found.setdefault(part, {})
            row |= {(cells[0], column): figure for column, figure in _of_row(header, cells)}
    return found


def _of_row(header: list[str], cells: list[str]) -> Iterator[tuple[str, Figure]]:
    columns = list(zip(header[1:], cells[1:], strict=False))
    ratios = [(column, RATIO.match(cell)) for column, cell in columns]
    if any(ratio for _, ratio in ratios):
        for column, ratio in ratios:
            if ratio:
                value, low, high = (float(each.replace(",", "")) for each in ratio.groups())
                yield column, Figure(value, (low, high))
        return
    for column, cell in columns:
        number = re.match(NUMBER, cell)
        if number:
            yield column, Figure(float(number[0].replace(",", "")))


def kept(folder: Path, processor: str) -> dict[str, tuple[str, Figures]]:
    """For each part the figures kept last, on this processor if there are any, and the name of
    their file."""
    last: dict[str, tuple[str, Figures]] = {}
    files = sorted(folder.glob("*.md"), key=lambda path: (processor in path.name, path.name))
    for path in files:
        for part, found in figures(path.read_text()).items():
            last[part] = path.stem, found
    return last


def table(now: dict[str, Figures], before: dict[str, tuple[str, Figures]]) -> str:
    """One row for each figure of this run, beside the kept one if there is one."""
    rows = ["| part | figure | kept | now | now / kept |", "|---|---|---|---|---|"]
    used = []
    for part, found in now.items():
        name, old = before.get(part, ("", {}))
        used += [name] if name and name not in used else []
        for (row, column), figure in found.items():
            known = old.get((row, column))
            shown = ("-", "") if known is None else (known.text(), figure.against(known))
            label = row if len(found) == len({each for each, _ in found}) else f"{row}: {column}"
            rows.append(f"| {part} | {label} | {shown[0]} | {figure.text()} | {shown[1]} |")
    nothing = "no figures of these parts; `--keep` keeps those of a run on a quiet machine"
    return "\n".join([*rows, "", f"Kept: {', '.join(used) or nothing}."])
