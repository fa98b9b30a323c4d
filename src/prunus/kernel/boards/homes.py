"""Where long tuples lie: a packed tuple is a value like any other, and its items are read from
memory. Here a value finds its home, the storage that holds it, and goes from one place to another.

Copies are written as copies of memory, never as vectors that are loaded and stored: LLVM then sees
that a place only repeats another, and does without. Vectors that are loaded over items that have
just been stored one by one would moreover stall the processor.
"""

from __future__ import annotations

import re
from typing import Any

from llvmlite import ir

PREFIX = "$prunus_argument_"
"""The prefix of the names of variables that are assigned once and hold an argument or a field of
one."""

NUMBER = ir.IntType(32)


def at_home(builder: Any, pointer: Any) -> Any:
    """The packed tuple at an address where it does not change as long as the function runs."""
    value = builder.load(pointer)
    _homes(value)[()] = pointer
    return value


def keep_home(value: Any) -> None:
    """Note that what was loaded stays where it was loaded from until it is loaded again."""
    value.prunus_stays = True


def _homes(value: Any) -> dict[tuple[int, ...], Any]:
    """The homes of the packed tuples in what an instruction makes, by their paths."""
    found: dict[tuple[int, ...], Any] = value.__dict__.setdefault("prunus_homes", {})
    return found


def place_for(builder: Any, kind: Any) -> Any:
    """Uninitialised storage on the stack."""
    here = builder.block
    builder.position_at_start(builder.function.entry_basic_block)
    place = builder.alloca(kind)
    _go_back(builder, here)
    return place


def lasting_place(builder: Any, kind: Any) -> Any:
    """Uninitialised storage on the stack for a packed tuple that is changed item by item. It stays
    as it is until it is asked for again or the function returns, also the one that this function
    becomes a part of: so what is made here can be passed on from where it lies."""
    # LLVM ends the life of storage with the function that it belonged to, unless it is told when it
    # begins. It forgets that when it lets two places of one size share their storage.
    place = place_for(builder, ir.ArrayType(kind.element, kind.count + 1))
    byte = ir.IntType(8).as_pointer()
    name = "llvm.lifetime.start.p0"
    begin = builder.module.globals.get(name) or ir.Function(
        builder.module, ir.FunctionType(ir.VoidType(), [byte]), name
    )
    # LLVM wants the storage itself, not a cast of its address.
    builder.call(begin, [ir.values.FormattedConstant(byte, place.get_reference())])
    return builder.bitcast(place, kind.as_pointer())


def _go_back(builder: Any, block: Any) -> None:
    """Position the builder at the end of the block, before its terminator."""
    if block.is_terminated:
        builder.position_before(block.terminator)
    else:
        builder.position_at_end(block)


def home_of(builder: Any, value: Any) -> Any:
    """The address of storage that holds the value of a packed tuple until the end of the statement
    being compiled."""
    source, path = _origin(value)
    known = _known_home(builder, source, path, is_aligned(source.type, path))
    if known is not None:
        return known
    home = place_for(builder, value.type)
    if isinstance(source, ir.LoadInstr):
        here = builder.block
        builder.position_after(source)
        copy_whole(builder, home, part_of(builder, source.operands[0], path), value.type)
        _go_back(builder, here)
        _homes(source)[path] = home
    else:
        value = value if path else source
        _store_where_made(builder, value, home)
        if not isinstance(value, ir.Constant):
            _homes(value)[()] = home
    return home


def _known_home(builder: Any, source: Any, path: tuple[int, ...], may_stay: bool = True) -> Any:
    """The address where a part of what an instruction makes lies already, or where it was loaded
    from if it may stay there; None if it lies nowhere."""
    found = getattr(source, "prunus_homes", {}).get(path)
    if found is not None or not may_stay or not isinstance(source, ir.LoadInstr):
        return found
    unchanged = hasattr(source, "prunus_stays") or _is_unchanged(builder.block, source)
    return part_of(builder, source.operands[0], path) if unchanged else None


def part_of(builder: Any, pointer: Any, path: tuple[int, ...]) -> Any:
    """The address of a part of the structure at an address."""
    return builder.gep(pointer, [NUMBER(0), *map(NUMBER, path)], inbounds=True) if path else pointer


def passed_home(builder: Any, value: Any) -> Any:
    """The address of storage that holds the value and nothing else, for the function that is called
    now. LLVM lets a call read from where such storage was copied, but only if it is all of it."""
    home = home_of(builder, value)
    if isinstance(home, ir.GEPInstr):
        own = place_for(builder, value.type)
        copy_whole(builder, own, home, value.type)
        return own
    return home


def store_whole(builder: Any, value: Any, pointer: Any, align: int | None = None) -> None:
    """Store a value at an address, of its type's own alignment if `align` does not say another. The
    packed tuples in it are copied from where they lie."""
    if is_packed(value.type):
        home = _known_home(builder, *_origin(value))
        if home is None:
            builder.store(value, pointer, align=align)
        else:
            copy_whole(builder, pointer, home, value.type)
    elif holds_packed(value.type):
        inner = 1 if getattr(value.type, "packed", False) else align
        for i in range(len(value.type.elements)):
            part, place = builder.extract_value(value, i), part_of(builder, pointer, (i,))
            store_whole(builder, part, place, inner)
    else:
        builder.store(value, pointer, align=align)


def holds_packed(kind: Any) -> bool:
    """Whether a type is that of a packed tuple or of a structure with one in it."""
    return is_packed(kind) or any(map(holds_packed, getattr(kind, "elements", ())))


def is_packed(kind: Any) -> bool:
    """Whether a type of LLVM is that of packed tuples."""
    return isinstance(kind, ir.ArrayType) and isinstance(kind.element, ir.VectorType)


