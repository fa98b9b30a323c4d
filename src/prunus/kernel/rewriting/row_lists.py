"""Which lists of lists are made of the rows of a board and never leave the function that makes them
(`containers/row_lists.py`).

`rows = [list(row) for row in board]` stays if every name it has is only used to look up rows, to go
over them and for their number, and every name of a row as that of a list that stays (`escapes.py`).
If it is made repeatedly in a loop, all these names must moreover be assigned before each of their
uses.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.containers.lengths import is_passed_once, loop_around
from prunus.kernel.containers.row_lists import row_lists
from prunus.kernel.containers.sequences import call_instead, sized_list
from prunus.kernel.rewriting.escapes import (
    DEPTH,
    Watch,
    are_latest,
    assigns_call,
    come_from,
    definition,
    is_in_loop,
    names_of,
    statements,
    used_in,
)


@register_pass(mutates_CFG=False, analysis_only=False)
class RowLists(FunctionPass):
    """Makes such lists by `row_lists`."""

    _name = "prunus_row_lists"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        if func_ir.is_generator or not any(
            assigns_call(func_ir, statement, sized_list) for _, _, statement in statements(func_ir)
        ):
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        changed = False
        for label, block, statement in list(statements(func_ir)):
            value = statement.value if isinstance(statement, ir.Assign) else None
            if isinstance(value, ir.Expr) and value.op == "build_list" and not value.items:
                changed |= _rewrite(func_ir, state.args, label, block, statement)
        return changed


class _Filled(NamedTuple):
    """How a list is filled: the statements that look up `append`, call it and make the row, the one
    that begins to go over the rows, with its block, and the loop."""

    filling: tuple[Any, ...]
    block: Any
    begin: Any
    loop: Any


def _rewrite(func_ir: Any, args: Any, label: int, block: Any, statement: Any) -> bool:
    names = names_of(func_ir, [statement.target.name])
    filled = _filled(func_ir, names, statement)
    if filled is None or not come_from(func_ir, names, [statement.value]):
        return False
    rows = _rows(func_ir, names, filled)
    if rows is None or not come_from(func_ir, rows, _makers(func_ir, names)):
        return False
    again = is_in_loop(func_ir, label)
    watch = Watch(func_ir, rows, args, not again, DEPTH)
    if (again and not are_latest(func_ir, names | rows)) or not watch.stays():
        return False
    place, begin = filled.block, filled.begin
    held = place.scope.redefine(ir_utils.mk_unique_var("$rows"), loc=begin.loc)
    place.body.insert(place.body.index(begin), ir.Assign(begin.value.value, held, begin.loc))
    for each in filled.filling:
        each.value = ir.Const(None, each.loc)
    call_instead(block, statement, row_lists, held, watch.becomes_tuple())
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    return True


def _filled(func_ir: Any, names: set[str], empty: Any) -> _Filled | None:
    """How a list that a statement makes empty is filled, if that is done by a comprehension that
    copies each row."""
    lookups = [
        found
        for found in statements(func_ir)
        if _is_of(found[2], "getattr", names) and found[2].value.attr == "append"
    ]
    if len(lookups) != 1:
        return None
    within, _, lookup = lookups[0]
    append = _only_use(func_ir, lookup.target.name)
    if append is None or not _is_call(append[2], lookup.target.name):
        return None
    made = _assigned(func_ir, append[2].value.args[0])
    if made is None or not assigns_call(func_ir, made[2], sized_list):
        return None
    used = _only_use(func_ir, made[2].target.name)
    if used is None or used[2] is not append[2]:
        return None
    cfg = ir_utils.compute_cfg_from_blocks(func_ir.blocks)
    loop, begin = loop_around(cfg, [within]), _gone_over(func_ir, made[2].value.args[0])
    if loop is None or begin is None or begin.header != loop.header:
        return None
    filling = (lookup, append[2], made[2])
    if not _does_no_more(func_ir, loop, filling) or not is_passed_once(cfg, loop, [within]):
        return None
    if not _leads_to(func_ir, cfg, begin, empty, loop):
        return None
    return _Filled(filling, begin.block, begin.statement, loop)


class _Begin(NamedTuple):
    """The statement that makes the iterator of a loop, with its block, and the loop's header."""

    label: int
    block: Any
    statement: Any
    header: int


