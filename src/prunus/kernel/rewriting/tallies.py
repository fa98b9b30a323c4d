"""`Counter` and `defaultdict(int)` that stay in their function, in Numba's pipeline: they become
dictionaries.

A Counter reads a key that it does not have as 0; a `defaultdict` puts it in first. The operators of
two Counters, and the methods that only Counters have, become calls of functions. Both are left as
they are, and refused, if anything else is done with them that a dictionary would answer otherwise.
"""

from __future__ import annotations

import collections
import operator
from collections.abc import Iterator
from typing import Any, Final

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.unsafe import eh

from prunus.kernel.boards.packed_functions import add_item
from prunus.kernel.containers.sequences import call_instead
from prunus.kernel.containers.tallies import (
    OPERATORS,
    added_to,
    item_or_new,
    most_common,
    negated,
    positive,
    taken_from,
    tallied,
    total,
    without,
)
from prunus.kernel.rewriting.escapes import come_from, names_of, statements, used_in
from prunus.kernel.rewriting.inlining import global_value

_METHODS = frozenset(("clear", "get", "items", "keys", "pop", "popitem", "setdefault", "values"))
"""The methods that mean the same for a dictionary."""

_OWN: Final = {"most_common": most_common, "total": total}
"""The methods of Counters that dictionaries do not have."""

_COUNTING: Final = {"update": added_to, "subtract": taken_from}
"""Those that count something in, which may be a Counter too."""

_FUNCTIONS: Final = _OWN | _COUNTING

