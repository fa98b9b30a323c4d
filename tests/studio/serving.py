"""A studio for tests: the application by itself, and a client that talks as its page does."""

from __future__ import annotations

import json
from contextlib import contextmanager

from starlette.testclient import TestClient

from prunus.studio.app import create_app

HOST = "127.0.0.1:8472"
ORIGIN = f"http://{HOST}"


def client(**options):
    return TestClient(create_app([HOST], **options), base_url=ORIGIN)


@contextmanager
def socket(browser):
    with browser.websocket_connect("/ws", headers={"origin": ORIGIN, "host": HOST}) as opened:
        yield opened


def ask(opened, **request):
    """Send a request; all answers up to the last one."""
    opened.send_text(json.dumps({"id": 1, **request}))
    answers = []
    while not answers or answers[-1]["event"] not in ("done", "error", "stopped"):
        answers.append(opened.receive_json())
    return answers


def place(game, position="", moves=()):
    return {"game": game, "position": position, "moves": list(moves)}
