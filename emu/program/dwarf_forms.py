"""How the attributes of debugging entries are written down: the forms of DWARF 2 to 5.

A *reader* is a function of an offset in a section. It returns the value that is there and the
offset behind it. Numbers of forms are those of table 7.6 of the DWARF 5 standard.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

Read: TypeAlias = Callable[[int], tuple[Any, int]]

NOWHERE = -1
"""The value of a reference into a file that macproof does not read."""

_FIXED = {0x05: 2, 0x06: 4, 0x07: 8, 0x0B: 1, 0x0C: 1}  # data2, data4, data8, data1, flag
_REFERENCES = {0x11: 1, 0x12: 2, 0x13: 4, 0x14: 8}
_BLOCKS = {0x0A: 1, 0x03: 2, 0x04: 4}
_INDEXED_STRINGS = {0x25: 1, 0x26: 2, 0x27: 3, 0x28: 4}
_INDEXED_ADDRESSES = {0x29: 1, 0x2A: 2, 0x2B: 3, 0x2C: 4}
_ELSEWHERE = {0x1C: 4, 0x24: 8}  # references into a supplementary file
_STRING_OFFSETS = {0x0E, 0x1F}  # strp, line_strp
_ADDRESS, _BLOCK, _STRING, _SIGNED, _UNSIGNED = 0x01, 0x09, 0x08, 0x0D, 0x0F
_FAR_REFERENCE, _NEAR_REFERENCE, _INDIRECT, _OFFSET, _EXPRESSION = 0x10, 0x15, 0x16, 0x17, 0x18
_PRESENT, _SIGNATURE, _SIXTEEN, _STRING_ELSEWHERE = 0x19, 0x20, 0x1E, (0x1D, 0x1F21)
_REFERENCE_ELSEWHERE, _STRING_INDEX, _ADDRESS_INDEX = 0x1F20, 0x1A, 0x1B
_LISTS = (0x22, 0x23)  # loclistx, rnglistx
IMPLICIT = 0x21
"""The form of a value that is written in the abbreviation, once for all its entries."""

STRING_INDICES = frozenset({_STRING_INDEX, *_INDEXED_STRINGS})
"""The forms of strings that are given by their number in a table of the unit."""
ADDRESS_INDICES = frozenset({_ADDRESS_INDEX, *_INDEXED_ADDRESSES})
"""The forms of addresses that are given by their number in a table of the unit."""


def uleb(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned number of any length (LEB128), and the offset behind it."""
    byte = data[at]
    if byte < 0x80:
        return byte, at + 1
    value, shift = 0, 0
    while byte >= 0x80:
        value |= (byte & 0x7F) << shift
        shift += 7
        at += 1
        byte = data[at]
    return value | byte << shift, at + 1


def sleb(data: bytes, at: int) -> tuple[int, int]:
    """A signed number of any length (LEB128), and the offset behind it."""
    value, end = uleb(data, at)
    bits = 7 * (end - at)
    return value - (1 << bits) if value >> bits - 1 else value, end


def text(data: bytes, at: int) -> tuple[bytes, int]:
    """A string that ends with a 0, and the offset behind that.

    Raises:
        ValueError: it does not end.
    """
    end = data.index(b"\0", at)
    return data[at:end], end + 1


def part(data: bytes, at: int, size: int) -> tuple[bytes, int]:
    """Some bytes, and the offset behind them.

    Raises:
        ValueError: there are fewer.
    """
    found = data[at : at + size]
    if len(found) < size:
        raise ValueError(f"{size} bytes at offset 0x{at:x} lead out of the section")
    return found, at + size


