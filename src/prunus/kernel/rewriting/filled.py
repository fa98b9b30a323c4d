"""Which lists only collect the items of one loop for a tuple: see `filling.py`.

Such a list is created right before its loop, gets one item per iteration, and is only used to make
the tuple, so that nothing sees where it is stored. The types of what the loop iterates over tell
the number of items.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.core.bits import with_item
from prunus.core.state import fields_of, is_state_class
from prunus.kernel.containers.lengths import loop_around, nest_before
from prunus.kernel.containers.sequences import call_instead, tuple_of
from prunus.kernel.rewriting.escapes import come_from, definition, function_of, names_of, statements
from prunus.kernel.rewriting.filling import filled_list
from prunus.kernel.rewriting.fitting import fit_items
from prunus.kernel.rewriting.gathering import gathered
from prunus.kernel.rewriting.replacing import one_changed


@register_pass(mutates_CFG=False, analysis_only=False)
class FilledLists(FunctionPass):
    """Makes such lists by `filled_list`."""

    _name = "prunus_filled_lists"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        if func_ir.is_generator:
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        changed = False
        for _, _, statement in list(statements(func_ir)):
            call = statement.value if isinstance(statement, ir.Assign) else None
            if (
                isinstance(call, ir.Expr)
                and call.op == "call"
                and function_of(func_ir, call.func) is tuple_of
            ):
                changed |= _fill(func_ir, statement, state.args) or _like_field(
                    func_ir, statement, state.args
                )
        if changed:
            func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        return changed


def _fill(func_ir: Any, made: Any, args: Any) -> bool:
    """Do so for the list that a statement turns into a tuple; false if it is another kind of
    list."""
    items, witness = made.value.args
    names = names_of(func_ir, [items.name])
    begins = [
        found
        for found in statements(func_ir)
        if begins_list(found[2]) and found[2].target.name in names
    ]
    known = definition(func_ir, witness)
    if (
        len(begins) != 1
        or not come_from(func_ir, names, [begins[0][2].value])
        or (isinstance(known, ir.Const) and not known.value)
    ):
        return False
    label, _, begin = begins[0]
    found = _adding(func_ir, names, made)
    end = next(place for place, _, statement in statements(func_ir) if statement is made)
    entry = entry_of(func_ir, [place for place, _ in found], label, end) if found else None
    if entry is None or not all(len(func_ir._definitions[name]) == 1 for name in names):
        return False
    adding = gathered(func_ir, found)
    field = field_of(func_ir, made.target.name, args)
    how = (witness, field, False)
    begin_at(func_ir, entry, (label, begin, names), how)
    keep_loop(func_ir, adding)
    if field:
        fit_items(func_ir, adding, names, how)
    return True


def _like_field(func_ir: Any, made: Any, args: Any) -> bool:
    """If nothing tells the length of a tuple that only goes into a field of a State, let it be that
    of the same field of a State among the function's arguments; false for other tuples."""
    witness = definition(func_ir, made.value.args[1])
    field = field_of(func_ir, made.target.name, args)
    if not field or not isinstance(witness, ir.Const) or type(witness.value) is int:
        return False
    name = field.split("'")[1]
    for _, block, statement in list(statements(func_ir)):
        given = statement.value if isinstance(statement, ir.Assign) else None
        if not isinstance(given, ir.Arg) or len(func_ir._definitions[statement.target.name]) != 1:
            continue
        kind = args[given.index] if given.index < len(args) else None
        cls = getattr(kind, "instance_class", None)
        if cls is None or not is_state_class(cls) or name not in cls._fields:
            continue
        like = block.scope.redefine(ir_utils.mk_unique_var("$like"), loc=made.loc)
        asked = ir.Assign(ir.Expr.getattr(statement.target, name, made.loc), like, made.loc)
        here = next(block for _, block, other in statements(func_ir) if other is made)
        here.body.insert(here.body.index(made), asked)
        made.value.args = [made.value.args[0], like]
        return True
    return False


