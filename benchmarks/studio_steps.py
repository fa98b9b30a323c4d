"""Stepping through trees of 2,000 nodes: `python -m benchmarks.studio_steps [--steps N]`.

Starts a studio in a process of its own and Chromium without a screen. In each tree it goes to where
`--steps` events are left, so that nearly all of the tree is there, and steps to the end, a step a
frame. What counts is the processor time of the page's main thread (script, style, layout and
painting together), which other programs on the machine disturb least: 33 ms would be 30 frames a
second. Chromium shows at most 60 frames a second.
"""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

from tests.studio.pages import USUAL, chromium

from benchmarks.studio import studio

WIDE = [[[(7 * a + 5 * b + 3 * c) % 100 for c in range(14)] for b in range(11)] for a in range(12)]
WORST = [[[1000 * a - 50 * b + c for c in range(14)] for b in range(11)] for a in range(12)]
"""The same shape, in an order in which alpha-beta cuts off nearly nothing."""
TIMES = ("ThreadTime", "RecalcStyleDuration", "LayoutDuration")
ROW = "| {} | {:,} | {} | {:.1f} | {:.1f} | {:.1f} | {:.0f} |"
STEPPING = """async (steps) => {
    const times = [];
    for (let at = 0; at <= steps; at += 1) {
        times.push(await new Promise(requestAnimationFrame));
        if (at < steps) document.querySelector('#step').click();
    }
    return times;
}"""
BEGINNING = """(left) => {
    const slider = document.querySelector('.slider input');
    slider.value = Number(slider.max) - left;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
}"""


def chain(length: int, value: int) -> Any:
    """A line of so many nodes above a leaf."""
    tree: Any = value
    for _ in range(length):
        tree = [tree]
    return tree


DEEP = [chain(30, 7 * each % 100) for each in range(64)]
"""The most nodes that are in sight at once."""
TREES = (
    ("minimax, 3 plies", "minimax", WIDE),
    ("alpha-beta, 3 plies", "alphabeta", WORST),
    ("minimax, 64 lines of 31 plies", "minimax", DEEP),
    ("alpha-beta, the same", "alphabeta", DEEP),
)


def measured(page: Any, steps: int) -> tuple[int, list[float], float]:
    """The nodes that are drawn at the end, the milliseconds of a step, and frames a second."""
    page.wait_for_selector("#last:not([disabled])")
    page.evaluate(BEGINNING, steps + 10)
    page.wait_for_timeout(500)
    page.evaluate(STEPPING, 10)  # what is compiled and fetched at first does not count
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def used() -> list[float]:
        told = {each["name"]: each["value"] for each in metrics(session)}
        return [told[name] for name in TIMES]

    before = used()
    times = page.evaluate(STEPPING, steps)
    took = [1000 * (now - then) / steps for then, now in zip(before, used(), strict=True)]
    session.detach()
    if not page.is_disabled("#step"):
        raise SystemExit("a step was not shown")
    return page.locator(".watch .node").count(), took, 1000 * steps / (times[-1] - times[0])


def metrics(session: Any) -> list[dict[str, Any]]:
    """Chromium's own counts and times of a page."""
    return session.send("Performance.getMetrics")["metrics"]


def size(tree: Any) -> int:
    """How many nodes a tree has."""
    return 1 + sum(map(size, tree)) if isinstance(tree, list) else 1


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=300)
    options = parser.parse_args()
    print("| tree | nodes | drawn | ms a step | of these style | layout | frames/s |")
    print("|---|---|---|---|---|---|---|")
    with studio() as (address, _), chromium() as browser:
        for name, algorithm, tree in TREES:
            page = browser.new_context(**USUAL).new_page()
            typed = json.dumps(tree).replace(" ", "")
            page.goto(f"{address}#see/tree/{typed}/{algorithm}")
            drawn, took, frames = measured(page, options.steps)
            print(ROW.format(name, size(tree), drawn, *took, frames), flush=True)
            page.close()
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
