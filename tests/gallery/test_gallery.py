"""Each example is verified, and its broken twin refuted and explained so that one finds it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import macproof
from emu.cases.case_file import read_case
from emu.cases.files.places import find_cases
from emu.report.forms.terminal import text_of
from emu.toolchain.builds import BUILDS
from tests.gallery.twins import EXAMPLES, TWINS, Twin
from tests.rows import slow_but

# Examples that other tests are about.
PROOFS = {"four-shifts-theorem", "rand-scalar", "sectors", "smart-add"}
ELSEWHERE = {"bounce", "bricks", "by-ctypes", "fade", "old-application-alone", *PROOFS}
SOME = ["unpack-bytes"]  # the others are slow
CPUS = ["68000", "68040", "601"]

Source = dict[str, Path] | None


@pytest.fixture
def verify(compilers: Callable[..., None]) -> Callable[..., macproof.Verification]:
    """Verifies an example, or another source of it, as one build on every processor."""
    compilers(*CPUS)

    def run(twin: Twin, builds: Sequence[str], source: Source = None) -> macproof.Verification:
        case = macproof.load_case(twin.path)
        programs = macproof.programs_of(case, cpus=CPUS, builds=builds, source=source)
        return macproof.verify(case, programs, jobs=1)

    return run


def test_every_example_is_here():
    found = {read_case(path).name for path in find_cases(EXAMPLES)}
    assert found == {*TWINS, *ELSEWHERE}


@pytest.mark.parametrize("build", slow_but(["O1"], BUILDS))
@pytest.mark.parametrize("name", slow_but(SOME, TWINS))
def test_an_example_is_verified(
    verify: Callable[..., macproof.Verification], name: str, build: str
):
    found = verify(TWINS[name], [build])
    assert found.verdict == "verified", text_of(found.document)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["68040"], CPUS))
@pytest.mark.parametrize("name", slow_but(SOME, TWINS))
def test_its_twin_is_refuted_and_explained(
    verify: Callable[..., macproof.Verification], name: str, cpu: str, tmp_path: Path
):
    twin = TWINS[name]
    wrong = tmp_path / twin.source
    wrong.write_text(twin.broken())
    found = verify(twin, ["O1"], {twin.source: wrong})
    assert [result.verdict for result in found.report.results] == ["refuted"] * len(CPUS)
    why = macproof.explain(found, cpus=[cpu])
    explanation = why.explanation
    assert re.fullmatch(twin.difference, str(explanation.divergence))
    assert len(explanation.kept) == twin.objects
    shown = " ".join(text_of(why.document).split())
    assert f"First difference: {explanation.divergence}." in shown
    if explanation.writer is None:
        assert any(origin in shown for origin in twin.origins)
    else:
        line = twin.broken().splitlines()[explanation.writer.line - 1]
        assert line.strip() in twin.origins
        assert f"({twin.source}:{explanation.writer.line})" in shown
