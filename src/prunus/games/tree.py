"""Game trees written out: the examples of lectures and papers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from prunus.core.bits import Runtime, i64, u32
from prunus.core.game import INFINITY, Game, PositionError

PLAYERS = {"MAX": 0, "MIN": 1, "0": 0, "1": 1}
FIELDS = {"name", "value", "children", "player"}


@dataclass
class TreeNode:
    """One node: `value` is MAX's (a leaf's utility, an inner node's evaluation), `player` moves
    here (0 MAX, 1 MIN; None: the players alternate)."""

    value: int | None = None
    children: list[TreeNode] = field(default_factory=list)
    player: int | None = None
    name: str = ""


class ExplicitTree(Game):
    """A game tree held in arrays; any two trees are the same game to the compiler.

    Values are written for MAX, who is to move at the root (player 0), as in textbooks; `utility`
    and `evaluate` convert them for the player to move. Players alternate unless a node names its
    own. An inner node's value, by default 0, is its evaluation at a depth limit. Actions are
    0-based numbers of children; in text a child is its name or its 1-based number, and a node is
    the names or numbers on the way to it joined by dots: `2.1` (Dewey notation), `` for the root.
    Trees come from `from_nested`, `from_dewey` and `from_json`; malformed ones raise ValueError
    saying where.
    """

    class State(NamedTuple):
        node: u32

    lowest: Runtime[i64]
    highest: Runtime[i64]

    def __init__(self, root: TreeNode, title: str = "tree") -> None:
        nodes, parents, dewey = _breadth_first(root)
        first = np.cumsum([1] + [len(node.children) for node in nodes])[:-1]
        movers: list[int] = []
        for node, parent in zip(nodes, parents, strict=True):
            alternate = 0 if parent < 0 else 1 - movers[parent]
            movers.append(alternate if node.player is None else node.player)
        values = [_checked_value(node, place) for node, place in zip(nodes, dewey, strict=True)]
        self.child_start = np.array(first, np.int64)
        self.child_count = np.array([len(node.children) for node in nodes], np.int64)
        self.value = np.array(values, np.int64)
        self.mover = np.array(movers, np.uint8)
        # Estimates have to lie strictly inside the bounds, for those to mean that the game is
        # decided.
        leaves = [value for value, node in zip(values, nodes, strict=True) if not node.children]
        estimates = [value for value, node in zip(values, nodes, strict=True) if node.children]
        self.lowest = min(*leaves, *(value - 1 for value in estimates), max(leaves))
        self.highest = max(*leaves, *(value + 1 for value in estimates), min(leaves))
        self._names = tuple(node.name for node in nodes)
        self._dewey = tuple(dewey)
        self._title = title

    # Ways to write a tree.

    @classmethod
    def from_nested(cls, tree: object, title: str = "tree") -> Self:
        """From nested lists whose leaves are integers, MAX's values: `[[3, 12, 8], [2, 4, 6], [14,
        5, 2]]`."""
        return cls(_read(tree), title)

    @classmethod
    def from_dewey(cls, values: Mapping[str, int], title: str = "tree") -> Self:
        """From the values of the leaves by Dewey coordinates, `{"1.1": 3, "1.2": 12, "2": 5}`;
        `{"": v}` is a tree of one node. Inner nodes may be given too: their values are evaluations.
        Raises ValueError if a sibling is missing."""
        if not values:
            raise ValueError("the tree is empty")
        nodes: dict[tuple[int, ...], TreeNode] = {(): TreeNode()}
        for place in sorted(values, key=coordinates):
            path = coordinates(place)
            for length in range(1, len(path) + 1):
                if path[:length] not in nodes:
                    siblings = nodes[path[: length - 1]].children
                    if path[length - 1] != len(siblings) + 1:
                        missing = _dotted((*path[: length - 1], len(siblings) + 1))
                        raise ValueError(
                            f"node {_dotted(path[:length])} is given, but its sibling {missing} is "
                            f"missing"
                        )
                    nodes[path[:length]] = TreeNode()
                    siblings.append(nodes[path[:length]])
            nodes[path].value = _integer(values[place], place)
        return cls(nodes[()], title)

    @classmethod
    def from_json(cls, source: str | Path, title: str = "") -> Self:
        """From a JSON text or the path of a JSON file: nested lists, a mapping of Dewey coordinates
        to values, or objects with the fields "name", "value" (MAX's), "children", "player" ("MAX"
        or "MIN"). Raises ValueError with the file and line."""
        is_text = isinstance(source, str) and source.lstrip()[:1] in ("[", "{")
        where = "JSON" if is_text else str(source)
        try:
            data = json.loads(str(source) if is_text else Path(source).read_text(encoding="utf-8"))
        except OSError as error:
            raise ValueError(f"{where}: {error.strerror}") from None
        except json.JSONDecodeError as error:
            raise ValueError(
                f"{where}, line {error.lineno}, column {error.colno}: {error.msg}"
            ) from None
        except (UnicodeDecodeError, RecursionError) as error:
            raise ValueError(f"{where}: this is not a JSON tree ({error})") from None
        title = title or ("tree" if is_text else Path(source).stem)
        try:
            is_mapping = isinstance(data, dict) and not (data and FIELDS.issuperset(data))
            return cls.from_dewey(data, title) if is_mapping else cls(_read(data), title)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None

    # The rules.

    def initial(self) -> State:
        return self.State(0)

    def actions(self, state: State) -> Iterator[int]:
        for action in range(
            self.child_count[state.node]
        ):  # the compiler does not know `yield from`
            yield action

    def result(self, state: State, action: int) -> State:
        return self.State(self.child_start[state.node] + action)

    def is_terminal(self, state: State) -> bool:
        return self.child_count[state.node] == 0

    def to_move(self, state: State) -> int:
        return self.mover[state.node]

    def utility(self, state: State) -> int:
        return self.value[state.node] if self.mover[state.node] == 0 else -self.value[state.node]

    def evaluate(self, state: State) -> int:
        return self.value[state.node] if self.mover[state.node] == 0 else -self.value[state.node]

    def bounds(self, state: State) -> tuple[int, int]:
        if self.mover[state.node] == 0:
            return (self.lowest, self.highest)
        return (-self.highest, -self.lowest)

    # Texts.

    def parse(self, text: str) -> State:
        text = text.strip()
        if text in self._names and text:
            return self.State(self._names.index(text))
        state = self.initial()
        path = [] if text in ("", "start") else text.split(".")
        for number, step in enumerate(path, 1):
            names = [
                self.action_name(state, action)
                for action in range(int(self.child_count[state.node]))
            ]
            if step.isdecimal() and 1 <= int(step) <= len(names):
                state = self.result(state, int(step) - 1)
            elif step in names:
                state = self.result(state, names.index(step))
            else:
                here = f"node {'.'.join(path[: number - 1])}" if number > 1 else "the root"
                raise PositionError(
                    f"{text!r}: {here} has no child {step!r}; its children: "
                    f"{' '.join(names) or 'none, it is a leaf'}"
                )
        return state

    def format(self, state: State) -> str:
        return self._names[state.node] or self._dewey[state.node]

    def dewey(self, state: State) -> str:
        """The Dewey coordinates of a node: `2.1` is the first child of the root's second child, ``
        the root."""
        return self._dewey[state.node]

    def action_name(self, state: State, action: int) -> str:
        return self._names[int(self.child_start[state.node]) + action] or str(int(action) + 1)

    def title(self) -> str:
        return self._title

    def __repr__(self) -> str:
        return f"ExplicitTree({self._title!r}, {len(self._names)} nodes)"


def read_tree(file: str) -> ExplicitTree:
    """The tree in a JSON file (`ExplicitTree.from_json`), called by the file's name. Raises
    ValueError with the file and the place."""
    return ExplicitTree.from_json(Path(file))


def _breadth_first(root: TreeNode) -> tuple[list[TreeNode], list[int], list[str]]:
    """All nodes in an order in which siblings lie side by side, the number of each node's parent,
    and its coordinates."""
    nodes, parents, dewey = [root], [-1], [""]
    for number, node in enumerate(nodes):
        names = [child.name for child in node.children if child.name]
        if len(names) != len(set(names)):
            raise ValueError(
                f"two children of {_place(dewey[number])} have the same name: {' '.join(names)}"
            )
        for place, child in enumerate(node.children, 1):
            nodes.append(child)
            parents.append(number)
            dewey.append(f"{dewey[number]}.{place}" if dewey[number] else str(place))
    return nodes, parents, dewey


def _place(dewey: str) -> str:
    return f"node {dewey}" if dewey else "the root"


def _checked_value(node: TreeNode, place: str) -> int:
    if node.value is None:
        if not node.children:
            raise ValueError(f"{_place(place)} is a leaf without a value")
        return 0
    return node.value


def _integer(value: object, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{_place(place)}: a value is an integer, not {value!r}")
    if not -INFINITY < value < INFINITY:
        raise ValueError(
            f"{_place(place)}: {value} is out of range; values lie between -2**62 and 2**62"
        )
    return value


def coordinates(text: str) -> tuple[int, ...]:
    """The child numbers, from 1, on the way to a node with these Dewey coordinates. Raises
    ValueError for a text that is none."""
    steps = text.split(".") if text else []
    if not all(step.isdecimal() and int(step) > 0 for step in steps):
        raise ValueError(f"{text!r} are not Dewey coordinates, which look like 2.1.3")
    return tuple(map(int, steps))


def _dotted(path: tuple[int, ...]) -> str:
    return ".".join(map(str, path))


def _read(data: object) -> TreeNode:
    """The tree that nested lists and objects describe; read without recursion, because a tree may
    be deeper than Python's stack."""
    root = TreeNode()
    waiting: list[tuple[TreeNode, object, str]] = [(root, data, "")]
    for node, item, place in waiting:
        if isinstance(item, dict):
            _read_object(node, item, place)
            children = item.get("children", [])
            if not isinstance(children, list):
                raise ValueError(f'{_place(place)}: "children" is a list, not {children!r}')
        elif isinstance(item, list | tuple):
            children = list(item)
            if not children:
                raise ValueError(
                    f"{_place(place)} is an empty list: a leaf is an integer"
                    if place
                    else "the tree is empty"
                )
        else:
            node.value = _integer(item, place)
            continue
        for number, child in enumerate(children, 1):
            node.children.append(TreeNode())
            waiting.append(
                (node.children[-1], child, f"{place}.{number}" if place else str(number))
            )
    return root


def _read_object(node: TreeNode, item: dict[str, object], place: str) -> None:
    unknown = sorted(item.keys() - FIELDS)
    if unknown:
        raise ValueError(
            f"{_place(place)}: unknown field {unknown[0]!r}; the fields are "
            f"{', '.join(sorted(FIELDS))}"
        )
    node.name = str(item.get("name", ""))
    if item.get("value") is not None:
        node.value = _integer(item["value"], place)
    if item.get("player") is not None:
        player = PLAYERS.get(str(item["player"]).upper())
        if player is None:
            raise ValueError(f'{_place(place)}: "player" is "MAX" or "MIN", not {item["player"]!r}')
        node.player = player
