"""How large the numbers of a function can become: bounds that follow from where a number comes
from (an item of a board, a constant table, the number of a loop's iteration), found in the
intermediate code once types are known.

A loop whose additions need no test for overflow has no exit but its end, so that LLVM can run it
for many items at once.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import ir, types

from prunus.core.bits import CASTS
from prunus.core.state import fields_of, is_state_class
from prunus.kernel.boards.packed import Packed
from prunus.kernel.boards.stored import INTEGERS
from prunus.kernel.containers.known_tables import TableType
from prunus.kernel.containers.local_lists import LocalList
from prunus.kernel.containers.views import ViewType
from prunus.kernel.numbers.integers import is_small
from prunus.kernel.numbers.operators import meant
from prunus.kernel.rewriting.consumers import summand
from prunus.kernel.rewriting.displays import constant_in
from prunus.kernel.rewriting.escapes import definition, function_of

IN_MEMORY = 1 << 40
"""More items than any container in memory has."""

LIMIT = 1 << 62
"""Numbers up to this bound fit a signed word."""

_WIDEST = 32
"""The bits of the widest items whose type is taken as a bound."""


def _of_bits(width: int) -> int | None:
    """The bound of signed and unsigned numbers of so many bits."""
    return (1 << width) - 1 if width <= _WIDEST else None


def _of_content(value: Any) -> int | None:
    """The bound of all numbers in a constant; None if it holds anything else."""
    if isinstance(value, int):
        return abs(int(value))
    if isinstance(value, dict):
        value = (*value.keys(), *value.values())
    if isinstance(value, range):
        value = (value.start, value.stop)
    if not isinstance(value, tuple | list | set | frozenset):
        return None
    largest = 0
    for item in value:
        bound = _of_content(item)
        if bound is None:
            return None
        largest = max(largest, bound)
    return largest


def _bound_of_items(kind: Any) -> int | None:
    """The bound of the items of a container, if its type tells it."""
    kind = kind.items if isinstance(kind, LocalList) else kind
    if isinstance(kind, Packed):
        return _of_bits(kind.width)
    if isinstance(kind, ViewType) and kind.kind in INTEGERS:
        return _of_bits(CASTS[INTEGERS[kind.kind]][0])
    return None


class Magnitudes:
    """The bounds of one function's numbers. `sums` answers for variables that are added to in
    loops: it is called with a variable's name."""

    def __init__(self, func_ir: Any, typemap: Any, args: Any, sums: Any) -> None:
        self.func_ir, self.typemap, self.args, self.sums = func_ir, typemap, args, sums
        self._known: dict[str, int | None] = {}

    def of(self, variable: Any) -> int | None:
        """The largest absolute value that a variable may hold; None if it is not known, or not a
        plain integer."""
        name = variable.name
        if name not in self._known:
            # While it is being computed, a variable that depends on itself is not known.
            self._known[name] = None
            self._known[name] = self._of(name, variable)
        return self._known[name]

    def _of(self, name: str, variable: Any) -> int | None:
        kind = self.typemap.get(name)
        if isinstance(kind, types.Boolean):
            return 1
        if isinstance(kind, types.IntegerLiteral):
            return abs(kind.literal_value)
        if not is_small(kind):
            return None
        summed = self.sums(name)
        if summed is not None:
            return int(summed)
        found = self.func_ir._definitions.get(name, ())
        return self._of_value(found[0]) if len(found) == 1 else None

    def _of_value(self, value: Any) -> int | None:
        if isinstance(value, ir.Var):
            return self.of(value)
        if isinstance(value, ir.Const | ir.Global | ir.FreeVar):
            return _of_content(value.value) if isinstance(value.value, int) else None
        if not isinstance(value, ir.Expr):
            return None
        if value.op == "cast":
            return self.of(value.value)
        if value.op == "phi":
            return self._largest(value.incoming_values)
        if value.op == "binop":
            return self._of_operator(value)
        if value.op == "call":
            return self._of_call(value)
        if value.op == "getattr":
            return self._of_field(value)
        if value.op in ("getitem", "static_getitem"):
            return self._of_item(value)
        return self.of_iteration(value) if value.op == "pair_first" else None

    def _largest(self, variables: Any) -> int | None:
        bounds = [self.of(each) if isinstance(each, ir.Var) else None for each in variables]
        known = [bound for bound in bounds if bound is not None]
        return max(known) if known and len(known) == len(bounds) else None

    def _of_operator(self, value: Any) -> int | None:
        left, right, function = self.of(value.lhs), self.of(value.rhs), meant(value)
        if left is None or right is None:
            return None
        if function in (operator.add, operator.iadd, operator.sub, operator.isub):
            return left + right
        if function in (operator.mul, operator.imul):
            return left * right
        if function in (operator.floordiv, operator.ifloordiv):
            return left + 1
        # |x % y| <= |y|
        return right if function in (operator.mod, operator.imod) else None

    def _of_call(self, call: Any) -> int | None:
        function = function_of(self.func_ir, call.func)
        if call.kws or call.vararg is not None:
            return None
        if function is summand or getattr(function, "name", "") in ("int", "abs"):
            return self._largest(call.args)
        if function in (min, max) and len(call.args) > 1:
            return self._largest(call.args)
        if function is len and len(call.args) == 1:
            return self.iterations(call.args[0])
        if getattr(function, "__name__", "") == "looked_up_item":
            return self._of_numbers_in(call.args[0])
        return None

    def _of_field(self, value: Any) -> int | None:
        """The bound of a field of a State, or of a constant of the game."""
        kind = self.typemap.get(value.value.name)
        cls = getattr(kind, "instance_class", None)
        if cls is None or not is_state_class(cls):
            return self._of_numbers_in(value)
        for field in fields_of(cls):
            if field.name == value.attr and not field.is_tuple and field.scalar is not None:
                return _of_bits(CASTS[field.scalar][0])
        return None

    def _of_item(self, value: Any) -> int | None:
        made = definition(self.func_ir, value.value)
        if value.op == "static_getitem" and isinstance(made, ir.Expr) and type(value.index) is int:
            if made.op == "exhaust_iter":
                return self._of_part(definition(self.func_ir, made.value), value.index)
            if made.op == "pair_first":
                return self._of_part(made, value.index)
        bound = _bound_of_items(self.typemap.get(value.value.name))
        return self._of_numbers_in(value.value) if bound is None else bound

    def _of_part(self, row: Any, index: int) -> int | None:
        """The bound of an item of what a loop over `enumerate` or `zip` gives."""
        call = self._source(row)
        call = None if call is None else definition(self.func_ir, call)
        if not isinstance(call, ir.Expr) or call.op != "call" or call.kws:
            return None
        function = function_of(self.func_ir, call.func)
        if function is zip and 0 <= index < len(call.args):
            return self._of_items(call.args[index])
        if function is not enumerate:
            return None
        if index == 1:
            return self._of_items(call.args[0])
        start = self.of(call.args[1]) if len(call.args) > 1 else 0
        count = self.iterations(call.args[0])
        return None if start is None or count is None else start + count

    def of_iteration(self, value: Any) -> int | None:
        """The bound of what a `for` loop gives."""
        source = self._source(value)
        return None if source is None else self._of_items(source)

    def _of_items(self, source: Any) -> int | None:
        bound = _bound_of_items(self.typemap.get(source.name))
        if bound is not None:
            return bound
        limits = self._limits(source)
        if limits:
            return self._largest(limits)
        return self._of_numbers_in(source)

    def _limits(self, source: Any) -> list[Any]:
        """The arguments of the call of `range` that a variable comes from."""
        call = definition(self.func_ir, source)
        is_call = isinstance(call, ir.Expr) and call.op == "call" and not call.kws
        is_range = is_call and function_of(self.func_ir, call.func) is range
        return list(call.args) if is_range else []

    def _of_numbers_in(self, variable: Any) -> int | None:
        """The bound of the numbers in a constant, or in a part of one."""
        known = constant_in(self.func_ir, variable, self.args)
        found = definition(self.func_ir, variable) if isinstance(variable, ir.Var) else variable
        if known is not None:
            return _of_content(known)
        if isinstance(found, ir.Expr) and found.op in ("getitem", "static_getitem"):
            return self._of_numbers_in(found.value)
        if isinstance(found, ir.Expr) and found.op == "pair_first":
            source = self._source(found)
            return None if source is None else self._of_numbers_in(source)
        return None

    def _source(self, first: Any) -> Any:
        """The variable that a loop goes over which gives this."""
        if not isinstance(first, ir.Expr) or first.op != "pair_first":
            return None
        following = definition(self.func_ir, first.value)
        if not isinstance(following, ir.Expr) or following.op != "iternext":
            return None
        return self.gone_over(following)

    def gone_over(self, following: Any) -> Any:
        """The variable whose iterator gives its next item; None if it is not one variable."""
        iterator = definition(self.func_ir, following.value)
        is_one = isinstance(iterator, ir.Expr) and iterator.op == "getiter"
        return iterator.value if is_one else None

    def iterations(self, source: Any) -> int | None:
        """The most iterations of a loop over a variable."""
        kind = self.typemap.get(source.name)
        if isinstance(kind, Packed | types.BaseTuple):
            return len(kind)
        if isinstance(kind, LocalList):
            return int(kind.items.count)
        if isinstance(kind, types.List | types.Set | ViewType | TableType):
            return IN_MEMORY
        limits = self._limits(source)
        if limits:
            # With any step there are at most as many numbers as with a step of 1.
            bounds = [self.of(limit) for limit in limits[:2]]
            return None if None in bounds else sum(bound for bound in bounds if bound is not None)
        call = definition(self.func_ir, source)
        if isinstance(call, ir.Expr) and call.op == "call" and call.args:
            if function_of(self.func_ir, call.func) is enumerate:
                return self.iterations(call.args[0])
            if function_of(self.func_ir, call.func) is zip:
                found = [self.iterations(each) for each in call.args]
                return min((count for count in found if count is not None), default=None)
        return None
