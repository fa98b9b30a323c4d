"""Proof-number search in a tree, in one level and two; and what goes wrong in naive ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest

import prunus
from prunus.algorithms.pn2 import second_size
from prunus.algorithms.proof_numbers import LEAST, MOST, next_goal
from prunus.core.bits import u16
from prunus.core.game import INFINITY
from prunus.games import ExplicitTree, Hex, Hexapawn, Nim, RandomGame, ThreeMensMorris
from tests.naive import minimax_value
from tests.naive_proofs import NEVER, InACircle, Naive
from tests.test_df_pn import Walk

TREES = ("pn", "pn2")
EACH = ("pn", "pn2", "df-pn")


class Steps(prunus.Game):
    """MAX stands on the even steps and may go on or back, MIN on the odd ones and has to go on.
    MAX wins on the last step."""

    class State(NamedTuple):
        step: u16

    def __init__(self, length: int = 8) -> None:
        self.length = length

    def initial(self) -> State:
        return self.State(2)

    def actions(self, state: State) -> Iterator[int]:
        if state.step % 2 == 0:
            yield 0
        yield 2

    def result(self, state: State, action: int) -> State:
        return self.State(state.step + action - 1)

    def is_terminal(self, state: State) -> bool:
        return state.step == 0 or state.step >= self.length

    def utility(self, state: State) -> int:
        return 1


class Diamonds(Steps):
    """From each step two actions lead to the next one, and MAX is always to move, until MIN chooses
    between two last steps."""

    def actions(self, state: Steps.State) -> Iterator[int]:
        beyond = state.step - self.length
        yield from ((1, 2) if beyond == 0 else (3 - beyond,) if beyond > 0 else (3, 4))

    def result(self, state: Steps.State, action: int) -> Steps.State:
        return self.State(state.step + (1 if state.step < self.length else action))

    def is_terminal(self, state: Steps.State) -> bool:
        return state.step == self.length + 3

    def keeps_turn(self, state: Steps.State, child: Steps.State) -> bool:
        return state.step != self.length and child.step != self.length


class Shortcut(Steps):
    """Five steps to the win, of which one action leaves out two; the other comes first."""

    def initial(self) -> Steps.State:
        return self.State(0)

    def actions(self, state: Steps.State) -> Iterator[int]:
        yield 1
        if state.step == 0:
            yield 3

    def result(self, state: Steps.State, action: int) -> Steps.State:
        return self.State(state.step + action)

    def is_terminal(self, state: Steps.State) -> bool:
        return state.step == 5

    def keeps_turn(self, state: Steps.State, child: Steps.State) -> bool:
        return True


def test_no_search_runs_in_a_circle() -> None:
    """A search that knows States alone goes back and on for ever; with the plies left, it ends."""
    with pytest.raises(InACircle):
        Naive(Steps(), plies=False, cap=NEVER - 1).proves(Steps().initial(), None, 1)
    for name in EACH:
        found = prunus.analyze(Steps(), algorithm=name, depth=20, compile=False)
        assert found.value == 1, name


def test_no_answer_of_one_line_is_taken_for_another() -> None:
    """What can be reached from a position depends on the plies left on the line to it."""
    game, state = Shortcut(), Shortcut().initial()
    assert minimax_value(game, state, 4) == 1
    assert not Naive(game, plies=False, cap=NEVER - 1).proves(state, 4, 1)
    assert Naive(game, plies=True, cap=NEVER - 1).proves(state, 4, 1)
    for game, depth in [(Shortcut(), 4), *((Walk(n), d) for n in range(2, 8) for d in range(1, 9))]:
        for name in EACH:
            found = prunus.analyze(game, algorithm=name, depth=depth, compile=False)
            assert found.value == minimax_value(game, game.initial(), depth), (name, game, depth)


def test_a_leaf_that_counts_many_times_is_not_ruled_out() -> None:
    """Forty diamonds in a row count their last leaf 2 ** 40 times, which is more than the largest
    number: taken for that number, the sum says that there is nothing to win."""
    game = Diamonds(42)
    assert not Naive(game, plies=True, cap=NEVER).proves(game.initial(), 50, 1)
    assert Naive(game, plies=True, cap=NEVER - 1).proves(game.initial(), 50, 1)
    found = prunus.solve(game, algorithm="df-pn", compile=False)
    assert (found.value, found.proved) == (1, True)


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize(
    ("game", "value"),
    [(Hexapawn(), -1), (Hex(3), 1), (Nim((1, 2, 3)), -1), (Nim((2, 2, 1)), 1)],
    ids=str,
)
def test_games_of_two_values(name: str, game: prunus.Game, value: int) -> None:
    found = prunus.solve(game, algorithm=name, compile=False)
    assert (found.value, found.proved) == (value, True)


@pytest.mark.parametrize("name", EACH)
@pytest.mark.parametrize("value", [INFINITY - 1, 1 - INFINITY, 12345678901, 0])
def test_values_may_be_huge(name: str, value: int) -> None:
    game = ExplicitTree.from_nested([[value, value], [[value, value]]])
    found = prunus.solve(game, algorithm=name, compile=False)
    assert (found.value, found.proved) == (value, True)


@pytest.mark.parametrize("name", EACH)
@pytest.mark.parametrize("value", [INFINITY - 1, 1 - INFINITY])
def test_the_largest_value_leaves_nothing_to_ask(name: str, value: int) -> None:
    """One action, or one leaf below each, decides; the rest stays unknown."""
    game = ExplicitTree.from_nested([[value, value], [value, [1, 0]]])
    found = prunus.analyze(game, algorithm=name, depth=4, compile=False)
    assert (found.value, found.proved) == (value, True)


@pytest.mark.parametrize("name", TREES)
def test_a_small_memory_is_an_error_and_never_a_wrong_value(name: str) -> None:
    """Two levels get further in the same memory."""
    solved = 0
    for seed in range(60):
        game = RandomGame(seed, depth=6, branching=3)
        for room in (20, 60, 200):
            try:
                found = prunus.solve(game, algorithm=name, room=room, compile=False)
            except MemoryError as error:
                assert "more nodes than the memory holds" in str(error)
            else:
                assert found.value == minimax_value(game, game.initial())
                solved += 1
    assert solved > 0


class Unlinked(Hex):
    """Hex without chains of bridges, which takes more nodes."""

    def bounds(self, state: Hex.State) -> tuple[int, int]:
        return (-1, 1)


def test_two_levels_need_less_memory() -> None:
    with pytest.raises(MemoryError):
        prunus.solve(Unlinked(3), algorithm="pn", room=600, compile=False)
    assert prunus.solve(Unlinked(3), algorithm="pn2", room=600, compile=False).value == 1


def test_the_second_tree_grows_with_the_first() -> None:
    sizes = [second_size(first, 1 << 20) for first in range(1, 1 << 18, 1 << 12)]
    assert sizes == sorted(sizes)
    assert sizes[0] == 1
    assert second_size(1 << 18, 1 << 20) == 1 << 17
    assert second_size((1 << 20) - 10, 1 << 20) == 1


def test_repetitions_are_not_heeded() -> None:
    found = prunus.compare(ThreeMensMorris(), depth=3, algorithms=("minimax", *EACH), compile=False)
    assert found.agree


@pytest.mark.parametrize("value", [0, 1, -1, 2, -7, 63, 10**9, INFINITY - 1, 1 - INFINITY])
def test_questions_end_at_the_value(value: int) -> None:
    """If an answer says no more than yes or no."""
    low, high, asked = LEAST, MOST, 0
    while low != high:
        goal = next_goal(low, high)
        assert low < goal <= high
        low, high = (goal, high) if value >= goal else (low, goal - 1)
        asked += 1
    assert low == value and asked < 130
