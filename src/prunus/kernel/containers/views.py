"""Views of arrays for Numba: their type, and how an item is found, read and written."""

from __future__ import annotations

import operator
import os
from typing import Any

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.imputils import builtin_registry
from numba.core.types.common import SimpleIteratorType
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
    signature,
)
from numba.extending import (
    intrinsic,
    lower_builtin,
    models,
    overload,
    overload_method,
    register_model,
)

from prunus.core.state import StateLayout
from prunus.kernel.boards.states import scalar_type
from prunus.kernel.boards.stored import (
    INTEGERS,
    address_of,
    form_of,
    start_of,
    store_scalar,
    store_state,
)
from prunus.kernel.numbers.integers import WORD, Number, is_count
from prunus.kernel.numbers.wide import AnyNumber
from prunus.kernel.numbers.words import low_word, signed_word, word
from prunus.kernel.reporting.raising import fail_if


def bounds_checked() -> bool:
    """Whether compiled code checks the indices of views (the environment variable
    NUMBA_BOUNDSCHECK)."""
    return os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0")


def _named(state: Any) -> str:
    """A State's type with its class, since States of two games may have the same shape."""
    if state is None:
        return "-"
    cls = state.instance_class
    return f"{cls.__module__}.{cls.__qualname__}#{id(cls)}:{state}"


class ViewType(types.IterableType):
    """A view of `ndim` dimensions whose items are of a `kind` of `INTEGERS`, a float ("f32", "f64")
    or States ("state").

    Negative indices of a game's arrays (`of_game`) count from the end. Indices are always checked
    for a user's game, but only on request (`trusted`) for Prunus's own games and for a memory,
    which only algorithms use."""

    def __init__(
        self,
        kind: str,
        ndim: int,
        state: Any = None,
        layout: StateLayout | None = None,
        of_game: bool = False,
        trusted: bool = True,
    ) -> None:
        self.kind, self.ndim, self.state, self.layout, self.of_game, self.trusted = (
            kind,
            ndim,
            state,
            layout,
            of_game,
            trusted,
        )
        self.checked = not trusted or bounds_checked()
        self.item = (
            state
            if kind == "state"
            else types.float64
            if kind[0] == "f"
            else scalar_type(INTEGERS[kind])
        )
        super().__init__(f"View({kind}, {ndim}, {_named(state)}, {self.checked}, {of_game})")

    @property
    def iterator_type(self) -> Any:
        """The type of its iterator."""
        return ViewIterator(self)

    def __reduce__(self) -> Any:
        # Rebuilt, because the name contains the identity of a class in one process.
        return ViewType, (self.kind, self.ndim, self.state, self.layout, self.of_game, self.trusted)


def row_type(view: ViewType) -> Any:
    """The type that a loop over a view gives: items, or rows if there is more than one
    dimension."""
    return (
        view.item
        if view.ndim == 1
        else ViewType(view.kind, view.ndim - 1, view.state, view.layout, view.of_game, view.trusted)
    )


class ViewIterator(SimpleIteratorType):
    """The iterator of a view: over items, or over rows if there is more than one dimension."""

    def __init__(self, view: ViewType) -> None:
        self.view = view
        super().__init__(f"iter({view})", row_type(view))


@register_model(ViewType)
class _ViewModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(
            manager,
            kind,
            [("address", types.uint64), *((f"n{i}", types.int64) for i in range(kind.ndim))],
        )


def load_view(context: Any, builder: Any, kind: ViewType, block: Any, place: int) -> Any:
    """The view whose address and lengths are stored in a block, starting at word `place`."""
    view = context.make_helper(builder, kind)
    view.address = load_fixed(builder, block, place)
    for i in range(kind.ndim):
        setattr(view, f"n{i}", load_fixed(builder, block, place + 1 + i))
    return view._getvalue()


def load_word(builder: Any, block: Any, place: int) -> Any:
    """Word `place` of a block."""
    return builder.load(builder.gep(block, [WORD(place)]))


def load_fixed(builder: Any, block: Any, place: int) -> Any:
    """Word `place` of a block, known not to change while compiled code runs: the addresses and
    lengths of arrays, a game's data. LLVM need not read it again after a store."""
    found = load_word(builder, block, place)
    found.set_metadata("invariant.load", builder.module.add_metadata([]))
    return found


def offset_in(context: Any, builder: Any, view: Any, kind: ViewType, indices: list[Any]) -> Any:
    """How many items into a view's memory the item with these indices lies (pairs of type and
    value, one a dimension). Raises IndexError where `place_in` does."""
    offset = WORD(0)
    for i, (given, index) in enumerate(indices):
        length = getattr(view, f"n{i}")
        place = place_in(context, builder, kind, (given, index), length)
        offset = place if i == 0 else builder.add(builder.mul(offset, length), place)
    return offset


