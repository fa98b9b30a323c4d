"""Annotations of inner functions, `def near(i: int) -> list[int]:`. Python computes them where it
makes the function; nobody in compiled code asks for them."""

from __future__ import annotations

import inspect
from typing import Any, Final

from numba.core import errors, ir
from numba.core.interpreter import Interpreter

_make_function = Interpreter.op_MAKE_FUNCTION


_names = inspect.signature(_make_function)


def _noting(self: Any, *args: Any, **kws: Any) -> None:
    """Numba's own, which also notes which variable has the annotations."""
    _make_function(self, *args, **kws)
    given = _names.bind(self, *args, **kws).arguments
    if isinstance(given["annotations"], str):
        made = self.definitions[given["res"]][-1]
        made.annotations = self.get(given["annotations"])


Interpreter.op_MAKE_FUNCTION = _noting


def drop_annotations(func_ir: Any) -> bool:
    """Leave out what only computes annotations, unless computing them is an error or depends on
    variables; true if there was any. Raises UnsupportedError for a name that is not defined."""
    gone: set[str] = set()
    for block in func_ir.blocks.values():
        for made in block.find_exprs("make_function"):
            held = made._kws.pop("annotations", None)
            if held is not None:
                gone |= _computing(func_ir, held)
    if gone:
        for block in func_ir.blocks.values():
            block.body = [
                each
                for each in block.body
                if getattr(getattr(each, "target", None), "name", None) not in gone
                and not (isinstance(each, ir.Del) and each.value in gone)
            ]
        for name in gone:
            func_ir._definitions.pop(name, None)
    return bool(gone)


def _computing(func_ir: Any, held: Any) -> set[str]:
    """The names that annotations are computed from, and their own."""
    names: set[str] = set()
    try:
        _value(func_ir, held, names)
    except errors.UnsupportedError:
        raise
    except Exception:  # whatever the objects in annotations raise
        return set()
    return names


_SIMPLE: Final = (ir.Const, ir.Global, ir.FreeVar)


def _value(func_ir: Any, variable: Any, names: set[str]) -> Any:
    """The value of a temporary variable, whose name and those of what it is computed from enter
    `names`. Raises what computing it raises, UnsupportedError, or LookupError if it is not known
    before the code runs."""
    definitions = func_ir._definitions.get(variable.name, ())
    if not variable.is_temp or len(definitions) != 1:
        raise LookupError(variable.name)
    names.add(variable.name)
    (made,) = definitions
    if isinstance(made, ir.Var):
        return _value(func_ir, made, names)
    if isinstance(made, _SIMPLE):
        if made.value is ir.UNDEFINED:
            raise errors.UnsupportedError(f"the name {made.name} is not defined", made.loc)
        return made.value
    if not isinstance(made, ir.Expr):
        raise LookupError(variable.name)
    parts = [_value(func_ir, each, names) for each in made.list_vars()]
    if made.op == "getattr":
        return getattr(parts[0], made.attr)
    if made.op == "static_getitem":
        return parts[0][made.index]
    if made.op == "getitem":
        return parts[0][parts[1]]
    if made.op == "binop":
        return made.fn(*parts)
    if made.op in ("build_tuple", "build_list"):
        return tuple(parts) if made.op == "build_tuple" else parts
    raise LookupError(variable.name)
