"""Sets of constants that are written where they are used, in Python's order.

Python makes such a set before the code runs; compiled code adds its items one by one, in an order
that leads to the same set.
"""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

from numba.core import errors, ir
from numba.core.interpreter import Interpreter

_FEW = 6
_ATTEMPTS = 5_000
_FIRST_TABLE = 8


def adding_order(items: frozenset[Any]) -> list[Any]:
    """The items of a set in an order in which they make the same set if they are added one by one.

    Raises TypingError if none is found, which is hardly possible."""
    rng = random.Random(len(items))  # noqa: S311 - no secret
    shuffled = list(items)
    orders = iter(permutations(shuffled)) if len(items) <= _FEW else None
    for _ in range(_ATTEMPTS):
        made: set[Any] = set()
        for item in shuffled:
            made.add(item)
        if _is_same(made, items):
            return shuffled
        if orders is None:
            rng.shuffle(shuffled)
        else:
            shuffled = list(next(orders, shuffled))
    raise errors.TypingError("the order of this set is not known: make it of a list, set([...])")


def _is_same(one: set[Any], other: frozenset[Any]) -> bool:
    """Whether two equal sets have the same order, and keep it when another item is added."""
    return list(one) == list(other) and all(
        list(one | {item}) == list(other | {item}) for item in range(_FIRST_TABLE)
    )


_load_constant = Interpreter.op_LOAD_CONST


def _load(self: Any, inst: Any, res: Any) -> None:
    value = self.code_consts[inst.arg]
    is_order_seen = self.bytecode[inst.next].opname != "CONTAINS_OP"
    if not isinstance(value, frozenset) or not is_order_seen:
        _load_constant(self, inst, res)
        return
    items = [
        self.store(ir.Const(item, loc=self.loc), name="$item_of_set", redefine=True)
        for item in adding_order(value)
    ]
    self.store(ir.Expr.build_set(items, loc=self.loc), res)


Interpreter.op_LOAD_CONST = _load
