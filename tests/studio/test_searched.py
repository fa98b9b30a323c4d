"""What the room See searches, as it is chosen or linked to, and how its tree reads."""

from __future__ import annotations

import pytest

from tests.studio.pages import when


def test_a_tree_is_not_searched_to_the_depth_of_a_game(visit):
    """Whoever goes from a game to a tree and back finds the plies of each."""
    page = visit.to("see/game/tic-tac-toe/XOX%2FOX.%2F..O/2", "#last:not([disabled])")
    page.check('[name="kind"][value="tree"]')
    page.fill("#tree", "[[[7]]]")
    page.click("#begin")
    when(page, "document.querySelectorAll('.node').length === 0")
    page.click("#last")
    visit.until(".event", "The root is worth 7.")
    page.check('[name="kind"][value="game"]')
    assert page.input_value("#depth") == "2"


def test_a_link_to_a_figure_that_is_not_here(visit):
    visit.to("see/figure/nothing", ".error")
    assert "names a figure that is not here: nothing" in visit.text(".error")


def test_names_of_edges_are_not_struck_out(visit):
    """Each lies above all edges, and those of flat edges on their own."""
    page = visit.to("see/game/tic-tac-toe/X.O%2F.X.%2F.../1", "#last:not([disabled])")
    page.click("#last")
    page.wait_for_selector("text.action")
    assert page.locator(".edge ~ text.action").count() == 6
    assert page.locator("text.action ~ .edge").count() == 0
    middles = page.evaluate(
        """() => [...document.querySelectorAll('.edge line')].map((line) => {
            const [left, right] = [Number(line.getAttribute('x1')), Number(line.getAttribute('x2'))];
            return { x: (left + right) / 2, flat: Math.abs(right - left) > 70 };
        })"""
    )
    places = page.evaluate(
        "[...document.querySelectorAll('text.action')].map((name) => Number(name.getAttribute('x')))"
    )
    assert sum(each["flat"] for each in middles) >= 4
    for middle, place in zip(middles, places, strict=True):
        assert (abs(middle["x"] - place) < 1) == middle["flat"]


OVERLAPS = """() => {
    const boxes = (kind) => [...document.querySelectorAll(`.picture ${kind}`)]
        .filter((each) => each.textContent).map((each) => [each.textContent, each.getBoundingClientRect()]);
    return boxes('.window').flatMap(([window, one]) => boxes('.value')
        .filter(([, other]) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom)
        .map(([value]) => `${window} on ${value}`));
}"""


@pytest.mark.parametrize("visit", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_on_a_phone_no_window_lies_on_a_value(visit):
    """Also while it is not known yet that a node is a leaf."""
    page = visit.to("see/figure/000-figure-7", "#step:not([disabled])")
    while page.locator("#step:not([disabled])").count():
        page.click("#step")
        assert page.evaluate(OVERLAPS) == [], visit.text("#at")
    assert "(3, ∞)" in visit.text(".picture")
