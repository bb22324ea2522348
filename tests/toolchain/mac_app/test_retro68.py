"""Retro68: how it is found, what is said when something is missing or refused, what it makes.

Most of it needs no Retro68: a folder with scripts takes its place, and that of CMake.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import CompileError, ProgramError, ToolMissingError
from emu.program.fragments.cfrg import parse_code_fragments
from emu.program.mac_file.mac_file import read_mac_file
from emu.runner.runner import RunRequest, RunResult, run_request
from emu.toolbox.computer.settings import Settings
from emu.toolchain.builds import TARGETS
from emu.toolchain.mac_app.applications import read_applications
from emu.toolchain.mac_app.fat import make_fat_application
from emu.toolchain.mac_app.mac_prebuilt import prebuilt_application
from emu.toolchain.mac_app.retro68 import build_with_retro68
from emu.toolchain.process import run_with_progress
from emu.toolchain.retro68 import RETRO68_TARGETS, Retro68, find_retro68
from emu.toolchain.sources import mac_sources

SOURCES = mac_sources()
FOUR_SHIFTS = read_applications(SOURCES)["four-shifts"]
BOTH = ("68000", "601")
MAC_PROGRAMS = Path(__file__).parents[2] / "programs" / "mac" / "prebuilt"

Driven = Callable[..., tuple[Retro68, Callable[[], str]]]


def write_script(path: Path, text: str = "exit 0") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder of PATH: it has a cmake and a make that do nothing."""
    folder = tmp_path / "tools"
    write_script(folder / "cmake")
    write_script(folder / "make")
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("RETRO68", raising=False)
    return folder


@pytest.fixture
def toolchain(tmp_path: Path) -> Path:
    """A folder with everything that is looked for, and nothing in it."""
    folder = tmp_path / "Retro68-build" / "toolchain"
    for target in RETRO68_TARGETS.values():
        for name in target.needed:
            write_script(folder / name)
    (folder / "m68k-apple-macos" / "include" / "Multiverse.h").touch()
    return folder


def refusal(given: Path | None, cpus: tuple[str, ...] = BOTH) -> str:
    with pytest.raises(ToolMissingError) as caught:
        find_retro68(given, cpus)
    assert caught.value.exit_code == 3
    return str(caught.value)


# -- how it is found -------------------------------------------------------------------------------


