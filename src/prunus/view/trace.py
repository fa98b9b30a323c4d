"""What is kept of a search that was watched node by node: `Trace`."""

from __future__ import annotations

import json
import sys
import tempfile
import webbrowser
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

from prunus.core.analysis import Statistics
from prunus.core.game import Game
from prunus.kernel.traced import Node

DRAWN: Final = 2000
"""The most nodes of a trace that a notebook draws unasked."""


@dataclass(frozen=True, repr=False)
class Trace:
    """A search as it went: every visited node in order, with its window, value and the reason of
    each cut.

    `print` shows it as indented lines, `svg()` and `html()` are pictures of the tree, `show()`
    opens one. A notebook draws a trace itself.
    """

    game: Game
    state: Any
    position: str
    algorithm: str
    depth: int | None
    value: int
    nodes: tuple[Node, ...]
    statistics: Statistics

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
        """Why a node's remaining children were not visited, in words; empty where all were."""
        return "; ".join(filter(None, (self.why_cut(node), self.why_left_out(node))))

    def why_left_out(self, node: Node) -> str:
        """What repetitions have to do with a node's children not being visited, in words; empty
        where nothing."""
        if node.leaf == "repetition":
            return (
                "no action is left that does not repeat a position"
                if node.repeating
                else "the position has come again"
            )
        return "they would repeat a position" if node.repeating else ""

    def why_cut(self, node: Node) -> str:
        """Why some of a node's children were cut off, in words; empty where none were."""
        if not node.pruned:
            return ""
        if node.reason == "remembered":
            return "its value was remembered from another line"
        if node.reason == "merit":
            return "another strategy had the higher merit"
        if node.reason == "extreme":
            return f"its value {node.value} cannot be improved"
        if node.cut == "window":
            return f"its value {node.value} answers the question whether it reaches {node.beta}"
        if node.cut_by is None:
            return (
                f"its value {node.value} reached the upper end {node.beta} of the window at "
                f"the root"
            )
        where = " ".join(self.path(self.nodes[node.cut_by])) or "the root"
        return (
            f"{node.cut} cut-off: its value {node.value} reached the bound {node.beta} set at "
            f"{where}"
        )

    def to_dict(self) -> dict[str, Any]:
        """The trace as plain data, actions by name."""
        return {
            "game": self.game.title(),
            "position": self.position,
            "algorithm": self.algorithm,
            "depth": self.depth,
            "value": self.value,
            "visited": len(self.nodes),
            "leaves": self.statistics.leaves,
            "nodes": [self._node(node) for node in self.nodes],
        }

    def _node(self, node: Node) -> dict[str, Any]:
        name = self.game.action_name
        return {
            "id": node.number,
            "parent": node.parent,
            "action": None
            if node.parent is None or node.action is None
            else name(self.nodes[node.parent].state, node.action),
            "state": self.game.format(node.state),
            "ply": node.ply,
            "depth": node.depth,
            "player": "MAX" if node.maximizing else "MIN",
            "alpha": node.alpha,
            "beta": node.beta,
            "value": node.value,
            "leaf": node.leaf,
            "pruned": [name(node.state, action) for action in node.pruned],
            "repeating": [name(node.state, action) for action in node.repeating],
            "reason": node.reason,
            "cut": node.cut,
            "cut_by": node.cut_by,
            "why": self.why(node),
        }

    def to_json(self) -> str:
        """`to_dict` as one line of JSON."""
        return json.dumps(self.to_dict())

    def svg(self) -> str:
        """The tree as an SVG picture; `prunus.view.drawing.to_svg` says what is drawn how."""
        from prunus.view.drawing import to_svg

        return to_svg(self)

    def html(self) -> str:
        """A page that needs nothing else, on which the search can be stepped through."""
        from prunus.view.drawing import to_html

        return to_html(self)

    def show(self) -> Path | None:
        """Show the page of `html()`: below the cell in a notebook, otherwise in the browser, from a
        file that stays and is returned; None in a notebook."""
        page = self.html()
        if _in_notebook():
            from IPython.display import HTML, display  # type: ignore[import-not-found, unused-ignore]

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
        from prunus.view.drawing import to_text

        return to_text(self)

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
