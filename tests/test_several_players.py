"""Max^n and paranoid search agree with ten-line oracles, interpreted and compiled, on random
three-player games; what pruning may do there."""

from __future__ import annotations

import inspect
import itertools
import random
from typing import Any, NamedTuple

import numpy as np
import pytest

import prunus
from prunus.algorithms.maxn import maxn, maxn_shallow, payoff_fields
from prunus.algorithms.paranoid import paranoid, protagonist_fields
from prunus.core.bits import Runtime, i64, mix, u8, u64
from prunus.core.game import Game, PositionError
from prunus.games.podium_nim import PodiumNim, comes_last
from prunus.kernel.backends import prepare
from prunus.run.algorithm import Algorithm
from prunus.run.memories import COUNTERS, new_memory
from prunus.run.registry import arguments_of

DEPTH = 6
PAYOFFS = 6

ALGORITHMS = {
    "maxn": Algorithm(name="maxn", function=maxn, fields=payoff_fields),
    "maxn-shallow": Algorithm(name="maxn-shallow", function=maxn_shallow, fields=payoff_fields),
    "paranoid": Algorithm(name="paranoid", function=paranoid, fields=protagonist_fields),
}


class RandomThree(Game):
    """A random game of three players: leaves at unequal depths, equal payoffs, transpositions; with
    passes the turn may stay or jump. The payoffs are at least -2 and add up to at most 0. The seed
    is data, so that all these games are one compiled game."""

    players = 3
    payoff_sum = 0
    payoff_low = -2

    class State(NamedTuple):
        level: u8
        turn: u8
        node: u8

    seed: Runtime[u64]
    depth: Runtime[i64]
    branching: Runtime[i64]
    passes: Runtime[i64]

    def __init__(
        self, seed: int = 0, depth: int = 4, branching: int = 3, passes: bool = True
    ) -> None:
        self.seed, self.depth, self.branching, self.passes = (
            u64(seed),
            depth,
            branching,
            int(passes),
        )

    def draw(self, state: Any, purpose: int) -> u64:
        return mix(mix(self.seed ^ u64(purpose) << 32) ^ (u64(state.level) << 8 | state.node))

    def initial(self) -> Any:
        return self.State(0, 0, 0)

    def actions(self, state: Any) -> Any:
        for action in range(1 + i64(self.draw(state, 1) % self.branching)):
            yield action

    def result(self, state: Any, action: int) -> Any:
        turn = (state.turn + 1) % 3
        if self.passes != 0 and self.draw(state, 10 + action) % 3 == 0:
            turn = i64(self.draw(state, 20 + action) % 3)
        return self.State(state.level + 1, turn, i64(self.draw(state, 30 + action) % 6))

    def is_terminal(self, state: Any) -> bool:
        return state.level >= self.depth or (state.level > 0 and self.draw(state, 2) % 6 == 0)

    def to_move(self, state: Any) -> int:
        return state.turn

    def payoffs(self, state: Any, purpose: int) -> tuple[int, int, int]:
        first = i64(self.draw(state, purpose) % (PAYOFFS + 1))
        second = i64(self.draw(state, purpose + 1) % (PAYOFFS + 1 - first))
        third = i64(self.draw(state, purpose + 2) % (PAYOFFS + 1 - first - second))
        return (first - 2, second - 2, third - 2)

    def utilities(self, state: Any) -> tuple[int, int, int]:
        return self.payoffs(state, 40)

    def estimates(self, state: Any) -> tuple[int, int, int]:
        return self.payoffs(state, 50)


class PayoffTree(Game):
    """A tree of nested lists whose leaves are payoffs; three players take turns. A node is its
    number, the tree is data."""

    players = 3
    payoff_sum = 10
    payoff_low = 0

    class State(NamedTuple):
        node: u8
        turn: u8

    def __init__(self, tree: list[Any]) -> None:
        nodes: list[Any] = [tree]
        for node in nodes:
            nodes += node if isinstance(node, list) else []
        inner = [len(node) if isinstance(node, list) else 0 for node in nodes]
        self.count = np.array(inner)
        self.start = np.array([1 + sum(inner[:i]) for i in range(len(nodes))])
        self.paid = np.array([(0, 0, 0) if isinstance(node, list) else node for node in nodes])

    def initial(self) -> Any:
        return self.State(0, 0)

    def actions(self, state: Any) -> Any:
        for action in range(self.count[state.node]):
            yield action

    def result(self, state: Any, action: int) -> Any:
        return self.State(self.start[state.node] + action, (state.turn + 1) % 3)

    def is_terminal(self, state: Any) -> bool:
        return self.count[state.node] == 0

    def to_move(self, state: Any) -> int:
        return state.turn

    def utilities(self, state: Any) -> tuple[int, int, int]:
        return (self.paid[state.node, 0], self.paid[state.node, 1], self.paid[state.node, 2])

    def estimates(self, state: Any) -> tuple[int, int, int]:
        return (0, 0, 0)


# Oracles.


