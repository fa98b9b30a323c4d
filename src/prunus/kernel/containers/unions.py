"""Results that may be None, tested for truth, compared, looked for and indexed; `d | e`,
`dict(d)` and `dict.fromkeys` of dictionaries; items of a module's arrays at the index of a u64: for
compiled code."""

from __future__ import annotations

import operator
from typing import Any

from numba.core import cgutils, errors, optional, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.cpython import builtins, hashing
from numba.extending import lower_builtin, overload
from numba.np.numpy_support import is_nonelike
from numba.typed.typedobjectutils import _nonoptional

from prunus.kernel.containers.hashes import original, replace
from prunus.kernel.containers.known_tables import MappingType
from prunus.kernel.containers.member_texts import has_text, member_text
from prunus.kernel.containers.views import ViewType
from prunus.kernel.numbers.integers import U64, may_be_truth
from prunus.kernel.numbers.operators import OPERATIONS
from prunus.kernel.numbers.words import signed_word
from prunus.kernel.pipeline.inference import is_ours
from prunus.kernel.reporting.raising import owner_of

_FIRST = {"target": "cpu"}
"""The `metadata` of a template that is asked before those for the value itself, which Numba also
uses for a value that may be None: they raise TypeError for None."""


_plain_to = types.Optional.can_convert_to
_plain_from = types.Optional.can_convert_from


def _to(self: Any, typingctx: Any, other: Any) -> Any:
    changes = isinstance(other, types.Optional) and _changes_kind(self.type, other.type)
    return None if changes else _plain_to(self, typingctx, other)


def _from(self: Any, typingctx: Any, other: Any) -> Any:
    return None if _changes_kind(other, self.type) else _plain_from(self, typingctx, other)


def _changes_kind(given: Any, held: Any) -> bool:
    """Whether a truth value becomes a number, or a number a truth value, where None may be: Python
    keeps it as it is."""
    return is_ours() and any(
        isinstance(one, types.Boolean)
        and isinstance(other, types.Integer)
        and not may_be_truth(other)
        for one, other in ((given, held), (held, given))
    )


types.Optional.can_convert_to, types.Optional.can_convert_from = _to, _from


def _call_of(context: Any, builder: Any, function: Any, kinds: Any, values: Any) -> Any:
    """A call of one of Python's functions with arguments of these types."""
    named = context.typing_context.resolve_value_type(function)
    plain = named.get_call_type(context.typing_context, kinds, {})
    call = context.get_function(named, plain)
    context.add_linking_libs(getattr(call, "libs", ()))
    made = call(
        builder,
        [
            context.cast(builder, value, kind, wanted)
            for value, kind, wanted in zip(values, kinds, plain.args, strict=True)
        ],
    )
    return context.cast(builder, made, plain.return_type, types.boolean)


def _teach_truth(name: Any, is_true: bool) -> None:
    @infer_global(name)
    class Template(AbstractTemplate):
        metadata = _FIRST

        def generic(self, args: Any, kws: Any) -> Any:
            fits = len(args) == 1 and isinstance(args[0], types.Optional)
            return signature(types.boolean, *args) if fits else None

    @lower_builtin(name, types.Optional)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = sig.args[0]
        found = context.make_helper(builder, kind, value=args[0])
        holds = cgutils.alloca_once_value(builder, cgutils.false_bit)
        with builder.if_then(cgutils.as_bool_bit(builder, found.valid)):
            truth = _call_of(context, builder, bool, (kind.type,), (found.data,))
            builder.store(truth, holds)
        value = builder.load(holds)
        return value if is_true else builder.not_(value)


for _name in (bool, operator.truth, operator.not_):
    _teach_truth(_name, _name is not operator.not_)


def _inner(kind: Any) -> Any:
    return kind.type if isinstance(kind, types.Optional) else kind


def _parts(context: Any, builder: Any, kind: Any, value: Any) -> tuple[Any, Any]:
    """Whether a value is there, and the value."""
    if not isinstance(kind, types.Optional):
        return cgutils.true_bit, value
    found = context.make_helper(builder, kind, value=value)
    return cgutils.as_bool_bit(builder, found.valid), found.data


