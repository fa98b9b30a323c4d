"""Random rules: statements of all kinds. `programs.py` adds more, and compares.

Where `expressions.py` tries operators, this tries statements: loops of all kinds, with `break`,
`continue` and `else`, over numbers, tuples, lists and generators that loop over other generators;
lists that grow, shrink and change; tuples cut and joined; inner functions, comprehensions, `try`,
early returns.
"""

from __future__ import annotations

import random
import textwrap

from tests.kernel.battery import Idiom

MOST = 1009
"""Numbers are kept below this, so that few programs exceed 64 bits."""


class Writer:
    """Writes one random program: helper functions, generators and the body of `utility`."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.functions: list[tuple[str, int]] = []
        self.generators: list[tuple[str, int]] = []
        self.collectors: list[tuple[str, int]] = []
        self.named = 0

    def name(self, kind: str) -> str:
        """A new name."""
        self.named += 1
        return f"{kind}{self.named}"

    def pick(self, *choices: str) -> str:
        """One of several texts."""
        return self.random.choice(choices)

    # Numbers, tuples and lists. A scope is a dictionary: "int", "tuple", "list" -> names.

    def number(self, scope: dict[str, list[str]], depth: int = 1) -> str:
        """An expression for a number."""
        kind = self.random.randrange(16) if depth > 0 else self.random.randrange(3)
        if kind < 2 and scope["int"]:
            return self.random.choice(scope["int"])
        if kind < 3:
            return str(self.random.choice((0, 1, 2, 3, 5, 7, 64, -1, -4, 100)))
        one, two = (self.number(scope, depth - 1) for _ in range(2))
        if kind < 7:
            return f"({one} {self.pick('+', '-', '*', '&', '|', '^')} {two}) % {MOST}"
        if kind == 7:
            return f"({one} {self.pick('//', '%')} ({two} | 1))"
        if kind == 8:
            return f"({one} if {self.truth(scope, depth - 1)} else {two})"
        if kind == 9 and scope["tuple"]:
            items = self.random.choice(scope["tuple"])
            return self.pick(
                f"{items}[{one} % len({items})]",
                f"len({items})",
                f"{items}[-1]",
                f"sum({items})",
                f"max({items})",
                f"{items}.count({two})",
            )
        if kind == 10 and scope["list"]:
            items = self.random.choice(scope["list"])
            return self.pick(
                f"len({items})",
                f"({items}[{one} % len({items})] if {items} else {two})",
                f"sum({items})",
                f"({items}[-1] if {items} else 0)",
            )
        if kind == 11 and self.functions:
            return self.call(scope, self.functions, depth)
        if kind == 12 and scope["tuple"]:
            items, value = self.random.choice(scope["tuple"]), self.name("v")
            inner = {**scope, "int": [*scope["int"], value], "tuple": [], "list": []}
            return (
                f"{self.pick('sum', 'max', 'min')}({self.number(inner, depth - 1)} for {value} "
                f"in {items})"
            )
        if kind == 13 and scope["tuple"]:
            items, value = self.random.choice(scope["tuple"]), self.name("v")
            inner = {**scope, "int": [*scope["int"], value], "tuple": [], "list": []}
            test = self.truth(inner, depth - 1)
            return self.pick(
                f"int(any({test} for {value} in {items}))",
                f"len([{value} for {value} in {items} if {test}])",
            )
        return self.pick(
            f"min({one}, {two})",
            f"max({one}, {two})",
            f"abs({one})",
            f"-{one}" if one[0] != "-" else one,
            f"({one}) % 13",
            f"int({self.truth(scope, 0)})",
        )

    def truth(self, scope: dict[str, list[str]], depth: int = 1) -> str:
        """An expression that is true or false."""
        one, two = (self.number(scope, depth) for _ in range(2))
        plain = f"{one} {self.pick('<', '<=', '>', '==', '!=')} {two}"
        kind = self.random.randrange(6)
        if kind == 0 and scope["tuple"]:
            return f"{one} {self.pick('in', 'not in')} {self.random.choice(scope['tuple'])}"
        if kind == 1:
            return (
                f"not {plain}"
                if self.random.random() < 0.5
                else f"({plain} {self.pick('and', 'or')} {two} % 2 == 0)"
            )
        return plain

    def call(self, scope: dict[str, list[str]], made: list[tuple[str, int]], depth: int) -> str:
        """A call of one of the functions."""
        name, arity = self.random.choice(made)
        return f"{name}({', '.join(self.number(scope, depth - 1) for _ in range(arity))})"

    def items(self, scope: dict[str, list[str]]) -> str:
        """Something to loop over, of a few numbers."""
        choices = [
            f"range({self.number(scope, 1)} % 5)",
            f"range({self.number(scope, 0)} % 3, {self.number(scope, 0)} % 6, "
            f"{self.pick('1', '2')})",
        ]
        choices += [self.random.choice(scope["tuple"])] * 2 if scope["tuple"] else []
        choices += [self.random.choice(scope["list"]) + "[:]"] if scope["list"] else []
        choices += [self.call(scope, self.generators, 1) for _ in range(3) if self.generators]
        choices += [self.call(scope, self.collectors, 1) for _ in range(2) if self.collectors]
        return self.random.choice(choices)

    # Statements.

    def block(
        self, scope: dict[str, list[str]], depth: int, ends: tuple[str, ...], inside: bool = False
    ) -> list[str]:
        """A few statements; `ends` are statements that may end the block ("return", "yield",
        "append")."""
        scope = {kind: list(names) for kind, names in scope.items()}
        lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(scope, depth, ends, inside)
        return lines

    def statement(
        self, scope: dict[str, list[str]], depth: int, ends: tuple[str, ...], inside: bool
    ) -> list[str]:
        """One statement, possibly of several lines; the names it assigns are added to the scope."""
        kind = self.random.randrange(20)
        if kind < 4 and scope["var"]:
            name = self.random.choice(scope["var"])
            value = self.number(scope)
            return [
                self.pick(
                    f"{name} = {value}",
                    f"{name} = ({name} * 3 + {value}) % {MOST}",
                    f"{name} += {value} % 7",
                )
            ]
        if kind < 6:
            name, value = self.name("a"), self.number(scope)
            scope["int"].append(name)
            scope["var"].append(name)
            return [f"{name} = {value}"]
        if kind == 6:
            name = self.name("t")
            value = ", ".join(self.number(scope, 1) for _ in range(self.random.randint(2, 4)))
            if scope["tuple"] and self.random.random() < 0.5:
                other = self.random.choice(scope["tuple"])
                value = self.pick(
                    f"*{other}[:2], {self.number(scope, 1)}", f"*{other}, {self.number(scope, 1)}"
                )
            scope["tuple"].append(name)
            return [f"{name} = ({value})"]
        if kind == 7:
            name = self.name("q")
            start = self.pick(
                "[0]",
                f"[{self.number(scope, 1)}, {self.number(scope, 0)}]",
                *(f"list({other})" for other in scope["tuple"][:2]),
            )
            scope["list"].append(name)
            return [f"{name} = {start}"]
        if kind in (8, 9) and scope["list"]:
            return self.change(scope, self.random.choice(scope["list"]))
        if kind == 10 and len(scope["var"]) > 1:
            one, two = self.random.sample(scope["var"], 2)
            return [f"{one}, {two} = {two}, {self.number(scope, 1)}"]
        if kind == 11 and inside:
            return [f"if {self.truth(scope)}:", f"    {self.pick('break', 'continue')}"]
        if kind in (12, 13) and ends:
            return self.leave(scope, ends)
        if depth <= 0:
            return ["pass"]
        if kind < 16:
            return self.branch(scope, depth, ends, inside)
        return self.loop(scope, depth, ends)

    def change(self, scope: dict[str, list[str]], items: str) -> list[str]:
        """A change to a list."""
        value, place = self.number(scope, 1), self.number(scope, 0)
        return [
            self.pick(
                f"{items}.append({value})",
                f"if {items}: {items}[{place} % len({items})] = {value}",
                f"if len({items}) > 2: {items}.pop()",
                f"{items} = {items}[:3]",
                f"{items}.extend(({value}, {place}))",
                f"{items} = [w + 1 for w in {items}[:4]]",
            )
        ]

    def leave(self, scope: dict[str, list[str]], ends: tuple[str, ...]) -> list[str]:
        """A result, at once or under a condition."""
        end = self.random.choice(ends)
        value = self.number(scope)
        if end == "yield":
            return (
                [f"yield {value}"]
                if self.random.random() < 0.6
                else [f"if {self.truth(scope)}:", f"    yield {value}"]
            )
        if end == "append":
            return [f"found.append({value})"]
        if end == "stop":
            return [f"if {self.truth(scope)}:", "    return"]
        if end == "found":
            return [f"if {self.truth(scope)}:", "    return found"]
        return [f"if {self.truth(scope)}:", f"    return {value}"]

    def branch(
        self, scope: dict[str, list[str]], depth: int, ends: tuple[str, ...], inside: bool
    ) -> list[str]:
        """`if`, or `try`."""
        body = textwrap.indent("\n".join(self.block(scope, depth - 1, ends, inside)), "    ").split(
            "\n"
        )
        other = textwrap.indent(
            "\n".join(self.block(scope, depth - 1, ends, inside)), "    "
        ).split("\n")
        if self.random.random() < 0.12 and scope["tuple"] and scope["var"]:
            items, name = self.random.choice(scope["tuple"]), self.random.choice(scope["var"])
            return [
                "try:",
                f"    {name} = {items}[{self.number(scope, 1)} % 7]",
                "except Exception:",
                f"    {name} = -1",
            ]
        lines = [f"if {self.truth(scope)}:", *body]
        if self.random.random() < 0.3:
            lines += [f"elif {self.truth(scope)}:", "    pass"]
        return lines + (["else:", *other] if self.random.random() < 0.5 else [])

    def loop(self, scope: dict[str, list[str]], depth: int, ends: tuple[str, ...]) -> list[str]:
        """`for` or `while`, possibly with `else`."""
        name = self.name("v")
        inner = {**scope, "int": [*scope["int"], name]}
        if self.random.random() < 0.15:
            count = self.name("n")
            inner["int"][-1] = count
            body = self.block(inner, depth - 1, ends)
            lines = [
                f"{count} = {self.number(scope, 1)} % 5",
                f"while {count} > 0:",
                f"    {count} -= 1",
                *(f"    {line}" for line in body),
            ]
        else:
            source, extra = self.items(scope), ""
            if self.random.random() < 0.15 and "(" not in source:
                place = self.name("i")
                inner["int"].append(place)
                source, extra = f"enumerate({source})", f"{place}, "
            lines = [
                f"for {extra}{name} in {source}:",
                *(f"    {line}" for line in self.block(inner, depth - 1, ends, True)),
            ]
        if self.random.random() < 0.2:
            lines += ["else:", *(f"    {line}" for line in self.block(scope, 0, ends))]
        return lines

    # Functions.

    def function(self, kind: str) -> str:
        """A helper of the module: "f" gives a number, "g" yields some, "c" collects some in a
        list."""
        name, arity = self.name(kind), self.random.randint(1, 2)
        parameters = [f"p{i}" for i in range(arity)]
        scope = {"int": list(parameters), "var": list(parameters), "tuple": [], "list": []}
        ends = {
            "f": ("return",),
            "g": ("yield", "yield", "yield", "stop"),
            "c": ("append", "append", "found"),
        }[kind]
        body = self.block(scope, 2, ends) + self.block(scope, 1, ends)
        if kind == "f":
            body.append(f"return {self.number({**scope, 'int': parameters})}")
        elif kind == "g":
            body.append(f"yield {self.number({**scope, 'int': parameters})}")
        else:
            body = [
                "found = [0][:0]" if self.random.random() < 0.3 else "found = [p0]",
                *body,
                "return found",
            ]
        made = {"f": self.functions, "g": self.generators, "c": self.collectors}[kind]
        text = f"def {name}({', '.join(parameters)}):\n" + textwrap.indent("\n".join(body), "    ")
        made.append((name, arity))
        return text

    def program(self) -> Idiom:
        """The whole program."""
        module = [
            self.function(self.pick("f", "g", "g", "c")) for _ in range(self.random.randint(2, 4))
        ]
        scope = {"int": ["x", "y"], "var": [], "tuple": ["t"], "list": []}
        body = ["r = x % 7"]
        scope["int"].append("r")
        scope["var"].append("r")
        for _ in range(2):
            body += self.block(scope, 2, ("return",)) + self.loop(scope, 2, ("return",))
        body.append(f"return r * 10 + {self.number(scope)}")
        return Idiom(
            "program", "\n".join(body) + "\n", "\n\n\n".join(module) + "\n", "", "", "", True
        )
