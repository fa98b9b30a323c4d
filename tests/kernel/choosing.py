"""Random games whose parameters choose what their rules are made of: `python -m
tests.kernel.choosing SECONDS SEED`.

Methods, functions, caches, objects, properties, records, arrays and much else (`choices.py`) are
chosen by the parameters of a class, whose games are made, searched and changed in turn. After each
step the compiled rules of all games of the program must give the numbers that Python gives, in one
process and in another that shares the saved machine code; and what stands for rules (the name of
the machine code, the meaning by which tables forget, the identity of books) must never stand for
two games that give different numbers.
"""

from __future__ import annotations

import copy
import os
import pickle
import random
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from tests.kernel.apart import apart
from tests.kernel.choices import REFUSED, WAYS
from tests.kernel.files import loaded
from tests.kernel.reports import report

SOURCE = """
import enum
import operator
import types
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, partial, wraps
from typing import NamedTuple

import numpy as np

from prunus import Game, Runtime, i64, u8
{module}


class Base(Game):
    scale = 1

    class State(NamedTuple):
        left: u8
        sum: u8

    def initial(self):
        return self.State(2, 0)

    def actions(self, state):
        return range(state.left * 5 + 1)

    def result(self, state, action):
        return self.State(state.left - 1, (state.sum * 7 + action * 3 + 1) % 23)

    def is_terminal(self, state):
        return state.left == 0

    def more(self, n):
        return n * self.scale

    def utility(self, state):
        return self.score(state.sum)


class Middle(Base):
{middle}


class G(Middle):
{cls}
    def __init__(self, {parameters}):
{init}

    def score(self, n):
        return {score}
"""


class Program(NamedTuple):
    """A random program: the text of a module, how many parameters its class has, and steps, each
    either the arguments of a new game or a change."""

    source: str
    steps: list[tuple[int, ...] | str]
    seed: int


def program(seed: int) -> Program:
    """The program of a seed."""
    made = random.Random(seed)
    ways = sorted(WAYS if seed % 8 == 0 else WAYS.keys() - REFUSED)
    names = made.sample(ways, made.randint(2, 4))
    parts: dict[str, list[str]] = {name: [] for name in ("module", "middle", "cls", "init")}
    uses, changes = [], []
    for number, name in enumerate(names):
        way = WAYS[name]

        def written(text: str, number: int = number) -> str:
            text = text.replace("{v}", "\0").replace("#", str(number))
            while "\0" in text:
                text = text.replace("\0", str(made.randrange(1, 9)), 1)
            return text.replace("{p}", f"p{number}").replace("{{", "{").replace("}}", "}")

        parts["module"].append(written(way.module))
        parts[made.choice(("cls", "cls", "middle"))].append(written(way.cls))
        parts["init"] += [written(way.init)]
        if made.random() < 0.5:
            parts["init"].append(written("self.p# = {p}"))
        uses += [written(use) for use in made.sample(way.uses, min(2, len(way.uses)))]
        changes += [written(change) for change in way.changes]
    steps: list[tuple[int, ...] | str] = []
    for _ in range(7):
        if changes and made.random() < 0.45 and steps:
            steps.append(made.choice(changes))
        else:
            steps.append(tuple(made.randrange(3) for _ in names))
    score = " + ".join(f"({use}) * {3 + 2 * i}" for i, use in enumerate(uses))
    parameters = ", ".join(f"p{number}=0" for number in range(len(names)))
    return Program(source(score=score, parameters=parameters, **parts), steps, seed)


def source(
    module: Iterable[str] = (),
    middle: Iterable[str] = (),
    cls: Iterable[str] = (),
    init: Iterable[str] = (),
    score: str = "n",
    parameters: str = "p0=0",
) -> str:
    """The text of a module: what its parts contain, and the score of a number."""
    return SOURCE.format(
        module="\n".join(module),
        middle=_inside("pass", *middle),
        cls=_inside("pass", *cls),
        parameters=parameters,
        init=textwrap.indent(_inside("pass", *init), "    "),
        score=score,
    )


def _inside(*texts: str) -> str:
    return textwrap.indent("\n".join(text for text in texts if text), "    ")


NUMBERS = range(12)


def read(game: Any, state: Any, memory: Any) -> int:
    """What is compiled: the score of each number."""
    for n in range(12):
        memory.out[n] = game.score(n)
    return 0


class Found(NamedTuple):
    """What a process finds: how often compiled code agrees, was refused and differs; what differs
    and was refused; and what stood for which numbers."""

    counts: Counter[str]
    lines: list[str]
    names: dict[tuple[str, str], str]


