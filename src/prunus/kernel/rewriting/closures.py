"""Functions written inside functions, in Numba's pipeline: they are inlined into the function
around them.

Numba does this for functions and list comprehensions, and refuses generator expressions. Here a
generator expression that is passed directly to one of the functions in `consumers.py` (`any`,
`sum`, `tuple`, ...) becomes the loop that it describes, with the code for each item in place of its
`yield`: no generator is made, and `any`, `all` and `next` end the loop as early as Python does.
"""

from __future__ import annotations

import ctypes
import types as pytypes
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numba
from numba.core import compiler, errors, ir, ir_utils, postproc, rewrites
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.inline_closurecall import (
    _get_all_scopes,
    _get_callee_args,
    _replace_args_with,
    _replace_returns,
)
from numba.core.typed_passes import PreLowerStripPhis
from numba.core.untyped_passes import ReconstructSSA

from prunus.kernel.containers.classes import call_itself, resolve_super
from prunus.kernel.rewriting import repairs  # noqa: F401 - inner functions are read as well
from prunus.kernel.rewriting.consumers import CONSUMERS, Blocks
from prunus.kernel.rewriting.generators import return_generator
from prunus.kernel.rewriting.sorting import sort_in_place

_GENERATOR = 0x20  # inspect.CO_GENERATOR


@register_pass(mutates_CFG=True, analysis_only=False)
class Closures(FunctionPass):
    """Replaces calls of inner functions by their bodies, and resolves `super()`."""

    _name = "prunus_closures"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        changed = inline_closures(state.func_ir)
        if return_generator(state.func_ir, insert_inner, made_by):
            changed = inline_closures(state.func_ir, always=True)
        changed |= resolve_super(state.func_ir)
        return call_itself(state.func_ir, state.args) or changed


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerFunctions(FunctionPass):
    """Compiles an inner function that is passed on (for example to `sorted`, as a key) like any
    other function."""

    _name = "prunus_inner_functions"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        changed = False
        for block in state.func_ir.blocks.values():
            for statement in block.find_insts(ir.Assign):
                made = statement.value
                if isinstance(made, ir.Expr) and made.op == "make_function":
                    function = ir_utils.convert_code_obj_to_function(made, state.func_ir)
                    compiled = numba.jit(
                        nopython=True, nogil=True, pipeline_class=type(state.pipeline)
                    )(function)
                    statement.value = ir.Global(made.code.co_name, compiled, statement.loc)
                    changed = True
        if changed:
            postproc.PostProcessor(state.func_ir).run()
        return changed


def inline_closures(func_ir: Any, always: bool = False) -> bool:
    """Replace calls of inner functions by their bodies until no such call is left; true if anything
    changed, or if the function is to be tidied up `always`."""
    changed = always
    while _inline_one(func_ir):
        changed = True
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    if changed:
        for label in ir_utils.compute_cfg_from_blocks(func_ir.blocks).dead_nodes():
            del func_ir.blocks[label]
        _forget_unused(func_ir)
        func_ir.blocks = ir_utils.simplify_CFG(func_ir.blocks)
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    return changed


def _forget_unused(func_ir: Any) -> None:
    """Remove the names and the makers of functions that are no longer called, and what only served
    them."""
    removed = True
    while removed:
        removed = False
        used = set(used_variables(func_ir))
        for block in func_ir.blocks.values():
            kept = [
                statement
                for statement in block.body
                if not (_only_names(statement) and statement.target.name not in used)
            ]
            removed |= len(kept) < len(block.body)
            block.body = kept


def _only_names(statement: Any) -> bool:
    """Whether a statement only gives an existing value another name."""
    value = statement.value if isinstance(statement, ir.Assign) else None
    if isinstance(value, ir.Expr):
        return value.op in ("make_function", "build_tuple")
    return isinstance(value, ir.Global | ir.Var)


def _inline_one(func_ir: Any) -> bool:
    for label, block in func_ir.blocks.items():
        for i, statement in enumerate(block.body):
            is_call = (
                isinstance(statement, ir.Assign)
                and isinstance(statement.value, ir.Expr)
                and statement.value.op == "call"
            )
            if _list_items(func_ir, label, i):
                return True
            if is_call and (
                sort_in_place(func_ir, label, i)
                or _consume(func_ir, label, i)
                or _inline_call(func_ir, label, i)
            ):
                return True
    return False


