"""The transposition table: what it keeps, what it never trusts, and threads that share it."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from typing import Any, NamedTuple

import numpy as np
import pytest
from benchmarks.common import after_random_plies

import prunus
from prunus.core.arrays import View
from prunus.core.bits import mix, u64
from prunus.core.errors import SearchError
from prunus.engine.options import Options
from prunus.engine.search import engine
from prunus.games import MNK, ConnectFour, Nim, RandomGame, TicTacToe
from prunus.kernel.backends import call
from prunus.kernel.memory import Memory
from prunus.run import solver
from prunus.run.configuration import Configuration
from prunus.run.limits import Clock
from prunus.run.memories import begin, new_memory
from prunus.run.registry import ALGORITHMS, arguments_of
from prunus.run.session import Session
from prunus.run.task import Course, Root
from prunus.tables.busy import BUCKETS, WAYS, mark_of, slot_of
from prunus.tables.transposition import (
    EXACT,
    LOWER,
    NO_ACTION,
    UPPER,
    Entry,
    TranspositionTable,
    probe,
    store,
)
from tests.amount import amount, few, in_full, thinned
from tests.naive import minimax_value

TABLED = [name for name in ALGORITHMS if ALGORITHMS[name].table]


@in_full
def test_a_table_without_values_still_knows_the_best_actions():
    game = ConnectFour(4, 4)
    table = TranspositionTable(1, game, game.initial())
    first = prunus.solve(game, algorithm="engine", table=table, compile=True)
    home = game.canonical(game.result(game.initial(), first.best))
    before = probe(home, game.key(home), memory_of(table, home))
    table.forget_values()
    after = probe(home, game.key(home), memory_of(table, home))
    assert after == Entry(LOWER, 0, -prunus.core.game.INFINITY, before.action, 0, 0)
    again = prunus.solve(game, algorithm="engine", table=table, compile=True)
    assert again.value == first.value and 1000 < again.statistics.nodes < first.statistics.nodes


def memory_of(table, state):
    return Memory({**table.fields()}, prototype=state)


def test_what_is_stored_is_found():
    game = Nim((3, 4, 5))
    table = TranspositionTable(0.01, game, game.initial())
    memory = memory_of(table, game.initial())
    entry = Entry(LOWER, 7, -(1 << 40), 300, 0, 0)
    state = game.parse("1,2,5")
    store(state, game.key(state), entry, memory)
    assert probe(state, game.key(state), memory) == entry
    other = game.parse("1,2,4")
    assert probe(other, game.key(other), memory).bound == 0


def test_a_final_exact_value_is_never_given_up_for_less():
    game = Nim((3, 4, 5))
    memory = memory_of(TranspositionTable(0, game, game.initial()), game.initial())
    state, key = game.initial(), game.key(game.initial())
    store(state, key, Entry(EXACT, 3, 1, 5, 1, 0), memory)
    store(state, key, Entry(UPPER, 9, 0, 6, 0, 0), memory)
    assert probe(state, key, memory) == Entry(EXACT, 3, 1, 5, 1, 0)


def test_an_action_is_kept_where_the_new_search_has_none():
    game = Nim((3, 4, 5))
    memory = memory_of(TranspositionTable(0, game, game.initial()), game.initial())
    state, key = game.initial(), game.key(game.initial())
    store(state, key, Entry(LOWER, 3, 1, 5, 0, 0), memory)
    store(state, key, Entry(UPPER, 4, 0, NO_ACTION, 0, 0), memory)
    assert probe(state, key, memory) == Entry(UPPER, 4, 0, 5, 0, 0)


def test_the_deeper_entry_of_a_bucket_survives_and_old_ones_go_first():
    game = ConnectFour()
    table = TranspositionTable(0, game, game.initial())
    assert table.entries == 2
    memory = memory_of(table, game.initial())
    states = [game.play(name) for name in ("1", "2", "3", "4")]
    for state, depth in zip(states[:3], (9, 3, 4), strict=True):
        store(state, game.key(state), Entry(EXACT, depth, 0, 1, 0, 0), memory)
    assert probe(states[0], game.key(states[0]), memory).depth == 9
    assert probe(states[1], game.key(states[1]), memory).bound == 0
    memory.table_age = 1
    store(states[3], game.key(states[3]), Entry(EXACT, 1, 0, 1, 0, 0), memory)
    assert probe(states[3], game.key(states[3]), memory).depth == 1
    assert probe(states[0], game.key(states[0]), memory).bound == 0


def test_the_size_is_what_was_asked_for():
    game = ConnectFour()
    table = TranspositionTable(1, game, game.initial())
    assert 32 * table.entries <= 1 << 20 and table.fill() == 0
    assert TranspositionTable(1, RandomGame(), RandomGame().initial()).exact_key
    assert not table.verified


class Colliding(RandomGame):
    """Every position has one of four keys."""

    def key(self, state: Any) -> u64:
        return u64(state.node % 4)


@pytest.mark.parametrize("compile", [False, True])
@pytest.mark.parametrize("name", thinned(TABLED, 4))
def test_forged_collisions_prove_nothing_false(name, compile):
    """A result that is called proved is minimax's, whatever the keys are: whole States are
    compared."""
    for seed in range(150 if compile else 20):
        game = Colliding(seed, depth=4, width=5, branching=3)
        found = prunus.analyze(game, algorithm=name, compile=compile, table=0.01)
        assert found.proved and found.value == minimax_value(game, game.initial())


def test_an_exact_key_that_is_not_would_be_believed():
    """The test above can fail: without comparison of States, collisions do give wrong values."""

    class Trusting(Colliding):
        exact_key = True

    wrong = 0
    for seed in range(60):
        game = Trusting(seed, depth=4, width=5, branching=3)
        wrong += prunus.analyze(
            game, algorithm="pvs", compile=False, table=0.01
        ).value != minimax_value(game, game.initial())
    assert wrong > 0


class Wide(prunus.Game):
    """Three piles in a State of 96 bits, so that keys are hashes and States are compared."""

    class State(NamedTuple):
        a: prunus.u32
        b: prunus.u32
        c: prunus.u32

    def initial(self):
        return self.State(2, 3, 4)

    def actions(self, state):
        for pile in range(3):
            for take in range(1, 1 + (state.a if pile == 0 else state.b if pile == 1 else state.c)):
                yield 8 * pile + take

    def result(self, state, action):
        take = action % 8
        if action < 8:
            return state._replace(a=state.a - take)
        return state._replace(b=state.b - take) if action < 16 else state._replace(c=state.c - take)

    def is_terminal(self, state):
        return state.a + state.b + state.c == 0

    def utility(self, state):
        return -1


@pytest.mark.parametrize("name", thinned(TABLED, 4))
def test_large_states(name):
    game = Wide()
    table = TranspositionTable(1, game, game.initial())
    assert table.verified
    found = prunus.solve(game, algorithm=name, table=table, compile=True)
    assert (found.value, found.proved) == (1, True)


@pytest.mark.parametrize("name", thinned(TABLED, 4))
def test_a_kept_table_changes_no_proved_value(name):
    """Searches of different depths and of different positions of one game, in one table."""
    rng = random.Random(1)
    for seed in range(30):
        game = RandomGame(seed, depth=6, width=5, branching=3)
        table = TranspositionTable(0.01, game, game.initial())
        for _ in range(6):
            state = after_random_plies(game, rng.randrange(3), rng)
            depth = rng.choice([1, 2, 3, None])
            found = prunus.analyze(game, state, name, depth, table=table, compile=True)
            if found.proved:
                assert found.value == minimax_value(game, state)


def test_several_threads_write_and_read_one_table():
    """No entry is ever found that was not stored whole: value, depth and action of an entry are
    functions of its key."""
    game = ConnectFour()
    table = TranspositionTable(0.001, game, game.initial())
    torn = []

    def work(seed: int) -> None:
        memory = Memory(
            {**table.fields(), "nodes": "i64", "seed": "u64", "wrong": "i64"},
            prototype=game.initial(),
        )
        memory.seed = seed
        call(
            hammer,
            {"game": game, "state": game.initial(), "depth": 300_000, "memory": memory},
            True,
        )
        torn.append(memory.wrong)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in (1, 2, 3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert torn == [0, 0, 0]


def hammer(game: Any, state: Any, depth: int, memory: Any) -> int:
    """Store and probe random keys; count parts that do not belong together."""
    word = memory.seed
    for _ in range(depth):
        word = mix(word + 1)
        key = word % 512
        entry = probe(state, key, memory)
        if entry.bound != 0 and (
            entry.value != int(key) * 3 or entry.action != int(key) * 5 or entry.depth > 500
        ):
            memory.wrong += 1
        store(
            state,
            key,
            Entry(EXACT, int(word >> 32) % 500, int(key) * 3, int(key) * 5, 0, 0),
            memory,
        )
    return 0


@pytest.mark.parametrize("threads", thinned([2, 1, 3], 3))
def test_threads_prove_the_same_values(threads):
    for seed in range(60):
        game = RandomGame(seed, depth=7, width=40, branching=5)
        found = prunus.solve(game, algorithm="engine", threads=threads, compile=True, table=1)
        assert (found.value, found.proved) == (minimax_value(game, game.initial()), True)


def busy_with_everything(game: Any, state: Any, depth: int, marks: set[int]) -> set[int]:
    """The marks of the searches of every position below a State, to the depth to which an engine
    searches it."""
    if depth > 0 and not game.is_terminal(state):
        for action in game.actions(state):
            child = game.result(state, action)
            marks.add(int(mark_of(game, child, depth)))
            busy_with_everything(game, child, depth - 1, marks)
    return marks


@pytest.mark.parametrize("backend", [False, True])
def test_actions_that_are_put_off_are_searched_all_the_same(backend):
    """Whatever other threads claim to be working on, even everything: the value stays the same,
    each action is put off once, and the order loses none."""
    rng = random.Random(7)
    for seed in range(amount(10, 30)):
        game = RandomGame(seed, depth=7, width=40, branching=5)
        state = game.initial()
        marks = sorted(busy_with_everything(game, state, 7, set()))
        busy = View(np.zeros(BUCKETS * WAYS, np.uint64))
        for sign in rng.sample(marks, len(marks) // rng.choice([1, 2, 4])):
            first = slot_of(u64(sign))
            busy.array[first + rng.randrange(WAYS)] = sign
        memory = new_engine_memory(game, state, 7, busy)
        begin(ALGORITHMS["engine"], memory, 7)
        value, _ = call(engine, arguments_of(game, state, 7, memory), backend)
        assert value == minimax_value(game, state)
        assert {memory.root_action[i] for i in range(memory.root_count)} <= set(game.actions(state))


def new_engine_memory(game: Any, state: Any, depth: int, busy: View | None = None) -> Memory:
    """An engine's memory that shares nothing but `busy`."""
    how = Configuration(ALGORITHMS["engine"], options=Options.of(game))
    more = {} if busy is None else {"busy": busy}
    return new_memory(how.algorithm, state, depth, 8, how, TranspositionTable(1, game, state), more)


