"""How soon a page that plays a program sees what the program draws.

Run it on a quiet machine of two processors: ``python benchmarks/play_speed.py [PROGRAM ...]``. A
client in place of the browser presses the mouse in the menu bar, moves it over a menu, and types.
The first figure is the time from an input to the first pixels that come after it; the second, how
many frames a second come while the mouse moves over a menu 60 times a second.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.short_form import parser_of
from emu.play.server import PlayServer
from emu.runner.runner import RunRequest
from emu.toolbox.computer.settings import Settings

PROGRAMS = [Path(f"tests/programs/mac/prebuilt/{cpu}/menus.bin") for cpu in ("68000", "601")]
TURNS = 20
PATIENCE = 2.0
_TITLE, _FIRST_ITEM, _ITEM = (30, 10), 30, 16


class Page:
    """Sends inputs, and waits for pixels."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.frames = 0
        self._frame = asyncio.Event()

    async def listen(self) -> None:
        """Count frames: a message of text comes after the rectangles of each."""
        async for message in self._socket:
            if isinstance(message, bytes):
                self.frames += 1
                self._frame.set()

    async def do(self, what: str, **values: Any) -> None:
        """Do something."""
        await self._socket.send(json.dumps({"do": what, **values}))

    async def seconds(self, what: str, **values: Any) -> float:
        """How long it takes from an input to the next pixels; infinity if none come."""
        self._frame.clear()
        began = time.perf_counter()
        await self.do(what, **values)
        try:
            await asyncio.wait_for(self._frame.wait(), PATIENCE)
        except TimeoutError:
            return float("inf")
        return time.perf_counter() - began


async def measure(page: Page, turns: int) -> list[str]:
    """The figures of a program whose first menu is at the left."""
    h, v = _TITLE
    presses, keys = [], []
    for _ in range(turns):
        presses.append(await page.seconds("press", h=h, v=v))
        await asyncio.sleep(0.1)
        await page.seconds("release", h=h, v=300)
        await asyncio.sleep(0.1)
    await page.do("press", h=h, v=v)
    await asyncio.sleep(0.2)
    before, began = page.frames, time.perf_counter()
    for turn in range(9 * turns):
        item = _FIRST_ITEM + _ITEM * (turn // 2 % 4)
        await page.do("move", h=h + 10, v=item)
        await asyncio.sleep(max(0.0, began + turn / 60 - time.perf_counter()))
    rate = (page.frames - before) / (time.perf_counter() - began)
    await page.do("release", h=h, v=300)
    await asyncio.sleep(0.3)
    for _ in range(turns):
        keys.append(await page.seconds("key", key="x"))
        await asyncio.sleep(0.1)
    return [
        f"  click in the menu bar: {in_words(presses)}",
        f"  menu followed: {rate:.0f} frames a second, of 30 moves to another item",
        f"  key: {in_words(keys)}",
    ]


def in_words(times: list[float]) -> str:
    """The median and the longest of some times."""
    return f"{statistics.median(times) * 1e3:.0f} ms, at most {max(times) * 1e3:.0f} ms"


async def play(program: Path, turns: int) -> None:
    """Measure a program, and print the figures."""
    settings = Settings(screen=(640, 480), depth=8, timeout=float("inf"))
    server = PlayServer(RunRequest(program, settings=settings), None, leaving=0.1)
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    run = asyncio.create_task(server.run(0, address.set_result))
    place = (await address).replace("http:", "ws:").replace("/?", "/ws?")
    async with connect(place, compression=None, max_size=None) as socket:
        page = Page(socket)
        listening = asyncio.create_task(page.listen())
        await asyncio.sleep(2.0)
        lines = await measure(page, turns)
        listening.cancel()
    await run
    print("\n".join([str(program), *lines]))


def main() -> None:
    """Measure the programs of the command line."""
    parser = parser_of(__doc__)
    parser.add_argument("programs", nargs="*", type=Path, metavar="PROGRAM")
    arguments = parser.parse_args()
    for program in arguments.programs or PROGRAMS:
        asyncio.run(play(program, 2 if arguments.short else TURNS))


if __name__ == "__main__":
    main()
