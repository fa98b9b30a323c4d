"""Comparing a game's rules interpreted and compiled, position by position."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from prunus.core.bits import i64
from prunus.core.game import Game, S
from prunus.core.memory import Array, Counted, StateArray
from prunus.databases.ranking import rank_count_of

if TYPE_CHECKING:
    from prunus.checking.report import Report, Visit

ASKED = 0
"""The alpha that `secured` and `last_value` are called with."""

MOST_ACTIONS = 512
COMPARED = 300
"""The most positions compared."""


def survey(game: Game[S], state: S, memory: SurveyMemory) -> int:
    """Record in `memory` what the rules say about one position, and return the number of its
    actions. Runs on every backend."""
    memory.nodes += 1
    memory.mover = game.to_move(state)
    memory.key = game.key(state)
    memory.images[0] = game.canonical(state)
    if memory.ranked:
        home = game.canonical(game.timeless(game.unsettled(state)))
        memory.rank = i64(game.rank(home))
        memory.images[1] = game.unrank(memory.rank)
    memory.images[2] = game.unsettled(state)
    memory.settled, memory.layer = game.settled(state), game.layer(state)
    memory.low, memory.high = game.bounds(state)
    memory.plies = game.plies_left(state)
    if game.is_terminal(state):
        memory.terminal = 1
        memory.value = game.utility(state)
        return 0
    memory.terminal = 0
    memory.value = game.evaluate(state)
    memory.secured_low, memory.secured_high = game.secured(state, ASKED)
    if game.has_last_value and memory.plies <= game.last_plies:
        memory.last = game.last_value(state, ASKED)
    if game.has_worthwhile:
        for action in game.worthwhile(state):
            if memory.chosen < len(memory.worthwhile):
                memory.worthwhile[memory.chosen] = action
            memory.chosen += 1
    count = 0
    for action in game.actions(state):
        if count < len(memory.actions):
            child = game.result(state, action)
            memory.actions[count] = action
            memory.order[count] = game.order(state, action)
            memory.children[count] = child
            memory.keeps[count] = 1 if game.keeps_turn(state, child) else 0
        count += 1
    return count


SCALARS = (
    "terminal",
    "value",
    "mover",
    "low",
    "high",
    "key",
    "plies",
    "secured_low",
    "secured_high",
    "last",
    "chosen",
    "rank",
    "settled",
    "layer",
)

NAMES = {
    "low": "the lower bound of bounds",
    "high": "the upper bound of bounds",
    "plies": "plies_left",
    "mover": "to_move",
    "terminal": "is_terminal",
    "secured_low": "the lower bound of secured",
    "secured_high": "the upper bound of secured",
    "last": "last_value",
    "chosen": "the number of worthwhile actions",
}
"""The recorded quantities, by the names that the rules use."""

PARTS = {
    "actions": "action",
    "children": "result of action",
    "keeps": "keeps_turn after action",
    "order": "order of action",
}


def _memory(state: object, ranked: bool = False) -> SurveyMemory:
    from prunus.kernel.memory import Memory

    arrays = dict.fromkeys(("actions", "order", "worthwhile"), ("i64", MOST_ACTIONS))
    arrays |= {
        "keeps": ("u8", MOST_ACTIONS),
        "children": ("state", MOST_ACTIONS),
        "images": ("state", 3),
    }
    scalars = {name: "u64" if name == "key" else "i64" for name in ("nodes", *SCALARS)}
    return Memory({**scalars, **arrays, "ranked": ranked}, prototype=state)


def compare_backends(
    game: Game, visits: dict[object, Visit], report: Report, required: bool
) -> None:
    """Survey the positions interpreted and compiled, and report the first difference. A game that
    cannot be compiled is a fault if compiling is `required`, otherwise a note."""
    from prunus.kernel.backends import prepare
    from prunus.kernel.reporting.messages import CannotCompile

    ready, ranked = None, rank_count_of(game) > 0
    for visit in list(visits.values())[:COMPARED]:
        try:
            plain, fast = (_memory(visit.state, ranked) for _ in range(2))
            if ready is None:
                ready, _ = prepare(
                    survey, {"game": game, "state": visit.state, "memory": fast}, compile=True
                )
        except (CannotCompile, KeyError, TypeError) as error:
            report.add("fault" if required else "note", "not compiled", str(error))
            return
        count, error_there = _attempted(survey, game, visit.state, plain)
        fast_count, fast_error = _attempted(ready, game, visit.state, fast)
        if error_there or fast_error:
            difference = _different_errors(error_there, fast_error)
        else:
            difference = _difference(count, plain, fast_count, fast)
        if difference:
            report.add(
                "fault",
                "backends",
                f"interpreted and compiled differ: {difference}",
                str(game.format(visit.state)),
                visit.line,
            )
            return
    report.compiled = True


def _attempted(run: Callable[..., int], *arguments: object) -> tuple[int, str]:
    """The result of a survey, and the error it raises, in words ("" for none)."""
    try:
        return run(*arguments), ""
    except Exception as error:  # whatever the rules raise is reported
        return 0, f"{type(error).__name__}: {error}"


def _different_errors(plain: str, fast: str) -> str:
    """The difference between two errors in words, "" if they are of the same kind."""
    if plain and fast:
        return (
            ""
            if plain.partition(":")[0] == fast.partition(":")[0]
            else f"{plain} interpreted, {fast} compiled"
        )
    return f"only interpreted rules raise {plain}" if plain else f"only compiled rules raise {fast}"


def _difference(count: int, plain: SurveyMemory, fast_count: int, fast: SurveyMemory) -> str:
    """The first difference between two surveys in words, "" if there is none."""
    for name in SCALARS:
        a, b = getattr(plain, name), getattr(fast, name)
        if a != b:
            label = (
                NAMES.get(name, name)
                if name != "value"
                else "utility"
                if plain.terminal
                else "evaluate"
            )
            return f"{label} is {a} interpreted and {b} compiled"
    if plain.images[0] != fast.images[0]:
        return f"canonical is {plain.images[0]} interpreted and {fast.images[0]} compiled"
    if plain.ranked and plain.images[1] != fast.images[1]:
        return f"unrank is {plain.images[1]} interpreted and {fast.images[1]} compiled"
    if plain.images[2] != fast.images[2]:
        return f"unsettled is {plain.images[2]} interpreted and {fast.images[2]} compiled"
    if count != fast_count:
        return f"there are {count} actions interpreted and {fast_count} compiled"
    for i in range(min(count, MOST_ACTIONS)):
        for name, label in PARTS.items():
            a, b = getattr(plain, name)[i], getattr(fast, name)[i]
            if a != b:
                return (
                    f"{label} {i + 1 if name == 'actions' else plain.actions[i]} is {a} "
                    f"interpreted and {b} compiled"
                )
    for i in range(min(plain.chosen, MOST_ACTIONS)):
        if plain.worthwhile[i] != fast.worthwhile[i]:
            return (
                f"worthwhile action {i + 1} is {plain.worthwhile[i]} interpreted and "
                f"{fast.worthwhile[i]} compiled"
            )
    return ""


class SurveyMemory(Counted, Protocol):
    """The memory of `survey`: what the rules say about a position."""

    terminal: int
    value: int
    mover: int
    low: int
    high: int
    key: int
    plies: int
    secured_low: int
    secured_high: int
    last: int
    chosen: int
    ranked: bool
    rank: int
    settled: int
    layer: int
    actions: Array[int]
    order: Array[int]
    worthwhile: Array[int]
    keeps: Array[int]
    children: StateArray
    images: StateArray
