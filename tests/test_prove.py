"""Tests to the end of the game: every answer is a true bound, every value is minimax's, whatever
the rules know, the keys are or the table holds."""

from __future__ import annotations

import random
import time
from typing import Any, NamedTuple

import pytest
from benchmarks.common import after_random_plies

import prunus
from prunus.core.bits import u8
from prunus.core.errors import SearchError
from prunus.core.game import Game
from prunus.engine.options import Options
from prunus.games import ConnectFour
from prunus.kernel import threads
from prunus.run import session as sessions
from prunus.run import solver
from prunus.run.configuration import Configuration
from prunus.run.progress import Progress
from prunus.run.registry import ALGORITHMS, PROVE
from prunus.run.session import Session
from prunus.run.task import Course, Root
from prunus.solving import prove, together
from prunus.tables.proofs import HIGHEST, LOWEST, Interval, keep, recall
from prunus.tables.transposition import TranspositionTable
from tests.amount import in_full, thinned
from tests.knowing import (
    KINDS,
    Blank,
    Constant,
    Formed,
    Hashed,
    Knowing,
    some_game,
    truth,
    with_entries,
)


@pytest.fixture(autouse=True)
def small_games(monkeypatch):
    """These games are short, so the last plies, which are searched without the table, must be few,
    and threads must part early."""
    monkeypatch.setattr(prove, "LAST_PLIES", 2)
    monkeypatch.setattr(together, "TOGETHER", 3)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("kind", "compile"),
    [
        *((kind, False) for kind in KINDS),
        (Hashed, True),
        *(pytest.param(kind, True, marks=in_full) for kind in (Knowing, Blank, Constant)),
    ],
)
def test_an_answer_is_a_true_bound(kind, compile, threads):
    """For every alpha, of many positions, with whatever other tests have left in a table of at
    least 4 entries. (Two threads that write States with equal keys into one entry at the same time
    may mix them up: there, keys must not be constant.)"""
    if threads == 2 and (kind is Constant or not compile):
        pytest.skip("one thread only")
    expanded = 0
    for seed in range(150 if compile else 25):
        game, start, known = some_game(kind, seed)
        proofs = with_entries([4, 32, 4096][seed % 3], game)
        how = Configuration(PROVE, compile, fields=proofs.fields(), threads=threads)
        session = Session(game, Root(start), how, 1)
        rng = random.Random(seed)
        for state in [start, *rng.sample(sorted(known), min(3, len(known)))]:
            session.move(state)
            for alpha in rng.sample(
                range(-game.values - 1, game.values + 1), min(7, 2 * game.values + 2)
            ):
                outcome = session.run(1, alpha, alpha + 1)
                assert (
                    outcome.value >= known[state]
                    if outcome.value <= alpha
                    else outcome.value <= known[state]
                ), (seed, state, alpha)
                assert (outcome.value > alpha) == (known[state] > alpha)
                assert min(outcome.counts.values()) >= 0 and not outcome.estimated
                expanded += session.memory.interior
    assert expanded > 500


def test_what_another_thread_has_answered_ends_the_work_on_it(monkeypatch):
    """One thread, and another that the test imitates: now and then, when the first returns from a
    child, the table already has the answer to some node between the root and that child. Every
    answer is still a true bound, and nothing untrue is kept."""
    rng = random.Random(0)
    left: dict[int, int] = {}
    original = prove.is_overtaken

    def beside_another(memory: Any) -> bool:
        ply = rng.randrange(memory.ply + 1)
        if rng.random() < 0.3:
            state, alpha = memory.path_state[ply], memory.path_alpha[ply]
            value = truth(game, state, known)
            bound = rng.randint(alpha + 1, value) if value > alpha else rng.randint(value, alpha)
            keep(
                state,
                memory.path_key[ply],
                *((bound, HIGHEST) if value > alpha else (LOWEST, bound)),
                1,
                memory,
            )
        overtaken = original(memory)
        if overtaken:
            depth = memory.ply - memory.overtaken
            left[depth] = left.get(depth, 0) + 1
        return overtaken

    monkeypatch.setattr(prove, "is_overtaken", beside_another)
    for seed in range(60):
        game, start, known = some_game(Knowing, seed)
        proofs = with_entries(4096, game)
        how = Configuration(PROVE, False, fields=proofs.fields(), threads=2)
        session = Session(game, Root(start), how, 1)
        for state in [start, *rng.sample(sorted(known), min(3, len(known)))]:
            session.move(state)
            for alpha in range(-game.values - 1, game.values + 1):
                value = session.run(1, alpha, alpha + 1).value
                assert known[state] >= value if value > alpha else known[state] <= value, (
                    seed,
                    state,
                    alpha,
                )
        for state, value in known.items():
            home = game.canonical(state)
            low, high = recall(home, game.key(home), session.memory)
            assert low <= value <= high
    assert min(left[0], left[1], left[2]) > 10, left