def _teach_equality(name: Any) -> None:
    key = f"prunus {name.__name__} of what may be None"

    @infer_global(name)
    class Template(AbstractTemplate):
        metadata = _FIRST

        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) != 2 or not any(isinstance(kind, types.Optional) for kind in args):
                return None
            if any(isinstance(kind, types.NoneType) for kind in args):
                return None
            plain = self.context.resolve_value_type(name)
            compared = plain.get_call_type(self.context, tuple(map(_inner, args)), {})
            return compared and signature(types.boolean, *args)

        def get_impl_key(self, sig: Any) -> Any:
            """A key of its own: Numba has code for some of these types."""
            return key

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        left, right = (
            _parts(context, builder, kind, value)
            for kind, value in zip(sig.args, args, strict=True)
        )
        same = builder.icmp_unsigned("==", left[0], right[0])
        holds = cgutils.alloca_once_value(
            builder, same if name is operator.eq else builder.not_(same)
        )
        with builder.if_then(builder.and_(left[0], right[0])):
            kinds = tuple(map(_inner, sig.args))
            compared = _call_of(context, builder, name, kinds, (left[1], right[1]))
            builder.store(compared, holds)
        return builder.load(holds)

    lower_builtin(key, types.Any, types.Any)(lower)


def _refuse_arrays(name: Any) -> None:
    """Refuse `a == None` of an array: Python compares each item, and Numba the whole array."""
    key = f"prunus {name.__name__} of an array and None"

    @infer_global(name)
    class Template(AbstractTemplate):
        metadata = _FIRST

        def generic(self, args: Any, kws: Any) -> Any:
            has_array = any(isinstance(kind, types.Array | ViewType) for kind in args)
            has_none = any(isinstance(kind, types.NoneType) for kind in args)
            return signature(types.boolean, *args) if has_array and has_none else None

        def get_impl_key(self, sig: Any) -> Any:
            return key

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        raise errors.TypingError(
            "an array is compared with None, item by item: to ask whether there is an array, "
            "write `a is None`"
        )

    lower_builtin(key, types.Any, types.Any)(lower)


for _compared in (operator.eq, operator.ne):
    _teach_equality(_compared)
    _refuse_arrays(_compared)


def _same_or_equal(item, value):
    """Whether a container that has this item contains the value, in compiled code."""
    raise NotImplementedError


@overload(_same_or_equal)
def _is_same_or_equal(item, value):
    nothing = types.NoneType | types.Omitted
    if isinstance(item, nothing) and isinstance(value, nothing):
        return lambda item, value: True
    if isinstance(item, nothing):
        return lambda item, value: value is None
    if isinstance(value, nothing):
        return lambda item, value: item is None
    return lambda item, value: item == value


def _holds(items, value):
    """`value in items` in compiled code, for a tuple some of whose items may be None."""
    raise NotImplementedError


@overload(_holds)
def _is_held(items, value):
    if not len(items):
        return lambda items, value: False
    return lambda items, value: _same_or_equal(items[0], value) or _holds(items[1:], value)


@overload(operator.contains)
def _contains_none(items, value):
    if not isinstance(items, types.BaseTuple) or len(items) > _MOST_ITEMS:
        return None
    nones = types.NoneType | types.Optional
    if not any(isinstance(kind, nones) for kind in (*items, value)):
        return None
    return lambda items, value: _holds(items, value)  # noqa: PLW0108 - Numba compiles the lambda


_MOST_ITEMS = 16
"""The longest tuple that is searched item by item for what may be None."""


@infer_global(operator.contains)
class _Contains(AbstractTemplate):
    metadata = _FIRST

    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) != 2 or not isinstance(args[1], types.Optional):
            return None
        items, item = args
        kinds = (
            items.types if isinstance(items, types.BaseTuple) else (getattr(items, "dtype", None),)
        )
        if isinstance(items, types.UnicodeType) or any(
            isinstance(kind, types.Optional | types.NoneType) for kind in kinds
        ):
            return None
        plain = self.context.resolve_value_type(operator.contains)
        found = plain.get_call_type(self.context, (items, item.type), {})
        return found and signature(types.boolean, *args)

    def get_impl_key(self, sig: Any) -> Any:
        """A key of its own, as above."""
        return _HOLDS


