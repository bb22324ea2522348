"""PortCheck as its user meets it, on both processors and without a Macintosh."""

from __future__ import annotations

import functools
import io
import os
import shutil
import subprocess
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from emu.base.errors import ToolMissingError
from emu.cases.keys.scene_name import SceneName
from emu.results.check import REFUTED, VERIFIED, check_results
from emu.results.results_file import RESULTS_NAME, parse_results_file
from emu.results.scenes_file import (
    SCENES_NAME,
    make_scenes_file,
    parse_scenes_file,
)
from emu.results.text_file import with_checksum
from emu.runner.runner import RunRequest, RunResult, run_request
from emu.toolbox.computer.settings import Settings
from emu.toolbox.managers.files import volume
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.open_files import OpenFile, OpenFiles
from emu.toolbox.managers.processes.traps import TrapManager
from emu.toolchain.mac_app.application import build_application
from emu.toolchain.mac_app.applications import read_applications
from emu.toolchain.mac_app.mac_prebuilt import prebuilt_application
from emu.toolchain.sources import mac_sources
from pyref.scene import make_scene
from pyref.sectors.four_shifts import determine_collisions
from tests.rows import slow_but

APPLICATION = read_applications(mac_sources())["port-check"]
SOURCES = mac_sources() / "port_check"
BUILDS = {"68000": "68000", "68040": "68000", "601": "601"}
"""By the processor that runs it, the one it is built for."""
PART_NAME = f"{RESULTS_NAME} (part)"

QUICK = """schema: macproof.script/1
steps:
  - wait: {text: Finished}
  - key: return
"""
ALERT = """schema: macproof.script/1
steps:
  - wait: {window: ""}
  - screen_picture: alert
  - key: return
"""


def _build(compilers: Callable[..., None], cpu: str, output: Path, sources: Path) -> Path:
    compilers(cpu)
    return build_application(
        APPLICATION.source_paths(sources),
        APPLICATION.title,
        cpu,
        sources / APPLICATION.resources,
        output,
        flags=("-Wall", "-Wextra", "-Werror"),
    )


@pytest.fixture(scope="session")
def port_check(compilers, tmp_path_factory) -> Callable[[str], Path]:
    """The program for a processor: the one that is kept, or else just built."""
    made: dict[str, Path] = {}

    def give(cpu: str) -> Path:
        build = BUILDS[cpu]
        if build not in made:
            try:
                made[build] = prebuilt_application(APPLICATION, build, mac_sources()).path
            except ToolMissingError:
                folder = tmp_path_factory.mktemp(f"port-check-{build}")
                made[build] = _build(compilers, build, folder, mac_sources())
        return made[build]

    return give


@pytest.fixture
def disk(tmp_path) -> Path:
    """A folder with the kit's scenes, which is the program's disk."""
    folder = tmp_path / "disk"
    folder.mkdir()
    (folder / SCENES_NAME).write_bytes(make_scenes_file())
    return folder


def _run(
    program: Path,
    cpu: str,
    disk: Path,
    tmp_path: Path,
    script: str = QUICK,
    screen: tuple[int, int] = (640, 480),
) -> RunResult:
    path = tmp_path / "user.script.yaml"
    path.write_text(script)
    settings = Settings(screen=screen, depth=1, folder=disk)
    # Time passes fast, so that a measurement is over after a few runs.
    request = RunRequest(program, cpu=cpu, settings=settings, script=path, step=400_000)
    return run_request(request)


def _words(result: RunResult) -> str:
    return " ".join(" ".join(window.text for window in result.windows).split())


def _left(disk: Path) -> set[str]:
    return {path.name for path in disk.iterdir() if not path.name.startswith("._")}


def _pixels(result: RunResult, name: str) -> np.ndarray:
    (png,) = [picture.png for picture in result.pictures if picture.name == name]
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("L"))


def _results(disk: Path):
    return check_results(
        parse_results_file((disk / RESULTS_NAME).read_bytes()),
        parse_scenes_file((disk / SCENES_NAME).read_bytes()),
    )


