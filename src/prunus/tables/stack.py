"""The stack of actions: the legal actions of every node on the current path, so that they can be put in order without allocation.

A node puts its actions on top (`push_actions`) and must take them away when it is done (`memory.stack_top = base`).
"""

from __future__ import annotations

from typing import Any, Final

from prunus.game import Game
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
    top = base
    for action in game.actions(state):
        if top >= len(memory.stack_action):
            raise MemoryError("the actions on one line of play are more than the stack holds; search less deep")
        place = top
        if action == hint:
            while place > base:
                memory.stack_action[place] = memory.stack_action[place - 1]
                place -= 1
        memory.stack_action[place] = action
        top += 1
    memory.stack_top = top
    return base
