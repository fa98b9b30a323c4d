"""Random inner functions: within each other, with parameters and variables of the same names, which
change variables of the functions around them and put functions into them. Some are never called."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field, replace

from tests.kernel.battery import Idiom
from tests.kernel.writer import Writer


@dataclass
class Around:
    """What a function may read, assign and call: numbers, those of them that it may assign, the
    functions with the number of their parameters, and the variables that hold one of these."""

    numbers: list[str]
    assigned: list[str]
    functions: list[tuple[str, int]] = field(default_factory=list)
    holders: list[tuple[str, int]] = field(default_factory=list)

    def inside(self) -> Around:
        """The same for a block, whose functions the rest does not see."""
        return replace(self, functions=[*self.functions], holders=[*self.holders])


class NestedWriter(Writer):
    """Writes one random program of inner functions."""

    def value(self, names: list[str]) -> str:
        """An expression for a number."""
        plain = self.pick(str(self.random.randint(0, 5)), "x % 5", "y % 3")
        if not names or self.random.random() < 0.35:
            return plain
        one, two = self.pick(*names), self.pick(*names)
        return self.pick(one, one, one, f"({one} + {two}) % 97")

    def lines(self, around: Around, depth: int, size: int) -> list[str]:
        """Some statements."""
        around, made = around.inside(), list[str]()
        for _ in range(size):
            made += self.line(around, depth)
        return made

    def line(self, around: Around, depth: int) -> list[str]:
        """One statement, of several lines perhaps; none if it needs what there is not."""
        kind = self.random.randrange(12)
        target = self.pick(*around.assigned) if around.assigned else ""
        if kind < 3 and target:
            value = self.value(around.numbers)
            return [self.pick(f"{target} = {value}", f"{target} = ({target} * 3 + {value}) % 97")]
        if kind < 6 and around.functions:
            name, count = self.random.choice(around.functions)
            call = f"{name}({', '.join(self.value(around.numbers) for _ in range(count))})"
            is_kept = target and self.random.random() < 0.7
            return [f"{target} = ({target} * 10 + {call}) % 997" if is_kept else call]
        if kind < 8 and depth > 0:
            return self.inner(around, depth)
        if kind == 8 and around.functions:
            return self.held(around)
        if kind == 9:
            counter = f"i{depth}"
            inside = replace(around, numbers=[*around.numbers, counter])
            return self.under(f"for {counter} in range({self.pick('2', '3')}):", inside, 0)
        if kind == 10:
            return self.under(f"if {self.value(around.numbers)} % 2:", around, depth // 2)
        if kind == 11 and target:
            return [f"{target} = {self.through(target, self.pick(*around.numbers))}"]
        return []

    def under(self, head: str, around: Around, depth: int) -> list[str]:
        """Statements under a loop or an `if`."""
        return [head, *(f"    {line}" for line in self.lines(around, depth, 2) or ["pass"])]

    def through(self, target: str, name: str) -> str:
        """An expression with a function of its own."""
        return self.pick(
            f"sum({name} + k for k in range(3)) % 97",
            f"max(t, key=lambda q: (q * {name}) % 7)",
            f"(lambda q: q + {name})(x % 7) % 97",
            f"sum([({target} := k) for k in t]) + {target}",
        )

    def held(self, around: Around) -> list[str]:
        """A function put into a variable."""
        name, count = self.random.choice(around.functions)
        same = [holder for holder, number in around.holders if number == count]
        holder = self.pick(*same) if same else self.name("g")
        if not same:
            around.holders.append((holder, count))
            around.functions.append((holder, count))
        return [f"{holder} = {name}"]

    def inner(self, around: Around, depth: int) -> list[str]:
        """An inner function; from here on it may be called."""
        name, count = self.name("f"), self.random.randint(0, 2)
        parameters = [f"{name}_{i}" for i in range(count)]
        free = [each for each in around.numbers if each not in ("x", "y")]
        if parameters and free and self.random.random() < 0.25:
            parameters[0] = self.pick(*free)
        free = [each for each in free if each not in parameters]
        changed = [each for each in free if self.random.random() < 0.4]
        held = [each for each in around.holders if self.random.random() < 0.3]
        own = [each for each in free if each not in changed and self.random.random() < 0.2]
        own += [self.name("l") for _ in range(self.random.randint(0, 2))]
        names = [*changed, *(holder for holder, _ in held)]
        lines = [f"nonlocal {', '.join(names)}"] if names else []
        readable = [each for each in around.numbers if each not in own]
        for each in own:
            lines.append(f"{each} = {self.value(readable)}")
            readable.append(each)
        within = Around(
            list(dict.fromkeys([*readable, *parameters])),
            [*changed, *own, *parameters],
            [each for each in around.functions if self.random.random() < 0.7],
            held,
        )
        lines += self.lines(within, depth - 1, self.random.randint(1, 4))
        lines.append(f"return {self.value(within.assigned or readable)}")
        around.functions.append((name, count))
        head = f"def {name}({', '.join(parameters)}):"
        return [head, *textwrap.indent("\n".join(lines), "    ").split("\n")]

    def program(self) -> Idiom:
        """The whole program."""
        body = ["a = x % 9", "b = a", "c = y % 5"]
        own = ["a", "b", "c"]
        body += self.lines(Around(["x", "y", *own], own), 3, self.random.randint(5, 10))
        body.append("return (a * 100 + b) * 100 + c")
        return Idiom("program", "\n".join(body) + "\n", "", "", "", "", True)