_SIMPLE = (ir.Var, ir.Const, ir.Global, ir.FreeVar)


def _does_no_more(func_ir: Any, loop: Any, filling: tuple[Any, ...]) -> bool:
    """Whether a loop does nothing but to take the next item, make a row and append it, and ends
    only when there is no further item."""
    for label in loop.body:
        for statement in func_ir.blocks[label].body:
            value = statement.value if isinstance(statement, ir.Assign) else None
            is_next = isinstance(value, ir.Expr) and value.op in (
                *("iternext", "pair_first", "pair_second"),
            )
            is_known = is_next or isinstance(value, _SIMPLE) or _is_one(statement, filling)
            is_end = isinstance(statement, ir.Branch) and label == loop.header
            if not (is_known or is_end or isinstance(statement, ir.Jump | ir.Del)):
                return False
    return True


def _is_simple(statement: Any) -> bool:
    """Whether a statement only gives something a name, or takes it a value."""
    value = statement.value if isinstance(statement, ir.Assign) else None
    # From Python 3.12 on, the names in a comprehension lose their values before it.
    is_undefined = isinstance(value, ir.Expr) and value.op == "undef"
    return is_undefined or isinstance(value, _SIMPLE) or isinstance(statement, ir.Del)


def _is_one(statement: Any, known: tuple[Any, ...]) -> bool:
    return any(statement is each for each in known)


def _leads_to(func_ir: Any, cfg: Any, begin: _Begin, empty: Any, loop: Any) -> bool:
    """Whether a straight way, on which nothing else happens, leads from the statement that begins
    to go over the rows, past the one that makes the list empty, into the loop, as the only way."""
    label, seen = begin.label, False
    body = begin.block.body[begin.block.body.index(begin.statement) + 1 :]
    while True:
        for statement in body[:-1]:
            seen = seen or statement is empty
            if not (statement is empty or _is_simple(statement)):
                return False
        if not isinstance(body[-1], ir.Jump):
            return False
        if body[-1].target == loop.header:
            break
        label = body[-1].target
        if label in loop.body or len(list(cfg.predecessors(label))) != 1:
            return False
        body = func_ir.blocks[label].body
    entries = [place for place, _ in cfg.predecessors(loop.header) if place not in loop.body]
    around = (
        other.body
        for other in cfg.loops().values()
        if loop.header in other.body and other.header != loop.header
    )
    return seen and entries == [label] and all(label in other for other in around)


def _is_of(statement: Any, operation: str, names: set[str]) -> bool:
    """Whether a statement assigns an operation on a value of one of these names."""
    value = statement.value if isinstance(statement, ir.Assign) else None
    return isinstance(value, ir.Expr) and value.op == operation and value.value.name in names


def _is_call(statement: Any, name: str) -> bool:
    """Whether a statement calls what has this name with one argument."""
    value = statement.value if isinstance(statement, ir.Assign) else None
    return (
        isinstance(value, ir.Expr)
        and value.op == "call"
        and value.func.name == name
        and len(value.args) == 1
        and not value.kws
        and value.vararg is None
    )


def _only_use(func_ir: Any, name: str) -> Any:
    """The one statement that uses a name; None if there are several."""
    users = [
        found
        for found in statements(func_ir)
        if not isinstance(found[2], ir.Del)
        and name in {used.name for used in found[2].list_vars()}
        and getattr(getattr(found[2], "target", None), "name", "") != name
    ]
    return users[0] if len(users) == 1 else None


def _assigned(func_ir: Any, variable: Any) -> Any:
    """The one statement that assigns a variable."""
    found = [
        each
        for each in statements(func_ir)
        if isinstance(each[2], ir.Assign) and each[2].target.name == variable.name
    ]
    return found[0] if len(found) == 1 else None


