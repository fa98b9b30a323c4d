"""The sets of the engine's options that a browser may ask for. They are few, because each has code
of its own that is compiled and kept."""

from __future__ import annotations

from typing import Final

from prunus.core.errors import SearchError
from prunus.core.game import Game
from prunus.engine.options import Options
from prunus.run.algorithm import Algorithm

UNORDERED: Final = {
    "killers": False,
    "counter_moves": False,
    "history": False,
    "etc": 0,
    "iid": 0,
}
"""Without what makes good actions come first, apart from the table's own."""

VARIANTS: Final = ("usual", "unordered", "playing")
"""The names: as `analyze` searches; without ordering; and with what the game recommends for play,
which may be selective and then proves nothing."""


def options_of(variant: str, algorithm: Algorithm, game: Game) -> Options | None:
    """The options of a variant; None for the usual ones. Raises SearchError for other algorithms
    than the engine."""
    if variant == "usual":
        return None
    if not algorithm.options:
        raise SearchError(f"only the engine has options, not {algorithm.name}")
    return Options.of(game, UNORDERED) if variant == "unordered" else Options.for_play(game)
