"""Variables that inner functions assign, by `nonlocal` or by `:=` in a comprehension.

Until such a function is inlined, what it assigns is not in the intermediate code, and a variable
that is assigned once there would be taken for what it gets there: a call of `g` for one of the
function that it holds before any inner function has changed it. So, meanwhile, such a variable is
also assigned to itself: of what has two definitions nothing is known.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from types import CodeType
from typing import Any

from numba.core import ir

from prunus.kernel.rewriting.held import assigns, closed_over, inner_codes, original


@functools.lru_cache(4096)
def _assign(code: CodeType) -> bool:
    """Whether functions inside this one assign variables of those around them."""
    return any(
        _assign(inner) or any(assigns(inner, name) for name in inner.co_freevars)
        for inner in inner_codes(code)
    )


def has_nonlocals(func_ir: Any) -> bool:
    """Whether inner functions of this one assign variables around them."""
    return _assign(func_ir.func_id.func.__code__)


def assign_again(func_ir: Any) -> None:
    """Assign each variable that inner functions assign, and this one once, to itself."""
    if not has_nonlocals(func_ir):
        return
    names = {name for name in _assigned_inside(func_ir) if len(func_ir._definitions[name]) == 1}
    for block in func_ir.blocks.values():
        body = []
        for statement in block.body:
            body.append(statement)
            if isinstance(statement, ir.Assign) and statement.target.name in names:
                again = ir.Assign(statement.target, statement.target, statement.loc)
                again.is_again = True
                body.append(again)
                func_ir._definitions[statement.target.name].append(again.value)
        block.body = body


def _assigned_inside(func_ir: Any) -> Iterator[str]:
    """The variables of this function that inner functions which are left assign."""
    for block in func_ir.blocks.values():
        for made in block.find_exprs("make_function"):
            for name, held in zip(made.code.co_freevars, closed_over(func_ir, made), strict=False):
                variable = original(func_ir, held)
                is_own = isinstance(variable, ir.Var) and "$" not in variable.name
                if is_own and assigns(made.code, name):
                    yield variable.name


def forget_again(func_ir: Any) -> None:
    """Remove these assignments."""
    if has_nonlocals(func_ir):
        for block in func_ir.blocks.values():
            block.body = [each for each in block.body if not getattr(each, "is_again", False)]
