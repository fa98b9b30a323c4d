"""Databases in the studio: what they say, what is refused, and the room in a browser."""

from __future__ import annotations

import re

import pytest

from prunus.databases.building import Asked, Work, build_database
from prunus.databases.errors import DatabaseError
from prunus.databases.folder import Database
from prunus.databases.outcome import Outcome
from prunus.databases.querying import Query, find_positions
from prunus.games import make_game
from prunus.run.limits import Stop
from prunus.studio import maxima, solved
from prunus.studio.messages import Find
from tests.studio.pages import chromium, running, violations, when
from tests.studio.serving import ask, client, socket

GAMES = {"morris": "three-mens-morris", "sown": "kalah:holes=2,counters=2"}
"""A game of wins and losses with cycles, and one of scores."""


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    folder = tmp_path_factory.mktemp("databases")
    for name, spec in GAMES.items():
        asked, work = Asked(spec, "", "build it"), Work(compile=False)
        build_database(make_game(spec), None, folder / name, asked, work)
    return [folder / name for name in GAMES]


@pytest.fixture(scope="module")
def databases(folders):
    return solved.opened(folders)


@pytest.fixture(scope="module")
def browser(databases):
    with client(databases=databases) as opened:
        yield opened


@pytest.fixture(scope="module")
def studio(databases):
    with running({}, databases) as address, chromium() as browser:
        yield browser, address


def look(browser, database, position="", moves=()):
    asked = {"database": database, "position": position, "moves": list(moves)}
    return browser.post("/api/database", json=asked).json()


def test_what_a_page_knows_of_databases_names_no_path(browser, folders):
    told = browser.get("/api/offer").json()["databases"]
    assert [each["name"] for each in told] == list(GAMES)
    assert [each["game"] for each in told] == ["three-mens-morris", "kalah"]
    assert told[0]["won"] + told[0]["drawn"] + told[0]["lost"] == told[0]["positions"]
    assert str(folders[0].parent) not in browser.get("/api/offer").text


@pytest.mark.parametrize("name", GAMES)
def test_databases_are_known_beside_a_search(browser, folders, name):
    game = make_game(GAMES[name])
    database = Database(folders[list(GAMES).index(name)], game)
    state, played = game.initial(), []
    for _ in range(5):
        place = {"game": GAMES[name], "position": "", "moves": played}
        found = browser.post("/api/known", json=place).json()
        value = database.probe(state)
        wanted = {"name": name, "scored": database.scored, "value": value._asdict()}
        assert found == [wanted]
        action = next(iter(game.actions(state)))
        played.append(game.action_name(state, action))
        state = game.result(state, action)


def test_a_database_beside_a_search_in_the_browser(studio):
    browser, address = studio
    page = browser.new_page()
    page.goto(f"{address}#analyse/three-mens-morris")
    page.wait_for_selector("#known")
    assert re.search(r"Database morris:\s+\w+ wins in 9 plies", page.inner_text("#known"))
    page.close()


@pytest.mark.parametrize("name", GAMES)
def test_a_position_has_the_value_of_every_move(browser, folders, name):
    """As `prunus db show` lists them, in the start and along a line of best moves."""
    game = make_game(GAMES[name])
    database = Database(folders[list(GAMES).index(name)], game)
    state, played = game.initial(), []
    for _ in range(4):
        told = look(browser, name, moves=played)
        assert told["text"] == game.format(state)
        assert told["value"] == database.probe(state)._asdict()
        assert [(each["action"], each["value"], each["plies"]) for each in told["moves"]] == [
            (game.action_name(state, action), *value) for action, value in database.moves(state)
        ]
        assert {each["name"] for each in told["actions"]} == {m["action"] for m in told["moves"]}
        played.append(told["moves"][0]["action"])
        state = game.result(state, game.action_named(state, played[-1]))
    assert look(browser, name, told["text"], played[-1:])["text"] == game.format(state)


@pytest.mark.parametrize("name", GAMES)
def test_counts_and_the_positions_behind_them(browser, folders, name):
    database = Database(folders[list(GAMES).index(name)], make_game(GAMES[name]))
    with socket(browser) as opened:
        bars = ask(opened, do="tally", database=name)[-1]["bars"]
        assert sum(bar["count"] for bar in bars) == len(database)
        for bar in bars:
            outcome, number = Outcome(bar["outcome"]), bar["number"]
            query = Query(outcome, score=number) if database.scored else Query(outcome, number)
            states, total = find_positions(database, query, compile=False)
            wanted = [database.game.format(state) for state in states]
            assert total == bar["count"]
            found = []
            while len(found) < total:
                asked = {"database": name, "outcome": outcome, "number": number}
                some = ask(opened, do="find", skip=len(found), **asked)[-1]["positions"]
                assert 0 < len(some) <= maxima.FOUND
                found += some
            assert found == wanted


