"""Backward analysis by `predecessors`, against that by stored moves and a naive solver; and what
`check` says of predecessors that are wrong."""

from __future__ import annotations

import numpy as np
import pytest

import prunus
from prunus.checking import check
from prunus.databases import consistency, unmoving
from prunus.databases.backward import solve_positions
from prunus.databases.errors import DatabaseError
from prunus.databases.labels import value_of
from prunus.databases.numbering import number_positions
from prunus.databases.ranking import rank_positions
from prunus.databases.waves import Begun
from tests.amount import amount
from tests.databases import naive


class Backwards(naive.RankedGraph):
    """A random graph whose nodes know the edges that lead to them. Each node has a twin, which is
    the same position; edges lead to either."""

    def __init__(self, targets, first, mover, worth, start=0):
        super().__init__(targets, first, mover, worth, start)
        self.count = len(mover)
        edges = [
            (int(targets[edge]), node)
            for node in range(self.count)
            for edge in range(int(first[node]), int(first[node + 1]))
        ]
        edges.sort()
        self.sources = np.array([source for _, source in edges] or [0], np.int64)
        targets_in_order = [target for target, _ in edges]
        self.before = np.searchsorted(targets_in_order, np.arange(self.count + 1))

    def canonical(self, state):
        return self.State(state.node % self.count)

    def result(self, state, action):
        return self.State(self.targets[action] + self.count * (action % 2))

    def to_move(self, state):
        return self.mover[state.node % self.count]

    def actions(self, state):
        node = state.node % self.count
        return range(self.first[node], self.first[node + 1])

    def is_terminal(self, state):
        node = state.node % self.count
        return self.first[node] == self.first[node + 1]

    def utility(self, state):
        return self.worth[state.node % self.count]

    def predecessors(self, state):
        for place in range(self.before[state.node], self.before[state.node + 1]):
            yield self.State(self.sources[place] + self.count * (place % 2))


class Forwards(Backwards):
    predecessors = prunus.Game.predecessors


def backwards(seed, kind=Backwards, most=1, alternate=False):
    """A random graph; if players alternate, the game leaves it to the rules to say so."""
    like = naive.random_graph(seed, most, alternate=alternate)
    if alternate:
        kind = type(f"Alternating{kind.__name__}", (kind,), {"to_move": prunus.Game.to_move})
    return kind(like.targets, like.first, like.mover, like.worth)


def solved(game, numbered=number_positions, compile=False, **options):
    positions = numbered(game, compile=compile)
    return solve_positions(positions, outcomes=True, compile=compile, **options)


def test_values_are_those_by_stored_moves(monkeypatch):
    longest, drawn = 0, 0
    for seed in range(amount(80, 800)):
        monkeypatch.setattr(unmoving, "PREDECESSORS_HELD", (1, 3, 32)[seed % 3])
        game = backwards(seed)
        assert game.has_predecessors and not backwards(seed, Forwards).has_predecessors
        outcomes = naive.outcomes(game, game.initial())
        wanted = {game.canonical(state): value for state, value in outcomes.items()}
        for numbered in (number_positions, rank_positions):
            found = solved(game, numbered)
            stored = solved(backwards(seed, Forwards), numbered)
            assert found.labels.array.tobytes() == stored.labels.array.tobytes(), seed
            for place in range(len(found.positions)):
                value = value_of(int(found.labels[place]), False)
                assert value == wanted[found.positions.state(place)], seed
                longest = max(longest, value.plies or 0)
                drawn += value.value == 0
    assert longest > 10 and drawn > 100


def test_scores_need_no_predecessors():
    """Whether there are any is known once all ends have been seen."""
    scored = 0
    for seed in range(amount(20, 200)):
        found, stored = (
            solve_positions(
                number_positions(backwards(seed, kind, 3), compile=False), compile=False
            )
            for kind in (Backwards, Forwards)
        )
        assert (found.ends, found.scored) == (stored.ends, stored.scored)
        assert found.labels.array.tobytes() == stored.labels.array.tobytes(), seed
        scored += found.scored
    assert scored > 5


@pytest.mark.parametrize("held", [1, 3, 64])
def test_values_where_players_alternate(held, monkeypatch):
    """A number is turned back into a position only where that can change something."""
    monkeypatch.setattr(unmoving, "PREDECESSORS_HELD", held)
    monkeypatch.setattr(unmoving, "LOOKED_AT_ONCE", 16 if held == 3 else 1)
    decided = 0
    for seed in range(amount(30, 300)):
        stored = solved(backwards(seed, Forwards, alternate=True), rank_positions)
        for kind in (Backwards, Unreal):
            game = backwards(seed, kind, alternate=True)
            assert game.alternates
            found = solved(game, rank_positions)
            assert found.labels.array.tobytes() == stored.labels.array.tobytes(), (seed, kind)
        decided += int(np.count_nonzero(stored.labels.array & 3))
    assert decided > 200


