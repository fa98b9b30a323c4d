"""The body of an inner function in place of its call, in Numba's intermediate code."""

from __future__ import annotations

import copy
import ctypes
import inspect
import re
import types as pytypes
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from numba.core import compiler, ir, ir_utils, rewrites
from numba.core.inline_closurecall import (
    _get_all_scopes,
    _replace_args_with,
)
from numba.core.typed_passes import PreLowerStripPhis
from numba.core.untyped_passes import ReconstructSSA

from prunus.kernel.reporting.raising import ENDS
from prunus.kernel.rewriting import (  # noqa: F401 - inner functions are read too
    formats,
    imports,
    matching,
    reading,
    repairs,
    split,
)
from prunus.kernel.rewriting.consumers import new_label
from prunus.kernel.rewriting.handling import intermediate
from prunus.kernel.rewriting.held import check_made, check_round, closed_over, has_values_of_its_own
from prunus.kernel.rewriting.marks import catches
from prunus.kernel.rewriting.parameters import given_to
from prunus.kernel.rewriting.recursive import is_recursive, refused
from prunus.kernel.rewriting.unbound import examined, guard_unbound

WRITTEN_OUT: Final[set[str]] = set()
"""The files with the generators that stand for functions such as `map`."""

_HERE: Final = __file__.removesuffix("inlining.py")
"""The beginning of the names of files with functions that are inlined though no rules have them."""

NESTED: Final = 8
"""How often a function may be inlined into what comes from its own body, as one is that is given to
itself: `f(f)`. Functions that end are nested twice or thrice."""

INLINERS: Final[list[Callable[[Any], bool]]] = []
"""The functions that inline an inner function's own inner functions before it is inlined itself."""


def made_by(func_ir: Any, variable: Any) -> Any:
    """The expression that makes an inner function, if a variable certainly holds one. Raises
    UnsupportedError if it may be the one that an earlier round of a loop has made."""
    found = ir_utils.guard(ir_utils.get_definition, func_ir, variable)
    if not isinstance(found, ir.Expr) or found.op != "make_function":
        return None
    if has_values_of_its_own(func_ir, found):
        check_round(func_ir, variable, found, f"the inner function {found.code.co_name!r}")
    return found


class _After:
    """The block where a function continues after an inlined call, and the variable for the call's
    result."""

    def __init__(self, label: int, target: Any) -> None:
        self.label, self.target = label, target


def insert_inner(
    func_ir: Any, label: int, i: int, made: Any, call: Any
) -> tuple[_After, dict[int, Any]]:
    """Cut a block before and after its statement `i` and continue it with the body of the inner
    function that `call` calls. Returns what comes after the body, and the body's blocks, which are
    yet to be added with their returns replaced."""
    block = func_ir.blocks[label]
    statement = block.body[i]
    if is_recursive(func_ir, made):
        raise refused(statement.loc, "if it has a `yield`", "return a list")
    check_made(func_ir, label, i, made, statement.loc)
    within = (*getattr(statement, "within", ()), made.code)
    if within.count(made.code) > NESTED:
        raise refused(statement.loc, "if it is given to itself", "call it by its name")
    inner = ir_of(made.code, func_ir.func_id.func.__globals__)
    blocks = taken_over(func_ir, block.scope, inner, made.code.co_freevars)
    if made.code.co_filename.startswith(_HERE):
        _place_at(blocks, statement.loc)
    if made.code.co_flags & inspect.CO_GENERATOR:
        _mark_generator(blocks, ENDS if made.code.co_filename in WRITTEN_OUT else True)
    else:
        _mark_generator(blocks, getattr(statement.loc, "in_generator", False))
    arguments = given_to(func_ir, made, call, statement.loc)
    _mark_within(blocks, within)
    i = next(place for place, other in enumerate(block.body) if other is statement)
    if made.closure:
        held = _closed_over(func_ir, made)
        _share_assigned(func_ir, blocks, made.code.co_freevars, held)
        _replace_freevars(func_ir, blocks, held)
    _replace_args_with(blocks, arguments)
    after = ir.Block(block.scope, block.loc)
    after.body = block.body[i + 1 :]
    after_label = new_label({**func_ir.blocks, **blocks})
    func_ir.blocks[after_label] = after
    block.body = [*block.body[:i], ir.Jump(min(blocks), statement.loc)]
    return _After(after_label, statement.target), blocks


def _place_at(blocks: dict[int, Any], loc: Any) -> None:
    """Say of code that is not in the rules that it is where they ask for it."""
    place = copy.copy(loc)
    for block in blocks.values():
        for statement in block.body:
            statement.loc = place
            if hasattr(getattr(statement, "value", None), "loc"):
                statement.value.loc = place