def test_the_folder_given_comes_first(
    toolchain: Path, tools: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("RETRO68", str(tmp_path / "elsewhere"))
    found = find_retro68(toolchain, BOTH)
    assert (found.folder, found.generator) == (toolchain, "Unix Makefiles")
    assert found.cmake == str(tools / "cmake")
    assert "multiversal" in found.interfaces


def test_the_build_folder_will_do(toolchain: Path, tools: Path):
    assert find_retro68(toolchain.parent, BOTH).folder == toolchain


def test_then_the_environment_variable(
    toolchain: Path, tools: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("RETRO68", str(toolchain))
    assert find_retro68(None, BOTH).folder == toolchain


@pytest.mark.parametrize("prefix", ["m68k-apple-macos", "powerpc-apple-macos"])
def test_then_a_compiler_in_the_path(
    prefix: str, toolchain: Path, tools: Path, monkeypatch: pytest.MonkeyPatch
):
    # By a link, as a person may have put it there.
    (tools / f"{prefix}-g++").symlink_to(toolchain / "bin" / f"{prefix}-g++")
    assert find_retro68(None, BOTH).folder == toolchain


def test_ninja_will_do(toolchain: Path, tools: Path):
    (tools / "make").rename(tools / "ninja")
    assert find_retro68(toolchain, BOTH).generator == "Ninja"


def test_other_interfaces_are_told_apart(toolchain: Path, tools: Path):
    (toolchain / "m68k-apple-macos" / "include" / "Multiverse.h").unlink()
    assert "Universal" in find_retro68(toolchain, BOTH).interfaces


# -- what is said when it is not there -------------------------------------------------------------


def test_nowhere_to_be_found(tools: Path):
    said = refusal(None)
    for looked_for in (
        "--retro68",
        "RETRO68",
        "m68k-apple-macos-g++",
        "powerpc-apple-macos-g++",
        "https://github.com/autc04/Retro68",
        "macproof build --app",
    ):
        assert looked_for in said


def test_no_such_folder(tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert f"{tmp_path / 'none'}, given with --retro68, is no folder" in refusal(tmp_path / "none")
    monkeypatch.setenv("RETRO68", str(tmp_path / "none"))
    assert "which the environment variable RETRO68 names, is no folder" in refusal(None)


MISSING = [
    ("68000", "bin/m68k-apple-macos-gcc", "is not there, the C compiler"),
    ("68000", "bin/m68k-apple-macos-g++", "is not there, the C++ compiler"),
    ("68000", "bin/Rez", "is not there, which makes applications"),
    (
        "68000",
        "m68k-apple-macos/cmake/retro68.toolchain.cmake",
        "is not there, the toolchain file for CMake",
    ),
    ("68000", "m68k-apple-macos/include/Types.h", "is not there: no interfaces are installed"),
    ("601", "bin/powerpc-apple-macos-g++", "is not there, the C++ compiler"),
    ("601", "bin/MakePEF", "is not there, which makes applications"),
    (
        "601",
        "powerpc-apple-macos/cmake/retroppc.toolchain.cmake",
        "is not there, the toolchain file for CMake",
    ),
]


@pytest.mark.parametrize("cpu, name, problem", MISSING, ids=lambda value: str(value)[-20:])
def test_a_missing_part_is_named(cpu: str, name: str, problem: str, toolchain: Path, tools: Path):
    (toolchain / name).unlink()
    said = refusal(toolchain)
    assert f"{toolchain / name} {problem}" in said
    assert said.count(" is not there") == 1
    # It is needed for one processor only, unless both need it.
    (other,) = {*BOTH} - {cpu}
    if name != "bin/Rez":
        assert find_retro68(toolchain, (other,)).folder == toolchain


def test_all_that_is_missing_is_named_at_once(toolchain: Path, tools: Path):
    for _, name, _ in MISSING:
        (toolchain / name).unlink()
    (tools / "cmake").unlink()
    (tools / "make").unlink()
    said = refusal(toolchain)
    assert all(str(toolchain / name) in said for _, name, _ in MISSING)
    assert "cmake is not installed" in said
    assert "apt-get install cmake" in said
    assert "neither make nor ninja is installed" in said


def test_a_compiler_that_may_not_be_executed(toolchain: Path, tools: Path):
    path = toolchain / "bin" / "m68k-apple-macos-g++"
    path.chmod(stat.S_IRUSR)
    assert f"{path} may not be executed" in refusal(toolchain)


# -- how CMake is driven ---------------------------------------------------------------------------

CMAKE = """
PATH=/usr/bin:/bin
echo "$@" >> {log}
if [ "$1" = -S ]; then
    echo "-- The C compiler identification is GNU"
    {configure}
    exit 0
fi
echo "[ 50%] Building CXX object four_shifts.cpp.obj"
{build}
echo "[100%] Built target FourShifts_APPL"
"""


@pytest.fixture
def driven(toolchain: Path, tools: Path, tmp_path: Path) -> Driven:
    """A toolchain with a CMake that does as it is told, and the arguments it got."""

    def make(configure: str = "", build: str = "") -> tuple[Retro68, Callable[[], str]]:
        log = tmp_path / "arguments"
        write_script(
            tools / "cmake", CMAKE.format(log=log, configure=configure or ":", build=build or ":")
        )
        return find_retro68(toolchain, BOTH), log.read_text

    return make


def test_what_was_made_is_packed_under_its_own_name(driven: Driven, tmp_path: Path):
    application = MAC_PROGRAMS / "601" / "empty.bin"
    retro68, arguments = driven(
        build=f"cp {application} $2/FourShifts.bin; echo symbols > $2/FourShifts.xcoff"
    )
    steps: list[tuple[float, str]] = []
    (made,) = build_with_retro68(
        retro68,
        [FOUR_SHIFTS],
        "601",
        tmp_path / "out",
        SOURCES,
        progress=lambda done, what: steps.append((done, what)),
    )
    assert made == tmp_path / "out" / "Four Shifts.bin"
    file, before = read_mac_file(made), read_mac_file(application)
    assert (file.name, file.type, file.creator) == ("Four Shifts", "APPL", before.creator)
    assert file.data == before.data
    fragments = parse_code_fragments(file.resources["cfrg", 0].data, made)
    assert [fragment.name for fragment in fragments] == ["Four Shifts"]
    assert (tmp_path / "out" / "Four Shifts.xcoff").read_text() == "symbols\n"
    assert steps == [
        (0.5, "Building CXX object four_shifts.cpp.obj"),
        (1.0, "Built target FourShifts_APPL"),
    ]
    configured, built = arguments().splitlines()
    assert f"-S {SOURCES} " in configured
    assert "retroppc.toolchain.cmake" in configured
    assert f"-DRETRO68_ROOT={retro68.folder}" in configured
    assert "MACPROOF_LISTING" not in configured
    assert "--target FourShifts_APPL" in built


def test_a_listing_is_built_as_well(driven: Driven, tmp_path: Path):
    application = MAC_PROGRAMS / "68000" / "empty.bin"
    retro68, arguments = driven(build=f"cp {application} $2/Listing.bin")
    listing = tmp_path / "my listing.cpp"
    listing.touch()
    (made,) = build_with_retro68(
        retro68, [], "68000", tmp_path / "out", SOURCES, listing=(listing, "My Program")
    )
    assert read_mac_file(made).name == "My Program"
    assert f"-DMACPROOF_LISTING={listing}" in arguments()
    assert "--target Listing_APPL" in arguments()


def test_the_checks_that_are_wanted_are_compiled_in(driven: Driven, tmp_path: Path):
    application = MAC_PROGRAMS / "68000" / "empty.bin"
    retro68, arguments = driven(build=f"cp {application} $2/FourShifts.bin")
    for checks in ((), ("address", "undefined")):
        build_with_retro68(
            retro68, [FOUR_SHIFTS], "68000", tmp_path / "out", SOURCES, sanitizers=checks
        )
    without, _, with_both, _ = arguments().splitlines()
    assert "MACPROOF_SANITIZE" not in without
    assert with_both.endswith("-DMACPROOF_SANITIZE=address;undefined")


def build_failure(retro68: Retro68, folder: Path) -> CompileError:
    with pytest.raises(CompileError) as caught:
        build_with_retro68(retro68, [FOUR_SHIFTS], "68000", folder / "out", SOURCES)
    assert not (folder / "out").exists()
    return caught.value


def test_what_the_compiler_says_is_shown(driven: Driven, tmp_path: Path):
    said = (
        "four_shifts.cpp: In function 'int main()':\\n"
        "/src/four_shifts.cpp:12:5: error: 'nonsense' was not declared in this scope\\n"
        "   12 |     nonsense();\\n"
        "gmake[2]: *** [all] Error 1\\n"
    )
    retro68, _ = driven(build=f'printf "{said}"; exit 2')
    error = build_failure(retro68, tmp_path)
    assert error.path == Path("/src/four_shifts.cpp")
    text = str(error)
    assert "'nonsense' was not declared" in text
    assert "In function" in text
    assert "   12 |     nonsense();" in text
    assert "gmake" not in text
    assert "50%" not in text


def test_what_cmake_says_is_shown(driven: Driven, tmp_path: Path):
    retro68, _ = driven(configure="echo CMake Error: no such thing >&2; exit 1")
    error = build_failure(retro68, tmp_path)
    assert error.path == SOURCES / "CMakeLists.txt"
    assert str(error).endswith("Retro68 refused it:\nCMake Error: no such thing")


def test_a_compiler_that_talks_without_end_is_cut_short(driven: Driven, tmp_path: Path):
    retro68, _ = driven(build='for i in $(seq 3000); do echo "a.cpp:$i:1: error: no"; done; exit 1')
    text = str(build_failure(retro68, tmp_path))
    assert "more lines" in text
    assert len(text.splitlines()) < 70


def test_nothing_made_is_no_success(driven: Driven, tmp_path: Path):
    retro68, _ = driven()
    with pytest.raises(ProgramError, match="did not make it"):
        build_with_retro68(retro68, [FOUR_SHIFTS], "68000", tmp_path / "out", SOURCES)


def test_what_is_no_application_is_refused(driven: Driven, tmp_path: Path):
    retro68, _ = driven(build="echo words > $2/FourShifts.bin")
    with pytest.raises(ProgramError, match="not a Mac file"):
        build_with_retro68(retro68, [FOUR_SHIFTS], "68000", tmp_path / "out", SOURCES)
    assert not (tmp_path / "out").exists()


def test_the_users_flags_do_not_get_in(
    driven: Driven, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("CFLAGS", "CXXFLAGS", "LDFLAGS", "CPATH", "MAKEFLAGS"):
        monkeypatch.setenv(name, "-misleading")
    retro68, _ = driven(configure="env; exit 1")
    assert "misleading" not in str(build_failure(retro68, tmp_path))


def test_a_tool_that_never_ends_is_ended_with_all_it_started(tmp_path: Path):
    lines: list[str] = []
    # The grandchild keeps the pipe open: were it left alive, this would wait for it.
    code, said = run_with_progress(
        ["/bin/sh", "-c", "echo begun; sleep 600 & sleep 600"], dict(os.environ), 0.2, lines.append
    )
    assert code is None
    assert said == lines == ["begun"]


# -- what the interfaces lack ----------------------------------------------------------------------

CLOCK_USER = """
#include <Types.h>
#include <Timer.h>
#include <Fonts.h>
#ifndef __TIMER__
#error "sources cannot tell that there is a clock"
#endif
UInt32 ask() { UnsignedWide now; Microseconds(&now); return now.lo + monaco; }
"""
OPEN = {
    "Types.h": "#pragma once\ntypedef unsigned long UInt32;\n",
    "Timer.h": "#pragma once\n",
    "Fonts.h": "#pragma once\nenum { kFontIDNewYork = 2, kFontIDGeneva = 3, kFontIDMonaco = 4 };\n",
}
WIDE = "typedef struct UnsignedWide { UInt32 hi, lo; } UnsignedWide;\n"
DECLARED = '#include "Types.h"\n' + WIDE + 'extern "C" void Microseconds(UnsignedWide* now);\n'
INTERFACES = {
    "open": (OPEN, ()),
    "with the record only": (
        {**OPEN, "Types.h": OPEN["Types.h"] + WIDE},
        ("HAVE_UNSIGNED_WIDE",),
    ),
    "with the clock, without the guard": (
        {**OPEN, "Timer.h": "#pragma once\n" + DECLARED},
        ("HAVE_UNSIGNED_WIDE", "HAVE_MICROSECONDS"),
    ),
    "Apple's": (
        {
            **OPEN,
            "Timer.h": f"#ifndef __TIMER__\n#define __TIMER__\n{DECLARED}#endif\n",
            "Fonts.h": "#pragma once\nenum { newYork = 2, geneva = 3, monaco = 4 };\n",
        },
        ("HAVE_UNSIGNED_WIDE", "HAVE_MICROSECONDS", "HAVE_MONACO"),
    ),
    "with old names as macros": (
        {**OPEN, "Fonts.h": OPEN["Fonts.h"] + "#define monaco kFontIDMonaco\n"},
        ("HAVE_MONACO",),
    ),
}


@pytest.mark.parametrize("cpu", BOTH)
@pytest.mark.parametrize("name", INTERFACES)
def test_what_the_interfaces_lack_is_supplied_and_nothing_else(
    name: str, cpu: str, compilers: Callable[..., None], tmp_path: Path
):
    """By any compiler; the definitions are those that CMake makes of what it finds."""
    compilers(cpu)
    files, defined = INTERFACES[name]
    for file, text in files.items():
        (tmp_path / file).write_text(text)
    (tmp_path / "user.cpp").write_text(CLOCK_USER)
    done = subprocess.run(
        [
            TARGETS[cpu].compiler,
            "-std=gnu++98",
            "-Wall",
            "-Werror",
            "-fsyntax-only",
            *(f"-D{macro}" for macro in defined),
            f"-I{SOURCES / 'retro68' / 'include'}",
            f"-I{tmp_path}",
            str(tmp_path / "user.cpp"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


# -- with Retro68 ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def retro68() -> Retro68:
    """The real one."""
    if not os.environ.get("RETRO68"):
        pytest.skip("set RETRO68 to a Retro68 toolchain's folder")
    return find_retro68(None, BOTH)


@pytest.fixture(scope="module")
def built(retro68: Retro68, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four Shifts for both processors, and a listing in the manner of 1994."""
    folder = tmp_path_factory.mktemp("retro68")
    listing = folder / "listing.cpp"
    listing.write_text(LISTING)
    for cpu in BOTH:
        build_with_retro68(
            retro68, [FOUR_SHIFTS], cpu, folder / cpu, SOURCES, listing=(listing, "Old Listing")
        )
    return folder


LISTING = r"""
#include <iostream.h>
#include <stdlib.h>
#include <string.h>
#include <Types.h>
#include <Quickdraw.h>
#include <Windows.h>
#include <Events.h>
#include <Timer.h>

static Pattern gray = { 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55 };

void main()
{
    UnsignedWide first, second;
    Microseconds(&first);
    Microseconds(&second);
    cout << "the clock " << (second.lo > first.lo ? "runs" : "stands") << endl;
    srand(1);
    long most = 0;
    for (int i = 0; i < 1000; i++)
    {
        long n = (((unsigned long) 639) * ((unsigned short) rand())) / (RAND_MAX+1);
        if (n > most)
            most = n;
    }
    cout << "at most " << most << ", " << (int) sizeof(int) << endl;
    cout.precision(2);
    cout << 1234.5f << " and " << 0.25 << endl;
    Rect bounds = { 40, 40, 140, 240 };
    WindowPtr window = NewWindow(nil, &bounds, "\pHello", true, plainDBox,
                                 WindowPtr(-1), false, 0);
    SetPort(window);
    PenPat(&gray);
    PaintRect(&window->portRect);
    DisposeWindow(window);
}
"""


def run(path: Path, cpu: str) -> RunResult:
    return run_request(RunRequest(path, cpu=cpu, settings=Settings(timeout=60)))


@pytest.mark.parametrize("cpu", BOTH)
def test_it_does_what_the_other_toolchains_does(cpu: str, built: Path):
    """The text and the pictures are those of the application made with Debian's compilers."""
    result = run(built / cpu / "Four Shifts.bin", cpu)
    other = run(prebuilt_application(FOUR_SHIFTS, cpu, SOURCES).path, cpu)
    assert result.completed
    assert not result.findings
    assert result.text == other.text
    assert [picture.png for picture in result.pictures] == [p.png for p in other.pictures]


@pytest.mark.parametrize("cpu", BOTH)
def test_it_has_the_same_resources(cpu: str, built: Path):
    file = read_mac_file(built / cpu / "Four Shifts.bin")
    other = read_mac_file(prebuilt_application(FOUR_SHIFTS, cpu, SOURCES).path)
    assert (file.name, file.type, file.creator) == (other.name, other.type, other.creator)
    assert file.flags == other.flags
    for kind in ("SIZE", "vers", "BNDL", "FREF", "ICN#", "MPrf", "cfrg"):
        assert [(r.id, r.data) for r in file.resources.of_type(kind)] == [
            (r.id, r.data) for r in other.resources.of_type(kind)
        ]


def test_one_file_has_both(built: Path, tmp_path: Path):
    path = tmp_path / "fat.bin"
    path.write_bytes(
        make_fat_application(*(built / cpu / "Four Shifts.bin" for cpu in ("68000", "601")))
    )
    for cpu in ("68040", "601"):
        assert run(path, cpu).completed


@pytest.mark.parametrize("cpu", BOTH)
def test_a_listing_of_1994_runs(cpu: str, built: Path):
    result = run(built / cpu / "Old Listing.bin", cpu)
    assert result.completed
    assert result.text == "the clock runs\nat most 638, 4\n1.2e+03 and 0.25\n"


def test_a_main_of_today_stays_one(retro68: Retro68, tmp_path: Path):
    """It has no return, which only main need not have, and arguments."""
    listing = tmp_path / "today.cpp"
    listing.write_text(
        "#include <stdio.h>\n"
        "/* no void main */\n"
        'int main(int count, char** words) { printf("%d\\n", words[count] == 0); }\n'
    )
    (made,) = build_with_retro68(
        retro68, [], "68000", tmp_path / "out", SOURCES, listing=(listing, "Today")
    )
    result = run(made, "68000")
    assert (result.completed, result.text) == (True, "1\n")


def test_the_same_sources_give_the_same_bytes(retro68: Retro68, built: Path, tmp_path: Path):
    (made,) = build_with_retro68(retro68, [FOUR_SHIFTS], "601", tmp_path, SOURCES)
    assert made.read_bytes() == (built / "601" / "Four Shifts.bin").read_bytes()


def test_checks_that_there_are_not_are_refused(retro68: Retro68, tmp_path: Path):
    with pytest.raises(CompileError, match="not of ON"):
        build_with_retro68(
            retro68, [FOUR_SHIFTS], "68000", tmp_path, SOURCES, sanitizers=("undefined", "ON")
        )


def test_sources_in_a_folder_with_spaces(retro68: Retro68, tmp_path: Path):
    sources = tmp_path / "my mac sources"
    shutil.copytree(SOURCES, sources)
    text = (sources / "four_shifts" / "four_shifts.cpp").read_text()
    (sources / "four_shifts" / "four_shifts.cpp").write_text(text + "\nnonsense\n")
    with pytest.raises(CompileError, match="nonsense") as caught:
        build_with_retro68(retro68, [FOUR_SHIFTS], "68000", tmp_path / "out", sources)
    assert caught.value.path.name == "four_shifts.cpp"
