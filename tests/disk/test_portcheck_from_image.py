"""PortCheck out of the disk image: run without a Mac, its results taken out and checked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from emu.cli import main

    path = tmp_path_factory.mktemp("disk") / "kit.dsk"
    assert main(["disk", "-o", str(path), "--quiet"]) == 0
    return path


@pytest.mark.slow
@pytest.mark.parametrize("screen", ["512x342", "640x480"])
@pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
def test_its_results_are_verified(
    macproof, image: Path, tmp_path: Path, cpu: str, screen: str
) -> None:
    program = f"{image}:PortCheck"
    done = macproof(
        "run", program, "--cpu", cpu, "--screen", screen, "--files", tmp_path, "--timeout", "120"
    )
    assert done.code == 0, done.out
    assert "Finished." in done.out
    done = macproof("results", tmp_path / "PortCheck Results")
    assert done.code == 0
    assert done.out.splitlines()[-1].startswith("verified in ")
    assert re.search(r"verified +25 ", done.out)


def test_what_is_beside_it_on_the_image_is_needed(macproof, image: Path, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    done = macproof("run", f"{image}:PortCheck", "--folder", folder, "--files", tmp_path / "out")
    assert "Finished." not in done.out
    assert not (tmp_path / "out").exists()
