"""A pass for functions that read text fields of their arguments.

A read makes a string with memory of its own, which a loop over the cells of a board would do for
every cell. So what only asks for single letters, for the length or for equality asks the field
itself (`RAW`), and what needs the string reads it once, where the function begins, if it would read
it in a loop or at several places.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

from numba.core import ir, postproc, types
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import build_definitions, mk_unique_var, replace_vars

from prunus.kernel.boards.texts import RAW, Text, holds_text

_COMPARED = (operator.eq, operator.ne)


@register_pass(mutates_CFG=False, analysis_only=False)
class TextReads(FunctionPass):
    """Read such fields as seldom as possible."""

    _name = "prunus_text_reads"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code, which is in single-assignment form; true if
        anything changed."""
        if not any(map(_has_texts, state.args)):
            return False
        reads = _Reads(state.func_ir, state.args)
        reads.ask_fields()
        reads.read_once()
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        postproc.PostProcessor(state.func_ir).run(emit_dels=False)
        return True


def _has_texts(kind: Any) -> bool:
    return isinstance(kind, types.BaseNamedTuple) and any(map(holds_text, kind.types))


class _Reads:
    """The places where one function reads text fields of its arguments: `fields` has the argument
    and the name of the field for each variable that is one, and nothing else."""

    def __init__(self, func_ir: Any, kinds: Any) -> None:
        self.func_ir, self.kinds = func_ir, kinds
        self.names = self._other_names(
            {
                statement.target.name: statement.value.index
                for _, statement in self._assignments()
                if isinstance(statement.value, ir.Arg)
            }
        )
        self.fields = self._other_names(
            {
                statement.target.name: place
                for _, statement in self._assignments()
                if (place := self._place(statement.value)) is not None
            }
        )

    def _assignments(self) -> Iterator[tuple[int, Any]]:
        for label, block in self.func_ir.blocks.items():
            for statement in list(block.find_insts(ir.Assign)):
                yield label, statement

    def _other_names(self, found: dict[str, Any]) -> dict[str, Any]:
        """These variables and all that are assigned once, from one of them."""
        found = {name: what for name, what in found.items() if self._is_single(name)}
        while True:
            more = {
                statement.target.name: found[statement.value.name]
                for _, statement in self._assignments()
                if isinstance(statement.value, ir.Var)
                and statement.value.name in found
                and statement.target.name not in found
                and self._is_single(statement.target.name)
            }
            if not more:
                return found
            found |= more

    def _is_single(self, name: str) -> bool:
        return len(self.func_ir._definitions[name]) == 1

    def _place(self, value: Any) -> tuple[int, str] | None:
        """The argument and the name of the text field that an expression reads; None for others."""
        if not (isinstance(value, ir.Expr) and value.op == "getattr"):
            return None
        index = self.names.get(value.value.name)
        if index is None or not _has_texts(self.kinds[index]):
            return None
        if value.attr not in self.kinds[index].fields:
            return None
        return (index, value.attr) if holds_text(self._kind(index, value.attr)) else None

    def _kind(self, index: Any, name: str) -> Any:
        kind = self.kinds[index]
        return kind.types[kind.fields.index(name)]

    def ask_fields(self) -> None:
        """Let what needs no string ask the field."""
        for label, statement in self._assignments():
            for name in {variable.name for variable in _operands(statement.value)}:
                place = self.fields.get(name)
                if place is not None and self._may_ask(statement, name, self._kind(*place)):
                    self._ask(label, statement, name, place)

    def _may_ask(self, statement: Any, name: str, kind: Any) -> bool:
        """Whether a statement can do with the field of this name as it is."""
        if isinstance(kind, Text):
            return self._asks(statement.value, name)
        # Texts of different lengths are of different types, unlike the strings that they become.
        if not isinstance(kind, types.UniTuple) or not self._is_item(statement.value, name):
            return False
        if not self._is_single(statement.target.name):
            return False
        rows = self._other_names({statement.target.name: True})
        return all(
            (isinstance(other, ir.Assign) and self._is_other_name(other, rows))
            or (isinstance(other, ir.Assign) and self._asks_all(other.value, rows))
            for block in self.func_ir.blocks.values()
            for other in block.body
            if other is not statement and any(v.name in rows for v in other.list_vars())
        )

    def _is_other_name(self, statement: Any, names: dict[str, Any]) -> bool:
        return isinstance(statement.value, ir.Var) and statement.target.name in names

    def _asks_all(self, value: Any, names: dict[str, Any]) -> bool:
        used = {variable.name for variable in _operands(value)} & names.keys()
        return bool(used) and all(self._asks(value, name) for name in used)

    def _asks(self, value: Any, name: str) -> bool:
        """Whether an expression asks a text of this name for a letter, for its length, or whether
        it is equal to something or holds it."""
        if not isinstance(value, ir.Expr):
            return False
        if value.op == "call":
            function = self._definition(value.func.name)
            is_length = isinstance(function, ir.Global) and function.value is len
            return is_length and len(value.args) == 1 and value.args[0].name == name
        if value.op == "binop" and value.fn is operator.contains:
            # The container is on the left, as `operator.contains` takes it.
            return bool(value.lhs.name == name and value.rhs.name != name)
        if value.op == "binop":
            return value.fn in _COMPARED
        return self._is_item(value, name)

    def _is_item(self, value: Any, name: str) -> bool:
        """Whether an expression is the item of what has this name at one index."""
        if not isinstance(value, ir.Expr) or value.op not in ("getitem", "static_getitem"):
            return False
        if value.value.name != name:
            return False
        if value.op == "static_getitem":
            return type(value.index) is int
        if value.index.name == name:
            return False
        made = self._definition(value.index.name)
        if isinstance(made, ir.Expr) and made.op == "call":
            function = self._definition(made.func.name)
            return not (isinstance(function, ir.Global) and function.value is slice)
        return not (isinstance(made, ir.Const) and isinstance(made.value, slice))

    def _definition(self, name: str) -> Any:
        """What a variable is assigned, by whatever other names; None if that is not one thing."""
        while True:
            found = self.func_ir._definitions[name]
            if len(found) != 1:
                return None
            if not isinstance(found[0], ir.Var):
                return found[0]
            name = found[0].name

    def _ask(self, label: int, statement: Any, name: str, place: tuple[int, str]) -> None:
        block = self.func_ir.blocks[label]
        read = ir.Expr.getattr(self._argument(place[0]), RAW + place[1], statement.loc)
        field = block.scope.redefine(mk_unique_var(f"$prunus_field_{place[1]}"), loc=statement.loc)
        block.body.insert(block.body.index(statement), ir.Assign(read, field, statement.loc))
        value = statement.value
        if value.op == "call":
            value.args = [field]
        elif value.op == "binop":
            value.lhs, value.rhs = (
                field if side.name == name else side for side in (value.lhs, value.rhs)
            )
        else:
            value.value = field

    def _argument(self, index: int) -> Any:
        return next(
            statement.target
            for _, statement in self._assignments()
            if isinstance(statement.value, ir.Arg) and statement.value.index == index
        )

    def read_once(self) -> None:
        """Read what is still needed as a string where the function begins, if it is read in a loop
        or more than once."""
        loops = compute_cfg_from_blocks(self.func_ir.blocks).loops().values()
        in_loops = {label for loop in loops for label in loop.body}
        used = self._used()
        reads: dict[tuple[int, str], list[tuple[int, Any]]] = {}
        for label, statement in self._assignments():
            place, name = self._place(statement.value), statement.target.name
            if name in self.fields and name not in used:
                self.func_ir.blocks[label].body.remove(statement)
            elif place is not None and name in self.fields:
                reads.setdefault(place, []).append((label, statement))
        for place, found in reads.items():
            if len(found) > 1 or found[0][0] in in_loops:
                self._read_first(place, [statement for _, statement in found])

    def _used(self) -> set[str]:
        """The variables that are used otherwise than to give fields other names that are not."""
        used: set[str] = set()
        while True:
            before = len(used)
            for block in self.func_ir.blocks.values():
                for statement in block.body:
                    target = statement.target.name if isinstance(statement, ir.Assign) else ""
                    if target in self.fields and target not in used:
                        continue
                    used |= {each.name for each in statement.list_vars()} - {target}
            if len(used) == before:
                return used

    def _read_first(self, place: tuple[int, str], reads: list[Any]) -> None:
        """Let one statement where the function begins take the place of these."""
        block = self.func_ir.blocks[min(self.func_ir.blocks)]
        argument, loc = self._argument(place[0]), reads[0].loc
        at = next(
            i
            for i, statement in enumerate(block.body)
            if isinstance(statement, ir.Assign) and statement.target is argument
        )
        name = block.scope.redefine(mk_unique_var(f"$prunus_text_{place[1]}"), loc=loc)
        for other in self.func_ir.blocks.values():
            other.body = [statement for statement in other.body if statement not in reads]
        read = ir.Expr.getattr(argument, place[1], loc)
        block.body.insert(at + 1, ir.Assign(read, name, loc))
        replace_vars(self.func_ir.blocks, {statement.target.name: name for statement in reads})


def _operands(value: Any) -> list[Any]:
    """The variables that an expression uses."""
    return value.list_vars() if isinstance(value, ir.Expr) else []
