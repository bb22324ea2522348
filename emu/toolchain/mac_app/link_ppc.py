"""Converts a linked PowerPC ELF program into a PEF container.

Code of Linux's compiler addresses its data relative to itself. So both stay in one section, of the
kind that can be executed and written. Only words that hold addresses have to be relocated (-fPIC
leaves no other references), and the words for imported routines.
Source: Mac OS Runtime Architectures, chapter 8.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from emu.base.errors import ProgramError
from emu.toolchain.mac_app.elf_image import LinkedImage
from emu.toolchain.mac_app.glue import IMPORT_PREFIX

MAIN_VECTOR = "__main_vector"
LIBRARY = "InterfaceLib"

_HEADER = struct.Struct(">8s4sIIIIIHHI")
_SECTION = struct.Struct(">iIIIIIBBBB")
_LOADER = struct.Struct(">iIiIiI8I")
_LIBRARY = struct.Struct(">IIIIIBBH")
_RELOCATION_HEADER = struct.Struct(">HHII")
_EXECUTABLE_DATA, _LOADER_KIND = 6, 4
_PER_PROCESS, _GLOBALLY = 1, 4
_ALIGNMENT = 4  # an exponent of 2
_VECTOR_SYMBOL = 2
_NO_NAME = -1

_SET_POSITION, _BY_SECTION_C, _LARGE_BY_IMPORT = 0xA000, 0x4000, 0xA400
_LONGEST_RUN = 512

_ABSOLUTE = ("R_PPC_ADDR32", "R_PPC_UADDR32")
_RELATIVE = (
    "R_PPC_NONE",
    "R_PPC_REL24",
    "R_PPC_REL14",
    "R_PPC_REL32",
    "R_PPC_PLTREL24",
    "R_PPC_LOCAL24PC",
    "R_PPC_REL16",
    "R_PPC_REL16_LO",
    "R_PPC_REL16_HI",
    "R_PPC_REL16_HA",
)


def pef_container(image: LinkedImage) -> bytes:
    """Make the container: the contents of an application's data fork.

    Raises:
        ProgramError: the program refers to addresses in a way that cannot be relocated.
    """
    base, contents, size = _flatten(image)
    slots = _import_slots(image)
    imports = sorted(slots)
    steps = {slots[name]: index for index, name in enumerate(imports)}
    fixed = []
    for item in image.references:
        offset = image.sections[item.section].address - base + item.offset
        if item.kind in _ABSOLUTE:
            if item.target:
                fixed.append(offset)
        elif item.kind not in _RELATIVE:
            raise ProgramError(
                image.path,
                f"{item.symbol or item.target} is referred to by {item.kind}, which no Mac "
                "relocates",
                where=f"{item.section}+0x{item.offset:x}",
                remedy="Code for a Power Macintosh is compiled with -fPIC -msdata=none.",
            )
    for offset in fixed:
        (value,) = struct.unpack_from(">I", contents, offset)
        struct.pack_into(">I", contents, offset, (value - base) & 0xFFFFFFFF)
    section, offset = image.symbols.get(MAIN_VECTOR, ("", 0))
    if not section:
        raise ProgramError(image.path, f"the program has no {MAIN_VECTOR}")
    main = image.sections[section].address - base + offset
    loader = _loader_section(main, imports, tuple(_instructions(sorted(fixed), steps)))
    return _container(bytes(contents), size, loader)


def _flatten(image: LinkedImage) -> tuple[int, bytearray, int]:
    """The program's first address, its contents, and its size with the zeroed data behind them."""
    base = min(section.address for section in image.sections.values())
    end = max(section.address + section.size for section in image.sections.values())
    contents = bytearray()
    for section in image.sections.values():
        if section.data:
            contents = contents.ljust(section.address - base, b"\0")
            contents += section.data
    return base, contents, end - base


def _import_slots(image: LinkedImage) -> dict[str, int]:
    base = min(section.address for section in image.sections.values())
    return {
        name.removeprefix(IMPORT_PREFIX): image.sections[section].address - base + offset
        for name, (section, offset) in image.symbols.items()
        if name.startswith(IMPORT_PREFIX)
    }


