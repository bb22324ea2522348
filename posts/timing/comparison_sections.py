"""Sections of the timing document that compare predictions with published speeds."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from emu.report.document import Part, Points, Section, Table
from emu.report.plots.numbers import (
    ABSENT,
    percent,
    shown_percent,
    signed_percent,
    significant,
    three_digits,
)
from emu.report.verdict_words import TONES
from emu.toolchain.builds import labelled
from posts.timing.comparison import TOO_FEW, TOO_MANY, ExclusionReason
from posts.timing.fit import EventCosts
from posts.timing.measured_times import MeasuredSpeeds
from posts.timing.report import TimingReport
from posts.timing.report_parts import PublishedSpeeds

MET = {True: "met", False: "missed", None: "not checked"}
"""The words for a target's ``met``."""


def by_objects(*columns: str, report: TimingReport) -> tuple[str, ...]:
    """The headings of a table: the given ones, then one for each number of objects."""
    return (*columns, *map(str, report.scenes.objects))


def speeds(report: TimingReport) -> Iterator[Section]:
    """Predicted, published and measured speeds, then their ratios, scales and shape errors."""
    for cpu in report.models:
        for code in report.codes_of(cpu):
            for source in report.program_sources:
                yield _speeds_of(report, cpu, code, source)
                for machine in report.published_of(cpu):
                    yield _ratios_of(report, code, source, machine)


def _speeds_of(report: TimingReport, cpu: str, code: str, source: str) -> Section:
    model, sizes, machines = report.models[cpu], report.scenes.objects, report.published_of(cpu)
    given: list[tuple[str, PublishedSpeeds | MeasuredSpeeds]] = [
        (f"{machine.machine} (published)", machine) for machine in machines
    ]
    given += [
        (f"{measured_speeds.machine} (measured)", measured_speeds)
        for measured_speeds in report.measured_on(cpu)
    ]
    first = [
        (name, *(three_digits(routine.per_second.get(n)) for n in sizes)) for name, routine in given
    ]
    rows = [
        (program.plain_build, *(three_digits(program.sizes[n].per_second) for n in sizes))
        for program in report.programs_of(cpu, source, code)
    ]
    columns = by_objects("build", report=report)
    parts: list[Part] = [
        f"Predicted by the model {model.title}.",
        Table(columns, (*first, *rows), breaks=frozenset({len(first)})),
    ]
    if machines:
        parts.append(Points(tuple(f"{m.machine}: published by {m.source}." for m in machines)))
    return Section(
        f"{labelled(cpu, code)} at {model.megahertz:g} MHz: calls per second, by number of objects"
        + report.of_source(source),
        tuple(parts),
    )


def _ratios_of(report: TimingReport, code: str, source: str, machine: PublishedSpeeds) -> Section:
    sizes = [n for n in report.scenes.objects if n in machine.per_second]
    programs = report.programs_of(machine.cpu, source, code)
    pairs = [(p, p.beside(machine.machine)) for p in programs]
    rows = [
        (
            program.plain_build + (" *" if pair.cannot_be else ""),
            *(f"{pair.ratios[n]:.2f}" for n in sizes),
            significant(pair.scale),
            shown_percent(pair.shape_rms),
            shown_percent(pair.shape_worst),
        )
        for program, pair in pairs
        if pair is not None
    ]
    notes = [
        "The scale is the geometric mean of the ratios. The shape errors are ratio / scale - 1: "
        "their root mean square, and the largest.",
    ]
    if any(row[0].endswith(" *") for row in rows):
        notes.append("* cannot be the program that was timed: see below.")
    columns = ("build", *map(str, sizes), "scale", "shape rms", "worst")
    return Section(
        f"{labelled(machine.machine, code)}: predicted over published, by number of objects"
        + report.of_source(source),
        (Table(columns, tuple(rows)), Points(tuple(notes))),
    )


