"""Lines that are nearly right, for protocols and notations: `python -m tests.play.protocols.lines
COUNT SEED`.

Each is a valid line that was changed at random: words left out, doubled or exchanged, letters
changed, numbers of any size, other alphabets. Whatever a line is, an engine answers it or says what
is wrong with it: any error but those that Prunus raises for this is a fault.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from prunus.core.errors import PrunusError
from prunus.games.catalogue import make_game
from prunus.play.openings import read_openings
from prunus.play.protocols.gtp import GtpServer
from prunus.play.protocols.orders import read_orders
from prunus.play.protocols.settings import Settings
from prunus.play.protocols.uci import UciServer
from prunus.play.protocols.ugi import UgiServer

FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 4 17",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 99 80",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ d6 1 8",
    "k7/8/1Q6/8/8/8/8/K7 b - - 0 1",
)
MOVES = ("e2e4 e7e5 g1f3 b8c6", "e4 e5 Nf3 Nc6 Bb5 a6 O-O", "d2d4 d7d5 c2c4", "Nf3 Nf6 g3 g6 Bg2")
GO = (
    "go wtime 1000 btime 900 winc 10 binc 20 movestogo 3",
    "go depth 3 searchmoves e2e4 d2d4",
    "go movetime 100 nodes 5000 mate 2",
    "go infinite",
    "go ponder wtime 5 btime 1",
)
SETTINGS = (
    "setoption name Hash value 16",
    "setoption name MultiPV value 3",
    "setoption name UCI_Elo value 2000",
    "setoption name Move Overhead value 30",
    "setoption name UCI_LimitStrength value true",
    "setoption name Level value 2",
    "setoption name killers value true",
)
PLAIN = ("query gameover", "query p1turn", "query result", "d", "stop", "ponderhit", "debug on")
CORPORA: dict[str, tuple[str, ...]] = {
    "uci": (
        *(f"position fen {fen}" for fen in FENS),
        *(f"position startpos moves {moves}" for moves in MOVES),
        *GO,
        *SETTINGS,
        *PLAIN,
    ),
    "ugi": (
        "position startpos moves 4 4 3",
        "position fen 4455 moves 1 2",
        "position fen ......./......./......./......./...O.../...XX..",
        *GO,
        *SETTINGS,
        *PLAIN,
    ),
    "gtp": (
        "play b d3",
        "12 play black f5",
        "play w c3 # a move",
        "time_settings 300 10 5",
        "time_left b 12.5 0",
        "boardsize 8",
        "known_command play",
        "undo",
        "showboard",
        "final_score",
        "clear_board",
        "komi 6.5",
        "list_commands",
    ),
    "positions": (*FENS, *MOVES),
    "pgn": (
        '[White "a"]\n\n1. e4 e5 2. Nf3 (2. d4 exd4) Nc6 {a comment} 3. Bb5 a6 $1 *',
        '[FEN "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"]\n[SetUp "1"]\n\n1. Rb1 Kg3 1-0',
        "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 O-O 1/2-1/2",
    ),
    "columns": ("4455", "1234567", "4,4,3", "......./......./......./......./...O.../...XX.."),
}
ODD = ("", "0", "-1", "1e999", "nan", "9" * 30, "18446744073709551616", "\x00", "é", "٣", "²", "/")


def changed(rng: random.Random, line: str) -> str:
    """The line with a few changes."""
    for _ in range(rng.randrange(1, 4)):
        words = line.split(" ")
        place = rng.randrange(len(words))
        kind = rng.randrange(8)
        if kind == 0:
            del words[place]
        elif kind == 1:
            words.insert(place, rng.choice(words))
        elif kind == 2:
            words[place] = rng.choice(ODD)
        elif kind == 3:
            other = rng.randrange(len(words))
            words[place], words[other] = words[other], words[place]
        else:
            word = words[place]
            at = rng.randrange(len(word) + 1)
            letter = chr(rng.choice((rng.randrange(32, 127), rng.randrange(1, 0x3000))))
            words[place] = word[:at] + letter * (kind != 4) + word[at + (kind != 5) :]
        line = " ".join(words)
    return line


class Silent:
    """What a server needs to be asked without a conversation: it says nothing and searches
    nothing."""

    def say(self, *lines: str) -> None:
        """Nothing is sent."""
        assert all(isinstance(line, str) for line in lines)


class SilentUci(Silent, UciServer):
    """Chess, asked line by line."""

    def go(self, words: list[str]) -> None:
        """Read the orders and do not follow them."""
        read_orders(words, self._names(self.at()) if "searchmoves" in words else [])


class SilentUgi(Silent, UgiServer):
    """Any game, asked line by line."""

    go = SilentUci.go


class SilentGtp(Silent, GtpServer):
    """A game by GTP, asked line by line. The time that a line sets is divided at once."""

    def time_left(self, words: list[str]) -> str:
        """Also what it means for a move."""
        super().time_left(words)
        self._orders(0)
        return ""

    def time_settings(self, words: list[str]) -> str:
        """Also what it means for a move."""
        super().time_settings(words)
        self._orders(0)
        return ""


def askers(file: Path) -> dict[str, Callable[[str], Any]]:
    """What a line is given to, for each corpus; `file` is a PGN file to be written."""
    chess, columns = make_game("chess"), make_game("connect-four")

    def position(text: str) -> None:
        state = chess.parse(text)
        assert chess.parse(chess.format(state)) == state, text

    def board(text: str) -> None:
        state = columns.parse(text)
        assert columns.parse(columns.format(state)) == state, text

    def game(text: str) -> None:
        file.write_text(text, errors="replace")
        read_openings(chess, file)

    return {
        "uci": SilentUci(Settings(compile=False)).handle,
        "ugi": SilentUgi(Settings(game="connect-four", compile=False)).handle,
        "gtp": SilentGtp(Settings(game="othello", compile=False)).handle,
        "positions": position,
        "pgn": game,
        "columns": board,
    }


def tell(count: int, seed: int) -> tuple[Counter[str], dict[str, str]]:
    """Ask many lines; return how many of each corpus were understood or refused, and a line for
    each fault."""
    rng, counts, faults = random.Random(seed), Counter[str](), dict[str, str]()
    folder = TemporaryDirectory()
    ask = askers(Path(folder.name) / "games.pgn")
    names = list(CORPORA)
    with folder:
        for number in range(count):
            name = names[number % len(names)]
            line = changed(rng, rng.choice(CORPORA[name]))
            if not line.strip():
                continue
            try:
                ask[name](line.strip() if name in ("uci", "ugi", "gtp") else line)
                counts[f"{name}: understood"] += 1
            except PrunusError as error:
                assert str(error), line
                counts[f"{name}: refused"] += 1
            except Exception as error:  # all others are faults
                words = f"{name}: {type(error).__name__}: {str(error)[:60]}"
                faults.setdefault(words, line)
                counts[f"{name}: FAULT"] += 1
    return counts, faults


if __name__ == "__main__":
    began = time.perf_counter()
    seen, wrong = tell(int(sys.argv[1]), int(sys.argv[2]))
    for key, number in sorted(seen.items()):
        print(f"{key} {number}")
    for key, text in wrong.items():
        print(f"  {key}: {text!r}")
    print(f"{sum(seen.values())} lines, {len(wrong)} faults, {time.perf_counter() - began:.0f} s")
