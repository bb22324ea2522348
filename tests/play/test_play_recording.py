"""What is played is recorded: the script's replay is the session."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path

import pytest

from emu.runner.runner import RunRequest, run_request
from emu.toolbox.computer.settings import Settings
from emu.toolbox.users.script import Script
from tests.play.play_kit import MENUS, game_of, served


def test_what_was_observed_is_not_lost_by_going_back(tmp_path: Path) -> None:
    async def play() -> None:
        async with served(MENUS["68000"]) as (page, server, _):
            await page.until(lambda: page.now > 10)
            await page.do("expect_text", text="items")
            await page.do("compare_picture")
            await page.until(lambda: "picture-1" in page.latest["step"]["yaml"])
            last = page.now
            await page.seek(5)
            await page.do("expect_text", text="5 items")
            await page.until(lambda: "5 items" in page.latest["step"]["yaml"])
            assert "picture-1" not in page.latest["step"]["yaml"], "that is still to come"
            await page.seek(2)
            await page.do("resume")
            await page.until(lambda: page.now > last + 2 and page.state == "running")
            await page.do("expect_text", text="Quit")
            await page.until(lambda: "Quit" in page.latest["step"]["yaml"])
            steps = page.latest["step"]["yaml"].partition("steps:\n")[2].splitlines()
            assert [step for step in steps if "window" not in step] == [
                "  - wait: {text: 5 items}",
                "  - wait: {text: items}",
                "  - compare: picture-1.png",
                "  - wait: {text: Quit}",
                "  - end: true",
            ]
            looks = [recorded.look for recorded in game_of(server).recording]
            assert looks == sorted(looks)
            assert looks[0] == 5
            await page.do("pause")
            await page.until(lambda: page.state == "paused")
            await page.do("expect_text", text="quit is")
            await page.until(lambda: "quit is" in page.latest["step"]["yaml"])
            (tmp_path / "recording.yaml").write_text(page.latest["step"]["yaml"])
            recorded = Script(tmp_path / "recording.yaml").recorded
            assert recorded is not None
            assert list(recorded.looks) == sorted(recorded.looks)

    asyncio.run(play())


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_a_played_session_is_saved_and_replayed_exactly(tmp_path, cpu):
    async def session() -> dict:
        async with served(MENUS[cpu]) as (page, _, _):
            await page.until(lambda: page.now > 10)
            await page.choose(30, 44)
            await asyncio.sleep(1.5)
            await page.do("compare_picture")
            await page.until(lambda: "compare" in page.latest["step"]["yaml"])
            await page.do("expect_text", text="checked")
            await page.until(lambda: "checked" in page.latest["step"]["yaml"])
            await page.do("key", key="z", modifiers=[])
            pressed = page.now
            await page.until(lambda: page.now > pressed + 20)
            await page.do("save_script")
            await page.until(lambda: "script" in page.latest)
            return page.latest["script"]

    saved = asyncio.run(session())
    (tmp_path / "recording.yaml").write_text(saved["yaml"])
    (tmp_path / "recording.events.yaml").write_text(saved["events"])
    for name, data in saved["pictures"].items():
        (tmp_path / f"{name}.png").write_bytes(base64.b64decode(data))
    settings = Settings(screen=(512, 342))
    script = tmp_path / "recording.yaml"
    for exact in (True, False):
        run = run_request(
            RunRequest(MENUS[cpu], script=script, settings=settings, may_be_exact=exact)
        )
        assert (run.problem, run.exit_code) == ("", 0)
        assert run.text.splitlines()[-2:] == ["checked", "key z"]
        assert run.replay.startswith("by exact inputs" if exact else "by its steps")
        assert (run.proof is not None) is exact
        if run.proof is not None:
            assert run.proof.calls == run.proof.of_calls > 100


def test_a_session_that_is_saved_later_is_replayed_until_then(tmp_path):
    """The program goes on after the last input: what it has done by then belongs to the session."""

    async def session() -> tuple[dict, int]:
        async with served(MENUS["68000"]) as (page, _, _):
            await page.until(lambda: page.now > 10)
            await page.do("key", key="z", modifiers=[])
            await page.until(lambda: "type: z" in page.latest.get("step", {}).get("yaml", ""))
            told, then = page.latest["step"]["yaml"], page.now
            await page.until(lambda: page.now > then + 30)
            await page.do("pause")
            await page.until(lambda: page.state == "paused")
            now = page.now
            await page.do("save_script")
            await page.until(lambda: "script" in page.latest)
            assert page.latest["script"]["yaml"] != told
            return page.latest["script"], now

    saved, now = asyncio.run(session())
    script = tmp_path / "recording.yaml"
    script.write_text(saved["yaml"])
    (tmp_path / "recording.events.yaml").write_text(saved["events"])
    recorded = Script(script).recorded
    assert recorded is not None
    assert recorded.looks[-1] == now + 1
    run = run_request(
        RunRequest(MENUS["68000"], script=script, settings=Settings(screen=(512, 342)))
    )
    assert (run.problem, run.replay) == ("", "by exact inputs")
    assert run.text.splitlines()[-1] == "key z"
    assert run.proof is not None
    assert run.proof.calls == run.proof.of_calls
    assert run.proof.screens >= 1, "it was saved at a look"
