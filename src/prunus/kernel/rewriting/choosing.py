"""A choice between constant tuples of different lengths, `STEPS if king else FORWARD`.

A tuple's length is part of its type, and a variable has one type. Constants need not be tuples in
compiled code: as tables they are looked up when the code runs, and the type of a table need not
tell its length. An empty list that is one of the choices beside constant lists becomes a table too,
and so does a tuple of such constants, `(FORWARD, STEPS)[king]`.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import Any

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.containers.empties import empty_list
from prunus.kernel.containers.known_tables import Constant
from prunus.kernel.containers.table_types import looked_up, table_of
from prunus.kernel.numbers.operators import meant
from prunus.kernel.rewriting.displays import constant_in
from prunus.kernel.rewriting.escapes import definition, function_of

_READING = ("getitem", "static_getitem", "getiter")

_FUNCTIONS = (len, enumerate, zip, reversed)


@register_pass(mutates_CFG=False, analysis_only=False)
class ChosenConstants(FunctionPass):
    """Makes tables of constants that meet in a variable, or that a function returns, if there is
    nothing else but None, and they differ in length."""

    _name = "prunus_chosen_constants"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code in single assignment form; true if anything
        changed."""
        choices = _Choices(state.func_ir, state.args)
        changed = False
        for names in choices.groups():
            changed |= choices.make_tables(names)
        for statement in choices.rows():
            changed |= choices.make_table(statement)
        if changed:
            state.func_ir._definitions = ir_utils.build_definitions(state.func_ir.blocks)
        return changed


class _Choices:
    """What the variables of a function are assigned, and where it is used."""

    def __init__(self, func_ir: Any, kinds: Any) -> None:
        self.func_ir, self.kinds = func_ir, kinds
        self.made: dict[str, Any] = {}
        self.returned: list[str] = []
        for block in func_ir.blocks.values():
            for statement in block.body:
                if isinstance(statement, ir.Assign):
                    self.made[statement.target.name] = statement
                elif isinstance(statement, ir.Return):
                    self.returned.append(statement.value.name)

    @cached_property
    def users(self) -> dict[str, list[Any]]:
        """The statements that use each variable. Few functions have constants for which this is
        asked."""
        found: dict[str, list[Any]] = {}
        for block in self.func_ir.blocks.values():
            for statement in block.body:
                for variable in statement.list_vars():
                    if self.made.get(variable.name) is not statement:
                        found.setdefault(variable.name, []).append(statement)
        return found

    def groups(self) -> Iterator[list[str]]:
        """The variables that meet, in each phi and at the end of the function."""
        for statement in self.made.values():
            value = statement.value
            if isinstance(value, ir.Expr) and value.op == "phi":
                yield [each.name for each in value.incoming_values if isinstance(each, ir.Var)]
        yield self.returned

    def make_tables(self, names: list[str]) -> bool:
        """Make tables of the constants that come to these variables; true if this can be, and has
        to be."""
        makers = [each for each in self._makers(names) if not _is_none(each.value)]
        values = None if len(makers) < 2 else [self._value(each) for each in makers]
        if values is None or None in values or len(set(map(type, values))) > 1:
            return False
        are_written = [self._is_empty_list(each.value) for each in makers]
        if type(values[0]) is list and not any(are_written):
            return False  # lists of the rules are tables of any length
        if len(set(map(len, values))) == 1 or not any(values):
            return False
        kind = table_of(type(values[0]).__name__, chain(*values))
        if kind is None:
            return False
        for each, value in zip(makers, values, strict=True):
            each.value = ir.Global("constant", Constant(value, kind), each.loc)
        return True

    def rows(self) -> list[Any]:
        """The statements that write out a tuple of several."""
        return [
            statement
            for statement in self.made.values()
            if isinstance(statement.value, ir.Expr)
            and statement.value.op == "build_tuple"
            and len(statement.value.items) > 1
        ]

    def make_table(self, statement: Any) -> bool:
        """Make a table of a tuple of constant tuples of different lengths that is only looped over
        or indexed; true if it is one."""
        value = constant_in(self.func_ir, statement.value, self.kinds)
        if set(map(type, value)) != {tuple} or len(set(map(len, value))) == 1:
            return False
        made = looked_up(value)
        if made is value or not self._is_only_read(statement.target):
            return False
        statement.value = ir.Global("constant", made, statement.loc)
        return True

    def _is_only_read(self, variable: Any) -> bool:
        users = self.users.get(variable.name, ())
        return bool(users) and all(
            isinstance(user, ir.Assign)
            and (
                self._is_only_read(user.target)
                if isinstance(user.value, ir.Var)
                else self._reads(user.value)
            )
            for user in users
        )

    def _reads(self, value: Any) -> bool:
        if not isinstance(value, ir.Expr):
            return False
        if value.op == "call":
            called = function_of(self.func_ir, value.func)
            return not value.kws and any(called is known for known in _FUNCTIONS)
        return value.op in _READING

    def _makers(self, names: list[str]) -> list[Any]:
        """The statements that make what comes to some variables, through copies and other phis."""
        found, work, seen = [], list(names), set()
        while work:
            name = work.pop()
            if name in seen:
                continue
            seen.add(name)
            statement = self.made.get(name)
            value = getattr(statement, "value", None)
            if isinstance(value, ir.Var):
                work.append(value.name)
            elif isinstance(value, ir.Expr) and value.op == "cast":
                work.append(value.value.name)
            elif isinstance(value, ir.Expr) and value.op == "phi":
                work += [each.name for each in value.incoming_values if isinstance(each, ir.Var)]
            elif statement is None:
                return []
            else:
                found.append(statement)
        return found

    def _value(self, statement: Any) -> Any:
        """The tuple or list that a statement makes; None if it is no constant, or an empty list
        that is used for something else."""
        value = statement.value
        if self._is_empty_list(value):
            return [] if len(self.users[statement.target.name]) == 1 else None
        found = self._constant(value)
        return found if type(found) in (tuple, list) else None

    def _constant(self, value: Any) -> Any:
        """The constant that a variable holds or an expression gives, which may be a sum of tuples;
        None for others."""
        made = definition(self.func_ir, value) if isinstance(value, ir.Var) else value
        if not isinstance(made, ir.Expr) or made.op not in ("binop", "inplace_binop"):
            return constant_in(self.func_ir, made, self.kinds)
        if meant(made) not in (operator.add, operator.iadd):
            return None
        sides = [self._constant(side) for side in (made.lhs, made.rhs)]
        return sides[0] + sides[1] if all(type(side) is tuple for side in sides) else None

    def _is_empty_list(self, value: Any) -> bool:
        if not isinstance(value, ir.Expr) or value.op not in ("build_list", "call"):
            return False
        if value.op == "build_list":
            return not value.items
        return function_of(self.func_ir, value.func) is empty_list


def _is_none(value: Any) -> bool:
    return isinstance(value, ir.Const) and value.value is None
