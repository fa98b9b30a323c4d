"""Random messages to a studio, made by Schemathesis from what the server says of itself: those that
its description allows and those that it does not, as requests and through the socket. The server
has to answer each in words and to live on.

    python -m tests.studio.fuzzing [EXAMPLES] [SEED] [--address URL]

sends so many examples of each kind of request and prints what came back; without an address, from a
server of its own, twice. `benchmarks/studio_soak.py` does so for a long time.
"""

from __future__ import annotations

import argparse
import json
import os
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode
from websockets.sync.client import connect

from prunus.studio import maxima
from prunus.studio.messages import REQUESTS
from tests.studio.pages import running

SENTINEL = 2**31
"""The id of the search that shows that the socket lives; no other message has it."""
PATIENCE = 30.0

KNOWN = {
    "place": [
        {"game": "nim", "position": "1,2"},
        {"game": "tic-tac-toe", "position": "XO./.../...", "moves": ["b2"]},
        {"game": "chess", "moves": ["e4", "e5"]},
    ],
    "game": ["nim", "tic-tac-toe", "kalah:holes=2", "chess", "podium-nim", "tree:file=x"],
    "position": ["", "1,2", "XO./.../...", "e4", "1,1:0 1,1:0 A"],
    "algorithm": ["engine", "alphabeta", "mtdf", "minimax", "sss-stockman", "alphabeta-strict"],
    "name": ["alphabeta", "positions-held", "random-trees"],
    "moves": [[], ["1"], ["a1", "b2"], ["e4", "e5"]],
    "values": [{}, {"d": [2], "h": [3]}, {"d": [2, 2.5], "x": ["1"]}],
}
"""What is drawn now and then where any text would do, to get past the first check."""


@dataclass
class Told:
    """What came back: how often each answer to each kind of message, and the longest wait."""

    answers: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")

    def note(self, kind: str, answer: object, began: float) -> None:
        self.answers[f"{kind}: {answer}"] += 1
        self.slowest = max(self.slowest, (time.perf_counter() - began, kind))


def drawn(strategy, examples, number, act):
    """Do something with so many examples of a strategy, the same ones for the same number."""

    @seed(number)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def each(case):
        act(case)

    each()


