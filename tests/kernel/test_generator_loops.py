"""Loops over generators become one loop: what is merged, what stays a generator, and the lines of
errors inside."""

import warnings
from pathlib import Path
from typing import NamedTuple

import pytest
from numba.core import ir

from prunus import Game, analyze, u8
from prunus.games import ConnectFour
from prunus.kernel.compiling import dispatch  # noqa: F401 - the pipelines that looking at a function asks for
from prunus.kernel.compiling.gametype import type_of_game
from prunus.kernel.rewriting.generator_loops import GeneratorLoops
from prunus.kernel.rewriting.handling import intermediate
from tests.amount import few


class Stones(Game):
    """Two moves, each from its own `yield`."""

    class State(NamedTuple):
        """How many are left."""

        left: u8

    def initial(self):
        return self.State(9)

    def actions(self, state):
        yield 1
        if state.left > 1:
            yield 2

    def result(self, state, action):
        return self.State(state.left - action)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state):
        return -1


class Rebounding(Stones):
    """`super()`, a default, and three loops over one another."""

    def steps(self, state, most=2):
        for action in super().actions(state):
            if action <= most:
                yield action

    def actions(self, state):
        for action in self.steps(state):
            for copy in range(1):
                yield action + copy


class TooLarge(Stones):
    """A number exceeds 64 bits between two actions."""

    def actions(self, state):
        yield 1
        number = 1 << 62
        for _ in range(state.left):
            number += number
        yield number


def looping(game, state):
    """A loop over actions."""
    total = 0
    for action in game.actions(state):
        total = total * 3 + action
    return total


def made_twice(game, state):
    """A generator that two loops share."""
    items = game.actions(state)
    total = 0
    for action in items:
        total += action
        break
    for action in items:
        total += action * 10
    return total


def _calls_of_actions(function, game):
    """The number of calls of `actions` left in a function after the pass."""

    class State:
        func_ir = intermediate(function)
        args = (type_of_game(game), None)

    GeneratorLoops().run_pass(State)
    assigned = [
        statement.value
        for block in State.func_ir.blocks.values()
        for statement in block.find_insts(ir.Assign)
    ]
    return sum(
        isinstance(value, ir.Expr) and value.op == "getattr" and value.attr in ("actions", "steps")
        for value in assigned
    )


@pytest.mark.parametrize(
    "game", [ConnectFour(), Stones(), Rebounding()], ids=lambda game: type(game).__name__
)
def test_the_generator_becomes_part_of_the_loop(game):
    assert _calls_of_actions(looping, game) == 0


@pytest.mark.parametrize("lines", [1, 40, 400])
def test_a_loop_may_be_long(lines):
    """Python prefixes the jumps of a loop of more than 255 words."""
    source = "def looping(game, state):\n total = 0\n for action in game.actions(state):\n"
    made = {}
    exec(source + "  total = total * 3 + action\n" * lines + " return total\n", made)
    assert _calls_of_actions(made["looping"], Stones()) == 0


def test_a_generator_that_two_loops_share_stays_one():
    assert _calls_of_actions(made_twice, Stones()) == 1


@pytest.mark.parametrize("algorithm", few(["minimax", "pvs", "engine", "alphabeta", "mtdf"], 3))
@pytest.mark.parametrize("cls", [Stones, Rebounding])
def test_values_are_the_same(cls, algorithm):
    game = cls()
    for left in range(1, 10):
        state = cls.State(left)
        first, second = (
            analyze(game, state, algorithm=algorithm, depth=None, compile=compile)
            for compile in (True, False)
        )
        assert (first.value, first.proved, first.statistics.nodes) == (
            second.value,
            second.proved,
            second.statistics.nodes,
        )


def test_generators_compile_where_warnings_are_errors():
    class Own(Stones):
        """New rules, which no code is kept of."""

        def is_terminal(self, state):
            return state.left < 1

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert analyze(Own(), compile=True).value == -1


def test_an_error_between_two_items_names_its_line():
    with pytest.raises(OverflowError, match=r"test_generator_loops\.py:\d+, in actions") as caught:
        analyze(TooLarge(), depth=3, algorithm="minimax", compile=True)
    line = int(str(caught.value).rpartition(", in")[0].rpartition(":")[2])
    assert Path(__file__).read_text().splitlines()[line - 1].strip() == "number += number"
