"""How fast a board kept as a tuple is where each node does more than put a stone:
`python -m benchmarks.board_work`.

Each kind of work is a game of `working_boards.py`, `listing_boards.py` or
`natural_boards.py`. The yardstick is the same alpha-beta on a board in memory, which does the same work there and undoes it: it tests the same lines in the same order,
changes the same cells and restores them, turns its board and turns it back. Node counts and values
must agree.
"""

from __future__ import annotations

import argparse
import statistics
import time
from functools import partial
from typing import Any

from benchmarks.common import Mismatch, in_deep_stack, interleaved, say, table
from benchmarks.listing_boards import LISTING
from benchmarks.natural_boards import NATURAL
from benchmarks.value_states import Case, by_value, prepared
from benchmarks.working_boards import KINDS, Work, undoing_work

DEPTHS = {5: 6, 7: 5, 9: 5, 13: 5, 19: 5}
"""The boards by side, and the depth of the search on each."""

ALL = (*KINDS, *LISTING, *NATURAL)
"""All games."""


def compare(kind: type[Work], side: int, pairs: int) -> tuple[float, float, float]:
    """The speed of value states divided by that of make and undo (the median of pairs), million
    nodes a second, and the seconds that compiling took. Raises Mismatch if the two ways visit
    different trees."""
    game: Any = kind(side)
    case = Case(kind.__name__, game, "", DEPTHS[side], undoing_work, "")
    began = time.process_time()
    ours = prepared(case, by_value)
    seconds = time.process_time() - began
    values, undone = interleaved(kind.__name__, [ours, prepared(case, undoing_work)], pairs)
    if values[0][:2] != undone[0][:2]:
        raise Mismatch(f"{kind.__name__}: by value {values[0]}, make and undo {undone[0]}")
    ratios = [b[2] / a[2] for a, b in zip(values, undone, strict=True)]
    speed = values[0][1] / min(run[2] for run in values) / 1e6
    return statistics.median(ratios), speed, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--sides", default="5,9,13,19", help="the sides of the boards")
    parser.add_argument("--kinds", default="", help="names of classes (all)")
    parser.add_argument("--pairs", type=int, default=7, help="interleaved rounds")
    options = parser.parse_args()
    sides = [int(side) for side in options.sides.split(",")]
    names = options.kinds.split(",") if options.kinds else [kind.__name__ for kind in ALL]
    head = "value / undo and million nodes/s"
    rows = [(head, *(f"{side**2} cells" for side in sides), "compiling, s")]
    for kind in (kind for kind in ALL if kind.__name__ in names):
        say(f"board work: {kind.__name__}")
        found = [in_deep_stack(partial(compare, kind, side, options.pairs)) for side in sides]
        speeds = (f"{ratio:.2f} {speed:.2f}" for ratio, speed, _ in found)
        times = " ".join(f"{seconds:.1f}" for _, _, seconds in found)
        rows.append(((kind.__doc__ or "").rstrip("."), *speeds, times))
    print(table(rows))


if __name__ == "__main__":
    main()
