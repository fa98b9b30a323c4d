"""Slices and products of lists whose numbers would leave a word: Numba's own then read and write
beyond the list."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.cpython import slicing
from numba.cpython.listobj import ListInstance, list_mul, list_mul_inplace

from prunus.kernel.containers.hashes import original, replace
from prunus.kernel.numbers.integers import WORD
from prunus.kernel.reporting.raising import fail_if

_MOST_ITEMS = 1 << 48
_TOO_LONG = "a list of more than 2**48 items is made in compiled code"


def _at_least_one(builder: Any, size: Any) -> Any:
    return builder.select(builder.icmp_signed(">", size, WORD(1)), size, WORD(1))


def _fix_slice(self: Any, place: Any) -> None:
    """Numba's loops over a slice add the step to a place. A step that is longer than the list gets
    the same item as one of the list's length."""
    builder, size = self._builder, self.size
    slicing.fix_slice(builder, place, size)
    most = _at_least_one(builder, size)
    for sign, limit in (("<", most), (">", builder.neg(most))):
        is_inside = builder.icmp_signed(sign, place.step, limit)
        place.step = builder.select(is_inside, place.step, limit)


def _check_length(function: Any) -> None:
    """Let one of Numba's products of a list and a number raise OverflowError where the length of
    the result would leave a word."""
    plain = original(function)

    def multiplied(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = 0 if isinstance(sig.args[0], types.List) else 1
        size = ListInstance(context, builder, sig.args[place], args[place]).size
        times = context.cast(builder, args[1 - place], sig.args[1 - place], types.int64)
        most = builder.sdiv(WORD(_MOST_ITEMS), _at_least_one(builder, size))
        is_long = builder.icmp_signed(">", times, most)
        fail_if(context, builder, is_long, OverflowError, _TOO_LONG)
        return plain(context, builder, sig, args)

    replace(function, multiplied)


_check_length(list_mul)
_check_length(list_mul_inplace)
ListInstance.fix_slice = _fix_slice
