"""`list(reversed(items))` and `tuple(reversed(items))`, which need no iterator."""

from __future__ import annotations

from numba.core import types
from numba.extending import overload


def backwards(items):
    """`reversed(items)` in compiled code, if it is at once made a list or a tuple."""
    raise NotImplementedError


@overload(backwards)
def _backwards(items):
    if isinstance(items, types.List):
        return lambda items: items[::-1]
    return None if items.mutable else lambda items: reversed(items)  # noqa: PLW0108
