"""A `finally`, or an `except` that does not match, raises again the error that it caught, whatever
was caught inside it since."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from prunus import Game, u8
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from prunus.kernel.rewriting.catching import MOST_WITH_VALUES, WITH_VALUES

ITEMS = (1, 2, 3)


class Rules(Game):
    class State(NamedTuple):
        n: u8

    def initial(self):
        return self.State(0)

    def helper(self, n):
        try:
            return {1: 2}[n]
        except KeyError:
            return 5

    def after(self, n, out):
        try:
            if n % 2 == 0:
                out[1] += ITEMS[n]
            else:
                raise ValueError
        finally:
            try:
                out[1] += ITEMS[n + 1]
            except IndexError:
                out[1] += 7

    def twice(self, n, out):
        try:
            if n > 1:
                raise KeyError
        finally:
            try:
                if n > 2:
                    raise IndexError
            finally:
                try:
                    if n > 3:
                        raise ValueError
                except ValueError:
                    out[1] += 3

    def replaced(self, n, out):
        try:
            out[1] += ITEMS[n]
        except IndexError:
            try:
                if n > 3:
                    raise KeyError
                out[1] += 9
            except ValueError:
                out[1] += 1
            finally:
                out[1] += self.helper(n)

    def rounds(self, n, out):
        for i in range(3):
            try:
                if i == n % 4:
                    raise ZeroDivisionError
            finally:
                for k in range(2):
                    try:
                        if k == n % 2:
                            raise KeyError
                        out[1] += 2
                    except KeyError:
                        continue
                out[1] += self.helper(i)

    def left(self, n, out):
        try:
            out[1] += ITEMS[n]
        finally:
            try:
                raise KeyError
            except KeyError:
                if n == 4:
                    return


def run(game, which, n, memory):
    out = memory.out
    out[0] = out[1] = 0
    try:
        if which == 0:
            game.after(n, out)
        elif which == 1:
            game.twice(n, out)
        elif which == 2:
            game.replaced(n, out)
        elif which == 3:
            game.rounds(n, out)
        elif which == 4:
            game.left(n, out)
    except ValueError:
        out[0] = 1
    except IndexError:
        out[0] = 2
    except KeyError:
        out[0] = 3
    except ZeroDivisionError:
        out[0] = 4
    return 0


def test_the_right_error_is_raised_again():
    game, memory = Rules(), Memory({"out": ("u64", 2)})
    native = compile_function(run, {"game": game, "which": 0, "n": 0, "memory": memory})
    for which in range(5):
        for n in range(6):
            run(game, which, n, memory)
            expected = list(memory.out)
            native(game, which, n, memory)
            assert list(memory.out) == expected, (which, n)


def again(game, n, memory):
    try:
        memory.out[0] = ITEMS[n]
    except IndexError:
        try:
            raise ValueError
        except ValueError:
            memory.out[0] = 6
        raise
    return 0


def test_raise_by_itself():
    game, memory = Rules(), Memory({"out": ("u64", 2)})
    native = compile_function(again, {"game": game, "n": 0, "memory": memory})
    for call in (again, native):
        with pytest.raises(IndexError):
            call(game, 5, memory)
        assert memory.out[0] == 6 and call(game, 1, memory) == 0


class Loud(Rules):
    """Errors with values, which rules catch; one of them is not caught."""

    def utility(self, state):
        caught = 0
        for i in range(10):
            try:
                self.refuse(i)
            except ValueError:
                caught += 1
        if state.n > caught - 10:
            self.refuse(state.n)
        return caught

    def refuse(self, i):
        raise ValueError("refused", i)


def ask(game, state, memory):
    memory.out[0] = game.utility(state)
    return 0


def test_errors_with_values_take_bounded_memory(monkeypatch):
    game, memory = Loud(), Memory({"out": ("i64", 1)})
    game.freeze()
    compiled = compile_function(ask, {"game": game, "state": game.initial(), "memory": memory})
    monkeypatch.setattr(WITH_VALUES, "value", 0)
    with pytest.raises(ValueError) as raised:
        compiled(game, game.State(3), memory)
    assert raised.value.args == ("refused", 3) and WITH_VALUES.value == 11
    WITH_VALUES.value = MOST_WITH_VALUES - 4
    compiled(game, game.State(0), memory)
    assert memory.out[0] == 10 and WITH_VALUES.value == MOST_WITH_VALUES
    with pytest.raises(ValueError, match="its values are not kept"):
        compiled(game, game.State(3), memory)
