"""What is refused is said in the language of the page."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import prunus

ROOT = Path(prunus.__file__).parent
ROOMS = ("games", "core/grids.py", "studio")
"""What refuses a browser's positions, options and requests. `core/rules.py` has its two below."""

OTHERS = {
    "games/__init__.py",
    "games/evaluations.py",
    "games/files.py",
    "games/chess/features.py",
    "games/othello/patterned.py",
    "studio/serve.py",
}
"""Files whose errors no browser sees: what the command line and Python programs name."""

NEVER = (
    "the game tree needs a JSON file",
    "the best-case tree needs",
    "no address",
    "node 7 is given, but",
    "two children of 7",
    "7 is a leaf without",
    '7: "player" is',
    '7: "children" is',
    "7: unknown field",
    "7: a value is",
    "7: 7 is out of range",
    "7, line 7",
    "7: this is not a JSON",
)
"""How errors of trees in files begin."""

MORE = (
    "move 3 (9): the game is already over",
    "move 3 (9) is illegal here; legal: 1 2",
    "move 3 (9) is ambiguous; it may be 1 2",
    "7 is a point: 7",
    "7 is no point of the board: 7",
    "seconds: Input should be less than or equal to 60",
    "depth: Input should be a valid integer, unable to parse string as an integer",
    "place.moves: List should have at most 600 items after validation, not 601",
    "alphabeta cannot be watched; `prunus algorithms` shows which can",
    "up to 4 searches at a time, please",
    "game 1: the move Ke3 is illegal in 7",
    "game 1: this is not PGN (7)",
)
UNSAID = {"7: 7", "7", "7 7: 7"}
"""Texts that are only filled in."""


def text_of(node):
    """The text of an expression with 7 wherever something is filled in; None for other things."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(each.value) if isinstance(each, ast.Constant) else "7" for each in node.values
        )
    return None


def refusals():
    """All texts of errors that a browser may see."""
    for room in ROOMS:
        place = ROOT / room
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            if file.relative_to(ROOT).as_posix() in OTHERS:
                continue
            for node in ast.walk(ast.parse(file.read_text())):
                if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call):
                    continue
                arguments = [
                    each
                    for first in node.exc.args[:1]
                    for each in (
                        (first.body, first.orelse) if isinstance(first, ast.IfExp) else (first,)
                    )
                ]
                yield from filter(None, map(text_of, arguments))


@pytest.mark.parametrize("visit", [{"locale": "it-IT"}], indirect=True)
def test_every_refusal_is_told_in_italian(visit):
    """Each has its Italian, in which everything that is filled in occurs as often."""
    said = [
        each for each in {*refusals(), *MORE} if not each.startswith(NEVER) and each not in UNSAID
    ]
    assert len(said) > 120
    page = visit.to("home")
    told = page.evaluate(
        "async (said) => said.map((await import('/static/js/words/refusals.js')).inItalian)", said
    )
    pairs = list(zip(said, told, strict=True))
    assert [english for english, italian in pairs if english == italian] == []
    for english, italian in pairs:
        assert "{" not in italian
        if "Input should" not in english:
            count = [len(re.findall(r"\d+", each)) for each in (english, italian)]
            assert count[0] == count[1], (english, italian)


@pytest.mark.parametrize("visit", [{"locale": "it-IT"}], indirect=True)
def test_a_refusal_is_read_in_italian(visit):
    """One that is answered, and one that comes through the socket."""
    page = visit.to("analyse/nim")
    page.fill("#position", "1,x")
    visit.until(".error", "il mucchio 2 ('x') non è un numero da 0 a")
    page = visit.to("analyse/connect-four")
    page.fill("#position", "48")
    visit.until(".error", "Mossa 2 (colonna 8): non c'è questa colonna")
    visit.to("play/hex:size=99", ".error")
    visit.until(".error", "hex:size=99: un tabellone di Hex ha da 1 a 11 righe, non 99")
    page = visit.to("see/tree/[[1,2],[3]]", "#cut:not([disabled])")
    page.fill("#depth", "99")
    page.evaluate("document.querySelector('form.panel').noValidate = true")
    page.click("#begin")
    visit.until(".error", "al massimo 60")
    visit.complaints.clear()  # the browser notes the refusals
