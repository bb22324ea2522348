"""Chooses the programs of a case that are timed, the scenes, and the clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from emu.base.arguments import whole_number, whole_numbers
from emu.base.errors import CompileError, UsageError
from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.selection import Omission, Selection
from emu.cases.programs.sources import Replacements
from emu.cycles.models import MODELS, model_for
from emu.timing.predict import TimedProgram, TimingPlan
from emu.toolchain.builds import BUILDS, Build, runs
from emu.toolchain.programs.gcc import BuiltProgram

DEFAULT_SCENES = 30
PROFILED_BUILD = "period"
"""The build that is profiled if none is chosen: locals in registers, calls that stay calls."""


@dataclass(frozen=True, slots=True)
class TimedPrograms:
    """The programs that are timed.

    Attributes:
        case: the case.
        selections: the programs, by a short name of the source that they were compiled from. The
            case's own source, if it is among them, is first.
        memory: the Macintosh whose memory they are priced with, a name in ``buses.yaml``; "" is
            what each processor's model usually has.
    """

    case: Case
    selections: Mapping[str, Selection]
    memory: str = ""

    @property
    def programs(self) -> list[TimedProgram]:
        """All programs."""
        return [
            TimedProgram(subject, name, self.memory)
            for name, selection in self.selections.items()
            for subject in selection
        ]

    @property
    def built_programs(self) -> list[BuiltProgram]:
        """The files of all programs, in the same order."""
        return [built for selection in self.selections.values() for built in selection.built]

    @property
    def cpus(self) -> tuple[str, ...]:
        """The names of their processors."""
        return tuple(dict.fromkeys(program.subject.cpu for program in self.programs))

    @property
    def foreign(self) -> Path | Replacements | None:
        """The file or files compiled in place of the case's own sources; None if there are none."""
        return self._last.source

    @property
    def label(self) -> str:
        """The name of the source: that of the user's programs, if there are any."""
        return list(self.selections)[-1]

    @property
    def note(self) -> str:
        """Where the programs came from, in words."""
        return "; ".join(f"{name}: {selection.note}" for name, selection in self.selections.items())

    @property
    def not_run(self) -> tuple[Omission, ...]:
        """What was not run, each with the reason."""
        return self._last.not_run

    @property
    def _last(self) -> Selection:
        return self.selections[self.label]


def programs_to_time(
    case: Case,
    *,
    cpus: Sequence[str] | None = None,
    builds: Sequence[str] | None = None,
    source: Path | Replacements | None = None,
    use: str = "auto",
    codes: Sequence[str] | None = None,
    with_own: bool = True,
    memory: str = "",
) -> TimedPrograms:
    """Find or compile the programs of a case, and compile a user's source in the same way.

    Args:
        case: the case.
        cpus: names of processors. None is those with published speeds or, if there are none, those
            of the case that have a cycle model.
        builds: names of builds, of the case or of its section ``timing``; None is all.
        source: a file that is compiled in place of all of the case's sources; or, by the name of a
            source, the file that is compiled in its place.
        use: where programs come from, as for `emu.cases.programs.programs.programs_of`.
        codes: processors whose code is timed, on each of ``cpus`` that executes it. None is code of
            their own and that of published speeds; a processor that the case does not name gets
            code of those that it names, if it executes any.
        with_own: whether the case's own programs are timed too if ``source`` is given.
        memory: the Macintosh whose memory they are priced with, a name in ``buses.yaml``.

    Raises:
        UsageError: there is no such build, or no cycle model of a processor; or a processor
            executes none of the code; or the case is about a program that is not compiled.
        ToolMissingError, CompileError, CaseError, ProgramError: as of `programs_of`.
    """
    if case.program is not None:
        raise UsageError(
            f"{case.name} is about {case.program.name}; only what is compiled is timed"
        )
    timed = replace(case, cpus=_cpus(case, cpus), builds=timed_builds(case))
    named = timed.cpus if cpus else None
    usual = _codes(case, timed) if codes is None else tuple(codes)
    selections = {}
    if source is None or with_own:
        selections[case.sources[0]] = programs_of(
            timed, cpus=named, builds=builds, use=use, codes=usual
        )
    if source is not None:
        give = partial(programs_of, timed, cpus=named, builds=builds, source=source, use=use)
        selections[_label(case, source)] = _of_user(give, usual, needs_all=codes is not None)
    return TimedPrograms(case, selections, memory)


