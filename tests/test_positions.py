"""The set of positions compared with Python's own, and the positions of games compared with
published and naive counts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from prunus import Game, i8, u8, u64, u128, u256
from prunus.algorithms import enumerating
from prunus.algorithms.enumerating import positions_by_ply
from prunus.algorithms.perft import count_lines
from prunus.core.arrays import View
from prunus.games import ConnectFour, Nim, RandomGame, ThreeMensMorris, TicTacToe
from prunus.games.connect_four import ConnectFour128
from prunus.kernel.loops import for_each
from prunus.kernel.memory import Memory
from prunus.tables import positions
from prunus.tables.positions import FULL, NEW, PositionSet, add_position, has_position
from tests import naive
from tests.amount import in_full


class Words(Game):
    """One State per number; the default key is the number itself."""

    class State(NamedTuple):
        word: u64

    def initial(self):
        return self.State(0)

    def actions(self, state) -> Iterator[int]:
        yield 0

    def result(self, state, action):
        return state

    def is_terminal(self, state):
        return True

    def utility(self, state):
        return 0


class Long(Words):
    """States of several words and a tuple: the default key is a hash."""

    class State(NamedTuple):
        word: u128
        low: i8
        other: u256
        cells: tuple[u8, u8, u8, u8, u8, u8]

    def initial(self):
        return self.State(0, 0, 0, (0,) * 6)


class Colliding(Long):
    """Three keys for all States, one of them 0."""

    def key(self, state) -> u64:
        return u64(state.low % 3)


def samples(game: Any, count: int) -> list[Any]:
    """States, many of them several times, and those with special words."""
    chance = random.Random(5)
    if type(game) is Words:
        pool = [
            0,
            1,
            (1 << 64) - 1,
            *(chance.getrandbits(64) for _ in range(count)),
            *range(5, 5 + count // 2),
        ]
        return [game.State(chance.choice(pool)) for _ in range(count)]
    pool = [
        game.State(
            chance.getrandbits(2) << 100,
            chance.randrange(-3, 3),
            chance.getrandbits(2) << 250,
            [chance.randrange(3)] + [0] * 5,
        )
        for _ in range(count)
    ]
    return [chance.choice(pool) for _ in range(count)]


@pytest.mark.parametrize("cls", [Words, Long, Colliding])
def test_against_a_set(monkeypatch, cls):
    """From Python: which States are new, which are there, how many; the set grows many times."""
    monkeypatch.setattr(positions, "SMALLEST", 16)
    game = cls()
    known, expected = PositionSet(game, game.initial()), set()
    for state in samples(game, 400 if cls is not Colliding else 120):
        assert (state in known) == (state in expected)
        assert known.add(state) == (state not in expected)
        expected.add(state)
        assert len(known) == len(expected)
    assert all(state in known for state in expected)
    assert game.initial() in known or game.initial() not in expected


def put(game, index, memory):
    """Add a State; record whether it was new, and that it is there now."""
    state = memory.given[index]
    added = add_position(state, game.key(state), memory)
    memory.told[index] = added
    if added != FULL and not has_position(state, game.key(state), memory):
        memory.told[index] = 99


@pytest.mark.parametrize("cls", [Words, Long, Colliding])
def test_threads_add_at_once(cls):
    """Every State is new to exactly one call, whatever the threads do; a full set accepts nothing
    new and says so."""
    game = cls()
    given = samples(game, 30_000 if cls is not Colliding else 3_000)
    known_to_python = set(given)
    states = Memory({"given": ("state", len(given))}, prototype=game.initial()).given
    for number, state in enumerate(given):
        states[number] = state
    for threads in (1, 2, 8):
        known = PositionSet(game, game.initial(), room=0 if threads == 2 else len(given))
        told = View(np.zeros(len(given), np.int64))
        new = 0
        while True:
            for_each(
                game,
                put,
                len(given),
                {"given": states, "told": told, **known.fields()},
                threads=threads,
                step=16,
                compile=True,
            )
            new += int((told.array == NEW).sum())
            assert not (told.array == 99).any()
            if not (told.array == FULL).any():
                break
            assert known.free == 0
            known.grow(threads, compile=True)
        assert new == len(known) == len(known_to_python)
        assert all(state in known for state in list(known_to_python)[:500])
        assert cls is not Words or (Words.State(1 << 40) in known) == (
            Words.State(1 << 40) in known_to_python
        )


def naive_counts(game, symmetric=False):
    """Breadth first with Python's sets."""
    same = game.canonical if symmetric else lambda state: state
    level, known, counts = {same(game.initial())}, set(), []
    while level:
        counts.append(len(level))
        known |= level
        after = (
            game.result(state, action)
            for state in level
            if not game.is_terminal(state)
            for action in game.actions(state)
        )
        level = {same(state) for state in after} - known
    return counts


@pytest.mark.parametrize(
    "game",
    [Nim((1, 2, 2)), RandomGame(3), ThreeMensMorris(), ConnectFour128(3, 3)],
    ids=lambda game: game.title(),
)
@pytest.mark.parametrize("held", [1, 5, 64])
def test_positions_as_by_sets(held, game, monkeypatch):
    """Games with extra turns, with cycles, with States of any length, with long words; the set
    grows during the count, while few or many children are held."""
    monkeypatch.setattr(positions, "SMALLEST", 16)
    monkeypatch.setattr(enumerating, "CHILDREN_HELD", held)
    assert list(positions_by_ply(game, compile=False)) == naive_counts(game)
    assert list(positions_by_ply(game, symmetric=True, compile=False)) == naive_counts(game, True)


class Texts(Game):
    """States that cannot be compiled."""

    def initial(self):
        return "a"

    def actions(self, state) -> Iterator[int]:
        yield from (0, 1)

    def result(self, state, action):
        return "".join(sorted(state + "ab"[action]))

    def is_terminal(self, state):
        return len(state) == 6

    def utility(self, state):
        return 0


def test_positions_of_a_game_that_only_runs_interpreted():
    assert list(positions_by_ply(Texts(), compile=False)) == [1, 2, 3, 4, 5, 6]


@in_full
def test_published_counts():
    """Tic-tac-toe (765 up to symmetry); Connect Four 4 x 4, and its first plies on 7 x 6 (OEIS
    A212693), on both backends, in any number of threads."""
    tic_tac_toe = TicTacToe()
    assert sum(positions_by_ply(tic_tac_toe, symmetric=True, compile=False)) == 765
    for cls in (ConnectFour, ConnectFour128):
        for threads in (1, 2, 8):
            assert sum(positions_by_ply(cls(4, 4), threads=threads, compile=True)) == 161_029
    first = [1, 7, 49, 238, 1120, 4263, 16422, 54859]
    assert [
        found
        for found, _ in zip(
            positions_by_ply(ConnectFour(), threads=2, compile=True), first, strict=False
        )
    ] == first


def test_perft_in_threads():
    game = TicTacToe()
    for depth in range(6):
        expected = naive.perft(game, game.initial(), depth)
        assert count_lines(game, game.initial(), depth, compile=False) == expected
        assert count_lines(game, game.initial(), depth, threads=3, compile=True) == expected
    assert count_lines(game, game.initial(), 9, threads=8, compile=True) == 127_872
