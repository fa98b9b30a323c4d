"""Where each `try` begins and ends in a function's code, from the table of handlers that Python
makes along with the bytecode.

Numba follows the bytecode in order and marks the ends of a `try` on paths on which it has ended
before, among others those from handlers. What the code behind it raises would go to the wrong
handler, even to one that has just run. Here its marks are replaced: a mark stands wherever a path
enters or leaves the instructions for which the table names a handler. At most one handler is in
force at a time, since handlers have handlers of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from numba.core import errors, ir, ir_utils
from numba.core.unsafe import eh

from prunus.kernel.rewriting.catching import is_raised_again, on_its_way
from prunus.kernel.rewriting.consumers import Code, new_label
from prunus.kernel.rewriting.marks import (
    MARKS,
    UNCLEAR,
    handlers_of,
    is_check,
    mark,
    way_to_handler,
)

AGAIN = ("RERAISE", "RAISE_VARARGS")

ENDS = (
    *AGAIN,
    "RETURN_VALUE",
    "RETURN_CONST",
    "JUMP_FORWARD",
    "JUMP_BACKWARD",
    "JUMP_BACKWARD_NO_INTERRUPT",
)
"""The instructions after which the next one is reached only by a jump."""


def mark_tries(bytecode: Any, func_ir: Any, labels: dict[int, int]) -> None:
    """Replace the marks of a function; its `labels` are those that `labels_of` gives. Errors that a
    block raises again go to its handler as an ordinary step."""
    blocks = func_ir.blocks
    handlers = _handlers(bytecode, blocks, labels)
    for label, block in blocks.items():
        _remove_marks(func_ir, block)
        _go_to_handler(func_ir, label, handlers)
    for label, coming in _changes(blocks, handlers).items():
        _mark(func_ir, label, coming)
    func_ir._definitions = ir_utils.build_definitions(blocks)


def labels_of(bytecode: Any, blocks: dict[int, Any]) -> dict[int, int]:
    """The offset of each instruction -> the label of its block; dead instructions have none."""
    # Offsets are even. Numba labels the blocks that it adds with the numbers after the last one.
    starts = {label for label in blocks if label % 2 == 0 and label - 1 not in blocks}
    found: dict[int, int] = {}
    label: int | None = min(blocks)
    for offset in sorted(bytecode.table):
        if offset in starts:
            label = offset
        if label is not None:
            found[offset] = label
            if bytecode.table[offset].opname in ENDS:
                label = None
    return found


def _handlers(
    bytecode: Any, blocks: dict[int, Any], labels: dict[int, int]
) -> dict[int, int | None]:
    """Label -> the label of the handler for errors in the block, None if they leave the function.

    The last instruction of a block counts: those before it that are still, or already, within
    another `try` cannot raise."""
    last = {label: offset for offset, label in labels.items()}
    found: dict[int, int | None] = {}
    for label, block in blocks.items():
        # Blocks that Numba has added join the paths back to the beginning of a loop.
        offset = last[label if label in last else block.terminator.target]
        entry = bytecode.find_exception_entry(offset)
        found[label] = entry.target if entry is not None and entry.target in blocks else None
    return found


def _remove_marks(func_ir: Any, block: Any) -> None:
    marks = [place for place, inst in enumerate(block.body) if mark(func_ir, inst) in MARKS]
    for place in reversed(marks):
        del block.body[place - 1 : place + 1]


def _go_to_handler(func_ir: Any, label: int, handlers: dict[int, int | None]) -> None:
    """Correct the handler to which Numba's code goes after an error; refuse what has no
    correction."""
    block, handler = func_ir.blocks[label], handlers[label]
    ending = block.terminator
    if is_check(func_ir, ending):
        if handler is None:
            block.body[-1] = ir.Jump(ending.falsebr, ending.loc)
        elif handler != ending.truebr:
            block.body[-1:] = [
                *_for_handler(func_ir, handlers, handler, ending.loc),
                ir.Branch(ending.cond, handler, ending.falsebr, ending.loc),
            ]
    elif raises_again(ending):
        if handler is not None:
            step = Code(block.scope, block.body.pop().loc, block.body)
            step.call(on_its_way)
            step.jump(handler)
    elif isinstance(ending, ir.Raise) and handler is not None:
        # Behind an inner `try` Numba takes the outer one for ended.
        step = ir.TryRaise(ending.exception, ending.loc)
        block.body[-1:] = [step, ir.Jump(handler, ending.loc)]
    elif any(isinstance(inst, ir.TryRaise) for inst in block.body):
        if handler != ending.target:
            raise errors.UnsupportedError(UNCLEAR, loc=ending.loc)
    elif isinstance(ending, ir.Jump) and handler is not None and _reads_variable(block):
        # A variable may have no value. Numba asks for errors here unless, as above, it takes the
        # `try` for ended.
        block.body[-1:] = _for_handler(func_ir, handlers, handler, ending.loc)
        code = Code(block.scope, ending.loc, block.body)
        check = code.call(eh.exception_check)
        code.body.append(ir.Branch(check, handler, ending.target, ending.loc))


def _for_handler(
    func_ir: Any, handlers: dict[int, int | None], handler: int, loc: Any
) -> Iterator[Any]:
    """The assignments that Numba makes on the way to a handler: nothing stands for the error."""
    for label, block in func_ir.blocks.items():
        ending = block.terminator
        if handlers[label] == handler and is_check(func_ir, ending) and ending.truebr == handler:
            for statement in block.find_insts(ir.Assign):
                if statement.target.name.startswith(f"$phi{handler}."):
                    value = ir_utils.guard(ir_utils.get_definition, func_ir, statement.value)
                    if not isinstance(value, ir.Const) or value.value is not None:
                        raise errors.UnsupportedError(UNCLEAR, loc=loc)
                    yield ir.Assign(ir.Const(None, loc), statement.target, loc)
            return
    raise errors.UnsupportedError(UNCLEAR, loc=loc)


def _reads_variable(block: Any) -> bool:
    """Whether a block reads a variable of the rules, of this function or of one around it."""
    read = [inst.value for inst in block.find_insts(ir.Assign)]
    return any(
        isinstance(value, ir.FreeVar) or (isinstance(value, ir.Var) and value.name[0] != "$")
        for value in read
    )


def raises_again(ending: Any) -> bool:
    """Whether a block ends by raising the error again that was caught."""
    return isinstance(ending, ir.StaticRaise) and is_raised_again(ending.exc_class, ending.exc_args)


def _changes(
    blocks: dict[int, Any], handlers: dict[int, int | None]
) -> dict[int, dict[int, tuple[Any, ...]]]:
    """Label -> the marks that belong on the path from each block before it."""
    found: dict[int, dict[int, tuple[Any, ...]]] = defaultdict(dict)
    for label, block in blocks.items():
        left = handlers[label]
        for target in dict.fromkeys(block.terminator.get_targets()):
            entered = handlers[target]
            leaves = left is not None and (left != entered or target == left)
            enters = entered is not None and (left != entered or leaves)
            found[target][label] = (eh.end_try_block,) * leaves + (eh.mark_try_block,) * enters
    return found


def _mark(func_ir: Any, label: int, coming: dict[int, tuple[Any, ...]]) -> None:
    """Put marks into a block if they are the same on all paths to it, otherwise into new blocks on
    these paths."""
    block = func_ir.blocks[label]
    if len({*coming.values()}) == 1:
        block.body[:0] = _calls(block, next(iter(coming.values()))).body
        return
    made: dict[tuple[Any, ...], int] = {(): label}
    for before, marks in coming.items():
        if marks not in made:
            code = _calls(block, marks)
            code.jump(label)
            new = ir.Block(block.scope, block.loc)
            new.body = code.body
            made[marks] = new_label(func_ir.blocks)
            func_ir.blocks[made[marks]] = new
        _redirect(func_ir.blocks[before], label, made[marks])


def _calls(block: Any, marks: tuple[Any, ...]) -> Code:
    code = Code(block.scope, block.loc, [])
    for function in marks:
        code.call(function)
    return code


def _redirect(block: Any, old: int, new: int) -> None:
    """Make a block go on with another one."""
    ending = block.terminator
    if isinstance(ending, ir.Jump):
        block.body[-1] = ir.Jump(new, ending.loc)
    else:
        targets = [new if label == old else label for label in (ending.truebr, ending.falsebr)]
        block.body[-1] = ir.Branch(ending.cond, *targets, ending.loc)


def lead_to_handlers(func_ir: Any) -> None:
    """Make inlined code within a `try` lead to its handler wherever it may raise, as Numba does for
    other code: what the handler reads depends on the paths to it."""
    handlers = handlers_of(func_ir)
    for label, handler in handlers.items():
        block = func_ir.blocks[label]
        ending = block.terminator
        goes_on = isinstance(ending, ir.Jump | ir.Branch)
        if way_to_handler(func_ir, block) is not None or (goes_on and len(block.body) == 1):
            continue
        code = Code(block.scope, ending.loc, block.body)
        if isinstance(ending, ir.Jump):
            block.body.pop()
            check = code.call(eh.exception_check)
            code.body.append(ir.Branch(check, handler, ending.target, ending.loc))
        elif isinstance(ending, ir.Branch):
            after = new_label(func_ir.blocks)
            func_ir.blocks[after] = ir.Block(block.scope, block.loc)
            func_ir.blocks[after].body = [block.body.pop()]
            check = code.call(eh.exception_check)
            code.body.append(ir.Branch(check, handler, after, ending.loc))
        elif raises_again(ending):
            block.body.pop()
            code.call(on_its_way)
            code.jump(handler)
        elif type(ending) in _WITHIN:
            made = _WITHIN[type(ending)](*_what(ending), ending.loc)
            block.body[-1:] = [made, ir.Jump(handler, ending.loc)]
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)


_WITHIN = {
    ir.Raise: ir.TryRaise,
    ir.StaticRaise: ir.StaticTryRaise,
    ir.DynamicRaise: ir.DynamicTryRaise,
}
"""How Numba names the same within a `try`."""


def _what(ending: Any) -> tuple[Any, ...]:
    """What a statement raises."""
    if isinstance(ending, ir.Raise):
        return (ending.exception,)
    return ending.exc_class, ending.exc_args
