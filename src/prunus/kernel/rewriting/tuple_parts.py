"""The tuples that a list, a set or a dictionary gets, as far as they can be told from the code."""

from __future__ import annotations

import heapq
from typing import Any

from numba.core import errors, ir, ir_utils

from prunus.kernel.containers.resizing import origin_of, values_of
from prunus.kernel.rewriting.calls import called_function
from prunus.kernel.rewriting.closures import inline_closures
from prunus.kernel.rewriting.handling import intermediate
from prunus.kernel.rewriting.inlining import global_value, used_by

_ADDING = ("append", "add")
_EXTENDING = ("extend", "update")
_TAKING_OVER = (list, tuple, set, sorted, reversed)

DEEPEST = 3
"""The most functions through which lists are followed."""


def parts_of_items(func_ir: Any, made: Any) -> int:
    """The number of items of the tuples that are appended, added or pushed to a container."""
    methods = {
        statement.target.name
        for block in func_ir.blocks.values()
        for statement in block.find_insts(ir.Assign)
        if isinstance(statement.value, ir.Expr)
        and statement.value.op == "getattr"
        and statement.value.attr in _ADDING
        and origin_of(func_ir, statement.value.value) is made
    }
    calls = [call for block in func_ir.blocks.values() for call in block.find_exprs("call")]
    items = [call.args[0] for call in calls if call.func.name in methods and len(call.args) == 1]
    items += [call.args[1] for call in calls if is_pushed(func_ir, call, made)]
    return max((parts_of(func_ir, item) for item in items), default=0)


def is_pushed(func_ir: Any, call: Any, made: Any) -> bool:
    """Whether a call pushes something to a heap which is the result of an expression."""
    return (
        len(call.args) == 2
        and global_value(func_ir, call.func) is heapq.heappush
        and origin_of(func_ir, call.args[0]) is made
    )


def parts_of_keys(func_ir: Any, made: Any) -> int:
    """The number of items of the tuples that are a dictionary's keys; 0 if there are none, as far
    as can be seen."""
    methods, keys = set(), []
    for block in func_ir.blocks.values():
        for statement in block.body:
            value = getattr(statement, "value", None)
            is_get = isinstance(value, ir.Expr) and value.op == "getattr" and value.attr == "get"
            if isinstance(statement, ir.SetItem) and origin_of(func_ir, statement.target) is made:
                keys.append(statement.index)
            elif is_get and origin_of(func_ir, value.value) is made:
                methods.add(statement.target.name)
    for block in func_ir.blocks.values():
        for call in block.find_exprs("call"):
            if call.func.name in methods:
                keys += call.args[:1]
    return max((parts_of(func_ir, key) for key in keys), default=0)


def parts_of(func_ir: Any, item: Any) -> int:
    """The number of items of a tuple that is written out, or given by `divmod` or by a `zip` in a
    loop; 0 for others."""
    value = origin_of(func_ir, item)
    if isinstance(value, ir.Const):
        return len(value.value) if isinstance(value.value, tuple) else 0
    if not isinstance(value, ir.Expr):
        return 0
    if value.op == "call":
        return 2 if global_value(func_ir, value.func) is divmod else 0
    if value.op in ("pair_first", "iternext"):
        return parts_of(func_ir, value.value)
    if value.op == "getiter":
        return _parts_in_loop(func_ir, origin_of(func_ir, value.value))
    return len(value.items) if value.op == "build_tuple" else 0


def _parts_in_loop(func_ir: Any, items: Any) -> int:
    """The same for what a loop over these items gets."""
    if isinstance(items, ir.Const | ir.Global | ir.FreeVar):
        first = next(iter(items.value), None) if type(items.value) in (tuple, list) else None
        return len(first) if isinstance(first, tuple) else 0
    if not isinstance(items, ir.Expr):
        return 0
    if items.op in ("build_tuple", "build_list"):
        return parts_of(func_ir, items.items[0]) if items.items else 0
    is_zip = items.op == "call" and not items.kws and items.vararg is None
    return len(items.args) if is_zip and global_value(func_ir, items.func) is zip else 0


