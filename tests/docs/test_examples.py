"""Every Python example and every `prunus` command in the README and the docs runs."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from prunus.run.registry import ALGORITHMS
from tests.pages import PAGES, ROOT, blocks


def run(command, folder, stdin=""):
    places = os.pathsep.join((str(folder), str(ROOT / "src")))
    environment = os.environ | {
        "PYTHONPATH": places,
        "NO_COLOR": "1",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page)], ids=lambda page: page.stem
)
def test_examples_run(page, tmp_path):
    """Blocks run in the order of the page, in one folder; a block with a title is a file that later
    blocks use."""
    for language, title, text in blocks(page):
        if language == "python":
            name = title or "example.py"
            (tmp_path / name).write_text(text)
            run([sys.executable, name], tmp_path)
        elif language in ("sh", "console", "bash"):
            for line in text.splitlines():
                command = line.removeprefix("$ ").split("  #")[0].strip()
                if command.startswith("prunus "):
                    # In short examples the reader's own files are placeholders: only commands on
                    # files that the page makes are run.
                    words = shlex.split(command)
                    made = [
                        after
                        for word, after in zip(words, words[1:], strict=False)
                        if word == "--out"
                    ]
                    files = [
                        part
                        for word in words
                        for part in re.split("[:=]", word)
                        if part.endswith((".py", ".json")) and part not in made
                    ]
                    if all((tmp_path / file).exists() for file in files):
                        run(shlex.split(command), tmp_path, stdin="quit\n")


def test_the_readme_table_names_commands_that_exist():
    text = (ROOT / "README.md").read_text()
    for command in set(re.findall(r"`prunus (\w+)", text)):
        run([sys.executable, "-m", "prunus", command, "--help"], ROOT)


def test_every_algorithm_stands_in_the_table():
    page = (ROOT / "docs" / "algorithms.md").read_text()
    rows = "\n".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| `"))
    assert set(re.findall(r"`([\w-]+)`", rows)) >= set(ALGORITHMS)


def prose():
    """The lines of all pages, with their places, apart from tables, code and what cannot be
    broken."""
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md")):
        in_code = False
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            in_code ^= line.lstrip().startswith("```")
            if not in_code and not line.startswith(("|", "#", "![", "    options:")):
                yield f"{page.name}:{number}", line


def test_pages_fit_a_screen():
    assert [place for place, line in prose() if len(line) > 100] == []


def test_the_laboratory_writes_its_page_as_it_stands():
    from prunus.theory.lab.report import INTRODUCTION, filled

    page = (ROOT / "docs" / "laboratory.md").read_text(encoding="utf-8")
    assert page.startswith(INTRODUCTION)
    paragraphs = [text for text in page.strip().split("\n\n") if not text.startswith(("#", "!"))]
    assert all(text == filled(" ".join(text.split())) for text in paragraphs)
