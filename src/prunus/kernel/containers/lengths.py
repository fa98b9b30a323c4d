"""Lengths of lists that are known at compile time: see `sequences.py`."""

from __future__ import annotations

import operator
from math import prod
from typing import Any

from numba.core import ir, ir_utils

from prunus.kernel.containers.resizing import RESIZING, is_resized, keeps_length, origin_of
from prunus.kernel.numbers.operators import meant


def witness_of(func_ir: Any, label: int, items: Any) -> Any:
    """A witness with as many items as a list that a loop fills: a variable or a number. None if
    only the list's type may know; False if it cannot: a slice or a sum of lists has the type of the
    list it was made from."""
    made = origin_of(func_ir, items)
    if isinstance(made, ir.Expr) and _gives_its_type(made):
        # The type of an item of a list of lists may know the item's length, that of a slice cannot.
        return None if made.op in ("getitem", "static_getitem") else False
    if isinstance(made, ir.Expr) and made.op == "call":
        function = _calls(func_ir, items)
        if getattr(function, "__name__", "") in _SORTING and made.args:
            # The type of what `zip` gives knows the least of several lengths.
            if _calls(func_ir, made.args[0]) is zip:
                return _is_fresh(func_ir, made.args[0]) and made.args[0]
            return _length(func_ir, items, label)
        return False if function in _ITERATORS and not _is_fresh(func_ir, items) else None
    if not (isinstance(made, ir.Expr) and made.op == "build_list"):
        return None
    appending = [
        place
        for place, block in func_ir.blocks.items()
        for found in block.find_exprs("getattr")
        if found.attr == "append" and origin_of(func_ir, found.value) is made
    ]
    if made.items or not appending:
        return len(made.items) if keeps_length(func_ir, made) else None
    cfg = ir_utils.compute_cfg_from_blocks(func_ir.blocks)
    nest = nest_before(cfg, appending, label)
    if not nest or not _is_made_for(func_ir, cfg, made, nest):
        return None
    counts, passed = [], appending
    for loop in nest:
        if not is_passed_once(cfg, loop, passed) or not ends_at_its_header(cfg, loop):
            return None
        counts.append(_iterations(func_ir, loop))
        passed = [place for place, _ in cfg.predecessors(loop.header) if place not in loop.body]
    if len(counts) == 1:
        return counts[0]
    return prod(counts) if all(type(count) is int for count in counts) else None


def _calls(func_ir: Any, items: Any) -> Any:
    """The function whose result a variable holds; None if it is unknown."""
    made = origin_of(func_ir, items)
    called = (
        origin_of(func_ir, made.func) if isinstance(made, ir.Expr) and made.op == "call" else None
    )
    return called.value if isinstance(called, ir.Global) else None


def _is_made_for(func_ir: Any, cfg: Any, made: Any, nest: list[Any]) -> bool:
    """Whether an empty list is made anew each time before a nest of loops begins."""
    labels = [
        place
        for place, block in func_ir.blocks.items()
        if any(statement.value is made for statement in block.find_insts(ir.Assign))
    ]
    around = (
        loop.body
        for loop in cfg.loops().values()
        if nest[-1].header in loop.body and loop.header != nest[-1].header
    )
    is_outside = len(labels) == 1 and labels[0] not in nest[-1].body
    return is_outside and all(labels[0] in body for body in around)


def _iterations(func_ir: Any, loop: Any) -> Any:
    """A witness of the number of iterations of a `for` loop."""
    for following in func_ir.blocks[loop.header].find_exprs("iternext"):
        iterator = origin_of(func_ir, following.value)
        if isinstance(iterator, ir.Expr) and iterator.op == "getiter":
            found = _length(func_ir, iterator.value, loop.header)
            is_varying = found is None and origin_of(func_ir, iterator.value) is None
            return _held(func_ir, iterator) if is_varying else found
    return None


def _held(func_ir: Any, iterator: Any) -> Any:
    """A variable for what a loop goes over, which has several values in the function: the one that
    it has where the loop begins."""
    for block in func_ir.blocks.values():
        for place, statement in enumerate(block.body):
            if isinstance(statement, ir.Assign) and statement.value is iterator:
                name = ir_utils.mk_unique_var("$gone_through")
                held = block.scope.redefine(name, loc=statement.loc)
                block.body.insert(place, ir.Assign(iterator.value, held, statement.loc))
                func_ir._definitions[held.name] = [iterator.value]
                return held
    return None


def nest_before(cfg: Any, places: list[int], label: int) -> list[Any]:
    """The loops around some blocks, from the innermost on, up to the first that certainly begins
    before block `label`; none if there is no such loop."""
    around = [loop for loop in cfg.loops().values() if loop.body.issuperset(places)]
    around.sort(key=lambda loop: len(loop.body))
    for i, loop in enumerate(around):
        if loop.header in cfg.dominators()[label] and label not in loop.body:
            return around[: i + 1]
    return []


def ends_at_its_header(cfg: Any, loop: Any) -> bool:
    """Whether a loop goes over all that it goes over: nothing leaves it for what comes after it."""
    return all(
        following in loop.body
        for label in loop.body
        if label != loop.header
        for following, _ in cfg.successors(label)
    )


