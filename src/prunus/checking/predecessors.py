"""The way back from a position, for databases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prunus.checking.ranks import representative_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prunus.checking.walk import Walker


def check_predecessors(walker: Walker, actions: Iterable[int]) -> None:
    """Each action of the position where a walker stands is found again from the position that it
    leads to; and from each of its own predecessors, unless the game is over there, an action leads
    to it."""
    if not walker.game.has_predecessors:
        return
    here = representative_in(walker, walker.state)
    for action in actions:
        child = representative_in(walker, walker.guarded("result", walker.state, action))
        if walker.guarded("is_terminal", child):
            continue
        if here not in [representative_in(walker, before) for before in _before(walker, child)]:
            raise walker.fault(
                "predecessors",
                f"action {action} leads to {child!r}, but predecessors({child!r}) does not give "
                f"{here!r}",
            )
    for before in _before(walker, here):
        if walker.guarded("is_terminal", before):
            continue
        after = (
            walker.guarded("result", before, action) for action in walker.guarded("actions", before)
        )
        if here not in (representative_in(walker, child) for child in after):
            raise walker.fault(
                "predecessors",
                f"predecessors gives {before!r}, but no action leads from it to {here!r}",
            )


def _before(walker: Walker, state: object) -> list[object]:
    found: list[object] = walker.guarded("predecessors", state)
    for before in found:
        walker.expect_state(before, "predecessors")
    return found
