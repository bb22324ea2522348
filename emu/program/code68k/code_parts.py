"""Reads the parts of an application's CODE resources, which have no addresses yet."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from emu.base.errors import ProgramError
from emu.program.code68k import retro68
from emu.program.code68k.code_layout import CodeSegment, parse_code_resources
from emu.program.code68k.codewarrior import read_linkage
from emu.program.symbols.code_symbols import (
    LinkedElf,
    exception_tail,
    read_linked_elf,
    require_same,
    symbols_by_section,
)
from emu.program.symbols.macsbug_names import find_procedure_names
from emu.program.symbols.symbol_files import find_symbols

if TYPE_CHECKING:
    from emu.program.mac_file.mac_file import MacFile


@dataclass(frozen=True, slots=True)
class SegmentSymbol:
    """A symbol by its offset from the start of a CODE resource; size 0 is unknown.

    Attributes:
        name: its name.
        offset: where it begins.
        size: its size in bytes.
        is_guess: whether ``offset`` is guessed from the names that MacsBug reads.
        is_alone: whether no other routine can lie between ``offset`` and its end.
    """

    name: str
    offset: int
    size: int
    is_guess: bool = False
    is_alone: bool = True


class CodeParts:
    """The parts of an application: its segments and, if Retro68 made it, data and relocations.

    Args:
        file: the application.
        symbols: its linked ELF file; None takes the one beside the application, if there is one.

    Attributes:
        path: the application's file.
        code: its CODE resources.
        elf: its linked ELF file, or None.
        has_trampoline: whether it begins as Retro68's own toolchain makes it.
        is_split: whether Retro68 made it in several segments.
        is_retro68: whether Retro68's layout is used at all.
        flat: where code and data lie in its one segment, or None.
        relocations: of each CODE resource by its id, and of the data under 0.
        data: the initial values of its globals.
        linkage: what CodeWarrior's start-up code does, or None.
        findings: what is wrong with it, in sentences without a full stop.

    Raises:
        ProgramError: the resources are damaged, or the ELF file belongs to another program.
    """

    def __init__(self, file: MacFile, symbols: Path | None) -> None:
        self._file = file
        self.path = file.path
        self.code = parse_code_resources(file)
        path = symbols or find_symbols(file, "m68k")
        self.elf = read_linked_elf(path) if path is not None else None
        first = self.code.segment(1)
        self.has_trampoline = first is not None and retro68.has_trampoline(
            first.data[first.header_size :]
        )
        self.is_split = file.resources.find("RELA", 1) is not None
        self.is_retro68 = self.is_split or self.has_trampoline
        self.flat: retro68.FlatLayout | None = None
        self.relocations: dict[int, tuple[retro68.Relocation, ...]] = {}
        self.findings = [
            f"{count} jump table {'entry leads' if count == 1 else 'entries lead'} {where}"
            for where, count in Counter(self.code.astray.values()).items()
        ]
        self.data = b""
        self.linkage = None if self.is_retro68 else read_linkage(file)
        if self.linkage is not None:
            self.findings += self.linkage.findings
        if self.is_split:
            self._read_split()
        elif self.is_retro68 and first is not None:
            self.flat = self._read_flat(first)
        if self.elf is not None:
            self._check_elf(self.elf)

    def _rela(self, identifier: int, size: int) -> tuple[retro68.Relocation, ...]:
        resource = self._file.resources.find("RELA", identifier)
        if resource is None:
            raise ProgramError(
                self.path,
                f"it has a RELA 1, but no RELA {identifier} for "
                + (f"CODE {identifier}" if identifier else "DATA 0"),
            )
        where = f"RELA {identifier}"
        items, excess = retro68.parse_relocations(resource.data, size, self.path, where)
        if excess:
            self.findings.append(
                f"{where} ends {excess} bytes too early, by two relocations of one long; the rest "
                "is not relocated" + _misread(items)
            )
        return items

    def _read_split(self) -> None:
        for segment in self.code.segments:
            size = len(segment.data) - segment.header_size
            self.relocations[segment.id] = self._rela(segment.id, size)
        data = self._file.resources.find("DATA", 0)
        if data is None:
            raise ProgramError(self.path, "it has RELA resources, but no DATA 0")
        if len(data.data) > self.code.world.below_a5:
            raise ProgramError(
                self.path,
                f"it has {len(data.data)} bytes; below A5 is room for {self.code.world.below_a5}",
                where="DATA 0",
            )
        self.data = data.data
        self.relocations[0] = self._rela(0, len(data.data))

    def _read_flat(self, first: CodeSegment) -> retro68.FlatLayout:
        block = first.data[first.header_size :]
        if self.elf is None:
            return retro68.find_flat_layout(block, self.path, "CODE 1")
        sizes = (
            sum(s.size for s in self.elf.code),
            self.elf.data.size,
            self.elf.zeroed.size,
        )
        return retro68.given_flat_layout(block, sizes, self.path, "CODE 1")

    def code_end(self, segment: CodeSegment) -> int:
        """Offset in the resource of the first byte after the instructions."""
        if self.flat is not None and segment.id == 1:
            return segment.header_size + self.flat.code_end
        if not self.is_split:
            lists = (segment.a5_relocations, segment.segment_relocations)
            return min((offset for offset in lists if offset), default=len(segment.data))
        if self.elf is not None:
            section = self.elf.code[segment.id - 1]
            return segment.header_size + self.elf.exception_start(section)
        return exception_tail(segment.data) if segment.far else len(segment.data)

    def _check_elf(self, elf: LinkedElf) -> None:
        if not self.is_retro68:
            raise ProgramError(
                elf.path, "it does not belong to the application, which Retro68 did not make"
            )
        if self.flat is not None:
            self._check_flat(elf, self.flat)
            return
        identifiers = [segment.id for segment in self.code.segments]
        if identifiers != list(range(1, len(elf.code) + 1)):
            raise ProgramError(
                elf.path,
                f"it does not belong to the application: it has {len(elf.code)} segments, the "
                f"application CODE {', '.join(map(str, identifiers))}",
            )
        for segment, section in zip(self.code.segments, elf.code, strict=True):
            require_same(
                elf,
                section,
                segment.data[segment.header_size :],
                {r.offset for r in self.relocations[segment.id]},
                elf.exception_start(section),
                f"CODE {segment.id}",
            )
        relocated = {r.offset for r in self.relocations[0]}
        require_same(elf, elf.data, self.data, relocated, len(self.data), "DATA 0")
        if elf.data.size + elf.zeroed.size != self.code.world.below_a5:
            raise ProgramError(
                elf.path,
                "it does not belong to the application: its data takes "
                f"{elf.data.size + elf.zeroed.size} bytes, the application's "
                f"{self.code.world.below_a5}",
            )

    def _check_flat(self, elf: LinkedElf, flat: retro68.FlatLayout) -> None:
        segment = self.code.segments[0]
        block = segment.data[segment.header_size :]
        start = 0
        for section in (*elf.code, elf.data):
            relocated = {r.offset - start for r in flat.relocations if r.offset >= start}
            contents = block[start : start + section.size]
            require_same(elf, section, contents, relocated, section.size, "CODE 1")
            start += section.size

    def segment_symbols(self) -> dict[int, tuple[SegmentSymbol, ...]]:
        """The symbols by segment."""
        if self.elf is None:
            return self._macsbug_symbols()
        by_section = symbols_by_section(self.elf)
        symbols = {}
        for segment, section in zip(self.code.segments, self.elf.code, strict=False):
            names = [
                SegmentSymbol(symbol.name, segment.header_size + symbol.offset, symbol.size)
                for symbol in by_section.get(section.name, [])
            ]
            symbols[segment.id] = tuple(sorted(names, key=lambda name: (name.offset, name.name)))
        return symbols

    def _macsbug_symbols(self) -> dict[int, tuple[SegmentSymbol, ...]]:
        symbols = {}
        for segment in self.code.segments:
            header = segment.header_size
            names = find_procedure_names(segment.data[header : self.code_end(segment)])
            symbols[segment.id] = tuple(
                SegmentSymbol(n.name, header + n.start, n.end - n.start, True, n.is_alone)
                for n in names
            )
        return symbols


def _misread(items: tuple[retro68.Relocation, ...]) -> str:
    """The end of a finding: which code the start code damages when a list ends too early."""
    places = [f"0x{item.offset:x}" for item in items if item.relative]
    return (
        f", and the code at {', '.join(places[:8])} after the header is damaged" if places else ""
    )