def test_iterations_come_one_by_one():
    found = list(
        prunus.iterations(
            TicTacToe(), algorithm="engine", compile=False, limit=prunus.Limit(depth=4)
        )
    )
    assert [analysis.depth for analysis in found] == [1, 2, 3, 4]
    assert all(analysis.value == 0 for analysis in found)


@pytest.mark.parametrize(
    "game",
    few([TicTacToe(), Nim((2, 3, 4)), ConnectFour(5, 4), MNK(3, 4, 3), ConnectFour(4, 4)], 1),
    ids=repr,
)
@pytest.mark.parametrize("threads", thinned([2, 1], 2))
def test_null_windows_find_value_action_and_line(game, threads, monkeypatch):
    """However little deepening may do before: the value, an action that has it, and a line to the
    end that is worth it."""
    monkeypatch.setattr(solver, "CHEAP", 0)
    rng = random.Random(4)
    table = TranspositionTable(0.05, game, game.initial())
    for _ in range(25):
        state = after_random_plies(game, rng.randrange(5), rng)
        if game.is_terminal(state):
            continue
        expected = prunus.solve(
            game,
            state,
            algorithm="minimax" if isinstance(game, TicTacToe) else "alphabeta",
            all_moves=True,
            compile=True,
        )
        found = prunus.solve(
            game, state, algorithm="engine", threads=threads, compile=True, table=table
        )
        assert (found.value, found.proved, found.bound) == (expected.value, True, "exact")
        assert {move.action: move.value for move in expected.moves}[found.best] == expected.value
        end, sign = state, 1
        for action in found.pv:
            child = game.result(end, action)
            end, sign = child, sign if game.keeps_turn(end, child) else -sign
        assert (
            game.is_terminal(end)
            and sign * game.utility(end) == expected.value
            and found.distance == len(found.pv)
        )


