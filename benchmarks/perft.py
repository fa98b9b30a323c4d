"""Prunus's perft of chess against Stockfish's `go perft`: `python -m benchmarks.perft [--pairs N]`.

Both count the legal moves of the last ply without making them, in one thread, and have to find the
same numbers. Stockfish stays one process, so that its start does not count; each pair runs both
programs on all positions, one after the other, and a ratio divides the processor times.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import time
from typing import Any

from benchmarks.common import Mismatch, Progress, Ratio
from prunus.algorithms.perft import count_lines
from prunus.games import Chess
from prunus.play.program import GAMES

PLACES = os.pathsep.join((os.environ.get("PATH", os.defpath), GAMES))

POSITIONS = (
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("castling", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
    ("rook ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7),
    ("promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 6),
    ("middle game", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5),
)
"""Positions 1 to 4 and 6 of https://www.chessprogramming.org/Perft_Results, and depths."""


class Stockfish:
    """A Stockfish that counts."""

    def __init__(self, path: str) -> None:
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.name = self._answer("uci", "id name").removeprefix("id name ").strip()
        self._answer("isready", "readyok")

    def _answer(self, command: str, begins: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(command, file=self.process.stdin, flush=True)
        for line in self.process.stdout:
            if line.startswith(begins):
                return line
        raise OSError(f"Stockfish ended at {command!r}")

    def count(self, fen: str, depth: int) -> tuple[int, float]:
        """Perft, and the processor seconds that it took."""
        began = _seconds(self.process.pid)
        line = self._answer(f"position fen {fen}\ngo perft {depth}", "Nodes searched")
        return int(line.split(":")[1]), _seconds(self.process.pid) - began

    def close(self) -> None:
        """End the process."""
        self.process.communicate("quit\n")


def _seconds(process: int) -> float:
    """The processor seconds that a process has used so far; where the system does not tell, the
    time of day."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as stat:
            fields = stat.read().rpartition(")")[2].split()
    except OSError:
        return time.perf_counter()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(stockfish: Stockfish, pairs: int) -> list[dict[str, Any]]:
    """A row for each position: its count, and the times of both programs in each pair."""
    game = Chess()
    rows: list[dict[str, Any]] = [
        {"name": name, "fen": fen, "depth": depth, "ours": [], "theirs": []}
        for name, fen, depth in POSITIONS
    ]
    count_lines(game, game.initial(), 2, compile=True)
    progress = Progress("perft", pairs * len(rows))
    for pair in range(pairs):
        for number, row in enumerate(rows):
            began = time.process_time()
            row["count"] = count_lines(game, game.parse(row["fen"]), row["depth"], compile=True)
            row["ours"].append(time.process_time() - began)
            count, seconds = stockfish.count(row["fen"], row["depth"])
            row["theirs"].append(seconds)
            if count != row["count"]:
                raise Mismatch(f"{row['name']}: {row['count']} and {count} by {stockfish.name}")
            progress.at(pair * len(rows) + number + 1)
    return rows


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--pairs", type=int, default=7, help="rounds of both programs")
    pairs = parser.parse_args().pairs
    path = shutil.which("stockfish", path=PLACES)
    if path is None:
        print("not measured: stockfish was not found (Debian: apt-get install stockfish)")
        return
    stockfish = Stockfish(path)
    try:
        rows = measured(stockfish, pairs)
    finally:
        stockfish.close()
    print(f"Million lines a second, one thread; {stockfish.name}'s time divided by Prunus's.\n")
    print("| position | depth | lines | Prunus | Stockfish | speed |\n|---|---|---|---|---|---|")
    for row in rows:
        ours, theirs = min(row["ours"]), min(row["theirs"])
        ratios = [other / own for own, other in zip(row["ours"], row["theirs"], strict=True)]
        speed = Ratio(row["name"], "Stockfish's time / Prunus's", ratios)
        print(
            f"| {row['name']} | {row['depth']} | {row['count']:,} | {row['count'] / ours / 1e6:.0f} "
            f"| {row['count'] / theirs / 1e6:.0f} | {speed.text()} |"
        )


if __name__ == "__main__":
    main()
