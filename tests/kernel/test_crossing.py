"""Every kind of value means the same in every operation, compiled as in Python, or is refused in
words, with its line. See `crossing.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from prunus.kernel.memory import Memory
from tests.amount import FULL, few
from tests.kernel.battery import positions
from tests.kernel.crossing import (
    Kind,
    compared,
    drawn,
    fault,
    kinds,
    module,
    operations,
    outcomes,
    prepared,
)

KINDS = kinds()
SHARE = 0.015 if FULL else 0.03
"""The part of the operations that is tried here, for each kind always the same, so that a failure
is of what has changed. `python -m tests.kernel.crossing --share 0.1 --seed 1` tries others."""

OPEN = ("options", "function", "lambda", "class_", "truth_array", "array_truth", "float")
"""Kinds with operations that are not right yet: lists with None in them are not ordered, refusals of
functions are technical, `v in [v]` of an array raises, and `bin` of NumPy's truth values and
`range` of floats give numbers. `python -m tests.kernel.crossing --kinds options` shows them."""

TRIED = [kind for kind in KINDS if kind.name not in OPEN]


@pytest.mark.parametrize("kind", few(TRIED, 3), ids=lambda kind: kind.name)
def test_operations_mean_the_same(kind: Kind, tmp_path: Path) -> None:
    chosen = drawn(kind, operations(), SHARE, 0)
    found = list(outcomes(kind, chosen, tmp_path))
    wrong = [(each.case.operation, fault(each)) for each in found if fault(each)]
    assert found and not wrong


def test_what_is_wrong_is_noticed(tmp_path: Path) -> None:
    """A value that is another one, a refusal without a line, and one in the compiler's words."""
    kind = Kind("number", "v = x\nw = y\n", "", "", "", False)
    (case,) = prepared(kind, ["r = v + 1"], tmp_path)
    game = module([case], tmp_path / "number.py").G()
    game.freeze()
    memory = Memory({"out": ("i64", 1), "which": ("i64", 1)})
    found = compared(case, 0, game, positions(game), lambda *_: 0, memory)
    assert fault(found).startswith("differs")
    refused = found._replace(outcome="refused", message="no", where="number.py:5, in case0")
    assert not fault(refused)
    assert "line" in fault(refused._replace(where=""))
    assert "technical" in fault(refused._replace(message="Literal[int](3)"))


def test_the_table_is_whole() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= 90
    assert len(set(operations())) == len(operations()) >= 500
