"""Classes by name in compiled code (`Colour.RED`, `Othello.SIZE`, `cls.SIZE` in a class method),
`super()`, and the methods of States."""

from __future__ import annotations

import inspect
import types as pytypes
from collections.abc import Callable
from typing import Any

from numba.core import errors, ir, ir_utils, types
from numba.core.imputils import builtin_registry, lower_cast
from numba.core.registry import cpu_target
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr
from numba.extending import models, register_model

from prunus.core.state import is_state_class
from prunus.kernel.boards.state_making import StateClassType
from prunus.kernel.code.cached import plain_function
from prunus.kernel.code.dispatchers import dispatcher, rely_on
from prunus.kernel.code.folding import by_name
from prunus.kernel.code.learnt import learnt
from prunus.kernel.code.toolchain import is_known
from prunus.kernel.containers.table_types import looked_up
from prunus.kernel.numbers.wide import constant
from prunus.kernel.reporting.special import is_defined


class ClassType(types.Opaque):
    """The type of a class that is neither a State nor anything Numba knows: a namespace of
    constants and functions."""

    def __init__(self, cls: type) -> None:
        self.cls = cls
        super().__init__(f"Class({cls.__module__}.{cls.__qualname__}#{id(cls)})")


register_model(ClassType)(models.OpaqueModel)

_MISSING = object()
"""What stands for an attribute that a class does not have."""


def attribute_of(cls: type, name: str) -> Any:
    """The value of `cls.name`. Raises TypingError if there is none."""
    rely_on(cls)
    value = getattr(cls, name, _MISSING)
    if value is _MISSING:
        raise errors.TypingError(f"{cls.__qualname__} has no attribute {name!r}")
    if _is_computed(cls, name):
        raise errors.TypingError(
            f"the attribute {cls.__qualname__}.{name} is computed, by a descriptor or by the class "
            f"of the class, which cannot be compiled: let it be a plain constant"
        )
    return looked_up(constant(value))


def _is_computed(cls: type, name: str) -> bool:
    """Whether an attribute of a class is not what stands in the class or one of its bases."""
    homes = [vars(base) for base in cls.__mro__ if name in vars(base)]
    if not homes:
        return not is_known(type(cls).__module__)
    found = homes[0][name]
    return hasattr(type(found), "__get__") and not is_known(type(found).__module__)


@infer_getattr
class _ClassAttributes(AttributeTemplate):
    key = ClassType

    def generic_resolve(self, kind: ClassType, name: str) -> Any:
        """The type of `cls.name`: a function, a class method or a constant."""
        value = attribute_of(kind.cls, name)
        if isinstance(value, pytypes.MethodType):
            return types.BoundFunction(method_template(kind, name, value.__func__), kind)
        return self.context.resolve_value_type(value)


