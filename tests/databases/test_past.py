"""Databases and what was played before: which of their values are proved, in matches and traces."""

from __future__ import annotations

import json
import random

import pytest

import prunus
from prunus.databases.past import looked_up, value_after
from prunus.games import make_game
from prunus.play.adjudication import read_adjudication
from prunus.play.players import RandomPlayer
from prunus.play.referee import Manners, Referee
from prunus.play.specs import player_of
from tests.amount import amount
from tests.commands import prunus as command
from tests.databases.test_answers import Race, Timeless, database_of


@pytest.fixture(scope="module")
def morris(tmp_path_factory):
    return database_of(make_game("three-mens-morris"), tmp_path_factory.mktemp("db") / "morris")


def naive_value(game, path, low, high, plies):
    """Bounds of the value for the player to move after a path, by the rules and `plies` of search;
    what lies deeper is anything from `low` to `high`."""
    state = path[-1]
    if game.is_terminal(state):
        value = int(game.utility(state))
        return value, value
    if state in path[:-1]:
        return 0, 0
    if plies == 0:
        return low, high
    found = [
        naive_value(game, (*path, game.result(state, action)), low, high, plies - 1)
        for action in game.actions(state)
    ]
    return max(-best for _, best in found), max(-worst for worst, _ in found)


def wandering(game, draw, plies):
    """The States of a random game that is not over, none of them twice."""
    path = [game.initial()]
    while len(path) < plies:
        after = [game.result(path[-1], action) for action in game.actions(path[-1])]
        after = [each for each in after if each not in path and not game.is_terminal(each)]
        if not after:
            return path
        path.append(draw.choice(after))
    return path


def test_proved_values_lie_within_the_bounds_of_the_rules_on_the_path(morris):
    game, draw, proved, spoilt = morris.game, random.Random(2), 0, 0
    for _ in range(amount(60, 600)):
        path = wandering(game, draw, draw.randint(8, 40))
        said = value_after(morris, path)
        low, high = naive_value(game, tuple(path), -1, 1, 4)
        if said.proved:
            proved += 1
            assert low <= said.value <= high
        else:
            spoilt += 1
            assert said.value != 0
    assert proved and spoilt


def test_a_win_whose_only_way_leads_through_the_past_is_not_proved(morris):
    """The player who lets a win go round finds the way back closed: a position one ply from the end
    has come before, so that a longer win may have to pass through it."""
    game, draw = morris.game, random.Random(4)
    for _ in range(10_000):
        path = wandering(game, draw, 40)
        values = [morris.probe(state) for state in path]
        for number, known in enumerate(values):
            same = [
                before
                for before in values[:number]
                if before.value and before.plies is not None and before.plies < (known.plies or 0)
            ]
            if known.value and same:
                said = value_after(morris, path[: number + 1])
                sides = [
                    (game.to_move(state) == game.to_move(path[number]))
                    == (each.value == known.value)
                    for state, each in zip(path[:number], values[:number], strict=True)
                    if each.value and each.plies < known.plies
                ]
                assert said.proved == (not any(sides))
                if any(sides):
                    return
    raise AssertionError("no such game was drawn")


def test_nothing_is_proved_where_plies_are_left_out(tmp_path):
    plain, timeless = Race(), Timeless()
    path = [Race.State(10, 0), Race.State(9, 1)]
    assert value_after(database_of(plain, tmp_path / "plain"), path) == (5, True)
    path = [Timeless.State(10, 0), Timeless.State(9, 1)]
    assert value_after(database_of(timeless, tmp_path / "timeless"), path) == (5, False)


def test_a_database_ends_games_by_proof(morris):
    game = morris.game
    manners = Manners(read_adjudication("proof"), database=morris)
    ended = 0
    for seed in range(6):
        players = RandomPlayer(seed), RandomPlayer(seed + 50)
        record = Referee(game, players, seed % 2 == 0, manners=manners).play(0, [])
        if record.end != "adjudicated: database":
            continue
        ended += 1
        states = [game.initial()]
        for name in record.moves:
            action = next(
                a for a in game.actions(states[-1]) if game.action_name(states[-1], a) == name
            )
            states.append(game.result(states[-1], action))
        mover_is_first = (len(record.moves) % 2 == 0) == record.first_begins
        value = morris.value(states[-1])
        assert record.utility == (value if mover_is_first else -value)
        assert record.score == 0.5 + 0.5 * record.utility
    assert ended
    none = Manners(read_adjudication(""), database=morris)
    record = Referee(game, (RandomPlayer(1), RandomPlayer(2)), True, manners=none).play(0, [])
    assert "database" not in record.end


def test_players_of_a_match_share_its_database(morris):
    folder = str(morris.folder)
    shared = player_of("engine,depth=1", None, folder)
    assert shared.library.database == folder
    assert player_of("engine,depth=1,database=own", None, folder).library.database == "own"
    assert player_of("engine,level=3", None, folder).search.library.database == ""
    shared.warm_up(morris.game)
    choice = shared.choose(prunus.Position(morris.game.initial()), prunus.play.players.Turn())
    assert (choice.value, choice.proved) == (1, True)


def test_a_trace_says_what_a_database_knows(morris):
    game = morris.game
    plain = prunus.trace(game, depth=2)
    found = looked_up(plain, morris)
    assert found.events == plain.events and not plain.known
    for node in found.nodes:
        side = 1 if node.maximizing else -1
        said = found.known[node.number]
        assert said.value == side * morris.value(node.state)
        assert said.proved
    assert "= 0 (horizon)  database: 1, proved" in str(found)
    assert "database: 1, proved" in "\n".join(found.steps())
    with pytest.raises(ValueError, match="the database is of"):
        looked_up(prunus.trace(make_game("tic-tac-toe"), depth=1), morris)


def test_commands(morris):
    folder = str(morris.folder)
    traced = command("trace", "three-mens-morris", "--depth", "1", "--database", folder, "--json")
    nodes = json.loads(traced.stdout)["nodes"]
    assert nodes[0]["database"] == {"value": 1, "proved": True}
    bare = command("trace", "three-mens-morris", "--depth", "1", "--json")
    assert "database" not in json.loads(bare.stdout)["nodes"][0]
    said = command(
        *("match", "three-mens-morris", "--first", "engine,depth=1", "--second", "random"),
        *("--games", "2", "--opening", "0", "--database", folder, "--adjudicate", "proof"),
    ).stdout
    assert "drew" in said
    wrong = command(
        "match", "nim", "--first", "engine,depth=1", "--games", "2", "--database", folder, status=2
    ).stderr
    assert "is a database of" in wrong
