"""Two programs get the same inputs at the same looks, and what differs is told."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from emu.runner.snapshots.snapshot import can_fork
from tests.play.play_kit import MENUS, game_of, served
from tests.program.code_samples import write_application

# link a6,#-16; 8,000 times GetNextEvent (everyEvent, -16(a6)); for a key, with the address of the
# screen in A0, three words of code
_PROGRAM = """
4e56fff0 3e3c1f40
558f 3f3cffff 486efff0 a970 548f
0c6e 0003 fff0 660a 2078 0824 {act}
5347 66dc 4e75
"""
_FIRST_PIXELS, _LATER_PIXELS = "317cffff0000", "317cffff0008"
_HIDE_CURSOR = "a8524e714e71"


def program(folder: Path, name: str, act: str) -> Path:
    """A program that does something when a key is pressed."""
    return write_application(folder, "".join(_PROGRAM.format(act=act).split()), name=name)


@pytest.mark.slow
def test_one_source_on_two_processors_does_the_same() -> None:
    async def play() -> None:
        async with served(MENUS["68000"], MENUS["601"], depth=1) as (page, _, _):
            assert page.latest.get("hello", {"screens": 2})["screens"] == 2
            await page.until(lambda: page.now > 5 and 1 in page.screens)
            await page.do("key", key="x")
            await page.do("key", key="y")
            before = page.now
            await page.until(lambda: page.now > before + 20)
            await page.do("pause")
            await page.until(lambda: page.state == "paused")
            await page.until(lambda: (page.screens[0] == page.screens[1]).all())
            assert "difference" not in page.latest or page.latest["difference"]["what"] == ""

    asyncio.run(play())


def test_what_differs_lights_up_and_so_does_a_moment_of_the_past(tmp_path: Path) -> None:
    one = program(tmp_path, "one", _FIRST_PIXELS)
    other = program(tmp_path, "other", _LATER_PIXELS)

    async def play() -> None:
        async with served(one, other, depth=1) as (page, server, _):
            await page.until(lambda: page.now > 10 and 1 in page.screens)
            assert "difference" not in page.latest
            await page.do("key", key="x")
            await page.until(lambda: "difference" in page.latest)
            difference = page.latest["difference"]
            assert difference["what"] == "the screens differ"
            assert difference["rectangles"] == [[0, 0, 32, 32], [64, 0, 32, 32]]
            seen = page.now
            await page.until(lambda: page.now > seen + 15)
            later = page.now
            await page.seek(5)
            await page.until(lambda: page.latest["difference"]["rectangles"] == [])
            await page.seek(later)
            await page.until(lambda: page.latest["difference"]["rectangles"] != [])
            follower = game_of(server)._follower
            assert follower is not None
            if can_fork():
                assert follower._player.nearest(later) > 0
            await page.seek(5)
            await page.do("fork")
            await page.until(lambda: page.state == "running" and page.now > 10)
            await page.until(lambda: page.latest["difference"]["what"] == "")

    asyncio.run(play())


def test_calls_that_differ_are_named(tmp_path: Path) -> None:
    one = program(tmp_path, "one", _FIRST_PIXELS)
    other = program(tmp_path, "other", _HIDE_CURSOR)

    async def play() -> None:
        async with served(one, other, depth=1) as (page, _, _):
            await page.until(lambda: page.now > 10 and 1 in page.screens)
            await page.do("key", key="x")
            await page.until(lambda: "call" in page.latest.get("difference", {}).get("what", ""))
            what = page.latest["difference"]["what"]
            assert re.search(
                r"call \d+ differs: (GetNextEvent .*|no call) / HideCursor \(\)", what
            ), what

    asyncio.run(play())