def _mark_within(blocks: dict[int, Any], within: tuple[Any, ...]) -> None:
    """Note on statements of which functions' bodies they are, from the outermost one."""
    for block in blocks.values():
        for statement in block.body:
            statement.within = (*within, *getattr(statement, "within", ()))


def _mark_generator(blocks: dict[int, Any], mark: Any) -> None:
    """Mark statements as those of a generator expression, for the errors they raise, unless they
    are already those of another one inside it."""
    for block in blocks.values():
        for statement in block.body:
            if not getattr(statement.loc, "in_generator", False):
                statement.loc.in_generator = mark


def taken_over(func_ir: Any, scope: Any, inner: Any, kept: Iterable[str] = ()) -> dict[int, Any]:
    """The blocks of another function adapted to this one: they get a scope, new labels and new
    variables (except those `kept`)."""
    top = max(ir_utils._the_max_label.next(), *func_ir.blocks)
    blocks: dict[int, Any] = ir_utils.add_offset_to_labels(inner.blocks, top + 1)
    if not catches(inner):
        blocks = ir_utils.simplify_CFG(blocks)
    ir_utils._the_max_label.update(max(blocks))
    (theirs,) = _get_all_scopes(blocks)
    prefix = "".join(letter if letter.isalnum() else "_" for letter in inner.func_id.unique_name)
    renamed = {
        name: scope.redefine(f"{prefix}.{name}".replace(".", "_"), loc=variable.loc)
        for name, variable in theirs.localvars._con.items()
        if name not in kept
    }
    ir_utils.replace_vars(blocks, renamed)
    examined(func_ir).update(variable.name for variable in renamed.values())
    for block in blocks.values():
        block.scope = scope
    return blocks


def _replace_freevars(func_ir: Any, blocks: dict[int, Any], held: Any) -> None:
    """Make an inlined function read the variables around it: those of this function, and those of
    the functions around this one, with their values at the time of reading."""
    for block in blocks.values():
        for statement in block.find_insts(ir.Assign):
            if isinstance(statement.value, ir.FreeVar):
                value = _shared(func_ir, held[statement.value.index])
                if not isinstance(value, ir.Var):
                    value = ir.Const(value, statement.loc)
                elif _is_of_around(func_ir, value):
                    value = _only_definition(func_ir, value)
                statement.value = value
                statement.reads_free = True


def _share_assigned(func_ir: Any, blocks: dict[int, Any], names: Any, held: Any) -> None:
    """Make an inlined function assign the variables around it that are `nonlocal` in it; those of a
    function that was inlined itself have other names by now."""
    renamed = {}
    for name, each in zip(names, held, strict=True):
        variable = _shared(func_ir, each)
        is_here = isinstance(variable, ir.Var) and not _is_of_around(func_ir, variable)
        if is_here and variable.name != name:
            renamed[name] = variable
    if renamed:
        ir_utils.replace_vars(blocks, renamed)


def _shared(func_ir: Any, value: Any) -> Any:
    """The variable that a function shares with the one around it; what was given to it may be a
    copy, which would keep an old value."""
    while isinstance(value, ir.Var) and "$" in value.name:
        copied = _only_definition(func_ir, value)
        if not isinstance(copied, ir.Var):
            break
        value = copied
    return value


def _is_of_around(func_ir: Any, variable: Any) -> bool:
    """Whether a variable only stands for one of the functions around this one. In the source, `n =
    w` makes another variable."""
    return "$" in variable.name and isinstance(_only_definition(func_ir, variable), ir.FreeVar)


def _only_definition(func_ir: Any, variable: Any) -> Any:
    found = func_ir._definitions.get(variable.name, ())
    return found[0] if len(found) == 1 else None


def _closed_over(func_ir: Any, made: Any) -> Any:
    closure = func_ir.get_definition(made.closure)
    if isinstance(closure, tuple):
        content = ctypes.pythonapi.PyCell_Get
        content.restype, content.argtypes = ctypes.py_object, (ctypes.py_object,)
        return tuple(map(content, closure))
    return closure.items


def ir_of(code: Any, names: dict[str, Any]) -> Any:
    """The intermediate code of an inner function, with its own inner functions inlined and its
    variables assigned once."""
    cells = tuple(pytypes.CellType(None) for _ in code.co_freevars)
    function = pytypes.FunctionType(code, names, code.co_name, None, cells)
    function.__qualname__ = f"closure.<locals>.{re.sub('[<>]', '_', code.co_name)}"  # as Numba's
    func_ir = intermediate(function)
    for inline in INLINERS:
        inline(func_ir)
    guard_unbound(func_ir)
    state = compiler.StateDict()
    for name in ("typingctx", "targetctx", "args", "typemap", "return_type", "calltypes"):
        state[name] = None
    state.func_ir = func_ir
    shared = {*code.co_freevars, *_used_inside(func_ir)}
    _hide_free(func_ir)
    rewrites.rewrite_registry.apply("before-inference", state)
    ReconstructSSA().run_pass(state)
    PreLowerStripPhis().run_pass(state)
    _leave_unset(func_ir)
    _join_versions(func_ir, shared)
    return func_ir


