"""Chooses a failed scene from a report, and checks that its case and program are unchanged."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from emu.base.errors import GuestError, InputError, UsageError, WrongResultError
from emu.base.files import sha256_of
from emu.base.printable import one_line
from emu.base.yaml_document import LARGEST_FILE as LARGEST_CASE
from emu.cases.case import Case, Opponent
from emu.cases.case_file import read_case
from emu.cases.files.read_files import ABSENT
from emu.cases.find import case_named
from emu.cases.programs.subject import BorrowedTypes, Subject
from emu.checks.isa_model import REFUTES, UNDECIDED
from emu.machine.cpu import CPUS
from emu.program import host_file
from emu.verify.explain.finding import SceneFinding
from emu.verify.report.receipt import CaseIdentity, Receipt
from emu.verify.report.report import ProgramResult, VerifyReport
from emu.verify.runs.verdicts import INCONCLUSIVE, REFUTED
from emu.verify.scenes.changed_scenes import ChangedScene
from emu.verify.scenes.scene_spec import SceneSpec
from emu.verify.views.source_line import CompiledSources

_LARGEST_PROGRAM = 1 << 30

# An instruction that the processor lacks is wrong in every scene, so no scene is chosen for it.
_WITHOUT_A_SCENE = {REFUTES: WrongResultError, UNDECIDED: GuestError}


@dataclass(frozen=True, slots=True)
class ChosenScene:
    """A program and a scene to run it on.

    Attributes:
        case: the case.
        subject: the program.
        spec: the scene.
        summary: what was wrong according to a report; "" if the scene is not from a report.
        verdict: the verdict on the program in that report; "" likewise.
        changed: how the scene was changed; None if it is as its generator makes it.
        compiled: the sources that the program was compiled from; None if they are not known.
    """

    case: Case
    subject: Subject
    spec: SceneSpec
    summary: str = ""
    verdict: str = ""
    changed: ChangedScene | None = None
    compiled: CompiledSources | None = None


def scene_of_finding(finding: SceneFinding, path: Path) -> ChosenScene:
    """The program and the scene of a finding.

    Args:
        finding: the finding.
        path: the file that it was read from, for messages.

    Raises:
        InputError: the case file, its reference or the program is missing, or has changed since.
        UsageError: no single program shows it; or a value of the scene cannot be read.
    """
    symptom = finding.symptom
    if symptom.kind == "difference":
        raise UsageError(
            f"{path}: {symptom.summary}; the reference does not say which is right "
            f"({one_line(symptom.refused)}), so there is no wrong value to explain"
        )
    if symptom.kind == "memory":
        raise UsageError(f"{path}: {symptom.summary}; that is all: no value is known to be wrong")
    remedy = f"Run its command again: {shlex.join(finding.command)}"
    subject = _subject(finding, path, remedy)
    case = _case(finding.case, path, remedy)
    _require_same_reference(case, finding.reference_files, path, remedy)
    changed = finding.scene.changed
    return ChosenScene(case, subject, changed.spec, symptom.summary, REFUTED, changed)


def first_failure(
    reports: Sequence[VerifyReport],
    *,
    cpus: Sequence[str] | None = None,
    builds: Sequence[str] | None = None,
    path: Path = Path("the report"),
) -> ChosenScene | None:
    """Choose the first failed scene. A scene with a wrong value comes before one without.

    For example, a scene on which the call faulted is chosen only if no scene has a wrong value.

    Args:
        reports: the reports.
        cpus: names of processors; only their results are looked at. None is all.
        builds: names of builds; only their results are looked at. None is all.
        path: the file that the reports were read from, for messages.

    Returns:
        The scene; None if all programs are verified.

    Raises:
        InputError: the case file, its reference or the program is missing, or has changed since.
        UsageError: there is no result of such a processor and build.
        WrongResultError: a program is refuted by an instruction that its processor lacks, and not
            by a scene.
        GuestError: a program is inconclusive, and no scene failed.
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
    case = replace(_case(receipt.case, path, remedy, receipt.against), budget=receipt.budget)
    _require_same_reference(case, receipt.reference_files, path, remedy)
    for name, sha256 in sorted(receipt.read_files.items()):
        if (sha256_of(case.path.parent / name, _LARGEST_PROGRAM) or ABSENT) != sha256:
            raise _changed(case, name, path, remedy)
    return ChosenScene(
        case,
        subject,
        failure.scene,
        failure.summary,
        result.verdict,
        compiled=_compiled(receipt, result),
    )


def _compiled(receipt: Receipt, result: ProgramResult) -> CompiledSources | None:
    if result.program.origin == "given":
        return None
    replaced = receipt.source.replaced_by
    if isinstance(replaced, Mapping):
        files = {name: Path(file) for name, file in replaced.items()}
        return CompiledSources(files, receipt.source.sha256)
    return CompiledSources(Path(replaced) if replaced else None, receipt.source.sha256)


