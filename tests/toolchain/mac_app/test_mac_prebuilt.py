"""The prebuilt applications: of exactly these sources, whole, and what the compilers give."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import CaseError, ProgramError, ToolMissingError, UsageError
from emu.program.mac_file.mac_file import read_mac_file
from emu.runner.runner import RunRequest, run_request
from emu.toolbox.calls.m68k import M68kDispatcher
from emu.toolbox.calls.trap_table import trap_number
from emu.toolbox.computer.settings import Settings
from emu.toolbox.loader import load
from emu.toolbox.users.patient_user import PatientUser
from emu.toolchain.builds import TARGETS
from emu.toolchain.compiler import compiler_version
from emu.toolchain.mac_app.applications import (
    ApplicationRecipe,
    find_applications,
    read_applications,
)
from emu.toolchain.mac_app.mac_prebuilt import (
    PREBUILT_CPUS,
    build_for_keeping,
    prebuilt_application,
    prebuilt_folder,
    write_prebuilt_applications,
)
from emu.toolchain.mac_app.resources import read_description
from emu.toolchain.sources import mac_sources
from tests.rows import slow_but

SOURCES = mac_sources()
FOLDER = prebuilt_folder(SOURCES)
APPLICATIONS = read_applications(SOURCES)
FOUR_SHIFTS = APPLICATIONS["four-shifts"]
EVERY = [(application, cpu) for application in APPLICATIONS.values() for cpu in PREBUILT_CPUS]


def name_of(value: object) -> str:
    return value.name if isinstance(value, ApplicationRecipe) else str(value)


every = pytest.mark.parametrize("application, cpu", EVERY, ids=name_of)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the sources and the prebuilt applications, to be damaged."""
    return Path(shutil.copytree(SOURCES, tmp_path / "mac_src"))


@every
def test_it_is_of_the_sources_beside_it(application: ApplicationRecipe, cpu: str):
    """A source was changed and the programs not: macproof build --app --write-prebuilt."""
    found = prebuilt_application(application, cpu, SOURCES)
    file = read_mac_file(found.path)
    assert (file.name, file.type, file.creator) == (application.title, "APPL", "MPrf")


@pytest.mark.slow
@every
def test_the_same_compiler_gives_the_same_bytes(
    application: ApplicationRecipe, cpu: str, compilers: Callable[..., None], tmp_path: Path
):
    compilers(cpu)
    found = prebuilt_application(application, cpu, SOURCES)
    if compiler_version(TARGETS[cpu].compiler) != found.compiler:
        pytest.skip(f"it was made by another compiler: {found.compiler}")
    path, symbols = build_for_keeping(application, cpu, tmp_path, SOURCES)
    assert path.read_bytes() == found.path.read_bytes()
    assert symbols.read_bytes() == found.symbols.read_bytes()


def test_the_folder_holds_what_the_manifest_names_and_nothing_else():
    manifest = json.loads((FOLDER / "manifest.json").read_text())
    named = {path for entry in manifest["applications"] for path in entry["sha256"]}
    there = {str(p.relative_to(FOLDER)) for p in FOLDER.rglob("*") if p.is_file()}
    assert there == named | {"manifest.json"}
    keys = [(entry["application"], entry["cpu"]) for entry in manifest["applications"]]
    assert keys == sorted((application.name, cpu) for application, cpu in EVERY)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["601"], PREBUILT_CPUS))
def test_it_runs(cpu: str):
    found = prebuilt_application(FOUR_SHIFTS, cpu, SOURCES)
    result = run_request(RunRequest(found.path, cpu=cpu, settings=Settings(timeout=60)))
    assert result.completed
    assert [line.split(":")[0] for line in result.text.splitlines()] == [
        "Collision testing...",
        "0 objects",
        "50 objects",
        "100 objects",
        "200 objects",
    ]


def test_no_application_tells_where_it_was_built():
    for application, cpu in EVERY:
        found = prebuilt_application(application, cpu, SOURCES)
        for path in (found.path, found.symbols):
            assert str(SOURCES).encode() not in path.read_bytes()


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changed",
    [
        "four_shifts/four_shifts.cpp",
        "four_shifts/four_shifts.h",
        "four_shifts/four_shifts.yaml",
        "runtime/mac/console.c",
    ],
)
def test_other_sources_have_no_prebuilt_application(changed: str, copy: Path):
    path = copy / changed
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(ToolMissingError, match=r"made from other sources.*apt-get install"):
        prebuilt_application(FOUR_SHIFTS, "601", copy)


