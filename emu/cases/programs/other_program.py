"""Finds the second program of a comparison by the word that a user types: "601", "O0", "a.cpp"."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from emu.base.errors import UsageError
from emu.cases.case import Case, Opponent
from emu.cases.case_file import read_case
from emu.cases.programs.programs import given_program, programs_of
from emu.cases.programs.selection import Omission, Selection
from emu.cases.programs.sources import GivenSource
from emu.cases.programs.subject import Subject
from emu.machine.cpu import CPUS
from emu.program import host_file
from emu.toolchain.build_cache import digest_of
from emu.toolchain.languages import SOURCE_SUFFIXES


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


def select_against(selection: Selection, word: str, source: GivenSource = None) -> Selection:
    """The same programs of a case, of which another program says what is right.

    Args:
        selection: the programs.
        word: which program, as of `program_against`; a processor or a build takes the other of
            the first of the programs.
        source: what the programs are compiled from in place of the case's sources.

    Returns:
        The programs without the other one, which cannot be compared with itself.

    Raises:
        UsageError: the word stands for no program, or no other program is left.
        CaseError: the case observes something that no program can tell.
        ToolMissingError, CompileError, ProgramError: as of `programs_of`.
    """
    case, first = selection.case, selection[0]
    other = program_against(case, first, word, source)
    file = host_file(other.program)
    opponent = Opponent(file.resolve(), other.cpu, other.name, digest_of(file))
    kept = [n for n, one in enumerate(selection.built) if (one.cpu, one.sha256) != _key(opponent)]
    if not kept:
        raise UsageError(
            f"--against {word} is {other.name}, the only program that is chosen, and a program "
            "says nothing about itself; choose another one, as in --build O2 --against O0"
        )
    case = replace(
        read_case(case.path, against=opponent),
        budget=case.budget,
        compilers=case.compilers,
        prefix=case.prefix,
        headers=case.headers,
    )
    left_out = [one for n, one in enumerate(selection.built) if n not in kept]
    why = "it says what is right for the others"
    return replace(
        selection,
        case=case,
        built=tuple(selection.built[n] for n in kept),
        given=tuple(one for n, one in enumerate(selection.given) if n in kept),
        not_run=(*selection.not_run, *(Omission(f"{o.cpu} {o.build}", why) for o in left_out)),
    )


def _key(opponent: Opponent) -> tuple[str, str]:
    return opponent.cpu, opponent.sha256
