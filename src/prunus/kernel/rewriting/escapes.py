"""Which lists never leave the function that makes them, so that their memory can be on the stack
(`local_lists.py`).

A list made by `list(t)` stays if every name it has is only used to read and write items, to iterate
over it, and in calls of functions that keep nothing of it: those listed below, and helpers in the
rules that meet the same conditions. If a list is made repeatedly in a loop, its names must moreover
be assigned before each of their uses: the previous iteration's list is then out of reach when the
next one takes its place.
"""

from __future__ import annotations

import types as pytypes
from collections.abc import Iterator
from typing import Any

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.core.values import raw
from prunus.kernel.containers.local_lists import local_list
from prunus.kernel.containers.sequences import call_instead, expecting, sized_list, tuple_of
from prunus.kernel.rewriting.closures import inline_closures
from prunus.kernel.rewriting.handling import intermediate
from prunus.kernel.rewriting.precedence import Precedence

DEPTH = 4
"""The depth of helpers through which a list is followed."""


@register_pass(mutates_CFG=False, analysis_only=False)
class LocalLists(FunctionPass):
    """Makes lists that stay by `local_list`."""

    _name = "prunus_local_lists"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        if func_ir.is_generator or not any(
            assigns_call(func_ir, statement, sized_list) for _, _, statement in statements(func_ir)
        ):
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        loops = ir_utils.compute_cfg_from_blocks(func_ir.blocks).loops().values()
        looping = {label for loop in loops for label in loop.body}
        changed = False
        for _, _, statement in list(statements(func_ir)):
            # When lists share a name, the first one has already handled the others.
            if not assigns_call(func_ir, statement, sized_list):
                continue
            names = names_of(func_ir, [statement.target.name])
            makers = [
                found
                for found in statements(func_ir)
                if assigns_call(func_ir, found[2], sized_list) and found[2].target.name in names
            ]
            again = [place for place, _, _ in makers if place in looping]
            if not come_from(func_ir, names, [maker.value for _, _, maker in makers]) or (
                again and not are_latest(func_ir, names)
            ):
                continue
            watch = Watch(func_ir, names, state.args, not again, DEPTH)
            if watch.stays():
                for _, place, maker in makers:
                    call_instead(
                        place, maker, local_list, maker.value.args[0], watch.becomes_tuple()
                    )
                func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
                changed = True
        return changed


def statements(func_ir: Any) -> Iterator[tuple[int, Any, Any]]:
    """All statements of a function, each with its block and the block's label."""
    for label, block in func_ir.blocks.items():
        for statement in block.body:
            yield label, block, statement


def assigns_call(func_ir: Any, statement: Any, function: Any) -> bool:
    """Whether a statement assigns the result of a call of a function."""
    value = statement.value if isinstance(statement, ir.Assign) else None
    return (
        isinstance(value, ir.Expr)
        and value.op == "call"
        and function_of(func_ir, value.func) is function
    )


def definition(func_ir: Any, variable: Any) -> Any:
    """The one expression that a variable is assigned; None if there are several."""
    return ir_utils.guard(ir_utils.get_definition, func_ir, variable)


def function_of(func_ir: Any, variable: Any) -> Any:
    """The object that a variable holds if it is a global name."""
    found = definition(func_ir, variable)
    return found.value if isinstance(found, ir.Global | ir.FreeVar) else None


def names_of(func_ir: Any, names: list[str]) -> set[str]:
    """All names under which the values of these names are, or may be, known."""
    known, grown = set(names), True
    while grown:
        grown = False
        for _, _, statement in statements(func_ir):
            if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Var):
                both = {statement.target.name, statement.value.name}
                if both & known and not both <= known:
                    known |= both
                    grown = True
    return known


def come_from(func_ir: Any, names: set[str], makers: list[Any]) -> bool:
    """Whether names only refer to the results of some expressions."""
    values = [value for name in names for value in func_ir._definitions[name]]
    return all(
        isinstance(value, ir.Var) or any(value is made for made in makers) for value in values
    )