class Unreal(Backwards):
    """Before each node there is also something else that no action leads to, with the number of a
    node."""

    def to_move(self, state):
        if state.node >= 2 * self.count:
            raise ValueError("this is no position")
        return Backwards.to_move(self, state)

    def canonical(self, state):
        return state if state.node >= 2 * self.count else Backwards.canonical(self, state)

    def rank(self, state):
        return Backwards.rank(self, self.State(state.node % self.count))

    def predecessors(self, state):
        yield self.State(2 * self.count + (7 * state.node + 3) % self.count)
        for before in Backwards.predecessors(self, state):
            yield before


@pytest.mark.parametrize("compiled", [False, True])
def test_what_is_no_position_is_told_nothing(compiled):
    for seed in range(amount(40, 300) if not compiled else 2):
        found = solved(backwards(seed, Unreal), rank_positions, None if compiled else False)
        stored = solved(backwards(seed, Forwards), rank_positions)
        assert found.labels.array.tobytes() == stored.labels.array.tobytes(), seed


@pytest.mark.parametrize("listed", [False, True])
def test_compiled_in_two_threads(listed, monkeypatch):
    """Whether those decided last are listed or looked for."""
    monkeypatch.setattr(unmoving, "FEW", 1000 if listed else 1)
    monkeypatch.setattr(unmoving, "PART", 1 if listed else 1000)
    for seed in range(amount(3, 100)):
        positions = number_positions(backwards(seed), compile=False)
        found = solve_positions(positions, outcomes=True, threads=2)
        stored = solved(backwards(seed, Forwards))
        assert found.labels.array.tobytes() == stored.labels.array.tobytes(), seed


def test_a_build_goes_on_after_any_wave():
    """Whatever labels the next wave had given, and whoever the witnesses were."""
    waves = 0
    for seed in range(amount(10, 80)):
        kept = []
        whole = solved(
            backwards(seed),
            keep=lambda begun, kept=kept: kept.append((begun.labels.copy(), begun.told)),
        )
        for labels, told in kept:
            later = labels.copy()
            later[later & 3 == 0] = 77 << 2
            decided = (whole.labels.array & 3 > 0) & (whole.labels.array >> 2 == told + 1)
            later[decided] = whole.labels.array[decided]
            for begun in (labels, later):
                again = solved(backwards(seed), begun=Begun(begun.copy(), told))
                assert again.labels.array.tobytes() == whole.labels.array.tobytes(), (seed, told)
            waves += 1
    assert waves > 20


class Lacking(Backwards):
    """The first position before another is left out."""

    def predecessors(self, state):
        for place in range(self.before[state.node] + 1, self.before[state.node + 1]):
            yield self.State(self.sources[place])


class Adding(Backwards):
    """The node itself is added, though no edge leads from it to it."""

    def predecessors(self, state):
        yield state
        for place in range(self.before[state.node], self.before[state.node + 1]):
            yield self.State(self.sources[place])


def test_values_that_do_not_follow_end_the_build(monkeypatch):
    """Wrong predecessors give an error, or change nothing."""
    looked = []
    look = consistency.check_position
    monkeypatch.setattr(
        consistency,
        "check_position",
        lambda game, index, memory: looked.append(index) or look(game, index, memory),
    )
    stopped = 0
    for seed in range(amount(60, 600)):
        try:
            found = solved(backwards(seed, Lacking))
        except DatabaseError as error:
            assert "does not follow from the positions after it" in str(error)
            stopped += 1
            continue
        assert found.labels.array.tobytes() == solved(backwards(seed)).labels.array.tobytes()
    assert stopped > 10
    looked.clear()
    count = len(solved(backwards(3)).positions)
    assert looked == list(range(count))
    monkeypatch.setattr(consistency, "SAMPLE", count // 2)
    looked.clear()
    solved(backwards(3))
    assert looked == list(range(0, count, 2))


@pytest.mark.parametrize(
    ("kind", "message"), [(Lacking, "does not give"), (Adding, "no action leads")]
)
def test_wrong_predecessors_are_found(kind, message):
    wrong = 0
    for seed in range(30):
        right = check(backwards(seed), games=20, compile=False).findings
        if any(finding.kind == "result" for finding in right):
            continue  # an edge from a node to itself is a fault of its own
        assert not [finding for finding in right if finding.level == "fault"], seed
        for finding in check(backwards(seed, kind), games=20, compile=False).findings:
            if finding.level == "fault":
                assert finding.kind == "predecessors" and message in finding.message, seed
                wrong += 1
    assert wrong > 5
