"""Loops over what a generator yields (`for action in game.actions(state)`), in Numba's pipeline:
the body of the generator is inlined into the looping function, and the body of the loop replaces
its `yield`.

No generator is left. Its state between two items is in variables, which LLVM keeps in registers;
Numba's generators keep theirs in memory and must find their place again for each item.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.inline_closurecall import _replace_args_with

from prunus.kernel.rewriting.calls import (
    body_of,
    called_function,
    functions_at,
    inlined_with,
    locate,
)
from prunus.kernel.rewriting.closures import inline_closures
from prunus.kernel.rewriting.generators import return_generator
from prunus.kernel.rewriting.inlining import (
    insert_inner,
    made_by,
    taken_over,
    used_variables,
)
from prunus.kernel.rewriting.marks import catches
from prunus.kernel.rewriting.woven import (
    Head,
    enter_directly,
    head_of,
    is_reducible,
    weave_loop,
)


@register_pass(mutates_CFG=True, analysis_only=False)
class GeneratorLoops(FunctionPass):
    """Merges a loop over a generator's items with the generator."""

    _name = "prunus_generator_loops"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        if catches(state.func_ir):
            return False
        enter_directly(state.func_ir.blocks)
        changed, left = False, set[int]()
        while any(
            _merge(state.func_ir, label, state.args, left) for label in list(state.func_ir.blocks)
        ):
            changed = True
            state.func_ir._definitions = ir_utils.build_definitions(state.func_ir.blocks)
        return inline_closures(state.func_ir, always=True) if changed else False


class _Loop(NamedTuple):
    """A loop and the generator whose items it takes: the block and position of the call that makes
    the generator, the function called and its arguments (variables, or constants for defaults), and
    the statements that pass the generator on to the loop."""

    before: int
    place: int
    call: Any
    function: Any
    arguments: list[Any]
    handing_on: list[Any]


def _loop(func_ir: Any, label: int, head: Head, args: Any) -> _Loop | None:
    """The loop with this head; None if it does not run over a generator of its own."""
    enters = [
        before
        for before, block in func_ir.blocks.items()
        if label in block.terminator.get_targets()
    ]
    cfg = ir_utils.compute_cfg_from_blocks(func_ir.blocks)
    outside = [before for before in enters if label not in cfg.dominators().get(before, ())]
    if len(outside) != 1 or not isinstance(func_ir.blocks[outside[0]].terminator, ir.Jump):
        return None
    body = func_ir.blocks[outside[0]].body
    uses = Counter(used_variables(func_ir))
    wanted, handing_on = head.iterator, []
    for place in range(len(body) - 2, -1, -1):
        statement = body[place]
        if not (isinstance(statement, ir.Assign) and statement.target.name == wanted.name):
            continue
        value = statement.value
        if uses[wanted.name] != 1 or len(func_ir._definitions[wanted.name]) != 1:
            return None
        if isinstance(value, ir.Var) or (
            isinstance(value, ir.Expr) and value.op in ("getiter", "cast")
        ):
            wanted = value if isinstance(value, ir.Var) else value.value
            handing_on.append(statement)
        elif isinstance(value, ir.Expr) and value.op == "call":
            called = called_function(func_ir, value, args)
            return None if called is None else _Loop(outside[0], place, value, *called, handing_on)
        else:
            return None
    return None


def _merge(func_ir: Any, label: int, args: Any, left: set[int]) -> bool:
    """Merge the loop that begins in a block with the generator whose items it takes. Returns false
    if it is not such a loop, or is among those that are `left` as they are (the positions of
    calls); this set may grow."""
    head = head_of(func_ir.blocks[label])
    loop = head and _loop(func_ir, label, head, args)
    if not head or not loop or id(loop.call) in left:
        return False
    before = {name: block.copy() for name, block in func_ir.blocks.items()}
    if _merged(func_ir, label, head, loop) and is_reducible(func_ir.blocks):
        return True
    func_ir.blocks = before
    left.add(id(loop.call))
    return False


def _merged(func_ir: Any, label: int, head: Head, loop: _Loop) -> bool:
    """Do so; false if the generator cannot be inlined into another function."""
    block = func_ir.blocks[loop.before]
    loc = block.body[loop.place].loc
    inlined = inlined_with(functions_at(func_ir, loc), loop.function)
    inner = body_of(loop.function, _gives_items) if inlined else None
    if inner is None:
        return False
    # A generator's arguments keep the values they had when it was made.
    held = [block.scope.redefine(ir_utils.mk_unique_var("$given"), loc=loc) for _ in loop.arguments]
    given = [
        ir.Assign(value, variable, loc)
        for value, variable in zip(loop.arguments, held, strict=True)
    ]
    gone = {id(statement) for statement in loop.handing_on}
    blocks = taken_over(func_ir, block.scope, inner)
    _replace_args_with(blocks, held)
    locate(blocks, loop.function, inlined)
    gone |= _only_named(func_ir, block, block.body[loop.place].value.func)
    before = [statement for statement in block.body[: loop.place] if id(statement) not in gone]
    kept = [statement for statement in block.body[loop.place + 1 : -1] if id(statement) not in gone]
    block.body = [*before, *given, *kept, ir.Jump(min(blocks), block.terminator.loc)]
    weave_loop(func_ir, label, head, blocks)
    return True


def _only_named(func_ir: Any, block: Any, method: Any) -> set[int]:
    """The statement that looks up the method that a variable holds, if only its call needed it."""
    if Counter(used_variables(func_ir))[method.name] != 1:
        return set()
    return {
        id(statement)
        for statement in block.find_insts(ir.Assign)
        if statement.target.name == method.name
    }


def _gives_items(func_ir: Any) -> bool:
    """Whether a function is a generator, or returns one that it makes."""
    return bool(func_ir.is_generator or return_generator(func_ir, insert_inner, made_by))
