"""Practising in a real browser: exercises are graded with reasons, and sheets of them are printed."""

from __future__ import annotations

import re

import pytest

from tests.studio.pages import when

TIES = "[[5, 3, 5], [3, 1, 4], [[5, 2], 5]]"
"""Leaf 2.1 equals what MAX is sure of: what is skipped after it depends on the rule for ties."""


def answer(page, leaves, value, move):
    for leaf in leaves:
        page.click(f'[data-node="{leaf}"]')
    if page.locator("#root").count():
        page.fill("#root", value)
    page.check(f'[name="move"][value="{move}"]')
    page.click("#grade")


def test_the_quiz_is_graded_with_reasons(visit):
    page = visit.to("practise/1/3/2", ".node.leaf")
    answer(page, ["2.3"], "6", 3)
    visit.until("#verdict", "All right")
    visit.until("#verdict", "Leaf 2.3 is skipped: MAX is already sure of 1 at the root")
    page.click("#again")
    page.focus('[data-node="2.2"]')
    page.keyboard.press("Enter")
    answer(page, [], "5", 1)
    visit.until("#verdict", "7 of 9 leaves are right.")
    visit.until("#verdict", "The value is 6. The move is 3, the first one with the value 6.")
    visit.until("#verdict", "Leaf 2.2 is visited")
    visit.keep("practise")
    page.click("#next")
    when(page, "location.hash === '#practise/2/3/2' && !document.querySelector('#verdict')")
    page.click("text=See it step by step")
    page.wait_for_selector("#step:not([disabled])")


def test_the_rule_for_ties_can_be_switched(visit):
    page = visit.to(f"practise/tree/{TIES}", ".node.leaf")
    assert "as soon as alpha ≥ beta" in visit.text("#rule-told")
    answer(page, ["2.2", "2.3"], "5", 3)
    visit.until("#verdict", "All right")
    page.select_option("#rule", "beyond")
    when(page, "!document.querySelector('#verdict')")
    assert "only when alpha > beta" in visit.text("#rule-told")
    answer(page, ["2.2", "2.3"], "5", 3)
    visit.until("#verdict", "8 of 9 leaves are right.")
    visit.until("#verdict", "Leaf 2.2 is visited")
    page.click("text=See it step by step")
    page.wait_for_selector('[data-algorithm="alphabeta-strict"]')


WINDOWS = {
    "": ("-inf", "∞", "5"),
    "1": ("−∞", "+oo", "3"),
    "2": ("3", "inf", "3"),
    "3": ("3", "inf", "5"),
    "3.1": ("3", "inf", "5"),
}
"""Right answers, in several spellings."""


def test_windows_and_values_are_graded_with_reasons(visit):
    page = visit.to(f"practise/tree/{TIES}/equal/all", ".node.leaf")
    for place, row in WINDOWS.items():
        for part, text in zip(("alpha", "beta", "value"), row, strict=True):
            page.fill(f'[data-cell="{part} {place}"]', text)
    assert visit.text('[data-node="3.1"] .window') == "(3, ∞)"
    answer(page, ["2.2", "2.3"], "5", 3)
    visit.until("#verdict", "All right")
    page.select_option("#ask", "leaves")
    page.select_option("#ask", "all")
    page.fill('[data-cell="alpha 2"]', "5")
    page.fill('[data-cell="value 3.1"]', "many")
    page.fill('[data-cell="value "]', "6")
    answer(page, ["2.2", "2.3"], "5", 3)
    visit.until("#verdict", "0 of 15 windows and values are right.")
    visit.until("#verdict", "The value is 5.")
    visit.until("#verdict", "Alpha of 2 is 3: MAX is already sure of that at the root.")
    visit.until("#verdict", "2 is worth 3 or less.")
    visit.until("#verdict", "3.1 is worth 5.")
    assert page.locator(".solution").all_text_contents()[6:9] == ["3", "∞", "≤3"]
    visit.keep("practise-windows")


def test_the_sign_of_a_bound_may_be_typed(visit):
    """It counts only if it is the right one."""
    page = visit.to(f"practise/tree/{TIES}/equal/all", ".node.leaf")
    for place, sign in (("2", "<= "), ("1", "≤")):
        for part, text in zip(("alpha", "beta", "value"), WINDOWS[place], strict=True):
            page.fill(f'[data-cell="{part} {place}"]', sign * (part == "value") + text)
    answer(page, [], "5", 3)
    page.wait_for_selector("#verdict")
    assert page.get_attribute('[data-cell="value 2"]', "class") == "right"
    assert page.get_attribute('[data-cell="value 1"]', "class") == "wrong"


def test_a_sheet_is_the_same_again_and_has_its_solutions_on_other_pages(visit):
    address = "practise/sheet/7/3/2/equal/all/2"
    page = visit.to(address, "[data-ready]")
    told = page.inner_text(".handout")
    assert told.index("Exercise 8") < told.index("Solutions")
    assert "Leaves 2.2, 2.3 are skipped: MAX is already sure of 2 at the root" in told
    assert "Value of the root: 2. Move chosen at the root: 1." in told
    visit.keep("practise-sheet")
    pages = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
    assert pages == 2, "one page of exercises, one of solutions"
    page.emulate_media(media="print")
    assert page.locator("header, .no-print").evaluate_all(
        "all => all.every((each) => !each.offsetHeight)"
    )
    page.emulate_media(media="screen")
    page.fill("#seed", "9")
    page.wait_for_selector(".handout:not([data-ready])")
    page = visit.to(address, "[data-ready]")
    assert page.inner_text(".handout") == told


@pytest.mark.parametrize("visit", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
def test_an_exercise_fits_a_phone(visit):
    page = visit.to("practise/1/3/2", ".node.leaf")
    assert page.evaluate(
        "(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)"
        "(document.querySelector('.quiz .picture'))"
    )
