"""See the search, in a real browser: the running line, breakpoints, critical nodes, folding, and
trees that are drawn or dropped."""

from __future__ import annotations

import json

import pytest

import prunus
from prunus.games import ExplicitTree
from prunus.games.catalogue import make_game
from prunus.theory.critical import critical_type
from prunus.view.events import Enter
from tests.studio.pages import PATIENCE, when

FIGURE = "see/figure/000-figure-2"
READY = "#step:not([disabled])"
NARROW = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "color_scheme": "dark"}


def running_line(page):
    """The text of the line that is marked."""
    page.wait_for_selector(".running")
    number = int(page.get_attribute(".running", "data-line"))
    return page.locator(".sheet pre").nth(1).text_content().split("\n")[number - 1].strip()


def test_the_running_line_is_marked(visit):
    page = visit.to(FIGURE, READY)
    visit.until(".sheet pre >> nth=1", "def alphabeta(")
    assert page.locator(".running").count() == 0, "nothing runs yet"
    page.click("#step")
    assert running_line(page).startswith("def alphabeta(")
    page.click("#step")
    assert running_line(page).startswith("value = -alphabeta(")
    page.click("#cut")
    assert running_line(page) == "break"
    assert page.evaluate(
        "(() => { const box = document.querySelector('.source').getBoundingClientRect();"
        " const mark = document.querySelector('.running').getBoundingClientRect();"
        " return mark.top >= box.top && mark.bottom <= box.bottom; })()"
    ), "the marked line can be seen"
    visit.keep("see-source")
    page.select_option("#algorithm", "mtdf")
    when(page, "document.querySelector('.watch')?.dataset.algorithm === 'mtdf'")
    page.click("#step")
    visit.until(".code-of code", "mtdf.py")
    page.click("#step")
    visit.until(".code-of code", "alphabeta_table.py")


def test_a_breakpoint_is_typed(visit):
    """Also for a node that the search has not come to, and that is not shown before."""
    page = visit.to(FIGURE, READY)
    page.fill("#halts", "2.1")
    page.click("#to-halt")
    assert visit.text(".event").startswith("2.1: MAX is to move")
    assert page.locator(".stop").count() == 1
    before = visit.text("#at")
    page.click("#to-halt")
    assert visit.text(".event") == "2.1 is a leaf worth 2."
    page.click("h1")
    page.keyboard.press("Shift+B")
    assert visit.text("#at") == before
    page.click("#back")
    assert page.locator(".stop").count() == 0


def test_a_breakpoint_is_set_on_a_node_and_ends_a_run(visit):
    page = visit.to(FIGURE, READY)
    page.click("#step")
    page.click("#step")
    page.click("#halt-here")
    assert page.input_value("#halts") == "1"
    assert page.get_attribute("#halt-here", "aria-pressed") == "true"
    page.click("#run")
    visit.until("#run", "Run")  # 1.1 comes back to 1
    visit.until(".event", "1.1 comes back to 1")
    page.click("#halt-here")
    assert page.input_value("#halts") == ""
    assert page.locator("#to-halt").is_disabled()


def test_critical_nodes_have_their_types(visit):
    """Those of Knuth and Moore's theorem, in a tree whose best children come first."""
    tree = [[5, 6, 7], [4, 1, 2], [3, 8, 1]]
    page = visit.to(f"see/tree/{json.dumps(tree)}", READY)
    page.select_option("#algorithm", "minimax")
    when(page, "document.querySelector('.watch')?.dataset.algorithm === 'minimax'")
    page.click("#last")
    page.check("#types")
    found = prunus.trace(ExplicitTree.from_nested(tree), algorithm="minimax")
    wanted = [critical_type([int(name) for name in found.path(node)]) for node in found.nodes]
    shown = [
        int(page.locator(f'[data-node="{number}"] .kind').text_content() or 0)
        if page.locator(f'[data-node="{number}"] .kind').count()
        else 0
        for number in range(len(found.nodes))
    ]
    assert shown == wanted
    assert sorted(shown) == [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3]
    assert page.locator(".legend .type-3").count() == 1
    visit.keep("see-critical")


def test_what_is_below_a_node_is_folded(visit):
    page = visit.to(FIGURE, READY)
    page.click("#last")
    all_of_them = page.locator(".node").count()
    page.click('[data-node="1"]')
    page.click("#fold")
    assert page.locator(".node").count() == all_of_them - 3
    assert visit.text('[data-node="1"] .more') == "+3"
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.locator('[data-node="1"].current').count() == 1, "what happens below happens there"
    page.click("#fold")
    page.click("#last")
    assert page.locator(".node").count() == all_of_them


