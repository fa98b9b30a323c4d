"""A pass for a common way to change one item of a tuple: `t[:i] + (value,) + t[i + 1:]`, or
`(*t[:i], value, *t[i + 1:])`; no type knows the lengths of its parts.

It becomes a call that changes the item. An index outside the tuple, for which Python makes a tuple
of another length, raises OverflowError, which no handler catches.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import errors, ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import build_definitions, get_definition, guard, mk_unique_var
from numba.extending import overload

from prunus.core.bits import with_item
from prunus.kernel.boards.packed import Packed
from prunus.kernel.containers.sequences import tuple_of
from prunus.kernel.numbers.integers import U64, Either, may_be_derived, mixture
from prunus.kernel.numbers.operators import meant
from prunus.kernel.numbers.wide import Wide

OTHER_LENGTH = (
    "a tuple is joined from its parts around an index outside it, t[:i] + (v,) + t[i + 1:]: the "
    "result would have another length"
)


def replaced(items, index, item):
    """`items[:index] + (item,) + items[index + 1:]` in compiled code."""
    raise NotImplementedError


def replaced_in_state(items, index, item):
    """The same if the result goes straight into a State, which gives all items the same kind."""
    raise NotImplementedError


@overload(replaced)
def _replaced(items, index, item):
    _check_items(items)
    if isinstance(items.dtype, types.Boolean) or may_be_derived(item):
        words = mixture(items.dtype, item)
        if words:
            raise errors.TypingError(words)
    if (
        _is_unsigned(items.dtype) != _is_unsigned(item)
        or isinstance(items.dtype, Either)
        or isinstance(item, Either)
    ):
        kinds = (
            "a plain integer among u64"
            if _is_unsigned(items.dtype)
            else "a u64 among plain integers"
        )
        raise errors.TypingError(
            f"a tuple is joined from {kinds}: write u64(...) or int(...), or with_item(t, i, item)"
        )
    return _with_item


@overload(replaced_in_state)
def _replaced_in_state(items, index, item):
    _check_items(items)
    return _with_item


def _with_item(items, index, item):
    if not 0 <= index < len(items):
        raise OverflowError(OTHER_LENGTH)
    return with_item(items, index, item)


def _check_items(items):
    if not isinstance(items, types.UniTuple | Packed):
        raise errors.TypingError(
            "slice: only a tuple of numbers of one type can be joined again from its parts"
        )


def _is_unsigned(kind):
    return kind is U64 or (isinstance(kind, Wide) and kind.is_unsigned)


@register_pass(mutates_CFG=False, analysis_only=False)
class Replacements(FunctionPass):
    """Finds such sums, written in one expression, and replaces them by the call."""

    _name = "prunus_replacements"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        unwanted: set[str] = set()
        for block in func_ir.blocks.values():
            for statement in list(block.find_insts(ir.Assign)):
                found = one_changed(func_ir, statement)
                if found is None:
                    continue
                items, index, item, parts = found
                function = block.scope.redefine(mk_unique_var("$replaced"), loc=statement.loc)
                called = (
                    replaced_in_state if _is_stored(func_ir, statement.target.name) else replaced
                )
                named = ir.Assign(
                    ir.Global(called.__name__, called, statement.loc), function, statement.loc
                )
                block.body.insert(block.body.index(statement), named)
                statement.value = ir.Expr.call(function, (items, index, item), (), statement.loc)
                unwanted |= parts
        if unwanted:
            for block in func_ir.blocks.values():
                block.body = [
                    other
                    for other in block.body
                    if not (isinstance(other, ir.Assign) and other.target.name in unwanted)
                ]
            func_ir._definitions = build_definitions(func_ir.blocks)
        return bool(unwanted)


def one_changed(func_ir: Any, statement: Any) -> Any:
    """For a statement that assigns such a sum: the tuple, the index, the item, and the names of the
    variables that only the sum needs; None for others."""
    return _Sum(func_ir).match(statement)


def _is_stored(func_ir: Any, name: str) -> bool:
    """Whether a variable is only used as an argument of `State(...)` or `_replace(...)`."""
    work, seen = [name], {name}
    while work:
        name = work.pop()
        for block in func_ir.blocks.values():
            for statement in block.body:
                if isinstance(statement, ir.Del) or not any(
                    used.name == name for used in statement.list_vars()
                ):
                    continue
                value = statement.value if isinstance(statement, ir.Assign) else None
                if value is not None and statement.target.name == name:
                    continue
                if isinstance(value, ir.Var) or _is(value, "phi"):
                    if statement.target.name not in seen:
                        seen.add(statement.target.name)
                        work.append(statement.target.name)
                elif not _is(value, "call") or not _is_building(
                    guard(get_definition, func_ir, value.func)
                ):
                    return False
    return True


def _is_building(called: Any) -> bool:
    return _is(called, "getattr") and called.attr in ("State", "_replace", "_make")


class _Sum:
    """Analyses what one statement adds up; `parts` are the temporary variables that only the sum
    needs."""

    def __init__(self, func_ir: Any) -> None:
        self.func_ir = func_ir
        self.parts: set[str] = set()

    def match(self, statement: Any) -> Any:
        """The tuple, the index, the item and the parts; None if the statement is something else."""
        whole = statement.value
        if not _is(whole, "binop") or meant(whole) is not operator.add:
            return None
        front, end = self.part(whole.lhs, "binop"), self.part(self.starred(whole.rhs), "getitem")
        if front is None or end is None or meant(front) is not operator.add:
            return None
        begin, middle = (
            self.part(self.first(front.lhs), "getitem"),
            self.part(front.rhs, "build_tuple"),
        )
        if begin is None or middle is None or len(middle.items) != 1:
            return None
        upto, after = self.limits(begin), self.limits(end)
        if (
            upto is None
            or after is None
            or self.number(upto[0]) not in (None, 0)
            or self.number(after[1]) is not None
        ):
            return None
        index, following = upto[1], self.definition(after[0])
        is_next = (
            _is(following, "binop")
            and meant(following) is operator.add
            and self.number(following.rhs) == 1
        )
        if (
            not is_next
            or not self.same(index, following.lhs)
            or not self.same(begin.value, end.value)
        ):
            return None
        return begin.value, index, middle.items[0], self.parts

    def definition(self, variable: Any, seen: set[str] | None = None) -> Any:
        """The definition of a variable, if it is the same on all paths to it; `seen` collects the
        variable's names."""
        seen = set() if seen is None else seen
        found: list[Any] = []
        work = [variable]
        while work:
            current = work.pop()
            if not isinstance(current, ir.Var):
                if _is(current, "phi"):
                    work += current.incoming_values
                elif not any(current is known for known in found):
                    found.append(current)
            elif current.name not in seen:
                seen.add(current.name)
                work += self.func_ir._definitions[current.name]
        return found[0] if len(found) == 1 else variable

    def part(self, variable: Any, operation: str) -> Any:
        """The expression of a temporary variable, which is then no longer needed."""
        names: set[str] = set()
        found = self.definition(variable, names)
        if not _is(found, operation) or not all(name.startswith("$") for name in names):
            return None
        self.parts |= names
        return found

    def starred(self, variable: Any) -> Any:
        """The variable whose items `*items` in a tuple takes; another variable unchanged."""
        call = self.part(variable, "call")
        function = None if call is None else self.definition(call.func)
        is_tuple = isinstance(function, ir.Global) and function.value in (tuple, tuple_of)
        return call.args[0] if is_tuple else variable

    def first(self, variable: Any) -> Any:
        """The same for the first part, which is added to the empty tuple."""
        total = self.part(variable, "binop")
        if total is None or meant(total) is not operator.add:
            return variable
        empty = self.part(total.lhs, "build_tuple")
        return self.starred(total.rhs) if empty is not None and not empty.items else variable

    def limits(self, item: Any) -> Any:
        """Begin and end of a slice, given the expression `items[begin:end]`."""
        made = self.part(item.index, "call")
        if (
            made is None
            or len(made.args) != 2
            or not isinstance(function := self.definition(made.func), ir.Global)
            or function.value is not slice
        ):
            return None
        return made.args

    def number(self, variable: Any) -> Any:
        """The constant value of a variable: None for Python's None, a special object if it is not a
        constant."""
        found = self.definition(variable)
        return found.value if isinstance(found, ir.Const) else found

    def same(self, left: Any, right: Any) -> bool:
        """Whether two variables have the same value: they are the same variable, constant, or field
        of the same State."""
        a, b = self.definition(left), self.definition(right)
        if isinstance(a, ir.Const) and isinstance(b, ir.Const):
            return bool(a.value == b.value)
        if a is b and not isinstance(a, ir.Var):
            return True
        if isinstance(a, ir.Var) and isinstance(b, ir.Var):
            return bool(a.name == b.name)
        return (
            _is(a, "getattr")
            and _is(b, "getattr")
            and a.attr == b.attr
            and self.same(a.value, b.value)
        )


def _is(value: Any, operation: str) -> bool:
    return isinstance(value, ir.Expr) and value.op == operation
