"""Features, weights and their files, the regression, and the patterns of Othello, compared with
boards read square by square."""

from __future__ import annotations

import json
import random
from typing import Any, NamedTuple

import numpy as np
import pytest

import prunus
from prunus import Game, u8
from prunus.core.arrays import View
from prunus.core.errors import SearchError
from prunus.core.game import WEIGHT_UNIT
from prunus.engine.options import Options
from prunus.evaluation.patterns import family, symmetries
from prunus.evaluation.weights import WeightsError, load_weights, save_weights
from prunus.games import Othello
from prunus.games.othello import patterns as fitted
from prunus.kernel.backends import prepare
from prunus.kernel.memory import Memory
from prunus.learn.evaluating import Plan, collect, fit_evaluation, gather
from prunus.learn.regression import Samples, buckets, fit_stages, least_squares
from prunus.learn.selfplay import Player, play_game
from tests.amount import in_full
from tests.playing import walk


def states_of(game: Any, seed: int) -> list[Any]:
    """The States of a random game, without the last."""
    return walk(game, seed)[:-1]


def read(state: Any, squares: Any) -> int:
    """The number that the discs on some squares make."""
    number = 0
    for square in squares:
        number = 3 * number + (
            1 if state.mine >> square & 1 else 2 if state.theirs >> square & 1 else 0
        )
    return number


def image(bits: int, symmetry: Any) -> int:
    return sum(1 << to for square, to in enumerate(symmetry) if bits >> square & 1)


def with_random_weights() -> Othello:
    """Othello with random weights, equal where symmetry requires it."""
    game = Othello()
    game.weights = View(
        np.random.default_rng(1)
        .integers(-2000, 2000, fitted.STAGES * fitted.FEATURES)
        .astype(np.int16)
    )
    game.table = fitted.expanded(game.weights)
    return game


def test_placements_cover_what_symmetry_makes_of_a_pattern():
    assert len(set(symmetries(8))) == 8
    assert [len(each.placements) for each in fitted.FAMILIES] == [4, 4, 8, 2, 4, 4, 4, 4, 4, 4, 4]
    edge = fitted.FAMILIES[0]
    assert {frozenset(p) for p in edge.placements} == {
        frozenset({*range(8), 9, 14}),
        frozenset({*range(56, 64), 49, 54}),
        frozenset({*range(0, 64, 8), 9, 49}),
        frozenset({*range(7, 64, 8), 14, 54}),
    }
    mirrored = [
        sum(3 ** (9 - k) * d for k, d in enumerate(digits))
        for digits in ((1, 2, 0, 0, 0, 0, 0, 0, 1, 2), (0, 0, 0, 0, 0, 0, 2, 1, 2, 1))
    ]
    assert edge.tied[mirrored[0]] == edge.tied[mirrored[1]] and edge.weights == (3**10 + 3**5) // 2
    with pytest.raises(ValueError, match="10 are the most"):
        family(range(11), 8)


def test_numbers_of_patterns_against_squares_read_one_by_one():
    game = Othello()
    begins = [
        sum(each.numbers for each in fitted.FAMILIES[:k])
        for k, each in enumerate(fitted.FAMILIES)
        for _ in each.placements
    ]
    states = states_of(game, 3)[::6] + [
        game.State((1 << 64) - 1, 0, False),
        game.State(0, (1 << 64) - 1, True),
    ]
    for state in states:
        found = list(fitted.entries_of(game.digits, game.starts, state.mine, state.theirs))
        assert found == [
            begins[place] + read(state, squares) for place, squares in enumerate(fitted.PLACEMENTS)
        ]


def test_evaluation_is_the_sum_of_the_weighed_features_and_symmetric():
    game = with_random_weights()
    for state in states_of(game, 4)[::5]:
        assert game.evaluate(state) == game.weighed(state, 63)
        for symmetry in symmetries(8):
            turned = game.State(
                image(state.mine, symmetry), image(state.theirs, symmetry), state.white
            )
            assert game.evaluate(turned) == game.evaluate(state)


def evaluations(game, state, memory) -> int:
    return game.evaluate(state)


def test_compiled_and_interpreted_agree():
    game = with_random_weights()
    memory = Memory({"nodes": "i64", "feature": ("i32", 64), "amount": ("i32", 64)})
    for function in (evaluations, collect):
        compiled, _ = prepare(
            function, {"game": game, "state": game.initial(), "memory": memory}, True
        )
        for state in states_of(game, 5)[::4]:
            assert compiled(game, state, memory) == function(game, state, memory)
            ours = memory.feature.array[: fitted.COUNT + 4].copy()
            if function is collect:
                compiled(game, state, memory)
                assert (ours == memory.feature.array[: fitted.COUNT + 4]).all()


def test_small_boards_and_plain_evaluation_need_no_weights():
    for game in (Othello(6), Othello(8, patterns=False)):
        assert (
            not game.patterns
            and game.feature_count == 0
            and list(game.features(game.initial())) == []
        )
    assert Othello().patterns and Othello().feature_count == fitted.FEATURES


class Race(Game):
    """Both players discard their own numbers 1 to 3; whoever has kept more wins by the difference.
    Each number is worth 100."""

    class State(NamedTuple):
        mine: u8
        theirs: u8
        left: u8

    def __init__(self, plies: int = 6, weights: str = "") -> None:
        self.plies = plies
        self.feature_count, self.stages = 2, 2
        self.weights = load_weights(weights, 2, 2)

    def initial(self):
        return self.State(30, 30, self.plies)

    def actions(self, state):
        for number in range(1, 4):
            yield number

    def result(self, state, action):
        return self.State(state.theirs, state.mine - action, state.left - 1)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state):
        return 100 * (state.mine - state.theirs)

    def features(self, state):
        yield 0, state.mine - state.theirs
        yield 1, 1

    def stage(self, state):
        return state.left % 2

    def evaluate(self, state):
        return self.weighed(state, 3000)


