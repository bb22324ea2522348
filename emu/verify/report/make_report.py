"""Makes the report of a verification from the programs, their results and the scenes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from emu.cases.case import Case
from emu.cases.keys.references import OtherProgram
from emu.cases.programs.selection import Omission
from emu.cases.programs.sources import Replacements
from emu.cases.programs.subject import Subject
from emu.cases.recorded_calls import MOST_CALLS
from emu.checks.isa import is_checked
from emu.checks.memory import MemoryChecks
from emu.engines.registry import engine_of
from emu.machine.cpu import CPUS
from emu.report.file_digest import FileDigest
from emu.toolchain.build_cache import digest_of
from emu.toolchain.programs.gcc import BuiltProgram
from emu.verify.images.answer_notes import AnswerNotes
from emu.verify.report.receipt import make_receipt
from emu.verify.report.report import (
    AnswersCheck,
    CallsBeyond,
    FailedScene,
    InstructionCheck,
    MemoryCheck,
    ProgramIdentity,
    ProgramResult,
    ToolboxCheck,
    TypesFile,
    VerifyReport,
)
from emu.verify.runs.coverage import covered_files, unreached_lines
from emu.verify.runs.oracle_matrix import oracle_matrix
from emu.verify.runs.verdicts import INCONCLUSIVE, Failure, Result, verdict_of
from emu.verify.scenes.scene_spec import SceneSpec


def make_report(
    case: Case,
    programs: Sequence[BuiltProgram],
    results: Sequence[Result],
    specs: Sequence[SceneSpec],
    *,
    source: Path | Replacements | None = None,
    provision: str = "",
    not_run: Sequence[Omission] = (),
    command: Sequence[str] = (),
    seconds: float = 0.0,
) -> VerifyReport:
    """Make the report of a verification.

    Args:
        case: the case.
        programs: the programs that were run.
        results: the result of each program, in the same order, from
            `emu.verify.runs.schedule.verify`.
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
        ignored=case.ignored,
        unreached=unreached_lines(case.sources, results),
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
        distinct_scenes=len(result.inputs),
        padding_bytes=result.padding,
        verdict=result.verdict,
        undecided=result.undecided if result.verdict == INCONCLUSIVE else None,
        divergence=next((f.divergence for f in result.failures if f.divergence), None),
        violations=tuple(sorted({v for failure in result.failures for v in failure.violations})),
        isa=InstructionCheck(
            is_checked(program.cpu) and engine_of(result.subject.engine).abilities.counts,
            result.isa,
        ),
        memory=_memory(result.memory),
        not_watched=()
        if result.memory and not result.memory.left
        else tuple(CPUS[program.cpu].unwatched),
        fault=result.fault or result.crash or None,
        failures=tuple(map(failed_scene, result.failures)),
        instructions=result.instructions,
        sanitizers=program.sanitizers,
        defects=result.defects,
        coverage=covered_files(case.sources, result),
        toolbox=_toolbox(case, result),
        answers=_answers(result.notes_of_answers),
        before_writes=result.before_writes,
        alignment=result.alignment,
        reasons=result.reasons,
        **result.counts,
    )


def _toolbox(case: Case, result: Result) -> ToolboxCheck | None:
    is_named = case.toolbox_state and not isinstance(case.routine, OtherProgram)
    if not (result.asked or result.notes or is_named):
        return None
    return ToolboxCheck(result.asked, case.toolbox_state, result.notes)


def _answers(notes: AnswerNotes) -> AnswersCheck:
    return AnswersCheck(
        also_compared=notes.compared,
        unobserved=notes.unobserved,
        looked_at=len(notes.looked_at),
        distinct=len(notes.distinct),
        unfilled=notes.unfilled,
        free=notes.free,
        calls_beyond=tuple(
            CallsBeyond(name, MOST_CALLS, most) for name, most in notes.calls_beyond
        ),
        unseen=notes.unseen,
        left_out=notes.left_out,
    )


def _memory(checks: MemoryChecks | None) -> MemoryCheck | None:
    if checks is None:
        return None
    violations, suppressed = (
        tuple(violation for violation in checks.violations if violation.suppressed is wanted)
        for wanted in (False, True)
    )
    return MemoryCheck(
        checks.is_complete, checks.deepest, violations, suppressed, checks.unchecked, checks.left
    )


def program_file(program: BuiltProgram, subject: Subject) -> ProgramIdentity:
    """What a report tells of a program.

    Raises:
        OSError: a file with symbols or types cannot be read any more.
    """
    symbols, types = subject.symbols, subject.types
    return ProgramIdentity(
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
        command=program.command,
    )


def failed_scene(failure: Failure) -> FailedScene:
    """A failure as a report tells it."""
    return FailedScene(
        scene=failure.spec,
        divergence=failure.divergence,
        violations=failure.violations,
        fault=failure.fault or None,
        summary=str(failure),
    )
