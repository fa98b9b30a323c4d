"""See the search, in a real browser."""

from __future__ import annotations

import functools
import gzip
import json
import re
from pathlib import Path

import pytest

from prunus.studio.app import STATIC
from tests.studio.pages import Visit, when

FIRST_LOAD = 150_000
"""The most bytes of the first load, compressed."""
ROOMS_WORDS = ["lab.js", "solve.js", "tree.js"]
"""The files with the words of a room in both languages."""


@pytest.fixture
def visit(studio):
    opened = Visit(*studio)
    yield opened
    opened.close()
    assert opened.complaints == []
    host = opened.address.removeprefix("http://")
    assert {url.split("/")[2] + "/" for url in opened.asked if "://" in url} <= {host}


def steps(page, count):
    for _ in range(count):
        page.click("#step")


def test_nothing_is_shown_before_it_is_known(visit):
    page = visit.to("see/figure/000-figure-2")
    page.wait_for_selector("#step:not([disabled])")
    assert visit.text("#at") == "Step 0 of 39"
    assert page.locator(".node").count() == 0
    assert page.locator(".edge").count() == 0
    assert page.locator(".level").count() == 0, "who moves further down"
    assert visit.text("#fewest") == "known with the value"
    page.click("#step")
    assert page.locator(".node").count() == 1
    assert page.locator(".level").all_text_contents() == ["MAX"]
    assert visit.text(".node .value") == ""
    steps(page, 2)  # the first move, and its first leaf, whose value is not known yet
    assert page.locator(".node").count() == 3
    assert page.locator(".node .value").all_text_contents() == ["", "", ""]
    page.click("#step")
    assert visit.text(".event") == "1.1 is a leaf worth 3."
    assert visit.text("#leaves") == "1"
    page.click("#back")
    assert page.locator(".node .value").all_text_contents() == ["", "", ""]
    page.click("#last")
    assert (visit.text("#fewest"), page.locator(".meter").count()) == ("5", 2)
    page.click("#back")
    assert (visit.text("#fewest"), page.locator(".meter").count()) == ("known with the value", 0)


def test_the_figure_is_stepped_through_and_its_reason_read(visit):
    page = visit.to("home")
    page.click("text=See alpha-beta prune")
    page.wait_for_selector("#cut:not([disabled])")
    page.click("#cut")
    reason = (
        "MAX is already sure of 3 at the root, and here MIN can hold MAX to 2. MAX will not let "
        "the game come here, so the rest cannot matter. A shallow cut-off."
    )
    assert visit.text(".event") == f"2.2 and 2.3 are not visited. {reason}"
    assert reason in visit.text("#why")
    assert page.locator(".edge.cut").count() == 2
    visit.keep("see-cut")
    page.click("#last")
    assert (visit.text("#leaves"), visit.text("#fewest")) == ("7", "5")
    assert visit.text(".node .value >> nth=0") == "3"
    page.click('.log button:text-is("30")')
    assert visit.text("#at") == "Step 30 of 39"


def test_a_deep_cut_off_names_the_ancestor(visit):
    page = visit.to("see/figure/001-d13")
    page.wait_for_selector("#cut:not([disabled])")
    page.click("#cut")
    assert "A deep cut-off" in visit.text(".event")
    assert page.locator(".node.cause").count() == 1


def test_the_order_changes_the_pruning(visit):
    page = visit.to("see/figure/000-figure-2")
    page.wait_for_selector("#last:not([disabled])")
    page.select_option("#order", "best")
    when(page, "!document.querySelector('#at').textContent.endsWith('of 39')")  # another search
    page.click("#last")
    assert visit.text("#leaves") == visit.text("#fewest") == "5"
    page.click("#orders summary")
    page.locator("#orders [data-order]").nth(3).wait_for()
    assert page.locator("#orders [data-order]").all_text_contents() == ["7", "5", "9", "9"]
    page.click("#orders button >> nth=2")
    when(page, "document.querySelector('#order').value === 'worst'")


