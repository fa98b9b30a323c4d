"""Each event of a trace comes when the algorithm knows what it says, and everything that it says is
true of MAX."""

from __future__ import annotations

import json

import pytest

import prunus
from prunus.algorithms.alphabeta import alphabeta
from prunus.engine.options import Options, read_options
from prunus.games import ConnectFour, ExplicitTree, Othello, PodiumNim, RandomGame
from prunus.kernel.traced import with_stand_ins
from prunus.run import recording
from prunus.run.configuration import Configuration
from prunus.run.registry import ALGORITHMS, SEVERAL, algorithm_named
from prunus.run.session import Session
from prunus.run.task import Course, Root
from prunus.run.watching import Calls
from prunus.tables.transposition import TranspositionTable
from prunus.view.events import Cut, Enter, Improve, Leave, Return, nodes_after
from tests.naive import minimax_value

TREE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
KNUTH = ExplicitTree.from_nested(TREE)
SEEDS = range(12)

WATCHED = sorted(name for name in ALGORITHMS if ALGORITHMS[name].watch)
"""Proof-number search has nodes without values, and is not traced."""


def random_game(seed):
    """With extra turns in every second one."""
    return RandomGame(seed, depth=5, passes=seed % 2)


def truth(game, node):
    """The value of a node for MAX."""
    value = minimax_value(game, node.state)
    return value if node.maximizing else -value


@pytest.mark.parametrize("name", WATCHED)
def test_values_and_windows_are_those_of_max(name):
    """A value inside the window is minimax's, one outside it is a bound; so is the best value so
    far of an unfinished node."""
    for seed in SEEDS:
        game = random_game(seed)
        found = prunus.trace(game, algorithm=name)
        for node in found.nodes:
            if node.value is None:
                continue
            exact, low, high = truth(game, node), node.alpha, node.beta
            if name == "sss-stockman":  # a merit: the value of the strategies that are still open
                assert node.value == exact or node.number > 0
            elif low is not None and node.value <= low:
                assert exact <= node.value, (seed, node)
            elif high is not None and node.value >= high:
                assert exact >= node.value, (seed, node)
            else:
                assert node.value == exact, (seed, node)


@pytest.mark.parametrize("name", [*WATCHED, *SEVERAL])
def test_events_are_in_order(name):
    several = name in SEVERAL
    for seed in range(1) if several else SEEDS:
        game = PodiumNim() if several else random_game(seed)
        found = prunus.trace(game, algorithm=name, depth=4 if several else None)
        assert [node.value for node in found.nodes if node.parent is None][-1] == found.value
        assert len(found.nodes) == found.statistics.nodes
        entered, finished, best = set(), {}, {}
        for event in found.events:
            assert event.node not in finished, "nothing happens to a node that is finished"
            if isinstance(event, Enter):
                assert event.node not in entered
                assert event.parent is None or (
                    event.parent in entered and event.parent not in finished
                )
                entered.add(event.node)
                continue
            assert event.node in entered
            if isinstance(event, Return):
                assert finished[event.child] == event.value
            elif isinstance(event, Improve):
                if best.get(event.node) is not None and name != "sss-stockman":
                    raised = event.value > best[event.node]
                    assert (
                        raised == found.nodes[event.node].maximizing
                        and event.value != best[event.node]
                    )
                best[event.node] = event.value
            elif isinstance(event, Leave):
                finished[event.node] = event.value
                assert (
                    event.node not in best
                    or name == "alphabeta-hard"
                    or best[event.node] == event.value
                )
        assert len(entered) == len(found.nodes)
        declared = algorithm_named(name).watch
        assert best or (isinstance(declared, Calls) and declared.best is None)
        assert len(finished) == len(found.nodes) or name == "sss-stockman"


@pytest.mark.parametrize("name", WATCHED)
def test_a_leaf_is_valued_when_it_has_been_entered_and_nothing_else_has_happened(name, monkeypatch):
    """When the algorithm asks for a leaf's value, the last event is that the leaf was entered."""
    recorders, asked = [], []

    class Recorder(recording.Recorder):
        def __init__(self, *given):
            super().__init__(*given)
            recorders.append(self)

    class Watched(ExplicitTree):
        def utility(self, state):
            if recorders:
                last = recorders[0].events[-1]
                assert isinstance(last, Enter) and last.state == state, last
                assert not recorders[0].nodes[last.node].is_finished
                asked.append(state)
            return super().utility(state)

    monkeypatch.setattr("prunus.run.tracing.Recorder", Recorder)
    prunus.trace(Watched.from_nested(TREE), algorithm=name)
    assert len(asked) >= 7


def test_the_first_events_show_no_more_than_was_known():
    """Alpha-beta on 3 12 8 / 2 4 6 / 14 5 2: until the second move's first leaf has been valued,
    nothing reveals a cut."""
    found = prunus.trace(KNUTH)
    returned = next(
        k
        for k, event in enumerate(found.events)
        if isinstance(event, Return) and (event.node, event.value) == (5, 2)
    )
    before = nodes_after(found.events[:returned])
    assert (before[0].low, before[0].high, before[0].is_finished) == (3, None, False)
    assert (before[5].low, before[5].high, before[5].best, before[5].pruned) == (3, None, None, ())
    kinds = [type(event) for event in found.events[returned : returned + 4]]
    assert kinds == [Return, Improve, Cut, Leave]
    after = nodes_after(found.events[: returned + 4])
    assert (after[5].best, after[5].cut, after[5].cut_by, after[5].value) == (2, "shallow", 0, 2)
    assert nodes_after(found.events) == list(found.nodes)