def begin_at(
    func_ir: Any, entry: int, begun: tuple[int, Any, set[str]], how: tuple[Any, ...]
) -> None:
    """Create the list at the end of block `entry`, where a loop is entered: only there is known
    what the loop iterates over. So far it is created by a statement of a block, for these names.
    `how` are the arguments of `filled_list`."""
    label, begin, names = begun
    block = func_ir.blocks[label]
    first = block.body.index(begin)
    moved = [statement for statement in block.body[first:] if _only_names(statement, names)]
    block.body = [
        statement for statement in block.body if not any(statement is other for other in moved)
    ]
    func_ir.blocks[entry].body[-1:-1] = moved
    call_instead(func_ir.blocks[entry], begin, filled_list, *how)


def keep_loop(func_ir: Any, adding: list[int]) -> None:
    """Mark the back edges of the loop around some blocks."""
    cfg = ir_utils.compute_cfg_from_blocks(func_ir.blocks)
    inner = loop_around(cfg, adding)
    for place, _ in cfg.predecessors(inner.header):
        if place in inner.body:
            jump = func_ir.blocks[place].terminator
            jump.loc = copy(jump.loc)
            jump.loc.stays_loop = True


def begins_list(statement: Any) -> bool:
    """Whether a statement creates an empty list."""
    value = statement.value if isinstance(statement, ir.Assign) else None
    return isinstance(value, ir.Expr) and value.op == "build_list" and not value.items


def _only_names(statement: Any, names: set[str]) -> bool:
    """Whether a statement creates the list or gives it another name."""
    return isinstance(statement, ir.Assign) and statement.target.name in names


def _adding(func_ir: Any, names: set[str], made: Any) -> list[tuple[int, Any]]:
    """The statements that look up the list's `append`, with the labels of their blocks; none if
    anything else is done with the list than to make the tuple."""
    adding = []
    for label, _, statement in statements(func_ir):
        if isinstance(statement, ir.Del) or statement is made or begins_list(statement):
            continue
        if adds_item(func_ir, statement, names):
            adding.append((label, statement))
        elif any(variable.name in names for variable in statement.list_vars()) and not gives_name(
            statement, names
        ):
            return []
    return adding


def gives_name(statement: Any, names: set[str]) -> bool:
    """Whether a statement gives the list another name."""
    return _only_names(statement, names) and isinstance(statement.value, ir.Var)


def adds_item(func_ir: Any, statement: Any, names: set[str]) -> bool:
    """Whether a statement looks up `append` of the list, for one call."""
    value = statement.value if isinstance(statement, ir.Assign) else None
    return (
        isinstance(value, ir.Expr)
        and value.op == "getattr"
        and value.attr == "append"
        and value.value.name in names
        and _is_called_once(func_ir, statement.target.name)
    )


def _is_called_once(func_ir: Any, method: str) -> bool:
    """Whether the only use of a method, under any name, is one call."""
    names, calls = names_of(func_ir, [method]), 0
    for _, _, statement in statements(func_ir):
        value = statement.value if isinstance(statement, ir.Assign) else None
        if isinstance(value, ir.Expr) and value.op == "call" and value.func.name in names:
            calls += 1
            if any(variable.name in names for variable in value.args):
                return False
        elif isinstance(statement, ir.Assign) and statement.target.name in names:
            if not isinstance(value, ir.Var) and statement.target.name != method:
                return False
        elif not isinstance(statement, ir.Del) and any(
            variable.name in names for variable in statement.list_vars()
        ):
            return False
    return calls == 1


def entry_of(func_ir: Any, adding: list[int], begin: int, end: int | None = None) -> int | None:
    """The one block from which the loop around some blocks is entered (of nested loops, the one
    that certainly begins before block `end`), if the list is created each time that happens;
    otherwise None."""
    cfg = ir_utils.compute_cfg_from_blocks(func_ir.blocks)
    loops = list(cfg.loops().values())
    nest = [] if end is None else nest_before(cfg, adding, end)
    inner = nest[-1] if nest else loop_around(cfg, adding)
    if inner is None or begin in inner.body:
        return None
    entries = [place for place, _ in cfg.predecessors(inner.header) if place not in inner.body]
    if (
        len(entries) != 1
        or not isinstance(func_ir.blocks[entries[0]].terminator, ir.Jump)
        or begin not in cfg.dominators()[entries[0]]
    ):
        return None
    same = all((begin in loop.body) == (entries[0] in loop.body) for loop in loops)
    return entries[0] if same else None


