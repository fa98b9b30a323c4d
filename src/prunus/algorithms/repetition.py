"""Games with cycles: the path from the start of the game, the repetitions on it, and which values
depend on that path.

The States above the current node are a stack, `path`, of `path_length` States; this is also the
current node's own index there. The first `played` of them were played before the search. A node is
written like this:

    if ends_by_repetition(game, state, memory):
        return repeated_value(game, state, memory)
    for action in game.actions(state):
        child = game.result(state, action)
        if is_forbidden(game, state, child, memory):
            continue
        enter(game, state, memory)
        ...
        leave(game, memory)
    best = expect_allowed(game, state, best, memory)

If values go to a table, `is_free` says whether they may be stored as independent of the path above.

`lowest_repeat` holds, for each index on the path, the smallest index that a repetition below that
node has referred to. References to the history do not count: the history is the same for all values
of a search. A value found without a reference above the node itself is the State's own, given this
history; any other value holds on this path only (the graph history interaction problem, Campbell
1985). Under "draw" a table of such values is sound as long as the history stays the same. Under
"loss" and "forbidden" no table is, because there the past decides even before anything has been
repeated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Protocol

from prunus.algorithms.leaves import LeafMemory, dead_end, scaled
from prunus.core.game import INFINITY, REPETITIONS, Game, S
from prunus.core.memory import Array, StateArray
from prunus.kernel.memory import Memory, Spec

NO_REPEAT: Final = 1 << 30

NONE, DRAW, LOSS, FORBIDDEN = (
    REPETITIONS.index(name) for name in ("none", "draw", "loss", "forbidden")
)


def ends_by_repetition(game: Game[S], state: S, memory: PathMemory) -> bool:
    """Whether the game ends here, as a draw or with a loss, because the current node's State has
    been repeated."""
    return (
        game.repetition_rule != NONE
        and game.repetition_rule != FORBIDDEN
        and repeats(game, state, memory.path_length, memory)
    )


def child_ends_by_repetition(game: Game[S], state: S, child: S, memory: PathMemory) -> bool:
    """The same for a child of the current node, before the search goes there."""
    if game.repetition_rule == NONE or game.repetition_rule == FORBIDDEN:
        return False
    memory.path[memory.path_length] = state
    return repeats(game, child, memory.path_length + 1, memory)


def is_forbidden(game: Game[S], state: S, child: S, memory: PathMemory) -> bool:
    """Whether the rules forbid the action that leads from the current node to this child. If all
    are forbidden, the player to move loses `repetition_loss`."""
    if game.repetition_rule != FORBIDDEN:
        return False
    memory.path[memory.path_length] = state
    return repeats(game, child, memory.path_length + 1, memory)


def repeats(game: Game[S], state: S, place: int, memory: PathMemory) -> bool:
    """Whether this State, which follows those on the path before `place`, has been on the board
    often enough to count as a repetition, each time with the same player to move; with the setting
    `twofold`, whether the search itself has been there before. Its place is recorded in the current
    node's `lowest_repeat`."""
    lowest, first = NO_REPEAT, first_like(game, state, place)
    for _ in range(game.repetition_count - 1):
        place = earlier(game, state, first, place, memory)
        if place < 0:
            return False
        if place >= memory.played:
            lowest = place
            if memory.twofold:
                break
    own = memory.path_length
    memory.lowest_repeat[own] = min(memory.lowest_repeat[own], lowest)
    return True


def first_like(game: Game[S], state: S, place: int) -> int:
    """The first index on the path at which the position of this State, whose own index is `place`,
    may have come up."""
    return max(0, place - game.quiet_plies(state)) if game.has_quiet_plies else 0


def earlier(game: Game[S], state: S, first: int, place: int, memory: PathMemory) -> int:
    """The last index on the path, from `first` on and before `place`, at which the position of this
    State occurs with the same player to move; -1 if there is none. `place` is the State's own or a
    later index of the same position; if players alternate, only every second one counts."""
    step = 2 if game.alternates else 1
    place -= step
    while place >= first:
        if is_same_position(game, memory.path[place], state):
            return place
        place -= step
    return -1


def is_same_position(game: Game[S], state: S, other: S) -> bool:
    """Whether two States are the same for a rule of repetition: equal, but for what counts
    plies."""
    if game.has_timeless:
        return bool(game.timeless(state) == game.timeless(other))
    return bool(state == other)


def repeated_value(game: Game[S], state: S, memory: PathMemory) -> int:
    """The value of the current node, a repetition, for the player to move after it, on the scale of
    the search: for a draw what is settled, otherwise 0; under "loss", `repetition_loss` won from
    the player who repeated."""
    if game.repetition_rule == NONE:
        return 0
    return scaled(value_of_repetition(game, memory.path[memory.path_length - 1], state), memory)


def lost_by_repetition(game: Game, memory: PathMemory) -> int:
    """The value for the player to move if every action of his is forbidden, on the scale of the
    search."""
    return scaled(-game.repetition_loss, memory)