def copy_whole(builder: Any, target: Any, source: Any, kind: Any) -> None:
    """Copy a packed tuple, padding included, from one address to another. Either may be a part of
    memory that others allocate, and is then not aligned."""
    lane = kind.element.element.width // 8
    copy_bytes(builder, target, source, kind.count * kind.element.count * lane)


def copy_bytes(builder: Any, target: Any, source: Any, count: int) -> None:
    """Copy `count` bytes."""
    byte, word = ir.IntType(8).as_pointer(), ir.IntType(64)
    kind = ir.FunctionType(ir.VoidType(), [byte, byte, word, ir.IntType(1)])
    name = "llvm.memcpy.p0.p0.i64"
    function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    builder.call(
        function,
        [
            builder.bitcast(target, byte),
            builder.bitcast(source, byte),
            word(count),
            ir.IntType(1)(0),
        ],
    )


def is_aligned(whole: Any, path: tuple[int, ...]) -> bool:
    """Whether a part of a structure lies where vectors may lie."""
    for index in path:
        if getattr(whole, "packed", False):
            return False
        whole = whole.elements[index] if hasattr(whole, "elements") else whole.element
    return True


def part_made(value: Any, path: tuple[int, ...] = ()) -> tuple[Any, tuple[int, ...]]:
    """What a part of a structure was before it was put into one, and which part of that it is."""
    while True:
        if isinstance(value, ir.ExtractValue):
            value, path = value.aggregate, (*value.indices, *path)
        elif isinstance(value, ir.InsertValue) and path:
            places = tuple(value.indices)
            if path[: len(places)] == places:
                value, path = value.value, path[len(places) :]
            elif places[: len(path)] == path:
                return value, path
            else:
                value = value.aggregate
        else:
            return value, path


def _origin(value: Any) -> tuple[Any, tuple[int, ...]]:
    """The instruction that a part of a structure comes from, and which part of the instruction's
    result it is."""
    path: tuple[int, ...] = ()
    while True:
        value, path = part_made(value, path)
        whole = _just_stored(value)
        if whole is not None:
            value, path = whole[0], (*whole[1], *path)
            continue
        argument = _held_argument(value)
        if argument is None:
            return value, path
        value = argument


def _just_stored(value: Any) -> tuple[Any, list[int]] | None:
    """The structure that was stored on the stack immediately before, and which part of it was
    loaded; None for any other value. This is how iterators pass on those they wrap, such as
    `enumerate`'s."""
    part = value.operands[0] if isinstance(value, ir.LoadInstr) else None
    place = part.operands[0] if isinstance(part, ir.GEPInstr) else None
    path = (
        [getattr(index, "constant", -1) for index in part.operands[1:]]
        if isinstance(part, ir.GEPInstr)
        else []
    )
    if not isinstance(place, ir.AllocaInstr) or path[:1] != [0] or -1 in path:
        return None
    body = value.parent.instructions
    for instruction in reversed(body[: body.index(value)]):
        if isinstance(instruction, ir.StoreInstr) and instruction.operands[1] is place:
            return instruction.operands[0], path[1:]
        if _may_change(instruction, place):
            return None
    return None


def _held_argument(value: Any) -> Any:
    """The content of the variable that was loaded, if it holds an argument."""
    place = value.operands[0] if isinstance(value, ir.LoadInstr) else None
    if not isinstance(place, ir.AllocaInstr) or not place.name.startswith(PREFIX):
        return None
    # The variable's storage is cleared before and after.
    stored = [
        instruction.operands[0]
        for block in place.function.blocks
        for instruction in block.instructions
        if isinstance(instruction, ir.StoreInstr)
        and instruction.operands[1] is place
        and not isinstance(instruction.operands[0], ir.Constant)
    ]
    return stored[0] if len(stored) == 1 else None


_OF_THE_RULES = re.compile(r"B\d+(\.\d+)?$")
"""The names of blocks that begin a statement of the rules; the blocks between them are parts of one
statement."""


def _is_unchanged(block: Any, load: Any) -> bool:
    """Whether the loaded value certainly still lies where it was loaded from. The path back to the
    load must be a straight line."""
    place = _base(load.operands[0])
    while True:
        body = block.instructions
        begin = body.index(load) + 1 if block is load.parent else 0
        if any(_may_change(instruction, place) for instruction in body[begin:]):
            return False
        if block is load.parent:
            return isinstance(place, ir.AllocaInstr)
        before = [
            other
            for other in block.function.blocks
            if other.terminator is not None and block in other.terminator.operands
        ]
        if len(before) != 1 or _OF_THE_RULES.match(block.name):
            return False
        block = before[0]


def _base(pointer: Any) -> Any:
    while isinstance(pointer, ir.GEPInstr | ir.CastInstr):
        pointer = pointer.operands[0]
    return pointer


def _may_change(instruction: Any, place: Any) -> bool:
    if isinstance(instruction, ir.StoreInstr):
        return _base(instruction.operands[1]) is place
    return isinstance(instruction, ir.CallInstr) and any(
        _base(operand) is place for operand in instruction.operands
    )


def _store_where_made(builder: Any, value: Any, home: Any) -> None:
    """Store a value in its home directly after the instruction that makes it, so that every use
    finds it there."""
    here = builder.block
    if isinstance(value, ir.Instruction):
        joins = [other for other in value.parent.instructions if isinstance(other, ir.PhiInstr)]
        builder.position_after(joins[-1] if isinstance(value, ir.PhiInstr) else value)
    else:
        builder.position_after(home)
    builder.store(value, home)
    _go_back(builder, here)
