"""Comparisons and truth values of integers for Numba: exact, whatever the types."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

from prunus.kernel.numbers.integers import SIGNED, WORD, Number, Whole, is_small
from prunus.kernel.numbers.words import double, low_word, truth

SYMBOLS: Final = {
    operator.eq: "==",
    operator.ne: "!=",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
}
"""How LLVM writes the comparisons."""


def lower_sides(name: Any, lower: Callable[..., Any]) -> None:
    """Register how an operator is lowered if at least one side has one of our types."""
    for left, right in ((Whole, Whole), (Whole, types.Any), (types.Any, Whole)):
        lower_builtin(name, left, right)(lower)


def _comparison(name: Any, symbol: str) -> None:
    @infer_global(name)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if (
                len(args) == 2
                and all(isinstance(a, Number) for a in args)
                and any(isinstance(a, Whole) for a in args)
            ):
                return signature(types.boolean, *args)
            return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if any(kind in SIGNED for kind in sig.args):
            return builder.icmp_signed(
                symbol,
                *(double(builder, kind, value) for kind, value in zip(sig.args, args, strict=True)),
            )
        left, right = (
            low_word(builder, kind, value) for kind, value in zip(sig.args, args, strict=True)
        )
        unsigned = builder.icmp_unsigned(symbol, left, right)
        for kind, value, is_right in ((sig.args[0], left, False), (sig.args[1], right, True)):
            if is_small(kind) and not isinstance(kind, types.Boolean):
                # A negative number is below every unsigned one, whatever its bits.
                answer = {
                    "==": False,
                    "!=": True,
                    "<": not is_right,
                    "<=": not is_right,
                    ">": is_right,
                    ">=": is_right,
                }[symbol]
                negative = builder.icmp_signed("<", value, WORD(0))
                return builder.select(negative, ir.IntType(1)(int(answer)), unsigned)
        return unsigned

    lower_sides(name, lower)


for _operator, _symbol in SYMBOLS.items():
    _comparison(_operator, _symbol)


def _truth(name: Any, is_true: bool) -> None:
    @infer_global(name)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return (
                signature(types.boolean, *args)
                if len(args) == 1 and isinstance(args[0], Whole)
                else None
            )

    @lower_builtin(name, Whole)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        holds = truth(builder, sig.args[0], args[0])
        return holds if is_true else builder.not_(holds)


_truth(bool, True)
_truth(operator.truth, True)
_truth(operator.not_, False)
