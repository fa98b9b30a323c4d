"""The rooms are checked by axe-core, in light and dark: contrast, names, roles, structure."""

from __future__ import annotations

import pytest

from tests.studio.pages import violations
from tests.studio.test_rooms import ROOMS


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
    if room.startswith("lab/"):
        page.click("#run")
        page.wait_for_selector("#csv")
        page.click(".table-of summary")
    if page.locator("#draw").count():
        page.click("#draw summary")


MORE = {
    "practise/tree/[[5,3],[2,4]]/beyond/all": ".rows",
    "analyse/tic-tac-toe/XOX%2F.O.%2F...": ".target",
    "lab/positions-held": "#run:not([disabled])",
    "see/tree/[[5,3],[2,4]]": "#cut:not([disabled])",
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
