"""Rules that call themselves too deeply: RecursionError instead of the end of the process.

Python stops at a thousand calls. Compiled calls lie on the stack of their thread, which has room
for more, but not without an end. Before a function of the rules calls itself, compiled code looks
whether it is in a block of memory that is known to be far enough from the end of a stack. If not,
it asks the system where the stack of its thread ends (on Linux; elsewhere nobody looks). No handler
catches the error, since Python may have raised it earlier, or not at all.
"""

from __future__ import annotations

import sys
from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils

from prunus.kernel.reporting.raising import TOO_DEEP, fail_if

ROOM: Final = 256 << 10
"""Bytes that are left to the functions that are called before the next question."""

SHIFT: Final = 17
BLOCKS: Final = 256
"""A block is an address without its last bits; so many are known."""

_ATTRIBUTES: Final = 128
"""Bytes for the system's description of a thread, or more."""

WORD: Final = ir.IntType(64)
_BYTES: Final = ir.IntType(8).as_pointer()
_IS_DEEP: Final = "prunus_is_deep"


def expect_room(context: Any, builder: Any) -> None:
    """Raise RecursionError if the stack has no room for another call."""
    if sys.platform != "linux":
        return
    module = builder.module
    here = builder.ptrtoint(cgutils.alloca_once(builder, WORD), WORD)
    block = builder.lshr(here, WORD(SHIFT))
    place = builder.gep(_safe(module), [WORD(0), builder.and_(block, WORD(BLOCKS - 1))])
    is_new = builder.icmp_unsigned("!=", builder.load(place), block)
    with builder.if_then(is_new, likely=False):
        is_deep = builder.call(_is_deep(module), [here])
        fail_if(context, builder, is_deep, RecursionError, TOO_DEEP)


def _safe(module: Any) -> Any:
    """The table of blocks of stacks that are far enough from the end, each at the place that its
    number ends with."""
    name = f"{_IS_DEEP}_safe"
    if name not in module.globals:
        table = ir.ArrayType(WORD, BLOCKS)
        made = ir.GlobalVariable(module, table, name)
        made.linkage, made.initializer = "internal", ir.Constant(table, None)
    return module.globals[name]


def _is_deep(module: Any) -> Any:
    """The function that tells whether the stack of the thread that calls it is nearly full at an
    address. Otherwise, if all of the block is far enough from the end, it puts the block into the
    table. (That is writing one word, so threads do not disturb each other.)"""
    if _IS_DEEP in module.globals:
        return module.globals[_IS_DEEP]
    function = ir.Function(module, ir.FunctionType(ir.IntType(1), [WORD]), _IS_DEEP)
    function.linkage = "internal"
    function.attributes.add("noinline")
    builder = ir.IRBuilder(function.append_basic_block())
    (here,) = function.args
    least = builder.add(_end_of_stack(builder, module), WORD(ROOM))
    block = builder.lshr(here, WORD(SHIFT))
    is_whole = builder.icmp_unsigned(">=", builder.shl(block, WORD(SHIFT)), least)
    with builder.if_then(is_whole):
        place = builder.and_(block, WORD(BLOCKS - 1))
        builder.store(block, builder.gep(_safe(module), [WORD(0), place]))
    builder.ret(builder.not_(is_whole))
    return function


def _end_of_stack(builder: Any, module: Any) -> Any:
    """The lowest address of the stack of the thread that runs; 0 if the system does not tell."""
    number, word = ir.IntType(32), WORD.as_pointer()
    attributes = builder.bitcast(builder.alloca(ir.ArrayType(WORD, _ATTRIBUTES // 8)), _BYTES)
    address, size = builder.alloca(WORD), builder.alloca(WORD)
    builder.store(WORD(0), address)
    thread = builder.call(_declared(module, "pthread_self", WORD, []), [])
    ask = _declared(module, "pthread_getattr_np", number, [WORD, _BYTES])
    is_told = builder.icmp_signed("==", builder.call(ask, [thread, attributes]), number(0))
    with builder.if_then(is_told):
        read = _declared(module, "pthread_attr_getstack", number, [_BYTES, word, word])
        builder.call(read, [attributes, address, size])
        builder.call(_declared(module, "pthread_attr_destroy", number, [_BYTES]), [attributes])
    return builder.load(address)


def _declared(module: Any, name: str, result: Any, given: list[Any]) -> Any:
    """A function of the system's library."""
    if name in module.globals:
        return module.globals[name]
    return ir.Function(module, ir.FunctionType(result, given), name)
