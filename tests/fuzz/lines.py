"""Lines that nobody should write: positions, games and protocols, valid ones with errors put in.

`python -m tests.fuzz.lines COUNT SEED [KINDS]` tries so many lines of each kind and prints each that
is not answered with a clear error (`prunus.PrunusError`), or takes longer than `LONGEST`; the exit
status is 1 if there was any.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from prunus.core.errors import PrunusError
from prunus.core.position import read_position
from prunus.games import Chess
from prunus.play.openings import read_openings
from prunus.play.protocols.gtp import GtpServer
from prunus.play.protocols.settings import Settings
from prunus.play.protocols.uci import UciServer
from prunus.play.protocols.ugi import UgiServer

LONGEST = 20.0
"""Seconds; a line takes milliseconds, but the machine may be busy."""

FENS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "4k3/8/8/8/8/8/8/R3K2R w HA - 99 1",
    "startpos moves e2e4 c7c5 g1f3",
]
GAMES = [
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 6. d4 exd4",
    "d4 d5 c4 dxc4 e3 b5 a4 c6 axb5 cxb5 Qf3",
    "start moves e4 e6 d4 d5 exd5 exd5 Nf3",
    "1. e4 d5 2. e5 f5 3. exf6 Kf7 4. fxg7 h5 5. gxh8=Q",
]
PGNS = [
    '[Event "x"]\n[Result "1-0"]\n\n1. e4 {good} e5 2. Nf3 (2. f4 exf4) Nc6 $1 3. Bb5 1-0\n',
    f'[SetUp "1"]\n[FEN "{FENS[2]}"]\n\n1. Rxf4+ Kg3 2. Rg4+ *\n',
]
UCI = [
    *(f"position fen {fen}" for fen in FENS[:5]),
    *("position startpos moves e2e4 e7e5 g1f3", "position startpos", "go depth 1", "go nodes 5"),
    *("go wtime 100 btime 100 winc 1 binc 1", "go movetime 1", "go depth 1 searchmoves e2e4 d2d4"),
    *("go infinite", "go ponder wtime 50 btime 50", "ponderhit", "stop", "isready", "ucinewgame"),
    *("setoption name MultiPV value 2", "setoption name Hash value 1", "setoption name Ponder"),
    *("setoption name null_move value 3", "setoption name Book value /nothing", "uci", "d"),
    *("setoption name UCI_Elo value 1500", "setoption name Level value 3", "debug on", "go mate 1"),
    *("setoption name Threads value 2", "go perft 1", "query gameover", "query result"),
]
UGI = [
    *("ugi", "uginewgame", "position startpos moves 4 4 3", "position fen 4433", "go depth 2"),
    *("go p1time 100 p2time 100 p1inc 1 p2inc 1", "go nodes 9", "query p1turn", "query result"),
    *("query gameover", "stop", "isready", "setoption name beam value 2", "go infinite", "d"),
    *("setoption name MultiPV value 3", "setoption name quiescence value true", "go perft 2"),
]
GTP = [
    *("1 protocol_version", "name", "known_command genmove", "list_commands", "boardsize 6"),
    *("clear_board", "play black c2", "play w pass", "genmove b", "genmove white", "undo"),
    *("showboard", "time_settings 0 1 5", "time_settings 1 0 0", "time_left b 1 0", "final_score"),
    *("komi 6.5", "time_left white 0.5 3", "# only a comment", "17 genmove b # a comment"),
]
SPICE = [
    *(
        "",
        " ",
        "-1",
        "0",
        "99999999999999999999",
        "1e400",
        "nan",
        "-",
        "/",
        "9",
        "K",
        "k",
        "x",
        "=",
    ),
    *("\x00", "\x7f", "é", "🙂", "\u202e", "{", "}", "(", ")", ";", "%", "$9", "a" * 300, "name"),
    *("value", "fen", "moves", "startpos", "0000", "e9", "true", "false", "O-O-O", "w", "b"),
]


def spoilt(line: str, rng: random.Random) -> str:
    """The line with some errors put in."""
    for _ in range(rng.randint(0, 3)):
        words, kind = line.split(" "), rng.randrange(6)
        place = rng.randrange(len(words))
        if kind == 0:
            words[place] = rng.choice(SPICE)
        elif kind == 1:
            words.insert(place, rng.choice(SPICE))
        elif kind == 2:
            del words[place]
        elif kind == 3:
            rng.shuffle(words)
        elif words[place]:
            at = rng.randrange(len(words[place]))
            letter = rng.choice("KQRBNPkqrbnp12345678/abcdefgh -x+#=O \t\x01é")
            words[place] = words[place][:at] + letter + words[place][at + rng.randint(0, 1) :]
        line = " ".join(words)
    return line


def positions(lines: list[str]) -> Callable[[random.Random], tuple[str, Callable[[], None]]]:
    """Positions of chess; what is understood can be written and is then understood again."""
    games = [Chess(), Chess(chess960=True)]

    def one(rng: random.Random) -> tuple[str, Callable[[], None]]:
        text, game = spoilt(rng.choice(lines), rng), rng.choice(games)

        def read() -> None:
            state = read_position(game, text).state
            written = game.format(state)
            if game.format(game.parse(written)) != written:
                raise AssertionError(f"{written} is not read as it is written")

        return text, read

    return one


def pgns(rng: random.Random) -> tuple[str, Callable[[], None]]:
    """Files of openings."""
    text = "".join(spoilt(line, rng) + "\n" for line in rng.choice(PGNS).split("\n"))

    def read() -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".pgn", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            read_openings(Chess(), Path(file.name))

    return text, read


def conversation(
    server: UgiServer | GtpServer, lines: list[str]
) -> Callable[[random.Random], tuple[str, Callable[[], None]]]:
    """Lines of a protocol, to one server; a search that a line begins is soon stopped."""
    server.say = lambda *said: None  # type: ignore[method-assign]
    failures: list[Exception] = []
    server.complain = failures.append  # type: ignore[method-assign]

    def one(rng: random.Random) -> tuple[str, Callable[[], None]]:
        line = spoilt(rng.choice(lines), rng)
        words = line.split()
        is_heavy = {"Hash", "Threads"} & set(words) or ("perft" in words and words[2:] != ["1"])
        if is_heavy or ("time_" in line and re.search(r"\d\d", line)):
            line = "isready"  # much memory, many threads, much time: as asked for

        def tell() -> None:
            failures.clear()
            if not line.strip():
                return
            server.handle(line.strip())
            search = server.search
            if search is not None and search.is_running():
                search.stop()
                search.join(LONGEST)
            for error in failures:
                raise error

        return line, tell

    return one


def kinds() -> dict[str, Callable[[], Callable[[random.Random], tuple[str, Callable[[], None]]]]]:
    """The kinds of lines, each with what makes and tries one."""
    small = Settings("othello:size=6", compile=False, megabytes=1)
    four = Settings("connect-four:width=5,height=4", compile=False, megabytes=1)
    chess = Settings(compile=False, megabytes=1)
    return {
        "fen": lambda: positions(FENS),
        "san": lambda: positions(GAMES),
        "pgn": lambda: pgns,
        "uci": lambda: conversation(UciServer(chess), UCI),
        "ugi": lambda: conversation(UgiServer(four), UGI),
        "gtp": lambda: conversation(GtpServer(small, 0.001), GTP),
    }


def attempt(kind: str, count: int, seed: int) -> list[str]:
    """What is wrong with the answers to `count` lines of a kind."""
    one, rng, wrong = kinds()[kind](), random.Random(seed), []
    for number in range(count):
        line, act = one(rng)
        began = time.perf_counter()
        try:
            act()
        except PrunusError as error:
            if not str(error).strip():
                wrong.append(f"{kind} {seed}/{number} {line!r}: an error without words")
        except Exception as error:
            wrong.append(f"{kind} {seed}/{number} {line!r}: {type(error).__name__}: {error}")
        if time.perf_counter() - began > LONGEST:
            wrong.append(f"{kind} {seed}/{number} {line!r}: too long")
    return wrong


def main() -> int:
    """Try and report."""
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    chosen = sys.argv[3].split(",") if len(sys.argv) > 3 else list(kinds())
    failed = 0
    for kind in chosen:
        began = time.perf_counter()
        wrong = attempt(kind, count, seed)
        failed += len(wrong)
        print(*wrong[:20], sep="\n", end="\n" if wrong else "")
        print(f"{kind}: {count} lines, {len(wrong)} wrong, {time.perf_counter() - began:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
