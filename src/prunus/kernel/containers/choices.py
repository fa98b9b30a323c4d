"""Tuples of functions in compiled code: `MOVES[kind](state)`, `for rule in (material, mobility):`,
also with other values beside the functions, `for weight, rule in RULES:`.

A function taken from such a tuple at a place that is known only at run time is a *choice*: the
place, with the tuple of all that it may be. A call of it branches to the function meant. Items that
are tuples are chosen part by part, and numbers are joined as on two paths of a function.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir as native
from numba.core import cgutils, errors, types
from numba.core.imputils import RefType, impl_ret_borrowed, iternext_impl
from numba.core.types.common import SimpleIteratorType
from numba.core.typing.templates import AbstractTemplate, infer, infer_global, signature
from numba.extending import lower_builtin, lower_cast, models, register_model

from prunus.kernel.code.folding import fold_arguments
from prunus.kernel.containers.type_keys import keyed_by
from prunus.kernel.numbers.integers import WORD, Number
from prunus.kernel.numbers.words import signed_word
from prunus.kernel.pipeline.inference import is_ours
from prunus.kernel.reporting.raising import fail_if

_FUNCTIONS: Any = (types.Dispatcher, types.BoundFunction, types.Function)
"""The types of functions that may stand in tuples."""


class Choice(types.Callable):
    """The type of a function that is one of several, of these types."""

    def __init__(self, kinds: tuple[Any, ...]) -> None:
        self.kinds = kinds
        self.tuple = types.Tuple(kinds)
        super().__init__(f"one of several functions#{abs(hash(kinds))}")

    @property
    def key(self) -> Any:
        """The key by which two such types are equal."""
        return self.kinds

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The common type of two branches: a choice from all functions of both."""
        kinds = other.kinds if isinstance(other, Choice) else (other,)
        if not all(isinstance(kind, _FUNCTIONS) for kind in kinds):
            return None
        more = tuple(kind for kind in dict.fromkeys(kinds) if kind not in self.kinds)
        if isinstance(other, Choice) and set(self.kinds) <= set(kinds):
            return other
        return Choice((*self.kinds, *more)) if more else self

    def calls(self, context: Any, args: Any) -> list[Any]:
        """The signature of each function for positional arguments of these types."""
        return [context.resolve_function_type(kind, args, {}) for kind in self.kinds]

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """The signature of a call, or None."""
        if kws:
            raise errors.TypingError(
                "a function that is one of several is called with arguments by name: pass them by "
                "position"
            )
        given = tuple(map(types.unliteral, args))
        calls = self.calls(context, given)
        if any(call is None for call in calls):
            return None
        results = [call.return_type for call in calls]
        if any(isinstance(result, types.Generator) for result in results):
            raise errors.TypingError(
                "a generator function is one of several: write a loop for each function"
            )
        result = context.unify_types(*results)
        if result is None:
            shown = ", ".join(sorted(set(map(str, results))))
            raise errors.TypingError(f"the functions of a tuple return different types: {shown}")
        return signature(result, *given, recvr=self)

    def get_call_signatures(self) -> Any:
        """Nothing is known before a call."""
        return (), True

    def get_impl_key(self, sig: Any) -> Any:
        """The key under which calls are lowered."""
        return Choice


@register_model(Choice)
class _ChoiceModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("place", types.int64), ("functions", kind.tuple)])