def test_two_algorithms_in_step(visit):
    page = visit.to("see/tree/" + "[[3,12,8],[2,4,6],[14,5,2]]")
    page.wait_for_selector("#last:not([disabled])")
    page.select_option("#other", "minimax")
    page.locator(".watch").nth(1).wait_for()
    page.click("#last")
    assert page.locator("#leaves").all_text_contents() == ["7", "9"]
    visit.keep("see-two")
    visit.until(".watch >> nth=0 >> pre >> nth=1", "def alphabeta(")
    visit.until(".watch >> nth=1 >> pre >> nth=1", "def minimax(")


def test_a_tree_that_is_none_is_refused_in_words(visit):
    page = visit.to("see/tree/[[3,12],[2")
    visit.until(".error", "nested lists")
    page.fill("#tree", '[[1, 2], ["x"]]')
    page.click("#begin")
    visit.until(".error", "whole numbers")
    page.fill("#tree", "[[1, 2], [0, 5]]")
    page.click("#begin")
    page.wait_for_selector("#last:not([disabled])")
    assert page.locator(".error").count() == 0


def test_a_position_of_a_game(visit):
    page = visit.to("see/game/tic-tac-toe/XOX%2FOX.%2F..O")
    page.wait_for_selector("#last:not([disabled])")
    page.click("#last")
    assert page.locator(".node").count() > 3
    page.locator(".node").nth(1).click()
    assert "/" in visit.text("#about code")
    page.select_option("#game", "chess")
    page.click("#begin")
    when(page, "document.querySelectorAll('.node').length === 0")
    page.click("#last")
    assert int(visit.text("#leaves")) > 20
    page.select_option("#game", "connect-four")
    page.fill("#depth", "12")
    page.click("#begin")
    visit.until(".error", "search fewer plies")


def test_the_keyboard_alone(visit):
    page = visit.to("see/figure/000-figure-2")
    page.wait_for_selector("#step:not([disabled])")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert visit.text("#at") == "Step 2 of 39"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("c")
    assert visit.text("#at") == "Step 21 of 39"
    page.keyboard.press("Home")
    assert visit.text("#at") == "Step 0 of 39"
    page.evaluate(
        "for (let at = 0; at < 3; at += 1) dispatchEvent(new KeyboardEvent('keydown', "
        "{ key: 'ArrowRight' }))"
    )
    visit.until("#at", "Step 3 of 39")  # keys that come faster than steps are drawn
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement !== document.body")


def test_a_tree_of_100_nodes_is_read_untouched(visit):
    """All 106 nodes are in sight, none lies on another, and their values are large enough."""
    tree = [[[7 * a + 5 * b + c for c in range(4)] for b in range(4)] for a in range(5)]
    page = visit.to("see/tree/" + json.dumps(tree).replace(" ", "") + "/minimax")
    page.wait_for_selector("#last:not([disabled])")
    page.click("#last")
    visit.until("#about h3", "the root")
    assert page.locator(".node").count() == 106
    found = page.evaluate(
        """() => {
            const box = document.querySelector(".picture").getBoundingClientRect();
            const boxes = [...document.querySelectorAll(".node > :first-child")]
                .map((node) => node.getBoundingClientRect());
            const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
                && a.top < b.bottom - 1 && b.top < a.bottom - 1;
            const height = document.querySelector(".node .value").getBoundingClientRect().height;
            return {
                outside: boxes.filter((a) => a.left < box.left || a.right > box.right
                    || a.top < box.top || a.bottom > box.bottom).length,
                overlapping: boxes.filter((a, at) => boxes.some((b, to) => to < at && over(a, b))).length,
                small: height < 9,
            };
        }"""
    )
    assert found == {"outside": 0, "overlapping": 0, "small": False}
    visit.keep("see-100")


def test_back_shows_what_forth_has_shown(visit):
    """MTD(f) searches the tree in several passes."""
    page = visit.to("see/tree/[[3,[1,5]],[[4,2],6]]/mtdf", "#step:not([disabled])")
    page.locator(".source .numbers", has_text="2").first.wait_for(state="attached")
    forth, back = page.evaluate(
        """async () => {
            const shown = async (button) => {
                for (const all = [];;) {
                    all.push(document.querySelector('.watch').innerHTML);
                    if (document.querySelector(button).disabled) return all;
                    document.querySelector(button).click();
                    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
                }
            };
            return [await shown('#step'), await shown('#back')];
        }"""
    )
    assert len(set(forth)) == len(forth) > 20
    assert forth == back[::-1]


