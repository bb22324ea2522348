"""What a campaign has found, as a report and as a document.

Nothing in a report depends on interruptions or on the number of processes but ``seconds``.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from emu.base.errors import MacproofError
from emu.campaign.plan import CampaignPlan
from emu.campaign.store import CampaignStore
from emu.cases.programs.subject import UNICORN
from emu.report.document import Check, Document, Points, Section, Table
from emu.report.json_form import to_json
from emu.report.verdict_words import TONES, verdict_outcome
from emu.toolchain.build_cache import digest_of
from emu.verify.documents.comparison_document import bulk_sentence, translated_clause
from emu.verify.documents.coverage_document import coverage_caveat, unreached_sentences
from emu.verify.documents.document import FATES
from emu.verify.documents.ignored_document import ignored_clause, ignored_sentences
from emu.verify.documents.memory_document import layout_sentences
from emu.verify.documents.merged_texts import merge_by_text
from emu.verify.report.make_report import failed_scene
from emu.verify.report.receipt import BulkReference
from emu.verify.report.report import FailedScene
from emu.verify.runs.coverage import unreached_lines
from emu.verify.runs.unreached_code import UnreachedCode
from emu.verify.runs.verdicts import INCONCLUSIVE, VERIFIED, CallCounts, Result, verdict_of
from emu.verify.scenes.fills import Fill

SCHEMA = "macproof.campaign/1"


@dataclass(frozen=True, slots=True)
class ProgramTotal(CallCounts):
    """What a campaign has found of one program.

    Attributes:
        cpu: the processor's name.
        build: the build's name.
        engine: the name and version of the engine that executed it.
        verdict: "verified", "refuted" or "inconclusive", on the shards that are done.
        undecided: why it is inconclusive; "" if it is not.
        calls: the number of calls that returned.
        kept: the number of calls that were to find what earlier calls leave of what is ignored.
        reasons: why calls were left to Unicorn, the first few; see ``untranslated``.
        failures: the first failures, in the order of the scenes.
    """

    cpu: str
    build: str
    engine: str
    verdict: str
    undecided: str
    calls: int
    failures: tuple[FailedScene, ...]
    kept: int = 0
    reasons: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its name within its case: "68040 O2", or "68040 O2 on qemu-user"."""
        engine = self.engine.partition(" ")[0]
        return f"{self.cpu} {self.build}" + ("" if engine == UNICORN else f" on {engine}")


@dataclass(frozen=True, slots=True)
class CampaignReport:
    """What a campaign has found so far.

    Attributes:
        verdict: "verified" if all shards are done and nothing failed; "refuted" if anything did;
            "inconclusive" otherwise.
        plan: what is run.
        shards: the number of shards.
        done: the number of shards that are done.
        distinct: the number of scenes in them whose input in guest memory differs.
        agreed: the number of scenes that were put to the reference and to the bulk reference.
        scenes_sha256: one digest for the input of all their scenes.
        answers_sha256: one digest for all that the reference says of them.
        results: one result for each program.
        seconds: how long the campaign has run, in seconds, over all interruptions.
        widened: of how many scenes the bulk reference was asked with whole numbers of 64 bits,
            too.
        unreached: the lines with code that no scene has led to; None if that is not known.
    """

    verdict: str
    plan: CampaignPlan
    shards: int
    done: int
    distinct: int
    agreed: int
    scenes_sha256: str
    answers_sha256: str
    results: tuple[ProgramTotal, ...]
    seconds: float
    widened: int = 0
    unreached: UnreachedCode | None = None

    @property
    def document(self) -> Document:
        """The report as a document, which is shown on a terminal, as Markdown, HTML or JUnit."""
        return document_of(self)

    def to_json(self) -> str:
        """The report as JSON text, as ``macproof campaign report --json`` writes it."""
        return to_json(self, SCHEMA)


