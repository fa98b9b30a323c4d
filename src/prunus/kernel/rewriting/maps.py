"""Loops that look up the items of a board in a small constant table: `tuple(OTHER[cell] for cell in
state.cells)`.

The test whether an index is in range, at each look-up, is an exit of the loop, which the processor
then cannot run for many items at once. So one test of the whole board stands before the loop.
Inside it, a flag that does not change chooses between a look-up without a test, made of
comparisons, and the ordinary one; LLVM makes two loops of this. If some item is no key of the
table, the ordinary one raises at its place.
"""

from __future__ import annotations

import operator
from collections import Counter
from functools import reduce
from typing import Any

from llvmlite import ir as native
from numba.core import ir, ir_utils, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.imputils import lower_constant
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, models, register_model

from prunus.core.bits import CASTS
from prunus.kernel.boards.packed import Packed
from prunus.kernel.boards.packed_values import lanes_where
from prunus.kernel.containers.lengths import loop_around
from prunus.kernel.containers.sequences import call_instead
from prunus.kernel.containers.table_types import Constant
from prunus.kernel.numbers.integers import BIT, WORD
from prunus.kernel.numbers.words import word
from prunus.kernel.rewriting.displays import constant_in
from prunus.kernel.rewriting.escapes import definition, function_of, statements
from prunus.kernel.rewriting.filling import filled_list
from prunus.kernel.rewriting.fitting import Fitted, fitted, joined, parts_of
from prunus.kernel.rewriting.inlining import used_variables

LARGEST = 32
"""The most items of a table: each costs a comparison of every item of the board."""

_RESULTS = {types.int64: WORD, types.boolean: BIT}


class ContentType(types.Type):
    """The type that says what a constant table holds: for each key its number."""

    def __init__(self, content: dict[int, int]) -> None:
        self.content = content
        super().__init__(f"content {content}")

    def __reduce__(self) -> Any:
        return ContentType, (self.content,)


@register_model(ContentType)
class _ContentModel(models.OpaqueModel):
    pass


