"""Backward analysis as slowly and plainly as possible, and random games with cycles to try it on."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np

import prunus
from prunus import u16


class Graph(prunus.Game):
    """A game on a random graph: an action goes along an edge, to a node where either player may be
    to move. Nodes without edges end the game."""

    class State(NamedTuple):
        node: u16

    def __init__(self, targets, first, mover, worth, start=0):
        self.targets, self.first, self.mover = targets, first, mover
        self.worth = worth
        self.start = start

    def initial(self):
        return self.State(self.start)

    def to_move(self, state):
        return self.mover[state.node]

    def actions(self, state):
        return range(self.first[state.node], self.first[state.node + 1])

    def result(self, state, action):
        return self.State(self.targets[action])

    def is_terminal(self, state):
        return self.first[state.node] == self.first[state.node + 1]

    def utility(self, state):
        return self.worth[state.node]


class RankedGraph(Graph):
    """The same with numbers for the nodes, of which there are fewer than 67: far apart, and in
    another order."""

    def rank_count(self):
        return 5 * 67

    def rank(self, state):
        return 5 * ((7 * state.node + 3) % 67)

    def unrank(self, number):
        return self.State((number // 5 - 3) * 48 % 67)  # 7 x 48 = 1 modulo 67


def ranked(game):
    """A random graph with ranks."""
    return RankedGraph(game.targets, game.first, game.mover, game.worth)


def random_graph(seed, most, alternate=False):
    """A random `Graph` whose ends are worth -most ... most. With `alternate`, players take turns."""
    draw = random.Random(seed)
    nodes = draw.randint(2, 60)
    mover = [node % 2 if alternate else draw.randint(0, 1) for node in range(nodes)]
    first, targets = [0], []
    for node in range(nodes):
        there = [other for other in range(nodes) if not alternate or mover[other] != mover[node]]
        degree = 0 if draw.random() < 0.25 else draw.randint(1, 4)
        targets += draw.choices(there, k=degree) if there else []
        first.append(len(targets))
    worth = [draw.randint(-most, most) for _ in range(nodes)]
    return Graph(
        np.array(targets or [0], np.int64),
        np.array(first, np.int64),
        np.array(mover, np.int64),
        np.array(worth, np.int64),
    )


def reachable(game, start):
    """All positions that can be reached, as a list."""
    found, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        for child in children(game, state):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return sorted(found)


def children(game, state):
    """The positions after a position."""
    if game.is_terminal(state):
        return []
    return [game.result(state, action) for action in game.actions(state)]


def outcomes(game, start):
    """For each position (value, plies): 1, -1 with the distance from the end, or (0, None)."""
    states = reachable(game, start)
    known = {}
    for state in states:
        if game.is_terminal(state):
            value = game.utility(state)
            known[state] = ((value > 0) - (value < 0), 0)
    plies = 0
    while True:
        plies += 1
        new = {}
        for state in states:
            if state in known:
                continue
            seen = [
                (known[child][0] * (1 if game.keeps_turn(state, child) else -1))
                if child in known
                else None
                for child in children(game, state)
            ]
            if 1 in seen:
                new[state] = (1, plies)
            elif all(value == -1 for value in seen):
                new[state] = (-1, plies)
        if not new:
            break
        known.update(new)
    return {state: known[state] if known.get(state, (0, 0))[0] else (0, None) for state in states}


def scores(game, start):
    """For each position its score: the most that its player can force in a finite number of plies,
    or else the least that the opponent can be held to, endless play being worth 0."""
    states = reachable(game, start)
    final = {state: game.utility(state) for state in states if game.is_terminal(state)}
    values = dict.fromkeys(states, 0)
    for amount in range(1, max(map(abs, final.values()), default=0) + 1):
        won = {state for state, value in final.items() if value >= amount}
        lost = {state for state, value in final.items() if value <= -amount}
        changed = True
        while changed:
            changed = False
            for state in states:
                if state in won or state in lost or state in final:
                    continue
                after = [(child, game.keeps_turn(state, child)) for child in children(game, state)]
                if any(child in (won if same else lost) for child, same in after):
                    won.add(state)
                    changed = True
                elif all(child in (lost if same else won) for child, same in after):
                    lost.add(state)
                    changed = True
        values.update(dict.fromkeys(won, amount))
        values.update(dict.fromkeys(lost, -amount))
    return values
