"""The review of a game, and the values of its moves, against minimax."""

from __future__ import annotations

import json
import random

import pytest

import prunus
from prunus.core.position import Position, read_position
from prunus.games.catalogue import make_game
from prunus.run.limits import Stop
from prunus.studio.review import Review, Standing, lost_by
from prunus.studio.values import values_of
from tests.amount import amount, few
from tests.naive import remembered_value
from tests.studio.serving import ask, client, place, socket
from tests.studio.test_slots import until

GAMES = (
    "tic-tac-toe",
    "nim:piles=2-3-1",
    "mnk:m=3,n=4,k=3",
    "domineering:rows=4,columns=3",
)


def played(game, seed):
    """A random game: its positions and the actions between them."""
    draw, positions, actions = random.Random(seed), [Position(game.initial())], []
    while not game.is_terminal(positions[-1].state):
        actions.append(draw.choice(list(game.actions(positions[-1].state))))
        positions.append(positions[-1].after(game, actions[-1]))
    return positions, actions


def reviewed(game, positions, actions, seconds=20.0):
    """What a review has told last of each position."""
    told = []
    review = Review(game, positions, actions, Stop(), lambda event, data: told.append(data))
    count = len(positions)
    assert review.run(seconds) == {"reviewed": count, "positions": count}
    return {each["ply"]: each for each in told}


@pytest.mark.parametrize("name", few(GAMES, 2))
def test_what_a_review_proves_is_so(name):
    """Values for the first player, as minimax finds them; a move loses the difference."""
    game, known = make_game(name), {}
    prunus.analyze(game, seconds=60.0, compile=True)  # the code first, which takes its time

    def truth(state, ply):
        return remembered_value(game, state, known) * (-1) ** ply

    for seed in range(amount(3, 30)):
        positions, actions = played(game, seed)
        told = reviewed(game, positions, actions)
        assert sorted(told) == list(range(len(positions)))
        for ply, each in told.items():
            state, before = positions[ply].state, each["before"]
            value = truth(state, ply)
            assert (before["value"], before["bound"], before["proved"]) == (value, "exact", True)
            assert before["outcome"] == (value > 0) - (value < 0)
            if ply == len(actions):
                continue
            lost = (-1) ** ply * (value - truth(positions[ply + 1].state, ply + 1))
            assert (each["mover"], each["lost"], each["certain"]) == (ply % 2, lost, True)
            if lost:
                better = game.result(state, game.action_named(state, each["better"]))
                assert truth(better, ply + 1) == value
            else:
                assert each["better"] is None


def test_a_short_review_proves_nothing_wrong():
    """Hardly any time: what is called proved is so, bounds are bounds, and a loss that is certain
    is one."""
    game, known = make_game("tic-tac-toe"), {}
    proved = 0
    for seed in range(amount(4, 40)):
        positions, actions = played(game, seed)
        truth = [
            remembered_value(game, position.state, known) * (-1) ** ply
            for ply, position in enumerate(positions)
        ]
        for ply, each in reviewed(game, positions, actions, 0.01).items():
            value, standing = truth[ply], each["before"]
            if standing["proved"]:
                proved += 1
                right = {
                    "exact": standing["value"] == value,
                    "lower": standing["value"] <= value,
                    "upper": standing["value"] >= value,
                }
                assert right[standing["bound"]]
                assert standing["outcome"] in (None, (value > 0) - (value < 0))
            if each.get("certain"):
                assert (each["lost"] > 0) == (truth[ply + 1] != value)
    assert proved > 10


def test_values_of_moves_are_proved_one_by_one():
    """A win in one proves the value of the position, not those of the other moves."""
    game, known = make_game("tic-tac-toe"), {}
    position = read_position(game, "XX./OO./...")
    found = values_of(game, position, 5.0, Stop())
    values = {}
    for action in game.actions(position.state):
        child = game.result(position.state, action)
        values[game.action_name(position.state, action)] = -remembered_value(game, child, known)
    assert {move["action"]: move["value"] for move in found["moves"]} == values
    assert min(values.values()) == -1
    assert all(move["proved"] for move in found["moves"])
    assert found["best_moves"] == ["c1"]


def test_outcomes():
    """A bound proves an outcome if it lies on one side of a draw."""
    for value, bound, proved, outcome in (
        (3, "exact", True, 1),
        (3, "exact", False, None),
        (3, "lower", True, 1),
        (3, "upper", True, None),
        (0, "lower", True, None),
        (0, "exact", True, 0),
        (-2, "upper", True, -1),
        (-2, "lower", True, None),
    ):
        standing = Standing(value, bound, proved)
        assert standing.outcome == outcome
        flipped = standing.seen(-1)
        assert flipped.outcome == (None if outcome is None else -outcome)
        assert flipped.seen(-1) == standing


def test_a_loss_is_certain_only_if_bounds_of_both_values_prove_it():
    for before, made, told in (
        ((5, "exact", True), (2, "exact", True), (3, True)),
        ((5, "exact", True), (5, "exact", True), (0, True)),
        ((5, "lower", True), (2, "upper", True), (3, True)),
        ((5, "lower", True), (5, "lower", True), (0, False)),
        ((5, "upper", True), (2, "exact", True), (3, False)),
        ((5, "exact", True), (2, "lower", True), (3, False)),
        ((5, "exact", False), (2, "exact", True), (3, False)),
        ((5, "exact", True), (2, "exact", False), (3, False)),
        ((5, "exact", False), (4, "exact", False), (0, False)),
        ((4, "exact", False), (5, "exact", False), (0, False)),
    ):
        assert lost_by(Standing(*before), Standing(*made), 1.5) == told


MOVES = ["4", "4", "4", "4", "4", "1", "3", "5"]


def test_a_review_comes_move_by_move():
    with client() as browser, socket(browser) as opened:
        answers = ask(opened, do="review", place=place("connect-four", "", MOVES), seconds=2.0)
        told = [answer for answer in answers if answer["event"] == "ply"]
        assert [each["ply"] for each in told][:9] == [8, 7, 6, 5, 4, 3, 2, 1, 0]
        first = [each for each in told if each["ply"] == 0][-1]
        assert (first["move"], first["lost"], first["certain"]) == ("4", 0, True)
        assert first["before"]["outcome"] == 1, "the book knows the first player's win"
        assert answers[-1]["reviewed"] == answers[-1]["positions"] == 9
        three = place("podium-nim")
        assert "3 players" in ask(opened, do="review", place=three)[-1]["text"]


def test_a_review_ends_when_its_client_leaves():
    with client(slots=1) as browser:
        slots = browser.app.state.slots
        with socket(browser) as opened:
            at = place("othello", "", ["d3", "c3"])
            opened.send_text(json.dumps({"id": 1, "do": "review", "place": at, "seconds": 60}))
            while opened.receive_json()["event"] != "started":
                pass
            assert slots.free == 0
            opened.close()
            until(lambda: slots.free == 1)


def test_reviews_leave_a_slot_to_moves():
    with client(slots=2) as browser, socket(browser) as first, socket(browser) as second:
        at = place("othello", "", ["d3", "c3"])
        asked = json.dumps({"id": 7, "do": "review", "place": at, "seconds": 60})
        first.send_text(asked)
        assert first.receive_json()["event"] == "started"
        second.send_text(asked)
        answer = second.receive_json()
        assert (answer["event"], answer["place"]) == ("queued", 1)
        assert ask(second, do="move", place=place("nim"), level=1)[-1]["event"] == "done"
        first.close()
        while answer["event"] != "started":
            answer = second.receive_json()
        second.close()
        until(lambda: browser.app.state.slots.free == 2)
