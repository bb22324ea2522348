"""Sections of the timing document about the basis of the predictions: models, sources, counts."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator

from emu.report.document import Literal, Points, Section, Table
from emu.report.plots.numbers import (
    percent,
    shown_percent,
    signed_percent,
    significant,
    three_digits,
)
from posts.timing.comparison import ModelChange
from posts.timing.comparison_sections import by_objects
from posts.timing.harness import HarnessTiming
from posts.timing.report import TimingReport
from posts.timing.report_parts import ProgramTiming

_COMMONEST = 8
_FITS = {True: "fits", False: "too large", None: "no cache"}
_OTHER_CODE = (
    "The routine in the application is not exactly the code that was predicted. An application is "
    "linked with a library, whose memset clears memory in place of a loop. On the PowerPC an "
    "application can be loaded at any address, so each function first loads the addresses of the "
    "global variables that it uses."
)


def machine(report: TimingReport) -> Iterator[Section]:
    """The machine that was asked for, and what is known of it."""
    modelled_machine = report.machine
    if modelled_machine is not None:
        facts = (
            ("processor", f"{modelled_machine.cpu} at {modelled_machine.megahertz:g} MHz"),
            ("caches", modelled_machine.caches),
        )
        rows = (*facts, ("memory", modelled_machine.memory), ("source", modelled_machine.source))
        yield Section(modelled_machine.title, (Table(("", "as predicted"), rows, words=2),))


def sensitivities(report: TimingReport) -> Iterator[Section]:
    """The change of a prediction when one number of the cycle model is changed."""
    for sensitivity in report.sensitivities:
        beside = f" beside {sensitivity.machine}" if sensitivity.machine else ""
        spread = ("scale", "shape rms", "worst") if sensitivity.machine else ()
        rows = tuple(
            _change_row(change, with_spread=bool(spread)) for change in sensitivity.changes
        )
        yield Section(
            f"{sensitivity.cpu} {report.label(sensitivity.build, sensitivity.source)}{beside}: "
            "sensitivity to the model",
            (
                "Each row changes one thing in the model and prices the same counts again.",
                Table(("change", "cycles", *spread), rows),
            ),
        )


def _change_row(change: ModelChange, *, with_spread: bool) -> tuple[str, ...]:
    cells = (change.what, signed_percent(change.cycles - 1))
    if not with_spread:
        return cells
    errors = (shown_percent(change.shape_rms), shown_percent(change.shape_worst))
    return (*cells, three_digits(change.scale), *errors)


def harness(report: TimingReport) -> Iterator[Section]:
    """The speeds that the whole program prints in virtual time, beside predictions and figures."""
    for timing in report.harness:
        shorter = "Its experiments were shortened (--quick). " if timing.is_quick else ""
        yield Section(
            f"The whole program in virtual time: {timing.cpu} at {timing.megahertz:g} MHz, "
            f"{report.label(timing.build, timing.source)}",
            (
                "Calls per second: printed by the whole program in virtual time, predicted for the "
                "routine alone, and published.",
                _experiments(report, timing),
                Literal(timing.lines),
                Points(
                    (
                        _OTHER_CODE,
                        f"{shorter}The program read the clock {timing.clock_calls:,} times and "
                        f"took {timing.virtual_seconds:,.0f} virtual seconds, which took "
                        f"{timing.seconds:,.0f} seconds on this computer.",
                    )
                ),
            ),
        )


def _experiments(report: TimingReport, timing: HarnessTiming) -> Table:
    machines = report.published_of(timing.cpu)
    programs = [p for p in report.programs_of(timing.cpu, timing.source) if p.build == timing.build]
    sizes = programs[0].sizes if programs else {}
    rows = []
    for experiment in timing.experiments:
        n = experiment.objects
        predicted = timing.megahertz * 1e6 / sizes[n].cycles if n in sizes else None
        speeds = (three_digits(machine.per_second.get(n)) for machine in machines)
        rows.append((str(n), three_digits(experiment.per_second), three_digits(predicted), *speeds))
    columns = ("objects", "printed", "predicted", *(machine.machine for machine in machines))
    return Table(columns, tuple(rows))


def instructions(report: TimingReport) -> Iterator[Section]:
    """The instruction counts, and the cycles per instruction by the model and by the figures."""
    for cpu in report.models:
        rows: list[tuple[str, ...]] = []
        breaks = set()
        programs = report.programs_of(cpu)
        for program in programs:
            breaks.add(len(rows))
            rows += _instruction_rows(report, program)
        mixes = (f"{report.label(p.build, p.source)}: {_mix(p)}" for p in programs)
        yield Section(
            f"{cpu}: instructions of a call, by number of objects",
            (
                Table(
                    by_objects("build", "", report=report), tuple(rows), 2, breaks=frozenset(breaks)
                ),
                Points(
                    (
                        f"The most frequent instructions with {report.scenes.objects[-1]} objects:",
                        *mixes,
                    )
                ),
            ),
            is_detail=True,
        )


def _instruction_rows(report: TimingReport, program: ProgramTiming) -> Iterator[tuple[str, ...]]:
    sizes = report.scenes.objects
    cells = [program.sizes[n] for n in sizes]
    name = report.label(program.build, program.source)
    yield (name, "instructions", *(f"{cell.instructions:,.0f}" for cell in cells))
    each = (significant(cell.cycles_per_instruction) for cell in cells)
    yield ("", "cycles each, by the model", *each)
    for comparison in program.against:
        for what, numbers in (
            (f"cycles each, by {comparison.machine}", comparison.implied_cycles_per_instruction),
            ("cycles each, at least", comparison.least_cycles_per_instruction),
        ):
            yield ("", what, *(three_digits(numbers.get(n)) for n in sizes))


def _mix(program: ProgramTiming) -> str:
    """The most frequent instructions with the largest number of objects, with their shares."""
    size = program.sizes[max(program.sizes)]
    return ", ".join(
        f"{mnemonic} {count / size.instructions:.0%}"
        for mnemonic, count in list(size.mix.items())[:_COMMONEST]
    )


def footprints(report: TimingReport) -> Iterator[Section]:
    """Whether the caches hold the code and data of a call, as the models assume."""
    rows = tuple(
        (
            f"{program.cpu} {report.label(program.build, program.source)}",
            _FITS[program.footprint.fits],
            f"{program.footprint.code_bytes:,}",
            f"{program.footprint.data_bytes:,}",
            f"{program.footprint.stack_bytes:,}",
        )
        for program in report.programs
    )
    caches = {program.cpu: program.footprint.caches for program in report.programs}
    yield Section(
        "Whether a call fits the caches",
        (
            "Sizes in bytes. The models assume that all code and data of a call are in the caches, "
            "but those of the 68020 and the 68030 count which code is not. The data is all data of "
            "the program, of which a call uses a part.",
            Table(("program", "", "code executed", "all data", "stack"), rows, words=2),
            Points(tuple(f"{cpu}: {words}." for cpu, words in caches.items())),
        ),
        is_detail=True,
    )


def sources(report: TimingReport) -> Iterator[Section]:
    """The manuals, measurements and assumptions that the predicted cycles are based on."""
    rows = []
    lines = []
    for cpu, shares in report.sources.items():
        rows += [(cpu, share.kind, share.title, percent(share.share)) for share in shares]
        kinds: defaultdict[str, float] = defaultdict(float)
        for share in shares:
            kinds[share.kind] += share.share
        words = ", ".join(f"{kind} {percent(part)}" for kind, part in kinds.items())
        lines.append(f"{cpu}: {words}.")
    yield Section(
        "Sources of the predicted cycles, by kind",
        (
            "If an instruction's price has several sources, its cycles count for the weakest one.",
            Points(tuple(lines)),
        ),
    )
    columns = ("CPU", "kind", "source", "of all cycles")
    yield Section("Sources", (Table(columns, tuple(rows), words=3),), is_detail=True)
    for cpu, model in report.models.items():
        yield Section(
            f"{cpu}: assumptions of the model",
            (Points(model.assumptions),),
            is_detail=True,
        )


def left_out(report: TimingReport) -> Iterator[Section]:
    """What was not run or is not known, with the reasons."""
    points = [f"{omission.what}: {omission.why}." for omission in report.not_run]
    points += [f"{text}: left out." for text in report.measured_left_out]
    points += [f"{speeds.file}: {speeds.note}" for speeds in report.measured if speeds.note]
    for measured in report.measured:
        others = [str(n) for n in measured.per_second if n not in report.scenes.objects]
        if others:
            points.append(
                f"{measured.file} has times with {', '.join(others)} objects, which were not "
                "predicted; add them to --objects to compare them."
            )
    if points:
        yield Section("Not run, or not known", (Points(tuple(points)),))


def receipt(report: TimingReport) -> Iterator[Section]:
    """What the counts are based on, and the command that repeats them."""
    scenes, receipt = report.scenes, report.receipt
    sizes = [size for program in report.programs for size in program.sizes.values()]
    calls = sum(size.calls for size in sizes)
    compared = sum(size.bytes_compared for size in sizes)
    objects = ", ".join(map(str, scenes.objects))
    points = (
        f"{scenes.of_each} scenes each with {objects} objects, generator {scenes.generator}, seeds "
        f"from {scenes.seed}.",
        f"{calls:,} calls were counted. Every result was right: {compared / 1e6:,.0f} MB of data "
        f"memory were compared with {report.case.reference}.",
        f"Where the programs came from: {receipt.programs}.",
        f"Command: {shlex.join(receipt.command)}",
    )
    yield Section("Receipt", (Points(points),))
