"""The best lines of a position: their values, what is proved of them, and their arrows."""

from __future__ import annotations

import pytest

import prunus
from prunus.games.catalogue import make_game, open_position
from prunus.studio import maxima
from tests.naive import minimax_value
from tests.studio.pages import when
from tests.studio.serving import ask, client, place, socket


@pytest.mark.parametrize(
    ("name", "text", "algorithm"),
    [
        ("tic-tac-toe", "X.O/.X./...", "engine"),
        ("tic-tac-toe", "X.O/.X./...", "alphabeta"),
        ("nim", "1,2,2", "engine"),
        ("kalah", "0,0,1,0,2,0:21 0,1,0,0,0,1:22 A", "engine"),
    ],
)
def test_lines_have_the_values_of_minimax(name, text, algorithm):
    """What is called proved is the value after the action; the line is legal play."""
    asked = {"do": "analyse", "algorithm": algorithm, "lines": 3, "depth": 12, "seconds": 20.0}
    with client() as browser, socket(browser) as opened:
        answers = ask(opened, place=place(name, text), **asked)
    assert answers[-1]["event"] == "done"
    game, position = open_position(name, text)
    told = [each for each in answers if each["event"] == "iteration"]
    assert [each["depth"] for each in told] == sorted({each["depth"] for each in told})
    proved = 0
    for each in told:
        assert 1 < len(each["lines"]) <= 3
        for line in each["lines"]:
            state = position.state
            for number, name_of_action in enumerate(line["line"], 1):
                action = game.action_named(state, name_of_action, number)
                if number == 1:
                    child = game.result(state, action)
                    value = minimax_value(game, child)
                    value = value if game.keeps_turn(state, child) else -value
                state = game.result(state, action)
            if line["proved"]:
                assert line["value"] == value, line
                proved += 1
    assert proved >= 1
    assert answers[-1]["value"] == minimax_value(game, position.state)
    values = [line["value"] for line in told[-1]["lines"]]
    assert max(values) == answers[-1]["value"]


def test_more_lines_than_may_be_are_refused():
    with client() as browser, socket(browser) as opened:
        for lines in (0, maxima.LINES + 1):
            opened.send_json({"id": 1, "do": "analyse", "place": place("nim"), "lines": lines})
            assert opened.receive_json()["event"] == "error"


NARROW = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "color_scheme": "dark"}


def analysed(visit, game, position="", lines="3", depth="3"):
    prunus.analyze(make_game(game), depth=1, multi_pv=3, compile=True)  # the code comes first
    page = visit.to(f"analyse/{game}/{position}", "#start:not([disabled])")
    if page.locator("details.folded").count():
        page.click("details.folded > summary")
    page.select_option("#lines-asked", lines)
    page.fill("#depth", depth)
    page.click("#start")
    when(page, f"document.querySelectorAll('#lines li').length === {lines}")
    return page


APART = """() => {
    const boxes = [...document.querySelectorAll('.arrow .worth')].map((each) => each.getBoundingClientRect());
    return boxes.every((one, at) => boxes.slice(0, at).every((other) => one.right < other.left
        || other.right < one.left || one.bottom - 6 < other.top || other.bottom - 6 < one.top));
}"""
"""Whether no label covers another one; above and below the letters there is some room."""


@pytest.mark.parametrize(
    ("position", "lines"),
    [
        ("7k/8/8/8/8/8/4P3/K7 w", 5),  # one step or two
        ("k7/8/8/8/8/1N3N2/P7/7K w", 5),
        ("6k1/8/8/8/R2q3R/8/8/7K w", 4),  # both rooks take the queen
    ],
)
def test_arrows_that_meet_are_told_apart(visit, position, lines):
    page = analysed(visit, "chess", position.replace("/", "%2F"), str(lines), "2")
    visit.until("#state", "Finished.")
    shafts = page.locator(".arrow line").evaluate_all(
        "all => all.map((each) => ['x1', 'y1'].map((name) => each.getAttribute(name)).join())"
    )
    assert len(set(shafts)) == len(shafts) == lines
    assert page.evaluate(APART)
    visit.keep(f"lines-meet-{position[:2].strip('/')}")


@pytest.mark.parametrize("visit", [{}, NARROW], indirect=True)
def test_arrows_on_the_board_of_chess(visit):
    page = analysed(visit, "chess")
    visit.until("#state", "Finished.")
    assert page.locator(".arrow line").count() == 3
    assert page.locator(".arrow .worth").count() == 3
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visit.keep(f"lines-chess-{page.viewport_size['width']}")


def test_arrows_into_columns_and_rings_on_cells(visit):
    page = analysed(visit, "connect-four", "44")
    visit.until("#state", "Finished.")
    assert page.locator(".arrow line").count() == 3
    visit.keep("lines-connect-four")
    page = analysed(visit, "tic-tac-toe", "XX.%2FOO.%2F...", depth="6")
    visit.until("#state", "Finished.")
    assert page.locator(".arrow circle").count() == 3
    assert page.locator(".arrow.best .worth").first.text_content() == "1"
    visit.keep("lines-tic-tac-toe")
