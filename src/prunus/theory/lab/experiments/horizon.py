"""The horizon effect: a loss put off by senseless moves, and what each remedy sees of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from prunus.core.bits import Runtime, i16, i64, u8
from prunus.core.game import Game
from prunus.engine.options import OptionValue
from prunus.run.driver import analyze
from prunus.theory.lab.experiment import Experiment, Figure, LabError, Moments, Point, Value, once

PIECE: Final = 60
RESCUE: Final = 20
PAWN: Final = 1
"""What the piece is worth that MAX loses sooner or later, what it costs to rescue it, and what each
senseless move costs, in points of the evaluation."""

LONGEST: Final = 60
"""The plies after which these games end."""

WAIT, ASIDE, SAVE, DELAY, FLEE, TAKE = range(6)
"""The actions of `Delaying`. To wait and to step aside are two quiet moves that change nothing but
where a king stands, so that every position has some width."""


class Delaying(Game):
    """A piece of MAX, who begins, is attacked. Its loss can be put off by `delays` senseless moves.

    MAX may rescue the piece for RESCUE points, make a quiet move, or give a pawn with check. MIN
    must answer a check with the king's one move; otherwise he takes the piece while it hangs, or
    makes a quiet move. The evaluation counts the balance and does not know that the piece hangs.
    The rescue at once is best: its value is -RESCUE. `delays` is data: all these games are one
    compiled game.
    """

    class State(NamedTuple):
        """Whose piece hangs and who is in check; how far the kings have gone."""

        ply: u8
        delays: u8
        hangs: bool
        checked: bool
        mine: u8
        theirs: u8
        balance: i16

    delays: Runtime[i64]

    def __init__(self, delays: int) -> None:
        self.delays = delays

    def initial(self) -> State:
        return self.State(0, self.delays, True, False, 0, 0, 0)

    def actions(self, state: State) -> Iterator[int]:
        if state.checked:
            yield FLEE
        else:
            if state.ply % 2 == 0:
                if state.delays > 0:
                    yield DELAY
                if state.hangs:
                    yield SAVE
            elif state.hangs:
                yield TAKE
            yield WAIT
            yield ASIDE

    def noisy_actions(self, state: State) -> Iterator[int]:
        if state.ply % 2 == 1 and state.hangs and not state.checked:
            yield TAKE

    def result(self, state: State, action: int) -> State:
        mine, theirs, delays = state.mine, state.theirs, state.delays
        balance = -state.balance
        if action == ASIDE and state.ply % 2 == 0:
            mine += 1
        elif action == ASIDE:
            theirs += 1
        elif action == SAVE:
            balance += RESCUE
        elif action == DELAY:
            balance += PAWN
            delays -= 1
        elif action == TAKE:
            balance -= PIECE
        hangs = state.hangs and action not in (SAVE, TAKE)
        return self.State(state.ply + 1, delays, hangs, action == DELAY, mine, theirs, balance)

    def is_terminal(self, state: State) -> bool:
        return state.ply >= LONGEST

    def utility(self, state: State) -> int:
        return int(state.balance)

    def evaluate(self, state: State) -> int:
        return int(state.balance)

    def in_check(self, state: State) -> bool:
        return state.checked

    def likelihood(self, state: State, action: int) -> float:
        if action == TAKE:
            return 0.6
        if action in (DELAY, SAVE):
            return 0.3
        return 0.1


class Method(NamedTuple):
    """A way to search: its options at a depth, the plies that the engine may go at this depth, and
    the law: the least depth at which it sees the truth behind k delays."""

    options: Callable[[int], Mapping[str, OptionValue]]
    plies: Callable[[int], int]
    law: Callable[[int], int]


def _with(**options: OptionValue) -> Callable[[int], Mapping[str, OptionValue]]:
    return lambda depth: options


def _same(depth: int) -> int:
    return depth


LOOK: Final = 2
"""The plies of the second look."""

MARGIN: Final = 10
"""The margin of the singular extension: less than what MAX seems to win by a delay."""

QUIET: Final = 10
"""Floyd's depth is counted in quiet moves, each with a probability of 1 in this many."""

CHECK: Final = math.log(0.3) / math.log(1 / QUIET)
"""The part of a quiet move that a check costs in Floyd's depth; the forced reply costs nothing."""

METHODS: Final[Mapping[str, Method]] = {
    "depth alone": Method(_with(), _same, lambda k: 2 * k + 2),
    "quiescence": Method(_with(quiescence=True), _same, lambda k: 2 * k + 1),
    "second look": Method(_with(second=LOOK), _same, lambda k: max(2, 2 * k + 2 - LOOK)),
    "singular extension": Method(
        _with(singular=MARGIN), _same, lambda k: k + 3 if k > 1 else 2 * k + 2
    ),
    "check extension": Method(_with(check_extension=True), _same, lambda k: k + 2),
    "Floyd": Method(
        lambda depth: {"floyd": QUIET**depth},
        lambda depth: 4 * depth,
        lambda k: math.ceil(1 + k * CHECK),
    ),
}
"""The searches compared. Floyd's budget alone is to end his lines, so he may go four plies for each
quiet move: the farthest that a line of checks and replies can go."""

