"""The supported subset: every line gives the same result interpreted and compiled, with bit 63 set;
what is outside it is refused."""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from prunus import Game, u8, u64
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from prunus.kernel.reporting.messages import CannotCompile
from tests.kernel import subset_idioms  # noqa: F401 - more snippets
from tests.kernel.subset import SNIPPETS, Sample

PAGE = Path(__file__).parents[2] / "docs" / "subset.md"


def runner(snippet):
    """A function that stores the snippet's result, so that nothing is lost on its way out of
    compiled code."""
    scope = {"snippet": snippet}
    exec(
        "def run(game, state, k, memory):\n    memory.out[0] = snippet(game, state, k)\n    return "
        "0\n",
        scope,
    )
    return scope["run"]


def states(game, count):
    rng = random.Random(1)
    for _ in range(count):
        words = [rng.getrandbits(64) | 1 << 63 for _ in range(2)]
        yield game.initial()._replace(
            x=words[0],
            y=rng.randrange(1, 6),
            a=rng.randrange(256),
            d=rng.randrange(-128, 128),
            w=(rng.getrandbits(64), words[1]),
        )


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda f: f.__name__)
def test_same_both_ways(snippet):
    game = Sample()
    game.freeze()
    memory = Memory({"out": ("u64", 1)})
    run = runner(snippet)
    compiled = compile_function(
        run, {"game": game, "state": game.initial(), "k": 0, "memory": memory}
    )
    for state in states(game, 150):
        k = random.Random(state.x).randrange(64)
        run(game, state, k, memory)
        expected = memory.out[0]
        compiled(game, state, k, memory)
        assert memory.out[0] == expected, (state, k)


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda f: f.__name__)
def test_every_line_is_written_down(snippet):
    assert " ".join(snippet.__doc__.split()) in PAGE.read_text().replace("\\|", "|")


def test_division_by_zero_raises_both_ways():
    def divide(game, state, k):
        return state.x // k

    game = Sample()
    memory = Memory({"out": ("u64", 1)})
    run = runner(divide)
    compiled = compile_function(
        run, {"game": game, "state": game.initial(), "k": 0, "memory": memory}
    )
    for call in (run, compiled):
        with pytest.raises(ZeroDivisionError):
            call(game, game.initial(), 0, memory)


def test_with_item_outside_raises_both_ways():
    from prunus import with_item

    def change(game, state, k):
        return with_item(state.t, k, 1)[0]

    game = Sample()
    memory = Memory({"out": ("u64", 1)})
    run = runner(change)
    compiled = compile_function(
        run, {"game": game, "state": game.initial(), "k": 0, "memory": memory}
    )
    for call in (run, compiled):
        with pytest.raises(IndexError):
            call(game, game.initial(), 3, memory)


def test_a_list_that_a_method_makes_shorter_has_the_length_it_has():
    """What is made of it is not made by the length of the tuple that it was."""

    def shorter(game, state, k):
        cells = list(state.t)
        game.drop(cells)
        return tuple(cells)[0] * 100 + len(cells)

    class Dropping(Sample):
        def drop(self, cells):
            cells.pop()

    game = Dropping()
    memory = Memory({"out": ("u64", 1)})
    compiled = compile_function(
        runner(shorter), {"game": game, "state": game.initial(), "k": 0, "memory": memory}
    )
    compiled(game, game.initial(), 0, memory)
    assert memory.out[0] == shorter(game, game.initial(), 0) == 100 * 1 + 2


class Refused(Game):
    class State(NamedTuple):
        x: u64
        t: tuple[u8, ...]

    def __init__(self):
        self.names = [None, "rook"]
        self.array = np.zeros(5, np.int64)
        self.table = {1: "a", 2: None}
        self._hidden = 3

    def initial(self):
        return self.State(1, (1, 2, 3))

    def builds_tuple(self, state):
        parts = (tuple(i for i in state.t if i > 1), 1)
        return len(parts[0])

    def keeps_generator(self, state):
        first = (i for i in state.t)
        return sum(first) + sum(first)

    def slices(self, state):
        return len(state.t[: state.x])

    def steps(self, state):
        return self.array[::2].sum()

    def uses_list(self, state):
        return len(self.names)

    def uses_dict(self, state):
        return self.table[1]

    def divides(self, state):
        return state.x / 2

    def raises_power(self, state):
        return state.x**2

    def unknown(self, state):
        return self.nothing

    def undefined(self, state):
        return missing_name  # noqa: F821

    def wrong_field(self, state):
        return state._replace(z=1).x

    def float_field(self, state):
        return self.State(1.5, state.t).x

    def longer_tuple(self, state):
        return state._replace(t=(1, 2)).x

    def with_context(self, state):
        with open("x"):
            return 1

    def private(self, state):
        return self._hidden


REFUSED = {
    "builds_tuple": "whose number is not known",
    "keeps_generator": "a generator expression",
    "slices": "",
    "steps": "with a step",
    "uses_list": "self.names is a list",
    "uses_dict": "self.table is a dict",
    "divides": "",
    "raises_power": "",
    "unknown": "no attribute 'nothing'",
    "undefined": "missing_name",
    "wrong_field": "no field named 'z'",
    "float_field": "a float",
    "longer_tuple": "number of items",
    "with_context": "",
    "private": "begins with _",
}


@pytest.mark.parametrize(("method", "words"), REFUSED.items())
def test_refused_at_the_line(method, words):
    """What is outside the subset is refused with the method and the line in the user's own file."""
    game = Refused()
    scope = {}
    exec(
        f"def run(game, state, memory):\n    memory.out[0] = game.{method}(state)\n    return 0\n",
        scope,
    )
    with pytest.raises(CannotCompile) as error:
        compile_function(
            scope["run"],
            {"game": game, "state": game.initial(), "memory": Memory({"out": ("u64", 1)})},
        )
    code = getattr(Refused, method).__code__
    assert f"in {method}" in error.value.where, str(error.value)
    line = int(error.value.where.rsplit(":", 1)[1].split(",")[0])
    assert code.co_firstlineno <= line <= max(number for *_, number in code.co_lines() if number), (
        str(error.value)
    )
    assert words in error.value.reason, str(error.value)
    assert "\n" not in str(error.value)
