"""Lists of which only the number of items is asked, or the number of certain items:
`len([c for c in line if b[c] == 0])`, `[b[c] for c in line].count(stone)`.

They become numbers that are counted up where an item would be added. The list must have been made
wherever one of its names is used, so that each use counts the items of the list made last; what
`count` looks for must be known before the list is made.
"""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

from numba.core import errors, ir, ir_utils, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.extending import overload

from prunus.kernel.numbers.integers import Number
from prunus.kernel.numbers.wide import Wide
from prunus.kernel.rewriting.consumers import Code
from prunus.kernel.rewriting.escapes import (
    come_from,
    function_of,
    names_of,
    statements,
)
from prunus.kernel.rewriting.filled import begins_list, gives_name
from prunus.kernel.rewriting.marks import catches
from prunus.kernel.rewriting.nans import differ_surely
from prunus.kernel.rewriting.precedence import Precedence


@register_pass(mutates_CFG=False, analysis_only=False)
class CountedLists(FunctionPass):
    """Makes such lists numbers."""

    _name = "prunus_counted_lists"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        begun = [statement for _, _, statement in statements(func_ir) if begins_list(statement)]
        if not begun or catches(func_ir):
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        changed = False
        for statement in begun:
            found = _Counted(func_ir, statement)
            if found.fits():
                found.rewrite()
                func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
                changed = True
        return changed


class _Sought(NamedTuple):
    """A call of `count`: what it looks for, known before the list is made, and the variable that
    counts it."""

    call: Any
    value: Any
    number: Any


class _Counted:
    """The list that a statement begins: its names and uses."""

    def __init__(self, func_ir: Any, begin: Any) -> None:
        self.func_ir, self.begin = func_ir, begin
        self.names = names_of(func_ir, [begin.target.name])
        self.adding: list[Any] = []
        self.asking: list[Any] = []
        self.sought: list[_Sought] = []
        self.gone: list[Any] = []

    def fits(self) -> bool:
        """Whether the list is only added to and counted; this finds all its uses."""
        if not come_from(self.func_ir, self.names, [self.begin.value]):
            return False
        self.precedence = Precedence(self.func_ir)
        for _, _, statement in statements(self.func_ir):
            used = [each.name for each in statement.list_vars() if each.name in self.names]
            if not used or statement is self.begin or isinstance(statement, ir.Del):
                continue
            target = getattr(getattr(statement, "target", None), "name", "")
            read = [name for name in used if name != target]
            if not all(self.precedence.is_known(name, statement) for name in read):
                return False
            if not self._takes(statement):
                return False
        return bool(self.adding) and bool(self.asking or self.sought)

    def _takes(self, statement: Any) -> bool:
        if gives_name(statement, self.names):
            self.gone.append(statement)
            return True
        value = statement.value if isinstance(statement, ir.Assign) else None
        if not isinstance(value, ir.Expr):
            return False
        if value.op == "getattr" and value.attr in ("append", "count"):
            call = self._only_call(statement)
            if call is None:
                return False
            self.gone.append(statement)
            if value.attr == "append":
                self.adding.append(call)
                return True
            return self._looks_for(call)
        is_asking = value.op == "unary" and value.fn is operator.not_
        if value.op == "call" and not value.kws and value.vararg is None:
            function = function_of(self.func_ir, value.func)
            is_asking = function in (len, bool) and len(value.args) == 1
        self.asking.append(statement)
        return is_asking

    def _only_call(self, looking_up: Any) -> Any:
        """The statement with the one call of a method, right where it is looked up or after."""
        name = looking_up.target.name
        users = [
            statement
            for _, _, statement in statements(self.func_ir)
            if statement is not looking_up
            and not isinstance(statement, ir.Del)
            and any(used.name == name for used in statement.list_vars())
        ]
        call = users[0].value if len(users) == 1 and isinstance(users[0], ir.Assign) else None
        is_call = isinstance(call, ir.Expr) and call.op == "call" and call.func.name == name
        fits = is_call and len(call.args) == 1 and not call.kws and call.vararg is None
        if not fits or any(used.name in (name, *self.names) for used in call.args):
            return None
        return users[0] if self.precedence.is_known(name, users[0]) else None

    def _looks_for(self, call: Any) -> bool:
        value = call.value.args[0]
        while not self.precedence.is_known(value.name, self.begin):
            made = self.func_ir._definitions[value.name]
            if len(made) != 1 or not isinstance(made[0], ir.Var | ir.Const):
                return False
            (value,) = made
            if isinstance(value, ir.Const):
                break
        # The list that `count` searches is the one that is made after the value is known.
        if not self.precedence.comes_first(self.begin, call):
            return False
        self.sought.append(_Sought(call, value, self._number("$found")))
        return True

    def _number(self, name: str) -> Any:
        scope = self.func_ir.blocks[min(self.func_ir.blocks)].scope
        return scope.redefine(ir_utils.mk_unique_var(name), loc=self.begin.loc)

    def rewrite(self) -> None:
        """Count in place of the list."""
        number = self._number("$count") if self.asking else None
        numbers = [sought.number for sought in self.sought] + [number] * bool(self.asking)
        for statement in self.asking:
            value = statement.value
            if value.op == "unary":
                value.value = number
            elif function_of(self.func_ir, value.func) is len:
                statement.value = number
            else:
                value.args = [number]
        calls = {id(sought.call): sought for sought in self.sought}
        adding, gone = {id(each) for each in self.adding}, {id(each) for each in self.gone}
        for block in self.func_ir.blocks.values():
            body: list[Any] = []
            for statement in block.body:
                code = Code(block.scope, statement.loc, body)
                if statement is self.begin:
                    for each in numbers:
                        code.constant(each, 0)
                elif id(statement) in adding:
                    self._count(code, statement.value.args[0], number)
                    code.constant(statement.target, None)
                elif id(statement) in calls:
                    code.assign(statement.target, calls[id(statement)].number)
                elif id(statement) not in gone and not self._forgets(statement):
                    body.append(statement)
            block.body = body

    def _count(self, code: Code, item: Any, number: Any) -> None:
        """Statements for an item that would be added."""
        if number is not None:
            one = code.constant(code.variable("one"), 1)
            code.assign(number, code.binary(operator.add, number, one))
        for sought in self.sought:
            value = sought.value
            if isinstance(value, ir.Const):
                value = code.constant(code.variable("sought"), value.value)
            same = code.call(is_same, item, value)
            code.assign(sought.number, code.binary(operator.add, sought.number, same))

    def _forgets(self, statement: Any) -> bool:
        return isinstance(statement, ir.Del) and statement.value in self.names


_PLAIN = (
    Number,
    Wide,
    types.Float,
    types.Boolean,
    types.NoneType,
    types.UnicodeType,
    types.EnumMember,
)


def is_same(item, value):
    """Whether `count` counts an item of a list."""
    raise NotImplementedError


@overload(is_same)
def _is_same(item, value):
    for kind in (item, value):
        if not _is_plain(types.unliteral(kind)):
            raise errors.TypingError(
                f"count of a list of {kind} is not supported here: count in a loop"
            )

    def same(item, value):
        differ_surely(item, value)
        return item == value

    return same


def _is_plain(kind):
    """Whether comparing values of a type runs no code of the rules."""
    if isinstance(kind, types.BaseNamedTuple) and kind.instance_class.__eq__ is not tuple.__eq__:
        return False
    if isinstance(kind, types.BaseTuple):
        return all(map(_is_plain, kind))
    if isinstance(kind, types.Optional):
        return _is_plain(kind.type)
    return isinstance(kind, _PLAIN)
