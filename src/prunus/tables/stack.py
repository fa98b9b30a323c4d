"""The stack of actions: the legal actions of every node on the current path, so that they can be put in order without allocation.

A node puts its actions on top (`push_actions`) and must take them away when it is done (`memory.stack_top = base`).
"""

from __future__ import annotations

from typing import Any, Final

from prunus.core.game import Game
from prunus.kernel.memory import Spec

STACK: Final = 1 << 18
"""Actions on one path; the array is only touched as far as it is used."""


def stack_fields() -> Spec:
    """The fields of a Memory that the stack needs."""
    return {"stack_action": ("i64", STACK), "stack_score": ("i64", STACK), "stack_top": "i64"}


def push_actions(game: Game, state: Any, hint: int, memory: Any) -> int:
    """Put the actions of a State on the stack in the game's own order, only `hint`, where it is among them, before all others; returns
    where they begin. They end at `memory.stack_top`."""
    base = memory.stack_top
    for action in game.actions(state):
        push(action, hint, base, memory)
    return base


def push_worthwhile(game: Game, state: Any, hint: int, memory: Any) -> int:
    """The same with those actions only that the game calls worthwhile."""
    base = memory.stack_top
    for action in game.worthwhile(state):
        push(action, hint, base, memory)
    return base


def push(action: int, hint: int, base: int, memory: Any) -> None:
    """Put an action on top, or where it is `hint` at the place `base`, before the others of its node."""
    top = memory.stack_top
    if top >= len(memory.stack_action):
        raise MemoryError("the actions on one line of play are more than the stack holds; search less deep")
    place = top
    if action == hint:
        while place > base:
            memory.stack_action[place] = memory.stack_action[place - 1]
            place -= 1
    memory.stack_action[place] = action
    memory.stack_top = top + 1
