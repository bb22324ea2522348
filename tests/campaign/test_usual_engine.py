"""A campaign's usual engine: translated code where that is possible, and what it began with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from emu.cli import main

WORDS = ("four-shifts", "--cpu", "68040", "--build", "O2", "--programs", "prebuilt")
FEW = ("--scenes", "20", "--shard", "10", "--jobs", "1", "--quiet")


def report(folder: Path) -> dict[str, object]:
    file = folder / "report.json"
    assert main(["campaign", "report", str(folder), "--json", str(file), "--quiet"]) == 0
    read: dict[str, object] = json.loads(file.read_text())
    return read


@pytest.mark.slow
def test_a_campaign_in_translated_code_finds_what_one_on_unicorn_finds(tmp_path: Path) -> None:
    usual, other = tmp_path / "usual", tmp_path / "other"
    assert main(["campaign", "run", str(usual), *WORDS, *FEW]) == 0
    assert main(["campaign", "run", str(other), *WORDS, *FEW, "--engine", "unicorn"]) == 0
    found, expected = report(usual), report(other)
    assert found["answers_sha256"] == expected["answers_sha256"]
    assert found["scenes_sha256"] == expected["scenes_sha256"]
    assert found["unreached"] == expected["unreached"]
    ((mine,), (its,)) = (one["results"] for one in (found, expected))  # type: ignore[misc]
    assert mine.pop("engine").startswith("translated (pypcode ")
    assert its.pop("engine").startswith("unicorn ")
    assert (mine.pop("translated"), its.pop("translated")) == (mine["calls"], 0)
    assert mine == its


def test_a_campaign_goes_on_with_the_engine_that_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen: list[str] = []

    def usual(cpus: object) -> str:
        chosen.append("asked")
        return "unicorn"

    monkeypatch.setattr("emu.commands.campaign.usual_engine", usual)
    folder = str(tmp_path / "kept")
    assert main(["campaign", "run", folder, *WORDS, *FEW]) == 0
    assert chosen == ["asked"]
    assert main(["campaign", "run", folder, *WORDS, *FEW]) == 0
    assert chosen == ["asked"]


def test_where_addresses_are_scarce_it_is_unicorn() -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)); "
        "from emu.engines.usual_engine import usual_engine; print(usual_engine(['68040']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "unicorn\n"
