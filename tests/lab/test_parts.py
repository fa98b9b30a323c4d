"""Seeds, plans, journals, tables, figures and the page."""

from __future__ import annotations

import contextlib
import json
import math
import random
import re
import statistics
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunus.core.journal import JournalError
from prunus.theory.lab import plots, registry, store
from prunus.theory.lab.experiment import Figure, LabError, Moments
from prunus.theory.lab.plan import changes_of, check_memory, make_plan
from prunus.theory.lab.report import put_section, section, summary, write_page
from prunus.theory.lab.runner import Job, run
from prunus.theory.lab.seeds import block_seed
from prunus.theory.lab.session import perform
from prunus.theory.lab.store import BlockJournal, mean_and_error, read_journal, read_table, rows_of
from prunus.theory.lab.table import columns_of, rich_table, shown
from prunus.theory.lab.workers import Serial
from tests.lab import samples
from tests.lab.samples import experiment

# Seeds.


def test_seeds_are_those_of_every_machine():
    assert block_seed("dice", {"d": 3, "model": "uniform"}, 0, 0) == SEED
    assert block_seed("dice", {"model": "uniform", "d": 3}, 0, 0) == SEED


SEED = 8766372658043393909


def test_every_part_of_a_seed_counts():
    seeds = {
        block_seed(name, {"d": d}, seed, block)
        for name in ("a", "b")
        for d in (1, 1.0, "1")
        for seed in (0, 1, -1, 2**62)
        for block in range(20)
    }
    assert len(seeds) == 2 * 3 * 4 * 20
    assert all(0 <= seed < 1 << 63 for seed in seeds)


# Plans.


@given(st.integers(1, 500), st.integers(1, 60))
def test_blocks_cut_samples_without_rest(total, block):
    plan = make_plan(experiment(block=block), samples=max(2, total), changes={"d": ["4"]})
    for row in range(len(plan.points)):
        blocks = [each for each in plan.blocks if each.row == row]
        assert [each.number for each in blocks] == list(range(len(blocks)))
        assert sum(each.count for each in blocks) == max(2, total)
        assert all(0 < each.count <= block for each in blocks)


def test_changes_replace_values_and_equal_rows_are_run_once():
    plan = make_plan(experiment(), changes=changes_of(["d=4, 5", "kind=dice"]))
    assert list(plan.points) == [{"d": 4, "kind": "dice"}, {"d": 5, "kind": "dice"}]


def no_threes(point):
    if point["d"] == 3:
        raise ValueError("d must not be 3")


WRONG = [
    ({"samples": 1}, "no standard error"),
    ({"seed": 1 << 63}, "64 bits"),
    ({"changes": {"q": ["1"]}}, "no parameter 'q'; it has d, kind"),
    ({"changes": {"d": ["x"]}}, "d=x: d is a whole number"),
    ({"changes": {"d": ["1.5"]}}, "d is a whole number"),
    ({"samples": 10**12}, "blocks, more than"),
]


@pytest.mark.parametrize(("asked", "words"), WRONG)
def test_bad_parameters_are_refused(asked, words):
    with pytest.raises(LabError, match=words):
        make_plan(experiment(), **asked)


def test_the_experiment_checks_its_points():
    make_plan(experiment(check=no_threes), quick=True)
    with pytest.raises(LabError, match="^dice: .*must not be 3"):
        make_plan(experiment(check=no_threes))


@pytest.mark.parametrize("text", ["d", "=3", "d=", "d=3,,4"])
def test_settings_that_are_none(text):
    with pytest.raises(LabError, match="write a parameter and its values"):
        changes_of([text])


def test_memory_is_looked_at_before(monkeypatch):
    monkeypatch.setattr("prunus.theory.lab.plan.free_memory", lambda: 3 << 30)
    plan = make_plan(experiment(memory=lambda point: 1 << 30), quick=True)
    check_memory([plan], 3)
    with pytest.raises(
        LabError, match=r"d=2, kind=dice: 4 processes need 4,096 MiB of memory, 3,072 are free"
    ):
        check_memory([plan], 4)


# Journals.


