"""Builtin functions of a generator expression (`sum`, `any`, ...), as statements of Numba's
intermediate code."""

from __future__ import annotations

import functools
import math
import operator
import sys
from collections.abc import Callable
from typing import Any

from numba.core import errors, ir, ir_utils, types
from numba.extending import intrinsic

from prunus.kernel.boards.packed_functions import add_item
from prunus.kernel.reporting.raising import text_of_empty


def new_label(blocks: dict[int, Any]) -> int:
    """A label that none of a function's blocks has. Numba counts labels for all functions together,
    and does not look at those that come from bytecode."""
    ir_utils._the_max_label.update(max(blocks))
    return int(ir_utils.next_label())


class Code:
    """Statements being assembled, all for one place in the source."""

    def __init__(self, scope: Any, loc: Any, body: list[Any]) -> None:
        self.scope, self.loc, self.body = scope, loc, body

    def variable(self, name: str) -> Any:
        """A new variable."""
        return self.scope.redefine(ir_utils.mk_unique_var(f"${name}"), loc=self.loc)

    def assign(self, target: Any, value: Any) -> Any:
        """Assign an expression, a constant or another variable."""
        self.body.append(ir.Assign(value, target, self.loc))
        return target

    def constant(self, target: Any, value: Any) -> Any:
        """Assign a constant."""
        return self.assign(target, ir.Const(value, self.loc))

    def call(self, function: Any, *arguments: Any) -> Any:
        """A variable with the result of a call; `function` is a global function or a variable that
        holds one."""
        if not isinstance(function, ir.Var):
            function = self.assign(
                self.variable("function"), ir.Global(function.__name__, function, self.loc)
            )
        return self.assign(
            self.variable("called"), ir.Expr.call(function, list(arguments), (), self.loc)
        )

    def binary(self, operate: Any, left: Any, right: Any) -> Any:
        """A variable with an operator's result."""
        return self.assign(self.variable("result"), ir.Expr.binop(operate, left, right, self.loc))

    def branch(self, condition: Any, yes: int, no: int) -> None:
        """End with a branch on whether a variable is true."""
        self.body.append(ir.Branch(self.call(bool, condition), yes, no, self.loc))

    def jump(self, label: int) -> None:
        """End with a jump to another block."""
        self.body.append(ir.Jump(label, self.loc))


class Blocks:
    """New blocks of a function: `made` maps their labels to them."""

    def __init__(self, scope: Any, loc: Any) -> None:
        self.scope, self.loc = scope, loc
        self.made: dict[int, Any] = {}

    def code(self) -> Code:
        """Statements for an existing block."""
        return Code(self.scope, self.loc, [])

    def new(self) -> tuple[int, Code]:
        """The label of a new block, and its statements."""
        label = ir_utils.next_label()
        block = self.made[label] = ir.Block(self.scope, self.loc)
        return label, Code(self.scope, self.loc, block.body)


class Consumer:
    """A builtin function that takes items one by one. `given` are its other positional arguments,
    `named` its keyword arguments (variables)."""

    names: frozenset[str] = frozenset()
    """The keyword arguments that it supports."""
    most_given = 0
    """The number of other positional arguments that it takes."""
    place = 0
    """The index of the argument with the items."""

    def __init__(
        self, function: Callable[..., Any], given: list[Any], named: dict[str, Any]
    ) -> None:
        self.function, self.given, self.named = function, given, named
        self.held: Any = None

    def fits(self) -> bool:
        """Whether it supports all its arguments."""
        return len(self.given) <= self.most_given and self.names >= self.named.keys()

    def takes_any(self) -> bool:
        """Whether any iterable is to be treated like a generator expression."""
        return False

    def start(self, code: Code) -> None:
        """Statements before the first item."""
        self.held = code.variable(self.function.__name__)

    def step(self, code: Code, item: Any, go_on: int, done: int, blocks: Blocks) -> None:
        """Statements for an item. They end with a jump to `go_on`, or to `done` if no more items
        are wanted."""
        raise NotImplementedError

    def finish(self, code: Code, done: int, blocks: Blocks) -> None:
        """Statements after the last item. They end with a jump to `done`."""
        code.jump(done)

    def result(self, code: Code) -> Any:
        """The variable that holds the result, read at `done`."""
        return self.held


