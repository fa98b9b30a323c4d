"""The same depth-limited work on Connect Four and Othello for Prunus, OpenSpiel and easyAI: `python
-m benchmarks.peers [--quick] [--pairs N]`.

The peers live in an environment of their own, `.venv-peers` in the repository's root, made on
demand from `requirements/peers.txt`. Made equal are the position, the depth, the order of the
actions (left to right, as both peers have it), an evaluation of 0 at the horizon and the values of
finished games. The numbers of positions valued are then equal, and this is checked. README.md says
what is not equal.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.common import (
    HERE,
    ROOT,
    Mismatch,
    NotMeasured,
    Ratio,
    Run,
    Search,
    repetitions,
    say,
    table,
)
from prunus.core.bits import u64
from prunus.core.game import Game
from prunus.games.connect_four import ConnectFour
from prunus.games.othello import Othello
from prunus.run.random_play import play_at_random

ENVIRONMENT = ROOT / ".venv-peers"
LOCKED = ROOT / "requirements" / "peers.txt"
CLOSED = "44444432"
"""A position without a quick win; in 4455 the player to move wins soon."""


class LeftToRight(ConnectFour):
    """Connect Four with the columns from left to right and a win worth 1: the peers' order and
    values."""

    def __init__(self) -> None:
        super().__init__()
        self.columns = tuple(range(self.width))

    def utility(self, state: Any) -> int:
        return -1 if self.has_four(state.mine ^ state.mask) else 0

    def bounds(self, state: Any) -> tuple[int, int]:
        return (-1, 1)


class FlatOthello(Othello):
    """Othello with the evaluation 0, as OpenSpiel's search has it."""

    def evaluate(self, state: Any) -> int:
        return 0


class EasyReversi(Othello):
    """easyAI's Reversi: the start mirrored, the game over for a player who cannot move, squares on
    the edge worth 3 and corners 9."""

    def __init__(self) -> None:
        super().__init__()
        self.edge = u64(0xFF818181818181FF)

    def initial(self) -> Any:
        start = super().initial()
        return self.State(start.theirs, start.mine, False)

    def is_terminal(self, state: Any) -> bool:
        return self.moves(state.mine, state.theirs) == 0

    def utility(self, state: Any) -> int:
        return self.evaluate(state)

    def evaluate(self, state: Any) -> int:
        return self.worth(state.mine) - self.worth(state.theirs)

    def worth(self, discs: u64) -> int:
        return (
            discs.bit_count()
            + 2 * (discs & self.edge).bit_count()
            + 6 * (discs & self.corners).bit_count()
        )


@dataclass(frozen=True)
class Work:
    """One search that a peer and Prunus both do, after the actions `played`. `faster` says that a
    quicker win is worth more, as in easyAI's Connect Four."""

    peer: str
    game: str
    played: tuple[int, ...]
    depth: int
    faster: bool = False

    @property
    def is_easy(self) -> bool:
        return self.peer == "easyAI"

    @property
    def name(self) -> str:
        if self.game == "othello":
            return (
                f"Othello {'start' if not self.played else f'after {len(self.played)} plies'}, "
                f"depth {self.depth}"
            )
        return (
            f"Connect Four {''.join(str(column + 1) for column in self.played) or 'start'}, "
            f"depth {self.depth}"
        )

    def make(self) -> Game:
        """The game as the peer has it."""
        if self.game == "othello":
            return EasyReversi() if self.is_easy else FlatOthello()
        return LeftToRight()

    def state(self, game: Game) -> Any:
        """The position in such a game."""
        state = game.initial()
        for action in self.played:
            assert action in game.actions(state)
            state = game.result(state, action)
        return state


def random_play(game: Game, plies: int, seed: int = 5) -> tuple[int, ...]:
    """The actions of the first plies of a random game, the same each time."""
    return tuple(map(int, play_at_random(game, plies, random.Random(seed)).actions))


