"""Figures: measurements as marks with error bars, theory as lines of the same colour."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from prunus.core.generic import Keywords
from prunus.theory.lab.experiment import Experiment, Figure, Value

if TYPE_CHECKING:
    from prunus.theory.lab.store import Row

COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
"""The colours of Okabe and Ito, which people with any colour vision can tell apart; yellow is left
out, being too pale for lines."""

MARKS: Final = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
BARS: Final = 3
"""The length of an error bar to each side, in standard errors."""

Drawn: TypeAlias = Any
"""What Matplotlib, which need not be installed, takes and makes."""

SETTINGS: Final[dict[Drawn, object]] = {
    "svg.hashsalt": "prunus",
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "legend.frameon": False,
    "legend.fontsize": 9,
    "figure.facecolor": "white",
}


def save(experiment: Experiment, rows: Sequence[Row], folder: Path) -> list[Path]:
    """Write NAME.svg and NAME.png (150 dots an inch) into a folder. The same rows give the same
    bytes of SVG, which contains no date."""
    import matplotlib as mpl

    paths = [folder / f"{experiment.name}.svg", folder / f"{experiment.name}.png"]
    with mpl.rc_context(SETTINGS):
        figure = draw(experiment, rows)
        figure.savefig(paths[0], metadata={"Date": None, "Creator": "Prunus"})
        # keep the layout: finding it again takes a third of the time
        figure.set_layout_engine("none")
        figure.savefig(paths[1], dpi=150, metadata={"Software": "Prunus"})
    return paths


def draw(experiment: Experiment, rows: Sequence[Row]) -> Drawn:
    """The figure of an experiment as a `matplotlib.figure.Figure`."""
    from matplotlib.figure import Figure as Sheet

    what = experiment.figure
    panels = _panels(what, rows)
    across = min(2 if len(panels) < 5 else 3, len(panels))
    down = math.ceil(len(panels) / across)
    sheet = Sheet(figsize=(4.8 * across + 3.2, 4.4 * down), layout="constrained")
    shared = what.shared and not what.apart
    axes = sheet.subplots(down, across, squeeze=False, sharex=what.shared, sharey=shared)
    labels: dict[str, int] = {}
    for number, (title, part, shown) in enumerate(panels):
        axis = axes[number // across][number % across]
        _panel(axis, part, shown, labels)
        axis.set_title(title, fontsize=11)
    for number in range(len(panels), down * across):
        axes[number // across][number % across].set_axis_off()
    sheet.suptitle(experiment.title, fontsize=12)
    _legend(sheet, rows, what, labels)
    return sheet


def _panels(what: Figure, rows: Sequence[Row]) -> list[tuple[str, Figure, Sequence[Row]]]:
    """The title of each panel, what it shows, and of which rows."""
    if what.apart:
        parts = []
        for name in what.y:
            title = _name(what, name) if what.y_label else ""
            log = name in what.log_y if isinstance(what.log_y, tuple) else what.log_y
            part = replace(what, y=(name,), y_label=what.y_label or _name(what, name), log_y=log)
            parts.append((title, part, rows))
        return parts
    if not what.panel:
        return [("", what, rows)]
    values = dict.fromkeys(row.get(what.panel) for row in rows)
    return [
        (f"{what.panel} = {value}", what, [row for row in rows if row.get(what.panel) == value])
        for value in values
    ]


def _name(what: Figure, quantity: str) -> str:
    return what.names.get(quantity, quantity.replace("_", " "))


def _panel(axis: Drawn, what: Figure, rows: Sequence[Row], labels: dict[str, int]) -> None:
    names = list(dict.fromkeys(row.get(what.x) for row in rows))
    places = (
        {name: i for i, name in enumerate(names)}
        if any(isinstance(name, str) for name in names)
        else None
    )
    keys = dict.fromkeys(tuple(row.get(name) for name in what.series) for row in rows)
    for order, key in enumerate(keys):
        shift = (order - (len(keys) - 1) / 2) * what.aside
        own = [row for row in rows if tuple(row.get(name) for name in what.series) == key]
        for quantity in what.y:
            if any(_has(row, quantity) for row in own):
                label = _label(what, key, quantity)
                _series(
                    axis,
                    what,
                    _sorted(own, what.x, places, shift),
                    quantity,
                    labels.setdefault(label, len(labels)),
                )
    if places is not None:
        axis.set_xticks(
            list(places.values()),
            [str(name) for name in names],
            rotation=0 if len(names) < 5 else 20 if len(names) < 9 else 90,
        )
    axis.set_xlabel(what.x_label or what.x)
    axis.set_ylabel(what.y_label or ", ".join(what.y))
    axis.tick_params(labelbottom=True, labelleft=True)
    if places is None and not what.log_x and all(isinstance(name, int) for name in names):
        axis.xaxis.get_major_locator().set_params(integer=True)
    if not what.log_y and not what.relative and _all_whole(rows, what.y):
        axis.yaxis.get_major_locator().set_params(integer=True)
    if what.log_x:
        axis.set_xscale("log")
        if all(isinstance(name, int) for name in names):
            _whole_decades(axis)
    if what.log_y:
        axis.set_yscale("log")


def _whole_decades(axis: Drawn) -> None:
    """Label a logarithmic horizontal axis with 1, 2, 5, 10, 20, 50, ..."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axis.xaxis.set_minor_formatter(NullFormatter())


