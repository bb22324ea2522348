"""The scenes that reports say failed, with their cases and programs as they were then."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import GuestError, InputError, UsageError, WrongResultError
from emu.base.files import sha256_of
from emu.base.yaml_document import LARGEST_FILE as LARGEST_CASE
from emu.cases.case import Case, case_named, read_case
from emu.cases.programs import BorrowedTypes, Subject
from emu.checks.isa_model import REFUTES, UNDECIDED
from emu.machine.cpu import CPUS
from emu.program import host_file
from emu.verify.receipt import CaseFile
from emu.verify.report import ProgramResult, VerifyReport
from emu.verify.verdicts import INCONCLUSIVE, REFUTED, SceneSpec

_LARGEST_PROGRAM = 1 << 30

# What is wrong with an instruction is wrong in every scene.
_WITHOUT_A_SCENE = {REFUTES: WrongResultError, UNDECIDED: GuestError}


@dataclass(frozen=True, slots=True)
class ChosenScene:
    """A program and a scene to run it on."""

    case: Case
    subject: Subject
    spec: SceneSpec
    said: str = ""
    """What was wrong with it according to a report."""


def first_failure(
    reports: Sequence[VerifyReport],
    *,
    cpus: Sequence[str] | None = None,
    builds: Sequence[str] | None = None,
    path: Path = Path("the report"),
) -> ChosenScene | None:
    """The first scene that failed; one whose result can be compared before one without a result.

    Args:
        reports: the reports.
        cpus: only these processors; all if left out.
        builds: only these builds; all if left out.
        path: where the reports are from, for messages.

    Returns:
        None if nothing failed.

    Raises:
        InputError: the case or the program is gone or changed since.
        UsageError: there is no result of such a processor and build.
        WrongResultError, GuestError: nothing failed, since no scene is to blame, or nothing came
            to a comparison.
    """
    meant = [
        (report.receipt, result)
        for report in reports
        for result in report.results
        if not cpus or result.cpu in cpus
        if not builds or result.build in builds
    ]
    failing = [
        (receipt, result, failure) for receipt, result in meant for failure in result.failures
    ]
    if not failing:
        _require_comparisons([result for _, result in meant], path)
        return None
    receipt, result, failure = min(failing, key=lambda item: item[2].divergence is None)
    remedy = f"Run its command again: {shlex.join(receipt.command)}"
    subject = _subject(result, path, remedy)
    return ChosenScene(_case(receipt.case, path, remedy), subject, failure.scene, failure.summary)


def _subject(result: ProgramResult, path: Path, remedy: str) -> Subject:
    """The program that a result is of.

    Raises:
        InputError: there is no such CPU, or a file is not as it was.
    """
    if result.cpu not in CPUS:
        raise InputError(path, f"the report is damaged: there is no CPU {result.cpu!r:.40}")
    program, types = result.program, result.program.types
    for one in (program, types, program.symbols):
        if one is not None and not _is_as_it_was(one.file, one.sha256):
            raise InputError(
                path, f"the program it speaks of, {one.file}, is gone or changed", remedy=remedy
            )
    borrowed = None
    if types is not None:
        borrowed = BorrowedTypes(Path(types.file), types.build, types.variables)
    return Subject(result.cpu, result.build, Path(program.file), borrowed)


def _is_as_it_was(name: str, sha256: str) -> bool:
    try:
        file = host_file(Path(name))
    except OSError:  # a name that is too long
        return False
    return sha256_of(file, _LARGEST_PROGRAM) == sha256


def _case(told: CaseFile, path: Path, remedy: str) -> Case:
    """The case that a report speaks of.

    Raises:
        InputError: its file is not as it was. Of any other file nothing is read but the digest,
            so no message can show what is in it.
    """
    own = Path(told.file)
    if not sha256_of(own, LARGEST_CASE):  # it was a case of another copy of macproof
        own = case_named(told.name).path
    if sha256_of(own, LARGEST_CASE) != told.sha256:
        raise InputError(
            path, f"the case file it speaks of, {own}, is not as it was", remedy=remedy
        )
    return read_case(own)


def _require_comparisons(results: Sequence[ProgramResult], path: Path) -> None:
    """Refuse to say that nothing failed where nothing was known, or no scene is to blame."""
    if not results:
        raise UsageError(f"{path} has no result of that CPU and build")
    for result in results:
        for finding in result.isa.findings:
            kind = _WITHOUT_A_SCENE.get(finding.weight)
            if kind is not None:
                what = f"{finding.mnemonic} {finding.why}, at {finding.place}"
                raise kind(f"{result.name} fails on no scene, but {what}")
        if result.verdict == INCONCLUSIVE:
            raise GuestError(f"{result.name} is inconclusive: {result.undecided}")
        if result.verdict == REFUTED:
            raise InputError(path, f"{result.name} is refuted, and the report does not say why")


def failed_before(chosen: ChosenScene) -> str:
    """What is said of a scene that fails in a report and not when it is run alone."""
    case = chosen.case
    return (
        f"{case.name} on the {chosen.subject.cpu}, build {chosen.subject.build}, failed before on "
        f"{chosen.spec} ({chosen.said}), and does not when it is run again. Asked twice here, "
        f"{case.make} and {case.reference} say the same both times. So one of them depends on the "
        "process it runs in (the order of a set, the clock, what it kept of earlier calls), or the "
        "program on what earlier calls left behind"
    )
