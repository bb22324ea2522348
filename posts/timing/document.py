"""Makes the timing document from a timing report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from emu.report.document import Check, CheckStatus, Document, Section
from emu.report.plots.numbers import significant
from emu.timing.profile_document import profile_sections
from posts.timing import basis_sections as basis
from posts.timing import comparison_sections as beside
from posts.timing.comparison_sections import MET
from posts.timing.compilers.sections import sections as compiler_sections
from posts.timing.plots import event_plot, speed_plot
from posts.timing.report import SCHEMA, TimingReport
from posts.timing.report_parts import ProgramTiming


def timing_document(report: TimingReport) -> Document:
    """Make the document of a timing report.

    It has no outcome, because a prediction is no verdict. For JUnit each program is a test case
    that passes, since programs with wrong results are not timed at all. Its properties are the
    speeds, and the targets that it meets or misses. What was not run is a skipped test case.
    """
    case = report.case.identity
    credit = f" ({case.credit})" if case.credit else ""
    return Document(
        title=f"{case.title}{credit}: predicted speeds",
        lead=(report.note,),
        sections=tuple(_sections(report)),
        checks=tuple(_checks(report)),
        seconds=report.receipt.seconds,
        data=report,
        schema=SCHEMA,
    )


def _sections(report: TimingReport) -> Iterator[Section]:
    """All sections, in the order of the document; a page shows what it comes to, and folds how."""
    yield from basis.machine(report)
    yield Section("Speeds over the number of objects", (speed_plot(report),))
    yield from _folded(_before_targets(report))
    yield from beside.targets(report)
    yield from _folded(_calibration(report))
    if report.profile is not None:  # which somebody has asked for
        yield from profile_sections(report.profile)
    yield from _folded(_basis(report))


def _folded(sections: Iterator[Section]) -> Iterator[Section]:
    return (replace(section, is_folded=True) for section in sections)


def _before_targets(report: TimingReport) -> Iterator[Section]:
    """The speeds as numbers, and what they consist of."""
    yield from beside.speeds(report)
    yield from compiler_sections(report.by_compilers)
    yield from beside.impossible(report)
    yield from beside.work(report)
    events = event_plot(report)
    if events is not None:
        yield Section("Cycles of one event, by build", (events,))
    yield from beside.event_costs(report)
    yield from beside.cross_ratios(report)


def _calibration(report: TimingReport) -> Iterator[Section]:
    """How well the models do elsewhere."""
    yield from beside.loops(report)
    yield from basis.sensitivities(report)
    yield from basis.harness(report)


def _basis(report: TimingReport) -> Iterator[Section]:
    """What the predictions rest on."""
    yield from basis.instructions(report)
    yield from basis.footprints(report)
    yield from basis.sources(report)
    yield from basis.left_out(report)
    yield from basis.receipt(report)


def _checks(report: TimingReport) -> Iterator[Check]:
    group = report.case.identity.name
    for program in report.programs:
        name = f"{program.cpu} {report.label(program.build, program.source)}"
        yield Check(group, name, CheckStatus.PASSED, properties=_properties(report, program))
    for omission in report.not_run:
        yield Check(group, omission.what, CheckStatus.SKIPPED, omission.why)


def _properties(report: TimingReport, program: ProgramTiming) -> dict[str, str]:
    properties = {
        "calls": str(sum(size.calls for size in program.sizes.values())),
        "bytes_compared": str(sum(size.bytes_compared for size in program.sizes.values())),
        "program_sha256": program.sha256,
    }
    for n, size in program.sizes.items():
        properties[f"calls per second, {n} objects"] = significant(size.per_second)
    for comparison in program.against:
        properties[f"predicted over published, {comparison.machine}"] = significant(
            comparison.scale
        )
    if report.choice.is_of(program.cpu, program.build):
        for target in report.targets:
            if target.source in (None, program.source):
                properties[f"target: {target.what}"] = f"{MET[target.met]}: {target.found}"
    return properties
