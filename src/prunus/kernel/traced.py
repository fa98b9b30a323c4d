"""Watching an algorithm from outside: the same source, interpreted, with every node recorded.

No algorithm knows that it is watched. A recursive one is copied, and in the copy its own name (and
the names of the procedures that it calls and that call it) refers to a recording version; a
stand-in for the game notes which action leads where. One without recursion is watched through the
fields of its memory (`open_*`, or the whole tree `node`, `parent`, `label`). An action that
`actions` offers and that is never visited was pruned.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from prunus.core.errors import PrunusError
from prunus.core.game import INFINITY, Game
from prunus.kernel.calling import arguments_for, parameters_of
from prunus.kernel.memory import Memory


class TraceTooLarge(PrunusError, RuntimeError):
    """Raised when a search visits more nodes than the trace may hold."""


@dataclass
class Node:
    """One visited node. Values and windows are for the player to move in it; an infinite end of a
    window is None, and so is a value that no line of play determines.

    `pruned` lists the actions that were never visited and `reason` says why: "bound" (the value
    reached `beta`), "extreme" (the value cannot be improved), "remembered" (the value came from
    memory) or "merit" (best-first search found a better strategy elsewhere). `repeating` lists the
    actions left out because they repeat an earlier position; the reason is "repetition" if nothing
    else was left out. For a bound, `cut_by` is the ancestor whose own value set it (None: the
    window of the root) and `cut` is "shallow" for the nearest ancestor of the other player, "deep"
    for one farther up, "window" if the algorithm itself chose the bound to ask a question (a null
    window).
    """

    number: int
    parent: int | None
    action: int | None
    state: Any
    depth: int
    ply: int
    maximizing: bool
    alpha: int | None = None
    beta: int | None = None
    value: int | None = None
    best: int | None = None
    children: list[int] = field(default_factory=list)
    visited: list[int] = field(default_factory=list)
    pruned: tuple[int, ...] = ()
    repeating: tuple[int, ...] = ()
    reason: str = ""
    cut: str = ""
    cut_by: int | None = None
    leaf: str = ""
    """Why the node is a leaf: "terminal", "horizon" (valued at the depth limit) or "repetition"
    (which ends the game); empty for an inner node."""


class Recorder:
    """The nodes of one search, in the order of their visits."""

    def __init__(self, game: Game, limit: int) -> None:
        self.game = game
        self.limit = limit
        self.nodes: list[Node] = []

    def enter(self, parent: Node | None, action: int | None, state: Any, depth: int) -> Node:
        """Record that a node is visited."""
        if len(self.nodes) >= self.limit:
            raise TraceTooLarge(
                f"the search visits more than {self.limit:,} nodes, too many to trace: search less "
                f"deep, "
                "start nearer to the end, or raise the limit"
            )
        kept = parent is not None and self.game.keeps_turn(parent.state, state)
        maximizing = parent is None or parent.maximizing == kept
        node = Node(
            len(self.nodes),
            None if parent is None else parent.number,
            action,
            state,
            depth,
            _ply(parent),
            maximizing,
        )
        self.nodes.append(node)
        if parent is not None and action is not None:
            parent.children.append(node.number)
            parent.visited.append(int(action))
        return node

    def leave(self, node: Node, value: int) -> None:
        """Record that a node is finished. The actions it did not visit were pruned; its value and
        those of its ancestors tell why."""
        node.value = int(value)
        if self.game.is_terminal(node.state):
            node.leaf = "terminal"
        elif node.depth == 0:
            node.leaf = "horizon"
        else:
            self._explain(node)
        if node.parent is not None:
            parent = self.nodes[node.parent]
            seen = node.value if parent.maximizing == node.maximizing else -node.value
            # At or below alpha a child's value is only an upper bound and does not raise it.
            if parent.alpha is None or seen > parent.alpha:
                parent.best = seen if parent.best is None else max(parent.best, seen)

    def _explain(self, node: Node) -> None:
        node.pruned = tuple(
            int(a) for a in self.game.actions(node.state) if int(a) not in node.visited
        )
        if not node.pruned:
            return
        if not node.visited:
            node.reason = "remembered"
        elif node.beta is not None and node.value is not None and node.value >= node.beta:
            node.reason = "bound"
            self._find_cause(node)
        else:
            node.reason = "extreme"

    def _find_cause(self, node: Node) -> None:
        opponents = 0
        ancestor = node
        while ancestor.parent is not None:
            ancestor = self.nodes[ancestor.parent]
            if ancestor.maximizing != node.maximizing:
                opponents += 1
                if ancestor.best is not None and -ancestor.best == node.beta:
                    node.cut, node.cut_by = (
                        ("shallow" if opponents == 1 else "deep"),
                        ancestor.number,
                    )
                    return
        if node.beta not in (ancestor.beta, None if ancestor.alpha is None else -ancestor.alpha):
            node.cut = "window"


def _ply(parent: Node | None) -> int:
    return 0 if parent is None else parent.ply + 1


def _finite(value: int | None) -> int | None:
    return None if value is None or abs(value) >= INFINITY else int(value)


def observe(
    function: Callable[..., int], arguments: Mapping[str, Any], limit: int = 100_000
) -> tuple[int, list[Node]]:
    """Run an algorithm interpreted and record its nodes: (the value it returned, the nodes in the
    order of their visits).

    Raises TraceTooLarge beyond `limit` nodes.
    """
    game: Game = arguments["game"]
    game.freeze()
    recorder = Recorder(game, limit)
    procedures = _procedures(function)
    if procedures:
        value = _observe_calls(function, procedures, arguments, recorder)
    elif "merit" in arguments["memory"]._values:
        value = _observe_merits(function, arguments, recorder)
    elif "node" in arguments["memory"]._values:
        value = _observe_tree(function, arguments, recorder)
    else:
        value = _observe_list(function, arguments, recorder)
    return value, recorder.nodes


# Algorithms that call themselves.


def _called(function: Callable[..., int]) -> dict[str, Callable[..., int]]:
    names = function.__code__.co_names
    return {n: f for n in names if isinstance(f := function.__globals__.get(n), types.FunctionType)}


def _reached(start: Callable[..., int]) -> set[Callable[..., int]]:
    seen: set[Callable[..., int]] = set()
    waiting = list(_called(start).values())
    while waiting:
        current = waiting.pop()
        if current not in seen:
            seen.add(current)
            waiting += _called(current).values()
    return seen


def _counts_nodes(function: Callable[..., int]) -> bool:
    """Whether each call of this procedure is a node: it counts one itself, and takes the node's
    state."""
    return "nodes" in function.__code__.co_names and "state" in parameters_of(function)


def _procedures(function: Callable[..., int]) -> set[Callable[..., int]]:
    """The procedures on the paths from this one to those whose calls are nodes; empty if no
    procedure is recursive, directly or indirectly."""
    family = _reached(function) | {function}
    recursive = {f for f in family if f in _reached(f)}
    nodes = {f for f in recursive if _counts_nodes(f)}
    return {f for f in family if f in nodes or _reached(f) & nodes} if nodes else set()


class _GameStandIn:
    """The game as the watched algorithm sees it: it answers the same, and notes which action made
    which State."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.made: list[tuple[Any, int]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def result(self, state: Any, action: int) -> Any:
        """The game's result of an action."""
        child = self._game.result(state, action)
        self.made.append((child, action))
        return child

    def action_to(self, state: Any) -> int | None:
        """The action that made this very State; None if no action did (a null move, or the same
        node searched less deep)."""
        return next((action for child, action in reversed(self.made) if child is state), None)


