"""The Toolbox C++ compiles, without a warning, with every compiler it is meant for."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from emu.toolchain.builds import TARGETS
from emu.toolchain.sources import mac_sources

FOLDER = mac_sources() / "four_shifts"
COMPAT = mac_sources() / "compat"
# The program; what else lies there is for findings, and most of it stands only behind these.
SOURCES = [FOLDER / "four_shifts.cpp", FOLDER / "four_shifts_mac.cpp"]
STRICT = ("-Wall", "-Wextra", "-Werror")


def _compile(command: Sequence[str], source: Path, tmp_path: Path) -> None:
    completed = subprocess.run(
        [*command, "-I", str(FOLDER), "-c", str(source), "-o", str(tmp_path / "made.o")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert completed.returncode == 0, completed.stderr
    assert completed.stderr == ""


def test_there_is_a_core_and_a_toolbox_part():
    assert all(source.is_file() for source in SOURCES)


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.name)
@pytest.mark.parametrize("standard", ["gnu++98", "gnu++17"])
@pytest.mark.parametrize("macros", [False, True], ids=["functions", "macros"])
@pytest.mark.parametrize("cpu", TARGETS)
def test_cross_compilers_take_both_parts(compilers, tmp_path, cpu, macros, standard, source):
    compilers(cpu)
    target = TARGETS[cpu]
    options = ["-DBRAIN_DEAD_INLINING"] if macros else []
    command = [target.compiler, *target.flags, "-O2", f"-std={standard}", *STRICT, *options]
    _compile([*command, "-Dmacintosh", "-I", str(COMPAT)], source, tmp_path)


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.name)
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_host_compilers_take_both_parts(tmp_path, compiler, source):
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    _compile([compiler, "-O2", "-std=c++98", "-pedantic", *STRICT], source, tmp_path)


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.name)
@pytest.mark.parametrize("cpu", ["m68k", "powerpc"])
def test_retro68_takes_both_parts(tmp_path, cpu, source):
    chosen = os.environ.get("RETRO68")
    if not chosen:
        pytest.skip("set RETRO68 to the folder of a Retro68 toolchain (the one with bin in it)")
    compiler = Path(chosen) / "bin" / f"{cpu}-apple-macos-g++"
    powerc = ["-Dpowerc"] if cpu == "powerpc" else []
    # Reading low memory through a constant address is how its Toolbox headers are made.
    _compile([str(compiler), "-O2", "-Wall", "-Wno-array-bounds", *powerc], source, tmp_path)


def test_the_original_is_credited_and_not_copied(post):
    """Names, numbers and declarations are the program's; its sentences are its author's."""
    own = "".join(source.read_text() for source in [*SOURCES, FOLDER / "four_shifts.h"])
    assert "Tom Moertel" in own
    listing = post.read_text(encoding="latin-1")
    comments = [" ".join(line.strip(" /").split()) for line in listing.splitlines() if "//" in line]
    prose = {text for text in comments if len(re.findall(r"[a-z]{2,}", text)) >= 5}
    assert len(prose) > 30
    flat = " ".join(own.replace("//", " ").split())
    assert [text for text in prose if text in flat] == []
