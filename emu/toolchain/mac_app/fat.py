"""Makes a fat application: one file with a program for the 68K and one for the PowerPC.

A 68K Macintosh starts the CODE resources and ignores the rest; a Power Macintosh looks for a code
fragment resource first. So the fat file has the resources of both programs, and the data fork of
the PowerPC program.

Source: Inside Macintosh: PowerPC System Software, chapter 1, "Fat Applications".
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

from emu.base.errors import ProgramError
from emu.program.fragments.cfrg import CODE_FRAGMENTS
from emu.program.mac_file.mac_file import MacFile
from emu.program.mac_file.macbinary import make_macbinary
from emu.program.mac_file.resource_fork import Resource, make_resource_fork
from emu.program.mac_program import read_executable

_SIZE = struct.Struct(">HII")
_ARCHITECTURE_NAMES = {"m68k": "68K", "powerpc": "PowerPC"}


def make_fat_application(m68k: Path, powerpc: Path) -> bytes:
    """Merge a 68K and a PowerPC build of the same application.

    A resource that both files have must be identical in both. 'SIZE' resources are the exception:
    they may ask for different amounts of memory, and the fat application asks for the larger.

    Args:
        m68k: the application for the 68K, in any container.
        powerpc: the application for the PowerPC.

    Returns:
        A MacBinary file.

    Raises:
        ProgramError: a file is damaged, is no application for its processor, or is fat already; or
            the two are not builds of the same program.
    """
    first = _program(m68k, "m68k")
    second = _program(powerpc, "powerpc")
    for what, m68k_value, other in (
        ("name", first.name, second.name),
        ("type", first.type, second.type),
        ("creator", first.creator, second.creator),
    ):
        if m68k_value != other:
            raise ProgramError(
                powerpc,
                f"its {what} is {other!r}, that of {m68k} {m68k_value!r}",
                remedy="A fat application is one program: build both of the same sources.",
            )
    return make_macbinary(
        first.name,
        type=first.type,
        creator=first.creator,
        data=second.data,
        resource_fork=make_resource_fork(_merged(first, second)),
        flags=first.flags | second.flags,
    )


def _program(path: Path, architecture: str) -> MacFile:
    """Read an application that must be for this one architecture."""
    executable = read_executable(path)
    if len(executable.architectures) > 1:
        raise ProgramError(path, "it is a fat application already")
    if executable.architectures != (architecture,):
        wanted = _ARCHITECTURE_NAMES[architecture]
        held = "".join(
            f", but for the {_ARCHITECTURE_NAMES[name]}" for name in executable.architectures
        )
        raise ProgramError(path, f"it has no program for the {wanted}{held}")
    if architecture == "powerpc" and executable.file.resources.find(CODE_FRAGMENTS, 0) is None:
        raise ProgramError(
            path, "it has no code fragment resource, without which no Power Macintosh starts it"
        )
    return executable.file


def _merged(first: MacFile, second: MacFile) -> Sequence[Resource]:
    merged = list(first.resources.resources)
    for resource in second.resources.resources:
        other = first.resources.find(resource.type, resource.id)
        if other is None:
            merged.append(resource)
        elif (other.name, other.data) != (resource.name, resource.data):
            if resource.type != "SIZE":
                raise ProgramError(
                    second.path,
                    f"its resource {resource.type!r} {resource.id} is not the one of {first.path}",
                    remedy="A fat application can hold one of them: give the other another ID.",
                )
            merged[merged.index(other)] = _larger_size(other, resource, second.path)
    return merged


def _larger_size(first: Resource, second: Resource, path: Path) -> Resource:
    """One 'SIZE' resource that gives either program at least the memory it asks for."""
    where = f"'SIZE' {second.id}"
    if len(first.data) != _SIZE.size or len(second.data) != _SIZE.size:
        raise ProgramError(path, f"one of the two has not {_SIZE.size} bytes", where=where)
    flags, *memory = _SIZE.unpack(first.data)
    other_flags, *other_memory = _SIZE.unpack(second.data)
    if flags != other_flags:
        raise ProgramError(
            path,
            f"its flags are 0x{other_flags:04x}, those of the 68K program 0x{flags:04x}",
            where=where,
        )
    larger = [max(pair) for pair in zip(memory, other_memory, strict=True)]
    data = _SIZE.pack(flags, *larger)
    return Resource(first.type, first.id, first.name, first.attributes, data)
