"""Playing, analysing and practising in a real browser; both languages, a phone, the keyboard."""

from __future__ import annotations

import pytest

import prunus
from prunus.games import make_game
from prunus.games.catalogue import GAMES
from prunus.studio.app import STATIC
from prunus.studio.offer import served
from tests.studio.pages import chromium, running, when
from tests.studio.test_server import KAYLES


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    file = tmp_path_factory.mktemp("own") / "kayles.py"
    file.write_text(KAYLES)
    with running(served([f"{file}:Kayles"])) as address, chromium() as browser:
        yield browser, address


def moves(page):
    return page.locator("#moves button").all_text_contents()


def wait_for_moves(page, count):
    when(page, f"document.querySelectorAll('#moves button').length >= {count}")


def test_a_whole_game_of_connect_four(visit):
    page = visit.to("home")
    page.click("text=Play Connect Four")
    page.wait_for_selector(".target")
    page.fill("#level", "1")
    mine = "document.querySelector('#result') || document.querySelector('.target')"
    made = 0
    while not page.locator("#result").count():
        page.locator(".target").first.click()
        made += 1
        when(
            page,
            f"document.querySelector('#result') || document.querySelectorAll('#moves button').length >= {2 * made} && ({mine})",
        )
    assert visit.text("#result") in ("You win!", "The computer wins.", "A draw.")
    assert len(moves(page)) >= 7
    assert page.locator(".target").count() == 0
    visit.keep("play-end")
    before = len(moves(page))
    page.click("#back")
    page.wait_for_selector(".target")
    assert before - 2 <= len(moves(page)) < before
    assert len(moves(page)) % 2 == 0, "it is the person's turn again"


def test_hint_values_bar_and_take_back(visit):
    page = visit.to("play/tic-tac-toe")
    page.wait_for_selector(".target")
    page.select_option("#who", "two")
    for name in ("a1", "a2", "b1", "b2"):
        page.click(f'.target[aria-label="{name}"]')
        visit.until("#moves", name)
    page.wait_for_selector('.target[aria-label="c1"]')
    page.click("#hint")
    visit.until("#advice", "Try c1: value 1, proved.")
    assert page.locator(".arrow.best text").all_text_contents() == ["1"], "it is on the board"
    page.check("#values")
    page.wait_for_selector(".worth.best")
    assert page.locator(".worth.best").all_text_contents() == ["1"]
    visit.until("#standing", "X wins with best play")
    page.click("#back")
    page.wait_for_selector('.target[aria-label="b2"]')
    assert moves(page) == ["a1", "a2", "b1"]


def test_enter_begins_what_has_been_typed(visit):
    page = visit.to("play/nim")
    page.wait_for_selector(".target")
    page.select_option("#who", "two")
    page.fill("#start", "1,2")
    page.press("#start", "Enter")
    when(page, "document.querySelectorAll('.board .object').length === 3")
    page = visit.to("analyse/nim")
    page.fill("#position", "1,2")
    page.press("#position", "Enter")
    visit.until("#value", "1")


def test_chess_is_played_by_from_and_to(visit):
    page = visit.to("play/chess")
    page.wait_for_selector(".target")
    page.select_option("#who", "two")
    page.click('.target[aria-label^="e2"]')
    page.click('.target[aria-label="e4"]')
    visit.until("#moves", "e4")
    visit.until("#status", "Black to move")
    page.fill("#start", "8/P7/8/8/8/8/k7/2K5 w - - 0 1")
    page.click("#new")
    when(page, "document.querySelectorAll('.piece').length === 3")
    page.click('.target[aria-label^="a7"]')
    page.locator('.target[aria-label*="a8=Q"]').click()
    page.click("#ask-leave")
    assert page.locator(".ask").count() == 0
    page.locator('.target[aria-label*="a8=Q"]').click()
    page.click('.ask button:text-is("a8=N")')
    visit.until("#moves", "a8=N")


