"""Fields written as `int`, and States that are written outside of the game's class: as Python is
usually written, and compiled all the same."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple, Optional, Tuple  # noqa: UP035 - as people write them

import numpy as np
import pytest

import prunus
from prunus import Game, u8, u64, u128
from prunus.core.fields import unfit_fields
from prunus.core.state import fields_of, is_machine_state, is_state_class, state_key
from prunus.kernel.reporting.messages import CannotCompile


class Heaps(NamedTuple):
    """A position outside of its game's class."""

    heaps: tuple[int, ...]
    last: int = -1


class Nim(Game):
    """Whoever takes the last counter wins."""

    def initial(self):
        return Heaps((3, 4, 2))

    def actions(self, state):
        return [10 * h + n for h, size in enumerate(state.heaps) for n in range(1, size + 1)]

    def result(self, state, action):
        h, n = divmod(action, 10)
        heaps = list(state.heaps)
        heaps[h] -= n
        return Heaps(tuple(heaps), h)

    def is_terminal(self, state):
        return sum(state.heaps) == 0

    def utility(self, state):
        return -1


class Inside(Nim):
    class State(NamedTuple):
        heaps: Tuple[int, int, int] = (3, 4, 2)  # noqa: UP006
        last: int = -1

    def initial(self):
        return self.State()

    def result(self, state, action):
        h, n = divmod(action, 10)
        heaps = list(state.heaps)
        heaps[h] -= n
        return state._replace(heaps=tuple(heaps), last=h)


@pytest.mark.parametrize("game", [Nim(), Inside()], ids=["outside", "inside"])
def test_compiled_as_interpreted(game):
    found = [prunus.solve(game, compile=compile) for compile in (True, False)]
    assert [each.backend for each in found] == ["compiled", "interpreted"]
    assert found[0].value == found[1].value == 1
    assert found[0].line() == found[1].line()
    assert found[0].proved


class Doubling(Game):
    """Doubles its number until that has more bits than wanted."""

    class State(NamedTuple):
        number: int = 3

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def initial(self):
        return self.State()

    def actions(self, state):
        yield 1

    def result(self, state, action):
        return self.State(state.number + state.number)

    def is_terminal(self, state):
        return state.number >> (self.bits - 1) != 0

    def utility(self, state):
        return 1 if state.number % 5 < 3 else -1


@pytest.mark.parametrize("compile", [True, False])
def test_more_than_64_bits_are_refused_and_not_cut(compile):
    assert prunus.solve(Doubling(63), compile=compile).proved
    with pytest.raises(OverflowError, match="64 bits"):
        prunus.solve(Doubling(64), compile=compile)


class Mask(Doubling):
    """Its masks have a bit too many for a signed number."""

    def result(self, state, action):
        return self.State(1 << state.number)


@pytest.mark.parametrize("compile", [True, False])
def test_a_mask_with_the_64th_bit_is_refused(compile):
    assert prunus.solve(Mask(9), compile=compile).proved
    mask = type("Full", (Mask,), {"initial": lambda self: self.State(63)})
    with pytest.raises(OverflowError, match="of 64 bits here; u128 and u256 hold more.*outside"):
        prunus.solve(mask(60), compile=compile)


def test_the_message_names_the_field_and_the_cure():
    with pytest.raises(OverflowError, match=r"'number' \(an int, of 64 bits here; u128 and u256"):
        Doubling.State(1 << 64)
    with pytest.raises(TypeError, match=r"'number' .* is given None; with another annotation"):
        Doubling.State(None)
    with pytest.raises(OverflowError, match="an item of State field 'heaps'"):
        Inside.State((1 << 63, 0, 0))
    with pytest.raises(ValueError, match="has 3 items, not 2"):
        Inside.State((1, 2))


def test_every_integer_becomes_a_plain_one():
    for given in (True, np.int8(1), np.int64(1), u64(1), u128(1)):
        stored = Doubling.State(given).number
        assert (type(stored), stored) == (int, 1)
    assert state_key(Doubling.State(-5)) != state_key(Doubling.State(5))


def state_of(**annotated: Any) -> Any:
    """A game's State class with these fields; those with a pair have a default."""
    hints = {name: each[0] if type(each) is list else each for name, each in annotated.items()}
    defaults = {name: each[1] for name, each in annotated.items() if type(each) is list}
    made = NamedTuple("State", list(hints.items()))
    made.__new__.__defaults__ = tuple(defaults.values())
    made._field_defaults = defaults
    return type("Some", (Game,), {"State": made}).State


