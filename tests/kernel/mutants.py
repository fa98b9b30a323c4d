"""Rules changed at random.

Whoever writes rules, or programs that write them, gives each variable a name of its own and keeps
to what he has in mind. So here rules that work are changed: names become other names of the same
function, in all of it, in an inner function or in a comprehension; statements are left out,
doubled, swapped, put under an `if`, a loop, a `try` or into an inner function; expressions are
replaced by others, of other rules too. Most of what comes of it still runs, and Python says what it
means.
"""

from __future__ import annotations

import ast
import builtins
import copy
import random
from collections.abc import Iterator, Sequence
from typing import Any

from tests.kernel.trees import Tree, at, blocks, expressions, names, put, renamed

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

FUNCTIONS = (ast.FunctionDef, ast.Lambda)

ERRORS = ("IndexError", "ValueError", "KeyError", "Exception", "UnboundLocalError", "TypeError")

FORMS = (
    "if {test}: PART",
    "if {test}:\n    PART\nelse:\n    OTHER",
    "if {test}:\n    OTHER\nelse:\n    PART",
    "for {name} in range({count}): PART",
    "for {name} in {items}:\n    PART\n    if {test}: break\nelse:\n    OTHER",
    "for {name} in {items}:\n    if {test}: continue\n    PART",
    "while True:\n    PART\n    break",
    "try:\n    PART\nexcept {error}:\n    OTHER",
    "try:\n    PART\nexcept {error} as e:\n    pass\nelse:\n    OTHER",
    "try:\n    PART\nfinally:\n    OTHER",
    "try:\n    PART\n    raise {error}\nexcept {error}:\n    {name} = {count}",
    "for {name} in range({count}):\n    try:\n        PART\n    finally:\n        OTHER",
)
"""What statements are put under, in the place of PART; OTHER is another one beside them."""

NUMBERS = (0, 1, 2, 3, -1, 5, 255, True, False, None, 1 << 63, -(1 << 62))


def _filled(block: list[ast.stmt], part: list[ast.stmt], other: ast.stmt) -> Iterator[ast.stmt]:
    for statement in block:
        match statement:
            case ast.Expr(ast.Name("PART")):
                yield from copy.deepcopy(part)
            case ast.Expr(ast.Name("OTHER")):
                yield copy.deepcopy(other)
            case _:
                yield statement