def test_multi_pv_gives_the_best_moves_in_order():
    game = ConnectFour(5, 4)
    state = game.parse("3314")
    every = prunus.analyze(game, state, "engine", 8, all_moves=True, compile=True)
    values = sorted((move.value for move in every.moves), reverse=True)
    best = prunus.analyze(game, state, "engine", 8, multi_pv=3, compile=True)
    assert [move.value for move in best.moves] == values[:3]


def test_a_search_stopped_by_time_answers_with_its_last_iteration():
    for seconds in (0.4, 2, 10):  # a busy machine takes longer for the first iterations
        found = prunus.analyze(ConnectFour(), algorithm="engine", seconds=seconds, compile=True)
        assert found.interrupted and found.best is not None
        assert found.bound == "exact" or found.value is not None
        if found.depth >= 8:
            break
    assert found.depth >= 8


@pytest.mark.parametrize("backend", [False, True])
def test_an_action_is_ahead_where_all_others_are_worse_by_the_margin(backend):
    ahead = 0
    for seed in range(40):
        game = RandomGame(seed, depth=7, width=40, branching=5, values=20)
        state = game.initial()
        found = prunus.analyze(game, state, "engine", 5, all_moves=True, compile=backend)
        others = [move.value for move in found.moves if move.action != found.best]
        if found.proved or not others:
            continue
        table = TranspositionTable(1, game, state)
        how = Configuration(ALGORITHMS["engine"], backend, options=Options.of(game))
        session = Session(game, Root(state), how, 5, Course(table=table))
        session.run(5)
        before = probe(state, game.key(state), session.memory)
        for margin in (0, 3, 9, 30):
            outcome = session.without(found.best, found.value - margin, 5)
            assert (outcome.value < found.value - margin) == (max(others) < found.value - margin)
            ahead += max(others) < found.value - margin
        assert probe(state, game.key(state), session.memory) == before
        assert session.run(5).value == found.value
    assert ahead > 20


