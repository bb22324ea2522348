"""``macproof build``: applications with either toolchain, fat ones, and what is said otherwise."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from emu.cli import make_parser
from emu.commands.programs import build as command
from emu.program.mac_file.mac_file import read_mac_file
from emu.program.mac_program import read_executable
from emu.runner.runner import RunRequest, run_request
from emu.toolbox.computer.settings import Settings
from emu.toolchain.sources import mac_sources
from tests.rows import slow_but

Command = Callable[..., Any]
SOURCES = mac_sources()
MINE = """
#include <iostream.h>

void main()
{
    cout << "mine" << endl;
}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def mine(here: Path) -> Path:
    """A program of the user's own."""
    path = here / "mine.cpp"
    path.write_text(MINE)
    return path


def lines(out: str) -> list[list[str]]:
    """The table that is printed: what made it, for what, how large, and where it is."""
    return [re.split(r"  +", line, maxsplit=3) for line in out.splitlines()]


# -- with Debian's compilers -----------------------------------------------------------------------


@pytest.mark.slow
def test_applications_for_both_processors_and_a_fat_one(
    macproof: Command, here: Path, compilers: Callable[..., None]
):
    compilers("68000", "601")
    done = macproof("build", "--app", "--fat", "four-shifts")
    assert done.code == 0
    table = lines(done.out)
    assert [(row[0], row[1], row[3]) for row in table] == [
        ("compiled", cpu, f"build/gcc/{cpu}/Four Shifts.bin") for cpu in ("68000", "601", "fat")
    ]
    sizes = [int(row[2].removesuffix(" bytes").replace(",", "")) for row in table]
    assert sizes == [(here / row[3]).stat().st_size for row in table]
    fat = here / "build" / "gcc" / "fat"
    assert read_executable(fat / "Four Shifts.bin").architectures == ("m68k", "powerpc")
    assert {path.name for path in fat.iterdir()} == {
        "Four Shifts.bin",
        "Four Shifts.code.bin.gdb",
        "Four Shifts.pef.gdb",
    }


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["68000"], ["68000", "601"]))
def test_an_application_of_ones_own(
    cpu: str, macproof: Command, mine: Path, compilers: Callable[..., None]
):
    compilers(cpu)
    done = macproof(
        "build", "--app", "--source", mine, "--name", "My Own", "--cpu", cpu, "-o", "out"
    )
    assert done.code == 0
    ((made, of, _, path),) = lines(done.out)
    assert (made, of, path) == ("compiled", cpu, f"out/{cpu}/My Own.bin")
    result = run_request(RunRequest(Path(path), cpu=cpu, settings=Settings(timeout=120)))
    assert (result.completed, result.text) == (True, "mine\n")
    assert read_mac_file(path).name == "My Own"


@pytest.mark.slow
def test_a_build_of_another_kind(macproof: Command, mine: Path, compilers: Callable[..., None]):
    compilers("68040")
    done = macproof("build", "--app", "--source", mine, "--cpu", "68040", "--build", "Os")
    assert done.code == 0
    assert lines(done.out)[0][3] == "build/gcc/68040/mine.bin"


def test_quiet_prints_nothing(macproof: Command, here: Path):
    done = macproof("build", "--app", "--quiet", "--programs", "prebuilt", "four-shifts")
    assert (done.code, done.out, done.err) == (0, "", "")


@pytest.mark.slow
def test_a_source_that_does_not_compile(
    macproof: Command, mine: Path, compilers: Callable[..., None]
):
    compilers("601")
    mine.write_text(MINE.replace("cout", "nonsense"))
    done = macproof("build", "--app", "--source", mine, "--cpu", "601")
    assert done.code == 2
    assert "mine.cpp:6" in done.err
    assert "nonsense" in done.err
    assert not (mine.parent / "build").exists()


