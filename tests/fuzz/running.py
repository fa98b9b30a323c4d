"""Random games against every algorithm: what is run, and what went wrong."""

from __future__ import annotations

import random
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import prunus
from prunus.algorithms.leaves import WIDEST
from prunus.core.errors import SearchError
from prunus.engine.options import Options
from prunus.run import solver
from prunus.run.registry import ALGORITHMS
from tests.fuzz.checks import check, check_cyclic, check_selective
from tests.fuzz.games import ACYCLIC, CYCLIC, Nodes
from tests.fuzz.making import TooLarge, Truth, random_game

REMEMBERING: Final = ("cached-minimax", *(name for name, each in ALGORITHMS.items() if each.table))
LARGEST: Final = {False: 2_000, True: 3_000_000}
"""The largest trees, in nodes, that are searched interpreted and compiled."""

WITHOUT_TABLE: Final = 60_000
"""The same for algorithms that remember nothing."""

OPTIONS: Final[tuple[dict[str, int], ...]] = (
    {},
    {},
    {"etc": 0, "iid": 2, "presearch": 1, "killers": 1, "counter_moves": 1, "history": 1},
    {"etc": 1, "iid": 0, "bounds": 0},
)
SELECTIVE: Final = [
    name for name in Options.SELECTIVE if name not in ("behind", "null_move", "probcut")
]
"""Options that may change the value, and with which any game may be searched."""

CLASSES: Final[dict[str, type[Nodes]]] = {kind.__name__: kind for kind in (*ACYCLIC, *CYCLIC)}


@dataclass
class Report:
    """The number of searches with each algorithm, and what was wrong: the call that shows it, and
    the error."""

    searches: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def calls(
    kind: type[Nodes], name: str, truth: Truth, rng: random.Random, compile: bool
) -> dict[str, Any]:
    """The arguments of `analyze` for this search."""
    how: dict[str, Any] = {
        "algorithm": name,
        "compile": compile,
        "depth": rng.choice((None, None, 1, 2, 3, 4, 5, 7)),
    }
    if name in ("labelling", "open-list-minimax", "open-list-alphabeta", "sss-stockman"):
        how["room"] = 1 << 17
    elif name == "cached-minimax":
        how["room"] = rng.choice((1, 16, 1 << 17))
    chance = rng.random()
    if chance < 0.25:
        how["all_moves"] = True
    elif chance < 0.4:
        how["multi_pv"] = rng.choice((2, 3))
    if ALGORITHMS[name].table:
        how["table"] = rng.choice((0, 0.0001, 0.001, 0.01, 0.1))
    if name == "engine" and not compile:
        how["options"] = (
            rng.choice(OPTIONS)
            if rng.random() < 0.8
            else {n: rng.choice((1, 2, 3, 20)) for n in rng.sample(SELECTIVE, 2)}
        )
    if name == "engine" and compile:
        how["threads"] = rng.choice((1, 2, 3))
    if kind not in CYCLIC and rng.random() < 0.15:
        how["prefer_faster"] = True
    elif rng.random() < 0.2:
        how["nodes"] = rng.choice((1, 2, 3, 5, 10, 20, 50, 100, 300))
    return how


def is_affordable(kind: type[Nodes], truth: Truth, how: Mapping[str, Any]) -> bool:
    """Whether a search ends soon."""
    if kind in CYCLIC:
        return True
    size, compile = truth.size(0, how["depth"]), how["compile"]
    return size <= min(
        LARGEST[compile], LARGEST[True] if how["algorithm"] in REMEMBERING else WITHOUT_TABLE
    )


@contextmanager
def solver_from(cheap: int | None) -> Iterator[None]:
    """The number of nodes of deepening after which tests to the end of the game take over; None: as
    usual."""
    before = solver.CHEAP, solver.CHEAP_GUESS
    if cheap is not None:
        solver.CHEAP = solver.CHEAP_GUESS = cheap  # type: ignore[misc]
    try:
        yield
    finally:
        solver.CHEAP, solver.CHEAP_GUESS = before  # type: ignore[misc]


def again(
    kind: type[Nodes],
    seed: int,
    how: dict[str, Any],
    cheap: int | None = None,
    report: Report | None = None,
) -> Report:
    """A search of a random game with these arguments; what is wrong goes into the report."""
    report = Report() if report is None else report
    game, truth = random_game(kind, seed)
    try:
        if kind in CYCLIC:
            truth.along((0,), how["depth"])
        report.searches[how["algorithm"]] += 1
        with solver_from(cheap), warnings.catch_warnings():
            warnings.simplefilter("error")
            found = prunus.analyze(game, **how)
        truth.left = 10 * truth.left
        if Options.of(game, how.get("options")).is_selective():
            check_selective(found, truth)
        else:
            (check_cyclic if kind in CYCLIC else check)(found, truth, how["depth"], how)
    except TooLarge:
        pass
    except Exception as error:  # whatever is wrong is reported with the call that shows it
        too_large = how.get("prefer_faster") and max(map(abs, truth.worth)) >= WIDEST
        if not (
            isinstance(error, SearchError)
            and too_large
            and "prefer_faster multiplies" in str(error)
        ):
            report.wrong.append(
                f"again({kind.__name__}, {seed}, {how}, {cheap})  # {type(error).__name__}: {error}"
            )
    return report


def one(kind: type[Nodes], seed: int, name: str, compile: bool, report: Report) -> None:
    """One search of a random game by an algorithm, in one of many ways."""
    rng = random.Random(f"{kind.__name__} {seed} {name} {compile}")
    how = calls(kind, name, random_game(kind, seed)[1], rng, compile)
    if is_affordable(kind, random_game(kind, seed)[1], how):
        again(kind, seed, how, rng.choice((None, 0, 3)), report)


def sweep(
    seeds: Sequence[int],
    kinds: Sequence[type[Nodes]],
    compile: bool,
    names: Sequence[str] = (),
    report: Report | None = None,
) -> Report:
    """Every kind of game against every algorithm that knows its rules (or those named), one search
    of each for each seed."""
    report = Report() if report is None else report
    for seed in seeds:
        for kind in kinds:
            for name in names or ALGORITHMS:
                if name != "visiting" and (kind not in CYCLIC or name == "engine"):
                    one(kind, seed, name, compile, report)
    return report