@pytest.mark.parametrize(
    "fields",
    [
        {"n": int, "path": list},
        {"n": int, "name": bytes},
        {"name": str, "path": list},
        {"name": str | None, "n": int},
        {"name": [str, None], "n": int},
        {"n": str, "names": tuple[str, int]},
        {"n": Optional[int]},  # noqa: UP045
        {"n": int | None},
        {"boxes": tuple[tuple[tuple[int, ...], ...], ...]},
        {"rows": tuple[tuple[int, ...], tuple[int, int]]},
        {"rows": tuple[tuple[int, u8], ...]},
        {"n": [int, None]},
        {"n": [int, 1 << 70]},
        {"m": u8, "n": [int, "x"]},
        {"pair": tuple[int, u8]},
        {"pair": tuple[()]},
    ],
)
def test_anything_else_is_left_alone(fields):
    state = state_of(**fields)
    values = [None] * len(fields)
    values[0] = 1 if "m" in fields else None
    made = state(*values)
    assert not is_machine_state(made)
    assert list(made) == values


def test_the_fields_that_are_to_blame():
    state = state_of(n=int, name=str, path=list, m=u8, last=[str, None])
    assert unfit_fields(state) == ("path", "last")
    assert [field.scalar for field in fields_of(state)] == [None, None, None, u8, None]


def test_kinds_of_integers_beside_each_other():
    state = state_of(n=int, m=u8, flag=bool, cells=tuple[int, int], more=[tuple[u8, ...], ()])
    assert is_machine_state(state(1, 2, True, (3, 4)))
    assert [field.is_plain for field in fields_of(state)] == [True, False, False, True, False]


def test_a_state_made_before_its_game_is_left_alone():
    """Nothing has checked or converted it."""

    class Early(NamedTuple):
        left: u64

    start = Early(3)

    class Game1(Nim):
        def initial(self):
            return start if self else Early(0)

        def actions(self, state):
            yield 1

        def result(self, state, action):
            return Early(state.left - action)

        def is_terminal(self, state):
            return state.left == 0

    assert not is_state_class(Early)
    with pytest.raises(CannotCompile, match="is a NamedTuple that is not the class's own State"):
        prunus.solve(Game1(), compile=True)


def test_only_the_class_that_initial_and_result_make_is_taken():
    class Move(NamedTuple):
        heap: int

    class Position(NamedTuple):
        left: int

    class Unsure(Game):
        def initial(self):
            return Move(1) and Position(3)

        def result(self, state, action):
            return Position(state.left - action)

    class Config(NamedTuple):
        size: int

    class Whole(Game):
        def initial(self):
            return Config(3).size

        def result(self, state, action):
            return state - action

    class Sure(Game):
        def initial(self):
            return Position(3)

        def result(self, state, action):
            return state._replace(left=state.left - Move(action).heap)

    assert not hasattr(Unsure, "State") and not hasattr(Whole, "State")
    assert Sure.State is Position and is_state_class(Position)
    assert not is_state_class(Move) and not is_state_class(Config)


def test_games_may_share_their_states():
    class Position(NamedTuple):
        left: int

    class First(Nim):
        def initial(self):
            return Position(3)

        def result(self, state, action):
            return Position(state.left - action)

    start = Position(4)

    class Second(First):
        def initial(self):
            return start if self else Position(0)

    class Third(Nim):
        initial = Second.initial
        result = First.result

    assert First.State is Second.State is Third.State is Position
    assert Nim.State is Heaps and Inside.State is not Heaps


def test_a_game_of_its_own_states_is_derived_from_one_with_others():
    class Pair(NamedTuple):
        heaps: tuple[int, int]
        last: int = -1

    class Two(Nim):
        def initial(self):
            return Pair((1, 2))

        def result(self, state, action):
            child = super().result(Heaps(state.heaps), action)
            return Pair(child.heaps, child.last)

    class Larger(Inside):
        def initial(self):
            return self.State((5, 5, 5))

    assert Two.State is Pair and Larger.State is Inside.State
    assert prunus.solve(Two(), compile=True).value == prunus.solve(Two(), compile=False).value == 1


def test_nothing_is_said_of_it():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert prunus.analyze(Nim(), depth=2).backend in ("compiled", "interpreted")
