"""Lists that one loop fills and that are then changed or read: `cells = [f(c) for c in
state.cells]`, `cells[i] = 1`, `tuple(cells)`.

While the loop runs the list is one that is filled (`filling.py`); after it, one that stays in the
function (`local_lists.py`), at the same place on the stack. The other conditions are those of these
two kinds of lists. Whatever uses the list after the loop must come from the loop's regular end,
where the number of items is known.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.containers.lengths import is_fresh_zip, loop_around, witness_of
from prunus.kernel.containers.sequences import call_instead, tuple_of
from prunus.kernel.rewriting.consumers import new_label
from prunus.kernel.rewriting.escapes import (
    DEPTH,
    Watch,
    come_from,
    function_of,
    is_in_loop,
    names_of,
    statements,
)
from prunus.kernel.rewriting.filled import (
    adds_item,
    begin_at,
    begins_list,
    entry_of,
    field_of,
    gives_name,
    keep_loop,
)
from prunus.kernel.rewriting.filling import UNTOUCHED, settled_list
from prunus.kernel.rewriting.fitting import fit_items
from prunus.kernel.rewriting.gathering import gathered


@register_pass(mutates_CFG=True, analysis_only=False)
class ChangedLists(FunctionPass):
    """Makes such lists by `filled_list` and `settled_list`."""

    _name = "prunus_changed_lists"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir, changed = state.func_ir, False
        begun = [found for found in statements(func_ir) if begins_list(found[2])]
        if func_ir.is_generator or not begun:
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        for label, _, statement in begun:
            if _settle(func_ir, label, statement, state.args):
                changed = True
                func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        return changed


def _settle(func_ir: Any, label: int, begin: Any, args: Any) -> bool:
    """Do so for the list that a statement creates; false if it is another kind of list."""
    names = names_of(func_ir, [begin.target.name])
    if not come_from(func_ir, names, [begin.value]) or not all(
        len(func_ir._definitions[name]) == 1 for name in names
    ):
        return False
    found = [
        (place, statement)
        for place, _, statement in statements(func_ir)
        if adds_item(func_ir, statement, names)
    ]
    adding = [place for place, _ in found]
    entry = entry_of(func_ir, adding, label) if adding else None
    blocks = dict(func_ir.blocks)
    end = _end_of_loop(func_ir, adding) if entry is not None else None
    if end is not None:
        watch = Watch(func_ir, names, args, not is_in_loop(func_ir, label), DEPTH)
        before = _uses_before(func_ir, end, watch)
        witness = witness_of(func_ir, end, begin.target)
        if before is not None and witness and _is_worth_it(watch):
            field = field_of_list(watch, args)
            _divide(func_ir, end, before, names)
            func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
            begun = (label, begin, names_of(func_ir, [begin.target.name]))
            how = (witness, field, UNTOUCHED if is_fresh_zip(func_ir, witness) else True)
            begin_at(func_ir, entry, begun, how)
            adding = gathered(func_ir, found)
            keep_loop(func_ir, adding)
            if field:
                fit_items(func_ir, adding, begun[2], how)
            return True
    func_ir.blocks = blocks
    return False


def _end_of_loop(func_ir: Any, adding: list[int]) -> int | None:
    """The label of a new block between the head of the loop around some blocks and what follows
    once the items are exhausted; None if the loop does not end at its head."""
    cfg = ir_utils.compute_cfg_from_blocks(func_ir.blocks)
    inner = loop_around(cfg, adding)
    head = func_ir.blocks[inner.header]
    branch = head.terminator
    if not isinstance(branch, ir.Branch) or branch.falsebr in inner.body:
        return None
    label = new_label(func_ir.blocks)
    block = ir.Block(head.scope, branch.loc)
    block.body = [ir.Jump(branch.falsebr, branch.loc)]
    begin = ir.Block(head.scope, head.loc)
    begin.body = [*head.body[:-1], ir.Branch(branch.cond, branch.truebr, label, branch.loc)]
    func_ir.blocks[inner.header], func_ir.blocks[label] = begin, block
    return label


def _uses_before(func_ir: Any, end: int, watch: Watch) -> list[Any] | None:
    """The statements with the list that are not certain to come after block `end`. None if one of
    them does more than create, name or fill it, or if a statement after the block keeps it."""
    cfg = ir_utils.compute_cfg_from_blocks(func_ir.blocks)
    dominators, found = cfg.dominators(), []
    for label, _, statement in statements(func_ir):
        if end in dominators.get(label, (end,)):
            if watch.uses(statement) and not watch.keeps_nothing(statement):
                return None
        elif any(variable.name in watch.names for variable in statement.list_vars()):
            if not (
                begins_list(statement)
                or isinstance(statement, ir.Del)
                or gives_name(statement, watch.names)
                or adds_item(func_ir, statement, watch.names)
            ):
                return None
            found.append(statement)
    return found


def _tuples(watch: Watch) -> list[Any]:
    """The statements that make a tuple of the list."""
    return [
        statement
        for _, _, statement in statements(watch.func_ir)
        if watch.uses(statement)
        and isinstance(statement, ir.Assign)
        and isinstance(statement.value, ir.Expr)
        and statement.value.op == "call"
        and function_of(watch.func_ir, statement.value.func) is tuple_of
    ]


def _is_worth_it(watch: Watch) -> bool:
    """Whether the list is used for more than one tuple, for which it need not be a list at all."""
    uses = [
        statement
        for _, _, statement in statements(watch.func_ir)
        if watch.uses(statement) and not adds_item(watch.func_ir, statement, watch.names)
    ]
    return bool(uses) and (len(uses) > 1 or not _tuples(watch))


def field_of_list(watch: Watch, args: Any) -> str:
    """The field that the list's tuples are for, as `filled_list` takes it."""
    fields = {field_of(watch.func_ir, made.target.name, args) for made in _tuples(watch)}
    return fields.pop() if len(fields) == 1 else ""


def _divide(func_ir: Any, end: int, before: list[Any], names: set[str]) -> None:
    """Give the list other names in the statements before block `end`, in which its names begin."""
    block = func_ir.blocks[end]
    known = {variable.name: variable for statement in before for variable in statement.list_vars()}
    renamed = {
        name: block.scope.redefine(ir_utils.mk_unique_var("$filled"), loc=variable.loc)
        for name, variable in known.items()
        if name in names
    }
    for statement in before:
        ir_utils.replace_vars_stmt(statement, renamed)
    first, *others = renamed
    settled = ir.Assign(ir.Const(None, block.loc), known[first], block.loc)
    block.body[:0] = [
        settled,
        *(ir.Assign(known[first], known[name], block.loc) for name in others),
    ]
    call_instead(block, settled, settled_list, renamed[first])
