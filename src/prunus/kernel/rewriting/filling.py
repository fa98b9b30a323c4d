"""Lists that one loop fills and that then become a tuple: `tuple(f(cell) for cell in state.cells)`.

They need no heap memory: the items are stored side by side on the stack, and the tuple is what lies
there. If the tuple goes straight into a field of a State, its items have the field's width from the
start, and one check after the loop tells whether all of them are in range: a loop without exits is
one that the compiler can vectorise.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir as native
from numba.core import errors, types
from numba.core.imputils import impl_ret_borrowed, impl_ret_new_ref
from numba.core.registry import cpu_target
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    bound_function,
    infer_getattr,
    infer_global,
    signature,
)
from numba.cpython.listobj import ListInstance
from numba.extending import lower_builtin, models, register_model

from prunus.core.bits import CASTS, i64, u64
from prunus.core.state import is_long
from prunus.kernel.boards.furthest import FURTHEST, cut, cut_twice, nothing_yet, refuse
from prunus.kernel.boards.homes import place_for
from prunus.kernel.boards.packed import Packed, long_type
from prunus.kernel.boards.packed_values import item_pointer, loop, zero
from prunus.kernel.boards.packed_zip import PackedZip, shortest
from prunus.kernel.containers.known_tables import TableType
from prunus.kernel.containers.local_lists import LocalList
from prunus.kernel.containers.sequences import SizedList, tuple_of
from prunus.kernel.containers.stack_lists import StackList, empty_list
from prunus.kernel.containers.type_keys import keyed_by
from prunus.kernel.numbers.integers import TRUTH_OR_INT, U64, WORD, mixture
from prunus.kernel.numbers.words import word
from prunus.kernel.reporting.raising import fail_if
from prunus.kernel.rewriting.fitting import Fitted, fitted, is_fitting

SCALARS = {scalar.__name__: scalar for scalar in CASTS}
"""The kinds of fields by name."""

MOST = 4096
"""The most items allowed: they lie on the stack, and each ply of a search takes some of it."""

LONG_LOOP = 64
"""The number of iterations from which LLVM vectorises a loop instead of unrolling it."""

_PLAIN = (types.boolean, U64, types.int64)


@keyed_by("dtype")
class Filling(types.Type):
    """The type of such a list: `count` items of type `dtype`, stored as `scalar` (None: unchanged);
    error messages call them `where`. If it `changes`, it goes on as a list on the stack."""

    mutable = True

    def __init__(self, dtype: Any, count: int, scalar: Any, where: str, changes: bool) -> None:
        self.dtype, self.count, self.where = types.unliteral(dtype), count, where
        fits = (
            self.dtype is types.boolean
            or is_fitting(scalar, self.dtype)
            or (self.dtype in _PLAIN and (self.dtype is U64) == (scalar is u64))
        )
        self.wanted, self.changes = scalar, changes
        self.scalar = scalar if fits and scalar is not None and is_long(scalar, count) else None
        super().__init__(
            f"list of {count} items for a {'list' if changes else 'tuple'} of {dtype}, "
            f"{scalar and scalar.__name__}, {where}"
        )

    @property
    def made(self) -> Any:
        """The type of the tuple, or of one with the items of the list on the stack; None if the
        stack cannot hold that list."""
        if self.changes:
            return self._changing
        return (
            long_type(self.dtype, self.count)
            if self.scalar is None
            else Packed(self.scalar, self.count)
        )

    @property
    def is_narrow(self) -> bool:
        """Whether its items may be `Fitted` ones."""
        return isinstance(self.made, Packed) and self.made.scalar is self.wanted

    @property
    def _changing(self) -> Any:
        """Items as the list holds them in Python, at the width of their field if that is sure."""
        scalar = self.wanted if self.wanted not in (None, bool, u64) else i64
        if self.dtype is types.boolean:
            mixed = self.wanted not in (None, bool)
            return Packed(scalar if mixed else bool, self.count, mixed)
        fitting = {U64: u64, types.int64: scalar, TRUTH_OR_INT: scalar}.get(self.dtype)
        mixed = self.dtype is TRUTH_OR_INT
        return None if fitting is None else Packed(fitting, self.count, mixed)

    def is_precise(self) -> bool:
        """Whether the type of the items is known."""
        return bool(self.dtype.is_precise())

    def of(self, dtype: Any) -> Any:
        """The same with other items."""
        return Filling(dtype, self.count, self.wanted, self.where, self.changes)

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The same with items of the common type of both."""
        if not isinstance(other, Filling) or (
            other.count,
            other.wanted,
            other.where,
            other.changes,
        ) != (
            self.count,
            self.wanted,
            self.where,
            self.changes,
        ):
            return None
        dtype = typingctx.unify_pairs(self.dtype, other.dtype)
        return None if dtype is None else self.of(dtype)

    def __reduce__(self) -> Any:
        return Filling, (self.dtype, self.count, self.wanted, self.where, self.changes)


