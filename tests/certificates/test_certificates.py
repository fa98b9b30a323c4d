"""Certificates: the least proofs against naive ones, and a checker that finds what is wrong."""

from __future__ import annotations

import inspect
import json
import random
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import prunus
from prunus.certificates import CertificateError, certify, check, checking
from prunus.core.errors import SearchError
from prunus.games import ExplicitTree, Nim, TicTacToe
from prunus.games.catalogue import make_game
from prunus.theory.critical import fewest
from prunus.theory.trees import nested_of, random_tree
from tests.amount import amount, in_full
from tests.commands import prunus as run
from tests.databases.naive import Graph
from tests.naive import minimax_value
from tests.test_imports import imports


def random_dag(seed, most=2):
    """A random game without cycles: transpositions, extra turns, scores."""
    draw = random.Random(seed)
    nodes = draw.randint(2, 40)
    first, targets = [0], []
    for node in range(nodes):
        later = range(node + 1, min(nodes, node + 8))
        count = 0 if draw.random() < 0.15 else draw.randint(1, 4)
        targets += draw.choices(later, k=count) if later else []
        first.append(len(targets))
    numbers = (
        targets or [0],
        first,
        [draw.randint(0, 1) for _ in range(nodes)],
        [draw.randint(-most, most) for _ in range(nodes)],
    )
    return Graph(*(np.array(each, np.int64) for each in numbers))


def naive_fewest(game, state, is_own, bound):
    """The leaves of the least proof, without memory; infinity if there is none."""
    if game.is_terminal(state):
        worth = game.utility(state)
        return 1 if (worth >= bound if is_own else worth <= bound) else float("inf")
    below = []
    for action in game.actions(state):
        child = game.result(state, action)
        keeps = game.keeps_turn(state, child)
        below.append(naive_fewest(game, child, is_own == keeps, bound if keeps else -bound))
    return min(below) if is_own else sum(below)


def written(tmp_path, spec, position=""):
    """The path of a certificate, and what it contains."""
    path = tmp_path / "proof.json"
    run("certify", spec, position, "--out", str(path), "--backend", "interpreted")
    return path, json.loads(path.read_text())


def refusal(path, content):
    """What the checker says about a changed certificate."""
    path.write_text(json.dumps(content))
    with pytest.raises(CertificateError) as raised:
        check(path)
    return str(raised.value)


# The least proofs.


@pytest.mark.parametrize("seed", range(amount(60, 600)))
def test_the_least_proofs_of_random_games(seed):
    game = random_dag(seed)
    root = game.initial()
    made = certify(game, compile=False)
    assert made.value == minimax_value(game, root)
    sides = [naive_fewest(game, root, is_own, made.value) for is_own in (True, False)]
    assert [made.least.leaves_at_least, made.least.leaves_at_most] == sides
    assert made.leaves == sum(sides) - 1


def test_the_least_critical_tree_is_the_one_of_the_theory():
    for seed in range(amount(30, 300)):
        tree = random_tree(random.Random(seed), 5, 3, 4)
        assert certify(ExplicitTree.from_nested(nested_of(tree)), compile=False).leaves == fewest(
            tree
        )


def test_compiled_and_interpreted_certificates_are_equal():
    for game in (Nim((1, 2, 2), misere=True), TicTacToe()):
        one, other = (certify(game, compile=compile) for compile in (True, False))
        assert (one.value, one.sizes()) == (other.value, other.sizes())
        assert (one.at_least, one.at_most) == (other.at_least, other.at_most)


class Words(prunus.Game):
    """States that are texts: players append letters; three of them end the game."""

    interpreted_only = True

    def initial(self):
        return ""

    def actions(self, state):
        return range(2)

    def result(self, state, action):
        return state + "ab"[action]

    def is_terminal(self, state):
        return len(state) == 3

    def utility(self, state):
        return state.count("b") - state.count("a")

    def key(self, state):
        return prunus.u64(hash(state) & 0xFFFFFFFF)


def test_states_that_are_no_numbers():
    made = certify(Words())
    assert (made.value, made.positions) == (minimax_value(Words(), ""), 15)
    assert made.leaves == fewest_of_uniform(2, 3)