def make_campaign_report(store: CampaignStore) -> CampaignReport:
    """Add up the shards that are done.

    Raises:
        InputError: the campaign is damaged.
    """
    totals: list[Result] = []
    inputs: list[np.ndarray[tuple[int, ...], np.dtype[np.uint64]]] = []
    scenes, answers = hashlib.sha256(), hashlib.sha256()
    done = 0
    for shard in store.shards():
        done += 1
        scenes.update(shard.inputs)
        answers.update(shard.answers)
        inputs.append(np.frombuffer(shard.inputs, np.uint64))
        before = totals or [Result(result.subject) for result in shard.results]
        totals = [total + more for total, more in zip(before, shard.results, strict=True)]
    plan = store.plan
    verdict = verdict_of(totals)
    if done < plan.shards and verdict == VERIFIED:
        verdict = INCONCLUSIVE
    return CampaignReport(
        verdict=verdict,
        plan=plan,
        shards=plan.shards,
        done=done,
        distinct=len(np.unique(np.concatenate(inputs))) if inputs else 0,
        agreed=max((total.agreed for total in totals), default=0),
        scenes_sha256=scenes.hexdigest(),
        answers_sha256=answers.hexdigest(),
        results=tuple(map(_total, totals)),
        seconds=round(store.seconds(), 3),
        widened=max((total.widened for total in totals), default=0),
        unreached=_unreached(plan, totals),
    )


def _unreached(plan: CampaignPlan, totals: Sequence[Result]) -> UnreachedCode | None:
    """The lines that no scene has led to; None if a program is not what it was any more."""
    for total in totals:
        program = total.subject.program
        digest = plan.programs.get(f"{total.subject.cpu} {total.subject.build}")
        if not program.is_file() or digest_of(program) != digest:
            return None
    try:
        return unreached_lines(plan.sources, totals)
    except (MacproofError, OSError):  # such as a file with its symbols that is gone
        return None


def _total(result: Result) -> ProgramTotal:
    return ProgramTotal(
        cpu=result.subject.cpu,
        build=result.subject.build,
        engine=result.engine or result.subject.engine,
        verdict=result.verdict,
        undecided=result.undecided if result.verdict == INCONCLUSIVE else "",
        calls=sum(result.calls),
        failures=tuple(map(failed_scene, result.failures)),
        kept=result.calls[list(Fill).index(Fill.KEPT)],
        reasons=result.reasons,
        **result.counts,
    )


# -- the document ------------------------------------------------------------------------------


def document_of(report: CampaignReport) -> Document:
    """Make the document of a campaign. It has one JUnit check for each program."""
    unfinished = report.shards - report.done
    to_run = f"{unfinished:,} of {report.shards:,} shards are still to be run" if unfinished else ""
    limits = (ignored_clause(report.plan.ignored), coverage_caveat(report.unreached))
    caveat = "; ".join(filter(None, (to_run, *limits)))
    return Document(
        title=f"{report.plan.title}: a campaign of {report.plan.scenes:,} scenes",
        outcome=verdict_outcome(report.verdict, caveat),
        sections=tuple(_sections(report)),
        checks=tuple(_check(report, result) for result in report.results),
        seconds=report.seconds,
        data=report,
        schema=SCHEMA,
    )


def _sections(report: CampaignReport) -> Iterator[Section]:
    yield Section("Programs", (_table(report),))
    failed = [(result.name, _words(result)) for result in report.results if _words(result)]
    if failed:
        again = tuple(
            f"To see it again: {_command(report, o)}" for o in report.results if o.failures
        )
        yield Section("Failures", (Points((*merge_by_text(failed), *again)),))
    yield Section("What was compared", (Points(tuple(_counts(report))),))
    yield Section("Receipt", (Points(tuple(_receipt(report))),), is_detail=True)


