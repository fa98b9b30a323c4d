"""The first answer soon: small searches are interpreted while nothing is compiled, and compiling
keeps nobody waiting beyond a limit.

The games compiled here are small: Nim with limits of its own, so that each test has code of its
own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from typing import NamedTuple

import pytest

import prunus
from prunus import Game, u8
from prunus.kernel import backends, waiting
from prunus.kernel.code import hand
from prunus.run import soon
from prunus.run.progress import Progress


class Heap(Game):
    """Take 1 to `most` from a heap; whoever takes the last wins."""

    class State(NamedTuple):
        left: u8

    def __init__(self, most: int = 3, heap: int = 10) -> None:
        self.most, self.heap = most, heap

    def initial(self):
        return self.State(self.heap)

    def actions(self, state):
        for take in range(1, min(self.most, state.left) + 1):
            yield take

    def result(self, state, action):
        return self.State(state.left - action)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state):
        return -1


@pytest.fixture(autouse=True)
def nothing_at_hand(monkeypatch, tmp_path):
    monkeypatch.setattr(soon, "NODES", 2_000)
    monkeypatch.setattr(soon, "_allowances", type(soon._allowances)(soon.GAMES))
    monkeypatch.setattr(hand, "_made", type(hand._made)(hand.KNOWN))
    monkeypatch.setattr(backends, "_ready", lambda function, arguments: None)
    monkeypatch.setenv("PRUNUS_CACHE_DIR", str(tmp_path))


@pytest.fixture
def compiler(monkeypatch):
    """A compiler that counts its calls and runs until `go_on` is set; its result is the function
    itself."""

    class Compiler:
        def __init__(self) -> None:
            self.calls, self.ended, self.go_on = [], threading.Semaphore(0), threading.Event()

        def __call__(self, function, arguments):
            self.calls.append(function.__name__)
            self.go_on.wait(60)
            hand.note_made(function, arguments["game"])
            self.ended.release()
            return function

    made = Compiler()
    monkeypatch.setattr(backends, "_compiled", made)
    yield made
    made.go_on.set()
    while waiting._running:  # a compilation that nobody waited for also records its end
        time.sleep(0.001)


def plain(found):
    """What two answers have in common whatever the backend."""
    same = replace(found.statistics, seconds=0.0, compile_seconds=0.0)
    return (
        found.value,
        found.bound,
        found.proved,
        found.best,
        found.best_moves,
        found.pv,
        found.depth,
        found.distance,
        found.moves,
        same,
    )


@pytest.mark.parametrize(
    "how",
    [{}, {"all_moves": True}, {"algorithm": "alphabeta"}, {"multi_pv": 2, "prefer_faster": True}],
)
def test_a_small_search_is_interpreted_and_compiles_nothing(compiler, how):
    found = prunus.solve(Heap(), **how)
    assert found.backend == "interpreted" and not found.interrupted and not compiler.calls
    assert plain(found) == plain(prunus.solve(Heap(), compile=False, **how))


def test_a_search_beyond_the_limit_is_compiled_with_the_same_answer(compiler, monkeypatch):
    compiler.go_on.set()
    monkeypatch.setattr(soon, "NODES", 20)
    for how in ({}, {"all_moves": True}, {"algorithm": "minimax", "depth": 6}):
        found = prunus.analyze(Heap(), **{"depth": None} | how)
        assert found.backend == "compiled" and compiler.calls
        assert plain(found) == plain(prunus.analyze(Heap(), compile=False, **{"depth": None} | how))


def test_many_small_searches_are_compiled_in_the_end(compiler):
    compiler.go_on.set()
    backends_used = []
    while "compiled" not in backends_used and len(backends_used) < 500:
        backends_used.append(prunus.solve(Heap(heap=12)).backend)
    assert backends_used[0] == "interpreted" and backends_used[-1] == "compiled"
    # Another game or algorithm has a node count of its own; so do games with other constants.
    assert prunus.solve(Heap(most=4)).backend == "interpreted"
    assert prunus.solve(Heap(heap=12), algorithm="alphabeta").backend == "interpreted"


def test_small_searches_in_limited_time_do_not_wait_but_have_the_game_compiled(compiler):
    """As a server's that moves at once: the interpreter answers while the code is being made."""
    game, backends_used = Heap(heap=40), []
    for _ in range(40):
        found = prunus.analyze(game, nodes=100, seconds=30.0)
        assert found.interrupted and found.best is not None
        backends_used.append((found.backend, len(waiting._running)))
    assert backends_used[0] == ("interpreted", 0) and backends_used[-1] == ("interpreted", 1)
    compiler.go_on.set()
    assert compiler.ended.acquire(timeout=60)
    assert prunus.analyze(game, nodes=100, seconds=30.0).backend == "compiled"


