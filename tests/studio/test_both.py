"""Two searches of one position side by side, in a real browser."""

from __future__ import annotations

from tests.studio.pages import when

ENDING = "analyse/tic-tac-toe/XOX%2F.O.%2F..."


def begin(visit, room, **fields):
    """Fill in the fields, whose lists come first, and analyse with both."""
    page = visit.to(room, "#start:not([disabled])")
    for name, value in fields.items():
        if page.evaluate(f"document.querySelector('#{name}').tagName === 'SELECT'"):
            page.select_option(f"#{name}", value)
        else:
            page.fill(f"#{name}", value)
    page.click("#start")
    return page


def test_two_algorithms_are_compared(visit):
    page = begin(visit, ENDING, other="minimax", depth2="2", seconds="60")
    visit.until("#state", "Finished.")
    visit.until("#state-2", "Finished.")
    assert (visit.text("#title"), visit.text("#title-2")) == ("1. engine", "2. minimax")
    assert visit.text("#standing") == "proved"
    assert visit.text("#standing-2") == "an estimate"
    assert visit.text("#depth-now-2") == "2"
    page.select_option("#other", "engine")
    visit.until("#title-2", "2. engine")
    page.select_option("#options2", "unordered")
    page.fill("#depth2", "")
    page.click("#start")
    visit.until("#title-2", "engine, no ordering")
    visit.until("#state", "Finished.")
    visit.until("#state-2", "Finished.")
    assert visit.text("#standing-2") == "proved"
    assert visit.text("#value") == visit.text("#value-2")
    page.wait_for_selector(".chart canvas")
    visit.keep("analyse-both")
    page.select_option("#other", "")
    when(page, "!document.querySelector('#both')")


def test_each_of_two_searches_is_stopped_by_itself(visit):
    page = begin(visit, "analyse/othello", other="engine", seconds="60")
    page.click("#stop-one-2:not([disabled])")
    visit.until("#state-2", "Stopped.")
    assert page.is_enabled("#stop-one"), "the other one goes on"
    page.click("#stop")
    visit.until("#state", "Stopped.")


def test_what_searches_once_is_given_a_depth(visit):
    page = visit.to(ENDING, "#start:not([disabled])")
    page.select_option("#algorithm", "alphabeta")
    assert page.input_value("#depth") == "6"
    assert page.locator("#options").count() == 0