class Mutant:
    """Changes rules by random numbers; `others` are rules without names around them, from which
    expressions and statements come."""

    def __init__(self, chance: random.Random, tree: Tree, others: Sequence[Tree]) -> None:
        self.random, self.tree, self.others = chance, tree, others

    def change(self) -> None:
        """Make a few changes."""
        for _ in range(self.random.choice((1, 1, 2, 2, 3, 4))):
            self.random.choice(
                (self.rename,) * 4
                + (self.replace,) * 3
                + (self.leave_out, self.double, self.swap, self.put_under, self.put_under)
                + (self.move_in, self.number, self.operator, self.graft, self.turn)
            )()

    def rename(self) -> None:
        """Give a variable the name of another one, in a function or in something within it."""
        function = self.random.choice(self.tree.functions())
        own = names(function)
        if not own:
            return
        old = self.random.choice(own)
        within = [
            node for node in ast.walk(function) if isinstance(node, (*FUNCTIONS, *COMPREHENSIONS))
        ]
        holders = (
            [node for node in within if old in names(node)] if self.random.random() < 0.5 else []
        )
        pool = [*own, *own, *own, *self.tree.given, *(sorted(self.tree.defined()))]
        new = self.random.choice(pool)
        if self.random.random() < 0.04:
            new = self.random.choice(("sum", "max", "len", "list", "range", "self", "state", "G"))
        renamed(self.random.choice(holders or [function]), old, new)

    def block(self) -> tuple[list[ast.stmt], int]:
        """A list of statements, and the index of one."""
        block = self.random.choice(blocks(self.tree.nodes(ast.FunctionDef)))
        return block, self.random.randrange(len(block))

    def leave_out(self) -> None:
        """Leave a statement out."""
        block, i = self.block()
        block[i : i + 1] = [] if len(block) > 1 else ast.parse("pass").body

    def double(self) -> None:
        """Write a statement again, later in its list."""
        block, i = self.block()
        block.insert(self.random.randint(i, len(block)), copy.deepcopy(block[i]))

    def swap(self) -> None:
        """Let two statements that follow each other change places."""
        block, i = self.block()
        if i:
            block[i - 1 : i + 1] = [block[i], block[i - 1]]

    def put_under(self) -> None:
        """Put statements that follow each other under an `if`, a loop or a `try`."""
        block, i = self.block()
        end = self.random.randint(i + 1, min(len(block), i + 4))
        name = self.random.choice([*names(self.tree.main), self.tree.given[0], "i", "v"])
        lines = self.random.choice(FORMS).format(
            test=self.random.choice(self.tree.tests).format(name=name),
            name=name,
            error=self.random.choice(ERRORS),
            count=self.random.choice(self.tree.counts),
            items=self.tree.items,
        )
        frame = ast.parse(lines)
        other = self.random.choice(block)
        for node in ast.walk(frame):
            for part in ("body", "orelse", "finalbody"):
                inner = getattr(node, part, None)
                if isinstance(inner, list):
                    setattr(node, part, list(_filled(inner, block[i:end], other)))
        block[i:end] = frame.body

    def move_in(self) -> None:
        """Move a function's last statements into an inner function, which may change variables."""
        function = self.random.choice(self.tree.functions())
        body = function.body
        i = self.random.randrange(len(body))
        name = self.random.choice([*names(function), "inner", "f"])
        before = {each for statement in body[:i] for each in names(statement)}
        shared = [each for each in names(ast.Module(body[i:], [])) if each in before - {name}]
        inner: Any = ast.parse(f"def {name}():\n    pass").body[0]
        inner.body = body[i:]
        if shared and self.random.random() < 0.7:
            inner.body = [ast.Nonlocal(shared), *inner.body]
        body[i:] = [inner, *ast.parse(f"return {name}()").body]

    def number(self) -> None:
        """Replace a number."""
        places = [place for place in self.places() if isinstance(at(place), ast.Constant)]
        if places:
            place = self.random.choice(places)
            value = at(place).value
            near = (value + 1, value - 1) if isinstance(value, int) else ()
            put(place, ast.Constant(self.random.choice((*near, *near, *near, *NUMBERS))))

    def operator(self) -> None:
        """Replace an operator."""
        found = self.tree.nodes((ast.BinOp, ast.AugAssign, ast.Compare, ast.BoolOp))
        if not found:
            return
        node = self.random.choice(found)
        if isinstance(node, ast.Compare):
            kinds = (ast.Lt, ast.LtE, ast.Eq, ast.NotEq, ast.Gt, ast.In, ast.NotIn, ast.Is)
            node.ops[0] = self.random.choice(kinds)()
        elif isinstance(node, ast.BoolOp):
            node.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        else:
            kinds = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr)
            node.op = self.random.choice((*kinds, ast.BitXor, ast.LShift, ast.RShift))()

    def places(self) -> list[tuple[ast.AST, str, int | None]]:
        """The places of expressions in a function."""
        return expressions(self.random.choice(self.tree.functions()))

    def replace(self) -> None:
        """Put an expression of the same function, or of the idiom, into another's place."""
        function = self.random.choice(self.tree.functions())
        places = expressions(function)
        if not places:
            return
        source = function if self.random.random() < 0.8 else self.tree.main
        taken = at(self.random.choice(expressions(source) or places))
        if self.random.random() < 0.3:
            taken = ast.Name(self.random.choice([*names(function), *self.tree.given]), ast.Load())
        put(self.random.choice(places), copy.deepcopy(taken))

    def graft(self) -> None:
        """Take an expression or a statement from another idiom, with names of this one."""
        other = copy.deepcopy(self.random.choice(self.others))
        function = self.random.choice(self.tree.functions())
        own, places = [*names(function), *self.tree.given], expressions(function)
        if self.random.random() < 0.5:
            taken: Any = at(self.random.choice(expressions(other.main)))
        else:
            taken = self.random.choice(other.main.body)
        for node in ast.walk(taken):
            known = isinstance(node, ast.Name) and hasattr(builtins, node.id)
            if isinstance(node, ast.Name) and not known and node.id not in own:
                renamed(taken, node.id, self.random.choice(own))
        if isinstance(taken, ast.expr):
            if places:
                put(self.random.choice(places), taken)
        else:
            block, i = self.block()
            block.insert(i, taken)

    def turn(self) -> None:
        """Make a list a tuple or a set, a comprehension one of another kind."""
        kinds = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.List, ast.Tuple, ast.Set)
        places = [place for place in self.places() if isinstance(at(place), kinds)]
        if not places:
            return
        place = self.random.choice(places)
        node = at(place)
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            kind: Any = self.random.choice(kinds[:3])
            put(place, kind(node.elt, node.generators))
        else:
            items: list[ast.expr] = node.elts
            made: ast.expr = self.random.choice(
                (ast.List(items, ast.Load()), ast.Tuple(items, ast.Load()), ast.Set(items))
            )
            put(place, made)
