"""Programs that hang, flood, fault or are killed, and servers that are; the page goes on."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import re
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from emu.play.player import Player
from emu.runner.snapshots.snapshot import can_fork
from tests.play.play_kit import MENUS, PageClient, game_of, served
from tests.processes import Family, wait_until
from tests.program.code_samples import write_application

needs_fork = pytest.mark.skipif(not can_fork(), reason="snapshots need a system that forks")

# link a6,#-16; moveq #60,d7; 60 times GetNextEvent (everyEvent, -16(a6)); and then:
_SIXTY_LOOKS = "4e56fff0 7e3c 558f 3f3cffff 486efff0 a970 548f 5347 66ee"
_HANG = "60fe"
_NO_HANDLE = "207c00001234 a023"  # DisposeHandle (0x1234)
_FAULT = "4ef9deadbeee"
_FLOOD = "a01c 60fc"  # FreeMem
_DRAW = "2078 0824 5250 60fc"  # counts in the first pixels of the screen, without any call


def program(folder: Path, end: str) -> Path:
    """A program that looks for events a second long, and then does something."""
    return write_application(folder, (_SIXTY_LOOKS + end).replace(" ", ""))


def player_of(server: object) -> Player:
    """The player of a server's first program."""
    return game_of(server)._player  # type: ignore[arg-type]


async def goes_back(page: PageClient) -> None:
    """The page can go back, and the program does the same again."""
    await page.seek(30)
    await page.seek(50)
    assert page.latest["moment"]["last"] == 60


@pytest.mark.slow
def test_a_program_that_hangs_is_stuck_and_can_be_gone_back_from(tmp_path: Path) -> None:
    async def play() -> None:
        async with served(program(tmp_path, _HANG)) as (page, _, _):
            await page.until(lambda: page.state == "stuck")
            assert "has not looked for an event for 3 seconds" in page.latest["moment"]["text"]
            await goes_back(page)

    asyncio.run(play())


@pytest.mark.slow
def test_a_program_that_draws_without_any_call_is_seen(tmp_path: Path) -> None:
    async def play() -> None:
        async with served(program(tmp_path, _DRAW)) as (page, _, _):
            await page.until(lambda: page.now == 60)
            before, began = page.frames, time.monotonic()
            await page.until(lambda: page.frames > before + 10)
            assert time.monotonic() - began < 10  # 30 frames a second on an idle machine

    asyncio.run(play())


@pytest.mark.slow
def test_a_program_that_floods_the_log_leaves_the_page_usable(tmp_path: Path) -> None:
    async def play() -> None:
        async with served(program(tmp_path, _FLOOD)) as (page, _, _):
            await page.do("log", on=True)
            await page.until(lambda: page.latest.get("calls", {}).get("dropped", 0) > 100)
            assert len(page.latest["calls"]["lines"]) == 200
            await page.until(lambda: page.now == 60)  # which is told after the calls
            await goes_back(page)

    asyncio.run(play())


def test_a_program_that_faults_has_ended_and_can_be_gone_back_from(tmp_path: Path) -> None:
    async def play() -> None:
        async with served(program(tmp_path, _FAULT)) as (page, _, _):
            await page.until(lambda: page.state == "ended" and "ended" in page.latest)
            assert page.latest["ended"]["problem"].startswith("jump to unmapped memory at 0xdeadb")
            assert page.latest["ended"]["code"] == 4
            await page.do("resume")
            await page.until(lambda: "refused" in page.latest)
            assert "go back" in page.latest["refused"]["text"]
            await goes_back(page)

    asyncio.run(play())


def test_a_program_that_was_killed_has_ended_and_can_be_gone_back_from(tmp_path: Path) -> None:
    async def play() -> None:
        async with served(program(tmp_path, _HANG)) as (page, server, _):
            await page.until(lambda: page.now == 60)
            os.kill(player_of(server)._process, signal.SIGKILL)
            await page.until(lambda: "ended" in page.latest)
            assert "was ended" in page.latest["ended"]["problem"]
            await goes_back(page)
            os.kill(player_of(server)._process, signal.SIGKILL)  # a copy of the first process
            del page.latest["ended"]
            await page.until(lambda: "ended" in page.latest)
            await goes_back(page)

    asyncio.run(play())


