"""Arrays used like NumPy's, for Numba: rows and slices of a view, loops over it, `in`, and the
methods written in `prunus.core.arrays`."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.imputils import RefType, builtin_registry, iternext_impl
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
    signature,
)
from numba.cpython import slicing
from numba.extending import lower_builtin, models, overload, register_model

from prunus.core.arrays import METHODS
from prunus.core.bits import CASTS
from prunus.kernel.boards.stored import INTEGERS, address_of, form_of, load_scalar, load_state
from prunus.kernel.containers.classes import method_template
from prunus.kernel.containers.views import (
    ViewIterator,
    ViewType,
    indices_of,
    offset_in,
    place_in,
    row_type,
)
from prunus.kernel.numbers.integers import WORD, Number


@register_model(ViewIterator)
class _IteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(
            manager, kind, [("place", types.EphemeralPointer(types.int64)), ("view", kind.view)]
        )


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) != 2 or not isinstance(args[0], ViewType):
            return None
        view, index = args
        if isinstance(index, types.SliceType):
            if index.has_step:
                raise errors.TypingError(
                    "a slice of an array with a step cannot be compiled: write a loop over "
                    "range(first, last, step)"
                )
            return signature(view, *args)
        return (
            signature(row_type(view), *args)
            if view.ndim > 1 and isinstance(index, Number)
            else None
        )


def _item_bytes(view: ViewType) -> int:
    if view.kind == "state":
        return view.layout.size
    return {"f32": 4, "f64": 8, "bool": 1}.get(view.kind) or CASTS[INTEGERS[view.kind]][0] // 8


def _row_bytes(builder: Any, kind: ViewType, view: Any) -> Any:
    size = WORD(_item_bytes(kind))
    for i in range(1, kind.ndim):
        size = builder.mul(size, getattr(view, f"n{i}"))
    return size


def _row(context: Any, builder: Any, kind: ViewType, view: Any, place: Any) -> Any:
    """The view of the row at a place known to be in range."""
    made = context.make_helper(builder, row_type(kind))
    made.address = builder.add(view.address, builder.mul(place, _row_bytes(builder, kind, view)))
    for i in range(1, kind.ndim):
        setattr(made, f"n{i - 1}", getattr(view, f"n{i}"))
    return made._getvalue()


def _get_row(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """`view[i]` for a view of more than one dimension."""
    kind = sig.args[0]
    view = context.make_helper(builder, kind, value=args[0])
    return _row(
        context,
        builder,
        kind,
        view,
        place_in(context, builder, kind, (sig.args[1], args[1]), view.n0),
    )


@lower_builtin(operator.getitem, ViewType, types.Any)
def _get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    if isinstance(sig.return_type, ViewType):
        return _get_row(context, builder, sig, args)
    view = context.make_helper(builder, kind, value=args[0])
    offset = offset_in(context, builder, view, kind, indices_of(sig.args[1], args[1], builder))
    if kind.kind == "state":
        return load_state(context, builder, kind, view.address, offset)
    return load_scalar(
        builder, kind.kind, address_of(builder, view.address, offset, form_of(kind.kind))
    )


@lower_builtin(operator.getitem, ViewType, types.SliceType)
def _get_slice(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, slice_kind = sig.args
    view = context.make_helper(builder, kind, value=args[0])
    piece = context.make_helper(builder, slice_kind, value=args[1])
    slicing.fix_slice(builder, piece, view.n0)
    made = context.make_helper(builder, kind, value=args[0])
    made.address = builder.add(
        view.address, builder.mul(piece.start, _row_bytes(builder, kind, view))
    )
    made.n0 = slicing.get_slice_length(builder, piece)
    return made._getvalue()


@lower_builtin("getiter", ViewType)
def _iterator(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made = context.make_helper(builder, sig.return_type)
    made.view, made.place = args[0], cgutils.alloca_once_value(builder, WORD(0))
    return made._getvalue()


@lower_builtin("iternext", ViewIterator)
@iternext_impl(RefType.BORROWED)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    kind = sig.args[0].view
    iterator = context.make_helper(builder, sig.args[0], value=args[0])
    view = context.make_helper(builder, kind, value=iterator.view)
    place = builder.load(iterator.place)
    valid = builder.icmp_signed("<", place, view.n0)
    result.set_valid(valid)
    with builder.if_then(valid):
        if kind.ndim > 1:
            result.yield_(_row(context, builder, kind, view, place))
        else:
            wanted = signature(kind.item, kind, types.int64)
            result.yield_(
                context.get_function(operator.getitem, wanted)(builder, (iterator.view, place))
            )
        builder.store(builder.add(place, WORD(1)), iterator.place)


@overload(operator.contains)
def _contains(view, value):
    if not isinstance(view, ViewType) or view.ndim != 1:
        return None

    def contains(view, value):
        for item in view:  # noqa: SIM110 - Numba compiles the loop
            if item == value:
                return True
        return False

    return contains


@infer_getattr
class _Methods(AttributeTemplate):
    key = ViewType

    def generic_resolve(self, view: Any, name: str) -> Any:
        """`size`, `ndim`, and the methods of `prunus.core.arrays.View`."""
        if name in ("size", "ndim"):
            return types.int64
        found = METHODS.get((name, view.ndim > 1))
        return (
            None if found is None else types.BoundFunction(method_template(view, name, found), view)
        )


@builtin_registry.lower_getattr(ViewType, "size")
def _size(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    view = context.make_helper(builder, kind, value=value)
    size = WORD(1)
    for i in range(kind.ndim):
        size = builder.mul(size, getattr(view, f"n{i}"))
    return size


@builtin_registry.lower_getattr(ViewType, "ndim")
def _dimensions(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return ir.Constant(WORD, kind.ndim)
