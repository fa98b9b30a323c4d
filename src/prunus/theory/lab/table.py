"""Finished tables as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from prunus.theory.lab.experiment import Value

if TYPE_CHECKING:
    from rich.table import Table

    from prunus.theory.lab.store import Row


def rich_table(title: str, rows: Sequence[Row]) -> Table:
    """A Rich table; the standard error stands beside its mean, and columns without any value are
    left out."""
    from rich import box
    from rich.table import Table

    names = columns_of(rows)
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
    for name in names:
        text = all(isinstance(row.get(name), str | None) for row in rows)
        table.add_column(name.replace("_", " "), justify="left" if text else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(_cell(row, name) for name in names))
    return table


def columns_of(rows: Iterable[Row]) -> list[str]:
    """The columns that have a value in some row, without errors that have a mean to stand beside;
    `samples` comes last, and only if something was sampled."""
    names = dict.fromkeys(name for row in rows for name, value in row.items() if value is not None)
    sampled = any(row.get("samples") for row in rows)
    shown = [
        name
        for name in names
        if name != "samples"
        and not (name.endswith("_error") and name.removesuffix("_error") in names)
    ]
    return shown + ["samples"] * sampled


def _cell(row: Row, name: str) -> str:
    error = row.get(f"{name}_error")
    value = row.get(name)
    text = str(value) if name == "year" else shown(value)
    return f"{text} ± {error:.1g}" if isinstance(error, float) and error > 0 else text


def shown(value: Value | None) -> str:
    """A value with at most seven digits; whole numbers whole up to a billion."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int) or value.is_integer():
        return f"{value:,.0f}" if abs(value) < 1e9 else f"{value:.6g}"
    return f"{value:.7g}"
