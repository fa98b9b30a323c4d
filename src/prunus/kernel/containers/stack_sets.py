"""Sets that never leave the function that makes them, and of which the order is not asked: `seen =
set()`, `seen.add(cell)`, `cell in seen`, `len(seen)`. `short_sets.py` finds them, and
`set_functions.py` has what is done with them.

They lie on the stack of that function. Small integers, such as the cells of a board, are bits
there, and so are pairs of them, rows and columns; all other items are in a set on the heap, which
is made for the first of them. The references to a set on the stack are counted; when none is left,
the other set is given back. If a set is made repeatedly in a loop, each takes the place of the one
before, to which no reference is left.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import (
    AbstractTemplate,
    infer_global,
    signature,
)
from numba.cpython.setobj import SetInstance
from numba.extending import intrinsic, lower_builtin, models
from numba.extending import register_model as register

from prunus.kernel.boards.homes import place_for
from prunus.kernel.containers.stack_lists import COUNTING, MARK, change_count
from prunus.kernel.containers.type_keys import keyed_by
from prunus.kernel.numbers.integers import LONG, WORD, Either, Number
from prunus.kernel.numbers.words import double, low_word

BITS = 512
"""Integers from 0 up to this limit are bits."""

SIDE = 32
"""Pairs of integers from 0 up to this limit are bits."""

_COUNT, _REST, FIRST = 0, 1, 2
"""The words of a set: the number of references, the set with the other items or 0, the bits."""


@keyed_by("dtype")
class StackSet(types.Type):
    """The type of such a set. `plain` is the type of a set on the heap with the same items."""

    mutable = True

    def __init__(self, dtype: Any) -> None:
        self.plain = types.Set(dtype)
        self.dtype = self.plain.dtype
        super().__init__(f"{self.plain}{MARK}")

    def is_precise(self) -> bool:
        """Whether the type of its items is known."""
        return bool(self.dtype.is_precise())

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The common type of two branches; None for another kind of set."""
        if not isinstance(other, StackSet):
            return None
        dtype = typingctx.unify_pairs(self.dtype, other.dtype)
        return None if dtype is None else StackSet(dtype)


@keyed_by("container")
class _Content(types.Type):
    """The type of what lies on the stack for a set."""

    def __init__(self, container: StackSet) -> None:
        self.container = container
        super().__init__(f"content of {container}")


register(_Content)(models.OpaqueModel)


@register(StackSet)
class _Model(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("memory", types.MemInfoPointer(_Content(kind)))])


def _is_pair(kind: Any) -> bool:
    plain = isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple)
    return plain and len(kind) == 2 and all(isinstance(part, Number) for part in kind)


def words_of(kind: StackSet) -> int:
    """The words with the bits of a set."""
    if _is_pair(kind.dtype):
        return SIDE * SIDE // 64
    return BITS // 64 if isinstance(kind.dtype, Number) else 0


def place_of(builder: Any, kind: StackSet, item_kind: Any, item: Any) -> tuple[Any, Any]:
    """Whether an item is a bit, and the number of that bit."""
    if isinstance(kind.dtype, Number) and isinstance(item_kind, Number):
        number = _whole(builder, item_kind, item)
        inside = builder.icmp_unsigned("<", number, number.type(BITS))
        return inside, _cut(builder, number)
    if _is_pair(kind.dtype) and _is_pair(item_kind):
        row, column = (
            _whole(builder, part, builder.extract_value(item, i))
            for i, part in enumerate(item_kind)
        )
        inside = builder.and_(
            *(builder.icmp_unsigned("<", number, number.type(SIDE)) for number in (row, column))
        )
        row, column = _cut(builder, row), _cut(builder, column)
        return inside, builder.add(builder.mul(row, WORD(SIDE)), column)
    return cgutils.false_bit, WORD(0)


def _whole(builder: Any, kind: Any, value: Any) -> Any:
    """A number with all its bits."""
    if kind is LONG or isinstance(kind, Either):
        return double(builder, kind, value)
    return low_word(builder, kind, value)


def _cut(builder: Any, number: Any) -> Any:
    return number if number.type == WORD else builder.trunc(number, WORD)


