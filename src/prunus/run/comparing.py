"""One position searched by all algorithms: their values and their work side by side."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Final

from prunus.core.analysis import Analysis
from prunus.core.errors import PrunusError
from prunus.core.game import Game, S, game_meant
from prunus.core.generic import Keywords
from prunus.core.knowledge.combining import OWN, evaluation_name
from prunus.core.knowledge.evaluation import Evaluation
from prunus.core.position import Asked, Position, position_of
from prunus.core.values import ResultError
from prunus.run.arguments import expect
from prunus.run.driver import analyze
from prunus.run.progress import Watch
from prunus.run.registry import ALGORITHMS, SEVERAL, algorithm_named
from prunus.run.request import Depth
from prunus.run.soon import compile_at_once

AFFORDABLE: Final = 1_000_000
"""If no depth is given, the most nodes that compiled plain minimax may visit at the chosen one."""

AFFORDABLE_INTERPRETED: Final = 10_000
"""The most nodes if it is interpreted."""

MOST_PLIES: Final = 40
"""The greatest depth that is chosen."""

COLUMNS: Final = ("algorithm", "value", "best", "nodes", "leaves", "cut-offs", "seconds", "")


@dataclass(frozen=True)
class Row:
    """One algorithm's search, or the reason why there is none (`problem`; too little memory, for
    instance). `agrees` says whether its value is that of the first algorithm that finished; it is
    None if there is nothing to compare, because the algorithm answers another question (`apart`) or
    was stopped."""

    algorithm: str
    found: Analysis | None = None
    problem: str = ""
    agrees: bool | None = None
    apart: str = ""

    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        if self.found is None:
            return (self.algorithm, "", "", "", "", "", "", self.problem)
        work = self.found.statistics
        symbol = {"exact": "", "lower": ">= ", "upper": "<= "}[self.found.bound]
        value = "unknown" if self.found.value is None else f"{symbol}{self.found.value}"
        note = (
            "DISAGREES"
            if self.agrees is False
            else "stopped"
            if self.found.interrupted
            else self.apart
        )
        counts = (f"{count:,}" for count in (work.nodes, work.leaves, work.cutoffs))
        return (
            self.algorithm,
            value,
            self.found.action_name(self.found.best) or "-",
            *counts,
            f"{work.seconds:.3f}",
            note,
        )


@dataclass(frozen=True, repr=False)
class Comparison:
    """The answers of all algorithms for one position. `print` shows them as a table; `agree` says
    whether those that finished found the same value."""

    game: Game
    position: str
    depth: int | None
    rows: tuple[Row, ...]
    interrupted: bool = False

    @property
    def agree(self) -> bool:
        """Whether no algorithm disagrees with another."""
        return all(row.agrees is not False for row in self.rows)

    def disagreement(self) -> str:
        """Which algorithms disagree, in a sentence; empty if none do."""
        if self.agree:
            return ""
        values: dict[int | None, list[str]] = {}
        for row in self.rows:
            if row.found is not None and row.agrees is not None:
                values.setdefault(row.found.value, []).append(row.algorithm)
        told = "; ".join(f"{value} ({', '.join(names)})" for value, names in values.items())
        return (
            f"DISAGREEMENT about {self.game.title()} {self.position}: {told}. One position has one "
            f"value: `prunus check` looks for what is "
            "wrong with the game; where it finds nothing, Prunus is wrong"
        )

    def to_dict(self) -> dict[str, object]:
        """The comparison as plain data."""
        rows = []
        for row in self.rows:
            data: dict[str, object] = {"algorithm": row.algorithm, "agrees": row.agrees}
            data |= {"problem": row.problem} if row.found is None else row.found.to_dict()
            rows.append(data)
        told = {
            "game": self.game.title(),
            "position": self.position,
            "depth": self.depth,
            "evaluation": evaluation_name(self.game),
            "agree": self.agree,
        }
        return {**told, "interrupted": self.interrupted, "algorithms": rows}

    def to_json(self) -> str:
        """`to_dict` as one line of JSON."""
        return json.dumps(self.to_dict(), default=operator.index)

    def __str__(self) -> str:
        table = [COLUMNS, *(row.cells() for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        named = evaluation_name(self.game)
        head = (
            f"{self.game.title()} {self.position}, "
            f"{'to the end' if self.depth is None else f'depth {self.depth}'}"
            f"{'' if named in (None, OWN) else f', evaluation {named}'}"
        )
        lines = [head, *(_line(cells, widths) for cells in table)]
        return "\n".join(lines + ([self.disagreement()] if not self.agree else []))

    def __repr__(self) -> str:
        return (
            f"<Comparison of {len(self.rows)} algorithms on {self.game.title()}: "
            f"{'they agree' if self.agree else 'they DISAGREE'}>"
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row.cells()) + "</tr>"
            for row in self.rows
        )
        head = "".join(f"<th>{escape(name)}</th>" for name in COLUMNS)
        return f"<table><tr>{head}</tr>{rows}</table><p>{escape(self.disagreement())}</p>"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """A line of the table: words to the left, numbers to the right."""
    words = ("algorithm", "best", "")
    shown = [
        cell.ljust(n) if name in words else cell.rjust(n)
        for name, cell, n in zip(COLUMNS, cells, widths, strict=True)
    ]
    return "  ".join(shown).rstrip()


def suitable(game: Game) -> tuple[str, ...]:
    """The names of the algorithms that can search a game: for its number of players, and for its
    repetitions."""
    if game.players > 2:
        return tuple(SEVERAL)
    return tuple(name for name in ALGORITHMS if name != "visiting" or game.repetition == "none")


def affordable_depth(game: Game, at: Position, compile: bool | None) -> int | None:
    """The number of plies that plain minimax gets with `AFFORDABLE` nodes (`AFFORDABLE_INTERPRETED`
    if it is not compiled), at most `MOST_PLIES`; None if that is the end of the game."""
    interpreted = compile is False or game.interpreted_only
    plain, most = (
        "minimax" if game.players == 2 else "maxn",
        AFFORDABLE_INTERPRETED if interpreted else AFFORDABLE,
    )
    for depth in range(1, MOST_PLIES + 1):
        found = analyze(game, at, plain, depth, nodes=most, compile=compile, book=False)
        if found.interrupted and found.statistics.nodes < most:
            raise KeyboardInterrupt
        if found.interrupted:
            return max(1, depth - 1)
        if found.statistics.evaluated == 0:
            return None
    return MOST_PLIES


def compare(
    game: Game[S],
    state: Asked[S] = None,
    depth: Depth = "usual",
    *,
    algorithms: Iterable[str] | str | None = None,
    seconds: float | None = None,
    compile: bool | None = None,
    table: float | None = None,
    position: str | None = None,
    begin: Callable[[str], None] | None = None,
    watch: Watch | None = None,
    evaluation: Evaluation | type[Evaluation] | str | None = None,
) -> Comparison:
    """Search a position with one algorithm after another, each to the same depth and with nothing
    remembered, and compare.

    depth: plies; None searches to the end of the game; by default, as deep as plain minimax gets
    with a million nodes (ten thousand if it is not compiled). algorithms: their names, or one
    name; by default, all that can search the game. seconds: how long each may take; an algorithm
    that is stopped is left out of the comparison. begin: called with the name of each algorithm
    before it begins. The other arguments are those of `analyze`.

    Ctrl-C ends the comparison; the algorithms that have been searched are compared.
    """
    game = game_meant(game, evaluation)
    expect(seconds=seconds, compile=compile, table=table, watch=watch)
    if isinstance(algorithms, str):
        algorithms = (algorithms,)
    at = position_of(game, state)
    names = tuple(algorithms) if algorithms is not None else suitable(game)
    for name in names:
        algorithm_named(name)
    for name in ("minimax", "maxn", *names):
        compile_at_once(game, name)  # times are compared
    plies = affordable_depth(game, at, compile) if depth == "usual" else depth
    how: Keywords = {
        "seconds": seconds,
        "compile": compile,
        "table": table,
        "position": position,
        "watch": watch,
        "book": False,
    }
    rows: list[Row] = []
    interrupted = False
    for name in names:
        if begin is not None:
            begin(name)
        try:
            found = analyze(game, at, name, plies, **how)
        except ResultError:
            raise  # the game's own fault, whatever the algorithm
        except (PrunusError, MemoryError) as error:
            rows.append(Row(name, problem=" ".join(str(error).split())))
            continue
        except KeyboardInterrupt:
            interrupted = True
            break
        rows.append(_judged(Row(name, found), rows))
        # Stopped before the seconds were over: that was Ctrl-C.
        if found.interrupted and (seconds is None or found.statistics.seconds < 0.9 * seconds):
            interrupted = True
            break
    return Comparison(
        game,
        game.format(at.state) if position is None else position,
        plies,
        tuple(rows),
        interrupted,
    )


def _judged(row: Row, before: Sequence[Row]) -> Row:
    """The row, with `agrees`: whether its value is that of the first row that can be compared."""
    found = row.found
    if found is None:
        return row
    algorithm = algorithm_named(row.algorithm)
    apart = algorithm.apart
    if found.game.repetition != "none" and not algorithm.heeds_repetition:
        apart = "heeds no repetitions"
    if apart or found.interrupted:
        return replace(row, apart=apart)
    known = next(
        (other.found for other in before if other.agrees is not None and other.found is not None),
        found,
    )
    return replace(row, agrees=found.value == known.value)
