"""Games with cycles and games with memory: the path, repetitions, and what a table may hold,
compared with backward analysis of the whole graph."""

from __future__ import annotations

import inspect
import random
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

import prunus
from prunus.algorithms.leaves import horizon, terminal
from prunus.algorithms.repetition import (
    begin_path,
    ends_by_repetition,
    enter,
    is_forbidden,
    is_free,
    leave,
    path_fields,
    repeated_value,
)
from prunus.algorithms.visiting import visiting, visiting_fields
from prunus.core.bits import u8, u64
from prunus.core.game import INFINITY, Game, PositionError
from prunus.games.even_wins import EvenWins, even_wins_value
from prunus.games.three_mens_morris import ThreeMensMorris
from prunus.kernel.backends import prepare
from prunus.run.algorithm import Algorithm
from prunus.run.memories import COUNTERS, new_memory
from prunus.run.registry import arguments_of
from prunus.tables.cache import WAYS, find, keep
from tests.amount import in_full
from tests.naive import minimax_value

MOST = 4
PLIES = 24
ROOM = 1 << 13


class Graph(Game):
    """A graph of named nodes, each with the list of its successors or, for a leaf, its value for
    MAX, who moves first. A successor written with `+` keeps the turn with the same player. The
    graph is data. A repetition is a draw."""

    repetition = "draw"

    class State(NamedTuple):
        node: u8
        turn: u8

    def __init__(self, graph: dict[str, list[str] | int]) -> None:
        names = list(graph)
        inner = {name: below for name, below in graph.items() if isinstance(below, list)}
        self.count = np.array([len(inner.get(name, ())) for name in names])
        self.below = np.zeros((len(names), MOST), np.int64)
        self.keeps = np.zeros((len(names), MOST), np.int64)
        for name, below in inner.items():
            for place, goal in enumerate(below):
                self.below[names.index(name), place] = names.index(goal.rstrip("+"))
                self.keeps[names.index(name), place] = goal.endswith("+")
        self.worth = np.array([0 if name in inner else graph[name] for name in names])
        self._names = names

    def initial(self) -> Any:
        return self.State(0, 0)

    def at(self, name: str, turn: int) -> Any:
        return self.State(self._names.index(name), turn)

    def actions(self, state: Any) -> Any:
        for action in range(self.count[state.node]):
            yield action

    def result(self, state: Any, action: int) -> Any:
        turn = state.turn if self.keeps[state.node, action] else 1 - state.turn
        return self.State(self.below[state.node, action], turn)

    def is_terminal(self, state: Any) -> bool:
        return self.count[state.node] == 0

    def to_move(self, state: Any) -> int:
        return state.turn

    def utility(self, state: Any) -> int:
        return self.worth[state.node] if state.turn == 0 else -self.worth[state.node]


class LosingGraph(Graph):
    repetition = "loss"
    repetition_loss = 2


class ForbiddenGraph(Graph):
    repetition = "forbidden"
    repetition_loss = 2


def random_graph(seed: int, nodes: int = 5, kind: type[Graph] = Graph) -> Graph:
    """Inner nodes with one to three successors, some of which keep the turn; leaves worth -2 to
    2."""
    rng = random.Random(seed)
    names, leaves = "abcdefgh"[:nodes], {"lost": -2, "worse": -1, "even": 0, "better": 1, "won": 2}
    inner = {}
    for name in names:
        goals = rng.sample(
            [*names.replace(name, ""), *names.replace(name, ""), *leaves], rng.randint(1, 3)
        )
        inner[name] = [
            goal + "+" if goal in names and rng.random() < 0.2 else goal for goal in goals
        ]
    return kind(inner | leaves)


# Oracles.


def reachable(game: Game) -> dict[Any, list[Any]]:
    """Every State with its successors."""
    found: dict[Any, list[Any]] = {}
    todo = [game.initial()]
    for state in todo:
        if state not in found:
            found[state] = (
                []
                if game.is_terminal(state)
                else [game.result(state, action) for action in game.actions(state)]
            )
            todo += found[state]
    return found


