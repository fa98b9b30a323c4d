"""Backward analysis against a naive one, on random graphs with cycles and on games."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import prunus
from prunus import i32, u8
from prunus.core.errors import SearchError
from prunus.databases import backward, listing, moves, numbering, waves
from prunus.databases.backward import solve_positions
from prunus.databases.errors import DatabaseError
from prunus.databases.labels import ZERO, value_of
from prunus.databases.limit import MemoryLimitError
from prunus.databases.numbering import LISTING, NOTING, number_positions
from prunus.databases.parents import MOST_CHILDREN
from prunus.databases.ranking import rank_positions
from prunus.databases.waves import Begun
from prunus.games import make_game
from tests.amount import amount
from tests.databases import naive


def solved(game, threads=1, **options):
    """The value of each position by its State."""
    positions = number_positions(game, threads=threads, compile=options.get("compile"))
    found = solve_positions(positions, threads=threads, **options)
    return {
        positions.states[i]: value_of(int(found.labels[i]), found.scored)
        for i in range(len(positions))
    }


@pytest.mark.parametrize("alternate", [False, True])
def test_outcomes_of_graphs_with_cycles(alternate):
    for seed in range(amount(60, 400)):
        game = naive.random_graph(seed, 1, alternate)
        assert solved(game, 1 + seed % 2) == naive.outcomes(game, game.initial()), seed


def test_scores_of_graphs_with_cycles():
    for seed in range(amount(60, 400)):
        game = naive.random_graph(1000 + seed, 3)
        found = solved(game, 1 + seed % 2, outcomes=False)
        assert {s: v.value for s, v in found.items()} == naive.scores(game, game.initial()), seed


def test_outcomes_of_a_game_with_scores():
    for seed in range(amount(20, 100)):
        game = naive.random_graph(2000 + seed, 3)
        assert solved(game, outcomes=True) == naive.outcomes(game, game.initial()), seed


@pytest.mark.parametrize(("together", "held", "told"), [(1, 1, 1), (3, 2, 3), (7, 5, 2)])
def test_it_does_not_matter_how_many_are_looked_up_together(together, held, told, monkeypatch):
    for room, name, value in (
        (numbering, "SORTED_AT_ONCE", together),
        (moves, "POSITIONS_AT_ONCE", together),
        (moves, "CHILDREN_HELD", held),
        (waves, "TELLERS", told),
        (waves, "PARENTS_HELD", held),
        (waves, "PENDING", max(told, 2)),
    ):
        monkeypatch.setattr(room, name, value)
    for seed in range(amount(15, 200)):
        game = naive.random_graph(4000 + seed, 1, alternate=seed % 2 == 0)
        assert solved(game, compile=False) == naive.outcomes(game, game.initial()), seed
        game = naive.random_graph(4000 + seed, 3)
        found = solved(game, compile=False, outcomes=False)
        assert {s: v.value for s, v in found.items()} == naive.scores(game, game.initial()), seed


@pytest.mark.parametrize("held", [1, 3, 64])
def test_moves_that_have_no_room_in_a_list_are_made_again(held, monkeypatch):
    """Some of them, all, those after so many, or all because memory is limited, at once or when
    parents are noted."""

    def limited(*refused):
        left = list(refused)

        def watch(doing, number):
            if doing in left:
                if doing == NOTING:
                    left.remove(NOTING)  # there is room once the lists are gone
                raise MemoryLimitError("enough")

        return watch

    monkeypatch.setattr(moves, "CHILDREN_HELD", held)
    put, listed = moves.put_listed, []
    monkeypatch.setattr(moves, "put_listed", lambda *words: listed.append(1) or put(*words))
    for seed in range(amount(15, 200)):
        scored, game = seed % 2 == 0, naive.random_graph(6000 + seed, 1 + 2 * (seed % 2 == 0))
        positions = number_positions(game, compile=False)

        def labels(watch=None, scored=scored, positions=positions):
            found = solve_positions(positions, outcomes=not scored, compile=False, watch=watch)
            return found.labels.array.tobytes()

        wanted, before = labels(), len(listed)
        monkeypatch.setattr(listing, "FEW", 1)
        monkeypatch.setattr(listing, "MANY", 3)
        for more, watch in (
            (5.0, None),
            (0.5, None),
            (0.0, None),
            (5.0, limited(LISTING)),
            (5.0, limited(NOTING)),
        ):
            monkeypatch.setattr(listing, "MORE", more)
            assert labels(watch) == wanted, (seed, more)
        assert len(listed) > before or len(positions) < 5
        monkeypatch.setattr(listing, "MORE", 5.0)
        for most in (0, len(positions), 5 * len(positions)):
            before = len(listed)
            monkeypatch.setattr(moves, "MOST_LISTED", most)
            assert labels() == wanted, (seed, most)
            assert most or len(listed) == before
        monkeypatch.setattr(moves, "MOST_LISTED", listing.MOST_LISTED)
        monkeypatch.setattr(listing, "FEW", 1 << 12)
    assert listed


def begun_at(whole, told, seed, scored):
    """Labels as an interrupted wave leaves them: all that were told, and some of the next ones."""
    draw, labels = np.random.default_rng(seed), whole.copy()
    if scored:
        amounts = np.abs(labels.astype(int) - ZERO)
        next_ones = (amounts == max(amounts[amounts < told], default=0)) & (amounts > 0)
        labels[(amounts < told) & ~next_ones] = 0
    else:
        plies = labels >> 2
        next_ones = plies == told + 1
        labels[plies > told + 1] = 0
    labels[next_ones & (draw.random(len(labels)) < 0.5)] = 0
    return Begun(labels, told)


@pytest.mark.parametrize("most", [1, 3])
def test_labels_that_were_kept_are_gone_on_with(most):
    for seed in range(amount(40, 400)):
        game = naive.random_graph(3000 + seed, most)
        positions = number_positions(game, compile=False)
        kept = []
        whole = solve_positions(
            positions, compile=False, keep=lambda begun, kept=kept: kept.append(begun.told)
        )
        for told in kept:
            begun = begun_at(whole.labels.array, told, seed, whole.scored)
            again = solve_positions(positions, compile=False, begun=begun)
            assert again.labels.array.tobytes() == whole.labels.array.tobytes(), (seed, told)


def test_a_game_with_cycles():
    game = make_game("three-mens-morris")
    found = solved(game)
    wanted = naive.outcomes(game, game.initial())
    assert {game.canonical(state): value for state, value in wanted.items()} == found
    assert found[game.canonical(game.initial())] == (1, 9)


def test_more_positions_than_lists_can_name_are_refused(monkeypatch):
    positions = number_positions(make_game("tic-tac-toe"))
    monkeypatch.setattr(backward, "PLACES", 764)
    with pytest.raises(DatabaseError, match=r"765 positions; up to 764 .*--partitions"):
        solve_positions(positions)


def test_more_positions_of_a_game_that_cannot_be_split_are_refused(monkeypatch):
    positions = rank_positions(make_game("awari:stones=3"))
    monkeypatch.setattr(backward, "PLACES", 100)
    with pytest.raises(DatabaseError, match="up to 100 .* in one piece: its game cannot be split"):
        solve_positions(positions)


def test_every_position_has_its_place_and_others_have_none():
    game = make_game("tic-tac-toe")
    positions = number_positions(game)
    places = [positions.place(positions.states[i]) for i in range(len(positions))]
    assert places == list(range(765))
    late = number_positions(game, game.play(["a1", "b1"]))
    assert late.place(game.initial()) == -1


def test_the_order_of_positions_does_not_depend_on_threads():
    game = make_game("connect-four:width=4,height=4")
    one, two = number_positions(game, threads=1), number_positions(game, threads=2)
    assert one.states.array.tobytes() == two.states.array.tobytes()
    labels = [solve_positions(p, threads=n).labels.array for n, p in ((1, one), (2, two))]
    assert labels[0].tobytes() == labels[1].tobytes()


def test_positions_whose_keys_do_not_tell_them_apart():
    class Same(prunus.Game):
        class State(NamedTuple):
            left: u8
            taken: u8

        def initial(self):
            return self.State(9, 0)

        def actions(self, state):
            return range(1, min(3, state.left) + 1)

        def result(self, state, action):
            return self.State(state.left - action, state.taken * 4 + action & 255)

        def is_terminal(self, state):
            return state.left == 0

        def utility(self, state):
            return -1 if state.taken % 2 else 1

        def key(self, state):
            return 7 + state.left % 2

    game = Same()
    assert solved(game) == naive.outcomes(game, game.initial())


class ManyDraws(prunus.Game):
    """As many actions that draw as a counter has numbers, and one that loses."""

    class State(NamedTuple):
        place: u8

    def initial(self):
        return self.State(0)

    def actions(self, state):
        return range(65537) if state.place == 0 else range(1)

    def result(self, state, action):
        if state.place == 0:
            return self.State(4 if action else 1)
        return self.State(state.place + 1 if state.place < 3 else 5)

    def is_terminal(self, state):
        return state.place >= 4

    def utility(self, state):
        return 0 if state.place == 4 else -1


def test_more_draws_than_a_counter_holds():
    game = ManyDraws()
    assert solved(game)[game.initial()] == (0, None)


class Wide(prunus.Game):
    """The first player chooses among so many positions; each has one action, which goes on."""

    class State(NamedTuple):
        place: i32

    def __init__(self, width):
        self.width = width

    def initial(self):
        return self.State(0)

    def to_move(self, state):
        return 1 if 0 < state.place <= self.width or state.place == self.width + 2 else 0

    def actions(self, state):
        return range(self.width if state.place == 0 else 1)

    def result(self, state, action):
        if state.place == 0:
            return self.State(action + 1)
        return self.State(self.width + (1 if state.place <= self.width else 2))

    def is_terminal(self, state):
        return state.place == self.width + 2

    def utility(self, state):
        return 1


class WideLayer(Wide):
    """The same with all positions in one layer, so that layers count the moves."""

    def layer(self, state):
        return 1 if state.place == self.width + 2 else 0


def test_as_many_children_as_a_counter_holds():
    game = Wide(MOST_CHILDREN)
    positions = number_positions(game, compile=True)
    found = solve_positions(positions, compile=True, outcomes=True)
    assert value_of(int(found.labels[positions.place(game.initial())]), found.scored) == (-1, 3)


@pytest.mark.parametrize("kind", [Wide, WideLayer])
def test_more_children_than_a_counter_holds_are_refused(kind):
    positions = number_positions(kind(MOST_CHILDREN + 1), compile=True)
    with pytest.raises(DatabaseError, match="32,766 moves in place=0, too many"):
        solve_positions(positions, compile=True, outcomes=True)


class Dead(prunus.Game):
    """A position that is not over and has no action."""

    class State(NamedTuple):
        left: u8

    def initial(self):
        return self.State(3)

    def actions(self, state):
        if state.left > 1:
            yield 1

    def result(self, state, action):
        return self.State(state.left - action)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state):
        return -1


def test_a_position_without_actions_is_named():
    with pytest.raises(SearchError, match="left=1 is not terminal but has no action"):
        solve_positions(number_positions(Dead()))


def test_rules_whose_values_depend_on_the_past_are_refused():
    class Forbidden(naive.Graph):
        repetition = "forbidden"

    like = naive.random_graph(5, 1)
    game = Forbidden(*(like.__dict__[name] for name in ("targets", "first", "mover", "worth")))
    with pytest.raises(DatabaseError, match="repetition = 'forbidden'"):
        solve_positions(number_positions(game))