def _all_whole(rows: Sequence[Row], quantities: Sequence[str]) -> bool:
    return all(isinstance(row.get(name), int | None) for row in rows for name in quantities)


def _has(row: Row, quantity: str) -> bool:
    return any(
        row.get(name) is not None
        for name in (quantity, f"{quantity}_theory", f"{quantity}_low", f"{quantity}_high")
    )


def _label(what: Figure, key: Sequence[Value | None], quantity: str) -> str:
    parts = [
        value if isinstance(value, str) else f"{name} = {value}"
        for name, value in zip(what.series, key, strict=True)
    ]
    return ", ".join(parts + ([_name(what, quantity)] if len(what.y) > 1 or not parts else []))


def _sorted(
    rows: Sequence[Row], x: str, places: dict[Value | None, int] | None, shift: float
) -> list[tuple[Drawn, Row]]:
    """The rows with their places on the horizontal axis, from left to right."""
    found: list[tuple[Drawn, Row]] = []
    for row in rows:
        place: Drawn = places[row.get(x)] if places is not None else row.get(x)
        if place is not None:
            found.append((place + shift if shift else place, row))
    return sorted(found, key=lambda pair: pair[0])


def _series(
    axis: Drawn, what: Figure, rows: list[tuple[Drawn, Row]], quantity: str, number: int
) -> None:
    """Draw one quantity of one series: a line for the theory, dotted lines for bounds, marks for
    measurements."""
    colour, mark = COLOURS[number % len(COLOURS)], MARKS[number % len(MARKS)]
    for ending, style in (("theory", "-"), ("low", ":"), ("high", ":")):
        name = f"{quantity}_{ending}"
        scaled = ((x, _scaled(what, row, quantity, name)) for x, row in rows)
        line = [(x, y) for x, y in scaled if y is not None]
        if line:
            look: dict[str, object] = {"color": colour, "linewidth": 1.4, "zorder": 2}
            axis.plot(*zip(*line, strict=True), style, gid=f"{name}-{number}", **look)
    marks = [
        (x, value, row)
        for x, row in rows
        if (value := _scaled(what, row, quantity, quantity)) is not None
    ]
    if marks:
        xs, ys = [x for x, _, _ in marks], [y for _, y, _ in marks]
        errors = [
            BARS * (_scaled(what, row, quantity, f"{quantity}_error") or 0.0) for _, _, row in marks
        ]
        look = {
            "markersize": 5.5,
            "markerfacecolor": "white",
            "markeredgewidth": 1.4,
            "zorder": 3,
            "color": colour,
        }
        if any(errors):
            axis.errorbar(xs, ys, yerr=errors, fmt=mark, capsize=3, **look)
        else:
            axis.plot(xs, ys, mark, gid=f"{quantity}-{number}", **look)


def _scaled(what: Figure, row: Row, quantity: str, name: str) -> float | None:
    value, theory = row.get(name), row.get(f"{quantity}_theory")
    if not isinstance(value, int | float) or not math.isfinite(value):
        return None
    if not what.relative:
        return value
    return (
        value / theory
        if isinstance(theory, int | float) and theory and math.isfinite(theory)
        else None
    )


def _legend(sheet: Drawn, rows: Sequence[Row], what: Figure, labels: dict[str, int]) -> None:
    """Write beside the panels what each mark stands for, and what lines and bars mean."""
    from matplotlib.lines import Line2D

    style: Keywords = {
        "linestyle": "-",
        "markersize": 5.5,
        "markerfacecolor": "white",
        "markeredgewidth": 1.4,
    }
    handles = [
        Line2D(
            [],
            [],
            color=COLOURS[number % len(COLOURS)],
            marker=MARKS[number % len(MARKS)],
            label=label,
            **style,
        )
        for label, number in labels.items()
    ]
    said = {
        end
        for row in rows
        for name in what.y
        for end in ("theory", "low", "high")
        if row.get(f"{name}_{end}") is not None
    }
    words = [
        ("marks: measured", True),
        ("lines: theory", "theory" in said),
        ("dotted: bounds", bool(said & {"low", "high"})),
    ]
    words.append(
        (
            f"bars: {BARS} standard errors",
            any(row.get(f"{name}_error") for row in rows for name in what.y),
        )
    )
    handles += [Line2D([], [], linestyle="", label=text) for text, wanted in words if wanted]
    sheet.legend(handles=handles, loc="outside right center")
