"""Results that may be None, tested for truth; `d | e` and `dict(d)` of dictionaries; items of a
module's arrays at the index of a u64: for compiled code."""

from __future__ import annotations

import operator
from typing import Any

from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, overload

from prunus.kernel.containers.table_types import MappingType
from prunus.kernel.numbers.integers import U64
from prunus.kernel.numbers.operators import OPERATIONS
from prunus.kernel.numbers.words import signed_word


def _teach_truth(name: Any, is_true: bool) -> None:
    @infer_global(name)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            fits = len(args) == 1 and isinstance(args[0], types.Optional)
            return signature(types.boolean, *args) if fits else None

    @lower_builtin(name, types.Optional)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = sig.args[0]
        found = context.make_helper(builder, kind, value=args[0])
        holds = cgutils.alloca_once_value(builder, cgutils.false_bit)
        with builder.if_then(found.valid):
            truth = context.typing_context.resolve_value_type(bool)
            plain = truth.get_call_type(context.typing_context, (kind.type,), {})
            call = context.get_function(truth, plain)
            context.add_linking_libs(getattr(call, "libs", ()))
            builder.store(call(builder, (found.data,)), holds)
        value = builder.load(holds)
        return value if is_true else builder.not_(value)


for _name in (bool, operator.truth, operator.not_):
    _teach_truth(_name, _name is not operator.not_)


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


@overload(dict)
def _copy(items):
    if not isinstance(items, MappingType) or items.value_type is None:
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
