"""The report of a verification: the results of all programs, and the receipt.

In its JSON form each dataclass of this module and of `emu.verify.receipt` is an object with the
same fields. The form is named by `SCHEMA` and described by ``report.schema.json`` in this folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from emu.cases.case import Case
from emu.cases.programs import UNICORN, NotRun, Subject
from emu.cases.sources import Replacements
from emu.checks.coverage import CoveredFile
from emu.checks.defects import Defect
from emu.checks.isa import is_checked
from emu.checks.isa_model import Finding
from emu.checks.memory import MemoryChecks, Violation
from emu.engines.known import engine_of
from emu.machine.cpu import CPUS
from emu.report.json_form import to_json
from emu.report.limits import FileName, Limits, Natural, Sha256
from emu.toolchain.gcc import BuiltProgram
from emu.toolchain.kept import digest_of
from emu.verify.coverage import covered_files
from emu.verify.differences import Divergence
from emu.verify.fills import Fill
from emu.verify.oracle_matrix import OracleMatrix, oracle_matrix
from emu.verify.receipt import Receipt, make_receipt
from emu.verify.verdicts import (
    INCONCLUSIVE,
    REFUTED,
    VERIFIED,
    Failure,
    Result,
    SceneSpec,
    SeenDefect,
    verdict_of,
)

SCHEMA = "macproof.report/1"

_Verdict = Annotated[str, Limits(enum=(VERIFIED, REFUTED, INCONCLUSIVE))]


@dataclass(frozen=True, slots=True)
class FileDigest:
    """A file.

    Attributes:
        file: its path.
        sha256: the SHA-256 of its contents, in hexadecimal.
    """

    file: FileName
    sha256: Sha256


@dataclass(frozen=True, slots=True)
class TypesFile:
    """The program from which the types of some global variables are taken.

    A Mac application has no debugging information, so the types come from the same source compiled
    as an ELF file; see `emu.cases.programs.BorrowedTypes`.

    Attributes:
        file: the path of the program with the types.
        sha256: the SHA-256 of its contents, in hexadecimal.
        build: the name of its build.
        variables: the names of the global variables.
    """

    file: FileName
    sha256: Sha256
    build: str
    variables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProgramFile:
    """A program that was run.

    Attributes:
        file: its path.
        sha256: the SHA-256 of its contents, in hexadecimal.
        origin: "compiled", "prebuilt" or "given".
        compiler: the compiler's name and version.
        flags: the compiler's flags.
        symbols: the file with the symbols; None if the program has them itself.
        types: the program with the types of some variables; None if this program has them itself.
    """

    file: FileName
    sha256: Sha256
    origin: str
    compiler: str
    flags: tuple[str, ...]
    symbols: FileDigest | None
    types: TypesFile | None


@dataclass(frozen=True, slots=True)
class Instructions:
    """The number of instructions of one call.

    Attributes:
        count: guest instructions executed.
        blocks: translation blocks of the engine executed.
        generator: the scene's generator.
        objects: the scene's number of objects.
        seed: the scene's seed.
        fill: how memory was filled before the call.
    """

    count: Natural
    blocks: Natural
    generator: str
    objects: Annotated[int, Limits(minimum=0, maximum=100_000)]
    seed: Annotated[int, Limits(minimum=0, maximum=(1 << 64) - 1)]
    fill: Fill

    @property
    def scene(self) -> SceneSpec:
        """The scene of that call."""
        return SceneSpec(self.generator, self.objects, self.seed, self.fill)


@dataclass(frozen=True, slots=True)
class InstructionCheck:
    """The check that the processor has all executed instructions.

    Attributes:
        checked: whether macproof has a table of the processor's instructions.
        findings: the instructions that the processor, or another of its family, does not have.
    """

    checked: bool
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class FoundDefect:
    """A defect that a sanitizer has found in the program, on the first scene that showed it.

    Attributes:
        check: the sanitizer: "address" or "undefined".
        kind: GCC's name of the check: "shift", "bounds".
        what: what happened, with its values on that scene.
        place: the function, source file and line.
        thing: the object that the code wanted to get at; "" if none is known.
        generator: the name of the generator that makes the scene.
        objects: the number of objects in the scene.
        seed: the seed of the generator's random numbers.
        fill: how memory was filled before the call.
    """

    check: str
    kind: str
    what: str
    place: str
    thing: str
    generator: str
    objects: Annotated[int, Limits(minimum=0, maximum=100_000)]
    seed: Annotated[int, Limits(minimum=0, maximum=(1 << 64) - 1)]
    fill: Fill

    def __str__(self) -> str:
        defect = Defect(self.check, self.kind, self.what, self.place, self.thing)
        return f"{defect} ({SceneSpec(self.generator, self.objects, self.seed, self.fill)})"


@dataclass(frozen=True, slots=True)
class MemoryCheck:
    """The check of accesses to memory, by ``verify --checks full``.

    Attributes:
        complete: whether everything was noted; after very many mistakes the rest is not.
        stack: the most bytes of stack that a call has used.
        violations: the mistakes, each once.
        suppressed: those that the case file says are none.
    """

    complete: bool
    stack: Natural
    violations: tuple[Violation, ...]
    suppressed: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class FailedScene:
    """A scene on which a program failed.

    Attributes:
        generator: the name of the generator that makes the scene.
        objects: the number of objects in the scene.
        seed: the seed of the generator's random numbers.
        fill: how memory was filled before the call.
        divergence: the first wrong value; None if no value is wrong.
        violations: the rules of the call contract that were broken, a clause each.
        fault: why the call did not return; None if it did.
        summary: all of this as a sentence.
    """

    generator: str
    objects: Annotated[int, Limits(minimum=0, maximum=100_000)]
    seed: Annotated[int, Limits(minimum=0, maximum=(1 << 64) - 1)]
    fill: Fill
    divergence: Divergence | None
    violations: tuple[str, ...]
    fault: str | None
    summary: str

    @property
    def scene(self) -> SceneSpec:
        """The arguments that make the scene again."""
        return SceneSpec(self.generator, self.objects, self.seed, self.fill)


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """The result of one program.

    Attributes:
        case: the case's name.
        cpu: the processor's name.
        build: the build's name; "given" for a program that somebody else has built.
        engine: the name and version of the engine that executed it.
        abi: the name of the calling convention.
        program: the program.
        calls: the number of calls that returned.
        scenes: the number of scenes on which they were made.
        distinct_scenes: the number of these scenes whose input in guest memory differs.
        changed_scenes: the number of these scenes on which a call changed any data memory.
        comparisons: the number of values compared.
        bytes_compared: the number of bytes of data memory compared.
        padding_bytes: the number of bytes of data memory between and behind the members of
            structures; they are not compared.
        verdict: "verified", "refuted" or "inconclusive".
        undecided: why the verdict is inconclusive; None if it is not.
        diverged: the number of scenes after which data memory was wrong.
        violated: the number of scenes on which the call contract was broken.
        divergence: the first wrong value in the order of the scenes; None if no value is wrong.
        violations: all rules of the call contract that were broken, a clause each.
        isa: the check that the processor has all executed instructions.
        memory: the check of accesses to memory; None if it was not made.
        not_watched: mistakes that macproof does not notice on this processor: "odd addresses".
        fault: why the first call that did not return did not; or why the engine stopped; or None.
        failures: the first failures, in the order of the scenes.
        instructions: the instructions of one call; None if they were not counted.
        sanitizers: the names of the sanitizers that the program was compiled with.
        defects: what they have found, each defect once.
        coverage: what was executed of each source file; None if nobody looked, or if the engine
            does not tell.
    """

    case: str
    cpu: str
    build: str
    engine: str
    abi: str
    program: ProgramFile
    calls: Natural
    scenes: Natural
    distinct_scenes: Natural
    changed_scenes: Natural
    comparisons: Natural
    bytes_compared: Natural
    padding_bytes: Natural
    verdict: _Verdict
    undecided: str | None
    diverged: Natural
    violated: Natural
    divergence: Divergence | None
    violations: tuple[str, ...]
    isa: InstructionCheck
    memory: MemoryCheck | None
    not_watched: tuple[str, ...]
    fault: str | None
    failures: tuple[FailedScene, ...]
    instructions: Instructions | None
    sanitizers: tuple[str, ...] = ()
    defects: tuple[FoundDefect, ...] = ()
    coverage: tuple[CoveredFile, ...] | None = None

    @property
    def name(self) -> str:
        """Its name within its case: "68040 O2", or "68040 O2 on qemu-user"."""
        return f"{self.cpu} {self.build}" + ("" if self.is_on_unicorn else f" on {self._engine}")

    @property
    def is_on_unicorn(self) -> bool:
        """Whether Unicorn executed it, which tells more of it than other engines."""
        return self._engine == UNICORN

    @property
    def _engine(self) -> str:
        return self.engine.partition(" ")[0]


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """The verdict on a case, with the results and the receipt that support it.

    Attributes:
        verdict: "verified", "refuted" or "inconclusive".
        results: one result for each program.
        not_run: what was not run, each with the reason.
        receipt: everything needed to run the verification again.
        oracles: how the programs and the reference agree about the scenes, each pair of them; None
            if the programs were verified in separate runs.
    """

    verdict: _Verdict
    results: tuple[ProgramResult, ...]
    not_run: tuple[NotRun, ...]
    receipt: Receipt
    oracles: OracleMatrix | None = None

    def to_json(self) -> str:
        """The report as JSON text. `emu.verify.read_report.read_reports` reads it from a file."""
        return to_json(self, SCHEMA)


def make_report(
    case: Case,
    programs: Sequence[BuiltProgram],
    results: Sequence[Result],
    specs: Sequence[SceneSpec],
    *,
    source: Path | Replacements | None = None,
    provision: str = "",
    not_run: Sequence[NotRun] = (),
    command: Sequence[str] = (),
    seconds: float = 0.0,
) -> VerifyReport:
    """Make the report of a verification.

    Args:
        case: the case.
        programs: the programs that were run.
        results: the result of each program, in the same order, from `emu.verify.schedule.verify`.
        specs: the scenes on which they were run.
        source: the file or files that were compiled in place of the case's own; None if none were.
        provision: where the programs came from, in words.
        not_run: what was not run, each with the reason.
        command: the command line, one string for each word.
        seconds: the time that the verification took, in seconds.

    Raises:
        ValueError: the number of results is not that of the programs.
        OSError: a file with symbols or types cannot be read any more.
    """
    receipt = make_receipt(
        case,
        programs,
        results,
        specs,
        source=source,
        provision=provision,
        command=command,
        seconds=seconds,
    )
    return VerifyReport(
        verdict=verdict_of(results),
        results=tuple(_result(case, p, r) for p, r in zip(programs, results, strict=True)),
        not_run=tuple(not_run),
        receipt=receipt,
        oracles=oracle_matrix(case, results, specs),
    )


def _result(case: Case, program: BuiltProgram, result: Result) -> ProgramResult:
    return ProgramResult(
        case=case.name,
        cpu=program.cpu,
        build=program.build,
        engine=result.engine or result.subject.engine,
        abi=result.abi,
        program=program_file(program, result.subject),
        calls=sum(result.calls),
        scenes=result.scenes,
        distinct_scenes=len(result.inputs),
        changed_scenes=result.changed,
        comparisons=result.comparisons,
        bytes_compared=result.bytes_compared,
        padding_bytes=result.padding,
        verdict=result.verdict,
        undecided=result.undecided if result.verdict == INCONCLUSIVE else None,
        diverged=result.diverged,
        violated=result.violated,
        divergence=next((f.divergence for f in result.failures if f.divergence), None),
        violations=tuple(sorted({v for one in result.failures for v in one.violations})),
        isa=InstructionCheck(
            is_checked(program.cpu) and engine_of(result.subject.engine).abilities.counts,
            result.isa,
        ),
        memory=_memory(result.memory),
        not_watched=() if result.memory else tuple(CPUS[program.cpu].unwatched),
        fault=result.fault or result.crash or None,
        failures=tuple(map(failed_scene, result.failures)),
        instructions=_instructions(result),
        sanitizers=program.sanitizers,
        defects=tuple(map(_found_defect, result.defects)),
        coverage=covered_files(case, result),
    )


def _found_defect(seen: SeenDefect) -> FoundDefect:
    defect, spec = seen.defect, seen.spec
    return FoundDefect(
        check=defect.check,
        kind=defect.kind,
        what=defect.what,
        place=defect.place,
        thing=defect.thing,
        generator=spec.generator,
        objects=spec.objects,
        seed=spec.seed,
        fill=spec.fill,
    )


def _memory(checks: MemoryChecks | None) -> MemoryCheck | None:
    if checks is None:
        return None
    violations, suppressed = (
        tuple(one for one in checks.violations if one.suppressed is wanted)
        for wanted in (False, True)
    )
    return MemoryCheck(checks.is_complete, checks.deepest, violations, suppressed)


def program_file(program: BuiltProgram, subject: Subject) -> ProgramFile:
    """What a report tells of a program.

    Raises:
        OSError: a file with symbols or types cannot be read any more.
    """
    symbols, types = subject.symbols, subject.types
    return ProgramFile(
        file=str(program.path),
        sha256=program.sha256,
        origin=program.origin,
        compiler=program.compiler,
        flags=tuple(program.flags),
        symbols=None if symbols is None else FileDigest(str(symbols), digest_of(symbols)),
        types=None
        if types is None
        else TypesFile(
            str(types.program), digest_of(types.program), types.build, tuple(types.variables)
        ),
    )


def failed_scene(failure: Failure) -> FailedScene:
    """A failure as a report tells it."""
    spec = failure.spec
    return FailedScene(
        generator=spec.generator,
        objects=spec.objects,
        seed=spec.seed,
        fill=spec.fill,
        divergence=failure.divergence,
        violations=failure.violations,
        fault=failure.fault or None,
        summary=str(failure),
    )


def _instructions(result: Result) -> Instructions | None:
    spec = result.measured
    if spec is None:
        return None
    return Instructions(
        result.instructions, result.blocks, spec.generator, spec.objects, spec.seed, spec.fill
    )
