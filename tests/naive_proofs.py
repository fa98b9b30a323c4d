"""Depth-first proof-number search as a first attempt has it: three slips, each of which can be left
out."""

from __future__ import annotations

from typing import Any

NEVER = 1 << 30
DEEPEST = 300
"""Calls within calls beyond which a search is in a circle: no game here is as long."""


class InACircle(Exception):
    """The search has gone on for far longer than the game has nodes."""


class Naive:
    """Proves that the value is at least a goal. `plies`: a node is a State with the plies left, not
    a State alone; `cap`: what sums are cut to, which is sound below NEVER only."""

    def __init__(self, game: Any, plies: bool, cap: int, steps: int = 20_000) -> None:
        self.game, self.plies, self.cap, self.steps = game, plies, cap, steps
        self.known: dict[Any, tuple[int, int]] = {}
        self.nested = 0

    def proves(self, state: Any, depth: int | None, goal: int) -> bool:
        self.search(state, depth, goal, NEVER, NEVER)
        return self.known[self.name(state, depth, goal)][0] == 0

    def name(self, state: Any, depth: int | None, goal: int) -> Any:
        return (state, goal, depth) if self.plies else (state, goal)

    def look(self, state: Any, depth: int | None, goal: int) -> tuple[int, int]:
        name = self.name(state, depth, goal)
        if name not in self.known:
            numbers = (1, 1)
            if self.game.is_terminal(state) or depth == 0:
                ended = self.game.is_terminal(state)
                value = self.game.utility(state) if ended else self.game.evaluate(state)
                numbers = (0, NEVER) if value >= goal else (NEVER, 0)
            self.known[name] = numbers
        return self.known[name]

    def search(self, state: Any, depth: int | None, goal: int, yes: int, no: int) -> None:
        self.look(state, depth, goal)
        less = None if depth is None else depth - 1
        while True:
            self.steps -= 1
            if self.steps < 0:
                raise InACircle
            found = []
            for action in self.game.actions(state):
                child = self.game.result(state, action)
                keeps = self.game.keeps_turn(state, child)
                asked = goal if keeps else 1 - goal
                numbers = self.look(child, less, asked)
                found.append((numbers if keeps else numbers[::-1], child, keeps, asked))
            found.sort(key=lambda item: item[0][0])
            proof = found[0][0][0]
            disproof = NEVER if proof == 0 else min(self.cap, sum(item[0][1] for item in found))
            self.known[self.name(state, depth, goal)] = proof, disproof
            if proof >= yes or disproof >= no or proof == 0 or disproof == 0:
                return
            second = found[1][0][0] if len(found) > 1 else NEVER
            (_, against), child, keeps, asked = found[0]
            limits = min(yes, second + 1), min(NEVER, no - disproof + against)
            self.nested += 1
            # Not left to Python's own limit, which searches in other threads raise.
            if self.nested > DEEPEST:
                raise InACircle
            self.search(child, less, asked, *(limits if keeps else limits[::-1]))
            self.nested -= 1
