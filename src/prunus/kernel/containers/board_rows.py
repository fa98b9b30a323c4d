"""Rows of a board, for Numba: row `i` of a tuple of rows is read where the rows lie, one behind the
other, instead of being chosen among all of them."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.cpython import tupleobj

from prunus.kernel.boards.homes import home_of
from prunus.kernel.boards.packed import Packed
from prunus.kernel.boards.texts import Text
from prunus.kernel.containers.hashes import original, replace
from prunus.kernel.containers.local_lists import place_within
from prunus.kernel.numbers.integers import WORD, Number
from prunus.kernel.pipeline.inference import is_ours

_plain_item = original(tupleobj.getitem_unituple)


def are_rows(kind: Any) -> bool:
    """Whether a type is that of several tuples of the same number of numbers."""
    row = kind.dtype if isinstance(kind, types.UniTuple) and len(kind) > 1 else None
    return isinstance(row, Packed | Text) or (
        isinstance(row, types.UniTuple) and len(row) > 0 and isinstance(row.dtype, Number)
    )


def _item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    if not are_rows(kind) or not is_ours():
        return _plain_item(context, builder, sig, args)
    home, text = home_of(builder, args[0]), "tuple index out of range"
    index = place_within(context, builder, sig.args[1], args[1], len(kind), text)
    return builder.load(builder.gep(home, [WORD(0), index], inbounds=True))


replace(tupleobj.getitem_unituple, _item)