def test_these_games_ask_everything_of_a_solver():
    """Extra turns, forced lines, limits that decide, pointless actions, mirror images, collisions:
    all of them occur, and the results are sound."""
    seen = dict.fromkeys(("twice", "forced", "decided", "needless", "mirrored", "collision"), 0)
    for seed in range(60):
        game, _, known = some_game(Hashed, seed)
        keys = {game.key(state): state for state in known}
        for state, value in list(known.items()):
            low, high = game.bounds(state)
            assert low <= value <= high
            children = {action: game.result(state, action) for action in game.actions(state)}
            worthwhile = list(game.worthwhile(state))
            values = {
                a: truth(game, child, known) * (1 if child.turn == state.turn else -1)
                for a, child in children.items()
            }
            assert (
                max(values[action] for action in worthwhile)
                == value
                == truth(game, game.canonical(state), known)
            )
            seen["twice"] += any(child.turn == state.turn for child in children.values())
            seen["forced"] += len(worthwhile) == 1
            seen["needless"] += len(worthwhile) < len(children)
            seen["decided"] += low == high
            seen["mirrored"] += game.canonical(state) != state
            seen["collision"] += keys[game.key(state)] != state
    assert min(seen.values()) > 100, seen


def test_a_table_that_trusts_colliding_keys_is_found_out():
    """The test above can fail: without comparison of States, one key for all gives wrong
    answers."""

    class Trusting(Constant):
        exact_key = True

    wrong = 0
    for seed in range(40):
        game, start, known = some_game(Trusting, seed)
        proofs = with_entries(32, game)
        how = Configuration(PROVE, False, fields=proofs.fields())
        session = Session(game, Root(start), how, 1)
        wrong += sum(
            (session.run(1, alpha, alpha + 1).value > alpha) != (known[start] > alpha)
            for alpha in range(-2, 2)
        )
    assert wrong > 5


def worth(game: Game, state: Any, line: tuple[int, ...]) -> int:
    """The result for the player to move of a line that must be legal and end the game."""
    sign = 1
    for action in line:
        assert action in list(game.actions(state))
        child = game.result(state, action)
        state, sign = child, sign if game.keeps_turn(state, child) else -sign
    assert game.is_terminal(state)
    return sign * int(game.utility(state))


@pytest.mark.parametrize(
    ("kind", "compile", "threads"),
    [
        *((kind, False, 1) for kind in [*KINDS, Formed]),
        *(
            pytest.param(kind, True, threads, marks=in_full)
            for kind, threads in ((Knowing, 1), (Knowing, 2), (Formed, 1))
        ),
    ],
)
def test_value_line_and_all_moves(kind, compile, threads, monkeypatch):
    """With the work handed over after the first iteration: the value, a line to the end that is
    worth it, and the values of the other actions."""
    monkeypatch.setattr(solver, "CHEAP", 0)
    for seed in range(80 if compile else 20):
        game, start, known = some_game(kind, seed)
        values = {
            action: truth(game, child, known)
            for action, child in ((a, game.result(start, a)) for a in game.actions(start))
        }
        values = {
            action: value * (1 if game.result(start, action).turn == start.turn else -1)
            for action, value in values.items()
        }
        expected, wanted = known[start], 1 + seed % 3
        found = prunus.solve(game, compile=compile, table=0.001, threads=threads, all_moves=True)
        assert (found.value, found.bound, found.proved, found.interrupted) == (
            expected,
            "exact",
            True,
            False,
        )
        assert worth(game, start, found.pv) == expected and found.distance == len(found.pv)
        assert {move.action: move.value for move in found.moves} == values
        assert set(found.best_moves) == {
            action for action, value in values.items() if value == expected
        }
        some = prunus.solve(game, compile=compile, table=0.001, threads=threads, multi_pv=wanted)
        if wanted > 1:
            assert [move.value for move in some.moves] == sorted(values.values(), reverse=True)[
                :wanted
            ]
            assert all(values[move.action] == move.value for move in some.moves)


def test_other_actions_are_left_to_the_solver(monkeypatch):
    """If the first search was not cheap; otherwise the engine's own table answers."""
    made = []
    monkeypatch.setattr(
        solver.Solver, "given", lambda self, state: made.append(state) or Interval(-1, 1)
    )
    game = prunus.games.TicTacToe()
    prunus.solve(game, game.parse("X.O/.X./..."), compile=False, all_moves=True)
    assert not made
    monkeypatch.setattr(solver, "CHEAP", 0)
    found = prunus.solve(prunus.games.TicTacToe(), compile=False, all_moves=True)
    assert len(made) == 9 and found.moves_statistics.nodes > 0  # the root and 8 other actions