def backward(game: Game, levels: tuple[int, ...] = (1,)) -> dict[Any, int]:
    """The value of every State for the player to move, labelled backwards from the ends of the
    game: a player gets a value if he can move to where he gets it, or if every move of the other
    player gives it to him. States that are never decided are endless and worth 0."""
    graph = reachable(game)
    truth = dict.fromkeys(graph, 0)
    for level in sorted(levels):
        for side in (0, 1):
            ends = [state for state in graph if not graph[state]]
            sign = {state: 1 if state.turn == side else -1 for state in graph}
            won = {state for state in ends if sign[state] * game.utility(state) >= level}
            while True:
                more = {
                    state
                    for state, below in graph.items()
                    if below
                    and state not in won
                    and (any if sign[state] > 0 else all)(child in won for child in below)
                }
                if not more:
                    break
                won |= more
            truth |= {state: sign[state] * level for state in won}
    return truth


# Searches that know the path, as an engine might use `repetition.py`.


def on_path(game: Game, state: Any, depth: int, memory: Any) -> int:
    """Minimax without a table in which a repetition ends the game, or is forbidden."""
    memory.nodes += 1
    if game.is_terminal(state):
        return terminal(game, state, depth, memory)
    if ends_by_repetition(game, state, memory):
        return repeated_value(game, state, memory)
    if depth == 0:
        return horizon(game, state, memory)
    memory.interior += 1
    best = -INFINITY
    for action in game.actions(state):
        child = game.result(state, action)
        if is_forbidden(game, state, child, memory):
            continue
        enter(game, state, memory)
        value = on_path(game, child, depth - 1, memory)
        leave(game, memory)
        best = max(best, value if game.keeps_turn(state, child) else -value)
    return best if best > -INFINITY else -game.repetition_loss


def with_table(game: Game, state: Any, depth: int, memory: Any) -> int:
    """The same with a table of the values that do not depend on the path (with `memory.careless`:
    of all values)."""
    memory.nodes += 1
    if game.is_terminal(state):
        return terminal(game, state, depth, memory)
    if ends_by_repetition(game, state, memory):
        return repeated_value(game, state, memory)
    if depth == 0:
        return horizon(game, state, memory)
    slot = find(game, state, depth, memory)
    if slot >= 0:
        memory.table_hits += 1
        memory.evaluated += memory.cache_limited[slot]
        return memory.cache_value[slot]
    memory.interior += 1
    estimates = memory.evaluated
    best = -INFINITY
    for action in game.actions(state):
        child = game.result(state, action)
        if is_forbidden(game, state, child, memory):
            continue
        enter(game, state, memory)
        value = with_table(game, child, depth - 1, memory)
        leave(game, memory)
        best = max(best, value if game.keeps_turn(state, child) else -value)
    if best == -INFINITY:
        best = -game.repetition_loss
    if is_free(game, memory) or memory.careless != 0:
        keep(game, state, depth, best, 0, memory.evaluated > estimates, memory)
    return best


def with_bounds(game, state, depth, alpha, beta, memory, table):
    """Alpha-beta with a table of bounds under the same conditions."""
    if game.is_terminal(state):
        return game.utility(state)
    if ends_by_repetition(game, state, memory):
        return repeated_value(game, state, memory)
    low, high = table.get(state, (-INFINITY, INFINITY))
    if low >= beta or low == high:
        return low
    if high <= alpha:
        return high
    best = -INFINITY
    for action in game.actions(state):
        child = game.result(state, action)
        limit = max(alpha, best)
        enter(game, state, memory)
        if game.keeps_turn(state, child):
            value = with_bounds(game, child, depth - 1, limit, beta, memory, table)
        else:
            value = -with_bounds(game, child, depth - 1, -beta, -limit, memory, table)
        leave(game, memory)
        best = max(best, value)
        if best >= beta:
            break
    if is_free(game, memory):
        table[state] = (best if best > alpha else low, best if best < beta else high)
    return best


def table_fields(depth: int, room: int) -> Any:
    kinds = {"state": "state", "depth": "i32", "value": "i64", "action": "i64", "limited": "bool"}
    return {
        **visiting_fields(depth, room),
        "careless": "i64",
        **{f"cache_{name}": (kind, ROOM + WAYS) for name, kind in kinds.items()},
    }


