"""Random rules made of phrases: Python with holes that are filled at random.

The files `phrases/*.txt` are themes. Each has sections, after a line `=== NAME`, and the phrases of
a section are separated by empty lines:

- `module`, `class`, `init`, `start`: what a program may have at the top of its module, in its
  class, in `__init__` and at the beginning of `utility`; each phrase is there with even odds, or
  always if it follows a line `# always`,
- `statement`, `number`, `truth`: what may stand for one of these,
- `witness`: numbers that tell what became of a name; they go into the program's result.

The holes of a phrase:

- `$number`, `$truth`, `$index` (often within a short sequence, also negative), `$small` (0 to 6),
- `$block`, `$loop`, `$body`: statements; those of a loop, with `break` and `continue`; those of a
  function, with `return`,
- `$NAME`, where the theme has a section of that name: one of its phrases, with all its lines if it
  stands alone on a line,
- `$KIND`: a name of that kind that is in reach; `$=KIND` what stood last for a hole of that kind in
  this phrase, `$=any` what stood for the last hole,
- `$+KIND`: a new name, in reach from the next line on; `$-KIND` only to the end of the phrase. A
  new `var` is an `int` too,
- `$(one|two|three)`: one of them, which may have holes; `$[array|board]`: a name of one of these
  kinds.

A phrase with a hole that nothing fits is not used.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.kernel.battery import Idiom
from tests.kernel.writer import MOST, Writer

FOLDER = Path(__file__).parent / "phrases"
KINDS = re.compile(r"\$\[([a-z|]+)\]")
OWN = re.compile(r"( *)\$([a-z]+)")
HOLE = re.compile(r"\$([=+-]?)([a-z]+)")
ALWAYS = "# always\n"

Scope = dict[str, list[str]]


class Theme(NamedTuple):
    """The phrases of a file, by section."""

    name: str
    sections: dict[str, list[str]]

    def of(self, section: str) -> list[str]:
        """The phrases of a section."""
        return self.sections.get(section, [])


def themes() -> dict[str, Theme]:
    """All themes by name."""
    return {path.stem: _read(path) for path in sorted(FOLDER.glob("*.txt"))}


def _read(path: Path) -> Theme:
    sections: dict[str, list[str]] = {}
    for part in re.split(r"^=== ", path.read_text(), flags=re.MULTILINE)[1:]:
        name, _, text = part.partition("\n")
        phrases = [phrase.strip("\n") for phrase in re.split(r"\n\s*\n", text)]
        sections.setdefault(name, []).extend(phrase for phrase in phrases if phrase)
    return Theme(path.stem, sections)


class Unfit(Exception):
    """A hole that nothing in reach fits."""


class PhraseWriter(Writer):
    """Writes one short random program of the phrases of some themes. `room` is the number of lines
    that it may still have, about: long programs take long to compile, and one refused line wastes
    them."""

    def __init__(self, seed: int, *chosen: Theme) -> None:
        super().__init__(seed)
        self.themes = chosen
        self.room = self.random.choice((8, 16, 24))
        self.used: set[str] = set()

    def phrases(self, section: str) -> list[str]:
        """The phrases of a section in all themes."""
        return [phrase for theme in self.themes for phrase in theme.of(section)]

    # Filling.

    def fill(
        self,
        phrase: str,
        scope: Scope,
        depth: int,
        ends: tuple[str, ...] = (),
        inside: bool = False,
    ) -> list[str]:
        """The lines of a phrase with its holes filled; new names are added to the scope."""
        phrase = self.chosen(phrase)
        inner = {kind: list(names) for kind, names in scope.items()}
        last: dict[str, str] = {}

        def hole(found: re.Match[str]) -> str:
            sign, kind = found.groups()
            if sign == "=":
                if kind not in last:
                    raise Unfit(kind)
                return last[kind]
            if sign:
                word = self.name(kind[0] + "_")
                made.append((sign, kind, word))
            else:
                word = self.word(kind, inner, depth)
            last[kind] = last["any"] = word
            return word

        lines: list[str] = []
        for line in phrase.split("\n"):
            made: list[tuple[str, str, str]] = []
            indented = line.lstrip()
            if indented in ("$block", "$loop", "$body"):
                space = line[: len(line) - len(indented)]
                leaving = ("return",) if indented == "$body" else ends
                loop = indented == "$loop" or (inside and indented == "$block")
                block = self.block(inner, depth - 1, leaving, loop)
                lines += [space + each for each in block]
            elif "\n" in phrase and (own := OWN.fullmatch(line)) and self.phrases(own[2]):
                lines += [own[1] + each for each in self.lines_of(own[2], inner, depth) or ["pass"]]
            else:
                lines.append(HOLE.sub(hole, line))
            for sign, kind, name in made:
                for reach in (inner, scope) if sign == "+" else (inner,):
                    _add(reach, kind, name)
        return lines

    def chosen(self, phrase: str) -> str:
        """The phrase with one text of each choice."""
        while (start := phrase.find("$(")) >= 0:
            depth, parts, end = 0, [start + 2], start + 2
            while depth or phrase[end] != ")":
                depth += {"(": 1, ")": -1}.get(phrase[end], 0)
                if phrase[end] == "|" and depth == 0:
                    parts.append(end + 1)
                end += 1
            texts = [phrase[a : b - 1] for a, b in zip(parts, [*parts[1:], end + 1], strict=True)]
            phrase = phrase[:start] + self.random.choice(texts) + phrase[end + 1 :]
        return KINDS.sub(lambda kinds: "$" + self.random.choice(kinds[1].split("|")), phrase)

    def word(self, kind: str, scope: Scope, depth: int) -> str:
        """The text for a hole: an expression, or a name of that kind."""
        if kind == "number":
            return self.number(scope, min(depth, 1))
        if kind == "truth":
            return self.truth(scope, 0)
        if kind == "small":
            return str(self.random.randrange(7))
        if kind == "index":
            place = self.number(scope, 0)
            if self.random.random() < 0.7:
                return f"{place} % {self.random.randint(2, 4)}"
            return self.pick(f"{place} % {self.random.randint(5, 9)}", str(self.small()), place)
        if self.phrases(kind):
            return self.section(kind, scope, depth)
        if not scope.get(kind):
            raise Unfit(kind)
        return self.random.choice(scope[kind])

    def section(self, kind: str, scope: Scope, depth: int) -> str:
        """A phrase of one of the theme's own sections."""
        found = self.of_theme(kind, scope, depth)
        if found is None:
            raise Unfit(kind)
        return found

    def small(self) -> int:
        """An index that is often too large or too small."""
        return self.random.choice((0, 0, 1, 2, 3, -1, -1, -2, -4, 4, 5, 8, 9, -9))

    def of_theme(self, section: str, scope: Scope, depth: int) -> str | None:
        """A phrase of one line from a section, filled; None if none fits."""
        found = self.lines_of(section, scope, depth)
        return None if found is None else " ".join(found)

    def lines_of(self, section: str, scope: Scope, depth: int) -> list[str] | None:
        """The lines of a phrase from a section, filled; None if none fits."""
        found = self.phrases(section)
        for phrase in self.random.sample(found, min(4, len(found))):
            try:
                filled = self.fill(phrase, scope, depth)
            except Unfit:
                continue
            self.used.add(phrase)
            return filled
        return None

    # What Writer asks for.

    def number(self, scope: Scope, depth: int = 1) -> str:
        """An expression for a number."""
        if depth > 0 and self.random.random() < 0.5:
            found = self.of_theme("number", scope, depth - 1)
            if found is not None:
                return (
                    found
                    if re.fullmatch(r"[\w.]+(\([^()]*\)|\[[^][]*\])*", found)
                    else f"({found})"
                )
        return super().number(scope, depth)

    def truth(self, scope: Scope, depth: int = 1) -> str:
        """An expression that is true or false."""
        if self.random.random() < 0.4:
            found = self.of_theme("truth", scope, depth)
            if found is not None:
                return f"({found})"
        return super().truth(scope, depth)

    def block(
        self, scope: Scope, depth: int, ends: tuple[str, ...], inside: bool = False
    ) -> list[str]:
        """A few statements; one if the program is long already."""
        if self.room > 0:
            return super().block(scope, depth, ends, inside)
        scope = {kind: list(names) for kind, names in scope.items()}
        return self.statement(scope, 0, ends, inside)

    def statement(self, scope: Scope, depth: int, ends: tuple[str, ...], inside: bool) -> list[str]:
        """A phrase, or one of Writer's statements."""
        if self.room <= 0:
            depth = 0
        lines = self.one(scope, depth, ends, inside)
        self.room -= sum(not line.startswith(" ") for line in lines)
        return lines

    def one(self, scope: Scope, depth: int, ends: tuple[str, ...], inside: bool) -> list[str]:
        """A statement whose blocks are `depth` deep."""
        if self.random.random() < 0.7:
            found = self.phrases("statement")
            for phrase in self.random.sample(found, min(6, len(found))):
                if depth <= 0 and re.search(r"\$(block|loop|body)", phrase):
                    continue
                trial = {kind: list(names) for kind, names in scope.items()}
                try:
                    lines = self.fill(phrase, trial, depth, ends, inside)
                except Unfit:
                    continue
                scope.update(trial)
                self.used.add(phrase)
                return lines
        return super().statement(scope, depth, ends, inside)

    def opening(self, section: str, scope: Scope) -> list[str]:
        """Some phrases of a section at the beginning of a module, a class or a function."""
        lines: list[str] = []
        for phrase in self.phrases(section):
            if not phrase.startswith(ALWAYS) and self.random.random() < 0.5:
                continue
            try:
                lines += self.fill(phrase.removeprefix(ALWAYS), scope, 1)
            except Unfit:
                continue
        return lines

    def program(self) -> Idiom:
        """The whole program."""
        scope: Scope = {"int": [], "var": [], "tuple": [], "list": []}
        module, cls, init = (self.opening(name, scope) for name in ("module", "class", "init"))
        scope["int"] += ["x", "y", "r"]
        scope["var"].append("r")
        scope |= {"tuple": ["t"], "state": ["state"], "self": ["self"]}
        body = ["r = x % 7", *self.opening("start", scope)]
        for _ in range(self.random.randint(2, 4)):
            body += self.statement(scope, 2, ("return",), False)
        found = [self.of_theme("witness", scope, 1) for _ in range(2)]
        body += [f"r = (r * 31 + {each}) % {MOST}" for each in found if each is not None]
        body.append(f"return r * 10 + {self.number(scope)}")
        parts = ("\n".join(lines) + "\n" for lines in (body, module, cls, init))
        return Idiom("program", *parts, "", True, boards="state.g" in "\n".join(body))


def _add(scope: Scope, kind: str, name: str) -> None:
    for each in ("var", "int") if kind == "var" else (kind,):
        scope.setdefault(each, []).append(name)


def writer(name: str) -> Callable[[int], PhraseWriter]:
    """What writes programs of a theme, or of several (`arrays+tries`), from a seed."""
    known = themes()
    return lambda seed: PhraseWriter(seed, *(known[each] for each in name.split("+")))
