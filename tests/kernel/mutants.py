"""Idioms changed at random. `mutating.py` compares them.

Whoever writes idioms, or programs that write them, gives each variable a name of its own and keeps
to what he has in mind. So here one idiom, or two that follow each other, are changed: names become
other names of the same function, in all of it, in an inner function or in a comprehension;
statements are left out, doubled, swapped, put under an `if`, a loop, a `try` or into an inner
function; expressions are replaced by others, of other idioms too. Most of what comes of it still
runs, and Python says what it means.
"""

from __future__ import annotations

import ast
import builtins
import copy
import random
import textwrap
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.kernel.battery import Idiom, idioms

GIVEN = ("x", "y", "b", "t")
"""What every idiom has from its State."""

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

FUNCTIONS = (ast.FunctionDef, ast.Lambda)

ERRORS = ("IndexError", "ValueError", "KeyError", "Exception", "UnboundLocalError", "TypeError")

FORMS = (
    "if {test}: PART",
    "if {test}:\n    PART\nelse:\n    OTHER",
    "if {test}:\n    OTHER\nelse:\n    PART",
    "for {name} in range({count}): PART",
    "for {name} in t:\n    PART\n    if {test}: break\nelse:\n    OTHER",
    "for {name} in t:\n    if {test}: continue\n    PART",
    "while True:\n    PART\n    break",
    "try:\n    PART\nexcept {error}:\n    OTHER",
    "try:\n    PART\nexcept {error} as e:\n    pass\nelse:\n    OTHER",
    "try:\n    PART\nfinally:\n    OTHER",
    "try:\n    PART\n    raise {error}\nexcept {error}:\n    {name} = {count}",
    "for {name} in range({count}):\n    try:\n        PART\n    finally:\n        OTHER",
)
"""What statements are put under, in the place of PART; OTHER is another one beside them."""

NUMBERS = (0, 1, 2, 3, -1, 5, 255, True, False, None, 1 << 63, -(1 << 62))


class Tree:
    """An idiom as trees: its module, its class, and `utility`."""

    def __init__(self, idiom: Idiom) -> None:
        self.idiom = idiom
        self.module = ast.parse(idiom.module)
        self.cls = ast.parse(idiom.cls)
        text = "def utility(self, state):\n" + textwrap.indent(idiom.body, "    ")
        (self.utility,) = ast.parse(text).body

    def nodes(self, kinds: Any) -> list[Any]:
        """All nodes of these kinds, in the order of the text."""
        return [
            node
            for tree in (self.module, self.cls, self.utility)
            for node in ast.walk(tree)
            if isinstance(node, kinds)
        ]

    def functions(self) -> list[ast.FunctionDef]:
        """All functions, and `utility` twice more, as most is in it."""
        return [*self.nodes(ast.FunctionDef), self.utility, self.utility]

    def written(self, name: str) -> Idiom:
        """The idiom that the trees make."""
        body = "\n".join(ast.unparse(statement) for statement in self.utility.body)
        return self.idiom._replace(
            name=name,
            body=body + "\n",
            module=ast.unparse(self.module) + "\n",
            cls=ast.unparse(self.cls) + "\n",
        )


@cache
def trees() -> list[Tree]:
    """All idioms that are compiled, as trees."""
    return [Tree(idiom) for idiom in idioms() if not idiom.refused and not idiom.boards]


def defined(tree: Tree) -> set[str]:
    """The names of the module and the class."""
    found = set()
    for statement in [*tree.module.body, *tree.cls.body]:
        found |= {node.name for node in ast.walk(statement) if hasattr(node, "name") and node.name}
        found |= {node.id for node in ast.walk(statement) if _stores(node)}
    return found


