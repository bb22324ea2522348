"""The programs and scenes that ``macproof timing`` is about."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from emu.base.errors import UsageError
from emu.cases.case import Case, mac_sources
from emu.cases.programs import NotRun, programs_of
from emu.cases.sources import Replacements
from emu.commands.options import select, whole_source
from emu.cycles.models import MODELS, model_for
from emu.timing.comparison import CHOICE
from emu.timing.harness import HarnessProgram, build_given, build_own
from emu.timing.predict import Plan, TimedProgram
from emu.toolchain.builds import BUILDS, Build
from emu.toolchain.gcc import BuiltProgram


@dataclass(frozen=True, slots=True)
class Chosen:
    """The programs to be timed.

    Attributes:
        programs: to be timed.
        built: where each came from.
        note: where they came from, in words.
        not_run: what was left out, each with the reason.
    """

    programs: tuple[TimedProgram, ...]
    built: tuple[BuiltProgram, ...]
    note: str
    not_run: tuple[NotRun, ...] = field(default=())


def choose_programs(case: Case, arguments: argparse.Namespace) -> Chosen:
    """Find or make the programs.

    Raises:
        UsageError: there is no such build, or no model of a processor.
        ToolMissingError, CompileError, ProgramError: programs cannot be had.
    """
    cpus = _cpus(case, arguments)
    if arguments.program is not None:
        found = {arguments.program.name: select(case, arguments)}
    else:
        timed = replace(case, cpus=cpus, builds=_builds(case))
        use = arguments.programs
        found = {case.sources[0]: programs_of(timed, builds=arguments.build, use=use)}
        if arguments.source is not None:
            found[_source_label(case, arguments.source)] = programs_of(
                timed, builds=arguments.build, source=arguments.source, use=use
            )
    *_, (label, last) = found.items()
    not_run = list(last.not_run)
    if arguments.source is not None and arguments.harness and arguments.quick:
        why = "how long its experiments take is its own affair; leave out --quick"
        not_run.append(NotRun(f"the program of {label} in virtual time", why))
    return Chosen(
        tuple(TimedProgram(subject, name) for name, one in found.items() for subject in one),
        tuple(program for one in found.values() for program in one.built),
        "; ".join(f"{name}: {one.note}" for name, one in found.items()),
        tuple(not_run),
    )


def _cpus(case: Case, arguments: argparse.Namespace) -> tuple[str, ...]:
    """Those asked for; or those that figures were published of; or all that there are models of.

    Raises:
        UsageError: there is no model of one.
    """
    if arguments.cpu:
        for cpu in arguments.cpu:
            model_for(cpu)
        return tuple(dict.fromkeys(arguments.cpu))
    figures = case.timing.figures if case.timing is not None else ()
    return tuple(dict.fromkeys(one.cpu for one in figures)) or tuple(
        cpu for cpu in case.cpus if cpu in MODELS
    )


def _builds(case: Case) -> dict[str, Build]:
    """The builds of a case and those that are only timed, variants after what they vary."""
    known = {**case.builds, **(case.timing.builds if case.timing is not None else {})}
    return dict(sorted(known.items(), key=lambda item: _place(item[0])))


def _place(build: str) -> int:
    """Variants of a build come after it; anything else at the end."""
    usual = list(BUILDS)
    base = next((name for name in usual if build == name or build.startswith(f"{name}-")), "")
    return usual.index(base) if base else len(usual)


def make_plan(case: Case, arguments: argparse.Namespace) -> Plan:
    """The scenes to time."""
    timing = case.timing
    usual = timing.objects if timing is not None else case.objects
    objects = tuple(sorted(set(arguments.objects or usual)))
    generator = timing.generator if timing is not None else case.generators[0]
    return Plan(generator, objects, arguments.scenes, arguments.seed)


def clock_of(case: Case, cpu: str, wanted: float | None) -> float:
    """The clock of predicted speeds in MHz: as wanted, or as published, or as modelled."""
    if wanted is not None:
        return wanted
    figures = case.timing.figures if case.timing is not None else ()
    return next((one.megahertz for one in figures if one.cpu == cpu), MODELS[cpu].megahertz)


def check_harness(case: Case, arguments: argparse.Namespace) -> None:
    """Refuse what cannot be run in virtual time.

    Raises:
        UsageError: options do not go together, or the case has no program that measures itself.
    """
    if arguments.quick and not arguments.harness:
        raise UsageError("--quick shortens the experiments of --harness")
    if arguments.harness and (case.timing is None or case.timing.harness is None):
        raise UsageError(
            f"--harness: {case.name} has no program of its own that measures; its case file would "
            "name one as timing.harness"
        )
    if arguments.harness and arguments.program is not None:
        raise UsageError("--harness builds the program; leave out --program")


def harness_programs(
    case: Case, arguments: argparse.Namespace, folder: Path
) -> list[HarnessProgram]:
    """Build what is to be run in virtual time, before anything that takes long.

    Raises:
        ToolMissingError, CompileError: it cannot be built.
    """
    if not arguments.harness or case.timing is None or case.timing.harness is None:
        return []
    source = whole_source(arguments.source, "--harness")
    known = _builds(case)
    programs = []
    for cpu in _cpus(case, arguments):
        clock = clock_of(case, cpu, arguments.mhz)
        for name in dict.fromkeys(arguments.build or [CHOICE]):
            build = known[name]
            programs.append(
                build_own(
                    case.timing.harness,
                    case.sources[0],
                    cpu,
                    build,
                    clock,
                    mac_sources(),
                    folder,
                    is_quick=arguments.quick,
                )
            )
            if source is not None and not arguments.quick:
                label = _source_label(case, source)
                programs.append(build_given(source, label, cpu, build, clock, folder))
    return programs


def _source_label(case: Case, source: Path | Replacements) -> str:
    """What programs of somebody else's source are called."""
    if isinstance(source, Mapping):
        return ", ".join(f"{name}={path.name}" for name, path in source.items())
    return source.name if source.name != case.sources[0] else f"{source.name}, given"
