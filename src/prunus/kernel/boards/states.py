"""States for Numba: `self.State(...)` with its casts, `state._replace(...)`, `with_item`,
`state_key`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from numba.core import errors, types
from numba.core.imputils import lower_cast
from numba.core.registry import cpu_target
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    fold_arguments,
    infer_getattr,
    infer_global,
    signature,
)
from numba.extending import lower_builtin, models, register_model

from prunus.core.bits import CASTS, WIDE, i64, u64, with_item
from prunus.core.state import Field, fields_of, is_long, is_state_class, lengths_of, scalars
from prunus.kernel.boards.furthest import cut, nothing_yet, refuse
from prunus.kernel.boards.packed import (
    Packed,
    changed_item,
    home_of,
    item_pointer,
    loop,
    narrowed,
    new_home,
    read_item,
    widened,
)
from prunus.kernel.boards.shapes import keep_shape
from prunus.kernel.code.learnt import learnt
from prunus.kernel.numbers.integers import LONG, MASK, U64, WORD, Number, Whole
from prunus.kernel.numbers.wide import TRUTH_OR_WIDE, WIDE_TYPES, AnyNumber, Wide
from prunus.kernel.numbers.wide_conversions import natural, plain_word, truth
from prunus.kernel.numbers.words import outside, signed_word, stored_scalar, word
from prunus.kernel.reporting.raising import fail_if

_native: dict[type, Any] = {bool: types.boolean, u64: U64, **WIDE_TYPES}


def scalar_type(kind: type) -> Any:
    """The Numba type that holds a scalar of a State in registers: narrow integers travel as signed
    words."""
    return _native.get(kind, types.int64)


def tuple_type(kind: type, length: int) -> Any:
    """The Numba type of a tuple field of a State."""
    return (
        Packed(kind, length) if is_long(kind, length) else types.UniTuple(scalar_type(kind), length)
    )


@lru_cache(maxsize=256)  # called by each search
def state_type(cls: type, lengths: tuple[int, ...]) -> Any:
    """The Numba type of a State class whose tuple fields have these lengths (-1 for scalars)."""
    members = []
    for field, length in zip(fields_of(cls), lengths, strict=True):
        if field.scalar is None:
            raise errors.TypingError(
                f"field {field.name!r} of {cls.__qualname__} is not a machine type: use u8 ... "
                f"u64, i8 ... i64, bool or tuples of one"
            )
        item = scalar_type(field.scalar)
        members.append(tuple_type(field.scalar, length) if field.is_tuple else item)
    return types.BaseTuple.from_types(members, cls)


def type_of_state(state: Any) -> Any:
    """The Numba type of a State."""
    return state_type(type(state), lengths_of(state))


def _cast_field(context: Any, builder: Any, field: Field, kind: Any, value: Any) -> Any:
    where = f"State field {field.name!r}"
    if not field.is_tuple:
        return stored_item(context, builder, field.scalar, kind, value, where)
    if is_long(field.scalar, len(kind)):
        return pack(context, builder, Packed(field.scalar, len(kind)), kind, value, where)
    parts = [
        stored_item(context, builder, field.scalar, item, part, f"an item of {where}")
        for item, part in items_of(builder, kind, value)
    ]
    return context.make_tuple(builder, types.UniTuple(scalar_type(field.scalar), len(parts)), parts)


def _number(kind: Any) -> Any:
    """The type of the number behind a member of an `IntEnum`; other types as they are."""
    return kind.dtype if isinstance(kind, types.IntEnumMember) else kind


def stored_item(
    context: Any,
    builder: Any,
    scalar: Any,
    kind: Any,
    value: Any,
    where: str = "an item of the tuple",
) -> Any:
    """A number converted to the scalar of a field or of a tuple's items. Outside its range it
    raises OverflowError, whose message calls it `where`."""
    kind = _number(kind)
    if kind is TRUTH_OR_WIDE:
        return value
    text = outside(scalar, where)
    if scalar in WIDE:
        return natural(context, builder, kind, value, CASTS[scalar][0], text)
    if isinstance(kind, Wide):
        if scalar is bool:
            return truth(builder, kind, value)
        value, kind = (
            plain_word(context, builder, kind, value, scalar is not u64, text),
            U64 if scalar is u64 else types.int64,
        )
    return stored_scalar(context, builder, scalar, kind, value, where)


def items_of(builder: Any, kind: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """The items of a tuple, each with its type."""
    for i in range(len(kind)):
        yield (
            (kind.dtype, read_item(builder, kind, value, WORD(i)))
            if isinstance(kind, Packed)
            else (
                kind.types[i],
                builder.extract_value(value, i),
            )
        )


def pack(
    context: Any, builder: Any, wanted: Packed, kind: Any, value: Any, where: str = "the tuple"
) -> Any:
    """A tuple of numbers converted to a packed one. An item outside its range raises OverflowError,
    whose message calls the tuple `where`."""
    if kind == wanted or (
        isinstance(kind, Packed) and (kind.scalar, kind.count) == (wanted.scalar, wanted.count)
    ):
        return value
    home = new_home(builder, wanted)

    def put(index: Any, item_kind: Any, item: Any) -> None:
        cast = word(
            builder,
            scalar_type(wanted.scalar),
            stored_item(context, builder, wanted.scalar, item_kind, item, f"an item of {where}"),
        )
        builder.store(narrowed(builder, wanted, cast), item_pointer(builder, wanted, home, index))

    if isinstance(kind, Packed):
        given = home_of(builder, value)
        plain, worst = kind.dtype is not U64 and wanted.scalar is not u64, nothing_yet(builder)
        with loop(builder, kind.count) as step:
            item = widened(
                builder, kind, builder.load(item_pointer(builder, kind, given, step.index))
            )
            if plain:
                item = cut(builder, wanted, word(builder, kind.dtype, item), worst)
                builder.store(item, item_pointer(builder, wanted, home, step.index))
            else:
                put(step.index, kind.dtype, item)
        if plain:
            refuse(context, builder, wanted, worst, where)
    else:
        for i, item in enumerate(kind.types):
            put(WORD(i), item, builder.extract_value(value, i))
    return builder.load(home)


@lower_cast(Packed, Packed)
@lower_cast(types.BaseTuple, Packed)
def _as_packed(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return pack(context, builder, toty, fromty, value)


def _check_field(cls: type, field: Field, kind: Any) -> int:
    """The length of a field's value (-1: a scalar). Raises TypingError in plain words if the value
    does not suit the field."""
    where = f"field {field.name!r} of {cls.__qualname__}"
    if field.scalar is None:
        raise errors.TypingError(
            f"{where} is not a machine type: use u8 ... u64, i8 ... i64, bool or tuples of one"
        )
    if not field.is_tuple:
        if not isinstance(_number(kind), AnyNumber) and not (
            kind is TRUTH_OR_WIDE and field.scalar is bool
        ):
            raise errors.TypingError(
                f"{where} is declared {field.scalar.__name__} but is given {_plain(kind)}"
            )
        return -1
    numbers = isinstance(kind, types.BaseTuple) and all(
        isinstance(_number(item), AnyNumber) for item in kind.types
    )
    if not numbers and not isinstance(kind, Packed):
        raise errors.TypingError(
            f"{where} is a tuple of {field.scalar.__name__} but is given {_plain(kind)}"
        )
    if field.length not in (-1, len(kind)):
        raise errors.TypingError(f"{where} has {field.length} items but is given {len(kind)}")
    return len(kind)


def _plain(kind: Any) -> str:
    return "a float" if isinstance(kind, types.Float) else f"a value of type {kind}"


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
    kind_of = inspect.Parameter.POSITIONAL_OR_KEYWORD
    pysig = inspect.Signature(
        [
            inspect.Parameter(
                f.name, kind_of, default=defaults.get(f.name, inspect.Parameter.empty)
            )
            for f in fields
        ]
    )

    class Constructor(AbstractTemplate):
        key = ("prunus.State", cls)

        def generic(self, args: Any, kws: Any) -> Any:
            def normal(index: int, param: Any, value: Any) -> Any:
                return value

            def default(index: int, param: Any, value: Any) -> Any:
                return types.Omitted(value)

            try:
                folded = fold_arguments(pysig, args, kws, normal, default, normal)
            except TypeError as error:
                raise errors.TypingError(f"{cls.__qualname__}: {error}") from None
            lengths = tuple(
                _check_field(cls, f, _type_of_argument(a))
                for f, a in zip(fields, folded, strict=True)
            )
            keep_shape(cls, lengths)
            made = signature(state_type(cls, lengths), *folded)
            return made.replace(pysig=pysig)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        parts = []
        for field, kind, given in zip(fields, sig.args, args, strict=True):
            is_default = isinstance(kind, types.Omitted)
            value = (
                context.get_constant_generic(builder, _type_of_argument(kind), kind.value)
                if is_default
                else given
            )
            parts.append(_cast_field(context, builder, field, _type_of_argument(kind), value))
        return context.make_tuple(builder, sig.return_type, parts)

    cpu_target.target_context.insert_func_defn(
        [(lower, Constructor.key, (types.VarArg(types.Any),))]
    )
    _constructors[cls] = Constructor
    return Constructor


def _type_of_argument(kind: Any) -> Any:
    if isinstance(kind, types.Omitted):
        return cpu_target.typing_context.resolve_value_type(kind.value)
    return kind


@infer_getattr
class _Replace(AttributeTemplate):
    key = types.BaseNamedTuple

    def resolve__replace(self, kind: Any) -> Any:
        """`state._replace(field=value, ...)`."""
        return (
            types.BoundFunction(_replacer(kind), kind)
            if is_state_class(kind.instance_class)
            else None
        )


_replacers: dict[Any, Any] = learnt()


def _replacer(kind: Any) -> Any:
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
                if name not in fields:
                    raise errors.TypingError(f"{cls.__qualname__} has no field named {name!r}")
                length = _check_field(cls, fields[name], given)
                if length >= 0 and length != len(kind.types[kind.fields.index(name)]):
                    raise errors.TypingError(
                        f"_replace cannot change the number of items of the field {name!r}: in "
                        f"compiled code keep the tuple at its full length, and the number of "
                        f"items that count in another field"
                    )
            # Every field is a parameter; one that is not passed arrives as the default, a value of
            # type none.
            parameters = [
                inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
                for name in fields
            ]
            made = signature(kind, *(kws.get(name, types.none) for name in fields), recvr=kind)
            return made.replace(pysig=inspect.Signature(parameters))

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        made = args[0]
        for i, (field, given, value) in enumerate(
            zip(fields.values(), sig.args[1:], args[1:], strict=True)
        ):
            if given != types.none:
                made = builder.insert_value(
                    made, _cast_field(context, builder, field, given, value), i
                )
        return made

    cpu_target.target_context.insert_func_defn([(lower, Method.key, (types.VarArg(types.Any),))])
    _replacers[kind] = Method
    return Method


@infer_global(with_item)
class _WithItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        """Type `with_item`. The tuple must hold numbers of one kind: with u64 among plain numbers
        the kind of the new item would be unknown."""
        if (
            len(args) != 3
            or kws
            or not isinstance(args[1], Number)
            or not isinstance(_number(args[2]), AnyNumber)
        ):
            return None
        known = isinstance(args[0], types.UniTuple) and args[0].dtype in (
            types.int64,
            MASK,
            LONG,
            *_native.values(),
        )
        return signature(args[0], *args) if known or isinstance(args[0], Packed) else None


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
    if isinstance(items.dtype, Whole) and items.dtype is not U64:
        value = context.cast(builder, value, kind, items.dtype)
    elif kind != items.dtype:
        scalar = next((scalar for scalar, known in _native.items() if known == items.dtype), i64)
        value = stored_item(context, builder, scalar, kind, value)
    for i in range(len(items)):
        here = builder.icmp_unsigned("==", place, WORD(i))
        made = builder.insert_value(
            made, builder.select(here, value, builder.extract_value(made, i)), i
        )
    return made


__all__ = ["StateClassType", "lengths_of", "scalar_type", "scalars", "state_type", "type_of_state"]
