"""Small games with a way round: after the moves 0 0 from the start, action 0 looks like the nearer
or larger win to a player who has forgotten them."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from prunus import Game, u8


class Drawing(Game):
    """Going back by way of the start is a draw, since the start has already occurred; the win is
    the other way."""

    repetition = "draw"
    steps: ClassVar[tuple[tuple[int, ...], ...]] = (
        (1, 4),
        (2,),
        (3, 5),
        (0,),
        (9,),
        (6,),
        (7,),
        (8,),
        (9,),
        (),
    )

    class State(NamedTuple):
        at: u8
        turn: u8

    def initial(self) -> Any:
        return self.State(0, 0)

    def actions(self, state: Any) -> Any:
        for action in range(len(self.steps[state.at])):
            yield action

    def result(self, state: Any, action: int) -> Any:
        return self.State(self.steps[state.at][action], 1 - state.turn)

    def is_terminal(self, state: Any) -> bool:
        return len(self.steps[state.at]) == 0

    def utility(self, state: Any) -> int:
        return 1 if state.turn == 0 else -1


class Losing(Drawing):
    """Whoever goes back loses more than anything else would cost."""

    repetition = "loss"
    repetition_loss = 2
    steps = ((1,), (2,), (1, 5), (), (), (6,), (7,), (8,), (9,), ())


class Forbidding(Losing):
    """Nobody may go back."""

    repetition = "forbidden"