def test_a_damaged_application_is_recognised(copy: Path):
    for name in ("Four Shifts.bin", "Four Shifts.code.bin.gdb"):
        path = prebuilt_folder(copy) / "68000" / name
        whole = path.read_bytes()
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        with pytest.raises(ProgramError, match="not the file its manifest describes"):
            prebuilt_application(FOUR_SHIFTS, "68000", copy)
        path.unlink()
        with pytest.raises(ProgramError, match="cannot be read"):
            prebuilt_application(FOUR_SHIFTS, "68000", copy)
        path.write_bytes(whole)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"schema": "macproof.prebuilt-applications/1"}',
        '{"schema": "macproof.prebuilt-applications/1", "applications": [1]}',
        '{"schema": "macproof.prebuilt-applications/1", "applications": [{"application": "x"}]}',
        '{"schema": "other/1", "applications": []}',
    ],
)
def test_a_damaged_manifest_is_recognised(text: str, copy: Path):
    (prebuilt_folder(copy) / "manifest.json").write_text(text)
    with pytest.raises(ProgramError, match=r"manifest\.json"):
        prebuilt_application(FOUR_SHIFTS, "601", copy)


def test_without_a_manifest_there_is_none(copy: Path):
    (prebuilt_folder(copy) / "manifest.json").unlink()
    with pytest.raises(ToolMissingError, match="there is no prebuilt Four Shifts for the 601"):
        prebuilt_application(FOUR_SHIFTS, "601", copy)


@pytest.mark.slow
def test_writing_one_leaves_the_others(copy: Path, compilers: Callable[..., None]):
    compilers(*PREBUILT_CPUS)
    manifest = prebuilt_folder(copy) / "manifest.json"
    before = json.loads(manifest.read_text())
    assert write_prebuilt_applications([FOUR_SHIFTS], copy) == manifest
    after = json.loads(manifest.read_text())
    assert [e["application"] for e in after["applications"]] == [
        e["application"] for e in before["applications"]
    ]
    for cpu in PREBUILT_CPUS:
        found = prebuilt_application(FOUR_SHIFTS, cpu, copy)
        digests = [e["sha256"] for e in after["applications"]]
        digest = hashlib.sha256(found.path.read_bytes()).hexdigest()
        assert any(d.get(f"{cpu}/{found.path.name}") == digest for d in digests)


# -- the list of applications ----------------------------------------------------------------------


def test_applications_are_found_by_any_of_their_names():
    for name in ("four-shifts", "four_shifts", "Four Shifts", "FourShifts", "mac_src/four_shifts"):
        assert find_applications([name], SOURCES) == [FOUR_SHIFTS]
    assert find_applications([], SOURCES) == list(APPLICATIONS.values())
    assert find_applications(["four-shifts", "FourShifts"], SOURCES) == [FOUR_SHIFTS]
    with pytest.raises(UsageError, match="no application 'five-shifts'; there are four-shifts"):
        find_applications(["five-shifts"], SOURCES)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("title: Four Shifts", "title: Four/Shifts", "line 3: title: 'Four/Shifts'"),
        ("target: FourShifts\n", "", "the key target is missing"),
        ("name: four-shifts", "name: port-check", "another application is called port-check too"),
    ],
)
def test_a_wrong_declaration_is_refused(old: str, new: str, problem: str, copy: Path):
    path = copy / "four_shifts" / "application.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises((CaseError, UsageError), match=problem):
        read_applications(copy)


def test_cmake_builds_the_same_sources():
    text = (SOURCES / "CMakeLists.txt").read_text()
    found = {
        name: words.split()
        for name, words in re.findall(r"macproof_application\((\w+) MPrf\s+([^)]*)\)", text)
    }
    assert set(found) == {application.target for application in APPLICATIONS.values()}
    for application in APPLICATIONS.values():
        files = found[application.target]
        assert tuple(file for file in files if not file.endswith(".r")) == application.sources
        assert all((SOURCES / file).is_file() for file in files)


def test_rez_is_told_the_same_icon():
    """The two descriptions of the program's icon, for Rez and for macproof's own toolchain."""
    text = (SOURCES / "retro68" / "finder.r").read_text()
    icon = text[text.index("resource 'ICN#'") :]
    told = bytes.fromhex("".join(re.findall(r'\$"([0-9A-F ]+)"', icon)))
    description = read_description(SOURCES / FOUR_SHIFTS.resources)
    (own,) = [one.data for one in description.resources if one.type == "ICN#"]
    assert told == own
    assert len(own) == 256
    picture, mask = (int.from_bytes(half, "big") for half in (own[:128], own[128:]))
    assert picture & ~mask == 0


@pytest.mark.slow
def test_four_shifts_runs_where_there_is_no_microsecond_clock() -> None:
    """System 6 has no such trap: it is asked for, and never called."""
    mac = load(FOLDER / "68000" / "Four Shifts.bin", "68000")
    assert isinstance(mac.dispatcher, M68kDispatcher)
    routines = mac.dispatcher._routines
    known = routines._by_trap  # all Macintoshes have the same
    routines._by_trap = {n: one for n, one in known.items() if n != trap_number(0xA193)}
    mac.events.user = PatientUser(mac)
    mac.run()
    assert mac.calls["TickCount"] > 1000
    assert mac.calls["Microseconds"] == 0
    assert b"200 objects: " in bytes(mac.outputs.console)