@pytest.fixture
def finished(tmp_path):
    plan = make_plan(experiment(), quick=True)
    perform([plan], Serial(), tmp_path)
    return (
        plan,
        tmp_path,
        (tmp_path / "dice.journal").read_bytes(),
        (tmp_path / "dice.parquet").read_bytes(),
    )


def test_a_journal_cut_off_anywhere_is_gone_on_with(finished):
    plan, folder, written, _ = finished
    for size in range(len(written)):
        (folder / "dice.journal").write_bytes(written[:size])
        journal = BlockJournal.open(folder, plan)
        assert len(journal.results) == max(0, written[:size].count(b"\n") - 1)
        run([Job(plan, journal)], Serial())
        journal.close()
        assert (folder / "dice.journal").read_bytes() == written


OTHERS = [
    ({"seed": 5}, "seed 0 there, 5 now"),
    ({"quick": False}, "quick True there, False now"),
    ({"samples": 77}, "samples"),
    ({"changes": {"d": ["4"]}}, "other parameters of the rows"),
]


@pytest.mark.parametrize(("asked", "words"), OTHERS)
def test_the_journal_of_another_run_is_refused_unless_finished(finished, asked, words):
    plan, folder, journal, _ = finished
    (folder / "dice.journal").write_bytes(journal[: journal.rfind(b"{")])
    other = make_plan(experiment(), **{"quick": True, **asked})
    with pytest.raises(LabError, match=words):
        BlockJournal.open(folder, other)
    assert (folder / "dice.journal").read_bytes() == journal[: journal.rfind(b"{")]
    BlockJournal.open(folder, other, fresh=True).close()
    assert read_journal(folder / "dice.journal") == (other.header, {})
    (folder / "dice.journal").write_bytes(journal)
    BlockJournal.open(folder, other).close()
    assert read_journal(folder / "dice.journal") == (other.header, {})


def test_the_journal_of_a_run_that_goes_on_is_refused(finished):
    plan, folder, written, _ = finished
    with contextlib.closing(BlockJournal.open(folder, plan)):
        for fresh in (False, True):
            with pytest.raises(JournalError, match=r"dice.journal: another command is writing"):
                BlockJournal.open(folder, plan, fresh)
    assert (folder / "dice.journal").read_bytes() == written


def test_another_version_is_another_run(finished):
    _, folder, journal, _ = finished
    (folder / "dice.journal").write_bytes(journal[: journal.rfind(b"{")])
    with pytest.raises(LabError, match="version 1 there, 2 now"):
        BlockJournal.open(folder, make_plan(experiment(version=2), quick=True))


@pytest.mark.parametrize("text", ["hello\n", '{"a": 1}\n', "[1]\n"])
def test_a_file_that_is_no_journal_is_left_alone(tmp_path, text):
    (tmp_path / "dice.journal").write_text(text)
    with pytest.raises(LabError, match=r"dice.journal, line 1: not the journal"):
        BlockJournal.open(tmp_path, make_plan(experiment()))
    assert (tmp_path / "dice.journal").read_text() == text


# Tables.


@given(st.lists(st.integers(-(10**9), 10**9), min_size=2, max_size=50))
def test_mean_and_error_of_integers(xs):
    mean, error = mean_and_error(Moments(len(xs), sum(xs), sum(x * x for x in xs)))
    assert math.isclose(mean, statistics.fmean(xs), rel_tol=1e-12, abs_tol=1e-6)
    assert math.isclose(
        error, statistics.stdev(xs) / math.sqrt(len(xs)), rel_tol=1e-9, abs_tol=1e-9
    )


def test_mean_and_error_of_reals():
    draw = random.Random(3)
    xs = [draw.gauss(5, 2) for _ in range(1000)]
    mean, error = mean_and_error(Moments(len(xs), sum(xs), sum(x * x for x in xs)))
    assert math.isclose(mean, statistics.fmean(xs), rel_tol=1e-12)
    assert math.isclose(error, statistics.stdev(xs) / math.sqrt(1000), rel_tol=1e-9)


@given(st.floats(-1e6, 1e6), st.integers(2, 3000))
def test_equal_reals_have_no_error_left_by_rounding(x, count):
    assert mean_and_error(Moments(count, sum([x] * count), sum([x * x] * count)))[1] == 0