class Bench:
    """A search on one backend, for one game after another of the same class."""

    def __init__(self, function: Any, compile: bool, game: Game, depth: int = PLIES) -> None:
        self.algorithm = Algorithm(name=function.__name__, function=function, fields=table_fields)
        self.depth = depth
        self.memory = new_memory(self.algorithm, game.initial(), depth, 64)
        self.call, self.backend = prepare(
            function, arguments_of(game, game.initial(), depth, self.memory), compile
        )
        self.names = list(inspect.signature(function).parameters)

    def run(
        self, game: Game, state: Any = None, depth: int | None = None, careless: bool = False
    ) -> int:
        game.freeze()
        if self.backend == "compiled":
            from prunus.kernel.compiling.gametype import type_of_game

            type_of_game(game)
        depth = self.depth if depth is None else depth
        for counter in (*COUNTERS, "root_count", "ignored"):
            setattr(self.memory, counter, 0)
        begin_path(self.memory, (), 0)
        self.memory.root_depth, self.memory.careless = depth, int(careless)
        self.memory.to_the_end = 1  # a value without estimates serves a search of any depth
        self.memory.line_length.array[:] = 0
        self.memory.cache_depth.array[:] = -1
        arguments = arguments_of(
            game, game.initial() if state is None else state, depth, self.memory
        )
        return self.call(*(arguments[name] for name in self.names))


# The VISITING rule.

DETOUR = Graph(
    {"a": ["b", "d"], "b": ["d", "loss"], "c": ["b"], "d": ["win", "c"], "win": 1, "loss": -1}
)
"""MAX moves in a and has lost: in b MIN takes the loss, in d MIN goes to c and MAX must go to b. On
the path a, b, d, c the step to b is a repetition, so that d looks won for MAX; on the path a, d
that value is wrong."""

STANDOFF = Graph({"a": ["b", "loss"], "b": ["a", "win"], "win": 1, "loss": -1})
"""Whoever leaves the cycle a, b, a, b ... loses: MAX in a, MIN in b. So neither does."""


def visiting_value(game, state, path=frozenset(), known=None):
    """The oracle of `visiting`; None for a State that the parent ignores. `known` caches what it
    should not."""
    if game.is_terminal(state):
        return game.utility(state)
    if known is not None and state in known:
        return known[state]
    path = path | {state}
    values = []
    for action in game.actions(state):
        child = game.result(state, action)
        value = None if child in path else visiting_value(game, child, path, known)
        if value is not None:
            values.append(value if game.keeps_turn(state, child) else -value)
    best = max(values, default=None)
    if known is not None and best is not None:
        known[state] = best
    return best


@pytest.mark.parametrize(("compile", "graphs"), [(False, 150), (True, 1500)])
def test_visiting_agrees_with_its_oracle_and_finds_every_forced_win(compile, graphs):
    """If one side can force the end of the game in its favour, the rule says so, though not always
    by how much."""
    bench, undecided = Bench(visiting, compile, DETOUR), 0
    for seed in range(graphs):
        game = random_graph(seed)
        value = bench.run(game)
        expected = visiting_value(game, game.initial())
        assert value == (INFINITY if expected is None else expected), seed
        truth = backward(game, (1, 2))[game.initial()]
        assert truth == 0 or (value * truth > 0 and abs(value) >= abs(truth)), seed
        undecided += truth == 0 != value
        assert value == truth or bench.memory.ignored > 0
    assert undecided > graphs // 20


class Endless(Graph):
    """The rules do not mention repetitions."""

    repetition = "none"


def test_root_actions_that_visiting_leaves_out_have_no_value():
    """The remaining actions are worth the same as with the root on the path."""
    for seed in range(120):
        game = random_graph(seed, 5, Endless)
        start, expected = game.initial(), {}
        for action in game.actions(start):
            child = game.result(start, action)
            value = None if child == start else visiting_value(game, child, frozenset([start]))
            if value is not None:
                expected[action] = value if game.keeps_turn(start, child) else -value
        if expected:
            found = prunus.analyze(
                game, algorithm="visiting", depth=30, all_moves=True, compile=False
            )
            assert {move.action: move.value for move in found.moves} == expected, seed


@pytest.mark.parametrize("compile", [False, True])
def test_visiting_does_not_know_the_draw(compile):
    """The rule forbids the first player to close the cycle, so that the other must leave it; in
    truth both go round for ever."""
    bench = Bench(visiting, compile, STANDOFF)
    truth = backward(STANDOFF)
    assert bench.run(STANDOFF) == 1
    assert bench.run(STANDOFF, STANDOFF.at("b", 1)) == 1
    assert truth[STANDOFF.at("a", 0)] == truth[STANDOFF.at("b", 1)] == 0
    assert Bench(on_path, compile, STANDOFF).run(STANDOFF) == 0


def test_a_cache_of_visiting_values_errs():
    """The cached value is not even the one that the rule gives to that State on its own."""
    known: dict = {}
    assert (
        Bench(visiting, False, DETOUR).run(DETOUR) == visiting_value(DETOUR, DETOUR.initial()) == -1
    )
    assert backward(DETOUR)[DETOUR.initial()] == -1
    assert visiting_value(DETOUR, DETOUR.initial(), known=known) == 1
    d = DETOUR.at("d", 1)
    assert (known[d], visiting_value(DETOUR, d), backward(DETOUR)[d]) == (-1, 1, 1)


