"""Rules that call themselves too deeply: RecursionError instead of the end of the process.

Python stops at a thousand calls. Compiled calls lie on the stack of their thread, which has room
for more, but not without an end. Before a function of the rules calls itself, compiled code looks
how much is left. Each thread keeps where its stack ends, under a key of the system's library, once
it has asked for it (on Linux; elsewhere nobody looks). No handler catches the error, since Python
may have raised it earlier, or not at all.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any, Final

from llvmlite import binding as llvm
from llvmlite import ir
from numba.core import cgutils

from prunus.kernel.reporting.raising import TOO_DEEP, fail_if

ROOM: Final = 256 << 10
"""Bytes that are left to the functions that are called before the next look; of a small stack, a
quarter."""

MOST: Final = 512 << 20
"""Bytes of a stack that are used, if it has more."""

_LARGEST: Final = 1 << 40
"""No stack has so many bytes. What is further away than this is the end of none."""

_ATTRIBUTES: Final = 128
"""Bytes for the system's description of a thread, or more."""

WORD: Final = ir.IntType(64)
NUMBER: Final = ir.IntType(32)
_BYTES: Final = ir.IntType(8).as_pointer()
_IS_DEEP: Final = "prunus_is_deep"
_KEY: Final = "prunus_stack_key"

_key = ctypes.c_uint()
_looks: Final = sys.platform == "linux" and (
    ctypes.CDLL(None).pthread_key_create(ctypes.byref(_key), None) == 0
)
llvm.add_symbol(_KEY, ctypes.addressof(_key))


def expect_room(context: Any, builder: Any) -> None:
    """Raise RecursionError if the stack has no room for another call."""
    if not _looks:
        return
    module = builder.module
    here = builder.ptrtoint(cgutils.alloca_once(builder, WORD), WORD)
    read = _declared(module, "pthread_getspecific", WORD, [NUMBER])
    left = builder.sub(here, builder.call(read, [builder.load(_key_of(module))]))
    is_doubtful = builder.icmp_unsigned(">=", left, WORD(_LARGEST))
    with builder.if_then(is_doubtful, likely=False):
        is_deep = builder.call(_is_deep(module), [here])
        fail_if(context, builder, is_deep, RecursionError, TOO_DEEP)


def _key_of(module: Any) -> Any:
    """The variable with the key."""
    if _KEY in module.globals:
        return module.globals[_KEY]
    made = ir.GlobalVariable(module, NUMBER, _KEY)
    made.linkage = "external"
    return made


def _is_deep(module: Any) -> Any:
    """The function that finds out where the stack of the thread that calls it ends, lets it keep
    that, and tells whether an address is too near."""
    if _IS_DEEP in module.globals:
        return module.globals[_IS_DEEP]
    function = ir.Function(module, ir.FunctionType(ir.IntType(1), [WORD]), _IS_DEEP)
    function.linkage = "internal"
    function.attributes.add("noinline")
    builder = ir.IRBuilder(function.append_basic_block())
    (here,) = function.args
    least = _least(builder, module)
    keep = _declared(module, "pthread_setspecific", NUMBER, [NUMBER, WORD])
    builder.call(keep, [builder.load(_key_of(module)), least])
    builder.ret(builder.icmp_unsigned("<", here, least))
    return function


def _least(builder: Any, module: Any) -> Any:
    """The lowest address that leaves enough of the stack of the thread that runs: ROOM, or a
    quarter of the stack. 0 if the system does not tell."""
    word = WORD.as_pointer()
    attributes = builder.bitcast(builder.alloca(ir.ArrayType(WORD, _ATTRIBUTES // 8)), _BYTES)
    address, size = builder.alloca(WORD), builder.alloca(WORD)
    for place in (address, size):
        builder.store(WORD(0), place)
    thread = builder.call(_declared(module, "pthread_self", WORD, []), [])
    ask = _declared(module, "pthread_getattr_np", NUMBER, [WORD, _BYTES])
    is_told = builder.icmp_signed("==", builder.call(ask, [thread, attributes]), NUMBER(0))
    with builder.if_then(is_told):
        read = _declared(module, "pthread_attr_getstack", NUMBER, [_BYTES, word, word])
        builder.call(read, [attributes, address, size])
        builder.call(_declared(module, "pthread_attr_destroy", NUMBER, [_BYTES]), [attributes])
    lowest, whole = builder.load(address), builder.load(size)
    # A stack without a limit would take all memory.
    beyond = builder.sub(whole, WORD(MOST))
    is_large = builder.icmp_unsigned(">", whole, WORD(MOST))
    lowest = builder.add(lowest, builder.select(is_large, beyond, WORD(0)))
    quarter = builder.lshr(whole, WORD(2))
    is_small = builder.icmp_unsigned("<", quarter, WORD(ROOM))
    return builder.add(lowest, builder.select(is_small, quarter, WORD(ROOM)))


def _declared(module: Any, name: str, result: Any, given: list[Any]) -> Any:
    """A function of the system's library."""
    if name in module.globals:
        return module.globals[name]
    return ir.Function(module, ir.FunctionType(result, given), name)
