"""Figures of benchmarks compared with kept ones, read from tables as the parts print them."""

from __future__ import annotations

import sys

import pytest
from benchmarks import run as benches
from benchmarks.beside import Figure, figures, kept, table

OLD = """# 2026-01-01

## Speed

`python -m benchmarks.speed`

| work | nodes | Prunus / C++ |
|---|---|---|
| depth 3 | 5,851,830 | 0.80 (0.75 - 0.85, 15 pairs) |
| depth 4 | 9 | 0.70 (0.69 - 0.71, 15 pairs) |

## Calls

`python -m benchmarks.calls`

| call | nodes | ms |
|---|---|---|
| solve | 1,193 | 0.500 |

a line of text | with a bar
"""


def test_figures_of_a_file():
    assert figures(OLD) == {
        "speed": {
            ("depth 3", "Prunus / C++"): Figure(0.8, (0.75, 0.85)),
            ("depth 4", "Prunus / C++"): Figure(0.7, (0.69, 0.71)),
        },
        "calls": {("solve", "nodes"): Figure(1193), ("solve", "ms"): Figure(0.5)},
    }


def test_changes_are_named_only_beyond_both_ranges():
    old = Figure(0.7, (0.69, 0.71))
    assert Figure(0.9, (0.8, 1.0)).against(old) == "1.29 higher"
    assert Figure(0.9, (0.6, 1.0)).against(old) == "1.29"
    assert Figure(0.5, (0.4, 0.6)).against(old) == "0.71 lower"
    assert Figure(0.35).against(old) == "0.50"
    assert Figure(1.0).against(Figure(0.0)) == ""


def test_the_file_of_this_processor_counts_before_a_newer_one(tmp_path):
    (tmp_path / "2026-01-01-mine.md").write_text(OLD)
    (tmp_path / "2026-02-01-other.md").write_text(OLD.replace("0.500", "0.100"))
    (tmp_path / "2026-01-02-other.md").write_text(OLD.replace("0.500", "0.200"))
    for machine, name, value in (("mine", "2026-01-01-mine", 0.5), ("x", "2026-02-01-other", 0.1)):
        found, known = kept(tmp_path, machine)["calls"]
        assert (found, known["solve", "ms"].value) == (name, value)
    now = figures(OLD.replace("0.500", "0.250").replace("| solve |", "| solve, nim |"))
    shown = table(now | {"calls": {("solve", "ms"): Figure(0.25)}}, kept(tmp_path, "mine"))
    assert "| calls | solve | 0.5 | 0.25 | 0.50 |" in shown
    assert shown.endswith("Kept: 2026-01-01-mine.")
    assert "| calls | solve, nim: ms | - | 0.25 |  |" in table(now, kept(tmp_path, "mine"))


def test_an_interrupted_run_keeps_what_is_finished(tmp_path, monkeypatch, capsys):
    def run(part, words, results):
        if part.module == "speed":
            raise KeyboardInterrupt
        table = "| call | ms |\n|---|---|\n| solve | 0.5 |\n" * (part.module == "calls")
        results.add(f"\n## {part.title}\n\n`python -m benchmarks.{part.module}`\n\n{table}")
        return True

    monkeypatch.setattr(benches, "run", run)
    monkeypatch.setattr(benches, "BUILD", tmp_path)
    monkeypatch.setattr(sys, "argv", ["run", "--only", "calls", "speed", "proofs"])
    with pytest.raises(KeyboardInterrupt):
        benches.main()
    (path,) = (tmp_path / "results").glob("*.md")
    said = capsys.readouterr().err
    assert "finished parts are kept. The others: --only speed proofs" in said
    assert f"1 of 3 parts in 0 s: {path}" in said

    path.write_text(
        path.read_text() + "\n## Speed\n\n`python -m benchmarks.speed`\n\ninterrupted\n"
    )
    monkeypatch.setattr(sys, "argv", ["run", "--only", "proofs"])
    benches.main()
    text = path.read_text()
    assert text.count("| calls | solve | - | 0.5 |") == 1 == text.count("\n## Beside")
    assert "benchmarks.proofs" in text and "benchmarks.speed" not in text
    monkeypatch.setattr(sys, "argv", ["run", "--only", "calls"])
    benches.main()
    assert path.read_text().count("`python -m benchmarks.calls`") == 1
