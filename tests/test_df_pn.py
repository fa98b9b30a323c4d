"""Proof-number search: positions reached by many lines, cycles, memories that were used before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

import pytest

import prunus
from prunus.core.bits import i8, u16
from prunus.core.game import INFINITY
from prunus.games import ExplicitTree, Hex, Hexapawn, Nim, ThreeMensMorris
from tests.naive import minimax_value


class Walk(prunus.Game):
    """A step left or right on a line; whoever stands at the right end has lost, at the left won.
    Positions come up again, and what is left of the limit decides which end can be reached."""

    class State(NamedTuple):
        place: u16

    def __init__(self, length: int = 7) -> None:
        self.length = length

    def initial(self) -> State:
        return self.State(self.length // 2)

    def actions(self, state: State) -> Iterator[int]:
        yield 0
        yield 2

    def result(self, state: State, action: int) -> State:
        return self.State(state.place + action - 1)

    def is_terminal(self, state: State) -> bool:
        return state.place == 0 or state.place == self.length

    def utility(self, state: State) -> int:
        return 1 if state.place == 0 else -1


@pytest.mark.parametrize("depth", range(1, 12))
def test_what_is_known_of_a_position_holds_for_the_plies_left(depth: int) -> None:
    """A memory that knows States without the plies left takes the answer of one line for another,
    or goes in a circle."""
    for length in range(2, 8):
        game = Walk(length)
        found = prunus.analyze(game, algorithm="df-pn", depth=depth, compile=False)
        assert found.value == prunus.analyze(game, algorithm="minimax", depth=depth).value


def test_cycles_without_a_limit_are_refused() -> None:
    with pytest.raises(prunus.SearchError):
        prunus.solve(Walk(7), algorithm="df-pn", compile=True)


def test_a_position_reached_by_many_lines_may_count_many_times() -> None:
    """All orders of the same moves meet: the sums are far too large, the answers right."""
    for piles in ((1, 2, 3), (2, 2, 2), (1, 1, 1, 2), (3, 4)):
        game = Nim(piles)
        found = prunus.solve(game, algorithm="df-pn", compile=False)
        assert (found.value, found.proved) == (minimax_value(game, game.initial()), True)


class Signed(prunus.Game):
    """A single choice, between actions of all signs; 0 and -1 are names as good as others."""

    class State(NamedTuple):
        chosen: i8

    WORTH: ClassVar = {-1: -3, 0: 5, 7: 5, -8: 2}

    def initial(self) -> State:
        return self.State(100)

    def actions(self, state: State) -> Iterator[int]:
        yield from (7, -1, 0, -8)

    def result(self, state: State, action: int) -> State:
        return self.State(action)

    def is_terminal(self, state: State) -> bool:
        return state.chosen != 100

    def utility(self, state: State) -> int:
        return self.WORTH[state.chosen]


def test_actions_may_be_negative() -> None:
    found = prunus.solve(Signed(), algorithm="df-pn", compile=False)
    assert (found.value, found.best, found.proved) == (3, -1, True)


class Hopeless(Signed):
    """The same choice, and all is lost by as much as a game can be lost."""

    WORTH: ClassVar = dict.fromkeys(Signed.WORTH, INFINITY - 1)


def test_the_best_action_of_a_lost_game_is_legal() -> None:
    found = prunus.analyze(Hopeless(), algorithm="df-pn", depth=3, compile=False)
    assert (found.value, found.best) == (1 - INFINITY, 7)


@pytest.mark.parametrize("value", [(1 << 62) - 1, 1 - (1 << 62), 12345678901, 0])
def test_values_may_be_huge(value: int) -> None:
    game = ExplicitTree.from_nested([[value, value], [[value, value]]])
    for compile in (False, True):
        found = prunus.solve(game, algorithm="df-pn", compile=compile)
        assert (found.value, found.proved) == (value, True)


def test_nothing_of_another_game_is_left_in_a_memory() -> None:
    """Two trees whose nodes have the same numbers, one after the other in one memory."""
    trees = [[[3, [1, -2]], [-1, 2]], [[-3, [5, 4]], [[2, 1], 7]]]
    for _ in range(3):
        for tree in trees:
            game = ExplicitTree.from_nested(tree)
            found = prunus.analyze(game, algorithm="df-pn", compile=False)
            assert found.value == minimax_value(game, game.initial())


@pytest.mark.parametrize(
    ("game", "value"), [(Hexapawn(), -1), (Hex(3), 1), (Hex(3, swap=True), -1)], ids=str
)
def test_games_of_two_values(game: prunus.Game, value: int) -> None:
    found = prunus.solve(game, algorithm="df-pn", compile=False)
    assert (found.value, found.proved) == (value, True)


def test_a_memory_that_is_full_is_an_error() -> None:
    with pytest.raises(MemoryError, match="more positions than the memory holds"):
        prunus.solve(Hex(3), algorithm="df-pn", room=20, compile=False)


def test_repetitions_are_not_heeded() -> None:
    """The rule of repetitions depends on the path; within a limit the line may go on."""
    found = prunus.compare(
        ThreeMensMorris(), depth=3, algorithms=("minimax", "df-pn"), compile=False
    )
    assert found.agree
