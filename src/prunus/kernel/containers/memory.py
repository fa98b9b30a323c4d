"""`Memory` and a game's arrays for Numba: one pointer to a block of words, and views of the arrays
that the words point to."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any, Final

from numba.core import errors, types
from numba.core.imputils import builtin_registry
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

from prunus.core.state import StateLayout
from prunus.kernel.boards.states import scalar_type, type_of_state
from prunus.kernel.boards.stored import INTEGERS, form_of, load_scalar, store_scalar
from prunus.kernel.columns import ObjectView, StateView
from prunus.kernel.containers.views import ViewType, _named, bounds_checked, load_view
from prunus.kernel.memory import POLLED, Layout, Memory, Settings, Stopped, places
from prunus.kernel.numbers.integers import WORD
from prunus.kernel.numbers.wide import AnyNumber

POINTER = WORD.as_pointer()

UNKNOWN: Final = object()
"""What `known` returns for a name that is no constant to the compiler."""


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

    def known(self, name: str) -> Any:
        """The value of a setting, which is a constant to the compiler; UNKNOWN for other names."""
        return self.settings.get(name, UNKNOWN)

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
                "State(NamedTuple) with fields int, u8 ... u64, ..."
            )
        if isinstance(view, StateView):
            return _type_made_of(type(memory), view.layout, rows, bounds_checked())
    return _type_made_of(type(memory), None, rows, bounds_checked())


def _layout_of_rows(memory: Memory) -> StateLayout | None:
    """The layout of the rows of a memory; None where it has none."""
    view = memory._values[memory._of_rows[0]] if memory._of_rows else None
    if isinstance(view, ObjectView):
        raise errors.TypingError(
            "the rows of its evaluation are not made of machine integers: describe them by a class "
            "Row(NamedTuple) with fields int, u8 ... u64, ..."
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
