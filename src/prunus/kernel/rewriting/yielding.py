"""`for action in game.actions(state)`, where `actions` collects its items in a list: compiled, each
item is given as soon as it exists.

People write `moves = []`, `moves.append(a)` and `return moves`, or a comprehension. A loop needs no
list, which takes heap memory, and after a cut-off it does not even need the remaining items. So a
loop asks for another translation of the method, in which `append` becomes `yield`. It is only made
if the difference cannot be observed: the method only adds to its list, asks whether it is empty or
how long it is, and returns it; a list that it returns instead is only made when the other is known
to be empty; the method's arguments are values, which cannot change in the meantime; and no handler
may catch an error in the method, which the loop does not see if it ends before. Otherwise the usual
translation is used.
"""

from __future__ import annotations

import dis
import operator
import types as pytypes
from typing import Any

from numba.core import ir, ir_utils, postproc, types
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.core.values import raw
from prunus.kernel.boards.packed import Packed
from prunus.kernel.containers.sequences import tuple_of
from prunus.kernel.numbers.wide import AnyNumber
from prunus.kernel.rewriting.caught import may_be_caught
from prunus.kernel.rewriting.consuming import every_item
from prunus.kernel.rewriting.escapes import function_of
from prunus.kernel.rewriting.inlining import insert_inner
from prunus.kernel.rewriting.returned import Returned, uses

ITEMS = "items of "
"""The prefix of the name of a method that is called for its items only."""

_GENERATOR = 0x20  # inspect.CO_GENERATOR


def are_values(kinds: Any) -> bool:
    """Whether values of these types cannot change."""
    return all(
        isinstance(kind, (AnyNumber, Packed)) or _is_tuple_of_values(kind)
        for kind in map(types.unliteral, kinds)
    )


def _is_tuple_of_values(kind: Any) -> bool:
    return isinstance(kind, types.BaseTuple) and are_values(kind.types)


@register_pass(mutates_CFG=False, analysis_only=False)
class ForItems(FunctionPass):
    """Makes loops over the result of one of the game's methods call it for its items."""

    _name = "prunus_for_items"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        games = [getattr(kind, "game", None) for kind in state.args]
        if not any(game is not None for game in games):
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        changed = False
        for block in func_ir.blocks.values():
            for statement in list(block.find_insts(ir.Assign)):
                if isinstance(statement.value, ir.Expr) and statement.value.op == "getiter":
                    changed |= _ask_for_items(func_ir, games, block, statement)
        return changed


def _ask_for_items(func_ir: Any, games: list[Any], block: Any, statement: Any) -> bool:
    items = statement.value.value
    made = [
        other
        for other in block.body
        if isinstance(other, ir.Assign) and other.target.name == items.name
    ]
    call = made[0].value if len(made) == 1 else None
    if not (
        isinstance(call, ir.Expr)
        and call.op == "call"
        and items.name.startswith("$")
        and uses(func_ir, items.name) == 1
    ):
        return False
    found = ir_utils.guard(ir_utils.get_definition, func_ir, call.func)
    owner = (
        ir_utils.guard(ir_utils.get_definition, func_ir, found.value)
        if isinstance(found, ir.Expr) and found.op == "getattr"
        else None
    )
    game = games[owner.index] if isinstance(owner, ir.Arg) and owner.index < len(games) else None
    method = getattr(game, found.attr, None) if game is not None else None
    if (
        not isinstance(method, pytypes.MethodType)
        or method.__self__ is not game
        or not isinstance(raw(method.__func__), pytypes.FunctionType)
        or not _makes_lists(raw(method.__func__).__code__)
        or may_be_caught(game, func_ir.func_id.func)
    ):
        return False
    function = block.scope.redefine(ir_utils.mk_unique_var("$items"), loc=statement.loc)
    named = ir.Assign(
        ir.Expr.getattr(found.value, ITEMS + found.attr, call.loc), function, statement.loc
    )
    block.body.insert(block.body.index(made[0]), named)
    made[0].value = ir.Expr.call(function, call.args, call.kws, call.loc)
    func_ir._definitions[function.name] = [named.value]
    func_ir._definitions[items.name] = [made[0].value]
    return True


def _makes_lists(code: Any) -> bool:
    """Whether a function may collect its items in a list."""
    is_comprehension = any(
        getattr(constant, "co_name", "") == "<listcomp>" for constant in code.co_consts
    )
    is_list = any(
        instruction.opname in ("BUILD_LIST", "LIST_APPEND")
        for instruction in dis.get_instructions(code)
    )
    is_tuple = "tuple" in code.co_names and any(
        getattr(constant, "co_name", "") == "<genexpr>" for constant in code.co_consts
    )
    return not code.co_flags & _GENERATOR and (is_comprehension or is_list or is_tuple)


@register_pass(mutates_CFG=True, analysis_only=False)
class Yielding(FunctionPass):
    """Turns a function that returns a list into a generator."""

    _name = "prunus_yielding"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite the function's intermediate code, if possible; true if it was."""
        func_ir = state.func_ir
        if func_ir.is_generator:
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        tuples = forget_tuples(func_ir)
        returned = Returned(func_ir)
        if not returned.may_be_given():
            for statement, call in tuples:
                statement.value = call
            func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
            return False
        _Rewriting(func_ir, returned).rewrite()
        func_ir.is_generator = func_ir.func_id.is_generator = True
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        postproc.PostProcessor(func_ir).run()
        return True