def _observe_calls(
    function: Callable[..., int],
    procedures: set[Callable[..., int]],
    arguments: Mapping[str, Any],
    recorder: Recorder,
) -> int:
    stand_in = _GameStandIn(arguments["game"])
    path: list[Node] = []
    copies = {original: _copy_of(original) for original in procedures}

    def recording(original: Callable[..., int]) -> Callable[..., int]:
        copy = copies[original]
        names = list(parameters_of(original))
        sign = -1 if original.__name__.startswith("min_") else 1

        def record(*given: Any) -> int:
            named = dict(zip(names, given, strict=True))
            parent = path[-1] if path else None
            action = stand_in.action_to(named["state"]) if path else None
            node = recorder.enter(parent, action, named["state"], max(0, named.get("depth", 0)))
            alpha, beta = named.get("alpha"), named.get("beta", named.get("bound"))
            if sign < 0:
                alpha, beta = (None if beta is None else -beta), (None if alpha is None else -alpha)
            node.alpha, node.beta = _finite(alpha), _finite(beta)
            path.append(node)
            made = len(stand_in.made)
            value = copy(*given)
            del stand_in.made[made:]
            path.pop()
            recorder.leave(node, sign * value)
            return value

        return record

    versions = {f: recording(f) if _counts_nodes(f) else copies[f] for f in procedures}
    for original, copy in copies.items():
        copy.__globals__.update(
            {
                name: versions[called]
                for name, called in _called(original).items()
                if called in versions
            }
        )
    named = {**arguments, "game": stand_in}
    return versions[function](*arguments_for(function, named))


def _copy_of(function: Callable[..., int]) -> Any:
    """The same code with a namespace of its own."""
    return types.FunctionType(
        function.__code__,
        dict(function.__globals__),
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )


# Algorithms with an open list: the slots of the memory's `open_*` fields hold the waiting nodes.


