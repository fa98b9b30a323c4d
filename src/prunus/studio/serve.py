"""`prunus studio`: the server on this machine's own address, and the browser."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Callable, Mapping
from typing import Final

import uvicorn

from prunus.core.errors import PrunusError
from prunus.core.game import Game
from prunus.studio import maxima
from prunus.studio.app import create_app
from prunus.studio.guard import hosts_of

ADDRESS: Final = "127.0.0.1"


class StudioError(PrunusError, RuntimeError):
    """The studio cannot be served; the message says why and what to do."""


def listening(port: int) -> socket.socket:
    """A socket on this port of this machine's own address; 0 takes a free one. Raises
    StudioError."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((ADDRESS, port))
    except OSError as error:
        found.close()
        raise StudioError(
            f"port {port} cannot be used ({error.strerror}): another studio may be running; give "
            f"--port another number, or 0 for any that is free"
        ) from None
    return found


def server_on(place: socket.socket, served: Mapping[str, Game]) -> tuple[uvicorn.Server, str]:
    """The server for a socket, ready to run, and its address."""
    port = int(place.getsockname()[1])
    config = uvicorn.Config(
        create_app(hosts_of(port), served),
        log_level="warning",
        access_log=False,
        ws_max_size=maxima.MESSAGE,
        ws="websockets-sansio",
        limit_concurrency=4 * maxima.CLIENTS,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    return uvicorn.Server(config), f"http://{ADDRESS}:{port}/"


def serve(served: Mapping[str, Game], port: int, browser: bool, say: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; `say` is told the address. Raises StudioError."""
    place = listening(port)
    server, address = server_on(place, served)
    say(f"The studio is at {address} (Ctrl-C ends it)")
    if browser:
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    try:
        server.run([place])
    finally:
        place.close()
