"""What machine code is saved under tells apart all rules that give other code."""

from __future__ import annotations

import itertools
from functools import cached_property
from typing import NamedTuple

import pytest

import prunus
from prunus import Game, u8
from prunus.kernel.code.digest import Digest
from tests.kernel.apart import apart
from tests.kernel.changing import SOURCE, searched, truths


def digest_of(*values):
    digest = Digest()
    digest.value(list(values))
    return digest.hexdigest()


def test_a_digest_tells_things_apart_that_it_has_met_before():
    def one(n):
        return n

    def two(n):
        return -n

    def named(name):
        return type("Same", (), {"value": name})

    first, second = named(1), named(2)
    for a, b in ((one, two), (first, second)):
        assert digest_of(a, b, (a, b)) != digest_of(a, b, (b, a))
        assert digest_of(a, b, (a, b)) != digest_of(a, b, (a, a))
        assert digest_of(a, b, [a, b]) == digest_of(a, b, [a, b])


def test_a_digest_covers_the_methods_of_records():
    def pair(factor):
        class Pair(NamedTuple):
            a: int

            def total(self):
                return self.a * factor

        return Pair(3)

    assert digest_of(pair(2)) != digest_of(pair(3))
    assert digest_of(pair(2)) == digest_of(pair(2))


SAVED = {
    "functions": ("K0, K1 = one, two\nK2 = ({},)", ("two, one", "one, one")),
    "record": (
        "class Both(NamedTuple):\n    a: int\n    def total(self):\n        return self.a * {}\n"
        "K2 = Both(5)",
        ("2", "3"),
    ),
}
USED = {"functions": "(K2[0](n) * 5 + K0(n) + K1(n)) % 90", "record": "K2.total() + n"}


@pytest.mark.filterwarnings("ignore::numba.core.errors.NumbaExperimentalFeatureWarning")
@pytest.mark.parametrize("kind", SAVED)
def test_saved_code_belongs_to_its_constants(kind, tmp_path, monkeypatch):
    monkeypatch.setenv("PRUNUS_CACHE_DIR", str(tmp_path))
    text, constants = SAVED[kind]
    right, found = [], []
    for constant in constants:
        source = f"{SOURCE}\n{text.format(constant)}\ndef last(n):\n    return {USED[kind]}\n"
        right += truths(source, [])
        found.append({value for _, value in apart(lambda: searched(source, [], 0), 120.0)})  # noqa: B023
    assert len(set(right)) > 1
    assert found == [{value} for value in right]


class Kept(Game):
    """Keeps a thing that its rules do not read."""

    class State(NamedTuple):
        n: u8

    def __init__(self, thing):
        self._thing = self.thing = thing

    def initial(self):
        return self.State(2)

    def actions(self, state):
        yield 1

    def result(self, state, action):
        return self.State(state.n - action)

    def is_terminal(self, state):
        return state.n == 0

    def utility(self, state):
        return -1

    @cached_property
    def large(self):
        raise AssertionError("nobody reads it")


class Holding:
    """Holds anything."""

    def __init__(self, held):
        self.held = held


class Unprinted:
    def __repr__(self):
        raise RuntimeError("not to be printed")


def within_itself():
    held = []
    held.append(held)
    return Holding(held)


@pytest.mark.parametrize(
    "thing",
    [
        itertools.count(),
        zip([1], [2], strict=True),
        map(abs, [1]),
        reversed([1, 2]),
        Holding({Unprinted()}),
        within_itself(),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_things_that_no_rule_reads_may_be_of_any_kind(thing):
    game = Kept(thing)
    assert prunus.solve(game).value == prunus.solve(game, compile=False).value == -1
    assert "large" not in vars(game)
