"""The old applications of the examples are what their sources say."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from emu.program import read_program
from emu.program.instructions.listing import place_of
from emu.toolchain.mac_app.application import build_application
from tests.gallery.original import FOLDER, make_original


@pytest.mark.slow
def test_the_kept_program_is_that_of_its_source(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    """Made again, and with its routine given by its place, it gives the same verdict."""
    compilers("68000", "601")
    example = tmp_path / "example"
    shutil.copytree(FOLDER, example)
    made = make_original(example)
    kept = read_program(FOLDER / "Original.bin")
    assert [s.name for s in read_program(made).symbols] == [s.name for s in kept.symbols] == ["Mix"]
    file = example / "case.yaml"
    file.write_text(file.read_text().replace("symbol: Mix", "symbol: CODE 1+4"))
    case = macproof.load_case(file)
    programs = macproof.programs_of(case, cpus=["68000", "601"], builds=["O2"])
    assert macproof.verify(case, programs, jobs=1).verdict == "verified"


@pytest.mark.slow
def test_the_kept_application_is_that_of_its_source(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    """Made again, with the places that its symbols tell, it gives the same verdict."""
    compilers("68000", "601")
    example = tmp_path / "example"
    shutil.copytree(FOLDER.parent / "old-application", example)
    made = build_application(
        [example / "archiver.cpp"], "Archiver", "68000", None, tmp_path / "made", debug=False
    )
    program = read_program(made)
    (routine, count) = (
        place_of(program, next(s.address for s in program.symbols if name in s.name))
        for name in ("UpdateSum", "gBytes")
    )
    shutil.copy(made, example / "Archiver.bin")
    file = example / "case.yaml"
    text = re.sub("symbol: .*", f"symbol: {routine}", file.read_text())
    file.write_text(re.sub("at: A5[^,]*", f"at: {count}", text))
    case = macproof.load_case(file)
    programs = macproof.programs_of(case, cpus=["68000", "601"], builds=["O2"])
    assert macproof.verify(case, programs, jobs=1).verdict == "verified"


def test_the_old_application_is_verified_alone() -> None:
    found = macproof.check(FOLDER.parent / "old-application" / "alone.case.yaml", scenes=20)
    assert [one.cpu for one in found.report.results] == ["68000", "68040"]
