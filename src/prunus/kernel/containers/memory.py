"""`Memory` and a game's arrays for Numba: one pointer to a block of words, and views of the arrays
that the words point to."""

from __future__ import annotations

import hashlib
import operator
import os
from functools import lru_cache
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
    NativeValue,
    intrinsic,
    lower_builtin,
    models,
    overload,
    overload_method,
    register_model,
    typeof_impl,
    unbox,
)

from prunus.core.state import StateLayout
from prunus.kernel.boards.states import scalar_type, type_of_state
from prunus.kernel.boards.stored import (
    INTEGERS,
    address_of,
    form_of,
    load_scalar,
    store_scalar,
    store_state,
)
from prunus.kernel.memory import (
    POLLED,
    Layout,
    Memory,
    ObjectView,
    Settings,
    StateView,
    Stopped,
    places,
)
from prunus.kernel.numbers.integers import (
    WORD,
    Number,
    Unsigned,
    is_count,
    low_word,
    signed_word,
    word,
)
from prunus.kernel.numbers.wide import AnyNumber
from prunus.kernel.reporting.raising import fail_if

POINTER = WORD.as_pointer()


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
        pointer = builder.bitcast(
            address_of(builder, made.address, place, form_of(kind.kind)), ir.IntType(8).as_pointer()
        )
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


class MemoryType(types.Type):
    """The type of a `Memory`: the names and kinds of its fields, not their sizes, and its settings;
    `made_of` spells them out. The type's own name is short, because it is part of the names of all
    functions that take a memory."""

    def __init__(
        self,
        layout: Layout,
        settings: Settings,
        state: Any,
        shape: StateLayout | None,
        row: Any = None,
        row_shape: StateLayout | None = None,
    ) -> None:
        self.fields: dict[str, tuple[int, Any]] = {}
        self.settings = dict(settings)
        self.kinds = {name: kind for name, kind, _ in layout}
        self._made_of = (layout, settings, state, shape, row, row_shape)
        for (name, kind, is_array), place in zip(layout, places(layout), strict=True):
            if kind == "row":
                item = ViewType("state", 1, row, row_shape)
            elif is_array:
                item = ViewType(kind, 1, state if kind == "state" else None, shape)
            else:
                item = scalar_type(INTEGERS[kind])
            self.fields[name] = (place, item)
        named = f"{_named(state)}, {_named(row)}" if row is not None else _named(state)
        self.made_of = f"Memory({layout}, {settings}, {named}, {bounds_checked()})"
        super().__init__(f"Memory({hashlib.sha256(self.made_of.encode()).hexdigest()[:16]})")

    def known(self, name: str) -> int | None:
        """The value of a setting, which is a constant to the compiler."""
        return self.settings.get(name)

    def __reduce__(self) -> Any:
        return MemoryType, self._made_of


def type_of_memory(memory: Memory) -> MemoryType:
    """The Numba type of a Memory."""
    rows = _layout_of_rows(memory)
    for name in memory._of_states:
        view = memory._values[name]
        if isinstance(view, ObjectView):
            raise errors.TypingError(
                "its States are not made of machine integers: describe a position by a class "
                "State(NamedTuple) with fields u8 ... u64, ..."
            )
        if isinstance(view, StateView):
            return _type_made_of(type(memory), view.layout, rows, bounds_checked())
    return _type_made_of(type(memory), None, rows, bounds_checked())


def _layout_of_rows(memory: Memory) -> StateLayout | None:
    """How the rows of a memory lie in it; None where it has none."""
    view = memory._values[memory._of_rows[0]] if memory._of_rows else None
    if isinstance(view, ObjectView):
        raise errors.TypingError(
            "the rows of its evaluation are not made of machine integers: describe them by a class "
            "Row(NamedTuple) with fields u8 ... u64, ..."
        )
    return view.layout if isinstance(view, StateView) else None


# Building it again for every search would take longer than a short search. Types record whether
# indices are checked, hence `checked`.
@lru_cache(maxsize=256)
def _type_made_of(
    cls: type[Memory], shape: StateLayout | None, rows: StateLayout | None, checked: bool
) -> MemoryType:
    return MemoryType(
        cls._layout,
        cls._settings,
        None if shape is None else type_of_state(shape.prototype()),
        shape,
        None if rows is None else type_of_state(rows.prototype()),
        rows,
    )


@typeof_impl.register(Memory)
def _typeof_memory(memory: Any, context: Any) -> Any:
    return type_of_memory(memory)


@register_model(MemoryType)
class _MemoryModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, POINTER)


def unbox_block(value: Any, attribute: str, c: Any) -> Any:
    """The pointer with the address that a Python object holds in an attribute."""
    address = c.pyapi.object_getattr_string(value, attribute)
    number = c.pyapi.long_as_ulonglong(address)
    c.pyapi.decref(address)
    return NativeValue(c.builder.inttoptr(number, POINTER))


@unbox(MemoryType)
def _unbox(kind: Any, value: Any, c: Any) -> Any:
    return unbox_block(value, "_address", c)


@infer_getattr
class _MemoryAttributes(AttributeTemplate):
    key = MemoryType

    def generic_resolve(self, memory: Any, name: str) -> Any:
        """The type of a field."""
        if name in memory.settings:
            return types.boolean if isinstance(memory.settings[name], bool) else types.int64
        if name not in memory.fields:
            raise errors.TypingError(
                f"memory has no field {name!r}; it has {', '.join(memory.fields)}"
            )
        return memory.fields[name][1]


def _scalar(builder: Any, block: Any, place: int, kind: str) -> Any:
    """The address of a scalar field."""
    return builder.bitcast(builder.gep(block, [WORD(place)]), form_of(kind).as_pointer())


@builtin_registry.lower_getattr_generic(MemoryType)
def _get_field(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    if name in kind.settings:
        setting = kind.settings[name]
        return context.get_constant(
            types.boolean if isinstance(setting, bool) else types.int64, setting
        )
    place, item = kind.fields[name]
    if isinstance(item, ViewType):
        return load_view(context, builder, item, value, place)
    return load_scalar(builder, kind.kinds[name], _scalar(builder, value, place, kind.kinds[name]))


@builtin_registry.lower_setattr_generic(MemoryType)
def _set_field(context: Any, builder: Any, sig: Any, args: Any, name: str) -> Any:
    kind, given = sig.args
    if name in kind.settings:
        raise errors.TypingError(f"memory.{name} is a setting, which cannot change")
    place, item = kind.fields[name]
    if isinstance(item, ViewType) or not isinstance(given, AnyNumber):
        raise errors.TypingError(f"memory field {name!r} cannot be set to {given}")
    pointer = _scalar(builder, args[0], place, kind.kinds[name])
    store_scalar(builder, kind.kinds[name], pointer, given, args[1])
    if name == POLLED:
        value = builder.load(pointer)
        # Another thread may lower the limit at any time; an atomic load is never moved out of a
        # loop.
        limit = builder.load_atomic(args[0], "monotonic", 8)
        with builder.if_then(builder.icmp_signed(">", value, limit), likely=False):
            context.call_conv.return_user_exc(builder, Stopped, ())
    return context.get_dummy_value()


__all__ = [
    "MemoryType",
    "Unsigned",
    "ViewType",
    "item_pointer",
    "load_fixed",
    "load_view",
    "place_in",
    "type_of_memory",
    "unbox_block",
]
