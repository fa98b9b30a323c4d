"""Scores solved layer by layer, of positions without what is settled already: against a naive
solver, with layers that are wrong, and as a database."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
import pytest

import prunus
from prunus import i16, u16
from prunus.algorithms.repetition import final_value
from prunus.checking import check
from prunus.core.errors import SearchError
from prunus.core.game import PositionError
from prunus.databases import listing
from prunus.databases.backward import expect_values_of_positions, solve_positions
from prunus.databases.building import Asked, Work, build_database
from prunus.databases.errors import DatabaseError
from prunus.databases.folder import Database
from prunus.databases.labels import value_of
from prunus.databases.limit import MemoryLimitError
from prunus.databases.numbering import LISTING, number_positions, representative
from prunus.databases.querying import Query, find_positions
from prunus.databases.ranking import rank_positions
from prunus.databases.verifying import verify_database
from prunus.databases.waves import Begun
from prunus.games import Awari
from tests.amount import amount
from tests.commands import prunus as command
from tests.databases import naive
from tests.naive_games import NaiveAwari


def layer_values(positions, steps, ends, moves_first, most):
    """The values for the first player of the positions of one layer: the most that he can be sure
    of, endless play leaving 0. `steps` has for each position that is not over pairs (position, None)
    in the layer and (None, worth) out of it; `ends` has what the others are worth."""
    values = {}
    for least in range(-most, most + 1):
        # Those in which he gets at least so much. If endless play is enough for him, all do that
        # are not lost in time; otherwise only those that are won in time.
        enough = set(positions) if least <= 0 else set()
        changed = True
        while changed:
            changed = False
            for position in positions:
                if position in ends:
                    gets = ends[position] >= least
                else:
                    seen = [
                        worth >= least if after is None else after in enough
                        for after, worth in steps[position]
                    ]
                    gets = any(seen) if moves_first(position) else all(seen)
                if gets != (position in enough):
                    (enough.add if gets else enough.remove)(position)
                    changed = True
        values |= dict.fromkeys(enough, least)
    return values


def naive_awari(pits, most):
    """The values for A of all positions with at most so many stones, nothing captured so far."""
    rules, values = NaiveAwari(pits, 1), {}

    def rows(count, stones):
        if count == 1:
            yield (stones,)
            return
        for first in range(stones + 1):
            yield from ((first, *rest) for rest in rows(count - 1, stones - first))

    for stones in range(most + 1):
        positions = [(ring, 0, mover) for ring in rows(2 * pits, stones) for mover in (0, 1)]
        steps = {position: [] for position in positions}
        ends = {}
        for position in positions:
            for _, (ring, lead, mover) in rules.moves(position):
                inside = sum(ring) == stones
                after = (ring, 0, mover)
                steps[position].append((after, 0) if inside else (None, lead + values[after]))
            if not steps[position]:
                ends[position] = rules.worth(position)
        values |= layer_values(positions, steps, ends, lambda position: position[2] == 0, stones)
    return values


@pytest.mark.parametrize(("pits", "stones"), [(2, 6), (3, amount(4, 7))])
def test_awari_against_a_naive_solver(pits, stones):
    game, rules = Awari(pits, stones), NaiveAwari(pits, stones)
    positions = rank_positions(game, compile=False)
    solved = solve_positions(positions, compile=False)
    wanted = naive_awari(pits, stones)
    assert len(positions) * 2 == len(wanted)
    for position, value in wanted.items():
        state = game.parse(rules.text(position))
        found = value_of(int(solved.labels[positions.place(state)]), True).value
        assert found == (value if position[2] == 0 else -value), rules.text(position)
    # Listed, without numbers, from a start that leads to many of them.
    listed = number_positions(game, compile=False)
    again = solve_positions(listed, compile=False)
    for place in range(len(listed)):
        label = solved.labels[positions.place(listed.state(place))]
        assert again.labels[place] == label


class Heights(naive.Graph):
    """A random graph whose edges never lead up; one that leads to a lower height may
    settle points for the player who takes it."""

    class State(NamedTuple):
        node: u16
        lead: i16

    def __init__(self, targets, first, mover, worth, height, gain):
        super().__init__(targets, first, mover, worth)
        self.height, self.gain = height, gain

    def initial(self):
        return self.State(0, 0)

    def result(self, state, action):
        child = self.targets[action]
        lead = state.lead + self.gain[action]
        return self.State(child, lead if self.mover[child] == self.mover[state.node] else -lead)

    def utility(self, state):
        return self.worth[state.node] + state.lead

    def layer(self, state):
        return self.height[state.node]

    def settled(self, state):
        return state.lead

    def unsettled(self, state):
        return self.State(state.node, 0)


def heights(seed, kind=Heights):
    draw = random.Random(seed)
    nodes = draw.randint(10, 50)
    height = sorted((draw.randrange(0, 8, 2) for _ in range(nodes)), reverse=True)
    first, targets, gain = [0], [], []
    for node in range(nodes):
        there = [other for other in range(nodes) if height[other] <= height[node]]
        for target in draw.choices(there, k=0 if draw.random() < 0.2 else draw.randint(1, 4)):
            targets.append(target)
            gain.append(draw.randint(-3, 3) if height[target] < height[node] else 0)
        first.append(len(targets))
    mover, worth = (
        [draw.randint(low, high) for _ in range(nodes)] for low, high in ((0, 1), (-3, 3))
    )
    arrays = (
        np.array(part or [0], np.int64) for part in (targets, first, mover, worth, height, gain)
    )
    return kind(*arrays)


def naive_heights(game):
    """The value of each node for player 0, nothing settled so far."""
    sign = [1 - 2 * int(mover) for mover in game.mover]
    values = {}
    for layer in sorted({int(height) for height in game.height}):
        nodes = [node for node in range(len(game.height)) if game.height[node] == layer]
        steps, ends = {}, {}
        for node in nodes:
            edges = range(int(game.first[node]), int(game.first[node + 1]))
            steps[node] = [
                (target, 0)
                if game.height[target] == layer
                else (None, sign[node] * int(game.gain[edge]) + values[target])
                for edge in edges
                for target in [int(game.targets[edge])]
            ]
            if not edges:
                ends[node] = sign[node] * int(game.worth[node])
        values |= layer_values(nodes, steps, ends, lambda node: game.mover[node] == 0, 12)
    return values, sign


def test_graphs_of_heights_with_cycles_and_extra_turns():
    for seed in range(amount(40, 400)):
        game = heights(seed)
        positions = number_positions(game, compile=False)
        solved = solve_positions(positions, compile=False)
        values, sign = naive_heights(game)
        for place in range(len(positions)):
            node = positions.state(place).node
            found = value_of(int(solved.labels[place]), True).value
            assert found == sign[node] * values[node], (seed, node)


def test_layers_alone_change_no_value():
    """Nothing is settled before the end."""
    plain = {name: getattr(prunus.Game, name) for name in ("settled", "unsettled")}
    for seed in range(amount(20, 200)):
        game = heights(seed, type("Plain", (Heights,), plain))
        game.gain[:] = 0
        positions = number_positions(game, compile=False)
        solved = solve_positions(positions, compile=False, outcomes=False)
        wanted = naive.scores(game, game.initial())
        for place in range(len(positions)):
            found = value_of(int(solved.labels[place]), True).value
            assert found == wanted[positions.state(place)], seed


def test_a_build_goes_on_after_any_layer():
    """Whatever labels the next layers had been given."""
    for seed in range(amount(5, 40)):
        positions, kept = number_positions(heights(seed), compile=False), []
        whole = solve_positions(
            positions, compile=False, keep=lambda begun, kept=kept: kept.append(begun.told)
        )
        layers = np.array([positions.state(i).node for i in range(len(positions))])
        layers = np.array(positions.game.height)[layers]
        for told in kept:
            labels = whole.labels.array.copy()
            labels[layers > told] ^= 5
            again = solve_positions(positions, compile=False, begun=Begun(labels, told))
            assert again.labels.array.tobytes() == whole.labels.array.tobytes(), (seed, told)


def test_moves_that_have_no_room_in_a_list_are_made_again(monkeypatch):
    """Some of them, all, or all because memory is limited."""

    def limited(doing, number):
        if doing == LISTING:
            raise MemoryLimitError("enough")

    rooms = []
    for seed in range(amount(8, 80)):
        positions = number_positions(heights(seed), compile=False)
        whole = solve_positions(positions, compile=False)
        for more, watch in ((0.5, None), (0.0, None), (listing.MORE, limited)):
            monkeypatch.setattr(listing, "MORE", more)
            again = solve_positions(positions, compile=False, watch=watch)
            assert again.labels.array.tobytes() == whole.labels.array.tobytes(), (seed, more)
        monkeypatch.undo()
        solve_positions(
            positions,
            compile=False,
            watch=lambda doing, number: rooms.append(number) if doing == LISTING else None,
        )
    assert max(rooms) > 20


def test_every_edge_to_a_higher_layer_is_found():
    """A layer that is wrong for one node is refused, or changes no value; compiled, in two
    threads."""
    refused = same = 0
    for seed in range(amount(40, 300)):
        draw, right, wrong = random.Random(seed), heights(seed), heights(seed)
        node = draw.randrange(len(wrong.height))
        wrong.height[node] = max(0, wrong.height[node] + draw.choice([-2, 1, 2, 5]))
        wanted = solve_positions(number_positions(right, compile=False), compile=False)
        listed = number_positions(wrong, compile=False)
        try:
            found = solve_positions(listed, threads=2)
        except DatabaseError as error:
            assert "raises the layer of node=" in str(error) or "the layer stays" in str(error)
            refused += 1
        else:
            assert found.labels.array.tobytes() == wanted.labels.array.tobytes(), seed
            same += 1
    assert refused > 5 and same > 5


def wrong_awari(**methods):
    return type("Wrong", (Awari,), {"bounds": prunus.Game.bounds, **methods})(2, 5)


def swapped(self, state):
    """Something else than a position without its lead: two pits are exchanged."""
    return state._replace(mine=state.mine >> 8 | (state.mine & 255) << 8, lead=0)


@pytest.mark.parametrize(
    ("methods", "message", "fault"),
    [
        ({"layer": lambda self, s: 5 - Awari.layer(self, s)}, "raises the layer of", "layer"),
        ({"layer": lambda self, s: 1}, "the layer stays 1; it must be lowered", "layer"),
        ({"layer": lambda self, s: self.count(s.mine)}, "raises the layer of", "layer"),
        ({"layer": lambda self, s: -1}, "layer gives -1", "layer"),
        ({"layer": lambda self, s: 1 << 16}, "layer gives 65536", "layer"),
        ({"unsettled": lambda self, s: s}, "leads back", "rank"),
        ({"settled": lambda self, s: s.lead + 1}, "is to be unsettled", "settled"),
        ({"settled": lambda self, s: 2 * s.lead}, None, "settled"),
        ({"unsettled": swapped}, None, "unsettled"),
    ],
)
def test_wrong_layers_and_settled_points_are_found(methods, message, fault):
    game = wrong_awari(**methods)
    if message:
        with pytest.raises(DatabaseError, match=message):
            solve_positions(rank_positions(game, compile=False), compile=False)
    report = check(game, games=5, compile=False)
    assert [finding.kind for finding in report.findings if finding.level == "fault"] == [fault]


def test_what_is_missing_or_impossible_is_refused():
    for name in ("settled", "unsettled", "layer"):
        lacking = type("Lacking", (Heights,), {name: getattr(prunus.Game, name)})
        with pytest.raises(DatabaseError, match="needs both, and layer"):
            expect_values_of_positions(heights(3, lacking))
    with pytest.raises(DatabaseError, match="not wins, draws and losses"):
        positions = number_positions(heights(3), compile=False)
        solve_positions(positions, outcomes=True, compile=False)


def test_a_position_without_an_action_that_is_no_end_is_refused():
    positions = number_positions(heights(3), compile=False)
    positions.game = heights(3, type("Dead", (Heights,), {"is_terminal": lambda self, s: False}))
    with pytest.raises(SearchError, match="is not terminal but has no action"):
        solve_positions(positions, compile=False)


def test_numbers_without_a_position_are_refused_where_all_are_promised():
    class Gaps(Awari):
        def rank_count(self):
            return 2 * Awari.rank_count(self)

        def rank(self, state):
            return 2 * Awari.rank(self, state)

        def unrank(self, number):
            return Awari.unrank(self, number // 2)

    with pytest.raises(DatabaseError, match="every_rank promises"):
        rank_positions(Gaps(2, 3), compile=False)
    assert len(rank_positions(Gaps(2, 3), Gaps(2, 3).initial(), compile=False)) > 3


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The database of Awari on 2 pits with up to 6 stones."""
    folder = tmp_path_factory.mktemp("awari") / "db"
    game = Awari(2, 6)
    work = Work(compile=False, often=0.0)
    manifest = build_database(game, None, folder, Asked("awari:pits=2,stones=6", "", "b"), work)
    assert manifest["positions"] == 210 and manifest["scored"]
    return Database(folder, game)


