"""What the parameters of an inner function get when it is called. Numba gives defaults to the
parameters that come after the positional arguments, whichever they belong to, and drops keywords.
"""

from __future__ import annotations

import inspect
from typing import Any

from numba.core import errors, ir, ir_utils


def given_to(func_ir: Any, made: Any, call: Any, loc: Any) -> list[Any]:
    """A variable or constant for each parameter of the inner function that `made` makes, in the
    order of its signature. Raises UnsupportedError if the arguments do not fit, or if one of them
    is starred."""
    code = made.code
    if call._kws.get("vararg") is not None or call._kws.get("varkwarg") is not None:
        raise _refused("is called with a starred argument: write the items out", code, loc)
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        raise _refused("has a starred parameter: write a method", code, loc)
    count = code.co_argcount + code.co_kwonlyargcount
    names = code.co_varnames[:count]
    given = dict(zip(names[: code.co_argcount], call.args, strict=False))
    keywords = dict(call.kws)
    if (
        len(call.args) > code.co_argcount
        or keywords.keys() & {*given, *names[: code.co_posonlyargcount]}
        or not keywords.keys() <= set(names)
    ):
        raise _refused("is called with other arguments than it has parameters", code, loc)
    given |= keywords
    defaults = _defaults(func_ir, made)
    last = names[code.co_argcount - len(defaults) : code.co_argcount]
    given = dict(zip(last, defaults, strict=True)) | given
    missing = [name for name in names if name not in given]
    if missing:
        raise _refused(f"is called without {missing[0]!r}", code, loc)
    return [given[name] for name in names]


def _refused(what: str, code: Any, loc: Any) -> Exception:
    return errors.UnsupportedError(f"the inner function {code.co_name!r} {what}", loc)


def _defaults(func_ir: Any, made: Any) -> list[Any]:
    """The values of the defaults when the function was made."""
    known = made.defaults
    if not known:
        return []
    if isinstance(known, ir.Var | str):
        tuple_made = func_ir.get_definition(known)
        if isinstance(tuple_made, ir.Const):
            return [ir.Const(value, made.loc) for value in tuple_made.value]
        known = tuple_made.items
    return [_kept(func_ir, made, each) for each in known]


def _kept(func_ir: Any, made: Any, default: Any) -> Any:
    """A default as a constant, or as a variable that is assigned only where the function is
    made."""
    if not isinstance(default, ir.Var):
        return ir.Const(default, made.loc)
    found = ir_utils.guard(ir_utils.get_definition, func_ir, default)
    if isinstance(found, ir.Const):
        return ir.Const(found.value, made.loc)
    if default.is_temp and len(func_ir._definitions[default.name]) == 1:
        return default
    copies = made._kws.setdefault("kept", {})
    if default.name not in copies:
        copies[default.name] = _copied(func_ir, made, default)
    return copies[default.name]


def _copied(func_ir: Any, made: Any, variable: Any) -> Any:
    """A copy of a variable, made just before the function."""
    for block in func_ir.blocks.values():
        for place, statement in enumerate(block.body):
            if isinstance(statement, ir.Assign) and statement.value is made:
                copy = block.scope.redefine("$default", loc=made.loc)
                block.body.insert(place, ir.Assign(variable, copy, made.loc))
                func_ir._definitions[copy.name] = [variable]
                return copy
    raise errors.UnsupportedError(
        f"the default of the inner function {made.code.co_name!r} changes: write a method",
        made.loc,
    )
