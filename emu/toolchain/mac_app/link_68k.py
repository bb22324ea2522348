"""Converts a linked 68K ELF program into the CODE resources of an application.

The layout is that of Retro68, which `emu.program` reads: CODE 1 holds code and constants, 'DATA' 0
the initial values of the globals below A5. 'RELA' 1 and 'RELA' 0 list the longs in them that have
to be relocated; `emu.program.code68k.retro68` describes the lists. The program's own start code,
``start_m68k.s`` in the runtime, fills the globals and relocates the longs.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

from emu.base.errors import ProgramError
from emu.program.code68k.retro68 import CODE, DATA, ZEROED
from emu.program.mac_file.resource_fork import Resource
from emu.toolchain.mac_app.elf_image import LinkedImage

CODE_SECTION = ".code00001"
_GLOBALS = (".data", ".bss")
_KINDS = {CODE_SECTION: CODE, ".data": DATA, ".bss": ZEROED}
_HEADER = bytes.fromhex(
    "0000 0001"
)  # CODE 1's first jump table entry, and the number of its entries: one
_ENTRY = bytes.fromhex("0000 3F3C 0001 A9F0")  # offset 0; push segment 1; _LoadSeg
_PARAMETERS = 32
"""The distance from A5 to the jump table, in bytes."""
_ABSOLUTE = "R_68K_32"
_RELATIVE = ("R_68K_PC32", "R_68K_PC16", "R_68K_PC8", "R_68K_PLT32", "R_68K_PLT16", "R_68K_PLT8")
_LOCKED, _PRELOADED = 0x10, 0x04


def code_resources(image: LinkedImage) -> list[Resource]:
    """Make the resources that hold the program.

    Raises:
        ProgramError: the program refers to addresses in a way that cannot be relocated.
    """
    others = image.sections.keys() - _KINDS.keys()
    if others:
        raise ProgramError(
            image.path,
            f"it has a section {', '.join(sorted(others))}, which has no place on a Mac",
        )
    code = image.sections.get(CODE_SECTION)
    if code is None or image.symbols.get("_start") != (CODE_SECTION, 0):
        raise ProgramError(image.path, "the program does not begin with the start code")
    data, zeroed = (image.sections.get(name) for name in _GLOBALS)
    start = data.address if data else zeroed.address if zeroed else 0
    initialised = data.size if data else 0
    globals_size = zeroed.address + zeroed.size - start if zeroed else initialised
    # The final address of each section: CODE 1 counts from its header, the globals end at A5.
    moved = {
        CODE_SECTION: len(_HEADER) - code.address,
        ".data": -start - globals_size,
        ".bss": -start - globals_size,
    }
    _check(image)
    relocated = {name: _relocated(image, name, moved) for name in (CODE_SECTION, ".data")}
    world = struct.pack(">4L", _PARAMETERS + len(_ENTRY), globals_size, len(_ENTRY), _PARAMETERS)
    return [
        Resource("CODE", 0, "", 0, world + _ENTRY),
        Resource("CODE", 1, "Main", _LOCKED | _PRELOADED, _HEADER + relocated[CODE_SECTION][0]),
        Resource("DATA", 0, "", 0, relocated[".data"][0]),
        Resource("RELA", 0, "", 0, relocated[".data"][1]),
        Resource("RELA", 1, "", 0, relocated[CODE_SECTION][1]),
    ]


def _check(image: LinkedImage) -> None:
    for item in image.references:
        where = f"{item.section}+0x{item.offset:x}"
        if item.kind == _ABSOLUTE:
            if item.target and item.offset % 2:
                raise ProgramError(
                    image.path, f"the address of {item.symbol} is at an odd place", where=where
                )
        elif item.kind in _RELATIVE:
            # The distance between code and globals is known only when the program runs.
            if item.target and (item.target in _GLOBALS) != (item.section in _GLOBALS):
                raise ProgramError(
                    image.path,
                    f"it reaches {item.symbol or item.target} relative to the program counter, "
                    "from code to globals or back",
                    where=where,
                )
        elif item.kind != "R_68K_NONE":
            raise ProgramError(
                image.path,
                f"{item.symbol or item.target} is referred to by {item.kind}, which no Mac "
                "relocates",
                where=where,
                remedy="Code for a Mac is compiled with -fno-pic and without libgcc.",
            )


def _relocated(image: LinkedImage, name: str, moved: dict[str, int]) -> tuple[bytes, bytes]:
    """The contents of a section for its resource, and the list of its longs to relocate."""
    section = image.sections.get(name)
    if section is None:
        return b"", relocation_list(())
    contents = bytearray(section.data)
    places: list[tuple[int, int]] = []
    for item in image.references:
        if item.section != name or item.kind != _ABSOLUTE or not item.target:
            continue
        (value,) = struct.unpack_from(">I", contents, item.offset)
        struct.pack_into(">I", contents, item.offset, (value + moved[item.target]) & 0xFFFFFFFF)
        places.append((item.offset, _KINDS[item.target]))
    return bytes(contents), relocation_list(places)


def relocation_list(places: Iterable[tuple[int, int]]) -> bytes:
    """Make a 'RELA' list of absolute longs, given as offset and kind."""
    packed = bytearray()
    last = -1
    for offset, kind in sorted(places):
        value = (offset - last) << 2 | kind
        last = offset
        while value > 0x7F:
            packed.append(value & 0x7F | 0x80)
            value >>= 7
        packed.append(value)
    return bytes(packed) + b"\0\0"