class Decide(Consumer):
    """`any` and `all`."""

    def start(self, code: Code) -> None:
        """False for `any` until something else is found, true for `all`."""
        super().start(code)
        code.constant(self.held, self.function is all)

    def step(self, code: Code, item: Any, go_on: int, done: int, blocks: Blocks) -> None:
        """The first item that decides ends the loop."""
        label, decided = blocks.new()
        decided.constant(self.held, self.function is any)
        decided.jump(done)
        code.branch(item, *((label, go_on) if self.function is any else (go_on, label)))


@intrinsic
def summand(typingctx, item):
    """An item that `sum` adds. From Python 3.12 on floats are refused, because Python's `sum` adds
    them more exactly than `+`."""
    if isinstance(item, types.Float):
        raise errors.TypingError(
            "sum() of floats is more exact than their additions: add them in a loop, or scale them "
            "to integers"
        )

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        context.nrt.incref(builder, item, args[0])
        return args[0]

    return item(item), lower


class Sum(Consumer):
    """`sum`, with a start."""

    names = frozenset({"start"})
    most_given = 1
    whole: Any = None
    """The variable with the items, if each of them is one."""

    def takes_any(self) -> bool:
        """Always: sums are checked at the place where they are written, which Numba's own `sum`
        does not do."""
        return True

    def start(self, code: Code) -> None:
        """0, or the given start."""
        super().start(code)
        given = [*self.given, *self.named.values()]
        code.assign(self.held, given[0] if given else ir.Const(0, code.loc))

    def step(self, code: Code, item: Any, go_on: int, done: int, blocks: Blocks) -> None:
        """Add an item."""
        if self.whole is None or self.given or self.named:
            total = self.plus(code, self.held, item)
        else:
            total = code.call(add_item, self.held, summed(code, item), self.whole)
        code.assign(self.held, total)
        code.jump(go_on)

    @staticmethod
    def plus(code: Code, total: Any, item: Any) -> Any:
        """A sum with one more item."""
        return code.binary(operator.add, total, summed(code, item))


def summed(code: Code, item: Any) -> Any:
    """An item as `sum` adds it."""
    return code.call(summand, item) if sys.version_info >= (3, 12) else item


class Product(Consumer):
    """`math.prod`, with a start."""

    names = frozenset({"start"})

    def takes_any(self) -> bool:
        """Always, like `sum`."""
        return True

    def start(self, code: Code) -> None:
        """1, or the given start."""
        super().start(code)
        code.assign(self.held, self.named.get("start", ir.Const(1, code.loc)))

    def step(self, code: Code, item: Any, go_on: int, done: int, blocks: Blocks) -> None:
        """Multiply by an item."""
        code.assign(self.held, code.binary(operator.mul, self.held, item))
        code.jump(go_on)


class Extreme(Consumer):
    """`min` and `max`, with `key` and `default`; of equal items the first counts."""

    names = frozenset({"key", "default"})

    def takes_any(self) -> bool:
        """If Numba's own does not support the arguments."""
        return bool(self.named)

    def start(self, code: Code) -> None:
        """No item has been found yet."""
        super().start(code)
        self.best, self.found = code.variable("best"), code.constant(code.variable("found"), False)

    def step(self, code: Code, item: Any, go_on: int, done: int, blocks: Blocks) -> None:
        """Keep an item if it is the first or better than the best so far."""
        rank = code.call(self.named["key"], item) if "key" in self.named else item
        compare_label, compare = blocks.new()
        keep_label, keep = blocks.new()
        code.branch(self.found, compare_label, keep_label)
        compare.branch(
            compare.binary(operator.lt if self.function is min else operator.gt, rank, self.best),
            keep_label,
            go_on,
        )
        keep.assign(self.best, rank)
        keep.assign(self.held, item)
        keep.constant(self.found, True)
        keep.jump(go_on)

    def finish(self, code: Code, done: int, blocks: Blocks) -> None:
        """Without items the result is the default, or ValueError is raised."""
        label, empty = blocks.new()
        code.branch(self.found, done, label)
        if "default" in self.named:
            empty.assign(self.held, self.named["default"])
            empty.jump(done)
        else:
            empty.body.append(ir.StaticRaise(ValueError, (text_of_empty(self.function),), code.loc))


