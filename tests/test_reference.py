"""Published facts, read from the folder that PRUNUS_REFERENCE names (by default beside the
checkout); none of it is copied here."""

from __future__ import annotations

import csv
import itertools
import os
import statistics
import time
from pathlib import Path
from typing import Final

import pytest

import prunus
from prunus.algorithms.enumerating import positions_by_ply
from prunus.algorithms.perft import perft
from prunus.games import MNK, ConnectFour, Domineering, Kalah, Nim, Othello, TicTacToe
from prunus.games.connect_four import ConnectFour128, ConnectFour256
from prunus.games.domineering.rules import WIN
from prunus.games.nim import nim_value
from prunus.kernel.backends import call
from prunus.kernel.memory import Memory
from prunus.tables.book import Book, folder_name, folders
from tests.amount import amount, in_full
from tests.naive import minimax_value

FOLDER = Path(
    os.environ.get("PRUNUS_REFERENCE", Path(__file__).parents[2] / "shared" / "reference")
)
needs_reference = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="no reference data: set PRUNUS_REFERENCE"
)
pytestmark = pytest.mark.reference


@pytest.fixture
def tell(capsys):
    """Print a line of measurements, at once and whether or not the test passes."""

    def say(text):
        with capsys.disabled():
            print(f"\n  {text}", end="", flush=True)

    return say


def timed(game, state=None, **options):
    """The result of solving a position with the engine, and the seconds of the whole call without
    compilation."""
    began = time.perf_counter()
    found = prunus.solve(game, state, algorithm="engine", compile=True, **options)
    return found, time.perf_counter() - began - found.statistics.compile_seconds


def rows(name):
    with (FOLDER / name).open() as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def scored_positions(name):
    """The positions of a Test_* file with their exact scores."""
    lines = [
        line.split() for line in (FOLDER / "connect_four" / name).read_text().splitlines() if line
    ]
    assert len(lines) == 1000
    return [(text, int(score)) for text, score in lines]


@needs_reference
def test_connect_four_end_positions():
    """Test_L3_R1: 1,000 positions with their exact scores, by plain alpha-beta."""
    game = ConnectFour()
    for text, score in scored_positions("Test_L3_R1"):
        assert prunus.solve(game, game.parse(text), "alphabeta", compile=True).value == score, text


@needs_reference
@pytest.mark.parametrize("words", [ConnectFour128, ConnectFour256])
def test_connect_four_end_positions_on_longer_words(words):
    """Every tenth of them: the same scores on 128 and 256 bits."""
    game = words()
    for text, score in scored_positions("Test_L3_R1")[::10]:
        assert prunus.solve(game, game.parse(text), "alphabeta", compile=True).value == score, text


MOST_POSITIONS: Final = {"quick": 3_000_000, "slow": 100_000_000}
"""The positions of the boards that are counted without and with --slow."""


def counted():
    """The boards whose positions are all counted, with the word that holds them; some on a longer
    one."""
    for row in rows("connect_four/position_counts.csv") if FOLDER.is_dir() else ():
        width, height, count = int(row["width"]), int(row["height"]), int(row["positions_boeck"])
        if count <= MOST_POSITIONS["slow"]:
            marks = () if count <= MOST_POSITIONS["quick"] else pytest.mark.slow
            yield pytest.param(
                ConnectFour(width, height), count, id=f"{width}x{height}", marks=marks
            )
            if (width, height) in ((13, 1), (7, 2), (4, 5)):
                for words in (ConnectFour128, ConnectFour256):
                    yield pytest.param(
                        words(width, height),
                        count,
                        id=f"{width}x{height} on {words.bits} bits",
                        marks=marks,
                    )


@needs_reference
@pytest.mark.parametrize(("game", "count"), list(counted()))
def test_connect_four_position_counts(game, count):
    """All positions of a board, up to the end of the game (Boeck; Tromp), each counted once."""
    assert sum(positions_by_ply(game, threads=2, compile=True)) == count


