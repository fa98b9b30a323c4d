"""Where a game's run-time attributes, its arrays and those annotated `Runtime`, lie for compiled
code: in one block of words, kept with the game."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import errors, types

from prunus.core.arrays import View
from prunus.core.bits import MASK64
from prunus.core.game import Game, runtime_attributes
from prunus.core.state import words_of
from prunus.kernel.boards.states import scalar_type
from prunus.kernel.code.rules import data_of
from prunus.kernel.containers.views import ViewType
from prunus.kernel.memory import KINDS

_KIND_OF_DTYPE = {np.dtype(dtype): kind for kind, dtype in KINDS.items()} | {
    np.dtype("float32"): "f32",
    np.dtype("float64"): "f64",
}


def places_of(game: Game) -> dict[str, tuple[int, Any]]:
    """The run-time attributes: name -> (first word in the block, Numba type)."""
    found: dict[str, tuple[int, Any]] = {}
    place = 0
    scalars = runtime_attributes(type(game))
    own = type(game).__module__.startswith("prunus.")
    for name, value in data_of(game).items():
        if isinstance(value, View):
            ndim = len(value.shape)
            found[name] = (
                place,
                ViewType(_KIND_OF_DTYPE[value.array.dtype], ndim, of_game=True, trusted=own),
            )
            place += 1 + ndim
        else:
            kind = scalars[name]
            found[name] = (place, types.int64 if kind is bool else scalar_type(kind))
            place += len(words_of(kind, value))
    return found


def block_of(game: Game) -> Any:
    """The block of words that holds a game's run-time attributes, built once and kept with the
    game; built again if there are more of them. Raises TypingError if one has been replaced: a
    search that goes on in another thread reads the block."""
    data = data_of(game)
    block, held = game.__dict__.get("_prunus_block", (None, {}))
    for name, value in held.items():
        if data.get(name) is not value:
            raise errors.TypingError(
                f"self.{name} has been replaced after the game's first use, where it was handed "
                f"over to compiled code: make another game instead"
            )
    if block is None or len(data) != len(held):
        words: list[int] = []
        scalars = runtime_attributes(type(game))
        for name in places_of(game):
            value = game.__dict__[name]
            parts = (
                (value.array.ctypes.data, *value.shape)
                if isinstance(value, View)
                else words_of(scalars[name], value)
            )
            words += [int(word) & MASK64 for word in parts]
        earlier = block
        block = np.array(words or [0], np.uint64)
        object.__setattr__(game, "_prunus_block", (block, data))
        object.__setattr__(game, "_prunus_address", block.ctypes.data)
        if earlier is not None:
            game.__dict__.setdefault("_prunus_earlier", []).append(earlier)
    return block