@lower_constant(ContentType)
def _no_value(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.get_dummy_value()


def all_keys(board, table):
    """Whether all items of a board are certainly keys of a table (or of its content)."""
    raise NotImplementedError


def looked_up_item(table, item, safe, known, *list_arguments):
    """`table[item]`; `safe` if `all_keys` holds for the board that the item is from and for
    `known`, the table or its content. With the arguments of `filled_list` an item for that list,
    as narrow as `fitted` makes it."""
    raise NotImplementedError


@infer_global(all_keys)
class _AllKeys(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.boolean, *args)


@infer_global(looked_up_item)
class _LookedUp(AbstractTemplate):
    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        plain = self.context.resolve_function_type(operator.getitem, args[:2], {})
        if plain is None:
            return None
        given = (*plain.args, *args[2:])
        if not args[4:]:
            return signature(plain.return_type, *given)
        fit = self.context.resolve_function_type(fitted, (plain.return_type, *args[4:]), {})
        return signature(fit.return_type, *given)


def _keys(table: Any) -> list[int]:
    """The numbers that may be looked up without a test; none if they are not known."""
    if isinstance(table, ContentType):
        return list(table.content)
    is_short = isinstance(table, types.UniTuple) and table.count <= LARGEST
    return list(range(-table.count, table.count)) if is_short else []


@lower_builtin(all_keys, types.Any, types.Any)
def _test(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    board, keys = sig.args[0], _keys(sig.args[1])
    if not isinstance(board, Packed) or board.mixed or board.width > 32:
        return BIT(0)
    lowest = -(1 << (board.width - 1)) if board.signed else 0
    keys = sorted(key for key in keys if lowest <= key < lowest + (1 << board.width))
    if not keys:
        return BIT(0)

    def is_no_key(items: Any) -> Any:
        def all_lanes(number: int) -> Any:
            return native.Constant(board.vector, [number] * board.lanes)

        if keys == list(range(keys[0], keys[-1] + 1)):
            distance = builder.sub(items, all_lanes(keys[0]))
            return builder.icmp_unsigned(">", distance, all_lanes(len(keys) - 1))
        tests = [builder.icmp_unsigned("!=", items, all_lanes(key)) for key in keys]
        return reduce(builder.and_, tests)

    wrong = [
        builder.icmp_unsigned("!=", found, found.type(0))
        for found in lanes_where(builder, board, args[0], is_no_key)
    ]
    return builder.not_(reduce(builder.or_, wrong))


@lower_builtin(looked_up_item, types.VarArg(types.Any))
def _look_up(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    item, known, made = sig.args[1], sig.args[3], sig.return_type
    plain = _compiled(context, operator.getitem, sig.args[:2])
    keys, kind = _keys(known), plain.signature.return_type
    form = _RESULTS.get(kind)

    def ordinary() -> Any:
        value = plain(builder, args[:2])
        if made == kind:
            return value
        return _compiled(context, fitted, (kind, *sig.args[4:]))(builder, (value, *args[4:]))

    if form is None or not keys or types.unliteral(item) not in _RESULTS:
        return ordinary()
    with builder.if_else(args[2]) as (quickly, slowly):
        with quickly:
            index = word(builder, item, args[1])
            numbers = _numbers(builder, keys, known, args[3], form)
            quick = _chosen(builder, numbers, keys, index, made)
            known_from = builder.block
        with slowly:
            slow, last = ordinary(), builder.block
    either = builder.phi(quick.type)
    either.add_incoming(quick, known_from)
    either.add_incoming(slow, last)
    return either


def _numbers(builder: Any, keys: list[int], known: Any, table: Any, form: Any) -> list[Any]:
    """What the table holds for each key."""
    if isinstance(known, ContentType):
        return [form(known.content[key]) for key in keys]
    return [builder.extract_value(table, key % known.count) for key in keys]


def _chosen(builder: Any, numbers: list[Any], keys: list[int], index: Any, made: Any) -> Any:
    """The number for an index that is one of the keys, as a value of type `made`: a plain one or a
    `Fitted` one."""
    columns: Any = [numbers]
    if isinstance(made, Fitted):
        columns = zip(*(_tested(builder, made, number) for number in numbers), strict=True)
    chosen = []
    for values in columns:
        found = values[-1]
        for key, value in zip(keys[:-1], values, strict=False):
            found = builder.select(builder.icmp_unsigned("==", index, WORD(key)), value, found)
        chosen.append(found)
    return joined(builder, chosen) if isinstance(made, Fitted) else chosen[0]


def _tested(builder: Any, made: Fitted, number: Any) -> list[Any]:
    """The parts of a fitted number, tested: the test of a constant is done by the compiler, that of
    any other number before the loop."""
    word = builder.zext(number, WORD) if number.type == BIT else number
    half, whole, rest = parts_of(builder, made, word)
    width, signed = CASTS[made.scalar]
    beginning = WORD(1 << (width - 1) if signed else 0)
    inside = builder.icmp_unsigned("<", builder.add(word, beginning), WORD(1 << width))
    return [half, whole, builder.select(inside, rest.type(0), rest)]


def _compiled(context: Any, function: Any, given: Any) -> Any:
    """A function for arguments of some types."""
    resolved = context.typing_context.resolve_value_type(function)
    call_type = resolved.get_call_type(context.typing_context, given, {})
    call = context.get_function(resolved, call_type)
    context.add_linking_libs(getattr(call, "libs", ()))
    call.signature = call_type
    return call


@register_pass(mutates_CFG=False, analysis_only=False)
class Maps(FunctionPass):
    """Finds such look-ups, and puts the test before their loops."""

    _name = "prunus_maps"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        found = [
            (label, block, statement)
            for label, block, statement in statements(func_ir)
            if _is(getattr(statement, "value", None), "getitem")
        ]
        if func_ir.is_generator or not found:
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        cfg = ir_utils.compute_cfg_from_blocks(func_ir.blocks)
        changed = [
            _quicken(func_ir, cfg, label, block, statement, state.args)
            for label, block, statement in found
        ]
        if any(changed):
            func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        return any(changed)


def _quicken(func_ir: Any, cfg: Any, label: int, block: Any, statement: Any, args: Any) -> bool:
    """Do so for one look-up; false if it is of another kind."""
    table, item = statement.value.value, statement.value.index
    loop = loop_around(cfg, [label])
    board = _board_of(func_ir, item) if loop is not None and _ends_once(cfg, loop) else None
    before = [] if board is None else _entries(cfg, loop)
    if len(before) != 1:
        return False
    content = _content(constant_in(func_ir, table, args))
    entry = func_ir.blocks[before[0]]
    known = _at(func_ir, entry, loop, table, args) if content is None else content
    board = _at(func_ir, entry, loop, board, args)
    if board is None or known is None:
        return False
    safe = entry.scope.redefine(ir_utils.mk_unique_var("$safe"), loc=statement.loc)
    test = ir.Assign(ir.Const(None, statement.loc), safe, statement.loc)
    entry.body.insert(-1, test)
    call_instead(entry, test, all_keys, board, known)
    how = _list_arguments(func_ir, block, statement)
    call_instead(block, statement, looked_up_item, table, item, safe, known, *how)
    return True


def _list_arguments(func_ir: Any, block: Any, statement: Any) -> list[Any]:
    """The arguments of `filled_list` for the list that gets the value of a statement; none if it is
    used otherwise. A call of `fitted` in between is taken out."""
    uses = Counter(used_variables(func_ir))
    name, users = statement.target.name, []
    for other in block.body[block.body.index(statement) + 1 :]:
        value = other.value if isinstance(other, ir.Assign) else None
        if isinstance(value, ir.Var) and value.name == name and uses[name] == 1:
            name = other.target.name
        elif _is(value, "call") and name in [given.name for given in value.args]:
            users.append(other)
    if uses[name] != 1 or len(users) != 1:
        return []
    call = users[0].value
    if function_of(func_ir, call.func) is fitted:
        users[0].value = call.args[0]
        return call.args[1:]
    method = definition(func_ir, call.func)
    items = definition(func_ir, method.value) if _is(method, "getattr") else None
    is_list = _is(items, "call") and function_of(func_ir, items.func) is filled_list
    return items.args if is_list and method.attr == "append" else []


def _ends_once(cfg: Any, loop: Any) -> bool:
    """Whether only the header of a loop leaves it."""
    after = {place for label in loop.body - {loop.header} for place, _ in cfg.successors(label)}
    return bool(after <= loop.body)


def _entries(cfg: Any, loop: Any) -> list[int]:
    """The blocks from which a loop is entered."""
    return [place for place, _ in cfg.predecessors(loop.header) if place not in loop.body]


def _at(func_ir: Any, entry: Any, loop: Any, variable: Any, args: Any) -> Any:
    """A variable with the same value at the end of block `entry`, where a loop is entered; None if
    there is none. A field of a State is read again there."""
    inside = {
        statement.target.name
        for label in loop.body
        for statement in func_ir.blocks[label].find_insts(ir.Assign)
    }
    while variable.name in inside:
        made = func_ir._definitions[variable.name]
        if len(made) != 1:
            return None
        if not isinstance(made[0], ir.Var):
            return _field_at(func_ir, entry, made[0], args)
        (variable,) = made
    return variable if len(func_ir._definitions[variable.name]) == 1 else None


def _field_at(func_ir: Any, entry: Any, read: Any, args: Any) -> Any:
    owner = definition(func_ir, read.value) if _is(read, "getattr") else None
    if not isinstance(owner, ir.Arg) or not isinstance(args[owner.index], types.BaseNamedTuple):
        return None
    state, field = (
        entry.scope.redefine(ir_utils.mk_unique_var(name), loc=read.loc)
        for name in ("$state", "$field")
    )
    again = ir.Expr.getattr(state, read.attr, read.loc)
    entry.body[-1:-1] = [ir.Assign(owner, state, read.loc), ir.Assign(again, field, read.loc)]
    return field


def _board_of(func_ir: Any, item: Any) -> Any:
    """The variable with the items that a loop goes over, or that one is taken from, if a variable
    is one of them; None for others."""
    found = definition(func_ir, item)
    if _is(found, "getitem"):
        return found.value
    if _is(found, "static_getitem"):
        row = definition(func_ir, found.value)
        items = (
            _gone_over(func_ir, definition(func_ir, row.value))
            if _is(row, "exhaust_iter")
            else None
        )
        call = None if items is None else definition(func_ir, items)
        if not _is(call, "call") or call.kws or call.vararg is not None:
            return None
        function = function_of(func_ir, call.func)
        if function is enumerate and found.index == 1:
            return call.args[0]
        is_part = function is zip and 0 <= found.index < len(call.args)
        return call.args[found.index] if is_part else None
    return _gone_over(func_ir, found)


def _gone_over(func_ir: Any, first: Any) -> Any:
    """What a `for` loop goes over that assigns the value of an expression."""
    following = definition(func_ir, first.value) if _is(first, "pair_first") else None
    iterator = definition(func_ir, following.value) if _is(following, "iternext") else None
    if not _is(iterator, "getiter"):
        return None
    call = definition(func_ir, iterator.value)
    is_range = _is(call, "call") and function_of(func_ir, call.func) is range
    return None if is_range else iterator.value


def _content(table: Any) -> Any:
    """What a constant table holds, as a constant of its own; None if it is long, or holds something
    else than plain integers or truth values."""
    if type(table) in (list, tuple):
        places = range(-len(table), len(table))
        table = {place: table[place] for place in places} if len(table) <= LARGEST else None
    if type(table) is not dict or not 0 < len(table) <= 2 * LARGEST:
        return None
    kinds = {type(value) for value in table.values()}
    if {type(key) for key in table} != {int} or kinds not in ({int}, {bool}):
        return None
    if not all(-(1 << 63) <= number < 1 << 63 for pair in table.items() for number in pair):
        return None
    return Constant(None, ContentType(table))


def _is(value: Any, operation: str) -> bool:
    return isinstance(value, ir.Expr) and value.op == operation
