"""Kinds of values crossed with operations, compared between Python and compiled code: `python -m
tests.kernel.crossing [--kinds NAMES] [--only PARTS] [--share 0.1] [--seed 1]`.

`crossed/kinds.txt` has the kinds: after a line `=== NAME`, how `v` and another value of the kind,
`w`, come about in rules, from x, y, b, t and the State; what stands in the module, in the class and
in `__init__` follows `--- module`, `--- class` and `--- init`. `crossed/operations.txt` has what is
done to them, in paragraphs: expressions, one a line, then statements that leave a result in `r`.

Each kind and operation are a method of a game. Its result is brought to a number, as its types in
Python demand. The method must give the same number on both backends for a dozen States, or raise
the same kind of error, or be refused in words, with its line.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import textwrap
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from prunus.kernel.reporting.messages import CannotCompile
from tests.kernel.apart import Ended, apart
from tests.kernel.battery import BOARDS, FIELDS, MOVED, TEMPLATE, positions
from tests.kernel.digesting import digest, joined, shape
from tests.kernel.files import loaded

FOLDER = Path(__file__).parent / "crossed"

MODULE = """
def helper(item):
    return item

def named(*, item):
    return item

def by_default(one, two=None):
    return one if two is None else two

def helped(item):
    return helper(item)

def both_ways(item, n):
    if n % 2:
        return item
    return item

def either(one, two, n):
    return one if n % 2 else two

def is_known(item):
    return item is not None

def first_of(items):
    return items[0]

def pair_of(item):
    return item, 1

def list_of(item):
    return [item]

def maybe(item, n):
    if n % 2:
        return None
    return item

def truth_of(item):
    return bool(item)

def opposite(item):
    return not item

def counted_of(items):
    n = 0
    for _ in items:
        n += 1
    return n

def recursive(item, n):
    if n == 0:
        return item
    return recursive(item, n - 1)
"""

CLS = """
def method(self, item):
    return item

def generated(self, items):
    return sum(1 for _ in items)

def yielding(self, items):
    for item in items:
        yield item
"""

SEARCH = """

def run(game, state, memory):
    which = memory.which[0]
{cases}
    return 0
