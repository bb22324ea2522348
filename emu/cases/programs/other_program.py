"""Finds the second program of a comparison by the word that a user types: "601", "O0", "a.cpp"."""

from __future__ import annotations

from pathlib import Path

from emu.base.errors import UsageError
from emu.cases.case import Case
from emu.cases.programs.programs import given_program, programs_of
from emu.cases.programs.sources import GivenSource
from emu.cases.programs.subject import Subject
from emu.machine.cpu import CPUS
from emu.toolchain.sources import SOURCE_SUFFIXES


def require_word(case: Case, word: str) -> None:
    """Raise an error for a word that stands for no program; see `program_against`.

    Raises:
        UsageError: it stands for none.
    """
    if word not in CPUS and word not in case.builds and not Path(word).is_file():
        raise UsageError(
            f"--against takes a processor ({', '.join(case.cpus)}), a build "
            f"({', '.join(case.builds)}), a source file or a program; {word} is none of these"
        )


def program_against(case: Case, subject: Subject, word: str, source: GivenSource = None) -> Subject:
    """Find or compile the program that a word stands for.

    Args:
        case: the case.
        subject: the program that it is to be compared with.
        word: the name of another processor, for which the same build is taken; or of another build,
            for the same processor; or a source file, compiled for the same processor and build; or
            a program file for the same processor.
        source: what the program is compiled from in place of the case's sources, if it is; also
            taken for another processor or build.

    Raises:
        UsageError: the word stands for nothing of these.
        ToolMissingError, CompileError, CaseError, ProgramError: as for `programs_of`.
    """
    require_word(case, word)
    path = Path(word)
    builds = [subject.build] if subject.build in case.builds else None
    if word in CPUS:
        return programs_of(case, cpus=[word], builds=builds, source=source)[0]
    if word in case.builds:
        return programs_of(case, cpus=[subject.cpu], builds=[word], source=source)[0]
    if path.suffix in SOURCE_SUFFIXES:
        return programs_of(case, cpus=[subject.cpu], builds=builds, source=path)[0]
    return given_program(case, path, subject.cpu)[0]
