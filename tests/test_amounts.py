"""The amount of an option is a word of the memory: no amount is compiled in, and every margin is on
the scale of the values."""

from __future__ import annotations

from dataclasses import fields

import pytest

import prunus
from prunus.algorithms.repetition import path_fields
from prunus.core.errors import SearchError
from prunus.engine.amounts import COUNTS, MARGINS
from prunus.engine.fields import engine_fields
from prunus.engine.memory import EngineMemory
from prunus.engine.options import Options
from prunus.games import ConnectFour, Othello, RandomGame
from prunus.kernel.backends import prepare
from prunus.kernel.compiling import compiled
from prunus.kernel.reporting.messages import CannotCompile
from prunus.run.configuration import Configuration
from prunus.run.memories import new_memory
from prunus.run.registry import ALGORITHMS
from prunus.tables.transposition import TranspositionTable
from tests.amount import in_full, thinned

ON = {
    "quiescence": True,
    "quiet": 1,
    "quiet_line": 2,
    "beam": 3,
    "reductions": 2,
    "futility": 1,
    "far_futility": 1,
    "late_pruning": 1,
    "reverse_futility": 1,
    "razoring": 1,
    "delta": 1,
    "iir": 3,
    "multi_cut": 1,
    "exchanges": 1,
    "singular": 1,
    "floyd": 20,
    "presearch": 1,
    "etc": 2,
    "iid": 3,
}
AMOUNTS = [name for name in ON if name != "quiescence"]


def test_every_option_is_a_switch_or_an_amount():
    assert {*Options.SWITCHES, *COUNTS, *MARGINS, "second", "fit"} == {
        field.name for field in fields(Options)
    }
    assert {*Options.AMOUNTS, "quiet"} == {*COUNTS, *MARGINS}


HELPED = {"null_move": 1, "null_verify": 3, "behind": 2, "probcut": 10}
"""The options that need something of the game."""


class Behind(prunus.Evaluation):
    def evaluate(self, state):
        return state.mine.bit_count() - state.theirs.bit_count()

    def evaluate_behind(self, state):
        return self.evaluate(state) // 2


class Passing(prunus.Tactics):
    def pass_turn(self, state):
        return self.State(state.theirs, state.mine, not state.white)


def fits(shallow, a, b, sigma):
    return tuple((deep, (shallow, a, b, sigma)) for deep in (2, 3, 4))


@pytest.fixture
def made(monkeypatch):
    """The names of the functions that are compiled from now on."""
    names = []
    plain = compiled._compile

    def counting(function, *rest):
        names.append(function.__name__)
        return plain(function, *rest)

    monkeypatch.setattr(compiled, "_compile", counting)
    return names


def test_no_amount_is_left_out():
    assert {*AMOUNTS, *HELPED} == {*COUNTS, *MARGINS}


@in_full
def test_amounts_that_need_the_games_help_are_not_compiled_in(made):
    game = Othello(4).with_parts(evaluation=Behind, tactics=Passing)

    def search(compile=True, depth=4, **more):
        options = {**HELPED, "fit": fits(1, 1000, 0, 2000), **more}
        how = {"options": options, "compile": compile}
        return prunus.analyze(game, algorithm="engine", depth=depth, **how).value

    search()
    first = len(made)
    others = [{name: amount} for name in HELPED for amount in (2, 5, 30)]
    others += [{"fit": fits(1, 900, 100, 3000)}, {"fit": fits(1, 1100, 0, 500)}, {"second": 1}]
    for more in others:
        assert search(**more) == search(False, **more), more
    assert made[first:] == []


def test_amounts_of_a_proof_are_not_compiled_in(made):
    game = ConnectFour(4, 4)

    def solve(at="12344", compile=True, **more):
        return prunus.solve(game, at, compile=compile, book=False, **more).value

    solve()
    first, value = len(made), solve(compile=False)
    for more in ({"table": 0.1}, {"table": 40}, {"threads": 2}, {"multi_pv": 2}, {"nodes": 10**6}):
        assert solve(**more) == value, more
    assert solve("11223") == solve("11223", False)
    assert made[first:] == []


