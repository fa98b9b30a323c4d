"""`trace`: an algorithm's search of a position, node by node."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from prunus.analysis import Statistics
from prunus.game import Game
from prunus.kernel import threads
from prunus.kernel.traced import Node, TraceTooLarge, observe
from prunus.search.limits import LONGEST, SearchError, limit_of, naming_dead_ends
from prunus.search.minimax_extreme import highest_estimate
from prunus.search.registry import algorithm_named, arguments_of
from prunus.search.session import begin, counts_of, new_memory
from prunus.tables.transposition import TranspositionTable

TRACED_MEGABYTES = 4.0
"""A trace is small, and so is its table."""

__all__ = ["Node", "Trace", "TraceTooLarge", "trace"]


@dataclass(frozen=True)
class Trace:
    """A search as it went: every visited node in order, with its window, value and the reason of each cut."""

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
        """The paths to all children that were never visited."""
        return [(*self.path(node), self.game.action_name(node.state, action)) for node in self.nodes for action in node.pruned]

    def why(self, node: Node) -> str:
        """Why a node's remaining children were not visited, in words; empty where all were."""
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
            return f"its value {node.value} reached the upper end {node.beta} of the window at the root"
        where = " ".join(self.path(self.nodes[node.cut_by])) or "the root"
        return f"{node.cut} cut-off: its value {node.value} reached the bound {node.beta} set at {where}"

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
            "action": None if node.parent is None or node.action is None else name(self.nodes[node.parent].state, node.action),
            "state": self.game.format(node.state),
            "ply": node.ply,
            "depth": node.depth,
            "player": "MAX" if node.maximizing else "MIN",
            "alpha": node.alpha,
            "beta": node.beta,
            "value": node.value,
            "leaf": node.leaf,
            "pruned": [name(node.state, action) for action in node.pruned],
            "reason": node.reason,
            "cut": node.cut,
            "cut_by": node.cut_by,
            "why": self.why(node),
        }

    def to_json(self) -> str:
        """`to_dict` as one line of JSON."""
        return json.dumps(self.to_dict())


def trace(
    game: Game,
    state: Any = None,
    algorithm: str = "alphabeta",
    depth: int | None = None,
    *,
    limit: int = 100_000,
    position: str | None = None,
    alpha: int | None = None,
    beta: int | None = None,
) -> Trace:
    """Search a position with an algorithm's own source, interpreted, and record every node.

    limit: the most nodes to record; beyond it TraceTooLarge is raised. alpha, beta: the window at the root, for algorithms that have
    one. The other arguments are those of `analyze`.
    """
    game.freeze()
    chosen = algorithm_named(algorithm)
    state = game.initial() if state is None else state
    plies = limit_of(depth)
    actions = 0 if game.is_terminal(state) else sum(1 for _ in game.actions(state))
    room = max(limit + actions + 1, 1024) if chosen.room else None
    table = TranspositionTable(TRACED_MEGABYTES, game, state) if chosen.table else None
    memory = new_memory(chosen, state, min(plies, LONGEST), actions, room=room, table=table)
    begin(chosen, memory, plies, to_the_end=depth is None)
    if hasattr(memory, "highest"):
        memory.highest = highest_estimate(game, depth is None)
    arguments = arguments_of(game, state, plies, memory)
    arguments |= {name: value for name, value in (("alpha", alpha), ("beta", beta), ("bound", beta)) if value is not None}
    with naming_dead_ends(game, memory):
        outcome, stopped = threads.run(lambda: observe(chosen.function, arguments, limit), memory)
    if stopped:
        raise KeyboardInterrupt
    value, nodes = outcome
    if depth is None and memory.evaluated:
        raise SearchError(f"{game.title()} has lines of more than {LONGEST:,} plies, perhaps cycles: give a depth")
    counts = Statistics(**counts_of(memory))
    text = game.format(state) if position is None else position
    return Trace(game, state, text, chosen.name, depth, value, tuple(nodes), counts)