"""


_COUNTED = re.compile(r"pow\(2|<< v|range\(v|range\(1, v|\[v\] \* |\* v")
"""What takes endless time or memory in Python if `v` is huge."""


class Kind(NamedTuple):
    """A kind of values."""

    name: str
    body: str
    module: str
    cls: str
    init: str
    huge: bool


def kinds() -> list[Kind]:
    """All kinds, in the order of the file."""
    return [_kind(text) for text in (FOLDER / "kinds.txt").read_text().split("=== ")[1:]]


def _kind(text: str) -> Kind:
    name, _, rest = text.partition("\n")
    body, *parts = re.split(r"^--- ", rest, flags=re.MULTILINE)
    named = {part.partition("\n")[0]: part.partition("\n")[2] for part in parts}
    module, cls, init = (named.get(part, "") for part in ("module", "class", "init"))
    return Kind(name, body, module, cls, init, "huge" in named)


def operations() -> list[str]:
    """All operations, as statements that leave `r`."""
    expressions, *statements = (FOLDER / "operations.txt").read_text().strip().split("\n\n")
    return [*(f"r = {line}" for line in expressions.splitlines()), *statements]


# Games of many methods.


class Case(NamedTuple):
    """An operation on a kind; the lines that make its result a number."""

    kind: Kind
    operation: str
    ending: tuple[str, ...] = ()

    def method(self, name: str) -> str:
        """A method of the game."""
        lines = [
            "x, y, b, t = state.x, state.y, state.b, state.t",
            *self.kind.body.splitlines(),
            *self.operation.splitlines(),
            *(self.ending or ("return r",)),
        ]
        return f"def {name}(self, state):\n" + textwrap.indent("\n".join(lines), "    ")


def module(cases: list[Case], path: Path) -> Any:
    """The module of the game with these methods, all of one kind, and of `run`, which calls the
    one that the memory says."""
    kind = cases[0].kind
    methods = [case.method(f"case{i}") for i, case in enumerate(cases)]
    text = TEMPLATE.format(
        module=kind.module + MODULE,
        cls=textwrap.indent("\n\n".join([kind.cls, CLS, *methods]), "    "),
        init=textwrap.indent(kind.init, " " * 8),
        body=" " * 8 + "return 0",
        fields=FIELDS,
        start=BOARDS,
        after=MOVED,
    )
    calls = [
        f"    if which == {i}:\n        memory.out[0] = game.case{i}(state)"
        for i in range(len(cases))
    ]
    return loaded(text + SEARCH.format(cases="\n".join(calls)), path)


def _value(call: Callable[[], Any]) -> Any:
    try:
        return int(call())
    except Exception as error:
        return type(error).__name__


class Found(NamedTuple):
    """What came of a case: "agrees", "stops", "refused", "differs" or "broken"."""

    case: Case
    outcome: str
    message: str
    where: str


def prepared(kind: Kind, chosen: list[str], folder: Path) -> list[Case]:
    """The cases of a kind, each with the lines that bring its result to a number."""
    raw = [Case(kind, operation) for operation in chosen]
    valid = [case for case in raw if _compiles(case)]
    game = module(valid, folder / f"raw_{kind.name}.py").G()
    game.freeze()
    states = positions(game)
    made = []
    for i, case in enumerate(valid):
        shapes: list[Any] = []
        for state in states:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    shapes.append(shape(getattr(game, f"case{i}")(state)))
            except Exception:  # noqa: S110, PERF203 - what Python raises is looked at later
                pass
        # What raises in all States has no result.
        lines = ["h = 7", *digest(joined(shapes), "r"), "return h"]
        made.append(case._replace(ending=tuple(lines if shapes else ["return 1 if r else 2"])))
    return made


def _compiles(case: Case) -> bool:
    if case.kind.huge and _COUNTED.search(case.operation):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(case.method("case"), "case", "exec")
    except SyntaxError:
        return False
    return True


def examined(cases: list[Case], folder: Path) -> Iterator[Found]:
    """The outcomes of cases of one kind. Those that are refused leave the game one by one."""
    left, number = list(cases), 0
    while left:
        number += 1
        made = module(left, folder / f"c{abs(hash(left[0])) % 10**9}_{number}_{len(left)}.py")
        game = made.G()
        game.freeze()
        states = positions(game)
        memory = Memory({"out": ("i64", 1), "which": ("i64", 1)})
        arguments = {"game": game, "state": states[0], "memory": memory}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compiled = compile_function(made.run, arguments)
        except CannotCompile as error:
            culprit = _culprit(error, made, left)
            if culprit is None and len(left) > 1:
                half = len(left) // 2
                yield from examined(left[:half], folder)
                yield from examined(left[half:], folder)
                return
            culprit = culprit or 0
            yield Found(left[culprit], "refused", error.reason, error.where)
            del left[culprit]
            continue
        for i, case in enumerate(left):
            yield compared(case, i, game, states, compiled, memory)
        return


def _culprit(error: CannotCompile, made: Any, cases: list[Case]) -> int | None:
    """The case whose method the refusal names."""
    found = re.search(r", in case(\d+)$", error.where)
    if found:
        return int(found[1])
    line = re.search(r":(\d+),", error.where)
    if line is None:
        return None
    for i in range(len(cases)):
        code = getattr(made.G, f"case{i}").__code__
        lines = [number for _, _, number in code.co_lines() if number]
        if min(lines) <= int(line[1]) <= max(lines):
            return i
    return None


def compared(case: Case, i: int, game: Any, states: list[Any], compiled: Any, memory: Any) -> Found:
    def call(state: Any) -> int:
        compiled(game, state, memory)
        return int(memory.out[0])

    memory.which[0] = i
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = [_value(partial(getattr(game, f"case{i}"), state)) for state in states]
    found = [_value(partial(call, state)) for state in states]
    pairs = list(zip(expected, found, strict=True))
    other = [(ours, theirs) for ours, theirs in pairs if ours != theirs]
    allowed = ("OverflowError", "ValueError" if makes_text(case.operation) else "")
    stops = all(theirs in allowed for _, theirs in other)
    outcome = "agrees" if not other else "stops" if stops else "differs"
    ours, theirs = zip(*(other or pairs)[:4], strict=True)
    return Found(case, outcome, f"Python {list(ours)}, compiled {list(theirs)}", "")


_TEXT = re.compile(r"\b(str|repr)\b|\{v\}")
"""What makes a text: of anything but numbers and texts, that raises ValueError compiled."""

_TECHNICAL = re.compile(
    r"0x[0-9a-f]{5}|\$\w|ufunc|[Nn]umba|Function\(|CPUDispatcher|intrinsic|Literal\[|UniTuple"
    r"|[oO]verload|Mapping\(|Table\(|no definition for|AssertionError|unhashable|object at"
)
"""The compiler's own words."""


