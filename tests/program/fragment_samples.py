"""Small PEF containers, XCOFF files and 'cfrg' resources, written here and never by the readers."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

CODE, DATA, PATTERN, CONSTANT, LOADER, DEBUG, EXECUTABLE = range(7)
T_VECTOR = 2
WEAK = 0x80


@dataclass(frozen=True)
class Section:
    """A section's header and contents; ``total`` 0 is the length of the contents."""

    kind: int
    data: bytes
    total: int = 0
    unpacked: int = -1
    default: int = 0
    share: int = 1
    alignment: int = 4


@dataclass(frozen=True)
class Library:
    """A library, its options, and the names and classes of what is imported from it."""

    name: str
    symbols: Sequence[tuple[str, int]]
    options: int = 0


Export = tuple[str, int, int, int]
"""Name, class, section, value."""

SectionOffset = tuple[int, int]
NONE: SectionOffset = (-1, 0)


def hash_word(name: bytes) -> int:
    """The key of an exported name, by Apple's published function."""
    value = 0
    for byte in name:
        signed = value - (1 << 32) if value & 0x80000000 else value
        value = (((signed << 1) - (signed >> 16)) ^ byte) & 0xFFFFFFFF
    signed = value - (1 << 32) if value & 0x80000000 else value
    return len(name) << 16 | (signed ^ (signed >> 16)) & 0xFFFF


def _hashed(exports: Sequence[Export], name: Callable[[str], int], power: int) -> bytes:
    """The tables of exports; ``name`` puts a text among the strings and gives its place."""
    keyed = []
    for text, kind, section, value in exports:
        key = hash_word(text.encode("mac_roman"))
        slot = (key ^ key >> power) & (1 << power) - 1
        keyed.append((slot, key, struct.pack(">IIh", kind << 24 | name(text), value, section)))
    keyed.sort(key=lambda item: item[0])
    slots, first = b"", 0
    for slot in range(1 << power):
        count = sum(item[0] == slot for item in keyed)
        slots += struct.pack(">I", count << 18 | first)
        first += count
    hashed = slots + b"".join(struct.pack(">I", key) for _, key, _ in keyed)
    return hashed + b"".join(entry for _, _, entry in keyed)


