"""The laboratory in the studio: what may be asked for, the same numbers as `prunus lab run`, Stop,
downloads, and the room in a browser."""

from __future__ import annotations

import io
import json
import re
import threading
import time
import zlib
from types import SimpleNamespace

import pytest

from prunus.games.catalogue import GAMES
from prunus.run.limits import Stop
from prunus.run.registry import ALGORITHMS
from prunus.studio import laboratory, maxima
from prunus.studio.app import STATIC
from prunus.studio.messages import Experiment
from prunus.studio.tables import FORMS, Tables
from prunus.theory.lab.plan import make_plan
from prunus.theory.lab.registry import all_experiments
from prunus.theory.lab.runner import Job, run
from prunus.theory.lab.store import BlockJournal, rows_of
from prunus.theory.lab.workers import Serial
from tests.studio.pages import when
from tests.studio.serving import ask, client, socket

EXACT = "positions-held"
"""An experiment that compiles nothing."""


@pytest.fixture(scope="module")
def browser():
    with client() as opened:
        yield opened


def asked(**fields):
    return Experiment(id=1, do="experiment", **fields)


def test_all_experiments_are_told(browser):
    told = browser.get("/api/experiments").json()
    assert [each["name"] for each in told] == list(all_experiments())
    for name, experiment in all_experiments().items():
        about = browser.get(f"/api/experiments/{name}").json()
        usual = {each["name"]: each["chosen"] for each in about["parameters"]}
        assert all(
            set(each["chosen"]) <= set(each["values"]) and len(each["values"]) <= maxima.LAB_VALUES
            for each in about["parameters"]
        )
        plan = laboratory.plan_of(asked(name=name, values=usual))
        quick = [json.dumps(point, sort_keys=True) for point in experiment.points(True)]
        assert set(quick) <= {json.dumps(point, sort_keys=True) for point in plan.points}
    assert browser.get("/api/experiments/..%2Fx").status_code in (404, 422)


def test_a_value_between_two_has_the_rows_of_the_next_larger_one():
    plan = laboratory.plan_of(asked(name="random-trees", values={"d": [7], "h": [2, 3]}))
    assert plan.points == ({"d": 7, "h": 2}, {"d": 7, "h": 3})


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name": "../../etc/passwd"}, "no experiment"),
        ({"name": "random-trees", "values": {"d": [1000]}}, "no value"),
        ({"name": "random-trees", "values": {"d": [1e308]}}, "no value"),
        ({"name": "random-trees", "values": {"d": ["__import__"]}}, "no value"),
        ({"name": "random-trees", "values": {"d": [True]}}, "values.d"),
        ({"name": "random-trees", "values": {"d": [2] * 100}}, "at most"),
        ({"name": "random-trees", "values": {"output": ["/tmp"]}}, "no parameter"),
        ({"name": "random-trees", "values": {str(n): [] for n in range(9)}}, "at most"),
        ({"name": "random-trees", "values": {"d": []}}, "no row"),
        ({"name": "random-trees", "samples": 10**12}, "less than or equal"),
        ({"name": "random-trees", "samples": 1}, "greater than or equal"),
        ({"name": "random-trees", "seed": -1}, "greater than or equal"),
        ({"name": "random-trees", "output": "/tmp/x"}, "Extra"),
        ({"name": "random-trees", "samples": maxima.LAB_SAMPLES}, "this takes about"),
        ({"name": "game-shape", "samples": maxima.LAB_SAMPLES}, "this takes about"),
        ({"name": "history", "samples": 20_000}, "too many"),
    ],
)
def test_what_may_not_be_asked_is_refused_in_words(browser, fields, words):
    with socket(browser) as opened:
        told = ask(opened, do="experiment", **fields)[-1]
    assert told["event"] == "error"
    assert words in told["text"]


