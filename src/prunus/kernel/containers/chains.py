"""Chains of tuples, each of which holds the one before it: every round of type inference would find
a longer type, until Python's stack is full."""

from __future__ import annotations

from typing import Any

from numba.core import errors, types

from prunus.kernel.pipeline.inference import is_ours

_DEEPEST = 16
"""The most tuples inside each other: a chain of pairs, `node = (v, node)`, gets another type with
each of them."""


def _count_depth(cls: Any) -> None:
    plain = cls.__init__

    def made(self: Any, *given: Any, **named: Any) -> None:
        plain(self, *given, **named)
        parts = (self.dtype,) if isinstance(self, types.UniTuple) else self.types
        self.prunus_depth = 1 + max(map(_depth, parts), default=0)
        if self.prunus_depth > _DEEPEST and is_ours():
            raise errors.TypingError(
                "a tuple that holds the one before it, as `node = (v, node)`, cannot grow in "
                "compiled code: keep a list of them, and the place of the one before"
            )

    cls.__init__ = made


def _depth(kind: Any) -> int:
    plain = kind.type if isinstance(kind, types.Optional) else kind
    return int(getattr(plain, "prunus_depth", 0))


for _cls in (types.Tuple, types.UniTuple):
    _count_depth(_cls)
