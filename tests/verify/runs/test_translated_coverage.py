"""Coverage of calls in translated code is that of Unicorn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.engines.registry import TRANSLATED, UNICORN
from emu.verify.documents.coverage_document import coverage_section
from emu.verify.report.report import ProgramResult
from emu.verify.verification import verify


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACPROOF_CACHE", str(tmp_path / "cache"))


def covered(name: str, engine: str, cpus: list[str], scenes: int) -> tuple[ProgramResult, ...]:
    selection = programs_of(load_case(name), cpus=cpus, builds=["O2"], use="prebuilt")
    report = verify(
        selection.case,
        replace(selection, engines=(engine,)),
        scenes=scenes,
        coverage=True,
        jobs=1,
    ).report
    assert list(coverage_section(report))
    return report.results


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["four-shifts", "blockmap", "collider", "linear-quadtree", "dhrystone"]
)
def test_coverage_of_every_processor_is_that_of_unicorn(name: str) -> None:
    cpus = ["68000", "68040", "601"]
    here, there = (covered(name, engine, cpus, 40) for engine in (TRANSLATED, UNICORN))
    for one, other in zip(here, there, strict=True):
        assert one.translated > 0
        assert other.translated == 0
        assert one.coverage
        assert one.coverage == other.coverage