def followed(made: Program, folder: Path, silent: int) -> Found:
    """Follow a program, without searches in the first `silent` steps."""
    module = loaded(made.source, folder / f"chosen_{made.seed}.py")
    games: list[Any] = []
    found = Found(Counter(), [], {})
    table: list[Any] = []
    for count, step in enumerate(made.steps):
        if isinstance(step, tuple):
            games.append(module.G(*step))
        else:
            module.game = games[-1]  # type: ignore[attr-defined]
            try:
                exec(step, module.__dict__)  # noqa: S102 - our own text
            except Exception as error:
                found.lines.append(f"broken: {step}: {error!r}")
        if count < silent:
            continue
        for number, game in enumerate(games[-3:]):
            label = f"step {count}, game {max(0, len(games) - 3) + number}"
            _compared(game, label, found)
        _searched(games[-1 - count % min(2, len(games))], f"step {count}", table, found, count)
    return found


def scores(game: Any) -> list[Any]:
    """The score of each number by Python, or the kind of error."""
    found: list[Any] = []
    for n in NUMBERS:
        try:
            found.append(int(game.score(n)))
        except Exception as error:
            found.append(type(error).__name__)
    return found


def compiled_scores(game: Any) -> list[Any]:
    """The same by compiled code. Raises what that raises."""
    from prunus.kernel.compiling.compiled import compile_function
    from prunus.kernel.memory import Memory

    game.freeze()
    memory = Memory({"out": ("i64", 12)})
    given = {"game": game, "state": game.initial(), "memory": memory}
    compile_function(read, given)(game, game.initial(), memory)
    return [int(value) for value in memory.out]


def _compared(game: Any, label: str, found: Found) -> None:
    """Compare the scores of a game, and note what stands for its rules."""
    from prunus.kernel.code.rules import meaning_of
    from prunus.kernel.reporting.messages import CannotCompile
    from prunus.tables.errors import BookError
    from prunus.tables.identity import identity

    game.freeze()
    truth, told = scores(game), ""
    try:
        made = compiled_scores(game)
        kind, told = "agrees" if made == truth else "differs", str(made)
    except CannotCompile as error:
        kind, told = "refused", error.reason
    except Exception as error:
        kind, told = "stops", repr(error)
    found.counts[kind] += 1
    if kind != "agrees":
        found.lines.append(f"{kind}: {label}: {told}, {truth}")
    stands = [("meaning", repr(meaning_of(game)[1:]))]
    try:
        stands.append(("identity", identity(game)))
    except BookError:
        found.counts["no identity"] += 1
    for name in stands:
        if found.names.setdefault(name, str(truth)) != str(truth):
            found.counts["differs"] += 1
            found.lines.append(f"differs: {label}: one {name} for two games")


def _value(game: Any, state: Any) -> int:
    """The value of a State by the rules alone."""
    if game.is_terminal(state):
        return int(game.utility(state))
    return max(-_value(game, game.result(state, action)) for action in game.actions(state))


def _searched(game: Any, label: str, table: list[Any], found: Found, count: int) -> None:
    """A search of a game, or of a copy; with a table that served other games before, too."""
    import prunus

    kind = count % 4
    try:
        if kind == 1:
            game = copy.deepcopy(game)
        elif kind == 2:
            game = pickle.loads(pickle.dumps(game))  # noqa: S301 - our own
    except (AttributeError, TypeError, pickle.PicklingError):
        pass
    try:
        truth = _value(game, game.initial())
    except Exception:
        return
    if not table:
        table.append(prunus.TranspositionTable(1, game, game.initial()))
    try:
        if kind == 3:
            value = prunus.solve(game, table=table[0], compile=False).value
        else:
            value = prunus.solve(game, algorithm="minimax", compile=kind != 0 or None).value
    except prunus.PrunusError:
        return
    agrees = value == truth
    found.counts["agrees" if agrees else "differs"] += 1
    if not agrees:
        found.lines.append(f"differs: {label}: solve ({kind}) {value}, {truth}")


def compared(seed: int, limit: float = 120.0, processes: int = 2) -> tuple[Counter[str], list[str]]:
    """What several processes find that share saved machine code."""
    made = program(seed)
    counts: Counter[str] = Counter()
    lines: list[str] = []
    names: dict[tuple[str, str], str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for silent in range(0, 2 * processes, 2):

            def run(silent: int = silent) -> Found:
                os.environ["PRUNUS_CACHE_DIR"] = f"{folder}/cache"
                return followed(made, Path(folder), silent)

            found: Found = apart(run, limit)
            counts += found.counts
            lines += [f"{line} (from step {silent})" for line in found.lines]
            for name, truth in found.names.items():
                if names.setdefault(name, truth) != truth:
                    counts["differs"] += 1
                    lines.append(f"differs: one {name} in two processes for two games")
    return counts, lines


if __name__ == "__main__":
    if sys.argv[1] == "0":
        print(program(int(sys.argv[2])).source, *program(int(sys.argv[2])).steps, sep="\n# ")
    else:
        report(compared, float(sys.argv[1]), int(sys.argv[2]))
