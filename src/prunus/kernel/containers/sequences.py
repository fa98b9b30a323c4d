"""Tuples made from lists and loops: `tuple(cells)`, `tuple(f(item) for item in t)`, `(0,) * n`.

A tuple's length is part of its type, a list's is not. A list's length is found in two ways: a list
made from a tuple has a type that remembers the length (`SizedList`), and a list that one loop
fills, with one item per iteration, has as many items as the loop iterates over. Both are
expectations: the code checks the list itself before making the tuple, and raises ValueError if they
differ.
"""

from __future__ import annotations

import operator
from functools import cache
from typing import Any

from numba.core import errors, ir, ir_utils, types
from numba.core.datamodel.models import ListModel
from numba.core.imputils import impl_ret_borrowed, impl_ret_new_ref
from numba.core.types.containers import List
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.cpython.listobj import ListInstance
from numba.extending import intrinsic, overload, register_model

from prunus.kernel.boards.packed import Packed, long_type
from prunus.kernel.boards.packed_values import load_packed
from prunus.kernel.boards.packed_zip import PackedZip, shortest
from prunus.kernel.numbers.integers import WORD
from prunus.kernel.reporting.raising import fail_if


class SizedList(List):
    """The type of a list that was made with `count` items."""

    def __init__(self, dtype: Any, count: int) -> None:
        super().__init__(dtype)
        self.count = count
        self.name = f"list({self.dtype}, {count})"

    @property
    def key(self) -> Any:
        """The key by which two such types are equal."""
        return self.dtype, self.count

    def copy(self, dtype: Any = None, reflected: Any = None) -> Any:
        """The same type with items of another type."""
        return SizedList(dtype or self.dtype, self.count)

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The common type of two branches: a list of unknown length if they differ."""
        return (
            self
            if self == other
            else types.List(self.dtype).unify(typingctx, types.List(other.dtype))
            if _is_list(other)
            else None
        )

    def __unliteral__(self) -> Any:
        return self


register_model(SizedList)(ListModel)


def _is_list(kind: Any) -> bool:
    return isinstance(kind, types.List)


def _teach_unknown(name: Any) -> None:
    """Let the result of an operator on such a list be one of unknown length: it has another one."""

    @infer_global(name)
    class Template(AbstractTemplate):
        metadata = {"target": "cpu"}  # noqa: RUF012 - asked before Numba's own

        def generic(self, args: Any, kws: Any) -> Any:
            other = args[1] if len(args) == 2 else None
            # A constant list beside such a list is joined as beside any other.
            kinds = types.List | types.SliceType | types.Integer
            fits = len(args) == 2 and all(isinstance(kind, kinds) for kind in args)
            if not fits or not any(isinstance(kind, SizedList) for kind in args):
                return None
            if name is operator.getitem and not isinstance(other, types.SliceType):
                return None
            lists = [types.List(kind.dtype) if _is_list(kind) else kind for kind in args]
            plain = self.context.resolve_function_type(name, tuple(lists), {})
            return plain and signature(plain.return_type, *args)


for _name in (operator.getitem, operator.add, operator.mul):
    _teach_unknown(_name)


def sized_list(items):
    """`list(items)` in compiled code."""
    raise NotImplementedError


def tuple_of(items, witness):
    """`tuple(items)` in compiled code, for as many items as `witness` has, or as it says."""
    raise NotImplementedError


def repeated(items, times, count):
    """`items * times` in compiled code, for `items` written out as `count` items."""
    raise NotImplementedError


def expecting(items, witness):
    """The same list in compiled code, as one of as many items as `witness` has, or as it says."""
    raise NotImplementedError


@overload(expecting, prefer_literal=True)
def _expecting(items, witness):
    count = _count(items, witness)
    if count is None or type(items) is not types.List:
        return lambda items, witness: items
    sized = of_size(count)
    return lambda items, witness: sized(items)


@overload(sized_list)
def _sized_list(items):
    if isinstance(items, types.UniTuple | types.NamedUniTuple):
        return lambda items: _list_of_tuple(items)  # noqa: PLW0108 - Numba compiles the lambda
    if isinstance(items, SizedList):
        return lambda items: _remembering(list(items), items)
    iterable = isinstance(items, types.IterableType) and not isinstance(items, Packed)
    return (lambda items: list(items)) if iterable else None  # noqa: PLW0108


def unsized(items):
    """The same list in compiled code as one of unknown length; anything else as it is."""
    raise NotImplementedError


@overload(unsized)
def _unsized(items):
    if isinstance(items, SizedList):
        return lambda items: _forgetting(items)  # noqa: PLW0108 - Numba compiles the lambda
    return lambda items: items


@intrinsic
def _forgetting(typingctx, items):
    def lower(context, builder, sig, args):
        context.nrt.incref(builder, items, args[0])
        return args[0]

    return types.List(items.dtype)(items), lower


@overload(sized_list)
def _list_of_long_tuple(items):
    if not isinstance(items, Packed):
        return None
    sized = of_size(items.count)

    def fill(items):
        made = [items[0] for _ in range(len(items))]
        for i, item in enumerate(items):
            made[i] = item
        return sized(made)

    return fill


@intrinsic
def _list_of_tuple(typingctx, items):
    made = SizedList(items.dtype, items.count)

    def lower(context, builder, sig, args):
        instance = ListInstance.allocate(context, builder, made, WORD(items.count))
        instance.size = WORD(items.count)
        for i in range(items.count):
            instance.inititem(WORD(i), builder.extract_value(args[0], i), incref=True)
        return impl_ret_new_ref(context, builder, made, instance.value)

    return made(items), lower


@intrinsic
def _remembering(typingctx, items, like):
    made = SizedList(items.dtype, like.count)

    def lower(context, builder, sig, args):
        context.nrt.incref(builder, items, args[0])
        return args[0]

    return made(items, like), lower


@cache
def tuple_from_list(count):
    """The function that makes a tuple, in compiled code, from a list with `count` items."""

    @intrinsic
    def make(typingctx, items):
        made = long_type(items.dtype, count)

        def lower(context, builder, sig, args):
            instance = _expected(context, builder, items, args[0], count, "tuple()")
            if isinstance(made, Packed):
                return load_packed(builder, made, instance.data)
            found = [instance.getitem(WORD(i)) for i in range(count)]
            return impl_ret_borrowed(
                context, builder, made, context.make_tuple(builder, made, found)
            )

        return made(items), lower

    return make


def _expected(context, builder, kind, value, count, where):
    """A list of so many items; code that finds another number raises an error."""
    instance = ListInstance(context, builder, kind, value)
    is_other = builder.icmp_signed("!=", instance.size, WORD(count))
    text = f"{where}: the list does not have the {count} items that compiled code expects"
    fail_if(context, builder, is_other, OverflowError, text)
    return instance


def checked_row(context, builder, kind, value, count):
    """A list that takes the place of one of `count` items in a list of lists that become tuples;
    another length raises an error in compiled code."""
    return _expected(context, builder, kind, value, count, "rows that become tuples").value


_UNKNOWN = (
    "tuple() or zip(*) of items whose number is not known when the code is compiled: leave it a "
    "list (for `zip(*rows)` write `[[row[i] for row in rows] for i in range(n)]`), or make it from "
    "a tuple, a list made of one, or in a loop with one item for each item of a tuple"
)


@overload(tuple_of, prefer_literal=True)
def _tuple_of(items, witness):
    if isinstance(items, types.BaseTuple | Packed):
        return lambda items, witness: items
    is_zip = isinstance(items, types.ZipType | PackedZip) and not isinstance(witness, types.Boolean)
    if is_zip and shortest(items) is not None:
        make = tuple_from_list(shortest(items))
        return lambda items, witness: make(list(items))
    if not isinstance(items, types.List):
        if isinstance(items, types.IterableType | types.IteratorType):
            raise errors.TypingError(_UNKNOWN)
        return None
    count = _count(items, witness)
    if count is None:
        raise errors.TypingError(_UNKNOWN)
    make = tuple_from_list(count)
    return lambda items, witness: make(items)


def loose_tuple(items, witness):
    """`tuple(items)` in compiled code, if the tuple is only read: a list, if its length is not
    known."""
    raise NotImplementedError


@overload(loose_tuple, prefer_literal=True)
def _loose_tuple(items, witness):
    is_list = isinstance(items, types.List)
    if (is_list and _count(items, witness) is None) or (
        not is_list and isinstance(items, types.IteratorType)
    ):
        return lambda items, witness: list(items)
    return lambda items, witness: tuple_of(items, witness)  # noqa: PLW0108 - Numba compiles the lambda


def _count(items, witness):
    if isinstance(witness, types.Boolean):
        return None
    if isinstance(items, SizedList):
        return items.count
    if isinstance(witness, types.IntegerLiteral):
        return witness.literal_value
    if isinstance(witness, types.ZipType | PackedZip):
        return shortest(witness)
    return witness.count if isinstance(witness, types.BaseTuple | Packed | SizedList) else None


@overload(repeated, prefer_literal=True)
def _repeated(items, times, count):
    if not isinstance(times, types.IntegerLiteral):
        if isinstance(items, types.BaseTuple):
            raise errors.TypingError(
                "a tuple times a number that is not known when the code is compiled"
            )
        return lambda items, times, count: items * times
    number, length = times.literal_value, count.literal_value
    if isinstance(items, types.List):
        sized = of_size(max(number, 0) * length)
        return lambda items, times, count: sized(items * times)
    if getattr(items, "mutable", False):  # a list on the stack
        sized = of_size(max(number, 0) * length)
        return lambda items, times, count: sized(list(items) * times)
    repeat = _tuple_times(number)
    return lambda items, times, count: repeat(items)


@cache
def of_size(count):
    """The function that gives a list the type of one with `count` items."""

    @intrinsic
    def sized(typingctx, items):
        made = SizedList(items.dtype, count)

        def lower(context, builder, sig, args):
            context.nrt.incref(builder, items, args[0])
            return args[0]

        return made(items), lower

    return sized


@cache
def _tuple_times(times):
    """The function that repeats a tuple `times` times."""

    @intrinsic
    def repeat(typingctx, items):
        kinds = tuple(map(types.unliteral, items.types))
        made = types.Tuple.from_types(kinds * times)

        def lower(context, builder, sig, args):
            given = enumerate(zip(items.types, kinds, strict=True))
            parts = [
                context.cast(builder, builder.extract_value(args[0], i), kind, plain)
                for i, (kind, plain) in given
            ]
            whole = context.make_tuple(builder, made, parts * times)
            return impl_ret_borrowed(context, builder, made, whole)

        return made(items), lower

    return repeat


def call_instead(block: Any, statement: Any, function: Any, *arguments: Any) -> None:
    """Make a statement call a function with variables and constants."""
    place = block.body.index(statement)
    variables = []
    for given in (function, *arguments):
        if isinstance(given, ir.Var):
            variables.append(given)
            continue
        made = (
            ir.Global(function.__name__, given, statement.loc)
            if given is function
            else ir.Const(given, statement.loc)
        )
        variable = block.scope.redefine(ir_utils.mk_unique_var("$given"), loc=statement.loc)
        block.body.insert(place, ir.Assign(made, variable, statement.loc))
        place += 1
        variables.append(variable)
    statement.value = ir.Expr.call(variables[0], variables[1:], (), statement.loc)
