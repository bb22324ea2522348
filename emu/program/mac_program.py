"""Reads what Macintosh tools make: applications, shared libraries, and linked files in XCOFF."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from pathlib import Path

from emu.base.errors import ProgramError
from emu.program.code68k.code_resource import titles_of_code
from emu.program.code68k.code_resources import read_code_program
from emu.program.file_bytes import whole_program
from emu.program.fragments.cfrg import CODE_FRAGMENTS, CodeFragment, parse_code_fragments
from emu.program.fragments.fragment_program import pef_program, xcoff_program
from emu.program.fragments.shared_libraries import SharedLibrary, libraries_of
from emu.program.mac_file.mac_file import MacFile, read_mac_file, unread_contents
from emu.program.model.model import Program
from emu.program.pef.pef import is_pef, parse_pef
from emu.program.pef.pef_model import PefContainer
from emu.program.symbols.symbol_files import find_symbols
from emu.program.xcoff.xcoff import is_xcoff, parse_xcoff

_NO_FRAGMENT = 1
"""The bytes of a data fork that a stripping program leaves, which are no fragment."""


@dataclass(frozen=True, slots=True, eq=False)
class Executable:
    """A Macintosh executable file and the programs in it.

    Attributes:
        path: the file of the host.
        file: its forks.
        architectures: "m68k" if it has CODE resources, "powerpc" if it has a PowerPC fragment;
            both for a fat application.
        pef: the PowerPC application's container, or None.
        fragments: all entries of its code fragment resource; none if there is no such resource.
        libraries: the shared libraries for the PowerPC that the file holds.
        finding: what is wrong with the file, as a sentence without a full stop; "" for nothing.
    """

    path: Path
    file: MacFile
    architectures: tuple[str, ...]
    pef: PefContainer | None
    fragments: tuple[CodeFragment, ...]
    libraries: tuple[SharedLibrary, ...] = ()
    finding: str = ""


def read_mac_program(path: Path, head: bytes, architecture: str | None) -> Program:
    """Read a program that is not ELF; ``head`` is how the file begins.

    It is a part of `emu.program.read.read_program`, which says what the arguments mean.

    Raises:
        ProgramError: the file is missing, damaged or no executable, or holds programs for both
            processors and neither was named.
    """
    if is_xcoff(head):
        return xcoff_program(parse_xcoff(whole_program(path), path), path)
    executable = read_executable(path)
    if not executable.architectures:
        if len(executable.libraries) == 1:
            return pef_program(executable.libraries[0].container(), path)
        raise not_an_application(executable)
    if len(executable.architectures) == 1:
        (architecture,) = executable.architectures
    elif architecture not in executable.architectures:
        raise ProgramError(
            path,
            "it is a fat application, with a program for the 68K and one for the PowerPC",
            remedy="Say which is meant.",
        )
    symbols = find_symbols(executable.file, architecture)
    if architecture == "m68k":
        program = read_code_program(executable.file, symbols)
    else:
        assert executable.pef is not None
        program = pef_program(
            executable.pef, path, (whole_program(symbols), symbols) if symbols else None
        )
    return replace(program, symbol_file=symbols)


def read_executable(path: Path | str) -> Executable:
    """Read a Macintosh file and say what programs it holds; nothing is placed in memory.

    Raises:
        ProgramError: the file is missing or damaged, or a program in it is.
    """
    path = Path(path)
    file = read_mac_file(path)
    resource = file.resources.find(CODE_FRAGMENTS, 0)
    fragments = parse_code_fragments(resource.data, path) if resource is not None else ()
    has_code = file.resources.find("CODE", 1) is not None
    pef, finding = None, ""
    # The system starts the first PowerPC application it finds there.
    named = (f for f in fragments if (f.architecture, f.usage) == ("powerpc", "application"))
    fragment = next(named, None)
    if fragment is not None and has_code and len(file.data) <= _NO_FRAGMENT:
        finding = (
            f"'cfrg' 0 names a PowerPC program, but the data fork has {len(file.data)} bytes: it "
            "was taken out, and the 68K program is left"
        )
    elif fragment is not None:
        pef = parse_pef(fragment.cut(file.data, path), path)
    elif not fragments and is_pef(file.data):
        bare = parse_pef(file.data, path)
        pef = bare if bare.main is not None else None
    architectures = ("m68k",) * has_code + ("powerpc",) * (pef is not None)
    return Executable(path, file, architectures, pef, fragments, libraries_of(file), finding)


def _other_code(file: MacFile) -> str:
    """What else is in a file that is no application; "" for nothing."""
    unread = unread_contents(file)
    if unread is not None:
        return f"It is {unread.name}. {unread.remedy}"
    titles = titles_of_code(file)
    return (
        f"It has {', '.join(titles)}: "
        f"`{shlex.join(('macproof', 'inspect', '--resource', titles[0]))}` looks into one."
        if titles
        else ""
    )


def not_an_application(executable: Executable) -> ProgramError:
    """The error for a file without a program that can be started."""
    if not executable.libraries and any(f.architecture == "m68k" for f in executable.fragments):
        return ProgramError(
            executable.path,
            "its code is a fragment for the 68K (CFM-68K), which macproof does not run",
            remedy="Look for a form of it with CODE resources or a PowerPC fragment.",
        )
    if not executable.libraries:
        return ProgramError(
            executable.path,
            "it is no application: it has neither CODE resources nor a PowerPC fragment",
            remedy=_other_code(executable.file),
        )
    names = ", ".join(library.name for library in executable.libraries)
    return ProgramError(
        executable.path,
        f"it is a shared library ({names}), which does nothing by itself",
        remedy="Run an application that imports from it, and put this file into its folder or into "
        "the one given with --folder. `macproof inspect` lists what it exports.",
    )