def _instructions(fixed: list[int], imports: dict[int, int]) -> Iterator[int]:
    """PEF relocations as 16-bit words: first addresses in the section, then imports."""
    position = 0
    index = 0
    while index < len(fixed):
        if fixed[index] != position:
            yield from _set_position(fixed[index])
        run = 1
        while (
            index + run < len(fixed)
            and fixed[index + run] == fixed[index] + 4 * run
            and run < _LONGEST_RUN
        ):
            run += 1
        yield _BY_SECTION_C | run - 1
        position = fixed[index] + 4 * run
        index += run
    for place, number in sorted(imports.items()):
        if place != position:
            yield from _set_position(place)
        yield _LARGE_BY_IMPORT | number >> 16
        yield number & 0xFFFF
        position = place + 4


def _set_position(offset: int) -> Iterator[int]:
    yield _SET_POSITION | offset >> 16
    yield offset & 0xFFFF


def _loader_section(main: int, imports: list[str], instructions: tuple[int, ...]) -> bytes:
    strings = bytearray()

    def name(text: str) -> int:
        start = len(strings)
        strings.extend(text.encode("mac_roman") + b"\0")
        return start

    libraries = _LIBRARY.pack(name(LIBRARY), 0, 0, len(imports), 0, 0, 0, 0) if imports else b""
    symbols = b"".join(
        (_VECTOR_SYMBOL << 24 | name(symbol)).to_bytes(4, "big") for symbol in imports
    )
    headers = _RELOCATION_HEADER.pack(0, 0, len(instructions), 0) if instructions else b""
    code = b"".join(word.to_bytes(2, "big") for word in instructions)
    code_start = _LOADER.size + len(libraries) + len(symbols) + len(headers)
    strings_start = code_start + len(code)
    strings.extend(bytes(-(strings_start + len(strings)) % 4))
    header = _LOADER.pack(
        0,  # the section and the offset of the main symbol
        main,
        -1,
        0,
        -1,
        0,
        1 if imports else 0,
        len(imports),
        1 if instructions else 0,
        code_start,
        strings_start,
        strings_start + len(strings),  # the hash table of exports: one empty slot
        0,
        0,
    )
    return header + libraries + symbols + headers + code + bytes(strings) + bytes(4)


def _container(contents: bytes, size: int, loader: bytes) -> bytes:
    headers = _HEADER.size + 2 * _SECTION.size
    start = -(-headers // 16) * 16
    loader_start = -(-(start + len(contents)) // 16) * 16
    head = _HEADER.pack(b"Joy!peff", b"pwpc", 1, 0, 0, 0, 0, 2, 1, 0)
    head += _SECTION.pack(
        _NO_NAME,
        0,
        size,
        len(contents),
        len(contents),
        start,
        _EXECUTABLE_DATA,
        _PER_PROCESS,
        _ALIGNMENT,
        0,
    )
    head += _SECTION.pack(
        _NO_NAME, 0, 0, 0, len(loader), loader_start, _LOADER_KIND, _GLOBALLY, _ALIGNMENT, 0
    )
    return head.ljust(start, b"\0") + contents.ljust(loader_start - start, b"\0") + loader


def code_fragment(name: str) -> bytes:
    """Make the code fragment resource of an application whose data fork is the container.

    Source: Inside Macintosh: PowerPC System Software, chapter 3, "The Code Fragment Resource".
    """
    raw = name.encode("mac_roman")
    record = struct.pack(">4s4xIIIhBBII8x", b"pwpc", 0, 0, 0, 0, 1, 1, 0, 0)
    size = len(record) + 2 + 1 + len(raw)
    padded = -(-size // 4) * 4
    record += padded.to_bytes(2, "big") + bytes([len(raw)]) + raw
    return struct.pack(">8I", 0, 0, 1, 0, 0, 0, 0, 1) + record.ljust(padded, b"\0")
