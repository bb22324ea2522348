"""What tests of findings share: the findings that come with macproof, and what came of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from posts.findings.check import check_findings
from posts.findings.model import Finding
from posts.findings.read import find_findings_files, read_findings
from posts.findings.result import FindingResult
from posts.trials.trial_runner import TrialRunner

SOME_CPUS = ("68040", "mips")
"""Enough for every finding but those of the PowerPC alone."""
POWERPC = frozenset({"M13"})
HOSTED = frozenset({"M16"})
QUICK = POWERPC | {"M8", "M9", "M11", "M17", "Q7", "B3", "B5", "B8", "P1"}
"""Findings of every post; slow tests look at the others, too."""


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
        with TrialRunner(cpus=cpus) as bench:
            found += check_findings(chosen, bench)
    return {result.finding.id: result for result in found}


@pytest.fixture(scope="session", params=["some", pytest.param("all", marks=pytest.mark.slow)])
def results(
    request: pytest.FixtureRequest, findings: dict[str, Finding], compilers: Callable[..., None]
) -> dict[str, FindingResult]:
    """What came of some findings, or of each."""
    compilers("68040", "601", "mips")
    is_all = request.param == "all"
    return check([one for id_, one in findings.items() if is_all or id_ in QUICK])
