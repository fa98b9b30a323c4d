"""The rooms are checked by axe-core, in light and dark: contrast, names, roles, structure."""

from __future__ import annotations

import pytest

from tests.studio.test_rooms import ROOMS

AXE = pytest.importorskip("axe_playwright_python.base", reason="axe-playwright-python is missing")


def begun(page, room):
    """Make a room show what it shows only once it has been used."""
    if page.locator("#cut").count():
        page.click("#cut")
        page.check("#types")
    if page.locator("#grade").count():
        page.locator(".node.leaf").first.click()
        if page.locator("#root").count():
            page.fill("#root", "1")
        page.locator('[name="move"]').first.check()
        page.click("#grade")
        page.wait_for_selector("#verdict")
    if room.startswith("analyse/tic-tac-toe"):
        page.select_option("#other", "engine")
        page.click("#start")
        page.wait_for_selector("#value-2")


def violations(page):
    """What axe-core objects to on the page: each rule with the elements and the reasons."""
    page.evaluate(AXE.AXE_SCRIPT)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [
        (each["id"], node["target"], node.get("failureSummary", "")[:300])
        for each in found
        for node in each["nodes"]
    ]


MORE = {
    "practise/tree/[[5,3],[2,4]]/beyond/all": ".rows",
    "analyse/tic-tac-toe/XOX%2F.O.%2F...": ".target",
    "practise/sheet/7/3/2/equal/all/1": "[data-ready]",
}
"""What else rooms can show."""


@pytest.mark.parametrize(
    "visit", [{"color_scheme": "light"}, {"color_scheme": "dark"}], indirect=True
)
def test_no_room_violates_a_rule(visit):
    found = {}
    for room, ready in (ROOMS | MORE).items():
        page = visit.to(room, ready)
        begun(page, room)
        if told := violations(page):
            found[room] = told
    assert found == {}
