"""The report of a verification: the results of all programs, and the receipt.

In its JSON form each dataclass of this module and of `emu.verify.report.receipt` is an object with
the same fields. The form is named by `SCHEMA`; ``macproof schema report`` describes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from emu.cases.keys.parts import IgnoredVariable
from emu.cases.programs.selection import Omission
from emu.cases.programs.subject import UNICORN
from emu.checks.coverage import CoveredFile
from emu.checks.isa_model import InstructionFinding
from emu.checks.memory import AlignmentCheck, LeftCalls, Violation
from emu.cycles.comparison import ProgramCycles
from emu.report.file_digest import FileDigest
from emu.report.json_form import to_json
from emu.report.limits import FLAT, Limits, Natural
from emu.verify.batches.differences import Divergence
from emu.verify.report.receipt import Receipt
from emu.verify.runs.oracle_matrix import OracleMatrix
from emu.verify.runs.unreached_code import UnreachedCode
from emu.verify.runs.verdicts import (
    INCONCLUSIVE,
    REFUTED,
    VERIFIED,
    CallCounts,
    CountedCall,
    SeenDefect,
    ToolboxNote,
)
from emu.verify.scenes.scene_spec import SceneSpec

SCHEMA = "macproof.report/1"

_Verdict = Annotated[str, Limits(enum=(VERIFIED, REFUTED, INCONCLUSIVE))]


@dataclass(frozen=True, slots=True)
class TypesFile(FileDigest):
    """The program from which the types of some global variables are taken.

    A Mac application has no debugging information, so the types come from the same source compiled
    as an ELF file; see `emu.cases.programs.subject.BorrowedTypes`.

    Attributes:
        build: the name of its build.
        variables: the names of the global variables.
    """

    build: str
    variables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProgramIdentity(FileDigest):
    """A program that was run.

    Attributes:
        origin: "compiled", "prebuilt" or "given".
        compiler: the compiler's name and version.
        flags: the compiler's flags.
        symbols: the file with the symbols; None if the program has them itself.
        types: the program with the types of some variables; None if this program has them itself.
        command: the command by which the compiler was called; "" if nothing was compiled.
    """

    origin: str
    compiler: str
    flags: tuple[str, ...]
    symbols: FileDigest | None
    types: TypesFile | None
    command: str = ""


@dataclass(frozen=True, slots=True)
class InstructionCheck:
    """The check that the processor has all executed instructions.

    Attributes:
        checked: whether macproof has a table of the processor's instructions.
        findings: the instructions that the processor, or another of its family, does not have.
    """

    checked: bool
    findings: tuple[InstructionFinding, ...]


@dataclass(frozen=True, slots=True)
class MemoryCheck:
    """The check of every access to memory.

    Attributes:
        complete: whether everything was noted; after very many mistakes the rest is not.
        stack: the most bytes of stack that a call has used.
        violations: the mistakes, each once.
        suppressed: those that the case file says are none.
        unchecked: how many scenes took so long that they were run again without this check.
        left: the calls that were not checked in this way for other reasons, the most first.
    """

    complete: bool
    stack: Natural
    violations: tuple[Violation, ...]
    suppressed: tuple[Violation, ...]
    unchecked: Natural = 0
    left: tuple[LeftCalls, ...] = ()

    @property
    def left_calls(self) -> int:
        """How many calls were not checked in this way, for other reasons."""
        return sum(one.calls for one in self.left)


@dataclass(frozen=True, slots=True)
class FailingLine:
    """The instruction to look at in a failing call, and its source line.

    It accesses memory of the Toolbox's heap that belongs to no block; or it wrote a wrong value
    last, or stopped the call.

    Attributes:
        place: its address, symbol and source line: "0x00010168 Add+0x94 (port.c:100)".
        file: the source file's name; "" if no line is known.
        line: the number of the line; 0 if no line is known.
        text: the line; "" if it is not known.
        why_no_text: why the line is not known, as a sentence; "" if there is nothing to say.
        stray: what it does with memory of the heap that belongs to no block, as a clause without
            its subject; "" if it does nothing of that kind.
    """

    place: str
    file: str
    line: Natural
    text: str
    why_no_text: str = ""
    stray: str = ""

    def __str__(self) -> str:
        return f"{self.place} {self.stray}".rstrip()


@dataclass(frozen=True, slots=True)
class ToolboxCheck:
    """What is known of the Toolbox after calls that asked it.

    Attributes:
        asked: the number of calls, or scenes of several calls, that asked it.
        compared: the parts of its state that were compared: "heap", "port", "random", "pixels".
        left: what calls have left otherwise than it was, of the other parts.
    """

    asked: Natural
    compared: tuple[str, ...]
    left: tuple[ToolboxNote, ...]


@dataclass(frozen=True, slots=True)
class CallsBeyond:
    """A Python function that was called more often on a scene than calls are compared.

    Attributes:
        function: the parameter that it was given for.
        compared: how many calls of a scene were compared with their arguments, the first ones.
        most: how many calls one scene had at most; the others were only counted.
    """

    function: str
    compared: Natural
    most: Natural


@dataclass(frozen=True, slots=True)
class AnswersCheck:
    """What the answers are worth that results were compared with.

    Attributes:
        also_compared: places that the case does not observe and that were compared, since the
            reference's routine writes them: "*buffer", "gErr".
        unobserved: what it also writes and was not compared: "A5-0x10cc, 4 bytes".
        looked_at: of how many answers the different ones were counted.
        distinct: how many different ones these were.
        unfilled: globals that a routine reads and no scene fills.
        free: Python functions whose calls were not compared, since the reference makes none.
        calls_beyond: functions of which not all calls were compared with their arguments.
        unseen: what the reference may write and nobody sees, as clauses.
        left_out: what was not compared of calls that were: "what void *p leads to in calls of f".
    """

    also_compared: tuple[str, ...]
    unobserved: tuple[str, ...]
    looked_at: Natural
    distinct: Natural
    unfilled: tuple[str, ...]
    free: tuple[str, ...]
    calls_beyond: tuple[CallsBeyond, ...] = ()
    unseen: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def is_vacuous(self) -> bool:
        """Whether all answers were the same one."""
        return self.looked_at > 1 and self.distinct == 1


@dataclass(frozen=True, slots=True)
class FailedScene:
    """A scene on which a program failed.

    Attributes:
        scene: what makes the scene again.
        divergence: the first wrong value; None if no value is wrong.
        violations: the rules of the call contract that were broken, a clause each.
        fault: why the call did not return; None if it did.
        summary: all of this as a sentence.
        at: the instruction to look at; null if none is known, or if nobody looked: that is done for
            the first few different failures.
    """

    scene: Annotated[SceneSpec, FLAT]
    divergence: Divergence | None
    violations: tuple[str, ...]
    fault: str | None
    summary: str
    at: FailingLine | None = None


@dataclass(frozen=True, slots=True)
class ProgramResult(CallCounts):
    """The result of one program.

    Attributes:
        case: the case's name.
        cpu: the processor's name.
        build: the build's name; "given" for a program that somebody else has built.
        engine: the name and version of the engine that executed it.
        abi: the name of the calling convention.
        program: the program.
        calls: the number of calls that returned.
        distinct_scenes: the number of their scenes whose input in guest memory differs.
        padding_bytes: the number of bytes of data memory between and behind the members of
            structures; they are not compared.
        verdict: "verified", "refuted" or "inconclusive".
        undecided: why the verdict is inconclusive; None if it is not.
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
        toolbox: what is known of the Toolbox after calls; None if none asked it and nothing of it
            was to be compared or answered.
        answers: what the reference's answers are worth; None if nobody looked.
        before_writes: the variables that the routines have changed which are called before; what no
            variable names is told with the address of its first byte.
        alignment: the calls in which odd addresses were looked for without full checks; None if
            nobody looked.
        reasons: why calls were left to Unicorn, the first few; see ``untranslated``.
    """

    case: str
    cpu: str
    build: str
    engine: str
    abi: str
    program: ProgramIdentity
    calls: Natural
    distinct_scenes: Natural
    padding_bytes: Natural
    verdict: _Verdict
    undecided: str | None
    divergence: Divergence | None
    violations: tuple[str, ...]
    isa: InstructionCheck
    memory: MemoryCheck | None
    not_watched: tuple[str, ...]
    fault: str | None
    failures: tuple[FailedScene, ...]
    instructions: CountedCall | None
    sanitizers: tuple[str, ...] = ()
    defects: tuple[SeenDefect, ...] = ()
    coverage: tuple[CoveredFile, ...] | None = None
    toolbox: ToolboxCheck | None = None
    answers: AnswersCheck | None = None
    before_writes: tuple[str, ...] = ()
    alignment: AlignmentCheck | None = None
    reasons: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its name within its case: "68040 O2", or "68040 O2 on qemu-user"."""
        return f"{self.cpu} {self.build}" + ("" if self.is_on_unicorn else f" on {self._engine}")

    @property
    def checks(self) -> tuple[MemoryCheck | AlignmentCheck, ...]:
        """The checks of accesses to memory that were made."""
        return tuple(check for check in (self.memory, self.alignment) if check is not None)

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
        ignored: the variables that the routine may change and that are compared with nothing.
        unreached: the lines with code that no scene has led to; None if no engine tells.
        cycles: what calls of each program cost beside those of the old one, if that was asked for.
    """

    grows: ClassVar[bool] = True  # reports of later and earlier versions are read, too
    verdict: _Verdict
    results: tuple[ProgramResult, ...]
    not_run: tuple[Omission, ...]
    receipt: Receipt
    oracles: OracleMatrix | None = None
    ignored: tuple[IgnoredVariable, ...] = ()
    unreached: UnreachedCode | None = None
    cycles: tuple[ProgramCycles, ...] = ()

    def to_json(self) -> str:
        """The report as JSON text, which `read_reports` reads from a file."""
        return to_json(self, SCHEMA)
