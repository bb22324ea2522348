"""Makes the timing report from predictions, published figures and measured times."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from emu.cases.keys.parts import Figures
from emu.cases.programs.selection import Omission
from emu.cycles.base.model import CycleModel
from emu.cycles.micro_loops import LoopCheck
from emu.timing.predict import SizePrediction, TimingPlan
from emu.timing.provenance import SourceShare, all_shares, footprint, shares, shares_by_kind
from emu.toolchain.builds import unlabelled
from emu.toolchain.programs.gcc import BuiltProgram
from emu.verify.report.receipt import CaseIdentity
from macproof import Case, Prediction
from posts.timing.comparison import (
    CHOICE,
    RULE,
    PublishedComparison,
    against,
    chosen_build,
    cross_ratios,
    published_cycles,
    variations,
)
from posts.timing.compilers.prediction import CompilerPrediction, predict_by_compilers
from posts.timing.fit import EventCosts, fit_events
from posts.timing.harness import HarnessTiming
from posts.timing.measured_times import Measurements
from posts.timing.report import TimingReport
from posts.timing.report_findings import (
    Choice,
    ChosenBuild,
    LoopTiming,
    NearestPrograms,
    NearestScale,
    NearestShape,
    Sensitivity,
)
from posts.timing.report_parts import (
    EventCounts,
    ModelFacts,
    ProgramTiming,
    PublishedSpeeds,
    TimedCase,
    TimedScenes,
    TimedSize,
    TimingReceipt,
)
from posts.timing.targets import AccuracyTarget, build_targets, fit_target, loop_target


@dataclass(frozen=True, slots=True)
class TimingResults:
    """The results that a timing report is made from.

    Attributes:
        case: the case.
        plan: the scenes.
        events: the mean number of each event per call, by number of objects, then by the event's
            name. The cycles of a call are divided among these events.
        also: the same for events that are counted only.
        predictions: one prediction for each program.
        programs: the predicted programs, in the same order.
        models: the cycle models, by processor.
        megahertz: the clock of predicted speeds in MHz, by processor.
        measured: times from real machines.
        loops: loops with known times, beside the model's times.
        harness: the measurements that whole programs printed in virtual time.
        not_run: what was not run, each with the reason.
        others: the names of other shipped cases with published figures.
        provision: where the programs came from, in words.
        command: the command line, one string for each word.
        seconds: the time that all of this took, in seconds.
    """

    case: Case
    plan: TimingPlan
    events: Mapping[int, Mapping[str, float]]
    also: Mapping[int, Mapping[str, float]]
    predictions: Sequence[Prediction]
    programs: Sequence[BuiltProgram]
    models: Mapping[str, CycleModel]
    megahertz: Mapping[str, float] = field(default_factory=dict)
    measured: Measurements = field(default_factory=lambda: Measurements((), ()))
    loops: Sequence[LoopCheck] = ()
    harness: Sequence[HarnessTiming] = ()
    not_run: Sequence[Omission] = ()
    others: Sequence[str] = ()
    provision: str = ""
    command: Sequence[str] = ()
    seconds: float = 0.0

    @property
    def figures(self) -> tuple[Figures, ...]:
        """The published figures of the processors that were timed."""
        every = self.case.timing.figures if self.case.timing is not None else ()
        return tuple(figures for figures in every if figures.cpu in self.models)

    def beside(self, prediction: Prediction) -> list[tuple[Figures, PublishedComparison]]:
        """Compare a prediction with the figures of each machine that has its processor."""
        return [(f, one) for f in self.figures if (one := against(prediction, f)) is not None]


def make_report(given: TimingResults) -> TimingReport:
    """Make the timing report."""
    fits = {
        figure.machine: fit_events(given.events, published_cycles(figure))
        for figure in given.figures
    }
    case, plan = given.case, given.plan
    return TimingReport(
        note="Instruction counts are exact. Cycles are computed by a model, not measured.",
        case=TimedCase(CaseIdentity.of(case), case.reference),
        scenes=TimedScenes(plan.generator, plan.objects, plan.scenes, plan.seed),
        events=EventCounts(given.events, given.also),
        models={
            cpu: ModelFacts(model.title, given.megahertz[cpu], tuple(model.assumptions()))
            for cpu, model in given.models.items()
        },
        published=tuple(_published(figure, fits[figure.machine]) for figure in given.figures),
        programs=tuple(
            _program(prediction, program, given)
            for prediction, program in zip(given.predictions, given.programs, strict=True)
        ),
        choice=_choice(given),
        rule=RULE,
        cross_ratios=tuple(cross_ratios(given.predictions, given.figures)),
        after_the_fact=tuple(_after_the_fact(given)),
        sensitivities=tuple(_sensitivities(given)),
        sources={cpu: _sources(given.predictions, cpu) for cpu in given.models},
        loops=tuple(_loop(check) for check in given.loops),
        measured=tuple(
            one if one.cpu in given.models else replace(one, cpu=None)
            for one in given.measured.found
        ),
        measured_left_out=tuple(given.measured.left_out),
        harness=tuple(given.harness),
        targets=tuple(_targets(given, fits)),
        not_run=tuple(given.not_run),
        others=tuple(given.others),
        receipt=TimingReceipt(
            command=given.command,
            seconds=round(given.seconds, 3),
            programs=given.provision,
        ),
        by_compilers=tuple(_by_compilers(given)),
    )


def _by_compilers(given: TimingResults) -> Iterator[CompilerPrediction]:
    """What the chosen build of the case's own source predicts with compilers that were measured."""
    machines: dict[str, tuple[Figures, PublishedComparison]] = {}
    for prediction in given.predictions:
        for figures, comparison in given.beside(prediction):
            if prediction.build == chosen_build(figures):
                machines.setdefault(figures.machine, (figures, comparison))
    yield from predict_by_compilers(machines.values())


