"""Tuple fields whose length changes from State to State: right when interpreted, refused in a
sentence when compiled, never one key for two States."""

from __future__ import annotations

import random
from functools import cache
from typing import NamedTuple

import pytest

import prunus
from prunus import Game, i16, u8, u16
from prunus.core.state import key_is_exact, state_key, typed_state
from prunus.kernel.backends import InterpretedWarning
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from prunus.kernel.reporting.messages import CannotCompile
from prunus.run.registry import ALGORITHMS


class Coins(Game):
    """A row of coins that are taken from either end; a coin may be worth 0. The leader at the end
    wins by the difference."""

    class State(NamedTuple):
        row: tuple[u8, ...]
        ahead: i16

    def __init__(self, row):
        self.row = row

    def initial(self):
        return self.State(self.row, 0)

    def actions(self, state):
        return [0, 1] if len(state.row) > 1 else [0]

    def result(self, state, action):
        if action == 0:
            return self.State(state.row[1:], -(state.ahead + state.row[0]))
        return self.State(state.row[:-1], -(state.ahead + state.row[-1]))

    def is_terminal(self, state):
        return len(state.row) == 0

    def utility(self, state):
        return state.ahead


@cache
def truth(row):
    return max(row[0] - truth(row[1:]), row[-1] - truth(row[:-1])) if row else 0


@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name != "visiting"])
def test_interpreted_searches_of_rows_that_get_shorter(algorithm):
    rng = random.Random(5)
    for _ in range(12):
        row = tuple(rng.choice((0, 0, 1, 2)) for _ in range(7))
        found = prunus.solve(Coins(row), algorithm=algorithm, compile=False)
        assert found.value == truth(row), row


def test_keys_tell_lengths_apart():
    states = [Coins.State(row, 0) for n in range(5) for row in ((0,) * n, (*(0,) * n, 1))]
    assert len({state_key(state) for state in states}) == len(states)


def test_only_declared_lengths_make_a_key_exact():
    class Declared(NamedTuple):
        row: tuple[u8, u8, u8]
        ahead: i16

    class Wide(NamedTuple):
        row: tuple[u16, u16, u16, u16]
        ahead: i16

    assert key_is_exact(typed_state(Declared)((1, 2, 3), 0))
    assert not key_is_exact(typed_state(Wide)((1, 2, 3, 4), 0))
    assert not key_is_exact(Coins.State((1, 2, 3), 0))


def test_two_fields_of_any_length_share_no_key():
    class Two(NamedTuple):
        left: tuple[u8, ...]
        right: tuple[u8, ...]

    kind = typed_state(Two)
    keys = {state_key(kind((1,) * n, (1,) * (6 - n))) for n in range(7)}
    assert len(keys) == 7


def test_arrays_of_states_hold_every_length():
    memory = Memory({"kept": ("state", 3)}, prototype=Coins.State((1, 2), 0))
    for state in (
        Coins.State((3, 4), 1),
        Coins.State((), 2),
        Coins.State((5, 6, 7), 3),
        Coins.State((8, 9), 4),
    ):
        memory.kept[1] = state
        assert memory.kept[1] == state


def take(game, state, memory):
    memory.kept[0] = game.result(state, 0)
    return memory.kept[0].ahead


def join(game, state, memory):
    return state._replace(row=(1, 2)).ahead


@pytest.mark.parametrize("function", [take, join])
def test_compiled_code_is_refused_at_once(function):
    game = Coins((1, 2, 3))
    memory = Memory({"kept": ("state", 1)}, prototype=game.initial())
    with pytest.raises(CannotCompile, match="field 'row'.*keep the tuple at its full length"):
        compile_function(function, {"game": game, "state": game.initial(), "memory": memory})


def test_a_memory_of_other_states_is_refused():
    def first(game, state, memory):
        return memory.kept[0].ahead

    game = Coins((1, 2, 3))
    memory = Memory({"kept": ("state", 1)}, prototype=Coins.State((1, 2), 0))
    with pytest.raises(CannotCompile, match="field 'row'"):
        compile_function(first, {"game": game, "state": game.initial(), "memory": memory})


def test_the_backend_that_is_chosen_says_why_it_interprets():
    class Fresh(Coins):
        class State(NamedTuple):
            row: tuple[u8, ...]
            ahead: i16

    with pytest.warns(
        InterpretedWarning,
        match="field 'row' of .*State is given 5 items where other States have 6",
    ):
        found = prunus.solve(Fresh((0, 2, 1, 0, 1, 2)), algorithm="pvs")
    assert (found.value, found.backend) == (truth((0, 2, 1, 0, 1, 2)), "interpreted")


def loose(game, state, memory):
    """A tuple of unknown length, which is a list in compiled code, compared with a list."""
    large = tuple(coin for coin in state.row if coin > 1)
    memory.out[0] = large == [coin for coin in state.row if coin > 1]
    return 0


def grown(game, state, memory):
    """The same for a tuple that grows."""
    large = ()
    for coin in state.row:
        if coin > 1:
            large += (coin,)
    memory.out[0] = large == [coin for coin in state.row if coin > 1]
    return 0


@pytest.mark.parametrize("function", [loose, grown])
def test_a_tuple_that_is_a_list_in_compiled_code_equals_no_list(function):
    class Fixed(Coins):
        class State(NamedTuple):
            row: tuple[u8, u8, u8]
            ahead: i16

    game = Fixed((1, 2, 3))
    memory = Memory({"out": ("i64", 1)})
    function(game, game.initial(), memory)
    assert memory.out[0] == 0
    with pytest.raises(CannotCompile, match="tuple"):
        compile_function(function, {"game": game, "state": game.initial(), "memory": memory})
