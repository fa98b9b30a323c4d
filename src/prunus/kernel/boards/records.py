"""NamedTuples other than States in compiled code: made with their defaults and keywords, and
`_replace`. Their fields take whatever they are given, as in Python.

Numba leaves out the fields that are not given: `Pair(5)` was a tuple of one item.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any

from numba.core import errors, types
from numba.core.imputils import impl_ret_borrowed
from numba.core.registry import cpu_target
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    fold_arguments,
    infer_getattr,
    signature,
)

from prunus.core.state import is_state_class
from prunus.kernel.boards.state_making import (
    _as_given,
    _by_default,
    _signature,
    _type_of_argument,
    state_replacer,
)
from prunus.kernel.code.learnt import learnt

_constructors: dict[type, Any] = learnt()
_replacers: dict[Any, Any] = learnt()


def _constructor(cls: Any) -> Any:
    if cls in _constructors:
        return _constructors[cls]
    empty = inspect.Parameter.empty
    pysig = _signature(cls._fields, [cls._field_defaults.get(name, empty) for name in cls._fields])

    class Constructor(AbstractTemplate):
        key = ("prunus.record", cls)

        def generic(self, args: Any, kws: Any) -> Any:
            given = fold_arguments(pysig, args, kws, _as_given, _by_default, _as_given)
            kinds = [_type_of_argument(kind) for kind in given]
            made = signature(types.BaseTuple.from_types(kinds, cls), *given)
            return made.replace(pysig=pysig)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        parts = []
        for kind, given, value in zip(sig.return_type.types, sig.args, args, strict=True):
            actual, part = _type_of_argument(given), value
            if isinstance(given, types.Omitted):
                part = context.get_constant_generic(builder, actual, given.value)
            parts.append(context.cast(builder, part, actual, kind))
        return _made(context, builder, sig.return_type, parts)

    _teach(Constructor.key, lower)
    _constructors[cls] = Constructor
    return Constructor


def replacer(kind: Any) -> Any:
    """How `_replace` of a NamedTuple of this type is typed and lowered."""
    if kind in _replacers:
        return _replacers[kind]
    names, cls = kind.fields, kind.instance_class

    class Method(AbstractTemplate):
        key = ("prunus.record._replace", kind)

        def generic(self, args: Any, kws: Any) -> Any:
            if args or not kws.keys() <= set(names) or types.none in kws.values():
                raise errors.TypingError(f"_replace takes fields of {cls.__qualname__} by keyword")
            items = [kws.get(name, own) for name, own in zip(names, kind.types, strict=True)]
            # A field that is not passed arrives as the default, a value of type none.
            given = [kws.get(name, types.none) for name in names]
            made = signature(types.BaseTuple.from_types(items, cls), *given, recvr=kind)
            return made.replace(pysig=_signature(names, [None] * len(names)))

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        parts = []
        for i, (given, value) in enumerate(zip(sig.args[1:], args[1:], strict=True)):
            own = (kind.types[i], builder.extract_value(args[0], i))
            actual, part = own if given == types.none else (given, value)
            parts.append(context.cast(builder, part, actual, sig.return_type.types[i]))
        return _made(context, builder, sig.return_type, parts)

    _teach(Method.key, lower)
    _replacers[kind] = Method
    return Method


def _made(context: Any, builder: Any, kind: Any, parts: Any) -> Any:
    made = context.make_tuple(builder, kind, parts)
    return impl_ret_borrowed(context, builder, kind, made)


def _teach(key: Any, lower: Any) -> None:
    cpu_target.target_context.insert_func_defn([(lower, key, (types.VarArg(types.Any),))])


@infer_getattr
class _Replace(AttributeTemplate):
    key = types.BaseNamedTuple

    def resolve__replace(self, kind: Any) -> Any:
        """`_replace(field=value, ...)` of States and other NamedTuples."""
        is_state = is_state_class(kind.instance_class)
        return types.BoundFunction((state_replacer if is_state else replacer)(kind), kind)


def _resolve_call(self: Any, kind: Any) -> Any:
    return types.Function(_constructor(kind.instance_class))


def _key_of(self: Any, sig: Any) -> Any:
    return _constructor(self.instance_class).key


@functools.cache
def teach_records() -> None:
    """Make Numba call the constructors of this module. Only once everything else is taught: the
    module that is changed defines `len` of all containers, and what is defined first is tried
    first."""
    from numba.core.typing import collections

    attributes: Any = collections.NamedTupleClassAttribute
    classes: Any = types.NamedTupleClass
    attributes.resolve___call__, classes.get_impl_key = _resolve_call, _key_of