def test_positions_are_found_across_blocks(databases, monkeypatch):
    asked = Find(id=1, do="find", database="morris", outcome="won", skip=7)
    database = databases.named("morris")
    whole = database.find(asked, Stop())
    counts = database.tally(Stop())
    monkeypatch.setattr(solved, "BLOCK", 5)
    assert database.find(asked, Stop()) == whole
    database._tally = {}
    stop = Stop()
    stop.now()
    assert database.tally(stop) == {"bars": []}
    assert database.tally(Stop()) == counts


@pytest.mark.parametrize(
    "asked",
    [
        {"database": "/etc"},
        {"database": "../morris"},
        {"database": ""},
        {"database": "x" * 500},
        {"database": "morris", "position": "XXX/XXX/XXX X"},
        {"database": "morris", "position": "x" * 5000},
        {"database": "morris", "position": "OOO/XXX/... X"},
        {"database": "morris", "moves": ["zz"]},
        {"database": "morris", "moves": ["a1"] * 5000},
        {"database": "morris", "folder": "/etc"},
    ],
)
def test_hostile_questions_are_refused_in_words(browser, asked):
    answer = browser.post("/api/database", json=asked)
    assert answer.status_code == 422
    assert "Traceback" not in answer.text
    assert "/tmp" not in answer.text


@pytest.mark.parametrize(
    "asked",
    [
        {"do": "tally", "database": "/etc/passwd"},
        {"do": "find", "database": "morris", "outcome": "any"},
        {"do": "find", "database": "morris", "outcome": "won", "number": 2**40},
        {"do": "find", "database": "morris", "outcome": "won", "skip": -1},
        {"do": "find", "database": "morris", "outcome": "won", "skip": 1e300},
    ],
)
def test_hostile_searches_are_refused(browser, asked):
    with socket(browser) as opened:
        assert ask(opened, **asked)[-1]["event"] == "error"
        assert (
            ask(opened, do="find", database="morris", outcome="lost", number=12345)[-1]["positions"]
            == []
        )


def test_a_folder_that_is_no_database_is_refused_at_the_start(tmp_path):
    with pytest.raises(DatabaseError, match="prunus db build"):
        solved.opened([tmp_path])


def test_two_folders_of_one_name_are_told_apart(folders):
    again = solved.opened([folders[0], folders[0]])
    assert [each["name"] for each in again.listed()] == ["morris", "morris'"]


def test_walking_through_a_database(visit):
    page = visit.to("solve", "#choices")
    visit.until("#outcome", "Yellow wins in 9 plies")
    assert page.evaluate("choices.scrollHeight <= choices.clientHeight"), "nine moves are in sight"
    assert page.locator(".worth").count() == page.locator(".ground + .worth").count() == 9
    page.click('.target[aria-label="b2"]')
    visit.until("#outcome", "Yellow wins in 8 plies")
    page.focus("#choices button")
    page.keyboard.press("Enter")
    visit.until("#outcome", "Yellow wins in 7 plies")
    assert page.locator(".path button").count() == 3
    page.click("#back")
    visit.until("#outcome", "Yellow wins in 8 plies")
    page.click("#first")
    visit.until("#outcome", "Yellow wins in 9 plies")
    page.click("#longest")
    page.locator("#found li button").nth(1).click()
    when(page, "position.value && position.value === text.textContent.trim()")
    assert "wins in 9 plies" in visit.text("#outcome")
    page.fill("#position", "XX./OO./... X")
    page.click("#go")
    visit.until("#outcome", "Yellow wins in 1 ply")
    assert visit.text("#choices li >> nth=0") == "c1winin 1 ply"
    page.click("#choices button >> nth=0")
    visit.until("#outcome", "The game is over: Yellow has won")
    visit.keep("solve")
    assert violations(page) == []
    page.select_option("#database", "sown")
    visit.until("#outcome", "Score for A")
    said = """async () => (await import('/static/js/solve/values.js')).valueText(
        { value: { value: -3, plies: null }, board: { kind: 'sowing' }, mover: 0 }, true)"""
    assert page.evaluate(said).endswith(": −3"), "with the minus of all other values"


@pytest.mark.parametrize(
    "visit",
    [{"viewport": {"width": 360, "height": 740}, "locale": "it-IT", "color_scheme": "dark"}],
    indirect=True,
)
def test_a_database_on_a_phone_in_italian(visit):
    page = visit.to("solve/morris/XX.%2FOO.%2F...%20X", "#choices")
    visit.until("#outcome", "Giallo vince in 1 semimossa")
    assert "morris (Mulino da tre)" in visit.text("#database")
    page.click('.tally button[aria-label^="sconfitta, 10"]')
    visit.until("#found", "1–2 / 2")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    visit.keep("phone-solve")
    assert violations(page) == []
