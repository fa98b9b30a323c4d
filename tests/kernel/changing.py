"""Random rules that change while a program runs: `python -m tests.kernel.changing SECONDS SEED`.

A small game's rules read constants of many kinds, kept in many places (the module, classes, another
module, defaults, closures), through helpers at random depth. A program searches, changes something,
and searches again, with the same object or a new one, interpreted and compiled; then another
process that shares the saved machine code does the same from its own start. Each value is compared
with that of a plain negamax over rules made afresh with the changes so far, in a process that has
never searched.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import types
from collections import Counter
from typing import Any, NamedTuple

from tests.kernel.apart import apart
from tests.kernel.reports import report

SOURCE = """
import enum, sys, types
from typing import NamedTuple
import numpy as np
from prunus import Game, u8

class Side(enum.IntEnum):
    A = 1
    B = 4

class Pair(NamedTuple):
    a: int
    b: int

    def total(self, n):
        return self.a * n - self.b

class Rules:
    kept = 2

other = types.ModuleType("other")

def one(n):
    return n * 2 + 1

def two(n):
    return n % 3

class Base(Game):
    class State(NamedTuple):
        left: u8
        sum: u8

    def __init__(self):
        self.start = 4

    def initial(self):
        return self.State(self.start, 0)

    def actions(self, state):
        for n in range(1, 3):
            if n <= state.left and (n == 1 or self.may(state.left)):
                yield n

    def result(self, state, action):
        return self.State(state.left - action, (state.sum * 2 + action) % 50)

    def is_terminal(self, state):
        return state.left == 0

class G(Base):
    def may(self, n):
        return last(n) % 2 == 0

    def utility(self, state):
        return last(state.sum) - self.more(state.sum)

    def more(self, n):
        return 3
