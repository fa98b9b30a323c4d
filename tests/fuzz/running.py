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
from prunus.search import solver
from prunus.search.leaves import WIDEST
from prunus.search.limits import SearchError
from prunus.search.registry import ALGORITHMS
from tests.fuzz.checks import check, check_cyclic
from tests.fuzz.games import ACYCLIC, CYCLIC, Nodes
from tests.fuzz.making import TooLarge, Truth, random_game

REMEMBERING: Final = ("cached-minimax", *(name for name, each in ALGORITHMS.items() if each.table))
LARGEST: Final = {False: 2_000, True: 3_000_000}
"""The nodes of the largest tree that is searched, interpreted and compiled."""

WITHOUT_TABLE: Final = 60_000
"""The same for algorithms that remember nothing."""

OPTIONS: Final[tuple[dict[str, int], ...]] = (
    {},
    {},
    {"etc": 0, "iid": 2, "presearch": 1, "killers": 1, "counters": 1, "counts": 1},
    {"etc": 1, "iid": 0, "statics": 0},
)
CLASSES: Final[dict[str, type[Nodes]]] = {kind.__name__: kind for kind in (*ACYCLIC, *CYCLIC)}


@dataclass
class Report:
    """How many searches were made, of each algorithm, and what was wrong: the call that shows it, and the error."""

    searches: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def calls(kind: type[Nodes], name: str, truth: Truth, rng: random.Random, compile: bool) -> dict[str, Any]:
    """How to ask an algorithm this time: arguments of `analyze`."""
    how: dict[str, Any] = {"algorithm": name, "compile": compile, "depth": rng.choice((None, None, 1, 2, 3, 4, 5, 7))}
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
        how["options"] = rng.choice(OPTIONS)
    if name == "engine" and compile:
        how["threads"] = rng.choice((1, 2, 3))
    if kind not in CYCLIC and rng.random() < 0.15:
        how["prefer_faster"] = True
    elif rng.random() < 0.2:
        how["nodes"] = rng.choice((1, 2, 3, 5, 10, 20, 50, 100, 300))
    return how


def is_affordable(kind: type[Nodes], truth: Truth, how: Mapping[str, Any]) -> bool:
    """Whether a search is over soon."""
    if kind in CYCLIC:
        return True
    size, compile = truth.size(0, how["depth"]), how["compile"]
    return size <= min(LARGEST[compile], LARGEST[True] if how["algorithm"] in REMEMBERING else WITHOUT_TABLE)


@contextmanager
def solver_from(cheap: int | None) -> Iterator[None]:
    """Tests to the end of the game take over after so many nodes of deepening; None: as usual."""
    before = solver.CHEAP, solver.CHEAP_GUESS
    if cheap is not None:
        solver.CHEAP = solver.CHEAP_GUESS = cheap  # type: ignore[misc]
    try:
        yield
    finally:
        solver.CHEAP, solver.CHEAP_GUESS = before  # type: ignore[misc]


def one(kind: type[Nodes], seed: int, name: str, compile: bool, report: Report) -> None:
    """One search of a random game; what is wrong goes into the report."""
    rng = random.Random(f"{kind.__name__} {seed} {name} {compile}")
    game, truth = random_game(kind, seed)
    how = calls(kind, name, truth, rng, compile)
    if not is_affordable(kind, truth, how):
        return
    cheap = rng.choice((None, 0, 3))
    try:
        if kind in CYCLIC:
            truth.along((0,), how["depth"])
        report.searches[name] += 1
        with solver_from(cheap), warnings.catch_warnings():
            warnings.simplefilter("error")
            found = prunus.analyze(game, **how)
        truth.left = 10 * truth.left
        (check_cyclic if kind in CYCLIC else check)(found, truth, how["depth"], how)
    except TooLarge:
        return
    except SearchError as error:
        if not (how.get("prefer_faster") and "prefer_faster multiplies" in str(error) and max(map(abs, truth.worth)) >= WIDEST):
            report.wrong.append(repeated(kind, seed, name, compile, how, error))
    except Exception as error:  # whatever is wrong is reported with the call that shows it
        report.wrong.append(repeated(kind, seed, name, compile, how, error))


def repeated(kind: type[Nodes], seed: int, name: str, compile: bool, how: Mapping[str, Any], error: Exception) -> str:
    """The call that makes a search again, and what was wrong with it."""
    return f"one({kind.__name__}, {seed}, {name!r}, {compile}, Report())  # {how}: {type(error).__name__}: {error}"


def sweep(
    seeds: Sequence[int], kinds: Sequence[type[Nodes]], compile: bool, names: Sequence[str] = (), report: Report | None = None
) -> Report:
    """Every kind of game against every algorithm that knows its rules (or those named), one search of each for each seed."""
    report = Report() if report is None else report
    for seed in seeds:
        for kind in kinds:
            for name in names or ALGORITHMS:
                if name != "visiting" and (kind not in CYCLIC or name == "engine"):
                    one(kind, seed, name, compile, report)
    return report
