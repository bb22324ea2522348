"""A profile: the cycles of programs by function, source line and instruction.

All numbers are means per call of the routine. A share is a part of all cycles of the call, from 0
to 1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from emu.cases.case import Case
from emu.cases.keys.scene_name import SceneName
from emu.cases.programs.selection import Omission
from emu.cases.programs.source_texts import SourceTexts
from emu.cycles.base.model import KINDS, Source
from emu.cycles.profile import FunctionCost, Profile
from emu.report.file_digest import FileDigest
from emu.report.limits import FLAT
from emu.timing.predict import TimingPlan, UnpricedProgram
from emu.timing.profiling import ProgramProfile
from emu.timing.provenance import SourceShare

SCHEMA = "macproof.profile/1"


@dataclass(frozen=True, slots=True)
class ProfiledScenes:
    """The scenes that were profiled: seeds follow one another.

    Attributes:
        first: the first scene.
        count: the number of scenes.
    """

    first: Annotated[SceneName, FLAT]
    count: int


@dataclass(frozen=True, slots=True)
class ProfiledFile:
    """A source file with code that was executed.

    Attributes:
        name: the name of the file, without a folder.
        missing: why its text is not available; None if it is.
    """

    name: str
    missing: str | None


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A line of a source file. Both are None if the program has no line information.

    Attributes:
        file: the name of the file, without a folder.
        line: the number of the line, from 1.
    """

    file: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class ProfiledLine(SourcePlace):
    """The cost of a source line.

    Attributes:
        file: the name of the file, without a folder.
        line: the number of the line, from 1.
        text: the text of the line; "" if it is not known.
        executed: how often its most frequent instruction was executed.
        instructions: how many of its instructions were executed in total.
        cycles: the cycles spent on it.
        share: its part of all cycles, from 0 to 1.
    """

    text: str
    executed: float
    instructions: float
    cycles: float
    share: float


@dataclass(frozen=True, slots=True)
class ProfiledInstruction(SourcePlace):
    """An executed instruction.

    Attributes:
        file: the name of its source file, without a folder.
        line: the number of its source line, from 1.
        address: its address.
        function: the function it is in; None for code without a symbol.
        offset: its distance from the beginning of that function, in bytes.
        text: the instruction in assembly language.
        executed: how often it was executed.
        cycles: the cycles of all its executions.
        cell: the name of the entry of the model's table that gives its price.
        source: the source of that price, as an index into the program's ``sources``.
    """

    address: int
    function: str | None
    offset: int
    text: str
    executed: float
    cycles: float
    cell: str
    source: int


@dataclass(frozen=True, slots=True)
class ProfiledProgram(FileDigest):
    """The profile of one program. Its ``file`` is a name without a folder.

    Attributes:
        cpu: the name of the processor.
        build: the name of the build.
        source: a short name of the source it was compiled from.
        origin: "compiled", "cache", "prebuilt" or "given".
        compiler: the compiler's version line.
        flags: the compiler's flags.
        model: the title of the cycle model.
        assumptions: the assumptions of the model, a sentence each.
        megahertz: the clock in MHz, for times.
        has_lines: whether the program has line information.
        calls: the number of calls over which the means are taken.
        cycles: the cycles of a call.
        instructions: the instructions of a call.
        functions: the functions, the most expensive first.
        lines: the source lines, the most expensive first.
        never_executed: the source lines whose code was not executed.
        sources: the sources of the prices, the most reliable kind first.
        code: the executed instructions, by address.
    """

    cpu: str
    build: str
    source: str
    origin: str
    compiler: str
    flags: tuple[str, ...]
    model: str
    assumptions: tuple[str, ...]
    megahertz: float
    has_lines: bool
    calls: int
    cycles: float
    instructions: float
    functions: tuple[FunctionCost, ...]
    lines: tuple[ProfiledLine, ...]
    never_executed: tuple[SourcePlace, ...]
    sources: tuple[SourceShare, ...]
    code: tuple[ProfiledInstruction, ...]


@dataclass(frozen=True, slots=True)
class ProfileReport:
    """The profiles of a case's programs.

    Attributes:
        note: which figures are exact and which are a model's, in words.
        unit: what the figures are means of, in words.
        case: the case's name.
        title: the case's title.
        credit: the author and year of the original program; "" if none is named.
        routine: the routine that is called.
        reference: the dotted name of the reference function.
        scenes: the scenes.
        files: the source files with executed code, those with the most cycles first.
        programs: the programs that were profiled.
        not_profiled: the programs that were not, each with the reason.
        command: the command line, one string for each word.
    """

    note: str
    unit: str
    case: str
    title: str
    credit: str
    routine: str
    reference: str
    scenes: ProfiledScenes
    files: tuple[ProfiledFile, ...]
    programs: tuple[ProfiledProgram, ...]
    not_profiled: tuple[Omission, ...]
    command: tuple[str, ...]

    def label(self, program: ProfiledProgram) -> str:
        """The name of a program, "68040 O2"; its source is added if the programs have several."""
        name = f"{program.cpu} {program.build}"
        several = len({other.source for other in self.programs}) > 1
        return f"{name} ({program.source})" if several else name