def loop_around(cfg: Any, places: list[int]) -> Any:
    """The innermost loop that contains all of some blocks; None if there is none."""
    loops = [loop for loop in cfg.loops().values() if loop.body.issuperset(places)]
    return min(loops, key=lambda loop: len(loop.body), default=None)


def is_passed_once(cfg: Any, loop: Any, places: list[int]) -> bool:
    """Whether each iteration of a loop that begins another one passes exactly one of some blocks,
    once. (A block that stands twice is passed twice.)"""
    before: dict[int, set[int]] = {label: set() for label in loop.body}
    before[loop.header], work, rounds = {0}, [loop.header], set[int]()
    while work:
        label = work.pop()
        after = {min(2, count + places.count(label)) for count in before[label]}
        for following, _ in cfg.successors(label):
            if following == loop.header:
                rounds |= after
            elif following in loop.body and not after <= before[following]:
                before[following] |= after
                work.append(following)
    return rounds == {1}


def _gives_its_type(made: Any) -> bool:
    """Whether an expression has the type of the list in it, but a different length."""
    is_product = made.op == "binop" and meant(made) is operator.mul
    return made.op in ("getitem", "static_getitem", "binop", "inplace_binop") and not is_product


_SORTING = frozenset(("sorted", "sorted_by"))
_SAME_LENGTH = _SORTING | {"enumerate", "reversed", "sized_list", "zip"}
"""Not `list`: what is made by it here becomes longer or shorter (`rewriting/known_lengths.py`)."""


def _length(func_ir: Any, items: Any, label: int) -> Any:
    """A witness of the number of items in something, as block `label` finds it: a variable whose
    type knows it, or a number."""
    made = origin_of(func_ir, items)
    if isinstance(made, ir.Expr) and made.op == "call" and made.args:
        function = _calls(func_ir, items)
        if function in _ITERATORS and not _is_fresh(func_ir, items):
            return None
        if function is zip and len(made.args) > 1:
            return _length_of_zip(func_ir, items, made.args, label)
        if getattr(function, "__name__", "") in _SORTING and not keeps_length(func_ir, made):
            return None
        if getattr(function, "__name__", "") in _SAME_LENGTH:
            return _length(func_ir, made.args[0], label)
        if function is range:
            return _length_of_range(func_ir, made.args, label)
    if isinstance(made, ir.Expr) and made.op == "build_list":
        if made.items:
            return len(made.items) if keeps_length(func_ir, made) else None
        if not is_resized(func_ir, made, RESIZING - {"append"}):
            return witness_of(func_ir, label, items) or None
    return items if len(func_ir._definitions.get(items.name, ())) == 1 else None


def _length_of_zip(func_ir: Any, items: Any, taken: Any, label: int) -> Any:
    """The least of several lengths. If one is that of a slice, the type of what `zip` gives may
    know it; otherwise those of variables are taken to be equal."""
    made = [origin_of(func_ir, each) for each in taken]
    if any(isinstance(each, ir.Expr) and _gives_its_type(each) for each in made):
        return items
    lengths = [_length(func_ir, each, label) for each in taken]
    return min(lengths) if all(type(length) is int for length in lengths) else lengths[0]


_ITERATORS = (enumerate, reversed, zip)
"""Functions whose results give each item once."""


def is_fresh_zip(func_ir: Any, items: Any) -> bool:
    """Whether a witness is what `zip` gives, and nothing has taken items from it yet."""
    return isinstance(items, ir.Var) and _calls(func_ir, items) is zip and _is_fresh(func_ir, items)


def _is_fresh(func_ir: Any, items: Any) -> bool:
    """Whether the names of an iterator are used once each, so that nothing has taken items yet."""
    while True:
        users = [
            statement
            for block in func_ir.blocks.values()
            for statement in block.body
            if not isinstance(statement, ir.Del)
            and items.name in [used.name for used in statement.list_vars()]
            and getattr(getattr(statement, "target", None), "name", "") != items.name
        ]
        made = func_ir._definitions.get(items.name, ())
        if len(users) != 1 or len(made) != 1:
            return False
        if not isinstance(made[0], ir.Var):
            return True
        items = made[0]


def _length_of_range(func_ir: Any, limits: Any, label: int) -> Any:
    numbers = [number_in(func_ir, limit) for limit in limits]
    if None not in numbers:
        return len(range(*numbers)) if numbers[2:] != [0] else None
    made = origin_of(func_ir, limits[0])
    if len(limits) == 1 and isinstance(made, ir.Expr) and made.op == "call" and len(made.args) == 1:
        called = origin_of(func_ir, made.func)
        return (
            _length(func_ir, made.args[0], label)
            if isinstance(called, ir.Global) and called.value is len
            else None
        )
    return None


_FOLDED = {operator.add: operator.add, operator.sub: operator.sub, operator.mul: operator.mul}


def number_in(func_ir: Any, variable: Any) -> int | None:
    """The integer that a variable is known to hold; None if it is not known."""
    made = origin_of(func_ir, variable)
    if isinstance(made, ir.Const | ir.Global | ir.FreeVar):
        return made.value if type(made.value) is int else None
    if isinstance(made, ir.Expr) and made.op == "binop" and meant(made) in _FOLDED:
        left, right = number_in(func_ir, made.lhs), number_in(func_ir, made.rhs)
        return None if left is None or right is None else _FOLDED[meant(made)](left, right)
    return None