def stack_set(example):
    """`set()` in compiled code, for a set that stays in the function and has items like an example;
    None if what is added tells the type."""
    raise NotImplementedError


@infer_global(stack_set)
class _StackSet(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        (example,) = args
        known = types.undefined if isinstance(example, types.NoneType) else example
        return signature(StackSet(known), example)


def head_of(context: Any, builder: Any, kind: StackSet, value: Any) -> Any:
    """The address of the first word of a set."""
    memory = context.make_helper(builder, kind, value).memory
    return builder.bitcast(memory, WORD.as_pointer())


@lower_builtin(stack_set, types.Any)
def _make(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.return_type
    place = place_for(builder, ir.ArrayType(WORD, FIRST + words_of(kind)))
    place.align = 16
    here = builder.block
    builder.position_after(place)
    head = builder.bitcast(place, WORD.as_pointer())
    for part in (_COUNT, _REST):
        builder.store(WORD(0), builder.gep(head, [WORD(part)]))
    builder.position_at_end(here)
    change_count(builder, head, 1)
    make_empty(context, builder, kind, head)
    made = context.make_helper(builder, kind)
    made.memory = builder.bitcast(place, cgutils.voidptr_t)
    return made._getvalue()


def make_empty(context: Any, builder: Any, kind: StackSet, head: Any) -> None:
    """Let a set be empty."""
    for i in range(words_of(kind)):
        builder.store(WORD(0), builder.gep(head, [WORD(FIRST + i)]))
    _forget_rest(context, builder, kind, head)


def _forget_rest(context: Any, builder: Any, kind: StackSet, head: Any) -> None:
    """Give back the other items of a set."""
    place = builder.gep(head, [WORD(_REST)])
    rest = builder.load(place)
    with builder.if_then(builder.icmp_unsigned("!=", rest, WORD(0)), likely=False):
        context.nrt.decref(builder, kind.plain, _plain_set(context, builder, kind, rest))
        builder.store(WORD(0), place)


def _plain_set(context: Any, builder: Any, kind: StackSet, rest: Any) -> Any:
    """The set on the heap whose address is a word."""
    made = context.make_helper(builder, kind.plain)
    made.meminfo = builder.inttoptr(rest, cgutils.voidptr_t)
    made.parent = context.get_constant_null(types.pyobject)
    return made._getvalue()


def _count(nrt: Any, builder: Any, kind: StackSet, memory: Any, more: bool) -> None:
    """Count a reference to a set, or one less."""
    with builder.if_then(cgutils.is_not_null(builder, memory)):
        head = builder.bitcast(memory, WORD.as_pointer())
        count = change_count(builder, head, 1 if more else -1)
        if not more:
            with builder.if_then(builder.icmp_unsigned("==", count, WORD(0))):
                _forget_rest(nrt._context, builder, kind, head)


COUNTING[StackSet] = _count


@intrinsic
def rest_of(typingctx, items):
    """The set with the other items."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = sig.args[0]
        place = builder.gep(head_of(context, builder, kind, args[0]), [WORD(_REST)])
        missing = builder.icmp_unsigned("==", builder.load(place), WORD(0))
        with builder.if_then(missing, likely=False):
            made = SetInstance.allocate(context, builder, kind.plain)
            builder.store(builder.ptrtoint(made.meminfo, WORD), place)
        found = _plain_set(context, builder, kind, builder.load(place))
        context.nrt.incref(builder, kind.plain, found)
        return found

    return items.plain(items), lower


@intrinsic
def has_rest(typingctx, items):
    """Whether there are other items, or have been some."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        head = head_of(context, builder, sig.args[0], args[0])
        rest = builder.load(builder.gep(head, [WORD(_REST)]))
        return builder.icmp_unsigned("!=", rest, WORD(0))

    return types.boolean(items), lower


def word_and_bit(builder: Any, head: Any, number: Any) -> tuple[Any, Any]:
    """The address of the word with a bit, and a word with only that bit."""
    place = builder.add(builder.lshr(number, WORD(6)), WORD(FIRST))
    bit = builder.shl(WORD(1), builder.and_(number, WORD(63)))
    return builder.gep(head, [place]), bit
