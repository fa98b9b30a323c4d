"""A studio that other machines reach answers only to those who have its token."""

from __future__ import annotations

import socket as sockets
import threading
import time
from contextlib import contextmanager

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from prunus.studio.app import create_app
from prunus.studio.guard import Hosts
from prunus.studio.serve import StudioError, listening, server_on
from tests.studio.pages import chromium
from tests.studio.serving import HOST, ORIGIN, ask, place

TOKEN = "a-token-that-nobody-guesses"
COOKIE = "prunus-8472"


@pytest.fixture
def browser():
    app = create_app([HOST], token=TOKEN)
    with TestClient(app, base_url=ORIGIN, follow_redirects=False) as opened:
        yield opened


def welcomed(browser):
    answer = browser.get(f"/?token={TOKEN}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    return answer.headers["set-cookie"]


def test_nothing_is_answered_without_the_token(browser):
    for path in ("/", "/api/offer", "/static/index.html", "/static/js/main.js", "/nonsense"):
        answer = browser.get(path)
        assert (answer.status_code, "token" in answer.text) == (401, True), path
        assert TOKEN not in answer.text + str(answer.headers)
    assert browser.post("/api/position", json=place("nim")).status_code == 401
    for wrong in ("", "x", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "%ff%00"):
        assert browser.get(f"/?token={wrong}").status_code == 401, wrong
        assert browser.get("/", headers={"cookie": f"{COOKIE}={wrong}"}).status_code == 401, wrong
    for odd in ("prunus-1=" + TOKEN, "=;;=", "\x7f", f"{COOKIE}"):
        assert browser.get("/", headers={"cookie": odd}).status_code == 401, odd


def test_the_token_counts_once_in_the_address_and_then_as_a_cookie(browser):
    """No other address takes it: it would stay in the history of the browser."""
    assert browser.get(f"/api/offer?token={TOKEN}").status_code == 401
    cookie = welcomed(browser)
    assert f"{COOKIE}={TOKEN}" in cookie
    assert "HttpOnly" in cookie
    assert browser.get("/api/offer").status_code == 200
    assert browser.get("/").status_code == 200
    assert TOKEN not in browser.get("/").text


def test_a_websocket_needs_the_token(browser):
    headers = {"origin": ORIGIN, "host": HOST}
    for address in ("/ws", f"/ws?token={TOKEN}"):
        for cookie in ({}, {"cookie": f"{COOKIE}=x"}):
            with (
                pytest.raises(WebSocketDisconnect),
                browser.websocket_connect(address, headers=headers | cookie),
            ):
                pass
    headers["cookie"] = welcomed(browser).partition(";")[0]
    with browser.websocket_connect("/ws", headers=headers) as opened:
        assert ask(opened, do="watch", tree=[1, 2])[-1]["value"] == 2


def test_the_token_does_not_stand_in_for_host_and_origin(browser):
    welcomed(browser)
    assert browser.get("/", headers={"host": "evil.example"}).status_code == 421
    for origin in ("http://evil.example", "null", "http://localhost:8472"):
        assert browser.get("/", headers={"origin": origin}).status_code == 403


@pytest.mark.parametrize(
    ("host", "fine"),
    [
        ("127.0.0.1:80", True),
        ("127.0.0.1", True),  # port 80 need not be said
        ("Name:80", True),
        ("192.0.2.7", True),
        ("[2001:db8::1]:80", True),
        ("[2001:db8::1]", True),
        ("evil.example", False),
        ("name.evil.example:80", False),
        ("127.0.0.1:81", False),
        ("127.0.0.1.evil.example", False),
        ("[evil]:80", False),
        ("1:2:3", False),
        ("", False),
        ("127.0.0.1:80:80", False),
    ],
)
def test_hosts(host, fine):
    assert (host in Hosts({"name", "127.0.0.1"}, 80, numbers=True)) == fine


def test_numbers_count_only_where_all_addresses_are_served():
    assert "192.0.2.7:80" not in Hosts({"name"}, 80)


@contextmanager
def served(host):
    opened = listening(0, host)
    server, address = server_on(opened, {}, host)
    thread = threading.Thread(target=server.run, args=([opened],), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield address
    server.should_exit = True
    thread.join(10)
    opened.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.0.0.2"])
def test_this_machines_own_addresses_need_no_token(host):
    opened = listening(0, host)
    assert "token" not in server_on(opened, {}, host)[1]
    opened.close()


def test_two_servers_have_two_tokens():
    addresses = []
    for _ in range(2):
        opened = listening(0, "0.0.0.0")  # noqa: S104 - what is tested
        addresses.append(server_on(opened, {}, "0.0.0.0")[1])  # noqa: S104
        opened.close()
    tokens = {address.partition("?token=")[2] for address in addresses}
    assert len(tokens) == 2
    assert min(map(len, tokens)) >= 32


def test_an_address_that_is_none_is_refused_in_words():
    with pytest.raises(StudioError, match="no address of this machine"):
        listening(0, "192.0.2.7")
    with pytest.raises(StudioError, match="there is no address"):
        listening(0, "no such host")


def test_a_browser_with_the_address_that_is_printed():
    """The page works, by this machine's number and by its name, and its address has no token."""
    with served("0.0.0.0") as address, chromium() as browser:  # noqa: S104
        plain, _, token = address.partition("?token=")
        port = plain.rsplit(":", 1)[1].strip("/")
        for name in ("127.0.0.1", "localhost", sockets.gethostbyname(sockets.gethostname())):
            page = browser.new_context().new_page()
            page.goto(f"http://{name}:{port}/")
            assert "token" in page.inner_text("body")
            page.goto(f"http://{name}:{port}/?token={token}#see/figure/000-figure-2")
            page.wait_for_selector("#step:not([disabled])")
            assert page.url == f"http://{name}:{port}/#see/figure/000-figure-2"
            page.context.close()