_COMPARING: Final = frozenset(
    (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
)

_UNARY: Final = {operator.pos: positive, operator.neg: negated}
"""The operators of one Counter."""

_READING = (
    *(len, max, min, sorted, list, set, tuple, sum, any, all, enumerate, bool, iter, dict),
    add_item,
)
"""The functions that ask a dictionary for its keys or its length."""


@register_pass(mutates_CFG=False, analysis_only=False)
class Tallies(FunctionPass):
    """Turns such objects into dictionaries."""

    _name = "prunus_tallies"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir, changed = state.func_ir, False
        if not any(map(_is_name, (each for _, _, each in statements(func_ir)))):
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        for kind, made in _groups(func_ir):
            names = names_of(func_ir, [each.target.name for _, each in made])
            if come_from(func_ir, names, [each.value for _, each in made]):
                tally = _Tally(func_ir, kind, names, made)
                if all(map(tally.is_understood, (each for _, _, each in statements(func_ir)))):
                    tally.become_dictionary()
                    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
                    changed = True
        return changed


def _is_name(statement: Any) -> bool:
    """Whether a statement reads the name of one of the classes, or of their module."""
    value = statement.value if isinstance(statement, ir.Assign) else None
    return isinstance(value, ir.Global | ir.FreeVar) and any(
        value.value is known
        for known in (collections, collections.Counter, collections.defaultdict)
    )


def _made(func_ir: Any, statement: Any) -> Any:
    """The class of the object that a statement makes; None for other statements."""
    call = statement.value if isinstance(statement, ir.Assign) else None
    if not isinstance(call, ir.Expr) or call.op != "call" or call.kws or call.vararg is not None:
        return None
    function = global_value(func_ir, call.func)
    if function is collections.Counter and len(call.args) <= 1:
        return function
    is_counting = (
        function is collections.defaultdict
        and len(call.args) == 1
        and global_value(func_ir, call.args[0]) is int
    )
    return function if is_counting else None


def _groups(func_ir: Any) -> Iterator[tuple[Any, list[Any]]]:
    """The class of some objects, and the statements that give them, with their blocks: all
    Counters, which are combined with each other, and each `defaultdict` for itself."""
    found = [(block, each) for _, block, each in statements(func_ir) if _made(func_ir, each)]
    counters = [pair for pair in found if _made(func_ir, pair[1]) is collections.Counter]
    if counters:
        yield collections.Counter, _with_results(func_ir, counters)
    rest = [pair for pair in found if pair not in counters]
    while rest:
        names = names_of(func_ir, [rest[0][1].target.name])
        group = [pair for pair in rest if pair[1].target.name in names]
        rest = [pair for pair in rest if pair not in group]
        yield collections.defaultdict, group


def _with_results(func_ir: Any, made: list[Any]) -> list[Any]:
    """The statements that give Counters, and those that combine or copy them."""
    while True:
        names = names_of(func_ir, [each.target.name for _, each in made])
        known = {id(each) for _, each in made}
        more = [
            (block, each)
            for _, block, each in statements(func_ir)
            if id(each) not in known and _gives_another(func_ir, each, names)
        ]
        if not more:
            return made
        made = made + more


def _gives_another(func_ir: Any, statement: Any, names: set[str]) -> bool:
    """Whether a statement gives a Counter, if some names are those of Counters."""
    value = statement.value if isinstance(statement, ir.Assign) else None
    if not isinstance(value, ir.Expr):
        return False
    if value.op in ("binop", "inplace_binop"):
        is_pair = value.lhs.name in names and value.rhs.name in names
        return is_pair and value.fn in OPERATORS and value.fn not in _COMPARING
    if value.op == "unary":
        return value.value.name in names and value.fn in _UNARY
    if value.op != "call" or value.args or value.kws or value.vararg is not None:
        return False
    method = ir_utils.guard(ir_utils.get_definition, func_ir, value.func)
    is_copy = isinstance(method, ir.Expr) and method.op == "getattr" and method.attr == "copy"
    return is_copy and method.value.name in names


class _Tally:
    """All that a function does with the objects of a class that some statements make, and which it
    knows by some names."""

    def __init__(self, func_ir: Any, kind: Any, names: set[str], made: list[Any]) -> None:
        self.func_ir, self.names, self.made = func_ir, names, made
        self.is_counter = kind is collections.Counter
        self.has_handlers = any(
            isinstance(value, ir.Global) and value.value is eh.mark_try_block
            for value in (getattr(each, "value", None) for _, _, each in statements(func_ir))
        )

    def is_understood(self, statement: Any) -> bool:
        """Whether a statement does not use it, or uses it as a dictionary can be used instead."""
        value = statement.value if isinstance(statement, ir.Assign) else None
        if isinstance(value, ir.Var) or isinstance(statement, ir.Del):
            return True
        if isinstance(statement, ir.SetItem | ir.StaticSetItem):
            used = [*statement.list_vars()]
            return not any(each.name in self.names for each in used if each is not statement.target)
        if isinstance(statement, ir.DelItem) and statement.target.name in self.names:
            return statement.index.name not in self.names
        if any(statement is each for _, each in self.made):
            return True
        if not any(each.name in self.names for each in used_in(statement)):
            return True
        return isinstance(value, ir.Expr) and self._is_read(statement, value)

    def _is_read(self, statement: Any, value: Any) -> bool:
        if value.op == "getattr":
            own = self.is_counter and value.attr in (*_OWN, *_COUNTING, "copy")
            return value.attr in _METHODS or (own and self._is_called(statement))
        if value.op == "call":
            if self._counts(value.func):
                return len(value.args) == 1
            return value.func.name not in self.names and (
                global_value(self.func_ir, value.func) in _READING
            )
        if self._compares(value):
            return True
        if value.op == "binop":
            return value.fn is operator.contains and value.rhs.name not in self.names
        if value.op == "getitem":
            return value.index.name not in self.names
        return value.op == "getiter" or (value.op == "unary" and value.fn is operator.not_)

    def _compares(self, value: Any) -> bool:
        """Whether an expression compares two Counters."""
        is_comparison = self.is_counter and value.op == "binop" and value.fn in _COMPARING
        return is_comparison and {value.lhs.name, value.rhs.name} <= self.names

    def _counts(self, method: Any) -> bool:
        """Whether a variable holds a method that counts something in."""
        found = ir_utils.guard(ir_utils.get_definition, self.func_ir, method)
        is_method = isinstance(found, ir.Expr) and found.op == "getattr"
        return is_method and found.attr in _COUNTING and found.value.name in self.names

    def _is_called(self, statement: Any) -> bool:
        """Whether a method is only called, and by position."""
        names = names_of(self.func_ir, [statement.target.name])
        if not come_from(self.func_ir, names, [statement.value]):
            return False
        for _, _, other in statements(self.func_ir):
            value = other.value if isinstance(other, ir.Assign) else None
            if isinstance(other, ir.Del) or isinstance(value, ir.Var):
                continue
            if any(each.name in names for each in used_in(other)) and not (
                isinstance(value, ir.Expr)
                and value.op == "call"
                and value.func.name in names
                and not any(each.name in names for each in value.args)
                and not value.kws
                and value.vararg is None
            ):
                return False
        return True

    def become_dictionary(self) -> None:
        """Rewrite what makes the object and what is done with it."""
        reads = list(self._reads())
        for block, statement in reads:
            if self.is_counter or self._is_counted(block, statement, reads):
                self._get(block, statement)
            else:
                call_instead(block, statement, item_or_new, *_of_item(statement.value))
        for _, _, statement in list(statements(self.func_ir)):
            value = statement.value if isinstance(statement, ir.Assign) else None
            is_method = isinstance(value, ir.Expr) and value.op == "getattr"
            if is_method and value.value.name in self.names and value.attr in _FUNCTIONS:
                self._call(statement, value)
        if self.is_counter:
            self._operate()
        made = [each for each in self.made if _made(self.func_ir, each[1]) is not None]
        classes = {statement.value.func.name for _, statement in made}
        for block, statement in made:
            items = statement.value.args if self.is_counter else ()
            call_instead(block, statement, tallied if items else dict, *items)
        for _, _, statement in statements(self.func_ir):
            if isinstance(statement, ir.Assign) and statement.target.name in classes:
                statement.value = ir.Const(None, statement.loc)

    def _operate(self) -> None:
        """Make the operators of Counters, and `del`, calls of functions."""
        for _, block, statement in list(statements(self.func_ir)):
            value = getattr(statement, "value", None)
            if isinstance(statement, ir.DelItem) and statement.target.name in self.names:
                self._delete(block, statement)
            elif not isinstance(value, ir.Expr):
                continue
            elif value.op in ("binop", "inplace_binop"):
                if value.fn in OPERATORS and {value.lhs.name, value.rhs.name} <= self.names:
                    call_instead(block, statement, OPERATORS[value.fn], value.lhs, value.rhs)
            elif value.op == "unary" and value.fn in _UNARY and value.value.name in self.names:
                call_instead(block, statement, _UNARY[value.fn], value.value)

    def _delete(self, block: Any, statement: Any) -> None:
        nothing = block.scope.redefine(ir_utils.mk_unique_var("$deleted"), loc=statement.loc)
        call = ir.Assign(ir.Const(None, statement.loc), nothing, statement.loc)
        block.body[block.body.index(statement)] = call
        call_instead(block, call, without, statement.target, statement.index)

    def _reads(self) -> Iterator[Any]:
        """The statements that read an item, with their blocks."""
        for _, block, statement in list(statements(self.func_ir)):
            value = statement.value if isinstance(statement, ir.Assign) else None
            is_item = isinstance(value, ir.Expr) and value.op == "getitem"
            if is_item and value.value.name in self.names:
                yield block, statement

    def _is_counted(self, block: Any, read: Any, reads: list[Any]) -> bool:
        """Whether an item is read to be changed, `tally[key] += number`, where the number comes
        from elsewhere: then the key is put in anyway, unless an error comes between that the
        function itself catches."""
        if self.has_handlers:
            return False
        others = {other.target.name for _, other in reads if other is not read}
        place = next(i for i, each in enumerate(block.body) if each is read)
        came = {read.target.name}
        for statement in block.body[place + 1 :]:
            if isinstance(statement, ir.SetItem) and statement.target.name in self.names:
                return statement.value.name in came and self._is_same(
                    statement.index, read.value.index
                )
            if not isinstance(statement, ir.Assign | ir.Del):
                return False
            if isinstance(statement, ir.Assign):
                used = {each.name for each in statement.list_vars()} - {statement.target.name}
                if statement.target.name in others:
                    return False
                if used & came:
                    came.add(statement.target.name)
        return False

    def _is_same(self, one: Any, other: Any) -> bool:
        """Whether two variables are copies of the same one, or the same constant."""
        values = [self._followed(each) for each in (one, other)]
        if all(isinstance(value, ir.Const) for value in values):
            return bool(values[0].value == values[1].value)
        return values[0] is values[1] or (isinstance(values[0], str) and values[0] == values[1])

    def _followed(self, variable: Any) -> Any:
        """What a variable is a copy of: an expression, or the name of a variable that has several
        values."""
        while True:
            values = self.func_ir._definitions[variable.name]
            if len(values) != 1:
                return variable.name
            if not isinstance(values[0], ir.Var):
                return values[0]
            variable = values[0]

    def _get(self, block: Any, statement: Any) -> None:
        """Read an item by `get(key, 0)`."""
        holder, index = _of_item(statement.value)
        place = block.body.index(statement)
        method, zero = (
            block.scope.redefine(ir_utils.mk_unique_var(name), loc=statement.loc)
            for name in ("$get", "$zero")
        )
        loc = statement.loc
        block.body[place:place] = [
            ir.Assign(ir.Expr.getattr(holder, "get", loc), method, loc),
            ir.Assign(ir.Const(0, loc), zero, loc),
        ]
        statement.value = ir.Expr.call(method, [index, zero], (), loc)

    def _call(self, statement: Any, found: Any) -> None:
        """Make a method of Counters a function that gets the dictionary."""
        names = names_of(self.func_ir, [statement.target.name])
        for _, _, other in statements(self.func_ir):
            value = other.value if isinstance(other, ir.Assign) else None
            is_call = isinstance(value, ir.Expr) and value.op == "call"
            if is_call and value.func.name in names:
                value.args = [found.value, *value.args]
        statement.value = ir.Global(found.attr, _FUNCTIONS[found.attr], statement.loc)


def _of_item(value: Any) -> tuple[Any, Any]:
    return value.value, value.index