@needs_reference
@pytest.mark.measured
@pytest.mark.parametrize("name", ["Test_L3_R1", "Test_L2_R1", "Test_L1_R1"])
def test_connect_four_positions_by_the_engine(name, tell):
    """1,000 positions each, from the end, the middle and the beginning: all right, each searched
    with an empty table."""
    game = ConnectFour()
    table = prunus.TranspositionTable(64, game, game.initial())
    timed(game, game.parse("742234173564774116613357"), table=table)  # compiles
    seconds, nodes, began = [], 0, time.perf_counter()
    for number, (text, score) in enumerate(scored_positions(name), 1):
        table.clear()
        found, taken = timed(game, game.parse(text), table=table)
        assert (found.value, found.proved) == (score, True), text
        seconds.append(taken)
        nodes += found.statistics.nodes
        if time.perf_counter() - began > 30:
            began = time.perf_counter()
            tell(f"{name}: {number} of 1000, {1000 * statistics.mean(seconds):.2f} ms each so far")
    mean, median, most = statistics.mean(seconds), statistics.median(seconds), max(seconds)
    tell(
        f"{name}: 1000 right; mean {1000 * mean:.2f} ms and {nodes // 1000:,} nodes, median "
        f"{1000 * median:.2f} ms, longest {most:.2f} s"
    )


QUICK_CELLS = 35
"""Boards of at most this many cells are solved without --slow."""


def boards():
    """The boards with width + height <= 13 that fit 64 bits, smaller ones first; slow ones are
    marked."""
    if not FOLDER.is_dir():
        return
    for row in sorted(
        rows("connect_four/board_values.csv"),
        key=lambda row: int(row["width"]) * int(row["height"]),
    ):
        width, height = int(row["width"]), int(row["height"])
        if width + height <= 13 and width * (height + 1) <= 64:
            quick = width * height <= QUICK_CELLS
            yield pytest.param(row, id=f"{width}x{height}", marks=() if quick else pytest.mark.slow)


@needs_reference
@in_full
@pytest.mark.parametrize("words", [ConnectFour128, ConnectFour256])
def test_connect_four_board_values_on_longer_words(words):
    """The boards of at most 20 cells: the published values on 128 and 256 bits too."""
    solved = 0
    for row in rows("connect_four/board_values.csv"):
        width, height = int(row["width"]), int(row["height"])
        if width * height <= 20:
            found = prunus.solve(words(width, height), compile=True)
            assert found.proved and (found.value > 0) - (found.value < 0) == int(
                row["value_tromp"]
            ), (width, height)
            solved += 1
    assert solved == 3


@needs_reference
@pytest.mark.measured
@pytest.mark.parametrize("row", list(boards()))
def test_connect_four_board_values(row, tell):
    """Every board solved from the empty position: who wins (Tromp), and with which stone
    (Steininger)."""
    width, height = int(row["width"]), int(row["height"])
    game = ConnectFour(width, height)
    found, seconds = timed(game, table=512, book=False)
    tell(
        f"{width} x {height}: value {found.value}, {seconds:.1f} s, {found.statistics.nodes:,} "
        f"nodes"
    )
    winner = int(row["value_tromp"] or row["value_steininger"])
    assert found.proved
    assert (found.value > 0) - (found.value < 0) == winner
    if row["last_move_steininger"]:
        assert abs(found.value) == abs(winner) * (
            (width * height + 2 - int(row["last_move_steininger"])) // 2
        )


def book_of_connect_four():
    """The book that comes with Prunus, whatever books the user has."""
    game = ConnectFour()
    return Book(folders()[-1] / folder_name(game), game)