def test_a_database_adds_what_is_settled(made):
    game = made.game
    for place in range(len(made)):
        state = made.positions.state(place)
        left = game.stones - game.layer(state)
        for lead in {-left, 0, left}:
            settled = state._replace(lead=lead, turn=1)
            assert made.probe(settled).value == made.probe(state).value + lead
            assert made.value(settled) == made.probe(settled).value
            moves = made.moves(settled)
            assert not moves or moves[0][1].value == made.probe(settled).value
            assert representative(game, settled) == state
    assert verify_database(made, compile=False) == []
    found, number = find_positions(made, Query(score=2, only_move=True), compile=False)
    for state in found:
        worth = [value.value for _, value in made.moves(state)]
        assert worth.count(2) == 1 == worth.index(2) + 1
    assert number == len(found) > 5


def test_search_agrees_where_it_ends(made):
    """Positions that are searched to the end, repetitions included, from each with a lead of 1."""
    game, proved, circling = made.game, 0, 0
    for place in range(len(made)):
        state = made.positions.state(place)
        if game.layer(state) > 5 or game.is_terminal(state):
            continue
        state = state._replace(lead=1)
        found = prunus.analyze(game, state, depth=14, algorithm="alphabeta", compile=False)
        if found.proved:
            proved += 1
            assert found.value == made.probe(state).value, game.format(state)
            circling += made.probe(state).value == 1 and game.layer(state) % 2 == 1
    assert proved > 90 and circling > 0


