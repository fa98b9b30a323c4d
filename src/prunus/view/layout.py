"""Where the nodes of a trace are drawn: side by side so that labels do not overlap, each subtree in
a strip of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from prunus.view import telling
from prunus.view.events import Node
from prunus.view.replay import Look

if TYPE_CHECKING:
    from prunus.view.trace import Trace

RADIUS: Final = 15
"""Half the side of a leaf; all sizes are in SVG units."""
LEVEL: Final = 112
"""The height of a ply: a block of labels with the node among them, and a band for the edges."""
TOP, MARGIN, GAP = 44, 16, 8
NAME, WINDOW, SHAPE, WHY, BOTTOM = 10, 22, 46, 74, 79
"""Heights in a block, from its top: the baselines of the labels, the middle of the node, the
end."""
TEXT, SMALL = 11, 9.5
"""Font sizes: values; everything else."""
MOST_STUBS: Final = 3
"""Up to this many branches of a node that were not visited are drawn separately."""
WIDE: Final = frozenset("MWmw@%∞—…≤≥")


def width_of(text: str, size: float = SMALL) -> float:
    """An upper limit of the width of a text: letters of the usual sans-serif fonts are narrower."""
    return size * sum(0.98 if letter in WIDE else 0.66 for letter in text)


@dataclass
class Place:
    """Where a node, or a branch that was not visited, is drawn. For such a branch `node` is None,
    and `owner` is the number of the node above it."""

    name: str
    node: Node | None
    ply: int
    owner: int
    width: float
    x: float = 0.0
    has_window: bool = False
    why: str = ""
    tip: str = ""
    below: list[Place] = field(default_factory=list)

    @property
    def top(self) -> float:
        """The upper end of the block of labels and node."""
        return TOP + LEVEL * self.ply

    @property
    def first(self) -> float:
        """The upper end of what is drawn in the block, where the edge arrives."""
        return self.top if self.has_window or self.node is None else self.top + WINDOW - NAME

    @property
    def y(self) -> float:
        """The middle of the node."""
        return self.top + SHAPE


@dataclass
class Layout:
    """The places of all nodes, by number; the places of the roots; and the size of the picture."""

    places: list[Place]
    roots: list[Place]
    width: float
    height: float

    def all(self) -> Iterator[Place]:
        """Every place, from the roots down."""
        waiting = self.roots[::-1]
        while waiting:
            place = waiting.pop()
            yield place
            waiting += place.below[::-1]


SHORT: Final = {"merit": "lower merit", "payoff": "no use for more"}


def short_reason(node: Node) -> str:
    """The reason for a cut in a few words; empty if there is none."""
    return (
        f"{node.cut or 'window'} cut"
        if node.reason == "bound"
        else SHORT.get(node.reason, node.reason)
    )


def layout_of(trace: Trace, least: float, looks: Mapping[int, Sequence[Look]]) -> Layout:
    """The places of a trace's nodes in a picture at least `least` wide, with room for all the looks
    that they have in it."""
    places = [_place(trace, node, looks.get(node.number, ())) for node in trace.nodes]
    for node, place in zip(trace.nodes, places, strict=True):
        place.below = [places[child] for child in node.children]
        place.below += _stubs(trace, node)
    for place in reversed(places):  # a child is visited after its parent
        place.width = max(place.width, sum(below.width for below in place.below))
    roots = [place for place in places if place.node is not None and place.node.parent is None]
    total = sum(place.width for place in roots)
    width = max(total + 2 * MARGIN, least)
    _spread(roots, (width - total) / 2)
    for place in places:
        _spread(place.below, place.x - sum(below.width for below in place.below) / 2)
    layout = Layout(places, roots, width, 0)
    layout.height = TOP + LEVEL * max(place.ply for place in layout.all()) + BOTTOM + MARGIN
    return layout


def _stubs(trace: Trace, node: Node) -> list[Place]:
    """The branches of a node that were not visited; more than `MOST_STUBS` become one stub."""
    names = [
        trace.game.action_name(node.state, action) for action in (*node.pruned, *node.repeating)
    ]
    told = names if len(names) <= MOST_STUBS else [f"{len(names)} moves"]
    return [
        Place(
            name,
            None,
            node.ply + 1,
            node.number,
            max(width_of(name), RADIUS) + GAP,
            tip=" ".join(names),
        )
        for name in told
    ]


def _place(trace: Trace, node: Node, looks: Sequence[Look]) -> Place:
    roots = len(telling.roots_of(trace)) if node.parent is None else 0
    name = "" if roots == 1 else telling.name_of(trace, node)
    has_window = trace.has_windows and not node.leaf
    why = short_reason(node)
    labels = [name, why, *(look.window for look in looks if has_window)]
    widths = [
        *map(width_of, labels),
        *(width_of(look.value, TEXT) for look in looks),
        (2 if node.leaf else 2.7) * RADIUS,
    ]
    return Place(
        name, node, node.ply, node.number, max(widths) + GAP, has_window=has_window, why=why
    )


def _spread(row: list[Place], left: float) -> None:
    for place in row:
        place.x = left + place.width / 2
        left += place.width
