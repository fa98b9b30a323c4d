"""Helpers that make a board for a State, `self.State(self.placed(state.cells, action), ...)`, or an
item of one, `tuple(self.turned(cell) for cell in state.cells)`, in Numba's pipeline. Their bodies
replace their calls.

By itself a helper does not know the field that its result is for, so that items would be 64-bit
words, converted where the State is built; nor can a list that it returns stay on the stack.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.inline_closurecall import _replace_returns

from prunus.kernel.rewriting.calls import (
    body_of,
    called_function,
    functions_at,
    inlined_with,
    locate,
)
from prunus.kernel.rewriting.closures import inline_closures
from prunus.kernel.rewriting.consumers import new_label
from prunus.kernel.rewriting.escapes import definition, function_of, names_of, statements
from prunus.kernel.rewriting.filled import field_of, makes_state
from prunus.kernel.rewriting.held import is_assigned_inside
from prunus.kernel.rewriting.inlining import taken_over
from prunus.kernel.rewriting.marks import catches


class _Helper(NamedTuple):
    """A helper's intermediate code, its function, a call's arguments, and the functions that the
    code is part of once it is inlined."""

    body: Any
    function: Any
    arguments: list[Any]
    inlined: tuple[Any, ...]


@register_pass(mutates_CFG=True, analysis_only=False)
class Helpers(FunctionPass):
    """Inlines such helpers."""

    _name = "prunus_helpers"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        # Looking for where a value goes takes long, and most functions make no State.
        if catches(func_ir) or not makes_state(func_ir, state.args):
            return False
        changed, left = False, set[int]()
        while _inline_one(func_ir, state.args, left):
            changed = True
            func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        return inline_closures(func_ir, always=True) if changed else False


def _inline_one(func_ir: Any, args: Any, left: set[int]) -> bool:
    """Inline one helper; false if none is left. Calls that stay are added to `left` (by `id`)."""
    for label, block, statement in list(statements(func_ir)):
        call = statement.value if isinstance(statement, ir.Assign) else None
        if not (isinstance(call, ir.Expr) and call.op == "call") or id(call) in left:
            continue
        left.add(id(call))
        if called_function(func_ir, call, args) is None:
            continue
        fits: Any = None
        if _is_for_state(func_ir, statement.target.name, args):
            fits = _makes_board
        elif _is_item(func_ir, statement.target, args):
            fits = _is_short
        if fits is not None:
            inlined = functions_at(func_ir, statement.loc)
            helper = helper_of(func_ir, call, args, inlined, fits)
            if helper is not None:
                insert_helper(func_ir, label, block.body.index(statement), helper)
                return True
    return False


def _is_for_state(func_ir: Any, name: str, args: Any) -> bool:
    """Whether the value of a name only goes into one field of a State, as it is or as a tuple of
    its items."""
    if field_of(func_ir, name, args):
        return True
    names = names_of(func_ir, [name])
    return any(
        field_of(func_ir, statement.target.name, args)
        for _, _, statement in statements(func_ir)
        if _is_tuple_of(func_ir, getattr(statement, "value", None))
        and statement.value.args[0].name in names
    )


def _is_tuple_of(func_ir: Any, value: Any) -> bool:
    return (
        isinstance(value, ir.Expr)
        and value.op == "call"
        and len(value.args) == 1
        and function_of(func_ir, value.func) is tuple
    )


def _makes_board(func_ir: Any, args: Any, inlined: tuple[Any, ...]) -> bool:
    """Whether a function with arguments of these types (None: unknown) may return a list that it
    makes, a tuple of one that it fills, or what a helper like it returns."""
    ends = [block.terminator for block in func_ir.blocks.values()]
    made = _made(func_ir, [end.value.name for end in ends if isinstance(end, ir.Return)])
    lists = _made(func_ir, [value.args[0].name for value in made if _is_tuple_of(func_ir, value)])
    if func_ir.is_generator:
        return False
    return any(value.op == "build_list" for value in [*made, *lists]) or any(
        function_of(func_ir, value.func) is list or helper_of(func_ir, value, args, inlined)
        for value in made
        if value.op == "call"
    )


def _is_item(func_ir: Any, item: Any, args: Any) -> bool:
    """Whether a variable is only added to a list that becomes a tuple for a State."""
    used = [
        getattr(statement, "value", None)
        for _, _, statement in statements(func_ir)
        if any(variable.name == item.name for variable in statement.list_vars())
        and getattr(getattr(statement, "target", None), "name", "") != item.name
    ]
    call = used[0] if len(used) == 1 and isinstance(used[0], ir.Expr) else None
    if call is None or call.op != "call" or [given.name for given in call.args] != [item.name]:
        return False
    method = definition(func_ir, call.func)
    return (
        isinstance(method, ir.Expr)
        and method.op == "getattr"
        and method.attr == "append"
        and _is_for_state(func_ir, method.value.name, args)
    )


LONGEST = 12
"""The most blocks of a helper that computes an item: many items are computed at once only by short
ones."""


def _is_short(func_ir: Any, args: Any, inlined: tuple[Any, ...]) -> bool:
    """Whether a function is short and has no loop."""
    cfg = ir_utils.compute_cfg_from_blocks(func_ir.blocks)
    return not func_ir.is_generator and len(func_ir.blocks) <= LONGEST and not cfg.loops()


def helper_of(
    func_ir: Any, call: Any, args: Any, inlined: tuple[Any, ...], fits: Any = _makes_board
) -> _Helper | None:
    """The helper that a call calls, if it fits and may be inlined into `inlined`."""
    called = called_function(func_ir, call, args)
    inlined = inlined_with(inlined, called[0]) if called is not None else ()
    if called is None or not inlined:
        return None
    kinds = [_kind(func_ir, given, args) for given in called[1]]
    inner = body_of(called[0], lambda body: fits(body, kinds, inlined))
    return None if inner is None else _Helper(inner, *called, inlined)


def _kind(func_ir: Any, variable: Any, args: Any) -> Any:
    found = definition(func_ir, variable) if isinstance(variable, ir.Var) else None
    return args[found.index] if isinstance(found, ir.Arg) and found.index < len(args) else None


def _made(func_ir: Any, names: list[str]) -> list[Any]:
    """The expressions that the values of names come from."""
    found, seen = [], set(names)
    while names:
        for value in func_ir._definitions.get(names.pop(), ()):
            is_passed = isinstance(value, ir.Expr) and value.op == "cast"
            before = value.value if is_passed else value
            if isinstance(before, ir.Var) and before.name not in seen:
                seen.add(before.name)
                names.append(before.name)
            elif isinstance(before, ir.Expr):
                found.append(before)
    return found


def insert_helper(func_ir: Any, label: int, place: int, helper: _Helper) -> None:
    """Replace the call that is statement `place` of a block by a helper's body."""
    block = func_ir.blocks[label]
    statement = block.body[place]
    blocks = taken_over(func_ir, block.scope, helper.body)
    body = block.body[:place]
    body += _give(func_ir, blocks, helper.arguments, block.scope, statement.loc)
    locate(blocks, helper.function, helper.inlined)
    after, after_label = ir.Block(block.scope, block.loc), new_label({**func_ir.blocks, **blocks})
    after.body = block.body[place + 1 :]
    func_ir.blocks[after_label] = after
    block.body = [*body, ir.Jump(min(blocks), statement.loc)]
    _replace_returns(blocks, statement.target, after_label)
    func_ir.blocks.update(blocks)


def _give(func_ir: Any, blocks: Any, arguments: list[Any], scope: Any, loc: Any) -> list[Any]:
    """Give a helper's parameters their values: a parameter that is assigned nothing else becomes
    the variable that it is given, so that a board needs no copy. Returns the assignments before the
    helper."""
    inner = ir_utils.build_definitions(blocks)
    before, renamed = [], {}
    for part in blocks.values():
        kept = []
        for statement in part.body:
            value = statement.value if isinstance(statement, ir.Assign) else None
            if not isinstance(value, ir.Arg):
                kept.append(statement)
                continue
            given, name = arguments[value.index], statement.target.name
            held = given
            if (
                not isinstance(given, ir.Var)
                or len(func_ir._definitions[given.name]) != 1
                or is_assigned_inside(func_ir, given)
            ):
                held = scope.redefine(ir_utils.mk_unique_var("$given"), loc=loc)
                before.append(ir.Assign(given, held, loc))
            if len(inner[name]) == 1:
                renamed[name] = held
            else:
                statement.value = held
                kept.append(statement)
        part.body = kept
    ir_utils.replace_vars(blocks, renamed)
    return before
