"""A pass for functions whose arguments hold long tuples: each use of an argument reads it from the
call anew.

A variable that lives through loops, or in a generator from one action to the next, gets storage of
its own; for a State with a long board this means a copy at every call, and two at every action. An
argument needs none: it lies where the caller left it.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir, postproc, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import build_definitions, mk_unique_var

from prunus.kernel.boards.homes import PREFIX
from prunus.kernel.boards.packed import Packed
from prunus.kernel.boards.texts import Text, holds_text


def _holds_packed(kind: Any) -> bool:
    return isinstance(kind, Packed | Text) or (
        isinstance(kind, types.BaseTuple) and any(map(_holds_packed, kind.types))
    )


@register_pass(mutates_CFG=False, analysis_only=False)
class Arguments(FunctionPass):
    """Replace every use of such an argument, or of a named field of it, by a fresh read of the
    call's own."""

    _name = "prunus_arguments"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code, which is in single-assignment form; true if
        anything changed."""
        func_ir = state.func_ir
        sources = _sources(func_ir, state.args)
        if not sources:
            return False
        for block in func_ir.blocks.values():
            body: list[Any] = []
            for statement in block.body:
                if _is_temporary(statement, sources):
                    continue
                if not _is_source(statement, sources):
                    _take_again(statement, sources, block, body)
                body.append(statement)
            block.body = body
        func_ir._definitions = build_definitions(func_ir.blocks)
        postproc.PostProcessor(func_ir).run(emit_dels=False)
        return True


def _sources(func_ir: Any, kinds: Any) -> dict[str, Any]:
    """The variables that are an argument with a long tuple (with that argument), those that are an
    attribute of one (with its variable and the attribute's name), and other names of both."""
    sources: dict[str, Any] = {}
    assignments = [
        statement for block in func_ir.blocks.values() for statement in block.find_insts(ir.Assign)
    ]
    for statement in assignments:
        value, name = statement.value, statement.target.name
        if len(func_ir._definitions[name]) == 1 and _is_kept(value, kinds):
            sources[name] = value
    _add_other_names(func_ir, assignments, sources)
    for statement in assignments:
        value, name = statement.value, statement.target.name
        is_attribute = (
            isinstance(value, ir.Expr)
            and value.op == "getattr"
            and _is_whole(sources.get(value.value.name))
            and not _is_text(sources[value.value.name], value.attr, kinds)
        )
        if is_attribute and len(func_ir._definitions[name]) == 1:
            sources[name] = (value.value.name, value.attr)
    _add_other_names(func_ir, assignments, sources)
    return sources


def _add_other_names(func_ir: Any, assignments: list[Any], sources: dict[str, Any]) -> None:
    """Add the variables that are assigned once, from a source. A temporary that is another name of
    an attribute stays as it is."""
    while True:
        found = {
            statement.target.name: sources[statement.value.name]
            for statement in assignments
            if isinstance(statement.value, ir.Var)
            and statement.value.name in sources
            and statement.target.name not in sources
            and len(func_ir._definitions[statement.target.name]) == 1
            and (_is_whole(sources[statement.value.name]) or statement.target.name[0] != "$")
        }
        if not found:
            return
        sources.update(found)


def _is_whole(source: Any) -> bool:
    """Whether a source is an argument or a constant, not an attribute of one."""
    return source is not None and not isinstance(source, tuple)


def _is_text(source: Any, name: str, kinds: Any) -> bool:
    """Whether an attribute of an argument is a text, which becomes a string where it is read."""
    kind = kinds[source.index] if isinstance(source, ir.Arg) else None
    fields = getattr(kind, "fields", ())
    return name in fields and holds_text(kind.types[fields.index(name)])


def _is_kept(value: Any, kinds: Any) -> bool:
    """Whether a value is an argument with a long tuple, or a constant one."""
    if isinstance(value, ir.Arg):
        return _holds_packed(kinds[value.index])
    is_constant = isinstance(value, ir.Const | ir.Global | ir.FreeVar)
    return is_constant and isinstance(getattr(value.value, "kind", None), Packed)


def _is_source(statement: Any, sources: dict[str, Any]) -> bool:
    return (
        isinstance(statement, ir.Assign)
        and sources.get(statement.target.name) is statement.value
        and not isinstance(statement.value, ir.Expr)
    )


def _is_temporary(statement: Any, sources: dict[str, Any]) -> bool:
    """Whether a statement reads an attribute into a temporary, which is not needed when every use
    reads it again."""
    if not isinstance(statement, ir.Assign) or not statement.target.name.startswith("$"):
        return False
    return isinstance(sources.get(statement.target.name), tuple)


def _take_again(statement: Any, sources: dict[str, Any], block: Any, body: list[Any]) -> None:
    """Put statements before this one that give it its own copies of the sources it uses."""
    if (
        isinstance(statement, ir.Assign)
        and isinstance(statement.value, ir.Expr)
        and statement.value.op == "phi"
    ):
        return
    used = {variable.name for variable in statement.list_vars()} - (
        {statement.target.name} if isinstance(statement, ir.Assign) else set()
    )
    renamed = {
        name: _copy(name, sources, block, statement.loc, body)
        for name in sorted(used & sources.keys())
    }
    if renamed:
        _rename(statement, renamed)


def _copy(name: str, sources: dict[str, Any], block: Any, loc: Any, body: list[Any]) -> Any:
    value = sources[name]
    if isinstance(value, tuple):
        owner, attribute = value
        value = ir.Expr.getattr(_copy(owner, sources, block, loc, body), attribute, loc)
    target = block.scope.redefine(mk_unique_var(f"{PREFIX}{name}"), loc=loc)
    body.append(ir.Assign(value, target, loc))
    return target


def _rename(statement: Any, renamed: dict[str, Any]) -> None:
    from numba.core.ir_utils import replace_vars_stmt

    target = statement.target if isinstance(statement, ir.Assign) else None
    replace_vars_stmt(statement, renamed)
    if target is not None:
        statement.target = target
