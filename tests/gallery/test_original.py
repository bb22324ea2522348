"""The old application of examples/old-and-new is what its source says."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import macproof
from emu.program import read_program
from tests.gallery.original import FOLDER, make_original


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