@in_full
def test_only_on_and_off_are_compiled_in(made):
    """After one search with everything on, any other amount, depth, table, window, number of
    threads and game of the class runs in the same machine code, and as interpreted."""

    def search(seed=0, compile=True, depth=4, **more):
        game = RandomGame(seed, depth=8, width=40, branching=4, values=20)
        options = more.pop("options", ON)
        return prunus.analyze(
            game, algorithm="engine", depth=depth, options=options, compile=compile, **more
        )

    search()
    first = len(made)
    for seed, name in enumerate(AMOUNTS, 1):
        for amount in thinned((2, 1000, 7), 2):
            options = {**ON, name: amount}
            found = search(seed, options=options)
            assert found.value == search(seed, False, options=options).value, (name, amount)
    for depth, megabytes in ((2, 1), (3, 2.5), (6, 8)):
        search(depth=depth, table=megabytes)
    search(threads=2)
    search(nodes=50)
    search(prefer_faster=True)
    assert made[first:] == []
    search(options={**ON, "beam": 0})
    assert len(made) > first


@pytest.mark.parametrize("prefer_faster", [False, True])
def test_margins_are_on_the_scale_of_the_values(prefer_faster):
    game = RandomGame(0)
    options = Options(
        **{name: 3 + place for place, name in enumerate(MARGINS)},
        probcut=15,
        fit=((4, (2, 9, 7, 8)),),
    )
    memory = new_memory(
        ALGORITHMS["engine"],
        game.initial(),
        4,
        4,
        Configuration(ALGORITHMS["engine"], prefer_faster=prefer_faster, options=options),
    )
    unit = 1 << 16 if prefer_faster else 1
    assert [getattr(memory, name) for name in MARGINS] == [
        (3 + place) * unit for place in range(len(MARGINS))
    ]
    written = memory.fit.array[memory.fit.array != 0]
    assert set(written.tolist()) == {2, 9, 7 * unit, 8 * unit}
    assert (memory.beam, memory.probcut) == (0, 15)


def test_the_type_of_the_engines_memory_is_true():
    """Every field that the type checker knows exists, and it knows every field that only the engine
    has."""
    game = RandomGame(0)
    how = Configuration(ALGORITHMS["engine"], options=Options())
    table = TranspositionTable(1, game, game.initial())
    memory = new_memory(how.algorithm, game.initial(), 4, 4, how, table)
    known = {name for cls in EngineMemory.__mro__ for name in vars(cls).get("__annotations__", ())}
    there = {*memory._places, *dict(memory._settings)}
    # Not every evaluation has rows, and not every game repeats positions.
    assert known <= there | {"rows", *path_fields(4, 0)}
    assert engine_fields(4, 0).keys() <= known


def misspelt(game, state, memory):
    memory.nodes += 1
    memory.evaluatd += 1
    return 0


def test_a_misspelt_field_is_told_at_once():
    game = RandomGame(0)
    memory = new_memory(ALGORITHMS["minimax"], game.initial(), 4, 4)
    with pytest.raises(AttributeError, match="evaluatd"):
        misspelt(game, game.initial(), memory)
    with pytest.raises(AttributeError, match="evaluatd"):
        memory.evaluatd = 1
    arguments = {"game": game, "state": game.initial(), "memory": memory}
    with pytest.raises(CannotCompile, match=r"no field 'evaluatd'.*test_amounts.py:\d+"):
        prepare(misspelt, arguments, True)


def test_a_margin_that_does_not_fit_is_refused_by_name():
    for name in ("futility", "singular", "quiet"):
        options = {"quiescence": True, name: 1 << 50}
        prunus.analyze(RandomGame(0), algorithm="engine", depth=2, options=options, compile=False)
        with pytest.raises(SearchError, match=f"option {name}: 1125899906842624 is too large"):
            prunus.analyze(
                RandomGame(0),
                algorithm="engine",
                depth=2,
                options=options,
                compile=False,
                prefer_faster=True,
            )
