"""Which error a bare `raise`, or the end of a `finally`, raises again: the one that its own handler
caught, even if another `try` in that handler has caught a different one since.

In the bytecode a handler begins with PUSH_EXC_INFO and ends with POP_EXCEPT; errors that the
handler itself raises in between go to code that ends the handler and raises them again. One pass
over a function's code finds out which handlers each instruction is in.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from typing import Any

from numba.core import errors, ir_utils, types
from numba.core import ir as numba_ir
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.unsafe import eh
from numba.extending import intrinsic

from prunus.kernel.rewriting.catching import (
    Kept,
    caught,
    handler_of,
    is_raised_again,
    mark,
    new_kept,
    on_its_way,
)
from prunus.kernel.rewriting.consumers import Code

_AGAIN = ("RERAISE", "RAISE_VARARGS")
_ENDS = (
    *_AGAIN,
    "RETURN_VALUE",
    "RETURN_CONST",
    "JUMP_FORWARD",
    "JUMP_BACKWARD",
    "JUMP_BACKWARD_NO_INTERRUPT",
)

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
        if instruction.opname not in _ENDS and offset in following:
            work.append((following[offset], within))
    return found


def keep_errors(state: Any) -> bool:
    """Make each handler of a function keep the error that it has caught, and make whatever raises
    an error again raise that one. True if there was anything to do."""
    bytecode, blocks = state.bc, state.func_ir.blocks
    within = handlers_within(bytecode) if bytecode.exception_entries else {}
    labels, numbers = sorted(blocks), dict[int, int]()
    for instruction in bytecode:
        around = within.get(instruction.offset, ())
        if instruction.opname not in _AGAIN or not around or around[-1] == _OWN_ERROR:
            continue
        body = blocks[labels[max(bisect_right(labels, instruction.offset) - 1, 0)]].body
        place = next((i for i, statement in enumerate(body) if _raises_again(statement)), None)
        if place is None:
            continue
        handler = around[-1]
        if _end_of_try(state.func_ir, blocks.get(handler)) is None:
            raise errors.UnsupportedError(UNKNOWN, loc=body[place].loc)
        numbers.setdefault(handler, next(_numbers))
        body[place:place] = _call(
            blocks[handler].scope, body[place].loc, brought_back, numbers[handler]
        )
    for handler, number in numbers.items():
        place = _end_of_try(state.func_ir, blocks[handler])
        blocks[handler].body[place:place] = _call(
            blocks[handler].scope, blocks[handler].loc, kept, number
        )
    return bool(numbers)


def _call(scope: Any, loc: Any, function: Any, number: int) -> list[Any]:
    step = Code(scope, loc, [])
    step.call(function, step.constant(step.variable("handler"), number))
    return step.body


def _raises_again(statement: Any) -> bool:
    if isinstance(statement, numba_ir.Raise | numba_ir.TryRaise):
        return statement.exception is None
    return isinstance(statement, numba_ir.StaticRaise) and is_raised_again(
        statement.exc_class, statement.exc_args
    )


def _end_of_try(func_ir: Any, block: Any) -> int | None:
    """The index of the statement in a handler's first block after which the error is caught."""
    for place, statement in enumerate(block.body if block is not None else ()):
        if mark(func_ir, statement) is eh.end_try_block:
            return place + 1
    return None


@register_pass(mutates_CFG=True, analysis_only=False)
class Reraising(FunctionPass):
    """Passes an error that no `except` of a `try` names on to the handler around it, as an ordinary
    step of the function."""

    _name = "prunus_reraising"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        changed = keep_errors(state)
        blocks = state.func_ir.blocks
        for label, block in list(blocks.items()):
            ending = block.terminator
            if isinstance(ending, numba_ir.StaticRaise) and is_raised_again(
                ending.exc_class, ending.exc_args
            ):
                handler = handler_of(state.func_ir, label)
                if handler is not None:
                    step = Code(block.scope, ending.loc, block.body)
                    block.body.pop()
                    step.call(on_its_way)
                    step.jump(handler)
                    changed = True
        if changed:
            state.func_ir._definitions = ir_utils.build_definitions(blocks)
        return changed