def test_without_compilers(macproof: Command, here: Path, no_compilers: None):
    done = macproof("build", "--app", "--programs", "compiled", "four-shifts")
    assert done.code == 3
    assert "m68k-linux-gnu-g++ and powerpc-linux-gnu-g++ not installed" in done.err
    assert "apt-get install g++-m68k-linux-gnu g++-powerpc-linux-gnu" in done.err
    assert "--programs prebuilt" in done.err
    done = macproof("build", "--app", "--fat", "four-shifts")
    assert done.code == 0
    assert [row[:2] for row in lines(done.out)] == [
        ["prebuilt", "68000"],
        ["prebuilt", "601"],
        ["prebuilt", "fat"],
    ]
    kept = SOURCES / "prebuilt" / "mac" / "601" / "Four Shifts.bin"
    assert Path("build/gcc/601/Four Shifts.bin").read_bytes() == kept.read_bytes()


@pytest.mark.parametrize("use", ["auto", "compiled", None])
@pytest.mark.parametrize(
    "words", [["--build", "O1"], ["--cpu", "68040"], ["--cpu", "601", "--cpu", "68040"]]
)
def test_what_is_not_prebuilt_is_not_suggested(
    macproof: Command, here: Path, no_compilers: None, words: list[str], use: str | None
):
    chosen = [] if use is None else ["--programs", use]
    done = macproof("build", "--app", *chosen, *words, "four-shifts")
    assert done.code == 3
    assert "not installed. On Debian and Ubuntu: apt-get install" in done.err
    assert "prebuilt" not in done.err
    assert not (here / "build").exists()


def test_other_sources_are_compiled_or_refused(
    macproof: Command, here: Path, no_compilers: None, monkeypatch: pytest.MonkeyPatch
):
    copy = Path(shutil.copytree(SOURCES, here / "mac_src"))
    monkeypatch.setattr("emu.commands.programs.build_applications.mac_sources", lambda: copy)
    changed = copy / "port_check" / "window.cpp"
    changed.write_bytes(changed.read_bytes() + b"\n")
    done = macproof("build", "--app")
    assert done.code == 3
    assert "was made from other sources" in done.err
    assert not (here / "build").exists()


def test_nothing_is_prebuilt_for_a_68040(macproof: Command, here: Path):
    done = macproof("build", "--app", "--programs", "prebuilt", "--cpu", "68040", "four-shifts")
    assert done.code == 3
    assert "there is no prebuilt Four Shifts for the 68040" in done.err


# -- what does not go together ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "words, problem",
    [
        (["--app", "five-shifts"], "no application 'five-shifts'"),
        (["--app", "--program", "x.bin", "--cpu", "601"], "--program is already built"),
        (["--app", "--name", "Other"], "--name names the application made of --source"),
        (["--app", "--source", "mine.cpp", "four-shifts"], "leave out the names of others"),
        (["--app", "--source", "none.cpp"], "there is no such file"),
        (["--app", "--source", "mine.cpp", "--name", "a:b"], "no name for a Mac application"),
        (["--app", "--source", "mine.cpp", "--name", "../b"], "no name for a Mac application"),
        (["--app", "--source", "mine.cpp", "--name", ""], "no name for a Mac application"),
        (["--app", "--source", "mine.cpp", "--name", "日本"], "no name for a Mac application"),
        (["--app", "--source", "mine.cpp", "--name", "n" * 32], "no name for a Mac application"),
        (["--app", "--build", "O9"], "one --build of O0, O1, O2, Os, period"),
        (["--app", "--build", "O0", "--build", "O1"], "one --build of"),
        (["--fat", "--cpu", "601"], "--fat needs the 601 and one of"),
        (["--fat", "--cpu", "68000", "--cpu", "68040"], "--fat needs the 601 and one of"),
        (["--fat", "--cpu", "68000", "--cpu", "68040", "--cpu", "601"], "--fat needs the 601"),
        (["--app", "--programs", "prebuilt", "--build", "O1"], "cannot be combined"),
        (["--app", "--write-prebuilt", "--cpu", "601"], "leave out --cpu"),
        (["--app", "--write-prebuilt", "--fat"], "leave out"),
        (["--app", "--retro68", "x"], "--retro68 needs --toolchain retro68"),
        (["--retro68", "x"], "--retro68 needs --toolchain retro68"),
        (["--name", "x"], "--name needs --app"),
        (["--toolchain", "retro68", "--write-prebuilt"], "what --toolchain gcc makes"),
        (["--toolchain", "retro68", "--build", "O0"], "--build is for --toolchain gcc"),
        (["--toolchain", "retro68", "--cpu", "68040"], "that runs on a 68040 as it is"),
        (["--toolchain", "retro68", "--programs", "prebuilt"], "made by --toolchain gcc"),
        (["--toolchain", "mpw"], "there is no 'mpw'"),
    ],
)
def test_options_that_do_not_go_together(
    words: Sequence[str], problem: str, macproof: Command, mine: Path
):
    done = macproof("build", *words)
    assert done.code == 2
    assert problem in " ".join(done.err.split())
    assert not (mine.parent / "build").exists()


