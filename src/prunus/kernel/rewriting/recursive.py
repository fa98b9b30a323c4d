"""Calls of inner functions that call themselves, directly or through each other: they are lifted
out of the function around them (`lifting.py`), which hands them what they use of it."""

from __future__ import annotations

import types as pytypes
from typing import Any

from numba.core import errors, ir, ir_utils

from prunus.kernel.code.learnt import learnt
from prunus.kernel.rewriting.held import assigns, check_made, closed_over, original
from prunus.kernel.rewriting.lifting import Family, NotLifted, lifted
from prunus.kernel.rewriting.marks import catches

_functions: dict[Any, Any] = learnt()
"""The lifted functions, by the codes of their families, their modules and their defaults; each with
its module, whose identity is part of the key."""


def is_recursive(func_ir: Any, made: Any) -> bool:
    """Whether an inner function calls itself, directly or through others."""
    return bool(made.closure) and any(
        _reaches(func_ir, each, made) for _, each in _called(func_ir, made)
    )


def _reaches(func_ir: Any, start: Any, made: Any) -> bool:
    """Whether an inner function is another one, or calls it, directly or through others."""
    seen: list[Any] = []
    work = [start]
    while work:
        each = work.pop()
        if each is made:
            return True
        if not any(each is other for other in seen):
            seen.append(each)
            work += [called for _, called in _called(func_ir, each)]
    return False


def lift_call(func_ir: Any, label: int, i: int, made: Any) -> None:
    """Make the call that is statement `i` of a block one of the lifted function, if that calls
    itself. Raises UnsupportedError."""
    block = func_ir.blocks[label]
    statement = block.body[i]
    call, scope, loc = statement.value, block.scope, statement.loc
    if call._kws.get("vararg") is not None or call._kws.get("varkwarg") is not None:
        raise refused(loc, "if it is called with a starred argument", "write the items out")
    try:
        whole = _whole(func_ir, made)
        for each in whole.values():
            check_made(func_ir, label, i, each, loc)
        family, held = _of(func_ir, made, whole)
        function = _lifted(func_ir, made, whole, family)
    except NotLifted as why:
        raise refused(loc, str(why)) from None
    before, given, after = [], [], []
    for name in family.taken:
        variable, read = _read(func_ir, scope, name, held[name], loc)
        before.append(read)
        place = read.target
        if name in family.changed:
            _expect_no_handler(func_ir, name, read)
            cell = scope.redefine("$cell", loc=loc)
            before.append(ir.Assign(ir.Expr.build_list([place], loc), cell, loc))
            after += _first_item(scope, cell, variable, loc)
            place = cell
        given.append(place)
    called, result = (scope.redefine(name, loc=loc) for name in ("$lifted", "$result"))
    before.append(ir.Assign(ir.Global(function.__name__, function, loc), called, loc))
    call = ir.Expr.call(called, [*given, *call.args], call.kws, loc)
    before.append(ir.Assign(call, result, loc))
    # The result may go where the function has assigned: it comes later.
    block.body[i : i + 1] = [*before, *after, statement]
    statement.value = result


def _expect_no_handler(func_ir: Any, name: str, read: Any) -> None:
    """Raise UnsupportedError if a variable that is assigned may be asked for after an error: then
    nothing would give it what is in the list."""
    if catches(func_ir) or isinstance(read.value, ir.FreeVar):
        raise refused(
            read.loc,
            f"if it assigns {name!r}, of a function around it that has a `try` or is not the next "
            "one",
            f"use a list of one item, `{name} = [...]`",
        )


def _read(func_ir: Any, scope: Any, name: str, held: Any, loc: Any) -> tuple[Any, Any]:
    """The variable of a name that an inner function holds, and a statement that reads it now."""
    variable: Any = original(func_ir, held)
    value = func_ir._definitions.get(variable.name, ())
    source = variable
    if len(value) == 1 and isinstance(value[0], ir.FreeVar):
        # It is a variable of a function further out.
        variable, source = scope.get_or_define(name, loc), value[0]
    read = ir.Assign(source, scope.redefine("$taken", loc=loc), loc)
    read.reads_free = True
    read.reads_early = True
    return variable, read


def refused(loc: Any, why: str, instead: str = "make it a function of the module") -> Exception:
    """The error for an inner function that calls itself and cannot be lifted."""
    return errors.UnsupportedError(
        f"an inner function that calls itself cannot be compiled {why}: {instead}", loc
    )


def _first_item(scope: Any, cell: Any, variable: Any, loc: Any) -> list[Any]:
    zero, item = scope.redefine("$zero", loc=loc), scope.redefine("$item", loc=loc)
    return [
        ir.Assign(ir.Const(0, loc), zero, loc),
        ir.Assign(ir.Expr.getitem(cell, zero, loc), item, loc),
        ir.Assign(item, variable, loc),
    ]


