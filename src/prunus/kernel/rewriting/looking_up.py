"""Look-ups in small tables without a test, for boards all of whose items are known to be keys, and
`get` of small constant dictionaries: what `maps.py` puts into the intermediate code."""

from __future__ import annotations

import operator
from functools import reduce
from typing import Any

from llvmlite import ir as native
from numba.core import types
from numba.core.imputils import impl_ret_borrowed, lower_constant
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, models, register_model

from prunus.core.bits import CASTS
from prunus.kernel.boards.homes import NUMBER, place_for
from prunus.kernel.boards.packed import Packed
from prunus.kernel.boards.packed_values import lanes_where
from prunus.kernel.boards.stored import address_of, form_of, load_scalar
from prunus.kernel.code.linking import DIVIDED
from prunus.kernel.containers.views import ViewType
from prunus.kernel.numbers.integers import BIT, WORD
from prunus.kernel.numbers.words import word
from prunus.kernel.rewriting.fitting import Fitted, fitted, joined, parts_of

LARGEST = 32
"""The most items of a table: each costs a comparison of every item of the board."""

LARGEST_ARRAY = 8
"""The same for an array of the game, whose length is only known when the code runs."""

HALF = native.IntType(16)

_RESULTS = {types.int64: WORD, types.boolean: BIT}


class ContentType(types.Type):
    """The type that says what a constant table holds: for each key its number."""

    def __init__(self, content: dict[int, int]) -> None:
        # A copy: equal types are one object, and the table may be changed later.
        self.content = dict(content)
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


def first_items(table):
    """The items of a short array of the game as a tuple of `LARGEST_ARRAY` items; any other table
    itself."""
    raise NotImplementedError


@infer_global(first_items)
class _FirstItems(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        (table,) = args
        made = types.UniTuple(table.item, LARGEST_ARRAY) if _is_array(table) else table
        return signature(made, table)


@lower_builtin(first_items, types.Any)
def _read_first(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    (kind,), (table,) = sig.args, args
    if not _is_array(kind):
        return impl_ret_borrowed(context, builder, kind, table)
    found = _first_words(context, builder, kind, table)
    if kind.item == types.int64:
        # `all_keys` has tested that this changes none: LLVM knows now how large they are.
        found = [builder.sext(builder.trunc(item, HALF), WORD) for item in found]
    return context.make_tuple(builder, sig.return_type, found)


def _first_words(context: Any, builder: Any, kind: ViewType, table: Any) -> list[Any]:
    """The items of a short array; zeros beyond its end."""
    array, form = context.make_helper(builder, kind, value=table), form_of(kind.kind)
    nothing = place_for(builder, form)
    builder.store(form(0), nothing)
    found = []
    for place in range(LARGEST_ARRAY):
        inside = builder.icmp_unsigned("<", WORD(place), array.n0)
        item = address_of(builder, array.address, WORD(place), form)
        found.append(load_scalar(builder, kind.kind, builder.select(inside, item, nothing)))
    return found


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
    if _is_array(table):
        return list(range(LARGEST_ARRAY))
    is_short = isinstance(table, types.UniTuple) and table.count <= LARGEST
    return list(range(-table.count, table.count)) if is_short else []


def _is_array(table: Any) -> bool:
    """Whether a table is an array of the game with one dimension and words or less in it."""
    is_row = isinstance(table, ViewType) and table.of_game and table.ndim == 1
    return is_row and table.item in _RESULTS


@lower_builtin(all_keys, types.Any, types.Any)
def _test(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    board, keys = sig.args[0], _keys(sig.args[1])
    if not isinstance(board, Packed) or board.mixed or board.width > 32:
        return BIT(0)
    lowest = -(1 << (board.width - 1)) if board.signed else 0
    keys = sorted(key for key in keys if lowest <= key < lowest + (1 << board.width))
    if not keys:
        return BIT(0)
    lengths = [_length(context, builder, sig.args[1], args[1])] if _is_array(sig.args[1]) else []

    def is_no_key(items: Any) -> Any:
        def all_lanes(number: int) -> Any:
            return native.Constant(board.vector, [number] * board.lanes)

        if lengths:
            return builder.icmp_unsigned(">=", items, _spread(builder, board, lengths[0]))
        if keys == list(range(keys[0], keys[-1] + 1)):
            distance = builder.sub(items, all_lanes(keys[0]))
            return builder.icmp_unsigned(">", distance, all_lanes(len(keys) - 1))
        tests = [builder.icmp_unsigned("!=", items, all_lanes(key)) for key in keys]
        return reduce(builder.and_, tests)

    wrong = [
        builder.icmp_unsigned("!=", found, found.type(0))
        for found in lanes_where(builder, board, args[0], is_no_key)
    ]
    if lengths:
        wrong.append(builder.icmp_unsigned(">", lengths[0], WORD(LARGEST_ARRAY)))
        items = _first_words(context, builder, sig.args[1], args[1])
        wrong += [
            builder.icmp_unsigned(">=", builder.add(item, WORD(1 << 15)), WORD(1 << 16))
            for item in items
            if item.type == WORD
        ]
    return builder.not_(reduce(builder.or_, wrong))


def _length(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    return context.make_helper(builder, kind, value=array).n0


def _spread(builder: Any, board: Packed, number: Any) -> Any:
    """A vector with a small number in each lane."""
    nothing = native.Constant(board.vector, native.Undefined)
    first = builder.insert_element(nothing, builder.trunc(number, board.item), NUMBER(0))
    lanes = native.Constant(native.VectorType(NUMBER, board.lanes), None)
    return builder.shuffle_vector(first, nothing, lanes)


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
    _divide_loops(builder.module)
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


def _divide_loops(module: Any) -> None:
    """Ask for two versions of the loop around: `safe` is the same in each iteration."""
    if DIVIDED not in module.globals:
        mark = native.GlobalVariable(module, BIT, DIVIDED)
        mark.linkage, mark.initializer = "weak_odr", BIT(0)


def got_item(table, item, default, known):
    """`table.get(item, default)` for a constant dictionary with this content."""
    raise NotImplementedError


@infer_global(got_item)
class _Got(AbstractTemplate):
    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        method = self.context.resolve_getattr(args[0], "get")
        plain = None if method is None else method.get_call_type(self.context, args[1:3], {})
        return None if plain is None else signature(plain.return_type, *args)


@lower_builtin(got_item, types.Any, types.Any, types.Any, ContentType)
def _get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    table, item, default, known = sig.args
    kind, form = sig.return_type, _RESULTS.get(sig.return_type)
    if form is None or types.unliteral(item) not in _RESULTS or types.unliteral(default) != kind:
        method = context.typing_context.resolve_getattr(table, "get")
        plain = method.get_call_type(context.typing_context, (item, default), {})
        call = context.get_function(method, plain)
        context.add_linking_libs(getattr(call, "libs", ()))
        return call(builder, args[:3])
    index = word(builder, item, args[1])
    found = args[2]
    for key, number in known.content.items():
        is_key = builder.icmp_unsigned("==", index, WORD(key))
        found = builder.select(is_key, form(number), found)
    return found


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
