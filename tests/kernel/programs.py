"""Random rules, compared between Python and compiled code: `python -m tests.kernel.programs SECONDS
SEED`.

To the statements of `writer.py` come truth values, which are kept, combined and counted; numbers of
128 bits; errors that are raised, caught and raised again; and, for odd seeds, variables that have a
value on some paths only. `nested.py` writes inner functions, `phrases.py` themes. For a dozen
States a program must give the same number or the same kind of error on both backends.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.kernel.apart import Ended, apart
from tests.kernel.battery import STOPS, Idiom, Outcome, load, outcome, positions
from tests.kernel.nested import NestedWriter
from tests.kernel.phrases import themes, writer
from tests.kernel.writer import MOST, Writer

MODULE = """class Bad(ValueError):
    pass


TABLE = {0: 4, 1: 2, 3: 9, 7: 1}
"""


class RichWriter(Writer):
    """Writes one random program with truth values, wide numbers and errors in it."""

    tries = 2
    """The number of `try` statements still allowed: each takes long to compile."""

    def number(self, scope: dict[str, list[str]], depth: int = 1) -> str:
        """An expression for a number, perhaps of a truth value or a wide number."""
        kind = self.random.randrange(12) if depth > 0 else 9
        if kind == 0 and scope.get("flag"):
            flag = self.random.choice(scope["flag"])
            other = self.truth(scope, 0)
            return self.pick(f"int({flag})", f"({flag} + ({other}))", f"({flag} * 5)")
        if kind == 1 and scope.get("wide"):
            wide, place = self.random.choice(scope["wide"]), super().number(scope, 0)
            return self.pick(
                f"{wide}.bit_count()",
                f"int({wide} % {MOST})",
                f"int({wide} >> ({place}) % 130 & 127)",
                f"({wide} & 7 == {place})",
            )
        return super().number(scope, depth)

    def truth(self, scope: dict[str, list[str]], depth: int = 1) -> str:
        """An expression that is true or false."""
        kind = self.random.randrange(10)
        if kind < 2 and scope.get("flag"):
            flag = self.random.choice(scope["flag"])
            plain = super().truth(scope, 0)
            return self.pick(flag, f"not {flag}", f"{flag} != ({plain})", f"({flag} or {plain})")
        if kind == 2 and scope.get("wide"):
            wide, other = self.random.choice(scope["wide"]), self.random.choice(scope["wide"])
            return self.pick(f"{wide} > {other}", f"bool({wide})", f"{wide} & {other} != 0")
        return super().truth(scope, depth)

    def statement(
        self, scope: dict[str, list[str]], depth: int, ends: tuple[str, ...], inside: bool
    ) -> list[str]:
        """One statement, of several lines perhaps."""
        kind = self.random.randrange(20)
        if kind < 2:
            return self.flag(scope)
        if kind < 4:
            return self.wide(scope)
        if kind < 7 and depth > 0 and self.tries > 0:
            self.tries -= 1
            return self.catching(scope, depth, ends, inside)
        if kind == 7 and depth > 0:
            return [f"if {self.truth(scope)}:", f"    raise {self.error()}"]
        return super().statement(scope, depth, ends, inside)

    def flag(self, scope: dict[str, list[str]]) -> list[str]:
        """A truth value made or changed."""
        truth = self.truth(scope)
        if scope.get("flag") and self.random.random() < 0.5:
            flag = self.random.choice(scope["flag"])
            return [self.pick(f"{flag} = {truth}", f"{flag} |= {truth}", f"{flag} ^= {truth}")]
        flag = self.name("f")
        scope["flag"] = [*scope.get("flag", ()), flag]
        return [f"{flag} = {truth}"]

    def wide(self, scope: dict[str, list[str]]) -> list[str]:
        """A number of 128 bits made or changed."""
        number, place = f"({self.number(scope)}) % {MOST}", f"({self.number(scope, 0)}) % 130"
        if scope.get("wide") and self.random.random() < 0.6:
            wide, other = self.random.choice(scope["wide"]), self.random.choice(scope["wide"])
            return [
                self.pick(
                    f"{wide} |= u128(1) << {place}",
                    f"{wide} = {wide} * 12345678901234567 + {number}",
                    f"{wide} = {wide} - {other}",
                    f"{wide} >>= {place}",
                    f"{wide} ^= {other} << {place}",
                    f"{wide} &= {wide} - 1",
                    f"{wide} //= ({number}) + 1",
                )
            ]
        wide = self.name("w")
        scope["wide"] = [*scope.get("wide", ()), wide]
        return [f"{wide} = u128({number}) << {place}"]

    def error(self) -> str:
        """A class of errors."""
        return self.pick("ValueError", "KeyError", "IndexError", "Bad", "ZeroDivisionError")

    def catching(
        self, scope: dict[str, list[str]], depth: int, ends: tuple[str, ...], inside: bool
    ) -> list[str]:
        """`try` with several handlers, one of which may raise again; `else`, `finally`."""
        name = self.random.choice(scope["var"]) if scope["var"] else self.name("a")
        number = self.number(scope)
        risky = [f"TABLE[({number}) % 9]", f"10 // (({number}) % 5)"]
        risky += [f"{items}.index({number})" for items in scope["tuple"][:2]]
        risky += [f"{items}[({number}) % 9]" for items in scope["tuple"][:2]]
        lines = [] if name in scope["var"] else [f"{name} = 0"]
        if name not in scope["var"]:
            scope["var"].append(name)
            scope["int"].append(name)
        lines += ["try:", f"    {name} = {self.random.choice(risky)}"]
        lines += [f"    {line}" for line in self.block(scope, depth - 1, ends, inside)]
        caught = [
            self.error(),
            f"({self.error()}, {self.error()})",
            self.pick("LookupError", "Bad"),
        ]
        for kind in caught[: self.random.randint(1, 3)]:
            lines.append(f"except {kind}:")
            lines += [f"    {line}" for line in self.block(scope, depth - 1, ends, inside)]
            if self.random.random() < 0.25:
                lines += [f"    if {self.truth(scope)}:", "        raise"]
        if self.random.random() < 0.2:
            lines += ["else:", f"    {name} += 1"]
        if self.random.random() < 0.2:
            lines += ["finally:", f"    {name} = ({name} * 5 + 1) % {MOST}"]
        return lines

    def program(self) -> Idiom:
        """The whole program."""
        made = super().program()
        return made._replace(module=MODULE + made.module)


class LooseWriter(RichWriter):
    """Writes one random program in which variables are read that have a value on some paths only."""

    def block(
        self, scope: dict[str, list[str]], depth: int, ends: tuple[str, ...], inside: bool = False
    ) -> list[str]:
        """A few statements; what they assign may be read after them."""
        lines = super().block(scope, depth, ends, inside)
        if scope["var"] and self.random.random() < 0.1:
            lines += [f"if {self.truth(scope)}:", f"    del {self.random.choice(scope['var'])}"]
        assigned = re.findall(r"^(a\d+) = ", "\n".join(lines), re.MULTILINE)
        if assigned and self.random.random() < 0.4:
            name = self.random.choice(assigned)
            scope["var"].append(name)
            scope["int"].append(name)
        return lines

    def loop(self, scope: dict[str, list[str]], depth: int, ends: tuple[str, ...]) -> list[str]:
        """A loop; its variable may be read after it."""
        lines = super().loop(scope, depth, ends)
        found = re.search(r"\b(v\d+) in ", lines[0]) if lines[0].startswith("for ") else None
        if found is not None and self.random.random() < 0.3:
            scope["int"].append(found[1])
        return lines

    def error(self) -> str:
        """A class of errors, often that of a variable without a value."""
        return self.pick("UnboundLocalError", "NameError", super().error())


def writers() -> dict[str, Callable[[int], Writer]]:
    """What writes programs, by name."""
    made: dict[str, Callable[[int], Writer]] = {
        "rich": RichWriter,
        "loose": LooseWriter,
        "nested": NestedWriter,
    }
    return made | {name: writer(name) for name in themes()}


class Endless(BaseException):
    """Python itself did not come to an end."""


def in_time(call: Callable[[], Any], patience: int = 5) -> Any:
    """The result of `call`. Raises Endless if it takes more than `patience` seconds."""

    def stop(number: int, frame: object) -> None:
        raise Endless

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(patience)
    try:
        return call()
    finally:
        signal.alarm(0)


def examined(idiom: Idiom, folder: Path, stops: tuple[str, ...] = STOPS) -> Outcome:
    """The outcome of a program; "endless" if Python takes more than some seconds, which says
    nothing about compiled code."""

    def run() -> None:
        game = load(idiom, folder).G()
        game.freeze()
        for state in positions(game):
            with contextlib.suppress(Exception):
                game.utility(state)

    try:
        in_time(run)
    except Endless:
        return Outcome("endless", "", "")
    return outcome(idiom, folder, stops)


def tried(made: Callable[[int], Writer], seed: int, folder: Path, seconds: float) -> Outcome:
    """The outcome of one program; "broken" if it is not even that."""
    try:
        found: Outcome = apart(lambda: examined(made(seed).program(), folder), seconds)
    except Ended as error:
        return Outcome("broken", str(error), "")
    return found


def main(seconds: float, seed: int, names: list[str], limit: float) -> None:
    """Run programs for some seconds; print those that differ, and the counts."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    refusals: Counter[str] = Counter()
    examples: dict[str, str] = {}
    end = time.time() + seconds
    with tempfile.TemporaryDirectory() as folder:
        outcome(Idiom("first", "return x\n", "", "", "", "", False), Path(folder))
        while time.time() < end:
            name = names[seed % len(names)]
            made = writers()[name] if name in writers() else writer(name)
            found = tried(made, seed, Path(folder), limit)
            counts[name][found.kind] += 1
            if found.kind == "refused":
                refusals[found.message[:100]] += 1
                examples.setdefault(found.message[:100], f"{name} {seed}")
            if found.kind in ("differs", "broken"):
                print(f"{found.kind} {name} {seed}: {found.message}", flush=True)
            seed += 1
    for name, numbers in counts.items():
        print(f"{name}:", ", ".join(f"{kind} {n}" for kind, n in numbers.most_common()))
    print(f"next seed {seed}")
    for words, number in refusals.most_common(25):
        print(f"  refused {number}, first {examples[words]}: {words}")


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.kernel.programs")
    parser.add_argument("seconds", type=float, help="how long to go on; 0 prints the program")
    parser.add_argument("seed", type=int, help="the first seed; each program takes the next one")
    parser.add_argument("names", nargs="*", help=f"of {', '.join(writers())}; or themes with +")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for one program")
    return parser.parse_args()


if __name__ == "__main__":
    given = arguments()
    if given.seconds:
        main(given.seconds, given.seed, given.names or list(writers()), given.limit)
    else:
        for each in given.names:
            print((writers().get(each) or writer(each))(given.seed).program().source())
