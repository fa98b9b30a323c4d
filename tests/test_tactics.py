"""The benchmark of test positions: what an EPD file asks, and when a program has solved it."""

from __future__ import annotations

import sys

import chess.engine
import pytest
from benchmarks import tactics

import chess

MATE = 'rnbqkbnr/pppp1ppp/8/4p3/5PP1/8/PPPPP2P/RNBQKBNR b KQkq - bm Qh4#; id "fool";'
HANGING = 'rnbqkbnr/pppp1ppp/8/4p3/5P2/8/PPPPP1PP/RNBQKBNR w KQkq - am g4 Nc3; id "not these";'

PROGRAM = """
import sys
for line in sys.stdin:
    if line.startswith("uci") and "game" not in line:
        print("option name Hash type spin default 1 min 1 max 64")
        print("uciok")
    elif line.startswith("isready"):
        print("readyok")
    elif line.startswith("go") and {wait}:
        print("info depth 1 nodes 10 nps 500 pv d8h4")
        print("info depth 2 nodes 40 nps 600 pv {first}")
        print("info depth 3 nodes 90 nps 700 pv d8h4")
        print("info depth 4 nodes 200 nps 800 pv d8h4")
        print("bestmove {last}")
    elif line.startswith("go"):
        print("bestmove e2e4")
    elif line.startswith("quit"):
        break
    elif line.startswith("position"):
        fen = line
    sys.stdout.flush()
"""


@pytest.fixture
def program(tmp_path):
    """Makes the command of a program that plays `last` in each position but the first of chess."""

    def made(first: str, last: str) -> str:
        path = tmp_path / "program.py"
        path.write_text(PROGRAM.format(first=first, last=last, wait='"startpos" not in fen'))
        return f"{sys.executable} {path}"

    return made


def only(text: str) -> tactics.Puzzle:
    (puzzle,) = tactics.puzzles_in(text)
    return puzzle


def test_what_is_wanted_and_what_is_wrong():
    fool, other = tactics.puzzles_in(f"# two\n{MATE}\n\n{HANGING}\n")
    assert (fool.name, fool.wanted) == ("fool", "Qh4#")
    assert (other.name, other.wanted) == ("not these", "not g4 or Nc3")
    assert fool.right(chess.Move.from_uci("d8h4"))
    assert not fool.right(chess.Move.from_uci("d8f6"))
    assert other.right(chess.Move.from_uci("f4e5"))
    assert not other.right(chess.Move.from_uci("g2g4"))
    assert not fool.right(None)
    assert not other.right(None)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (MATE + "\n" + MATE.replace("Qh4#", "Qh5"), "FILE, line 2: .*Qh5"),
        (MATE.replace("bm Qh4#; ", ""), "FILE, line 1: neither bm nor am"),
        ("nothing", "FILE, line 1: "),
    ],
)
def test_lines_that_ask_nothing(text, reason):
    with pytest.raises(ValueError, match=reason):
        list(tactics.puzzles_in(text, "FILE"))


@pytest.mark.parametrize(
    ("first", "last", "solved", "settled"),
    [("d8f6", "d8h4", True, 90), ("d8h4", "d8h4", True, 10), ("d8h4", "d8f6", False, 200)],
)
def test_the_move_at_the_end_counts(program, first, last, solved, settled):
    """And the nodes since which the program had stayed with it."""
    limit = chess.engine.Limit(nodes=200)
    puzzle = only(MATE)
    ((answer,),) = tactics.measured([program(first, last)], [puzzle], limit, ["Hash=8"], "one")
    assert (answer.solved, answer.nodes, answer.speed) == (solved, 200, 800)
    assert answer.settled == settled
    text = tactics.report("FILE", "it", [puzzle], [answer])
    assert ("1 of 1" in text) == solved
    assert ("fool: Qf6, wanted: Qh4#" in text) != solved


def test_a_file_by_the_command(program, tmp_path, capsys, monkeypatch):
    path = tmp_path / "two.epd"
    path.write_text(f"{MATE}\n{MATE}\n{HANGING}\n")
    command = program("d8h4", "d8h4")
    monkeypatch.setattr(
        sys, "argv", ["tactics", str(path), "--nodes", "200", "--engine", command, "--every", "3"]
    )
    tactics.main()
    assert f"| two.epd | {command} | 1 of 1 | 100.0 % | 800 | 10 |" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["/nowhere/engine", f"{sys.executable} -c pass"])
def test_a_program_that_is_none(command, tmp_path, monkeypatch):
    path = tmp_path / "one.epd"
    path.write_text(MATE)
    monkeypatch.setattr(sys, "argv", ["tactics", str(path), "--engine", command])
    with pytest.raises(SystemExit, match="failed: "):
        tactics.main()


def test_a_file_that_is_not_there(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", ["tactics", str(tmp_path / "none.epd")])
    with pytest.raises(SystemExit, match=r"none\.epd"):
        tactics.main()