def test_what_has_no_code_yet_has_an_answer_when_its_time_is_over(compiler):
    """Code of the same search with other switches is at hand, which cannot be known beforehand."""
    game = Heap(heap=41)
    compiler.go_on.set()
    assert prunus.analyze(game, nodes=100, compile=True).backend == "compiled"
    compiler.go_on.clear()
    found = prunus.analyze(game, nodes=100, seconds=0.2, options={"iid": True})
    assert found.backend == "interpreted" and found.best is not None
    assert found.statistics.nodes > 50


def test_a_game_that_is_over_does_not_keep_others_from_being_compiled(compiler):
    game = Heap(heap=42)
    prunus.analyze(game, nodes=100, seconds=30.0)
    soon.allowance_of(game, "engine").nodes = 0
    prunus.analyze(game, Heap.State(0), nodes=100, seconds=30.0)
    assert not compiler.calls
    assert not soon.allowance_of(game, "engine").begun
    for _ in range(2):
        assert prunus.analyze(game, nodes=100, seconds=30.0).backend == "interpreted"
        assert soon.allowance_of(game, "engine").begun and len(waiting._running) == 1


def test_a_limit_of_nodes_ends_the_first_search_as_any_other(compiler):
    found, same = (
        prunus.analyze(Heap(heap=40), nodes=50, compile=compile) for compile in (None, False)
    )
    assert found.interrupted and not compiler.calls and plain(found) == plain(same)


def test_seconds_end_the_wait_for_the_compiler(compiler, monkeypatch):
    """The interpreter's answer is kept; compiling goes on, and the next search has the code."""
    shown: list[Progress] = []
    monkeypatch.setattr(soon, "SECONDS", 0.2)
    game = Heap(heap=250)
    found = prunus.analyze(
        game, seconds=0.8, watch=shown.append, algorithm="iterative-deepening", depth=240
    )
    assert compiler.calls == ["alphabeta_table_or_follow"] and not compiler.ended.acquire(
        blocking=False
    )
    assert (
        found.interrupted
        and found.backend == "interpreted"
        and found.best is not None
        and found.depth >= 2
    )
    assert found.statistics.compile_seconds > 0 and "still compiling after" in str(found)
    assert any(progress.compiling > 0 for progress in shown)
    compiler.go_on.set()
    assert compiler.ended.acquire(timeout=60)
    assert (
        prunus.analyze(game, seconds=0.5, algorithm="iterative-deepening", depth=5).backend
        == "compiled"
    )


def test_iterations_begin_interpreted_and_go_on_compiled(compiler, monkeypatch):
    found = list(prunus.iterations(Heap()))
    assert not compiler.calls
    assert [plain(each) for each in found] == [
        plain(each) for each in prunus.iterations(Heap(), compile=False)
    ]
    compiler.go_on.set()
    monkeypatch.setattr(soon, "NODES", 20)
    found = list(prunus.iterations(Heap(most=4)))
    same = list(prunus.iterations(Heap(most=4), compile=False))
    assert [each.backend for each in found] == sorted(
        [each.backend for each in found], reverse=True
    )
    assert {each.backend for each in found} == {"interpreted", "compiled"}
    depths = [each.depth for each in found]
    assert depths[:-1] == sorted(set(depths[:-1]))
    assert (found[-1].value, found[-1].proved, found[-1].best) == (
        same[-1].value,
        same[-1].proved,
        same[-1].best,
    )


