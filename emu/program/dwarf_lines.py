"""Reads the line programs of debugging information, which say where the code of each line is.

A line program is a row of operations on a few registers; see chapter 6.2 of the DWARF 5 standard,
whose numbers are used here.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from emu.program.dwarf_forms import Forms, Read, sleb, text, uleb
from emu.program.dwarf_unit import Unit
from emu.program.lines import LineRow

_LONG = 0xFFFFFFFF
_VERSIONS = range(2, 6)
_PATH = 1  # DW_LNCT_path
_END, _SET_ADDRESS, _DEFINE_FILE = 1, 2, 3
_COPY, _ADVANCE, _ADVANCE_LINE, _SET_FILE = 1, 2, 3, 4
_ADD_CONSTANT, _ADVANCE_FIXED = 8, 9


def line_rows(unit: Unit, offset: int) -> list[LineRow]:
    """The rows of the line program at an offset, in its order.

    Args:
        unit: the unit that it is of.
        offset: where it begins in its section.

    Raises:
        ValueError, IndexError, ZeroDivisionError, struct.error: it is damaged.
    """
    return _LineProgram.read(unit, offset).rows()


@dataclass(slots=True)
class _LineProgram:
    """A line program and what its header says.

    Attributes:
        data: the section.
        start, end: where its operations are.
        order: "big" or "little".
        address_size: the bytes of an address.
        version: its version of DWARF.
        step: the bytes of the shortest instruction.
        line_base, line_range, opcode_base: how special operations are made up.
        operands: how many operands standard operations have, by their number.
        files: the paths of source files.
    """

    data: bytes
    start: int
    end: int
    order: Literal["big", "little"]
    address_size: int
    version: int
    step: int
    line_base: int
    line_range: int
    opcode_base: int
    operands: bytes
    files: list[bytes]

    @classmethod
    def read(cls, unit: Unit, offset: int) -> _LineProgram:
        sections = unit.entries.sections
        data, order = sections.lines, sections.order
        number = Forms(data, order, 0, 0, 4, 4, {}, {}).number
        length, at = number(4)(offset)
        offset_size = 8 if length == _LONG else 4
        if length == _LONG:
            length, at = number(8)(at)
        end = at + length
        if end > len(data):
            raise ValueError(f"the line program at 0x{offset:x} leads out of its section")
        version, at = number(2)(at)
        if version not in _VERSIONS:
            raise ValueError(f"the line program at 0x{offset:x} is of DWARF {version}")
        at += 2 * (version >= 5)  # the sizes of an address and of a segment's number
        header_length, at = number(offset_size)(at)
        start = at + header_length
        step = data[at]
        at += 2 + (version >= 4)  # operations in an instruction; whether rows are statements
        line_base, line_range, opcode_base = data[at : at + 3]
        operands = data[at + 2 : at + 2 + opcode_base]
        at += 2 + opcode_base
        strings = {0x0E: sections.strings, 0x1F: sections.line_strings}
        forms = Forms(data, order, 0, version, offset_size, unit.address_size, strings, {})
        files = _formatted_files(data, at, forms) if version >= 5 else _plain_files(data, at)
        return cls(
            data,
            start,
            end,
            unit.entries.byte_order,
            unit.address_size,
            version,
            step,
            line_base - 256 if line_base > 127 else line_base,
            line_range,
            opcode_base,
            operands,
            files,
        )

    def rows(self) -> list[LineRow]:
        """Carry out its operations."""
        data, at, end = self.data, self.start, self.end
        step, base, line_range, opcode_base = (
            self.step,
            self.line_base,
            self.line_range,
            self.opcode_base,
        )
        rows: list[LineRow] = []
        address, line, name = 0, 1, self._file(1)
        while at < end:
            operation = data[at]
            at += 1
            if operation >= opcode_base:
                advance, more = divmod(operation - opcode_base, line_range)
                address += step * advance
                line += base + more
                rows.append(LineRow(address, name, line))
            elif operation == _COPY:
                rows.append(LineRow(address, name, line))
            elif operation == _ADVANCE_LINE:
                more, at = sleb(data, at)
                line += more
            elif operation == _ADVANCE:
                advance, at = uleb(data, at)
                address += step * advance
            elif operation == _ADD_CONSTANT:
                address += step * ((255 - opcode_base) // line_range)
            elif operation == _ADVANCE_FIXED:
                address += self._number(at, 2)
                at += 2
            elif operation == _SET_FILE:
                file, at = uleb(data, at)
                name = self._file(file)
            elif operation:
                for _ in range(self.operands[operation]):
                    _, at = uleb(data, at)
            else:
                size, at = uleb(data, at)
                if not size:
                    continue
                if data[at] == _END:
                    rows.append(LineRow(address, "", 0))
                    address, line, name = 0, 1, self._file(1)
                elif data[at] == _SET_ADDRESS:
                    address = self._number(at + 1, self.address_size)
                elif data[at] == _DEFINE_FILE:
                    self.files.append(text(data, at + 1)[0])
                at += size
        return rows

    def _number(self, at: int, size: int) -> int:
        return int.from_bytes(self.data[at : at + size], self.order)

    def _file(self, number: int) -> str:
        """The name of a file, without its folder. They count from 1 up to DWARF 4, then from 0."""
        index = number - (self.version < 5)
        if not 0 <= index < len(self.files):
            return ""
        return PurePosixPath(self.files[index].decode()).name


def _plain_files(data: bytes, at: int) -> list[bytes]:
    """The paths of files up to DWARF 4; the folders come first."""
    folder, at = text(data, at)
    while folder:
        folder, at = text(data, at)
    files = []
    name, at = text(data, at)
    while name:
        files.append(name)
        for _ in range(3):  # the number of its folder, its time and its size
            _, at = uleb(data, at)
        name, at = text(data, at)
    return files


def _formatted_files(data: bytes, at: int, forms: Forms) -> list[bytes]:
    """The paths of files from DWARF 5 on; the folders come first, written in the same way."""
    _, at = _formatted(data, at, forms)
    return _formatted(data, at, forms)[0]


def _formatted(data: bytes, at: int, forms: Forms) -> tuple[list[bytes], int]:
    """The paths of a list whose entries are made up as it says, and the offset behind it."""
    readers: list[tuple[int, Read]] = []
    kinds, at = data[at], at + 1
    for _ in range(kinds):
        kind, at = uleb(data, at)
        form, at = uleb(data, at)
        readers.append((kind, forms.reader(form)))
    count, at = uleb(data, at)
    if count > len(data):
        raise ValueError(f"a line program names {count} files")
    paths = []
    for _ in range(count):
        path = b""
        for kind, read in readers:
            value, at = read(at)
            if kind == _PATH:
                path = value
        paths.append(path)
    return paths, at
