"""What a function returns that the settings leave nothing to do, read from its bytecode."""

from __future__ import annotations

import pytest

from prunus.kernel.containers.memory import UNKNOWN
from prunus.kernel.rewriting.idle import Parameter, idle_result

LIMIT = 7
TEXT = "seven"


class Kind:
    """The type of an argument with these settings."""

    def __init__(self, **settings):
        self.known = lambda name: settings.get(name, UNKNOWN)


def returns_false(game, state, value, memory):
    if not memory.on:
        return False
    return game.search(state)


def returns_nothing(game, state, value, memory):
    if memory.on and game.has_more:
        memory.nodes += 1


def returns_what_it_is_given(game, state, value, memory):
    if not (memory.on and game.has_more) or memory.limit > LIMIT:
        return value
    return value + 1


def returns_a_comparison(game, state, value, memory):
    return memory.limit == LIMIT and not memory.on


def returns_a_negative(game, state, value, memory):
    return -LIMIT if memory.limit <= LIMIT else value + 1


def returns_a_setting(game, state, value, memory):
    return memory.limit if not game.has_more or memory.on else game.more


IDLE = {
    returns_false: False,
    returns_nothing: None,
    returns_what_it_is_given: 2,
    returns_a_comparison: True,
    returns_a_negative: -7,
    returns_a_setting: 7,
}


@pytest.mark.parametrize("function", IDLE, ids=lambda function: function.__name__)
def test_idle_functions_have_a_result(function):
    kinds = (Kind(has_more=0), None, None, Kind(on=0, limit=7))
    found = idle_result(function, kinds)
    assert found is not None
    shown = found[0].number if isinstance(found[0], Parameter) else found[0]
    assert shown is IDLE[function] or (type(shown) is int and shown == IDLE[function])


@pytest.mark.parametrize(
    "function",
    [returns_false, returns_nothing, returns_a_setting],
    ids=lambda function: function.__name__,
)
def test_the_same_functions_are_busy_under_other_settings(function):
    settings = {"has_more": 1}, {"on": 1 if function is not returns_a_setting else 0}
    assert idle_result(function, (Kind(**settings[0]), None, None, Kind(**settings[1]))) is None


def calls(memory, value):
    return abs(value)


def computes(memory, value):
    return value + 1


def assigns(memory, value):
    memory.on = 1


def reads_what_is_no_setting(memory, value):
    return memory.nodes


def depends_on_what_is_given(memory, value):
    return 1 if value else 0


def compares_what_is_given(memory, value):
    return value > 3


def loops(memory, value):
    while memory.on == 0:
        pass


def returns_a_text(memory, value):
    return TEXT


def returns_what_is_missing(memory, value):
    return MISSING  # noqa: F821 - that is the test


def takes_its_own_variable(memory, value):
    own = 2
    return -own


@pytest.mark.parametrize(
    "function",
    [
        calls,
        computes,
        assigns,
        reads_what_is_no_setting,
        depends_on_what_is_given,
        compares_what_is_given,
        loops,
        returns_a_text,
        returns_what_is_missing,
        takes_its_own_variable,
    ],
    ids=lambda function: function.__name__,
)
def test_other_functions_have_none(function):
    assert idle_result(function, (Kind(on=0), None)) is None
