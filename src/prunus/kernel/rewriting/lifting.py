"""Inner functions that call themselves, written anew as functions that get what they use of the
function around them as arguments (lambda lifting, Johnsson 1985).

A function that calls itself cannot be replaced by its body. What it assigns of the function around
it, by `nonlocal`, it gets in a list of one item. The new source is made from the tree of the file,
and only if the file still says what runs: compiled again, it must give the same code.
"""

from __future__ import annotations

import ast
import copy
import dis
import functools
import inspect
import linecache
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any

from prunus.core.errors import PrunusError

_FUTURE = 0x1FE0000
"""The flags of a code object that come from `from __future__ import ...`."""


class NotLifted(PrunusError):
    """Why functions cannot be lifted, as the end of "... an inner function that calls itself"."""


@dataclass(frozen=True)
class Family:
    """Inner functions by their names: those that call themselves, and the others that they call,
    with the values of their defaults. `taken`: the variables of the function around them that they
    use, in the order of the new parameters; `changed`: those of them that they assign."""

    group: dict[str, CodeType]
    helpers: dict[str, CodeType]
    defaults: dict[str, tuple[Any, ...]]
    taken: tuple[str, ...]
    changed: frozenset[str]


def lifted(family: Family) -> dict[str, CodeType]:
    """The code of the group's functions, with new parameters for what they take before their own;
    their only free variables are each other's names. Raises NotLifted."""
    known = {**family.helpers, **family.group}
    for name, code in family.group.items():
        _check_parameters(name, code)
    for code in known.values():
        _check(code, {*family.taken, *known})
    nodes = {name: _node(name, code) for name, code in known.items()}
    for name in family.helpers:
        _put_defaults(name, nodes[name], family.defaults[name])
    rewriter = _Rewriter(family)
    for node in nodes.values():
        rewriter.visit(node)
    functions = []
    for name in family.group:
        node = nodes[name]
        own = [*node.args.posonlyargs, *node.args.args]
        node.args.args = [*map(ast.arg, family.taken), *own]
        # The values of defaults are known where the function is made.
        node.args.posonlyargs, node.args.defaults = [], []
        node.body = [*(copy.deepcopy(nodes[other]) for other in _needed(family, name)), *node.body]
        functions.append(node)
    first = next(iter(family.group.values()))
    around = ast.parse("def around(): pass").body[0]
    assert isinstance(around, ast.FunctionDef)
    around.body = [*functions]
    for part in ast.walk(around):
        if isinstance(part, ast.expr | ast.stmt | ast.arg) and not hasattr(part, "lineno"):
            part.lineno = part.end_lineno = first.co_firstlineno
            part.col_offset = part.end_col_offset = 0
    flags = first.co_flags & _FUTURE
    whole = compile(
        ast.Module([around], []), first.co_filename, "exec", flags=flags, dont_inherit=True
    )
    made = {code.co_name: code for code in _inside(next(_inside(whole)))}
    return {
        name: made[name].replace(co_qualname=code.co_qualname)
        for name, code in family.group.items()
    }


def _needed(family: Family, name: str) -> list[str]:
    """The helpers that one of the group uses, also through each other."""
    found, work = set[str](), [family.group[name]]
    while work:
        new = set(work.pop().co_freevars) & family.helpers.keys() - found
        found |= new
        work += [family.helpers[other] for other in new]
    return [other for other in family.helpers if other in found]


def _inside(code: CodeType) -> Iterator[CodeType]:
    return (each for each in code.co_consts if isinstance(each, CodeType))


def _all_inside(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in _inside(code):
        yield from _all_inside(each)


def _check_parameters(name: str, code: CodeType) -> None:
    """Raise NotLifted for a function that could not be one of the module either, or cannot get more
    parameters."""
    starred = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE):
        raise NotLifted(f"if it has a `yield`, as {name!r} has")
    if code.co_flags & starred or code.co_kwonlyargcount:
        raise NotLifted(f"if it has starred or keyword-only parameters, as {name!r} has")


def _check(code: CodeType, names: set[str]) -> None:
    """Raise NotLifted for a function whose source would mean something else in another place."""
    for each in _all_inside(code):
        own = {*each.co_varnames, *each.co_cellvars}
        if hidden := own & names:
            raise NotLifted(f"if another variable has the name {min(hidden)!r}")
        used = {*own, *each.co_names, *each.co_freevars}
        if any(one.startswith("__") and not one.endswith("__") for one in used):
            raise NotLifted("if it uses names that begin with two underscores")
        if "__class__" in each.co_freevars:
            raise NotLifted("if it uses super()")
        for step in dis.get_instructions(each):
            if step.opname.endswith("_GLOBAL") and step.argval in names:
                raise NotLifted(f"if {step.argval!r} is a name of the module, too")