"""

KINDS = {
    "int": ("3", "0", "-2", "5", "7", "True", "Side.A", "Side.B", "1 << 20"),
    "range": ("range(4)", "range(1, 9, 2)", "range(9)", "range(2)", "range(1, 9, 3)"),
    "slice": ("slice(0, 2)", "slice(1, 4)", "slice(None, None, 2)", "slice(0, 3)"),
    "tuple": ("(1, 2, 3, 5)", "(4, 0, 2, 2)", "(1, 2, 3, 7)", "(1, 2, True, 5)", "(1, 2)"),
    "nested": ("((1, 2), (3, 4))", "((1, 2), (3, 5))", "((0, 2), (3, 4))"),
    "list": ("[1, 2, 3, 5]", "[4, 0, 2]", "[[1], [2]][0]"),
    "dict": ("{1: 2, 3: 4}", "{1: 2, 3: 5}", "{0: 7}"),
    "set": ("{1, 2}", "{1, 3}", "frozenset((0, 2))"),
    "array": ("np.array([1, 2, 3])", "np.array([1, 2, 4])", "np.array([5, 0])"),
    "text": ('"abc"', '"abd"', '"x"'),
    "pair": ("Pair(1, 2)", "Pair(1, 3)", "Pair(0, 0)"),
    "pairs": ("(Pair(1, 2), Pair(4, 3))", "[Pair(1, 3), Pair(2, 2)]", "(Pair(1, 2), Pair(0, 3))"),
    "pair dict": ("{0: Pair(1, 2), 1: Pair(3, 4)}", "{0: Pair(5, 2), 1: Pair(3, 1)}"),
    "function": ("one", "two"),
    "functions": ("(one, two)", "(two, one)", "(one, one)"),
}
"""Values of each kind, as they are written."""

USES = {
    "int": ("{k}", "n * {k}", "(n > {k})", "(5 if {k} else n)"),
    "range": ("sum({k})", "(n in {k})", "len({k})", "sum(v * n for v in {k})"),
    "slice": ("sum((4, 1, 3, 2, 6)[{k}])", "len((4, 1, 3, n, 6)[{k}])"),
    "tuple": ("{k}[n % 2]", "sum({k})", "(n in {k})", "len({k})"),
    "nested": ("{k}[n % 2][1]", "sum(a * b for a, b in {k})"),
    "list": ("{k}[n % len({k})]", "sum({k})", "(n in {k})"),
    "dict": ("{k}.get(n, 3)", "(n in {k})", "sum({k}.values())"),
    "set": ("(n in {k})", "len({k})", "sum(v for v in {k})"),
    "array": ("int({k}[n % 2])", "int({k}.sum())", "len({k})"),
    "text": ("len({k})", '({k} == "abc")', '{k}.count("b")', "ord({k}[0])"),
    "pair": ("{k}.b", "({k}.a + n)", "sum({k})", "{k}.total(n)"),
    "pairs": ("{k}[n % 2].a", "sum(p.b * n for p in {k})", "{k}[n % 2].total(n)"),
    "pair dict": ("{k}[n % 2].a", "{k}[n % 2].total(3)", "sum(p.b for p in {k}.values())"),
    "function": ("{k}(n)",),
    "functions": ("{k}[n % 2](n)", "sum(f(n) for f in {k})"),
}

INSIDE = {
    "list": ("{k}[0] = {v}", "{k}.append({v})", "{k}[:] = [{v}, 2]"),
    "dict": ("{k}[3] = {v}", "{k}[{v}] = 9", "{k}.pop(1, 0)"),
    "set": ("{k} |= {{{v}}}",),
    "array": ("{k}[1] = {v}", "{k} += 1"),
}
"""Changes inside a value."""

HOMES = ("{n}", "{n}", "Rules.{n}", "other.{n}", "G.{n}", "Base.{n}")
"""How constants are written."""


FORMS = ("plain", "plain", "default", "keyword", "closure")
CHANGED = {
    "default": "{f}.__defaults__ = ({v},)",
    "keyword": "{f}.__kwdefaults__['k'] = {v}",
    "closure": "change_{f}({v})",
    "plain": "{f}.__code__ = (lambda n: n + {v}).__code__",
}
"""The forms of functions, and how they are changed without being defined again."""

METHODS = (
    "G.more = lambda self, n: {use} % 50",
    "G.may = lambda self, n: {use} % 3 == 0",
    "Base.actions = lambda self, state: range(1, 2 + (state.left > 2))",
    "G.is_terminal = lambda self, state: state.left <= {v} % 3",
)
"""Changes of methods."""


RECORDS = (
    "Pair.total = lambda self, n: (self.a + self.b) * n + {v}",
    "class Pair(NamedTuple):\n    b: int\n    a: int\n    def total(self, n):\n"
    "        return self.b * n + {v}",
    "class Pair(NamedTuple):\n    a: int\n    b: int\n    c: int = {v}\n    def total(self, n):\n"
    "        return self.c * n + self.a",
)
"""Changes of the record's methods, and its definitions anew, as when a cell is run again: what was
made of the old class stays as it is."""


class Constant(NamedTuple):
    """A constant of the rules: how it is written, and its kind."""

    name: str
    kind: str


class Maker:
    """Makes the text of a module and changes to it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.constants: list[Constant] = []
        self.functions: list[str] = []
        self.forms: dict[str, str] = {}
        lines = [SOURCE]
        for number in range(self.random.randint(2, 4)):
            kind = self.random.choice(tuple(KINDS))
            constant = Constant(self.random.choice(HOMES).format(n=f"K{number}"), kind)
            self.constants.append(constant)
            lines.append(self.bound(constant))
        for number in range(self.random.randint(1, 3)):
            lines.append(self.defined(f"f{number}"))
            self.functions.append(f"f{number}")
        lines.append(self.defined("last"))
        self.functions.append("last")
        self.source = "\n".join(lines) + "\n"

    def bound(self, constant: Constant) -> str:
        """A line that binds a constant to a value of its kind."""
        return f"{constant.name} = {self.random.choice(KINDS[constant.kind])}"

    def used(self, name: str = "") -> str:
        """An expression of n that uses a constant or a function."""
        known = [each for each in self.functions if each != name]
        if known and self.random.random() < 0.4:
            return f"{known[-1]}({self.random.choice(('n', 'n + 1', '3'))})"
        constant = self.random.choice(self.constants)
        return self.random.choice(USES[constant.kind]).format(k=constant.name)

    def defined(self, name: str) -> str:
        """The definition of a function, which may have a default or read a closure."""
        before = self.functions
        if name in before:
            self.functions = before[: before.index(name)]
        body = f"{self.used(name)} * 2 + {self.used(name)}"
        self.functions = before
        kind, number = self.random.choice(FORMS), self.random.randrange(9)
        self.forms[name] = kind
        if kind == "default":
            return f"def {name}(n, k={number}):\n    return ({body} + k) % 97"
        if kind == "keyword":
            return f"def {name}(n, *, k={number}):\n    return ({body} + k) % 97"
        if kind == "closure":
            return (
                f"def make_{name}(k):\n    def {name}(n):\n        return ({body} + k) % 97\n"
                f"    def change(new):\n        nonlocal k\n        k = new\n"
                f"    return {name}, change\n{name}, change_{name} = make_{name}({number})"
            )
        return f"def {name}(n):\n    return ({body}) % 97"

    def change(self) -> str:
        """A change to the rules, as a user would write it in a notebook."""
        kind, value = self.random.randrange(8), self.random.randrange(9)
        name = self.random.choice(self.functions)
        constant = self.random.choice(self.constants)
        if constant.kind.startswith("pair") and self.random.random() < 0.6:
            change = self.random.choice(RECORDS).format(v=value)
            return f"{change}\n{self.bound(constant)}" if self.random.random() < 0.7 else change
        if kind == 0:
            return self.defined(name)
        if kind < 3 and self.forms[name] in CHANGED:
            return CHANGED[self.forms[name]].format(f=name, v=value)
        if kind == 3:
            return self.random.choice(METHODS).format(f=name, v=value, use=self.used())
        if kind < 6 and constant.kind in INSIDE:
            inside = self.random.choice(INSIDE[constant.kind])
            return inside.format(k=constant.name, v=value)
        return self.bound(constant)