# -- the sources ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
def test_the_cross_compilers_have_no_warning(compilers, cpu, tmp_path):
    assert _build(compilers, cpu, tmp_path, mac_sources()).stat().st_size < 40_000


@pytest.mark.parametrize("source", sorted(SOURCES.glob("*.cpp")), ids=lambda p: p.name)
@pytest.mark.parametrize("cpu", ["m68k", "powerpc"])
def test_retro68_takes_the_sources(tmp_path, cpu, source):
    chosen = os.environ.get("RETRO68")
    if not chosen:
        pytest.skip("set RETRO68 to the folder of a Retro68 toolchain (the one with bin in it)")
    command = [
        str(Path(chosen) / "bin" / f"{cpu}-apple-macos-g++"),
        *("-O2", "-std=gnu++98", "-Wall", "-Wextra", "-Wno-array-bounds"),
        *(["-Dpowerc"] if cpu == "powerpc" else []),
        *("-I", str(mac_sources() / "retro68" / "include")),
        *("-I", str(mac_sources() / "four_shifts")),
        *("-c", str(source), "-o", str(tmp_path / "made.o")),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_source_is_built():
    named = {Path(source).name for source in APPLICATION.sources}
    assert {path.name for path in SOURCES.glob("*.cpp")} <= named


# -- what it finds ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["601"], ["68000", "68040", "601"]))
def test_its_results_are_verified(port_check, cpu, disk, tmp_path):
    result = _run(port_check(cpu), cpu, disk, tmp_path)
    assert (result.problem, result.exit_code) == ("", 0)
    assert [finding.problem for finding in result.findings] == []
    assert _left(disk) == {SCENES_NAME, RESULTS_NAME}
    checked = _results(disk)
    assert (checked.verdict, checked.comparisons) == (VERIFIED, 25)
    about = checked.results.about
    assert about["cpu"] == {"601": "PowerPC 601"}.get(cpu, cpu)
    assert about["machine"] == "macproof"
    assert about["system"] == "7.1.0"
    assert about["clock"] == "Microseconds"
    assert about["date"].startswith("1994-11-06 12:00:")
    assert [t.objects for t in checked.results.timings] == [0, 50, 100, 200]
    assert all(t.microseconds >= 2_000_000 for t in checked.results.timings)
    assert (disk / f"._{RESULTS_NAME}").read_bytes()[50:58] == b"TEXTMPrf"


@pytest.mark.slow
def test_both_processors_leave_the_same(port_check, disk, tmp_path):
    found, pictures = [], []
    for cpu in ("68000", "601"):
        result = _run(port_check(cpu), cpu, disk, tmp_path)
        found.append([(s.index, s.digest) for s in _results(disk).results.scenes])
        pictures.append([(p.name, p.png) for p in result.pictures])
    assert found[0] == found[1]
    assert pictures[0] == pictures[1]


@pytest.mark.slow
def test_older_results_are_replaced(port_check, disk, tmp_path):
    for name in (RESULTS_NAME, PART_NAME):
        (disk / name).write_bytes(b"old" * 1000)
    _run(port_check("68000"), "68000", disk, tmp_path)
    assert _left(disk) == {SCENES_NAME, RESULTS_NAME}
    assert _results(disk).verdict == VERIFIED


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_a_broken_routine_is_refuted_with_its_scene(compilers, cpu, disk, tmp_path):
    sources = tmp_path / "mac_src"
    for name in ("four_shifts", "port_check"):
        shutil.copytree(mac_sources() / name, sources / name)
    routine = sources / "four_shifts" / "four_shifts.cpp"
    text = routine.read_text()
    assert text.count("< kRectSize") == 4
    routine.write_text(text.replace("< kRectSize", "<= kRectSize"))
    program = _build(compilers, cpu, tmp_path / "built", sources)
    assert _run(program, cpu, disk, tmp_path).exit_code == 0
    checked = _results(disk)
    assert checked.verdict == REFUTED
    # Where touching objects must not count as a collision, and on no scene of one object.
    plans = {wrong.scene.plan for wrong in checked.refutations}
    assert SceneName("neighbours", 200, 1999) in plans
    assert all(plan.objects > 1 for plan in plans)


def test_scenes_beyond_a_routine_are_left_out(port_check, disk, tmp_path):
    plan = [SceneName("uniform", 500, 1), SceneName("uniform", 50, 2)]
    (disk / SCENES_NAME).write_bytes(make_scenes_file(plan, end_of_line=b"\n"))
    _run(port_check("601"), "601", disk, tmp_path)
    checked = _results(disk)
    assert (checked.verdict, checked.comparisons) == (VERIFIED, 1)
    assert [t.objects for t in checked.results.timings] == [50]


def test_corners_beyond_the_table_are_left_out(port_check, disk, tmp_path):
    lines = ["macproof scenes 1", "scenes 2"]
    lines += ["scene 0 given 1 0 640 480", "672 10", "scene 1 given 1 0 640 480", "671 543"]
    (disk / SCENES_NAME).write_bytes(with_checksum(lines))
    result = _run(port_check("68000"), "68000", disk, tmp_path)
    assert result.exit_code == 0
    found = parse_results_file((disk / RESULTS_NAME).read_bytes())
    assert [scene.index for scene in found.scenes] == [1]


# -- an old System ------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_old_system_has_less_and_it_works(port_check, disk, tmp_path, monkeypatch):
    absent = {0x860: "WaitNextEvent", 0x93: "Microseconds", 0xAD: "Gestalt"}
    real = TrapManager._get

    def get(self: TrapManager, number: int) -> int:
        return real(self, 0x89F if number in absent else number)

    monkeypatch.setattr(TrapManager, "_get", get)
    result = _run(port_check("68000"), "68000", disk, tmp_path)
    assert result.exit_code == 0
    assert not set(result.calls) & set(absent.values())
    assert "GetNextEvent" in result.calls
    checked = _results(disk)
    assert checked.verdict == VERIFIED
    about = checked.results.about
    assert (about["cpu"], about["machine"], about["system"]) == ("68K", "unknown", "unknown")
    assert about["clock"] == "TickCount"
    assert all(t.microseconds >= 6_000_000 for t in checked.results.timings)


# -- what its user sees -------------------------------------------------------------------------


def _expected_picture(plan: SceneName) -> np.ndarray:
    """A scene at half its size, as the window shows it; black is 0."""
    scene = make_scene(plan.generator, plan.objects, plan.seed)
    flags = determine_collisions(scene).flags
    v, h = np.mgrid[9 : 9 + 272, 9 : 9 + 336]  # patterns begin at the window's corner
    grey = np.where((v + h) % 2 == 0, 0, 255)
    picture = np.full((272, 336), 255)
    for (x, y), collided in zip((scene.corners // 2).tolist(), flags, strict=False):
        square = np.s_[y : y + 15, x : x + 15]
        if not collided:
            picture[square] = grey[square]
            continue
        picture[y, x : x + 15] = picture[y : y + 15, x] = 0
        for edge in (np.s_[y + 14 : y + 15, x : x + 15], np.s_[y : y + 15, x + 14 : x + 15]):
            picture[edge] = 0
    return picture


LOOK = """schema: macproof.script/1
steps:
  - wait: {text: Timing}
  - picture: window
  - screen_picture: screen
  - wait: {text: Finished}
  - key: return
"""


@pytest.mark.parametrize("screen", [(512, 342), pytest.param((640, 480), marks=pytest.mark.slow)])
def test_the_window_shows_the_scene_on_small_screens(port_check, screen, disk, tmp_path):
    plan = SceneName("uniform", 200, 1998)
    (disk / SCENES_NAME).write_bytes(make_scenes_file([plan]))
    result = _run(port_check("68000"), "68000", disk, tmp_path, LOOK, screen)
    window, whole = _pixels(result, "window"), _pixels(result, "screen")
    assert np.array_equal(window[9 : 9 + 272, 9 : 9 + 336], _expected_picture(plan))
    # All of it is on the screen, below the menu bar and its own title.
    v, h = np.argwhere(
        [
            [
                np.array_equal(whole[v : v + window.shape[0], h : h + window.shape[1]], window)
                for h in range(whole.shape[1] - window.shape[1] + 1)
            ]
            for v in range(whole.shape[0] - window.shape[0] + 1)
        ]
    )[0]
    assert v >= 20 + 19
    assert h >= 1
    assert h + window.shape[1] < screen[0]
    words = _words(result)
    assert "Scene 0 uniform 200 objects" in words
    assert "Command-period stops." in words


@pytest.mark.slow
def test_a_large_screen_shows_the_scene_whole(port_check, disk, tmp_path):
    result = _run(port_check("601"), "601", disk, tmp_path, LOOK, (1024, 768))
    assert _pixels(result, "window").shape[1] > 672 + 100


# -- ways out -----------------------------------------------------------------------------------

_WAYS = {
    "command-period": "{key: '.', modifiers: [command]}",
    "command-q": "{key: q, modifiers: [command]}",
    "menu": "{menu: [File, Quit]}",
    "close box": "{click: {close: true}}",
}


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["Checking", "Timing"])
@pytest.mark.parametrize("way", _WAYS)
def test_it_can_be_stopped(port_check, way, moment, disk, tmp_path):
    script = f"schema: macproof.script/1\nsteps:\n  - wait: {{text: {moment}}}\n  - {_WAYS[way]}\n"
    result = _run(port_check("68000"), "68000", disk, tmp_path, script)
    assert (result.problem, result.exit_code) == ("", 0)
    assert "Finished" not in _words(result)
    assert _left(disk) == {SCENES_NAME}


# -- what can go wrong --------------------------------------------------------------------------


class _Locked(IntEnum):
    SOFTWARE, HARDWARE = -46, -44


def _complaint(program: Path, cpu: str, disk: Path, tmp_path: Path) -> str:
    """What the one alert says that the program ends with."""
    result = _run(program, cpu, disk, tmp_path, ALERT)
    assert (result.problem, result.exit_code) == ("", 0)
    assert result.calls["StopAlert"] == 1
    assert RESULTS_NAME not in _left(disk)
    assert PART_NAME not in _left(disk)
    assert (_pixels(result, "alert") == 0).any()
    return _words(result)


@pytest.mark.parametrize("cpu", slow_but(["68000"], ["68000", "601"]))
def test_missing_scenes_are_told(port_check, cpu, disk, tmp_path):
    (disk / SCENES_NAME).unlink()
    words = _complaint(port_check(cpu), cpu, disk, tmp_path)
    assert '"PortCheck Scenes" is not there. Put it into the folder' in words


_scenes = functools.cache(make_scenes_file)


def _edited(old: str, new: str) -> bytes:
    lines = _scenes().decode("ascii").split("\r")[:-2]
    assert any(old in line for line in lines)
    return with_checksum("\r".join(lines).replace(old, new, 1).split("\r"))


_DAMAGED: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "a line": lambda: b"\r",
    "an end": lambda: b"end 00000001\r",
    "half": lambda: _scenes()[:5000],
    "no last end of line": lambda: _scenes()[:-1],
    "changed": lambda: _scenes().replace(b"423 2\r", b"423 3\r"),
    "more": lambda: _scenes() + b"end 00000000\r",
    "a scene missing": lambda: _edited("scenes 25", "scenes 26"),
    "a scene too many": lambda: _edited("scenes 25", "scenes 24"),
    "no scenes": lambda: _edited("scenes 25", "scenes 0"),
    "very many scenes": lambda: _edited("scenes 25", "scenes 99999999999999999999"),
    "a scene twice": lambda: _edited("scene 3", "scene 4"),
    "an object missing": lambda: _edited("uniform 50", "uniform 51"),
    "very many objects": lambda: _edited("uniform 50", "uniform 50000"),
    "a long name": lambda: _edited("uniform 50", "a-name-that-is-much-too-long-for-it 50"),
    "negative": lambda: _edited("423 2", "423 -2"),
    "far away": lambda: _edited("423 2", "423 40000"),
    "half an object": lambda: _edited("423 2", "423"),
    "very long": lambda: bytes(401 << 10),
}


@pytest.mark.slow
@pytest.mark.parametrize("damage", _DAMAGED)
def test_damaged_scenes_are_told(port_check, damage, disk, tmp_path):
    (disk / SCENES_NAME).write_bytes(_DAMAGED[damage]())
    words = _complaint(port_check("68000"), "68000", disk, tmp_path)
    assert '"PortCheck Scenes" is damaged. Copy it from the disk image again.' in words


def test_scenes_of_another_version_are_told(port_check, disk, tmp_path):
    (disk / SCENES_NAME).write_bytes(_edited("macproof scenes 1", "macproof scenes 2"))
    words = _complaint(port_check("601"), "601", disk, tmp_path)
    assert "is not for this PortCheck" in words


@pytest.mark.parametrize("cpu", slow_but(["68000"], ["68000", "601"]))
@pytest.mark.parametrize("room", [0, 500])
def test_a_full_disk_is_told_before_anything_is_measured(
    port_check, cpu, room, disk, tmp_path, monkeypatch
):
    used = (disk / SCENES_NAME).stat().st_size
    program = port_check(cpu)
    monkeypatch.setattr(volume, "CAPACITY", used + room)
    words = _complaint(program, cpu, disk, tmp_path)
    assert "The disk is full" in words
    assert "Checking" not in words


@pytest.mark.slow
@pytest.mark.parametrize("older", [None, b"mine"])
@pytest.mark.parametrize("moment", ["write", "rename"])
def test_a_disk_that_fails_at_the_end_is_told(
    port_check, moment, older, disk, tmp_path, monkeypatch
):
    """It leaves nothing, and older results as they were."""
    if older is not None:
        (disk / RESULTS_NAME).write_bytes(older)
    rename = volume.Volume.rename

    def fail_to_rename(self: volume.Volume, node: volume.Node, name: bytes) -> None:
        if node.name == PART_NAME.encode():
            raise FileError(volume.ResultCode.dskFulErr)
        rename(self, node, name)

    def fail_to_write(self: OpenFiles, opened: OpenFile, *arguments: object) -> int:
        raise FileError(volume.ResultCode.dskFulErr)

    if moment == "rename":
        monkeypatch.setattr(volume.Volume, "rename", fail_to_rename)
    else:
        monkeypatch.setattr(OpenFiles, "write", fail_to_write)
    script = QUICK.replace("Finished", "disk is full")
    result = _run(port_check("68000"), "68000", disk, tmp_path, script)
    assert (result.problem, result.exit_code) == ("", 0)
    assert "Timing" in _words(result)
    if older is None:
        assert _left(disk) == {SCENES_NAME}
    else:
        assert _left(disk) == {SCENES_NAME, RESULTS_NAME}
        assert (disk / RESULTS_NAME).read_bytes() == older


@pytest.mark.parametrize("code", _Locked)
@pytest.mark.parametrize("cpu", slow_but(["68000"], ["68000", "601"]))
def test_a_locked_disk_is_told(port_check, cpu, code, disk, tmp_path, monkeypatch):
    def refuse(self: volume.Volume, *arguments: object, **options: object) -> None:
        raise FileError(code)  # type: ignore[arg-type]

    monkeypatch.setattr(volume.Volume, "create_file", refuse)
    monkeypatch.setattr(volume.Volume, "delete", refuse)
    words = _complaint(port_check(cpu), cpu, disk, tmp_path)
    assert "The disk is locked" in words


def test_locked_results_are_told_and_kept(port_check, disk, tmp_path, monkeypatch):
    (disk / RESULTS_NAME).write_bytes(b"mine")
    real = volume.Volume._enter

    def enter(self: volume.Volume, node: volume.Node) -> None:
        node.locked = node.name == RESULTS_NAME.encode()
        real(self, node)

    monkeypatch.setattr(volume.Volume, "_enter", enter)
    result = _run(port_check("601"), "601", disk, tmp_path, ALERT)
    assert result.exit_code == 0
    assert '"PortCheck Results" is locked' in _words(result)
    assert "Checking" not in _words(result)
    assert (disk / RESULTS_NAME).read_bytes() == b"mine"
    assert _left(disk) == {SCENES_NAME, RESULTS_NAME}
