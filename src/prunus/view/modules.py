"""The studio's tree view for places without its server: its modules as one text, its style, and a
trace as the data that it draws.

The modules are the files that the studio serves. Each becomes a function that returns its exports,
after those that it imports.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from prunus.core.errors import PrunusError
from prunus.core.generic import Json

if TYPE_CHECKING:
    from prunus.view.trace import Trace

STATIC: Final = Path(__file__).parents[1] / "studio" / "static"
ENTRANCE: Final = STATIC / "js" / "tree" / "alone.js"
LICENCES: Final = ("LICENSE-htm.txt", "LICENSE-preact.txt", "LICENSE-d3-hierarchy.txt")

IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "([^"]+)";', re.MULTILINE)
HANDED_ON: Final = re.compile(r'^export \{([^}]*)\} from "([^"]+)";', re.MULTILINE)
DECLARED: Final = re.compile(r"^export ((?:async )?function|const|let|class) (\w+)", re.MULTILINE)
LISTED: Final = re.compile(r"export\{([^}]*)\};?\s*\Z")
LEFT: Final = re.compile(r"^(?:import|export)\b", re.MULTILINE)


class ModuleError(PrunusError):
    """A module of the page is written in a way that `bundled` does not know."""


def _pairs(names: str) -> list[tuple[str, str]]:
    """Of `a, b as c`: the names before and after."""
    each = [name.split() for name in names.split(",") if name.strip()]
    return [(words[0], words[-1]) for words in each]


def _entries(pairs: list[tuple[str, str]]) -> str:
    return ", ".join(before if before == after else f"{before}: {after}" for before, after in pairs)


class _Bundle:
    """The modules in the order in which they are needed, each once."""

    def __init__(self) -> None:
        self.names: dict[Path, str] = {}
        self.texts: list[str] = []

    def add(self, path: Path) -> str:
        """Add a module after those that it imports; the name that its exports have."""
        if path in self.names:
            return self.names[path]
        text = path.read_text(encoding="utf-8")
        exports: list[tuple[str, str]] = []

        def imported(found: re.Match[str]) -> str:
            module = self.add((path.parent / found[2]).resolve())
            return f"const {{ {_entries(_pairs(found[1]))} }} = {module};"

        def handed_on(found: re.Match[str]) -> str:
            pairs = _pairs(found[1])
            exports.extend((after, before) for before, after in pairs)
            module = self.add((path.parent / found[2]).resolve())
            return f"const {{ {', '.join(before for before, _ in pairs)} }} = {module};"

        def declared(found: re.Match[str]) -> str:
            exports.append((found[2], found[2]))
            return f"{found[1]} {found[2]}"

        def listed(found: re.Match[str]) -> str:
            exports.extend((after, before) for before, after in _pairs(found[1]))
            return ""

        for pattern, change in (
            (IMPORT, imported),
            (HANDED_ON, handed_on),
            (DECLARED, declared),
            (LISTED, listed),
        ):
            text = pattern.sub(change, text)
        if LEFT.search(text):
            raise ModuleError(f"{path}: an import or export of an unknown kind")
        name = self.names[path] = f"module{len(self.names)}"
        self.texts.append(
            f"const {name} = (() => {{\n{text}\nreturn {{ {_entries(exports)} }};\n}})();"
        )
        return name


@cache
def bundled() -> tuple[str, str]:
    """The text of the tree view's modules, and the name that the exports of `alone.js` have in
    it."""
    bundle = _Bundle()
    name = bundle.add(ENTRANCE)
    terms = "\n\n".join((STATIC / "vendor" / file).read_text("utf-8") for file in LICENCES)
    if any("</script" in text for text in bundle.texts):
        raise ModuleError("a module would end the script of a page")
    return f"/*!\nParts of this are by others, under these terms.\n\n{terms}*/\n" + "\n".join(
        bundle.texts
    ), name


@cache
def style() -> str:
    """The style of the tree view."""
    return "".join((STATIC / "css" / name).read_text("utf-8") for name in ("base.css", "tree.css"))


def style_inside() -> str:
    """The style for a part of a page that has nothing to do with the rest of it (a shadow tree):
    what is said of the page is said of that part."""

    def host(found: re.Match[str]) -> str:
        return f":host({found[1]})" if found[1] else ":host"

    inside = re.sub(r":root((?:\[[^\]]*\]|:not\([^)]*\))*)", host, style())
    return re.sub(r"^body \{", ".alone {", inside, flags=re.MULTILINE)


def shown(trace: Trace, fewest: int | None) -> Json:
    """A trace as data for the tree view, which has words of its own, in two languages."""
    data = without_words(trace)
    if fewest is not None:
        data["fewest"] = fewest
    named = trace.game.format
    dotted = all(".".join(trace.path(node)) == named(node.state) for node in trace.nodes)
    where = f" {trace.position}" if trace.position and not dotted else ""
    return {
        "trace": {**data, "dotted": dotted},
        "title": f"{trace.game.title()}{where}: {trace.algorithm}",
        "files": dict(trace.sources),
        "first": next(iter(trace.sources), ""),
    }


def without_words(trace: Trace) -> Json:
    """`Trace.to_dict` without its words."""
    data: Json = trace.to_dict()
    for event in data["events"]:
        del event["text"]
    for node in data["nodes"]:
        del node["why"], node["path"]
    return data