def test_a_pawn_becomes_what_is_asked_for_in_an_analysis(visit):
    page = visit.to("analyse/chess/8%2FP7%2F8%2F8%2F8%2F8%2Fk7%2F2K5 w", ".target")
    page.click('.target[aria-label^="a7"]')
    page.click('.target[aria-label*="a8=Q"]')
    assert page.locator(".target").count() == 0
    page.click('.ask button:text-is("a8=N")')
    page.wait_for_selector("text.piece >> text=♞")
    assert page.locator(".ask").count() == 0


def test_chess_is_played_by_dragging(visit):
    """A piece that is let go where it cannot go stands where it stood; castling is the king's."""
    page = visit.to(
        "play/chess/who=two&position=r3k2r%2F8%2F8%2F8%2F8%2F8%2F8%2FR3K2R w KQkq", ".target"
    )

    def drag(start, end):
        boxes = [
            page.locator(".board rect.square-light, .board rect.square-dark").nth(cell)
            for cell in (start, end)
        ]
        (x, y), (to_x, to_y) = (
            (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            for box in (each.bounding_box() for each in boxes)
        )
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=2)
        page.wait_for_selector(".dragged")
        page.mouse.move(to_x, to_y)
        page.mouse.up()
        page.wait_for_selector(".dragged", state="detached")

    drag(60, 44)
    assert moves(page) == []
    assert page.locator(".piece").count() == 6
    drag(60, 62)
    visit.until("#moves", "O-O")
    page.wait_for_selector('.target[aria-label^="a8"]')
    drag(0, 56)
    visit.until("#moves", "Rxa1")
    assert moves(page) == ["O-O", "Rxa1"]


def test_a_stone_moves_closes_a_mill_and_takes_one(visit):
    page = visit.to("play/nine-mens-morris")
    page.wait_for_selector(".target")
    page.select_option("#who", "two")
    page.fill("#start", "X--X--./-.-.-X-/--...--/...-..O/--...--/-O-.-.-/.--.--O 0 X")
    page.click("#new")
    for name in ("f2: choose this piece", "g1", "f2-g1xb6"):
        page.click(f'.target[aria-label="{name}"]')
    visit.until("#moves", "f2-g1xb6")
    visit.until("#result", "Yellow wins")
    visit.keep("play-morris")


@pytest.mark.parametrize("game", ["othello", "nim", "kalah"])
def test_other_boards_are_played(visit, game):
    page = visit.to(f"play/{game}")
    page.wait_for_selector(".target")
    page.fill("#level", "2")
    page.locator(".target").first.click()
    wait_for_moves(page, 2)
    visit.keep(f"play-{game}")


def test_a_game_of_ones_own(visit):
    page = visit.to("home")
    page.click(".chips .own")
    page.wait_for_selector(".names button")
    page.fill("#level", "1")
    page.locator(".names button").first.click()
    wait_for_moves(page, 2)


def test_computer_against_computer(visit):
    page = visit.to("play/tic-tac-toe")
    page.wait_for_selector(".target")
    page.fill("#level", "5")
    page.select_option("#who", "none")
    page.wait_for_selector("#result")
    assert 5 <= len(moves(page)) <= 9


def test_a_position_that_is_none_is_refused_in_words(visit):
    page = visit.to("play/connect-four")
    page.wait_for_selector(".target")
    page.fill("#start", "99")
    page.click("#new")
    page.wait_for_selector(".error")
    assert len(visit.text(".error")) > 20
    visit.complaints.clear()  # the browser notes the refusal
    page.fill("#start", "44")
    page.click("#new")
    page.wait_for_selector(".target")
    assert page.locator(".error").count() == 0


def test_an_analysis_gets_deeper_and_is_stopped(visit):
    """The code is there first, and what is looked at are iterations that are finished: how deep the
    search is at one moment, and how long it needs for the next ply, depends on what else runs."""
    game = make_game("connect-four")
    prunus.analyze(game, "44", depth=1, compile=True)
    page = visit.to("analyse/connect-four/44")
    page.wait_for_selector("#start:not([disabled])")
    page.fill("#seconds", "60")
    page.click("#start")
    when(page, "document.querySelectorAll('#history tbody tr').length >= 3")
    assert visit.text("#standing") == "an estimate"
    page.click("#stop")
    visit.until("#state", "Stopped.")
    depths = page.locator("#history tbody td:first-child").all_text_contents()
    assert list(map(int, depths)) == sorted(map(int, depths), reverse=True)
    assert visit.text("#depth-now") == depths[0]
    page.wait_for_selector(".chart canvas")
    visit.keep("analyse")


