"""Lists of equal items that stay in their function, `seen = [False] * 81`: like those of
`local_lists.py` they are on the stack."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, overload

from prunus.core.bits import CASTS, i64, u64
from prunus.kernel.boards.homes import place_for
from prunus.kernel.boards.packed import Packed
from prunus.kernel.boards.packed_values import item_pointer, loop, narrowed, zero
from prunus.kernel.boards.states import stored_item
from prunus.kernel.containers.local_lists import LocalList
from prunus.kernel.containers.sequences import of_size
from prunus.kernel.numbers.integers import TRUTH_OR_INT, U64
from prunus.kernel.numbers.words import word

MOST = 1024
"""The most items allowed: they lie on the stack, and each ply of a search takes some of it."""

_SCALARS = {scalar.__name__: scalar for scalar in CASTS}


def equal_items(item, count, scalar):
    """`[item] * count` in compiled code, for a list that stays in the function; `scalar` names that
    of the field that the list goes into as a tuple, "" if there is none."""
    raise NotImplementedError


def _kind(item: Any, count: int, scalar: Any) -> Any:
    """The long tuple type that holds the items; None if they cannot be on the stack."""
    narrow = _SCALARS.get(scalar, i64)
    narrow = i64 if narrow in (bool, u64) else narrow
    if item is types.boolean:
        mixed = scalar not in ("", "bool")
        return Packed(narrow if mixed else bool, count, mixed)
    if item in (types.int64, TRUTH_OR_INT):
        return Packed(narrow, count, item is TRUTH_OR_INT)
    return Packed(u64, count) if item is U64 else None


@infer_global(equal_items)
class _EqualItems(AbstractTemplate):
    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        item, count, scalar = args
        kind = _kind(types.unliteral(item), count.literal_value, scalar.literal_value)
        if kind is None:
            made = self.context.resolve_function_type(_on_heap, args[:2], {})
            return None if made is None else signature(made.return_type, *args)
        return signature(LocalList(kind), types.unliteral(item), *args[1:])


@lower_builtin(equal_items, types.Any, types.Any, types.Any)
def _make(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made, given = sig.return_type, sig.args[0]
    if not isinstance(made, LocalList):
        function = context.typing_context.resolve_value_type(_on_heap)
        call = context.get_function(
            function, function.get_call_type(context.typing_context, sig.args[:2], {})
        )
        context.add_linking_libs(getattr(call, "libs", ()))
        return call(builder, args[:2])
    kind = made.items
    where = "an item of a list that becomes a tuple"
    item = stored_item(context, builder, kind.scalar, given, args[0], where)
    stored = {bool: types.boolean, u64: U64}.get(kind.scalar, types.int64)
    item = narrowed(builder, kind, word(builder, stored, item))
    home = place_for(builder, context.get_value_type(kind))
    builder.store(zero(kind), home)
    with loop(builder, kind.count) as step:
        builder.store(item, item_pointer(builder, kind, home, step.index))
    return home


def _on_heap(item, count):
    """The same on the heap."""
    raise NotImplementedError


@overload(_on_heap, prefer_literal=True)
def _heap(item, count):
    number = count.literal_value
    sized = of_size(number)
    return lambda item, count: sized([item for _ in range(number)])
