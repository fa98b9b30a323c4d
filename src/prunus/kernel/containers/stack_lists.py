"""Lists of any length that never leave the function that makes them: `line = []`,
`line.append(cell)`. `short_lists.py` finds them.

They are lists as Numba has them, but lie on the stack of that function until they get long, so that
making one takes no memory from the heap. Their references are counted without atomic operations;
when none is left, the memory that a long list has taken is given back. If a list is made
repeatedly in a loop, each takes the place of the one before, to which no reference is left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.datamodel.models import ListModel
from numba.core.runtime.context import NRTContext
from numba.core.types.containers import List
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.cpython.listobj import ListInstance, get_itemsize
from numba.extending import lower_builtin, register_model

from prunus.kernel.boards.homes import place_for
from prunus.kernel.numbers.integers import WORD
from prunus.kernel.pipeline.sparing import is_counted

SPACE = 256
"""The bytes for the items of a short list."""

MARK = "#0"
"""What distinguishes the names of such types; the name of a type holds those of its parts."""

_HEAD = 6
"""The words before a list's content, laid out like Numba's for memory on the heap."""

_COUNT, _CONTENT = 0, 3
"""The words with the number of references and with the address of the content."""


class StackList(List):
    """The type of such a list."""

    def __init__(self, dtype: Any) -> None:
        super().__init__(dtype)
        self.name = f"list({self.dtype}){MARK}"

    def copy(self, dtype: Any = None, reflected: Any = None) -> Any:
        """The same type with items of another type."""
        return StackList(dtype or self.dtype)

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The common type of two branches; None for another kind of list."""
        if not isinstance(other, StackList):
            return None
        dtype = typingctx.unify_pairs(self.dtype, other.dtype)
        return None if dtype is None else StackList(dtype)

    def __unliteral__(self) -> Any:
        return self


register_model(StackList)(ListModel)


def stack_list():
    """`[]` in compiled code, for a list that stays in the function."""
    raise NotImplementedError


