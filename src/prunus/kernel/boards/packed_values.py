"""Items of packed tuples, and packed tuples as a whole, in LLVM."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils

from prunus.kernel.boards.homes import NUMBER, copy_bytes, home_of, place_for
from prunus.kernel.boards.packed import Packed
from prunus.kernel.numbers.integers import WORD


def item_pointer(builder: Any, kind: Packed, home: Any, index: Any) -> Any:
    """The address of an item of the tuple at the address `home`."""
    return builder.gep(builder.bitcast(home, kind.item.as_pointer()), [index], inbounds=True)


def widened(builder: Any, kind: Packed, item: Any) -> Any:
    """An item as the number that rules compute with."""
    if kind.scalar is bool:
        holds = builder.icmp_unsigned("!=", item, item.type(0))
        return builder.zext(holds, WORD) if kind.mixed else holds
    return item if kind.width == 64 else (builder.sext if kind.signed else builder.zext)(item, WORD)


def narrowed(builder: Any, kind: Packed, value: Any) -> Any:
    """A number in the kind's range, given as a word, in its stored form."""
    return value if kind.width == 64 else builder.trunc(value, kind.item)


def zero(kind: Packed) -> Any:
    """The tuple of zeros."""
    return ir.Constant(ir.ArrayType(kind.vector, kind.chunks), None)


def new_home(builder: Any, kind: Packed) -> Any:
    """The address of zeroed storage for the items of a new tuple."""
    home = place_for(builder, ir.ArrayType(kind.vector, kind.chunks))
    builder.store(zero(kind), home)
    return home


def read_item(builder: Any, kind: Packed, items: Any, index: Any) -> Any:
    """The item at an index known to be in range."""
    if isinstance(index, ir.Constant):
        chunk = builder.extract_value(items, index.constant // kind.lanes)
        return widened(
            builder, kind, builder.extract_element(chunk, NUMBER(index.constant % kind.lanes))
        )
    return widened(
        builder, kind, builder.load(item_pointer(builder, kind, home_of(builder, items), index))
    )


def changed_item(builder: Any, kind: Packed, items: Any, index: Any, item: Any) -> Any:
    """The tuple with another item, given in its stored form, at an index known to be in range.

    Every vector is blended with the item under a mask, which is read from a table of zeros with
    ones in its middle: writing a single item to memory and reading whole vectors back at once would
    stall the processor.
    """
    table = builder.bitcast(_masks(builder.module, kind), kind.item.as_pointer())
    start = builder.sub(WORD(kind.chunks * kind.lanes), index)
    single = builder.insert_element(ir.Constant(kind.vector, ir.Undefined), item, NUMBER(0))
    spread = builder.shuffle_vector(
        single,
        ir.Constant(kind.vector, ir.Undefined),
        ir.Constant(ir.VectorType(NUMBER, kind.lanes), None),
    )
    for chunk in range(kind.chunks):
        place = builder.gep(table, [builder.add(start, WORD(chunk * kind.lanes))], inbounds=True)
        mask = builder.load(builder.bitcast(place, kind.vector.as_pointer()), align=kind.width // 8)
        kept = builder.and_(builder.extract_value(items, chunk), builder.not_(mask))
        items = builder.insert_value(items, builder.or_(kept, builder.and_(spread, mask)), chunk)
    return items


def _masks(module: Any, kind: Packed) -> Any:
    size = kind.chunks * kind.lanes
    name = f"prunus.masks.{kind.width}.{size}"
    known = module.globals.get(name)
    if known is None:
        values = ir.Constant(
            ir.ArrayType(kind.item, 2 * size + 1),
            [-1 if i == size else 0 for i in range(2 * size + 1)],
        )
        known = ir.GlobalVariable(module, values.type, name)
        known.linkage, known.global_constant, known.initializer, known.align = (
            "private",
            True,
            values,
            32,
        )
    return known


def same(builder: Any, kind: Packed, left: Any, right: Any) -> Any:
    """Whether two tuples of a kind are equal: the padding behind the items is zero in both."""
    different = None
    for chunk in range(kind.chunks):
        change = builder.xor(
            builder.extract_value(left, chunk), builder.extract_value(right, chunk)
        )
        different = change if different is None else builder.or_(different, change)
    whole = ir.IntType(kind.width * kind.lanes)
    return builder.icmp_unsigned("==", builder.bitcast(different, whole), whole(0))


def loop(builder: Any, count: int) -> Any:
    """A loop over `count` indices: code emitted inside the `with` statement finds the index in its
    target."""
    return cgutils.for_range(builder, WORD(count), intp=WORD)


def load_packed(builder: Any, kind: Packed, address: Any) -> Any:
    """The tuple whose items lie side by side in memory, starting at an address (a pointer)."""
    home = new_home(builder, kind)
    copy_bytes(builder, home, address, kind.count * kind.width // 8)
    return builder.load(home)


def store_packed(builder: Any, kind: Packed, items: Any, address: Any) -> None:
    """Write the items side by side, starting at an address."""
    copy_bytes(builder, address, home_of(builder, items), kind.count * kind.width // 8)


def lanes_where(builder: Any, kind: Packed, items: Any, test: Callable[[Any], Any]) -> list[Any]:
    """For each of a packed tuple's vectors an integer with a bit for each item, which tells whether
    the item passes a test: `test` makes a vector of bits from a vector."""
    bits, found = ir.IntType(kind.lanes), []
    for chunk in range(kind.chunks):
        passed = builder.bitcast(test(builder.extract_value(items, chunk)), bits)
        used = min(kind.lanes, kind.count - chunk * kind.lanes)
        found.append(builder.and_(passed, bits((1 << used) - 1)))
    return found
