"""Full checks find nothing in the routines of the kit and of the gallery, which are right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from emu.cases.files.places import find_cases
from emu.checks.isa_model import REFUTES
from emu.verify.runs.verdicts import VERIFIED

ROOT = Path(__file__).parents[2]
TURNS = (("68000", "O0"), ("601", "O2"), ("68040", "O0"), ("68000", "O2"), ("601", "O0"))
CHECKED = frozenset(cpu for cpu, _ in TURNS)
# Of the kit each folder's own case, and what somebody printed or described; other forms share code.
PATHS = [
    path
    for path in (*find_cases(), *find_cases(ROOT / "examples"))
    if (ROOT / "examples" in path.parents or path.name == "case.yaml" or "as_" in path.stem)
    and CHECKED & set(macproof.load_case(path).cpus)
]


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_case_gives_a_false_alarm(path: Path, compilers: Callable[..., None]) -> None:
    """One program of each case, another one for the next case: all of them take ten minutes."""
    case = macproof.load_case(path)
    if case.name == "by-ctypes":
        pytest.skip("its library is built by the reader of docs/old-and-new.md, and by that test")
    cpu, build = TURNS[PATHS.index(path) % len(TURNS)]
    cpu = cpu if cpu in case.cpus else min(CHECKED & set(case.cpus))
    compilers(cpu)
    builds = None if case.program is not None else [build]
    programs = macproof.programs_of(case, cpus=[cpu], builds=builds)
    (one,) = macproof.verify(case, programs, scenes=1, checks="full", jobs=1).report.results
    assert one.verdict == VERIFIED
    assert one.memory is not None and one.memory.complete
    assert [str(it) for it in one.memory.violations if it.weight == REFUTES] == []
