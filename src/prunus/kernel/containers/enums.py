"""Enumerations in compiled code: `Colour(n)`, loops over `Colour`, `len(Colour)`, and the methods
and properties of members.

Numba itself knows members by name, and their values. There a member is its value, so that the
member with a certain value is that value, as soon as it is certain that there is one.
"""

from __future__ import annotations

import enum
import inspect
import operator
import types as pytypes
from typing import Any

from llvmlite import ir as native
from numba.core import errors, types
from numba.core.imputils import lower_constant, lower_getattr_generic
from numba.core.rewrites.static_getitem import RewriteConstGetitems
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer,
    infer_getattr,
    make_callable_template,
    signature,
)
from numba.cpython.numbers import (
    int_eq_impl,
    int_ne_impl,
    int_sge_impl,
    int_sgt_impl,
    int_sle_impl,
    int_slt_impl,
)
from numba.extending import lower_builtin, lower_cast, models, overload, register_model, typeof_impl

from prunus.kernel.code.dispatchers import dispatcher, rely_on
from prunus.kernel.containers.classes import method_template
from prunus.kernel.numbers.integers import DOUBLE, TRUTH_OR_INT, TruthOrInt, Whole
from prunus.kernel.numbers.words import double
from prunus.kernel.pipeline.inference import is_ours
from prunus.kernel.reporting.locating import THE_NUMBER
from prunus.kernel.reporting.raising import fail_if
from prunus.kernel.reporting.special import check_special, defined


def _title(kind: str, cls: Any) -> str:
    """The name of a type: types are equal if their names are, also as items of other types."""
    return f"{kind}({cls.__module__}.{cls.__qualname__}#{id(cls)})"


class EnumMember(types.EnumMember):
    """The type of a member."""

    def __init__(self, cls: Any, dtype: Any) -> None:
        super().__init__(cls, dtype)
        self.name = _title("Enum", cls)


