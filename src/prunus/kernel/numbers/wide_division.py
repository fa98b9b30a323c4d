"""Division of unsigned integers of 128 and 256 bits in machine code.

The processor divides at most 64 bits, and the libraries that compilers fall back on are not
available to code made at run time.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils

WORD = ir.IntType(64)
BIT = ir.IntType(1)
DIGIT = 32


def quotient(builder: Any, x: Any, y: Any) -> Any:
    """The quotient x // y for y > 0, both of the same width: digit by digit if y has at most 32
    bits, otherwise bit by bit."""
    kind = x.type
    made = cgutils.alloca_once(builder, kind)
    short = builder.icmp_unsigned("<", y, kind(1 << DIGIT))
    with builder.if_else(short) as (then, otherwise):
        with then:
            builder.store(_by_digit(builder, x, builder.trunc(y, WORD)), made)
        with otherwise:
            builder.store(builder.call(_long_division(builder.module, kind), [x, y]), made)
    return builder.load(made)


def _by_digit(builder: Any, x: Any, y: Any) -> Any:
    """Schoolbook division by one digit, from the highest digit of x down."""
    kind = x.type
    whole, rest = kind(0), WORD(0)
    for start in reversed(range(0, kind.width, DIGIT)):
        digit = builder.and_(
            builder.trunc(builder.lshr(x, kind(start)), WORD), WORD((1 << DIGIT) - 1)
        )
        part = builder.or_(builder.shl(rest, WORD(DIGIT)), digit)
        whole = builder.or_(
            whole, builder.shl(builder.zext(builder.udiv(part, y), kind), kind(start))
        )
        rest = builder.urem(part, y)
    return whole


def _long_division(module: Any, kind: Any) -> Any:
    """The function that divides bit by bit, shared by all calls in a module. The divisor starts
    below the highest bit of the dividend, is subtracted if it fits, and moves down one place at a
    time."""
    name = f"prunus.divide.{kind.width}"
    function = cgutils.get_or_insert_function(module, ir.FunctionType(kind, [kind, kind]), name)
    if not function.is_declaration:
        return function
    function.linkage = "linkonce_odr"
    x, y = function.args
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    loop, done = function.append_basic_block("loop"), function.append_basic_block("done")
    places = builder.sub(builder.ctlz(y, BIT(0)), builder.ctlz(x, BIT(0)))
    fits = builder.icmp_unsigned(">=", x, y)
    # If x < y, the number of places may be negative; such a shift is not used.
    first = builder.shl(y, builder.select(fits, places, kind(0)))
    entry = builder.block
    builder.cbranch(fits, loop, done)
    builder.position_at_end(loop)
    rest, divisor, whole, left = (builder.phi(kind) for _ in range(4))
    goes_in = builder.icmp_unsigned(">=", rest, divisor)
    less = builder.select(goes_in, builder.sub(rest, divisor), rest)
    more = builder.or_(builder.shl(whole, kind(1)), builder.zext(goes_in, kind))
    half, fewer = builder.lshr(divisor, kind(1)), builder.sub(left, kind(1))
    for phi, start, step in (
        (rest, x, less),
        (divisor, first, half),
        (whole, kind(0), more),
        (left, places, fewer),
    ):
        phi.add_incoming(start, entry)
        phi.add_incoming(step, loop)
    builder.cbranch(builder.icmp_unsigned("==", left, kind(0)), done, loop)
    builder.position_at_end(done)
    result = builder.phi(kind)
    result.add_incoming(kind(0), entry)
    result.add_incoming(more, loop)
    builder.ret(result)
    return function