def impossible(report: TimingReport) -> Iterator[Section]:
    """The builds that are ruled out, with the reasons, and the builds nearest to the figures."""
    if not report.published:
        return
    pairs = [(program, comparison) for program in report.programs for comparison in program.against]
    rows = [
        (
            f"{program.cpu} {report.label(program.build, program.source)}",
            *_reason_cells(kind, reasons, len(pair.ratios)),
        )
        for program, pair in pairs
        for kind in (TOO_FEW, TOO_MANY)
        if (reasons := [reason for reason in pair.cannot_be if reason.kind == kind])
    ]
    points = list(
        dict.fromkeys(
            f"{program.cpu}, {reason.kind} cycles; the limit: {reason.why}."
            for program, pair in pairs
            for reason in pair.cannot_be
        )
    ) or ["This rule rules out none of the builds."]
    points += [
        f"This rules out {program.build}, the build that was chosen in advance, for "
        f"{program.cpu} ({program.source})."
        for program, pair in pairs
        if program.build == report.choice.by_machine[pair.machine].build and pair.cannot_be
    ]
    points.append(
        "A build that is not ruled out need not be the program that was timed: nobody knows the "
        "compiler, and these builds are of a compiler of today."
    )
    points += _after_the_fact(report)
    columns = ("build", "cycles", "objects", "per instruction", "limit")
    table = [Table(columns, tuple(rows), words=3)] if rows else []
    yield Section(
        "Builds that cannot be the program that was timed",
        (report.rule, *table, Points(tuple(points))),
    )


def _after_the_fact(report: TimingReport) -> Iterator[str]:
    for nearest in report.after_the_fact:
        shape, scale = nearest.nearest_shape, nearest.nearest_scale
        words = f"{scale.build} of {scale.source} in scale ({significant(scale.scale)})"
        if shape is not None:
            rms = percent(shape.shape_rms)
            words = f"{shape.build} of {shape.source} in shape ({rms} rms), {words}"
        yield f"Found by comparing, so not a prediction: nearest to {nearest.machine} is {words}."


def _reason_cells(kind: str, reasons: Sequence[ExclusionReason], of: int) -> tuple[str, ...]:
    """The numbers of objects for which a build is ruled out, and the ranges of cycles."""
    sizes = ", ".join(str(reason.objects) for reason in reasons)
    sizes = "all" if len(reasons) == of else sizes
    left_out = _range([reason.left for reason in reasons])
    return (kind, sizes, left_out, _range([reason.limit for reason in reasons]))


def _range(numbers: Sequence[float]) -> str:
    ends = (significant(min(numbers)), significant(max(numbers)))
    return "-".join(dict.fromkeys(ends))


def work(report: TimingReport) -> Iterator[Section]:
    """The mean number of each event in a call."""
    sizes = report.scenes.objects
    rows = [
        (word, *(_count(table[n][word]) for n in sizes))
        for table in (report.events.fitted, report.events.also)
        if table
        for word in table[sizes[0]]
    ]
    if report.events.fitted:
        yield Section(
            "Events in a call, by number of objects",
            (
                f"Counted by {report.case.reference}; the numbers are means over the scenes.",
                Table(by_objects("event", report=report), tuple(rows)),
            ),
        )


def _count(number: float) -> str:
    return f"{number:,.0f}" if number == int(number) else f"{number:,.1f}"


def event_costs(report: TimingReport) -> Iterator[Section]:
    """The fitted cycles of each event, for the figures and for every build."""
    if not report.events.fitted:
        return
    names = list(next(iter(report.events.fitted.values())))
    for cpu in report.models:
        published = [
            (f"{published_speeds.machine} (published)", published_speeds.event_fit)
            for published_speeds in report.published_of(cpu)
        ]
        for code, source in itertools.product(report.codes_of(cpu), report.program_sources):
            programs = report.programs_of(cpu, source, code)
            fits = [*published, *((program.plain_build, program.event_fit) for program in programs)]
            after = [f"{name} has no fit: {fit.problem}." for name, fit in fits if fit.problem]
            if any(fit.spare_figures == 0 and not fit.problem for _, fit in fits):
                after.append(
                    "There are as many costs as numbers of objects, so any figures would fit."
                )
            table = Table(
                ("build", *names, "worst error"),
                tuple(_cost_row(name, fit, names) for name, fit in fits),
                breaks=frozenset({len(published)}),
            )
            yield Section(
                f"{labelled(cpu, code)}: cycles of one event{report.of_source(source)}",
                (
                    "The cycles of a call are the sum over its events of count times cost. The "
                    "costs are fitted by least squares of the relative errors.",
                    table,
                    *([Points(tuple(after))] if after else []),
                ),
            )


