"""The fitted evaluation of chess: its rows, its sum, its features."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from typer.testing import CliRunner

import prunus
from prunus.cli.main import app
from prunus.core.errors import SearchError
from prunus.core.knowledge.evaluation import SHARE, WEIGHT_UNIT
from prunus.games import Chess
from prunus.games.chess import features as of
from prunus.games.chess.evaluation import MOST, ChessByHand, ChessEvaluation
from prunus.learn.counted import Counted
from prunus.learn.results import Contest, Positions, gather
from prunus.learn.tapered import Counter, Fit, fit_results, samples_of
from prunus.play.tournament.store import games_in
from tests.amount import amount, in_full

GAME = Chess()


def lines(count, plies=140):
    """Random games: a State, an action, and the State after it."""
    for seed in range(count):
        draw, state = random.Random(seed), GAME.initial()
        for _ in range(plies):
            if GAME.is_terminal(state):
                break
            action = draw.choice(list(GAME.actions(state)))
            child = GAME.result(state, action)
            yield state, action, child
            state = child


ENDS = (
    "r3k2r/pPp2ppp/8/3pP3/8/8/PPP2PPP/R3K2R w KQkq d6",  # castling, en passant, promotions
    "4k3/8/8/8/8/2B1N3/8/4K3 w",
    "8/1P4k1/8/4q3/8/8/6p1/1K6 w",
    "7k/8/8/1B6/3b4/2P5/8/4K3 w",
)


def test_rows_are_carried_forward():
    tried = [*lines(amount(4, 30))]
    for fen in ENDS:
        state = GAME.parse(fen)
        tried += [(state, action, GAME.result(state, action)) for action in GAME.actions(state)]
    for state, action, child in tried:
        assert GAME.next_row(GAME.row(state), state, action, child) == GAME.row(child)


def test_the_estimate_is_the_sum_of_amounts_and_weights():
    """Amounts are read from compiled sums, shares from the rules; together with the file of weights
    they give what `evaluate` gives. Mirrored positions have opposite amounts but for the move."""
    states = [GAME.parse(fen) for fen in ENDS] + [child for _, _, child in lines(4)][::3]
    amounts, shares = Counter(GAME, True).amounts(np.array(states, np.uint64))
    weights = GAME.stage_weights()
    exact = ((amounts @ weights.T) * shares).sum(axis=1)
    for state, value in zip(states, exact, strict=True):
        assert abs(GAME.evaluate(state) - max(-MOST, min(MOST, value))) <= 1
    mirrored = np.array([GAME.turned(state) for state in states], np.uint64)
    opposite, same = Counter(GAME, False).amounts(mirrored[:20])
    apart = amounts[:20] + opposite
    assert (apart[:, of.TEMPO] == 2).all()
    assert not np.delete(apart, of.TEMPO, axis=1).any()
    assert np.abs(amounts).max() < 1 << 10
    seen = (amounts != 0).any(axis=0)
    assert seen.mean() > 0.45
    assert shares.max() == 1.0 and SHARE == 1536


class Fitted(ChessByHand):
    """The features of the game's own evaluation, with other weights than its class has."""

    def prepare(self):
        ChessByHand.prepare(self)
        self.weights = of.packed("")


class Warier(ChessEvaluation):
    """The game's own evaluation, and a little more."""

    def evaluate_row(self, state, row):
        return super().evaluate_row(state, row) - 7


@pytest.mark.parametrize(("part", "more"), [(Fitted, 0), (Warier, -7)])
def test_an_evaluation_may_derive_from_the_one_of_the_game(part, more):
    game = GAME.with_parts(evaluation=part)
    for state in map(GAME.parse, ENDS[:2]):
        assert game.evaluate(state) == GAME.evaluate(state) + more
        for depth in (1, 2):
            found = [
                prunus.analyze(game, state, depth=depth, algorithm="minimax", compile=compiled)
                for compiled in (False, True)
            ]
            assert len({each.value for each in found}) == 1
            wanted = prunus.analyze(GAME, state, depth=depth, algorithm="minimax", compile=True)
            assert found[0].value == wanted.value + (more if depth % 2 == 0 else -more)


