"""What is checked of every request before anything else: that it is for this server (Host), that it
comes from this server's own page (Origin), and that it is not too large. A page of another site can
neither read an answer nor open a WebSocket."""

from __future__ import annotations

from collections.abc import Collection

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


def hosts_of(port: int) -> frozenset[str]:
    """What the header Host may say on a server on this port of this machine."""
    return frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost"))


class TooLarge(Exception):
    """The body of a request is too large."""


class Guard:
    """Refuses what is not for this server; adds headers that keep the page to itself."""

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self.app, self.hosts = app, frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or one WebSocket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = list(scope["headers"])
        status = self._refusal(scope, headers)
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
        own = {f"http://{host}" for host in self.hosts}
        if any(origin.lower() not in own for origin in origins):
            return 403
        if scope["type"] == "websocket":
            return 0 if len(origins) == 1 else 403
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405
        sizes = [value for name, value in headers if name == b"content-length"]
        if any(not size.isdigit() or int(size) > maxima.MESSAGE for size in sizes):
            return 413
        return 0

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
        text = b'{"error":"this request is not for the studio"}'
        headers = [(b"content-type", b"application/json"), *HEADERS]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": text})
