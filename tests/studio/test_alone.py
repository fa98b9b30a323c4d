"""The tree view without the server: the page of `prunus trace --html`, and the widget of a
notebook, both in a real browser."""

from __future__ import annotations

import base64

import pytest

import prunus
from prunus.games import ExplicitTree, PodiumNim
from prunus.games.figures import FIGURES
from prunus.view import modules
from prunus.view.replay import looks
from tests.studio.pages import chromium
from tests.test_history import HOME

TREE = ExplicitTree.from_nested([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
REASON = "MAX is already sure of 3 at the root, and here MIN can hold MAX to 2."


@pytest.fixture(scope="module")
def page():
    with chromium() as browser:
        opened = browser.new_page(locale="en-GB")
        opened.complaints, opened.asked = [], []
        opened.on("pageerror", lambda error: opened.complaints.append(str(error)))
        opened.on("request", lambda request: opened.asked.append(request.url))
        yield opened
        assert opened.complaints == []


def shown(page, selector):
    return " ".join((page.text_content(selector) or "").split())


def opened_at(page, file, trace, end="", fewest=None):
    file.write_text(trace.html(fewest), encoding="utf-8")
    page.asked.clear()
    page.goto("about:blank")
    page.goto(file.as_uri() + end)
    page.wait_for_selector("#at")


def test_the_page_of_a_trace_is_stepped_through(page, tmp_path):
    file = tmp_path / "tree.html"
    trace = prunus.trace(TREE, lines=True)
    opened_at(page, file, trace, fewest=5)
    assert shown(page, "#at") == "Step 39 of 39"
    assert (shown(page, "#leaves"), shown(page, "#fewest")) == ("7", "5")
    page.keyboard.press("Home")
    assert page.locator(".node").count() == 0
    page.keyboard.press("c")
    assert REASON in shown(page, ".event")
    assert page.locator(".edge.cut").count() == 2
    assert "def alphabeta(" in shown(page, ".sheet")
    assert page.locator(".running").count() == 1
    page.click("#language")
    assert "MAX è già sicuro di 3" in shown(page, ".event")
    page.click("#language")
    assert page.asked == [file.as_uri()]
    opened_at(page, file, trace, "#4")
    assert shown(page, ".event") == "1.1 is a leaf worth 3."


def test_a_page_says_what_only_some_traces_know(page, tmp_path):
    """Payoffs of several players; and that a position has come again."""
    found = prunus.trace(PodiumNim(), "1,2,1", "maxn")
    opened_at(page, tmp_path / "several.html", found)
    payoffs = ", ".join(str(each) for each in found.nodes[0].payoffs)
    assert f"Payoffs{payoffs}" in shown(page, "#about").replace("\u2212", "-")
    found = prunus.trace(HOME, HOME.at("a", 0), "alphabeta", 6)
    again = next(event for event in range(len(found.events)) if found.events[event].kind == "cut")
    opened_at(page, tmp_path / "circle.html", found, f"#{again + 1}")
    assert shown(page, ".event").endswith("The position has come again.")


@pytest.mark.parametrize("figure", ["000-figure-2", "000-figure-4"])
@pytest.mark.parametrize("algorithm", ["alphabeta", "sss-stockman"])
def test_the_page_shows_what_replays_say(page, tmp_path, figure, algorithm):
    """After each event its node's label is that of `prunus.view.replay`, signs included."""
    trace = prunus.trace(FIGURES[figure]().tree, algorithm=algorithm)
    opened_at(page, tmp_path / "figure.html", trace, "#1")
    for event, look in zip(trace.events, looks(trace), strict=True):
        text = page.evaluate(
            f"document.querySelector('[data-node=\"{event.node}\"] .value').textContent"
        )
        assert (text.replace("\u2212", "-") or "?") == look.value
        page.keyboard.press("ArrowRight")


def test_modules_are_written_in_ways_that_are_known(tmp_path, monkeypatch):
    module = tmp_path / "a.js"
    module.write_text('import whole from "./b.js";\n')
    with pytest.raises(modules.ModuleError, match="unknown kind"):
        modules._Bundle().add(module)


MODEL = """(step) => {
    const heard = {};
    window.model = {
        values: { data: window.data, step }, saved: 0,
        get(name) { return this.values[name]; },
        set(name, value) { this.values[name] = value; heard["change:" + name]?.(); },
        save_changes() { this.saved += 1; },
        on(name, hear) { heard[name] = hear; },
        off(name) { delete heard[name]; },
    };
}"""


def test_a_widget_leaves_a_picture_where_no_kernel_runs():
    pytest.importorskip("anywidget", reason="the extra notebook is not installed")
    trace = prunus.trace(TREE)
    data, _ = trace.widget()._repr_mimebundle_()
    assert data["text/plain"].startswith("alphabeta: a tree of 11 nodes, value 3.")
    assert base64.b64encode(trace.svg().encode()).decode() in data["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in data


def test_a_widget_in_a_notebook(page):
    """What a notebook does with it: it imports the widget's module, and calls `render`."""
    pytest.importorskip("anywidget", reason="the extra notebook is not installed")
    made = prunus.trace(TREE).widget(step=0)
    assert made.step == 0
    page.goto("about:blank")
    page.set_content('<style>button { color: rgb(1, 2, 3) }</style><div id="cell"></div>')
    page.evaluate("(data) => { window.data = data; }", made.data)
    page.evaluate(MODEL, 0)
    text = base64.b64encode(made._esm.encode()).decode()
    page.evaluate(
        """async (text) => {
            const module = await import("data:text/javascript;base64," + text);
            window.gone = module.default.render({ model: window.model, el: document.querySelector("#cell") });
        }""",
        text,
    )
    page.wait_for_selector("#at")
    assert shown(page, "#at") == "Step 0 of 39"
    page.click("#cut")
    assert REASON in shown(page, ".event")
    assert page.evaluate("[window.model.values.step, window.model.saved]") == [21, 1]
    page.evaluate("window.model.set('step', 4)")  # as from Python
    page.wait_for_function(
        "document.querySelector('#cell').shadowRoot.querySelector('#at').textContent.includes('Step 4')"
    )
    assert page.evaluate("window.model.saved") == 1
    # Styles reach neither in nor out.
    inside = page.locator("#back").evaluate("(button) => getComputedStyle(button).color")
    assert inside != "rgb(1, 2, 3)"
    for light, theme in (("true", "light"), ("false", "dark")):  # as JupyterLab changes it
        page.evaluate("(light) => { document.body.dataset.jpThemeLight = light; }", light)
        page.wait_for_selector(f'#cell[data-theme="{theme}"]')
    page.evaluate("window.gone()")
    assert page.locator(".stepper").count() == 0
