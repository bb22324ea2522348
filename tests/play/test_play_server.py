"""A program is played through the server as a page does it."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emu.runner.snapshots.snapshot import can_fork
from emu.toolbox.loader import load
from emu.toolbox.users.events_file import read_events
from emu.toolbox.users.inputs import RecordedUser
from tests.play.play_kit import MENUS, game_of, opened_page, request_for, served

needs_fork = pytest.mark.skipif(not can_fork(), reason="snapshots need a system that forks")


def go(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run a test."""
    asyncio.run(coroutine)


class _StopError(Exception):
    """The look that a test wants to see has come."""


class _StoppingUser(RecordedUser):
    """Repeats a recording up to a look."""

    last = 0

    def act(self) -> bool:
        if self.looks + 1 == self.last:
            raise _StopError
        super().act()
        return True


def replayed(program: Path, events: Path, look: int) -> tuple[Any, list[str]]:
    """The screen and the calls of a run without a page, at a look."""
    request = request_for(program, keep_log=True)
    mac = load(program, settings=request.settings)
    user = mac.events.user = _StoppingUser(mac, read_events(events).inputs)
    user.last = look
    with pytest.raises(_StopError):
        mac.run()
    screen = mac.quickdraw.screen
    assert mac.log is not None
    return screen.space.colors(screen.pixels(screen.bounds)), [str(c) for c in mac.log.calls]


@pytest.mark.parametrize("cpu", ["68000", pytest.param("601", marks=pytest.mark.slow)])
def test_a_played_program_can_be_repeated_exactly(cpu: str, tmp_path: Path) -> None:
    """A menu, a dialog, keys: the recording gives the same pixels in a run without a page."""

    async def play() -> None:
        async with served(MENUS[cpu]) as (page, _, _):
            await page.until(lambda: page.now > 5)
            hello = page.latest["hello"]
            assert (hello["width"], hello["height"], hello["screens"]) == (512, 342, 1)
            await page.choose(20, 46)  # File, Check
            await page.do("key", key="a", modifiers=["command"])
            await page.until(lambda: page.windows == 2)
            for letter in "Tom":
                await page.do("key", key=letter)
            await page.do("key", key="return")
            await page.until(lambda: page.windows == 1)
            await page.do("pause")
            await page.until(lambda: page.state == "paused")
            moment = page.now
            shown = page.screens[0].copy()
            await page.do("save_script")
            await page.until(lambda: "script" in page.latest)
            events = tmp_path / "events.yaml"
            events.write_text(page.latest["script"]["events"])
            assert "key_down: T" in events.read_text()
            colors, calls = replayed(MENUS[cpu], events, moment)
            assert np.array_equal(shown[:, :, :3], colors)
            text = "\n".join(calls)
            assert "MenuSelect" in text
            assert "GetDialogItemText" in text

            await page.seek(3)
            assert not np.array_equal(page.screens[0], shown)
            await page.seek(moment)
            assert np.array_equal(page.screens[0], shown)

    go(play())


@needs_fork
def test_going_on_from_a_moment_forgets_what_came_later() -> None:
    async def play() -> None:
        async with served(MENUS["68000"]) as (page, server, _):
            await page.until(lambda: page.now > 5)
            await page.do("key", key="x")
            await page.until(lambda: len(game_of(server).recording) == 2)
            await page.until(lambda: page.now > game_of(server).recording[-1].look + 5)
            first = game_of(server).recording[0].look
            await page.seek(first)
            await page.do("key", key="z")  # the past cannot be changed
            await page.do("fork")
            await page.until(lambda: page.state == "running")
            assert game_of(server).recording == []
            assert page.latest["moment"]["last"] < first + 60
            await page.do("key", key="y")
            await page.until(lambda: len(game_of(server).recording) == 2)
            assert game_of(server).recording[0].input.key == "y"

    go(play())


def test_a_dropped_file_is_on_the_disk_and_in_the_recording() -> None:
    async def play() -> None:
        async with served(MENUS["68000"]) as (page, server, _):
            await page.until(lambda: page.now > 5)
            await page.do("file", name="Read me", data=base64.b64encode(b"words").decode())
            await page.until(lambda: game_of(server).recording)
            dropped = game_of(server).recording[0].input
            assert (dropped.name, dropped.data) == ("Read me", b"words")

    go(play())


def test_the_log_shows_calls_as_they_are_made_and_can_be_filtered() -> None:
    async def play() -> None:
        async with served(MENUS["68000"]) as (page, _, _):
            await page.until(lambda: page.now > 5)
            assert "calls" not in page.latest
            await page.do("log", on=True, filter="nextevent")
            await page.until(lambda: "calls" in page.latest)
            lines = page.latest["calls"]["lines"]
            assert all(line.startswith("WaitNextEvent") for line in lines)
            assert "= false" in lines[0]  # the call that was over
            await page.do("log", on=False)
            await page.until(lambda: page.now > 30)

    go(play())


def test_what_the_page_may_not_ask_is_refused_with_a_sentence() -> None:
    async def play() -> None:
        async with served(MENUS["68000"]) as (page, _, _):
            await page.do("dance")
            await page.until(lambda: "refused" in page.latest)
            assert page.latest["refused"]["text"] == "there is nothing to do that is called 'dance'"
            await page.do("stop_at", finding=7)
            await page.until(lambda: "finding" in page.latest["refused"]["text"])
            before = page.now
            await page.until(lambda: page.now > before)

    go(play())


def test_a_second_page_is_refused_and_a_page_that_is_loaded_again_sees_all() -> None:
    async def play() -> None:
        async with served(MENUS["68000"], leaving=30.0) as (page, _, url):
            await page.until(lambda: page.now > 5 and "windows" in page.latest)
            async with opened_page(url) as second:
                await second.until(lambda: "refused" in second.latest)
                assert "another page already" in second.latest["refused"]["text"]
            await page.do("pause")
            await page.until(lambda: page.state == "paused")
            shown = page.screens[0].copy()
            await page.socket.close()
            async with opened_page(url) as again:
                await again.until(lambda: again.state == "paused")
                assert np.array_equal(again.screens[0], shown)
                assert again.latest["windows"] == page.latest["windows"]
                assert "png" in again.latest["cursor"]
                await again.do("end")
                await again.socket.wait_closed()

    go(play())


@pytest.mark.slow
def test_closing_the_page_ends_the_run() -> None:
    async def play() -> None:
        async with served(MENUS["68000"]) as (page, server, _):
            await page.until(lambda: page.now > 5)
        assert not game_of(server)._player.is_alive

    go(play())