def test_a_search_that_is_stopped_reports_what_it_has_proved(monkeypatch):
    """By a limit of nodes, at any moment: limits that hold, and an exact value only if the search
    was complete."""
    monkeypatch.setattr(solver, "CHEAP", 0)
    bounds = {"lower": 0, "upper": 0, "exact": 0}
    for seed in range(60):
        game, start, known = some_game([Blank, Knowing][seed % 2], seed)
        for nodes in (3, 8, 20, 50, 120):
            found = prunus.solve(game, compile=False, nodes=nodes, table=0.1)
            assert (
                found.statistics.nodes <= nodes + 2
                and min(found.statistics.nodes, found.statistics.leaves) >= 0
            )
            if not found.interrupted:
                assert (found.value, found.proved) == (known[start], True)
            elif found.proved:
                bounds[found.bound] += 1
                value = known[start]
                assert {
                    "lower": value >= found.value,
                    "upper": value <= found.value,
                    "exact": value == found.value,
                }[found.bound]
            assert found.best is None or found.best in list(game.actions(start))
    assert bounds["lower"] > 10 and bounds["upper"] > 10, bounds


def new_solver(game: Game, compile: bool | None = False, **course: Any) -> solver.Solver:
    """A solver on a session of the engine that has not searched yet."""
    state = game.initial()
    table = TranspositionTable(0.1, game, state)
    how = Configuration(ALGORITHMS["engine"], compile, options=Options.of(game))
    more = Course(table=table, to_the_end=True, **course)
    return solver.Solver(Session(game, Root(state), how, 10, more))


def test_an_action_that_is_known_to_reach_a_limit_does():
    named = 0
    for seed in range(40):
        game, start, known = some_game(Knowing, seed)
        tests = new_solver(game)
        tests.value(start, -game.values, game.values)
        for value in range(known[start], known[start] + 2):
            action = tests.known_action(start, value)
            named += action is not None
            if action is not None:
                child = game.result(start, action)
                assert truth(game, child, known) * (1 if child.turn == start.turn else -1) >= value
    assert named > 20


