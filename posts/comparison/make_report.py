"""Makes the report of a comparison from its results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from emu import __version__
from emu.cases.programs.selection import Omission
from emu.cycles.base.model import CycleModel
from emu.machine.provenance import Provenance
from posts.comparison.judge import (
    CLOSE,
    all_round,
    best_of,
    crossovers,
    cycles_of,
    eligible,
    most_objects,
    verdict_of_cells,
)
from posts.comparison.measure import SystemResult
from posts.comparison.plan import ComparisonPlan
from posts.comparison.report import (
    BestSystems,
    ComparedSystem,
    ComparisonReport,
    FormRun,
    Processor,
    ProcessorChoice,
    ProgramRun,
    Room,
    ScenesOfAll,
)
from posts.comparison.system import System, SystemForm

RATE = 30
"""The rate, in calls a second, for which the report tells the most objects: one frame in every
second refresh of a 60 Hz screen, if the program does nothing else."""

_NOTE = (
    "Tests and instructions are counted. Cycles and speeds are predictions of a model, and are not "
    "measured. A speed is that of a program that does nothing but look for collisions."
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A finished comparison.

    Attributes:
        systems: the systems that took part.
        plan: the scenes.
        cells: the results by system, kind of scenes and number of objects.
        models: the cycle models, by `Target.name` of processor and code.
        megahertz: clocks, likewise.
        codes: the processors that the code is for, likewise.
        build: the build's name.
        left_out: what was not run, each with the reason.
        command: the command line.
        seconds: how long the comparison took.
    """

    systems: Sequence[System]
    plan: ComparisonPlan
    cells: Sequence[SystemResult]
    models: Mapping[str, CycleModel]
    megahertz: Mapping[str, float]
    codes: Mapping[str, str]
    build: str
    left_out: Sequence[tuple[str, str]]
    command: Sequence[str]
    seconds: float


def make_report(comparison: Comparison) -> ComparisonReport:
    """Make the report."""
    return ComparisonReport(
        macproof=__version__,
        verdict=verdict_of_cells(comparison.systems, comparison.cells),
        note=_NOTE,
        build=comparison.build,
        scenes=_scenes(comparison.plan),
        processors={
            name: Processor(model.title, comparison.megahertz[name], comparison.codes[name])
            for name, model in comparison.models.items()
        },
        systems=[_system(system, comparison) for system in comparison.systems],
        cells=[_with_speeds(cell, comparison.megahertz) for cell in comparison.cells],
        choice=_choice(comparison),
        not_run=_not_run(comparison),
        receipt=Provenance(command=comparison.command, seconds=comparison.seconds),
    )


def _scenes(plan: ComparisonPlan) -> ScenesOfAll:
    return ScenesOfAll(
        make=plan.make,
        generators=plan.generators,
        objects=plan.objects,
        object_size=plan.object_size,
        area=(plan.width, plan.height),
        seed=plan.seed,
        count={objects: plan.scene_count(objects) for objects in plan.objects},
        rule=plan.rule,
    )


def _system(system: System, comparison: Comparison) -> ComparedSystem:
    contender = system.contender
    cells = [cell for cell in comparison.cells if cell.system == system.name and not cell.refused]
    judged = cells if contender.collided else []
    crowded = [cell for cell in judged if cell.colliding == cell.objects * cell.scenes]
    return ComparedSystem(
        name=system.name,
        title=contender.title,
        rule=contender.rule or comparison.plan.rule,
        own_rule=bool(contender.truth),
        defect=contender.defect,
        blind=contender.blind,
        note=contender.note,
        counts_tests=system.counts_tests,
        tells_who=system.tells_who,
        can_be_chosen=system.name in eligible(comparison.systems, comparison.cells),
        has_setup=bool(contender.setup),
        timed=_form(system.timed) if system.timed is not None else None,
        forms=[_form(form) for form in (system.form, system.larger) if form is not None],
        scenes=sum(cell.scenes for cell in judged),
        judged=sum(cell.scenes * cell.objects for cell in judged),
        colliding=sum(cell.colliding for cell in judged),
        judged_where_all_collide=sum(cell.colliding for cell in crowded),
        missed=sum(cell.missed for cell in judged),
        invented=sum(cell.invented for cell in judged),
    )


def _form(form: SystemForm) -> FormRun:
    programs = {
        cpu: ProgramRun(
            compiled_for=program.code or program.cpu,
            sha256=program.sha256,
            source_sha256=program.source_digest,
            compiler=program.compiler,
            flags=program.flags,
            origin=program.origin,
        )
        for cpu, program in form.programs.items()
    }
    return FormRun(form.name, programs)


def _with_speeds(cell: SystemResult, megahertz: Mapping[str, float]) -> SystemResult:
    runs = {
        cpu: replace(run, per_second=megahertz[cpu] * 1e6 / run.cycles if run.cycles else None)
        for cpu, run in cell.runs.items()
    }
    return replace(cell, runs=runs)


def _choice(comparison: Comparison) -> BestSystems:
    names = eligible(comparison.systems, comparison.cells)
    return BestSystems(
        close=CLOSE,
        rate=RATE,
        eligible=names,
        by_processor={cpu: _choice_of(cpu, names, comparison) for cpu in comparison.models},
    )


def _choice_of(cpu: str, names: Sequence[str], comparison: Comparison) -> ProcessorChoice:
    everyone = {
        generator: cycles_of(comparison.cells, cpu, generator)
        for generator in comparison.plan.generators
    }
    fit = {
        generator: {name: cycles[name] for name in names if name in cycles}
        for generator, cycles in everyone.items()
    }
    best = {generator: best_of(cycles) for generator, cycles in fit.items()}
    limit = comparison.megahertz[cpu] * 1e6 / RATE
    return ProcessorChoice(
        best=best,
        crossovers={
            generator: crossovers(best[generator], cycles) for generator, cycles in fit.items()
        },
        all_round=all_round(fit),
        most_objects={
            generator: {name: Room(*most_objects(sizes, limit)) for name, sizes in cycles.items()}
            for generator, cycles in everyone.items()
        },
    )


def _not_run(comparison: Comparison) -> list[Omission]:
    """What was left out before the run, and the scenes that systems refused."""
    refused: dict[tuple[str, str], list[int]] = {}
    for cell in comparison.cells:
        if cell.refused:
            sizes = refused.setdefault((cell.system, _without_number(cell)), [])
            if cell.objects not in sizes:
                sizes.append(cell.objects)
    return [
        *(Omission(what, why) for what, why in comparison.left_out),
        *(
            Omission(f"{system} with {', '.join(f'{n:,}' for n in sorted(sizes))} objects", why)
            for (system, why), sizes in refused.items()
        ),
    ]


def _without_number(cell: SystemResult) -> str:
    """A refusal in which "so many" replaces the number at its start, so that equal ones merge."""
    rest = cell.refused.removeprefix(f"{cell.objects} ")
    return cell.refused if rest == cell.refused else f"so many {rest}"
