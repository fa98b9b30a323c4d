"""The parameters of a function that have settings, and definitions that change where a setting
stands for a name."""

from __future__ import annotations

from typing import Any

from numba.core import ir
from numba.core.ir_utils import get_definition, guard


def with_settings(state: Any, variable: Any) -> Any:
    """The type of the parameter that a variable of this function is, if it has settings, which
    `known` tells; None for other variables."""
    owner = guard(get_definition, state.func_ir, variable)
    kind = state.args[owner.index] if isinstance(owner, ir.Arg) else None
    return kind if hasattr(kind, "known") else None


def replace_definition(func_ir: Any, target: Any, before: Any, after: Any) -> None:
    """Update the definition of a variable after its assignment has changed."""
    func_ir._definitions[target.name] = [
        after if found is before else found for found in func_ir._definitions[target.name]
    ]
