"""What a game says is settled before the end, and its layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prunus.databases.layers import MOST_LAYER

if TYPE_CHECKING:
    from prunus.checking.walk import Walker


def check_settled(walker: Walker, actions: list[int]) -> None:
    """The position where a walker stands, at the end of the game without actions, plays like its
    `unsettled` one: the same actions settle the same, with what is settled now on top of it. From
    one step to the next that makes values additive in all games. No action raises the layer, and
    one that settles something lowers it."""
    game, state = walker.game, walker.state
    if not (game.has_settled or game.has_unsettled or game.has_layer):
        return
    layer, now = _layer(walker, state), _settled(walker, state)
    home = walker.guarded("unsettled", state)
    walker.expect_state(home, "unsettled")
    image = walker.guarded("canonical", home)
    for other, how in ((home, "unsettled"), (image, "canonical, of the unsettled State,")):
        if _settled(walker, other) != 0:
            raise walker.fault("settled", f"{how} gives {other!r}, in which something is settled")
        if _layer(walker, other) != layer:
            raise walker.fault("layer", f"{how} gives {other!r}, which has another layer")
    _expect_same_play(walker, home, actions, now)
    for action in actions:
        _check_step(walker, home, action, now, layer)


def _settled(walker: Walker, state: object) -> int:
    found = walker.guarded("settled", state)
    walker.expect_integer("settled", found)
    return int(found)


def _layer(walker: Walker, state: object) -> int:
    found = walker.guarded("layer", state)
    walker.expect_integer("layer", found)
    if not 0 <= found <= MOST_LAYER:
        raise walker.fault("layer", f"layer gives {found}, outside 0 ... {MOST_LAYER}")
    return int(found)


def _expect_same_play(walker: Walker, home: object, actions: list[int], now: int) -> None:
    """The unsettled State has the same player to move, the same actions and the same end."""
    state = walker.state
    over = bool(walker.guarded("is_terminal", state))
    if (
        walker.guarded("unsettled", home) != home
        or walker.guarded("to_move", home) != walker.guarded("to_move", state)
        or bool(walker.guarded("is_terminal", home)) != over
        or (not over and walker.guarded("actions", home) != actions)
    ):
        raise walker.fault(
            "unsettled",
            f"unsettled gives {home!r}, which is not its own, or has another player to move, other "
            f"actions or another end",
        )
    if over:
        here, there = (walker.guarded("utility", each) for each in (state, home))
        if here != now + there:
            raise walker.fault(
                "settled",
                f"settled gives {now}, but utility is {here} here and {there} in the unsettled "
                f"State",
            )


def _check_step(walker: Walker, home: object, action: int, now: int, layer: int) -> None:
    """An action settles the same from either State, and does not raise the layer."""
    game, state = walker.game, walker.state
    child, other = (walker.guarded("result", each, action) for each in (state, home))
    sign = 1 if walker.guarded("keeps_turn", state, child) else -1
    gained = _settled(walker, other)
    if walker.guarded("unsettled", child) != walker.guarded("unsettled", other):
        raise walker.fault(
            "unsettled", f"action {action} leads elsewhere from the unsettled State, {home!r}"
        )
    if _settled(walker, child) != sign * now + gained:
        raise walker.fault(
            "settled",
            f"settled gives {now}, and {_settled(walker, child)} after action {action}, which "
            f"settles {gained} from the unsettled State",
        )
    after = _layer(walker, child)
    if after > layer or (after == layer and gained != 0 and game.has_settled):
        raise walker.fault(
            "layer",
            f"layer gives {layer}, and {after} after action {action}: it must not be raised"
            + (f", and must be lowered where {gained} is settled" if gained else ""),
        )