def is_in_loop(func_ir: Any, label: int) -> bool:
    """Whether a block is part of a loop."""
    cfg = ir_utils.compute_cfg_from_blocks(func_ir.blocks)
    return any(label in loop.body for loop in cfg.loops().values())


def are_latest(func_ir: Any, names: set[str]) -> bool:
    """Whether the names of what a statement makes again and again, and its methods that are looked
    up, always refer to what it made last: each is assigned in one place, and its uses certainly
    come after that."""
    methods = [
        statement.target.name
        for _, _, statement in statements(func_ir)
        if isinstance(getattr(statement, "value", None), ir.Expr)
        and statement.value.op == "getattr"
        and statement.value.value.name in names
    ]
    known, precedence = names | names_of(func_ir, methods), Precedence(func_ir)
    return all(
        used.name not in known
        or (isinstance(statement, ir.Assign) and used is statement.target)
        or precedence.is_known(used.name, statement)
        for _, _, statement in statements(func_ir)
        if not isinstance(statement, ir.Del)
        for used in statement.list_vars()
    )


class Watch:
    """Follows what one function does with the values of some names; `kinds` are the types of its
    arguments (None if unknown)."""

    METHODS: tuple[str, ...] = ("count", "index")
    """The list's methods that may be called."""

    READ: tuple[Any, ...]
    READ = (len, bool, tuple, list, sized_list, tuple_of, sum, min, max, any, all, sorted)
    """The functions that may be called with it."""

    GO_THROUGH: tuple[Any, ...] = (enumerate, zip)
    """Those whose results hold the list: a loop may iterate over them, and nothing else may use
    them."""

    assumed: frozenset[tuple[Any, int]] = frozenset()
    """The helpers being followed, and their parameters that hold the list: one that calls itself
    keeps nothing by that."""

    def __init__(
        self, func_ir: Any, names: set[str], kinds: Any, generators: bool, depth: int
    ) -> None:
        self.func_ir, self.names, self.kinds, self.generators, self.depth = (
            func_ir,
            names,
            kinds,
            generators,
            depth,
        )

    def stays(self) -> bool:
        """Whether nothing refers to the list when the function ends."""
        return all(
            self.keeps_nothing(statement)
            for _, _, statement in statements(self.func_ir)
            if self.uses(statement)
        )

    def becomes_tuple(self) -> bool:
        """Whether the list is turned into a tuple here."""
        calls = (
            call for block in self.func_ir.blocks.values() for call in block.find_exprs("call")
        )
        return any(
            function_of(self.func_ir, call.func) is tuple_of and self._is(call.args[0])
            for call in calls
        )

    def _is(self, variable: Any) -> bool:
        return isinstance(variable, ir.Var) and variable.name in self.names

    def uses(self, statement: Any) -> bool:
        """Whether a statement does more than give the list another name."""
        return any(map(self._is, used_in(statement)))

    def keeps_nothing(self, statement: Any) -> bool:
        """Whether a statement that uses the list keeps no reference to it."""
        if isinstance(statement, ir.Del):
            return True
        if isinstance(statement, ir.SetItem):
            return (
                not self._is(statement.value)
                and not self._is(statement.index)
                and not self._is_slice(statement.index)
            )
        if isinstance(statement, ir.StaticSetItem):
            return not self._is(statement.value) and isinstance(statement.index, int)
        value = statement.value if isinstance(statement, ir.Assign) else None
        if not isinstance(value, ir.Expr):
            return False
        if value.op == "call":
            return self._call_keeps_nothing(statement.target, value)
        if value.op == "getitem":
            return not self._is(value.index) and not self._is_slice(value.index)
        if value.op == "static_getitem":
            return isinstance(value.index, int)
        if value.op == "binop":
            name = getattr(value.fn, "__name__", "")
            return name in ("eq", "ne") or (name == "contains" and not self._is(value.rhs))
        if value.op == "unary":
            return getattr(value.fn, "__name__", "") == "not_"
        return value.op == "getiter" or (value.op == "getattr" and value.attr in self.METHODS)

    def _is_slice(self, index: Any) -> bool:
        """Whether an index may be a slice."""
        work, seen = [index], {index.name}
        while work:
            for found in self.func_ir._definitions.get(work.pop().name, ()):
                if isinstance(found, ir.Var) and found.name not in seen:
                    seen.add(found.name)
                    work.append(found)
                elif isinstance(found, ir.Expr) and (
                    found.op == "build_slice"
                    or (found.op == "call" and function_of(self.func_ir, found.func) is slice)
                ):
                    return True
        return False

    def _call_keeps_nothing(self, target: Any, call: Any) -> bool:
        if call.vararg is not None or any(self._is(given) for _, given in call.kws):
            return False
        function = function_of(self.func_ir, call.func)
        if function is expecting:
            return False  # the same list
        if any(function is known for known in self.READ):
            return not call.kws or function is sorted
        if any(function is known for known in self.GO_THROUGH):
            return self._is_gone_through(target)
        if self.depth == 0:
            return False
        function, first = self._helper(call.func)
        if function is None:
            # A method of the list itself, `count` or `index`; no other list is its argument.
            made = definition(self.func_ir, call.func)
            return (
                isinstance(made, ir.Expr)
                and made.op == "getattr"
                and self._is(made.value)
                and not any(map(self._is, call.args))
            )
        return all(
            self._helper_keeps_nothing(function, first + i)
            for i, given in enumerate(call.args)
            if self._is(given)
        )

    def _is_gone_through(self, target: Any) -> bool:
        for _, _, statement in statements(self.func_ir):
            value = statement.value if isinstance(statement, ir.Assign) else None
            may = isinstance(statement, ir.Del) or (
                isinstance(value, ir.Expr) and value.op == "getiter"
            )
            if not may and any(variable.name == target.name for variable in used_in(statement)):
                return False
        return True

    def _helper(self, called: Any) -> tuple[Any, int]:
        """The function in the rules that is called, and the index of its parameter that gets the
        call's first argument; (None, 0) for others."""
        function = function_of(self.func_ir, called)
        if isinstance(function, pytypes.FunctionType):
            return function, 0
        found = definition(self.func_ir, called)
        owner = (
            definition(self.func_ir, found.value)
            if isinstance(found, ir.Expr) and found.op == "getattr"
            else None
        )
        game = (
            getattr(self.kinds[owner.index], "game", None)
            if isinstance(owner, ir.Arg) and owner.index < len(self.kinds)
            else None
        )
        method = getattr(game, found.attr, None) if game is not None else None
        if not isinstance(method, pytypes.MethodType) or method.__self__ is not game:
            return None, 0
        function = raw(method.__func__)
        return (function, 1) if isinstance(function, pytypes.FunctionType) else (None, 0)

    def _helper_keeps_nothing(self, function: Any, place: int) -> bool:
        code = function.__code__
        if (function, place) in self.assumed:
            return True
        if place >= code.co_argcount or hasattr(function, "__wrapped__"):
            return False
        func_ir = intermediate(function)
        if func_ir.is_generator and not self.generators:
            return False
        inline_closures(func_ir)
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        arguments = {
            found.index: found for block in func_ir.blocks.values() for found in _arguments(block)
        }
        names = names_of(func_ir, [code.co_varnames[place]])
        if place not in arguments or not come_from(func_ir, names, [arguments[place]]):
            return False
        # A helper that is a method of the game gets the game as its first argument.
        kinds = self.kinds[:1] if self.kinds and code.co_varnames[0] == "self" else ()
        inner = type(self)(func_ir, names, kinds, self.generators, self.depth - 1)
        inner.assumed = self.assumed | {(function, place)}
        return inner.stays()


def used_in(statement: Any) -> Any:
    """The variables that a statement reads, except one that it only gives another name."""
    if not isinstance(statement, ir.Assign):
        return statement.list_vars()
    return statement.value.list_vars() if isinstance(statement.value, ir.Expr | ir.Yield) else ()


def _arguments(block: Any) -> Iterator[Any]:
    for statement in block.find_insts(ir.Assign):
        if isinstance(statement.value, ir.Arg):
            yield statement.value