@pytest.mark.parametrize(
    "name", ["alphabeta", "alphabeta-hard", "alphabeta-maxmin", "open-list-alphabeta"]
)
def test_all_forms_of_alphabeta_have_the_same_windows(name):
    """Negamax or not, recursive or not; an open list has the windows of fail-soft alpha-beta, as
    far down as its bounds reach."""
    for seed in SEEDS:
        game = random_game(seed)
        one, other = prunus.trace(game), prunus.trace(game, algorithm=name)
        assert [(n.alpha, n.beta, n.maximizing, n.pruned) for n in one.nodes] == [
            (n.alpha, n.beta, n.maximizing, n.pruned) for n in other.nodes
        ]


def test_the_steps_in_words():
    assert list(prunus.trace(KNUTH).steps())[13:23] == [
        "14  1 returned 3",
        "15  alpha raised to 3: window (3, ∞)",
        "16    2: MIN to move, window (3, ∞)",
        "17      1: MAX to move, window (3, ∞)",
        "18      value 2 (terminal)",
        "19    1 returned 2",
        "20    beta lowered to 2: window (3, 2)",
        "21    not visited: 2 3: shallow cut-off: its value 2 reached the bound 3 set at the root",
        "22    value ≤2",
        "23  2 returned ≤2",
    ]
    assert " 6    best so far 3" in prunus.trace(KNUTH, algorithm="minimax").steps()


def test_events_as_json():
    data = json.loads(prunus.trace(KNUTH).to_json())
    assert data["events"][0] == {
        "event": "enter",
        "node": 0,
        "alpha": None,
        "beta": None,
        "text": "root: MAX to move, window (-∞, ∞)",
    }
    assert data["events"][-1] == {
        "event": "leave",
        "node": 0,
        "value": 3,
        "bound": "",
        "text": "value 3",
    }
    assert {event["event"] for event in data["events"]} == {
        "enter",
        "return",
        "improve",
        "cut",
        "leave",
    }


def test_payoffs_of_several_players():
    """Max^n records what a node pays each player; values are those of the player to move at the
    root. Paranoid search has two sides."""
    game = PodiumNim()
    paid = prunus.trace(game, algorithm="maxn", depth=3)
    first = game.to_move(paid.nodes[0].state)
    assert all(node.value == node.payoffs[first] for node in paid.nodes)
    for node in paid.nodes:
        assert node.maximizing == (game.to_move(node.state) == first)
        if node.children:
            mover = game.to_move(node.state)
            assert node.payoffs[mover] == max(
                paid.nodes[child].payoffs[mover] for child in node.children
            )
    assert "payoff" in {node.reason for node in prunus.trace(game, algorithm="maxn-shallow").nodes}
    against = prunus.trace(game, algorithm="paranoid", depth=3)
    for node in against.nodes:
        assert node.maximizing == (game.to_move(node.state) == first)
        if node.children and not node.pruned:
            values = [against.nodes[child].value for child in node.children]
            assert node.value == (max if node.maximizing else min)(values)


@pytest.mark.parametrize(
    "text",
    ["", "presearch=1", "iid=2", "quiescence=1,quiet=3", "reductions=2", "beam=2", "floyd=30"],
)
def test_a_trace_of_the_engine_takes_its_options(text):
    """The search is the one that is not watched: same nodes, same value."""
    game, options = Othello(4), read_options(text)
    at = game.result(game.initial(), next(iter(game.actions(game.initial()))))
    found = prunus.trace(game, at, "engine", 4, options=options)
    how = Configuration(algorithm_named("engine"), False, options=Options.of(game, options))
    table = TranspositionTable(4, game, at)
    plain = Session(game, Root(at), how, 4, Course(table)).run(4)
    assert found.value == plain.value
    assert len(found.nodes) == found.statistics.nodes == plain.counts["nodes"]
    assert any(isinstance(event, Improve) for event in found.events)


def test_options_that_do_not_go_with_a_trace_are_refused():
    for text, algorithm, says in (
        ("beam=2", "alphabeta", "only the algorithm engine"),
        ("bean=2", "engine", "did you mean beam"),
        ("beam=two", "engine", "'two'; it is a number"),
        ("second=1", "engine", "trace has no such part"),
    ):
        with pytest.raises(prunus.SearchError, match=says):
            prunus.trace(KNUTH, None, algorithm, options=read_options(text))


def test_a_trace_takes_an_evaluation():
    game = ConnectFour(4, 4)
    found = prunus.trace(game, "23", depth=1, evaluation="textbook")
    with_it = game.with_parts(evaluation="textbook")
    assert {-with_it.evaluate(node.state) for node in found.nodes[1:]} == {
        node.value for node in found.nodes[1:]
    }


def test_a_best_value_that_is_not_there_cannot_be_declared():
    """A renamed variable must not silently take `improve` out of traces."""
    with pytest.raises(TypeError, match="alphabeta has no variable 'finest' to watch"):
        Calls(nodes=(alphabeta,), best="finest")


def test_what_is_not_declared_cannot_be_watched(monkeypatch):
    from dataclasses import replace

    monkeypatch.setattr(
        "prunus.run.tracing.watched_named",
        lambda name: replace(algorithm_named(name), watch=None),
    )
    with pytest.raises(prunus.SearchError, match="alphabeta cannot be watched"):
        prunus.trace(KNUTH)


def test_stand_ins_leave_the_originals_alone():
    from prunus.algorithms import alphabeta_maxmin as module

    calls = []

    def stand_in(original, copy):
        return lambda *given: calls.append(original.__name__) or copy(*given)

    watched = with_stand_ins(module.max_value, (module.min_value,), stand_in)
    assert (
        watched is not module.max_value and watched.__globals__["min_value"] is not module.min_value
    )
    assert module.max_value.__globals__["min_value"] is module.min_value
