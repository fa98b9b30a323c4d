"""Games with cycles: the path from the root, the repetitions on it, and which values depend on that path.

The States above the current node are a stack, `path`, with `path_length` States on it. The number of a State in it is its ply. A node is
written like this:

    if ends_by_repetition(game, state, memory):
        return repeated_value(game, state, memory)
    outer = enter(state, memory)
    for action in game.actions(state):
        child = game.result(state, action)
        if is_forbidden(game, child, memory):
            continue
        ...
    # ... who had actions and may choose none of them has lost `repetition_loss`
    if leave(outer, memory):
        ...  # the value does not depend on the path above: it may go to a table

`lowest_repeat` is the smallest ply that a repetition below the current node has referred to. A value found with no reference above the node
itself is the State's own; any other holds on this path only (the graph history interaction problem, Campbell 1985). Under "draw" a table of
such values is sound; under "loss" and "forbidden" no table is, since there the past decides even where nothing has been repeated yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from prunus.game import REPETITIONS, Game
from prunus.kernel.memory import Spec

NO_REPEAT: Final = 1 << 30

NONE, DRAW, LOSS, FORBIDDEN = (REPETITIONS.index(name) for name in ("none", "draw", "loss", "forbidden"))


def ends_by_repetition(game: Game, state: Any, memory: Any) -> bool:
    """Whether the game ends here, as a draw or with a loss, because this State, a child of the path's last, is on the path already."""
    return game.repetition_rule != NONE and game.repetition_rule != FORBIDDEN and repeats(game, state, memory)


def is_forbidden(game: Game, child: Any, memory: Any) -> bool:
    """Whether the rules forbid the action that leads from the path's last State to this child. Where all are forbidden, the player to move
    has lost `repetition_loss`."""
    return game.repetition_rule == FORBIDDEN and repeats(game, child, memory)


def repeats(game: Game, state: Any, memory: Any) -> bool:
    """Whether this State is on the path with the same player to move; `lowest_repeat` learns where."""
    ply = earlier(game, state, memory)
    if ply < 0:
        return False
    memory.lowest_repeat = min(memory.lowest_repeat, ply)
    return True


def earlier(game: Game, state: Any, memory: Any) -> int:
    """The last ply at which this State, a child of the path's last, was on the path with the same player to move, or -1. States are
    compared whole; where players alternate, only every second ply counts."""
    step = 2 if game.alternates else 1
    ply = memory.path_length - step
    while ply >= 0:
        if memory.path[ply] == state:
            return ply
        ply -= step
    return -1


def repeated_value(game: Game, state: Any, memory: Any) -> int:
    """What a repetition is worth to the player to move after it: 0 for a draw, and `repetition_loss` won from who brought it about where it
    loses."""
    if game.repetition_rule != LOSS:
        return 0
    repeater_moves = game.keeps_turn(memory.path[memory.path_length - 1], state)
    return -game.repetition_loss if repeater_moves else game.repetition_loss


def enter(state: Any, memory: Any) -> int:
    """The State joins the path and its node begins to look for repetitions; the result is for `leave`."""
    outer = memory.lowest_repeat
    memory.path[memory.path_length] = state
    memory.path_length += 1
    memory.lowest_repeat = NO_REPEAT
    return outer


def leave(outer: int, memory: Any) -> bool:
    """The path's last State leaves it. Whether what was found there is free of the path above; if not, the nodes above depend on it too."""
    memory.path_length -= 1
    free = memory.lowest_repeat >= memory.path_length
    memory.lowest_repeat = outer if free else min(outer, memory.lowest_repeat)
    return free


def came_again(game: Game, path: Sequence[Any], child: Any) -> bool:
    """Whether a State that follows the last one of a path is on it already with the same player to move, and the rules of the game say
    what becomes of that. For lines of play outside a search."""
    if game.repetition_rule == NONE:
        return False
    step = 2 if game.alternates else 1
    return any(path[ply] == child for ply in range(len(path) - step, -1, -step))


def is_allowed(game: Game, path: Sequence[Any], child: Any) -> bool:
    """Whether the rules allow to go on from the last State of a path to this one."""
    return game.repetition_rule != FORBIDDEN or not came_again(game, path, child)


def is_over(game: Game, path: Sequence[Any], state: Any) -> bool:
    """Whether the game ends with this State, which has been reached by way of a path."""
    if game.is_terminal(state) or (game.repetition_rule in (DRAW, LOSS) and came_again(game, path, state)):
        return True
    way = (*path, state)
    return game.repetition_rule == FORBIDDEN and not any(is_allowed(game, way, game.result(state, a)) for a in game.actions(state))


def path_fields(depth: int, room: int) -> Spec:
    """The fields of a Memory that a path of `depth` plies needs; both scalars begin as 0."""
    return {"path": ("state", depth + 1), "path_length": "i64", "lowest_repeat": "i64"}
