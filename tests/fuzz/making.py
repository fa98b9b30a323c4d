"""Making random games, and computing their values with the shortest correct code."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from prunus.core.game import INFINITY, Game
from tests.fuzz.games import CYCLIC, Nodes

UTILITIES: Final[dict[str, Callable[[random.Random], int]]] = {
    "win, draw, loss": lambda r: r.choice((-1, 0, 1)),
    "small": lambda r: r.randint(-5, 5),
    "no draw": lambda r: r.choice((-1, 1)),
    "all equal": lambda r: 7,
    "all lost": lambda r: -r.randint(1, 9),
    "all won": lambda r: r.randint(1, 9),
    "16 bits": lambda r: r.choice((-1, 1)) * r.choice((1, 32765, 32766, 32767, 32768)),
    "41 bits": lambda r: r.randint(-(1 << 40), 1 << 40),
    "62 bits": lambda r: r.choice((-1, 1)) * ((1 << 62) - r.randint(1, 3)),
}
"""The values of finished games, for the player to move."""

SMALL: Final = ("win, draw, loss", "small", "no draw", "all equal", "all lost", "all won")

NAMES: Final[dict[str, Callable[[random.Random, int], list[int]]]] = {
    "numbered": lambda r, n: list(range(n)),
    "negative": lambda r, n: [-1 - k for k in range(n)],
    "mixed": lambda r, n: r.sample(range(-50, 50), n),
    "huge": lambda r, n: r.sample(
        [s * (1 << k) + d for s in (1, -1) for k in (31, 61) for d in range(3)]
        + [(1 << 63) - 1, 0, 4096],
        n,
    ),
}
"""How actions are numbered."""

HASTE: Final = 1 << 16
LOOPS: Final = 20_000
"""The number of positions on paths that the oracle of games with cycles examines before it gives
up."""


class TooLarge(Exception):
    """The oracle cannot value a game, because it has too many lines of play."""


@dataclass
class Truth:
    """The values of a game's nodes, by recursion alone."""

    kind: type[Game]
    children: list[list[tuple[int, int]]]
    worth: list[int]
    turn: list[int]
    estimate: list[int]
    known: dict[Any, int] = field(default_factory=dict)
    left: int = LOOPS

    def sign(self, node: int, child: int) -> int:
        """1 if the player to move in `node` moves again in `child`, otherwise -1."""
        return 1 if not self.kind.alternates and self.turn[node] == self.turn[child] else -1

    def value(self, node: int, depth: int | None = None) -> int:
        """Minimax, to the end of the game or to a depth."""
        if not self.children[node]:
            return self.worth[node]
        if depth == 0:
            return self.estimate[node] if self.kind.has_evaluate else 0
        if (node, depth) not in self.known:
            left = None if depth is None else depth - 1
            self.known[node, depth] = max(
                self.sign(node, child) * self.value(child, left) for _, child in self.children[node]
            )
        return self.known[node, depth]

    def height(self, node: int) -> int:
        """The number of plies of the longest line."""
        if ("height", node) not in self.known:
            self.known["height", node] = max(
                (1 + self.height(child) for _, child in self.children[node]), default=0
            )
        return self.known["height", node]

    def size(self, node: int, depth: int | None) -> int:
        """The number of nodes of the tree."""
        if depth == 0 or not self.children[node]:
            return 1
        if ("size", node, depth) not in self.known:
            left = None if depth is None else depth - 1
            self.known["size", node, depth] = 1 + sum(
                self.size(child, left) for _, child in self.children[node]
            )
        return self.known["size", node, depth]

    def in_haste(self, node: int, left: int) -> int:
        """Minimax of values multiplied by HASTE, a win worth one more and a loss one less for each
        ply left at its end."""
        if not self.children[node]:
            worth = self.worth[node]
            return worth * HASTE + (left + 1) * ((worth > 0) - (worth < 0))
        if left == 0:
            return (self.estimate[node] if self.kind.has_evaluate else 0) * HASTE
        if ("haste", node, left) not in self.known:
            values = [
                self.sign(node, child) * self.in_haste(child, left - 1)
                for _, child in self.children[node]
            ]
            self.known["haste", node, left] = max(values)
        return self.known["haste", node, left]

    def repeats(self, path: tuple[int, ...], child: int) -> bool:
        """Whether a child of the path's last node occurs on the path with the same player to
        move."""
        step = 2 if self.kind.alternates else 1
        return any(path[ply] == child for ply in range(len(path) - step, -1, -step))

    def along(self, path: tuple[int, ...], depth: int | None) -> dict[int, int]:
        """The values of the actions of a path's last node under the game's rule of repetition;
        forbidden ones are left out. Raises TooLarge."""
        self.left -= 1
        if self.left < 0:
            raise TooLarge
        node, rule = path[-1], self.kind.repetition
        found = {}
        for action, child in self.children[node]:
            if self.children[child] and self.repeats(path, child):
                if rule != "forbidden":
                    found[action] = 0 if rule == "draw" else -self.kind.repetition_loss
                continue
            found[action] = self.sign(node, child) * self.on_path(
                (*path, child), None if depth is None else depth - 1
            )
        return found

    def on_path(self, path: tuple[int, ...], depth: int | None) -> int:
        """The value of a path's last node under the game's rule."""
        node = path[-1]
        if not self.children[node]:
            return self.worth[node]
        if depth == 0:
            return 0
        return max(self.along(path, depth).values(), default=-self.kind.repetition_loss)