def test_a_run_has_the_numbers_of_the_command(browser, tmp_path):
    """Row after row, then all of them; and as files."""
    values = {"d": [2, 3], "h": [2, 3]}
    with socket(browser) as opened:
        answers = ask(opened, do="experiment", name=EXACT, values=values)
    told = answers[-1]
    assert told["finished"]
    plan = make_plan(all_experiments()[EXACT], changes={"d": ["2", "3"], "h": ["2", "3"]})
    job = Job(plan, BlockJournal.open(tmp_path, plan))
    run([job], Serial())
    wanted = rows_of(plan, job.journal.results)
    job.journal.close()
    order = {(row["d"], row["h"]): row for row in told["rows"]}
    assert order == {(row["d"], row["h"]): row for row in wanted}
    live = [row for each in answers if each["event"] == "rows" for row in each["rows"]]
    assert sorted(map(str, live)) == sorted(map(str, told["rows"]))

    got = {form: browser.get(f"/api/tables/{told['kept']}/{form}") for form in FORMS}
    assert got["json"].json() == told["rows"]
    assert got["csv"].text.splitlines()[0].startswith("d,h,path,")
    assert len(got["csv"].text.splitlines()) == 5
    assert got["csv"].headers["content-disposition"] == f'attachment; filename="{EXACT}.csv"'
    polars = pytest.importorskip("polars")
    assert polars.read_parquet(io.BytesIO(got["parquet"].content))["d"].to_list() == [
        row["d"] for row in told["rows"]
    ]
    for other in ("/api/tables/x/csv", f"/api/tables/{told['kept']}/exe"):
        assert browser.get(other).status_code == 422


def test_only_the_last_tables_are_kept():
    tables = Tables()
    keys = [tables.keep("x", [{"a": number}]) for number in range(maxima.LAB_TABLES + 1)]
    assert tables.file(keys[-1], "json")[0] == "x.json"
    with pytest.raises(ValueError, match="not kept"):
        tables.file(keys[0], "json")


@pytest.mark.parametrize("late", [False, True])
def test_a_run_is_ended_and_keeps_its_finished_rows(monkeypatch, late):
    """By Stop or by the time; its process ends with it."""
    stop, told = Stop(), []

    def tell(event, data):
        told.append(event)
        if event == "rows":
            monkeypatch.setattr(maxima, "LAB_ENDS", 0.0)
            if not late:
                stop.now()

    if late:
        monkeypatch.setattr(maxima, "LAB_ENDS", 0.5)
    threads = threading.active_count()
    found = laboratory.measured(asked(name=EXACT), Tables(), stop, tell)
    assert not found["finished"]
    assert len(found["rows"]) < len(all_experiments()[EXACT].points(False))
    assert (found["kept"] is None) == (not found["rows"])
    assert threading.active_count() <= threads


@pytest.mark.parametrize("starts", [60.0, 0.0])
def test_the_start_has_a_time_of_its_own(monkeypatch, starts):
    """The start takes longer than is left for the measuring, which it does not count among."""

    def begins_late(jobs, workers, show):
        time.sleep(0.2)
        show(SimpleNamespace(done=0, total=1))
        return run(jobs, Serial(), show)

    monkeypatch.setattr(laboratory, "run", begins_late)
    monkeypatch.setattr(maxima, "LAB_ENDS", 0.1)
    monkeypatch.setattr(maxima, "LAB_STARTS", starts)
    values = {"d": [2], "h": [2]}
    found = laboratory.measured(
        asked(name=EXACT, values=values), Tables(), Stop(), lambda event, data: None
    )
    assert found["finished"] == (starts > 0)


def test_an_experiment_in_the_browser(visit):
    page = visit.to("lab", "#experiments a")
    page.fill("#seek", "positions held")
    visit.until("main", f"1 of {len(all_experiments())} experiments")
    page.click("#experiments a")
    page.wait_for_selector("#run:not([disabled])")
    visit.until(".prose", "A depth-first search holds the path")
    page.focus("#h-to")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    assert visit.text("#choose-h") == "height hfrom2to4"
    page.click("#choose-d label:has-text('3')")
    visit.until("#estimate", "Rows: 3;")
    page.click("#run")
    page.wait_for_selector("#csv")
    visit.until("#told", "Finished: 3 rows.")
    assert page.locator(".plot .mark-of").count() == 9
    assert page.locator("#key li").count() == 4
    page.click(".table-of summary")
    assert page.locator("#rows tbody tr").count() == 3
    with page.expect_download() as download:
        page.click("#svg")
    assert download.value.suggested_filename == f"{EXACT}.svg"
    text = download.value.path().read_text()
    assert text.count("<path") > 9
    assert "class=" not in text
    with page.expect_download() as download:
        page.click("#csv")
    assert len(download.value.path().read_text().splitlines()) == 4
    for each in page.query_selector_all("#choose-d :checked"):
        each.click()
    visit.until("#none-d", "Choose at least one value of d")
    visit.until("#estimate", "as soon as every parameter has a value")
    assert page.is_disabled("#run")
    visit.keep("lab")