def test_integers_stay_exact_and_blocks_add_up_in_their_order():
    plan = make_plan(experiment(), samples=300, changes={"d": ["2"], "kind": ["dice"]})
    results = {(0, number): {"x": Moments(100, 10**30 + number, 10**60)} for number in (2, 0, 1)}
    assert store.combined(plan, results) == [{"x": Moments(300, 3 * 10**30 + 3, 3 * 10**60)}]
    real = {
        (0, number): {"x": Moments(100, x, 0.0)} for number, x in ((2, -1e16), (0, 1e16), (1, 1.0))
    }
    assert store.combined(plan, real)[0]["x"].total == (1e16 + 1.0) - 1e16


def test_the_columns_of_a_sampled_row(finished):
    plan, folder, _, _ = finished
    rows, header = read_table(folder / "dice.parquet")
    assert list(rows[0]) == [
        "d",
        "kind",
        "x",
        "x_error",
        "x_theory",
        "x_sigmas",
        "x_low",
        "x_high",
        "samples",
    ]
    assert header == plan.header
    for row in rows:
        assert row["samples"] == 100
        assert row["x_sigmas"] == (row["x"] - row["x_theory"]) / row["x_error"]


def test_exact_rows_keep_whole_numbers_where_64_bits_hold_them(tmp_path):
    def said(point):
        return {"power": point["d"] ** 40, "beyond": 7.0, "other_low": 1.0}

    plan = make_plan(experiment(run=samples.exact, samples=0, theory=said), changes={"d": ["2"]})
    rows = rows_of(
        plan, {(row, 0): samples.exact(point, 0, 1) for row, point in enumerate(plan.points)}
    )
    assert rows[0] | {"kind": ""} == {
        "d": 2, "kind": "", "power": 2**40, "power_error": 0.0, "power_theory": float(2**40), "power_sigmas": None, "half": 1.0,
        "half_error": 0.0, "beyond_theory": 7.0, "other_low": 1.0, "samples": 0,
    }  # fmt: skip
    frame = store.frame_of(rows)
    assert str(frame.schema["power"]) == "Int64"
    assert str(store.frame_of([{"power": 6**40, "samples": 0}]).schema["power"]) == "Float64"


def test_tables_leave_out_what_is_empty_and_show_errors_beside_means(finished):
    _, folder, _, _ = finished
    rows, _ = read_table(folder / "dice.parquet")
    assert "x_error" not in columns_of(rows)
    table = rich_table("t", rows)
    assert [str(column.header) for column in table.columns][:3] == ["d", "kind", "x"]
    assert all("±" in str(cell) for cell in table.columns[2].cells)
    assert [shown(value) for value in (None, "a", 3, 3.0, 1234567, 10**12, 1 / 3)] == [
        "",
        "a",
        "3",
        "3",
        "1,234,567",
        "1e+12",
        "0.3333333",
    ]


def test_a_year_is_a_name_and_not_a_quantity():
    table = rich_table("t", [{"year": 1950, "nodes": 2000, "samples": 0}])
    assert [list(column.cells) for column in table.columns] == [["1950"], ["2,000"]]


def test_a_missing_table_says_how_to_make_it(tmp_path):
    with pytest.raises(LabError, match="prunus lab run dice"):
        read_table(tmp_path / "dice.parquet")
    (tmp_path / "dice.parquet").write_text("x")
    with pytest.raises(LabError, match="not a table"):
        read_table(tmp_path / "dice.parquet")


# Figures.


def test_figures_are_the_same_bytes_each_time(finished):
    plan, folder, _, _ = finished
    rows, _ = read_table(folder / "dice.parquet")
    before = (folder / "dice.svg").read_bytes()
    assert [path.name for path in plots.save(plan.experiment, rows, folder)] == [
        "dice.svg",
        "dice.png",
    ]
    assert (folder / "dice.svg").read_bytes() == before
    assert b"date" not in before.lower()
    assert (folder / "dice.png").read_bytes().startswith(b"\x89PNG")


def drawn(rows, **figure):
    return plots.draw(experiment(figure=Figure("d", ("x",), **figure)), rows)