def forget_tuples(func_ir: Any) -> list[tuple[Any, Any]]:
    """Make `return tuple(items)` return the list of the items. Returns the changed statements and
    what they were."""
    returned = {
        block.terminator.value.name
        for block in func_ir.blocks.values()
        if isinstance(block.terminator, ir.Return)
    }
    found = []
    for block in func_ir.blocks.values():
        for statement in block.find_insts(ir.Assign):
            value = statement.value
            if (
                isinstance(value, ir.Expr)
                and value.op == "cast"
                and statement.target.name in returned
            ):
                returned.add(value.value.name)
    for block in func_ir.blocks.values():
        for statement in block.find_insts(ir.Assign):
            call = statement.value
            is_call = (
                isinstance(call, ir.Expr)
                and call.op == "call"
                and statement.target.name in returned
            )
            if (
                is_call
                and function_of(func_ir, call.func) is tuple_of
                and uses(func_ir, statement.target.name) == 1
            ):
                found.append((statement, call))
                statement.value = call.args[0]
    if found:
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    return found


class _Rewriting:
    """Replaces whatever adds to the list by `yield`; questions about the list read a counter."""

    def __init__(self, func_ir: Any, returned: Returned) -> None:
        self.func_ir, self.returned = func_ir, returned
        first = func_ir.blocks[min(func_ir.blocks)]
        self.scope = first.scope
        self.count = self._new("count", first.loc) if returned.questions else None
        if self.count is not None:
            first.body.insert(0, ir.Assign(ir.Const(0, first.loc), self.count, first.loc))

    def _new(self, name: str, loc: Any) -> Any:
        return self.scope.redefine(ir_utils.mk_unique_var(f"${name}"), loc=loc)

    def rewrite(self) -> None:
        """Rewrite the function."""
        extended = []
        for block in self.func_ir.blocks.values():
            body: list[Any] = []
            for statement in block.body:
                taken = self._rewritten(statement, body)
                if taken is not None:
                    extended.append((statement, taken))
            block.body = body
        for statement, taken in extended:
            self._yield_each(statement, taken)

    def _rewritten(self, statement: Any, body: list[Any]) -> Any:
        """Add to a block what a statement becomes. Returns the iterable whose items are all to be
        given in its place, otherwise None."""
        names, loc = self.returned, statement.loc
        if isinstance(statement, ir.Return):
            nothing, cast = self._new("nothing", loc), self._new("cast", loc)
            body += [
                ir.Assign(ir.Const(None, loc), nothing, loc),
                ir.Assign(ir.Expr.cast(nothing, loc), cast, loc),
                ir.Return(cast, loc),
            ]
            return None
        if isinstance(statement, ir.Del) and (
            statement.value in names.names or statement.value in names.adders
        ):
            return None
        if not isinstance(statement, ir.Assign):
            body.append(statement)
            return None
        value = statement.value
        if names.is_name(statement.target):
            if isinstance(value, ir.Expr) and value.op == "inplace_binop":
                body.append(statement)
                return value.rhs
            for item in (
                value.items
                if isinstance(value, ir.Expr) and value.op in ("build_list", "build_tuple")
                else ()
            ):
                self._yield(item, loc, body)
        elif isinstance(value, ir.Expr) and value.op == "call" and value.func.name in names.adders:
            if names.adders[value.func.name] == "extend":
                body.append(statement)
                return value.args[0]
            self._yield(value.args[0], loc, body)
        elif any(statement is question for question in names.questions):
            body.append(ir.Assign(self._answer(value), statement.target, loc))
        elif statement.target.name not in names.adders:
            body.append(statement)
        return None

    def _answer(self, value: Any) -> Any:
        if value.op == "unary":
            return ir.Expr.unary(value.fn, self.count, value.loc)
        is_length = self.returned.is_global(value.func, (len,))
        return self.count if is_length else ir.Expr.call(value.func, [self.count], (), value.loc)

    def _yield(self, item: Any, loc: Any, body: list[Any]) -> None:
        body.append(ir.Assign(ir.Yield(item, loc, None), self._new("given", loc), loc))
        self._count_one(loc, body)

    def _count_one(self, loc: Any, body: list[Any]) -> None:
        if self.count is not None:
            one = self._new("one", loc)
            body += [
                ir.Assign(ir.Const(1, loc), one, loc),
                ir.Assign(ir.Expr.binop(operator.add, self.count, one, loc), self.count, loc),
            ]

    def _yield_each(self, statement: Any, taken: Any) -> None:
        """Replace a statement by a loop that gives all items of an iterable."""
        label, block = next(
            (label, block)
            for label, block in self.func_ir.blocks.items()
            if any(other is statement for other in block.body)
        )
        i = next(i for i, other in enumerate(block.body) if other is statement)
        every, call, _ = every_item(block, i, taken)
        self.func_ir._definitions[call.args[0].name] = [block.body[i].value]
        after, blocks = insert_inner(self.func_ir, label, i + 1, every, call)
        for inner in blocks.values():
            if isinstance(inner.body[-1], ir.Return):
                inner.body[-1] = ir.Jump(after.label, inner.body[-1].loc)
            body: list[Any] = []
            for other in inner.body:
                body.append(other)
                if isinstance(other, ir.Assign) and isinstance(other.value, ir.Yield):
                    self._count_one(other.loc, body)
            inner.body = body
        self.func_ir.blocks.update(blocks)