def test_a_process_that_does_not_listen_does_not_hold_the_server(tmp_path: Path) -> None:
    """A file is larger than what a connection takes in advance."""

    async def play() -> None:
        async with served(program(tmp_path, _HANG)) as (page, server, _):
            await page.until(lambda: page.now == 60)
            os.kill(player_of(server)._process, signal.SIGSTOP)
            await page.do("file", name="large", data=base64.b64encode(bytes(4 << 20)).decode())
            await page.do("file", name="too large", data=base64.b64encode(bytes(1 << 20)).decode())
            await page.do("dance")
            await page.until(lambda: "refused" in page.latest)
            await goes_back(page)

    asyncio.run(play())


def test_a_file_that_cannot_be_on_the_disk_is_told() -> None:
    """It was left out silently: the page said that it was sent, and the program never saw it."""

    async def play() -> list[dict[str, Any]]:
        async with served(MENUS["68000"]) as (page, server, _):
            await page.until(lambda: page.now > 3)
            for name in ("Letter", "x" * 32, "a:b"):
                await page.do("file", name=name, data=base64.b64encode(b"words").decode())
                await page.until(lambda told=name: page.latest.get("file", {}).get("name") == told)
            assert len(game_of(server).recording) == 3, "a replay leaves out the same"
            return [said for said in page.heard if said["is"] == "file"]

    told = asyncio.run(play())
    problem = "a name has 1 to 31 characters there, and no colon"
    assert [each["problem"] for each in told] == ["", problem, problem]


def test_files_that_a_recording_cannot_hold_are_refused(tmp_path: Path) -> None:
    async def play() -> None:
        async with served(program(tmp_path, _HANG)) as (page, _, _):
            data = base64.b64encode(bytes(12 << 20)).decode()
            for number in range(3):
                await page.do("file", name=f"{number}", data=data)
            await page.until(lambda: "refused" in page.latest)
            words = page.latest["refused"]["text"]
            assert words.startswith("the files that are dropped in a session have at most 33,554,4")
            await page.until(lambda: page.now == 60)

    asyncio.run(play())


@pytest.mark.slow
def test_going_back_needs_no_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a platform does not fork, the program runs again from its beginning."""
    monkeypatch.setattr(Player, "nearest", lambda self, moment: 0)

    async def play() -> None:
        async with served(program(tmp_path, _HANG)) as (page, _, _):
            await page.until(lambda: page.now == 60)
            await goes_back(page)

    asyncio.run(play())


def test_a_mistake_is_stopped_at_where_it_is_found(tmp_path: Path) -> None:
    async def play() -> None:
        ends = f"{_NO_HANDLE} {_SIXTY_LOOKS} {_HANG}"
        async with served(program(tmp_path, ends)) as (page, server, _):
            await page.do("log", on=True)
            await page.until(lambda: page.now == 120)
            (finding,) = page.latest["findings"]["items"]
            assert (finding["n"], finding["check"], finding["moment"]) == (0, "not a handle", 60)
            page.heard.clear()
            await page.do("stop_at", finding=0)
            await page.until(lambda: page.state == "paused")
            assert page.now == 60
            assert game_of(server)._findings[0].moment == 60
            lines = [line for said in page.heard for line in said.get("lines", [])]
            assert "DisposeHandle" in lines[-1] or "GetNextEvent" in lines[-1]
            await page.do("resume")
            await page.until(lambda: page.now == 120)

    asyncio.run(play())


@needs_fork
@pytest.mark.parametrize(
    "number",
    [
        signal.SIGKILL,
        pytest.param(signal.SIGINT, marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, marks=pytest.mark.slow),
    ],
)
def test_nothing_is_left_of_a_server_that_ends(number: int, interruptible: None) -> None:
    words = ("-m", "macproof", "play", MENUS["68000"], "--no-browser", "--quiet")
    with Family(*words) as family:
        assert family.process.stdout is not None
        address = family.process.stdout.readline()
        assert re.match(r"http://127\.0\.0\.1:\d+/\?token=\S{32}$", address)
        place = address.strip().replace("http:", "ws:").replace("/?", "/ws?")
        with contextlib.suppress(ConnectionClosed), connect(place):
            # The fork server, what watches over temporary files, the session, and two snapshots.
            wait_until(lambda: len(family.descendants()) >= 4, "the session keeps snapshots")
            family.process.send_signal(number)
            code = family.process.wait(60)
        wait_until(lambda: not family.members(), "all processes have ended")
        assert code == {signal.SIGKILL: -9, signal.SIGINT: 130, signal.SIGTERM: 0}[number]