def environment() -> Path:
    """The Python of the peers' environment, which is made if it is missing. Raises NotMeasured if
    that is impossible."""
    python = ENVIRONMENT / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    stamp = ENVIRONMENT / ".installed"
    if stamp.exists() and stamp.read_text() == LOCKED.read_text():
        return python
    say(f"peers: making {ENVIRONMENT.name} from {LOCKED.name} (once, about a minute)")
    steps = [
        [sys.executable, "-m", "venv", str(ENVIRONMENT)],
        [
            str(python),
            "-m",
            "pip",
            "--disable-pip-version-check",
            "install",
            "-q",
            "-r",
            str(LOCKED),
        ],
    ]
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            lines = [
                line for line in done.stderr.strip().splitlines() if "WARNING" not in line
            ] or ["unknown"]
            raise NotMeasured(f"the peers cannot be installed: {lines[-1]}")
    stamp.write_text(LOCKED.read_text())
    return python


class Peer:
    """A peer in a process of its own, which answers each line of JSON with another."""

    def __init__(self, python: Path, name: str) -> None:
        script = str(HERE / "peer_process.py")
        self.process = subprocess.Popen(
            [str(python), script, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.version = self._answer()["version"]

    def _answer(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise NotMeasured(f"the peer's process ended with status {self.process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise NotMeasured(answer["error"])
        return answer

    def ask(self, request: dict[str, Any]) -> Any:
        """Send a line and wait for the answer."""
        assert self.process.stdin is not None
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return self._answer()

    def search(self, work: Work, count: bool = False) -> Any:
        """Search once; with `count` the positions valued are counted, and the time means
        nothing."""
        return self.ask(
            {"game": work.game, "actions": work.played, "depth": work.depth, "count": count}
        )

    def close(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.wait()


def agree(work: Work, ours: Run, counted: Any) -> None:
    """Raises Mismatch if the two searches did not do the same work."""
    sign = (ours.value > 0) - (ours.value < 0)
    theirs = (counted["value"] > 0) - (counted["value"] < 0)
    valued = ours.leaves if work.is_easy else ours.evaluated
    if sign != theirs or valued != counted["valued"]:
        raise Mismatch(f"{work}: Prunus value {ours.value}, {valued} valued; peer {counted}")


def compare(peer: Peer, work: Work, pairs: int) -> Ratio:
    """The peer's seconds divided by ours for the same tree."""
    game = work.make()
    search = Search(game, work.state(game), "alphabeta", work.depth, prefer_faster=work.faster)
    times = repetitions(search, 0.05)
    agree(work, search.run(), peer.search(work, count=True))
    theirs, ours = [], []
    began = time.perf_counter()
    while len(ours) < pairs and (len(ours) < 3 or time.perf_counter() - began < 60):
        theirs.append(peer.search(work)["seconds"])
        ours.append(search.run(times))
    detail = {
        "nodes": ours[0].nodes,
        "leaves": ours[0].leaves,
        "peer_seconds": statistics.median(theirs),
        "prunus_seconds": statistics.median(run.seconds for run in ours),
        "prunus_repetitions": times,
        "prunus_analyze_seconds": analyze_seconds(game, work),
        "peer_version": peer.version,
        "own_order": own_order(work),
    }
    meaning = "the peer's seconds divided by compiled Prunus's for the same tree"
    return Ratio(
        f"{work.peer}: {work.name}",
        meaning,
        [a / b.seconds for a, b in zip(theirs, ours, strict=True)],
        detail,
    )


def own_order(work: Work) -> dict[str, Any]:
    """The same search of Connect Four in Prunus's own order of the columns, from the centre, as
    users get it by default. Empty for Othello, whose order is already the peers'."""
    if work.game != "connect_four":
        return {}
    game = ConnectFour()
    search = Search(game, work.state(game), "alphabeta", work.depth, prefer_faster=work.faster)
    run = search.run(repetitions(search, 0.05))
    return {"nodes": run.nodes, "seconds": run.seconds}


def analyze_seconds(game: Game, work: Work) -> float:
    """The wall time of a whole `analyze` of the same work, with its thread, its memory and its
    result, after compilation."""
    from prunus.run.driver import analyze

    state, seconds = work.state(game), []
    for _ in range(6):
        began = time.perf_counter()
        analyze(game, state, "alphabeta", work.depth, prefer_faster=work.faster, compile=True)
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds[1:])


def works(quick: bool) -> list[Work]:
    """The measurements: depths at which the peer takes about a second or more."""
    spiel, easy = "OpenSpiel alpha_beta_search (Python over C++ states)", "easyAI"
    depths = (9, 10, 10, 5, 6, 6) if quick else (11, 11, 11, 6, 6, 7)
    lines = [tuple(int(column) - 1 for column in text) for text in ("", "4455", CLOSED)]
    found = [
        Work(spiel, "connect_four", line, depth)
        for line, depth in zip(lines, depths[:3], strict=True)
    ]
    found += [
        Work(easy, "connect_four", line, depth, True)
        for line, depth in zip(lines, depths[3:], strict=True)
    ]
    for peer, game, depth in (
        (spiel, FlatOthello(), 8 if quick else 9),
        (easy, EasyReversi(), 4 if quick else 5),
    ):
        found += [Work(peer, "othello", played, depth) for played in ((), random_play(game, 12))]
    return found


NOT_EXPOSED = (
    "OpenSpiel's C++ AlphaBetaSearch: not exposed to Python (pyspiel has no such name), "
    "and the wheel has no library to link with"
)


def measure(quick: bool = False, pairs: int = 0) -> tuple[list[Ratio], list[str]]:
    """The ratios, and the reasons for what was not measured."""
    ratios: list[Ratio] = []
    missing: list[str] = [NOT_EXPOSED]
    try:
        python = environment()
    except NotMeasured as reason:
        return [], [*missing, f"OpenSpiel, easyAI: {reason}"]
    for name in ("openspiel", "easyai"):
        wanted = [work for work in works(quick) if work.peer.lower().startswith(name)]
        try:
            ratios += of_peer(python, name, wanted, pairs or (3 if quick else 7))
        except NotMeasured as reason:
            missing.append(f"{name}: {reason}")
    return ratios, missing


def of_peer(python: Path, name: str, wanted: list[Work], pairs: int) -> list[Ratio]:
    """All the ratios of one peer."""
    peer = Peer(python, name)
    try:
        found: list[Ratio] = []
        for work in wanted:
            say(f"peers: {work.peer}, {work.name}")
            one: Callable[[], Ratio] = partial(compare, peer, work, pairs)
            found.append(one())
        return found
    finally:
        peer.close()


def show(ratios: list[Ratio]) -> str:
    """The ratios as a table."""
    rows = [
        (
            "work",
            "nodes",
            "peer, s",
            "Prunus search, s",
            "Prunus analyze(), s",
            "peer / Prunus search",
            "peer / analyze()",
        )
    ]
    for ratio in ratios:
        d = ratio.detail
        seconds = (
            f"{d['peer_seconds']:.3f}",
            f"{d['prunus_seconds']:.2e}",
            f"{d['prunus_analyze_seconds']:.2e}",
        )
        whole = f"{d['peer_seconds'] / d['prunus_analyze_seconds']:,.0f}"
        rows.append(
            (
                f"{ratio.name}; version {d['peer_version']}",
                f"{d['nodes']:,}",
                *seconds,
                ratio.text(),
                whole,
            )
        )
    return table(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--quick", action="store_true", help="smaller depths, fewer pairs")
    parser.add_argument("--pairs", type=int, default=0, help="interleaved rounds (7; quick: 3)")
    options = parser.parse_args()
    ratios, missing = measure(options.quick, options.pairs)
    print(show(ratios))
    for line in missing:
        print(f"not measured: {line}")


if __name__ == "__main__":
    main()
