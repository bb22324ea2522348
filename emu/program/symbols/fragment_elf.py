"""Reads symbols for a PEF container that macproof's toolchain made of one linked ELF file.

The linked program became the container's only section. So adding one number to an address in the
ELF file gives the address in the placed section.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from emu.base.errors import ProgramError
from emu.program.elf.elf import parse_elf
from emu.program.model.model import Program, Symbol
from emu.program.model.relocation import moved
from emu.program.pef.pef_model import PefContainer

CONVENTION = "ppc-sysv"
SUFFIX = ".pef.gdb"
_ELF = b"\x7fELF"


def is_elf(data: bytes) -> bool:
    """Whether data begin like an ELF file."""
    return data[: len(_ELF)] == _ELF


def read_fragment_symbols(data: bytes, path: Path) -> list[Symbol]:
    """The ELF file's symbols, by their offset in the container's section.

    Raises:
        ProgramError: it is damaged, or no PowerPC program.
    """
    linked = _Linked.read(data, path)
    return [replace(s, address=s.address - linked.base) for s in linked.program.symbols]


def with_elf(program: Program, container: PefContainer, data: bytes, path: Path) -> Program:
    """A container's program with symbols, types and lines of the ELF file it was made of.

    Raises:
        ProgramError: the ELF file is damaged, or the container was made of something else.
    """
    linked = _Linked.read(data, path)
    _require_same(container, linked, program.path)
    distance = program.segments[0].address - linked.base
    source = moved(
        linked.program, program.segments, program.registers, lambda address: address + distance
    )
    symbols = [*program.symbols, *source.symbols]
    return replace(source, path=program.path, symbols=symbols, convention=CONVENTION)


@dataclass(frozen=True, slots=True)
class _Linked:
    """An ELF file's program, and its lowest address, which is the section's beginning."""

    path: Path
    program: Program
    base: int

    @classmethod
    def read(cls, data: bytes, path: Path) -> _Linked:
        program = parse_elf(data, path)
        if program.architecture != "powerpc" or not program.segments:
            raise ProgramError(path, "it is no linked PowerPC ELF file")
        return cls(path, program, min(segment.address for segment in program.segments))

    def image(self) -> bytes:
        """The contents of memory from the base on."""
        contents = bytearray()
        for segment in sorted(self.program.segments, key=lambda s: s.address):
            contents = contents.ljust(segment.address - self.base, b"\0")
            contents += segment.data
        return bytes(contents)


def _require_same(container: PefContainer, linked: _Linked, path: Path) -> None:
    same = len(container.placed) == 1
    if same:
        ours, theirs = bytearray(container.placed[0].data), bytearray(linked.image())
        same = len(theirs) >= len(ours)
        del theirs[len(ours) :]
        for offset in _relocated(container):
            ours[offset : offset + 4] = theirs[offset : offset + 4] = bytes(4)
        same = same and ours == theirs
    if not same:
        raise ProgramError(
            linked.path,
            f"it is not what {path} was made of: their code or data differ",
            remedy="Build both again, or move it away; its symbols would be wrong.",
        )


def _relocated(container: PefContainer) -> Sequence[int]:
    size = len(container.placed[0].data)
    return [int(o) for o in container.relocations[0].offsets if o + 4 <= size]
