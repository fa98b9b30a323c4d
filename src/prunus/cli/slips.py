"""`prunus errata`: a slip of the sources beside its cure."""

from __future__ import annotations

from itertools import zip_longest

from prunus.cli.status import Status
from prunus.theory.errata.cases import text_of
from prunus.theory.errata.slips import SLIPS, slip_named
from prunus.theory.errata.tracing import text


def listed() -> str:
    """The slips, one on each line, and what each prints."""
    width = max(len(slip.name) for slip in SLIPS)
    lines = [f"{slip.name:<{width}}  {slip.where}: {slip.says}" for slip in SLIPS]
    return "\n".join([*lines, "", "prunus errata NAME shows one of them on the smallest case"])


def shown(name: str) -> str:
    """A slip: what is printed, what is right, and both at work, side by side."""
    slip, status = slip_named(name), Status()

    def watch(tried: int) -> None:
        status.show(f"looking for the smallest case: {tried:,} tried")

    try:
        case = slip.smallest(watch)
    finally:
        status.clear()
    printed, cured = slip.runs(case)
    left = ["as printed", f"result: {text(printed.result)}", "", *printed.lines]
    right = ["cured", f"result: {text(cured.result)}", "", *cured.lines]
    width = max(map(len, left))
    asked = f" ({slip.asks})" if slip.asks else ""
    return "\n".join(
        [
            f"{slip.name}: {slip.where}",
            f"printed: {slip.says}",
            f"right:   {slip.right}",
            f"case:    {text_of(case) if isinstance(case, dict) else text(case)}{asked}",
            "",
            *(f"{a:<{width}}   {b}".rstrip() for a, b in zip_longest(left, right, fillvalue="")),
        ]
    )