def _choice(given: TimingResults) -> Choice:
    return Choice(
        build=CHOICE,
        why="chosen for its flags, before any prediction was compared with a figure",
        is_here=any(unlabelled(p.build) == CHOICE for p in given.predictions),
        by_machine={
            figure.machine: ChosenBuild(figure.cpu, chosen_build(figure), figure.code)
            for figure in given.figures
        },
    )


# -- programs and published speeds -----------------------------------------------------------


def _published(figures: Figures, fit: EventCosts) -> PublishedSpeeds:
    return PublishedSpeeds(
        machine=figures.machine,
        cpu=figures.cpu,
        megahertz=figures.megahertz,
        source=figures.source,
        per_second=figures.calls_per_second,
        cycles=published_cycles(figures),
        event_fit=fit,
    )


def _program(prediction: Prediction, program: BuiltProgram, given: TimingResults) -> ProgramTiming:
    megahertz = given.megahertz[prediction.cpu]
    cycles = {n: size.cycles for n, size in prediction.sizes.items()}
    return ProgramTiming(
        cpu=prediction.cpu,
        code=program.code,
        build=prediction.build,
        source=prediction.program.source,
        file=str(program.path),
        sha256=program.sha256,
        origin=program.origin,
        compiler=program.compiler,
        flags=program.flags,
        megahertz=megahertz,
        sizes={n: _size(size, megahertz) for n, size in prediction.sizes.items()},
        event_fit=fit_events(given.events, cycles),
        against=tuple(one for _, one in given.beside(prediction)),
        footprint=footprint(prediction),
        cycles_by_kind_of_source=shares_by_kind(shares(prediction)),
    )


def _size(size: SizePrediction, megahertz: float) -> TimedSize:
    return TimedSize(
        calls=size.calls,
        bytes_compared=size.comparisons,
        instructions=size.instructions,
        cycles=size.cycles,
        cycles_per_instruction=size.cycles_per_instruction,
        per_second=size.per_second(megahertz),
        mix=dict(sorted(size.mix.items(), key=lambda item: (-item[1], item[0]))),
    )


# -- what follows from them ------------------------------------------------------------------


def _targets(given: TimingResults, fits: Mapping[str, EventCosts]) -> Iterator[AccuracyTarget]:
    """The targets, if there are figures. Those of the chosen build come once for each source."""
    if not fits:
        return
    yield fit_target(fits)
    for source in dict.fromkeys(p.program.source for p in given.predictions):
        chosen = [
            (figures, comparison)
            for p in given.predictions
            if p.program.source == source
            for figures, comparison in given.beside(p)
            if p.build == chosen_build(figures)
        ]
        for target in build_targets(chosen):
            yield replace(target, source=source)
    yield loop_target({loop.loop.name: loop.ratio for loop in given.loops if loop.loop.checks})


def _after_the_fact(given: TimingResults) -> Iterator[NearestPrograms]:
    for figures in given.figures:
        pairs = [
            (p, against_figures)
            for p in given.predictions
            if (against_figures := against(p, figures)) is not None
        ]
        if len(pairs) < 2:
            continue
        shape, best_shape = min(pairs, key=lambda pair: pair[1].shape_rms or 0.0)
        scale, best_scale = min(pairs, key=lambda pair: abs(math.log(pair[1].scale)))
        nearest_shape = None
        if best_shape.shape_rms is not None:
            rms = best_shape.shape_rms
            nearest_shape = NearestShape(shape.build, shape.program.source, rms)
        yield NearestPrograms(
            figures.machine,
            nearest_shape,
            NearestScale(scale.build, scale.program.source, best_scale.scale),
        )


def _sensitivities(given: TimingResults) -> Iterator[Sensitivity]:
    for prediction in given.predictions:
        figures: Sequence[Figures | None] = [f for f in given.figures if f.cpu == prediction.cpu]
        for figure in figures or [None]:
            changes = tuple(variations(prediction, figure))
            if changes:
                yield Sensitivity(
                    cpu=prediction.cpu,
                    build=prediction.build,
                    source=prediction.program.source,
                    machine=figure.machine if figure is not None else None,
                    changes=changes,
                )


def _sources(predictions: Iterable[Prediction], cpu: str) -> tuple[SourceShare, ...]:
    """The sources of a processor's cycles; each of its programs has the same weight."""
    parts = all_shares([p for p in predictions if p.cpu == cpu])
    return tuple(SourceShare(source.kind, source.title, part) for source, part in parts.items())


# -- what they are compared with ---------------------------------------------------------------


def _loop(check: LoopCheck) -> LoopTiming:
    loop = check.loop
    remark = ""
    if loop.calibrated:
        remark = f"no check: {loop.calibrated} was taken from it"
    elif loop.memory:
        remark = f"no check: {loop.memory}"
    elif loop.unexplained:
        remark = f"unexplained: {loop.unexplained}"
    return LoopTiming(
        cpu=loop.cpu,
        name=loop.name,
        code=loop.text,
        measured=loop.clocks,
        arithmetic=loop.arithmetic,
        source=loop.source.title,
        predicted=check.predicted,
        ratio=check.ratio,
        checks=loop.checks,
        remark=remark,
    )
