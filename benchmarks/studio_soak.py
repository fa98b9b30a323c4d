"""A studio that is used and abused: `python -m benchmarks.studio_soak [--minutes N] [--seed N]`.

Starts a studio in a process of its own. For so many minutes visitors load its page, play, watch
searches, analyse and stop; others send messages that are none, begin searches that they leave, and
stop some that are not there; and `tests/studio/fuzzing.py` sends what Schemathesis makes of the
server's description. Every minute the server's memory, threads and open handles are printed (Linux
only), and after each quarter, while all are away, what it has at rest. What counts: that all
visitors are answered, that the server answers afterwards, and that nothing grows for ever: `an
hour` is the slope of the straight line through the rests after the first one. Code that a game
needs is compiled once and kept; new games make the memory grow as long as there are any.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from benchmarks.studio import asked, studio, visit

VISITORS, PESTS = 6, 3
REST = 15.0
"""Seconds until searches that were left have ended and their memory is given back."""
QUARTERS = 4
Seen = Counter[str]
ROWS = ("MB", "threads", "handles")
GAMES = ("connect-four", "tic-tac-toe", "nim", "othello", "chess", "kalah", "hex:size=4")
EXAMPLES = 12
"""The messages of each kind that one run of the fuzzer sends."""


def use_of(process: int) -> dict[str, float]:
    """The memory in MB, the threads and the open handles of a process."""
    status = Path(f"/proc/{process}/status").read_text()
    found = {name: int(re.findall(rf"{name}:\s+(\d+)", status)[0]) for name in ("VmRSS", "Threads")}
    handles = len(list(Path(f"/proc/{process}/fd").iterdir()))
    return dict(zip(ROWS, (found["VmRSS"] / 1024, found["Threads"], handles), strict=True))


def slope(times: Sequence[float], values: Sequence[float]) -> float:
    """That of the straight line with the least squares."""
    middle, mean = sum(times) / len(times), sum(values) / len(values)
    spread = sum((each - middle) ** 2 for each in times)
    pairs = zip(times, values, strict=True)
    return sum((time - middle) * (value - mean) for time, value in pairs) / spread


def fetched(address: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """The answer to a request that does not search."""
    data = None if body is None else json.dumps(body).encode()
    asked = Request(address + path, data, {"content-type": "application/json"})
    with urlopen(asked, timeout=60) as answer:
        return answer.read()


async def visited(address: str, numbers: random.Random, seen: Seen) -> None:
    """One visit: the page, some moves of a game, the values of the actions, a search that is
    watched, an analysis that is stopped."""
    await asyncio.to_thread(fetched, address, "")
    await asyncio.to_thread(fetched, address, "api/offer")
    place: dict[str, Any] = {"game": numbers.choice(GAMES), "position": "", "moves": []}
    async with visit(address) as socket:
        for number in range(numbers.randrange(2, 9)):
            answer = await asked(socket, number, do="move", place=place, level=2)
            seen[f"move {answer['event']}"] += 1
            place["moves"].append(answer["action"])
            told = await asyncio.to_thread(fetched, address, "api/position", place)
            if json.loads(told)["over"]:
                return
            await asyncio.sleep(numbers.uniform(0.2, 2))
        for request in (
            {"do": "values", "place": place, "seconds": 0.3},
            {"do": "watch", "tree": [[numbers.randrange(9) for _ in range(3)] for _ in range(4)]},
            {"do": "analyse", "place": place, "seconds": 1.0},
        ):
            answer = await asked(socket, 20, **request)
            seen[f"{request['do']} {answer['event']}"] += 1


async def visitor(address: str, end: float, seed: int, seen: Seen) -> None:
    """One that comes again and again; what is not answered as it should be is counted."""
    numbers = random.Random(seed)
    while time.perf_counter() < end:
        try:
            await visited(address, numbers, seen)
        except Exception as error:
            seen[f"LOST: {type(error).__name__} {error}"[:100]] += 1
        await asyncio.sleep(numbers.uniform(0, 2))


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


async def pest(address: str, end: float, seed: int, seen: Seen) -> None:
    """One that sends bad messages, and comes again when it is left."""
    numbers = random.Random(seed)
    while time.perf_counter() < end:
        try:
            async with visit(address) as socket:
                for _ in range(numbers.randrange(1, 60)):
                    await socket.send(bad(numbers))
                    seen["bad messages"] += 1
                    await asyncio.sleep(0.02)
        except Exception:
            await asyncio.sleep(0.05)


async def fuzzer(address: str, end: float, seed: int, seen: Seen) -> None:
    """Schemathesis, in processes of its own, with one seed after the other."""
    while time.perf_counter() < end:
        command = ("-m", "tests.studio.fuzzing", str(EXAMPLES), str(seed), "--address", address)
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, stdout=asyncio.subprocess.PIPE
        )
        try:
            printed, _ = await asyncio.wait_for(process.communicate(), end - time.perf_counter())
        except TimeoutError:
            process.kill()
            await process.wait()
            return
        sent = re.search(r"([\d,]+) messages", printed.decode())
        seen["fuzzed messages"] += int(sent[1].replace(",", "")) if sent else 0
        if process.returncode != 0:
            seen[f"LOST: the fuzzer failed with seed {seed}"] += 1
        seed += 1


def row(name: str, values: Iterable[float], form: str = ".0f") -> str:
    """A row of the table."""
    return f"| {name} | " + " | ".join(format(value, form) for value in values) + " |"


async def measured(process: int, began: float, end: float) -> None:
    """Print what the server uses, each minute."""
    while time.perf_counter() < end:
        minute = (time.perf_counter() - began) / 60
        print(row(f"{minute:.0f}", use_of(process).values()), flush=True)
        await asyncio.sleep(min(60, max(0, end - time.perf_counter())))


async def quarter(address: str, process: int, began: float, minutes: float, seed: int) -> Seen:
    """What came back to all that came in so many minutes."""
    seen: Seen = Counter()
    end = time.perf_counter() + 60 * minutes
    await asyncio.gather(
        measured(process, began, end),
        fuzzer(address, end, seed, seen),
        *(visitor(address, end, seed + each, seen) for each in range(VISITORS)),
        *(pest(address, end, seed + each, seen) for each in range(PESTS)),
    )
    await asyncio.sleep(REST)
    return seen


async def soak(address: str, process: int, minutes: float, seed: int) -> None:
    """Print what the server used, and what came back."""
    seen: Seen = Counter()
    rests: list[tuple[float, dict[str, float]]] = []
    began = time.perf_counter()
    print(f"| minute | {' | '.join(ROWS)} |\n|---|---|---|---|")
    for number in range(QUARTERS):
        part = minutes / QUARTERS
        seen += await quarter(address, process, began, part, seed + 1000 * number)
        rests.append(((time.perf_counter() - began) / 3600, use_of(process)))
        print(row("rest", rests[-1][1].values()), flush=True)
    hours = [hour for hour, _ in rests[1:]]
    slopes = (slope(hours, [use[name] for _, use in rests[1:]]) for name in ROWS)
    print(row("an hour", slopes, "+.1f") + "\n")
    for what, count in sorted(seen.items()):
        print(f"{count:8,} {what}")
    async with visit(address) as socket:
        answer = await asked(socket, 1, do="watch", tree=[[3, 12], [2, 4]])
    print(f"it answers: {answer.get('value') == 3}")


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with studio() as (address, process):
        asyncio.run(soak(address, process, options.minutes, options.seed))


if __name__ == "__main__":
    main()