def _stores(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def names(scope: ast.AST) -> list[str]:
    """The variables of a function, and of what is within it."""
    found: dict[str, None] = {}
    for node in ast.walk(scope):
        if isinstance(node, ast.arg) and node.arg != "self":
            found[node.arg] = None
        elif _stores(node):
            found[node.id] = None  # type: ignore[attr-defined]
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found[node.name] = None
        elif isinstance(node, ast.FunctionDef) and node is not scope:
            found[node.name] = None
    return list(found)


def renamed(scope: ast.AST, old: str, new: str) -> None:
    """Give a variable another name, wherever it is read, changed or declared within a node."""
    for node in ast.walk(scope):
        if isinstance(node, ast.Name) and node.id == old:
            node.id = new
        elif isinstance(node, ast.arg) and node.arg == old:
            node.arg = new
        elif isinstance(node, ast.keyword) and node.arg == old:
            node.arg = new
        elif isinstance(node, ast.ExceptHandler | ast.FunctionDef) and node.name == old:
            node.name = new
        elif isinstance(node, ast.Nonlocal | ast.Global):
            node.names = [new if name == old else name for name in node.names]


def blocks(tree: Tree) -> list[list[ast.stmt]]:
    """The lists of statements of all functions."""
    found = []
    for function in tree.nodes(ast.FunctionDef):
        for node in ast.walk(function):
            for part in ("body", "orelse", "finalbody"):
                block = getattr(node, part, None)
                if isinstance(block, list) and block and not isinstance(node, ast.ClassDef):
                    found.append(block)
    return found


def expressions(scope: ast.AST) -> list[tuple[ast.AST, str, int | None]]:
    """The places of expressions that are read: node, field, and the index if it is a list."""
    found: list[tuple[ast.AST, str, int | None]] = []
    for node in ast.walk(scope):
        if isinstance(node, ast.arguments | ast.JoinedStr | ast.FormattedValue | ast.match_case):
            continue
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and not _is_changed(value):
                found.append((node, field, None))
            elif isinstance(value, list):
                found += [
                    (node, field, i)
                    for i, item in enumerate(value)
                    if isinstance(item, ast.expr) and not _is_changed(item)
                ]
    return found


def _is_changed(node: ast.AST) -> bool:
    return isinstance(node, ast.Starred | ast.Slice) or isinstance(
        getattr(node, "ctx", None), ast.Store | ast.Del
    )


def put(place: tuple[ast.AST, str, int | None], expression: ast.AST) -> None:
    """Put an expression into a place."""
    node, field, i = place
    if i is None:
        setattr(node, field, expression)
    else:
        getattr(node, field)[i] = expression


def at(place: tuple[ast.AST, str, int | None]) -> Any:
    """The expression in a place."""
    node, field, i = place
    return getattr(node, field) if i is None else getattr(node, field)[i]


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
    """One or two idioms, changed by the random numbers of a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.tree = copy.deepcopy(self.random.choice(trees()))
        if self.random.random() < 0.4:
            self.follow(copy.deepcopy(self.random.choice(trees())))
        for _ in range(self.random.choice((1, 1, 2, 2, 3, 4))):
            self.random.choice(
                (self.rename,) * 4
                + (self.replace,) * 3
                + (self.leave_out, self.double, self.swap, self.put_under, self.put_under)
                + (self.move_in, self.number, self.operator, self.graft, self.turn)
            )()

    def follow(self, other: Tree) -> None:
        """Let another idiom begin where this one returns."""
        last = self.tree.utility.body[-1]
        if not isinstance(last, ast.Return) or last.value is None:
            return
        if defined(other) & defined(self.tree) or self.tree.idiom.init and other.idiom.init:
            return
        own = names(self.tree.utility) or ["r"]
        kept = ast.Assign([ast.Name(self.random.choice(own), ast.Store())], last.value, lineno=0)
        self.tree.utility.body[-1:] = [kept, *other.utility.body]
        self.tree.module.body += other.module.body
        self.tree.cls.body += other.cls.body
        self.tree.idiom = self.tree.idiom._replace(init=self.tree.idiom.init + other.idiom.init)
        ending = self.tree.utility.body[-1]
        if isinstance(ending, ast.Return) and self.random.random() < 0.5:
            name = ast.Name(kept.targets[0].id, ast.Load())  # type: ignore[attr-defined]
            ending.value = ast.BinOp(ending.value or name, ast.Add(), name)

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
        pool = [*own, *own, *own, *GIVEN, *(sorted(defined(self.tree)))]
        new = self.random.choice(pool)
        if self.random.random() < 0.04:
            new = self.random.choice(("sum", "max", "len", "list", "range", "self", "state", "G"))
        renamed(self.random.choice(holders or [function]), old, new)

    def block(self) -> tuple[list[ast.stmt], int]:
        """A list of statements, and the index of one."""
        block = self.random.choice(blocks(self.tree))
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
        name = self.random.choice([*names(self.tree.utility), "x", "i", "v"])
        tests = (f"{name} == x % 3", "x % 2", "y > 0", "t[x % 8] > 3", f"not {name}")
        lines = self.random.choice(FORMS).format(
            test=self.random.choice(tests),
            name=name,
            error=self.random.choice(ERRORS),
            count=self.random.choice(("2", "x % 4", "3")),
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
        source = function if self.random.random() < 0.8 else self.tree.utility
        taken = at(self.random.choice(expressions(source) or places))
        if self.random.random() < 0.3:
            taken = ast.Name(self.random.choice([*names(function), *GIVEN]), ast.Load())
        put(self.random.choice(places), copy.deepcopy(taken))

    def graft(self) -> None:
        """Take an expression or a statement from another idiom, with names of this one."""
        other = copy.deepcopy(self.random.choice(trees()))
        if other.module.body or other.cls.body:
            return
        function = self.random.choice(self.tree.functions())
        own, places = [*names(function), *GIVEN], expressions(function)
        if self.random.random() < 0.5:
            taken: Any = at(self.random.choice(expressions(other.utility)))
        else:
            taken = self.random.choice(other.utility.body)
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


def mutant(seed: int) -> Idiom | None:
    """The changed idiom of a seed; None if it is no program."""
    try:
        idiom = Mutant(seed).tree.written(f"m{seed}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(idiom.source(), "mutant", "exec")
    except (SyntaxError, ValueError):
        return None
    return idiom
