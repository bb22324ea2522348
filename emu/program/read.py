"""Reads an executable of any format that macproof knows; the contents tell the format."""

from __future__ import annotations

from pathlib import Path

from emu.base.arguments import one_of, path_of
from emu.base.files import open_file
from emu.program.elf.elf import parse_elf
from emu.program.file_bytes import whole_program
from emu.program.model.model import Program

_ELF = b"\x7fELF"


def read_program(
    path: Path | str, *, architecture: str | None = None, resource: str = ""
) -> Program:
    """Read a program: ELF, XCOFF, PEF, or a Mac application in any container.

    Symbols come from the file itself, and for a Mac application from the linked file that
    Retro68 leaves beside it (``NAME.code.bin.gdb`` or ``NAME.xcoff``), if it is there.

    Args:
        path: the file; ``disk.dsk:Name`` for a file in a disk image.
        architecture: "m68k" or "powerpc", to choose one of a fat application's two programs. It is
            ignored for a file with one program.
        resource: a code resource that is a program by itself, by its type and its ID ("LDEF 128").
            Without it, the application or the library in the file is read.

    Raises:
        ProgramError: the file is missing, damaged or no executable, or holds programs for both
            processors and neither was named; or it has no such resource.

    Example:
        >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-68040-O2.elf")
        >>> program.variable("gObjects").type.name
        'obj[200]'
    """
    path = path_of(path, "path")
    if architecture is not None:
        one_of(architecture, "architecture", ("m68k", "powerpc", "mips"))
    head = _head(path)
    if resource:
        from emu.program.code68k.code_resource import read_code_resource
        from emu.program.mac_file.mac_file import read_mac_file

        return read_code_resource(read_mac_file(path), resource)
    if head[:4] == _ELF:
        return parse_elf(whole_program(path), path)
    # Most programs are compiled ones, which are ELF; the other formats take some thirty modules.
    from emu.program.mac_program import read_mac_program

    return read_mac_program(path, head, architecture)


def host_file(path: Path) -> Path:
    """The file of the host for a path; for a file inside a disk image, the image."""
    parts = str(path).split(":")
    candidates = [Path(":".join(parts[:count])) for count in range(len(parts), 0, -1)]
    return next((candidate for candidate in candidates if candidate.is_file()), path)


def _head(path: Path) -> bytes:
    """The first bytes of a file; b"" for a path that leads into a disk image."""
    try:
        with open_file(path) as file:
            return file.read(64)
    except OSError:
        return b""
