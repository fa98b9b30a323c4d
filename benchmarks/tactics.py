"""Test positions of chess, solved over UCI: `python -m benchmarks.tactics FILE.epd ... [--seconds 1]`.

Each position of an EPD file says which move is wanted (`bm`) or which one is wrong (`am`). The
program has the same time or nodes for each of them, and starts a new game every time, so that no
position helps another. It is solved if the move that the program plays at the end is a right one.
For those that are solved the table says after how many nodes the program came to stay with the
right move. With two `--engine`, both take turns on each position.
"""

from __future__ import annotations

import argparse
import shlex
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import chess.engine

import chess
from benchmarks.common import Progress, table

OURS = f"{shlex.quote(sys.executable)} -m prunus uci"


@dataclass(frozen=True)
class Puzzle:
    """A test position: its name, the board, and the moves that are wanted and those that are
    wrong, one of the two without any."""

    name: str
    board: chess.Board
    best: tuple[chess.Move, ...]
    avoid: tuple[chess.Move, ...]

    def right(self, move: chess.Move | None) -> bool:
        """Whether a move solves it."""
        return move is not None and (move in self.best if self.best else move not in self.avoid)

    @property
    def wanted(self) -> str:
        """The moves of the file, as people write them."""
        moves, sign = (self.best, "") if self.best else (self.avoid, "not ")
        return sign + " or ".join(self.board.san(move) for move in moves)


@dataclass(frozen=True)
class Answer:
    """What a program played, after `nodes` at `speed` nodes a second, and the nodes since which it
    had held this move to be the best."""

    solved: bool
    move: str
    nodes: int
    speed: int
    settled: int


def puzzles_in(text: str, name: str = "EPD") -> Iterator[Puzzle]:
    """The positions of an EPD file. Raises ValueError, with the line's number, for a line that is
    no position or asks for nothing."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        board = chess.Board()
        try:
            said = board.set_epd(line.strip())
        except ValueError as error:
            raise ValueError(f"{name}, line {number}: {error}") from error
        best, avoid = (_moves(said.get(key)) for key in ("bm", "am"))
        if not best and not avoid:
            raise ValueError(f"{name}, line {number}: neither bm nor am, so that nothing is asked")
        yield Puzzle(str(said.get("id", number)), board, best, avoid)


def _moves(value: object) -> tuple[chess.Move, ...]:
    """The moves of an operation of EPD."""
    items = value if isinstance(value, list) else [value]
    return tuple(move for move in items if isinstance(move, chess.Move))


def asked(engine: chess.engine.SimpleEngine, puzzle: Puzzle, limit: chess.engine.Limit) -> Answer:
    """Let a program solve a position, as a new game."""
    nodes = speed = settled = 0
    held: chess.Move | None = None
    with engine.analysis(puzzle.board, limit, game=object()) as analysis:
        for info in analysis:
            nodes, speed = info.get("nodes", nodes), info.get("nps", speed)
            line = info.get("pv")
            if line and line[0] != held:
                held, settled = line[0], nodes
        move = analysis.wait().move
    san = "none" if move is None else puzzle.board.san(move)
    return Answer(puzzle.right(move), san, nodes, speed, settled if move == held else nodes)


def opened(command: str, options: Sequence[str]) -> chess.engine.SimpleEngine:
    """A program that speaks UCI, ready, with options of the form NAME=VALUE set where it has
    them. Raises OSError if it cannot be started."""
    engine = chess.engine.SimpleEngine.popen_uci(shlex.split(command), timeout=120)
    pairs = (option.partition("=")[::2] for option in options)
    engine.configure({key: value for key, value in pairs if key in engine.options})
    engine.play(chess.Board(), chess.engine.Limit(nodes=1_000), game=object())
    return engine


def measured(
    commands: Sequence[str],
    puzzles: Sequence[Puzzle],
    limit: chess.engine.Limit,
    options: Sequence[str],
    label: str,
) -> list[list[Answer]]:
    """The answers of each program to each position; the programs take turns."""
    engines = [opened(command, options) for command in commands]
    answers: list[list[Answer]] = [[] for _ in engines]
    progress = Progress(label, len(puzzles))
    try:
        for count, puzzle in enumerate(puzzles, 1):
            for engine, mine in zip(engines, answers, strict=True):
                mine.append(asked(engine, puzzle, limit))
            progress.at(count)
    except KeyboardInterrupt:
        print("stopped: what follows is what was measured", file=sys.stderr)
    finally:
        for engine in engines:
            engine.close()
    return answers


def report(name: str, command: str, puzzles: Sequence[Puzzle], answers: Sequence[Answer]) -> str:
    """What a program solved of a file, and what it played where it did not."""
    solved = [answer for answer in answers if answer.solved]
    row = (
        name,
        command,
        f"{len(solved)} of {len(answers)}",
        f"{100 * len(solved) / len(answers):.1f} %" if answers else "",
        f"{statistics.median(answer.speed for answer in answers):,.0f}" if answers else "",
        f"{statistics.median(answer.settled for answer in solved):,.0f}" if solved else "",
    )
    heading = ("positions", "program", "solved", "", "nodes/s, median", "nodes to the move, median")
    missed = [
        f"    {puzzle.name}: {answer.move}, wanted: {puzzle.wanted}"
        for puzzle, answer in zip(puzzles, answers, strict=False)
        if not answer.solved
    ]
    return "\n".join([table([heading, row]), "", *missed])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.epd")
    parser.add_argument("--seconds", type=float, help="for each position, by default 1")
    parser.add_argument("--nodes", type=int, help="for each position, in place of seconds")
    parser.add_argument("--engine", action="append", metavar="COMMAND", help="default: prunus uci")
    parser.add_argument(
        "--option", action="append", metavar="NAME=VALUE", default=["Hash=64", "Threads=1"]
    )
    parser.add_argument("--every", type=int, default=1, help="only each Nth position of a file")
    given = parser.parse_args()
    seconds = given.seconds or (None if given.nodes else 1.0)
    limit = chess.engine.Limit(time=seconds, nodes=given.nodes)
    for file in given.files:
        try:
            puzzles = list(puzzles_in(file.read_text(encoding="utf-8"), str(file)))[:: given.every]
        except (OSError, ValueError) as error:
            raise SystemExit(f"{error}") from error
        commands = given.engine or [OURS]
        try:
            answers = measured(commands, puzzles, limit, given.option, file.name)
        except (OSError, chess.engine.EngineError) as error:
            raise SystemExit(f"a program of {' and '.join(commands)} failed: {error}") from error
        for command, mine in zip(commands, answers, strict=True):
            shown = "prunus uci" if command == OURS else command
            print(report(file.name, shown, puzzles, mine), flush=True)


if __name__ == "__main__":
    main()