@needs_reference
def test_the_book_of_connect_four_knows_who_wins():
    """How many positions of each ply are won, drawn and lost for the first player."""
    book = book_of_connect_four()
    game, layer = book.game, {book.game.initial()}
    wanted = {int(row["ply"]): row for row in rows("connect_four/wdl_by_ply_7x6.csv")}
    for ply in range(amount(6, book.plies) + 1):
        counts = dict.fromkeys((1, 0, -1), 0)
        for state in layer:
            value = game.utility(state) if game.is_terminal(state) else book.value(state)
            counts[((value > 0) - (value < 0)) * (1 if ply % 2 == 0 else -1)] += 1
        expected = [
            int(wanted[ply][end])
            for end in ("won_for_first_player", "drawn", "lost_for_first_player")
        ]
        assert list(counts.values()) == expected
        layer = {
            game.result(state, action)
            for state in layer
            if not game.is_terminal(state)
            for action in game.actions(state)
        }


@needs_reference
def test_the_book_of_connect_four_knows_the_scores_of_columns():
    """After 0 to 2 plies."""
    game = ConnectFour()
    book = book_of_connect_four()
    for row in rows("connect_four/column_scores_7x6_ply0_2.csv"):
        found = prunus.solve(
            game, game.parse(row["moves_1to7"]), algorithm="engine", book=book, all_moves=True
        )
        assert found.algorithm == "book"
        assert {move.action: move.value for move in found.moves} == {
            column: int(row[f"c{column + 1}"]) for column in range(7)
        }


def counts_of_tic_tac_toe():
    """All the counts, by walking through the whole game."""
    game = TicTacToe()
    counts = dict.fromkeys(("games_total", "games_won_by_X", "games_won_by_O", "games_drawn"), 0)
    seen: dict[object, None] = {}

    def walk(state, ply):
        seen[state] = None
        if game.is_terminal(state):
            counts["games_total"] += 1
            value = game.utility(state)
            winner = (
                "games_drawn"
                if value == 0
                else "games_won_by_X"
                if ply % 2 == 1
                else "games_won_by_O"
            )
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
@pytest.mark.parametrize(
    ("cells", "least"), [(8, 10), pytest.param(12, 20, marks=pytest.mark.slow)]
)
def test_mnk_values(cells, least):
    """Published (m,n,k) values, normal and misere, on boards up to a number of cells."""
    checked = 0
    for row in rows("solved/mnk_published.csv"):
        m, n, k = (int(row[key]) for key in "mnk")
        if m * n <= cells and row["type"] in ("normal", "misere"):
            game = MNK(m, n, k, misere=row["type"] == "misere")
            expected = {"P1": 1, "P2": -1, "Draw": 0}[row["result"]]
            assert prunus.solve(game, algorithm="cached-minimax", compile=True).value == expected, (
                row
            )
            checked += 1
    assert checked >= least


@needs_reference
@pytest.mark.parametrize(
    ("cells", "least"), [(20, 80), pytest.param(49, 140, marks=pytest.mark.slow)]
)
def test_domineering_values(cells, least):
    """Who wins on the rectangles of an independent solver's table, whoever begins."""
    checked = 0
    for row in rows("solved/domineering_computed.csv"):
        m, n = int(row["rows_m"]), int(row["cols_n"])
        if m * n <= cells:
            for first, horizontal in (("vertical", False), ("horizontal", True)):
                found = prunus.solve(Domineering(m, n, horizontal), compile=m * n > 25)
                expected = 1 if row[f"{first}_first_wins"] == "1" else -1
                assert (found.value, found.proved) == (WIN * expected, True), row
                checked += 1
    assert checked >= least


@needs_reference
@pytest.mark.slow
def test_kalah_margins():
    """Irving, Donkers & Uiterwijk 2000, table 9, up to six holes with three counters."""
    checked = 0
    for row in rows("solved/kalah_irving2000.csv"):
        holes, counters = int(row["m_holes"]), int(row["n_counters"])
        if counters <= 3 and row["margin_table9"]:
            found = prunus.solve(Kalah(holes, counters), compile=True, table=1000)
            assert (found.value, found.proved) == (int(row["margin_table9"]), True), row
            checked += 1
    assert checked == 9


def lines_within(game, state, depth: int, memory) -> int:
    """The number of lines of `depth` plies, and of lines on which the game is over before."""
    memory.nodes += 1
    if depth == 0 or game.is_terminal(state):
        return 1
    count = 0
    for action in game.actions(state):
        count += lines_within(game, game.result(state, action), depth - 1, memory)
    return count