def made_by(func_ir: Any, variable: Any) -> Any:
    """The expression that makes an inner function, if a variable certainly holds one."""
    found = ir_utils.guard(ir_utils.get_definition, func_ir, variable)
    return found if isinstance(found, ir.Expr) and found.op == "make_function" else None


def _inline_call(func_ir: Any, label: int, i: int) -> bool:
    call = func_ir.blocks[label].body[i].value
    made = made_by(func_ir, call.func)
    if made is None or made.code.co_flags & _GENERATOR:
        return False
    after, blocks = insert_inner(func_ir, label, i, made, call)
    _replace_returns(blocks, after.target, after.label)
    func_ir.blocks.update(blocks)
    return True


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
    inner = ir_of(made.code, func_ir.func_id.func.__globals__)
    (scope,) = _get_all_scopes(inner.blocks)
    blocks = taken_over(func_ir, block.scope, inner, made.code.co_freevars)
    arguments = _get_callee_args(call, made, statement.loc, func_ir)
    if made.closure:
        reassigned = [name for name in made.code.co_freevars if scope.get_versions_of(name)]
        if reassigned:
            raise errors.UnsupportedError(
                f"the inner function assigns {reassigned[0]!r} of the outer one more than once",
                statement.loc,
            )
        _replace_freevars(func_ir, blocks, _closed_over(func_ir, made))
    _replace_args_with(blocks, arguments)
    after = ir.Block(block.scope, block.loc)
    after.body = block.body[i + 1 :]
    after_label = ir_utils.next_label()
    func_ir.blocks[after_label] = after
    block.body = [*block.body[:i], ir.Jump(min(blocks), statement.loc)]
    return _After(after_label, statement.target), blocks


def taken_over(func_ir: Any, scope: Any, inner: Any, kept: Iterable[str] = ()) -> dict[int, Any]:
    """The blocks of another function adapted to this one: they get a scope, new labels and new
    variables (except those `kept`)."""
    top = max(ir_utils._the_max_label.next(), *func_ir.blocks)
    blocks: dict[int, Any] = ir_utils.simplify_CFG(
        ir_utils.add_offset_to_labels(inner.blocks, top + 1)
    )
    ir_utils._the_max_label.update(max(blocks))
    (theirs,) = _get_all_scopes(blocks)
    prefix = "".join(letter if letter.isalnum() else "_" for letter in inner.func_id.unique_name)
    renamed = {
        name: scope.redefine(f"{prefix}.{name}".replace(".", "_"), loc=variable.loc)
        for name, variable in theirs.localvars._con.items()
        if name not in kept
    }
    ir_utils.replace_vars(blocks, renamed)
    for block in blocks.values():
        block.scope = scope
    return blocks


def _replace_freevars(func_ir: Any, blocks: dict[int, Any], held: Any) -> None:
    """Make an inlined function read the variables around it: those of this function, and those of
    the functions around this one, with their values at the time of reading."""
    for block in blocks.values():
        for statement in block.find_insts(ir.Assign):
            if isinstance(statement.value, ir.FreeVar):
                value = held[statement.value.index]
                if not isinstance(value, ir.Var):
                    value = ir.Const(value, statement.loc)
                elif isinstance(made := _only_definition(func_ir, value), ir.FreeVar):
                    value = made
                statement.value = value


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
    free = len(code.co_freevars)
    function = ir_utils._create_function_from_code_obj(
        code,
        "\n".join(f"\tc_{k} = None" for k in range(free)),
        ",".join(f"x_{k}" for k in range(code.co_argcount)),
        ",".join(f"c_{k}" for k in range(free)),
        names,
    )
    func_ir = compiler.run_frontend(function)
    inline_closures(func_ir)
    state = compiler.StateDict()
    for name in ("typingctx", "targetctx", "args", "typemap", "return_type", "calltypes"):
        state[name] = None
    state.func_ir = func_ir
    rewrites.rewrite_registry.apply("before-inference", state)
    ReconstructSSA().run_pass(state)
    PreLowerStripPhis().run_pass(state)
    return func_ir


