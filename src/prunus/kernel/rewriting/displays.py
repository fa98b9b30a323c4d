"""Lists, dictionaries and sets of constants that are written in a function and only read there:
`steps = [1, -1]`, `{0: 0, 1: 2, 2: 1}[cell]`; and those made of constants: `CORNERS - {7}`,
`LINES + ROWS`, `frozenset(EDGES)`.

They are the same each time, so that they need no heap memory: compiled code looks them up like
constants of the module.
"""

from __future__ import annotations

import operator
from collections import Counter
from types import ModuleType
from typing import Any

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.containers.known_tables import Constant
from prunus.kernel.containers.memory import UNKNOWN
from prunus.kernel.containers.table_types import looked_up
from prunus.kernel.numbers.operators import meant
from prunus.kernel.numbers.wide import constant
from prunus.kernel.rewriting.escapes import come_from, definition, function_of, names_of, statements
from prunus.kernel.rewriting.inlining import is_slice, used_variables

_BUILDING = ("build_list", "build_map", "build_set")

_JOINING = (operator.add, operator.sub, operator.or_, operator.and_, operator.xor)

_METHODS = ("index", "count", "get", "keys", "values", "items")

_CHANGING = ("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse")

_FUNCTIONS = (len, enumerate, reversed)


@register_pass(mutates_CFG=False, analysis_only=False)
class Displays(FunctionPass):
    """Makes them constants."""

    _name = "prunus_displays"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        written = [
            statement
            for _, _, statement in statements(func_ir)
            if isinstance(statement, ir.Assign) and _may_be_constant(statement.value)
        ]
        copies = [
            (block, statement)
            for block in func_ir.blocks.values()
            for statement in block.find_insts(ir.Assign)
            if _may_copy(statement.value)
        ]
        if not written and not copies:
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        changed = [_copy_first(func_ir, *copy, state.args) for copy in copies]
        changed += [_make_constant(func_ir, statement, state.args) for statement in written]
        if any(changed):
            func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        return any(changed)


def _may_copy(value: Any) -> bool:
    return isinstance(value, ir.Expr) and value.op in ("getitem", "static_getitem")


def _copy_first(func_ir: Any, block: Any, statement: Any, args: Any) -> bool:
    """Take a slice that is changed, `cells = self.cells[:]`, from a list of a constant's items;
    false if the statement takes none."""
    value = statement.value
    if not (
        is_slice(func_ir, value.index)
        and type(constant_in(func_ir, value.value, args)) is list
        and _is_changed(func_ir, statement.target.name)
    ):
        return False
    made, items = (
        block.scope.redefine(ir_utils.mk_unique_var(name), loc=statement.loc)
        for name in ("$list", "$items")
    )
    before = [
        ir.Assign(ir.Global("list", list, statement.loc), made, statement.loc),
        ir.Assign(ir.Expr.call(made, [value.value], (), statement.loc), items, statement.loc),
    ]
    place = block.body.index(statement)
    block.body[place:place] = before
    value.value = items
    for each in before:
        func_ir._definitions[each.target.name] = [each.value]
    return True


def _may_be_constant(value: Any) -> bool:
    if not isinstance(value, ir.Expr):
        return False
    if value.op in _BUILDING:
        return bool(value.items)
    return value.op == "call" or (value.op == "binop" and meant(value) in _JOINING)


def _make_constant(func_ir: Any, statement: Any, args: Any) -> bool:
    """Do so for what one statement writes; false if it is not constant, or not only read."""
    value = _value(func_ir, statement.value)
    if value is None:
        value = _made(func_ir, statement.value, args)
    if value is None or looked_up(constant(value)) is value:
        return False
    names = names_of(func_ir, [statement.target.name])
    if not come_from(func_ir, names, [statement.value]):
        return False
    users = [
        other
        for _, _, other in statements(func_ir)
        if other is not statement and any(used.name in names for used in other.list_vars())
    ]
    if not all(_only_reads(func_ir, user, names) for user in users):
        return False
    before = statement.value
    sides = [before.lhs, before.rhs] if before.op == "binop" else []
    for side in [side for side in sides if _is_alone(func_ir, side)]:
        _drop(func_ir, side)
    statement.value = ir.Global("display", value, statement.loc)
    func_ir._definitions[statement.target.name] = [statement.value]
    return True


def _made(func_ir: Any, made: Any, args: Any) -> Any:
    """What an operator makes of two constant sets, dictionaries or lists, or a function of a
    constant set; None for others. Sets keep the order that they have in Python."""
    if not isinstance(made, ir.Expr):
        return None
    if made.op == "binop" and meant(made) in _JOINING:
        sides = [_side(func_ir, side, args) for side in (made.lhs, made.rhs)]
        if all(isinstance(side, set | frozenset) for side in sides) or (
            (meant(made) is operator.or_ and all(type(side) is dict for side in sides))
            or (meant(made) is operator.add and all(type(side) is list for side in sides))
        ):
            return meant(made)(*sides)
    if made.op == "call" and len(made.args) == 1 and not made.kws and made.vararg is None:
        function = function_of(func_ir, made.func)
        items = constant_in(func_ir, made.args[0], args)
        if function in (frozenset, set) and isinstance(items, set | frozenset | list | tuple):
            return function(items)
    return None