class Reduce(Consumer):
    """`functools.reduce`, with a start."""

    most_given = 2
    place = 1

    def takes_any(self) -> bool:
        """Always: the function may use variables around it."""
        return True

    def start(self, code: Code) -> None:
        """The given start, or nothing yet."""
        super().start(code)
        self.found = code.constant(code.variable("found"), len(self.given) == 2)
        if len(self.given) == 2:
            code.assign(self.held, self.given[1])

    def step(self, code: Code, item: Any, go_on: int, done: int, blocks: Blocks) -> None:
        """Combine an item with the result so far."""
        if len(self.given) == 1:
            first_label, first = blocks.new()
            join_label, join = blocks.new()
            code.branch(self.found, join_label, first_label)
            first.assign(self.held, item)
            first.constant(self.found, True)
            first.jump(go_on)
        else:
            join = code
        join.assign(self.held, join.call(self.given[0], self.held, item))
        join.jump(go_on)

    def finish(self, code: Code, done: int, blocks: Blocks) -> None:
        """Without items and without a start, TypeError is raised, as in Python."""
        label, empty = blocks.new()
        code.branch(self.found, done, label)
        empty.body.append(
            ir.StaticRaise(
                TypeError, ("reduce() of empty iterable with no initial value",), code.loc
            )
        )


class Next(Consumer):
    """`next`, with a default: the first item."""

    most_given = 1

    def takes_any(self) -> bool:
        """Always: Numba's own knows no default, and no list of the items of a generator."""
        return True

    def step(self, code: Code, item: Any, go_on: int, done: int, blocks: Blocks) -> None:
        """The first item is the result."""
        code.assign(self.held, item)
        code.jump(done)

    def finish(self, code: Code, done: int, blocks: Blocks) -> None:
        """Without items the result is the default, or StopIteration is raised."""
        if self.given:
            code.assign(self.held, self.given[0])
            code.jump(done)
        else:
            code.body.append(ir.StaticRaise(StopIteration, (), code.loc))


class Collect(Consumer):
    """`list` and `set`, and functions that also take a list: the items are collected into one."""

    names = frozenset({"key", "reverse"})

    def start(self, code: Code) -> None:
        """An empty list or set."""
        super().start(code)
        build = ir.Expr.build_set if self.function is set else ir.Expr.build_list
        code.assign(self.held, build([], code.loc))

    def step(self, code: Code, item: Any, go_on: int, done: int, blocks: Blocks) -> None:
        """Add an item."""
        name = "add" if self.function is set else "append"
        add = code.assign(code.variable(name), ir.Expr.getattr(self.held, name, code.loc))
        code.call(add, item)
        code.jump(go_on)

    def result(self, code: Code) -> Any:
        """The list or set itself, or what the function makes from the list."""
        if self.function in (list, set):
            return self.held
        function = code.assign(
            code.variable("function"), ir.Global(self.function.__name__, self.function, code.loc)
        )
        return ir.Expr.call(function, [self.held], list(self.named.items()), code.loc)


CONSUMERS: dict[Callable[..., Any], type[Consumer]] = {
    any: Decide,
    all: Decide,
    sum: Sum,
    min: Extreme,
    max: Extreme,
    next: Next,
    list: Collect,
    tuple: Collect,
    set: Collect,
    frozenset: Collect,
    functools.reduce: Reduce,
    math.prod: Product,
}
