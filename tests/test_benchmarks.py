"""What benchmarks measure: all of them can be started, the C++ programs that they compare with
compile, the Connect Four solver does the same work as Prunus, and the plies of a number of nodes
are counted rightly."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from pathlib import Path

import benchmarks
import pytest
from benchmarks import common, depths, proof_numbers, proofs, refutations, traps

import prunus
from prunus.games.chess import Chess
from prunus.games.connect_four import ConnectFour
from prunus.games.kalah import Kalah
from prunus.games.othello import Othello
from prunus.tables.transposition import TranspositionTable
from tests.amount import in_full

FLAGS = {"uniform.cpp": ("-DDEGREE=3", "-DHEIGHT=3")}
MEGABYTES = 0.25


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(common, "BUILD", tmp_path)


@pytest.mark.parametrize("name", [each.name for each in pkgutil.iter_modules(benchmarks.__path__)])
def test_every_benchmark_can_be_started(name):
    """None of them names what has moved elsewhere; libraries that are missing they tell of when
    they run."""
    import_module(f"benchmarks.{name}")


def built(source: str) -> Path:
    """The compiled program; the test is skipped if there is no compiler."""
    try:
        return common.build(source, Path(source).stem, *FLAGS.get(source, ()))
    except common.NotMeasured as reason:
        if "does not compile" in str(reason):
            raise
        pytest.skip(str(reason))


@pytest.mark.parametrize(
    "source", sorted(path.name for path in (common.HERE / "limit").glob("*.cpp"))
)
def test_every_program_compiles(source):
    assert built(source).exists()


@pytest.mark.parametrize(
    ("position", "least"), [pytest.param("7422341735", 80_000, marks=in_full), ("4365214", 50_000)]
)
def test_the_solver_does_the_same_work(position, least):
    """Even with a table that is far too small, where the replacement of entries matters."""
    program, game = built("connect_four_solver.cpp"), ConnectFour()
    state = game.parse(position)
    ours = proofs.Ours(game, state, TranspositionTable(MEGABYTES, game, state), 1)
    found = ours.run()
    theirs = proofs.theirs(program, state, ours.buckets, [alpha for alpha, _ in found.asked])
    assert (theirs.asked, theirs.counts) == (found.asked, found.counts)
    assert found.counts["nodes"] > least


def minimax_nodes(plies):
    """The positions of the first plies of Connect Four, where no column is full and nobody wins."""
    return sum(7**ply for ply in range(plies + 1))


def test_the_plies_that_minimax_finishes_with_a_number_of_nodes():
    for plies in (1, 2, 3):
        needed = sum(minimax_nodes(depth) for depth in range(1, plies + 1))
        for nodes, depth in ((needed, plies), (needed - 1, plies - 1), (needed + 1, plies)):
            limit = prunus.Limit(nodes=nodes)
            found = depths.step_by_step(ConnectFour(), "minimax", limit, compile=False)
            assert found.depth == depth, nodes
            assert found.nodes <= nodes + 1


def test_the_plies_of_a_search_that_deepens_are_those_of_its_last_finished_iteration():
    game, found = ConnectFour(), depths.deepening
    whole = prunus.analyze(
        game, algorithm="iterative-deepening", depth=3, compile=False, table=16
    ).statistics.nodes
    enough, less = prunus.Limit(nodes=whole), prunus.Limit(nodes=whole - 1)
    assert found(game, "iterative-deepening", enough, compile=False).depth == 3
    assert found(game, "iterative-deepening", less, compile=False).depth == 2


def test_problems_of_chess_are_won_in_so_many_moves():
    """The king comes nearer and the rook mates; no first check does."""
    board = Chess().parse("7k/8/5K2/8/8/8/8/R7 w - - 0 1")
    for checks, moves, value in ((False, 1, -1), (False, 2, 1), (True, 2, -1)):
        game = proof_numbers.Mates(checks)
        state = game.problem(board, moves)
        found = prunus.solve(game, state, "df-pn", compile=False, room=1 << 14)
        assert (found.value, found.proved) == (value, True), (checks, moves)


def test_traps_are_measured_by_matches():
    field = traps.FIELDS["tic-tac-toe"]
    score = traps.score_of(field, traps.PLAYERS[2], "greedy", 1)
    assert (score.games, score.losses) == (2, 0)
    assert traps.told(score).startswith(f"{100 * score.score.mean:.1f} ±")
    other, erring = (
        traps.player_of(traps.PLAYERS[3], opponent, field) for opponent in ("minimax", "greedy")
    )
    assert (other.model, erring.model) == (traps.MISTAKEN, traps.OPPONENTS["greedy"])


@pytest.mark.parametrize(
    ("game", "depth", "expected"),
    [(Othello(size=6), 4, [280, 200, 134, 137]), (Kalah(5, 3), 6, [1681, 1160, 1070, 809])],
)
def test_what_is_kept_between_iterations_orders_and_changes_no_value(game, depth, expected):
    state = game.result(game.initial(), next(iter(game.actions(game.initial()))))
    exact = prunus.analyze(game, state, algorithm="minimax", depth=depth, compile=False).value
    searches = {way: refutations.Search(game, way) for way in refutations.WAYS}
    assert {search.deepen(state, depth) for search in searches.values()} == {exact}
    kept = searches["refutations"]
    assert set(kept.lines) == set(game.actions(state))
    for action, line in kept.lines.items():
        assert line[0] == action
        end = state
        for step in line:
            assert step in set(game.actions(end))
            end = game.result(end, step)
    assert kept.lines[kept.principal[0]] == kept.principal
    assert [searches[way].nodes for way in refutations.WAYS] == expected
