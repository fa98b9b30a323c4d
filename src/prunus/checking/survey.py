"""Comparing a game's rules interpreted and compiled, position by position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from prunus.game import Game

if TYPE_CHECKING:
    from prunus.checking.report import Report, Visit

MOST_ACTIONS = 512
COMPARED = 300
"""Positions compared."""


def survey(game: Game, state: Any, memory: Any) -> int:
    """Record what the rules say of one position in `memory`; the number of its actions. Runs on every backend."""
    memory.nodes += 1
    memory.mover = game.to_move(state)
    memory.key = game.key(state)
    memory.images[0] = game.canonical(state)
    memory.low, memory.high = game.bounds(state)
    if game.is_terminal(state):
        memory.terminal = 1
        memory.value = game.utility(state)
        return 0
    memory.terminal = 0
    memory.value = game.evaluate(state)
    count = 0
    for action in game.actions(state):
        if count < len(memory.actions):
            child = game.result(state, action)
            memory.actions[count] = action
            memory.children[count] = child
            memory.keeps[count] = 1 if game.keeps_turn(state, child) else 0
        count += 1
    return count


SCALARS = ("terminal", "value", "mover", "low", "high", "key")


def _memory(state: Any) -> Any:
    from prunus.kernel.memory import Memory

    arrays = {"actions": ("i64", MOST_ACTIONS), "keeps": ("u8", MOST_ACTIONS), "children": ("state", MOST_ACTIONS), "images": ("state", 1)}
    scalars = {name: "u64" if name == "key" else "i64" for name in ("nodes", *SCALARS)}
    return Memory({**scalars, **arrays}, prototype=state)


def compare_backends(game: Game, visits: dict[Any, Visit], report: Report, required: bool) -> None:
    """Survey the positions interpreted and compiled and report the first difference. That a game cannot be compiled is a fault only
    where it is `required`, otherwise a note."""
    from prunus.kernel.backends import prepare
    from prunus.kernel.messages import CannotCompile

    ready = None
    for visit in list(visits.values())[:COMPARED]:
        try:
            plain, fast = _memory(visit.state), _memory(visit.state)
            if ready is None:
                ready, _ = prepare(survey, {"game": game, "state": visit.state, "memory": fast}, compile=True)
        except (CannotCompile, KeyError, TypeError) as error:
            report.add("fault" if required else "note", "not compiled", str(error))
            return
        count = survey(game, visit.state, plain)
        difference = _difference(count, plain, ready(game, visit.state, fast), fast)
        if difference:
            report.add("fault", "backends", f"interpreted and compiled differ: {difference}", str(game.format(visit.state)), visit.line)
            return
    report.compiled = True


def _difference(count: int, plain: Any, fast_count: int, fast: Any) -> str:
    """The first difference between two surveys in words, "" without one."""
    for name in SCALARS:
        a, b = getattr(plain, name), getattr(fast, name)
        if a != b:
            label = name if name != "value" else "utility" if plain.terminal else "evaluate"
            return f"{label} is {a} interpreted and {b} compiled"
    if plain.images[0] != fast.images[0]:
        return f"canonical is {plain.images[0]} interpreted and {fast.images[0]} compiled"
    if count != fast_count:
        return f"there are {count} actions interpreted and {fast_count} compiled"
    for i in range(min(count, MOST_ACTIONS)):
        for name in ("actions", "children", "keeps"):
            a, b = getattr(plain, name)[i], getattr(fast, name)[i]
            if a != b:
                return f"{name}[{i}] is {a} interpreted and {b} compiled"
    return ""