def test_a_search_that_ends_early_does_not_wait_for_its_limit(monkeypatch):
    """If a clock has ended the search, the answer's line is not searched to the end of the game,
    nor are other actions."""
    game = prunus.games.Othello(6)
    only = game.parse("XXO---/------/------/------/------/------ X")
    began = time.perf_counter()
    found = prunus.analyze(
        game, only, "engine", limit=prunus.Limit(seconds=1000, single=True), compile=False
    )
    assert found.line()[0] == "d1" and not found.interrupted
    monkeypatch.setattr(Clock, "is_over", lambda clock: len(clock.times) == 6)
    limit = prunus.Limit(seconds=1000, adaptive=True)
    found = prunus.analyze(
        game, algorithm="engine", limit=limit, compile=True, options={"second": 1}
    )
    assert (found.interrupted, found.depth) == (False, 6)
    assert time.perf_counter() - began < 1000


def test_the_time_is_divided_by_how_settled_the_best_action_is():
    def spent(best: list[int], ahead: bool = False) -> float:
        """The fraction of a second after which the clock is satisfied, when iterations of equal
        time give these best actions."""
        clock = Clock(prunus.Limit(seconds=1, adaptive=True))
        for number, action in enumerate(best, 1):
            clock.note(action, number / 100)
            clock.ahead = ahead and number >= 3
            if clock.is_over():
                return number / 100
        return 1.0

    assert spent([1] * 100, ahead=True) < 0.15
    assert 0.3 < spent([1] * 100) < 0.4
    assert spent([1, 2] * 50) > 0.9
    assert spent([1, 1, 2] * 33) > 0.55


def test_options_that_make_no_sense_are_refused():
    with pytest.raises(SearchError, match="pass_turn"):
        prunus.analyze(TicTacToe(), algorithm="engine", depth=3, options={"null_move": 2})
    with pytest.raises(SearchError, match="beam"):
        prunus.analyze(TicTacToe(), algorithm="pvs", depth=3, options={"beam": 2})
    with pytest.raises(SearchError, match="no option nonsense"):
        prunus.analyze(TicTacToe(), algorithm="engine", depth=3, options={"nonsense": 2})
    with pytest.raises(SearchError, match="seconds"):
        prunus.Limit(seconds=0)


def test_results_arrive_without_blocking_the_event_loop():
    async def watch():
        depths, ticks = [], 0

        async def tick():
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.001)

        ticking = asyncio.create_task(tick())
        async for found in prunus.iterations_async(
            ConnectFour(), limit=prunus.Limit(depth=9), compile=True
        ):
            depths.append(found.depth)
        ticking.cancel()
        return depths, ticks

    depths, ticks = asyncio.run(watch())
    assert depths == list(range(1, 10)) and ticks > 3


def test_cancelling_a_task_ends_its_search():
    async def cancel():
        async def search():
            async for _ in prunus.iterations_async(ConnectFour(), compile=True):
                pass

        task = asyncio.create_task(search())
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())


def test_another_thread_can_stop_a_search():
    stop = prunus.Stop()
    threading.Timer(0.3, stop.now).start()
    found = prunus.analyze(ConnectFour(), algorithm="engine", depth=None, compile=True, stop=stop)
    assert found.interrupted and found.best is not None


def test_pondering():
    """On a hit the search has gone on meanwhile; on a miss its table is kept."""
    game = ConnectFour()
    table = TranspositionTable(16, game, game.initial())
    found = prunus.analyze(game, algorithm="engine", depth=8, table=table, compile=True)
    after = game.result(game.initial(), found.pv[0])
    ponder = prunus.Ponder(game, after, found.pv[1], table=table, compile=True)
    answer = ponder.hit(depth=10)
    assert answer is not None and answer.depth >= 10
    assert answer.state == game.result(after, found.pv[1])
    missed = prunus.Ponder(game, after, found.pv[1], table=table, compile=True)
    missed.miss()
    assert not missed._thread.is_alive()
