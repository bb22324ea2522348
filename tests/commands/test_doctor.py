"""``macproof doctor``: what there is, what is missing, what that costs, and how it ends."""

from __future__ import annotations

import importlib.metadata
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from emu.doctor import examination, folders, packages, tools
from emu.doctor.report import Facility, State
from emu.toolchain.builds import ALL_TARGETS

Command = Callable[..., Any]


@pytest.fixture
def without_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    """The main job is not tried, which takes longest."""
    parts = [part for part in examination._PARTS if part[0] != "trial"]
    monkeypatch.setattr(examination, "_PARTS", parts)


def named(facilities: Any, name: str) -> Facility:
    (found,) = [one for one in facilities if one.name == name]
    return found


def test_the_main_job_is_tried(macproof: Command, tmp_path: Path):
    forms = ("--json", tmp_path / "d.json", "--junit", tmp_path / "d.xml")
    done = macproof("doctor", *forms)
    assert (done.code, done.err) == (0, "")
    assert "verified on 68000, 68040, 601" in done.out
    report = json.loads((tmp_path / "d.json").read_text())
    assert (report["schema"], report["verdict"]) == ("macproof.doctor/1", "ready")
    assert {one["group"] for one in report["facilities"]} == {
        *("Python packages", "folders", "compilers", "engines", "main job")
    }
    lacks = [one for one in report["facilities"] if one["state"] != "present"]
    assert all(one["cost"] for one in lacks)
    suites = ElementTree.parse(tmp_path / "d.xml").getroot()
    assert len(list(suites.iter("testcase"))) == len(report["facilities"])


def test_a_main_job_that_fails_is_told(macproof: Command, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(examination, "_PARTS", (("trial", "examine_main_job"),))
    monkeypatch.setattr("emu.doctor.trial._SCENES", 0)
    done = macproof("doctor")
    assert done.code == 3
    assert "Inconclusive on 68000, 68040, 601" in done.out
    assert "not ready (macproof verify cannot run: macproof verify four-shifts" in done.out


@pytest.mark.usefixtures("no_compilers", "without_trial")
def test_what_a_compiler_that_is_missing_costs(macproof: Command, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tools, "compiler_version", lambda command: None)
    done = macproof("doctor")
    assert done.code == 0
    for compiler in {target.compiler for target in ALL_TARGETS.values()}:
        assert f"{compiler} (missing): without it, routines of your own cannot" in done.out
    assert "cannot be compiled for 601; prebuilt programs run." in done.out
    assert "apt-get install g++-m68k-linux-gnu." in done.out


@pytest.mark.usefixtures("without_trial")
def test_a_package_that_is_missing_or_old_ends_with_3(
    macproof: Command, monkeypatch: pytest.MonkeyPatch
):
    real = importlib.metadata.version

    def version(name: str) -> str:
        if name == "capstone":
            raise importlib.metadata.PackageNotFoundError(name)
        return "1.9.9rc1" if name == "unicorn" else real(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    monkeypatch.setattr(
        importlib.metadata,
        "requires",
        lambda name: ["capstone>=5.0.1", "unicorn>=2.1.4", 'dask>=9999; extra == "cluster"'],
    )
    done = macproof("doctor")
    assert done.code == 3
    assert "not ready (macproof verify cannot run: capstone, unicorn)" in done.out
    assert "1.9.9rc1 is older than 2.1.4: pip install 'unicorn>=2.1.4'" in done.out
    assert "dask (missing): without it, campaigns run on this computer only" in done.out


def test_versions_are_compared_as_numbers():
    assert packages._numbers("10.2.post1") > packages._numbers("9.30")
    assert packages._numbers("2.1.4") == packages._numbers("2.1.4rc2")


def test_a_library_that_cannot_be_loaded_is_a_finding(
    macproof: Command, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delitem(sys.modules, "emu.doctor.tools")
    monkeypatch.setitem(sys.modules, "emu.engines.registry", None)
    monkeypatch.setattr(examination, "_PARTS", (("tools", "examine_engines"),))
    done = macproof("doctor")
    assert done.code == 3
    assert "engines" in done.out


def test_folders_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def examine() -> list[Facility]:
        return list(folders.examine_folders())

    (tmp_path / "file").touch()
    monkeypatch.setenv("MACPROOF_CACHE", str(tmp_path / "file" / "cache"))
    cache = named(examine(), "cache (MACPROOF_CACHE)")
    assert (cache.state, "cannot be written to" in cache.detail) == (State.MISSING, True)
    monkeypatch.setenv("MACPROOF_CACHE", str(tmp_path / "new" / "cache"))
    cache = named(examine(), "cache (MACPROOF_CACHE)")
    assert (cache.state, "is made when it is needed" in cache.detail) == (State.PRESENT, True)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    monkeypatch.setattr(folders, "_LEAST", 1 << 80)
    assert named(examine(), "temporary files").state is State.NEEDED


def test_shared_memory_without_permission_is_named(
    macproof: Command, monkeypatch: pytest.MonkeyPatch
):
    """As the C library says it: that no file is there, with no name."""

    def refuse(*arguments: Any) -> None:
        raise FileNotFoundError(2, os.strerror(2))

    monkeypatch.setattr("_multiprocessing.SemLock", refuse)
    monkeypatch.setattr(examination, "_PARTS", (("folders", "examine_folders"),))
    done = macproof("doctor")
    assert done.code == 3
    assert "Worker processes need locks that they share, and none can be made" in done.out
    if sys.platform == "linux":
        assert "in /dev/shm: Permission denied. Make /dev/shm a folder that you" in done.out


@pytest.mark.usefixtures("without_trial")
def test_a_compiler_that_is_named_and_not_there_is_told(
    macproof: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("MACPROOF_M68K_CXX", str(tmp_path / "m68k-elf-g++"))
    done = macproof("doctor", "--json", tmp_path / "d.json")
    assert done.code == 0
    (found,) = [
        one
        for one in json.loads((tmp_path / "d.json").read_text())["facilities"]
        if one["name"] == "m68k-linux-gnu-g++"
    ]
    assert found["state"] == "missing"
    assert "m68k-elf-g++, which --compiler" in found["detail"]