def _write_out(block: Any, i: int, consumer: Any, items: list[Any]) -> None:
    """Replace the sum of a tuple whose items are written out, and may have different types, by a
    chain of additions."""
    code = Blocks(block.scope, block.body[i].loc).code()
    consumer.start(code)
    total = consumer.held
    for item in items:
        total = consumer.plus(code, total, item)
    code.assign(block.body[i].target, total)
    block.body[i : i + 1] = code.body


def global_value(func_ir: Any, variable: Any) -> Any:
    """The object that a variable holds if it is a global name or an attribute of a module;
    otherwise None."""
    found = ir_utils.guard(ir_utils.get_definition, func_ir, variable)
    if isinstance(found, ir.Expr) and found.op == "getattr":
        module = global_value(func_ir, found.value)
        return getattr(module, found.attr, None) if isinstance(module, pytypes.ModuleType) else None
    return found.value if isinstance(found, ir.Global | ir.FreeVar) else None


def _consume(func_ir: Any, label: int, i: int) -> bool:
    """Replace the function that consumes a generator expression by the expression's loop; false if
    the statement is something else."""
    block = func_ir.blocks[label]
    statement = block.body[i]
    call = statement.value
    function = global_value(func_ir, call.func)
    consumer_class = (
        CONSUMERS.get(function)
        if isinstance(function, type | pytypes.BuiltinFunctionType)
        else None
    )
    if consumer_class is None or len(call.args) <= consumer_class.place or call.vararg is not None:
        return False
    given = list(call.args)
    taken = given.pop(consumer_class.place)
    consumer = consumer_class(function, given, dict(call.kws))
    found = _items(func_ir, label, i, taken) if consumer.fits() else None
    if found is None and consumer.fits() and consumer.takes_any():
        written = ir_utils.guard(ir_utils.get_definition, func_ir, taken)
        if function is sum and isinstance(written, ir.Expr) and written.op == "build_tuple":
            _write_out(block, i, consumer, written.items)
            return True
        found = every_item(block, i, taken)
        i += 1
    if found is not None:
        _weave(func_ir, label, i, consumer, found)
    return found is not None


def _list_items(func_ir: Any, label: int, i: int) -> bool:
    """Make `for v in (f(w) for w in t)` iterate over a list of the items, if nothing they depend on
    changes in the meantime."""
    block = func_ir.blocks[label]
    statement = block.body[i]
    value = statement.value if isinstance(statement, ir.Assign) else None
    if not (isinstance(value, ir.Expr) and value.op == "getiter"):
        return False
    found = _items(func_ir, label, i, value.value)
    if found is None or any(
        _may_change(func_ir, other) for every in func_ir.blocks.values() for other in every.body
    ):
        return False
    if any(len(func_ir._definitions.get(name, ())) != 1 for name in found[0].code.co_freevars):
        return False
    function, items = (
        block.scope.redefine(ir_utils.mk_unique_var(name), loc=value.loc)
        for name in ("$list", "$items")
    )
    block.body[i:i] = [
        ir.Assign(ir.Global("list", list, value.loc), function, value.loc),
        ir.Assign(ir.Expr.call(function, [value.value], (), value.loc), items, value.loc),
    ]
    statement.value = ir.Expr.getiter(items, value.loc)
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    return True


_CHANGING = frozenset(
    (
        "append",
        "extend",
        "insert",
        "pop",
        "remove",
        "clear",
        "sort",
        "reverse",
        "add",
        "discard",
        "update",
        "popleft",
    )
)


def _may_change(func_ir: Any, statement: Any) -> bool:
    """Whether a statement may change a list, a set or a dictionary."""
    value = statement.value if isinstance(statement, ir.Assign) else None
    if isinstance(value, ir.Expr):
        if value.op == "inplace_binop":
            begins = func_ir._definitions.get(value.lhs.name, ())
            return not any(
                isinstance(made, ir.Const) and isinstance(made.value, int) for made in begins
            )
        return value.op == "getattr" and value.attr in _CHANGING
    return isinstance(statement, ir.SetItem | ir.StaticSetItem | ir.DelItem)


