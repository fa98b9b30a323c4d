"""A game's own `key` may compute with plain integers; a search combines it as a u64."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from prunus import Game, i8, solve, u8, u16, u64
from prunus.core.values import ResultError
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory


class Steps(Game):
    """A count up to four; `KEYS` has the ways of writing its key."""

    kind = 0

    class State(NamedTuple):
        a: u16
        b: u8
        c: i8
        w: u64

    def __init__(self, kind: int = 0):
        self.kind = kind

    def initial(self):
        return self.State(0, 7, -3, 1 << 63)

    def actions(self, state):
        return (1, 2)

    def result(self, state, action):
        return state._replace(a=state.a + action, c=-state.c, w=state.w + 5)

    def is_terminal(self, state):
        return state.a >= 4

    def utility(self, state):
        return -1

    def key(self, state):
        if self.kind == 0:
            return (state.a << 8 | state.b) << 8 | state.c + 128
        if self.kind == 1:
            return state.c - state.a * 1000
        if self.kind == 2:
            return int(state.w) | state.a
        if self.kind == 3:
            return state.w ^ state.a
        if self.kind == 4:
            return state.a == 1
        return -int(state.w) - state.b


def run(game, state, memory):
    memory.key = game.key(state)
    return 0


@pytest.mark.parametrize("kind", range(6))
def test_keys_are_the_same_on_both_backends(kind):
    game = Steps(kind)
    game.freeze()
    memory = Memory({"key": "u64"})
    state = game.initial()
    compiled = compile_function(run, {"game": game, "state": state, "memory": memory})
    for _ in range(4):
        if kind == 5:
            with pytest.raises(OverflowError, match="Steps.key gave a number of more than 64 bits"):
                game.key(state)
            with pytest.raises(OverflowError, match="Steps.key gave a number of more than 64 bits"):
                compiled(game, state, memory)
        else:
            assert type(game.key(state)) is u64
            compiled(game, state, memory)
            assert memory.key == game.key(state)
        state = game.result(state, 1)


@pytest.mark.parametrize("compile", [False, True])
def test_a_search_takes_such_keys(compile):
    assert solve(Steps(1), compile=compile).value == solve(Steps(3), compile=compile).value


def test_a_key_that_is_no_integer_is_refused():
    class Floating(Steps):
        def key(self, state):
            return state.a / 2

    with pytest.raises(ResultError, match=r"Floating.key gives .* not an integer"):
        Floating().key(Steps().initial())
