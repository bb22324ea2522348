"""Builds an application for a 68K or Power Macintosh with Debian's cross GCC.

It compiles the sources and the runtime in ``mac_src/runtime/mac``, adds glue for the Toolbox,
links, and packs the result with the resources a Mac expects into a MacBinary file. The linked ELF
file stays beside it: it has the symbols.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from pathlib import Path

from emu.base.files import read_file, write_whole
from emu.program.mac_file.macbinary import make_macbinary
from emu.program.mac_file.resource_fork import Resource, make_resource_fork
from emu.toolchain.builds import BUILDS, Build
from emu.toolchain.mac_app.compile import ApplicationCompiler, program_files, runtime_files
from emu.toolchain.mac_app.elf_image import LinkedImage, read_linked_image
from emu.toolchain.mac_app.link_68k import code_resources
from emu.toolchain.mac_app.link_ppc import code_fragment, pef_container
from emu.toolchain.mac_app.resources import Description, read_description
from emu.toolchain.mac_c.named_headers import HeaderFolder, Prefix
from emu.toolchain.sources import mac_sources as own_sources

SYMBOL_SUFFIXES = {"m68k": ".code.bin.gdb", "powerpc": ".pef.gdb"}
"""What follows the application's name in the name of the linked ELF file, by architecture."""

_SIZE_FLAGS = 0x0880  # does not suspend, is 32-bit clean
_HAS_BEEN_INITED = 0x0100
_HAS_BUNDLE = 0x2000


def build_application(
    sources: Sequence[Path],
    name: str,
    cpu: str,
    resources: Path | Description | None,
    output: Path,
    *,
    build: Build = BUILDS["O2"],
    flags: Sequence[str] = (),
    debug: bool = True,
    mac_sources: Path | None = None,
    prefix: Sequence[Prefix] = (),
    headers: HeaderFolder | None = None,
) -> Path:
    """Build an application.

    Args:
        sources: its C and C++ files. Headers beside them are found.
        name: the application's name on the Mac, and the stem of the files that are made.
        cpu: a processor of `TARGETS`: "68000", "68040" or "601".
        resources: the description of its resources (see `read_description`), or None for none.
        output: the folder for ``NAME.bin`` and, with the symbols, ``NAME.code.bin.gdb`` (68K) or
            ``NAME.pef.gdb`` (PowerPC).
        build: the compiler's flags for the program; the runtime is always compiled the same.
        flags: further flags for the program.
        debug: whether the ELF file has debugging information.
        mac_sources: the folder with ``compat`` and ``runtime``; the one that comes with macproof
            if not given.
        prefix: the headers that every source begins with.
        headers: the folder of headers in place of macproof's.

    Returns:
        The MacBinary file.

    Raises:
        ToolMissingError: the compiler is not installed.
        CompileError: a source does not compile, or calls a function that does not exist.
        ProgramError: the linked program cannot be converted for a Mac.
        CaseError: the description of resources is wrong.
    """
    description = (
        read_description(resources) if isinstance(resources, Path) else resources or Description()
    )
    builder = ApplicationCompiler(
        cpu, mac_sources or own_sources(), build, tuple(flags), debug, tuple(prefix), headers
    )
    elf = builder.elf(sources)
    image = read_linked_image(elf, sources[0])
    packed = pack_application(image, name, builder.architecture, description)
    symbols = output / f"{name}{SYMBOL_SUFFIXES[builder.architecture]}"
    write_whole(symbols, elf if debug else builder.without_relocations(elf))
    application = output / f"{name}.bin"
    write_whole(application, packed)
    return application


def pack_application(
    image: LinkedImage, name: str, architecture: str, description: Description
) -> bytes:
    """Make a MacBinary file of a linked program.

    Raises:
        ProgramError: the program cannot be converted for a Mac.
        UsageError: the name or a resource does not fit.
    """
    code: list[Resource]
    data = b""
    if architecture == "m68k":
        code = code_resources(image)
    else:
        data = pef_container(image)
        code = [Resource("cfrg", 0, "", 0, code_fragment(name))]
    size = struct.pack(">HII", _SIZE_FLAGS, description.memory, description.memory)
    # The Finder takes a program's icon out of its bundle when it has not seen it before.
    bundled = any(resource.type == "BNDL" for resource in description.resources)
    fork = make_resource_fork(
        [*code, Resource("SIZE", -1, "", 0, size), _version(name), *description.resources]
    )
    return make_macbinary(
        name,
        type="APPL",
        creator=description.creator,
        data=data,
        resource_fork=fork,
        flags=_HAS_BUNDLE if bundled else _HAS_BEEN_INITED,
    )


def application_digest(
    sources: Sequence[Path], resources: Path | None, mac_sources: Path | None = None
) -> str:
    """SHA-256 over every file that goes into an application, without the compiler and flags."""
    staged = {**program_files(sources), **runtime_files(mac_sources or own_sources())}
    if resources is not None:
        staged["resources"] = read_file(resources)
    summary = hashlib.sha256()
    for path, content in sorted(staged.items()):
        summary.update(f"{path}\0{len(content)}\0".encode() + content)
    return summary.hexdigest()


def _version(name: str) -> Resource:
    """The 'vers' 1 resource: version 1.0, final release, no country."""
    text = f"{name} 1.0".encode("mac_roman", "replace")[:255]
    data = bytes([1, 0, 0x80, 0, 0, 0, 3]) + b"1.0" + bytes([len(text)]) + text
    return Resource("vers", 1, "", 0, data)