def make_profile_report(
    case: Case,
    plan: TimingPlan,
    profiled: Sequence[ProgramProfile],
    texts: SourceTexts,
    *,
    unpriced: Sequence[UnpricedProgram] = (),
    command: Sequence[str] = (),
) -> ProfileReport:
    """Make the report of some profiles.

    Args:
        case: the case.
        plan: the scenes. Those with the most objects were profiled.
        profiled: the programs with their profiles.
        texts: the text of their sources.
        unpriced: the programs that the model could not price.
        command: the command line, one string for each word.
    """
    cycles: defaultdict[str, float] = defaultdict(float)
    for line in (line for one in profiled for line in one.profile.lines):
        cycles[line.place[0]] += line.cycles
    files = sorted(cycles.keys() - {""}, key=lambda file: (-cycles[file], file))
    return ProfileReport(
        note="Instruction counts are exact. Cycles are computed by a model, not measured.",
        unit="means per call of the routine, without the code that macproof adds to call it",
        case=case.name,
        title=case.title,
        credit=case.credit,
        routine=case.call,
        reference=case.reference,
        scenes=ProfiledScenes(SceneName(plan.generator, max(plan.objects), plan.seed), plan.scenes),
        files=tuple(ProfiledFile(file, texts.missing.get(file)) for file in files),
        programs=tuple(_program(profile, texts) for profile in profiled),
        not_profiled=tuple(Omission(str(program.program), program.why) for program in unpriced),
        command=tuple(command),
    )


def _program(program_profile: ProgramProfile, texts: SourceTexts) -> ProfiledProgram:
    profile, subject = program_profile.profile, program_profile.program.subject
    sources = _sources(profile)
    return ProfiledProgram(
        cpu=subject.cpu,
        build=subject.build,
        source=program_profile.program.source,
        origin=program_profile.built.origin,
        file=program_profile.built.path.name,
        sha256=program_profile.built.sha256,
        compiler=program_profile.built.compiler,
        flags=program_profile.built.flags,
        model=program_profile.model.title,
        assumptions=tuple(program_profile.model.assumptions()),
        megahertz=program_profile.megahertz,
        has_lines=program_profile.has_lines,
        calls=profile.calls,
        cycles=profile.cycles,
        instructions=profile.instructions,
        functions=profile.functions,
        lines=_lines(profile, texts),
        never_executed=tuple(SourcePlace(file, line) for file, line in sorted(profile.never)),
        sources=tuple(
            SourceShare(source.kind, source.title, _share(cycles, profile))
            for source, cycles in sources.items()
        ),
        code=_code(profile, list(sources)),
    )


def _lines(profile: Profile, texts: SourceTexts) -> tuple[ProfiledLine, ...]:
    return tuple(
        ProfiledLine(
            file=cost.place[0] or None,
            line=cost.place[1] or None,
            text=texts.line(*cost.place).strip(),
            executed=cost.executed,
            instructions=cost.instructions,
            cycles=cost.cycles,
            share=_share(cost.cycles, profile),
        )
        for cost in profile.lines
    )


def _code(profile: Profile, sources: Sequence[Source]) -> tuple[ProfiledInstruction, ...]:
    number = {source: index for index, source in enumerate(sources)}
    return tuple(
        ProfiledInstruction(
            file=cost.place[0] or None,
            line=cost.place[1] or None,
            address=cost.address,
            function=cost.function,
            offset=cost.offset,
            text=cost.text,
            executed=cost.executed,
            cycles=cost.cycles,
            cell=cost.cell,
            source=number[cost.source],
        )
        for cost in profile.code
    )


def _share(cycles: float, profile: Profile) -> float:
    return cycles / profile.cycles if profile.cycles else 0.0


def _sources(profile: Profile) -> dict[Source, float]:
    """The cycles by source of price: the most reliable kind first, in it the largest first."""
    cycles: defaultdict[Source, float] = defaultdict(float)
    for cost in profile.code:
        cycles[cost.source] += cost.cycles
    return dict(sorted(cycles.items(), key=lambda s: (KINDS.index(s[0].kind), -s[1], s[0].title)))
