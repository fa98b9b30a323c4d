"""The commands `uci`, `ugi` and `gtp`: an engine from the options of its command."""

from __future__ import annotations

from typing import Final

from prunus.play.protocols.settings import Settings

SERVERS: Final = ("uci", "ugi", "gtp")


def serve(name: str, settings: Settings, seconds: float | None = None) -> None:
    """Converse by a protocol (one of `SERVERS`) until the end. seconds: what a move takes by GTP as
    long as no time has been set. Raises the errors of an unknown game, except by UCI, where the
    game is loaded only after the greeting."""
    if name == "uci":
        from prunus.play.protocols.uci import UciServer

        UciServer(settings).run()
    elif name == "ugi":
        from prunus.play.protocols.ugi import UgiServer

        _expect(settings)
        UgiServer(settings).run()
    else:
        from prunus.play.protocols.gtp import GtpServer

        GtpServer(settings, seconds).run()


def _expect(settings: Settings) -> None:
    """Raise an error for a game that does not exist."""
    from prunus.adapters import open_any

    open_any(settings.game)
