"""The options that only players use: each changes what is searched, and respects what it must."""

from __future__ import annotations

from types import SimpleNamespace
from typing import NamedTuple

import pytest

import prunus
from prunus import Game, u8
from prunus.core.game import INFINITY
from prunus.core.knowledge.tactics import ASPECTS
from prunus.engine.correction import LIMIT, corrected, learn_error
from prunus.engine.learning import ASPECT_SLOTS
from prunus.engine.options import Options
from prunus.engine.picking import HINT, NOISY, drop_quiet
from prunus.games import ConnectFour
from prunus.tables.busy import PUT_OFF
from prunus.tables.transposition import NO_ACTION, TranspositionTable


class Weighed(ConnectFour):
    """Connect Four with an evaluation, and with all that the options ask for."""

    def evaluate(self, state):
        theirs = state.mine ^ state.mask
        return (
            (state.mine & 0x21345).bit_count()
            + 2 * (state.mine & 0x0C0C0).bit_count()
            - (theirs & 0x13425).bit_count()
            - 2 * (theirs & 0x081C0).bit_count()
        )

    def pass_turn(self, state):
        return self.State(state.mine ^ state.mask, state.mask)

    def action_class(self, state, action):
        return action

    aspects = 2

    def aspect(self, state, number):
        return (state.mine >> 7 * number) & 127

    def wins_exchange(self, state, action, least):
        return action > 1 or least < -2


BASE = {"gravity": True, "history": True, "killers": True, "etc": 0, "iid": 0}
CUT = {"reverse_futility": 2, "late_pruning": 1, "null_move": 1}


def searched(depth, **options):
    return prunus.analyze(
        Weighed(5, 4),
        depth=depth,
        options={**BASE, **options},
        compile=False,
        book=False,
    )


@pytest.mark.parametrize(
    ("option", "needs", "depth"),
    [
        ({"continuation": True}, {}, 7),
        ({"correction": True}, {"reverse_futility": 2}, 7),
        ({"iir": 3}, {}, 6),
        ({"exchanges": 1}, {}, 6),
        ({"improving": True}, CUT, 7),
        ({"null_verify": 1}, {"null_move": 1}, 6),
        ({"multi_cut": 1}, {}, 9),
    ],
)
def test_each_option_changes_what_is_searched(option, needs, depth):
    without, found = searched(depth, **needs), searched(depth, **needs, **option)
    assert found.statistics.nodes != without.statistics.nodes
    if Options(**option).is_selective():
        assert not found.proved


def test_continuation_history_changes_no_value():
    for depth in (3, 5, 6):
        assert searched(depth, continuation=True).value == searched(depth).value


class Wide(Weighed):
    """The same, with evaluations that are small beside the values of finished games."""

    def bounds(self, state):
        return (-1000, 1000)


def test_corrections_follow_the_errors_of_the_evaluation():
    """Positions that share an aspect with one that was underrated are rated higher, others are
    not; and no correction makes a won game of an estimate."""
    game = Wide(5, 4)
    start = game.initial()
    alike, other = (game.result(start, action) for action in (0, 2))
    memory = SimpleNamespace(
        correction=True,
        correction_weight=[0] * (ASPECTS * ASPECT_SLOTS),
        haste=0,
        ply=1,
        static=[0, 5],
    )
    elsewhere = other._replace(mine=0x5A5A5)

    def learn(value, action, times=1):
        for _ in range(times):
            learn_error(game, alike, 4, value, action, 50, memory)
        return corrected(game, alike, 5, memory)

    assert learn(4, 1) < 5
    assert learn(60, 1, 40) > 5
    high = corrected(game, alike, 5, memory)
    assert corrected(game, elsewhere, 5, memory) == 5
    assert learn(9, NO_ACTION) == high, "at most 9 is no news of a position worth 5"
    memory.static[1] = -INFINITY
    assert learn(-60, 1) == high, "nothing is learnt in check"
    memory.correction_weight[:] = [LIMIT] * len(memory.correction_weight)
    low, most = game.bounds(alike)
    assert low < corrected(game, alike, most - 1, memory) < most


def test_hopeless_actions_go_but_not_checks_losing_captures_and_what_was_put_off():
    game = SimpleNamespace(gives_check=lambda state, action: action == 4)
    memory = SimpleNamespace(
        stack_action=[1, 2, 3, 4, 5, 6, 7],
        stack_score=[HINT, 50, 40, 30, 20, -NOISY + 10, PUT_OFF],
        stack_top=7,
    )
    drop_quiet(game, None, 2, memory)
    assert memory.stack_action[: memory.stack_top] == [1, 2, 4, 6, 7]
    assert memory.stack_score[: memory.stack_top] == [HINT, 50, 30, -NOISY + 10, PUT_OFF]


class Circle(Game):
    """A walk around four places, from which nobody can turn aside; it counts for whoever is on
    move."""

    repetition = "draw"
    repetition_count = 3

    class State(NamedTuple):
        place: u8

    def initial(self):
        return self.State(0)

    def actions(self, state):
        yield 1

    def result(self, state, action):
        return self.State((state.place + action) % 4)

    def is_terminal(self, state):
        return False

    def utility(self, state):
        return 0

    def bounds(self, state):
        return (-100, 100)

    def evaluate(self, state):
        return 5


def test_the_first_repetition_within_the_search_may_count():
    def value(depth, **options):
        return prunus.analyze(Circle(), depth=depth, options=options, compile=False).value

    assert value(4) == 5
    assert value(8) == 0
    assert value(4, twofold=True) == 0
    assert value(3, twofold=True) == -5


@pytest.mark.parametrize(("past", "value"), [((0, 1, 2, 3), 5), ((), 5)])
def test_what_was_played_must_come_twice(past, value):
    """A position of the game itself counts once it comes up the third time."""
    game = Circle()
    position = prunus.Position(game.State(0), tuple(game.State(place) for place in past))
    found = prunus.analyze(game, position, depth=2, options={"twofold": True}, compile=False)
    assert found.value == value


def test_a_player_keeps_what_it_has_learnt_of_actions():
    game = Weighed(5, 4)

    def searches(loose, **options):
        """The nodes of a search, of another one with an empty table, and of one that has forgotten
        everything."""
        table = TranspositionTable(1, game, game.initial(), loose=loose)
        found = []
        for forget in (table.words.forget, table.clear, table.clear):
            result = prunus.analyze(
                game, depth=6, options={**BASE, **options}, compile=False, table=table, book=False
            )
            found.append((result.value, result.statistics.nodes))
            forget()
        return found

    first, second, third = searches(True, lasting=True)
    assert first == third
    assert first[0] == second[0]
    assert first[1] != second[1]
    assert searches(True) == searches(False, lasting=True) == [first] * 3