def _put_defaults(name: str, node: ast.FunctionDef, values: tuple[Any, ...]) -> None:
    """Give a helper, which is made anew in each call, the values that its defaults have. (The file
    does not tell them: a function's code is the same with others.)"""
    if any(node.args.kw_defaults):
        raise NotLifted(f"if a parameter that is keyword-only has a default, as in {name!r}")
    if any(type(value) not in (int, float, bool, str, type(None)) for value in values):
        raise NotLifted(f"if a default is no plain number or text, as in {name!r}")
    node.args.defaults = [ast.Constant(value) for value in values]


@functools.lru_cache(8)
def _read(filename: str, text: str, flags: int) -> tuple[ast.Module, tuple[CodeType, ...]]:
    tree = ast.parse(text, filename)
    return tree, tuple(_all_inside(compile(text, filename, "exec", flags, dont_inherit=True)))


def _node(name: str, code: CodeType) -> ast.FunctionDef:
    """A copy of a function's definition in its file, under a name. Raises NotLifted."""
    linecache.checkcache(code.co_filename)
    text = "".join(linecache.getlines(code.co_filename))
    try:
        tree, codes = _read(code.co_filename, text, code.co_flags & _FUTURE)
    except SyntaxError:
        tree, codes = ast.Module([], []), ()
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.Lambda)
        and node.lineno == code.co_firstlineno
        and getattr(node, "name", "<lambda>") == code.co_name
    ]
    if len(found) > 1:
        raise NotLifted(f"if line {code.co_firstlineno} has two of them")
    if not found or code not in codes:
        raise NotLifted(f"if its source cannot be found in {code.co_filename!r}")
    node = copy.deepcopy(found[0])
    if isinstance(node, ast.Lambda):
        body: list[ast.stmt] = [ast.copy_location(ast.Return(node.body), node.body)]
        written = ast.FunctionDef(name, node.args, body, [])
        node = ast.copy_location(written, node)
        if "type_params" in ast.FunctionDef._fields:
            node.type_params = []
    if node.decorator_list:
        raise NotLifted(f"if it has a decorator, as {name!r} has")
    node.name, node.returns = name, None
    for each in ast.walk(node.args):
        if isinstance(each, ast.arg):
            each.annotation = None
    return node


class _Rewriter(ast.NodeTransformer):
    """Gives each call within the family what the called function takes, and makes variables that
    are assigned the items of lists."""

    def __init__(self, family: Family) -> None:
        self.family = family

    def visit_Call(self, node: ast.Call) -> Any:
        """A call of one of the group gets the new arguments first."""
        if not isinstance(node.func, ast.Name) or node.func.id not in self.family.group:
            return self.generic_visit(node)
        node.args = [self.visit(each) for each in node.args]
        node.keywords = [self.visit(each) for each in node.keywords]
        first: Sequence[ast.expr] = [ast.Name(name, ast.Load()) for name in self.family.taken]
        node.args = [*(ast.copy_location(each, node) for each in first), *node.args]
        return node

    def visit_Name(self, node: ast.Name) -> Any:
        """A variable that the family assigns is the item of a list."""
        if node.id in self.family.group:
            raise NotLifted(f"if it is used otherwise than by calling it, as {node.id!r} is")
        if node.id not in self.family.changed:
            return node
        if isinstance(node.ctx, ast.Del):
            raise NotLifted(f"if it deletes {node.id!r}")
        held = ast.copy_location(ast.Name(node.id, ast.Load()), node)
        zero = ast.copy_location(ast.Constant(0), node)
        return ast.copy_location(ast.Subscript(held, zero, node.ctx), node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Any:
        """`:=` can only assign names."""
        self._expect_free([node.target.id], "by `:=`")
        return self.generic_visit(node)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> Any:
        """What is a parameter by now needs no declaration."""
        left = [name for name in node.names if name not in self.family.taken]
        made = ast.Nonlocal(left) if left else ast.Pass()
        return ast.copy_location(made, node)

    def visit_MatchAs(self, node: ast.MatchAs) -> Any:
        """A pattern can only assign names."""
        self._expect_free([node.name], "by `case`")
        return self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> Any:
        """A pattern can only assign names."""
        self._expect_free([node.name], "by `case`")
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> Any:
        """An error can only be given a name."""
        self._expect_free([node.name], "by `except`")
        return self.generic_visit(node)

    def _expect_free(self, names: Iterable[str | None], how: str) -> None:
        for name in names:
            if name in self.family.changed:
                raise NotLifted(f"if it assigns {name!r} {how}")