def field_of(func_ir: Any, name: str, args: Any, seen: frozenset[str] = frozenset()) -> str:
    """The field of a State that is the tuple's only use, perhaps with an item changed, in the form
    that `filled_list` takes; "" if there is any other use."""
    found: set[str] = set()
    names = names_of(func_ir, [name])
    seen = seen | names
    for variable in names:
        changed, parts = _changed(func_ir, variable)
        found |= {field_of(func_ir, target, args, seen) for target in changed - seen}
        for _, _, statement in statements(func_ir):
            value = statement.value if isinstance(statement, ir.Assign) else None
            target = getattr(getattr(statement, "target", None), "name", "")
            uses = not isinstance(statement, ir.Del) and any(
                used.name == variable for used in statement.list_vars()
            )
            if uses and not isinstance(value, ir.Var) and target not in (variable, *parts):
                found.add(
                    _field_of_call(func_ir, value, variable, args)
                    if isinstance(value, ir.Expr) and value.op == "call"
                    else ""
                )
    return found.pop() if len(found) == 1 else ""


def _changed(func_ir: Any, name: str) -> tuple[set[str], set[str]]:
    """The names that get a tuple with one item changed (`with_item(t, i, v)`, `t[:i] + (v,) + t[i +
    1:]`), and those of the expressions that take part in it."""
    changed, parts = set(), set()
    for _, _, statement in statements(func_ir):
        value = statement.value if isinstance(statement, ir.Assign) else None
        if not isinstance(value, ir.Expr):
            continue
        target = statement.target.name
        if value.op == "call" and function_of(func_ir, value.func) is with_item:
            given = [given.name for given in value.args]
            if not value.kws and given[:1] == [name] and given.count(name) == 1:
                changed.add(target)
                parts.add(target)
        elif value.op == "binop":
            found = one_changed(func_ir, statement)
            if found is not None and found[0].name == name:
                changed.add(target)
                parts |= {target, *found[3]}
    return changed, parts


def _field_of_call(func_ir: Any, call: Any, name: str, args: Any) -> str:
    """The same for an argument of a call; a State in which two fields get the tuple counts as
    another use."""
    cls = _state_class(func_ir, definition(func_ir, call.func), args)
    if cls is None or call.vararg is not None:
        return ""
    fields = {field.name: field for field in fields_of(cls)}
    given = [*zip(fields, call.args, strict=False), *call.kws]
    found = [field for field, variable in given if variable.name == name and field in fields]
    field = fields[found[0]] if len(found) == 1 else None
    if field is None or field.scalar is None or field.is_text or field.columns:
        return ""
    if not field.is_tuple:
        return ""
    return f"{field.scalar.__name__} State field {field.name!r}"


def makes_state(func_ir: Any, args: Any) -> bool:
    """Whether a function has a call for which `field_of` may name a field."""
    calls = (getattr(statement, "value", None) for _, _, statement in statements(func_ir))
    return any(
        isinstance(call, ir.Expr)
        and call.op == "call"
        and _state_class(func_ir, definition(func_ir, call.func), args) is not None
        for call in calls
    )


def _state_class(func_ir: Any, called: Any, args: Any) -> Any:
    """The State class that `self.State(...)`, `State(...)` or `state._replace(...)` builds; None if
    it is not known here."""
    cls = called.value if isinstance(called, ir.Global | ir.FreeVar) else None
    if isinstance(called, ir.Expr) and called.op == "getattr":
        owner = definition(func_ir, called.value)
        kind = args[owner.index] if isinstance(owner, ir.Arg) and owner.index < len(args) else None
        if called.attr == "State":
            cls = getattr(getattr(kind, "game", None), "State", None)
        elif called.attr == "_replace" and isinstance(owner, ir.Expr) and owner.op == "call":
            return _state_class(func_ir, definition(func_ir, owner.func), args)
        elif called.attr == "_replace":
            cls = getattr(kind, "instance_class", None)
    return cls if isinstance(cls, type) and is_state_class(cls) else None