def random_game(kind: type[Nodes], seed: int, least: int = 2) -> tuple[Game, Truth]:
    """A game of this kind and its truth. The root is not terminal."""
    rng = random.Random(f"{kind.__name__} {seed}")
    utilities = rng.choice(SMALL if kind in CYCLIC else list(UTILITIES))
    names = NAMES[rng.choice(list(NAMES))]
    count = max(least, rng.choice((2, 3, 5, 8, 15, 30, 60)))
    span, ends, width = (
        rng.choice((2, 4, 10, 60)),
        rng.choice((0.05, 0.2, 0.5)),
        rng.choice((1, 2, 3, 4, 6)),
    )
    twins = 2 if kind.twins else 1
    truth = Truth(kind, [], [], [], [])
    for node in range(count):
        over = node == count - 1 or (node > 0 and rng.random() < ends)
        below = [] if over else list(_below(rng, kind, node, count, span, rng.randint(1, width)))
        worth, turn, actions = UTILITIES[utilities](rng), rng.randint(0, 1), names(rng, len(below))
        flips = [rng.randint(0, 1) for _ in below]
        for image in range(twins):
            order = rng.sample(range(len(below)), len(below)) if image else range(len(below))
            truth.children.append(
                [(actions[k], below[k] * twins + (flips[k] ^ image) * (twins - 1)) for k in order]
            )
            truth.worth.append(worth)
            truth.turn.append(turn)
    return kind(_arrays(rng, kind, truth)), truth


def _below(
    rng: random.Random, kind: type[Nodes], node: int, count: int, span: int, number: int
) -> Iterator[int]:
    for _ in range(number):
        yield (
            rng.randrange(count) if kind in CYCLIC else min(count - 1, node + rng.randint(1, span))
        )


def _start(rng: random.Random, value: int, bounds: tuple[list[int], list[int]], count: int) -> None:
    """Sometimes let the bounds of the start, the first nodes, tell its value or who cannot win;
    they then say nothing of other positions."""
    low, high = bounds
    known = rng.choice(("nothing", "value", "side"))
    if known != "nothing":
        side = (low[0], 0) if value < 0 else (0, high[0])
        least, most = (value, value) if known == "value" else side
        low[:count], high[:count] = [least] * count, [most] * count


def _arrays(rng: random.Random, kind: type[Nodes], truth: Truth) -> dict[str, Any]:
    nodes = range(len(truth.children))
    values = [0] * len(nodes) if kind in CYCLIC else [truth.value(node) for node in nodes]
    most = max(
        1, *(abs(worth) for node, worth in enumerate(truth.worth) if not truth.children[node])
    )
    tight = 0 if kind in CYCLIC else rng.choice((0, 0.3, 1.0))
    low, high = [-most] * len(nodes), [most] * len(nodes)
    for node in nodes[1:]:
        if rng.random() < tight:
            low[node] = max(-most, values[node] - rng.choice((0, 0, 1, 5)))
            high[node] = min(most, values[node] + rng.choice((0, 0, 1, 5)))
    truth.estimate = [rng.randint(1 - most, most - 1) for _ in nodes]
    look = [rng.choice((0, 1, -1, 100, 1 << 20)) for _ in nodes]
    if kind.twins:
        for facts in (low, high, truth.estimate):
            facts[1::2] = facts[0::2]
    good = []
    for node in nodes:
        worth = [truth.sign(node, child) * values[child] for _, child in truth.children[node]]
        best = worth.index(max(worth)) if worth else 0
        keep = rng.choice((0, 0.5, 1))
        good += [int(k == best or rng.random() < keep) for k in range(len(worth))]
    if tight:
        _start(rng, values[0], (low, high), 2 if kind.twins else 1)
    first, total = [], 0
    for below in truth.children:
        first.append(total)
        total += len(below)
    flat = [pair for below in truth.children for pair in below]
    return {
        "first": first,
        "count": [len(below) for below in truth.children],
        "action": [action for action, _ in flat],
        "child": [child for _, child in flat],
        "worth": truth.worth,
        "turn": truth.turn,
        "estimate": truth.estimate,
        "low": low,
        "high": high,
        "look": look,
        "good": good,
        "truth": values,
        "height": [INFINITY if kind in CYCLIC else truth.height(node) for node in nodes],
    }