def _called(func_ir: Any, made: Any) -> list[tuple[str, Any]]:
    """The inner functions that an inner function uses, with their names in it."""
    found = []
    for name, variable in zip(made.code.co_freevars, closed_over(func_ir, made), strict=True):
        known = ir_utils.guard(ir_utils.get_definition, func_ir, variable)
        if isinstance(known, ir.Expr) and known.op == "make_function":
            found.append((name, known))
    return found


def _whole(func_ir: Any, made: Any) -> dict[str, Any]:
    """The inner functions that one that calls itself leads to, itself among them, by their names.
    Raises NotLifted if two have the same name."""
    found, work = dict[str, Any](), _called(func_ir, made)
    while work:
        name, each = work.pop()
        if name not in found:
            found[name] = each
            work += _called(func_ir, each)
        elif found[name] is not each:
            raise NotLifted(f"if two functions have the name {name!r}")
    return found


def _of(func_ir: Any, made: Any, whole: dict[str, Any]) -> tuple[Family, dict[str, Any]]:
    """The family of a function that calls itself, and the variables that it takes. Raises
    NotLifted."""
    group = {name: each for name, each in whole.items() if is_recursive(func_ir, each)}
    helpers = {name: each for name, each in whole.items() if name not in group}
    held = _held(func_ir, whole)
    taken = tuple(sorted(held))
    family = Family(
        {name: each.code for name, each in group.items()},
        {name: each.code for name, each in helpers.items()},
        {name: _defaults(func_ir, each) for name, each in helpers.items()},
        taken,
        frozenset(
            name for name in taken if any(assigns(each.code, name) for each in whole.values())
        ),
    )
    return family, held


def _held(func_ir: Any, whole: dict[str, Any]) -> dict[str, Any]:
    """The variables around a family that it uses, by their names. Raises NotLifted if a name means
    more than one."""
    held: dict[str, Any] = {}
    for made in whole.values():
        for name, variable in zip(made.code.co_freevars, closed_over(func_ir, made), strict=True):
            if name in whole:
                continue
            if not isinstance(variable, ir.Var):
                raise NotLifted(f"if it uses {name!r} of a function around that has ended")
            known = held.setdefault(name, variable)
            if not _is_same(func_ir, known, variable):
                raise NotLifted(f"if two variables have the name {name!r}")
    return held


def _is_same(func_ir: Any, one: Any, other: Any) -> bool:
    first, second = original(func_ir, one), original(func_ir, other)
    if first.name == second.name:
        return True
    values = [func_ir._definitions.get(each.name, ()) for each in (first, second)]
    return all(len(each) == 1 and isinstance(each[0], ir.FreeVar) for each in values) and (
        values[0][0].name == values[1][0].name
    )


def _lifted(func_ir: Any, made: Any, whole: dict[str, Any], family: Family) -> Any:
    """The function that `made` becomes."""
    module = func_ir.func_id.func.__globals__
    defaults = {name: _defaults(func_ir, whole[name]) for name in family.group}
    key = (
        made.code,
        made.code.co_filename,
        *family.group.items(),
        *family.helpers.items(),
        id(module),
        *((name, *map(repr, values)) for name, values in (defaults | family.defaults).items()),
    )
    if key not in _functions:
        cells = {name: pytypes.CellType() for name in family.group}
        functions = {}
        for name, code in lifted(family).items():
            held = tuple(cells[free] for free in code.co_freevars)
            functions[name] = pytypes.FunctionType(code, module, name, defaults[name], held)
            cells[name].cell_contents = functions[name]
        own = next(name for name in family.group if whole[name] is made)
        _functions[key] = functions[own], module
    return _functions[key][0]


def _defaults(func_ir: Any, made: Any) -> tuple[Any, ...]:
    """The values of a function's defaults. Raises NotLifted if they are not known."""
    given = made.defaults
    if isinstance(given, ir.Var | str):
        given = func_ir.get_definition(given)
    if isinstance(given, ir.Const):
        given = given.value
    given = getattr(given, "items", given) or ()
    values = []
    for each in given:
        known = each
        if isinstance(each, ir.Var):
            known = ir_utils.guard(ir_utils.get_definition, func_ir, each)
            if not isinstance(known, ir.Const | ir.Global):
                raise NotLifted("if a default of it is computed")
            known = known.value
        if not isinstance(known, int | float | str | None):
            raise NotLifted("if a default of it is no number")
        values.append(known)
    return tuple(values)
