"""Games with cycles as small graphs: a node leads to a list of nodes, or is a leaf with its value
for MAX (-1, 0 or 1). The turn changes with every step, so that a configuration is a node and
whether MAX moves in it. Endless play is worth 0."""

from __future__ import annotations

import random
from collections import deque

from prunus.theory.errata.cases import Configuration, Graph


def random_graph(rng: random.Random, nodes: int = 4) -> Graph:
    """Inner nodes that lead to one, two or three other nodes; a win, a draw and a loss as
    leaves."""
    names = "abcdefgh"[:nodes]
    leaves: Graph = {"win": 1, "draw": 0, "loss": -1}
    others = {name: [n for n in (*names, *leaves) if n != name] for name in names}
    return {name: rng.sample(others[name], rng.randint(1, 3)) for name in names} | leaves


def successors(graph: Graph, node: str) -> list[str]:
    """The nodes that a node leads to; none for a leaf."""
    below = graph[node]
    return below if isinstance(below, list) else []


def configurations(graph: Graph) -> list[Configuration]:
    """Every node with either player to move."""
    return [(node, is_max) for node in graph for is_max in (True, False)]


def backward(graph: Graph) -> dict[Configuration, int]:
    """The value of every configuration by backward analysis: from the decided leaves up, a
    configuration is a win for the player to move once one successor is, a loss once all are; those
    never reached are draws, agreed or endless."""
    known = {
        (n, m): v for n, m in configurations(graph) if isinstance(v := graph[n], int) and v != 0
    }
    parents = {n: [p for p in graph if n in successors(graph, p)] for n in graph}
    left = {(n, m): len(successors(graph, n)) for n, m in configurations(graph)}
    waiting = deque(known)
    while waiting:
        node, is_max = waiting.popleft()
        value = known[node, is_max]
        for parent in parents[node]:
            above = (parent, not is_max)
            left[above] -= 1
            wins = value == (-1 if is_max else 1)
            if above not in known and (wins or left[above] == 0):
                known[above] = value
                waiting.append(above)
    return {c: known.get(c, 0) for c in configurations(graph)}


def within(graph: Graph, plies: int) -> dict[Configuration, int]:
    """The oracle: minimax to a depth, worth 0 at the horizon. With as many plies as configurations
    it sees every forced end."""
    values = {(n, m): v if isinstance(v := graph[n], int) else 0 for n, m in configurations(graph)}
    for _ in range(plies):
        values = {
            (n, m): (max if m else min)(values[below, not m] for below in graph[n])
            if successors(graph, n)
            else values[n, m]
            for n, m in configurations(graph)
        }
    return values
