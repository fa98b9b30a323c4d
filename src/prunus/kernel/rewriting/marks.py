"""The marks in a function's code where a `try` begins and ends, which handler they give a block,
and where errors of a block lead."""

from __future__ import annotations

import itertools
from typing import Any

from numba.core import errors, ir_utils
from numba.core import ir as numba_ir
from numba.core.unsafe import eh

from prunus.kernel.rewriting.catching import on_its_way

UNCLEAR = "compiled code cannot tell which `except` is for errors of this line: simplify the `try`s"

MARKS = (eh.mark_try_block, eh.end_try_block)

_NAMED = (numba_ir.Global, numba_ir.Const, numba_ir.Var)

_RAISES_WITHIN = (numba_ir.TryRaise, numba_ir.StaticTryRaise, numba_ir.DynamicTryRaise)


def handlers_of(func_ir: Any) -> dict[int, int]:
    """The labels of the handlers for errors in blocks, as the marks of the `try`s around a block
    and the ways to handlers in other blocks say."""
    tries = _Tries(func_ir)
    found: dict[int, int] = {}
    for label, within in tries.around.items():
        target = way_to_handler(func_ir, func_ir.blocks[label])
        if target is None or not within:
            continue
        if found.setdefault(tries.first(within[-1]), target) != target:
            raise errors.UnsupportedError(UNCLEAR, loc=func_ir.blocks[label].loc)
    return {
        label: found[tries.first(within[-1])]
        for label, within in tries.around.items()
        if within and tries.first(within[-1]) in found
    }


class _Tries:
    """The `try`s around the end of each block, from the outermost on, as the numbers of their
    marks. Marks on different paths to a block that they lead into are of one `try`."""

    def __init__(self, func_ir: Any) -> None:
        self.around: dict[int, tuple[int, ...]] = {}
        self._func_ir, self._same = func_ir, dict[int, int]()
        self._numbers = itertools.count()
        coming: dict[int, tuple[int, ...]] = {}
        ended: dict[int, int] = {}
        work: list[tuple[int, tuple[int, ...]]] = [(min(func_ir.blocks), ())]
        while work:
            label, within = work.pop()
            if label not in coming:
                coming[label] = within
                self.around[label], ended[label] = self._passed(label, within)
                targets = func_ir.blocks[label].terminator.get_targets()
                work += [(target, self.around[label]) for target in targets]
            elif len(within) != len(coming[label]):
                raise errors.UnsupportedError(UNCLEAR, loc=func_ir.blocks[label].loc)
            else:
                # Those that end where the block begins may be different ones.
                lasting = len(within) - ended[label]
                self._join(within[:lasting], coming[label][:lasting])

    def first(self, number: int) -> int:
        """The number of the mark that stands for all those of its `try`."""
        while number in self._same:
            number = self._same[number]
        return number

    def _join(self, some: tuple[int, ...], others: tuple[int, ...]) -> None:
        for one, other in zip(some, others, strict=True):
            if self.first(one) != self.first(other):
                self._same[self.first(one)] = self.first(other)

    def _passed(self, label: int, within: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """The `try`s around the end of a block, from those around its beginning, and how many of
        these end right there."""
        ended, begins = 0, True
        for statement in self._func_ir.blocks[label].body:
            marked = mark(self._func_ir, statement)
            if marked is eh.mark_try_block:
                within, begins = (*within, next(self._numbers)), False
            elif marked is eh.end_try_block:
                within, ended = within[:-1], ended + begins
            else:
                begins &= _only_names(statement)
        return within, ended


def _only_names(statement: Any) -> bool:
    """Whether a statement, as those around marks, gives names to what there is and cannot raise."""
    value = getattr(statement, "value", None)
    if isinstance(statement, numba_ir.Del) or isinstance(value, _NAMED):
        return True
    return isinstance(value, numba_ir.Expr) and value.op in ("phi", "undef")


def catches(func_ir: Any) -> bool:
    """Whether a function catches errors or uses `with`."""
    for block in func_ir.blocks.values():
        for statement in block.body:
            value = getattr(statement, "value", None)
            is_mark = isinstance(value, numba_ir.Global) and any(
                value.value is mark for mark in (eh.mark_try_block, eh.end_try_block)
            )
            if is_mark or isinstance(statement, numba_ir.EnterWith | numba_ir.PopBlock):
                return True
    return False


def way_to_handler(func_ir: Any, block: Any) -> int | None:
    """The label of the handler that a block goes to after an error; None if it says none."""
    ending = block.terminator
    if is_check(func_ir, ending):
        return int(ending.truebr)
    if any(
        isinstance(inst, _RAISES_WITHIN) or mark(func_ir, inst) is on_its_way for inst in block.body
    ):
        return int(ending.target)
    return None


def is_check(func_ir: Any, ending: Any) -> bool:
    """Whether a block ends with Numba's branch to the handler if there was an error."""
    if not isinstance(ending, numba_ir.Branch):
        return False
    made = ir_utils.guard(ir_utils.get_definition, func_ir, ending.cond)
    return _called(func_ir, made) is eh.exception_check


def mark(func_ir: Any, statement: Any) -> Any:
    """The function that a statement calls; None if it calls no known function."""
    return _called(func_ir, getattr(statement, "value", None))


def _called(func_ir: Any, call: Any) -> Any:
    if not isinstance(call, numba_ir.Expr) or call.op != "call":
        return None
    named = ir_utils.guard(ir_utils.get_definition, func_ir, call.func)
    return named.value if isinstance(named, numba_ir.Global) else None