class IntEnumMember(types.IntEnumMember, types.Integer):
    """The type of a member that is an integer."""

    def __init__(self, cls: Any) -> None:
        self.instance_class, self.dtype = cls, types.int64  # type: ignore[misc]
        types.Integer.__init__(self, _title("Enum", cls), 64, True)

    can_convert_to = TruthOrInt.can_convert_to

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The common type of two branches. The other number may be plain: left of a u64 it gives a
        u64, and the member a plain integer, as truth values do."""
        return TRUTH_OR_INT.unify(typingctx, other)


class EnumClass(types.IterableType, types.Opaque):
    """The type of an enumeration, which is iterated over in the order of definition; `member_type`
    is that of its members."""

    def __init__(self, cls: Any, member_type: Any) -> None:
        self.instance_class, self.member_type = cls, member_type
        super().__init__(_title("Enum class", cls))

    @property
    def key(self) -> Any:
        """The key by which two such types are equal."""
        return self.instance_class, self.member_type

    @property
    def iterator_type(self) -> Any:
        """The type of the iterator: that of a tuple of the members."""
        return types.UniTupleIter(types.UniTuple(self.member_type, len(self.instance_class)))


register_model(EnumClass)(models.OpaqueModel)
register_model(EnumMember)(models.EnumModel)
register_model(IntEnumMember)(models.IntegerModel)


@lower_constant(IntEnumMember)
def _constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.get_constant(kind.dtype, int(value))


@lower_cast(IntEnumMember, types.Integer)
def _to_integer(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return context.cast(builder, value, fromty.dtype, toty)


_plain_typeof = typeof_impl.dispatch(enum.EnumMeta)


@typeof_impl.register(enum.EnumMeta)
def _typeof_class(cls: Any, context: Any) -> Any:
    known = _plain_typeof(cls, context)
    if not is_ours():
        return known
    _check(cls)
    if not isinstance(known, types.IntEnumClass):
        return EnumClass(cls, EnumMember(cls, known.dtype))
    if known.dtype != types.int64:
        raise ValueError(f"{cls.__qualname__} has members that need more than 64 bits")
    return EnumClass(cls, IntEnumMember(cls))


def _check(cls: Any) -> None:
    """Raise an error for an enumeration whose members are more than names of their values; to a
    ValueError Numba adds the line."""
    title = cls.__qualname__
    if issubclass(cls, enum.Flag):
        raise ValueError(
            f"{title} is an enum.{cls.__base__.__name__}, which cannot be compiled: write an "
            "IntEnum, or integers"
        )
    check_special(cls)
    if issubclass(cls, int) and any(int(member) != member.value for member in cls):
        raise ValueError(
            f"{title} has members that are other numbers than their values: that cannot be compiled"
        )


@infer_getattr
class _OfClass(AttributeTemplate):
    key = EnumClass

    def resolve___call__(self, kind: Any) -> Any:
        """`Colour(n)`, for a number or a member."""

        def typer(value: Any) -> Any:
            if value == kind.member_type:
                return kind.member_type
            if not isinstance(kind.member_type.dtype, types.Integer | types.Boolean):
                raise errors.TypingError(
                    f"{kind.instance_class.__qualname__}(...) can only be compiled if the values "
                    "of its members are integers"
                )
            is_number = isinstance(value, types.Integer | types.Boolean | Whole)
            return kind.member_type if is_number else None

        return types.Function(make_callable_template(key=kind, typer=typer))

    def generic_resolve(self, kind: Any, name: str) -> Any:
        """The type of a member, or of a function of the class."""
        if name in kind.instance_class.__members__:
            return kind.member_type
        rely_on(kind.instance_class)
        found = defined(kind.instance_class, name)
        if isinstance(found, classmethod):
            return types.BoundFunction(method_template(kind, name, found.__func__), kind)
        function = getattr(found, "__func__", found)
        is_function = isinstance(function, pytypes.FunctionType)
        return self.context.resolve_value_type(function) if is_function else None


@lower_getattr_generic(EnumClass)
def _class_attribute(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    member = kind.instance_class.__members__.get(name)
    if member is None:
        return context.get_dummy_value()
    return context.get_constant_generic(builder, kind.member_type, member)


@infer
class _Named(AbstractTemplate):
    key = "static_getitem"

    def generic(self, args: Any, kws: Any) -> Any:
        kind, name = args
        name = getattr(name, "literal_value", name)
        if isinstance(kind, EnumClass) and name in kind.instance_class.__members__:
            return signature(kind.member_type, *args)
        return None


@lower_builtin("static_getitem", EnumClass, types.StringLiteral)
def _named(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _class_attribute(context, builder, sig.args[0], args[0], sig.args[1].literal_value)


@lower_builtin(EnumClass, types.Any)
def _member(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.return_type
    if sig.args[0] == kind:
        return args[0]
    cls, number = kind.instance_class, double(builder, sig.args[0], args[0])
    values = sorted({int(member.value) for member in cls})
    if len(values) == values[-1] - values[0] + 1:
        place = builder.sub(number, DOUBLE(values[0]))
        is_other = builder.icmp_unsigned(">=", place, DOUBLE(len(values)))
    else:
        is_other = native.Constant(native.IntType(1), 1)
        for value in values:
            differs = builder.icmp_unsigned("!=", number, DOUBLE(value))
            is_other = builder.and_(is_other, differs)
    text = f"{THE_NUMBER} is not a valid {cls.__qualname__}"
    fail_if(context, builder, is_other, ValueError, text, number)
    return builder.trunc(number, context.get_value_type(kind))


@lower_builtin("getiter", EnumClass)
def _iterate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, members = sig.args[0], sig.return_type.container
    values = [
        context.get_constant_generic(builder, kind.member_type, member)
        for member in kind.instance_class
    ]
    made = context.make_tuple(builder, members, values)
    begin = context.get_function("getiter", sig.return_type(members))
    return begin(builder, (made,))


for _name, _lower in (
    (operator.eq, int_eq_impl),
    (operator.is_, int_eq_impl),
    (operator.ne, int_ne_impl),
    (operator.lt, int_slt_impl),
    (operator.le, int_sle_impl),
    (operator.gt, int_sgt_impl),
    (operator.ge, int_sge_impl),
):
    lower_builtin(_name, IntEnumMember, IntEnumMember)(_lower)


@overload(len)
def _len(members):
    if isinstance(members, EnumClass):
        count = len(members.instance_class)
        return lambda members: count
    return None


@infer_getattr
class _Members(AttributeTemplate):
    key = types.EnumMember

    def generic_resolve(self, kind: Any, name: str) -> Any:
        """The type of a method, bound to the member, or of a property's value."""
        rely_on(kind.instance_class)
        found = defined(kind.instance_class, name)
        if isinstance(found, pytypes.FunctionType):
            return types.BoundFunction(method_template(kind, name, found), kind)
        if isinstance(found, property):
            return _read(self.context, kind, found).return_type
        if any(name in vars(member) for member in kind.instance_class):
            raise errors.TypingError(
                f"{kind.instance_class.__qualname__}.{name} is an attribute of each member, which "
                "cannot be compiled: write a method, or a tuple that the member's value indexes"
            )
        return None


def _read(context: Any, kind: Any, member: property) -> Any:
    return types.Dispatcher(dispatcher(member.fget)).get_call_type(context, (kind,), {})


@lower_getattr_generic(types.EnumMember)
def member_attribute(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    """A method bound to the member, which is the member, or the value of a property."""
    found = inspect.getattr_static(kind.instance_class, name)
    if not isinstance(found, property):
        return value
    sig = _read(context.typing_context, kind, found)
    call = context.get_function(types.Dispatcher(dispatcher(found.fget)), sig)
    context.add_linking_libs(getattr(call, "libs", ()))
    return call(builder, [value])


_plain_match = RewriteConstGetitems.match


def _match(self: Any, func_ir: Any, block: Any, typemap: Any, calltypes: Any) -> bool:
    """Constant places, among them members of an IntEnum (`counts[Piece.PAWN]`), as numbers."""
    found = _plain_match(self, func_ir, block, typemap, calltypes)
    for expression, place in self.getitems.items():
        if isinstance(place, int) and not isinstance(place, bool):
            self.getitems[expression] = int(place)
    return bool(found)


RewriteConstGetitems.match = _match