def _of_user(give: Callable[..., Selection], codes: Sequence[str], *, needs_all: bool) -> Selection:
    """The programs of a user's source, which may have instructions that only some code can have.

    Unless all code is needed, each processor has code of its own if the source cannot be compiled
    for another.
    """
    try:
        return give(codes=codes)
    except CompileError as error:
        if needs_all or not codes:
            raise
        own = give(codes=())
        why = f"it does not compile: {str(error).splitlines()[0]}"
        return replace(own, not_run=(*own.not_run, Omission(f"code for a {codes[-1]}", why)))


def _cpus(case: Case, wanted: Sequence[str] | None) -> tuple[str, ...]:
    if wanted:
        for cpu in wanted:
            model_for(cpu)
        return tuple(dict.fromkeys(wanted))
    figures = case.timing.figures if case.timing is not None else ()
    return tuple(dict.fromkeys(figure.cpu for figure in figures)) or tuple(
        cpu for cpu in case.cpus if cpu in MODELS
    )


def _codes(case: Case, timed: Case) -> tuple[str, ...]:
    """The processors whose code is timed; none if each has its own.

    Args:
        case: the case as it is.
        timed: the case with the processors that are timed.
    """
    figures = case.timing.figures if case.timing is not None else ()
    others = [
        figure.code.cpu
        for figure in figures
        if figure.code is not None and figure.cpu in timed.cpus
    ]
    own = [cpu for cpu in timed.cpus if cpu in case.cpus]
    for cpu in timed.cpus:
        if cpu not in case.cpus:
            runnable = [code for code in case.cpus if runs(cpu, code)]
            others += runnable
            own += [] if runnable else [cpu]
    return tuple(dict.fromkeys((*own, *others))) if others else ()


def timed_builds(case: Case) -> dict[str, Build]:
    """The builds of a case, with those that are only timed. "O2-inline" comes after "O2"."""
    builds = {**case.builds, **(case.timing.builds if case.timing is not None else {})}
    return dict(sorted(builds.items(), key=lambda item: _rank(item[0])))


def _rank(build: str) -> int:
    """The position of a build in a sorted list: a variant is at its base; other names are last."""
    usual = list(BUILDS)
    base = next((name for name in usual if build == name or build.startswith(f"{name}-")), "")
    return usual.index(base) if base else len(usual)


def _label(case: Case, source: Path | Replacements) -> str:
    """The short name of a user's source."""
    if isinstance(source, Mapping):
        return ", ".join(f"{name}={path.name}" for name, path in source.items())
    return source.name if source.name != case.sources[0] else f"{source.name}, given"


def make_plan(
    case: Case,
    *,
    objects: Sequence[int] | None = None,
    scenes: int = DEFAULT_SCENES,
    seed: int = DEFAULT_SEED,
) -> TimingPlan:
    """Choose the scenes to time.

    Args:
        case: the case.
        objects: the numbers of objects; None is those of the case's section ``timing``.
        scenes: the number of scenes for each number of objects.
        seed: the seed of the first scene.

    Raises:
        UsageError: one of these is no such number.
    """
    scenes, seed = whole_number(scenes, "scenes", 1), whole_number(seed, "seed")
    objects = None if objects is None else whole_numbers(objects, "objects")
    timing = case.timing
    usual = timing.objects if timing is not None else case.objects
    generator = timing.generator if timing is not None else case.generators[0]
    return TimingPlan(generator, tuple(sorted(set(objects or usual))), scenes, seed)


def clock_of(case: Case, cpu: str, wanted: float | None = None) -> float:
    """The clock of predicted speeds in MHz.

    Args:
        case: the case.
        cpu: the name of the processor.
        wanted: the clock that the user wants. None is that of the published speeds or, if there are
            none, that of the cycle model.
    """
    if wanted is not None:
        return wanted
    figures = case.timing.figures if case.timing is not None else ()
    return next(
        (figure.megahertz for figure in figures if figure.cpu == cpu), MODELS[cpu].megahertz
    )
