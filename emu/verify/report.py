"""The report of a verification: what was run, what came of it, and what it takes to run it again.

Its JSON form is an object for each dataclass here and in `emu.verify.receipt`, with the fields in
their order. `SCHEMA` names it, and ``report.schema.json`` beside this file describes it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.cases.case import Case
from emu.cases.programs import NotRun, Subject
from emu.cases.sources import Replacements
from emu.checks.isa import is_checked
from emu.checks.isa_model import Finding
from emu.machine.cpu import CPUS
from emu.machine.engine import describe_engine
from emu.report.json_form import to_json
from emu.toolchain.gcc import BuiltProgram
from emu.verify.differences import Divergence
from emu.verify.fills import Fill
from emu.verify.receipt import Receipt, make_receipt
from emu.verify.verdicts import INCONCLUSIVE, Failure, Result, SceneSpec, verdict_of

SCHEMA = "macproof.report/1"


@dataclass(frozen=True, slots=True)
class FileDigest:
    """A file, and the SHA-256 of its contents in hexadecimal."""

    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class TypesFile:
    """The program that the types of some globals are from; see `emu.verify.verdicts.BorrowedTypes`.

    Attributes:
        file: the program.
        sha256: of its contents.
        build: the name of the build it is of.
        variables: the names of the globals.
    """

    file: str
    sha256: str
    build: str
    variables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProgramFile:
    """A program that was run.

    Attributes:
        file: its path.
        sha256: of its contents.
        origin: "compiled", "prebuilt" or "given".
        compiler: name and version.
        flags: what the compiler was told.
        symbols: the file its symbols are from, if they are not in the program itself.
        types: where types come from that the program itself does not give.
    """

    file: str
    sha256: str
    origin: str
    compiler: str
    flags: tuple[str, ...]
    symbols: FileDigest | None
    types: TypesFile | None


@dataclass(frozen=True, slots=True)
class Instructions:
    """How many instructions and blocks one call executed, and on which scene it was counted."""

    count: int
    blocks: int
    generator: str
    objects: int
    seed: int
    fill: Fill

    @property
    def scene(self) -> SceneSpec:
        """The scene of that call."""
        return SceneSpec(self.generator, self.objects, self.seed, self.fill)


@dataclass(frozen=True, slots=True)
class InstructionCheck:
    """Whether macproof knows the processor's instructions, and which were found wanting."""

    checked: bool
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class FailedScene:
    """A scene on which a program did not do what it should.

    Attributes:
        generator: how the scene is made.
        objects: how many objects it has.
        seed: what its random numbers begin from.
        fill: what memory was filled with before the call.
        divergence: the first wrong value, if there is one.
        violations: rules of the contract of a call that were broken.
        fault: why the call did not come back, if it did not.
        summary: all of this in words.
    """

    generator: str
    objects: int
    seed: int
    fill: Fill
    divergence: Divergence | None
    violations: tuple[str, ...]
    fault: str | None
    summary: str

    @property
    def scene(self) -> SceneSpec:
        """What the scene can be made again from."""
        return SceneSpec(self.generator, self.objects, self.seed, self.fill)


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """What came of one program. For the counts see `emu.verify.verdicts.Result`.

    Attributes:
        case: the case's name.
        cpu: the processor's name.
        build: the build's name; "given" for a program that somebody else has built.
        engine: name and version of what executed it.
        abi: the name of the calling convention.
        program: the program.
        calls: how many calls came back.
        scenes: on how many scenes.
        distinct_scenes: how many of these differ in what they lay into memory.
        changed_scenes: how many had any of the data memory changed by a call.
        comparisons: values compared.
        bytes_compared: bytes of data memory compared.
        padding_bytes: bytes of data memory that belong to no member, and are not compared.
        verdict: "verified", "refuted" or "inconclusive".
        undecided: why it is inconclusive, if it is.
        diverged: scenes whose memory was not as expected.
        violated: scenes that broke the contract of a call.
        divergence: the first wrong value of all failures, if there is one.
        violations: the rules broken in any failure.
        isa: instructions that the processor has not, or that others have not.
        not_watched: what macproof does not notice on this processor.
        fault: the first call that did not come back, or why the engine gave up.
        failures: the first failures, in the order of the scenes.
        instructions: of one call, if they were counted.
    """

    case: str
    cpu: str
    build: str
    engine: str
    abi: str
    program: ProgramFile
    calls: int
    scenes: int
    distinct_scenes: int
    changed_scenes: int
    comparisons: int
    bytes_compared: int
    padding_bytes: int
    verdict: str
    undecided: str | None
    diverged: int
    violated: int
    divergence: Divergence | None
    violations: tuple[str, ...]
    isa: InstructionCheck
    not_watched: tuple[str, ...]
    fault: str | None
    failures: tuple[FailedScene, ...]
    instructions: Instructions | None

    @property
    def name(self) -> str:
        """Which program of the case it is: "68040 O2"."""
        return f"{self.cpu} {self.build}"


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """Everything that a verdict on a case rests on.

    Attributes:
        verdict: "verified", "refuted" or "inconclusive".
        results: what came of each program.
        not_run: what was not run, each with the reason.
        receipt: what it takes to run it again.
    """

    verdict: str
    results: tuple[ProgramResult, ...]
    not_run: tuple[NotRun, ...]
    receipt: Receipt

    def to_json(self) -> str:
        """The report as JSON text; `emu.verify.read_report.read_reports` reads it again."""
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
    """The report of what `emu.verify.schedule.verify` found.

    Args:
        case: the case.
        programs: what was run.
        results: what came of each, in the same order.
        specs: the scenes.
        source: what stood in place of the case's own sources, or None.
        provision: where the programs came from, in words.
        not_run: what was not run, each with the reason.
        command: the command line.
        seconds: how long it took.

    Raises:
        ValueError: there are not as many results as programs.
        OSError: a file of symbols or types cannot be read any more.
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
    )


def _result(case: Case, program: BuiltProgram, result: Result) -> ProgramResult:
    return ProgramResult(
        case=case.name,
        cpu=program.cpu,
        build=program.build,
        engine=describe_engine(),
        abi=result.abi,
        program=_program(program, result.subject),
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
        isa=InstructionCheck(is_checked(program.cpu), result.isa),
        not_watched=tuple(CPUS[program.cpu].unwatched),
        fault=result.fault or result.crash or None,
        failures=tuple(map(_failed_scene, result.failures)),
        instructions=_instructions(result),
    )


def _program(program: BuiltProgram, subject: Subject) -> ProgramFile:
    symbols, types = subject.symbols, subject.types
    return ProgramFile(
        file=str(program.path),
        sha256=program.sha256,
        origin=program.origin,
        compiler=program.compiler,
        flags=tuple(program.flags),
        symbols=None if symbols is None else FileDigest(str(symbols), _sha256(symbols)),
        types=None
        if types is None
        else TypesFile(
            str(types.program), _sha256(types.program), types.build, tuple(types.variables)
        ),
    )


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _failed_scene(failure: Failure) -> FailedScene:
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