def cases_named(named: Iterable[CaseIdentity]) -> list[Path]:
    """Read the case files that reports or findings name; those that are missing are left out."""
    files = [Path(case_identity.file) for case_identity in named]
    return [path for path in files if sha256_of(path, LARGEST_CASE)]


def _subject(result: ProgramResult | SceneFinding, path: Path, remedy: str) -> Subject:
    """The program that a result belongs to.

    Raises:
        InputError: there is no such CPU, or a file is missing or has changed.
    """
    if result.cpu not in CPUS:
        raise InputError(path, f"the report is damaged: there is no CPU {result.cpu!r:.40}")
    program, types = result.program, result.program.types
    for kind in (program, types, program.symbols):
        if kind is not None and not _is_unchanged(kind.file, kind.sha256):
            raise InputError(
                path,
                f"the program that it names, {kind.file}, is missing or has changed",
                remedy=remedy,
            )
    borrowed = None
    if types is not None:
        borrowed = BorrowedTypes(Path(types.file), types.build, types.variables)
    return Subject(result.cpu, result.build, Path(program.file), borrowed)


def _is_unchanged(name: str, sha256: str) -> bool:
    try:
        file = host_file(Path(name))
    except OSError:  # such as a name that is too long
        return False
    return sha256_of(file, _LARGEST_PROGRAM) == sha256


def _case(named: CaseIdentity, path: Path, remedy: str, against: Opponent | None = None) -> Case:
    """The case that a report names.

    Raises:
        InputError: the case file has changed, or the program that its programs were compared with.
            The digest is compared before the file is parsed, so that a damaged report cannot make a
            message show the contents of some other file.
    """
    own = Path(named.file)
    if not sha256_of(own, LARGEST_CASE):  # it was a case of another copy of macproof
        own = case_named(named.name).path
    if sha256_of(own, LARGEST_CASE) != named.sha256:
        problem = f"the case file that it names, {own}, has changed"
        raise InputError(path, problem, remedy=remedy)
    if against is not None and not _is_unchanged(os.fspath(against.program), against.sha256):
        problem = f"the program {against.name}, which said what is right, is missing or has changed"
        raise InputError(path, problem, remedy=remedy)
    return read_case(own, against=against)


def _require_same_reference(
    case: Case, reported: Mapping[str, str], path: Path, remedy: str
) -> None:
    """Raise unless the case's functions, and the program of its reference, are those of a report.

    Others make other scenes and other answers, so what is found would be another failure.

    Raises:
        InputError: a file of them has changed, or there is one more or one less.
    """
    files = sorted({*case.python, *reported})
    changed = [name for name in files if case.python.get(name) != reported.get(name)]
    if changed:
        raise _changed(case, changed[0], path, remedy)


def _changed(case: Case, name: str, path: Path, remedy: str) -> InputError:
    problem = f"a file that {case.path} needs has changed since: {one_line(name):.200}"
    return InputError(path, problem, remedy=remedy)


def _require_comparisons(results: Sequence[ProgramResult], path: Path) -> None:
    """Raise unless every result is verified: "nothing failed" would be wrong of any other."""
    if not results:
        raise UsageError(f"{path} has no result of that CPU and build")
    for result in results:
        if result.defects:
            raise WrongResultError(
                f"{result.name} did not fail on a scene that can be run again; a sanitizer has "
                f"found {result.defects[0]}"
            )
        for finding in result.isa.findings:
            kind = _WITHOUT_A_SCENE.get(finding.weight)
            if kind is not None:
                what = f"{finding.mnemonic} {finding.why}, at {finding.place}"
                raise kind(f"{result.name} did not fail on a scene; its fault is that {what}")
        for mistake in result.memory.violations if result.memory is not None else ():
            if mistake.weight == REFUTES:
                raise InputError(path, f"{result.name} is refuted by a mistake: {mistake}")
        if result.verdict == INCONCLUSIVE:
            raise GuestError(f"{result.name} is inconclusive: {result.undecided}")
        if result.verdict == REFUTED:
            raise InputError(path, f"{result.name} is refuted, and the report does not say why")


def not_reproduced_message(chosen: ChosenScene) -> str:
    """The error message for a scene that failed in a report and does not fail when run alone."""
    case = chosen.case
    return (
        f"{case.name} on the {chosen.subject.cpu}, build {chosen.subject.build}, failed before on "
        f"{chosen.spec} ({chosen.summary}), and does not fail when it is run again. {case.make} "
        f"and {case.reference} were called twice here, with the same results. So one of them "
        "depends on its process (the order of a set, the clock, data kept from earlier calls), or "
        "the program depends on memory that earlier calls changed"
    )