class Forms:
    """The readers of one unit.

    Args:
        data: the section that the unit is in.
        order: ">" or "<".
        start: where the unit begins; references within it count from there.
        version: its version of DWARF.
        offset_size: 4 or 8, the bytes of an offset into a section.
        address_size: the bytes of an address.
        strings: the section of the strings, by the form that points into it.
        signatures: where the type is that a signature stands for.
    """

    def __init__(
        self,
        data: bytes,
        order: str,
        start: int,
        version: int,
        offset_size: int,
        address_size: int,
        strings: dict[int, bytes],
        signatures: dict[int, int],
    ) -> None:
        self._data = data
        self._order: Literal["big", "little"] = "big" if order == ">" else "little"
        self._start = start
        self._version = version
        self._offset_size = offset_size
        self._address_size = address_size
        self._strings = strings
        self._signatures = signatures
        self._made: dict[int, Read] = {}
        self._codes = {
            size: order + letter for size, letter in zip((1, 2, 4, 8), "BHIQ", strict=True)
        }

    def reader(self, form: int) -> Read:
        """The reader of a form.

        Raises:
            ValueError: there is no such form.
        """
        if form not in self._made:
            self._made[form] = self._reader(form)
        return self._made[form]

    def number(self, size: int) -> Read:
        """The reader of an unsigned number of some bytes."""
        code = self._codes.get(size)
        if code is None:
            return lambda at: self._wide_number(at, size)
        data, unpack = self._data, struct.Struct(code).unpack_from
        return lambda at: (unpack(data, at)[0], at + size)

    def _wide_number(self, at: int, size: int) -> tuple[int, int]:
        found, end = part(self._data, at, size)
        return int.from_bytes(found, self._order), end

    def _reader(self, form: int) -> Read:
        data = self._data
        for sizes in (_FIXED, _INDEXED_STRINGS, _INDEXED_ADDRESSES):
            if form in sizes:
                return self.number(sizes[form])
        if form in (_UNSIGNED, _STRING_INDEX, _ADDRESS_INDEX, *_LISTS):
            return lambda at: uleb(data, at)
        if form == _SIGNED:
            return lambda at: sleb(data, at)
        if form == _ADDRESS:
            return self.number(self._address_size)
        if form == _OFFSET:
            return self.number(self._offset_size)
        if form == _STRING:
            return lambda at: text(data, at)
        if form == _PRESENT:
            return lambda at: (True, at)
        if form in _STRING_OFFSETS:
            return self._string(self._strings[form])
        if form in _BLOCKS:
            return self._block(self.number(_BLOCKS[form]))
        if form in (_BLOCK, _EXPRESSION):
            return self._block(lambda at: uleb(data, at))
        if form == _SIXTEEN:
            return self._block(lambda at: (16, at))
        if form == _INDIRECT:
            return self._indirect
        return self._reference(form)

    def _reference(self, form: int) -> Read:
        """The reader of a reference: its value is the offset of the entry in the section."""
        data, start = self._data, self._start
        if form in _REFERENCES:
            read = self.number(_REFERENCES[form])
        elif form == _NEAR_REFERENCE:
            read = lambda at: uleb(data, at)  # noqa: E731
        elif form == _FAR_REFERENCE:
            return self.number(self._address_size if self._version == 2 else self._offset_size)
        elif form == _SIGNATURE:
            return self._after(self.number(8), self._signatures)
        elif form in _ELSEWHERE:
            return self._after(self.number(_ELSEWHERE[form]), {})
        elif form == _REFERENCE_ELSEWHERE:
            return self._after(self.number(self._offset_size), {})
        elif form in _STRING_ELSEWHERE:
            return lambda at: (b"", at + self._offset_size)
        else:
            raise ValueError(f"there is no form 0x{form:x}")

        def near(at: int) -> tuple[int, int]:
            value, end = read(at)
            return start + value, end

        return near

    @staticmethod
    def _after(read: Read, known: dict[int, int]) -> Read:
        def reference(at: int) -> tuple[int, int]:
            value, end = read(at)
            return known.get(value, NOWHERE), end

        return reference

    def _string(self, section: bytes) -> Read:
        read = self.number(self._offset_size)
        known: dict[int, bytes] = {}

        def string(at: int) -> tuple[bytes, int]:
            place, end = read(at)
            found = known.get(place)
            if found is None:
                found = known[place] = text(section, place)[0]
            return found, end

        return string

    def _block(self, length: Read) -> Read:
        data = self._data

        def block(at: int) -> tuple[list[int], int]:
            size, start = length(at)
            found, end = part(data, start, size)
            return list(found), end

        return block

    def _indirect(self, at: int) -> tuple[Any, int]:
        form, at = uleb(self._data, at)
        if form in (_INDIRECT, IMPLICIT):
            raise ValueError("a form that is given with the value is no form of its own")
        return self.reader(form)(at)
