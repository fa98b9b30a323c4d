"""The words of tables: forgetting them all at once, and reusing those of a discarded table."""

from __future__ import annotations

import gc
from collections import deque
from dataclasses import replace

import numpy as np
import pytest

from prunus.core.bits import u64
from prunus.core.copies import changed
from prunus.games import ConnectFour
from prunus.kernel.memory import Memory
from prunus.run.session import Outcome
from prunus.run.task import Course
from prunus.tables import words
from prunus.tables.proofs import HIGHEST, LOWEST, ProofTable, keep, recall
from prunus.tables.transposition import EXACT, Entry, TranspositionTable, probe, store
from prunus.tables.words import GENERATIONS, HEADER, LINE, Words, homes_of

GAME = ConnectFour()
START = GAME.initial()


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    gc.collect()
    monkeypatch.setattr(words, "_kept", deque(maxlen=words.KEPT))
    monkeypatch.setattr(words, "_kept_homes", deque(maxlen=words.KEPT))


def with_limits(table):
    """A memory in which the start is known to be worth between 1 and 5."""
    memory = Memory(table.fields(), prototype=START)
    keep(START, GAME.key(START), 1, 5, 3, memory)
    assert recall(START, GAME.key(START), memory) == (1, 5)
    return memory


def with_value(table):
    """A memory in which the start is known to be worth 1."""
    memory = Memory({**table.fields(), "stack_top": "i64"}, prototype=START)
    store(START, GAME.key(START), Entry(EXACT, 7, 1, 3, 1, 0), memory)
    assert probe(START, GAME.key(START), memory) == Entry(EXACT, 7, 1, 3, 1, 0)
    return memory


def test_a_table_of_proofs_forgets():
    table = ProofTable(0, START, True, True)
    memory = with_limits(table)
    assert table.fill() > 0
    table.clear()
    assert recall(START, GAME.key(START), memory) == (LOWEST, HIGHEST)
    assert table.fill() == 0
    keep(START, GAME.key(START), LOWEST, 2, 3, memory)
    assert recall(START, GAME.key(START), memory) == (LOWEST, 2)


def test_a_transposition_table_forgets_and_its_proofs_too():
    table = TranspositionTable(0, GAME, START)
    memory, proofs = with_value(table), with_limits(table.proofs(GAME, START))
    assert table.fill() > 0
    table.clear()
    assert probe(START, GAME.key(START), memory).bound == 0
    assert recall(START, GAME.key(START), proofs) == (LOWEST, HIGHEST)
    assert table.fill() == 0
    store(START, GAME.key(START), Entry(EXACT, 2, 0, 1, 0, 0), memory)
    assert probe(START, GAME.key(START), memory) == Entry(EXACT, 2, 0, 1, 0, 0)


def test_what_is_forgotten_gives_way_first():
    """A full bucket of expensive limits, once forgotten, has room for cheap ones."""
    table = ProofTable(0, START, True, True)
    memory = Memory(table.fields(), prototype=START)
    for key in range(1, 5):
        keep(START, u64(key), key, key, 60, memory)
    table.clear()
    for key in range(11, 15):
        keep(START, u64(key), key, key, 1, memory)
    assert [recall(START, u64(key), memory).low for key in range(11, 15)] == [11, 12, 13, 14]


def test_generations_that_are_used_up_begin_again_with_empty_words():
    table = ProofTable(0, START, True, True)
    memory = with_limits(table)
    first = table.words.generation
    for _ in range(GENERATIONS - 1):
        table.clear()
    assert table.words.generation == first
    assert recall(START, GAME.key(START), memory) == (LOWEST, HIGHEST)


def test_the_next_table_of_a_size_takes_the_words_over_and_knows_nothing():
    table = ProofTable(1, START, True, True)
    memory, place = with_limits(table), table.words.array.ctypes.data
    del table
    assert ProofTable(1, START, True, True).words.array.ctypes.data != place, (
        "taken over while a memory still works with them"
    )
    del memory
    other = ProofTable(2, START, True, True)
    assert other.words.array.ctypes.data != place
    second = ProofTable(1, START, True, True)
    third = ProofTable(1, START, True, True)
    assert place in (second.words.array.ctypes.data, third.words.array.ctypes.data)
    for found in (second, third):
        assert recall(START, GAME.key(START), Memory(found.fields(), prototype=START)) == (
            LOWEST,
            HIGHEST,
        )
        assert found.fill() == 0


def test_few_arrays_are_kept_and_no_large_ones(monkeypatch):
    for count in range(100, 110):
        Words(count)
    assert len(words._kept) == words.KEPT
    words._kept.clear()
    monkeypatch.setattr(words, "LARGEST", 8 * 500)
    Words(1000)
    assert not words._kept


def test_entries_begin_with_a_cache_line():
    for count in (8, 16, 800):
        assert Words(count).array.ctypes.data % LINE == 0
    assert np.count_nonzero(Words(8).array[:-1]) == 0


def test_room_for_states_is_taken_over_by_the_next_table_and_by_no_words():
    state = START
    first = homes_of(1000, state)
    first[3] = state
    array = first.array
    del first
    gc.collect()
    assert Words(len(array) - HEADER).array is not array, (
        "words of no generation are no words of a table"
    )
    second = homes_of(1000, state)
    assert second.array is array
    assert homes_of(1000, state).array is not array, "it is in use"


def test_changed_is_replace():
    step = Outcome(3, ((1, 3),), (1,), {"nodes": 1}, 0.5, False)
    assert changed(step, value=4, line=(2,)) == replace(step, value=4, line=(2,)) != step
    course = Course(nodes=7)
    assert changed(course, seconds=1.0) == replace(course, seconds=1.0)
