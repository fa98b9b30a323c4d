"""Searches in the caller's own thread: the same answers and node counts as in another thread."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import signal
import threading
import time
import weakref
from dataclasses import replace
from typing import NamedTuple

import pytest

import prunus
from prunus import Game, u8
from prunus.games import ConnectFour, Nim, RandomGame, TicTacToe
from prunus.kernel import guard, threads
from prunus.run import driver, session, short
from prunus.run.short import tried
from tests.amount import amount, few


@pytest.fixture(autouse=True)
def busy(monkeypatch):
    """On a busy machine a search of few nodes may take long."""
    monkeypatch.setattr(short, "SECONDS", 2.0)


@pytest.fixture
def handed(monkeypatch):
    """The searches that were handed to another thread."""
    seen = []
    run = threads.run

    def noting(*arguments):
        seen.append(threading.get_ident())
        return run(*arguments)

    monkeypatch.setattr(threads, "run", noting)
    return seen


def timeless(found):
    work = found.moves_statistics
    none = {"seconds": 0.0, "compile_seconds": 0.0}
    return replace(
        found,
        statistics=replace(found.statistics, **none),
        moves_statistics=None if work is None else replace(work, **none),
    )


def positions(game, count, plies):
    state, seen = game.initial(), []
    for number in range(count * plies):
        if game.is_terminal(state):
            state = game.initial()
        actions = list(map(int, game.actions(state)))
        state = game.result(state, actions[(7 * number + 3) % len(actions)])
        if not game.is_terminal(state):
            seen.append(state)
    return seen


ASKED = [
    {"algorithm": "engine", "depth": None},
    {"algorithm": "engine", "depth": 3, "all_moves": True},
    {"algorithm": "alphabeta", "depth": 4},
    {"algorithm": "mtdf", "depth": 3, "multi_pv": 2},
]


@pytest.mark.parametrize(
    "asked", few(ASKED, 1), ids=lambda asked: f"{asked['algorithm']} {asked['depth']}"
)
def test_answers_are_those_of_another_thread(asked, monkeypatch, handed):
    monkeypatch.setattr(guard, "PATIENCE", 2.0)
    asked = {**asked, "compile": True, "book": False}
    here = longer = 0
    for game in few((TicTacToe(), Nim((2, 3, 4)), ConnectFour(5, 4)), 2):
        for state in positions(game, amount(2, 4), 6):
            monkeypatch.setattr(short, "NODES", 0)
            expected = prunus.analyze(game, state, **asked)
            monkeypatch.setattr(short, "NODES", [40, 300][(here + longer) % 2])
            prunus.analyze(game, state, **asked)
            del handed[:]
            found = prunus.analyze(game, state, **asked)
            assert timeless(found) == timeless(expected)
            here += not handed
            longer += bool(handed)
    assert here > 3, "none was tried in the caller's thread"
    assert longer > 3 or asked["depth"] is not None, "none took longer"


def test_a_long_search_after_a_short_one_begins_anew(monkeypatch, handed):
    game = ConnectFour(5, 4)
    asked = {"compile": True, "book": False}
    expected = prunus.solve(game, **asked)
    ending = positions(game, 1, 14)[-1]
    for _ in range(2):
        prunus.solve(game, ending, **asked)
    del handed[:]
    prunus.solve(game, ending, **asked)
    assert not handed
    found = prunus.solve(game, **asked)
    assert handed
    assert timeless(found) == timeless(expected)


def test_lines_are_as_long_as_the_game_lasts(monkeypatch, handed):
    game = ConnectFour(5, 4)
    ending = positions(game, 1, 11)[-1]
    longest = 2 * game.plies_left(ending) + 2
    tries = []

    def trying(*arguments):
        tries.append(arguments)
        return tried(*arguments)

    monkeypatch.setattr(driver, "tried", trying)
    for plies, is_tried in ((longest, True), (longest - 1, False)):
        for module in (session, short):
            monkeypatch.setattr(module, "PLIES", plies)
        for _ in range(3):
            prunus.solve(game, ending, compile=True, book=False)
        del handed[:], tries[:]
        prunus.solve(game, ending, compile=True, book=False)
        assert (bool(tries), not handed) == (is_tried, is_tried), "none is tried in vain each time"


def test_what_is_to_be_watched_or_ended_has_a_thread(handed):
    game = ConnectFour(5, 4)
    ending = positions(game, 1, 14)[-1]
    asked = {"compile": True, "book": False}
    others = [
        {"watch": lambda progress: None},
        {"stop": prunus.Stop()},
        {"seconds": 9.0},
        {"nodes": 9999},
        {"table": prunus.TranspositionTable(1, game, ending)},
        {"threads": 2},
    ]
    for more in others:
        for _ in range(3):
            prunus.solve(game, ending, **asked)
        del handed[:]
        prunus.solve(game, ending, **asked, **more)
        assert handed, more
    found = []
    caller = threading.Thread(target=lambda: found.append(prunus.solve(game, ending, **asked)))
    prunus.solve(game, ending, **asked)
    del handed[:]
    caller.start()
    caller.join()
    assert handed, "another thread's stack may be small"
    assert timeless(found[0]) == timeless(prunus.solve(game, ending, **asked))


class Broken(Game):
    """Takes 1 or 2 of a heap; a heap of 9 has no result."""

    class State(NamedTuple):
        left: u8

    def initial(self):
        return self.State(5)

    def actions(self, state):
        for number in range(1, min(2, state.left) + 1):
            yield number

    def result(self, state, action):
        if state.left == 9:
            raise ValueError("a heap of 9")
        return self.State(state.left - action)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state):
        return -1


def test_errors_name_their_line(handed):
    game = Broken()
    for _ in range(3):
        prunus.analyze(game, algorithm="alphabeta", depth=4, compile=True)
    del handed[:]
    with pytest.raises(ValueError, match=r"a heap of 9.*test_short.py:\d+, in") as told:
        prunus.analyze(game, game.State(9), algorithm="alphabeta", depth=4, compile=True)
    assert not handed
    assert told.value.args


def test_games_and_answers_are_pickled_after_their_use():
    game = ConnectFour(5, 4)
    found = prunus.solve(game, positions(game, 1, 14)[-1], compile=True, book=False)
    again = pickle.loads(pickle.dumps(found))
    assert again.position == found.position == game.format(found.state)
    assert timeless(prunus.solve(again.game, again.state, compile=True, book=False)) == timeless(
        replace(found, game=again.game)
    )
    assert copy.deepcopy(game).attributes() == game.attributes()


def test_a_changed_seed_is_another_game():
    """Games of one class share code; each has configurations of its own."""
    for seed in range(5):
        game = RandomGame(seed, depth=5, width=6)
        value = prunus.analyze(game, algorithm="minimax", depth=5, compile=False).value
        for _ in range(3):
            assert prunus.analyze(game, depth=5, compile=True).value == value


def test_one_table_at_most_is_kept_and_nothing_in_it(handed):
    games = [ConnectFour(5, 4), TicTacToe()]
    states = [positions(game, 1, 5)[-1] for game in games]
    # The compiled code keeps the first game that it was made for.
    prunus.solve(TicTacToe(), states[1], compile=True, book=False)
    first = [
        timeless(prunus.solve(game, state, compile=True, book=False))
        for game, state in zip(games, states, strict=True)
    ]
    for _ in range(3):
        again = [
            timeless(prunus.solve(game, state, compile=True, book=False))
            for game, state in zip(games, states, strict=True)
        ]
        assert again == first
    habits = [how.habit for game in games for how in game._prunus_configurations[1].values()]
    assert sum(len(habit.tables) for habit in habits) == 1
    table = next(habit for habit in habits if habit.tables).tables[0]
    prunus.solve(games[1], states[1], compile=True, book=False, table=2)
    assert table not in [kept for habit in habits for kept in habit.tables], "it is of another size"
    left = weakref.ref(games[1])
    del games, habits, table, again, first
    gc.collect()
    assert left() is None


class Uneven(Game):
    """Take 1 or 2 of the stones that are left; some positions take long to judge."""

    class State(NamedTuple):
        left: u8

    def initial(self):
        return self.State(9)

    def actions(self, state):
        return [1, 2] if state.left > 1 else [1]

    def result(self, state, action):
        return self.State(state.left - action)

    def is_terminal(self, state):
        if 3 < state.left < 8:
            found = 0
            for i in range(12_000_000 + state.left):
                found = (found * 3 + i) % 1000003
            if found == 99_000 + state.left:
                return True
        return state.left == 0

    def utility(self, state):
        return -1


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no Ctrl-C to one's own process")
def test_ctrl_c_is_answered_if_a_short_search_turns_out_to_be_slow(monkeypatch, handed):
    """After some short searches the next one begins in the main thread, where machine code does not
    notice Ctrl-C; it goes on in another thread before long."""
    game = Uneven()
    for _ in range(3):
        prunus.solve(game, game.State(3), compile=True)
    del handed[:]
    moved = threading.Event()
    run = threads.run

    def noting(*arguments):
        moved.set()
        return run(*arguments)

    def interrupt():
        if moved.wait(60):
            time.sleep(0.05)
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(threads, "run", noting)
    sender = threading.Thread(target=interrupt)
    sender.start()
    found = prunus.solve(game, compile=True)
    sender.join()
    assert moved.is_set(), "it stayed in the main thread to its end"
    assert found.interrupted and found.statistics.nodes < 80
    assert prunus.solve(game, game.State(3), compile=True).proved


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no Ctrl-C to one's own process")
def test_ctrl_c_is_answered_before_a_slow_search_leaves_the_main_thread(monkeypatch, handed):
    """The guard stops the search in the main thread, and the answer is what it has found so far. In
    a search that is over before anyone stops it, Ctrl-C ends the caller's loop."""
    game = Uneven()
    monkeypatch.setattr(guard, "PATIENCE", 0.5)
    begin, end = guard.begin, guard.end

    def noting(memory):
        timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        return begin(memory)

    for _ in range(3):
        prunus.solve(game, game.State(3), compile=True)
    del handed[:]
    monkeypatch.setattr(guard, "begin", noting)
    found = prunus.solve(game, compile=True)
    assert found.interrupted and not handed
    monkeypatch.undo()
    assert prunus.solve(game, game.State(3), compile=True).proved
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def late():
        end()
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(guard, "end", late)
    with pytest.raises(KeyboardInterrupt):
        prunus.solve(game, game.State(1), compile=True)
    monkeypatch.undo()
    assert prunus.solve(game, game.State(1), compile=True).proved


def test_the_guard_stops_only_the_search_it_has_seen(monkeypatch):
    stopped = []

    class Noting:
        def stop(self, asked=True):
            stopped.append(asked)

    monkeypatch.setattr(guard, "PATIENCE", 0.001)
    for _ in range(50):
        mark = guard.begin(Noting())
        guard.end()
        assert not mark.stopped
    mark = guard.begin(Noting())
    while not mark.stopped:
        time.sleep(0.001)
    guard.end()
    count = len(stopped)
    time.sleep(0.01)
    assert len(stopped) == count and not any(stopped)
