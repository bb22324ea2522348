"""A server that has no Macintosh behind it: it says what a test wants, and keeps what it hears."""

from __future__ import annotations

import contextlib
import json
import mimetypes
import struct
import threading
import time
from collections.abc import Iterator
from http import HTTPStatus
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

WIDTH, HEIGHT = 512, 342
_PAGE = resources.files("emu.play").joinpath("page")
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_SECONDS = 60.0  # within which the page answers, however busy the machine is


class FakeServer:
    """One page at a time, which is told all that it is told by ``send`` and ``draw``."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.port = 0
        self.refuses = False  # whether it lets no page in any more
        self._page: ServerConnection | None = None
        self._changed = threading.Condition()

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.port}/?token=secret"

    def answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """A file of the page, or nothing for the WebSocket."""
        path = request.path.partition("?")[0].strip("/") or "page.html"
        if path == "ws":
            refusal = connection.respond(HTTPStatus.FORBIDDEN, "not now")
            return refusal if self.refuses else None
        file = _PAGE.joinpath(path)
        if "/" in path or not file.is_file():
            return connection.respond(HTTPStatus.NOT_FOUND, "no such file")
        kind = "text/javascript" if path.endswith(".js") else mimetypes.guess_type(path)[0]
        body = file.read_bytes()
        headers = Headers(
            {
                "Content-Type": f"{kind}; charset=utf-8",
                "Content-Length": str(len(body)),
                "Content-Security-Policy": _POLICY,
                "Connection": "close",
            }
        )
        return Response(200, "OK", headers, body)

    def serve(self, connection: ServerConnection) -> None:
        """Hear a page until it goes."""
        with self._changed:
            self._page = connection
            self._changed.notify_all()
        with contextlib.suppress(ConnectionClosed):
            for message in connection:
                with self._changed:
                    self.heard.append(json.loads(message))
                    self._changed.notify_all()

    def expect_page(self) -> None:
        """Another page is opened: the one there is until now counts no more."""
        with self._changed:
            self._page = None

    def begin(self, **other: Any) -> None:
        """Wait for the page, and tell it of a program that runs."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._page is not None, _SECONDS)
        hello = {"title": "Ledger", "width": WIDTH, "height": HEIGHT, "screens": 1}
        self.send("hello", **{**hello, "machine": "Macintosh Plus", "cpu": "68000", **other})
        self.moment(12, 12)

    def send(self, what: str, /, **values: Any) -> None:
        """Say something to the page."""
        assert self._page is not None
        self._page.send(json.dumps({"is": what, **values}))

    def moment(
        self,
        now: int,
        last: int,
        state: str = "running",
        text: str = "",
        mouse: list[int] | None = None,
    ) -> None:
        """Say where the program is."""
        values = {"state": state, "text": text, "mouse": mouse}
        self.send("moment", now=now, last=last, seconds=now / 60, **values)

    def draw(self, pixels: NDArray[np.uint8], left: int, top: int, screen: int = 0) -> None:
        """Show a rectangle of pixels, three colours each."""
        height, width, _ = pixels.shape
        opaque = np.full((height, width, 4), 255, np.uint8)
        opaque[:, :, :3] = pixels
        header = struct.pack("<BBHHHH", 1, screen, left, top, width, height)
        self.send_bytes(header + opaque.tobytes())

    def send_bytes(self, frame: bytes) -> None:
        """Send a binary frame as it is."""
        assert self._page is not None
        self._page.send(frame)

    def close(self, reason: str = "") -> None:
        """Let the page go."""
        with self._changed:
            page, self._page = self._page, None
        if page:
            page.close(1000, reason)

    def wait_for(self, what: str, /, **values: Any) -> dict[str, Any]:
        """The first message that does something, with these values, since the last ``forget``."""
        wanted = {"do": what, **values}.items()

        def found() -> dict[str, Any] | None:
            return next((one for one in self.heard if wanted <= _hashable(one)), None)

        with self._changed:
            said = self._changed.wait_for(found, _SECONDS)
        assert said, f"the page did not say {dict(wanted)}, but {self.heard}"
        return said

    def forget(self) -> None:
        """Forget what was heard."""
        with self._changed:
            self.heard.clear()

    def of(self, *kinds: str) -> list[dict[str, Any]]:
        """What was heard of these kinds."""
        with self._changed:
            return [one for one in self.heard if one["do"] in kinds]


def _hashable(message: dict[str, Any]) -> Any:
    flat = {key: tuple(one) if isinstance(one, list) else one for key, one in message.items()}
    return flat.items()


def until(truth: Any, what: str = "it") -> Any:
    """Wait until a function says something true."""
    end = time.monotonic() + _SECONDS
    while not (answer := truth()):
        assert time.monotonic() < end, f"{what} did not come"
        time.sleep(0.01)
    return answer


@contextlib.contextmanager
def serving() -> Iterator[FakeServer]:
    """A server at a free port of this computer, for as long as it is wanted."""
    fake = FakeServer()
    with serve(fake.serve, "127.0.0.1", 0, process_request=fake.answer, compression=None) as server:
        fake.port = server.socket.getsockname()[1]
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield fake
        finally:
            fake.close("the test is over")
            server.shutdown()