def hidden(page):
    """The numbers on the folded nodes in sight: of the nodes below that are known."""
    return {
        int(node.get_attribute("data-node")): int(node.locator(".more").text_content())
        for node in page.locator(".node:has(.more)").all()
    }


def entered_below(trace, step):
    """How many nodes were entered below each node in so many events."""
    below = dict.fromkeys(range(len(trace.nodes)), 0)
    for event in trace.events[:step]:
        above = event.parent if isinstance(event, Enter) else None
        while above is not None:
            below[above] += 1
            above = trace.nodes[above].parent
    return below


def test_very_large_trees_fold_by_themselves(visit):
    """More than 2,000 nodes, with the numbers of a trace made here."""
    game = make_game("uniform:degree=6,height=7,order=best")
    trace = prunus.trace(game, algorithm="alphabeta", limit=3000)
    assert len(trace.nodes) > 2000
    page = visit.to("see/game/uniform:degree=6,height=7,order=best")
    page.wait_for_selector(READY, timeout=3 * PATIENCE)
    page.click("#last")
    visit.until("#at", f"Step {len(trace.events)} of {len(trace.events)}")
    assert 20 < page.locator(".node").count() < 700
    below, shown = entered_below(trace, len(trace.events)), hidden(page)
    assert len(shown) > 5
    assert shown == {node: below[node] for node in shown}
    assert sum(shown.values()) > 50
    page.fill(".slider input", "900")
    visit.until("#at", "Step 900 of")
    early, now = entered_below(trace, 900), hidden(page)
    assert now == {node: early[node] for node in now}
    assert now != {node: below[node] for node in now}, "what is not known yet is not counted"
    page.click("#last")
    visit.until("#at", f"Step {len(trace.events)} of {len(trace.events)}")

    folded = max(shown, key=shown.get)
    under = ", ".join(
        f'[data-node="{node.number}"]' for node in trace.nodes if is_below(trace, node, folded)
    )
    node = f'[data-node="{folded}"]'
    # The picture scrolls to the current node after it is drawn, and draws what comes into sight.
    page.locator(node).scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    page.click(f"{node} :is(rect, circle) >> nth=0")
    visit.until("#fold", "Unfold what is below")
    assert page.locator(under).count() == 0
    page.click("#fold")
    page.wait_for_selector(under)
    assert page.locator(under).count() == below[folded]
    assert page.locator(f"{node} .more").count() == 0
    for wanted in (0, below[folded]):
        page.focus(node)
        page.keyboard.press("Enter")
        page.focus("#fold")
        page.keyboard.press("Enter")
        visit.until("#fold", "Fold what" if wanted else "Unfold what")
        assert page.locator(under).count() == wanted


def is_below(trace, node, above):
    """Whether a node is below another one."""
    parent = node.parent
    while parent is not None and parent != above:
        parent = trace.nodes[parent].parent
    return parent is not None


def drawn(page):
    return json.loads(page.input_value("#tree"))


def test_a_tree_is_drawn_by_clicking(visit):
    page = visit.to("see/tree/[[1, 2], [3, 4]]", READY)
    page.click("#draw summary")
    page.click('.editor [data-node="2"]')
    page.click("#add")
    assert drawn(page) == [[1, 2], [3, 4, 0]]
    assert visit.text("#drawn") == "2.3"
    page.fill("#leaf", "-7")
    assert drawn(page) == [[1, 2], [3, 4, -7]]
    page.click("#add")
    assert drawn(page) == [[1, 2], [3, 4, [-7]]]
    page.click('.editor [data-node="2.3"]')
    page.click("#left")
    assert drawn(page) == [[1, 2], [3, [-7], 4]]
    assert visit.text("#drawn") == "2.2"
    page.click("#remove")
    assert drawn(page) == [[1, 2], [3, 4]]
    page.focus('.editor [data-node="1"]')
    page.keyboard.press("Enter")
    page.focus("#right")
    page.keyboard.press("Enter")
    assert drawn(page) == [[3, 4], [1, 2]]
    visit.keep("see-draw")
    page.click("#begin")
    when(page, "document.querySelector('#at').textContent.startsWith('Step 0')")
    page.click("#last")
    assert visit.text(".watch .node .value >> nth=0") == "3"