def modes():
    return (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


def strategies(schema):
    """The kinds of requests that a description has, allowed and not: a name and a strategy."""
    for found in schema.get_all_operations():
        operation = found.ok()
        for mode in modes():
            # Any text will do in a path, so that only queries and bodies can break the description.
            if operation.body or operation.query or mode is GenerationMode.POSITIVE:
                name = f"{operation.method.upper()} {operation.path} {mode.value}"
                yield name, operation.as_strategy(generation_mode=mode)


def informed(value, random):
    """A drawn value in which parts named in KNOWN are, half the time, among those."""
    if isinstance(value, dict):
        return {
            key: random.choice(KNOWN[key])
            if key in KNOWN and random.random() < 0.5
            else informed(part, random)
            for key, part in value.items()
        }
    return [informed(each, random) for each in value] if isinstance(value, list) else value


def requests(address: str, examples: int, number: int, told: Told) -> None:
    """Send requests."""
    schema = schemathesis.openapi.from_url(f"{address}openapi.json")
    random = Random(number)
    for name, strategy in strategies(schema):

        def act(case, name=name):
            case.body = informed(case.body, random)
            case.path_parameters = informed(case.path_parameters, random)
            began = time.perf_counter()
            answer = case.call(base_url=address, timeout=PATIENCE)
            told.note(name, answer.status_code, began)
            assert answer.status_code < 500, (name, case.as_curl_command())
            assert "Traceback" not in answer.text, (name, case.as_curl_command())

        drawn(strategy, examples, number, act)


def socket_schema():
    """What the socket takes, as the description of a request."""
    said = REQUESTS.json_schema(ref_template="#/components/schemas/{model}")
    parts = said.pop("$defs")
    body = {"required": True, "content": {"application/json": {"schema": said}}}
    return schemathesis.openapi.from_dict(
        {
            "openapi": "3.1.0",
            "info": {"title": "socket", "version": "1"},
            "paths": {
                "/ws": {"post": {"requestBody": body, "responses": {"200": {"description": "ok"}}}}
            },
            "components": {"schemas": parts},
        }
    )


def text_of(body: object) -> str | bytes:
    """A message as it is sent; what is no JSON as it is."""
    try:
        return json.dumps(body)
    except (TypeError, ValueError):
        return body if isinstance(body, str | bytes) else str(body)


def lives(socket, body) -> str:
    """Ask for a small search until it is answered; the last answer to anything else. A page may
    have four searches: those that were stopped have to end before another one begins."""
    last, end = "nothing", time.perf_counter() + PATIENCE
    question = json.dumps({"id": SENTINEL, "do": "watch", "tree": [1, 2]})
    socket.send(question)
    while True:
        answer = json.loads(socket.recv(timeout=PATIENCE))
        assert "Traceback" not in answer.get("text", ""), body
        if answer.get("id") != SENTINEL:
            last = answer["event"]
        elif answer["event"] == "done":
            assert answer["value"] == 2, (body, answer)
            return last
        elif answer["event"] == "error":
            assert time.perf_counter() < end, (body, answer)
            time.sleep(0.1)
            socket.send(question)


def through_the_socket(address: str, examples: int, number: int, told: Told) -> None:
    """Send messages through one socket; each search that begins is stopped, and after each message
    a search of a small tree has to be answered."""
    origin = address.rstrip("/")
    where = origin.replace("http", "ws", 1) + "/ws"
    random = Random(number)
    with connect(where, origin=origin, max_size=None) as socket:

        def act(case, name=""):
            began = time.perf_counter()
            body = informed(case.body, random)
            if isinstance(body, dict) and body.get("id") == SENTINEL:
                body["id"] = 1
            text = text_of(body)
            if len(text if isinstance(text, bytes) else text.encode()) > maxima.MESSAGE:
                return  # the server leaves whoever sends so much, as another test asks of it
            socket.send(text)
            own = body.get("id") if isinstance(body, dict) else None
            if isinstance(own, int) and not isinstance(own, bool) and 0 <= own < SENTINEL:
                socket.send(json.dumps({"id": own, "do": "stop"}))
            told.note(name, lives(socket, body), began)

        for name, strategy in strategies(socket_schema()):
            drawn(strategy, examples, number, lambda case, name=name: act(case, name))


def fuzzed(address: str, examples: int, number: int) -> Told:
    """Both; what came back. The server answers afterwards as before."""
    told = Told()
    requests(address, examples, number, told)
    through_the_socket(address, examples, number, told)
    return told


def held() -> str:
    """The threads, files and memory that this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    files = len(list(Path("/proc/self/fd").iterdir()))
    megabytes = pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    return f"{threading.active_count()} threads, {files} files, {megabytes:.0f} MB"


def sent(address: str, examples: int, number: int) -> None:
    """Send messages, and print what came back."""
    began = time.perf_counter()
    told = fuzzed(address, examples, number)
    took = time.perf_counter() - began
    print(f"seed {number}: {sum(told.answers.values()):,} messages in {took:.0f} s")
    print(f"  slowest: {told.slowest[0]:.1f} s, {told.slowest[1]}")
    for answer, count in sorted(told.answers.items()):
        print(f"  {count:6,}  {answer}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("examples", type=int, nargs="?", default=50)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--address")
    options = parser.parse_args()
    if options.address:
        sent(options.address, options.examples, options.seed)
        return
    with running() as address:
        for turn in range(2):
            sent(address, options.examples, options.seed + turn)
            print(f"  {held()}")


if __name__ == "__main__":
    main()
