"""Errors raised in rules report their line, interpreted and compiled, even if the machine code is
older than a comment in the file."""

from __future__ import annotations

import importlib
import sys
import traceback

import pytest

from prunus.kernel.code import hand
from prunus.kernel.compiling import compiled
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from prunus.kernel.reporting.locating import located
from prunus.kernel.threads import run

RULES = """
from typing import NamedTuple
from prunus import Game, u8

class Rules(Game):
    class State(NamedTuple):
        x: u8

    def initial(self):
        return self.State(3)

    def named(self, state):
        if state.x == 3:
            raise ValueError("three is not allowed")
        return 0

    def missing(self, state):
        assert state.x != 3
        return 1

    def looked(self, state):
        return (1, 2, 4).index(state.x)
"""


def call(game, memory):
    return game.named(game.initial())


def call_missing(game, memory):
    return game.missing(game.initial())


def call_looked(game, memory):
    return game.looked(game.initial())


@pytest.fixture
def rules(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PRUNUS_CACHE_DIR", str(tmp_path / "cache"))

    def load(text):
        (tmp_path / "located_rules.py").write_text(text)
        sys.modules.pop("located_rules", None)
        importlib.invalidate_caches()
        # File times are no finer than a second.
        sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
        try:
            return importlib.import_module("located_rules").Rules()
        finally:
            sys.dont_write_bytecode = before

    yield load
    sys.modules.pop("located_rules", None)


def error_of(function, game, compile):
    memory = Memory({"nodes": "i64"})
    ready = compile_function(function, {"game": game, "memory": memory}) if compile else function
    with pytest.raises(Exception) as caught:
        run(lambda: ready(game, memory), memory)
    return caught.value


@pytest.mark.parametrize("compile", [False, True])
def test_a_raise_tells_its_line(rules, compile):
    error = error_of(call, rules(RULES), compile)
    assert str(error).startswith("three is not allowed (")
    assert "located_rules.py:14, in named)" in str(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    assert (last.name, last.lineno, last.line) == (
        "named",
        14,
        'raise ValueError("three is not allowed")',
    )


@pytest.mark.parametrize("compile", [False, True])
def test_other_errors_carry_a_note(rules, compile):
    error = error_of(call_missing, rules(RULES), compile)
    assert type(error) is AssertionError
    assert error.__notes__[0].endswith("located_rules.py:18, in missing")
    assert located(error).__notes__ == error.__notes__[:1]


def test_code_kept_on_disk_tells_the_line_of_today(rules, tmp_path):
    for function in (call, call_looked):
        error_of(function, rules(RULES), True)
    kept = set((tmp_path / "cache").glob("*.bin"))
    assert len(kept) == 2 and hand.folder() == tmp_path / "cache"
    compiled._compiled.clear()
    later = RULES.replace("class Rules", "# A comment,\n# and another.\nclass Rules").replace(
        "        if", "        # Here too.\n        if"
    )
    game = rules(later)
    assert "located_rules.py:17, in named)" in str(error_of(call, game, True))
    assert "located_rules.py:25, in looked)" in str(error_of(call_looked, game, True))
    assert set((tmp_path / "cache").glob("*.bin")) == kept
