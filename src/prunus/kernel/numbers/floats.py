"""Floats on their way to an integer (`int(x / 2)`, `score * 0.5 > best`): exactly Python's, or an
error.

A float holds integers of up to 53 bits. Python divides and compares larger ones exactly, and
converts floats to integers of any size; where that would be needed, compiled code raises.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.imputils import lower_cast
from numba.cpython.builtins import round_impl_unary
from numba.extending import lower_builtin

from prunus.kernel.numbers.integers import WORD
from prunus.kernel.reporting.raising import fail_if

DOUBLE = ir.DoubleType()

BITS = 53


@lower_cast(types.int64, types.float64)
def _as_float(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    shifted = builder.add(value, WORD(1 << BITS))
    text = (
        f"an integer of more than {BITS} bits would become a float in compiled code: divide "
        f"integers with //, and scale floats"
    )
    fail_if(
        context, builder, builder.icmp_unsigned(">", shifted, WORD(2 << BITS)), OverflowError, text
    )
    return builder.sitofp(value, DOUBLE)


@lower_cast(types.float64, types.int64)
def _as_integer(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    check_range(context, builder, value)
    return builder.fptosi(value, WORD)


def check_range(context: Any, builder: Any, value: Any) -> None:
    """Raise ValueError for NaN, as Python does; OverflowError for infinities and for floats beyond
    64 bits."""
    fail_if(
        context,
        builder,
        builder.fcmp_unordered("uno", value, value),
        ValueError,
        "cannot convert float NaN to integer",
    )
    inside = builder.and_(
        builder.fcmp_ordered(">=", value, DOUBLE(-(2.0**63))),
        builder.fcmp_ordered("<", value, DOUBLE(2.0**63)),
    )
    fail_if(
        context,
        builder,
        builder.not_(inside),
        OverflowError,
        "a float beyond 64 bits would become an integer in compiled code",
    )


@lower_builtin(round, types.float64)
def _round(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    check_range(context, builder, args[0])
    return round_impl_unary(context, builder, sig, args)