@builtin_registry.lower_getattr_generic(ClassType)
def _get_attribute(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    return _read_class(context, builder, kind.cls, value, name)


def _read_class(context: Any, builder: Any, cls: type, value: Any, name: str) -> Any:
    found = attribute_of(cls, name)
    if isinstance(found, pytypes.MethodType):
        return value
    known = context.typing_context.resolve_value_type(found)
    return (
        context.get_dummy_value()
        if isinstance(known, types.Dummy | types.Opaque)
        else context.get_constant_generic(builder, known, found)
    )


_templates: dict[Any, Any] = learnt()


def method_template(kind: Any, name: str, function: Callable[..., Any]) -> Any:
    """How a method, whose first argument is of type `kind`, is typed and called."""
    # If the function's meaning has changed, it has another dispatcher.
    code = dispatcher(function)
    if (kind, name, code) in _templates:
        return _templates[kind, name, code]
    compiled = types.Dispatcher(code)

    class Method(AbstractTemplate):
        key = ("prunus.method", kind, name, code)

        def generic(self, args: Any, kws: Any) -> Any:
            return compiled.get_call_type(self.context, (kind, *args), kws).as_method()

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        real = compiled.get_call_type(
            context.typing_context, *by_name(plain_function(function), sig.args)
        )
        call = context.get_function(compiled, real)
        context.add_linking_libs(getattr(call, "libs", ()))
        return call(
            builder,
            [
                context.cast(builder, a, f, t)
                for a, f, t in zip(args, sig.args, real.args, strict=True)
            ],
        )

    cpu_target.target_context.insert_func_defn([(lower, Method.key, (types.VarArg(types.Any),))])
    _templates[kind, name, code] = Method
    return Method


class _RecordClass(AttributeTemplate):
    """Functions and constants of a NamedTuple by the class's name."""

    def generic_resolve(self, kind: Any, name: str) -> Any:
        """The type of `cls.name`."""
        cls = _record_of(kind)
        if not is_defined(cls, name) or name in cls._fields:
            return None
        value = attribute_of(cls, name)
        if isinstance(value, pytypes.MethodType):
            return types.BoundFunction(method_template(kind, name, value.__func__), kind)
        return self.context.resolve_value_type(value)


def _record_of(kind: Any) -> Any:
    """The class that the type of a NamedTuple's class stands for."""
    return kind.cls if isinstance(kind, StateClassType) else kind.instance_class


for _kind in (types.NamedTupleClass, StateClassType):
    infer_getattr(type("_Attributes", (_RecordClass,), {"key": _kind}))

    @builtin_registry.lower_getattr_generic(_kind)
    def _get_from_record_class(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
        return _read_class(context, builder, _record_of(kind), value, name)


@lower_cast(types.BaseNamedTuple, types.NamedTupleClass)
@lower_cast(types.BaseNamedTuple, StateClassType)
def _class_of_record(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return context.get_dummy_value()


@lower_cast(types.BaseTuple, types.NamedUniTuple)
@lower_cast(types.BaseTuple, types.NamedTuple)
def _tuple_as_record(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    """A tuple that is looked for among records."""
    parts = [
        context.cast(builder, builder.extract_value(value, i), *kinds)
        for i, kinds in enumerate(zip(fromty.types, toty.types, strict=True))
    ]
    return context.make_tuple(builder, toty, parts)


def _has_members(cls: type, name: str) -> bool:
    """Whether a name may be a member of a record that is not a field: a State's constants are
    looked for in its bases too."""
    known = is_state_class(cls) or is_defined(cls, name)
    return known and not name.startswith("_")


@infer_getattr
class _StateMembers(AttributeTemplate):
    key = types.BaseNamedTuple

    def generic_resolve(self, kind: Any, name: str) -> Any:
        """The type of `state.name`, if the name is not a field but a method, a property or a
        constant of the State class."""
        cls = kind.instance_class
        if not _has_members(cls, name) or name in kind.fields:
            return None
        rely_on(cls)
        member = inspect.getattr_static(cls, name, _MISSING)
        if isinstance(plain_function(member), pytypes.FunctionType):
            return types.BoundFunction(method_template(kind, name, member), kind)
        if isinstance(member, classmethod):
            of = (StateClassType if is_state_class(cls) else types.NamedTupleClass)(cls)
            return types.BoundFunction(method_template(of, name, member.__func__), of)
        if member is _MISSING:
            return None
        _let_states_have(name)
        if isinstance(member, property):
            return _read_property(self.context, kind, member).return_type
        return self.context.resolve_value_type(attribute_of(cls, name))


def method_of_state(kind: Any, name: str) -> Any:
    """The function that `state.name(...)` calls, for the type of a State; None if it is not a
    method, or the type is another."""
    if not isinstance(kind, types.BaseNamedTuple) or name in kind.fields:
        return None
    cls = kind.instance_class
    if not _has_members(cls, name):
        return None
    rely_on(cls)
    member = inspect.getattr_static(cls, name, None)
    return member if isinstance(member, pytypes.FunctionType) else None


def _read_property(context: Any, kind: Any, member: property) -> Any:
    return types.Dispatcher(dispatcher(member.fget)).get_call_type(context, (kind,), {})


_members: set[str] = set()


def _let_states_have(name: str) -> None:
    """Teach Numba, once, to read a member of this name of States."""
    if name in _members:
        return
    _members.add(name)

    @builtin_registry.lower_getattr(types.BaseNamedTuple, name)
    def read(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if name in kind.fields:
            return builder.extract_value(value, kind.fields.index(name))
        member = inspect.getattr_static(kind.instance_class, name)
        if not isinstance(member, property):
            found = attribute_of(kind.instance_class, name)
            return context.get_constant_generic(
                builder, context.typing_context.resolve_value_type(found), found
            )
        sig = _read_property(context.typing_context, kind, member)
        call = context.get_function(types.Dispatcher(dispatcher(member.fget)), sig)
        context.add_linking_libs(getattr(call, "libs", ()))
        return call(builder, [value])

    cpu_target.target_context.refresh()


SUPER = "super of "
"""The prefix of the name that stands for `super().name` during compilation: `super of CLASS:name`,
an attribute of the game."""

_classes: dict[str, type] = learnt()


def resolve_super(func_ir: Any) -> bool:
    """Let `super().name` in a method refer to the function that is next in the method resolution
    order; true if anything changed."""
    changed = False
    for block in func_ir.blocks.values():
        for statement in block.find_insts(ir.Assign):
            value = statement.value
            if not (isinstance(value, ir.Expr) and value.op == "getattr"):
                continue
            call = ir_utils.guard(ir_utils.get_definition, func_ir, value.value)
            if (
                isinstance(call, ir.Expr)
                and call.op == "call"
                and not call.args
                and _is_super(func_ir, call.func)
            ):
                statement.value = ir.Expr.getattr(
                    _self(func_ir), f"{SUPER}{_owner(func_ir, value.loc)}:{value.attr}", value.loc
                )
                changed = True
    if changed:
        for block in func_ir.blocks.values():
            block.body = [
                statement for statement in block.body if not _calls_super(func_ir, statement)
            ]
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    return changed


def _is_super(func_ir: Any, variable: Any) -> bool:
    found = ir_utils.guard(ir_utils.get_definition, func_ir, variable)
    return isinstance(found, ir.Global) and found.value is super


def _calls_super(func_ir: Any, statement: Any) -> bool:
    value = statement.value if isinstance(statement, ir.Assign) else None
    if isinstance(value, ir.Global):
        return value.value is super
    return (
        isinstance(value, ir.Expr)
        and value.op == "call"
        and not value.args
        and _is_super(func_ir, value.func)
    )


def _self(func_ir: Any) -> Any:
    for block in func_ir.blocks.values():
        for statement in block.find_insts(ir.Assign):
            if isinstance(statement.value, ir.Arg) and statement.value.index == 0:
                return statement.target
    raise errors.TypingError("super() is used in a function without arguments")


def _owner(func_ir: Any, loc: Any) -> str:
    function = func_ir.func_id.func
    names = function.__code__.co_freevars
    if "__class__" not in names:
        raise errors.TypingError("super() is used outside a class", loc=loc)
    cls = function.__closure__[names.index("__class__")].cell_contents
    name = f"{cls.__module__}.{cls.__qualname__}#{id(cls)}"
    _classes[name] = cls
    return name


def next_in_line(game: Any, name: str) -> Any:
    """The value of a game's attribute whose name was made by `resolve_super`. Raises TypingError if
    there is none."""
    owner, _, attribute = name.removeprefix(SUPER).rpartition(":")
    found = getattr(super(_classes[owner], game), attribute, None)
    if found is None:
        raise errors.TypingError(f"super() has no attribute {attribute!r}")
    return found