def _table(report: CampaignReport) -> Table:
    return Table(
        columns=(
            *("CPU", "build", "engine"),
            *("verdict", "scenes", "calls", "values compared", "failed scenes"),
        ),
        rows=tuple(
            (
                result.cpu,
                result.build,
                result.engine.partition(" ")[0],
                result.verdict,
                f"{result.scenes:,}",
                f"{result.calls:,}",
                f"{result.comparisons:,}",
                f"{result.diverged + result.violated:,}",
            )
            for result in report.results
        ),
        words=4,
        tones=TONES,
    )


def _words(result: ProgramTotal) -> str:
    """The first failure of a program; "" if it has none."""
    if result.failures:
        return f"{result.failures[0].scene}: {result.failures[0].summary.partition(chr(10))[0]}"
    return result.undecided


def _command(report: CampaignReport, result: ProgramTotal) -> str:
    """The command that explains a program's first failure."""
    scene = result.failures[0].scene
    words = ["macproof", "explain", report.plan.case, "--cpu", result.cpu, "--build", result.build]
    words += ["--seed", str(scene.seed), "--objects", str(scene.objects)]
    return shlex.join(words)


def _counts(report: CampaignReport) -> Iterator[str]:
    plan, results = report.plan, report.results
    yield (
        f"Shards: {report.done:,} of {report.shards:,}, of {plan.shard:,} scenes each; distinct "
        f"scenes: {report.distinct:,}; calls: {sum(result.calls for result in results):,}."
    )
    yield (
        f"{sum(result.comparisons for result in results):,} values compared with "
        f"{plan.reference}, and {sum(result.bytes_compared for result in results) / 1e6:,.0f} MB "
        "of data memory compared with what it had to be."
    )
    if plan.bulk_reference:
        bulk = BulkReference(
            plan.bulk_reference, report.agreed, plan.bulk_make, widened=report.widened
        )
        scenes = min(report.done * plan.shard, plan.scenes)
        yield bulk_sentence(plan.reference, bulk, scenes)
    kept, not_kept = (
        sum(result.kept for result in results),
        sum(result.not_kept for result in results),
    )
    yield from layout_sentences(
        sum(result.odd for result in results), sum(result.calls for result in results)
    )
    yield from ignored_sentences(plan.ignored, kept, not_kept)
    if report.unreached is not None:
        yield from unreached_sentences(report.unreached)
    elif report.done:
        yield (
            "Which lines were never executed is not known: the engine does not tell, or a program "
            "is not what it was."
        )
    if report.seconds:
        scenes = min(report.done * plan.shard, plan.scenes)
        yield f"It ran for {report.seconds:,.0f} s: {scenes / report.seconds:,.0f} scenes a second."


def _receipt(report: CampaignReport) -> Iterator[str]:
    plan = report.plan
    yield f"case: {plan.case}; first seed: {plan.seed}"
    yield from (f"{name}: SHA-256 {digest}" for name, digest in plan.files.items())
    yield from (f"program {name}: SHA-256 {digest}" for name, digest in plan.programs.items())
    yield f"input of all scenes: SHA-256 {report.scenes_sha256}"
    yield f"answers to all scenes: SHA-256 {report.answers_sha256}"
    yield from (
        f"{result.name}: executed by {result.engine}{_share(result)}" for result in report.results
    )
    yield f"engine: {plan.engine}, macproof {plan.macproof}"


def _share(result: ProgramTotal) -> str:
    """How many calls translated code has made, if the engine translates."""
    clause = translated_clause(result.calls, result, result.reasons)
    return f": {clause}." if clause else ""


def _check(report: CampaignReport, result: ProgramTotal) -> Check:
    message = "\n".join(f"{failure.scene}: {failure.summary}" for failure in result.failures)
    return Check(
        group=report.plan.title,
        name=result.name,
        fate=FATES[result.verdict],
        message="" if result.verdict == VERIFIED else message or result.undecided,
        properties={"scenes": str(result.scenes), "comparisons": str(result.comparisons)},
    )
