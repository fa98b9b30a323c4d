"""Published facts, read from the folder that PRUNUS_REFERENCE names (by default beside the checkout); nothing of it is copied here."""

from __future__ import annotations

import csv
import itertools
import os
from pathlib import Path

import pytest

import prunus
from prunus.games import MNK, ConnectFour, Nim, Othello, TicTacToe
from prunus.games.nim import nim_value
from prunus.kernel.backends import call
from prunus.kernel.memory import Memory
from prunus.search.perft import perft
from tests.naive import minimax_value

FOLDER = Path(os.environ.get("PRUNUS_REFERENCE", Path(__file__).parents[2] / "shared" / "reference"))
needs_reference = pytest.mark.skipif(not FOLDER.is_dir(), reason="no reference data: set PRUNUS_REFERENCE")
pytestmark = pytest.mark.reference


def rows(name):
    with (FOLDER / name).open() as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


@needs_reference
def test_connect_four_end_positions():
    """Test_L3_R1: 1,000 positions with their exact scores, by plain alpha-beta."""
    game = ConnectFour()
    lines = (FOLDER / "connect_four" / "Test_L3_R1").read_text().split("\n")
    positions = [line.split() for line in lines if line]
    assert len(positions) == 1000
    for text, score in positions:
        assert prunus.solve(game, game.parse(text), compile=True).value == int(score), text


@needs_reference
def test_connect_four_board_values():
    """Every board of up to 20 cells."""
    checked = 0
    for row in rows("connect_four/board_values.csv"):
        width, height = int(row["width"]), int(row["height"])
        if width * height <= 20:
            found = prunus.solve(ConnectFour(width, height), algorithm="cached-minimax", compile=True).value
            assert (found > 0) - (found < 0) == int(row["value_tromp"] or row["value_steininger"]), row
            checked += 1
    assert checked >= 3


def counts_of_tic_tac_toe():
    """All the counts by walking the whole game."""
    game = TicTacToe()
    counts = dict.fromkeys(("games_total", "games_won_by_X", "games_won_by_O", "games_drawn"), 0)
    seen: dict[object, None] = {}

    def walk(state, ply):
        seen[state] = None
        if game.is_terminal(state):
            counts["games_total"] += 1
            value = game.utility(state)
            winner = "games_drawn" if value == 0 else "games_won_by_X" if ply % 2 == 1 else "games_won_by_O"
            counts[winner] += 1
            counts[f"games_ending_at_ply_{ply}"] = counts.get(f"games_ending_at_ply_{ply}", 0) + 1
            return 1
        return 1 + sum(walk(game.result(state, action), ply + 1) for action in game.actions(state))

    counts["minimax_tree_nodes_no_pruning"] = walk(game.initial(), 0)
    counts["positions_reachable_incl_empty"] = len(seen)
    counts["positions_up_to_symmetry"] = len({game.canonical(state) for state in seen})
    terminal = [state for state in seen if game.is_terminal(state)]
    counts["terminal_positions"] = len(terminal)
    counts["terminal_up_to_symmetry"] = len({game.canonical(state) for state in terminal})
    counts["terminal_draws"] = sum(game.utility(state) == 0 for state in terminal)
    return counts


@needs_reference
def test_tic_tac_toe_counts():
    published = {row["quantity"]: int(row["value"]) for row in rows("solved/tictactoe_counts.csv")}
    counts = counts_of_tic_tac_toe()
    assert counts == {name: published[name] for name in counts}
    found = prunus.analyze(TicTacToe(), algorithm="minimax", compile=True)
    assert found.statistics.nodes == published["minimax_tree_nodes_no_pruning"]
    assert (found.value, found.proved, len(found.best_moves)) == (0, True, 9)


@needs_reference
@pytest.mark.parametrize(("cells", "least"), [(8, 10), pytest.param(12, 20, marks=pytest.mark.slow)])
def test_mnk_values(cells, least):
    """Published (m,n,k) values, normal and misere, on boards of up to so many cells."""
    checked = 0
    for row in rows("solved/mnk_published.csv"):
        m, n, k = (int(row[key]) for key in "mnk")
        if m * n <= cells and row["type"] in ("normal", "misere"):
            game = MNK(m, n, k, misere=row["type"] == "misere")
            expected = {"P1": 1, "P2": -1, "Draw": 0}[row["result"]]
            assert prunus.solve(game, algorithm="cached-minimax", compile=True).value == expected, row
            checked += 1
    assert checked >= least


def lines_within(game, state, depth: int, memory) -> int:
    """The lines of `depth` plies and those on which the game is over before."""
    memory.nodes += 1
    if depth == 0 or game.is_terminal(state):
        return 1
    count = 0
    for action in game.actions(state):
        count += lines_within(game, game.result(state, action), depth - 1, memory)
    return count


@needs_reference
@pytest.mark.parametrize("depth", [*range(1, 11), pytest.param(11, marks=pytest.mark.slow), pytest.param(12, marks=pytest.mark.slow)])
def test_othello_perft(depth):
    """The file counts a game that is over as a leaf, at any depth, and as over before this depth only if it could have passed once more;
    Prunus's perft counts the lines of exactly so many plies."""
    row = next(row for row in rows("othello/perft.csv") if int(row["depth"]) == depth)
    game, memory = Othello(), Memory({"nodes": "i64"})

    def count(function, plies):
        return call(function, {"game": game, "state": game.initial(), "depth": plies, "memory": memory}, True)[0]

    assert count(lines_within, depth) == int(row["leaf_nodes"])
    over_before = count(lines_within, depth - 1) - count(perft, depth - 1)
    assert over_before == int(row["game_over_before_depth"] or 0)


def test_nim_for_all_positions_up_to_five_piles_of_seven():
    """Bouton's nim-sum, and the misere rule that flips when all piles are 1, against search."""
    for misere in (False, True):
        game = Nim(misere=misere)
        for piles in itertools.combinations_with_replacement(range(8), 5):
            found = prunus.solve(game, game.State(piles), algorithm="cached-minimax", compile=True).value
            assert found == nim_value(piles, misere), (piles, misere)


def test_misere_nim_1_2_2():
    """The only winning move takes the pile of 1."""
    game = Nim(misere=True)
    found = prunus.solve(game, game.parse("1,2,2"), all_moves=True, compile=False)
    assert (found.value, found.proved) == (1, True)
    assert [game.action_name(found.state, action) for action in found.best_moves] == ["1:1"]
    assert minimax_value(game, game.parse("1,2,2")) == 1