def test_a_node_is_dragged_among_its_siblings(visit):
    page = visit.to("see/tree/[[1, 2], [3, 4], [5, 6]]", READY)
    page.click("#draw summary")

    def middle(node):
        box = page.locator(f'.editor [data-node="{node}"]').bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    page.locator(".editor").scroll_into_view_if_needed()
    x, y = middle("1")
    page.mouse.move(x, y)
    page.mouse.down()
    to, _ = middle("3")
    for part in range(1, 11):
        page.mouse.move(x + (to + 15 - x) * part / 10, y)
    page.mouse.up()
    assert drawn(page) == [[3, 4], [5, 6], [1, 2]]
    page.mouse.move(*middle("1.1"))
    page.mouse.down()
    page.mouse.up()
    assert drawn(page) == [[3, 4], [5, 6], [1, 2]], "a click is no drag"


def test_a_file_is_read(visit):
    page = visit.to("see/tree/[[1, 2], [3, 4]]", READY)

    def give(name, text):
        page.set_input_files(
            "#file", {"name": name, "mimeType": "application/json", "buffer": text.encode()}
        )

    give("tree.json", '{"children": [{"children": [{"value": 8}, {"value": 9}]}, {"value": 7}]}')
    when(page, "document.querySelector('#tree').value === '[[8, 9], 7]'")
    give("bad.json", '[[1, "x"]]')
    visit.until(".error", "bad.json: this is no tree")
    give("bad.json", '{"a": 1}')
    visit.until(".error", '({"a":1})')
    assert drawn(page) == [[8, 9], 7]
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(['[[4, 5], [6]]'], 'dropped.json'));
            document.querySelector('#tree').dispatchEvent(
              new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
        }"""
    )
    when(page, "document.querySelector('#tree').value === '[[4, 5], [6]]'")
    assert page.locator(".error").count() == 0


@pytest.mark.parametrize("visit", [NARROW], indirect=True)
def test_the_tools_on_a_phone(visit):
    page = visit.to("see/tree/[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", READY)
    assert not page.is_visible("#tree"), "the tree is not pushed out of sight"
    page.click("details.folded.panel > summary")
    page.click("#draw summary")
    page.click('.editor [data-node="2.2"]')
    page.click(".more > summary")
    page.check("#types")
    page.click("#cut")
    assert page.evaluate(
        "(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)"
        "(document.querySelector('.watch .picture'))"
    ), "a small tree is seen as a whole"
    said = page.locator("#fewest")
    assert said.evaluate("(one) => one.getClientRects().length && one.offsetHeight") < 30, "a line"
    page.click(".code-of summary")
    page.wait_for_selector(".running")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    visit.keep("phone-tools")
    visit.to("see/game/kalah//2", READY)
    visit.until("#fewest", "not counted")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    visit.keep("phone-not-counted")


@pytest.mark.parametrize("visit", [NARROW], indirect=True)
@pytest.mark.parametrize("figure", ["000-figure-4", "003-figure-1", "004-alphabeta"])
def test_a_figure_of_four_plies_fits_a_phone(visit, figure):
    """Its windows stand above the nodes, where none covers another."""
    page = visit.to(f"see/figure/{figure}", READY)
    page.click("#last")
    page.wait_for_selector("#last:disabled")
    picture = page.locator(".watch .picture")
    assert picture.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert page.locator(".window").count() > 5
    assert page.evaluate(
        """() => {
            const boxes = [...document.querySelectorAll('.window')].map((each) => each.getBoundingClientRect());
            return boxes.every((one, at) => boxes.slice(at + 1).every((other) => one.right <= other.left
              || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top));
        }"""
    )
    assert page.locator(".level").count() >= 2
    assert (
        page.evaluate(
            """() => {
            const shapes = [...document.querySelectorAll('.watch .node > :is(rect, circle:not(.stop))')].map((each) => each.getBoundingClientRect());
            return [...document.querySelectorAll('.watch .level')].filter((each) => {
              const name = each.getBoundingClientRect();
              return shapes.some((one) => one.left < name.right && name.left < one.right && one.top < name.bottom && name.top < one.bottom);
            }).map((each) => each.textContent);
        }"""
        )
        == []
    ), "names of levels that nodes cover"
    visit.keep(f"phone-{figure}")


@pytest.mark.parametrize("visit", [{"locale": "it-IT"}], indirect=True)
def test_the_tools_in_italian(visit):
    page = visit.to(FIGURE, READY)
    page.fill("#halts", "la radice")
    page.click("#to-halt")
    assert visit.text("#at").startswith("Passo 1 ")
    visit.until("#halt-here", "Togli il punto di arresto")