def place_in(
    context: Any, builder: Any, view: ViewType, index: tuple[Any, Any], length: Any
) -> Any:
    """The place of an item with an index (its type and value) in a dimension of this length. Raises
    IndexError out of range if indices are checked."""
    if is_count(index[0]):
        # This also refuses words of 2**63 or more: no array is that long.
        place = low_word(builder, *index)
    else:
        place = signed_word(context, builder, *index)
        if view.of_game:
            place = builder.select(
                builder.icmp_signed("<", place, WORD(0)), builder.add(place, length), place
            )
    if view.checked:
        fail_if(
            context,
            builder,
            builder.icmp_unsigned(">=", place, length),
            IndexError,
            "index outside the array",
        )
    return place


def indices_of(kind: Any, value: Any, builder: Any) -> list[Any]:
    """The types and the values of the indices in the brackets."""
    if isinstance(kind, types.BaseTuple):
        return [(item, builder.extract_value(value, i)) for i, item in enumerate(kind.types)]
    return [(kind, value)]


def _are_indices(view: ViewType, kind: Any) -> bool:
    kinds = kind.types if isinstance(kind, types.BaseTuple) else (kind,)
    return len(kinds) == view.ndim and all(isinstance(k, Number) for k in kinds)


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 2 and isinstance(args[0], ViewType) and _are_indices(*args):
            return signature(args[0].item, *args)
        return None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 3 and isinstance(args[0], ViewType) and _are_indices(*args[:2]):
            view, _, value = args
            if view.of_game and not view.trusted:
                raise errors.TypingError(
                    "an array of the game is changed here, so that values would depend on the "
                    "order of the search: whatever changes belongs in the State"
                )
            if view.kind == "state":
                return signature(types.none, *args[:2], view.item) if value == view.item else None
            if isinstance(value, AnyNumber) or (
                view.kind[0] == "f" and isinstance(value, types.Float)
            ):
                return signature(types.none, *args)
        return None


def item_pointer(
    context: Any, builder: Any, kind: ViewType, view: Any, index_type: Any, index: Any
) -> Any:
    """The address of a scalar item of a view."""
    made = context.make_helper(builder, kind, value=view)
    offset = offset_in(context, builder, made, kind, indices_of(index_type, index, builder))
    return address_of(builder, made.address, offset, form_of(kind.kind))


@lower_builtin(operator.setitem, ViewType, types.Any, types.Any)
def _set_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    view = context.make_helper(builder, kind, value=args[0])
    offset = offset_in(context, builder, view, kind, indices_of(sig.args[1], args[1], builder))
    if kind.kind == "state":
        store_state(builder, kind, view.address, offset, args[2])
    else:
        store_scalar(
            builder,
            kind.kind,
            address_of(builder, view.address, offset, form_of(kind.kind)),
            sig.args[2],
            args[2],
        )
    return context.get_dummy_value()


@overload(len)
def _length(view):
    return (lambda view: view.n0) if isinstance(view, ViewType) else None


@intrinsic
def _fetch(typingctx: Any, view: Any, index: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = sig.args[0]
        made = context.make_helper(builder, kind, value=args[0])
        place = word(builder, sig.args[1], args[1])
        byte = ir.IntType(8).as_pointer()
        if kind.kind == "state":
            pointer = builder.inttoptr(start_of(builder, kind, made.address, place), byte)
        else:
            item = address_of(builder, made.address, place, form_of(kind.kind))
            pointer = builder.bitcast(item, byte)
        number = ir.IntType(32)
        called = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        prefetch = cgutils.get_or_insert_function(builder.module, called, "llvm.prefetch.p0")
        builder.call(
            prefetch, [pointer, number(0), number(3), number(1)]
        )  # to read, into all caches, data
        return context.get_dummy_value()

    return types.none(view, index), lower


@overload_method(ViewType, "prefetch")
def _prefetch(view, index):
    def prefetch(view, index):
        return _fetch(view, index)

    return prefetch


@infer_getattr
class _ViewAttributes(AttributeTemplate):
    key = ViewType

    def resolve_n0(self, view: Any) -> Any:
        """The length, for `len`."""
        return types.int64

    def resolve_shape(self, view: Any) -> Any:
        """The lengths of all dimensions."""
        return types.UniTuple(types.int64, view.ndim)


@builtin_registry.lower_getattr(ViewType, "n0")
def _view_length(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.make_helper(builder, kind, value=value).n0


@builtin_registry.lower_getattr(ViewType, "shape")
def _view_shape(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    view = context.make_helper(builder, kind, value=value)
    lengths = [getattr(view, f"n{i}") for i in range(kind.ndim)]
    return context.make_tuple(builder, types.UniTuple(types.int64, kind.ndim), lengths)
