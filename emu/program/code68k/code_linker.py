"""The static link of CODE resources in a 68K application (see `code_resources`)."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from emu.base.errors import ProgramError
from emu.program.code68k import retro68
from emu.program.code68k.code_layout import ENTRY_SIZE, LARGEST_WORLD, CodeResources, CodeSegment
from emu.program.code68k.code_parts import CodeParts
from emu.program.code68k.codewarrior import Linkage, References, add_addresses
from emu.program.code68k.far_model import relocate_segment
from emu.program.elf.dwarf import DebugInformation
from emu.program.model.model import Program, Segment, Symbol
from emu.program.symbols.code_symbols import LinkedElf, placed_debug_information, placed_symbols

FIRST_ADDRESS = 0x10000
PAGE = 0x1000
RETRO68 = "m68k-retro68"
ELF = "m68k-elf"
PASCAL = "m68k-pascal"

_JMP, _ILLEGAL = 0x4EF9, 0x4AFC


@dataclass(frozen=True, slots=True)
class CodeLink:
    """A static link of CODE resources, and what is known about it.

    Attributes:
        program: the result.
        code: the resources it was made from.
        layout: the kind of layout in words ("Retro68, 8 segments").
        a5: the program's A5.
        addresses: the address of every CODE resource, by id; the header comes first.
        code_ends: the address after the last instruction of each, as far as it is known.
        entries: addresses where execution can begin: the program's and the jump table's.
        symbol_source: where the symbols came from, in words.
        initialised: whether the globals have their initial values.
        findings: what is wrong with the program, in sentences without a full stop.
    """

    program: Program
    code: CodeResources
    layout: str
    a5: int
    addresses: Mapping[int, int]
    code_ends: Mapping[int, int]
    entries: tuple[int, ...]
    symbol_source: str
    initialised: bool
    findings: tuple[str, ...]


@dataclass(slots=True)
class _Image:
    """A loaded piece of the program while it is being linked."""

    name: str
    address: int
    data: bytearray
    size: int = 0
    writable: bool = False
    executable: bool = False


class Linker:
    """Links the CODE resources of one application as if all segments were loaded.

    Args:
        parts: the application.

    Raises:
        ProgramError: it takes more memory than macproof allows, or the resources are damaged.
    """

    def __init__(self, parts: CodeParts) -> None:
        self._parts = parts
        self._world = parts.code.world
        self._flat = parts.flat
        self._linkage = parts.linkage or Linkage()
        self._addresses: dict[int, int] = {}
        self._place()

    def _place(self) -> None:
        cursor = FIRST_ADDRESS
        for segment in self._parts.code.segments:
            self._addresses[segment.id] = cursor
            cursor = _ceiling(cursor + len(segment.data), 16)
        cursor = _ceiling(cursor, PAGE) + PAGE
        self._zeroed_address = cursor
        if self._flat is not None and self._flat.zeroed_size:
            cursor = _ceiling(cursor + self._flat.zeroed_size, PAGE) + PAGE
        table = _ceiling(cursor + self._world.below_a5 + self._world.table_offset, PAGE)
        self._a5 = table - self._world.table_offset
        end = self._a5 + self._world.above_a5
        if end - FIRST_ADDRESS > LARGEST_WORLD:
            raise ProgramError(
                self._parts.path,
                f"code and globals take {end - FIRST_ADDRESS:,} bytes; macproof allows "
                f"{LARGEST_WORLD:,}",
            )

    def _section_addresses(self, elf: LinkedElf) -> dict[str, int]:
        if self._flat is not None:
            first = self._addresses[1] + self._parts.code.segments[0].header_size
            places = {section.name: first + section.address for section in (*elf.code, elf.data)}
            return places | {elf.zeroed.name: self._zeroed_address}
        places = {
            section.name: self._addresses[segment.id] + segment.header_size
            for segment, section in zip(self._parts.code.segments, elf.code, strict=True)
        }
        below = self._a5 - elf.zeroed.size
        return places | {elf.zeroed.name: below, elf.data.name: below - elf.data.size}

    def link(self, debug: bool) -> CodeLink:
        """The static link; ``debug`` says whether to read debugging information too."""
        symbols, source = self._symbols()
        program = self._program(symbols, self._information() if debug else DebugInformation())
        code = self._parts.code
        ends = {s.id: self._addresses[s.id] + self._parts.code_end(s) for s in code.segments}
        return CodeLink(
            program=program,
            code=code,
            layout=self._layout(),
            a5=self._a5,
            addresses=self._addresses,
            code_ends=ends,
            entries=self._entries(),
            symbol_source=source,
            initialised=self._parts.is_retro68
            or not self._world.below_a5
            or bool(self._linkage.pieces),
            findings=tuple(self._parts.findings),
        )

    def _information(self) -> DebugInformation:
        """What the ELF file knows of the source, with the addresses of this link."""
        elf = self._parts.elf
        if elf is None:
            return DebugInformation()
        places = self._section_addresses(elf)
        return placed_debug_information(elf, lambda s, offset: places[s] + offset)

    def _program(self, symbols: list[Symbol], information: DebugInformation) -> Program:
        return Program(
            path=self._parts.path,
            architecture="m68k",
            byte_order=">",
            segments=[
                Segment(i.name, i.address, i.size, bytes(i.data), i.writable, i.executable)
                for i in self._images()
                if i.size
            ],
            symbols=symbols,
            variables=information.variables,
            functions=information.functions,
            lines=information.lines,
            signatures=information.signatures,
            types=information.types,
            has_debug_information=information.present,
            dropped=information.dropped,
            registers={"a5": self._a5},
            convention=self._convention(),
        )

    def _convention(self) -> str:
        if not self._parts.is_retro68:
            return PASCAL
        # macproof's own toolchain writes the same layout, but uses the compiler of ELF systems.
        return RETRO68 if self._parts.has_trampoline else ELF

    def _layout(self) -> str:
        count = len(self._parts.code.segments)
        segments = f"{count} segment{'s' if count != 1 else ''}"
        if self._parts.is_retro68:
            return f"Retro68, {segments if self._parts.is_split else 'one segment with its data'}"
        far = any(segment.far for segment in self._parts.code.segments)
        return f"{'far' if far else 'near'} model, {segments}"

    def _entries(self) -> tuple[int, ...]:
        entries = [self._addresses[entry.segment] + entry.offset for entry in self._world.entries]
        first = self._parts.code.segment(1)
        if first is not None and retro68.has_trampoline(first.data[first.header_size :]):
            start = retro68.entry_offset(first.data[first.header_size :])
            if 0 <= start < len(first.data) - first.header_size:
                entries.append(self._addresses[1] + first.header_size + start)
        return tuple(dict.fromkeys(entries))

    def _images(self) -> list[_Image]:
        images = []
        for segment in self._parts.code.segments:
            images += self._segment_images(segment)
        if self._flat is not None:
            images.append(
                _Image(
                    "zeroed data",
                    self._zeroed_address,
                    bytearray(),
                    self._flat.zeroed_size,
                    writable=True,
                )
            )
        globals_size = self._world.below_a5 + self._world.table_offset
        start = self._a5 - self._world.below_a5
        data = bytearray(self._parts.data)
        if self._parts.data:
            shifts = (0, self._a5, self._a5, self._a5)
            retro68.relocate(data, 0, self._parts.relocations[0], start, shifts)
        table = self._table()
        room = self._world.above_a5 - self._world.table_offset
        address = self._a5 + self._world.table_offset
        if self._parts.linkage is not None:
            data = self._started_globals(globals_size)
            table = table.ljust(room, b"\0")
            self._add_entries(table)
        images.append(_Image("A5 globals", start, data, globals_size, writable=True))
        images.append(_Image("jump table", address, table, room, executable=True))
        return images

    def _segment_images(self, segment: CodeSegment) -> list[_Image]:
        base = self._addresses[segment.id]
        header = segment.header_size
        image = bytearray(segment.data)
        name = f"CODE {segment.id}" + (f" {segment.name}" if segment.name else "")
        if self._flat is not None and segment.id == 1:
            shift = self._zeroed_address - self._flat.zeroed_start
            shifts = (base + header, base + header, shift, 0)
            retro68.relocate(image, header, self._flat.relocations, base + header, shifts)
            cut, end = header + self._flat.code_end, header + self._flat.data_end
            return [
                _Image(name, base, image[:cut], cut, executable=True),
                _Image(f"data of {name}", base + cut, image[cut:end], end - cut, writable=True),
            ]
        if self._parts.is_split:
            shifts = (base, self._a5, self._a5, self._a5)
            items = self._parts.relocations[segment.id]
            retro68.relocate(image, header, items, base + header, shifts)
            if segment.far:  # Retro68's own loader reads here: is it relocated already?
                struct.pack_into(">I", image, 24, self._a5)
                struct.pack_into(">I", image, 32, base)
        elif self._parts.linkage is not None:
            self._add_addresses(image, segment.id, base)
        elif segment.far:
            relocate_segment(image, segment, base, self._a5, self._parts.path)
        return [_Image(name, base, image, len(image), executable=True)]

    def _add_addresses(self, image: bytearray, identifier: int, base: int, zero: int = 0) -> None:
        """What CodeWarrior's start-up code does to a segment, or to the globals."""
        references = self._linkage.references.get(identifier, References())
        first = self._addresses.get(1, 0)
        outside = add_addresses(image, references, base, first, self._a5, zero)
        if outside:
            what = f"CODE {identifier}" if identifier else "the globals"
            self._parts.findings.append(
                f"XREF {identifier} names {outside} longs outside of {what}"
            )

    def _started_globals(self, size: int) -> bytearray:
        """The globals as CodeWarrior's start-up code leaves them."""
        below = self._world.below_a5
        data = bytearray(size)
        for start, piece in self._linkage.pieces:
            at = below + start
            if 0 <= at <= size - len(piece):
                data[at : at + len(piece)] = piece
        self._add_addresses(data, 0, self._a5, below)
        return data

    def _add_entries(self, table: bytearray) -> None:
        """The jump table as it is when CodeWarrior's loader has loaded all segments."""
        for distance, identifier, offset in self._linkage.entries:
            at = distance - self._world.table_offset
            segment = self._parts.code.segment(identifier)
            if segment is not None and offset < len(segment.data) and at + ENTRY_SIZE <= len(table):
                address = self._addresses[identifier] + offset
                struct.pack_into(">HIH", table, at, _JMP, address, identifier)

    def _table(self) -> bytearray:
        table = bytearray(self._world.table_size)
        for index in self._parts.code.astray:
            struct.pack_into(">4H", table, ENTRY_SIZE * index, *[_ILLEGAL] * 4)
        for entry in self._world.entries:
            address = self._addresses[entry.segment] + entry.offset
            identifier = entry.segment & 0xFFFF
            struct.pack_into(">HHI", table, ENTRY_SIZE * entry.index, identifier, _JMP, address)
        return table

    def _symbols(self) -> tuple[list[Symbol], str]:
        elf = self._parts.elf
        if elf is not None:
            places = self._section_addresses(elf)
            symbols = placed_symbols(elf, lambda section, offset: places[section] + offset)
            return symbols, elf.path.name
        symbols = [
            Symbol(name.name, self._addresses[identifier] + name.offset, name.size, "function")
            for identifier, names in self._parts.segment_symbols().items()
            for name in names
        ]
        return symbols, "MacsBug names" if symbols else "none"


def _ceiling(value: int, step: int) -> int:
    return -(-value // step) * step
