"""What the page makes of a server that fails, is full, or goes; what the server makes of rules that
fail."""

from __future__ import annotations

import re

import pytest
from starlette.websockets import WebSocketDisconnect

from prunus.studio import maxima
from prunus.studio.app import FULL
from prunus.studio.offer import served
from tests.studio.pages import chromium, running, when
from tests.studio.serving import ask, client, place, socket

FAILING = """
import prunus
from typing import NamedTuple

class Failing(prunus.Game):
    class State(NamedTuple):
        steps: prunus.u8
    def initial(self): return self.State(0)
    def actions(self, state):
        if state.steps == 1:
            raise KeyError("no move")
        yield 1
    def result(self, state, action): return self.State(state.steps + 1)
    def is_terminal(self, state): return state.steps == 3
    def utility(self, state): return -1
"""
WORDS = "KeyError: 'no move' (failing.py:11, in actions)"


@pytest.fixture(scope="module")
def failing(tmp_path_factory):
    file = tmp_path_factory.mktemp("own") / "failing.py"
    file.write_text(FAILING)
    return served([f"{file}:Failing"])


@pytest.fixture(scope="module")
def studio(failing):
    with running(failing) as address, chromium() as browser:
        yield browser, address


def test_rules_that_fail_are_told_with_their_place(failing):
    """By a request and by a search, with the headers of every answer; the path is not told."""
    with client(served=failing) as browser:
        browser._transport.raise_server_exceptions = False
        answer = browser.post("/api/position", json=place("Failing", "", ["1"]))
        assert (answer.status_code, answer.json()) == (500, {"error": WORDS})
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        with socket(browser) as opened:
            asked = ask(opened, do="watch", place=place("Failing"), algorithm="minimax")[-1]
        assert (asked["event"], asked["text"]) == ("error", WORDS)


def test_rules_that_fail_are_told_on_the_page(visit):
    page = visit.to("play/Failing", ".names button")
    page.click(".names button")
    visit.until(".error", WORDS)
    visit.complaints.clear()  # the browser notes the failure


def test_a_length_that_is_none_is_refused():
    with client() as browser:
        for length in ("9" * 5000, "9" * 10, "-1", "1e3", "٣", ""):
            sent = {"content-length": length.encode()}
            assert browser.post("/api/read", content=b"{}", headers=sent).status_code == 413, length


def test_whoever_comes_when_it_is_full_is_told_so(monkeypatch):
    monkeypatch.setattr(maxima, "CLIENTS", 1)
    with client() as browser, socket(browser), socket(browser) as second:
        with pytest.raises(WebSocketDisconnect) as refused:
            second.receive_json()
        assert refused.value.code == FULL


def test_the_page_says_that_the_studio_is_full(visit, monkeypatch):
    page = visit.to("analyse/nim/1,3,5", "#start:not([disabled])")
    page.reload()  # its last WebSocket is closed
    page.wait_for_selector("#start:not([disabled])")
    monkeypatch.setattr(maxima, "CLIENTS", 0)
    page.click("#start")
    visit.until(".error", "as many visitors as it takes")


def test_an_answer_that_is_no_json_is_told_in_words(visit):
    page = visit.to("home")
    statuses = iter((503, 502))
    page.route("**/api/known", lambda route: route.fulfill(status=next(statuses), body="Sorry"))
    for words in ("as many visitors as it takes", r"no answer that can be read \(status 502\)"):
        told = page.evaluate(
            "async () => (await import('/static/js/server.js'))"
            ".request('/api/known', {}).catch((error) => error.message)"
        )
        assert re.search(words, told), told
    page.unroute("**/api/known")
    visit.complaints.clear()


def test_a_socket_that_closes_late_ends_only_its_own_searches(visit):
    page = visit.to("home")
    told = page.evaluate(
        """async () => {
            const made = [];
            class Socket extends EventTarget {
                constructor() { super(); this.readyState = 0; this.sent = []; made.push(this); }
                send(text) { this.sent.push(JSON.parse(text)); }
                happen(state, event) { this.readyState = state; this.dispatchEvent(event); }
            }
            Object.assign(Socket, { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 });
            const [real, now] = [window.WebSocket, () => new Promise((then) => setTimeout(then))];
            window.WebSocket = Socket;
            const { search } = await import('/static/js/server.js?alone');
            const ended = (one) => one.done.then((last) => last.event, (error) => error.message);
            const first = ended(search({ do: 'watch' }));
            made[0].happen(1, new Event('open'));
            await now();
            made[0].readyState = 2;
            const second = ended(search({ do: 'watch' }));
            made[1].happen(1, new Event('open'));
            await now();
            made[0].happen(3, new CloseEvent('close'));
            await now();
            const { id } = made[1].sent[0];
            made[1].happen(1, new MessageEvent('message', { data: JSON.stringify({ id, event: 'done' }) }));
            const found = [await first, await second];
            window.WebSocket = real;
            return found;
        }"""  # noqa: E501
    )
    assert told == ["the connection to the studio was lost", "done"]


def test_taking_back_does_not_undo_what_is_done_meanwhile(visit):
    page = visit.to("play/tic-tac-toe", ".target")
    for moves in (2, 4):
        page.locator(".target").first.click()
        when(page, f"document.querySelectorAll('#moves button').length === {moves}")
        page.wait_for_selector(".target")
    held = []

    def hold(route):
        held.append(route)

    page.route("**/api/position", hold)
    page.click("#back")
    page.wait_for_timeout(100)
    page.click("#new")
    page.wait_for_timeout(100)
    assert len(held) == 2
    page.unroute("**/api/position")  # and what is held goes on
    page.wait_for_selector(".target")
    page.wait_for_timeout(300)
    assert page.locator("#moves button").count() == 0


def test_a_failure_outside_the_rules_has_its_kind(monkeypatch):
    def broken(*_):
        raise IndexError("list index out of range")

    monkeypatch.setattr("prunus.studio.app.described", broken)
    app = client()
    app._transport.raise_server_exceptions = False
    with app as browser:
        answer = browser.post("/api/position", json=place("nim"))
    assert answer.json() == {"error": "IndexError: list index out of range"}
