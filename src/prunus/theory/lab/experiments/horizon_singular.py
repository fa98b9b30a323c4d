"""The horizon of the singular extension itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from prunus.core.bits import i16, u8
from prunus.core.game import Game
from prunus.engine.options import OptionValue
from prunus.run.driver import analyze
from prunus.theory.lab.experiment import Experiment, Figure, LabError, Moments, Point, Value, once
from prunus.theory.lab.experiments.horizon import LONGEST, MARGIN, RESCUE

ON, ALSO, AWAY = range(3)
"""The actions of `Corridor`."""

FORCED: Final = (2, 4)
"""The plies with a single way on."""

VISIBLE: Final = ((0, 0), (7, -60), (9, 30), (12, -200))
"""The plies from which on the estimate in the corridor is this."""

EXIT: Final = 100
"""What the player loses who leaves the corridor."""


def estimate(ply: int) -> int:
    """The estimate in the corridor after this many plies, as MAX sees it."""
    found = 0
    for first, value in VISIBLE:
        if ply >= first:
            found = value
    return found


class Corridor(Game):
    """MAX, who begins, enters a corridor or stays outside for -RESCUE points, which is right.

    In the corridor the estimate changes as VISIBLE says. Who leaves it loses EXIT points, so that
    both go on to its end. At the plies in FORCED there is one way on, which a singular extension
    finds; elsewhere there are two ways to the same position.
    """

    class State(NamedTuple):
        """Where the game is, and the balance for the player to move."""

        ply: u8
        inside: bool
        balance: i16

    def initial(self) -> State:
        return self.State(0, True, 0)

    def actions(self, state: State) -> Iterator[int]:
        yield ON
        if state.inside:
            if state.ply + 1 not in FORCED:
                yield ALSO
            yield AWAY

    def result(self, state: State, action: int) -> State:
        balance, inside = -state.balance, state.inside
        if action == AWAY:
            inside = False
            balance = RESCUE if state.ply == 0 else EXIT
        elif inside:
            balance = estimate(state.ply + 1)
            if state.ply % 2 == 0:
                balance = -balance
        return self.State(state.ply + 1, inside, balance)

    def is_terminal(self, state: State) -> bool:
        return state.ply >= LONGEST

    def utility(self, state: State) -> int:
        return int(state.balance)

    def evaluate(self, state: State) -> int:
        return int(state.balance)


SEARCHES: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "depth alone": {},
    "singular extension": {"singular": MARGIN, "etc": 0},
}
"""Without enhanced cut-offs, which may take a value from a search that was not extended."""

FIRST: Final = 4
"""The fewest plies left at which the engine extends."""


def extra(depth: int) -> int:
    """The plies by which the singular extension lengthens a search of the corridor: one for each
    forced ply with enough plies left, those of earlier extensions included."""
    found = 0
    for ply in FORCED:
        if depth - (ply - 1) + found >= FIRST:
            found += 1
    return found


def corridor_points(quick: bool) -> list[Point]:
    """Both searches at all depths."""
    return [
        {"search": search, "depth": depth}
        for search in SEARCHES
        for depth in range(1, 8 if quick else 16)
    ]


def check_corridor(point: Point) -> None:
    """Raise LabError unless there is such a search."""
    if point["search"] not in SEARCHES:
        raise LabError(f"search is one of {', '.join(SEARCHES)}, not {point['search']}")
    if not 1 <= int(point["depth"]) <= LONGEST // 2:
        raise LabError(f"depth={point['depth']}: depths are 1 to {LONGEST // 2}")


def measure_corridor(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The value for MAX, and the nodes."""
    found = analyze(
        Corridor(),
        algorithm="engine",
        depth=int(point["depth"]),
        options=dict(SEARCHES[str(point["search"])]),
        compile=False,
    )
    return {"value": once(int(found.value or 0)), "nodes": once(found.statistics.nodes)}


def corridor_theory(point: Point) -> dict[str, float]:
    """The estimate where the search ends, or the value of staying outside."""
    depth = int(point["depth"])
    seen = depth if point["search"] == "depth alone" else depth + extra(depth)
    return {"value": max(-RESCUE, estimate(seen))}


def corridor_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """The depths at which MAX would enter."""
    said = []
    for search in SEARCHES:
        own = [row for row in rows if row["search"] == search]
        wrong = [str(row["depth"]) for row in own if row["value"] != -RESCUE]
        said.append(f"with {search} at depths {', '.join(wrong)}")
    return f"MAX enters, which loses, {'; '.join(said)}."


EXPERIMENTS: Final = (
    Experiment(
        name="singular-horizon",
        title="The horizon of the singular extension itself",
        source="course notes on adversary search",
        says="The notes ask: if level 7 shows a great loss, and an extension to level 9 an answer "
        "to it, who says that the answer does not lose everything by move 12? Here MAX may enter a "
        "corridor whose estimate is 0, from ply 7 on -60, from ply 9 on 30, from ply 12 on -200, "
        "or stay outside for -20, which is right. Two replies in the corridor are forced, and the "
        "singular extension lengthens the search by a ply for each. So each threshold comes two "
        "plies earlier, also the deceptive one: at depth 7 the extension sees the answer at ply 9 "
        "and enters, where the plain search, which has seen less, stays outside. Moves searched to "
        "different depths are compared as if they were known equally well. An extension moves the "
        "horizon and does not remove it.",
        points=corridor_points,
        check=check_corridor,
        measure=measure_corridor,
        theory=corridor_theory,
        finding=corridor_finding,
        figure=Figure(
            "depth",
            ("value",),
            ("search",),
            x_label="depth",
            y_label="value for MAX; the truth is -20",
            aside=0.12,
        ),
    ),
)
