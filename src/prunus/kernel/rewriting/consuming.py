"""Generator expressions and the functions that take their items: together they become a loop.

A generator expression that is passed directly to one of the functions in `consumers.py` (`any`,
`sum`, `tuple`, ...) becomes the loop that it describes, with the code for each item in place of its
`yield`: no generator is made, and `any`, `all` and `next` end the loop as early as Python does.
"""

from __future__ import annotations

import types as pytypes
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from numba.core import ir, ir_utils
from numba.core.inline_closurecall import _replace_returns

from prunus.core.values import raw
from prunus.kernel.containers.iterators import an_iterator
from prunus.kernel.rewriting import sorting  # noqa: F401 - one of those that take items
from prunus.kernel.rewriting.consumers import CONSUMERS, Blocks, Sum
from prunus.kernel.rewriting.inlining import global_value, insert_inner, made_by, used_variables

GENERATOR: Final = 0x20  # inspect.CO_GENERATOR


def _write_out(block: Any, i: int, consumer: Any, items: list[Any]) -> None:
    """Replace the sum of a tuple whose items are written out, and may have different types, by a
    chain of additions."""
    code = Blocks(block.scope, block.body[i].loc).code()
    consumer.start(code)
    total = consumer.held
    for item in items:
        total = consumer.plus(code, total, item)
    code.assign(block.body[i].target, total)
    block.body[i : i + 1] = code.body


def consume(func_ir: Any, label: int, i: int) -> bool:
    """Replace the function that consumes a generator expression by the expression's loop; false if
    the statement is something else."""
    block = func_ir.blocks[label]
    statement = block.body[i]
    call = statement.value
    function = global_value(func_ir, call.func)
    consumer_class = (
        CONSUMERS.get(function)
        if isinstance(function, type | pytypes.BuiltinFunctionType)
        else None
    )
    if consumer_class is None or len(call.args) <= consumer_class.place or call.vararg is not None:
        return False
    given = list(call.args)
    taken = given.pop(consumer_class.place)
    consumer = consumer_class(function, given, dict(call.kws))
    found = items_of(func_ir, label, i, taken) if consumer.fits() else None
    if found is None and consumer.fits() and consumer.takes_any():
        written = ir_utils.guard(ir_utils.get_definition, func_ir, taken)
        if function is sum and isinstance(written, ir.Expr) and written.op == "build_tuple":
            _write_out(block, i, consumer, written.items)
            return True
        if function is next:
            code = Blocks(block.scope, statement.loc).code()
            taken = _iterator(func_ir, code, taken)
            if taken is None:
                return False
            block.body[i:i] = code.body
            i += len(code.body)
        found = every_item(block, i, taken)
        i += 1
        if isinstance(consumer, Sum) and not _makes_tuple(func_ir, written):
            consumer.whole = taken
    if found is not None:
        weave(func_ir, label, i, consumer, found)
    return found is not None


def _iterator(func_ir: Any, code: Any, taken: Any) -> Any:
    """The iterator that a function or method of the rules gives, or one over what it gives, if it
    has no name: then nothing else takes its items. None for other values."""
    made = ir_utils.guard(ir_utils.get_definition, func_ir, taken)
    if not (taken.is_temp and isinstance(made, ir.Expr) and made.op == "call"):
        return None
    called = ir_utils.guard(ir_utils.get_definition, func_ir, made.func)
    if getattr(called, "value", None) is iter and len(made.args) == 1:
        of_iter = Blocks(code.scope, code.loc).code()
        return made.args[0] if _iterator(func_ir, of_iter, made.args[0]) else None
    if isinstance(called, ir.Expr) and called.op == "getattr":
        name = code.constant(code.variable("name"), called.attr)
        return code.call(an_iterator, taken, called.value, name)
    function = getattr(called, "value", None)
    if function is reversed:
        return taken
    if not isinstance(function, pytypes.FunctionType):
        return None
    # A generator that compiled code makes a list of stays an iterator.
    if raw(function).__code__.co_flags & GENERATOR:
        return taken
    return code.call(an_iterator, taken)


def unpack(func_ir: Any, label: int, i: int) -> bool:
    """Make a list of the items of a generator expression that statement `i` unpacks (`a, b = (...
    for ...)`); false if the statement is something else."""
    block = func_ir.blocks[label]
    statement = block.body[i]
    value = statement.value if isinstance(statement, ir.Assign) else None
    if not (isinstance(value, ir.Expr) and value.op == "exhaust_iter"):
        return False
    if items_of(func_ir, label, i, value.value) is None:
        return False
    step = Blocks(block.scope, statement.loc).code()
    value.value = step.call(list, value.value)
    block.body[i:i] = step.body
    return True