LATE = """;{ const made = uPlot; window.drawn = [];
window.uPlot = class extends made {
  setData(data, ...rest) { window.drawn.push(data[0].length); return super.setData(data, ...rest); }
  constructor(options, data, box) { super(options, data, box); window.drawn.push(data[0].length); }
}; }"""
"""Notes how many depths each chart is given."""


@pytest.mark.parametrize("visit", [{"viewport": {"width": 1270, "height": 900}}], indirect=True)
def test_a_chart_whose_library_comes_late_has_all_depths(visit):
    """The library is held back until the search has ended."""
    held = []

    def hold(route):
        held.append(route)

    visit.page.route("**/vendor/uplot.js", hold)
    page = visit.to("analyse/nim/1,3,5/go", "#state")
    visit.until("#state", "Finished.")
    rows = page.locator("#history tbody tr").count()
    assert rows > 3
    script = (STATIC / "vendor/uplot.js").read_text()
    held[0].fulfill(body=script + LATE, content_type="text/javascript")
    when(page, "window.drawn?.length >= 2")
    assert set(page.evaluate("window.drawn.slice(-2)")) == {rows}
    page.unroute("**/vendor/uplot.js")


def test_a_position_is_set_up_by_hand(visit):
    """Nothing that is no position can be taken over."""
    page = visit.to("analyse/chess", "#set-up")
    page.click("#set-up")
    page.click("#set-clear")
    visit.until("#set-not", "each side has one king")
    assert page.is_disabled("#set-done")
    for piece, square in (("White: king", "e1"), ("Black: king", "e8"), ("White: rook", "h1")):
        page.click(f'.palette [aria-label="{piece}"]')
        page.click(f'.set-up .target[aria-label="{square}"]')
    page.check('.set-up input[value="1"]')
    page.click("#set-done:not([disabled])")
    assert page.input_value("#position") == "4k3/8/8/8/8/8/8/4K2R b K - 0 1"
    page.select_option("#game", "nim")
    page.click("#set-up")
    page.fill(".numbers-of input", "2")
    page.click("#set-done:not([disabled])")
    assert page.input_value("#position") == "2,5,7"
    visit.complaints.clear()  # the browser notes the refusals


def test_a_game_is_solved(visit):
    for every in (False, True):  # the code first: where all is busy it takes longer than the page
        prunus.analyze(make_game("nim"), depth=1, all_moves=every, compile=True)
    page = visit.to("home")
    page.click("text=Solve a game of Nim")
    start = page.input_value("#position")
    interpreted = prunus.analyze(make_game("nim"), start, compile=False)
    assert interpreted.statistics.nodes < 600, "a newcomer does not wait for a compiler"
    visit.until("#standing", "proved")
    visit.until("#state", "Finished.")
    assert visit.text("#value").startswith("1")
    assert visit.text("#verdict") == "the first player wins with best play (1)"
    assert visit.text("#best") == "3:3 (pile 3: take 3)"
    for _ in range(10):  # each has five seconds, which go by before there is code if all is busy
        page.click("#all")
        page.wait_for_selector("#all:not([disabled])")
        assert "≈" not in "".join(page.locator("#worth .proved").all_text_contents())
        if "proved" in visit.text("p:has(+ #worth)"):
            break
    assert set(page.locator("#worth .proved").all_text_contents()) == {"3:3: 1"}


