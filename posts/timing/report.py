"""The timing report: the data from which the document, its plots and its JSON are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from emu.cases.programs.selection import Omission
from emu.report.json_form import to_json as json_form
from emu.timing.machines import ModelledMachine
from emu.timing.profile_report import ProfileReport
from emu.timing.provenance import SourceShare
from posts.timing.comparison import MachineRatio
from posts.timing.compilers.prediction import CompilerPrediction
from posts.timing.harness import HarnessTiming
from posts.timing.measured_times import MeasuredSpeeds
from posts.timing.report_findings import (
    Choice,
    LoopTiming,
    NearestPrograms,
    Sensitivity,
)
from posts.timing.report_parts import (
    EventCounts,
    ModelFacts,
    ProgramTiming,
    PublishedSpeeds,
    TimedCase,
    TimedScenes,
    TimingReceipt,
)
from posts.timing.targets import AccuracyTarget

SCHEMA = "macproof.timing/2"
"""The name of the JSON form, which ``macproof schema timing`` describes."""


@dataclass(frozen=True, slots=True)
class TimingReport:
    """Predicted speeds of a case's programs, and the speeds that they are compared with.

    Attributes:
        note: which figures are exact and which are a model's, in words.
        case: the case.
        scenes: the scenes whose calls were counted.
        events: the number of each event of the algorithm per call.
        models: the cycle models, by processor.
        published: the published speeds of machines with these processors.
        programs: the programs that were timed.
        choice: the build that was chosen in advance.
        rule: the rule that rules out builds, as a sentence.
        cross_ratios: the ratios of the speeds of two machines.
        after_the_fact: the builds that are nearest to the published speeds, found by comparing.
        sensitivities: the changes of predictions when the model is changed.
        sources: the sources of the predicted cycles, by processor.
        loops: loops with known times, beside the model's times.
        measured: the speeds that a user measured.
        measured_left_out: one sentence for each file of times that was not used.
        harness: the programs that measured themselves in virtual time.
        targets: the targets that were fixed in advance.
        not_run: what was not run, each with the reason.
        others: the names of other shipped cases with published figures.
        receipt: what is needed to make the report again.
        profile: the profile of the programs; None if none was asked for.
        machine: the machine that was asked for; None if none was.
        by_compilers: predictions by compilers that were measured on other programs.
    """

    note: str
    case: TimedCase
    scenes: TimedScenes
    events: EventCounts
    models: Mapping[str, ModelFacts]
    published: tuple[PublishedSpeeds, ...]
    programs: tuple[ProgramTiming, ...]
    choice: Choice
    rule: str
    cross_ratios: tuple[MachineRatio, ...]
    after_the_fact: tuple[NearestPrograms, ...]
    sensitivities: tuple[Sensitivity, ...]
    sources: Mapping[str, tuple[SourceShare, ...]]
    loops: tuple[LoopTiming, ...]
    measured: tuple[MeasuredSpeeds, ...]
    measured_left_out: tuple[str, ...]
    harness: tuple[HarnessTiming, ...]
    targets: tuple[AccuracyTarget, ...]
    not_run: tuple[Omission, ...]
    others: tuple[str, ...]
    receipt: TimingReceipt
    profile: ProfileReport | None = None
    machine: ModelledMachine | None = None
    by_compilers: tuple[CompilerPrediction, ...] = ()

    @property
    def program_sources(self) -> list[str]:
        """The short names of the sources of the programs, the case's own first."""
        return list(dict.fromkeys(program.source for program in self.programs))

    def programs_of(
        self, cpu: str, source: str | None = None, code: str | None = None
    ) -> list[ProgramTiming]:
        """The programs of a processor, of one source and in one code; None is any."""
        return [
            p
            for p in self.programs
            if p.cpu == cpu and source in (None, p.source) and code in (None, p.code)
        ]

    def codes_of(self, cpu: str) -> list[str]:
        """Whose code was timed on a processor; "" is its own."""
        return list(dict.fromkeys(program.code for program in self.programs_of(cpu)))

    def published_of(self, cpu: str) -> list[PublishedSpeeds]:
        """The published speeds of machines with a processor."""
        return [speeds for speeds in self.published if speeds.cpu == cpu]

    def measured_on(self, cpu: str) -> list[MeasuredSpeeds]:
        """The measured speeds of machines with a processor, or with an unknown one."""
        return [speeds for speeds in self.measured if speeds.cpu in (cpu, None)]

    def label(self, build: str, source: str) -> str:
        """The name of a program: its build; its source is added if there are several sources."""
        return f"{build}, {source}" if len(self.program_sources) > 1 else build

    def of_source(self, source: str) -> str:
        """The source in brackets, to end a heading; "" if there is only one source."""
        return f" ({source})" if len(self.program_sources) > 1 else ""


def to_json(report: TimingReport) -> str:
    """The report as JSON text of schema `SCHEMA`."""
    return json_form(report, SCHEMA)
