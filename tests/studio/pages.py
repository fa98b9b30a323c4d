"""A studio that runs, and a real browser that looks at it."""

from __future__ import annotations

import os
import shutil
import threading
import time
from contextlib import contextmanager, suppress
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
PATIENCE = 20_000
"""The longest wait for something to appear, in milliseconds."""


@contextmanager
def running(games=None):
    """The address of a studio, which ends with the block."""
    place = listening(0)
    server, address = server_on(place, games or {})
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
        opened.close()


def when(page, expression):
    """Wait until an expression is true in the page, which allows no code to be made from texts."""
    end = time.perf_counter() + PATIENCE / 1000
    while not page.evaluate(expression):
        if time.perf_counter() > end:
            pytest.fail(f"not in time: {expression}; on the page: {page.inner_text('main')}")
        page.wait_for_timeout(30)


class Visit:
    """A page of the studio, and everything that it asked for and complained about."""

    def __init__(self, browser, address, **options):
        options = {"viewport": {"width": 1280, "height": 900}, "locale": "en-GB"} | options
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.address, self.asked, self.complaints = address, [], []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._heard)

    def _heard(self, message):
        if message.type == "error":
            self.complaints.append(message.text)

    def to(self, room):
        """Go to a room; the page, once it is there."""
        self.page.goto(f"{self.address}#{room}")
        self.page.wait_for_selector("main h1")
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
            self.page.screenshot(path=f"{folder}/{name}.png", full_page=True)

    def close(self):
        with suppress(Exception):
            self.context.close()