def test_what_is_proved_is_not_estimated_beside_it(visit):
    """A short search on a machine without code may know less than the one before it."""
    page = visit.to("home")
    shown = page.evaluate(
        """async () => {
            const { worthOf } = await import('/static/js/game/standing.js');
            const { withProofs } = await import('/static/js/analysis/answer.js');
            const move = (action, value, proved) => ({ action, value, proved });
            const first = worthOf({ moves: [move('a', 1, true), move('b', 0, false)] }, new Map());
            const then = worthOf({ moves: [move('a', 0, false), move('b', -1, true)] }, first);
            const lines = [{ ...move('a', 1, true), bound: 'exact' }, { ...move('b', 1, true), bound: 'upper' }];
            return [[...then].map(([name, { text, best }]) => [name, text, best]),
                withProofs([move('a', 0, false), move('b', 0, false)], lines).map(({ value, proved }) => [value, proved])];
        }"""  # noqa: E501
    )
    assert shown == [[["a", "1", True], ["b", "−1", False]], [[1, True], [0, False]]]


@pytest.mark.parametrize("visit", [{"locale": "it-IT"}], indirect=True)
def test_italian_is_chosen_by_the_browser_and_can_be_changed(visit):
    page = visit.to("see/figure/000-figure-2")
    page.wait_for_selector("#cut:not([disabled])")
    page.click("#cut")
    assert "Seminario: fig. 2" in visit.text("#figure")
    assert "MAX è già sicuro di 3 presso la radice" in visit.text("#why")
    assert page.get_attribute("html", "lang") == "it"
    visit.keep("italian")
    page.click("#language")
    visit.until("h1", "See the search")
    assert "MAX is already sure of 3" in visit.text("#why")
    page.reload()
    visit.until("h1", "See the search")


def test_games_have_names_in_both_languages(visit):
    page = visit.to("home")
    named = page.evaluate(
        """async (names) => {
            const { titleOf } = await import('/static/js/words/games.js');
            const { speak } = await import('/static/js/words/speech.js');
            const all = (language) => { speak(language); return names.map((name) => titleOf({ name, own: false })); };
            return [all('en'), all('it'), titleOf({ name: 'hex', own: true })];
        }""",  # noqa: E501
        sorted(GAMES.keys() - {"tree"}),
    )
    english, italian, own = named
    assert not {*english, *italian} & GAMES.keys()
    assert "k in fila" in italian and "Forza quattro" in italian
    assert len(set(english)) == len(set(italian)) == len(GAMES) - 1
    assert own == "hex"
    page.click("#language")
    visit.until(".chips", "Scacchi")
    page.click("text=Mulino da tre")
    visit.until("h1", "Gioca: Mulino da tre")


def test_one_value_stands_on_a_cell(visit):
    """Of two moves that end on one cell, what the better one is worth; of a piece that is chosen,
    what its own is worth."""
    page = visit.to("play/hexapawn", ".target")
    page.fill("#start", "X.X/.O./O.. X")
    page.click("#new")
    page.wait_for_selector(".target")
    page.check("#values")
    worth = page.locator("text.worth")
    worth.nth(2).wait_for()
    places = [(text.get_attribute("x"), text.get_attribute("y")) for text in worth.all()]
    assert len(places) == len(set(places)) == 3
    page.locator('.target[data-cell="0"]').click()
    when(page, "document.querySelectorAll('text.worth').length === 2")


ROOMS = {
    "home": ".card",
    "see/figure/000-figure-4": "#step:not([disabled])",
    "play/connect-four": ".target",
    "analyse/chess": ".target",
    "practise/1/3/3": ".node.leaf",
    "lab": "#experiments a",
    "solve": "#none",
}
"""The rooms, and what each shows when it is complete."""


