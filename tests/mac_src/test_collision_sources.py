"""The sources of the other collision systems compile alone, and without a warning, everywhere."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.toolchain.builds import TARGETS
from emu.toolchain.compiler import run_compiler
from emu.toolchain.sources import mac_sources

FOLDERS = ("brute_force", "adjacent_sectors", "collider")
SOURCES = sorted(path for name in FOLDERS for path in (mac_sources() / name).glob("*.cpp"))
COMPAT = mac_sources() / "compat"
STRICT = ("-Wall", "-Wextra", "-Wshadow", "-Werror", "-fno-exceptions", "-fno-rtti")
MACS = ("68000", "68040", "601")

EVERY = pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)


def test_all_are_here():
    assert [path.stem for path in SOURCES] == [
        "adjacent_sectors",
        "brute_force",
        "collider",
        "pairs_as_described",
        "pairs_corrected",
    ]


@pytest.mark.slow
@EVERY
@pytest.mark.parametrize("standard", ["gnu++98", "gnu++17"])
@pytest.mark.parametrize("cpu", MACS)
def test_cross_compilers_take_them(
    compilers: Callable[..., None], tmp_path: Path, cpu: str, standard: str, source: Path
):
    compilers(cpu)
    target = TARGETS[cpu]
    command = [target.compiler, *target.flags, "-O2", f"-std={standard}", *STRICT]
    command += ["-Dmacintosh", "-I", str(COMPAT), "-c", str(source), "-o", "made.o"]
    run_compiler(command, tmp_path, source, seen=[COMPAT])
    assert (tmp_path / "made.o").stat().st_size > 500


@EVERY
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_host_compilers_take_them(tmp_path: Path, compiler: str, source: Path):
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    command = [compiler, "-O2", "-std=c++98", "-pedantic", *STRICT]
    run_compiler([*command, "-c", str(source), "-o", "made.o"], tmp_path, source)
    assert (tmp_path / "made.o").stat().st_size > 500