def test_ctrl_c_between_two_tests_keeps_what_is_proved(monkeypatch):
    """Even while the solver is being compiled; nothing is searched after that."""
    monkeypatch.setattr(solver, "CHEAP", 0)
    plain = solver.Solver.more_than
    game, start, known = next(
        found for found in (some_game(Blank, seed) for seed in range(99)) if found[0].values == 50
    )
    for tests in (0, 1):
        left = [tests]

        def more_than(self, state, alpha, left=left):
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            return plain(self, state, alpha)

        monkeypatch.setattr(solver.Solver, "more_than", more_than)
        found = prunus.solve(game, compile=False, all_moves=True)
        assert found.interrupted and found.best is not None and found.proved == (tests > 0)
        assert tests == 0 or (
            found.value <= known[start] if found.bound == "lower" else found.value >= known[start]
        )

    def compiling(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(solver.Solver, "__init__", compiling)
    assert prunus.solve(game, compile=False, all_moves=True).interrupted


def test_compiling_the_solver_is_not_searching(monkeypatch):
    monkeypatch.setattr(solver, "CHEAP", 0)
    prepared = sessions.prepare

    def slow(function, *arguments):
        time.sleep(0.5 if function is prove.answer else 0)
        return prepared(function, *arguments)

    monkeypatch.setattr(sessions, "prepare", slow)
    began = time.perf_counter()
    found = prunus.solve(prunus.games.Nim((1, 2, 2)), compile=False)
    whole = time.perf_counter() - began
    assert (
        found.proved
        and found.statistics.compile_seconds >= 0.5
        and found.statistics.seconds <= whole - 0.5
    )


@in_full
def test_progress_tells_the_limits(monkeypatch):
    """The last iteration, all nodes so far, and limits that close in on the value."""
    monkeypatch.setattr(solver, "CHEAP", 0)
    monkeypatch.setattr(threads, "LOOK", 0.002)
    game = ConnectFour(6, 5)
    shown: list[Progress] = []
    found = prunus.solve(game, compile=True, watch=shown.append, seconds=60)
    assert found.value == 0 and found.proved
    limits = [(progress.low, progress.high) for progress in shown if progress.low is not None]
    assert limits and all(low <= 0 <= high for low, high in limits)
    assert limits == sorted(limits, key=lambda pair: pair[1] - pair[0], reverse=True)
    assert [progress.nodes for progress in shown] == sorted(progress.nodes for progress in shown)
    assert all(
        (progress.depth, progress.value) == (1, 0) for progress in shown if progress.low is not None
    )


def test_lines_that_do_not_end_are_refused():
    """A game with cycles that does not declare them gets an error, and leaves nothing in the table
    that others could take for a proof."""

    class Endless(prunus.games.Nim):
        """Whoever takes the last stone puts it back."""

        def result(self, state, action):
            child = prunus.games.Nim.result(self, state, action)
            return state if self.is_terminal(child) else child

    game = Endless((1,))
    tests = new_solver(game)
    with pytest.raises(SearchError, match="cycles"):
        tests.value(game.initial(), -1, 1)
    assert tests.proofs.fill() == 0


class Unknowing(ConnectFour):
    """Connect Four by its rules alone."""

    bounds = Game.bounds
    worthwhile = Game.worthwhile


@pytest.mark.parametrize(
    ("width", "height", "earliest", "count"),
    thinned(
        [
            (4, 4, 0, 60),
            (5, 4, 4, 60),
            (4, 5, 4, 60),
            (5, 5, 9, 60),
            (6, 4, 8, 60),
            (7, 4, 13, 50),
            (7, 6, 29, 60),
        ],
        3,
    ),
)
def test_connect_four_knows_nothing_wrong(width, height, earliest, count):
    """The limits of random positions, not too early in the game, contain the exact value, and the
    worthwhile actions include a best one."""
    game, rules = ConnectFour(width, height), Unknowing(width, height)
    table = TranspositionTable(64, rules, rules.initial())
    rng = random.Random(width * height)
    tight = followed_up = left_out = 0
    while count > 0:
        state = after_random_plies(game, rng.randrange(earliest, width * height), rng)
        if game.is_terminal(state) or game.stones(state) < earliest:
            continue
        count -= 1
        values = {}
        for action in game.actions(state):
            child = game.result(state, action)
            values[action] = -prunus.solve(rules, child, "pvs", table=table, compile=True).value
            low, high = game.bounds(child)
            assert low <= -values[action] <= high, game.format(child)
            tight += -width * height // 2 < low or high < width * height // 2
            if not game.is_terminal(child):
                threats = game.completing(child.mine ^ child.mask, child.mask)
                followed_up += (
                    game.followed_up(child.mine, child.mine ^ child.mask, threats) < width * height
                )
        worthwhile = list(game.worthwhile(state))
        assert set(worthwhile) <= set(values) and max(
            values[action] for action in worthwhile
        ) == max(values.values()), game.format(state)
        left_out += len(worthwhile) < len(values)
    assert tight > 20 and followed_up > 5 and left_out > 5


class Guessing(Constant):
    """A game with an evaluation."""

    def evaluate(self, state: Any) -> int:
        return 0


@pytest.mark.parametrize("kind", [Constant, Guessing])
@pytest.mark.parametrize("value", [-30_000, -1, 0, 17, 29_999])
def test_a_value_far_from_the_guess_takes_few_tests(monkeypatch, kind, value):
    """If answers say no more than they must, the number of tests is about twice the number of
    binary digits of the distance, not the distance itself. Tests that begin at an evaluation's
    guess take small steps at first."""
    asked = []

    def answer(self, state, alpha):
        asked.append(alpha)
        return alpha + 1 if value > alpha else alpha

    monkeypatch.setattr(solver.Solver, "more_than", answer)
    game = kind(0)
    close = solver.CLOSE if game.has_evaluate else 0
    assert new_solver(game).value(game.initial(), -32_000, 32_000, 0) == (value, value)
    assert len(asked) <= 2 * abs(value).bit_length() + 4 + close
    if value > close:
        assert asked[: close + 4] == [*range(close), close, close + 1, close + 3, close + 7]


class Braid(Game):
    """A hundred plies from one of three strands to another, with an evaluation that knows nothing:
    three hundred positions, 3**100 lines."""

    class State(NamedTuple):
        ply: u8
        strand: u8

    def initial(self):
        return self.State(0, 0)

    def actions(self, state):
        for strand in range(3):
            yield strand

    def result(self, state, action):
        return self.State(state.ply + 1, action)

    def is_terminal(self, state):
        return state.ply == 100

    def utility(self, state):
        return state.strand - 1

    def bounds(self, state):
        return (-2, 2)

    def evaluate(self, state):
        return 0

    def plies_left(self, state):
        return 100 - state.ply


@in_full
def test_far_from_the_end_children_are_not_looked_at_by_a_search(monkeypatch):
    """Without a table such a search would never end in a long game."""
    monkeypatch.setattr(solver, "CHEAP_GUESS", 0)
    found = prunus.solve(Braid(), all_moves=True, compile=False, nodes=200_000)
    assert (found.value, found.proved, found.interrupted) == (-1, True, False)