ROWS = [
    {
        "d": d,
        "kind": kind,
        "x": float(d),
        "x_error": 0.1,
        "x_theory": d + 0.5,
        "x_low": 0.0,
        "samples": 9,
    }
    for d in (3, 1, 2)
    for kind in "ab"
]


def test_marks_with_bars_and_lines_of_theory_are_where_the_numbers_are():
    axis = drawn(ROWS, series=("kind",)).axes[0]
    lines = {line.get_gid(): line for line in axis.lines if line.get_gid()}
    assert set(lines) == {"x_theory-0", "x_low-0", "x_theory-1", "x_low-1"}
    assert list(lines["x_theory-1"].get_xdata()) == [1, 2, 3]
    assert list(lines["x_theory-1"].get_ydata()) == [1.5, 2.5, 3.5]
    assert len(axis.containers) == 2
    bars = axis.containers[0].lines[2][0].get_segments()
    assert [(round(low[1], 6), round(high[1], 6)) for low, high in bars] == [
        (0.7, 1.3),
        (1.7, 2.3),
        (2.7, 3.3),
    ]
    assert lines["x_theory-0"].get_color() != lines["x_theory-1"].get_color()


def test_exact_numbers_have_marks_without_bars():
    axis = drawn([{**row, "x_error": 0.0} for row in ROWS], series=("kind",)).axes[0]
    marks = next(line for line in axis.lines if line.get_gid() == "x-1")
    assert list(marks.get_ydata()) == [1, 2, 3]
    assert not axis.containers


def test_panels_words_on_the_axis_and_relative_figures():
    sheet = drawn(ROWS, panel="kind")
    assert [axis.get_title() for axis in sheet.axes] == ["kind = a", "kind = b"]
    relative = drawn(ROWS, series=("kind",), relative=True).axes[0]
    theory = next(line for line in relative.lines if line.get_gid() == "x_theory-0")
    assert list(theory.get_ydata()) == [1, 1, 1]
    words = plots.draw(experiment(figure=Figure("kind", ("x",), ("d",))), ROWS).axes[0]
    assert [label.get_text() for label in words.get_xticklabels()] == ["a", "b"]


def test_quantities_have_panels_of_their_own():
    rows = [{"d": d, "kind": kind, "x": d, "y": 10.0**d} for d in (1, 2) for kind in ("a", "b")]
    figure = Figure("d", ("x", "y"), ("kind",), apart=True, log_y=("y",), aside=0.2)
    sheet = plots.draw(experiment(figure=figure), rows)
    assert [axis.get_ylabel() for axis in sheet.axes] == ["x", "y"]
    assert [axis.get_yscale() for axis in sheet.axes] == ["linear", "log"]
    assert [list(line.get_xdata()) for line in sheet.axes[0].lines] == [[0.9, 1.9], [1.1, 2.1]]
    assert [text.get_text() for text in sheet.legends[0].get_texts()] == ["a", "b", MEASURED]
    named = replace(figure, y_label="share", names={"x": "graphs"})
    sheet = plots.draw(experiment(figure=named), rows)
    assert [axis.get_title() for axis in sheet.axes] == ["graphs", "y"]


MEASURED = "marks: measured"


def test_what_is_missing_or_infinite_is_not_drawn():
    rows = [
        *ROWS,
        {"d": 4, "kind": "a", "x": math.inf, "samples": 0},
        {"d": 5, "kind": "a", "x": None, "samples": 0},
    ]
    axis = drawn(rows, series=("kind",)).axes[0]
    assert len(axis.containers[0].lines[2][0].get_segments()) == 3


# The page.


def test_the_page_has_a_section_with_figure_and_words(finished, tmp_path):
    plan, folder, _, _ = finished
    rows, header = read_table(folder / "dice.parquet")
    page = tmp_path / "docs" / "lab.md"
    write_page(page, [(plan.experiment, rows, header)], folder)
    text = page.read_text()
    assert "## Dice and uniform numbers\n\n![Dice and uniform numbers](lab/dice.svg)" in text
    for words in (
        "**What the theory says** (any). Means.",
        "**What was measured.** 2 rows, 200 samples.",
        "**Where the source errs.** Nowhere.",
    ):
        assert words in text
    assert (tmp_path / "docs" / "lab" / "dice.svg").read_bytes() == (
        folder / "dice.svg"
    ).read_bytes()
    write_page(folder / "laboratory.md", [(plan.experiment, rows, header)], folder)
    assert "](dice.svg)" in (folder / "laboratory.md").read_text()
    with pytest.raises(LabError, match="ends in .md"):
        write_page(tmp_path / "page.html", [], folder)