def fewest_of_uniform(degree, height):
    return degree ** (-(-height // 2)) + degree ** (height // 2) - 1


# What is shown in the documentation.


@pytest.mark.parametrize(
    ("spec", "position", "value"),
    [
        ("tic-tac-toe", "", 0),
        ("nim:misere=true", "1,2,2", 1),
        pytest.param("connect-four:width=4,height=4", "", 0, marks=in_full),
        pytest.param("connect-four:width=5,height=4", "", 0, marks=in_full),
        pytest.param("othello:size=4", "", -10, marks=in_full),
    ],
)
def test_certificates_of_real_games_are_right(tmp_path, spec, position, value):
    path = tmp_path / "proof.json"
    run("certify", spec, position, "--out", str(path))
    assert check(path)["value"] == value
    found = prunus.solve(make_game(spec), position or None)
    assert (found.value, found.proved) == (value, True)
    told = run("certify", "--check", str(path)).stdout
    assert f"checked; {spec} {position or 'start'}: the value is {value} for" in told


# What the checker finds.


def test_a_changed_value_is_found(tmp_path):
    path, content = written(tmp_path, "tic-tac-toe", "XO./.X./..O")
    for wrong in {-1, 0, 1, 0.5, float("nan")} - {content["value"]}:
        assert "MAX gets" in refusal(path, content | {"value": wrong})


def test_every_dropped_action_is_found(tmp_path):
    path, content = written(tmp_path, "nim:misere=true", "1,2,2")
    dropped = 0
    for side in ("at least", "at most"):
        for number, moves in enumerate(content[side]):
            for action in moves:
                nodes = list(content[side])
                nodes[number] = {name: to for name, to in moves.items() if name != action}
                assert "at node" in refusal(path, content | {side: nodes})
                dropped += 1
    assert dropped > 20


def test_every_illegal_action_and_every_wrong_child_is_found_or_proves_as_much(tmp_path):
    path, content = written(tmp_path, "nim:misere=true", "1,2,2")
    refused = 0
    for side in ("at least", "at most"):
        for number, moves in enumerate(content[side]):
            for action, child in moves.items():
                nodes = list(content[side])
                nodes[number] = {**moves, "99": child}
                assert "illegal" in refusal(path, content | {side: nodes})
                for other in range(len(nodes)):
                    nodes[number] = {**moves, action: other}
                    if other != child:
                        refusal(path, content | {side: nodes})
                        refused += 1
    assert refused > 100


def test_a_cycle_is_found(tmp_path):
    path, content = written(tmp_path, "nim", "3,4")
    nodes = list(content["at least"])
    number = next(n for n, moves in enumerate(nodes) if n > 2 and moves)
    for back in (number, 0):
        nodes[number] = dict.fromkeys(content["at least"][number], back)
        assert "leads to no later node" in refusal(path, content | {"at least": nodes})


def test_missing_and_superfluous_nodes_are_found(tmp_path):
    path, content = written(tmp_path, "nim", "3,4")
    nodes = content["at least"]
    assert "it is missing" in refusal(path, content | {"at least": []})
    assert "it is missing" in refusal(path, content | {"at least": nodes[:-1]})
    assert "no action leads to it" in refusal(path, content | {"at least": [*nodes, {}]})
    end = nodes.index({})
    more = [*nodes[:end], {"0": len(nodes)}, *nodes[end + 1 :], {}]
    assert "the game is over" in refusal(path, content | {"at least": more})


@pytest.mark.parametrize(
    "content", [[], {}, "no JSON", {"game": "nim", "position": "", "value": 1, "at least": [[]]}]
)
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "other.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(CertificateError, match="is no certificate"):
        check(path)
    run("certify", "--check", str(path), status=2)


def test_the_checker_uses_the_rules_alone():
    known = {name for name in imports(Path(checking.__file__)) if name.startswith("prunus.")}
    assert {name.rpartition(".")[0] for name in known} - {"prunus"} <= {
        "prunus.adapters",
        "prunus.core",
        "prunus.core.errors",
        "prunus.core.game",
    }


def test_the_documentation_shows_the_checker_as_it_stands():
    page = Path(__file__).parents[2] / "docs" / "certificates.md"
    for part in (checking.check_strategy, checking.expect):
        assert inspect.getsource(part).rstrip() in page.read_text()


# What is refused.


class Circle(prunus.Game):
    """Two nodes that lead to each other, or out."""

    class State(NamedTuple):
        at: prunus.u8

    def initial(self):
        return self.State(0)

    def actions(self, state):
        return range(2)

    def result(self, state, action):
        return self.State(2 if action else 1 - state.at)

    def is_terminal(self, state):
        return state.at == 2

    def utility(self, state):
        return 1


@pytest.mark.parametrize("compile", [False, True])
def test_games_with_cycles_are_refused(compile):
    with pytest.raises(SearchError, match="has cycles: play can come back to at="):
        certify(Circle(), compile=compile)


def test_rules_of_repetition_and_three_players_are_refused(tmp_path):
    for spec in ("three-mens-morris", "podium-nim", "chess"):
        done = run("certify", spec, "--out", str(tmp_path / "no.json"), status=2)
        assert "certificates are for games of two players without cycles" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_positions_without_an_action_are_named():
    class Stuck(Circle):
        def actions(self, state):
            return range(1, 2) if state.at == 0 else range(0)

        def is_terminal(self, state):
            return False

    with pytest.raises(SearchError, match="at=2 is not terminal but has no action"):
        certify(Stuck(), compile=False)


def test_what_is_asked_for_must_be_said(tmp_path):
    assert "what is to be certified?" in run("certify", status=2).stderr
    assert "where to?" in run("certify", "nim", status=2).stderr
    both = run("certify", "nim", "--check", str(tmp_path / "a.json"), status=2)
    assert "what is to be certified?" in both.stderr


def test_ctrl_c_ends_it(tmp_path):
    def interrupt(doing, number):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        certify(Nim((3, 4)), watch=interrupt)
