"""What is checked of every request before anything else: that it is for this server (Host), that it
comes from this server's own page (Origin), that it is not too large, and, on a server that other
machines reach, that it has the token. A page of another site can neither read an answer nor open a
WebSocket."""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Collection, Container
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from prunus.studio import maxima

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-cache"),
]
NO_TOKEN: Final = b"This studio has a token: open the address that its command printed."
NOT_OURS: Final = b'{"error":"this request is not for the studio"}'

HOST: Final = re.compile(r"(?P<name>\[[0-9a-f:.]*\]|[^:\[\]]*)(:(?P<port>[0-9]{1,5}))?")

LENGTH: Final = re.compile(rb"[0-9]{1,9}")

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
"""The names of this machine's own address in the header Host."""


class TooLarge(Exception):
    """The body of a request is too large."""


class Hosts:
    """What the header Host may say on a server: the names `names` on its port and, if it listens
    on all addresses of its machine, any number: the owner of a name can make it lead here, but
    nobody owns a number."""

    def __init__(self, names: Collection[str], port: int, numbers: bool = False) -> None:
        self.names, self.port, self.numbers = frozenset(names), port, numbers

    def __contains__(self, host: object) -> bool:
        read = HOST.fullmatch(str(host).lower())
        if read is None or _port(str(host)) != self.port:
            return False
        return read["name"] in self.names or (self.numbers and _is_number(read["name"]))


def _port(host: str) -> int:
    """The port in the header Host; 80 if it says none."""
    read = HOST.fullmatch(host.lower())
    return int((read and read["port"]) or 80)


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


class Guard:
    """Refuses what is not for this server; adds headers that keep the page to itself."""

    def __init__(self, app: ASGIApp, hosts: Container[str], token: str = "") -> None:
        """`token`: what a browser must send; empty: nothing. It comes in the address once, and
        from then on as a cookie."""
        self.app, self.hosts, self.token = app, hosts, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or one WebSocket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = list(scope["headers"])
        status = self._refusal(scope, headers)
        if not status and self.token:
            if self._brings_token(scope):
                await self._welcome(headers, send)
                return
            status = 0 if self._is_known(headers) else 401
        if status:
            await self._refuse(scope, send, status)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
        else:
            await self._http(scope, receive, send)

    def _refusal(self, scope: Scope, headers: list[tuple[bytes, bytes]]) -> int:
        """The status with which a request is refused; 0: it is not."""
        given = [value.decode("latin-1") for name, value in headers if name == b"host"]
        origins = [value.decode("latin-1") for name, value in headers if name == b"origin"]
        if len(given) != 1 or given[0].lower() not in self.hosts:
            return 421
        if any(origin.lower() != f"http://{given[0].lower()}" for origin in origins):
            return 403
        if scope["type"] == "websocket":
            return 0 if len(origins) == 1 else 403
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405
        sizes = [value for name, value in headers if name == b"content-length"]
        if any(not LENGTH.fullmatch(size) or int(size) > maxima.MESSAGE for size in sizes):
            return 413
        return 0

    @staticmethod
    def _cookie(headers: list[tuple[bytes, bytes]]) -> str:
        """The name of the cookie: a server on another port of this machine has its own."""
        host = next(value.decode("latin-1") for name, value in headers if name == b"host")
        return f"prunus-{_port(host)}"

    def _is_known(self, headers: list[tuple[bytes, bytes]]) -> bool:
        """Whether the cookie has the token."""
        cookies: SimpleCookie = SimpleCookie()
        try:
            for name, value in headers:
                if name == b"cookie":
                    cookies.load(value.decode("latin-1"))
        except CookieError:
            return False
        found = cookies.get(self._cookie(headers))
        return found is not None and self._is_token(found.value)

    def _is_token(self, text: str) -> bool:
        return secrets.compare_digest(text.encode(), self.token.encode())

    def _brings_token(self, scope: Scope) -> bool:
        """Whether this is the page, asked for with the token in its address."""
        if scope["type"] != "http" or scope["method"] != "GET" or scope["path"] != "/":
            return False
        query = parse_qs(scope["query_string"].decode("latin-1"))
        return any(self._is_token(each) for each in query.get("token", ()))

    async def _welcome(self, headers: list[tuple[bytes, bytes]], send: Send) -> None:
        """Give the browser its cookie, and take the token out of the address."""
        cookie = f"{self._cookie(headers)}={self.token}; Path=/; HttpOnly; SameSite=Lax"
        told = [(b"location", b"/"), (b"set-cookie", cookie.encode()), *HEADERS]
        await send({"type": "http.response.start", "status": 303, "headers": told})
        await send({"type": "http.response.body", "body": b""})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        received, started = 0, False

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > maxima.MESSAGE:
                raise TooLarge
            return message

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                if received > maxima.MESSAGE:  # the application may have its own word for it
                    message = {**message, "status": 413}
                message = {**message, "headers": [*message.get("headers", ()), *HEADERS]}
            await send(message)

        try:
            await self.app(scope, counted, with_headers)
        except TooLarge:
            if not started:
                await self._refuse(scope, send, 413)

    @staticmethod
    async def _refuse(scope: Scope, send: Send, status: int) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4403})
            return
        kind, text = (
            (b"text/plain; charset=utf-8", NO_TOKEN)
            if status == 401
            else (b"application/json", NOT_OURS)
        )
        headers = [(b"content-type", kind), *HEADERS]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": text})
