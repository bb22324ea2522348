"""Every finding is shown, and none of them can be shown of a form that has no defect."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

import pytest

from posts.findings.check import check_findings
from posts.findings.model import Finding, Step
from posts.findings.result import NOT_RUN, NOT_SHOWN, SHOWN, FindingResult
from posts.trials.trial_runner import TrialRunner
from tests.posts.findings.conftest import HOSTED, POWERPC, QUICK, check

READ_ONLY = {"M1", "M17", "M18", "Q3", "B1", "P6"}


def test_every_finding_of_the_audit_is_there(findings: dict[str, Finding]):
    wanted = {
        *(f"M{n}" for n in range(1, 19)),
        *(f"Q{n}" for n in range(1, 13)),
        *(f"B{n}" for n in range(1, 10)),
        *(f"P{n}" for n in range(1, 7)),
    }
    assert findings.keys() == wanted


def test_every_finding_is_shown(results: dict[str, FindingResult]):
    assert results.keys() >= QUICK
    hosted = {id_ for id_ in HOSTED & results.keys() if results[id_].status == NOT_RUN}
    for id_, result in results.items():
        if id_ in READ_ONLY | hosted:
            assert result.status == NOT_RUN
            assert len(result.why_not_run) > 30
            continue
        assert result.status == SHOWN, f"{id_}: {result.problems}"
        assert result.calls > 0 or id_ in HOSTED
        assert result.facts >= 2


def test_corrected_forms_are_as_their_references_have_them(results: dict[str, FindingResult]):
    """On the very input that shows the defect; where a routine of its own is called, by facts."""
    judged = 0
    for result in results.values():
        for step in result.steps:
            for seen in step.corrected.values():
                for outcome in seen.outcomes:
                    assert step.step.corrected is not None
                    if not step.step.corrected.setup.entry:
                        assert outcome.agrees is True
                        judged += 1
    assert judged > 2 * len(results)


# -- findings that must not be shown -----------------------------------------------------------


def spoiled(step: Step) -> Step:
    """The corrected form in place of the described one; or a claim that is what is seen."""
    if step.corrected is None:
        return dataclasses.replace(step, claimed=step.described.facts)
    given = dataclasses.replace(step.corrected, facts=step.described.facts)
    return dataclasses.replace(step, described=given)


@pytest.fixture(scope="module")
def spoiled_results(
    findings: dict[str, Finding], compilers: Callable[..., None]
) -> dict[str, FindingResult]:
    compilers("68040", "601", "mips")
    one_by_one = [
        dataclasses.replace(finding, id=f"{finding.id}.{number}", steps=(spoiled(step),))
        for finding in findings.values()
        for number, step in enumerate(finding.steps)
        if finding.id not in POWERPC | HOSTED
    ]
    return check(one_by_one)


@pytest.mark.slow
def test_no_step_is_shown_of_a_form_without_the_defect(
    spoiled_results: dict[str, FindingResult],
):
    assert len(spoiled_results) > 60
    shown = [
        id_
        for id_, result in spoiled_results.items()
        if result.status != NOT_SHOWN and "601" not in (result.finding.steps[0].cpus or ())
    ]
    assert not shown


def test_nor_those_of_the_powerpc_and_of_hosted_programs(
    findings: dict[str, Finding], results: dict[str, FindingResult]
):
    for id_ in (POWERPC | HOSTED) & results.keys():
        if results[id_].status == NOT_RUN:
            pytest.skip(results[id_].why_not_run)
        step = spoiled(findings[id_].steps[0])
        with TrialRunner(cpus=("601",)) as bench:
            (result,) = check_findings([dataclasses.replace(findings[id_], steps=(step,))], bench)
        assert result.status == NOT_SHOWN
        assert re.search(r"as described: .* is .*, not ", result.problems[0])


@pytest.mark.slow
def test_a_corrected_form_with_the_defect_is_not_good_enough(
    findings: dict[str, Finding], compilers: Callable[..., None]
):
    """The described form in place of the corrected one, and what is right asked of nobody."""
    compilers("68040")
    for id_ in ("M9", "B8", "Q8", "P1"):
        (step, *_) = findings[id_].steps
        wrong = dataclasses.replace(step, corrected=step.described)
        with TrialRunner(cpus=("68040",)) as bench:
            (result,) = check_findings([dataclasses.replace(findings[id_], steps=(wrong,))], bench)
        assert result.status == NOT_SHOWN
        assert any("corrected: " in problem for problem in result.problems)


def test_a_wrong_number_is_not_shown(findings: dict[str, Finding], compilers: Callable[..., None]):
    compilers("68040")
    step = findings["B8"].steps[0]
    described = dataclasses.replace(step.described, facts={"gReportCount": 3})
    wrong = dataclasses.replace(
        findings["B8"], steps=(dataclasses.replace(step, described=described),)
    )
    nothing = dataclasses.replace(
        wrong,
        steps=(
            dataclasses.replace(
                step, described=dataclasses.replace(step.described, facts={"gReportsCount": 4})
            ),
        ),
    )
    with TrialRunner(cpus=("68040",)) as bench:
        first, second = check_findings([wrong, nothing], bench)
    assert first.problems == ["one sector: 68040, as described: gReportCount is 4, not 3"]
    assert second.status == NOT_SHOWN
    assert "no value is called gReportsCount" in second.problems[0]


def test_what_cannot_be_run_is_said(findings: dict[str, Finding], no_compilers: None):
    # Of most cases O2 comes along and nothing else.
    with TrialRunner(builds=("O1",), cpus=("68040",)) as bench:
        found = check_findings([findings["M8"], findings["B8"], findings["Q5"]], bench)
    assert [result.status for result in found] == [NOT_RUN, NOT_RUN, NOT_RUN]
    assert "is not installed" in found[1].why_not_run
    assert "it is for mips only" in found[2].why_not_run


@pytest.mark.slow
def test_every_finding_on_every_processor_in_another_build(
    findings: dict[str, Finding], compilers: Callable[..., None]
):
    """In the usual build, docs/systems.md has them, and its commands are run."""
    compilers("68000", "68040", "601", "mips")
    with TrialRunner(builds=("period",)) as bench:
        for result in check_findings(list(findings.values()), bench):
            assert result.status != NOT_SHOWN, f"{result.finding.id}: {result.problems}"