@pytest.mark.parametrize(
    "visit",
    [{"viewport": {"width": 360, "height": 740}, "has_touch": True, "color_scheme": "dark"}],
    indirect=True,
)
def test_on_a_phone_in_the_dark(visit):
    """No room is wider than the phone; buttons are large enough for a finger."""
    for room, ready in ROOMS.items():
        page = visit.to(room, ready)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, room
        nav = "document.querySelector('nav')"
        assert page.evaluate(f"{nav}.scrollWidth <= {nav}.clientWidth"), "every room can be seen"
        small = page.evaluate(
            "[...document.querySelectorAll('main button:not(.link)')].filter((each) => "
            "each.offsetHeight && each.offsetHeight < 32).map((each) => each.textContent)"
        )
        assert small == [], room
        visit.keep(f"phone-{room.split('/')[0]}")
        if page.locator("#step").count():
            page.evaluate("document.querySelector('.picture').scrollIntoView({block: 'end'})")
            assert (
                page.evaluate(
                    "(({left, top}) => document.elementFromPoint(left + 9, top + 9)?.id)"
                    "(document.querySelector('#step').getBoundingClientRect())"
                )
                == "step"
            ), "a step is made while the tree is looked at"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 18, 28)"
    page.click("#theme")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(250, 249, 252)"


@pytest.mark.parametrize("visit", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
def test_on_a_phone_what_is_looked_at_comes_first(visit):
    """The boards and trees of the examples of Home are in sight without a touch; what can be chosen
    is one touch away."""
    for room, ready, seen in (
        ("see/figure/000-figure-2", "#step:not([disabled])", ".event"),
        ("analyse/nim/1,3,5", "#start:not([disabled])", "#start"),
        ("play/connect-four", ".target", "#status"),
    ):
        page = visit.to(room, ready)
        top = "(where) => document.querySelector(where).getBoundingClientRect().top"
        assert page.evaluate(top, seen) < 600, room
    page = visit.to("analyse/nim/1,3,5", "#start:not([disabled])")
    visit.until("details.folded > summary", "nim · 1,3,5 · engine")
    page.click("details.folded > summary")
    page.select_option("#game", "kalah")
    visit.until("details.folded > summary", "kalah")


CLIPPED = """[...document.querySelectorAll('main select')].filter((each) => each.offsetWidth).map((each) => {
    const pen = document.createElement('canvas').getContext('2d');
    const style = getComputedStyle(each);
    pen.font = style.font;
    const text = each.selectedOptions[0]?.textContent.trim() ?? '';
    const room = each.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 16;
    return pen.measureText(text).width > room ? text : null;
}).filter(Boolean)"""  # noqa: E501
"""The choices that are not shown whole: 16 is the width of the arrow."""


@pytest.mark.parametrize(
    "visit",
    [
        {"viewport": {"width": width, "height": 740}, "locale": locale}
        for width in (360, 1280)
        for locale in ("en-GB", "it-IT")
    ],
    indirect=True,
)
def test_what_is_chosen_can_be_read_whole(visit):
    more = {"lab/random-trees": "#run", "practise/1/3/2/equal/all": ".rows"}
    for room, ready in (ROOMS | more).items():
        page = visit.to(room)
        page.wait_for_selector(ready, state="attached")
        page.evaluate(
            "document.querySelectorAll('details.folded').forEach((e) => { e.open = true; })"
        )
        assert page.evaluate(CLIPPED) == [], room


def test_a_game_with_the_keyboard_alone(visit):
    page = visit.to("play/connect-four")
    page.wait_for_selector(".target")
    page.keyboard.press("Tab")
    while not page.evaluate("document.activeElement.closest('.target')"):
        page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    wait_for_moves(page, 2)
    assert moves(page)[0] == "2"
    when(page, "document.activeElement.getAttribute('aria-label') === '2'")
    page.keyboard.press("Enter")
    wait_for_moves(page, 3)
    assert moves(page)[2] == "2"


def test_what_can_be_pressed_has_a_name(visit):
    """Every control has a text or a label, and every field a label of its own."""
    for room, ready in ROOMS.items():
        page = visit.to(room, ready)
        nameless = page.evaluate(
            """[...document.querySelectorAll('button, a, [role=button], input, select, textarea')]
            .filter((each) => !(each.textContent.trim() || each.getAttribute('aria-label')
              || each.labels?.length || each.querySelector?.('img[alt]')))
            .map((each) => each.outerHTML.slice(0, 80))"""
        )
        assert nameless == [], room
        assert page.locator("h1").count() == 1