def _cost_row(name: str, fit: EventCosts, names: Sequence[str]) -> tuple[str, ...]:
    costs = [three_digits(fit.cycles_of_one.get(word)) for word in names]
    return (name, *costs, ABSENT if fit.problem else percent(fit.worst))


def cross_ratios(report: TimingReport) -> Iterator[Section]:
    """How much faster one machine is than another, published and by build."""
    sizes = report.scenes.objects
    for ratio in report.cross_ratios:
        rows = [("published", *(three_digits(ratio.published.get(n)) for n in sizes))]
        rows += [
            (
                report.label(each.build, each.source),
                *(three_digits(each.ratios.get(n)) for n in sizes),
            )
            for each in ratio.predicted
        ]
        note = "Both machines have the same build here; the compilers of 1994 may have differed."
        table = Table(by_objects("build", report=report), tuple(rows), breaks=frozenset({1}))
        yield Section(
            f"Speed of {ratio.faster} / speed of {ratio.slower}, by number of objects",
            (note, table) if ratio.predicted else (table,),
        )


def targets(report: TimingReport) -> Iterator[Section]:
    """The targets that were fixed in advance, and whether they are met."""
    if not report.targets:
        return
    rows = tuple(
        (t.what + (report.of_source(t.source) if t.source else ""), MET[t.met], t.found)
        for t in report.targets
    )
    choice = report.choice
    points = [f"The build {choice.build} was {choice.why}.", *_codes(report)]
    for program in report.programs:
        for comparison in program.against:
            if program.build != choice.by_machine[comparison.machine].build:
                continue
            errors = comparison.errors_with_scale_of_smallest
            words = ", ".join(f"{n}: {signed_percent(error)}" for n, error in errors.items())
            if words:
                points.append(
                    f"{comparison.machine}, {report.label(program.build, program.source)}: if the "
                    "scale is taken from the smallest scenes, the errors of the others are "
                    f"{words}."
                )
    table = Table(("target", "", "measured"), rows, words=3, tones=TONES)
    yield Section("Targets", (table, Points(tuple(points))))


def _codes(report: TimingReport) -> Iterator[str]:
    """Whose code was chosen for the machines, and how the earlier choice fares."""
    for machine, chosen in report.choice.by_machine.items():
        if chosen.code is None:
            continue
        yield (
            f"For {machine} it is {chosen.code.cpu} code: {chosen.code.why}. This was decided on "
            f"{chosen.code.since}."
        )
        for program in report.programs_of(chosen.cpu):
            beside = program.beside(machine) if program.build == report.choice.build else None
            if beside is not None:
                least, most = min(beside.ratios.values()), max(beside.ratios.values())
                shape = (
                    f", shape error {percent(beside.shape_rms)} rms, worst "
                    f"{percent(beside.shape_worst)}"
                    if beside.shape_rms is not None and beside.shape_worst is not None
                    else ""
                )
                yield (
                    f"Before, it was {report.label(program.build, program.source)} in the "
                    f"{chosen.cpu}'s own code: ratios {least:.2f} to {most:.2f}, scale "
                    f"{significant(beside.scale)}{shape}."
                )


def loops(report: TimingReport) -> Iterator[Section]:
    """Loops that were timed on real machines, beside the times by the models."""
    if not report.loops:
        return
    rows = tuple(
        (
            loop.cpu,
            loop.name,
            loop.remark,
            significant(loop.measured),
            significant(loop.predicted),
            f"{loop.ratio:.2f}",
        )
        for loop in report.loops
    )
    measured_by: dict[str, list[str]] = {}
    for loop in report.loops:
        measured_by.setdefault(loop.source, []).append(loop.name)
    points = [f"{', '.join(names)}: {source}." for source, names in measured_by.items()]
    if report.others:
        commands = ", ".join(f"macproof timing {name}" for name in report.others)
        points.append(f"Whole programs with known speeds are cases of their own: {commands}.")
    yield Section(
        "Loops with known times: clocks per iteration",
        (
            "These loops were measured on real machines by others, independently of the published "
            "figures. A loop does not check the model if a number of the model was taken from it, "
            "or if it times memory.",
            Table(("CPU", "loop", "remark", "measured", "predicted", "ratio"), rows, words=3),
            Points(tuple(points)),
        ),
    )