@pytest.mark.parametrize(
    ("fen", "most"),
    [
        ("4k3/8/8/8/8/8/8/2B1K3 w", 0),
        ("4k3/8/8/8/8/8/8/1NN1K3 w", 0),
        ("4k3/8/8/3r4/8/8/8/1NR1K3 w", 120),
    ],
)
def test_endings_that_nobody_wins(fen, most):
    assert abs(GAME.evaluate(GAME.parse(fen))) <= most


def test_a_lone_king_is_driven_to_the_edge():
    worth = [
        GAME.evaluate(GAME.parse(fen))
        for fen in ("8/8/8/3k4/8/3K4/8/7R w", "3k4/8/3K4/8/8/8/8/7R w")
    ]
    assert 300 < worth[0] < worth[1]
    corners = [
        GAME.evaluate(GAME.parse(fen))
        for fen in ("k7/8/1K6/8/8/8/8/2B1N3 w", "7k/8/6K1/8/8/8/8/2B1N3 w")
    ]
    assert corners[0] < corners[1]


def test_hand_set_weights_are_an_evaluation_of_their_own():
    hand = GAME.with_parts(evaluation="hand")
    assert np.allclose(hand.stage_weights(), of.by_hand(), atol=1 / WEIGHT_UNIT)
    assert Chess(weights="hand").evaluate(GAME.initial()) == hand.evaluate(GAME.initial())
    names = [of.feature_name(place) for place in range(of.COUNT)]
    assert len(set(names)) == of.COUNT
    assert names[of.SQUARE + 8] == "pawn a2"


class Crooked(Chess):
    """An evaluation whose sum is none."""

    def weighted_sum(self, state):
        return abs(super().weighted_sum(state))


def test_what_is_no_sum_is_refused():
    game = Crooked(weights="hand")
    states = np.array([child for _, _, child in lines(1, 40)], np.uint64)
    with pytest.raises(SearchError, match="is not a sum of amounts times weights"):
        Counter(game, False).amounts(states)


@in_full
def test_games_go_on_where_they_ended(tmp_path):
    """The same positions in one go and in two; weights near the first ones predict better."""
    game, file = Chess(weights="hand"), tmp_path / "positions.npz"
    contest = Contest(6, (4, 6), 200, plies=150)
    gather(game, Contest(3, (4, 6), 200, plies=150), file, True)
    kept, sources, interrupted = gather(game, contest, file, True)
    whole, _, _ = gather(game, contest, None, True)
    assert (len(sources), sources[0]["played"], interrupted) == (1, 6, False)
    for name in ("states", "result", "value", "game"):
        assert (getattr(kept, name) == getattr(whole, name)).all()
    samples = samples_of(game, kept, True)
    found = fit_results(samples, kept.result, game.stage_weights(), Fit(1.0, 5.0))
    assert found.others[1] < found.others[0]
    assert np.abs(found.weights - game.stage_weights()).max() > 0.05


def drawn(count, features, stages, seed):
    """Random amounts, many of them 0, and shares of the stages."""
    draw = np.random.default_rng(seed)
    amounts = draw.integers(-3, 4, (count, features)) * (draw.random((count, features)) < 0.4)
    amounts[0] = 0
    return amounts.astype(np.int16), draw.random((count, stages)).astype(np.float32)


