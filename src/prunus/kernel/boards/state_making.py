"""States made by compiled rules: `State(...)`, `_make`, `_replace` and `with_item`."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

from numba.core import errors, types
from numba.core.imputils import impl_ret_borrowed
from numba.core.registry import cpu_target
from numba.core.typing.templates import (
    AbstractTemplate,
    fold_arguments,
    infer_global,
    signature,
)
from numba.extending import lower_builtin, models, register_model

from prunus.core.bits import i64, with_item
from prunus.core.fields import Field
from prunus.core.state import fields_of
from prunus.kernel.boards.packed import Packed
from prunus.kernel.boards.packed_values import changed_item, narrowed
from prunus.kernel.boards.shapes import keep_shape, shape_of
from prunus.kernel.boards.states import (
    _cast_field,
    _check_field,
    _native,
    _number,
    scalar_type,
    state_type,
    stored_item,
)
from prunus.kernel.boards.texts import is_string
from prunus.kernel.code.learnt import learnt
from prunus.kernel.numbers.integers import LONG, MASK, U64, WORD, Number, Whole
from prunus.kernel.numbers.wide import AnyNumber
from prunus.kernel.numbers.words import signed_word, word
from prunus.kernel.reporting.raising import fail_if


class StateClassType(types.Callable, types.Opaque):
    """The type of the class `State` inside compiled code: calling it builds a State, checking each
    field."""

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self._constructor = _constructor(cls)
        super().__init__(f"StateClass({cls.__module__}.{cls.__qualname__}#{id(cls)})")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """The signature of a call with these argument types."""
        return self._constructor(context).apply(args, kws)

    def get_call_signatures(self) -> Any:
        """None are fixed beforehand."""
        return (), True

    def get_impl_key(self, sig: Any) -> Any:
        """The key under which the constructor is lowered."""
        return self._constructor.key


register_model(StateClassType)(models.OpaqueModel)


_constructors: dict[type, Any] = learnt()


def _constructor(cls: type) -> Any:
    if cls in _constructors:
        return _constructors[cls]
    fields = fields_of(cls)
    defaults = getattr(cls, "_field_defaults", {})
    names = [field.name for field in fields]
    pysig = _signature(names, [defaults.get(name, inspect.Parameter.empty) for name in names])

    class Constructor(AbstractTemplate):
        key = ("prunus.State", cls)

        def generic(self, args: Any, kws: Any) -> Any:
            try:
                folded = fold_arguments(pysig, args, kws, _as_given, _by_default, _as_given)
            except TypeError as error:
                raise errors.TypingError(f"{cls.__qualname__}: {error}") from None
            given = zip(fields, map(_type_of_argument, folded), strict=True)
            lengths = tuple(_check_field(cls, field, kind) for field, kind in given)
            keep_shape(cls, lengths)
            made = signature(state_type(cls, lengths), *folded)
            return made.replace(pysig=pysig)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        parts = []
        members = sig.return_type.types
        for field, member, kind, given in zip(fields, members, sig.args, args, strict=True):
            actual, value = _type_of_argument(kind), given
            if isinstance(kind, types.Omitted):
                value = context.get_constant_generic(builder, actual, kind.value)
            parts.append(_cast_field(context, builder, field, member, actual, value))
        return context.make_tuple(builder, sig.return_type, parts)

    cpu_target.target_context.insert_func_defn(
        [(lower, Constructor.key, (types.VarArg(types.Any),))]
    )
    _constructors[cls] = Constructor
    return Constructor


def _signature(names: list[str], defaults: Iterable[Any]) -> inspect.Signature:
    """A signature of parameters with these names and defaults."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    pairs = zip(names, defaults, strict=True)
    parameters = [inspect.Parameter(name, kind, default=value) for name, value in pairs]
    return inspect.Signature(parameters)


def _as_given(index: int, parameter: Any, value: Any) -> Any:
    return value


def _by_default(index: int, parameter: Any, value: Any) -> Any:
    return types.Omitted(value)


def _type_of_argument(kind: Any) -> Any:
    if isinstance(kind, types.Omitted):
        return cpu_target.typing_context.resolve_value_type(kind.value)
    return kind


_replacers: dict[Any, Any] = learnt()