class _Slots:
    """An array of the memory that tells a listener of each write."""

    def __init__(self, view: Any, listen: Callable[[int, Any], None]) -> None:
        self._view, self._listen = view, listen

    def __getitem__(self, index: int) -> Any:
        return self._view[index]

    def __setitem__(self, index: int, value: Any) -> None:
        self._view[index] = value
        self._listen(index, value)

    def __len__(self) -> int:
        return len(self._view)


def _observe_list(
    function: Callable[..., int], arguments: Mapping[str, Any], recorder: Recorder
) -> int:
    memory: Memory = arguments["memory"]
    at: dict[int, Node] = {}

    def on_labelled(slot: int, labelled: Any) -> None:
        if not labelled:
            return
        parent = at[memory.open_parent[slot]] if slot else None
        action = memory.open_action[slot] if slot else None
        node = recorder.enter(parent, action, memory.open_state[slot], memory.open_depth[slot])
        node.alpha, node.beta = _window(recorder, node)
        at[slot] = node

    def on_label(slot: int, label: int) -> None:
        node = at[slot]
        node.value = int(label)
        if node.children:
            # A node's label rises with each child's result.
            node.best = int(label)

    memory._values["open_labelled"] = _Slots(memory.open_labelled, on_labelled)
    memory._values["open_label"] = _Slots(memory.open_label, on_label)
    value = function(*arguments_for(function, arguments))
    best = {node.number: node.best for node in recorder.nodes}
    for node in reversed(recorder.nodes):
        _finish(recorder, node, best)
    return value


def _finish(recorder: Recorder, node: Node, best: dict[int, int | None]) -> None:
    """Explain a node after the run. When it ended, its ancestors' values were those of the children
    finished before it."""
    for ancestor in _ancestors(recorder, node):
        finished = [
            recorder.nodes[c]
            for c in ancestor.children
            if c < node.number and not _is_below(recorder, node, c)
        ]
        values = [
            c.value if c.maximizing == ancestor.maximizing else -c.value
            for c in finished
            if c.value is not None
        ]
        ancestor.best = max(
            (v for v in values if ancestor.alpha is None or v > ancestor.alpha), default=None
        )
    recorder.leave(node, node.value if node.value is not None else 0)
    for ancestor in _ancestors(recorder, node):
        ancestor.best = best[ancestor.number]


def _ancestors(recorder: Recorder, node: Node) -> list[Node]:
    found = []
    while node.parent is not None:
        node = recorder.nodes[node.parent]
        found.append(node)
    return found


def _is_below(recorder: Recorder, node: Node, top: int) -> bool:
    return node.number == top or any(
        ancestor.number == top for ancestor in _ancestors(recorder, node)
    )


def _window(recorder: Recorder, node: Node) -> tuple[int | None, int | None]:
    """The window that the labels of a node's ancestors leave to it."""
    alpha, beta = None, None
    for ancestor in _ancestors(recorder, node):
        if ancestor.best is None:
            continue
        if ancestor.maximizing == node.maximizing:
            alpha = ancestor.best if alpha is None else max(alpha, ancestor.best)
        else:
            beta = -ancestor.best if beta is None else min(beta, -ancestor.best)
    return alpha, beta


# Algorithms that keep the whole tree.


def _observe_tree(
    function: Callable[..., int], arguments: Mapping[str, Any], recorder: Recorder
) -> int:
    memory: Memory = arguments["memory"]
    value = function(*arguments_for(function, arguments))
    for number in range(memory.nodes):
        parent = recorder.nodes[memory.parent[number]] if number else None
        recorder.enter(
            parent,
            memory.action[number] if number else None,
            memory.node[number],
            memory.left[number],
        )
    for node in reversed(recorder.nodes):
        recorder.leave(node, memory.label[node.number])
    return value


# Best-first search: it keeps the whole tree, in which each node has a status.

_LIVE, _SOLVED = 0, 2


def _observe_merits(
    function: Callable[..., int], arguments: Mapping[str, Any], recorder: Recorder
) -> int:
    memory: Memory = arguments["memory"]
    at: dict[int, Node] = {}

    def on_status(slot: int, status: int) -> None:
        if status == _LIVE:
            return
        if slot not in at:
            parent = at[memory.parent[slot]] if slot else None
            at[slot] = recorder.enter(
                parent, memory.action[slot] if slot else None, memory.node[slot], memory.left[slot]
            )
        if status == _SOLVED:
            node = at[slot]
            node.value = int(memory.merit[slot]) if node.maximizing else -int(memory.merit[slot])

    memory._values["status"] = _Slots(memory.status, on_status)
    value = function(*arguments_for(function, arguments))
    for node in recorder.nodes:
        if recorder.game.is_terminal(node.state):
            node.leaf = "terminal"
        elif node.depth == 0:
            node.leaf = "horizon"
        else:
            node.pruned = tuple(
                int(a) for a in recorder.game.actions(node.state) if int(a) not in node.visited
            )
            node.reason = "merit" if node.pruned else ""
    return value
