"""The stack of actions: the legal actions of every node on the current path, stored so that they
can be ordered without allocation.

A node pushes its actions (`push_actions`) and must remove them when it is done (`memory.stack_top =
base`).
"""

from __future__ import annotations

from typing import Final, Protocol

from prunus.core.game import Game, S
from prunus.core.memory import Array
from prunus.kernel.memory import Spec

STACK: Final = 1 << 18
"""The most actions on one path; only the used part of the array is ever touched."""


def stack_fields() -> Spec:
    """The Memory fields that the stack needs."""
    return {"stack_action": ("i64", STACK), "stack_score": ("i64", STACK), "stack_top": "i64"}


def push_actions(game: Game[S], state: S, hint: int, memory: StackMemory) -> int:
    """Push the actions of a State in the game's own order, but with `hint` first if it is among
    them. Returns where they begin; they end at `memory.stack_top`."""
    base = memory.stack_top
    for action in game.actions(state):
        push(action, hint, base, memory)
    return base


def push_worthwhile(game: Game[S], state: S, hint: int, memory: StackMemory) -> int:
    """The same with only those actions that the game calls worthwhile."""
    base = memory.stack_top
    for action in game.worthwhile(state):
        push(action, hint, base, memory)
    return base


def push(action: int, hint: int, base: int, memory: StackMemory) -> None:
    """Push an action; if it is `hint`, put it at `base`, before the others of its node."""
    top = memory.stack_top
    if top >= len(memory.stack_action):
        raise MemoryError(
            "one line of play has more actions than the stack holds; search less deep"
        )
    place = top
    if action == hint:
        while place > base:
            memory.stack_action[place] = memory.stack_action[place - 1]
            place -= 1
    memory.stack_action[place] = action
    memory.stack_top = top + 1


class StackMemory(Protocol):
    """A memory with a stack of actions (`stack_fields`)."""

    stack_action: Array[int]
    stack_score: Array[int]
    stack_top: int
