"""The selective techniques that need no search of their own: beam, futility, late move reductions,
Floyd's probability depth."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from prunus.algorithms.leaves import scaled, unscaled
from prunus.algorithms.repetition import child_ends_by_repetition
from prunus.core.game import INFINITY, Game, S
from prunus.engine.frames import is_improving, value_there
from prunus.engine.learning import COUNTER
from prunus.engine.memory import EngineMemory
from prunus.engine.options import FIT_DEPTHS, FIT_PAIRS, FIT_STAGES
from prunus.engine.picking import drop_quiet, history_in, is_loser, is_quiet

UNIT: Final = 1000
"""The unit of negative logarithms of probabilities, which are added up in thousandths."""

RANK_COST: Final = (242, 2540, 3300, 3350, 3510, 4270, 4340, 4830)
"""How improbable the action in each place of the order is, for a game without `likelihood`: 78.5 %
for the first, then 7.9 %, 3.7 %, 3.5 %, 3.0 %, 1.4 %, 1.3 %, 0.8 %, and the same for every later
one. Fitted to Othello (`fitting.fit_likelihood`, 300 random positions each at depths 4 and 5, seed
0) and smoothed so that no place is likelier than the one before; `prunus fit likelihood GAME` shows
the figures of another game."""


REDUCED: Final = 64
FRACTION: Final = 1024
REDUCTION: Final = tuple(
    int(FRACTION * (0.5 + math.log(max(1, deep)) * math.log(max(1, late)) / 2.1))
    for deep in range(REDUCED)
    for late in range(REDUCED)
)
"""By how many plies to reduce, in 1,024ths, at REDUCED * depth + place in the order."""

SWAY: Final = 6144
"""The history of a quiet action that changes its reduction by a ply."""

SKIP: Final = -1
"""Instead of a number of plies: the action is not searched."""

NEAR: Final = 8
"""The most plies left at which an evaluation may end a node, or quiet actions may be skipped."""


def beam_end(base: int, memory: EngineMemory) -> int:
    """The place on the stack where the actions to search end: after all of them, or after as many
    as the option `beam` allows (Lowerre 1976; Shannon's type B)."""
    if memory.uses_beam and memory.ply > 0 and memory.stack_top - base > memory.beam:
        memory.evaluated += 1
        return base + memory.beam
    return memory.stack_top


def best_futile(game: Game[S], state: S, action: int, child: S, memory: EngineMemory) -> int:
    """The most that an action at the last ply can be hoped to gain (Schaeffer 1986): the evaluation
    after it plus the option `futility`; INFINITY, so that the action is searched, if the game ends
    with it (by a repetition, too) or if either player is in check."""
    if game.is_terminal(child) or child_ends_by_repetition(game, state, child, memory):
        return INFINITY
    if game.has_in_check and (game.in_check(state) or game.in_check(child)):
        return INFINITY
    memory.evaluated += 1
    value = scaled(value_there(game, state, action, child, memory), memory)
    return (value if game.keeps_turn(state, child) else -value) + memory.futility


class Late(NamedTuple):
    """An action that is not the first of its node: its place on the stack and in the order, the
    depth left at the node, the lower end of the window or the best value so far, and whether the
    window is wide."""

    place: int
    number: int
    depth: int
    alpha: int
    is_wide: bool


def passes_over(game: Game[S], state: S, late: Late, memory: EngineMemory) -> bool:
    """Whether a late action near the limit is not worth its child: it is a hopeless one that gives
    no check, or loses too much by exchange. After a hopeless quiet action all quiet ones are
    hopeless, and those that give no check are taken off the stack at once."""
    if game.has_gives_check and is_vain(game, state, late, memory):
        drop_quiet(game, state, late.place + 1, memory)
        memory.evaluated += 1
        return True
    if not memory.uses_exchanges or not game.has_wins_exchange:
        return False
    if memory.ply == 0 or late.depth > NEAR or memory.checked[memory.ply] != 0:
        return False
    quiet = is_quiet(game, late.place, memory)
    if not (quiet or is_loser(late.place, memory)) or is_decisive(game, state, late.alpha, memory):
        return False
    unit, depth = unscaled(memory.exchanges, memory), late.depth
    least = -unit * depth if quiet else -unit * depth * depth // 2
    if game.wins_exchange(state, memory.stack_action[late.place], least):
        return False
    memory.evaluated += 1
    return True


def is_too_late(game: Game, late: Late, memory: EngineMemory) -> bool:
    """Whether so many actions were tried before this one that it is not searched near the limit:
    half as many where the player to move is not improving, if the option `improving` is on."""
    most = memory.late_pruning + late.depth * late.depth
    if memory.improving and not is_improving(game, memory):
        most = (most + 1) // 2
    return late.number >= most


def less_depth(game: Game[S], state: S, child: S, late: Late, memory: EngineMemory) -> int:
    """The number of plies by which a late action is at first searched shallower; SKIP if it is not
    searched at all. 0 if it is noisy and does not lose by exchange, gives check or ends the game,
    and for a player in check."""
    if not (memory.uses_reductions or memory.uses_late_pruning or memory.uses_far_futility):
        return 0
    number, depth = late.number, late.depth
    if memory.checked[memory.ply] != 0:
        return 0
    quiet = is_quiet(game, late.place, memory)
    skip = quiet and memory.ply > 0 and depth <= NEAR and is_hopeless(game, late, memory)
    reduce = memory.uses_reductions and number >= memory.reductions and depth >= 3
    reduce = reduce and (quiet or is_loser(late.place, memory))
    if not (skip or reduce) or (game.has_in_check and game.in_check(child)):
        return 0
    # A reduction does no harm where the game ends: every search sees that at once.
    if skip and not (game.is_terminal(child) or is_decisive(game, state, late.alpha, memory)):
        memory.evaluated += 1
        return SKIP
    return reduction(game, late, quiet, memory) if reduce else 0


def is_vain(game: Game[S], state: S, late: Late, memory: EngineMemory) -> bool:
    """Whether an action is quiet, hopeless and gives no check. Where it leads is not looked at, so
    that it may end the game without a check is overlooked."""
    return (
        memory.ply > 0
        and late.depth <= NEAR
        and memory.checked[memory.ply] == 0
        and is_quiet(game, late.place, memory)
        and is_hopeless(game, late, memory)
        and not is_decisive(game, state, late.alpha, memory)
        and not game.gives_check(state, memory.stack_action[late.place])
    )


def is_hopeless(game: Game, late: Late, memory: EngineMemory) -> bool:
    """Whether a quiet action near the limit is not worth a search: so many others were tried before
    it (late move pruning), or the node's evaluation is so far below the window (futility at the
    last plies, Heinz 1998)."""
    if memory.uses_late_pruning and is_too_late(game, late, memory):
        return True
    if memory.uses_far_futility:
        margin = memory.far_futility * (late.depth + 1)
        return memory.static[memory.ply] + margin <= late.alpha
    return False


def reduction(game: Game, late: Late, quiet: bool, memory: EngineMemory) -> int:
    """The plies by which a late action is reduced (late move reductions, Romstad 2006): they grow
    with the logarithms of the place and of the depth. They are less where the window is wide, for
    killers, counter-moves and actions with a good history, and more where a cut-off is expected
    and, with the option `improving`, where the player to move is not improving."""
    deep = min(late.depth, REDUCED - 1)
    less = REDUCTION[REDUCED * deep + min(late.number + 1, REDUCED - 1)]
    if late.is_wide:
        less -= FRACTION
    elif memory.expected[memory.ply] != 0:
        less += FRACTION
    if memory.improving and not is_improving(game, memory):
        less += FRACTION // 2
    if quiet:
        score = memory.stack_score[late.place]
        less -= FRACTION if score >= COUNTER else FRACTION * history_in(score) // SWAY
    return max(0, min(less // FRACTION, late.depth - 2))


def is_decisive(game: Game[S], state: S, value: int, memory: EngineMemory) -> bool:
    """Whether a value is nearer to the most that a State can be worth, by the game's `bounds`, than
    to an even game. Such values come from finished games, which estimates know nothing of."""
    low, high = game.bounds(state)
    plain = unscaled(value, memory)
    return plain >= high // 2 or plain <= low // 2


def first_fit(game: Game[S], state: S, depth: int) -> int:
    """Where the regressions of ProbCut for a search of `depth` plies begin in `memory.fit`.

    There are four words for each shallow depth of each depth in each stage of the game: the shallow
    depth (0: no more of them), then a, b and sigma, in thousandths, of the regression deep = a
    shallow + b, whose error has the standard deviation sigma. b and sigma are on the scale of the
    search."""
    stage = game.stage(state) if game.stages <= FIT_STAGES else 0
    return 4 * FIT_PAIRS * (FIT_DEPTHS * stage + depth)


def probable_bound(at: int, beta: int, sign: int, memory: EngineMemory) -> int:
    """The shallow value from which up (sign 1) the deep value is at least `beta`, or below which
    (sign -1) it is less, with the wanted confidence, by the regression at this place."""
    slack = memory.probcut * memory.fit[at + 3] // 10
    shallow = (1000 * beta + sign * slack - memory.fit[at + 2]) // max(1, memory.fit[at + 1])
    return shallow + (1 if sign == 1 else 0)


def probable_depth(
    game: Game[S], state: S, action: int, number: int, depth: int, memory: EngineMemory
) -> int:
    """The depth to which Floyd's rule follows an action: `depth` while the product of the
    probabilities of the actions on the line is at least 1 in `memory.floyd`, 0 after that. A forced
    action counts as certain."""
    ply = memory.ply
    if ply == 0:
        memory.budget[0] = int(UNIT * math.log(float(memory.floyd)))
    cost = 0
    if number > 0 or not is_forced(game, state):
        if game.has_likelihood:
            cost = int(-UNIT * math.log(max(1e-9, float(game.likelihood(state, action)))))
        else:
            cost = RANK_COST[min(number, len(RANK_COST) - 1)]
    memory.budget[ply + 1] = memory.budget[ply] - cost
    return depth if memory.budget[ply + 1] >= 0 else 0


def is_forced(game: Game[S], state: S) -> bool:
    """Whether a State has at most one action."""
    count = 0
    for _ in game.actions(state):
        count += 1  # noqa: SIM113 - the compiler stops a generator that is left early; it does not know enumerate's
        if count > 1:
            return False
    return True
