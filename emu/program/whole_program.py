"""Reads an old program with all its code: the segments of an application, and code resources.

Many applications bring definition functions of their own, such as a CDEF for controls; a file may
also hold nothing else. Each becomes a segment of the program, and its places begin with its name:
"CDEF 128+0x10".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from emu.base.errors import ProgramError
from emu.program.code68k.code_resource import read_code_resource, titles_of_code
from emu.program.mac_file.mac_file import MacFile, read_mac_file
from emu.program.model.model import Program, Segment
from emu.program.read import read_program

_ROOM = 0x1000
_ELF = b"\x7fELF"


def read_whole_program(path: Path, architecture: str | None = None) -> Program:
    """Read a program with the 68K code resources of its file.

    A code resource that cannot be read, as one for the Mixed Mode Manager, is left out: no place is
    in it.

    Args:
        path: as for `emu.program.read.read_program`.
        architecture: the same.

    Raises:
        ProgramError: the file is missing, damaged or no executable, and has no code resource.
    """
    file = _mac_file(path)
    if file is None or not (titles := titles_of_code(file)):
        return read_program(path, architecture=architecture)
    if architecture != "powerpc" and not file.data and not file.resources.of_type("CODE"):
        parts = list(_parts(file, titles))
        if not parts:
            read_code_resource(file, titles[0])  # which says why it cannot be read
        return _joined(replace(parts[0], segments=[], symbols=[], entries=()), parts)
    program = read_program(path, architecture=architecture)
    return program if program.architecture != "m68k" else _joined(program, _parts(file, titles))


def _mac_file(path: Path) -> MacFile | None:
    """A file with two forks; None for an ELF file, or one that is read otherwise."""
    try:
        file = read_mac_file(path)
    except ProgramError:
        return None
    return None if file.data.startswith(_ELF) else file


def _parts(file: MacFile, titles: tuple[str, ...]) -> Iterator[Program]:
    for title in dict.fromkeys(titles):
        try:
            yield read_code_resource(file, title)
        except ProgramError:
            continue


def _joined(program: Program, parts: Iterator[Program] | list[Program]) -> Program:
    """A program with the segments of others behind its own."""
    end = max((segment.end for segment in program.segments), default=_ROOM)
    segments, symbols, entries = [*program.segments], [*program.symbols], [*program.entries]
    for part in parts:
        (code,) = part.segments
        start = -(-end // _ROOM) * _ROOM + _ROOM
        distance, end = start - code.address, start + code.size
        # Many keep variables behind their code.
        segments.append(
            Segment(code.name, start, code.size, code.data, writable=True, executable=True)
        )
        symbols += [replace(one, address=one.address + distance) for one in part.symbols]
        entries += [entry + distance for entry in part.entries]
    return replace(program, segments=segments, symbols=symbols, entries=tuple(entries))
