"""The audit as a document: a table of claims for each post, then every rule and figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from emu.report.document import (
    Check,
    CheckStatus,
    Document,
    Outcome,
    Part,
    Points,
    Section,
    Table,
)
from emu.report.verdict_words import TONES, verdict_outcome
from posts.audit.plots import plot_of
from posts.audit.report import SCHEMA, AuditedClaim, AuditReport
from posts.audit.rules import CANNOT, NOT_RUN

# A claim that does not hold is a result of the audit; it does not fail the check.
_FATES = {CANNOT: CheckStatus.SKIPPED, NOT_RUN: CheckStatus.ERROR}


def audit_document(report: AuditReport) -> Document:
    """The document of ``macproof audit``."""
    by_post = [(post, [c for c in report.claims if c.post == post.post]) for post in report.posts]
    asked = [(post, claims) for post, claims in by_post if claims]
    count = len(report.claims)
    tables = [
        Section(f"{post.post}: {post.title} ({post.by})", (_table(claims),))
        for post, claims in asked
    ]
    plots = [Section("Plots", tuple(map(plot_of, report.plots)))] if report.plots else []
    details = [
        Section(f"Rules and figures of {post.post}", tuple(_details(claims)), is_detail=True)
        for post, claims in asked
    ]
    receipt = Section("Receipt", (Points(tuple(_receipt(report))),), is_detail=True)
    return Document(
        title=f"{count} claim{'' if count == 1 else 's'} of the posts",
        outcome=_outcome(report),
        lead=(report.note,),
        sections=(*tables, *plots, *details, receipt),
        closing=("To measure one of them again: macproof audit ID",),
        checks=tuple(map(_check, report.claims)),
        seconds=report.receipt.seconds,
        data=report,
        schema=SCHEMA,
    )


def _outcome(report: AuditReport) -> Outcome:
    if report.verdicts[NOT_RUN]:
        return verdict_outcome("measured in part", report.tally)
    return verdict_outcome("measured", report.tally)


def _table(claims: Sequence[AuditedClaim]) -> Table:
    rows = tuple(
        (f"{claim.id}: {claim.says}", claim.found_words, claim.verdict) for claim in claims
    )
    return Table(
        ("claim", "measured", "verdict"),
        rows,
        words=3,
        breaks=frozenset(range(len(rows))),
        tones=TONES,
    )


def _details(claims: Sequence[AuditedClaim]) -> Iterator[Part]:
    for claim in claims:
        yield f"{claim.id}: {claim.says}"
        yield Points(tuple(_points(claim)))


def _points(claim: AuditedClaim) -> Iterator[str]:
    if claim.number:
        yield f"Claimed: {claim.number}"
    yield f"Verdict: {claim.verdict}"
    if not claim.rule:
        yield f"Because: {claim.found}"
        return
    yield f"Rule: {claim.rule}."
    if claim.rule_rests_on:
        yield f"Why these limits: {claim.rule_rests_on}"
    if claim.measure:
        yield f"Measured by {claim.measure}."
    if claim.run:
        yield f"Compiled code is measured by {claim.run.with_} on {claim.run.scenes}."
    if claim.figures:
        yield "Figures: " + ", ".join(f"{n} = {value:.10g}" for n, value in claim.figures.items())
    else:
        yield f"Not run: {claim.found}"
    yield f"Again: {claim.reproduce}"


def _receipt(report: AuditReport) -> Iterator[str]:
    receipt = report.receipt
    yield f"Command: {' '.join(receipt.command)}"
    yield f"macproof {receipt.macproof}, Python {receipt.python}, NumPy {receipt.numpy}"
    yield f"Engine: {receipt.engine}; programs: {receipt.programs}"
    for cpu, model in receipt.models.items():
        yield f"Model of the {cpu}: {model.title}, at {model.megahertz:g} MHz"


def _check(claim: AuditedClaim) -> Check:
    return Check(
        group=f"audit.{claim.post}",
        name=claim.id,
        fate=_FATES.get(claim.verdict, CheckStatus.PASSED),
        message=claim.found,
        properties={"says": claim.says, "verdict": claim.verdict, "found": claim.found_words},
    )