def test_sparse_rows_are_what_a_table_says():
    """Sums, their transposes and squares, of all rows, of parts joined, and of some of them."""
    (amounts, shares), draw = drawn(300, 17, 2, 5), np.random.default_rng(6)
    numbers = np.arange(300)
    parts = [
        Counted.of(amounts[p], shares[p], numbers[p], numbers[p] // 10)
        for p in np.split(numbers, 3)
    ]
    whole, some = Counted.joined(parts), draw.random(300) < 0.5
    table = np.hstack([amounts * shares.astype(float)[:, [stage]] for stage in range(2)])
    weights = draw.normal(0, 50, 34)
    for rows, known in ((whole, slice(None)), (whole[some], some)):
        wanted, factors = table[known], draw.normal(0, 1, len(rows))
        assert np.allclose(rows.predicted(weights), wanted @ weights)
        assert np.allclose(rows.transposed(factors, 34), wanted.T @ factors)
        assert np.allclose(rows.squares(factors, 34), (wanted**2).T @ factors)
        assert (rows.value == numbers[known]).all() and (rows.game == numbers[known] // 10).all()


def test_a_fit_never_predicts_worse_than_its_start():
    """Positions that the first weights judge with certainty and wrongly."""
    draw = np.random.default_rng(3)
    amounts = np.rint(draw.normal(0, 3, (4000, 12))).astype(np.int16)
    truth = amounts @ draw.normal(0, 20, 12)
    result = np.where(draw.random(4000) < 1 / (1 + np.exp(-truth / 200)), 1, -1)
    value = np.clip(truth, -400, 400).astype(np.int32)
    samples = Counted.of(amounts, np.ones((4000, 1), np.float32), value, np.arange(4000))
    start = draw.normal(0, 160, (1, 12))
    found = fit_results(samples, result, start, Fit(0.0, 60.0))
    assert found.others[1] < found.others[0] and found.apart[1] < found.apart[0]
    rare = np.arange(4000) % 4 > 0
    amounts[rare, 5] = 0
    some = Counted.of(amounts, np.ones((4000, 1), np.float32), value, np.arange(4000))
    assert (some.present([5]) == (amounts[:, 5] != 0)).all() and not some.present([]).any()
    kept = fit_results(some, result, start, Fit(0.0, 60.0, held=(5,)))
    moved = np.abs(kept.weights - start)[0]
    assert moved[5] == 0 and np.delete(moved, 5).min() > 0


@in_full
def test_command(tmp_path):
    weights, file = tmp_path / "w.json", tmp_path / "p.npz"
    words = f"fit evaluation chess:weights=hand --games 12 --opening 4 --think 200 --out {weights}"
    ran = CliRunner().invoke(app, [*words.split(), "--positions", str(file)])
    assert ran.exit_code == 0, ran.output
    assert "12 games" in ran.output and "set aside" in ran.output
    said = json.loads(weights.read_text())
    assert (said["stages"], said["features"]) == (2, of.COUNT)
    assert said["sources"][0]["contest"]["nodes"] == 200
    Chess(weights=str(weights)).evaluate(GAME.initial())
    assert len(Positions.load(file)[0]) > 100


def matched(tmp_path, name, seed):
    """The file of a match of four short games."""
    file = tmp_path / name
    words = "match chess --first engine,nodes=60 --second random --games 4 --opening 4"
    how = f"{words} --seed {seed} --adjudicate length=40 --out {file}"
    ran = CliRunner().invoke(app, how.split())
    assert ran.exit_code == 0, ran.output
    return file


@in_full
def test_positions_of_games_in_files(tmp_path):
    """Results are those of the file, for the player to move; files join, and are taken once."""
    one, other = matched(tmp_path, "one.db", 1), matched(tmp_path, "other.db", 2)
    kept, weights = tmp_path / "p.npz", tmp_path / "w.json"
    words = f"fit evaluation chess:weights=hand --think 100 --every 2 --out {weights}"
    files = f"--from-games {one} --from-games {other} --positions {kept}"
    for _ in range(2):
        ran = CliRunner().invoke(app, [*words.split(), *files.split()])
        assert ran.exit_code == 0, ran.output
    found, sources = Positions.load(kept)
    assert [source["played"] for source in sources] == [4, 4]
    assert [source["contest"]["file"] for source in sources] == ["one.db", "other.db"]
    records = [played.record for file in (one, other) for played in games_in(file)]
    assert len({row.tobytes() for row in found.states}) > 20
    for number, (state, result) in enumerate(zip(found.states, found.result, strict=True)):
        record = records[found.game[number]]
        first_moves = bool(state[-1]) != record.first_begins
        assert result == (1 if first_moves else -1) * (2 * record.score - 1)
    ran = CliRunner().invoke(app, [*words.split(), *files.split()[:4]])
    assert ran.exit_code == 2 and "need --positions" in " ".join(ran.output.split())


def test_games_of_files_are_for_tapered_evaluations(tmp_path):
    words = f"fit evaluation othello --from-games {tmp_path / 'none.db'}"
    ran = CliRunner().invoke(app, words.split())
    assert ran.exit_code == 2 and "tapered" in ran.output
