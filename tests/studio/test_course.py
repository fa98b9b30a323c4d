"""The course of a game in a real browser: the curve, going through the game, and the review."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import prunus
from prunus.games import make_game
from tests.studio.pages import when
from tests.studio.test_rooms import moves

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "color_scheme": "dark"}
LINE = ("a1", "b1", "c3", "b2", "b3", "a3", "c1", "a2", "c2")
"""A game of tic-tac-toe that X wins. The second, the third and the eighth move lose something."""


def keep_both(visit, name):
    """Keep pictures in light and dark, with all that can be unfolded."""
    for _ in range(2):
        dark = "dark" in visit.page.evaluate(
            "getComputedStyle(document.documentElement).colorScheme"
        )
        visit.keep(f"{name}-{'dark' if dark else 'light'}")
        visit.page.click("#theme")


def play(visit, names):
    """Two people make these moves in tic-tac-toe."""
    page = visit.to("play/tic-tac-toe")
    page.wait_for_selector(".target")
    page.select_option("#who", "two")
    for number, name in enumerate(names, 1):
        page.click(f'.target[aria-label="{name}"]')
        when(page, f"document.querySelectorAll('#moves button').length === {number}")
    return page


def review(visit):
    """Review the game to its end."""
    page = visit.page
    page.click("#review")
    when(
        page,
        "document.querySelector('#reviewed').textContent && !document.querySelector('#stop-review')",
    )
    return page.locator("#losses tbody tr")


def test_the_curve_fills_while_a_game_is_played(visit):
    page = play(visit, LINE[:7])
    page.wait_for_selector(".curve .point.on", state="attached")
    visit.until("#standing", "draw with best play")
    when(page, "document.querySelectorAll('.curve .point').length >= 2")  # and the one before
    assert page.get_attribute("#curve", "aria-valuemax") == "7"
    when(
        page,
        "document.querySelector('#curve').getAttribute('aria-valuetext')"
        " === 'After move 7 (c1): a draw with best play, proved'",
    )


def test_a_game_that_is_loaded_has_its_whole_curve(visit):
    """Also of positions that nobody has been at."""
    moves = "".join(f"&m={name}" for name in LINE[:7])
    page = visit.to(f"play/tic-tac-toe/who=two{moves}", ".target")
    when(page, "document.querySelectorAll('.curve .point').length === 8")
    page.click("#moves button:text-is('c3')")
    visit.until("#status", "After move 3 (c3)")
    assert page.locator(".curve .point").count() == 8


def test_keys_and_clicks_go_to_a_position_and_on_from_there(visit):
    page = play(visit, LINE)
    visit.until("#result", "X wins.")
    page.focus("#curve")
    page.keyboard.press("ArrowLeft")
    visit.until("#status", "After move 8 (a2)")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    visit.until("#status", "After move 6 (a3)")
    assert page.get_attribute("#curve", "aria-valuenow") == "6"
    assert page.locator("#moves [aria-current=step]").all_text_contents() == ["a3"]
    assert page.locator(".target").count() == 0, "nobody moves while the game is looked at"
    assert len(moves(page)) == 9
    page.keyboard.press("Home")
    visit.until("#status", "At the start")
    page.keyboard.press("End")
    page.wait_for_selector("#result")
    box = page.locator(".field-of-curve").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 4 / 9 + 2, box["y"] + 20)
    visit.until("#status", "After move 4 (b2)")
    page.click("#next")
    visit.until("#status", "After move 5 (b3)")
    page.click("#moves button:text-is('c3')")
    visit.until("#status", "After move 3 (c3)")
    page.click("#return")
    page.wait_for_selector("#result")
    page.click("#first")
    visit.until("#status", "At the start")
    page.click("#next")
    page.click("#go-on")
    page.wait_for_selector('.target[aria-label="b2"]')
    assert moves(page) == ["a1"]


def test_a_review_names_what_was_lost(visit):
    prunus.analyze(make_game("tic-tac-toe"), seconds=60.0, compile=True)  # its code comes first
    page = play(visit, LINE)
    rows = review(visit)
    visit.until("#reviewed", "All 10 positions looked at.")
    told = [" ".join(row.inner_text().split()) for row in rows.all()]
    assert [each.split(". ")[0] for each in told] == ["2", "3", "8"]
    assert "b1 O 0 → 1 " in told[0]
    assert told[0].endswith("draw → loss proved")
    assert told[1].endswith("win → draw proved")
    assert told[2].endswith("c2 draw → loss proved")
    assert page.locator(".curve .point.proved").count() == 10
    page.click("#losses button:text-is('c3')")
    visit.until("#status", "After move 2 (b1)")
    assert page.locator("#losses tr.now").count() == 1
    keep_both(visit, "play-review")
    page.click("#go-on")
    page.wait_for_selector(".target")
    assert page.locator("#losses").count() == 0, "the review was one of another game"


def test_a_review_is_stopped(visit):
    line = "".join(f"&m={column}" for column in "4444426662223553")
    page = visit.to(f"play/connect-four/who=two{line}", ".target")
    page.click("#review")
    page.click("#stop-review")
    visit.until("#reviewed", "Stopped:")
    page.wait_for_selector("#review")


def downloaded(page, button):
    """The name and the text of the file that a button gives."""
    with page.expect_download() as started:
        page.click(button)
    return started.value.suggested_filename, Path(started.value.path()).read_text()


def test_a_game_is_saved_loaded_and_shared(visit, tmp_path):
    page = play(visit, LINE[:4])
    page.click("#keeping summary")
    name, text = downloaded(page, "#save")
    assert name == "tic-tac-toe.json"
    assert page.locator("#save-pgn").count() == 0
    page.click("#share")
    visit.until("#kept", "link")
    link = page.input_value("#link")
    page.click("#new")
    when(page, "document.querySelectorAll('#moves button').length === 0")
    file = tmp_path / name
    file.write_text(text)
    page.set_input_files("#file", file)
    visit.until("#kept", "Loaded.")
    visit.until("#moves", "b2")
    assert moves(page) == list(LINE[:4])
    page = visit.to(link.split("#")[1], '.target[aria-label="b3"]')
    assert moves(page) == list(LINE[:4])
    assert page.input_value("#who") == "two"
    page.reload()
    page.wait_for_selector('.target[aria-label="b3"]')
    assert moves(page) == list(LINE[:4])


def test_chess_is_pasted_as_pgn_and_saved_as_pgn(visit):
    page = visit.to("play/tic-tac-toe", ".target")
    page.click("#keeping summary")
    page.fill("#text", "1. e4 e5 2. Ke3 *")
    page.click("#load")
    page.wait_for_selector("#keeping .error")
    assert "Game 1: the move Ke3 is illegal in rnbqkbnr/" in visit.text("#keeping .error")
    visit.complaints.clear()  # the browser notes the refusal
    page.fill("#text", '[White "A"]\n\n1. e4 e5 2. Nf3 {good} (2. f4) Nc6 *')
    page.click("#load")
    visit.until("#moves", "Nc6")
    visit.until("h1", "Chess")
    assert moves(page) == ["e4", "e5", "Nf3", "Nc6"]
    visit.until("#moves", "2.")
    listed = page.locator("#moves li").all_inner_texts()
    assert listed == ["1. e4", "e5", "2. Nf3", "Nc6"]
    page.click("#moves button:text-is('e5')")
    visit.until("#status", "After move 1… (e5)")
    page.click("#return")
    name, text = downloaded(page, "#save-pgn")
    assert name == "chess.pgn"
    assert text.rstrip().endswith("1. e4 e5 2. Nf3 Nc6 *")
    keep_both(visit, "play-keeping")
    page.select_option("#game", "tic-tac-toe")
    visit.until("h1", "tic-tac-toe")
    assert moves(page) == []


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("play/nonsense/m=1", "names a game that is not here: nonsense"),
        ("play/%E0%A4%A/m=1", "names a game that is not here"),
        ("play/tic-tac-toe/m=a1&m=a1&level=99&who=nobody", "Move 2 (a1)"),
        ("play/tic-tac-toe/" + "m=a1&" * 601, "600"),
    ],
)
def test_a_link_that_leads_nowhere_says_so(visit, link, words):
    page = visit.to(link, ".error")
    assert words in visit.text(".error")
    visit.complaints.clear()  # the browser notes the refusal
    page.click("#new")
    page.wait_for_selector(".target")
    assert page.input_value("#level") == "5"


def seconds(visit, player):
    """What a clock shows."""
    minutes, rest = visit.text(f"#clock-{player} strong").split(":")
    return 60 * int(minutes) + float(rest)


def timed(visit, minutes, increment):
    """A game of tic-tac-toe between two people, with clocks."""
    page = visit.to("play/tic-tac-toe", ".target")
    page.select_option("#who", "two")
    page.fill("#minutes", minutes)
    page.fill("#increment", increment)
    page.click("#new")
    page.wait_for_selector("#clock-0")
    return page


def test_the_flag_falls(visit):
    page = timed(visit, "0.02", "0")
    page.click('.target[aria-label="a1"]')
    visit.until("#result", "The time of O is up. X wins.")
    assert seconds(visit, 1) == 0
    assert page.locator(".target").count() == 0
    page.click("#keeping summary")
    text = json.loads(downloaded(page, "#save")[1])
    assert (text["clock"]["flag"], text["clock"]["left"][1]) == (1, 0)
    page.click("#share")
    visit.until("#kept", "link")
    page = visit.to(page.input_value("#link").split("#")[1], "#result")
    assert "The time of O is up." in visit.text("#result")
    page.click("#back")
    page.wait_for_selector('.target[aria-label="a1"]')


def test_a_move_adds_to_its_clock_and_is_taken_back(visit):
    page = timed(visit, "2", "60")
    assert (seconds(visit, 0), seconds(visit, 1)) == (120, 120)
    for number, name in enumerate(("a1", "b2"), 1):
        page.click(f'.target[aria-label="{name}"]')
        when(page, f"document.querySelectorAll('#moves button').length === {number}")
    assert seconds(visit, 1) > 120, "the first move is free, the second one adds to its clock"
    page.wait_for_selector("#clock-0.running")
    keep_both(visit, "play-clocks")
    page.click("#back")
    page.wait_for_selector("#clock-1.running")
    assert seconds(visit, 1) <= 120


@pytest.mark.parametrize("visit", [{**PHONE, "locale": "it-IT"}], indirect=True)
def test_clocks_on_a_phone(visit):
    """With long words and all parts unfolded, nothing is wider than the phone."""
    page = visit.to("play/hexapawn/who=two&clock=5+3+300+11.5", "#clock-1.low")
    page.click("#keeping summary")
    page.click("#share")
    visit.until("#kept", "collegamento")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    keep_both(visit, "phone-play-clocks")


def test_the_computer_plays_by_its_clock(visit):
    page = visit.to("play/tic-tac-toe", ".target")
    page.fill("#minutes", "3")
    page.click("#new")
    page.wait_for_selector("#clock-1")
    page.click('.target[aria-label="b2"]')
    when(page, "document.querySelectorAll('#moves button').length === 2")
    assert 0 < seconds(visit, 1) < 180.1
    page.wait_for_selector("#clock-0.running")


@pytest.mark.parametrize("visit", [{**PHONE, "locale": "it-IT"}], indirect=True)
def test_a_review_on_a_phone_in_italian(visit):
    page = play(visit, LINE)
    review(visit)
    visit.until("#reviewed", "Tutte le 10 posizioni esaminate.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.tap("#curve", position={"x": 14, "y": 60})
    visit.until("#status", "All'inizio")
    page.click("#keeping summary")
    small = page.evaluate(
        "[...document.querySelectorAll('main button:not(.link)')].filter((each) => "
        "each.offsetHeight && each.offsetHeight < 32).map((each) => each.textContent)"
    )
    assert small == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    keep_both(visit, "phone-play-review")