def makes_text(code: str) -> bool:
    """Whether code makes a text, for which compiled code raises ValueError where it has none."""
    return _TEXT.search(code) is not None


def technical(message: str) -> bool:
    """Whether a refusal has the compiler's own words."""
    return _TECHNICAL.search(message) is not None


def fault(found: Found) -> str:
    """What is wrong with the outcome of a case; empty if nothing is."""
    if found.outcome in ("agrees", "stops"):
        return ""
    if found.outcome == "refused":
        if technical(found.message):
            return f"the refusal is technical: {found.message}"
        return "" if re.search(r"\.py:\d+, in \w+$", found.where) else "the refusal has no line"
    return f"{found.outcome}: {found.message}"


def outcomes(kind: Kind, chosen: list[str], folder: Path, size: int = 24) -> Iterator[Found]:
    """The outcomes of operations on values of a kind; each `size` of them are one game."""
    cases = prepared(kind, chosen, folder)
    for first in range(0, len(cases), size):
        part = cases[first : first + size]
        try:
            yield from apart(partial(_listed, part, folder), 300)
        except Ended as error:
            yield Found(part[0], "ended", f"{error}: {[case.operation for case in part]}", "")


def _listed(cases: list[Case], folder: Path) -> list[Found]:
    return list(examined(cases, folder))


def main(names: list[str], only: list[str], share: float, seed: int) -> None:
    """Run operations on some kinds, print what is wrong and what is refused, then the counts."""
    counts: Counter[str] = Counter()
    chosen = [op for op in operations() if not only or any(part in op for part in only)]
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds():
            if names and kind.name not in names:
                continue
            here: Counter[str] = Counter()
            for found in outcomes(kind, drawn(kind, chosen, share, seed), Path(folder)):
                wrong = fault(found)
                here["wrong" if wrong else found.outcome] += 1
                if wrong or found.outcome == "refused":
                    shown = found.case.operation.replace("\n", "\\n")
                    place = found.where.rpartition("/")[2]
                    print(f"{kind.name}: {shown}\n    {wrong or found.message} {place}", flush=True)
            print(f"# {kind.name} {dict(here)}", flush=True)
            counts += here
    print(", ".join(f"{outcome} {number}" for outcome, number in counts.most_common()))


def drawn(kind: Kind, chosen: list[str], share: float, seed: int) -> list[str]:
    """A share of the operations, others for each seed."""
    return [
        operation
        for operation in chosen
        if zlib.crc32(f"{seed} {kind.name} {operation}".encode()) < share * 2**32
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.kernel.crossing")
    parser.add_argument("--kinds", default="", help="names of kinds; all if left out")
    parser.add_argument("--only", nargs="*", default=[], help="parts of operations")
    parser.add_argument("--share", type=float, default=1.0, help="the share of the operations")
    parser.add_argument("--seed", type=int, default=0, help="which ones")
    given = parser.parse_args()
    main([name for name in given.kinds.split(",") if name], given.only, given.share, given.seed)
