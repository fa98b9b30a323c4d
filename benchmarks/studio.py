"""The studio under load: `python -m benchmarks.studio [--clients N] [--moves N]`.

Starts a studio in a process of its own. `--clients` browsers at once play a game each of Connect
Four against the computer at level 3, a move as soon as the last one is answered; what counts is how
long each waits for its move, its place in the queue included, and that no move is lost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

LEVEL = 3
LAST = ("done", "error", "stopped")


@contextmanager
def studio() -> Iterator[tuple[str, int]]:
    """The address and the number of the process of a studio, which ends with the block."""
    command = [sys.executable, "-m", "prunus", "studio", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = re.findall(r"http://\S+", server.stdout.readline())[0]
        time.sleep(1.0)
        try:
            yield address, server.pid
        finally:
            server.terminate()


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


async def measure(address: str, options: argparse.Namespace) -> None:
    """Print what the clients found."""
    waits: list[float] = []
    lost: list[Any] = []
    async with visit(address) as socket:  # code that is not kept yet is compiled from here on
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


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--moves", type=int, default=6)
    options = parser.parse_args()
    with studio() as (address, _):
        asyncio.run(measure(address, options))


if __name__ == "__main__":
    main()