@pytest.mark.parametrize(
    "visit",
    [{"viewport": {"width": 360, "height": 740}, "locale": "it-IT", "color_scheme": "dark"}],
    indirect=True,
)
def test_a_run_is_stopped_on_a_phone_in_italian(visit):
    page = visit.to("lab/deepening-overhead", "#run:not([disabled])")
    visit.until("h1", "Quanto costa l'approfondimento iterativo")
    visit.until(".prose", "poco più che cercare subito fino a h")
    assert visit.text("#choose-h").startswith("ultima profondità h")
    page.click("#run")
    when(page, "!document.querySelector('#halt').disabled")
    page.click("#halt")
    visit.until("#told", "Fermato: ")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate("document.querySelectorAll('nav a').length") >= 6
    visit.keep("phone-lab")


def italian():
    """The entries of the Italian file, by the names of experiments."""
    text = (STATIC / "js/lab/italian.js").read_text()
    said = re.findall(r'^  "([a-z0-9-]+)": \{\n(.*?)^  \},', text, re.MULTILINE | re.DOTALL)
    entry = re.compile(r'^    ([a-z]+): ("(?:[^"\\]|\\.)*"),$', re.MULTILINE)
    return {name: {k: json.loads(v) for k, v in entry.findall(body)} for name, body in said}


def digest_of(experiment):
    texts = [experiment.title, experiment.source, experiment.says, experiment.errs or ""]
    return format(zlib.crc32("\n".join(texts).encode()), "08x")


def test_every_experiment_is_told_in_italian():
    """The same numbers and formulas in the same texts."""
    said = italian()
    assert set(said) == set(all_experiments())
    for name, experiment in all_experiments().items():
        expected = {"of", "title", "source", "says"} | ({"errs"} if experiment.errs else set())
        assert set(said[name]) == expected, name
        for kind in expected - {"of"}:
            assert formulas(said[name][kind]) == formulas(getattr(experiment, kind)), (name, kind)


@pytest.mark.parametrize("name", list(all_experiments()))
def test_the_italian_of_an_experiment_is_that_of_its_english_today(name):
    """Where this fails the English has changed: change the Italian too, and then its `of`."""
    assert italian()[name]["of"] == digest_of(all_experiments()[name])


NAMES = {"any-table", "path-safe-table", "visiting", "visiting-cached", "even-wins"}
"""Methods of one experiment, and a game, that have no other name in Italian."""


def words_of(experiment):
    """What is shown of the figure and the parameters of an experiment, besides its texts."""
    figure = experiment.figure
    yield from (figure.x_label, figure.y_label, *figure.names.values())
    yield from (each.replace("_", " ") for each in figure.y if each not in figure.names)
    for point in experiment.points(False):
        yield from (name.replace("_", " ") for name in point)
        yield from (value for value in point.values() if isinstance(value, str))


def test_the_words_of_figures_are_in_italian_and_no_others():
    """Where this fails a word has changed: change it in `terms`, too."""
    text = (STATIC / "js/lab/italian.js").read_text().partition("export const terms")[2]
    terms = set(re.findall(r'"((?:[^"\\]|\\.)*)": "', text))
    words = {word for each in all_experiments().values() for word in words_of(each)}
    assert terms - words == set(), "nothing says these any more"
    names = {*ALGORITHMS, *GAMES, *NAMES}
    left = {word for word in words - terms if word.split(" ")[0] not in names}
    said = {word for word in left if re.search(r"\b(?!sqrt)[a-z]{3,}", word)}
    assert said == set(), "these have no Italian"


@pytest.mark.parametrize("visit", [{"locale": "it-IT"}], indirect=True)
def test_the_list_of_experiments_is_in_italian(visit):
    visit.to("lab", "#experiments li")
    said = italian()
    assert visit.page.locator("#experiments strong").all_text_contents() == [
        said[name]["title"] for name in all_experiments()
    ]
    shown = visit.page.locator("#experiments .soft").all_text_contents()
    assert shown == [said[name]["source"] for name in all_experiments()]
    english = r"\b(of|the|and|its|on|to|for|with|after|before|section|theorem|notes|slides)s?\b"
    assert not [each for each in shown if re.search(english, each)]
    visit.page.fill("#seek", "corollaries 7.3")  # found by its English, too
    visit.until("#experiments", said["minimal-tree"]["title"])


def formulas(text):
    """The numbers, sums, subscripts and code in a text, in whichever order a language puts them."""
    text = re.sub(r"(?<=\d)[.,](?=\d)", "", text.replace("\\\\", "\\"))
    return sorted(re.findall(r"`[^`]*`|<su[bp]>.*?</su[bp]>|\d+|[=<>≤≥√ξ⌈⌊]|\([^() ]*\)", text))