def _makes_tuple(func_ir: Any, written: Any) -> bool:
    """Whether the items are those of `tuple(...)`, which need not be made for a loop over them."""
    called = isinstance(written, ir.Expr) and written.op == "call"
    return called and global_value(func_ir, written.func) is tuple


def weave(func_ir: Any, label: int, i: int, consumer: Any, found: Any) -> None:
    """Replace statement `i` by a loop over items, with the consumer's code for each."""
    made, source, place = found
    block = func_ir.blocks[label]
    statement = block.body[i]
    after, blocks = insert_inner(func_ir, label, i, made, source)
    if place is not None:
        place.block.body[place.number] = ir.Assign(
            ir.Const(None, statement.loc), place.block.body[place.number].target, statement.loc
        )
    extra = Blocks(block.scope, statement.loc)
    jump = block.body.pop()
    start = extra.code()
    consumer.start(start)
    block.body += [*start.body, jump]
    done, end = extra.new()
    end.assign(after.target, consumer.result(end))
    end.jump(after.label)
    finish, last = extra.new()
    consumer.finish(last, done, extra)
    _replace_returns(blocks, extra.code().variable("nothing"), finish)
    _take_items(blocks, consumer, done, extra)
    func_ir.blocks.update(blocks)
    func_ir.blocks.update(extra.made)


class _Inner(NamedTuple):
    """An inner function that is not in the source."""

    code: Any
    closure: Any = None
    defaults: Any = None


_EVERY = _Inner(
    next(
        code
        for code in (lambda items: (item for item in items)).__code__.co_consts
        if hasattr(code, "co_code")
    )
)


def every_item(block: Any, i: int, taken: Any) -> Any:
    """The same as `items_of` for any iterable: the loop over it, put before statement `i`."""
    iterator = block.scope.redefine(ir_utils.mk_unique_var("$iterator"), loc=block.body[i].loc)
    loc = block.body[i].loc
    block.body.insert(i, ir.Assign(ir.Expr.getiter(taken, loc), iterator, loc))
    return _EVERY, ir.Expr.call(taken, [iterator], (), loc), None


class _Place(NamedTuple):
    """The position of a statement: its block, and its index there."""

    block: Any
    number: int


def items_of(func_ir: Any, label: int, i: int, taken: Any) -> Any:
    """The source of a builtin function's items: the maker of the generator expression, its call and
    the place of that. None if the argument is not a generator expression, or is used elsewhere
    too."""
    for block, end in _straight_before(func_ir, label, i):
        for index in range(end - 1, -1, -1):
            statement = block.body[index]
            if not (isinstance(statement, ir.Assign) and statement.target.name == taken.name):
                continue
            alone = (
                sum(taken.name == name for name in used_variables(func_ir)) == 1
                and len(func_ir._definitions[taken.name]) == 1
            )
            value = statement.value
            if not alone:
                return None
            if isinstance(value, ir.Var):  # a `try` passes values on from block to block
                taken = value
            elif isinstance(value, ir.Expr) and value.op == "call":
                made = made_by(func_ir, value.func)
                is_generator = made is not None and made.code.co_flags & GENERATOR
                return (made, value, _Place(block, index)) if is_generator else None
            else:
                return None
    return None


def _straight_before(func_ir: Any, label: int, i: int) -> Iterator[tuple[Any, int]]:
    """The statements that certainly run once before each run of statement `i` of a block: blocks,
    and the number of their statements that count. In a `try` each call ends a block."""
    yield func_ir.blocks[label], i
    seen = {label}
    while True:
        before = [
            other
            for other, block in func_ir.blocks.items()
            if label in block.terminator.get_targets()
        ]
        if len(before) != 1 or before[0] in seen:
            return
        (label,) = before
        seen.add(label)
        yield func_ir.blocks[label], len(func_ir.blocks[label].body)


def _take_items(blocks: dict[int, Any], consumer: Any, done: int, extra: Blocks) -> None:
    """Replace each `yield` by the consumer's code for an item."""
    work = list(blocks.values())
    while work:
        block = work.pop()
        for j, statement in enumerate(block.body):
            if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Yield):
                go_on, rest = extra.new()
                rest.body += [
                    ir.Assign(ir.Const(None, statement.loc), statement.target, statement.loc),
                    *block.body[j + 1 :],
                ]
                step = extra.code()
                consumer.step(step, statement.value.value, go_on, done, extra)
                block.body = [*block.body[:j], *step.body]
                work.append(extra.made[go_on])
                break