@pytest.mark.parametrize("width", [1280, 900])
def test_two_trees_of_ten_leaves_fit_beside_each_other(visit, width):
    page = visit.to("see/tree/[[3,12,8],[2,4],[14,5,2],[7,1]]", "#last:not([disabled])")
    page.set_viewport_size({"width": width, "height": 900})
    page.select_option("#other", "minimax")
    page.wait_for_selector(".side .watch:nth-child(2) .picture")
    page.click("#last")
    visit.until("#at", "Step 52 of 52")
    rooms = page.evaluate(
        """[...document.querySelectorAll('.picture')].map(
            (each) => [each.scrollWidth - each.clientWidth, each.scrollHeight - each.clientHeight,
                each.querySelector('.value').getBoundingClientRect().height > 14])"""
    )
    visit.keep(f"see-two-{width}")
    page.set_viewport_size({"width": 1280, "height": 900})
    assert rooms == [[0, 0, True]] * 2


def used(session):
    """The processor time of the page's thread so far, in seconds, whatever else the machine does."""
    told = session.send("Performance.getMetrics")["metrics"]
    return next(each["value"] for each in told if each["name"] == "ThreadTime")


WIDE = [[[(7 * a + 5 * b + 3 * c) % 100 for c in range(12)] for b in range(12)] for a in range(12)]
LINES = [functools.reduce(lambda below, _: [below], range(30), 7 * a % 100) for a in range(64)]


@pytest.mark.parametrize("tree, nodes", [(WIDE, 1885), (LINES, 1985)], ids=["wide", "deep"])
def test_large_trees_stay_quick(visit, tree, nodes):
    """Of some 2,000 nodes those in sight are drawn. A step takes the page's thread less than a
    frame of 33 ms."""
    page = visit.to("see/tree/" + json.dumps(tree).replace(" ", "") + "/minimax")
    page.wait_for_selector("#last:not([disabled])")
    page.click("#last")
    visit.until("#about h3", "the root")
    steps = int(visit.text("#at").split()[-1])
    assert steps > 3 * nodes
    page.evaluate("document.querySelector('.picture').scrollLeft = 0")
    page.wait_for_selector('.node[aria-label^="1, "]')
    assert 20 < page.locator(".node").count() < 500
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = used(session)
    page.evaluate(
        """async () => {
            for (let at = 0; at < 10; at += 1) {
                document.querySelector('#back').click();
                await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
            }
        }"""
    )
    took = (used(session) - before) / 10
    session.detach()
    assert visit.text("#at") == f"Step {steps - 10} of {steps}"
    print(f"{1000 * took:.0f} ms a step")
    assert took < 0.033


IN_SIGHT = """async ([tree, left, top]) => {
    const [{ laidOut }, { drawn }] = await Promise.all(
        ['layout', 'nested'].map((name) => import(`/static/js/tree/${name}.js`)));
    const layout = laidOut(drawn(tree));
    const box = document.querySelector('.picture');
    box.scrollTo(left, top);
    for (let at = 0; at < 5; at += 1) await new Promise(requestAnimationFrame);
    const shown = box.getBoundingClientRect();
    const picture = box.firstElementChild.getBoundingClientRect();
    const scale = picture.width / layout.width;
    const inside = (x, y) => x > shown.left && x < shown.right && y > shown.top && y < shown.bottom;
    const nodes = [...document.querySelectorAll('.node > :first-child')].map((each) => {
        const { left, top, width, height } = each.getBoundingClientRect();
        return inside(left + width / 2, top + height / 2);
    });
    const spots = [...layout.spots.values()].map(
        ({ x, y }) => inside(picture.left + x * scale, picture.top + y * scale));
    return [nodes, spots].map((all) => all.filter(Boolean).length);
}"""
"""How many nodes are drawn in what is in sight after scrolling, and how many are there."""


