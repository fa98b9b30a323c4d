"""What a move of a game costs besides its search: nothing that grows with the game."""

from __future__ import annotations

import pytest

from prunus.core.copies import changed
from prunus.core.position import Position, Walk, read_position
from prunus.core.state import StateLayout
from prunus.engine.options import Options
from prunus.games import Chess, Nim, TicTacToe
from prunus.kernel.code.rules import Rules
from prunus.kernel.columns import StateView
from prunus.play.protocols.brain import Brain
from prunus.run import report
from prunus.run.driver import iterations, steps
from prunus.run.limits import Limit, Stop
from prunus.run.request import Request
from prunus.tables.transposition import TranspositionTable
from tests.amount import in_full


@pytest.fixture
def counted(monkeypatch):
    """How often the methods of a class have been called."""
    counts: dict[str, int] = {}

    def count(cls, name):
        method = getattr(cls, name)

        def counting(*args):
            counts[name] = counts.get(name, 0) + 1
            return method(*args)

        monkeypatch.setattr(cls, name, counting)
        return counts

    return count


@in_full
def test_a_move_costs_no_more_late_in_a_game(counted):
    game = Chess()
    game.freeze()
    position = read_position(game, "e3 e6 d3 d6 c3 c6 b3 b6 a3 a6 h3 h6 g3 g6 f3 f6")
    table = TranspositionTable(1, game, game.initial(), loose=True)

    def search(at: Position) -> None:
        for _ in iterations(
            game,
            at,
            limit=Limit(3),
            prefer_faster=True,
            table=table,
            options=Options.for_play(game),
        ):
            pass

    search(position)
    for name in ("b1d2", "b8d7"):
        position = position.after(game, game.action_named(position.state, name))
    packed = counted(StateLayout, "pack")
    search(position)
    assert packed["pack"] <= 10


def test_an_engine_looks_at_its_rules_once_a_move(counted):
    """However many iterations a move takes: nothing between them can change the rules."""
    game = Chess()
    brain = Brain(game, Options.for_play(game), megabytes=1)
    looks = counted(Rules, "is_current")
    taken = []
    for depth in (2, 2, 6):
        looks.clear()
        for _ in brain.steps(Position(game.initial()), Limit(depth), Stop()):
            pass
        taken.append(looks.get("is_current", 0))
    assert taken[1] == taken[2]


def test_states_at_the_beginning_are_stored_once(counted):
    game = Nim()
    first, second = game.initial(), game.parse("1,2,1")
    layout = StateLayout(first)
    view = StateView(3, layout)
    counts = counted(StateLayout, "pack")
    view.begin_with((first, second))
    view.begin_with((first, second, first))
    assert counts["pack"] == 3
    # What was written over is stored again, and so is another State.
    view[1] = first
    view.begin_with((first, second))
    assert [view[0], view[1]] == [first, second]
    view.begin_with((second,))
    view.begin_with((second, first))
    assert [view[0], view[1]] == [second, first]


def test_lines_that_begin_alike_share_their_states(counted):
    game = Nim()
    state = game.initial()
    counts = counted(Nim, "result")
    walk = Walk(game, state)
    line = [next(iter(game.actions(state)))]
    for _ in range(2):
        states = walk.along(line)
        line.append(next(iter(game.actions(states[-1]))))
    made = counts["result"]
    assert made == 2
    assert walk.along(line[:1]) == states[:2]
    assert counts["result"] == made
    # A line that fails in the middle leaves nothing wrong behind.
    with pytest.raises(TypeError):
        walk.along([line[0], None])
    expected = [state]
    for action in line:
        expected.append(game.result(expected[-1], action))
    assert walk.along(line) == expected


def found(game, silence, **limits):
    """The iterations of a search that are told, and how it ended."""
    asked = Request(
        game,
        Position(game.initial()),
        "iterative-deepening",
        Limit(**limits),
        False,
        False,
        1,
        None,
        None,
        None,
        None,
        None,
    )
    told = []
    try:
        told.extend(steps(asked, 0.0, silence=silence))
    except ZeroDivisionError:
        return told, "failed"
    return told, "ended"


class Failing(TicTacToe):
    """Tic-tac-toe whose rules fail when five cells are taken."""

    def evaluate(self, state):
        return 0

    def is_terminal(self, state):
        if (state.mine | state.theirs).bit_count() == 5:
            raise ZeroDivisionError
        return super().is_terminal(state)


def test_of_iterations_in_silence_the_last_is_told():
    every, _ = found(TicTacToe(), 0.0, depth=5)
    (last,), ending = found(TicTacToe(), 60.0, depth=5)
    assert [each.depth for each in every] == [1, 2, 3, 4, 5] and ending == "ended"
    assert (last.depth, last.value, last.pv, last.best) == (
        every[-1].depth,
        every[-1].value,
        every[-1].pv,
        every[-1].best,
    )
    assert last.statistics.nodes == every[-1].statistics.nodes


def test_iterations_after_the_silence_are_told(monkeypatch):
    deepen = report.deepen

    def timed(*arguments):
        for step in deepen(*arguments):
            yield changed(step, seconds=float(step.depth))

    monkeypatch.setattr(report, "deepen", timed)
    told, _ = found(TicTacToe(), 2.5, depth=5)
    assert [each.depth for each in told] == [3, 4, 5]


def test_silence_loses_nothing_when_a_search_is_stopped_or_fails():
    nodes = found(TicTacToe(), 0.0, depth=4)[0][-1].statistics.nodes + 1
    for silence in (0.0, 60.0):
        told, ending = found(TicTacToe(), silence, nodes=nodes)
        assert (told[-1].depth, told[-1].interrupted, ending) == (4, True, "ended")
        told, ending = found(Failing(), silence)
        assert (told[-1].depth, ending) == (4, "failed")


def test_rules_that_fail_deep_in_the_game_do_not_keep_an_engine_from_loading():
    Brain(Failing(), Options(), megabytes=1, compile=False).warm_up()

    class Useless(Failing):
        def evaluate(self, state):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Brain(Useless(), Options(), megabytes=1, compile=False).warm_up()