def test_seconds_of_iterations_count_compiling(compiler, monkeypatch):
    monkeypatch.setattr(soon, "SECONDS", 0.05)
    began = time.perf_counter()
    found = list(
        prunus.iterations(
            Heap(heap=250),
            algorithm="iterative-deepening",
            limit=prunus.Limit(depth=240, seconds=0.4),
        )
    )
    assert compiler.calls and not compiler.go_on.is_set()
    assert found and found[0].backend == "interpreted"
    assert time.perf_counter() - began < 20  # the compiler would take a minute


def test_a_table_of_the_callers_learns_from_the_search_that_answers(compiler):
    compiler.go_on.set()
    game = Heap(heap=12)
    table = prunus.TranspositionTable(1, game, game.initial())
    assert prunus.solve(game, table=table).backend == "compiled"
    assert (
        prunus.solve(game, table=table).statistics.nodes
        < prunus.solve(game, compile=False).statistics.nodes
    )


def test_ctrl_c_while_compiling_loses_nothing(compiler, monkeypatch):
    monkeypatch.setattr(soon, "NODES", 300)

    def interrupt(progress):
        if progress.compiling:
            raise KeyboardInterrupt

    found = prunus.analyze(Heap(heap=60), depth=50, watch=interrupt)
    assert (
        compiler.calls
        and found.interrupted
        and found.backend == "interpreted"
        and found.best is not None
    )
    with pytest.raises(KeyboardInterrupt):
        prunus.analyze(Heap(heap=60), depth=50, watch=interrupt, compile=True)


def test_ctrl_c_and_stop_end_the_interpreted_search_for_good(compiler):
    game = Heap(heap=60)
    stop = prunus.Stop()
    stop.now()
    assert prunus.analyze(game, stop=stop, depth=50).interrupted
    assert not compiler.calls


def test_stop_ends_the_wait_for_code_with_what_is_known(compiler):
    """The interpreter's answer, or, if code was demanded, an error in words."""

    def stopping(stop):
        def watch(progress):
            if progress.compiling:
                stop.now()

        return watch

    for depth in (50, None):
        stop, game = prunus.Stop(), Heap(heap=70 + (depth or 0))
        found = prunus.analyze(game, depth=depth, watch=stopping(stop), stop=stop)
        assert (found.interrupted, found.backend) == (True, "interpreted")
        assert found.best is not None
    stop = prunus.Stop()
    told = list(
        prunus.iterations(
            Heap(heap=71), limit=prunus.Limit(50), watch=stopping(stop), stop=stop, compile=None
        )
    )
    assert told[-1].backend == "interpreted"
    for search in (
        prunus.analyze,
        lambda *given, **named: list(prunus.iterations(*given, **named)),
    ):
        stop = prunus.Stop()
        with pytest.raises(prunus.SearchError, match="while its code was being compiled"):
            search(Heap(heap=72), watch=stopping(stop), stop=stop, compile=True)


def test_what_is_compared_is_compiled(compiler):
    compiler.go_on.set()
    found = prunus.compare(Heap(), depth=4, algorithms=("minimax", "alphabeta"))
    assert [row.found.backend for row in found.rows] == ["compiled", "compiled"]


def test_code_on_disk_is_at_hand_for_these_rules_alone(monkeypatch):
    monkeypatch.undo()
    from prunus.algorithms.minimax import minimax

    game = Heap(most=5)
    prunus.analyze(game, algorithm="minimax", depth=3, compile=True)
    assert hand.is_loaded(minimax, game)
    hand._made._entries.clear()
    assert not hand.is_loaded(minimax, game)
    assert hand.is_at_hand(minimax, game) and hand.is_at_hand(minimax, Heap(most=5))
    assert not hand.is_at_hand(minimax, Heap(most=6)) and not hand.is_at_hand(
        prunus.algorithms.alphabeta.alphabeta, game
    )


def test_a_process_ends_while_something_is_compiled():
    """Nothing waits for a compilation that has not reached its last step, and nothing crashes."""
    script = (
        "import prunus, threading\nfrom prunus.kernel import waiting\nfrom prunus.games import "
        "ConnectFour\nfound = prunus.analyze(ConnectFour(5, 4), seconds=0.3, "
        "book=False)\nprint(found.interrupted, len(waiting._running))\n"
    )
    environment = {**os.environ, "PRUNUS_CACHE": "off"}
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=environment, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, ""), done
    assert done.stdout.split()[0] == "True"