_HOLDS = "prunus contains what may be None"


@lower_builtin(_HOLDS, types.Any, types.Any)
def _contains(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    items, item = sig.args
    found = context.make_helper(builder, item, value=args[1])
    holds = cgutils.alloca_once_value(builder, cgutils.false_bit)
    with builder.if_then(cgutils.as_bool_bit(builder, found.valid)):
        values = (args[0], found.data)
        inside = _call_of(context, builder, operator.contains, (items, item.type), values)
        builder.store(inside, holds)
    return builder.load(holds)


@lower_builtin("static_getitem", types.Optional, types.Any)
def _static_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """`v[0]` of a tuple that may be None, for which the cast raises TypeError."""
    plain = signature(sig.return_type, sig.args[0].type, sig.args[1])
    items = context.cast(builder, args[0], sig.args[0], plain.args[0])
    return context.get_function("static_getitem", plain)(builder, (items, args[1]))


def _attribute(context: Any, builder: Any, typ: Any, value: Any, attr: str) -> Any:
    owner = owner_of(context, builder, typ, value, attr)
    return context.get_getattr(typ.type, attr)(context, builder, typ.type, owner, attr)


replace(optional.optional_getattr, _attribute)


_plain_hash = original(hashing.hash_overload)
_plain_text = original(builtins.ol_str_generic)


def _hash(obj):
    if isinstance(obj, types.NoneType | types.Optional):
        raise errors.TypingError(
            "the hash of None differs from one run of Python to the next: let sets, keys and "
            "hash() have numbers, such as -1 for nothing"
        )
    return _plain_hash(obj)


def _text_of_option(object=""):
    return "None" if object is None else str(_nonoptional(object))


def _text(object=""):
    if isinstance(object, types.NoneType):
        return lambda object="": "None"  # noqa: A006
    if isinstance(object, types.Optional):
        return _text_of_option
    if has_text(object, "__str__"):
        return lambda object="": member_text(object, "__str__")  # noqa: A006
    return _plain_text(object)


replace(hashing.hash_overload, _hash)
replace(builtins.ol_str_generic, _text)


def _is_mapping(kind):
    if isinstance(kind, MappingType):
        return kind.value_type is not None
    return isinstance(kind, types.DictType)


@overload(OPERATIONS[operator.or_])
def _join(left, right):
    if not (_is_mapping(left) and _is_mapping(right)):
        return None

    def join(left, right):
        made = {}
        for key, value in left.items():
            made[key] = value
        for key, value in right.items():
            made[key] = value
        return made

    return join


@overload(OPERATIONS[operator.ior])
def _join_in_place(left, right):
    if not (isinstance(left, types.DictType) and _is_mapping(right)):
        return None

    def join(left, right):
        for key, value in right.items():
            left[key] = value
        return left

    return join


def from_keys(keys, value=None):
    """`dict.fromkeys(keys, value)` in compiled code."""
    raise NotImplementedError


@overload(from_keys)
def _from_keys(keys, value=None):
    if is_nonelike(value):
        return None

    def make(keys, value=None):
        made = {}
        for key in keys:
            made[key] = value
        return made

    return make


@overload(dict)
def _copy(items):
    if not _is_mapping(items):
        return None

    def copy(items):
        made = {}
        for key, value in items.items():
            made[key] = value
        return made

    return copy


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        array, index = (*args, None, None)[:2]
        if isinstance(array, types.Array) and array.ndim == 1 and index is U64:
            return signature(array.dtype, array, U64)
        return None


@lower_builtin(operator.getitem, types.Array, type(U64))
def _get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    plain = signature(sig.return_type, sig.args[0], types.int64)
    index = signed_word(context, builder, U64, args[1])
    return context.get_function(operator.getitem, plain)(builder, (args[0], index))
