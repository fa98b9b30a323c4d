"""Sets of constants that are written where they are used, in Python's order.

Python makes such a set before the code runs; compiled code adds its items one by one, in an order
that leads to the same set.
"""

from __future__ import annotations

from typing import Any

from numba.core import errors, ir
from numba.core.interpreter import Interpreter

from prunus.kernel.code.set_orders import adding


def adding_order(items: frozenset[Any]) -> list[Any]:
    """The items of a set in an order in which they make the same set if they are added one by one.

    Raises TypingError if none is found, which is hardly possible."""
    found = adding(items)
    if found is None:
        raise errors.TypingError(
            "the order of this set is not known: make it of a list, set([...])"
        )
    return found


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