def value_of_repetition(game: Game[S], before: S, state: S) -> int:
    """The value of a repeated State, which follows the State `before`, for the player to move."""
    if game.repetition_rule != LOSS:
        return game.settled(state) if game.has_settled else 0
    return -game.repetition_loss if game.keeps_turn(before, state) else game.repetition_loss


def expect_allowed(game: Game[S], state: S, best: int, memory: PathMemory) -> int:
    """The value of a State whose allowed actions have all been searched; `best` is the value of the
    best, or -INFINITY, which is not a value, if there was none. Raises DeadEnd if the rules of
    repetition are not the reason for that."""
    if best > -INFINITY:
        return best
    if game.repetition_rule == FORBIDDEN:
        for _ in game.actions(state):
            return lost_by_repetition(game, memory)
    dead_end(state, memory)
    return best


def enter(game: Game[S], state: S, memory: PathMemory) -> None:
    """The search goes from this State, the current node's, to a child; `leave` undoes it."""
    if game.repetition_rule != NONE:
        push(state, memory)


def leave(game: Game, memory: PathMemory) -> None:
    """The search returns from a child to its parent. If what was found below depends on the path
    above, so does the parent."""
    if game.repetition_rule != NONE:
        pop(memory)


def push(state: object, memory: PathMemory) -> None:
    """Add the State to the path; nothing is known yet of what its child depends on."""
    place = memory.path_length
    memory.path[place] = state
    memory.path_length = place + 1
    memory.lowest_repeat[place + 1] = NO_REPEAT


def pop(memory: PathMemory) -> None:
    """Remove the path's last State, which inherits what its child depends on."""
    place = memory.path_length - 1
    memory.path_length = place
    below = memory.lowest_repeat[place + 1]
    if below <= place:
        memory.lowest_repeat[place] = min(memory.lowest_repeat[place], below)


def is_free(game: Game, memory: PathMemory) -> bool:
    """Whether the result at the current node is independent of the path above it."""
    return (
        game.repetition_rule == NONE
        or memory.lowest_repeat[memory.path_length] >= memory.path_length
    )


def look_anew(game: Game, memory: PathMemory) -> None:
    """Forget what the current node's results so far depend on: they decided only the order of its
    actions, and its value depends on what is found from here on."""
    if game.repetition_rule != NONE:
        memory.lowest_repeat[memory.path_length] = NO_REPEAT


# Outside a search.


def came_again(game: Game[S], path: Sequence[S], child: S) -> bool:
    """Whether a State that follows the last one of a path has been on the board often enough to
    count as a repetition, each time with the same player to move, and the game has a rule of
    repetition."""
    return (
        game.repetition_rule != NONE
        and 1 + times_before(game, path, child) >= game.repetition_count
    )


def times_before(game: Game[S], path: Sequence[S], child: S) -> int:
    """The number of times that a State that follows the last one of a path occurs on it with the
    same player to move."""
    step, first = 2 if game.alternates else 1, first_like(game, child, len(path))
    return sum(
        is_same_position(game, path[place], child)
        for place in range(len(path) - step, first - 1, -step)
    )


def allowed_actions(game: Game[S], path: Sequence[S]) -> Iterator[int]:
    """The actions of the last State of a path, without those that the rules forbid as
    repetitions."""
    for action in map(int, game.actions(path[-1])):
        if game.repetition_rule != FORBIDDEN or not came_again(
            game, path, game.result(path[-1], action)
        ):
            yield action


def is_over(game: Game[S], path: Sequence[S]) -> bool:
    """Whether the game has ended with the last State of a path, by the State itself or by a rule of
    repetition."""
    *before, state = path
    if game.is_terminal(state) or (
        game.repetition_rule in (DRAW, LOSS) and came_again(game, before, state)
    ):
        return True
    return (
        game.repetition_rule == FORBIDDEN
        and any(True for _ in game.actions(state))
        and not any(True for _ in allowed_actions(game, path))
    )


def final_value(game: Game[S], path: Sequence[S]) -> int:
    """The value of a game that ended with the last State of a path, for the player to move
    there."""
    *before, state = path
    if game.is_terminal(state):
        return int(game.utility(state))
    return (
        -game.repetition_loss
        if game.repetition_rule == FORBIDDEN
        else value_of_repetition(game, before[-1], state)
    )


# The fields of a Memory.


def path_fields(depth: int, room: int) -> Spec:
    """The fields of a Memory that a path of `depth` plies needs; `begin_path` initialises them."""
    return {
        "path": ("state", depth + 1),
        "lowest_repeat": ("i64", depth + 2),
        "path_length": "i64",
        "played": "i64",
    }


def begin_path(memory: Memory, past: Sequence[object], played: int) -> None:
    """Begin a search after these States, the first `played` of which are the same for everything
    that the table knows."""
    memory.path.begin_with(past)
    memory.path_length, memory.played = len(past), played
    memory.lowest_repeat[len(past)] = NO_REPEAT


class PathMemory(LeafMemory, Protocol):
    """The memory of a search that heeds repetitions, if the game has any (`path_fields`)."""

    path: StateArray
    path_length: int
    lowest_repeat: Array[int]
    played: int
    twofold: bool