def _place_type(kind: Filling) -> Any:
    """The type of the storage on the stack: the items."""
    if isinstance(kind.made, Packed):
        return native.ArrayType(kind.made.vector, kind.made.chunks)
    return native.ArrayType(cpu_target.target_context.get_value_type(kind.dtype), kind.count)


@register_model(Filling)
class _FillingModel(models.PrimitiveModel):
    """The addresses of the number of items, of the items, and of the item furthest out of range, as
    an unsigned number."""

    def __init__(self, manager: Any, kind: Filling) -> None:
        address = native.IntType(8).as_pointer()
        super().__init__(
            manager,
            kind,
            native.LiteralStructType([WORD.as_pointer(), address, FURTHEST.as_pointer()]),
        )


UNTOUCHED: Final = 2
"""See `filled_list`."""


def filled_list(witness, field, changes):
    """`[]` in compiled code, if one loop adds an item per iteration, as many as `witness` says, and
    the list becomes a tuple. `field` names the scalar and the field of the State that the tuple
    goes into, separated by a space; "" if it goes elsewhere. `changes` if the list is used between,
    through `settled_list`: then it need not have a known length, and a `zip` tells one only if
    nothing has been taken from it so far, `changes` being UNTOUCHED."""
    raise NotImplementedError


@infer_global(filled_list)
class _FilledList(AbstractTemplate):
    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        """A list of any length if the number of items is not known or too large."""
        kind = _filling(types.undefined, *args)
        longer = StackList if getattr(args[2], "literal_value", False) else types.List
        return signature(kind or longer(types.undefined), *args)


@infer_global(fitted)
class _Fitted(AbstractTemplate):
    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        """A plain number if the list's items are not narrower than that."""
        given = types.unliteral(args[0])
        kind = _filling(given, *args[1:])
        if kind is None or not is_fitting(kind.wanted, given) or not kind.is_narrow:
            return signature(given, *args)
        return signature(Fitted(kind.wanted, given), *args)


def _filling(dtype: Any, witness: Any, field: Any, changes: Any) -> Filling | None:
    """The type of a list by the arguments of `filled_list`; None for an ordinary one."""
    is_zip = isinstance(witness, types.ZipType | PackedZip)
    known = isinstance(witness, types.BaseTuple | Packed | SizedList | LocalList) or (
        isinstance(witness, TableType) and witness.count is not None
    )
    count = (
        witness.literal_value
        if isinstance(witness, types.IntegerLiteral)
        else shortest(witness) or 0
        if is_zip and changes.literal_value in (False, UNTOUCHED)
        else len(_items(witness))
        if known
        else 0
    )
    if not 0 < count <= MOST:
        return None
    scalar, _, name = field.literal_value.partition(" ")
    return Filling(dtype, count, SCALARS.get(scalar), name, bool(changes.literal_value))


def _items(witness: Any) -> Any:
    if isinstance(witness, LocalList):
        return witness.items
    return range(witness.count) if isinstance(witness, SizedList | TableType) else witness


