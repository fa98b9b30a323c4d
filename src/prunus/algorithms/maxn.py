"""Max^n: minimax for more than two players, each of whom prefers what pays himself most (Luckhardt
& Irani 1986).

The value of a node is a payoff for every player; a node with `depth` plies left keeps them in row
`depth` of the array `payoff`. If several actions pay the player to move the same, the first is
taken: the choice does not matter to him, but it does to the others.
"""

from __future__ import annotations

from typing import Final, Protocol

from prunus.algorithms.leaves import expect_action
from prunus.algorithms.line import extend_line, note_root, start_line
from prunus.algorithms.memory import SearchMemory
from prunus.core.game import INFINITY, Game, S
from prunus.core.memory import Array
from prunus.kernel.memory import Spec

MOST_PLAYERS: Final = 8


def maxn(game: Game[S], state: S, depth: int, memory: PayoffMemory) -> int:
    """The payoff of a State for the player to move in it, visiting every position within `depth`
    plies. Afterwards the payoffs of all players are in `memory.payoff[depth * game.players:]`."""
    memory.nodes += 1
    start_line(memory, depth)
    mover = game.to_move(state)
    row = depth * game.players
    if game.is_terminal(state) or depth == 0:
        leaf_payoffs(game, state, row, memory)
        return memory.payoff[row + mover]
    memory.interior += 1
    best = -INFINITY
    for action in game.actions(state):
        maxn(game, game.result(state, action), depth - 1, memory)
        value = memory.payoff[row - game.players + mover]
        if value > best:
            best = value
            extend_line(memory, depth, action)
            lift_payoffs(game, row, memory)
        note_root(memory, depth, action, value)
    expect_action(state, best, memory)
    return best


def maxn_shallow(game: Game[S], state: S, depth: int, bound: int, memory: PayoffMemory) -> int:
    """Max^n with shallow pruning (Korf 1991). A result below `bound` is exact, and so are the
    payoffs; otherwise the player to move gets at least `bound`, which is enough for the previous
    player to look elsewhere.

    For a game whose payoffs add up to at most `payoff_sum` and are each at least `payoff_low`: what
    one player has limits what is left for the others. Only the parent's player is considered: what
    an ancestor farther up has says nothing about which child his successor will choose (deep
    pruning is unsound)."""
    memory.nodes += 1
    start_line(memory, depth)
    mover = game.to_move(state)
    row = depth * game.players
    if game.is_terminal(state) or depth == 0:
        leaf_payoffs(game, state, row, memory)
        return memory.payoff[row + mover]
    memory.interior += 1
    best = -INFINITY
    first = 1
    for action in game.actions(state):
        child = game.result(state, action)
        limit = bound if game.to_move(child) == mover else enough(game, best)
        maxn_shallow(game, child, depth - 1, limit, memory)
        value = memory.payoff[row - game.players + mover]
        if value > best:
            best = value
            extend_line(memory, depth, action)
            lift_payoffs(game, row, memory)
            note_root(memory, depth, action, value)
        if best >= min(bound, enough(game, -INFINITY)):
            memory.cutoffs += 1
            memory.first_cutoffs += first
            break
        first = 0
    expect_action(state, best, memory)
    return best


def enough(game: Game, best: int) -> int:
    """The payoff with which a player leaves no more than `best` to the previous one; for -INFINITY,
    the largest possible payoff."""
    if game.payoff_sum >= INFINITY or game.payoff_low <= -INFINITY:
        return INFINITY
    return game.payoff_sum - max(best, game.payoff_low) - (game.players - 2) * game.payoff_low


def leaf_payoffs(game: Game[S], state: S, row: int, memory: PayoffMemory) -> None:
    """Write the payoffs of a finished game, or their estimates at the depth limit."""
    if game.is_terminal(state):
        payoffs = game.utilities(state)
    else:
        memory.evaluated += 1
        payoffs = game.estimates(state)
    for player in range(game.players):
        memory.payoff[row + player] = payoffs[player]


def lift_payoffs(game: Game, row: int, memory: PayoffMemory) -> None:
    """Copy the payoffs of the chosen child to the node."""
    for place in range(row, row + game.players):
        memory.payoff[place] = memory.payoff[place - game.players]


def payoff_fields(depth: int, room: int) -> Spec:
    """The additional fields of a Memory for max^n."""
    return {"payoff": ("i64", (depth + 1) * MOST_PLAYERS)}


class PayoffMemory(SearchMemory, Protocol):
    """The memory of max^n (`payoff_fields`)."""

    payoff: Array[int]
