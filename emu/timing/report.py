"""What was timed, as typed data; tables, plots, JSON and the other forms are made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from emu.cases.programs import NotRun
from emu.report.json_form import to_json as json_form
from emu.timing.profile_report import ProfileReport
from emu.timing.report_findings import (
    Choice,
    HarnessTiming,
    LoopTiming,
    MachineRatio,
    MeasuredSpeeds,
    Nearest,
    Sensitivity,
    SourceShare,
)
from emu.timing.report_parts import (
    CaseFacts,
    EventCounts,
    ModelFacts,
    ProgramTiming,
    PublishedSpeeds,
    Receipt,
    TimedScenes,
)
from emu.timing.targets import Target

SCHEMA = "macproof.timing/2"
"""The JSON form's name; ``timing.schema.json`` beside this module describes it."""


@dataclass(frozen=True, slots=True)
class TimingReport:
    """Predicted speeds of a case's programs, and what they are laid beside.

    Attributes:
        note: what is a fact here, and what is not.
        case: the case.
        scenes: what was counted.
        events: what the work of a call consists of.
        models: the cycle models, by processor.
        published: published speeds of machines with these processors.
        programs: every program that was timed.
        choice: the build fixed in advance.
        rule: what rules a program out, as a sentence.
        cross_ratios: how much faster one machine is than another.
        after_the_fact: what turned out to come nearest.
        sensitivities: how predictions depend on the models.
        sources: what the cycles of each processor rest on.
        loops: loops whose times are known.
        measured: speeds that a user measured.
        measured_left_out: files of them that were not taken, a sentence each.
        harness: programs that measured themselves.
        targets: what should be reached, fixed in advance.
        not_run: what was not run, each with the reason.
        others: shipped cases that have published figures too, by name.
        receipt: how to have it again.
        profile: where the cycles go, if that was asked for.
    """

    note: str
    case: CaseFacts
    scenes: TimedScenes
    events: EventCounts
    models: Mapping[str, ModelFacts]
    published: tuple[PublishedSpeeds, ...]
    programs: tuple[ProgramTiming, ...]
    choice: Choice
    rule: str
    cross_ratios: tuple[MachineRatio, ...]
    after_the_fact: tuple[Nearest, ...]
    sensitivities: tuple[Sensitivity, ...]
    sources: Mapping[str, tuple[SourceShare, ...]]
    loops: tuple[LoopTiming, ...]
    measured: tuple[MeasuredSpeeds, ...]
    measured_left_out: tuple[str, ...]
    harness: tuple[HarnessTiming, ...]
    targets: tuple[Target, ...]
    not_run: tuple[NotRun, ...]
    others: tuple[str, ...]
    receipt: Receipt
    profile: ProfileReport | None = None

    @property
    def program_sources(self) -> list[str]:
        """What programs were compiled from, the case's own first."""
        return list(dict.fromkeys(program.source for program in self.programs))

    def programs_of(self, cpu: str, source: str | None = None) -> list[ProgramTiming]:
        """A processor's programs; of one source, or of all."""
        return [p for p in self.programs if p.cpu == cpu and source in (None, p.source)]

    def published_of(self, cpu: str) -> list[PublishedSpeeds]:
        """What was published of machines with a processor."""
        return [one for one in self.published if one.cpu == cpu]

    def measured_on(self, cpu: str) -> list[MeasuredSpeeds]:
        """Measured speeds with a processor, or with one that is not known or was not timed."""
        return [one for one in self.measured if one.cpu in (cpu, None)]

    def label(self, build: str, source: str) -> str:
        """What a program is called: its build, and its source where there are several."""
        return f"{build}, {source}" if len(self.program_sources) > 1 else build

    def of_source(self, source: str) -> str:
        """The source for a heading, where there are several."""
        return f" ({source})" if len(self.program_sources) > 1 else ""


def to_json(report: TimingReport) -> str:
    """The JSON form, of schema `SCHEMA`."""
    return json_form(report, SCHEMA)
