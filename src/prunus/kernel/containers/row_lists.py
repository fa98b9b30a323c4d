"""A list of lists that is made of the rows of a board and never leaves its function: `rows =
[list(row) for row in state.board]`, changed and turned back by `tuple(tuple(row) for row in rows)`.

The rows lie one behind the other on the stack, and each of them is a list on the stack
(`local_lists.py`). `rewriting/row_lists.py` finds these lists.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.imputils import RefType, iternext_impl
from numba.core.types.abstract import IteratorType
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, models, overload, register_model

from prunus.kernel.boards.homes import lasting_place, place_for, store_whole
from prunus.kernel.boards.states import pack
from prunus.kernel.containers.local_lists import (
    LocalList,
    called_instead,
    kind_of_items,
    place_within,
)
from prunus.kernel.containers.sequences import sized_list
from prunus.kernel.numbers.integers import WORD, Number


class RowLists(types.Sequence):
    """The type of a list of `count` such rows."""

    def __init__(self, row: LocalList, count: int) -> None:
        self.dtype, self.count = row, count
        super().__init__(f"list of {count} rows, each a {row}")

    @property
    def iterator_type(self) -> Any:
        """The type that `iter` gives."""
        return RowsIterator(self)

    def __reduce__(self) -> Any:
        return RowLists, (self.dtype, self.count)


class RowsIterator(IteratorType):
    """The type of an iterator over such a list."""

    def __init__(self, of: RowLists) -> None:
        self.of = of
        super().__init__(f"iterator of a {of}")

    @property
    def yield_type(self) -> Any:
        """The type of its items."""
        return self.of.dtype

    def __reduce__(self) -> Any:
        return RowsIterator, (self.of,)


@register_model(RowLists)
class _RowsModel(models.PrimitiveModel):
    """The address of the first row."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, manager.lookup(kind.dtype).get_value_type())


@register_model(RowsIterator)
class _IteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(
            manager, kind, [("index", types.EphemeralPointer(types.intp)), ("rows", kind.of)]
        )


def row_lists(rows, become_tuples):
    """`[list(row) for row in rows]` in compiled code, for a list that stays in the function;
    `become_tuples` if its rows are turned into tuples again."""
    raise NotImplementedError


def heap_lists(rows):
    """The same for rows that cannot lie on the stack."""
    raise NotImplementedError


@overload(heap_lists)
def _heap_lists(rows):
    kinds = rows.types if isinstance(rows, types.BaseTuple) else [getattr(rows, "dtype", None)]
    if any(isinstance(types.unliteral(kind), types.UnicodeType) for kind in kinds if kind):
        return lambda rows: [list(row) for row in rows]
    return lambda rows: [sized_list(row) for row in rows]


def _kind_of_rows(rows: Any, become_tuples: bool) -> Any:
    """The long tuple type that holds the items of a row; None if rows cannot be on the stack."""
    if not isinstance(rows, types.BaseTuple):
        return None
    kinds = {kind_of_items(_plain(row), become_tuples) for row in rows.types}
    return kinds.pop() if len(kinds) == 1 else None


def _plain(kind: Any) -> Any:
    """The type of a tuple, what is written out in it taken as any such value."""
    if not isinstance(kind, types.BaseTuple):
        return kind
    return types.BaseTuple.from_types([types.unliteral(item) for item in kind.types])


@infer_global(row_lists)
class _RowLists(AbstractTemplate):
    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        if not isinstance(args[1], types.Literal):
            return None
        kind = _kind_of_rows(args[0], args[1].literal_value)
        if kind is not None:
            return signature(RowLists(LocalList(kind), len(args[0])), *args)
        rows = _plain(args[0])
        plain = self.context.resolve_function_type(heap_lists, (rows,), {})
        return None if plain is None else signature(plain.return_type, rows, args[1])


@lower_builtin(row_lists, types.Any, types.Any)
def _make(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made, kind = sig.return_type, sig.args[0]
    if not isinstance(made, RowLists):
        return called_instead(context, builder, heap_lists, kind, args[0])
    row = context.get_value_type(made.dtype.items)
    whole = lasting_place(builder, ir.ArrayType(row.element, row.count * made.count))
    place = builder.bitcast(whole, row.as_pointer())
    for i in range(made.count):
        items = builder.extract_value(args[0], i)
        items = pack(context, builder, made.dtype.items, kind.types[i], items)
        store_whole(builder, items, builder.gep(place, [WORD(i)], inbounds=True))
    return place


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        fits = len(args) == 2 and isinstance(args[0], RowLists) and isinstance(args[1], Number)
        return signature(args[0].dtype, *args) if fits else None


@lower_builtin(operator.getitem, RowLists, types.Any)
def _get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    rows, text = sig.args[0], "list index out of range"
    place = place_within(context, builder, sig.args[1], args[1], rows.count, text)
    return builder.gep(args[0], [place], inbounds=True)


@lower_builtin("getiter", RowLists)
def _iterate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    iterator = context.make_helper(builder, sig.return_type)
    place = place_for(builder, WORD)
    builder.store(WORD(0), place)
    iterator.index, iterator.rows = place, args[0]
    return iterator._getvalue()


@lower_builtin("iternext", RowsIterator)
@iternext_impl(RefType.BORROWED)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    place, rows = builder.extract_value(args[0], 0), builder.extract_value(args[0], 1)
    index = builder.load(place)
    inside = builder.icmp_unsigned("<", index, WORD(sig.args[0].of.count))
    result.set_valid(inside)
    with builder.if_then(inside):
        result.yield_(builder.gep(rows, [index], inbounds=True))
        builder.store(builder.add(index, WORD(1)), place)


@infer_global(len)
class _Len(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        fits = len(args) == 1 and isinstance(args[0], RowLists)
        return signature(types.int64, *args) if fits else None


@lower_builtin(len, RowLists)
def _length(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return WORD(sig.args[0].count)
