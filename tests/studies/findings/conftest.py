"""What tests of findings share: the findings that come with macproof, and what came of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from emu.studies.findings import (
    Finding,
    FindingResult,
    check_findings,
    find_findings_files,
    read_findings,
)
from emu.verify.trials import Bench

SOME_CPUS = ("68040", "mips")
"""Enough for every finding but those of the PowerPC alone."""
POWERPC = frozenset({"M13"})


@pytest.fixture(scope="session")
def findings() -> dict[str, Finding]:
    """Every finding by its number."""
    files = [read_findings(path) for path in find_findings_files()]
    return {finding.id: finding for file in files for finding in file.findings}


def check(findings: list[Finding]) -> dict[str, FindingResult]:
    """What comes of findings on some processors."""
    found = []
    for cpus, chosen in (
        (SOME_CPUS, [f for f in findings if f.id not in POWERPC]),
        (("601",), [f for f in findings if f.id in POWERPC]),
    ):
        with Bench(cpus=cpus) as bench:
            found += check_findings(chosen, bench)
    return {result.finding.id: result for result in found}


@pytest.fixture(scope="session")
def results(
    findings: dict[str, Finding], compilers: Callable[..., None]
) -> dict[str, FindingResult]:
    """What came of each."""
    compilers("68040", "601", "mips")
    return check(list(findings.values()))