@needs_reference
@pytest.mark.parametrize(
    "depth",
    [
        *range(1, 11),
        pytest.param(11, marks=pytest.mark.slow),
        pytest.param(12, marks=pytest.mark.slow),
    ],
)
def test_othello_perft(depth, tell):
    """The file counts a game that is over as a leaf, at any depth, and counts it as over before
    this depth only if it could have passed once more; Prunus's perft counts the lines of exactly
    `depth` plies."""
    row = next(row for row in rows("othello/perft.csv") if int(row["depth"]) == depth)
    game, memory = Othello(), Memory({"nodes": "i64"})

    def count(function, plies):
        return call(
            function,
            {"game": game, "state": game.initial(), "depth": plies, "memory": memory},
            True,
        )[0]

    began = time.perf_counter()
    leaves = count(lines_within, depth)
    tell(f"Othello perft {depth}: {leaves:,}, {time.perf_counter() - began:.2f} s")
    assert leaves == int(row["leaf_nodes"])
    over_before = count(lines_within, depth - 1) - count(perft, depth - 1)
    assert over_before == int(row["game_over_before_depth"] or 0)


def endgames():
    """FFO #40 to #49: number, position, the best moves and their score."""
    if not FOLDER.is_dir():
        return
    for number, line in enumerate(
        (FOLDER / "othello" / "fforum-40-59.obf").read_text().splitlines()[:10], 40
    ):
        position, *moves = [part.strip() for part in line.split(";") if part.strip()]
        scores = {
            move.lower(): int(score) for move, _, score in (each.partition(":") for each in moves)
        }
        yield pytest.param(position, scores, id=f"FFO-{number}")


@needs_reference
@pytest.mark.slow
@pytest.mark.parametrize(("position", "scores"), list(endgames()))
def test_othello_endgames(position, scores, tell):
    """The FFO end-game suite: exact scores and a best move."""
    game = Othello()
    state = game.parse(position)
    found, seconds = timed(game, state, table=1024)
    tell(
        f"{game.empties(state)} empty: {found.value:+} by {found.action_name(found.best)}, "
        f"{seconds:.1f} s, {found.statistics.nodes:,} nodes"
    )
    assert (found.value, found.proved) == (max(scores.values()), True)
    assert scores[found.action_name(found.best)] == found.value


@pytest.mark.parametrize(("size", "value"), [(4, -10), pytest.param(6, -4, marks=pytest.mark.slow)])
def test_small_othello_boards_solved(size, value, tell):
    """4 x 4: White wins 11 to 3, with the two empty squares counted for him; 6 x 6: White wins by 4
    (Feinstein 1993)."""
    found, seconds = timed(Othello(size), table=1024 if size == 6 else 64)
    tell(
        f"Othello {size} x {size}: value {found.value}, {seconds:.1f} s, "
        f"{found.statistics.nodes:,} nodes"
    )
    assert (found.value, found.proved) == (value, True)


@in_full
def test_nim_for_all_positions_up_to_five_piles_of_seven():
    """Bouton's nim-sum, and the misere rule, which reverses when all piles are 1, compared with
    search."""
    for misere in (False, True):
        game = Nim(misere=misere)
        for piles in itertools.combinations_with_replacement(range(8), 5):
            found = prunus.solve(
                game, game.State(piles), algorithm="cached-minimax", compile=True
            ).value
            assert found == nim_value(piles, misere), (piles, misere)


def test_misere_nim_1_2_2():
    """The only winning move takes the pile of 1."""
    game = Nim(misere=True)
    found = prunus.solve(game, game.parse("1,2,2"), all_moves=True, compile=False)
    assert (found.value, found.proved) == (1, True)
    assert [game.action_name(found.state, action) for action in found.best_moves] == ["1:1"]
    assert minimax_value(game, game.parse("1,2,2")) == 1
