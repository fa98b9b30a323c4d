"""An experiment: rows of parameters, a measurement of each, what the theory says about it, and a
figure. Declared, not programmed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from prunus.core.errors import PrunusError

Value = int | float | str
Point = Mapping[str, Value]
"""The parameters of one row, in the order of its columns: {"d": 3, "h": 6, "model": "uniform"}."""


class LabError(PrunusError, ValueError):
    """An experiment cannot be run as asked: bad parameters, a journal of another run, not enough
    memory. The message says what to do."""


class Moments(NamedTuple):
    """Sums over samples: their number, the sum of x, the sum of x squared. Integers stay exact."""

    count: int  # type: ignore[assignment]  # the natural name, although tuples have a method of it
    total: int | float
    squares: int | float

    def __add__(self, other: object) -> Moments:
        if not isinstance(other, Moments):
            return NotImplemented
        return Moments(
            self.count + other.count, self.total + other.total, self.squares + other.squares
        )


def once(value: int | float) -> Moments:
    """The moments of one exact number."""
    return Moments(1, value, value * value)


@dataclass(frozen=True)
class Figure:
    """A figure: measurements as marks with error bars, theory as lines of the same colour.

    x: the parameter on the horizontal axis. y: the quantities, each a series of its own. series:
    parameters whose values make further series. panel: a parameter with one panel for each of its
    values ("": a single panel). relative: divide measurements and bounds by the theory, so that
    perfect agreement is the line 1. shared: all panels have the same scale. names: names of
    quantities in the legend, if their own are not suitable. apart: each quantity has a panel of its
    own, under its name; there is no other `panel` then. log_y: a logarithmic scale, or the
    quantities that have one in their own panels. aside: the distance between the marks of two
    series at the same x, around which all stand, for series that would hide each other.
    """

    x: str
    y: tuple[str, ...]
    series: tuple[str, ...] = ()
    panel: str = ""
    x_label: str = ""
    y_label: str = ""
    log_x: bool = False
    log_y: bool | tuple[str, ...] = False
    relative: bool = False
    shared: bool = True
    apart: bool = False
    aside: float = 0.0
    names: Mapping[str, str] = field(default_factory=dict)


def _exact(point: Point, quick: bool) -> int:
    return 0


def _silent(point: Point) -> Mapping[str, float]:
    return {}


def _nothing() -> None:
    pass


def _accept(point: Point) -> None:
    pass


def _small(point: Point) -> int:
    return 0


def _millisecond(point: Point) -> float:
    return 1e-3


def _unsaid(rows: Sequence[Mapping[str, Value | None]]) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """An experiment.

    name: the NAME of `prunus lab run NAME`. title: one line. source: "Knuth & Moore 1975, corollary
        2".
    says: a paragraph of the docs page (Markdown): what the theorem says. errs: another paragraph:
        where the source errs; may be empty.
    points: all rows; with True, the small set of `--quick`.
    samples: the number of samples of a row (the second argument: quick); 0: the row is exact, and
        is measured once with count 1.
    measure: (point, seed, count) -> the moments of each quantity over `count` samples. Pure: it
        depends only on its arguments. It runs in other processes, so it and `warm` are functions of
        a module (or partials of them), not lambdas. The seed has 63 bits.
    theory: the theory's value of a quantity `q` under "q"; its bounds under "q_low" and "q_high".
        May be empty.
    block: the samples of one task, chosen so that it takes about a second or less; changing it
        changes the random numbers.
    warm: compiles what is needed; called once in each process, before it measures.
    check: raises ValueError for parameters of `--set` that make no sense; called for all points
        before any work.
    memory: the bytes that one process needs for a point; checked before any work.
    cost: roughly the seconds that a sample takes on one core. Used to estimate the time left and to
        start costly blocks first; no result depends on it.
    finding: a sentence on the docs page about the finished table (its rows, as dictionaries); it is
        followed by the standard sentences about any table: rows, samples, distance from the theory.
    version: incremented when `measure` counts something different, so that journals of the old
        version are not resumed.
    """

    name: str
    title: str
    says: str
    source: str
    points: Callable[[bool], Sequence[Point]]
    measure: Callable[[Point, int, int], Mapping[str, Moments]]
    figure: Figure
    samples: Callable[[Point, bool], int] = _exact
    theory: Callable[[Point], Mapping[str, float]] = _silent
    block: int = 10_000
    warm: Callable[[], None] = _nothing
    check: Callable[[Point], None] = _accept
    memory: Callable[[Point], int] = _small
    cost: Callable[[Point], float] = _millisecond
    finding: Callable[[Sequence[Mapping[str, Value | None]]], str] = _unsaid
    errs: str = ""
    version: int = 1