def test_a_game_that_cannot_end_has_no_value_by_visiting():
    game = Graph({"a": ["b"], "b": ["a"]})
    assert Bench(visiting, False, game).run(game) == INFINITY
    assert Bench(on_path, False, game).run(game) == 0


# Repetition as a draw, and the table.

SHORTCUT = Graph({"a": ["b", "c"], "b": ["d", "loss"], "c": ["d"], "d": ["b"], "loss": -1})
"""MAX moves in a and d, and has lost: MIN takes the loss in b, and c leads to b. On the path a, b,
d the step back to b is a draw; stored for d, that draw is used on the path a, c, d, where the step
to b is not one."""


@pytest.mark.parametrize("compile", [False, True])
def test_a_table_that_takes_every_value_errs(compile):
    bench = Bench(with_table, compile, SHORTCUT)
    assert (
        bench.run(SHORTCUT)
        == Bench(on_path, compile, SHORTCUT).run(SHORTCUT)
        == backward(SHORTCUT)[SHORTCUT.initial()]
        == -1
    )
    assert bench.run(SHORTCUT, careless=True) == 0


@pytest.mark.parametrize(("compile", "graphs"), [(False, 150), (True, 2000)])
def test_a_table_of_path_free_values_is_sound_where_repetitions_are_draws(compile, graphs):
    """The search without a table, the one with it and backward analysis agree at the root, and
    everything in the table is true; a table that stores every value errs."""
    plain, cached = Bench(on_path, compile, DETOUR), Bench(with_table, compile, DETOUR)
    wrong = saved = 0
    for seed in range(graphs):
        game = random_graph(seed)
        truth = backward(game, (1, 2))
        assert plain.run(game) == cached.run(game) == truth[game.initial()], seed
        saved += cached.memory.table_hits > 0
        for slot in np.flatnonzero(cached.memory.cache_depth.array >= 0):
            assert cached.memory.cache_value[slot] == truth[cached.memory.cache_state[slot]], seed
        wrong += cached.run(game, careless=True) != truth[game.initial()]
    assert wrong > 0 or not compile
    assert saved > graphs // 10


def test_alphabeta_with_a_table_of_path_free_bounds_is_sound():
    """Narrow windows included: the result is a bound of the truth, and so is everything in the
    table."""
    for seed in range(300):
        game = random_graph(seed)
        truth = backward(game, (1, 2))
        memory = new_memory(
            Algorithm(name="", function=on_path, fields=path_fields), game.initial(), 64, 8
        )
        begin_path(memory, (), 0)
        table: dict = {}
        for alpha, beta in ((0, 1), (-1, 0), (1, 2), (-INFINITY, INFINITY)):
            value = with_bounds(game, game.initial(), 64, alpha, beta, memory, table)
            expected = truth[game.initial()]
            assert (
                value == expected
                if alpha < value < beta
                else (value <= alpha) == (expected <= alpha)
            ), seed
        assert all(low <= truth[state] <= high for state, (low, high) in table.items()), seed


def wrong_by_table(kind, graphs=150):
    """How often a search with the careful table differs from one without it, among random
    graphs."""
    plain, cached = Bench(on_path, False, kind({"a": 0})), Bench(with_table, False, kind({"a": 0}))
    return sum(
        plain.run(game) != cached.run(game)
        for game in (random_graph(seed, 5, kind) for seed in range(graphs))
    )


def test_no_table_is_sound_where_the_past_decides():
    """Under the rules by which a repetition loses or is forbidden, a State has no value of its own:
    even a State without a repetition below it would have another value if the path had passed
    through one of its successors."""
    assert wrong_by_table(Graph) == 0
    assert wrong_by_table(LosingGraph) > 0
    assert wrong_by_table(ForbiddenGraph) > 0


def path_value(game, state, path=()):
    """The oracle of the three rules."""
    if game.is_terminal(state):
        return game.utility(state)
    best = -INFINITY
    for action in game.actions(state):
        child = game.result(state, action)
        if child in (*path, state):
            if game.repetition == "forbidden":
                continue
            value = 0 if game.repetition == "draw" else -game.repetition_loss
        else:
            value = path_value(game, child, (*path, state))
            value = value if game.keeps_turn(state, child) else -value
        best = max(best, value)
    return best if best > -INFINITY else -game.repetition_loss


