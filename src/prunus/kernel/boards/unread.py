"""Structures that are made only to be taken apart again: a State that a function takes or gives is
a value with all its fields, of which the next instruction reads one. Where there is a board among
them, every such structure would make LLVM read the board and divide it into vectors.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from prunus.kernel.boards.homes import holds_packed, is_aligned, part_made, part_of

_PURE = (ir.LoadInstr, ir.ExtractValue, ir.InsertValue)


def drop_unread(function: Any) -> None:
    """Let every field be read from where it comes, and remove the structures that nothing reads any
    more."""
    if any(
        isinstance(each, _PURE) and holds_packed(each.type)
        for block in function.blocks
        for each in block.instructions
    ):
        _read_directly(function)
        _remove_unread(function)


def _read_directly(function: Any) -> None:
    builder, direct = ir.IRBuilder(), {}
    for block in function.blocks:
        for each in list(block.instructions):
            if isinstance(each, ir.ExtractValue) and not holds_packed(each.type):
                source, path = part_made(each)
                if not path:
                    direct[id(each)] = source
                elif isinstance(source, ir.LoadInstr) and holds_packed(source.type):
                    builder.position_after(source)
                    pointer = part_of(builder, source.operands[0], path)
                    natural = source.align is None and is_aligned(source.type, path)
                    direct[id(each)] = builder.load(pointer, align=None if natural else 1)
    for block in function.blocks:
        for each in block.instructions:
            for value in _operands(each):
                if id(value) in direct:
                    _replace(each, value, _final(value, direct))


def _replace(instruction: Any, old: Any, new: Any) -> None:
    """Let an instruction read another value. Some of llvmlite's hold their operands twice."""
    instruction.replace_usage(old, new)
    if isinstance(instruction, ir.ExtractValue):
        (instruction.aggregate,) = instruction.operands
    elif isinstance(instruction, ir.InsertValue):
        instruction.aggregate, instruction.value = instruction.operands
    elif isinstance(instruction, ir.GEPInstr):
        instruction.pointer, *instruction.indices = instruction.operands


def _final(value: Any, direct: dict[int, Any]) -> Any:
    while id(value) in direct:
        value = direct[id(value)]
    return value


def _remove_unread(function: Any) -> None:
    found = [each for block in function.blocks for each in block.instructions]
    readers: dict[int, int] = {}
    for each in found:
        for operand in _operands(each):
            readers[id(operand)] = readers.get(id(operand), 0) + 1
    unread = [each for each in found if isinstance(each, _PURE) and id(each) not in readers]
    dropped = set()
    while unread:
        each = unread.pop()
        dropped.add(id(each))
        for operand in _operands(each):
            readers[id(operand)] -= 1
            if readers[id(operand)] == 0 and isinstance(operand, _PURE):
                unread.append(operand)
    for block in function.blocks:
        block.instructions[:] = [each for each in block.instructions if id(each) not in dropped]


def _operands(instruction: Any) -> list[Any]:
    """What an instruction reads."""
    if isinstance(instruction, ir.PhiInstr):
        return [value for value, _ in instruction.incomings]
    return list(instruction.operands)