@infer_global(stack_list)
class _StackList(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return None if args or kws else signature(StackList(types.undefined))


def _is_on_stack(context: Any, kind: Any) -> bool:
    """Whether a list of this type begins on the stack: its items are small and hold no memory."""
    if not isinstance(kind, StackList):
        return type(kind) in COUNTING
    if is_counted(context, kind.dtype):
        return False
    return bool(4 * get_itemsize(context, kind) <= SPACE)


def _head_size(context: Any, kind: StackList) -> int:
    """The bytes of a list's content before its items."""
    content = context.get_data_type(types.ListPayload(kind))
    return int(context.get_abi_sizeof(content) - get_itemsize(context, kind))


def _room(context: Any, kind: StackList) -> Any:
    """The number of items of a short list."""
    return WORD(SPACE // get_itemsize(context, kind))


@lower_builtin(stack_list)
def _make(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return empty_list(context, builder, sig.return_type)


def empty_list(context: Any, builder: Any, kind: StackList) -> Any:
    """A new list of this type."""
    if not _is_on_stack(context, kind):
        return context.build_list(builder, kind, [])
    words = _HEAD + -(-(_head_size(context, kind) + SPACE) // 8)
    place = place_for(builder, ir.ArrayType(WORD, words))
    place.align = 16
    made = ListInstance(context, builder, kind, None)
    made._list.meminfo = builder.bitcast(place, cgutils.voidptr_t)
    made._list.parent = context.get_constant_null(types.pyobject)
    here = builder.block
    builder.position_after(place)
    first = builder.bitcast(place, WORD.as_pointer())
    builder.store(WORD(0), first)
    _settle(context, builder, kind, first)
    builder.position_at_end(here)
    change_count(builder, first, 1)
    made.size = WORD(0)
    return made.value


def _settle(context: Any, builder: Any, kind: StackList, head: Any) -> None:
    """Let the content of a list, whose first word has this address, lie on the stack."""
    content = builder.gep(head, [WORD(_HEAD)])
    builder.store(builder.ptrtoint(content, WORD), builder.gep(head, [WORD(_CONTENT)]))
    payload = types.ListPayload(kind)
    typed = builder.bitcast(content, context.get_data_type(payload).as_pointer())
    list_content = context.make_data_helper(builder, payload, ref=typed)
    list_content.allocated, list_content.dirty = _room(context, kind), cgutils.false_bit


def change_count(builder: Any, head: Any, change: int) -> Any:
    """Change the number of references that is the first word of something on the stack; the new
    number."""
    place = builder.gep(head, [WORD(_COUNT)])
    count = builder.add(builder.load(place), WORD(change))
    builder.store(count, place)
    return count


def _lies_elsewhere(builder: Any, head: Any, content: Any) -> Any:
    """Whether a list has taken memory for its content."""
    own = builder.ptrtoint(builder.gep(head, [WORD(_HEAD)]), WORD)
    return builder.icmp_unsigned("!=", content, own)


_plain_resize = ListInstance.resize


def _resize(self: Any, new_size: Any) -> None:
    context, builder, kind = self._context, self._builder, self._ty
    if not _is_on_stack(context, kind):
        _plain_resize(self, new_size)
        return
    too_small = builder.icmp_signed("<", self._payload.allocated, new_size)
    with builder.if_then(too_small, likely=False):
        _move(context, builder, self, builder.shl(new_size, WORD(1)))
    self._payload.size = new_size


def _move(context: Any, builder: Any, instance: Any, room: Any) -> None:
    """Take memory for a list of `room` items, give back what it had, and move its content."""
    kind, head_size = instance._ty, WORD(_head_size(context, instance._ty))
    item_size = WORD(get_itemsize(context, kind))
    head = builder.bitcast(instance.meminfo, WORD.as_pointer())
    place = builder.gep(head, [WORD(_CONTENT)])
    old = builder.load(place)
    new = context.nrt.allocate_unchecked(
        builder, builder.add(head_size, builder.mul(room, item_size))
    )
    cgutils.guard_memory_error(context, builder, new, "cannot resize list")
    used = builder.add(head_size, builder.mul(instance.size, item_size))
    source = builder.inttoptr(old, cgutils.voidptr_t)
    cgutils.raw_memcpy(builder, new, source, used, 1)
    with builder.if_then(_lies_elsewhere(builder, head, old)):
        context.nrt.free(builder, source)
    builder.store(builder.ptrtoint(new, WORD), place)
    instance._payload.allocated = room


ListInstance.resize = _resize


_plain_allocate = ListInstance.allocate_ex.__func__


def _allocate(cls: Any, context: Any, builder: Any, kind: Any, count: Any) -> Any:
    """Nothing but `stack_list` makes such a list: an operation that gives a new list of the type of
    an old one is refused, should the search for such lists have overlooked it."""
    if _is_on_stack(context, kind):
        raise errors.TypingError("this use of a list cannot be compiled: write `list(...)` of it")
    return _plain_allocate(cls, context, builder, kind, count)


ListInstance.allocate_ex = classmethod(_allocate)


_plain_count = NRTContext._call_incref_decref


def _count_references(self: Any, builder: Any, kind: Any, value: Any, name: str) -> None:
    if MARK not in kind.name:
        _plain_count(self, builder, kind, value, name)
        return
    for part, memory in self.get_meminfos(builder, kind, value):
        owner = getattr(getattr(part, "dtype", None), "container", None)
        count = COUNTING.get(type(owner))
        if count is not None and _is_on_stack(self._context, owner):
            count(self, builder, owner, memory, name == "NRT_incref")
        else:
            _plain_count(self, builder, part, memory, name)


def _count(nrt: Any, builder: Any, kind: StackList, memory: Any, more: bool) -> None:
    """Count a reference to a list, or one less."""
    with builder.if_then(cgutils.is_not_null(builder, memory)):
        head = builder.bitcast(memory, WORD.as_pointer())
        count = change_count(builder, head, 1 if more else -1)
        if more:
            return
        content = builder.load(builder.gep(head, [WORD(_CONTENT)]))
        is_over = builder.icmp_unsigned("==", count, WORD(0))
        has_more = builder.and_(is_over, _lies_elsewhere(builder, head, content))
        with builder.if_then(has_more, likely=False):
            nrt.free(builder, builder.inttoptr(content, cgutils.voidptr_t))
            _settle(nrt._context, builder, kind, head)


COUNTING: dict[type, Callable[..., None]] = {StackList: _count}
"""How the references to values on the stack are counted, by the classes of their types."""

NRTContext._call_incref_decref = _count_references

__all__ = ["StackList", "stack_list"]