@pytest.mark.parametrize("kind", [Graph, LosingGraph, ForbiddenGraph])
@pytest.mark.parametrize(("compile", "graphs"), [(False, 100), (True, 500)])
def test_the_three_rules_agree_with_their_oracle(kind, compile, graphs):
    """Whoever repeats draws, loses, or may not, even if a player keeps the turn."""
    bench = Bench(on_path, compile, kind({"a": 0}))
    for seed in range(graphs):
        game = random_graph(seed, 5, kind)
        assert bench.run(game) == path_value(game, game.initial()), seed


class Turns(Game):
    """A ring of three places that both players walk in one direction; the State does not tell whose
    move it is. It never ends."""

    repetition = "draw"

    class State(NamedTuple):
        place: u8

    def initial(self):
        return self.State(0)

    def actions(self, state):
        yield 0

    def result(self, state, action):
        return self.State((state.place + 1) % 3)

    def is_terminal(self, state):
        return False

    def utility(self, state):
        return 0


def test_a_position_comes_again_only_with_the_same_player_to_move():
    """After three plies the place repeats but not the player to move: the game ends after six."""
    bench = Bench(on_path, False, Turns())
    assert bench.run(Turns()) == 0
    assert bench.memory.nodes == 7


# Three men's morris.


@cache
def morris_truth(stones, centre):
    game = ThreeMensMorris(stones, centre)
    return game, backward(game)


@pytest.mark.parametrize(
    ("stones", "centre", "value", "states"),
    [(3, True, 1, 5390), (3, False, 0, 5381), (4, True, 1, 5716), (4, False, -1, 5707)],
)
def test_morris_is_solved_by_backward_analysis(stones, centre, value, states):
    """The first player wins only from the centre. Without the centre, three stones each is a draw,
    and with four the second player wins."""
    game, truth = morris_truth(stones, centre)
    start = game.initial()
    assert (truth[start], len(truth)) == (value, states)
    values = {
        game.action_name(start, action): -truth[game.result(start, action)]
        for action in game.actions(start)
    }
    assert [name for name, v in values.items() if v == 1] == (["b2"] if centre else [])
    assert all(truth[game.canonical(state)] == v for state, v in truth.items())


@in_full
def test_morris_within_a_depth():
    """The win from the centre takes nine plies. With a table of path-free values a search finds the
    same."""
    game, truth = morris_truth(3, True)
    plain, cached = Bench(on_path, True, game, 12), Bench(with_table, True, game, 12)
    assert [plain.run(game, depth=depth) for depth in (8, 9)] == [0, 1]
    assert [cached.run(game, depth=depth) for depth in (8, 9, 12)] == [0, 1, 1]
    achi, without_centre = (
        Bench(with_table, True, ThreeMensMorris(4, centre), 12) for centre in (True, False)
    )
    assert [achi.run(ThreeMensMorris(4), depth=depth) for depth in (10, 11)] == [0, 1]
    assert [without_centre.run(ThreeMensMorris(4, False), depth=depth) for depth in (11, 12)] == [
        0,
        -1,
    ]
    rng = random.Random(1)
    moving = [
        state for state in truth if not game.is_placing(state) and not game.is_terminal(state)
    ]
    for state in rng.sample(moving, 20):
        assert cached.run(game, state) == truth[state]
        assert plain.run(game, state, 6) == cached.run(game, state, 6)


def test_morris_rules_and_texts():
    game = ThreeMensMorris()
    state = game.play("b2 a1 c3 b1 c1 a3".split())
    assert game.format(state) == "OOX/.X./O.X X"
    assert [game.action_name(state, a) for a in game.actions(state)] == [
        "c1-c2",
        "b2-a2",
        "b2-c2",
        "b2-b3",
        "c3-c2",
        "c3-b3",
    ]
    assert game.is_terminal(game.play(["c1-c2", "a3-a2", "b2-a3"], state)) is False
    assert game.is_terminal(game.play(["b2-c2"], state))
    achi = ThreeMensMorris(4)
    blocked = [
        state
        for state in morris_truth(4, True)[1]
        if achi.is_blocked(state) and not achi.has_line(state.theirs)
    ]
    assert len(blocked) == 12
    assert all(achi.is_terminal(state) and achi.utility(state) == -1 for state in blocked)
    assert all(
        game.parse(game.format(state)) == state
        for state in list(morris_truth(3, True)[1])[::50]
        if not game.has_line(state.mine)
    )
    assert "b2" not in {
        game.action_name(s, a)
        for game in [ThreeMensMorris(3, False)]
        for s in [game.initial()]
        for a in game.actions(s)
    }
    for text in (
        "X../.../...",
        "X../.../... X",
        "XXXX/.../... O",
        "XXX/OO./... X",
        "XX./XXO/OO. O",
        "Z../.../... O",
        "no such thing",
    ):
        with pytest.raises(PositionError):
            game.parse(text)
    with pytest.raises(ValueError):
        ThreeMensMorris(5)


