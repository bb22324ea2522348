"""A profile as typed data. The document and the annotated page are made from it.

Numbers are means of a call of the routine. A share is a part of all cycles of the call, as 1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from emu.cases.case import Case
from emu.cases.programs import NotRun
from emu.cycles.model import KINDS, Source
from emu.cycles.profile import Profile
from emu.timing.predict import Plan, Unpriced
from emu.timing.profiling import Profiled, SourceTexts
from emu.timing.report_findings import SourceShare


@dataclass(frozen=True, slots=True)
class ProfiledScenes:
    """The scenes that were profiled: their generator, size, number, and the seed of the first."""

    generator: str
    objects: int
    count: int
    seed: int


@dataclass(frozen=True, slots=True)
class ProfiledFile:
    """A source file with code that was executed.

    Attributes:
        name: the file's, without a folder.
        missing: why there is no text of it; None if there is.
    """

    name: str
    missing: str | None


@dataclass(frozen=True, slots=True)
class ProfiledFunction:
    """A function without those it calls.

    Attributes:
        name: as in the source; None for code that no symbol covers.
        address: where it begins; None likewise.
        calls: how often it is called.
        instructions: executed in it.
        cycles: spent in it.
        cycles_each: cycles of one call of it; None if it is never entered at its beginning.
        share: of all cycles.
    """

    name: str | None
    address: int | None
    calls: float
    instructions: float
    cycles: float
    cycles_each: float | None
    share: float


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A line of a source file; None for both where the program does not say."""

    file: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class ProfiledLine(SourcePlace):
    """A source line.

    Attributes:
        text: what it says; "" if that is not known.
        executed: how often that instruction of it was executed that was so most often.
        instructions: of it that were executed, all together.
        cycles: spent on it.
        share: of all cycles.
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
        address: where it lies.
        function: the function it is in; None if no symbol covers it.
        offset: bytes from the beginning of that function.
        text: the instruction for readers.
        executed: how often.
        cycles: all these times together.
        cell: the name of the table cell that prices it.
        source: what that price rests on, by its place among the program's sources.
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
class ProfiledProgram:
    """Where the cycles of one program go.

    Attributes:
        cpu: the processor.
        build: the build.
        source: what it was compiled from.
        origin: "compiled", "cache", "prebuilt" or "given".
        file: the program's name, without a folder.
        sha256: its digest.
        compiler: the compiler's version line.
        flags: the flags that it was given.
        model: the cycle model's title.
        assumptions: what the model takes for granted, a sentence each.
        megahertz: the clock, for times.
        has_lines: whether the program says of any of its code where it was written.
        calls: how many calls the means are of.
        cycles: of a call.
        instructions: of a call.
        functions: the costliest first.
        lines: the costliest first.
        never_executed: lines with code, none of which was executed.
        sources: what the cycles rest on, the firmest kind first.
        code: every executed instruction, by address.
    """

    cpu: str
    build: str
    source: str
    origin: str
    file: str
    sha256: str
    compiler: str
    flags: tuple[str, ...]
    model: str
    assumptions: tuple[str, ...]
    megahertz: float
    has_lines: bool
    calls: int
    cycles: float
    instructions: float
    functions: tuple[ProfiledFunction, ...]
    lines: tuple[ProfiledLine, ...]
    never_executed: tuple[SourcePlace, ...]
    sources: tuple[SourceShare, ...]
    code: tuple[ProfiledInstruction, ...]


@dataclass(frozen=True, slots=True)
class ProfileReport:
    """Where the cycles of a case's programs go.

    Attributes:
        note: what is a fact here, and what is not.
        unit: what numbers are means of.
        case: the case's name.
        title: what it is about.
        credit: who wrote the original, and when; or "".
        routine: the routine that is called.
        reference: the dotted name of the Python function that says what is right.
        scenes: the scenes.
        files: source files with executed code, those with most of it first.
        programs: every program that was profiled.
        not_profiled: what was left out.
        command: the command line.
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
    not_profiled: tuple[NotRun, ...]
    command: tuple[str, ...]

    def label(self, program: ProfiledProgram) -> str:
        """A program's name beside the others: its source only where they differ in it."""
        name = f"{program.cpu} {program.build}"
        several = len({other.source for other in self.programs}) > 1
        return f"{name} ({program.source})" if several else name


def make_profile_report(
    case: Case,
    plan: Plan,
    profiled: Sequence[Profiled],
    texts: SourceTexts,
    *,
    unpriced: Sequence[Unpriced] = (),
    command: Sequence[str] = (),
) -> ProfileReport:
    """The profile of some programs of a case.

    Args:
        case: the case.
        plan: the scenes; those with the most objects were profiled.
        profiled: the programs.
        texts: the text of their sources.
        unpriced: programs left out.
        command: the command line.
    """
    files = sorted(
        {line.place[0] for one in profiled for line in one.profile.lines} - {""},
        key=lambda file: (-sum(_cycles_of(one.profile, file) for one in profiled), file),
    )
    return ProfileReport(
        note="Counts are exact. Cycles are a model's, and are not measured.",
        unit="means of a call of the routine, without those parts that macproof adds to it",
        case=case.name,
        title=case.title,
        credit=case.credit,
        routine=case.call,
        reference=case.reference,
        scenes=ProfiledScenes(plan.generator, max(plan.objects), plan.scenes, plan.seed),
        files=tuple(ProfiledFile(file, texts.missing.get(file)) for file in files),
        programs=tuple(_program(one, texts) for one in profiled),
        not_profiled=tuple(NotRun(str(one.program), one.why) for one in unpriced),
        command=tuple(command),
    )


def _cycles_of(profile: Profile, file: str) -> float:
    return sum(line.cycles for line in profile.lines if line.place[0] == file)


def _program(one: Profiled, texts: SourceTexts) -> ProfiledProgram:
    profile, subject = one.profile, one.program.subject
    sources = _sources(profile)
    return ProfiledProgram(
        cpu=subject.cpu,
        build=subject.build,
        source=one.program.source,
        origin=one.built.origin,
        file=one.built.path.name,
        sha256=one.built.sha256,
        compiler=one.built.compiler,
        flags=one.built.flags,
        model=one.model.title,
        assumptions=tuple(one.model.assumptions()),
        megahertz=one.megahertz,
        has_lines=one.has_lines,
        calls=profile.calls,
        cycles=profile.cycles,
        instructions=profile.instructions,
        functions=_functions(profile),
        lines=_lines(profile, texts),
        never_executed=tuple(SourcePlace(file, line) for file, line in sorted(profile.never)),
        sources=tuple(
            SourceShare(source.kind, source.title, _share(cycles, profile))
            for source, cycles in sources.items()
        ),
        code=_code(profile, list(sources)),
    )


def _functions(profile: Profile) -> tuple[ProfiledFunction, ...]:
    return tuple(
        ProfiledFunction(
            name=cost.name or None,
            address=cost.address if cost.name else None,
            calls=cost.calls,
            instructions=cost.instructions,
            cycles=cost.cycles,
            cycles_each=cost.cycles_each,
            share=_share(cost.cycles, profile),
        )
        for cost in profile.functions
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
            function=cost.function or None,
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
    """What the cycles rest on, the firmest kind first and in it what most rests on."""
    found: defaultdict[Source, float] = defaultdict(float)
    for cost in profile.code:
        found[cost.source] += cost.cycles
    return dict(sorted(found.items(), key=lambda s: (KINDS.index(s[0].kind), -s[1], s[0].title)))