def loader_section(
    libraries: Sequence[Library] = (),
    exports: Sequence[Export] = (),
    relocations: Mapping[int, Sequence[int]] | None = None,
    main: SectionOffset = NONE,
    initialise: SectionOffset = NONE,
    terminate: SectionOffset = NONE,
) -> bytes:
    """The loader section of a container."""
    strings = bytearray()

    def name(text: str) -> int:
        place = len(strings)
        strings.extend(text.encode("mac_roman") + b"\0")
        return place

    library_table, symbol_table = b"", b""
    for library in libraries:
        library_table += struct.pack(
            ">5IB3x",
            name(library.name),
            1,
            2,
            len(library.symbols),
            len(symbol_table) // 4,
            library.options,
        )
        for symbol, kind in library.symbols:
            symbol_table += struct.pack(">I", kind << 24 | name(symbol))
    headers, instructions = b"", b""
    for section, blocks in (relocations or {}).items():
        headers += struct.pack(">HHII", section, 0, len(blocks), len(instructions))
        instructions += struct.pack(f">{len(blocks)}H", *blocks)
    power, hashed = 1, _hashed(exports, name, 1)
    start = 56 + len(library_table) + len(symbol_table) + len(headers)
    text_at = start + len(instructions)
    places = (*main, *initialise, *terminate)
    counts = (len(libraries), len(symbol_table) // 4, len(relocations or {}))
    ends = (start, text_at, text_at + len(strings))
    header = struct.pack(">iIiIiI8I", *places, *counts, *ends, power, len(exports))
    return header + library_table + symbol_table + headers + instructions + bytes(strings) + hashed


def pef(
    sections: Sequence[Section],
    loader: bytes | None = None,
    *,
    architecture: bytes = b"pwpc",
    version: int = 1,
    names: Sequence[str] = (),
) -> bytes:
    """A container of these sections and, behind them, a loader section."""
    everything = [*sections, Section(LOADER, loader_section() if loader is None else loader)]
    table = b"".join(name.encode("mac_roman") + b"\0" for name in names)
    at = 40 + 28 * len(everything) + len(table)
    headers, contents, label = b"", b"", 0
    for index, section in enumerate(everything):
        offset = label if index < len(names) else -1
        label += len(names[index]) + 1 if index < len(names) else 0
        is_loader = section.kind == LOADER
        unpacked = len(section.data) if section.unpacked < 0 else section.unpacked
        headers += struct.pack(
            ">iIIIII4B",
            offset,
            section.default,
            0 if is_loader else section.total or unpacked,
            0 if is_loader else unpacked,
            len(section.data),
            at + len(contents),
            section.kind,
            section.share,
            section.alignment,
            0,
        )
        contents += section.data
    placed = sum(s.kind in (CODE, DATA, PATTERN, CONSTANT, EXECUTABLE) for s in everything)
    header = struct.pack(
        ">8s4s5IHHI", b"Joy!peff", architecture, version, 0, 3, 4, 5, len(everything), placed, 0
    )
    return header + headers + table + contents


# -- relocation instructions, by the names of Mac OS Runtime Architectures ---------------------


def by_sect_d_with_skip(skip: int, count: int) -> list[int]:
    return [skip << 6 | count]


def run(subopcode: int, length: int) -> list[int]:
    """BySectC, BySectD, TVector12, TVector8, VTable8, ImportRun, by number."""
    return [0x4000 | subopcode << 9 | length - 1]


def small(subopcode: int, index: int) -> list[int]:
    """SmByImport, SmSetSectC, SmSetSectD, SmBySection, by number."""
    return [0x6000 | subopcode << 9 | index]


def incr_position(offset: int) -> list[int]:
    return [0x8000 | offset - 1]


def sm_repeat(blocks: int, times: int) -> list[int]:
    return [0x9000 | blocks - 1 << 8 | times - 1]


def set_position(offset: int) -> list[int]:
    return [0xA000 | offset >> 16, offset & 0xFFFF]


def lg_by_import(index: int) -> list[int]:
    return [0xA400 | index >> 16, index & 0xFFFF]


def lg_repeat(blocks: int, times: int) -> list[int]:
    return [0xB000 | blocks - 1 << 6 | times >> 16, times & 0xFFFF]


def large(subopcode: int, index: int) -> list[int]:
    """LgBySection, LgSetSectC, LgSetSectD, by number."""
    return [0xB400 | subopcode << 6 | index >> 16, index & 0xFFFF]


# -- 'cfrg' ------------------------------------------------------------------------------------


def cfrg(
    *fragments: tuple[bytes, int, int, int, int, str], version: int = 1, count: int | None = None
) -> bytes:
    """A resource of fragments: architecture, usage, place, offset, length, name."""
    records = b""
    for architecture, usage, place, offset, length, name in fragments:
        text = name.encode("mac_roman")
        size = -(-(43 + len(text)) // 4) * 4
        record = struct.pack(
            ">4s4xIIIhBBII8xH", architecture, 7, 6, 0x4000, 0, usage, place, offset, length, size
        )
        records += (record + bytes([len(text)]) + text).ljust(size, b"\0")
    total = len(fragments) if count is None else count
    return struct.pack(">8I", 0, 0, version, 0, 0, 0, 0, total) + records


# -- XCOFF -------------------------------------------------------------------------------------

TEXT_SECTION, DATA_SECTION, ZEROED_SECTION = 1, 2, 3
PROGRAM_CODE, READ_ONLY, ENTRY, READ_WRITE, GLUE, ZEROED, DESCRIPTOR, ANCHOR = (
    0, 1, 3, 5, 6, 9, 10, 15,
)  # fmt: skip
SECTION_DEFINITION, LABEL, COMMON = 1, 2, 3


@dataclass(frozen=True)
class Symbol:
    """A symbol with the csect entry behind it; for a label, ``length`` is the csect's index."""

    name: str
    value: int
    section: int
    mapping: int
    kind: int = SECTION_DEFINITION
    length: int = 0
    storage: int = 2


def xcoff_loader(
    imports: Sequence[tuple[str, bool]] = (),
    relocations: Sequence[tuple[int, int, int]] = (),
    kind: int = 0x1F00,
) -> bytes:
    """A loader section: imports (name, weak), relocations (address, symbol, section number)."""
    symbols, strings = b"", b""
    for name, weak in imports:
        text = name.encode()
        if len(text) <= 8:
            label = text.ljust(8, b"\0")
        else:
            label = struct.pack(">II", 0, len(strings) + 2)
            strings += struct.pack(">H", len(text) + 1) + text + b"\0"
        flags = 0x40 | (0x08 if weak else 0)
        symbols += struct.pack(">8sIhBBII", label, 0, 0, flags, DESCRIPTOR, int(not weak), 0)
    table = b"".join(struct.pack(">IIHH", at, what, kind, where) for at, what, where in relocations)
    start = 32 + len(symbols) + len(table)
    header = struct.pack(">8I", 1, len(imports), len(relocations), 0, 0, start, len(strings), start)
    return header + symbols + table + strings


def _symbol_table(symbols: Sequence[Symbol], details: int) -> tuple[bytes, bytes]:
    """A symbol table and its strings, with so many more entries for each symbol."""
    table, strings = b"", b""
    for symbol in symbols:
        text = symbol.name.encode()
        if len(text) <= 8:
            label = text.ljust(8, b"\0")
        else:
            label = struct.pack(">II", 0, len(strings) + 4)
            strings += text + b"\0"
        table += label + struct.pack(
            ">IhHBB", symbol.value, symbol.section, 0, symbol.storage, 1 + details
        )
        table += bytes(18 * details)
        table += struct.pack(">I6xBB6x", symbol.length, symbol.kind, symbol.mapping)
    return table, strings


def xcoff(
    code: bytes,
    data: bytes,
    zeroed: int,
    symbols: Sequence[Symbol] = (),
    loader: bytes | None = None,
    *,
    entry: int = 0,
    contents: int = 0,
    linked: bool = True,
    details: int = 0,
    places: tuple[int, int] = (0, 0),
    debug: Mapping[str, bytes] | None = None,
) -> bytes:
    """A file as Retro68's linker makes it: code and data both at address 0.

    ``details`` more entries stand before the csect entry of each symbol. ``places`` are other
    addresses of code and data; ``debug`` has sections of DWARF by their names.
    """
    parts = [
        (b".text", places[0], len(code), code, 0x20),
        (b".data", places[1], len(data), data, 0x40),
    ]
    parts.append((b".bss", places[1] + len(data), zeroed, b"", 0x80))
    for name, content in (debug or {}).items():
        parts.append((name.encode(), 0, len(content), content, 0x10))
    if loader is not None:
        parts.append((b".loader", 0, len(loader), loader, 0x1000))
    at = 20 + 72 + 40 * len(parts)
    headers, body = b"", b""
    for name, address, size, contents_of, flags in parts:
        place = at + len(body) if contents_of else 0
        headers += struct.pack(">8s6IHHI", name, address, address, size, place, 0, 0, 0, 0, flags)
        body += contents_of
    table, strings = _symbol_table(symbols, details)
    counts = (len(parts), 0, at + len(body), len(table) // 18, 72, 0x1002 if linked else 0)
    header = struct.pack(">HHiIiHH", 0x01DF, *counts)
    auxiliary = struct.pack(
        ">HH7I6H",
        0x010B,
        2,
        len(code),
        len(data),
        zeroed,
        entry,
        0,
        0,
        contents,
        DATA_SECTION if linked else 0,
        TEXT_SECTION,
        DATA_SECTION,
        DATA_SECTION,
        len(parts) if loader is not None else 0,
        ZEROED_SECTION,
    ).ljust(72, b"\0")
    return (
        header + auxiliary + headers + body + table + struct.pack(">I", len(strings) + 4) + strings
    )
