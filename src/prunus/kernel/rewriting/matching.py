"""`match` with classes, `case Card(suit=0):`, `case Point(x, y):`, `case int(n):`, and with
sequences, `case (a, b):`.

Python asks whether the value belongs to the class, and takes its attributes. In compiled code the
class of a value is known, so that only the attributes are left to take. Of a sequence it asks
whether the value is one, and how many items it has.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, errors, ir, types
from numba.core.byteflow import TraceRunner
from numba.core.interpreter import Interpreter
from numba.extending import intrinsic, overload

from prunus.kernel.containers.deques import DequeType
from prunus.kernel.containers.identity import belongs, named_classes
from prunus.kernel.containers.known_tables import MappingType, TableType
from prunus.kernel.containers.stack_sets import StackSet
from prunus.kernel.containers.views import ViewType
from prunus.kernel.numbers.integers import Number
from prunus.kernel.numbers.wide import Wide

_patterns: list[tuple[int, tuple[str, ...]]] = []
"""The patterns by number: how many attributes they take by position, and which by name."""

_WHOLE = (int, float, str, tuple, list, dict, set, frozenset)
"""Python's classes, a pattern of which takes the value itself by position."""


def _taken(kind: Any, cls: Any, number: int) -> list[int] | None:
    """The places of the attributes that a pattern takes from a record; -1 is the value itself.
    None if values of this type never match it. Raises TypingError if that is not known."""
    count, names = _patterns[number]
    title = getattr(cls, "__name__", "this")
    answers = belongs(kind, (cls,)) if cls is not None else set()
    if answers == {False}:
        return None
    order = getattr(cls, "__match_args__", ())
    if answers == {True} and count <= len(order) and isinstance(kind, types.BaseNamedTuple):
        wanted = (*order[:count], *names)
        if all(name in kind.fields for name in wanted):
            return [kind.fields.index(name) for name in wanted]
        raise errors.TypingError(f"case {title}(...) takes what is not a field of {title}")
    takes_itself = count == 0 or (count == 1 and not order and issubclass(cls or object, _WHOLE))
    if answers == {True} and takes_itself and not names:
        return [-1] * count
    raise errors.TypingError(
        f"case {title}(...) cannot be compiled for a value of type {kind}: compare values, or "
        "match a NamedTuple or a number with its own class"
    )


@intrinsic(prefer_literal=True)
def attributes(typingctx, subject, cls, pattern):
    """The attributes that a class pattern, given by its number, takes from a value; None if the
    value does not match it."""
    if not isinstance(pattern, types.IntegerLiteral):
        return None
    whole = types.unliteral(subject)
    kind = whole.type if isinstance(whole, types.Optional) else whole
    named = named_classes(cls)
    places = _taken(kind, named[0] if len(named) == 1 else None, pattern.literal_value)
    if places is None:
        return types.none(subject, cls, pattern), lambda context, *_: context.get_dummy_value()
    kinds = tuple(kind if place < 0 else kind.types[place] for place in places)
    made = types.Tuple.from_types(kinds)

    def parts(context: Any, builder: Any, value: Any) -> Any:
        values = [value if place < 0 else builder.extract_value(value, place) for place in places]
        for part, item in zip(kinds, values, strict=True):
            context.nrt.incref(builder, part, item)
        return context.make_tuple(builder, made, values)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        given = context.cast(builder, args[0], sig.args[0], whole)
        if kind is whole:
            return parts(context, builder, given)
        found = context.make_helper(builder, whole, value=given)
        result = cgutils.alloca_once_value(builder, context.make_optional_none(builder, made))
        with builder.if_then(cgutils.as_bool_bit(builder, found.valid)):
            taken = parts(context, builder, found.data)
            builder.store(context.make_optional_value(builder, made, taken), result)
        return builder.load(result)

    returned = made if kind is whole else types.Optional(made)
    return returned(subject, cls, pattern), lower


def _take(self: Any, state: Any, inst: Any) -> None:
    """The instruction MATCH_CLASS: a value, a class and the names of attributes become a tuple of
    attributes."""
    names, cls, subject = state.pop(), state.pop(), state.pop()
    res = state.make_temp()
    state.append(inst, subject=subject, cls=cls, names=names, res=res)
    state.push(res)


def constant_of(self: Any, variable: Any) -> Any:
    """The constant that a variable holds; tuples of constants are made of their items."""
    made = self.definitions[variable.name][-1]
    if isinstance(made, ir.Expr):
        return tuple(constant_of(self, item) for item in made.items)
    return made.value


def _ask(self: Any, inst: Any, subject: Any, cls: Any, names: Any, res: Any) -> None:
    """The same as a call."""
    pattern = (inst.arg, tuple(constant_of(self, self.get(names))))
    if pattern not in _patterns:
        _patterns.append(pattern)
    function, number = (
        self.store(value, f"${name}_{inst.offset}")
        for name, value in (
            ("attributes", ir.Global(attributes.__name__, attributes, self.loc)),
            ("pattern", ir.Const(_patterns.index(pattern), self.loc)),
        )
    )
    taken = (self.get(subject), self.get(cls), number)
    self.store(ir.Expr.call(function, taken, (), loc=self.loc), res)


def is_sequence(value):
    """Whether a pattern such as `(a, b)` can match a value: a tuple, list, range or deque, and no
    text, set, dictionary or array."""
    raise NotImplementedError


@overload(is_sequence)
def _is_sequence(value):
    if isinstance(value, types.Optional) and may_match(value.type):
        return lambda value: value is not None
    found = may_match(value)
    return None if found is None else lambda value: found


_SEQUENCES = (types.Sequence, types.BaseTuple, types.RangeType, DequeType, TableType)
_OTHERS = (
    *(types.Number, types.Boolean, types.NoneType, types.UnicodeType, types.Literal, Wide),
    *(types.Set, StackSet, types.DictType, types.Array, ViewType, MappingType),
)


def may_match(kind: Any) -> bool | None:
    """Whether values of a type are sequences; None if that is not known, or not the same for
    all."""
    if isinstance(kind, types.Optional):
        return False if may_match(kind.type) is False else None
    if isinstance(kind, _SEQUENCES):
        return True
    return False if isinstance(kind, (Number, *_OTHERS)) else None


def _take_length(self: Any, state: Any, inst: Any) -> None:
    """The instructions MATCH_SEQUENCE and GET_LEN: both ask about the top of the stack, and leave
    it there."""
    res = state.make_temp()
    state.append(inst, value=state.get_tos(), res=res)
    state.push(res)


def _ask_length(self: Any, inst: Any, value: Any, res: Any) -> None:
    """The same as a call."""
    function = len if inst.opname == "GET_LEN" else is_sequence
    named = self.store(
        ir.Global(function.__name__, function, self.loc), f"$asked_{inst.offset}", redefine=True
    )
    self.store(ir.Expr.call(named, (self.get(value),), (), loc=self.loc), res)


TraceRunner.op_MATCH_CLASS, Interpreter.op_MATCH_CLASS = _take, _ask
TraceRunner.op_MATCH_SEQUENCE = TraceRunner.op_GET_LEN = _take_length
Interpreter.op_MATCH_SEQUENCE = Interpreter.op_GET_LEN = _ask_length