def made(source: str, name: str = "changing_rules") -> types.ModuleType:
    """The module of a source, registered as an imported one is."""
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(source, f"{name}.py", "exec"), module.__dict__)  # noqa: S102 - our own text
    return module


def negamax(game: Any, state: Any) -> int:
    """The value of a State for the player to move, by the rules alone."""
    if game.is_terminal(state):
        return int(game.utility(state))
    return max(-negamax(game, game.result(state, action)) for action in game.actions(state))


def truths(source: str, changes: list[str]) -> list[Any]:
    """The value of the game after each number of changes; the kind of error if there is none."""
    found: list[Any] = []
    for count in range(len(changes) + 1):
        module = made(source)
        try:
            for change in changes[:count]:
                exec(change, module.__dict__)  # noqa: S102 - our own text
            game = module.G()
            found.append(negamax(game, game.initial()))
        except Exception as error:
            found.append(type(error).__name__)
    return found


def searched(source: str, changes: list[str], first: int) -> list[tuple[str, Any]]:
    """What searches say after each change from number `first` on: ("compiled", "interpreted" and
    the object), value or kind of error."""
    import prunus
    from prunus.kernel.reporting.messages import CannotCompile

    module = made(source)
    game = None
    found: list[tuple[str, Any]] = []
    for count in range(len(changes) + 1):
        if count:
            exec(changes[count - 1], module.__dict__)  # noqa: S102 - our own text
        if count < first:
            continue
        game = game or module.G()
        for each, compile in ((game, True), (module.G(), count % 2 == 0), (game, False)):
            label = f"{'compiled' if compile else 'interpreted'}, change {count}"
            try:
                answer = prunus.analyze(
                    each, algorithm="minimax", depth=None, compile=compile, threads=1
                )
                found.append((label, answer.value))
            except CannotCompile as error:
                found.append((label, f"refused: {error.reason}"))
            except Exception as error:
                found.append((label, type(error).__name__))
    return found


def compared(seed: int, limit: float = 120.0) -> tuple[Counter[str], list[str]]:
    """Number of searches that agree, were refused and differ; the messages of the last two."""
    maker = Maker(seed)
    changes = [maker.change() for _ in range(5)]
    truth = apart(lambda: truths(maker.source, changes), limit)
    counts: Counter[str] = Counter()
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for first in (0, maker.random.randint(1, 5)):

            def run(first: int = first) -> list[tuple[str, Any]]:
                os.environ["PRUNUS_CACHE_DIR"] = folder
                return searched(maker.source, changes, first)

            for label, value in apart(run, limit):
                right = truth[int(label.rpartition(" ")[2])]
                refused = str(value).startswith("refused: ")
                kind = "refused" if refused else "agrees" if value == right else "differs"
                counts[kind] += 1
                if kind != "agrees":
                    lines.append(f"{kind} {seed}, from change {first}: {label}: {value}, {right}")
    return counts, lines


if __name__ == "__main__":
    if sys.argv[1] == "0":
        maker = Maker(int(sys.argv[2]))
        changes = [maker.change() for _ in range(5)]
        print(maker.source, *changes, truths(maker.source, changes), sep="\n# --\n")
    else:
        report(compared, float(sys.argv[1]), int(sys.argv[2]))
