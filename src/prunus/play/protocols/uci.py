"""The Universal Chess Interface (Huber & Meyer-Kahlen 2000-2006), for games of chess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prunus.play.protocols.ugi import UgiServer

if TYPE_CHECKING:
    from prunus.play.protocols.thinking import Line


class UciServer(UgiServer):
    """An engine for chess."""

    name = "uci"

    def score(self, line: Line) -> str:
        """Centipawns, or the moves to the mate."""
        if line.distance is None or line.value == 0:
            return f"cp {line.value}"
        moves = (line.distance + 1) // 2
        return f"mate {moves if line.value > 0 else -moves}"
