"""Loops that are merged with what gives their items, in Numba's intermediate code: the body of the
loop replaces each `yield`."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

from numba.core import ir, ir_utils

from prunus.kernel.rewriting.consumers import Blocks, Code


def enter_directly(blocks: dict[int, Any]) -> None:
    """Make loops be entered at their heads. Before the head of a loop of more than 255 words of
    bytecode, Numba sees a block that only jumps there: Python's prefix of a far jump."""
    for label, block in list(blocks.items()):
        onward = block.terminator
        if len(block.body) == 1 and isinstance(onward, ir.Jump) and label != min(blocks):
            if head_of(blocks[onward.target]) is None:
                continue
            for other in blocks.values():
                _redirect(other.terminator, label, onward.target)
            del blocks[label]


def _redirect(terminator: Any, label: int, target: int) -> None:
    """Redirect a jump or branch from one block to another."""
    for name in ("target", "truebr", "falsebr"):
        if getattr(terminator, name, None) == label:
            setattr(terminator, name, target)


class Head(NamedTuple):
    """A block in which a loop takes its next item: the iterator, the item (variables), the
    assignments that follow, and where it continues."""

    iterator: Any
    item: Any
    copies: list[Any]
    branch: Any


def head_of(block: Any) -> Head | None:
    """The head of a loop that a block is; None for other blocks."""
    if len(block.body) < 4 or not isinstance(block.terminator, ir.Branch):
        return None
    following, first, second, *copies, branch = block.body
    values = [
        statement.value if isinstance(statement, ir.Assign) else None
        for statement in (following, first, second, *copies)
    ]
    kinds = [value.op if isinstance(value, ir.Expr) else type(value) for value in values]
    if (
        kinds[:3] != ["iternext", "pair_first", "pair_second"]
        or set(kinds[3:]) - {ir.Var}
        or branch.cond.name != second.target.name
    ):
        return None
    return Head(values[0].value, first.target, copies, branch)


def is_reducible(blocks: dict[int, Any]) -> bool:
    """Whether each loop is entered at one place, its head, as Numba and LLVM expect. A generator
    that yields at several places in a loop would be entered at each of them."""
    cfg = ir_utils.compute_cfg_from_blocks(blocks)
    dominators, dead = cfg.dominators(), cfg.dead_nodes()
    return all(head in dominators[source] for source, head in cfg._back_edges if source not in dead)


class Numbers:
    """Numbers for items, as of `enumerate`: `variable` has the number of the next item."""

    def __init__(self, variable: Any) -> None:
        self.variable = variable

    def give(self, code: Code, item: Any) -> Any:
        """The pair of the number and the item; counts on."""
        one = code.constant(code.variable("one"), 1)
        number = code.assign(code.variable("number"), self.variable)
        code.assign(self.variable, code.binary(operator.add, number, one))
        return ir.Expr.build_tuple([number, item], code.loc)


def weave_loop(
    func_ir: Any, label: int, head: Head, blocks: dict[int, Any], numbers: Numbers | None = None
) -> None:
    """Replace a loop's head by a generator's blocks: what follows the head replaces each `yield`,
    and what follows the `yield` replaces the head. `numbers` are given to the items."""
    block = func_ir.blocks[label]
    extra = Blocks(block.scope, block.loc)
    which = extra.code().variable("which")
    after: list[int] = []
    body_label, body = extra.new()
    body.body += head.copies
    body.jump(head.branch.truebr)
    end_label, end = extra.new()
    end.body += [copy for copy in head.copies if copy.value.name != head.item.name]
    end.jump(head.branch.falsebr)
    work = list(blocks.values())
    while work:
        part = work.pop()
        if isinstance(part.terminator, ir.Return):
            part.body[-1] = ir.Jump(end_label, part.terminator.loc)
        for i, statement in enumerate(part.body):
            if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Yield):
                go_on, rest = extra.new()
                rest.body += [
                    ir.Assign(ir.Const(None, statement.loc), statement.target, statement.loc),
                    *part.body[i + 1 :],
                ]
                step = Code(block.scope, statement.loc, part.body[:i])
                step.constant(which, len(after))
                item = statement.value.value
                step.assign(head.item, numbers.give(step, item) if numbers else item)
                step.jump(body_label)
                part.body = step.body
                after.append(go_on)
                work.append(extra.made[go_on])
                break
    block.body = []
    _resume(Code(block.scope, block.loc, block.body), which, after, extra)
    func_ir.blocks.update(blocks)
    func_ir.blocks.update(extra.made)


def _resume(code: Code, which: Any, after: list[int], extra: Blocks) -> None:
    """Continue after the `yield` that gave the last item."""
    for number, go_on in enumerate(after[:-1]):
        label, other = extra.new()
        code.branch(
            code.binary(operator.eq, which, code.constant(code.variable("number"), number)),
            go_on,
            label,
        )
        code = other
    if after:
        code.jump(after[-1])
    else:
        code.body.append(ir.StaticRaise(StopIteration, (), code.loc))  # never: there is no `yield`