@lower_builtin(filled_list, types.Any, types.Any, types.Any)
def _make(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.return_type
    if isinstance(kind, StackList):
        return empty_list(context, builder, kind)
    if isinstance(kind, types.List):
        return context.build_list(builder, kind, [])
    count, items, worst = (
        place_for(builder, WORD),
        place_for(builder, _place_type(kind)),
        nothing_yet(builder),
    )
    builder.store(WORD(0), count)
    if isinstance(kind.made, Packed):
        builder.store(zero(kind.made), items)
    made = native.Constant(context.get_value_type(kind), native.Undefined)
    for i, part in enumerate(
        (count, builder.bitcast(items, native.IntType(8).as_pointer()), worst)
    ):
        made = builder.insert_value(made, part, i)
    return made


@infer_getattr
class _Methods(AttributeTemplate):
    key = Filling

    @bound_function("filling.append")
    def resolve_append(self, kind: Any, args: Any, kws: Any) -> Any:
        """`items.append(item)`: the first call fixes the type of the items."""
        is_fitted = isinstance(args[0], Fitted)
        item = args[0].dtype if is_fitted else types.unliteral(args[0])
        words = mixture(kind.dtype, item)
        if words:
            raise errors.TypingError(words)
        unified = self.context.unify_pairs(kind.dtype, item)
        if unified is None:
            return None
        given = args[0] if is_fitted and kind.of(unified).is_narrow else unified
        return signature(types.none, given).replace(recvr=kind.of(unified))


@lower_builtin("filling.append", Filling, types.Any)
def _append(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, made = sig.args[0], sig.args[0].made
    counter, items, worst = (builder.extract_value(args[0], i) for i in range(3))
    builder.is_worth_keeping = isinstance(made, Packed) and kind.count < LONG_LOOP
    count = builder.load(counter)
    fail_if(
        context,
        builder,
        builder.icmp_unsigned(">=", count, WORD(kind.count)),
        OverflowError,
        _other_number(kind),
    )
    if isinstance(made, Packed):
        item = (
            cut_twice(builder, made, args[1], worst)
            if isinstance(sig.args[1], Fitted)
            else cut(builder, made, word(builder, kind.dtype, args[1]), worst)
        )
        builder.store(item, item_pointer(builder, made, items, count))
    else:
        # The tuple takes over the items' references.
        context.nrt.incref(builder, kind.dtype, args[1]) if context.enable_nrt else None
        place = builder.bitcast(items, _place_type(kind).as_pointer())
        builder.store(args[1], builder.gep(place, [WORD(0), count], inbounds=True))
    builder.store(builder.add(count, WORD(1)), counter)
    return context.get_dummy_value()


def _other_number(kind: Filling) -> str:
    return f"tuple(): the list does not have the {kind.count} items that compiled code expects"


@infer_global(tuple_of)
class _TupleOf(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(args[0].made, *args) if isinstance(args[0], Filling) else None


@lower_builtin(tuple_of, Filling, types.Any)
def _tuple_of(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _taken_out(context, builder, sig.args[0], sig.return_type, args[0])


def _taken_out(context: Any, builder: Any, kind: Filling, made: Any, value: Any) -> Any:
    items = _checked(context, builder, kind, value)
    if not isinstance(made, Packed):
        parts = [
            builder.load(builder.gep(items, [WORD(0), WORD(i)], inbounds=True))
            for i in range(kind.count)
        ]
        return context.make_tuple(builder, made, parts)
    return builder.load(items)


def _checked(context: Any, builder: Any, kind: Filling, value: Any) -> Any:
    """The address of the items. Raises if there are more or fewer than expected, or if one of them
    does not fit."""
    counter, items, worst = (builder.extract_value(value, i) for i in range(3))
    fail_if(
        context,
        builder,
        builder.icmp_unsigned("!=", builder.load(counter), WORD(kind.count)),
        ValueError,
        _other_number(kind),
    )
    if isinstance(kind.made, Packed):
        refuse(context, builder, kind.made, worst, kind.where)
    return builder.bitcast(items, _place_type(kind).as_pointer())


def settled_list(items):
    """The list on the stack, or on the heap, that goes on after the loop that filled it."""
    raise NotImplementedError


@infer_global(settled_list)
class _SettledList(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        (given,) = args
        if isinstance(given, Filling):
            made = given.made
            return signature(types.List(given.dtype) if made is None else LocalList(made), *args)
        return signature(given, *args) if isinstance(given, types.List) else None


@lower_builtin(settled_list, types.List)
def _settle_list(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return impl_ret_borrowed(context, builder, sig.return_type, args[0])


@lower_builtin(settled_list, Filling)
def _settle(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, made = sig.args[0], sig.return_type
    items = _checked(context, builder, kind, args[0])
    if isinstance(made, LocalList):
        return builder.bitcast(items, context.get_value_type(made))
    instance = ListInstance.allocate(context, builder, made, WORD(kind.count))
    instance.size = WORD(kind.count)
    with loop(builder, kind.count) as step:
        # The list takes over the items' references.
        item = builder.load(builder.gep(items, [WORD(0), step.index], inbounds=True))
        instance.inititem(step.index, item, incref=False)
    return impl_ret_new_ref(context, builder, made, instance.value)
