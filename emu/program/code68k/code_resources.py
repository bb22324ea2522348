"""Makes a Program of a 68K application's CODE resources, as if all segments were loaded.

::

    0x10000 | CODE 1 | CODE 2 | ... | gap | globals | A5: parameters || jump table

Every segment lies at a fixed address and is relocated; the globals below A5 hold their initial
values; each jump table entry has the form that the Segment Loader gives it when its segment is
loaded, so calls from segment to segment need no _LoadSeg. The jump table begins on a page of its
own: the globals are writable, the table is code.

Other compilers than Retro68's pack the initial values of globals, and the program's own start code
unpacks them. Such globals are left as zeros.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from emu.program.code68k.code_linker import CodeLink, Linker
from emu.program.code68k.code_parts import CodeParts, SegmentSymbol
from emu.program.model.model import Program

if TYPE_CHECKING:
    from emu.program.mac_file.mac_file import MacFile


def read_code_program(file: MacFile, symbols: Path | None = None) -> Program:
    """Read a 68K application into a Program whose routines can be called.

    Args:
        file: the application.
        symbols: the linked ELF file it was made from. Without it, ``NAME.code.bin.gdb`` beside
            the application is taken if it is there, or else the names in the code for MacsBug.

    Raises:
        ProgramError: the resources are damaged or missing, or the ELF file belongs to another
            program.
    """
    return link_code(file, symbols).program


def link_code(file: MacFile, symbols: Path | None = None, *, debug: bool = True) -> CodeLink:
    """Read a 68K application as `read_code_program` does, and say how it was linked.

    Args:
        file: the application.
        symbols: its linked ELF file, or None, as for `read_code_program`.
        debug: whether to read the ELF file's debugging information too, which takes longer.
    """
    return Linker(CodeParts(file, symbols)).link(debug)


def segment_symbols(
    file: MacFile, symbols: Path | None = None
) -> Mapping[int, tuple[SegmentSymbol, ...]]:
    """The symbols of every CODE resource by its id, sorted by their offset in the resource.

    A run of a whole program needs them, because it loads the segments at other addresses. The
    arguments and errors are those of `read_code_program`.
    """
    return CodeParts(file, symbols).segment_symbols()
