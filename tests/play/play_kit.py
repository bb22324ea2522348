"""A page without a browser: a client of the play server's WebSocket, in the process of the test."""

from __future__ import annotations

import asyncio
import contextlib
import json
import struct
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import numpy as np
from websockets.asyncio.client import ClientConnection, connect

from emu.play.game import Game
from emu.play.server import PlayServer
from emu.runner.runner import RunRequest
from emu.toolbox.computer.settings import Settings
from tests.conftest import ROOT

PROGRAMS = ROOT / "tests/programs/mac/prebuilt"
MENUS = {cpu: PROGRAMS / cpu / "menus.bin" for cpu in ("68000", "601")}
PATIENCE = 60.0
_HEADER = struct.Struct("<BBHHHH")


def request_for(program: Path, **settings: Any) -> RunRequest:
    """A program on the usual machine, without a limit of time."""
    chosen = Settings(**{"timeout": float("inf"), "screen": (512, 342), **settings})
    return RunRequest(program, settings=chosen, step=1_000)


class PageClient:
    """What a page knows, and what it can do.

    Attributes:
        latest: the last text frame of each kind.
        heard: every text frame.
        screens: the pixels of each screen.
        frames: how many binary frames came.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.latest: dict[str, dict[str, Any]] = {}
        self.heard: list[dict[str, Any]] = []
        self.screens: dict[int, Any] = {}
        self.frames = 0
        self._changed = asyncio.Condition()

    async def listen(self) -> None:
        """Hear what the server says, until it closes the connection."""
        async for message in self.socket:
            async with self._changed:
                if isinstance(message, bytes):
                    self._put(message)
                else:
                    said = json.loads(message)
                    self.heard.append(said)
                    self.latest[said["is"]] = said
                self._changed.notify_all()

    def _put(self, frame: bytes) -> None:
        kind, screen, left, top, width, height = _HEADER.unpack_from(frame)
        assert kind == 1
        pixels = np.frombuffer(frame, np.uint8, offset=_HEADER.size).reshape(height, width, 4)
        canvas = self.screens.setdefault(screen, np.zeros((342, 512, 4), np.uint8))
        canvas[top : top + height, left : left + width] = pixels
        self.frames += 1

    async def do(self, what: str, **values: Any) -> None:
        """Say something to the server."""
        await self.socket.send(json.dumps({"do": what, **values}))

    async def until(self, condition: Callable[[], object], what: str = "") -> None:
        """Wait until something is so."""
        async with asyncio.timeout(PATIENCE):
            async with self._changed:
                await self._changed.wait_for(condition)
        assert condition(), what

    async def click(self, h: int, v: int) -> None:
        """Press and release the mouse button."""
        await self.do("press", h=h, v=v)
        await self.do("release", h=h, v=v)

    @property
    def state(self) -> str:
        """What the program does."""
        return str(self.latest.get("moment", {}).get("state", ""))

    @property
    def now(self) -> int:
        """The moment that is shown."""
        return int(self.latest.get("moment", {}).get("now", 0))

    @property
    def windows(self) -> int:
        """How many windows there are."""
        return len(self.latest.get("windows", {"items": []})["items"])

    async def seek(self, moment: int) -> None:
        """Go to a moment, and wait until it is shown."""
        await self.do("seek", moment=moment)
        await self.until(lambda: self.state == "paused" and self.now == moment)

    async def choose(self, title: int, item: int) -> None:
        """Choose a menu's item, by where the mouse is: the title's h, and the item's v."""
        await self.do("press", h=title, v=10)
        before = self.now
        await self.until(lambda: self.now >= before + 3)
        await self.do("move", h=title + 10, v=item)
        await self.until(lambda: self.now >= before + 12)
        await self.do("release", h=title + 10, v=item)


@contextlib.asynccontextmanager
async def served(
    program: Path, other: Path | None = None, leaving: float = 0.2, **settings: Any
) -> AsyncIterator[tuple[PageClient, PlayServer, str]]:
    """A program that is served, and a page that is open; also the address."""
    against = request_for(other, **settings) if other is not None else None
    server = PlayServer(request_for(program, **settings), against, leaving)
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    run = asyncio.create_task(server.run(0, address.set_result))
    done, _ = await asyncio.wait({run, address}, return_when=asyncio.FIRST_COMPLETED)
    if run in done:
        await run
    url = await address
    try:
        async with opened_page(url) as page:
            yield page, server, url
        await asyncio.wait_for(run, PATIENCE)
    finally:
        run.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await run


@contextlib.asynccontextmanager
async def opened_page(url: str) -> AsyncIterator[PageClient]:
    """A page of an address."""
    place = url.replace("http:", "ws:").replace("/?", "/ws?")
    async with connect(place, compression=None, max_size=None) as socket:
        page = PageClient(socket)
        listening = asyncio.create_task(page.listen())
        try:
            yield page
        finally:
            await socket.close()
            await listening


def game_of(server: PlayServer) -> Game:
    """The game that a server serves."""
    return server._game