def is_only_returned(func_ir: Any, name: str) -> bool:
    """Whether nothing is done with a variable's value but to return it."""
    work, seen = [name], set[str]()
    while work:
        name = work.pop()
        seen.add(name)
        for block in func_ir.blocks.values():
            for statement in block.body:
                if isinstance(statement, ir.Return | ir.Del) or name not in used_by(statement):
                    continue
                value = getattr(statement, "value", None)
                is_cast = isinstance(value, ir.Expr) and value.op == "cast"
                if not (
                    isinstance(statement, ir.Assign) and (is_cast or isinstance(value, ir.Var))
                ):
                    return False
                if statement.target.name not in seen:
                    work.append(statement.target.name)
    return True


def parts_returned(func_ir: Any, args: Any, depth: int = 0) -> int:
    """The number of items of the tuples in the lists that a function returns; 0 for others."""
    ends = [block.terminator for block in func_ir.blocks.values()]
    return max(
        (
            parts_of_list(func_ir, end.value, args, depth)
            for end in ends
            if isinstance(end, ir.Return)
        ),
        default=0,
    )


def parts_of_list(func_ir: Any, variable: Any, args: Any, depth: int = 0) -> int:
    """The number of items of the tuples in a list or set that a variable may hold."""
    return _Lists(func_ir, args, depth).parts(variable)


class _Lists:
    """Follows lists in a function with arguments of these types, `depth` functions below the first
    one."""

    def __init__(self, func_ir: Any, args: Any, depth: int) -> None:
        self.func_ir, self.args, self.depth = func_ir, args, depth
        self.seen: list[Any] = []

    def parts(self, variable: Any) -> int:
        """The number of items of the tuples in what a variable may hold."""
        found = values_of(self.func_ir, variable) if isinstance(variable, ir.Var) else []
        return max(map(self._parts_in, found), default=0)

    def _parts_in(self, made: Any) -> int:
        if not isinstance(made, ir.Expr) or any(made is each for each in self.seen):
            return 0
        self.seen.append(made)
        if made.op in ("build_list", "build_set"):
            written = [parts_of(self.func_ir, item) for item in made.items]
            return max([*written, self._put_into(made)])
        if made.op in ("binop", "inplace_binop"):
            return max(self.parts(made.lhs), self.parts(made.rhs))
        return self._from_call(made) if made.op == "call" else 0

    def _put_into(self, made: Any) -> int:
        """The same for what is appended to a list, or extends it."""
        holds = [
            statement.target.name
            for block in self.func_ir.blocks.values()
            for statement in block.find_insts(ir.Assign)
            if self._is_method(statement.value, made)
        ]
        more = [
            call.args[0]
            for block in self.func_ir.blocks.values()
            for call in block.find_exprs("call")
            if call.func.name in holds and len(call.args) == 1
        ] + [
            joined.rhs
            for block in self.func_ir.blocks.values()
            for joined in block.find_exprs("inplace_binop")
            if any(made is each for each in values_of(self.func_ir, joined.lhs))
        ]
        return max([parts_of_items(self.func_ir, made), *map(self.parts, more)])

    def _is_method(self, value: Any, made: Any) -> bool:
        """Whether a value is the method of a list that extends it."""
        is_attribute = isinstance(value, ir.Expr) and value.op == "getattr"
        return (
            is_attribute
            and value.attr in _EXTENDING
            and any(made is each for each in values_of(self.func_ir, value.value))
        )

    def _from_call(self, call: Any) -> int:
        function = global_value(self.func_ir, call.func)
        if any(function is each for each in _TAKING_OVER):
            return max(self._put_into(call), *map(self.parts, call.args[:1]), 0)
        called = called_function(self.func_ir, call, self.args)
        if called is None or self.depth == DEEPEST:
            return 0
        try:
            inner = intermediate(called[0])
            inline_closures(inner)
        except errors.NumbaError:
            return 0
        inner._definitions = ir_utils.build_definitions(inner.blocks)
        return parts_returned(inner, [None] * len(called[1]), self.depth + 1)