def test_a_repetition_leaves_what_is_settled():
    """Neither player gets any of five stones that go round."""
    game = Awari(2, 9)
    for lead in (-4, 0, 3):
        state = game.parse(f"1,0 1,3 {lead} A")
        for algorithm in ("minimax", "alphabeta", "pvs"):
            found = prunus.analyze(game, state, depth=14, algorithm=algorithm, compile=False)
            assert (found.value, found.proved) == (lead, True), algorithm
        path = [state]
        for action in found.pv:
            path.append(game.result(path[-1], action))
        assert not game.is_terminal(path[-1]) and final_value(game, path) in (lead, -lead)


def test_positions_as_text():
    game = Awari(2, 6)
    assert game.format(game.initial()) == "2,2 1,1 0 A"
    for text in (
        "2,2 1,1 0",
        "2,2 1,1 1 A",
        "2,2 2,1 0 A",
        "2 1,1 0 A",
        "1,1 1,1 -3 A",
        "1,1 x,1 0 A",
    ):
        with pytest.raises(PositionError):
            game.parse(text)
    assert game.format(game.parse("1,1 1,1 -2 b")) == "1,1 1,1 -2 B"
    for pits, stones in ((1, 4), (7, 4), (6, 0), (6, 121)):
        with pytest.raises(ValueError, match="Awari has"):
            Awari(pits, stones)


def test_positions_that_can_come_up_on_a_whole_board():
    """Romein & Bal 2003 count 889,063,398,406: whoever has just moved has an empty pit, but at the
    start, and 47 stones never remain."""
    from math import comb

    def possible(stones):
        return comb(stones + 11, 11) - comb(stones + 5, 11)

    assert sum(possible(stones) for stones in range(49) if stones != 47) + 1 == 889_063_398_406
    assert Awari(6, 15).rank_count() == sum(comb(stones + 11, 11) for stones in range(16))
    assert Awari(6, 28).rank_count() == 0 < Awari(6, 27).rank_count()


def test_commands(made):
    """They show values with what is settled."""
    folder, text = str(made.folder), "0,1 1,1 2 A"
    value = made.probe(made.game.parse(text)).value
    assert value > 2
    assert command("db", "probe", folder, text).stdout == f"score {value:+}\n"
    assert f"score {value:+}" in command("db", "show", folder, text).stdout
    found = command("analyze", "awari:pits=2,stones=6", text, "--database", folder).stdout
    assert str(value) in found and "proved" in found
