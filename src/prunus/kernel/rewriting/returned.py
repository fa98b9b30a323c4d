"""The lists that a function returns, and whether it may give their items one by one instead. See
`yielding.py`."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

from numba.core import ir, ir_utils

from prunus.kernel.containers.empties import empty_list
from prunus.kernel.numbers.operators import meant


class Place:
    """A statement and its position."""

    def __init__(self, label: int, index: int, statement: Any) -> None:
        self.label, self.index, self.statement = label, index, statement


class Returned:
    """The lists that a function returns: the `names` they have, and the statements that make them,
    add to them and ask about them."""

    def __init__(self, func_ir: Any) -> None:
        self.func_ir = func_ir
        self.names: set[str] = set()
        self.makers: list[Place] = []
        self.additions: list[Place] = []
        self.questions: list[Any] = []
        self.adders: dict[str, str] = {}
        """The variables that hold `append` and `extend` of the list."""

    def may_be_given(self) -> bool:
        """Whether the items may be given one by one."""
        self._find_names()
        self._find_adders()
        return (
            bool(self.names)
            and all(map(self._understand, self._places()))
            and bool(self.makers)
            and self._one_at_a_time()
        )

    def _places(self) -> Iterator[Place]:
        for label, block in self.func_ir.blocks.items():
            for index, statement in enumerate(block.body):
                yield Place(label, index, statement)

    def is_name(self, variable: Any) -> bool:
        """Whether a variable may hold a list that is returned."""
        return isinstance(variable, ir.Var) and variable.name in self.names

    def _find_names(self) -> None:
        links = []
        for place in self._places():
            statement = place.statement
            if isinstance(statement, ir.Return):
                self.names.add(statement.value.name)
            elif isinstance(statement, ir.Assign):
                value = statement.value
                source = (
                    value.lhs
                    if isinstance(value, ir.Expr) and value.op == "inplace_binop"
                    else copied(value)
                )
                links += [] if source is None else [(statement.target.name, source.name)]
        grown = True
        while grown:
            before = len(self.names)
            self.names |= {name for link in links if self.names & set(link) for name in link}
            grown = len(self.names) > before

    def _find_adders(self) -> None:
        for block in self.func_ir.blocks.values():
            for statement in block.find_insts(ir.Assign):
                value = statement.value
                is_method = (
                    isinstance(value, ir.Expr)
                    and value.op == "getattr"
                    and self.is_name(value.value)
                )
                if (
                    is_method
                    and value.attr in ("append", "extend")
                    and len(self.func_ir._definitions[statement.target.name]) == 1
                ):
                    self.adders[statement.target.name] = value.attr

    def _understand(self, place: Place) -> bool:
        """Record what a statement does with a list that is returned; false if it is not
        supported."""
        statement = place.statement
        if isinstance(statement, ir.EnterWith | ir.PopBlock):
            return False
        if not isinstance(statement, ir.Assign):
            return isinstance(statement, ir.Return | ir.Del) or not any(
                map(self.is_name, statement.list_vars())
            )
        value = statement.value
        if self.is_name(statement.target):
            return copied(value) is not None or self._understand_maker(place, value)
        if not isinstance(value, ir.Expr | ir.Yield) or not any(
            map(self.is_name, value.list_vars())
        ):
            return not (
                isinstance(value, ir.Expr) and value.op == "call" and value.func.name in self.adders
            ) or self._adds(place, value)
        if statement.target.name in self.adders:
            return uses(self.func_ir, statement.target.name) == self._calls(statement.target.name)
        if value.op == "unary" and meant(value) is operator.not_:
            self.questions.append(statement)
            return True
        if (
            value.op == "call"
            and self.is_global(value.func, (bool, len))
            and len(value.args) == 1
            and not value.kws
        ):
            self.questions.append(statement)
            return True
        return False

    def _calls(self, name: str) -> int:
        calls = (
            call for block in self.func_ir.blocks.values() for call in block.find_exprs("call")
        )
        return sum(
            call.func.name == name and len(call.args) == 1 and not call.kws and call.vararg is None
            for call in calls
        )

    def _adds(self, place: Place, call: Any) -> bool:
        self.additions.append(place)
        return (
            not self.is_name(call.args[0]) and uses(self.func_ir, place.statement.target.name) == 0
        )

    def is_global(self, variable: Any, functions: tuple[Any, ...]) -> bool:
        """Whether a variable holds one of these functions."""
        found = ir_utils.guard(ir_utils.get_definition, self.func_ir, variable)
        return isinstance(found, ir.Global) and any(
            found.value is function for function in functions
        )

    def _understand_maker(self, place: Place, value: Any) -> bool:
        if not isinstance(value, ir.Expr):
            self.makers.append(place)
            return isinstance(value, ir.Const) and value.value == ()
        if (
            value.op == "inplace_binop"
            and value.immutable_fn is operator.add
            and self.is_name(value.lhs)
        ):
            self.additions.append(place)
            return not self.is_name(value.rhs)
        self.makers.append(place)
        return value.op in ("build_list", "build_tuple") or (
            value.op == "call" and self.is_global(value.func, (empty_list,))
        )

    # The order of events.

    def _one_at_a_time(self) -> bool:
        """Whether, when the function returns, the items given so far are those of the list that it
        returns."""
        reach = _reachable(self.func_ir)
        for later in self.makers:
            if self._replaces_an_empty_one(later):
                continue
            for earlier in self.makers:
                after = earlier.label == later.label and earlier.index < later.index
                if after or later.label in reach[earlier.label]:
                    return False
        return True

    def _replaces_an_empty_one(self, maker: Place) -> bool:
        """Whether a list with written-out items is made only if nothing was added to any list
        before, and is returned at once."""
        return self._is_returned_at_once(maker) and self._is_first(maker)

    def _is_returned_at_once(self, maker: Place) -> bool:
        label, index = maker.label, maker.index
        for _ in self.func_ir.blocks:
            body = self.func_ir.blocks[label].body
            if any(
                place.label == label and place.index > index
                for place in (*self.additions, *self.makers)
            ):
                return False
            if not isinstance(body[-1], ir.Jump):
                return isinstance(body[-1], ir.Return)
            label, index = body[-1].target, -1
        return False

    def _is_first(self, maker: Place) -> bool:
        label, index = maker.label, maker.index
        for _ in self.func_ir.blocks:
            if any(
                place.label == label and place.index < index
                for place in (*self.additions, *self.makers)
            ):
                return False
            before = [
                other
                for other, block in self.func_ir.blocks.items()
                if label in _targets(block.body[-1])
            ]
            if len(before) != 1:
                return False
            ending, empty = self.func_ir.blocks[before[0]].body[-1], self._empty_at(before[0])
            if (
                empty is not None
                and ending.truebr != ending.falsebr
                and label == (ending.truebr if empty else ending.falsebr)
            ):
                return True
            label, index = before[0], len(self.func_ir.blocks[before[0]].body)
        return False

    def _empty_at(self, label: int) -> bool | None:
        """If the branch that ends a block tests whether the list is empty: the answer that means it
        is empty. Otherwise None."""
        block = self.func_ir.blocks[label]
        if any(place.label == label for place in self.additions) or not isinstance(
            block.body[-1], ir.Branch
        ):
            return None
        empty = False
        variable = block.body[-1].cond
        while True:
            made = [s.value for s in block.find_insts(ir.Assign) if s.target.name == variable.name]
            if len(made) != 1 or not isinstance(made[0], ir.Expr):
                return None
            value = made[0]
            if (
                value.op == "call"
                and self.is_global(value.func, (bool, len))
                and len(value.args) == 1
            ):
                variable = value.args[0]
            elif value.op == "unary" and meant(value) is operator.not_:
                variable, empty = value.value, not empty
            elif value.op == "binop" and meant(value) is operator.eq and self._is_zero(value.rhs):
                variable, empty = value.lhs, not empty
            else:
                return None
            if self.is_name(variable):
                return empty

    def _is_zero(self, variable: Any) -> bool:
        found = ir_utils.guard(ir_utils.get_definition, self.func_ir, variable)
        return isinstance(found, ir.Const) and type(found.value) is int and found.value == 0


def copied(value: Any) -> Any:
    """The variable that an assignment gives another name; None if it does something else."""
    if isinstance(value, ir.Expr) and value.op == "cast":
        return value.value
    return value if isinstance(value, ir.Var) else None


def _targets(ending: Any) -> list[int]:
    return list(ending.get_targets()) if isinstance(ending, ir.Jump | ir.Branch) else []


def _reachable(func_ir: Any) -> dict[int, set[int]]:
    """The blocks that can be reached from each block."""
    after = {label: set(_targets(block.body[-1])) for label, block in func_ir.blocks.items()}
    grown = True
    while grown:
        grown = False
        for label, found in after.items():
            more = found.union(*(after[following] for following in found))
            grown |= len(more) > len(found)
            after[label] = more
    return after


def uses(func_ir: Any, name: str) -> int:
    """The number of uses of a variable that is assigned once."""
    statements = [
        statement
        for block in func_ir.blocks.values()
        for statement in block.body
        if not isinstance(statement, ir.Del)
    ]
    return (
        sum(variable.name == name for statement in statements for variable in statement.list_vars())
        - 1
    )