INTERPRETED: Final = 1
"""With at most this many delays the searches run interpreted."""

BEYOND: Final = 3
"""A search that sees the truth must see it at this many greater depths as well."""

MOST: Final = 12
"""The most delays: with more of them the delays cost as much as the rescue."""


def answer(method: str, delays: int, depth: int) -> tuple[int, int | None, int]:
    """The value, the best action and the nodes of a search, whose iterations go from 1 ply to its
    depth."""
    how = METHODS[method]
    found = analyze(
        Delaying(delays),
        algorithm="engine",
        depth=how.plies(depth),
        options=dict(how.options(depth)),
        compile=False if delays <= INTERPRETED else None,
    )
    return int(found.value or 0), found.best, found.statistics.nodes


def sees(method: str, delays: int, depth: int) -> bool:
    """Whether a search finds the rescue and its value."""
    return answer(method, delays, depth)[:2] == (-RESCUE, SAVE)


def least_depth(method: str, delays: int) -> int:
    """The least depth at which a search sees the truth, and also at the next BEYOND ones."""
    depth = seen = 0
    while seen <= BEYOND:
        depth += 1
        seen = seen + 1 if sees(method, delays, depth) else 0
    return depth - BEYOND


def horizon_points(quick: bool) -> list[Point]:
    """Each method with no delay, one delay, and so on."""
    most = INTERPRETED if quick else 8
    return [{"method": method, "k": k} for method in METHODS for k in range(most + 1)]


def check_horizon(point: Point) -> None:
    """Raise LabError unless there is such a method and such a position."""
    if point["method"] not in METHODS:
        raise LabError(f"method is one of {', '.join(METHODS)}, not {point['method']}")
    if not 0 <= int(point["k"]) <= MOST:
        raise LabError(f"k={point['k']}: delays are 0 to {MOST}, or they cost more than the rescue")


def measure_horizon(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The least depth that is enough, and the nodes of the search to it."""
    method, delays = str(point["method"]), int(point["k"])
    depth = least_depth(method, delays)
    return {"depth": once(depth), "nodes": once(answer(method, delays, depth)[2])}


def horizon_cost(point: Point) -> float:
    """Most of the time goes into compiling."""
    return 0.5 if int(point["k"]) <= INTERPRETED else 4.0


def horizon_theory(point: Point) -> dict[str, float]:
    """The laws of the depths."""
    return {"depth": METHODS[str(point["method"])].law(int(point["k"]))}


def horizon_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """The depths and nodes for the longest delay."""
    k = max(int(row["k"] or 0) for row in rows)
    said = [
        f"{row['method']} {row['depth']} ({row['nodes']:,} nodes)" for row in rows if row["k"] == k
    ]
    return f"Behind {k} delays the truth is seen at these depths: {', '.join(said)}."


EXPERIMENTS: Final = (
    Experiment(
        name="horizon",
        title="Behind how many plies a delayed loss is seen",
        source="sections 5 and 6.1 to 6.3 of the seminar; course notes on adversary search; "
        "Berliner 1973",
        says="A piece of MAX is attacked and will be lost (-60) unless MAX rescues it now (-20). "
        "MAX may put off the loss by k senseless moves, pawns given with check (-1 each), each "
        "with one forced reply; a search that does not reach the loss behind them prefers to "
        "delay. The figure shows the least depth at which the engine finds the rescue, and its "
        "nodes. A search to a fixed depth needs 2k + 2 plies. Quiescence sees the capture itself "
        "one ply earlier, and nothing of the delays. A second look at the two best actions, two "
        "plies deeper, saves these two plies and no more. Where each forced reply is searched a "
        "ply deeper, because it answers a check or because it is singular, a delay costs one ply "
        "instead of two. Floyd's depth counts probabilities instead of plies: a quiet move has "
        "1/10, a check 3/10, a capture 6/10, a forced reply 1, and depth D follows a line as long "
        "as their product is at least 1/10^D. A delay then costs about half of a quiet move, and "
        "the depth grows by k/2 only. Its nodes are the most because they are those of all "
        "iterations, as everywhere here, and to leave its lines free it goes through 4D of them; "
        "the last one alone visits 307 nodes for k = 4, where that of depth alone visits 464, and "
        "2,181 for k = 8, where that visits 1,880.",
        points=horizon_points,
        check=check_horizon,
        cost=horizon_cost,
        measure=measure_horizon,
        theory=horizon_theory,
        finding=horizon_finding,
        figure=Figure(
            "k",
            ("depth", "nodes"),
            ("method",),
            x_label="delays k",
            log_y=("nodes",),
            apart=True,
            aside=0.07,
            names={"depth": "least depth", "nodes": "nodes to this depth"},
        ),
    ),
)
