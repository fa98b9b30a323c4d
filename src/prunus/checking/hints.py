"""What a game tells searches of its actions beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prunus.checking.walk import Walker


def check_hints(walker: Walker, actions: list[int]) -> None:
    """`worthwhile`, `is_action` and `gives_check`, in the position where a walker stands, agree
    with the actions and with what they lead to."""
    _check_worthwhile(walker, actions)
    _check_is_action(walker, actions)
    _check_gives_check(walker, actions)


def _check_worthwhile(walker: Walker, actions: list[int]) -> None:
    if not walker.game.has_worthwhile:
        return
    chosen = list(walker.guarded("worthwhile", walker.state))
    if not chosen or not set(chosen) <= set(actions):
        raise walker.fault(
            "worthwhile",
            f"worthwhile gives {chosen!r}; it must give at least one of the actions {actions!r} "
            f"and no others",
        )


def _check_is_action(walker: Walker, actions: list[int]) -> None:
    if not walker.game.has_is_action:
        return
    others = {action + step for action in actions for step in (-1, 1, 64, 4096)}
    for number in sorted({*actions, *others}):
        said = bool(walker.guarded("is_action", walker.state, number))
        if said != (number in actions):
            raise walker.fault(
                "is_action",
                f"is_action is {said} for {number}, and the actions are {actions!r}",
            )


def _check_gives_check(walker: Walker, actions: list[int]) -> None:
    if not walker.game.has_gives_check:
        return
    for action in actions:
        said = bool(walker.guarded("gives_check", walker.state, action))
        after = walker.guarded("result", walker.state, action)
        if said != bool(walker.guarded("in_check", after)):
            raise walker.fault(
                "gives_check",
                f"gives_check is {said} for action {action}, but in_check is {not said} after it",
            )
