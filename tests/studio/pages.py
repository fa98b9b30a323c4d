"""A studio that runs, and a real browser that looks at it."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import pytest

from prunus.studio.serve import listening, server_on

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
USUAL = {"viewport": {"width": 1280, "height": 900}, "locale": "en-GB"}
PATIENCE = 20_000
"""The longest wait for something to appear, in milliseconds."""


@contextmanager
def running(games=None, databases=None):
    """The address of a studio, which ends with the block."""
    place = listening(0)
    server, address = server_on(place, games or {}, databases=databases)
    thread = threading.Thread(target=server.run, args=([place],), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield address
    server.should_exit = True
    thread.join(10)
    place.close()


@contextmanager
def chromium():
    """A browser; the test is skipped where there is none."""
    driver = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if not Path(CHROMIUM).exists():
        pytest.skip("Chromium is not installed: apt-get install chromium")
    with driver.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        _page.cache_clear()
        opened.close()


@cache
def _page(browser, address, options):
    """The page of all visits with these options; it has loaded the studio."""
    page = browser.new_context(**json.loads(options)).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    return page


def when(page, expression):
    """Wait until an expression is true in the page, which allows no code to be made from texts."""
    end = time.perf_counter() + PATIENCE / 1000
    while not page.evaluate(expression):
        if time.perf_counter() > end:
            pytest.fail(f"not in time: {expression}; on the page: {page.inner_text('main')}")
        page.wait_for_timeout(30)


def violations(page):
    """What axe-core objects to on the page: each rule with the elements and the reasons."""
    axe = pytest.importorskip("axe_playwright_python.base", reason="it is not installed")
    page.evaluate(axe.AXE_SCRIPT)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [
        (each["id"], node["target"], node.get("failureSummary", "")[:300])
        for each in found
        for node in each["nodes"]
    ]


class Visit:
    """A visit to the studio, and everything that its page asked for and complained about. The page
    is loaded once for all visits with the same options; each begins in the room Home."""

    def __init__(self, browser, address, **options):
        self.page = _page(browser, address, json.dumps(USUAL | options))
        self.address, self.asked, self.complaints = address, [], []
        self.hears = {
            "request": lambda request: self.asked.append(request.url),
            "pageerror": lambda error: self.complaints.append(str(error)),
            "console": self._heard,
        }
        for event, heard in self.hears.items():
            self.page.on(event, heard)

    def _heard(self, message):
        if message.type == "error":
            self.complaints.append(message.text)

    def to(self, room, ready="main h1"):
        """Go to a room by way of Home, which ends what was there; the page, once it shows
        `ready`."""
        for each in ("home", room):
            self.page.goto(f"{self.address}#{each}")
            current = f'nav [href="#{each.split("/")[0]}"][aria-current]'
            self.page.wait_for_selector(current, state="attached")
        self.page.wait_for_selector(ready)
        return self.page

    def text(self, selector):
        """What an element says."""
        return " ".join((self.page.text_content(selector) or "").split())

    def until(self, selector, words):
        """Wait until an element says these words."""
        found = self.page.locator(selector).filter(has_text=words).first
        with suppress(Exception):
            found.wait_for()
            return
        pytest.fail(f"no {selector} says {words!r}; on the page: {self.page.inner_text('main')}")

    def keep(self, name):
        """Keep a picture of the page in the folder PRUNUS_SCREENSHOTS, if it is set."""
        folder = os.environ.get("PRUNUS_SCREENSHOTS")
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.page.evaluate("scrollTo(0, 0)")
            self.page.screenshot(path=f"{folder}/{name}.png", full_page=True)

    def close(self):
        """End the visit. What the page has remembered is forgotten."""
        self.to("home")
        self.page.evaluate("localStorage.clear()")
        for event, heard in self.hears.items():
            self.page.remove_listener(event, heard)
