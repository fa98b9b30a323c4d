"""Pictures of traces: no label touches another or the end of an edge, everything is on the page,
and the root is near its top."""

from __future__ import annotations

import itertools
import json
import xml.etree.ElementTree as ElementTree

import pytest

import prunus
from prunus.games import ConnectFour, RandomGame, TicTacToe
from prunus.games.figures import FIGURES

SVG = "{http://www.w3.org/2000/svg}"

# Widths in a sans-serif font that is wider than most (DejaVu Sans, bold digits included), as
# fractions of the font size.
BROAD = {"M": 0.87, "W": 0.99, "m": 0.98, "w": 0.82, "∞": 0.84}
SIZES = {"value": 11, "title": 11, "legend": 9.5, "name": 9.5, "window": 9.5, "why": 9.5}

TRACES = {
    "tic-tac-toe": lambda: prunus.trace(TicTacToe(), depth=3),
    "connect-four": lambda: prunus.trace(ConnectFour(), depth=3),
    "figure-4": lambda: prunus.trace(FIGURES["000-figure-4"]().tree),
    "random": lambda: prunus.trace(RandomGame(5, depth=8)),
    "passes": lambda: prunus.trace(FIGURES["000-figure-2"]().tree, algorithm="mtdf"),
    "best-first": lambda: prunus.trace(RandomGame(3, depth=5), algorithm="sss-stockman"),
    "wide": lambda: prunus.trace(ConnectFour(), "4455", depth=4, algorithm="mtdf"),
    "huge values": lambda: prunus.trace(RandomGame(3, depth=4, values=10**15)),
}


def box_of(text):
    size = SIZES[text.get("class")]
    width = size * sum(BROAD.get(letter, 0.64) for letter in text.text)
    x, y = float(text.get("x")), float(text.get("y"))
    return (x - width / 2, y - 0.8 * size, x + width / 2, y + 0.2 * size)


def shape_of(drawn):
    if drawn.tag == f"{SVG}rect":
        x, y, width, height = (float(drawn.get(name)) for name in ("x", "y", "width", "height"))
        return (x, y, x + width, y + height)
    points = [tuple(map(float, point.split(","))) for point in drawn.get("points").split()]
    return (
        min(x for x, _ in points),
        min(y for _, y in points),
        max(x for x, _ in points),
        max(y for _, y in points),
    )


def meet(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("name", TRACES)
def test_labels_do_not_meet(name):
    trace = TRACES[name]()
    picture = ElementTree.fromstring(trace.svg())
    texts = [text for text in picture.iter(f"{SVG}text") if text.text]
    boxes = [(box_of(text), text) for text in texts]
    for (one, text), (other, second) in itertools.combinations(boxes, 2):
        assert not meet(one, other), (text.text, second.text)
    shapes = [shape_of(each) for each in picture.iter() if each.get("class", "").startswith("node")]
    assert len(shapes) == len(trace.nodes)
    for one, other in itertools.combinations(shapes, 2):
        assert not meet(one, other)
    for box, text in boxes:
        if text.get("class") != "value":
            assert not any(meet(box, shape) for shape in shapes), text.text
    width, height = float(picture.get("width")), float(picture.get("height"))
    for left, top, right, bottom in [box for box, _ in boxes] + shapes:
        assert 0 <= left < right <= width and 0 <= top < bottom <= height
    assert shapes[0][3] < 150, "the root is at the top"


@pytest.mark.parametrize("name", TRACES)
def test_edges_stay_between_the_plies(name):
    """An edge crosses the band without labels, then goes down to its node in the node's own
    column."""
    picture = ElementTree.fromstring(TRACES[name]().svg())
    boxes = [box_of(text) for text in picture.iter(f"{SVG}text") if text.text]
    lines = [
        [tuple(map(float, p.split(","))) for p in each.get("points").split()]
        for each in picture.iter(f"{SVG}polyline")
    ]
    assert len(lines) > 5
    for (x1, y1), (x2, y2), *_ in lines:
        for left, top, right, bottom in boxes:
            # Where the line crosses the label's columns, it must be above or below the label.
            low, high = max(left, min(x1, x2)), min(right, max(x1, x2))
            if low < high:
                at = [y1 + (y2 - y1) * (x - x1) / (x2 - x1) for x in (low, high)]
                assert max(at) <= top + 1 or min(at) >= bottom - 1


def test_the_page_plays_the_events():
    trace = prunus.trace(FIGURES["000-figure-2"]().tree)
    page = trace.html()
    assert page.count('"event": "enter"') == len(trace.nodes)
    assert "src=" not in page and "<link" not in page


class Hostile(TicTacToe):
    def title(self):
        return "<!--<script>"


def test_the_texts_of_a_game_are_data_in_its_page():
    page = prunus.trace(Hostile(), "XOX/OXO/...", algorithm="minimax").html()
    data = page.partition('id="data">')[2].partition("</script>")[0]
    assert "<" not in data and json.loads(data)["title"].startswith("<!--<script>")
