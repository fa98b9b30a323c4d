"""A loop in all threads: the same outcome for any number of them, the first error, Ctrl-C."""

from __future__ import annotations

import signal
import threading
import time

import numpy as np
import pytest

from prunus.algorithms.perft import perft
from prunus.core.arrays import View
from prunus.core.rng import below, generator
from prunus.games import TicTacToe
from prunus.kernel.loops import for_each
from prunus.kernel.memory import Memory

GAME = TicTacToe()


def play(game, index, memory):
    """Random game number `index`: its last State and its length, recorded in every way that threads
    may."""
    chance = generator(memory.seed, index)
    state = game.initial()
    plies = 0
    while not game.is_terminal(state):
        count = 0
        for _ in game.actions(state):
            count += 1
        place, chance = below(chance, count)
        for action in game.actions(state):
            if place == 0:
                state = game.result(state, action)
                break
            place -= 1
        plies += 1
    memory.ends[index] = state
    memory.lengths.fetch_add(plies, 1)
    memory.plies += plies


def played(count, threads, step, compile):
    ends = Memory({"ends": ("state", count)}, prototype=GAME.initial()).ends
    lengths = View(np.zeros(10, np.int64))
    fields = {"ends": ends, "lengths": lengths, "plies": "i64", "seed": 9}
    memories = for_each(GAME, play, count, fields, threads=threads, step=step, compile=compile)
    return (
        [tuple(ends[i]) for i in range(count)],
        list(lengths),
        sum(memory.plies for memory in memories),
    )


def test_the_same_for_any_number_of_threads():
    expected = played(150, 1, 1, False)
    assert sum(expected[1]) == 150
    assert expected[2] == sum(plies * games for plies, games in enumerate(expected[1]))
    for threads, step in ((1, 1), (1, 7), (2, 1), (8, 1), (8, 40), (3, 1000)):
        assert played(150, threads, step, True) == expected
    assert played(150, 4, 3, False) == expected
    assert played(0, 2, 1, True) == ([], [0] * 10, 0)


def broken(game, index, memory):
    """Two numbers have an error; the first is slow to reach its own."""
    if index == 40:
        memory.lines += perft(game, game.initial(), 9, memory)
        raise ValueError("forty")
    if index == 43:
        raise IndexError("forty-three")
    if index > 43:
        # The thread with number 43 may have to wait for a processor; the others must not finish in
        # the meantime.
        memory.lines += perft(game, game.initial(), 6, memory)
    memory.done[index] = 1


@pytest.mark.parametrize("compile", [True, False])
def test_the_error_is_that_of_a_plain_loop(compile):
    """The one with the lowest number, with its line; all lower numbers are done, and much higher
    ones are not started."""
    for threads in (1, 2, 8) if compile else (1,):
        fields = {"done": View(np.zeros(5000, np.int64)), "lines": "i64"}
        with pytest.raises(ValueError, match=r"forty \(.*test_loops.py:\d+, in \w*broken\)"):
            for_each(
                GAME,
                broken if compile else lightly_broken,
                5000,
                fields,
                threads=threads,
                compile=compile,
            )
        done = fields["done"].array
        assert done[:40].all()
        assert done[40:].sum() < 1000


def lightly_broken(game, index, memory):
    """The same without the waiting."""
    if index == 40:
        raise ValueError("forty")
    memory.done[index] = 1


def endless(game, index, memory):
    """Runs until it is stopped."""
    while True:
        memory.nodes += 1


def quick(game, index, memory):
    """Nothing is counted here: the loop itself checks."""
    memory.out[0] = index


@pytest.mark.parametrize(("body", "count"), [(endless, 3), (quick, 1 << 60)])
@pytest.mark.parametrize("compile", [True, False])
def test_interrupts_are_answered(body, count, compile):
    fields = {"out": ("i64", 1)}
    for_each(GAME, quick, 1, fields, threads=3, compile=compile)
    asked = threading.Timer(
        0.3, lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
    )
    if body is endless:
        asked.interval = 2.0 if compile else 0.3  # it is compiled first
    asked.start()
    with pytest.raises(KeyboardInterrupt):
        for_each(GAME, body, count, fields, threads=3, compile=compile)
    asked.join()


def test_interrupts_in_the_last_body_are_answered():
    def last(game, index, memory):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        time.sleep(0.2)

    with pytest.raises(KeyboardInterrupt):
        for_each(GAME, last, 1, {"out": ("i64", 1)}, compile=False)


def test_what_makes_no_sense():
    for wrong in ({"count": -1}, {"count": 1, "threads": 0}, {"count": 1, "step": 0}):
        with pytest.raises(ValueError, match="at least 0, 1 and 1"):
            for_each(GAME, quick, fields={"out": ("i64", 1)}, **wrong)


def test_a_body_that_has_changed_is_followed():
    """Like a notebook cell that is run again: the body's helper means something else, and so does
    the loop."""
    scope = {}
    exec(
        "def helper(index):\n    return index\ndef body(game, index, memory):\n    "
        "memory.out[index] = helper(index)\n",
        scope,
    )
    out = Memory({"out": ("i64", 3)}).out
    for_each(GAME, scope["body"], 3, {"out": out}, compile=True)
    assert list(out) == [0, 1, 2]
    exec("def helper(index):\n    return 5 * index\n", scope)
    for_each(GAME, scope["body"], 3, {"out": out}, compile=True)
    assert list(out) == [0, 5, 10]