def maxn_payoffs(game, state, depth):
    if game.is_terminal(state):
        return game.utilities(state)
    if depth == 0:
        return game.estimates(state)
    mover = game.to_move(state)
    return max(
        (maxn_payoffs(game, game.result(state, a), depth - 1) for a in game.actions(state)),
        key=lambda payoffs: payoffs[mover],
    )


def paranoid_value(game, state, depth, me):
    if game.is_terminal(state):
        return game.utilities(state)[me]
    if depth == 0:
        return game.estimates(state)[me]
    values = [
        paranoid_value(game, game.result(state, a), depth - 1, me) for a in game.actions(state)
    ]
    return max(values) if game.to_move(state) == me else min(values)


class Bench:
    """One algorithm on one backend, for one game after another of the same class."""

    def __init__(self, name: str, compile: bool, game: Game, depth: int = DEPTH) -> None:
        self.algorithm, self.depth = ALGORITHMS[name], depth
        self.memory = new_memory(self.algorithm, game.initial(), depth, 64)
        self.call, self.backend = prepare(
            self.algorithm.function, arguments_of(game, game.initial(), depth, self.memory), compile
        )
        self.names = list(inspect.signature(self.algorithm.function).parameters)

    def run(self, game: Game, state: Any = None, depth: int | None = None) -> int:
        game.freeze()
        if self.backend == "compiled":
            from prunus.kernel.compiling.gametype import type_of_game

            type_of_game(game)
        depth = self.depth if depth is None else depth
        for counter in (*COUNTERS, "root_count"):
            setattr(self.memory, counter, 0)
        self.memory.root_depth = depth
        self.memory.line_length.array[:] = 0
        arguments = arguments_of(
            game, game.initial() if state is None else state, depth, self.memory
        )
        return self.call(*(arguments[name] for name in self.names))

    def payoffs(self, game: Game, depth: int | None = None) -> tuple[int, ...]:
        row = (self.depth if depth is None else depth) * game.players
        return tuple(self.memory.payoff[row + player] for player in range(game.players))

    def line(self, depth: int) -> list[int]:
        return [
            self.memory.line[depth * (depth - 1) // 2 + i]
            for i in range(self.memory.line_length[depth])
        ]

    def counts(self) -> tuple[int, ...]:
        return tuple(getattr(self.memory, counter) for counter in COUNTERS)


def random_games(count):
    rng = random.Random(3)
    for seed in range(count):
        yield (
            RandomThree(seed, rng.randint(1, 5), rng.randint(1, 4), rng.random() < 0.5),
            rng.choice((1, 2, 3, DEPTH, DEPTH)),
        )


def played(game, line):
    state = game.initial()
    for action in line:
        state = game.result(state, action)
    return state


@pytest.mark.parametrize(("compile", "games"), [(False, 200), (True, 1500)])
def test_max_n_agrees_with_its_oracle(compile, games):
    """Value, all payoffs, the line, the root's values; shallow pruning changes only the values of
    worse root actions."""
    plain, shallow = (Bench(name, compile, RandomThree()) for name in ("maxn", "maxn-shallow"))
    pruned = 0
    for game, depth in random_games(games):
        expected = maxn_payoffs(game, game.initial(), depth)
        for bench in (plain, shallow):
            assert bench.run(game, depth=depth) == expected[0]
            assert bench.payoffs(game, depth) == expected, (bench.algorithm.name, game)
        line = plain.line(depth)
        assert line == shallow.line(depth)
        end = played(game, line)
        assert (game.utilities(end) if game.is_terminal(end) else game.estimates(end)) == expected
        values = [
            maxn_payoffs(game, game.result(game.initial(), a), depth - 1)[0]
            for a in game.actions(game.initial())
        ]
        assert [plain.memory.root_value[i] for i in range(plain.memory.root_count)] == values
        assert plain.memory.nodes >= shallow.memory.nodes
        pruned += shallow.memory.cutoffs > 0
    assert pruned > games // 10


@pytest.mark.parametrize(("compile", "games"), [(False, 200), (True, 1500)])
def test_paranoid_agrees_with_its_oracle(compile, games):
    """The root's player is never promised more than max^n predicts for him."""
    bench = Bench("paranoid", compile, RandomThree())
    for game, depth in random_games(games):
        state = game.initial()
        value = bench.run(game, depth=depth)
        assert value == paranoid_value(game, state, depth, 0) <= maxn_payoffs(game, state, depth)[0]
        end = played(game, bench.line(depth))
        assert (game.utilities(end) if game.is_terminal(end) else game.estimates(end))[0] == value


def test_both_backends_visit_the_same_nodes():
    for name in ALGORITHMS:
        interpreted, compiled = Bench(name, False, RandomThree()), Bench(name, True, RandomThree())
        for game, depth in itertools.islice(random_games(100), 60):
            assert interpreted.run(game, depth=depth) == compiled.run(game, depth=depth)
            assert interpreted.counts() == compiled.counts()


DEEP = [(5, 3, 2), [[(3, 2, 5), (0, 4, 6)], (6, 3, 1)]]
"""A chooses (5, 3, 2) or lets B move; B lets C move or takes (6, 3, 1). All payoffs add up to 10.
After (3, 2, 5) C has 5, so that A can get no more than 5 there, which he has already; but C prefers
(0, 4, 6), and so B prefers to let C move."""


def maxn_pruned(tree, player, best, deep):
    """Max^n that leaves a node as soon as the parent's player (with `deep`: any other player)
    already has all that could remain for him; `best` holds what each player has at the nodes
    above."""
    if isinstance(tree, tuple):
        return tree
    chosen = None
    parent = (player - 1) % 3
    for child in tree:
        payoffs = maxn_pruned(
            child, (player + 1) % 3, {**best, player: chosen[player] if chosen else -1}, deep
        )
        if chosen is None or payoffs[player] > chosen[player]:
            chosen = payoffs
        if any(
            10 - chosen[player] <= best.get(other, -1)
            for other in range(3)
            if other == parent or (deep and other != player)
        ):
            break
    return chosen


@pytest.mark.parametrize("compile", [False, True])
def test_deep_pruning_is_unsound_with_three_players(compile):
    """Korf 1991: the value of a pruned node does not bound what the player above it will choose."""
    game = PayoffTree(DEEP)
    truth = (5, 3, 2)
    assert maxn_payoffs(game, game.initial(), 9) == maxn_pruned(DEEP, 0, {}, deep=False) == truth
    assert maxn_pruned(DEEP, 0, {}, deep=True) == (6, 3, 1)
    for name in ("maxn", "maxn-shallow"):
        bench = Bench(name, compile, game)
        assert bench.run(game) == 5
        assert bench.payoffs(game) == truth
    assert (
        Bench("paranoid", compile, game).run(game)
        == paranoid_value(game, game.initial(), 9, 0)
        == 5
    )


def test_shallow_pruning_prunes():
    """B gets 7 and leaves 3 to A, who has 5: the rest of B's node, and everything below it, does
    not matter."""
    game = PayoffTree([(5, 3, 2), [(2, 7, 1), [(10, 0, 0)] * 5]])
    plain, shallow = (Bench(name, False, game) for name in ("maxn", "maxn-shallow"))
    assert plain.run(game) == shallow.run(game) == 5
    assert (plain.memory.nodes, shallow.memory.nodes, shallow.memory.cutoffs) == (10, 4, 1)


def test_without_known_limits_nothing_is_pruned():
    """`maxn_shallow` is then max^n."""

    class Unlimited(RandomThree):
        payoff_sum = Game.payoff_sum
        payoff_low = Game.payoff_low

    bench = Bench("maxn-shallow", False, Unlimited())
    for game, depth in random_games(50):
        free = Unlimited(game.seed, game.depth, game.branching, bool(game.passes))
        assert bench.run(free, depth=depth) == maxn_payoffs(game, game.initial(), depth)[0]
        assert bench.memory.cutoffs == 0


def test_podium_nim_follows_li():
    """The player to move comes third exactly if the number of piles containing each binary digit is
    a multiple of three; and otherwise, the result in which all three play for their own places is
    no worse for him than what the others could do to him."""
    game = PodiumNim((0, 0, 0, 0))
    benches = {name: Bench(name, True, game, 14) for name in ALGORITHMS}
    better = 0
    for piles in itertools.combinations_with_replacement(range(4), 4):
        for turn in range(3) if sum(piles) < 7 else (0,):
            state = game.State(piles, turn)
            value = benches["maxn"].run(game, state)
            assert (value == -1) == comes_last(piles), piles
            assert sorted(benches["maxn"].payoffs(game)) == [-1, 0, 1]
            assert benches["maxn-shallow"].run(game, state) == value
            assert benches["maxn-shallow"].payoffs(game) == benches["maxn"].payoffs(game)
            if turn == 0:
                found = prunus.solve(game, state, algorithm="maxn", compile=True)
                assert (
                    found.payoffs == benches["maxn"].payoffs(game)
                    and found.payoffs[turn] == found.value
                )
            sure = benches["paranoid"].run(game, state) if sum(piles) else value
            assert sure <= value
            better += sure < value
    assert better > 0


def test_podium_nim_texts_and_rules():
    game = PodiumNim((1, 2, 2))
    state = game.initial()
    assert [game.action_name(state, a) for a in game.actions(state)] == [
        "1:1",
        "2:1",
        "2:2",
        "3:1",
        "3:2",
    ]
    assert game.format(game.play(["2:1"])) == "1,1,2 B"
    assert game.parse("1,1,2 b") == game.play(["2:1"])
    assert game.parse("1,1,2").turn == 0
    end = game.play(["1:1", "2:2", "3:2"])
    assert game.is_terminal(end) and game.to_move(end) == 0
    assert game.utilities(end) == (-1, 0, 1)
    assert game.utilities(end)[game.to_move(end)] == game.utility(end) == -1
    for text in ("1,2 D", "1,x", "256", "1,-2 A", ""):
        if text:
            with pytest.raises(PositionError):
                game.parse(text)
    for piles in ((), (256,), (-1,)):
        with pytest.raises(ValueError):
            PodiumNim(piles)
