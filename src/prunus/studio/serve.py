"""`prunus studio`: the server, by default on this machine's own address, and the browser."""

from __future__ import annotations

import errno
import ipaddress
import secrets
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
from prunus.studio.guard import LOOPBACK, Hosts
from prunus.studio.solved import Databases

ADDRESS: Final = "127.0.0.1"


class StudioError(PrunusError, RuntimeError):
    """The studio cannot be served; the message says why and what to do."""


def listening(port: int, host: str = ADDRESS) -> socket.socket:
    """A socket on this port of an address of this machine; port 0 takes a free one. Raises
    StudioError."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise StudioError(f"there is no address {host!r}: give one of this machine's") from None
    found = socket.socket(family, kind)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind(place)
    except OSError as error:
        found.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise StudioError(f"{host} is no address of this machine") from None
        raise StudioError(
            f"port {port} cannot be used ({error.strerror}): another studio may be running; give "
            f"--port another number, or 0 for any that is free"
        ) from None
    return found


def server_on(
    place: socket.socket,
    served: Mapping[str, Game],
    host: str = ADDRESS,
    databases: Databases | None = None,
) -> tuple[uvicorn.Server, str]:
    """The server for a socket, ready to run, and its address for this machine's browser. `host` is
    the name by which the socket was asked for. If other machines reach the socket, the address has
    a token, without which the server answers nothing."""
    bound, port = place.getsockname()[:2]
    at = ipaddress.ip_address(bound.partition("%")[0])
    token = "" if at.is_loopback else secrets.token_urlsafe(24)
    names = {name_of(host), name_of(bound)}
    if at.is_loopback or at.is_unspecified:
        names.update(LOOPBACK)
    if at.is_unspecified:
        names.add(socket.gethostname().lower())
    hosts = Hosts(names, int(port), numbers=at.is_unspecified)
    config = uvicorn.Config(
        create_app(hosts, served, token, databases=databases),
        log_level="warning",
        access_log=False,
        ws_max_size=maxima.MESSAGE,
        ws="websockets-sansio",
        limit_concurrency=4 * maxima.CLIENTS,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    shown = name_of(ADDRESS if at.is_unspecified else bound)
    return uvicorn.Server(config), f"http://{shown}:{port}/{token and f'?token={token}'}"


def name_of(host: str) -> str:
    """A host as it stands in an address and in the header Host."""
    return f"[{host}]" if ":" in host else host.lower()


def serve(
    served: Mapping[str, Game],
    port: int,
    browser: bool,
    say: Callable[[str], None],
    host: str = ADDRESS,
    databases: Databases | None = None,
) -> None:
    """Serve on an address of this machine until Ctrl-C; `say` is told the address for the browser.
    Raises StudioError."""
    place = listening(port, host)
    server, address = server_on(place, served, host, databases)
    say(f"The studio is at {address} (Ctrl-C ends it)")
    if "?token=" in address:
        say(
            "Other machines reach it by this machine's name or number in the place of the one "
            "above. The token lets in whoever has it, and nothing on the way is encrypted."
        )
    if browser:
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    try:
        server.run([place])
    finally:
        place.close()
