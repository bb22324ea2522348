"""The static link of a 68K application's CODE resources (see `emu.program.code_resources`)."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from emu.base.errors import ProgramError
from emu.program import retro68
from emu.program.code_layout import (
    ENTRY_SIZE,
    LARGEST_WORLD,
    CodeResources,
    CodeSegment,
    parse_code_resources,
)
from emu.program.code_symbols import (
    LinkedElf,
    exception_tail,
    placed_debug_information,
    placed_symbols,
    read_linked_elf,
    require_same,
    symbols_by_section,
)
from emu.program.dwarf import DebugInformation
from emu.program.far_model import relocate_segment
from emu.program.macsbug_names import find_procedure_names
from emu.program.model import Program, Segment, Symbol
from emu.program.symbol_files import find_symbols

if TYPE_CHECKING:
    from emu.program.mac_file import MacFile

FIRST_ADDRESS = 0x10000
PAGE = 0x1000
RETRO68 = "m68k-retro68"
ELF = "m68k-elf"
PASCAL = "m68k-pascal"

_JMP = 0x4EF9


@dataclass(frozen=True, slots=True)
class SegmentSymbol:
    """A symbol by its offset from the start of a CODE resource; size 0 is unknown."""

    name: str
    offset: int
    size: int


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
    """Links the CODE resources of one application.

    Args:
        file: the application.
        symbols: its linked ELF file; None takes the one beside the application, if there is one.

    Raises:
        ProgramError: the resources are damaged, or the ELF file belongs to another program.
    """

    def __init__(self, file: MacFile, symbols: Path | None) -> None:
        self._file = file
        self._path = file.path
        self._code = parse_code_resources(file)
        self._world = self._code.world
        path = symbols or find_symbols(file, "m68k")
        self._elf = read_linked_elf(path) if path is not None else None
        first = self._code.segment(1)
        self._has_trampoline = first is not None and retro68.has_trampoline(
            first.data[first.header_size :]
        )
        self._is_split = file.resources.find("RELA", 1) is not None
        self._is_retro68 = self._is_split or self._has_trampoline
        self._flat: retro68.FlatLayout | None = None
        self._relocations: dict[int, tuple[retro68.Relocation, ...]] = {}
        self._findings: list[str] = []
        self._data = b""
        if self._is_split:
            self._read_split()
        elif self._is_retro68 and first is not None:
            self._flat = self._read_flat(first)
        self._place()
        if self._elf is not None:
            self._check_elf(self._elf)

    # -- what Retro68 writes -----------------------------------------------------------------

    def _rela(self, identifier: int, size: int) -> tuple[retro68.Relocation, ...]:
        resource = self._file.resources.find("RELA", identifier)
        if resource is None:
            raise ProgramError(
                self._path,
                f"it has a RELA 1, but no RELA {identifier} for "
                + (f"CODE {identifier}" if identifier else "DATA 0"),
            )
        where = f"RELA {identifier}"
        items, left = retro68.parse_relocations(resource.data, size, self._path, where)
        if left:
            self._findings.append(
                f"{where} ends {left} bytes too early, by two relocations of one long; the rest "
                "is not relocated" + _misread(items)
            )
        return items

    def _read_split(self) -> None:
        for segment in self._code.segments:
            size = len(segment.data) - segment.header_size
            self._relocations[segment.id] = self._rela(segment.id, size)
        data = self._file.resources.find("DATA", 0)
        if data is None:
            raise ProgramError(self._path, "it has RELA resources, but no DATA 0")
        if len(data.data) > self._world.below_a5:
            raise ProgramError(
                self._path,
                f"it has {len(data.data)} bytes; below A5 is room for {self._world.below_a5}",
                where="DATA 0",
            )
        self._data = data.data
        self._relocations[0] = self._rela(0, len(data.data))

    def _read_flat(self, first: CodeSegment) -> retro68.FlatLayout:
        block = first.data[first.header_size :]
        if self._elf is None:
            return retro68.find_flat_layout(block, self._path, "CODE 1")
        sizes = (
            sum(s.size for s in self._elf.code),
            self._elf.data.size,
            self._elf.zeroed.size,
        )
        return retro68.given_flat_layout(block, sizes, self._path, "CODE 1")

    # -- addresses ---------------------------------------------------------------------------

    def _place(self) -> None:
        self._addresses: dict[int, int] = {}
        cursor = FIRST_ADDRESS
        for segment in self._code.segments:
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
                self._path,
                f"code and globals take {end - FIRST_ADDRESS:,} bytes; macproof allows "
                f"{LARGEST_WORLD:,}",
            )

    def _code_end(self, segment: CodeSegment) -> int:
        """Offset in the resource of the first byte after the instructions."""
        if self._flat is not None and segment.id == 1:
            return segment.header_size + self._flat.code_end
        if not self._is_split:
            lists = (segment.a5_relocations, segment.segment_relocations)
            return min((offset for offset in lists if offset), default=len(segment.data))
        if self._elf is not None:
            section = self._elf.code[segment.id - 1]
            return segment.header_size + self._elf.exception_start(section)
        return exception_tail(segment.data) if segment.far else len(segment.data)

    # -- the ELF file ------------------------------------------------------------------------

    def _check_elf(self, elf: LinkedElf) -> None:
        if not self._is_retro68:
            raise ProgramError(
                elf.path, "it does not belong to the application, which Retro68 did not make"
            )
        if self._flat is not None:
            self._check_flat(elf, self._flat)
            return
        identifiers = [segment.id for segment in self._code.segments]
        if identifiers != list(range(1, len(elf.code) + 1)):
            raise ProgramError(
                elf.path,
                f"it does not belong to the application: it has {len(elf.code)} segments, the "
                f"application CODE {', '.join(map(str, identifiers))}",
            )
        for segment, section in zip(self._code.segments, elf.code, strict=True):
            require_same(
                elf,
                section,
                segment.data[segment.header_size :],
                {r.offset for r in self._relocations[segment.id]},
                elf.exception_start(section),
                f"CODE {segment.id}",
            )
        relocated = {r.offset for r in self._relocations[0]}
        require_same(elf, elf.data, self._data, relocated, len(self._data), "DATA 0")
        if elf.data.size + elf.zeroed.size != self._world.below_a5:
            raise ProgramError(
                elf.path,
                "it does not belong to the application: its data takes "
                f"{elf.data.size + elf.zeroed.size} bytes, the application's "
                f"{self._world.below_a5}",
            )

    def _check_flat(self, elf: LinkedElf, flat: retro68.FlatLayout) -> None:
        segment = self._code.segments[0]
        block = segment.data[segment.header_size :]
        start = 0
        for section in (*elf.code, elf.data):
            relocated = {r.offset - start for r in flat.relocations if r.offset >= start}
            contents = block[start : start + section.size]
            require_same(elf, section, contents, relocated, section.size, "CODE 1")
            start += section.size

    def _section_addresses(self, elf: LinkedElf) -> dict[str, int]:
        if self._flat is not None:
            first = self._addresses[1] + self._code.segments[0].header_size
            places = {section.name: first + section.address for section in (*elf.code, elf.data)}
            return places | {elf.zeroed.name: self._zeroed_address}
        places = {
            section.name: self._addresses[segment.id] + segment.header_size
            for segment, section in zip(self._code.segments, elf.code, strict=True)
        }
        below = self._a5 - elf.zeroed.size
        return places | {elf.zeroed.name: below, elf.data.name: below - elf.data.size}

    # -- results -----------------------------------------------------------------------------

    def link(self, debug: bool) -> CodeLink:
        """The static link; ``debug`` says whether to read debugging information too."""
        symbols, source = self._symbols()
        information = DebugInformation()
        if debug and self._elf is not None:
            places = self._section_addresses(self._elf)
            information = placed_debug_information(self._elf, lambda s, offset: places[s] + offset)
        program = Program(
            path=self._path,
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
        ends = {s.id: self._addresses[s.id] + self._code_end(s) for s in self._code.segments}
        return CodeLink(
            program=program,
            code=self._code,
            layout=self._layout(),
            a5=self._a5,
            addresses=self._addresses,
            code_ends=ends,
            entries=self._entries(),
            symbol_source=source,
            initialised=self._is_retro68 or not self._world.below_a5,
            findings=tuple(self._findings),
        )

    def _convention(self) -> str:
        if not self._is_retro68:
            return PASCAL
        # macproof's own toolchain writes the same layout, but uses the compiler of ELF systems.
        return RETRO68 if self._has_trampoline else ELF

    def _layout(self) -> str:
        count = len(self._code.segments)
        segments = f"{count} segment{'s' if count != 1 else ''}"
        if self._is_retro68:
            return f"Retro68, {segments if self._is_split else 'one segment with its data'}"
        far = any(segment.far for segment in self._code.segments)
        return f"{'far' if far else 'near'} model, {segments}"

    def _entries(self) -> tuple[int, ...]:
        entries = [self._addresses[entry.segment] + entry.offset for entry in self._world.entries]
        first = self._code.segment(1)
        if first is not None and retro68.has_trampoline(first.data[first.header_size :]):
            start = retro68.entry_offset(first.data[first.header_size :])
            if 0 <= start < len(first.data) - first.header_size:
                entries.append(self._addresses[1] + first.header_size + start)
        return tuple(dict.fromkeys(entries))

    def _images(self) -> list[_Image]:
        images = []
        for segment in self._code.segments:
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
        data = bytearray(self._data)
        if self._data:
            shifts = (0, self._a5, self._a5, self._a5)
            retro68.relocate(data, 0, self._relocations[0], start, shifts)
        images.append(_Image("A5 globals", start, data, globals_size, writable=True))
        table = self._table()
        room = self._world.above_a5 - self._world.table_offset
        address = self._a5 + self._world.table_offset
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
        if self._is_split:
            shifts = (base, self._a5, self._a5, self._a5)
            items = self._relocations[segment.id]
            retro68.relocate(image, header, items, base + header, shifts)
            if segment.far:  # Retro68's own loader reads here: is it relocated already?
                struct.pack_into(">I", image, 24, self._a5)
                struct.pack_into(">I", image, 32, base)
        elif segment.far:
            relocate_segment(image, segment, base, self._a5, self._path)
        return [_Image(name, base, image, len(image), executable=True)]

    def _table(self) -> bytearray:
        table = bytearray(self._world.table_size)
        for entry in self._world.entries:
            address = self._addresses[entry.segment] + entry.offset
            identifier = entry.segment & 0xFFFF
            struct.pack_into(">HHI", table, ENTRY_SIZE * entry.index, identifier, _JMP, address)
        return table

    def _symbols(self) -> tuple[list[Symbol], str]:
        if self._elf is not None:
            places = self._section_addresses(self._elf)
            symbols = placed_symbols(self._elf, lambda section, offset: places[section] + offset)
            return symbols, self._elf.path.name
        symbols = [
            Symbol(found.name, self._addresses[identifier] + found.offset, found.size, "function")
            for identifier, names in self._macsbug_symbols().items()
            for found in names
        ]
        return symbols, "MacsBug names" if symbols else "none"

    def segment_symbols(self) -> dict[int, tuple[SegmentSymbol, ...]]:
        """The symbols by segment."""
        if self._elf is None:
            return self._macsbug_symbols()
        by_section = symbols_by_section(self._elf)
        found = {}
        for segment, section in zip(self._code.segments, self._elf.code, strict=False):
            names = [
                SegmentSymbol(symbol.name, segment.header_size + symbol.offset, symbol.size)
                for symbol in by_section.get(section.name, [])
            ]
            found[segment.id] = tuple(sorted(names, key=lambda name: (name.offset, name.name)))
        return found

    def _macsbug_symbols(self) -> dict[int, tuple[SegmentSymbol, ...]]:
        found = {}
        for segment in self._code.segments:
            header = segment.header_size
            names = find_procedure_names(segment.data[header : self._code_end(segment)])
            found[segment.id] = tuple(
                SegmentSymbol(n.name, header + n.start, n.end - n.start) for n in names
            )
        return found


def _misread(items: tuple[retro68.Relocation, ...]) -> str:
    """The end of a finding: which code the start code damages when a list ends too early."""
    places = [f"0x{item.offset:x}" for item in items if item.relative]
    return (
        f", and the code at {', '.join(places[:8])} after the header is damaged" if places else ""
    )


def _ceiling(value: int, step: int) -> int:
    return -(-value // step) * step