def test_of_a_large_tree_all_that_is_in_sight_is_drawn(visit):
    page = visit.to("see/tree/" + json.dumps(LINES).replace(" ", "") + "/minimax")
    page.wait_for_selector("#last:not([disabled])")
    page.click("#last")
    for left, top in ((0, 0), (900, 0), (0, 900), (99999, 700), (600, 99999)):
        drawn, there = page.evaluate(IN_SIGHT, [LINES, left, top])
        assert drawn == there > 150, (left, top)


def test_the_first_load_is_small(visit):
    visit.to("home").reload()
    visit.page.wait_for_selector(".card")
    names = {url.removeprefix(visit.address) or "static/index.html" for url in visit.asked}
    files = [Path(STATIC.parent, name) for name in names if name.startswith("static/")]
    assert len(files) > 10
    size = sum(len(gzip.compress(file.read_bytes())) for file in files)
    print(f"first load: {size:,} bytes compressed, {len(files)} files")
    assert size < FIRST_LOAD


def test_no_file_of_the_page_names_another_host():
    for file in STATIC.rglob("*"):
        if file.suffix in (".html", ".js", ".css") and "vendor" not in file.parts:
            found = re.findall(r"https?://[^\s\"'`]+", file.read_text())
            assert set(found) <= {"http://www.w3.org/2000/svg"}, file


def test_both_languages_have_the_same_words():
    keys = {}
    for name in ("en", "it"):
        text = (STATIC / "js/words" / f"{name}.js").read_text()
        for file in ROOMS_WORDS:
            own = (STATIC / "js/words" / file).read_text()
            text += own.partition(f"const {name} = {{")[2].partition("\n};")[0]
        keys[name] = re.findall(r'"([a-z.]+)": "', text)
        assert len(keys[name]) == len(set(keys[name])) > 100
    assert keys["en"] == keys["it"]
    used = "".join(file.read_text() for file in (STATIC / "js").rglob("*.js"))
    asked = set(re.findall(r'say\("([a-z.]+)"', used))
    assert asked <= set(keys["en"])


def test_a_value_that_is_a_bound_is_shown_as_one(visit):
    """A node that was cut off is worth so much at least or at most; the root's value is exact, and
    so is that of 1.2.1, whose leaves were all seen."""
    page = visit.to("see/figure/000-figure-4", "#last:not([disabled])")
    page.click("#last")
    values = page.locator(".picture .node:not(.leaf) .value").all_text_contents()
    assert (values.count("≥7"), values.count("7"), values.count("≤4")) == (1, 1, 4)
    assert values[0] == "5"
    page.locator('.node[aria-label*="≥7"]').first.dispatch_event("click")
    assert "Value≥7" in visit.text("#about").replace(" ", "")


def test_an_exact_value_outside_its_window_is_no_bound(visit):
    """In figure 3 of the seminar C is worth 2 at most; D, all of whose leaves are seen, just 2."""
    page = visit.to("see/figure/000-figure-2", "#last:not([disabled])")
    page.click("#last")
    values = page.locator(".picture .node:not(.leaf) .value").all_text_contents()
    assert values == ["3", "3", "≤2", "2"]
    visit.until(".log", "3 is worth 2.")
    page.keyboard.press("Home")
    page.keyboard.press("c")
    page.keyboard.press("ArrowRight")
    visit.until(".event", "2 is worth 2 or less.")
    page.keyboard.press("ArrowRight")
    visit.until(".event", "2 comes back to the root with ≤2.")


def test_searches_that_ask_several_times_tell_their_value_at_the_end(visit):
    """Each pass of MTD(f) has only a bound; together they have the value."""
    page = visit.to("see/figure/000-figure-2", "#last:not([disabled])")
    page.select_option("#algorithm", "mtdf")
    page.wait_for_selector('[data-algorithm="mtdf"]')
    page.click("#last")
    visit.until(".event", "The root is worth 3 or less.")
    visit.until(".panel.watch header", "Search 2 of 2 · Value 3")
    page.click("#back")
    assert page.locator(".outcome").count() == 0, "nobody knows it before"