def _gone_over(func_ir: Any, item: Any) -> _Begin | None:
    """Where the loop begins of which a variable is the item."""
    header = -1
    for operation in ("pair_first", "iternext"):
        found = definition(func_ir, item)
        if not isinstance(found, ir.Expr) or found.op != operation:
            return None
        item = found.value
    for label, _, statement in statements(func_ir):
        if isinstance(statement, ir.Assign) and statement.value is found:
            header = label
    while True:
        made = _assigned(func_ir, item)
        if made is None:
            return None
        value = made[2].value
        if not isinstance(value, ir.Var):
            is_begin = isinstance(value, ir.Expr) and value.op == "getiter"
            return _Begin(*made, header) if is_begin else None
        item = value


def _makers(func_ir: Any, names: set[str]) -> list[Any]:
    """The expressions that give a row: looked up, or the item of a loop."""
    found: list[Any] = []
    for _, _, statement in statements(func_ir):
        if _is_of(statement, "getitem", names) or _is_of(statement, "static_getitem", names):
            found.append(statement.value)
        elif _is_of(statement, "getiter", names):
            found.extend(_items_of_loop(func_ir, statement.target.name))
    return found


def _items_of_loop(func_ir: Any, iterator: str) -> list[Any]:
    pairs = {
        statement.target.name
        for _, _, statement in statements(func_ir)
        if _is_of(statement, "iternext", names_of(func_ir, [iterator]))
    }
    return [
        statement.value
        for _, _, statement in statements(func_ir)
        if _is_of(statement, "pair_first", pairs)
    ]


def _rows(func_ir: Any, names: set[str], filled: _Filled) -> set[str] | None:
    """The names of the rows of a list; None if more is done with the list than to look up rows, to
    go over them and to ask for their number."""
    watch = _Looked(func_ir, names, (), False, 0)
    dominators = ir_utils.compute_cfg_from_blocks(func_ir.blocks).dominators()
    for label, _, statement in statements(func_ir):
        if _is_one(statement, filled.filling) or not watch.uses(statement):
            continue
        is_after = filled.loop.header in dominators[label] and label not in filled.loop.body
        if not is_after or not watch.keeps_nothing(statement):
            return None
    makers = _makers(func_ir, names)
    targets = [
        statement.target.name
        for _, _, statement in statements(func_ir)
        if isinstance(statement, ir.Assign) and any(statement.value is maker for maker in makers)
    ]
    return names_of(func_ir, targets)


class _Looked(Watch):
    """Follows a list of rows: it is only looked up, gone over, and asked for its length."""

    METHODS = ()
    READ = (len,)
    GO_THROUGH = ()

    def keeps_nothing(self, statement: Any) -> bool:
        """Whether a statement that uses the list keeps no reference to it, but to its rows."""
        value = statement.value if isinstance(statement, ir.Assign) else None
        is_iterator = isinstance(value, ir.Expr) and value.op == "getiter"
        if is_iterator and not self._is_only_gone_over(statement.target.name):
            return False
        may = isinstance(value, ir.Expr) and (
            value.op in ("getiter", "getitem", "static_getitem", "call")
        )
        return isinstance(statement, ir.Del) or (may and super().keeps_nothing(statement))

    def _is_only_gone_over(self, iterator: str) -> bool:
        """Whether an iterator is only asked for its next item, which is then a row."""
        names = names_of(self.func_ir, [iterator])
        pairs = {
            statement.target.name
            for _, _, statement in statements(self.func_ir)
            if _is_of(statement, "iternext", names)
        }
        return all(
            isinstance(statement, ir.Del)
            or _is_of(statement, "iternext", names)
            or _is_of(statement, "pair_first", pairs)
            or _is_of(statement, "pair_second", pairs)
            or not any(used.name in names | pairs for used in used_in(statement))
            for _, _, statement in statements(self.func_ir)
        )