# -- with Retro68 ----------------------------------------------------------------------------------


def test_without_retro68(macproof: Command, here: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("RETRO68", raising=False)
    monkeypatch.setenv("PATH", str(here))
    done = macproof("build", "--toolchain", "retro68")
    assert done.code == 3
    assert "Retro68 was not found" in done.err
    done = macproof("build", "--toolchain", "retro68", "--retro68", here)
    assert done.code == 3
    for missing in ("m68k-apple-macos-g++", "retroppc.toolchain.cmake", "cmake is not installed"):
        assert missing in done.err


@pytest.fixture
def fake_retro68(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that passes for Retro68, and a CMake that makes applications out of nothing."""
    folder = here / "toolchain"
    for prefix, file, tools in (
        ("m68k-apple-macos", "retro68", ("Rez",)),
        ("powerpc-apple-macos", "retroppc", ("Rez", "MakePEF")),
    ):
        names = [f"bin/{prefix}-gcc", f"bin/{prefix}-g++", *(f"bin/{tool}" for tool in tools)]
        names += [f"{prefix}/cmake/{file}.toolchain.cmake", f"{prefix}/include/Types.h"]
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).touch(0o755)
    kept = SOURCES / "prebuilt" / "mac"
    bin_folder = here / "bin"
    bin_folder.mkdir()
    (bin_folder / "make").touch(0o755)
    (bin_folder / "cmake").touch(0o755)
    (bin_folder / "cmake").write_text(
        f"""#!/bin/sh
PATH=/usr/bin:/bin
if [ "$1" = -S ]; then
    case "$*" in *retroppc*) echo 601 > "$4/cpu";; *) echo 68000 > "$4/cpu";; esac
    exit 0
fi
echo "[100%] Building"
cp "{kept}/$(cat "$2/cpu")/Four Shifts.bin" "$2/FourShifts.bin"
"""
    )
    monkeypatch.setenv("PATH", str(bin_folder))
    return folder


def test_applications_by_retro68(macproof: Command, fake_retro68: Path):
    done = macproof(
        "build", "--toolchain", "retro68", "--retro68", fake_retro68, "--fat", "four-shifts"
    )
    assert done.code == 0
    first, *table = done.out.splitlines()
    assert first == f"Retro68 in {fake_retro68}, with Apple's Universal Interfaces"
    assert [(row[0], row[1], row[3]) for row in lines("\n".join(table))] == [
        ("Retro68", cpu, f"build/retro68/{cpu}/Four Shifts.bin") for cpu in ("68000", "601", "fat")
    ]


def test_progress_is_shown_on_a_terminal_only(fake_retro68: Path):
    words = ["build", "--toolchain", "retro68", "--retro68", str(fake_retro68), "four-shifts"]
    arguments = make_parser(words).parse_args(words)
    shown = {}
    for terminal in (True, False):
        screen = io.StringIO()
        console = Console(file=screen, force_terminal=terminal, width=100)
        assert command.run(arguments, console) == 0
        shown[terminal] = screen.getvalue()
    assert "━" in shown[True]
    assert "100%" in shown[True]
    assert "━" not in shown[False]
    assert "\x1b" not in shown[False]