def _check_replaced(state: Any, fields: dict[str, Field], name: str, given: Any) -> None:
    """Raise TypingError unless `_replace` may give the field of this name a value of this type."""
    cls = state.instance_class
    if name not in fields:
        raise errors.TypingError(f"{cls.__qualname__} has no field named {name!r}")
    if _check_field(cls, fields[name], given) != shape_of(state)[state.fields.index(name)]:
        raise errors.TypingError(
            f"_replace cannot change the number of items of the field {name!r}: in compiled code "
            f"keep the tuple at its full length, and the number of items that count in another "
            f"field"
        )


def state_replacer(kind: Any) -> Any:
    """How `state._replace(field=value, ...)` of a State of this type is typed and lowered."""
    if kind in _replacers:
        return _replacers[kind]
    cls = kind.instance_class
    fields = {field.name: field for field in fields_of(cls)}

    class Method(AbstractTemplate):
        key = ("prunus.State._replace", kind)

        def generic(self, args: Any, kws: Any) -> Any:
            if args:
                raise errors.TypingError("_replace takes its fields by keyword")
            for name, given in kws.items():
                _check_replaced(kind, fields, name, given)
            # Every field is a parameter; one that is not passed arrives as the default, a value of
            # type none.
            made = signature(kind, *(kws.get(name, types.none) for name in fields), recvr=kind)
            return made.replace(pysig=_signature(list(fields), [None] * len(fields)))

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        made = args[0]
        changes = zip(fields.values(), sig.args[1:], args[1:], strict=True)
        for i, (field, given, value) in enumerate(changes):
            if given != types.none:
                cast = _cast_field(context, builder, field, kind.types[i], given, value)
                made = builder.insert_value(made, cast, i)
        return made

    cpu_target.target_context.insert_func_defn([(lower, Method.key, (types.VarArg(types.Any),))])
    _replacers[kind] = Method
    return Method


@infer_global(with_item)
class _WithItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        """Type `with_item`. The tuple must hold numbers of one kind: with u64 among plain numbers
        the kind of the new item would be unknown."""
        if len(args) != 3 or kws or not isinstance(args[1], Number):
            return None
        if _is_row_of(*args[::2]):
            return signature(args[0], args[0], args[1], args[0].dtype)
        if is_string(args[2]) and isinstance(args[0], types.UniTuple):
            return (
                signature(args[0], *args[:2], args[0].dtype) if is_string(args[0].dtype) else None
            )
        known = isinstance(args[0], types.UniTuple) and args[0].dtype in (
            types.int64,
            MASK,
            LONG,
            *_native.values(),
        )
        if not isinstance(_number(args[2]), AnyNumber):
            return None
        return signature(args[0], *args) if known or isinstance(args[0], Packed) else None


def _is_row_of(rows: Any, item: Any) -> bool:
    """Whether `rows` are tuples of numbers of one kind, and `item` is another such tuple."""
    row = rows.dtype if isinstance(rows, types.UniTuple) else None
    if not isinstance(row, types.UniTuple | Packed):
        return False
    if not isinstance(item, types.BaseTuple | Packed) or len(item) != len(row):
        return False
    kinds = [item.dtype] if isinstance(item, Packed) else map(types.unliteral, item.types)
    return set(kinds) <= {row.dtype}


@lower_builtin(with_item, types.Any, types.Any, types.Any)
def _with_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    items, kind, made, value = sig.args[0], _number(sig.args[2]), args[0], args[2]
    place = signed_word(context, builder, sig.args[1], args[1])
    fail_if(
        context,
        builder,
        builder.icmp_unsigned(">=", place, WORD(len(items))),
        IndexError,
        "with_item: index out of range",
    )
    if isinstance(items, Packed):
        cast = word(
            builder,
            scalar_type(items.scalar),
            stored_item(context, builder, items.scalar, kind, value),
        )
        return changed_item(builder, items, made, place, narrowed(builder, items, cast))
    if is_string(items.dtype) or isinstance(items.dtype, types.BaseTuple | Packed):
        pass  # it has been converted
    elif isinstance(items.dtype, Whole) and items.dtype is not U64:
        value = context.cast(builder, value, kind, items.dtype)
    elif kind != items.dtype:
        scalar = next((scalar for scalar, known in _native.items() if known == items.dtype), i64)
        value = stored_item(context, builder, scalar, kind, value)
    for i in range(len(items)):
        here = builder.icmp_unsigned("==", place, WORD(i))
        made = builder.insert_value(
            made, builder.select(here, value, builder.extract_value(made, i)), i
        )
    return impl_ret_borrowed(context, builder, sig.return_type, made)
