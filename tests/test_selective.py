"""The selective options: the effect of each on a position where it matters, and that none of them
ever proves anything."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

import prunus
from prunus.engine.options import Options
from prunus.games import ConnectFour, ExplicitTree, RandomGame
from prunus.run import session
from prunus.run.parallel import Helpers
from prunus.tables.transposition import TranspositionTable
from tests.amount import amount, few, in_full, thinned
from tests.naive import minimax_value

HORIZON = ExplicitTree.from_json(Path(__file__).parents[1] / "examples" / "horizon.json")


def answer(depth, **options):
    found = prunus.analyze(HORIZON, algorithm="engine", depth=depth, options=options, compile=False)
    assert not (found.proved and Options.of(HORIZON, options).is_selective())
    return found.action_name(found.best), found.value


def test_the_horizon_effect_and_its_cures():
    """A loss that a shallow search does not see: it grabs; one ply deeper it delays; the right
    action is to save what can be saved."""
    assert answer(1) == ("grab", 1)
    assert answer(2) == answer(3) == ("delay", -1)
    assert answer(4) == ("save", -2)
    assert answer(1, quiescence=True, quiet=2) == ("delay", 0)
    assert answer(3, quiescence=True, quiet=2) == ("save", -2)
    assert answer(4, floyd=15) == ("save", -2)
    assert answer(4, floyd=10) == ("delay", 0)
    # The two best actions, searched deeper: between grab and delay the lesser evil; between delay
    # and save the true best.
    assert answer(1, second=3) == ("delay", -6)
    assert answer(2, second=2) == answer(3, second=1) == ("save", -2)


def test_a_second_look_is_that_of_multi_pv_searched_deeper():
    for seed in range(20):
        game = RandomGame(seed, depth=8, width=40, branching=4, values=20)
        two = prunus.analyze(game, algorithm="engine", depth=4, multi_pv=2, compile=False)
        found = prunus.analyze(
            game, algorithm="engine", depth=4, options={"second": 2}, compile=False
        )
        deeper = prunus.analyze(game, algorithm="engine", depth=6, all_moves=True, compile=False)
        values = {move.action: move.value for move in deeper.moves}
        # If several are equal, any of them may be second.
        assert (
            two.proved
            or len(values) == 1
            or (found.value == values[found.best] and found.value >= values[two.best])
        )


def test_quiescence_may_stand_pat():
    """If every noisy action loses, the player to move leaves the position as it is."""
    tree = ExplicitTree.from_json(
        '{"value": 0, "children": [{"value": 3, "children": [{"value": 9, "children": [9]}, '
        '{"value": 8, "children": [8]}]}]}'
    )
    found = prunus.analyze(
        tree, algorithm="engine", depth=1, options={"quiescence": True, "quiet": 1}, compile=False
    )
    assert found.value == 3


class Exchange(prunus.Game):
    """A sequence of captures on one square: a capture wins the piece there and exposes the
    capturer. `noisy_actions` are the captures; a player in check may not stand pat."""

    class State(NamedTuple):
        ply: prunus.u8
        checked: bool
        balance: prunus.i16

    def __init__(self, pieces=(1, 9, 3, 5), checks=False):
        self.pieces, self.checks = tuple(pieces), checks

    def initial(self):
        return self.State(0, False, 0)

    def actions(self, state):
        yield 0  # leave it
        if state.ply < len(self.pieces):
            yield 1  # take

    def noisy_actions(self, state):
        if state.ply < len(self.pieces):
            yield 1

    def result(self, state, action):
        if action == 0:
            return self.State(100, False, -state.balance)
        return self.State(state.ply + 1, self.checks, -(state.balance + self.pieces[state.ply]))

    def is_terminal(self, state):
        return state.ply >= 100

    def utility(self, state):
        return int(state.balance)

    def evaluate(self, state):
        return int(state.balance)

    def bounds(self, state):
        return (-1000, 1000)

    def in_check(self, state):
        return state.checked


@pytest.mark.parametrize("compile", few([False, True], 1))
def test_quiescence_over_noisy_actions(compile):
    game = Exchange((1, 9))
    plain = prunus.analyze(game, algorithm="engine", depth=1, compile=compile)
    quiet = prunus.analyze(
        game, algorithm="engine", depth=1, options={"quiescence": True}, compile=compile
    )
    assert plain.value == 1 and plain.best == 1
    assert quiet.value == 0 and quiet.best == 0


def test_nobody_stands_pat_in_check():
    free = prunus.analyze(
        Exchange((5, 1, 9)),
        algorithm="engine",
        depth=1,
        options={"quiescence": True},
        compile=False,
    )
    checked = prunus.analyze(
        Exchange((5, 1, 9), checks=True),
        algorithm="engine",
        depth=1,
        options={"quiescence": True},
        compile=False,
    )
    assert free.value == 5
    assert checked.value == minimax_value(Exchange((5, 1, 9), checks=True), Exchange().initial())


SELECTIVE = [
    {"beam": 1},
    {"beam": 2},
    {"reductions": 1},
    {"futility": 1},
    {"singular": 1},
    {"floyd": 8},
    {"quiescence": True, "quiet": 1},
    {"quiet_line": 2, "quiet": 3},
    {"presearch": 2},
]


@pytest.mark.parametrize("options", thinned(SELECTIVE, 4), ids=str)
def test_both_backends_agree_and_nothing_selective_is_proved(options):
    for seed in range(amount(4, 12)):
        game = RandomGame(seed, depth=7, width=30, branching=4, values=20)
        found = [
            prunus.analyze(game, algorithm="engine", depth=5, options=options, compile=c)
            for c in (False, True)
        ]
        assert (
            found[0].value == found[1].value
            and found[0].statistics.nodes == found[1].statistics.nodes
        )
        if Options.of(game, options).is_selective():
            assert not found[0].proved
        else:
            assert found[0].value == minimax_value(game, game.initial(), 5)


def test_the_users_actions_are_not_changed():
    moves = [2, 0, 1]

    class Listed(prunus.Game):
        class State(NamedTuple):
            ply: prunus.u8
            score: prunus.i16

        interpreted_only = True

        def initial(self) -> Any:
            return self.State(0, 0)

        def actions(self, state):
            return moves

        def result(self, state, action):
            return self.State(state.ply + 1, -(state.score + action))

        def is_terminal(self, state):
            return state.ply == 4

        def utility(self, state):
            return int(state.score)

    for name in ("engine", "pvs", "mtdf", "alphabeta", "sss-stockman"):
        prunus.solve(Listed(), algorithm=name)
        assert moves == [2, 0, 1]


def test_a_win_is_preferred_to_a_shallow_loss_whatever_the_scale():
    for scale in (1, 1000, 10**12):
        tree = ExplicitTree.from_nested([[[scale, scale]], -scale, [[-scale, scale]]])
        for faster in (False, True):
            if scale < 10**12 or not faster:
                found = prunus.solve(tree, algorithm="engine", prefer_faster=faster, compile=False)
                assert (found.value, found.best) == (scale, 0)


@pytest.mark.parametrize(
    "options", [{"quiescence": 1, "quiet": 30}, {"futility": 15}, {"singular": 20}], ids=max
)
def test_margins_are_on_the_scale_of_the_values(options):
    """If no line ends within reach, preferring a faster one changes nothing."""
    game = Slope()
    for start in range(12):
        state = game.State(start, 0)
        how = {
            "algorithm": "engine",
            "depth": 5,
            "options": options,
            "compile": False,
            "nodes": 50_000,
        }
        plain, faster = (
            prunus.analyze(game, state, prefer_faster=wanted, **how) for wanted in (False, True)
        )

        assert (faster.value, faster.pv, faster.interrupted) == (plain.value, plain.pv, False), (
            start
        )


def test_costs_by_rank_do_not_depend_on_threads():
    """What a second thread puts into the table would change the order of the actions, and with it
    the value."""
    game = Slope()
    for options in thinned(({"floyd": 20}, {"reductions": 2}), 2):
        one, two = (
            prunus.analyze(game, depth=4, options=options, compile=True, threads=threads)
            for threads in (1, 2)
        )
        assert (two.value, two.best, two.pv, two.statistics.nodes) == (
            one.value,
            one.best,
            one.pv,
            one.statistics.nodes,
        )


@in_full
def test_a_player_may_use_threads_whatever_its_options(monkeypatch):
    """A loose table belongs to a player, whose answers depend on earlier searches anyway."""
    game, helpers = Slope(), []

    class Counting(Helpers):
        def __init__(self, searches):
            helpers.append(len(searches))
            super().__init__(searches)

    monkeypatch.setattr(session, "Helpers", Counting)
    for loose in (False, True):
        prunus.analyze(
            game,
            depth=3,
            options={"reductions": 2},
            compile=True,
            threads=2,
            table=TranspositionTable(1, game, game.initial(), loose=loose),
        )
        assert set(helpers) == {1 if loose else 0}
        helpers.clear()


def test_floyds_costs_by_likelihood_allow_threads():
    class Likely(Slope):
        def likelihood(self, state, action):
            return 0.25

    assert Options(floyd=20).goes_by_order(Slope()) and not Options(floyd=20).goes_by_order(
        Likely()
    )
    assert not Options(null_move=2, quiescence=True).goes_by_order(Slope())


@in_full
def test_a_null_move_is_not_tried_in_check_and_saves_nodes():
    class Passing(ConnectFour):
        def pass_turn(self, state):
            return self.State(state.mine ^ state.mask, state.mask)

    plain = prunus.analyze(Passing(5, 5), algorithm="engine", depth=9, compile=True)
    null = prunus.analyze(
        Passing(5, 5), algorithm="engine", depth=9, options={"null_move": 2}, compile=True
    )
    assert not null.proved
    assert null.best is not None and plain.best is not None


def test_a_second_evaluation_takes_over_when_behind():
    class Cautious(Exchange):
        def evaluate_behind(self, state):
            return int(state.balance) - 100

    game = Cautious((1, 9))
    found = prunus.analyze(
        game, game.State(1, False, -5), "engine", 1, options={"behind": 3}, compile=False
    )
    plain = prunus.analyze(game, game.State(1, False, -5), "engine", 1, compile=False)
    assert plain.value == 4
    assert found.value == 104


@in_full
def test_probcut_is_fitted_and_cuts():
    """If the evaluation is the true value plus a little noise, a shallow search predicts a deep
    one."""
    from prunus.engine.fits import entries
    from prunus.learn.fitting import fit_probcut

    game = Slope()
    fits = fit_probcut(game, deepest=6, samples=60, compile=True)
    assert all(fit.correlation > 0.9 and 0.8 < fit.a < 1.2 for fit in fits)
    words = entries(fits)
    plain = prunus.analyze(game, algorithm="engine", depth=6, compile=True)
    cut = prunus.analyze(
        game, algorithm="engine", depth=6, options={"probcut": 10, "fit": words}, compile=True
    )
    assert not cut.proved and abs(cut.value - plain.value) < 60
    several = fit_probcut(game, deepest=6, samples=60, pairs=2, compile=True)
    assert [(fit.deep, fit.shallow) for fit in several] == [
        (3, 1),
        (4, 2),
        (5, 1),
        (5, 3),
        (6, 2),
        (6, 4),
    ]
    words = entries(several)
    multi = [
        prunus.analyze(
            game, algorithm="engine", depth=6, options={"probcut": 10, "fit": words}, compile=c
        )
        for c in (True, False)
    ]
    assert not multi[0].proved and abs(multi[0].value - plain.value) < 60
    assert (
        multi[0].value == multi[1].value and multi[0].statistics.nodes == multi[1].statistics.nodes
    )
    with pytest.raises(prunus.SearchError, match="1 to 3"):
        fit_probcut(game, pairs=4)
    with pytest.raises(prunus.SearchError, match="prunus fit probcut"):
        prunus.analyze(game, algorithm="engine", depth=4, options={"probcut": 10})
    with pytest.raises(prunus.SearchError, match="no evaluate"):
        fit_probcut(ConnectFour())


@in_full
def test_the_likelihood_of_places_is_counted():
    """If another ply changes nothing, the best action is always the first; the counts are those of
    positions with that number of actions."""
    from prunus.learn.fitting import fit_likelihood

    game = Slope()
    found = fit_likelihood(game, depth=2, samples=30, compile=True)
    assert [count for _, count in found.places] == [30] * 4 and found.said == {}
    assert abs(sum(frequency for frequency, _ in found.places) - 1) < 1e-9
    assert all(0 <= frequency <= 1 for frequency, _ in found.places)
    with pytest.raises(prunus.SearchError, match="no evaluate"):
        fit_likelihood(ConnectFour())


def test_fits_are_kept_and_read(tmp_path):
    from prunus.engine.fits import Fit, read_fits, write_fits

    fits = [Fit(4, 2, 1.1, 0.5, 3.0, 0.9, 50)]
    write_fits(tmp_path / "fit.json", {"game": "a game"}, fits, 0)
    assert read_fits(tmp_path / "fit.json") == fits
    (tmp_path / "bad.json").write_text("[]")
    with pytest.raises(prunus.SearchError, match=r"bad\.json"):
        read_fits(tmp_path / "bad.json")


class Slope(prunus.Game):
    """An endless tug of war: every action moves a score a little, equally for both sides."""

    class State(NamedTuple):
        score: prunus.i32
        ply: prunus.u16

    def initial(self):
        return self.State(0, 0)

    def actions(self, state):
        for action in range(4):
            yield action

    def result(self, state, action):
        pull = int(prunus.core.bits.mix(state.score * 4 + action + 1000 * state.ply) % 40)
        return self.State(-(state.score + pull), state.ply + 1)

    def is_terminal(self, state):
        return state.ply >= 200

    def utility(self, state):
        return int(state.score)

    def evaluate(self, state):
        return int(state.score)