def _side(func_ir: Any, variable: Any, args: Any) -> Any:
    """The constant on one side of an operator, which may be written there."""
    known = constant_in(func_ir, variable, args)
    if known is not None:
        return known
    made = definition(func_ir, variable)
    value = _value(func_ir, made)
    if value is None:
        value = _made(func_ir, made, args)
    # Counting the uses takes longest, and few sums are of constants.
    return value if value is not None and _is_alone(func_ir, variable) else None


def _is_alone(func_ir: Any, variable: Any) -> bool:
    """Whether what a variable holds is only a part of an expression, used once under each of its
    names: a comprehension begins with an empty list that another name fills."""
    used = Counter(used_variables(func_ir))
    while isinstance(variable, ir.Var):
        made = func_ir._definitions[variable.name]
        if not variable.is_temp or used[variable.name] != 1 or len(made) != 1:
            return False
        variable = made[0]
    return True


def _drop(func_ir: Any, variable: Any) -> None:
    """Do not compute what only an expression needed that is now a constant."""
    for _, _, statement in statements(func_ir):
        value = statement.value if isinstance(statement, ir.Assign) else None
        if isinstance(value, ir.Expr) and statement.target.name == variable.name:
            statement.value = ir.Const(None, statement.loc)
            for side in (value.lhs, value.rhs) if value.op == "binop" else ():
                _drop(func_ir, side)


def constant_in(func_ir: Any, variable: Any, args: Any) -> Any:
    """The constant of the module, a class or the game, or the tuple of constants, that a variable
    holds; None for others. Instead of the variable, what it is assigned may be given."""
    found = definition(func_ir, variable) if isinstance(variable, ir.Var) else variable
    if isinstance(found, ir.Global | ir.FreeVar | ir.Const):
        return found.value.value if isinstance(found.value, Constant) else found.value
    if isinstance(found, ir.Expr) and found.op == "build_tuple":
        return tuple(constant_in(func_ir, item, args) for item in found.items)
    if not (isinstance(found, ir.Expr) and found.op == "getattr"):
        return None
    owner = definition(func_ir, found.value)
    if isinstance(owner, ir.Arg):
        kind = args[owner.index] if owner.index < len(args) else None
        held = UNKNOWN if not hasattr(kind, "game") else kind.constant(found.attr)
        return None if held is UNKNOWN else held
    named = constant_in(func_ir, found.value, args)
    return getattr(named, found.attr, None) if isinstance(named, type | ModuleType) else None


def _value(func_ir: Any, made: Any, is_item: bool = False) -> Any:
    """The constant that an expression makes; None for others, and for an item that could be changed
    itself."""
    if isinstance(made, ir.Const | ir.Global | ir.FreeVar):
        return made.value if type(made.value) in (int, bool, tuple) else None
    known = ("build_tuple",) if is_item else (*_BUILDING, "build_tuple")
    if not isinstance(made, ir.Expr) or made.op not in known:
        return None
    rows = [item if made.op == "build_map" else (item,) for item in made.items]
    found = [
        tuple(_value(func_ir, definition(func_ir, part), True) for part in row) for row in rows
    ]
    if any(None in row for row in found):
        return None
    if made.op == "build_map":
        return dict(found)
    return {"build_list": list, "build_set": set, "build_tuple": tuple}[made.op](
        row[0] for row in found
    )


def _is_changed(func_ir: Any, name: str) -> bool:
    """Whether this function changes what is assigned to this name, whatever other names it has, or
    puts it into a list, where it might."""
    names = names_of(func_ir, [name])
    return any(_changes(func_ir, other, names) for _, _, other in statements(func_ir))


def _changes(func_ir: Any, statement: Any, names: set[str]) -> bool:
    if isinstance(statement, ir.SetItem | ir.StaticSetItem | ir.DelItem):
        return statement.target.name in names
    value = statement.value if isinstance(statement, ir.Assign) else None
    if not isinstance(value, ir.Expr):
        return False
    if value.op == "getattr":
        return value.value.name in names and value.attr in _CHANGING
    if value.op == "build_list":
        return any(item.name in names for item in value.items)
    if value.op == "call" and any(given.name in names for given in value.args):
        return getattr(definition(func_ir, value.func), "attr", "") == "append"
    return value.op == "inplace_binop" and value.lhs.name in names


def _only_reads(func_ir: Any, user: Any, names: set[str]) -> bool:
    """Whether a statement only reads what these names hold, or gives it another name."""
    if isinstance(user, ir.Del):
        return True
    value = user.value if isinstance(user, ir.Assign) else None
    if isinstance(value, ir.Var):
        return True
    if not isinstance(value, ir.Expr):
        return False
    if value.op in ("getitem", "static_getitem"):
        return (
            value.value.name in names
            and getattr(value.index, "name", "") not in names
            and not (is_slice(func_ir, value.index) and _is_changed(func_ir, user.target.name))
        )
    if value.op == "getiter":
        return True
    if value.op == "getattr":
        return value.attr in _METHODS
    if value.op == "binop":
        return meant(value) is operator.contains and value.rhs.name not in names
    return value.op == "call" and function_of(func_ir, value.func) in _FUNCTIONS