# A game with memory.


@cache
def by_shares(left, mine, theirs, most):
    """Even Wins with both players' full totals: 1 if the player to move, who has `mine`, ends with
    an even number."""
    if left == 0:
        return 1 if mine % 2 == 0 else -1
    return max(
        -by_shares(left - take, theirs, mine + take, most) for take in range(1, min(most, left) + 1)
    )


@pytest.mark.parametrize("most", [1, 2, 3, 4, 5, 6])
def test_even_wins_needs_no_more_memory_than_a_parity(most):
    game = EvenWins(21, most)
    for left in range(20, -1, -1):
        for mine in range(22 - left):
            state = game.State(left, mine % 2)
            value = by_shares(left, mine, 21 - left - mine, most)
            assert value == even_wins_value(left, mine % 2 == 1, most)
            if left < 9:
                assert value == minimax_value(game, state)


def by_left_alone(game, state, known):
    """Minimax with a cache that ignores the shares."""
    if game.is_terminal(state):
        return game.utility(state)
    if state.left not in known:
        known[state.left] = max(
            -by_left_alone(game, game.result(state, take), known) for take in game.actions(state)
        )
    return known[state.left]


class Forgetful(EvenWins):
    """Even Wins with a key that does not distinguish the shares."""

    def key(self, state):
        return u64(state.left)


def test_a_cache_without_the_memory_errs():
    """The key must contain whatever the outcome depends on. A cache that compares the whole State
    is right even with a bad key."""
    wrong = [
        marbles
        for marbles in range(3, 30, 2)
        if by_left_alone(EvenWins(marbles), EvenWins(marbles).initial(), {})
        != even_wins_value(marbles, False, 4)
    ]
    assert 7 in wrong
    for marbles in range(3, 30, 2):
        for game in (EvenWins(marbles), Forgetful(marbles)):
            assert prunus.solve(
                game, algorithm="cached-minimax", compile=False
            ).value == even_wins_value(marbles, False, 4)


def test_even_wins_rules_and_texts():
    game = EvenWins()
    assert game.format(game.initial()) == "27 even"
    assert game.format(game.play(["3", "2"])) == "22 odd"
    assert game.play(["3", "2", "1"]) == game.parse("21 even") == game.State(21, 0)
    assert game.utility(game.parse("0 even")) == 1 and game.utility(game.parse("0 odd")) == -1
    for text in ("13", "x even", "13 maybe", "256 odd"):
        with pytest.raises(PositionError):
            game.parse(text)
    for marbles, most in ((4, 2), (1, 2), (257, 2), (5, 0)):
        with pytest.raises(ValueError):
            EvenWins(marbles, most)


class Circle(prunus.Game):
    """Two positions that lead to each other, and nothing else."""

    class State(NamedTuple):
        at: prunus.u8

    def initial(self):
        return self.State(0)

    def actions(self, state):
        yield 0

    def result(self, state, action):
        return self.State(1 - state.at)

    def is_terminal(self, state):
        return False

    def utility(self, state):
        return 0


class Drawn(Circle):
    repetition = "draw"


def test_cycles_without_a_rule_are_told_and_the_line_stops(monkeypatch):
    """A game that need not end gives no value to its positions, however deep it is searched."""
    monkeypatch.setattr("prunus.run.deepening.LONGEST_LINE", 300)
    report = prunus.check(Circle(), compile=False, games=1)
    assert report.kinds("doubt") == ["cycle"]
    assert "play has come back to this position after 2 plies" in str(report)
    assert "cycle" not in prunus.check(Drawn(), compile=False, games=1).kinds("doubt")
    found = prunus.solve(Circle(), compile=False)
    assert not found.proved
    assert found.returns_after() == 2
    assert "line    0 0 ...\ncycle   play is back at an earlier position after 2 plies" in str(
        found
    )
    drawn = prunus.solve(Drawn(), compile=False)
    assert drawn.returns_after() is None
    assert "cycle" not in str(drawn)
    assert drawn.proved