def _weave(func_ir: Any, label: int, i: int, consumer: Any, found: Any) -> None:
    """Replace statement `i` by a loop over items, with the consumer's code for each."""
    made, source, place = found
    block = func_ir.blocks[label]
    statement = block.body[i]
    after, blocks = insert_inner(func_ir, label, i, made, source)
    if place is not None:
        place.block.body[place.number] = ir.Assign(
            ir.Const(None, statement.loc), place.block.body[place.number].target, statement.loc
        )
    extra = Blocks(block.scope, statement.loc)
    jump = block.body.pop()
    start = extra.code()
    consumer.start(start)
    block.body += [*start.body, jump]
    done, end = extra.new()
    end.assign(after.target, consumer.result(end))
    end.jump(after.label)
    finish, last = extra.new()
    consumer.finish(last, done, extra)
    _replace_returns(blocks, extra.code().variable("nothing"), finish)
    _take_items(blocks, consumer, done, extra)
    func_ir.blocks.update(blocks)
    func_ir.blocks.update(extra.made)


class _Inner(NamedTuple):
    """An inner function that is not in the source."""

    code: Any
    closure: Any = None
    defaults: Any = None


_EVERY = _Inner(
    next(
        code
        for code in (lambda items: (item for item in items)).__code__.co_consts
        if hasattr(code, "co_code")
    )
)


def every_item(block: Any, i: int, taken: Any) -> Any:
    """The same as `_items` for any iterable: the loop over it, put before statement `i`."""
    iterator = block.scope.redefine(ir_utils.mk_unique_var("$iterator"), loc=block.body[i].loc)
    loc = block.body[i].loc
    block.body.insert(i, ir.Assign(ir.Expr.getiter(taken, loc), iterator, loc))
    return _EVERY, ir.Expr.call(taken, [iterator], (), loc), None


class _Place(NamedTuple):
    """The position of a statement: its block, and its index there."""

    block: Any
    number: int


def _items(func_ir: Any, label: int, i: int, taken: Any) -> Any:
    """The source of a builtin function's items: the maker of the generator expression, its call and
    the place of that. None if the argument is not a generator expression, or is used elsewhere
    too."""
    for block, end in _straight_before(func_ir, label, i):
        for index in range(end - 1, -1, -1):
            statement = block.body[index]
            if not (isinstance(statement, ir.Assign) and statement.target.name == taken.name):
                continue
            alone = (
                sum(taken.name == name for name in used_variables(func_ir)) == 1
                and len(func_ir._definitions[taken.name]) == 1
            )
            value = statement.value
            if not alone:
                return None
            if isinstance(value, ir.Var):  # a `try` passes values on from block to block
                taken = value
            elif isinstance(value, ir.Expr) and value.op == "call":
                made = made_by(func_ir, value.func)
                is_generator = made is not None and made.code.co_flags & _GENERATOR
                return (made, value, _Place(block, index)) if is_generator else None
            else:
                return None
    return None


def _straight_before(func_ir: Any, label: int, i: int) -> Iterator[tuple[Any, int]]:
    """What certainly runs once before each run of statement `i` of a block: blocks, and the number
    of their statements that count. In a `try` each call ends a block."""
    yield func_ir.blocks[label], i
    seen = {label}
    while True:
        before = [
            other
            for other, block in func_ir.blocks.items()
            if label in block.terminator.get_targets()
        ]
        if len(before) != 1 or before[0] in seen:
            return
        (label,) = before
        seen.add(label)
        yield func_ir.blocks[label], len(func_ir.blocks[label].body)


def used_variables(func_ir: Any) -> Iterator[str]:
    """The names of the variables that statements use, once per use."""
    for block in func_ir.blocks.values():
        for statement in block.body:
            for variable in statement.list_vars():
                if not (isinstance(statement, ir.Assign) and variable is statement.target):
                    yield variable.name


def _take_items(blocks: dict[int, Any], consumer: Any, done: int, extra: Blocks) -> None:
    """Replace each `yield` by the consumer's code for an item."""
    work = list(blocks.values())
    while work:
        block = work.pop()
        for j, statement in enumerate(block.body):
            if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Yield):
                go_on, rest = extra.new()
                rest.body += [
                    ir.Assign(ir.Const(None, statement.loc), statement.target, statement.loc),
                    *block.body[j + 1 :],
                ]
                step = extra.code()
                consumer.step(step, statement.value.value, go_on, done, extra)
                block.body = [*block.body[:j], *step.body]
                work.append(extra.made[go_on])
                break