@lower_cast(Choice, Choice)
def _widened(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    choice = context.make_helper(builder, fromty, value=value)
    places = [toty.kinds.index(kind) for kind in fromty.kinds]
    functions = native.Constant(context.get_value_type(toty.tuple), None)
    place = WORD(places[0])
    for old, new in enumerate(places):
        is_old = builder.icmp_signed("==", choice.place, WORD(old))
        place = builder.select(is_old, WORD(new), place)
        function = builder.extract_value(choice.functions, old)
        functions = builder.insert_value(functions, function, new)
    made = context.make_helper(builder, toty)
    made.place, made.functions = place, functions
    return made._getvalue()


def _widened_one(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    place = toty.kinds.index(fromty)
    functions = native.Constant(context.get_value_type(toty.tuple), None)
    made = context.make_helper(builder, toty)
    made.place = WORD(place)
    made.functions = builder.insert_value(functions, value, place)
    return made._getvalue()


for _kind in _FUNCTIONS:
    lower_cast(_kind, Choice)(_widened_one)


def _join_choices(kind: Any) -> None:
    """Let a function of this type and another one, or a choice, have a choice as common type, in
    what Prunus compiles. Numba's own would hold objects of Python."""
    plain = kind.unify

    def either(self: Any, typingctx: Any, other: Any) -> Any:
        if not is_ours():
            return plain(self, typingctx, other)
        if isinstance(other, Choice):
            return other.unify(typingctx, self)
        same = plain(self, typingctx, other) if kind is types.BoundFunction else None
        if same is None and isinstance(other, _FUNCTIONS):
            return Choice((self, other))
        return same

    kind.unify = either


for _kind in _FUNCTIONS:
    _join_choices(_kind)


def _arguments(context: Any, builder: Any, call: Any, given: list[Any]) -> list[Any]:
    """The arguments of one function, with its defaults, for those of a call (types and values)."""

    def given_one(place: int, parameter: Any, pair: Any) -> Any:
        return context.cast(builder, pair[1], pair[0], call.args[place])

    def default(place: int, parameter: Any, value: Any) -> Any:
        return context.get_constant_generic(builder, call.args[place], value)

    def rest(place: int, parameter: Any, pairs: Any) -> Any:
        wanted = call.args[place]
        parts = [
            context.cast(builder, value, kind, part)
            for (kind, value), part in zip(pairs, wanted, strict=True)
        ]
        return cgutils.make_anonymous_struct(builder, parts)

    if call.pysig is None:
        return [given_one(place, None, pair) for place, pair in enumerate(given)]
    return list(fold_arguments(call.pysig, given, {}, given_one, default, rest))


@lower_builtin(Choice, types.VarArg(types.Any))
def _call(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, given = sig.args[0], list(zip(sig.args[1:], args[1:], strict=True))
    choice = context.make_helper(builder, kind, value=args[0])
    result = cgutils.alloca_once(builder, context.get_value_type(sig.return_type))
    done, never = builder.append_basic_block("called"), builder.append_basic_block("never")
    switch = builder.switch(choice.place, never)
    calls = kind.calls(context.typing_context, sig.args[1:])
    for place, (one, call) in enumerate(zip(kind.kinds, calls, strict=True)):
        block = builder.append_basic_block("choice")
        switch.add_case(WORD(place), block)
        builder.position_at_end(block)
        values = _arguments(context, builder, call, given)
        if call.recvr is not None:
            values.insert(0, builder.extract_value(choice.functions, place))
        function = context.get_function(one, call)
        context.add_linking_libs(getattr(function, "libs", ()))
        value = function(builder, values)
        if value is None:
            value = context.get_dummy_value()
        builder.store(context.cast(builder, value, call.return_type, sig.return_type), result)
        builder.branch(done)
    builder.position_at_end(never)
    builder.unreachable()
    builder.position_at_end(done)
    return builder.load(result)


def _same(builder: Any, sig: Any) -> Any:
    if not any(isinstance(kind, types.NoneType) for kind in sig.args):
        raise errors.UnsupportedError(
            "a function that is one of several cannot be compared: compare what chose it"
        )
    return cgutils.false_bit


for _sides in ((Choice, types.Any), (types.Any, Choice), (Choice, Choice)):
    lower_builtin(operator.is_, *_sides)(
        lambda context, builder, sig, args: _same(builder, sig),
    )


@lower_builtin(operator.is_, types.Dispatcher, types.Dispatcher)
def _is_function(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return native.IntType(1)(int(sig.args[0] == sig.args[1]))


def joined(context: Any, kinds: Any) -> Any:
    """The type of an item of a tuple with items of these types; None if there is none."""
    kinds = tuple(map(types.unliteral, kinds))
    if not kinds or len(set(kinds)) == 1:
        return kinds[0] if kinds else None
    if all(isinstance(kind, _FUNCTIONS) for kind in kinds):
        return Choice(kinds)
    if all(isinstance(kind, types.Tuple | types.UniTuple) for kind in kinds):
        if len({len(kind) for kind in kinds}) > 1:
            return None
        parts = [joined(context, column) for column in zip(*(kind.types for kind in kinds))]  # noqa: B905
        return None if None in parts else types.Tuple.from_types(tuple(parts))
    if all(isinstance(kind, Number) for kind in kinds):
        return context.unify_types(*kinds)
    return None


def _chosen(context: Any, builder: Any, kind: Any, kinds: Any, values: Any, place: Any) -> Any:
    """The value at a place, which is in range, of type `kind`."""
    differ = len({types.unliteral(item) for item in kinds}) > 1
    if isinstance(kind, Choice) and differ and kind.kinds == tuple(kinds):
        made = context.make_helper(builder, kind)
        made.place, made.functions = place, context.make_tuple(builder, kind.tuple, values)
        return made._getvalue()
    if isinstance(kind, types.BaseTuple) and differ:
        parts = []
        for i, part in enumerate(kind.types):
            column = [builder.extract_value(row, i) for row in values]
            shapes = [row.types[i] for row in kinds]
            parts.append(_chosen(context, builder, part, shapes, column, place))
        return context.make_tuple(builder, kind, parts)
    slot = cgutils.alloca_once(builder, context.get_value_type(kind))
    done = builder.append_basic_block("chosen")
    blocks = [builder.append_basic_block("choose") for _ in kinds]
    switch = builder.switch(place, blocks[0])
    for number, (block, one, value) in enumerate(zip(blocks, kinds, values, strict=True)):
        if number:
            switch.add_case(WORD(number), block)
        builder.position_at_end(block)
        builder.store(context.cast(builder, value, one, kind), slot)
        builder.branch(done)
    builder.position_at_end(done)
    return builder.load(slot)


def _is_mixed(kind: Any) -> bool:
    """Whether a type is that of a tuple whose items have different types."""
    return isinstance(kind, types.Tuple)


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) != 2 or not _is_mixed(args[0]) or not isinstance(args[1], Number):
            return None
        kind = joined(self.context, args[0].types)
        return None if kind is None else signature(kind, *args)


@lower_builtin(operator.getitem, types.Tuple, types.Any)
def _get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, count = sig.args[0], len(sig.args[0])
    place = signed_word(context, builder, sig.args[1], args[1])
    from_end = builder.icmp_signed("<", place, WORD(0))
    place = builder.select(from_end, builder.add(place, WORD(count)), place)
    is_outside = builder.icmp_unsigned(">=", place, WORD(count))
    fail_if(context, builder, is_outside, IndexError, "tuple index out of range")
    return _borrowed(context, builder, sig.return_type, kind, args[0], place)


def _borrowed(context: Any, builder: Any, made: Any, kind: Any, items: Any, place: Any) -> Any:
    """The item at a place, which is in range, of a tuple."""
    values = [builder.extract_value(items, i) for i in range(len(kind))]
    item = _chosen(context, builder, made, kind.types, values, place)
    return impl_ret_borrowed(context, builder, made, item)


@keyed_by("items")
class _Items(SimpleIteratorType):
    """The type of an iterator over such a tuple."""

    def __init__(self, items: Any, item: Any) -> None:
        self.items = items
        super().__init__(f"iter({items})", item)


@register_model(_Items)
class _ItemsModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        members = [("place", types.EphemeralPointer(types.int64)), ("items", kind.items)]
        super().__init__(manager, kind, members)


@infer
class _GetIter(AbstractTemplate):
    key = "getiter"

    def generic(self, args: Any, kws: Any) -> Any:
        made = _iterator_type(self.context, args[0])
        return None if made is None else signature(made, *args)


def _iterator_type(context: Any, items: Any) -> Any:
    kind = joined(context, items.types) if _is_mixed(items) else None
    return None if kind is None else _Items(items, kind)


@lower_builtin("getiter", types.Tuple)
def _iterator(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made = context.make_helper(builder, sig.return_type)
    made.items, made.place = args[0], cgutils.alloca_once_value(builder, WORD(0))
    return made._getvalue()


@lower_builtin("iternext", _Items)
@iternext_impl(RefType.BORROWED)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    kind = sig.args[0]
    iterator = context.make_helper(builder, kind, value=args[0])
    place = builder.load(iterator.place)
    valid = builder.icmp_signed("<", place, WORD(len(kind.items)))
    result.set_valid(valid)
    with builder.if_then(valid):
        values = [builder.extract_value(iterator.items, i) for i in range(len(kind.items))]
        item = _chosen(context, builder, kind.yield_type, kind.items.types, values, place)
        result.yield_(item)
        builder.store(builder.add(place, WORD(1)), iterator.place)


@keyed_by("items", "made")
class _Loop(types.IterableType):
    """The type of such a tuple as an argument of `enumerate` and `zip`."""

    def __init__(self, items: Any, made: Any) -> None:
        self.items, self.made = items, made
        super().__init__(f"loop({made})")

    @property
    def iterator_type(self) -> Any:
        """The type of its iterator."""
        return self.made


@register_model(_Loop)
class _LoopModel(models.ProxyModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind)
        self._proxied_model = manager.lookup(kind.items)


@lower_cast(types.Tuple, _Loop)
def _as_loop(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return context.cast(builder, value, fromty, toty.items)


lower_builtin("getiter", _Loop)(_iterator)


def _loops(context: Any, args: Any) -> Any:
    """The types of iterables, of which at least one is such a tuple; None otherwise."""
    if not any(map(_is_mixed, args)):
        return None
    found = []
    for kind in args:
        made = _iterator_type(context, kind)
        if made is None and not isinstance(kind, types.IterableType):
            return None
        found.append(kind if made is None else _Loop(kind, made))
    return found


@infer_global(enumerate)
class _Enumerate(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        loops = _loops(self.context, args[:1])
        if loops is None or kws or not all(isinstance(kind, types.Integer) for kind in args[1:]):
            return None
        return signature(types.EnumerateType(*loops), *loops, *args[1:])


@infer_global(zip)
class _Zip(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        loops = None if kws else _loops(self.context, args)
        return None if loops is None else signature(types.ZipType(loops), *loops)