def _used_inside(func_ir: Any) -> set[str]:
    """The variables of a function that the functions which are left in it use."""
    return {
        variable.name
        for block in func_ir.blocks.values()
        for made in block.find_exprs("make_function")
        for held in closed_over(func_ir, made)
        if isinstance(variable := _shared(func_ir, held), ir.Var)
    }


def _join_versions(func_ir: Any, names: set[str]) -> None:
    """Give variables that several functions share one name again: each of them has to see what the
    others assign."""
    (scope,) = _get_all_scopes(func_ir.blocks)
    renamed = {
        version: scope.get_exact(name) for name in names for version in scope.get_versions_of(name)
    }
    if not renamed:
        return
    ir_utils.replace_vars(func_ir.blocks, renamed)
    for block in func_ir.blocks.values():
        block.body = [each for each in block.body if not _assigns_itself(each)]
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)


def _assigns_itself(statement: Any) -> bool:
    return (
        isinstance(statement, ir.Assign)
        and isinstance(statement.value, ir.Var)
        and statement.value.name == statement.target.name
    )


def _hide_free(func_ir: Any) -> None:
    """Keep Numba from taking the place-holders of the variables of outer functions for constants:
    two definitions are as good as unknown."""
    for block in func_ir.blocks.values():
        for statement in block.find_insts(ir.Assign):
            if isinstance(statement.value, ir.FreeVar):
                func_ir._definitions[statement.target.name].append(statement.value)


def _leave_unset(func_ir: Any) -> None:
    """Remove the empty values that variables would get where they have none: reading one there is
    an error, which its flag finds, and what a loop over items keeps is not read before."""
    for block in func_ir.blocks.values():
        block.body = [
            statement
            for statement in block.body
            if not (
                isinstance(statement, ir.Assign)
                and isinstance(statement.value, ir.Expr)
                and statement.value.op == "null"
            )
        ]
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)


def global_value(func_ir: Any, variable: Any) -> Any:
    """The object that a variable or an expression stands for if it is a global name or an attribute
    of a module; otherwise None."""
    found = (
        ir_utils.guard(ir_utils.get_definition, func_ir, variable)
        if isinstance(variable, ir.Var)
        else variable
    )
    if isinstance(found, ir.Expr) and found.op == "getattr":
        module = global_value(func_ir, found.value)
        return getattr(module, found.attr, None) if isinstance(module, pytypes.ModuleType) else None
    return found.value if isinstance(found, ir.Global | ir.FreeVar) else None


def kind_of_empty(func_ir: Any, made: Any) -> type | None:
    """`list`, `set` or `dict` for an expression that makes an empty one; None for others."""
    if not isinstance(made, ir.Expr):
        return None
    if made.op in ("build_list", "build_map"):
        kind = list if made.op == "build_list" else dict
        return None if made.items else kind
    is_call = made.op == "call" and not (made.args or made.kws or made.vararg)
    function = global_value(func_ir, made.func) if is_call else None
    return next((kind for kind in (list, set, dict) if kind is function), None)


def is_slice(func_ir: Any, index: Any) -> bool:
    """Whether an index is a slice, which gives a list of its own."""
    is_variable = isinstance(index, ir.Var)
    made = ir_utils.guard(ir_utils.get_definition, func_ir, index) if is_variable else index
    if isinstance(made, ir.Expr):
        return made.op == "build_slice" or (
            made.op == "call" and global_value(func_ir, made.func) is slice
        )
    return isinstance(getattr(made, "value", made), slice)


def used_variables(func_ir: Any) -> Iterator[str]:
    """The names of the variables that statements use, once per use."""
    for block in func_ir.blocks.values():
        for statement in block.body:
            yield from used_by(statement)


def used_by(statement: Any) -> Iterator[str]:
    """The names of the variables that a statement uses, once per use."""
    for variable in statement.list_vars():
        if not (isinstance(statement, ir.Assign) and variable is statement.target):
            yield variable.name


def _visit_raised(statement: Any, replaced: Any, data: Any) -> None:
    """Numba's way of renaming variables, for `raise` within `try`."""
    if statement.exception is not None:
        statement.exception = ir_utils.visit_vars_inner(statement.exception, replaced, data)


ir_utils.visit_vars_extensions[ir.TryRaise] = _visit_raised