def test_a_section_is_written_over_and_put_in_its_place(finished, tmp_path):
    plan, folder, _, _ = finished
    rows, header = read_table(folder / "dice.parquet")
    named = [replace(plan.experiment, title=title) for title in ("A", "B", "C")]
    titles = [experiment.title for experiment in named]
    page = tmp_path / "page" / "lab.md"
    a, b, c = ((experiment, rows, header) for experiment in named)
    write_page(page, [a, b, c], folder)
    whole = page.read_text()
    write_page(page, [a, c], folder)
    (tmp_path / "page" / "lab" / "dice.svg").unlink()
    for _ in range(2):
        put_section(page, b, folder, titles)
        assert page.read_text() == whole
    assert (tmp_path / "page" / "lab" / "dice.svg").exists()
    put_section(page, (replace(named[1], says="Other words."), rows, header), folder, titles)
    assert page.read_text() == whole.replace(
        section(*b, "lab/"), section(replace(named[1], says="Other words."), rows, header, "lab/")
    )
    with pytest.raises(LabError, match="is not a page"):
        put_section(tmp_path / "none.md", b, folder, titles)


def test_the_summary_counts_what_is_far_from_the_theory():
    rows = [
        {"x": 1.0, "x_error": 0.1, "x_theory": 1.35, "x_sigmas": -3.5, "samples": 10},
        {"x": 1.0, "x_error": 0.1, "x_theory": 1.1, "x_sigmas": -1.0, "samples": 10},
    ]
    assert (
        summary(rows)
        == "2 rows, 20 samples. Of 2 means, 1 is more than 3 standard errors from the theory; the "
        "farthest is 3.5 from it."
    )
    exact = [{"x": 3, "x_error": 0.0, "x_theory": 4.0, "x_high": 2.9, "samples": 0}]
    assert summary(exact) == (
        "1 row, all exact. Of 1 exact numbers the largest relative difference from the theory is "
        "2.5e-01. All but 1 of 1 comparisons with bounds hold."
    )


# The registry.


def test_names_are_unique_and_similar_ones_are_offered():
    known = registry.all_experiments()
    assert "first-move-wins" in known
    with pytest.raises(LabError, match="did you mean first-move-wins"):
        registry.experiment_named("first-move-win")


@pytest.mark.parametrize("name", list(registry.all_experiments()))
def test_every_experiment_is_complete(name):
    """Plans can be made, the quick one is smaller, figures name columns that the rows have, texts
    are whole sentences."""
    declared = registry.experiment_named(name)
    quick, full = make_plan(declared, quick=True), make_plan(declared)
    assert 0 < len(quick.points) <= len(full.points)
    assert sum(quick.samples) <= sum(full.samples)
    keys = {key for point in full.points for key in point}
    assert {declared.figure.x, *declared.figure.series} | ({declared.figure.panel} - {""}) <= keys
    assert declared.says.strip().endswith((".", ")"))
    json.dumps([dict(point) for point in full.points])


def test_the_kept_page_has_the_sections_of_the_experiments():
    """In the order in which `prunus lab reproduce` writes them, each with its figure."""
    docs = Path(__file__).parents[2] / "docs"
    page = (docs / "laboratory.md").read_text()
    known = registry.all_experiments()
    assert re.findall(r"^## (.*)$", page, re.M) == [each.title for each in known.values()]
    for name in known:
        assert f"](laboratory/{name}.svg)" in page and f"`prunus lab run {name}`, seed 0" in page
        assert (docs / "laboratory" / f"{name}.svg").exists()


def test_what_is_not_installed_is_named(monkeypatch):
    monkeypatch.setattr(registry, "find_spec", lambda name: None)
    with pytest.raises(
        LabError,
        match=r"polars and matplotlib, which are not installed: pip install 'prunus\[lab\]'",
    ):
        registry.require("lab", "polars", "matplotlib")