def test_a_fit_recovers_known_weights(tmp_path):
    """Best play discards 1 each time: the present lead remains, less 1 if the player to move has
    one discard more to make."""
    found = fit_evaluation(
        Race(), Plan(games=300, opening=(0, 5), depth=2, ridge=1e-3), compile=True
    )
    assert found.exact == found.positions > 300
    assert np.allclose(found.weights, [[100, 0], [100, -100]], atol=0.1)
    assert found.calibration[-1].rms < 0.1 and found.calibration[-1].correlation > 0.999
    manifest, array = save_weights(tmp_path / "race.json", found.weights, found.provenance())
    said = json.loads(manifest.read_text())
    assert (said["stages"], said["features"], said["games"], said["plan"]["depth"]) == (
        2,
        2,
        300,
        2,
    )
    game = Race(weights=str(manifest))
    state = game.State(20, 18, 3)
    assert game.evaluate(state) == 100 == prunus.solve(game, state, compile=False).value
    array.write_bytes(array.read_bytes() + b"x")
    with pytest.raises(WeightsError, match="checksum differs"):
        Race(weights=str(manifest))


@in_full
def test_games_repeat_with_the_seed_and_their_values_are_true():
    game = Race(8)
    first, second = (
        gather(game, Plan(games=3, opening=(1, 4), nodes=200, seed=5), compile=True)[0]
        for _ in range(2)
    )
    assert (first.value == second.value).all() and (first.features == second.features).all()
    player = Player(game, compile=True)
    found = play_game(player, random.Random(1), (0, 0), 2, 10**6)
    assert found.exact == len(found.states) == 8
    assert found.values == [prunus.solve(game, state, compile=True).value for state in found.states]
    assert play_game(player, random.Random(1), (0, 0), 2, 3).exact < 8


def test_regression_of_shared_and_repeated_features():
    chance = np.random.default_rng(2)
    truth = chance.normal(size=(3, 40)) * 10
    features = chance.integers(0, 40, (6000, 5))
    amounts = chance.integers(-2, 3, (6000, 5)).astype(np.float32)
    stage = chance.integers(0, 3, 6000)
    value = (truth[stage[:, None], features] * amounts).sum(1)
    samples = Samples(features, amounts, stage, value, np.arange(6000), value == 0)
    assert np.allclose(
        fit_stages(samples, (3, 40), 1e-6, neighbours=0, iterations=200), truth, atol=1e-3
    )
    part = samples[stage == 1]
    dense = np.zeros((len(part), 41))
    np.add.at(dense, (np.arange(len(part))[:, None], part.features), part.amounts)
    exact = np.linalg.solve(dense.T @ dense + 3 * np.eye(41), dense.T @ part.value)
    assert np.allclose(
        least_squares(part, np.ones(len(part)), 41, 3.0, iterations=200), exact, atol=1e-3
    )
    assert [count for _, _, count in buckets(value, value, 7)] == [858, *[857] * 6]


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"feature_count": 1}, "outside 0 ... feature_count - 1 = 0"),
        ({"stages": 1}, "is 1; it must be 0 ... stages - 1 = 0"),
        ({"feature_count": 0}, "feature_count is 0"),
    ],
)
def test_wrong_features_are_named(members, message):
    game = Race()
    for name, value in members.items():
        setattr(game, name, value)
    with pytest.raises(SearchError, match=message):
        fit_evaluation(game, Plan(games=2), compile=False)


def test_what_cannot_be_fitted_or_loaded_says_why(tmp_path):
    with pytest.raises(SearchError, match="define features"):
        fit_evaluation(prunus.games.Nim(), Plan(games=2))
    with pytest.raises(SearchError, match="too few"):
        fit_evaluation(Race(), Plan(games=1), compile=False)
    assert list(load_weights("", 3, 2)) == [0] * 6
    with pytest.raises(WeightsError, match="No such file"):
        load_weights(tmp_path / "none.json", 3)
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(WeightsError, match="not a manifest of weights"):
        load_weights(tmp_path / "bad.json", 3)
    manifest, _ = save_weights(tmp_path / "w.json", np.full((1, 2), 1e6), {})
    assert list(load_weights(manifest, 2)) == [10**6 * WEIGHT_UNIT] * 2
    with pytest.raises(WeightsError, match="1 x 2 stages and features, but the game has 2 x 3"):
        load_weights(manifest, 3, 2)


def test_othello_brings_the_parameters_of_probcut_for_every_stage():
    words = Options.of(Othello(), {"probcut": 15}).fit
    assert {entry[2] for entry in words} == set(range(fitted.STAGES)) and {
        entry[0] for entry in words
    } == set(range(3, 10))
    for game in (Othello(patterns=False), Othello(6)):
        with pytest.raises(SearchError, match="prunus fit probcut"):
            prunus.analyze(
                game, algorithm="engine", depth=2, options={"probcut": 15}, compile=False
            )
    with pytest.raises(SearchError, match="stages 0 to 15"):
        Options(fit=((4, (2, 1000, 0, 3000), 16),))


def test_the_weights_that_come_along_say_where_they_come_from():
    said = json.loads(fitted.FITTED.read_text())
    assert (
        said["command"].startswith("prunus fit evaluation othello")
        and said["games"] > 10_000
        and said["validation"][-1]["correlation"] > 0.8
    )
    assert fitted.FITTED.with_suffix(".npy").stat().st_size < 1_500_000
    game = Othello()
    assert game.evaluate(game.parse("X" * 8 + "O" * 8 + "-" * 48 + " X")) > 20
