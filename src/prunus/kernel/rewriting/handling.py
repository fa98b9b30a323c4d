"""Which error a bare `raise`, or the end of a `finally`, raises again: the one that its own handler
caught, even if another `try` in that handler has caught a different one since.

In the bytecode a handler begins with PUSH_EXC_INFO and ends with POP_EXCEPT; errors that the
handler itself raises in between go to code that ends the handler and raises them again. One pass
over a function's code finds out which handlers each instruction is in.
"""

from __future__ import annotations

import itertools
from typing import Any

from numba.core import compiler, errors, ir_utils, types
from numba.core import ir as numba_ir
from numba.core.bytecode import ByteCode
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.unsafe import eh
from numba.extending import intrinsic

import prunus.kernel.rewriting.comprehensions
import prunus.kernel.rewriting.delegating  # noqa: F401 - teaches Numba
from prunus.kernel.rewriting.catching import Kept, caught, new_kept, on_its_way
from prunus.kernel.rewriting.consumers import Code
from prunus.kernel.rewriting.marks import mark
from prunus.kernel.rewriting.tries import AGAIN, ENDS, labels_of, mark_tries, raises_again

_OWN_ERROR = -1
"""Stands for a handler in the code that ends it because of an error in the handler itself."""

UNKNOWN = "an error is raised again, and compiled code cannot know which one: name it after `raise`"

_numbers = itertools.count(1)


def _slot(context: Any, builder: Any, number: int) -> tuple[Kept, Kept]:
    """The storage for a handler's error, and for the error caught last."""
    slots = builder.__dict__.setdefault("prunus_kept", {})
    if number not in slots:
        slots[number] = new_kept(context.call_conv, builder)
    return slots[number], caught(context.call_conv, builder)


@intrinsic(prefer_literal=True)
def kept(typingctx, handler):
    """Keeps the error that was caught last as the error of handler number `handler`."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        slot, last = _slot(context, builder, handler.literal_value)
        slot.take(builder, last)
        return context.get_dummy_value()

    return (types.none(handler), lower) if isinstance(handler, types.IntegerLiteral) else None


@intrinsic(prefer_literal=True)
def brought_back(typingctx, handler):
    """Makes a handler's error the one that was caught last."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        slot, last = _slot(context, builder, handler.literal_value)
        last.take(builder, slot)
        return context.get_dummy_value()

    return (types.none(handler), lower) if isinstance(handler, types.IntegerLiteral) else None


def handlers_within(bytecode: Any) -> dict[int, tuple[int, ...]]:
    """Offset -> the positions of the handlers that an instruction is in, from the outermost on."""
    code = {instruction.offset: instruction for instruction in bytecode}
    following = dict(itertools.pairwise(sorted(code)))
    targets = {entry.target for entry in bytecode.exception_entries}
    found: dict[int, tuple[int, ...]] = {}
    work: list[tuple[int, tuple[int, ...]]] = [(min(code), ())]
    while work:
        offset, within = work.pop()
        if offset in found or offset not in code:
            continue
        found[offset] = within
        instruction = code[offset]
        work += [
            (entry.target, within)
            for entry in bytecode.exception_entries
            if entry.start <= offset < entry.end
        ]
        if instruction.opname == "PUSH_EXC_INFO":
            within = (*within, offset)
        elif offset in targets:
            # Code that ends a handler because of an error in it raises that error.
            within = (*within, _OWN_ERROR)
        elif instruction.opname == "POP_EXCEPT":
            within = (*within[:-2], _OWN_ERROR) if within[-1:] == (_OWN_ERROR,) else within[:-1]
        if instruction.is_jump:
            work.append((instruction.get_jump_target(), within))
        if instruction.opname not in ENDS and offset in following:
            work.append((following[offset], within))
    return found


def keep_errors(bytecode: Any, func_ir: Any, labels: dict[int, int]) -> None:
    """Make each handler of a function keep the error that it has caught, and make whatever raises
    an error again raise that one."""
    blocks = func_ir.blocks
    within = handlers_within(bytecode)
    numbers: dict[int, int] = {}
    for instruction in bytecode:
        around = within.get(instruction.offset, ())
        if instruction.opname not in AGAIN or not around or around[-1] == _OWN_ERROR:
            continue
        if instruction.offset not in labels:
            continue
        body = blocks[labels[instruction.offset]].body
        place = next((i for i, inst in enumerate(body) if _raises_again(func_ir, inst)), None)
        if place is None:
            continue
        handler = around[-1]
        if _end_of_try(func_ir, blocks.get(handler)) is None:
            raise errors.UnsupportedError(UNKNOWN, loc=body[place].loc)
        numbers.setdefault(handler, next(_numbers))
        body[place:place] = _call(
            blocks[handler].scope, body[place].loc, brought_back, numbers[handler]
        )
    for handler, number in numbers.items():
        place = _end_of_try(func_ir, blocks[handler])
        blocks[handler].body[place:place] = _call(
            blocks[handler].scope, blocks[handler].loc, kept, number
        )


def _call(scope: Any, loc: Any, function: Any, number: int) -> list[Any]:
    step = Code(scope, loc, [])
    step.call(function, step.constant(step.variable("handler"), number))
    return step.body


def _raises_again(func_ir: Any, statement: Any) -> bool:
    if isinstance(statement, numba_ir.Raise | numba_ir.TryRaise):
        return statement.exception is None
    return mark(func_ir, statement) is on_its_way or raises_again(statement)


def _end_of_try(func_ir: Any, block: Any) -> int | None:
    """The index of the statement in a handler's first block after which the error is caught."""
    for place, statement in enumerate(block.body if block is not None else ()):
        if mark(func_ir, statement) is eh.end_try_block:
            return place + 1
    return None


def intermediate(function: Any) -> Any:
    """A function's intermediate code, with every `try` in its place."""
    func_ir = compiler.run_frontend(function)
    place_tries(ByteCode(func_ir.func_id), func_ir)
    return func_ir


def place_tries(bytecode: Any, func_ir: Any) -> bool:
    """Say where each `try` of a function begins and ends, and which error each handler raises
    again; true if there is any."""
    if not bytecode.exception_entries or _enters(func_ir):
        return False
    labels = labels_of(bytecode, func_ir.blocks)
    mark_tries(bytecode, func_ir, labels)
    keep_errors(bytecode, func_ir, labels)
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    return True


def _enters(func_ir: Any) -> bool:
    """Whether there is a `with`, which has its own handlers."""
    return any(
        isinstance(statement, numba_ir.EnterWith)
        for block in func_ir.blocks.values()
        for statement in block.body
    )


@register_pass(mutates_CFG=True, analysis_only=False)
class Reraising(FunctionPass):
    """Does this before any other code is inlined."""

    _name = "prunus_reraising"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        return place_tries(state.bc, state.func_ir)
