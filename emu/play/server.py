"""Serves the page on which a program is played: to one browser of this computer, with a token."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import http
import logging
import os
import secrets
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import resources
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from emu.base.errors import UsageError
from emu.play.game import Game
from emu.play.protocol import LARGEST_MESSAGE, ProtocolError, parse, statement
from emu.runner.runner import RunRequest

if TYPE_CHECKING:
    from websockets.asyncio.server import Server, ServerConnection
    from websockets.http11 import Request, Response

HOST = "127.0.0.1"
_LEAVING = 5.0
"""Seconds after which a run ends whose page was closed; one that is loaded again comes sooner."""
_MOST_WAITING = 2_000
"""Messages that a page may be behind, before it is taken for gone."""
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "media-src data: blob:; connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_Sent = Callable[[], None] | None
_SECOND = "this program is shown by another page already; close that one, and load this one again"


@dataclass(slots=True)
class _Page:
    """A page that is open, and what it has not been sent yet."""

    connection: ServerConnection
    waiting: asyncio.Queue[tuple[str | bytes, _Sent]] = field(default_factory=asyncio.Queue)

    async def send_all(self) -> None:
        """Send what waits, and what is to come."""
        while True:
            message, on_sent = await self.waiting.get()
            await self.connection.send(message)
            if on_sent is not None:
                on_sent()


class PlayServer:
    """Serves one program.

    Args:
        request: the program and its machine.
        other: the program of ``--against``, or None.
        leaving: seconds after which the run ends when the page was closed.
        files: the folder of the page's files; that of this package if left out.
    """

    def __init__(
        self,
        request: RunRequest,
        other: RunRequest | None,
        leaving: float = _LEAVING,
        files: Traversable | None = None,
    ) -> None:
        self._files = files or resources.files("emu.play").joinpath("page")
        self._token = secrets.token_urlsafe(24)
        self._leaving = leaving
        self._page: _Page | None = None
        self._left: asyncio.TimerHandle | None = None
        self._hosts: tuple[str, ...] = ()
        self._game = Game(request, other, self._show)

    async def run(self, port: int, on_ready: Callable[[str], None]) -> None:
        """Serve until the page asks for the end, or was closed.

        Args:
            port: 0 for any that is free.
            on_ready: called with the address of the page.

        Raises:
            UsageError: the port is taken, or a file cannot be put on the program's disk.
            ProgramError: the file is damaged, or no application.
        """
        from websockets.asyncio.server import serve

        logging.getLogger("websockets").setLevel(logging.CRITICAL)  # of browsers that hang up
        try:
            # Sessions are started before there is a socket that they could inherit.
            await self._game.begin()
            server = await serve(
                self._talk,
                HOST,
                port,
                process_request=self._answer,
                compression=None,
                max_size=LARGEST_MESSAGE,
                server_header=None,
            )
        except OSError as error:
            self._game.close()
            reason = os.strerror(error.errno).lower() if error.errno else str(error)
            raise UsageError(
                f"--port {port}: it cannot be used ({reason}); without --port any that is free is "
                "taken"
            ) from error
        except BaseException:
            self._game.close()
            raise
        try:
            async with server:
                on_ready(self._open_door(server))
                await self._watch()
        finally:
            self._game.close()

    def _open_door(self, server: Server) -> str:
        port = next(iter(server.sockets)).getsockname()[1]
        self._hosts = (f"{HOST}:{port}", f"localhost:{port}")
        return f"http://{HOST}:{port}/?token={self._token}"

    async def _watch(self) -> None:
        """Wait for the end, and look every second whether the session still answers."""
        loop, over = asyncio.get_running_loop(), self._game.is_over
        with contextlib.suppress(NotImplementedError, ValueError):  # not in the main thread
            loop.add_signal_handler(signal.SIGTERM, over.set)
        task = asyncio.current_task()
        assert task is not None
        while not over.is_set() and not task.cancelling():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(over.wait(), 1.0)
            self._game.watch()
        if task.cancelling():  # Python 3.11 loses a Ctrl-C that comes as a wait ends
            raise asyncio.CancelledError

    # -- HTTP -------------------------------------------------------------------------------------

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer a request of HTTP; None for the WebSocket of a page that may open it."""
        parts = urlsplit(request.path)
        if request.headers.get_all("Host") not in [[host] for host in self._hosts]:
            return _refusal("this server answers for 127.0.0.1 only")
        if parts.path in ("/", "/ws") and not self._is_known(parts.query):
            return _refusal("the address lacks the token that macproof play has printed")
        if parts.path != "/ws":
            return self._file("page.html" if parts.path == "/" else parts.path[1:])
        origins = request.headers.get_all("Origin")
        if any(origin not in [f"http://{host}" for host in self._hosts] for origin in origins):
            return _refusal("the request comes from a page of another server")
        return None

    def _is_known(self, query: str) -> bool:
        given = parse_qs(query).get("token", [""])[0]
        return hmac.compare_digest(given.encode(), self._token.encode())

    def _file(self, name: str) -> Response:
        """A file of the page. It holds nothing of the program, so it needs no token."""
        for file in self._files.iterdir():
            kind = _TYPES.get(file.name[file.name.rfind(".") :])
            if file.name == name and kind is not None:
                policy = _POLICY.format(host=self._hosts[0])
                return _response(http.HTTPStatus.OK, file.read_bytes(), kind, policy)
        return _response(http.HTTPStatus.NOT_FOUND, b"there is no such file\n", "text/plain")

    # -- the WebSocket ----------------------------------------------------------------------------

    def _show(self, message: str | bytes, on_sent: _Sent) -> None:
        """Send the page something; without one, it counts as sent."""
        page = self._page
        if page is None:
            if on_sent is not None:
                on_sent()
            return
        page.waiting.put_nowait((message, on_sent))
        if page.waiting.qsize() > _MOST_WAITING:
            page.connection.transport.abort()

    async def _talk(self, connection: ServerConnection) -> None:
        """Serve a page until it is closed."""
        from websockets.exceptions import ConnectionClosed

        if self._page is not None:
            await connection.send(statement("refused", text=_SECOND))
            return
        page = self._page = _Page(connection)
        if self._left is not None:
            self._left.cancel()
        self._game.welcome()
        sender = asyncio.create_task(page.send_all())
        try:
            async for message in connection:
                self._do(message)
        except ConnectionClosed:
            pass
        finally:
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionClosed):
                await sender
            self._page = None
            while not page.waiting.empty():
                on_sent = page.waiting.get_nowait()[1]
                if on_sent is not None:
                    on_sent()
            loop = asyncio.get_running_loop()
            self._left = loop.call_later(self._leaving, self._game.is_over.set)

    def _do(self, message: str | bytes) -> None:
        try:
            if isinstance(message, bytes):
                raise ProtocolError("a page sends texts only")
            self._game.do(parse(message))
        except ProtocolError as error:
            self._show(statement("refused", text=str(error)), None)


def _refusal(why: str) -> Response:
    return _response(http.HTTPStatus.FORBIDDEN, f"macproof play: {why}\n".encode(), "text/plain")


def _response(
    status: http.HTTPStatus, body: bytes, kind: str, policy: str = "default-src 'none'"
) -> Response:
    from websockets.datastructures import Headers
    from websockets.http11 import Response

    headers = Headers(
        {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Connection": "close",
            "Cache-Control": "no-store",
            "Content-Security-Policy": policy,
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
        }
    )
    return Response(status.value, status.phrase, headers, body)


def serve_game(
    request: RunRequest,
    other: RunRequest | None,
    port: int,
    on_ready: Callable[[str], None],
) -> None:
    """Serve a program until its page is closed, or Ctrl-C.

    Args:
        request: the program and its machine.
        other: a second program that gets the same inputs, or None.
        port: 0 for any that is free.
        on_ready: called with the address of the page.

    Raises:
        UsageError: the port is taken.
    """

    async def run() -> None:
        await PlayServer(request, other).run(port, on_ready)

    asyncio.run(run())
