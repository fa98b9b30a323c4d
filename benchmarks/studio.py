"""The studio under load: `python -m benchmarks.studio [--clients N] [--moves N] [--soak SECONDS]`.

Starts a studio in a process of its own. `--clients` browsers at once play a game each of Connect
Four against the computer at level 3, a move as soon as the last one is answered; what counts is how
long each waits for its move, its place in the queue included, and that no move is lost. With
`--soak`, clients then send messages that are none, searches that they leave, and stops of searches
that are not, for so many seconds; what counts is that the server answers afterwards, and that its
memory, threads and handles do not grow from each quarter to the next (Linux only).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

LEVEL = 3
LAST = ("done", "error", "stopped")
SEED = 1
PARTS = 4
"""A soak is measured after each of so many parts: what grows in all of them is a leak, what grows in
the first only is kept for the next searches."""
REST = 5.0
"""Seconds until searches that were left have ended."""


def use_of(process: int) -> dict[str, int]:
    """The memory in MB, the threads and the open handles of a process."""
    status = Path(f"/proc/{process}/status").read_text()
    found = {name: int(re.findall(rf"{name}:\s+(\d+)", status)[0]) for name in ("VmRSS", "Threads")}
    handles = len(list(Path(f"/proc/{process}/fd").iterdir()))
    return {"MB": found["VmRSS"] // 1024, "threads": found["Threads"], "handles": handles}


def visit(address: str) -> connect:
    """A WebSocket to the studio, as its own page opens it."""
    return connect(address.replace("http", "ws") + "ws", origin=address.rstrip("/"))  # type: ignore[arg-type]


async def asked(socket: ClientConnection, number: int, **request: Any) -> Any:
    """The last answer to a request."""
    await socket.send(json.dumps({"id": number, **request}))
    while True:
        answer = json.loads(await socket.recv())
        if answer["id"] == number and answer["event"] in LAST:
            return answer


async def player(address: str, moves: int, waits: list[float], lost: list[Any]) -> None:
    """One client: it plays both sides' moves as the computer chooses them."""
    made: list[str] = []
    async with visit(address) as socket:
        for number in range(moves):
            place = {"game": "connect-four", "position": "", "moves": made}
            began = time.perf_counter()
            answer = await asked(socket, number, do="move", place=place, level=LEVEL)
            waits.append(time.perf_counter() - began)
            if answer["event"] != "done":
                lost.append(answer)
                return
            made.append(answer["action"])


def bad(numbers: random.Random) -> str:
    """A message that asks for nothing, for too much, or for something that nobody waits for."""
    place = {"game": numbers.choice(["nim", "othello", "x", ""]), "position": "", "moves": []}
    return numbers.choice(
        [
            "",
            "{" * numbers.randrange(1, 4000),
            "".join(chr(numbers.randrange(32, 1000)) for _ in range(numbers.randrange(200))),
            json.dumps({"id": numbers.randrange(9), "do": "stop"}),
            json.dumps({"id": numbers.randrange(9), "do": "watch", "tree": [[1, 2], [3, [4]]]}),
            json.dumps({"id": numbers.randrange(9), "do": "analyse", "place": place}),
            json.dumps({"id": numbers.randrange(9), "do": "move", "place": place, "level": 99}),
            "x" * 70_000,
        ]
    )


async def pest(address: str, end: float, seed: int) -> int:
    """One client that sends bad messages and comes again when it is left; how many it sent."""
    numbers, sent = random.Random(seed), 0
    while time.perf_counter() < end:
        try:
            async with visit(address) as socket:
                for _ in range(numbers.randrange(1, 60)):
                    await socket.send(bad(numbers))
                    sent += 1
                    await asyncio.sleep(0.005)
        except Exception:
            await asyncio.sleep(0.05)
    return sent


async def measure(address: str, process: int, options: argparse.Namespace) -> None:
    """Print what the clients found."""
    waits: list[float] = []
    lost: list[Any] = []
    async with visit(address) as socket:  # the game is compiled before the clocks run
        place = {"game": "connect-four", "position": "", "moves": []}
        await asked(socket, 0, do="move", place=place, level=LEVEL)
    began = time.perf_counter()
    await asyncio.gather(
        *(player(address, options.moves, waits, lost) for _ in range(options.clients))
    )
    took, waits = time.perf_counter() - began, sorted(waits)
    told = " ".join(f"p{part} {waits[len(waits) * part // 100] * 1000:.0f} ms" for part in (50, 99))
    print(
        f"{len(waits)} moves of {options.clients} clients in {took:.1f} s: {told}, lost {len(lost)}"
    )
    if options.soak:
        print(f"before {use_of(process)}")
        sent = 0
        for part in range(1, PARTS + 1):
            end = time.perf_counter() + options.soak / PARTS
            seeds = (SEED + 8 * part + each for each in range(8))
            sent += sum(await asyncio.gather(*(pest(address, end, seed) for seed in seeds)))
            await asyncio.sleep(REST)
            print(
                f"{sent:,} bad messages in {part * options.soak / PARTS:.0f} s: {use_of(process)}"
            )
        async with visit(address) as socket:
            answer = await asked(socket, 1, do="watch", tree=[[3, 12], [2, 4]])
        print(f"it answers: {answer['value'] == 3}")


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--moves", type=int, default=6)
    parser.add_argument("--soak", type=float, default=0.0)
    options = parser.parse_args()
    command = [sys.executable, "-m", "prunus", "studio", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = re.findall(r"http://\S+", server.stdout.readline())[0]
        time.sleep(1.0)
        try:
            asyncio.run(measure(address, server.pid, options))
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
