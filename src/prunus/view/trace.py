"""The record of a search that was watched node by node: `Trace`."""

from __future__ import annotations

import json
import sys
import tempfile
import webbrowser
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from prunus.core.analysis import Statistics
from prunus.core.errors import SearchError
from prunus.core.game import Game
from prunus.view import telling
from prunus.view.events import Enter, Event, Improve, Leave, Node, Return, nodes_after
from prunus.view.replay import as_replay

if TYPE_CHECKING:
    from prunus.view.widget import TraceWidget

DRAWN: Final = 2000
"""The most nodes of a trace that a notebook draws by itself."""


class LookedUp(NamedTuple):
    """What a database says about a node: its value for MAX, and whether that is proved whatever was
    played before it."""

    value: int
    proved: bool


@dataclass(frozen=True, repr=False)
class Trace:
    """A recorded search: its `events` in the order in which they happened (`prunus.view.events`),
    and the `nodes` built from them, with windows, values and the reason for each cut. Values and
    windows are for MAX, the player to move at the root.

    `print` shows the tree as indented lines, `steps()` tells the events in words, `svg()` and
    `html()` are pictures of the tree, `show()` opens one, and `widget()` is one for a notebook,
    which draws a trace by itself, too.
    `has_windows`: the algorithm searches with a window. `lines`: for each event the file (its name)
    and the line of the algorithm's source that was running, None where none was; `sources`: the
    texts of those files, the one with the algorithm's entrance first; both are empty if lines were
    not asked for. `known` has what a database says, by the numbers of nodes; the search has not
    used it (`prunus.databases.past.looked_up`).
    """

    game: Game
    state: object
    position: str
    algorithm: str
    depth: int | None
    value: int
    events: tuple[Event, ...]
    statistics: Statistics
    has_windows: bool = True
    lines: tuple[tuple[str, int] | None, ...] = ()
    known: Mapping[int, LookedUp] = field(default_factory=dict)
    has_list: bool = False
    has_merits: bool = False
    whole: Trace | None = None
    sources: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes, as they are at the end."""
        return tuple(nodes_after(self.events))

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """The numbers of the roots: an algorithm that searches several times has several."""
        return tuple(node.number for node in self.nodes if node.parent is None)

    def path(self, node: Node) -> tuple[str, ...]:
        """The names of the actions from the root to a node."""
        names: list[str] = []
        while node.parent is not None and node.action is not None:
            parent = self.nodes[node.parent]
            names.append(self.game.action_name(parent.state, node.action))
            node = parent
        return tuple(reversed(names))

    def pruned_paths(self) -> list[tuple[str, ...]]:
        """The paths to all children that were cut off."""
        return [
            (*self.path(node), self.game.action_name(node.state, action))
            for node in self.nodes
            for action in node.pruned
        ]

    def why(self, node: Node) -> str:
        """Why a node's remaining children were not visited, in words; empty if all were visited."""
        return "; ".join(
            filter(None, (telling.why_cut(self, node, node.value), telling.why_left_out(node)))
        )

    def steps(self) -> Iterator[str]:
        """The events in words, one line each, in the order in which they happened."""
        return telling.as_steps(self)

    def replay(self) -> Iterator[str]:
        """The events in words, each followed by what is known then: the windows and labels from the
        root to its node, or the list L, and the path rule where it explains a cut."""
        return as_replay(self)

    def at(self, step: int) -> Trace:
        """The trace as it was after so many events: its nodes have the windows and values that were
        known then, and its picture has them where the whole one has them. `value` and `statistics`
        are still those of the whole search. Raises SearchError if there are not so many events."""
        whole = self.whole or self
        if not 1 <= step <= len(whole.events):
            raise SearchError(f"the trace has events 1 to {len(whole.events)}, no event {step}")
        if step == len(whole.events):
            return whole
        return replace(whole, events=whole.events[:step], lines=whole.lines[:step], whole=whole)

    def to_dict(self) -> dict[str, object]:
        """The trace as plain data, actions by name."""
        return {
            "game": self.game.title(),
            "position": self.position,
            "algorithm": self.algorithm,
            "depth": self.depth,
            "value": self.value,
            "has_windows": self.has_windows,
            "visited": len(self.nodes),
            "leaves": self.statistics.leaves,
            "nodes": [self._node(node) for node in self.nodes],
            "events": [
                {**self._event(event), **({"line": self.lines[number]} if self.lines else {})}
                for number, event in enumerate(self.events)
            ],
        }

    def _node(self, node: Node) -> dict[str, object]:
        name = self.game.action_name
        above = None if node.parent is None else self.nodes[node.parent]
        return {
            "id": node.number,
            "parent": node.parent,
            "action": None
            if above is None or node.action is None
            else name(above.state, node.action),
            "state": self.game.format(node.state),
            "path": list(self.path(node)),
            "ply": node.ply,
            "depth": node.depth,
            "player": telling.player(node),
            "alpha": node.alpha,
            "beta": node.beta,
            "value": node.value,
            "bound": node.bound,
            "payoffs": node.payoffs,
            "leaf": node.leaf,
            "pruned": [name(node.state, action) for action in node.pruned],
            "repeating": [name(node.state, action) for action in node.repeating],
            "reason": node.reason,
            "cut": node.cut,
            "cut_by": node.cut_by,
            "why": self.why(node),
            **self._known(node),
        }

    def _known(self, node: Node) -> dict[str, object]:
        """What a database says of a node; nothing if none was asked."""
        if not self.known:
            return {}
        said = self.known.get(node.number)
        return {"database": None if said is None else said._asdict()}

    def _event(self, event: Event) -> dict[str, object]:
        told: dict[str, object] = {"event": event.kind, "node": event.node}
        if isinstance(event, Enter | Improve):
            told |= {"alpha": event.alpha, "beta": event.beta}
        if isinstance(event, Return):
            told["child"] = event.child
        if isinstance(event, Return | Improve | Leave):
            told["value"] = event.value
        if isinstance(event, Improve | Leave):
            told["bound"] = event.bound
        return {**told, "text": telling.tell(self, event)}

    def to_json(self) -> str:
        """`to_dict` as one line of JSON."""
        return json.dumps(self.to_dict())

    def svg(self, replay: bool = False) -> str:
        """The tree as an SVG picture; `prunus.view.drawing.to_svg` says how it is drawn. With
        `replay` the picture plays the events, an event each second."""
        from prunus.view.drawing import to_svg

        return to_svg(self, replay)

    def html(self, fewest: int | None = None) -> str:
        """A page that needs no other file, for stepping through the search; `prunus.view.page`
        says more."""
        from prunus.view.page import to_html

        return to_html(self, fewest)

    def widget(self, step: int | None = None) -> TraceWidget:
        """The same for a notebook, with `step` events shown at first, by default all (needs the
        extra `notebook`)."""
        from prunus.view.widget import TraceWidget

        return TraceWidget(self, step)

    def show(self) -> Path | None:
        """Show the page of `html()`: in a notebook below the cell, otherwise in the browser, from a
        file that is kept. Returns the path of the file, None in a notebook."""
        page = self.html()
        if _in_notebook():
            from IPython.display import HTML, display

            display(
                HTML(
                    f'<iframe srcdoc="{escape(page)}" width="100%" height="600" style="border: 1px '
                    f'solid #ccc"></iframe>'
                )
            )
            return None
        handle, name = tempfile.mkstemp(prefix="prunus-trace-", suffix=".html")
        with open(handle, "w", encoding="utf-8") as file:
            file.write(page)
        webbrowser.open(Path(name).as_uri())
        return Path(name)

    def __str__(self) -> str:
        return telling.as_tree(self)

    def __repr__(self) -> str:
        depth = "to the end" if self.depth is None else f"depth {self.depth}"
        return (
            f"<Trace of {self.game.title()} {self.position!r}: {self.algorithm}, {depth}, "
            f"value {self.value}, {len(self.nodes):,} nodes>"
        )

    def _repr_svg_(self) -> str | None:
        return self.svg() if len(self.nodes) <= DRAWN else None


def _in_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and hasattr(shell, "kernel")
