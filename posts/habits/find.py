"""Finds the habits of the programs in files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from emu.base.files import open_file
from emu.program.code68k.code_resources import link_code
from emu.program.fragments.fragment_program import pef_program
from emu.program.mac_program import Executable, not_an_application, read_executable
from emu.program.pef.pef_model import PefContainer
from emu.program.read import host_file
from macproof import Program, ProgramError, read_program
from posts.habits.m68k import m68k_habits
from posts.habits.model import HabitsReport, ProgramHabits, UnreadableFile
from posts.habits.powerpc import powerpc_habits

_HEADS = {b"\x7fELF": "ELF", b"\x01\xdf": "XCOFF"}


def habits_of_files(paths: Iterable[Path], command: Sequence[str] = ()) -> HabitsReport:
    """Find the habits of the programs in some files.

    A file that cannot be read is kept with the reason.

    Args:
        paths: the files.
        command: the command line, one string for each word.

    Raises:
        ProgramError: none of them holds a program that can be read; of one file, why.
    """
    programs: list[ProgramHabits] = []
    refused: list[UnreadableFile] = []
    for path in paths:
        try:
            programs += habits_of(path)
        except ProgramError as error:
            if not programs and not refused:
                first = error
            refused.append(UnreadableFile(path, str(error)))
    if not programs and len(refused) == 1:
        raise first
    if not programs:
        others = "1 other file" if len(refused) == 2 else f"{len(refused) - 1} other files"
        raise ProgramError(refused[0].path, f"neither it nor {others} can be read as a program")
    return HabitsReport(tuple(programs), tuple(refused), tuple(command))


def habits_of(path: Path) -> list[ProgramHabits]:
    """The habits of the program in a file; of both programs of a fat application.

    Args:
        path: an application in any container, a PEF, XCOFF or ELF file; ``disk.dsk:Name`` for a
            file in a disk image.

    Raises:
        ProgramError: the file is missing or damaged, or holds no program for the 68K or PowerPC.
    """
    if _is_plain(path):
        return [_of_program(read_program(path))]
    executable = read_executable(path)
    if not executable.architectures and not executable.libraries:
        raise not_an_application(executable)
    return list(_of_executable(executable))


def _is_plain(path: Path) -> bool:
    if not path.is_file() or host_file(path) != path:
        return False
    with open_file(path) as file:
        head = file.read(4)
    return any(head.startswith(start) for start in _HEADS)


def _of_program(program: Program) -> ProgramHabits:
    if program.architecture == "m68k":
        return m68k_habits(program)
    if program.architecture == "powerpc":
        return powerpc_habits(program)
    raise ProgramError(program.path, "it is neither for the 68K nor for the PowerPC")


def _of_executable(executable: Executable) -> Iterator[ProgramHabits]:
    if "m68k" in executable.architectures:
        link = link_code(executable.file, debug=False)
        ranges = [
            range(link.addresses[s.id] + s.header_size, link.code_ends[s.id])
            for s in link.code.segments
        ]
        world = link.code.world
        habits = m68k_habits(link.program, ranges, link.entries, world.table_offset)
        yield replace(habits, path=executable.path)
    if executable.pef is not None:
        program = read_program(executable.path, architecture="powerpc")
        yield powerpc_habits(program, _starts(executable.pef, program))
    for library in executable.libraries:
        container = library.container()
        program = pef_program(container, executable.path)
        yield powerpc_habits(program, _starts(container, program))


def _starts(container: PefContainer, program: Program) -> Iterator[int]:
    """Where the system calls a fragment: its main, first and last routine."""
    for place in (container.main, container.initialise, container.terminate):
        if place is None:
            continue
        for segment in program.segments:
            if segment.name.startswith(f"section {place[0]} "):
                yield int.from_bytes(segment.data[place[1] : place[1] + 4], "big")
