"""The moves before the root count: every rule of repetition, on both backends, against minimax with
the whole path."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy as np
import pytest

import prunus
from prunus import Game, Position, u8
from prunus.algorithms.repetition import is_over
from prunus.core.game import INFINITY
from prunus.learn.selfplay import Player, play_game
from prunus.tables.transposition import WORDS
from prunus.tables.words import GENERATION_BIT, HEADER
from tests.amount import in_full, thinned
from tests.naive import value_after
from tests.test_cycles import ForbiddenGraph, Graph, LosingGraph, random_graph

HEEDING = (
    "minimax",
    "alphabeta",
    "iterative-deepening",
    "aspiration",
    "pvs",
    "mtdf",
    "sss",
    "dual",
    "engine",
)


class Thrice(Graph):
    repetition_count = 3


class LosingThrice(LosingGraph):
    repetition_count = 3


class ForbiddenThrice(ForbiddenGraph):
    repetition_count = 3


class Ring(Game):
    """A graph whose States do not tell who is to move: players alternate, and a State that recurs
    after an odd number of plies is another position. Some actions are noisy; a pass may be
    tried."""

    repetition = "draw"

    class State(NamedTuple):
        node: u8

    def __init__(self, below: list[list[int]], worth: list[int], estimates: bool = False) -> None:
        self.below = np.array([[*goals, 0, 0, 0][:3] for goals in below])
        self.count = np.array([len(goals) for goals in below])
        self.worth = np.array(worth)
        self.unit = int(estimates)

    def initial(self) -> Any:
        return self.State(0)

    def actions(self, state: Any) -> Any:
        for action in range(self.count[state.node]):
            yield action

    def result(self, state: Any, action: int) -> Any:
        return self.State(self.below[state.node, action])

    def is_terminal(self, state: Any) -> bool:
        return self.count[state.node] == 0

    def utility(self, state: Any) -> int:
        return 10 * self.worth[state.node]

    def evaluate(self, state: Any) -> int:
        return self.unit * self.worth[state.node]

    def noisy_actions(self, state: Any) -> Any:
        for action in self.actions(state):
            if self.below[state.node, action] % 2 == 0:
                yield action

    def pass_turn(self, state: Any) -> Any:
        return state


class LosingRing(Ring):
    repetition = "loss"
    repetition_loss = 12


class ForbiddenRing(Ring):
    repetition = "forbidden"
    repetition_loss = 12


class RingThrice(Ring):
    repetition_count = 3


class LosingRingThrice(LosingRing):
    repetition_count = 3


RINGS = (Ring, LosingRing, ForbiddenRing, RingThrice, LosingRingThrice)
GRAPHS = (Graph, LosingGraph, ForbiddenGraph, Thrice, LosingThrice, ForbiddenThrice)


def random_ring(seed: int, kind: type[Ring], estimates: bool = False) -> Ring:
    """Six inner nodes with one to three successors, and three leaves."""
    rng = random.Random(seed)
    below = [
        rng.sample([goal for goal in range(9) if goal != node], rng.randint(1, 3))
        for node in range(6)
    ]
    return kind(below + [[], [], []], [rng.randint(-9, 9) for _ in range(9)], estimates)


def drawn(game: Game, rng: random.Random, plies: int) -> Position:
    """The position after at most `plies` random plies, none of which ends the game."""
    position = Position(game.initial())
    for _ in range(plies):
        after = [position.after(game, action) for action in game.actions(position.state)]
        going_on = [each for each in after if not is_over(game, each.path)]
        if game.repetition == "forbidden":
            going_on = [each for each in going_on if not comes_again(game, each)]
        if not going_on:
            break
        position = rng.choice(going_on)
    return position


def comes_again(game: Game, position: Position) -> bool:
    from tests.naive import times_on_board

    return times_on_board(game, position.path) >= game.repetition_count


def positions(kind: type[Game], count: int, estimates: bool = False) -> Any:
    """Games of one kind, each with three positions and a seed."""
    for seed in range(count):
        game = (
            random_graph(seed, 5, kind)
            if issubclass(kind, Graph)
            else random_ring(seed, kind, estimates)
        )
        game.freeze()
        rng = random.Random(seed)
        for plies in (0, 3, 8):
            yield seed, game, drawn(game, rng, plies)


def root_values(game: Game, position: Position, depth: int | None) -> dict[int, int]:
    """The values of the allowed root actions."""
    found = {}
    for action in game.actions(position.state):
        after = position.after(game, action)
        if game.repetition == "forbidden" and comes_again(game, after):
            continue
        value = value_after(game, after.path, None if depth is None else depth - 1)
        found[action] = value if game.keeps_turn(position.state, after.state) else -value
    return found


@pytest.mark.parametrize(
    ("kind", "compile", "games"),
    [
        *((kind, False, 8) for kind in (*GRAPHS, *RINGS)),
        *(pytest.param(kind, True, 30, marks=in_full) for kind in (ForbiddenThrice, RingThrice)),
    ],
)
def test_every_algorithm_that_heeds_repetitions_sees_what_came_before(kind, compile, games):
    """To a depth, with tables of their own and with one that is passed from position to position
    and from algorithm to algorithm."""
    seen = 0
    for seed, game, position in positions(kind, games):
        expected = value_after(game, position.path, 7)
        seen += expected != value_after(game, (position.state,), 7)
        table = prunus.TranspositionTable(0.1, game, game.initial())
        prunus.analyze(game, position.state, "engine", 7, table=table, compile=compile)
        for name in thinned(HEEDING, 3) if compile else HEEDING:
            kept = table if name not in ("minimax", "alphabeta") else None
            for each in (None, kept):
                found = prunus.analyze(game, position, name, 7, table=each, compile=compile)
                assert found.value == expected, (name, seed, position)
                assert found.past == position.past
        assert prunus.analyze(
            game, position.state, "engine", 7, table=table, compile=compile
        ).value == value_after(game, (position.state,), 7)
    assert seen > 0 or not compile


@pytest.mark.parametrize("kind", GRAPHS)
def test_all_root_actions_and_the_line_keep_to_the_rule(kind):
    """The line ends where the game does, given the past, and has the value reported."""
    for seed, game, position in positions(kind, 12):
        expected = root_values(game, position, 7)
        found = prunus.analyze(game, position, depth=7, all_moves=True, compile=False)
        if game.is_terminal(position.state):
            continue
        assert {move.action: move.value for move in found.moves} == expected, seed
        assert found.value == max(expected.values(), default=-game.repetition_loss), seed
        path, sign = position.path, 1
        for action in found.pv:
            assert not is_over(game, path)
            child = game.result(path[-1], action)
            sign = sign if game.keeps_turn(path[-1], child) else -sign
            path = (*path, child)
        assert (found.distance is not None) == is_over(game, path), seed
        assert sign * value_after(game, path, 7 - len(found.pv)) == found.value, seed


@pytest.mark.parametrize(
    "kind", [Graph, LosingGraph, ForbiddenGraph, Ring, LosingRing, ForbiddenRing]
)
def test_what_is_called_proved_is_true_after_what_came_before(kind):
    """By every algorithm, including those that ignore repetitions."""
    proved = dict.fromkeys(
        (*HEEDING, "minimax-maxmin", "alphabeta-hard", "cached-minimax", "labelling"), 0
    )
    for seed, game, position in positions(kind, 8):
        truth = value_after(game, position.path)
        table = prunus.TranspositionTable(0.1, game, game.initial())
        for name in proved:
            for asked in (position.state, position):
                kept = table if name in HEEDING[2:] else None
                found = prunus.analyze(game, asked, name, 8, table=kept, compile=False)
                expected = truth if asked is position else value_after(game, (position.state,))
                assert not found.proved or found.value == expected, (name, seed, asked)
                proved[name] += found.proved
    assert all(proved[name] > 0 for name in HEEDING)


@pytest.mark.parametrize("kind", RINGS)
def test_estimates_at_the_limit_and_quiescence_see_it_too(kind):
    """Without a table (and with one, if the rule forbids it to answer) the values are those of the
    whole path."""
    for seed, game, position in positions(kind, 12, estimates=True):
        for name in ("minimax", "alphabeta"):
            assert prunus.analyze(game, position, name, 4, compile=False).value == value_after(
                game, position.path, 4
            ), seed
        if game.repetition != "draw":
            found = prunus.analyze(
                game, position, "engine", 3, options={"quiescence": 1}, compile=False
            )
            if not is_over(game, position.path):
                assert found.value == value_after(game, position.path, 3, quiet=True), seed


@pytest.mark.parametrize(
    "options",
    [
        {"null_move": 1},
        {"quiescence": 1, "futility": 1},
        {"singular": 1, "reductions": 2},
        {"presearch": 1},
    ],
)
def test_selective_searches_after_a_history_end_with_an_allowed_action(options):
    for kind in (Ring, LosingRing, ForbiddenRing, RingThrice):
        for seed, game, position in positions(kind, 8, estimates=True):
            found = prunus.analyze(game, position, "engine", 6, options=options, compile=False)
            allowed = root_values(game, position, 1) if not is_over(game, position.path) else {}
            assert (found.best in allowed) or not allowed, seed
            assert (
                not found.proved
                or found.value == value_after(game, position.path)
                or options == {"presearch": 1}
            ), seed


HOME = Graph({"a": ["b"], "b": ["c"], "c": ["d", "lost"], "d": ["a"], "lost": -1})
"""MAX moves in a and c. After one round he is in a again."""


def test_a_position_that_has_been_on_the_board_is_a_draw():
    """In c MAX saves himself by way of d and a, where he came from; without knowing the past,
    nobody can tell."""
    a, b, c = HOME.at("a", 0), HOME.at("b", 1), HOME.at("c", 0)
    known = prunus.solve(HOME, Position(c, [a, b]))
    assert (known.value, known.proved, known.distance) == (0, True, 2)
    once = Thrice({"a": ["b"], "b": ["c"], "c": ["d", "lost"], "d": ["a"], "lost": -1})
    assert prunus.solve(once, Position(c, [a, b])).distance == 6
    assert prunus.solve(once, Position(c, [a, b, c, HOME.at("d", 1), a, b])).distance == 2


def test_a_game_that_is_over_by_repetition_is_over():
    a, b, c, d = (HOME.at(name, turn) for name, turn in (("a", 0), ("b", 1), ("c", 0), ("d", 1)))
    found = prunus.analyze(HOME, Position(a, [a, b, c, d]))
    assert (found.value, found.proved, found.best, found.distance) == (0, True, None, 0)
    lost = LosingGraph({"a": ["b"], "b": ["c"], "c": ["d", "lost"], "d": ["a"], "lost": -1})
    assert prunus.analyze(lost, Position(a, [a, b, c, d])).value == 2


def test_what_came_before_has_to_follow_on():
    a, b, c = HOME.at("a", 0), HOME.at("b", 1), HOME.at("c", 0)
    for past in ([b, a], [a], [a, b, c]):
        with pytest.raises(prunus.PositionError, match=r"no action leads from past\[\d\] to"):
            prunus.analyze(HOME, Position(c, past))
    with pytest.raises(prunus.PositionError, match="ends the game"):
        prunus.analyze(HOME, Position(c, [HOME.at("lost", 1)]))
    with pytest.raises(ValueError, match="repetition_count is 1"):
        type("Once", (Graph,), {"repetition_count": 1})


def test_a_trace_sees_what_came_before():
    a, b, c = HOME.at("a", 0), HOME.at("b", 1), HOME.at("c", 0)
    for name in HEEDING:
        assert prunus.trace(HOME, Position(c, [a, b]), name, 9).value == 0
    assert len(prunus.trace(HOME, Position(c, [a, b]), "minimax", 9).nodes) == 4
    assert len(prunus.trace(HOME, c, "minimax", 9).nodes) == 6


def test_a_trace_says_where_a_repetition_is_the_reason():
    """For a position that has recurred, for actions that the rules forbid, and for those that the
    path rule leaves out; by every algorithm."""
    a, b, c = HOME.at("a", 0), HOME.at("b", 1), HOME.at("c", 0)
    for name in HEEDING:
        found = prunus.trace(HOME, Position(c, [a, b]), name, 9)
        again = [node for node in found.nodes if node.state == a]
        assert again
        assert {(node.leaf, node.reason, node.value, node.pruned) for node in again} == {
            ("repetition", "repetition", 0, ())
        }
        assert {found.why(node) for node in again} == {"the position has come again"}
        assert "MAX = 0 (repetition)" in str(found) or name != "minimax"
        assert "MAX (-∞, ∞) = 0 (repetition)" in str(found) or name != "alphabeta"
        assert ">repetition</text>" in found.svg()
    assert all(node.reason != "repetition" for node in prunus.trace(HOME, c, "minimax", 2).nodes)
    forbidden = ForbiddenGraph({"a": ["b", "c"], "b": ["a", "d"], "c": ["a"], "d": [], "lost": -1})
    found = prunus.trace(forbidden, None, "alphabeta", 9)
    some, none_left = (
        next(node for node in found.nodes if node.state.node == forbidden.at(name, 0).node)
        for name in "bc"
    )
    assert (some.repeating, some.reason, some.leaf, len(some.children)) == (
        (0,),
        "repetition",
        "",
        1,
    )
    assert (none_left.repeating, none_left.leaf, none_left.value) == (
        (0,),
        "repetition",
        forbidden.repetition_loss,
    ), "MIN has lost"
    assert "left out: 0: they would repeat a position" in str(found)
    assert "left out: 0: no action is left that does not repeat a position" in str(found)
    assert '"repeating": ["0"]' in found.to_json()


def test_the_path_rule_has_nothing_to_do_with_what_came_before():
    """Its trace shows the steps back that it left out, and a node whose lines are all steps back
    has no value."""
    a, b, c = HOME.at("a", 0), HOME.at("b", 1), HOME.at("c", 0)
    path = [a, b, c, HOME.at("d", 1)]
    plain = Thrice({"a": ["b"], "b": ["c"], "c": ["d", "lost"], "d": ["a"], "lost": -1})
    found = prunus.analyze(plain, Position(a, path), "visiting", 3, compile=False)
    assert (found.value, found.proved) == (
        prunus.analyze(plain, a, "visiting", 3, compile=False).value,
        False,
    )
    trace = prunus.trace(plain, Position(a, path), "visiting", 9)
    assert [(node.repeating, node.value) for node in trace.nodes if node.leaf == "repetition"] == [
        ((0,), None)
    ]
    assert "= none (repetition)" in str(trace)
    assert ">none</text>" in trace.svg()


@pytest.mark.parametrize("kind", GRAPHS)
def test_games_of_self_play_keep_to_the_rule_and_their_values_see_what_came_before(kind):
    """From the opening to a position that ends the game; an exact value is the value after the
    States played."""
    otherwise = 0
    for seed in range(48, 60):
        game = random_graph(seed, 6, kind)
        game.freeze()
        found = play_game(Player(game, False), random.Random(seed), (0, 6), 1, 10**6)
        assert not any(
            is_over(game, found.states[:length]) for length in range(1, len(found.states) + 1)
        )
        assert found.exact == len(found.states) > 0
        for place, value in enumerate(found.values):
            path = tuple(found.states[: place + 1])
            assert value == value_after(game, path), (seed, place)
            otherwise += value != value_after(game, path[-1:])
    assert otherwise > 0


@pytest.mark.parametrize("name", [name for name in HEEDING if name not in ("sss", "dual")])
def test_with_a_table_the_nearest_win_is_preferred_too(name):
    """The goal is four plies away by way of d, or five by way of f; tables remember wins found at
    several depths."""
    below = {
        "c": ["d", "f"],
        "d": ["a"],
        "a": ["b", "e"],
        "b": ["c"],
        "e": ["won"],
        "f": ["g"],
        "g": ["h"],
        "h": ["i"],
        "i": ["won"],
    }
    game = Graph({**below, "won": 1})
    for table in (
        None,
        prunus.TranspositionTable(0.1, game, game.initial())
        if name not in ("minimax", "alphabeta")
        else None,
    ):
        for depth in range(4, 9):
            found = prunus.analyze(
                game, game.initial(), name, depth, prefer_faster=True, compile=False, table=table
            )
            assert (found.value, found.best, found.distance) == (1, 0, 4), (table, depth)


@pytest.mark.parametrize("loose", [False, True])
def test_a_loose_table_keeps_values_and_proves_nothing(loose):
    from prunus.games import ThreeMensMorris

    game = ThreeMensMorris()
    position = prunus.core.position.Position(game.initial())
    table = prunus.TranspositionTable(1, game, position.state, loose=loose)
    nodes = []
    for _ in range(3):
        found = prunus.analyze(game, position, depth=5, table=table, compile=False)
        plain = prunus.analyze(game, position, depth=5, compile=False)
        nodes.append((found.statistics.nodes, plain.statistics.nodes))
        assert not (loose and found.proved)
        if not loose:
            assert (found.value, found.proved) == (plain.value, plain.proved)
        position = position.after(game, int(found.best))
    # Values of the search before save work only if they are kept.
    assert table.is_loose(game) == loose
    assert table.is_loose(prunus.games.TicTacToe()) is False


def test_only_a_loose_table_keeps_values_from_move_to_move():
    from prunus.games import ThreeMensMorris

    game = ThreeMensMorris()
    start = game.initial()
    kept = {}
    for loose in (False, True):
        table = prunus.TranspositionTable(1, game, start, loose=loose)
        prunus.analyze(game, start, depth=6, table=table, compile=False)
        action = next(iter(game.actions(start)))
        after = prunus.core.position.Position(start).after(game, action)
        table.serve(game, after.state, after.past)
        value, facts = (table.words.array[i:-HEADER:WORDS] for i in (1, 3))
        used = facts >> GENERATION_BIT == table.words.generation
        kept[loose] = int((value[used].astype(np.int64) > -INFINITY).sum())
    assert kept[False] == 0 < kept[True]
