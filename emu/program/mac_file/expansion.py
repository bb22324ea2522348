"""Expands compressed resources, as the Resource Manager of System 7 does.

A compressed resource has the attribute 0x01 and begins with this header::

    offset  bytes
    0       4      A89F6572
    4       2      the size of the header, 18
    6       1      the form of its rest: 8 or 9
    7       1      1
    8       4      the size of the resource when it is expanded
    12      6      form 8: two bytes about buffers, the number of the decompressor, a zero word
                   form 9: the number of the decompressor, four bytes of parameters for it

The decompressor is code in a resource of type 'dcmp'. The System file has number 0, for code;
number 1, for other data; number 2, whose data are mostly words of a table; and number 3, whose data
are bits that repeat earlier texts. All four are done here. Apple has not published the form; the
source is what the authors of rsrcfork and resource_dasm found out.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from emu.program.mac_file.bit_codes import BitCodes
from emu.program.mac_file.expansion_tables import CODE_WORDS, COMMON_WORDS, DATA_WORDS

LARGEST = 16 << 20
"""The most bytes that one resource may have when it is expanded."""

_HEADER = struct.Struct(">LHBBL6s")
_MAGIC = 0xA89F6572
_BUFFERS, _PARAMETERS = 8, 9
_EXTENDED, _END = 0xFE, 0xFF
_REMEMBER = 0x10
_OWN_TABLE, _TAGGED = 1, 2
_LONGEST_TEXT = 63
_ENTRIES, _BYTES, _WORDS, _STEPS, _LONG_STEPS = 0, 2, 3, 4, 6


class ExpansionError(Exception):
    """A compressed resource is damaged, or its decompressor is not known."""


def is_compressed(data: bytes) -> bool:
    """Whether a resource begins with the header of a compressed one.

    Some files have the attribute at resources that are not compressed; System 6 ignored it.
    """
    return len(data) >= _HEADER.size and data[:4] == _MAGIC.to_bytes(4, "big")


def expand(data: bytes) -> bytes:
    """Expand a compressed resource.

    Args:
        data: the resource, which `is_compressed`.

    Raises:
        ExpansionError: it is damaged, is larger than 16 MiB when expanded, or wants another
            decompressor than 0 to 3.
    """
    _, start, form, _, size, rest = _HEADER.unpack_from(data)
    if start < _HEADER.size or form not in (_BUFFERS, _PARAMETERS):
        raise ExpansionError(f"its header has form {form} and {start} bytes")
    if size > LARGEST:
        raise ExpansionError(f"it announces {size:,} bytes, more than {LARGEST >> 20} MiB")
    number = int.from_bytes(rest[2:4] if form == _BUFFERS else rest[:2], "big", signed=True)
    if number not in range(4) or (number < 3 and (number == 2) != (form == _PARAMETERS)):
        raise ExpansionError(f"its decompressor is 'dcmp' {number}, with a header of form {form}")
    if number == 3:
        expanded = _expand_repetitions(data[start:], size)
    elif number == 2:
        expanded = _expand_words(data[start:], size, rest[4], rest[5])
    else:
        expanded = _Expander(data[start:], size, number).expanded()
    if len(expanded) == size + 1 and size % 2:
        expanded = expanded[:-1]  # decompressor 0 writes whole words
    if len(expanded) != size:
        raise ExpansionError(f"it expands to {len(expanded)} bytes and announces {size}")
    return expanded


def _expand_repetitions(data: bytes, size: int) -> bytes:
    """Expand what decompressor 3 reads: texts as they are, and repetitions of what came before.

    A text that is shorter than the longest one is always followed by a repetition.
    """
    codes, expanded, is_text_allowed = BitCodes(data), bytearray(), True
    try:
        while len(expanded) < size:
            length = codes.length()
            if is_text_allowed and not length:
                count = codes.count()
                expanded += bytes(codes.bits(8) for _ in range(count))
                is_text_allowed = count == _LONGEST_TEXT
                continue
            length += 2 if is_text_allowed else 3
            distance = codes.distance(len(expanded))
            if distance > len(expanded):
                raise ExpansionError(
                    f"it repeats from {distance} bytes back, and there are {len(expanded)}"
                )
            text = bytes(expanded[-distance:])
            expanded += (text * (length // distance + 1))[:length]
            is_text_allowed = True
    except EOFError:
        raise ExpansionError(f"it is cut off after {len(data)} bytes") from None
    except ValueError as error:
        raise ExpansionError(f"it repeats a text of the last {error} bytes, too many") from None
    return bytes(expanded)


def _expand_words(data: bytes, size: int, last_entry: int, flags: int) -> bytes:
    """Expand what decompressor 2 reads: numbers of words in a table, perhaps mixed with words.

    Args:
        data: what follows the header.
        size: the bytes when it is expanded; of an odd size the last byte is as it is.
        last_entry: the number of the last word in the resource's own table.
        flags: 1 for a table of its own in front; 2 for tags: in the byte before each eight words a
            bit, from the left, tells whether a number or the word itself follows.
    """
    if flags & ~(_OWN_TABLE | _TAGGED):
        raise ExpansionError(f"its flags 0x{flags:02x} are unknown")
    table: Sequence[bytes] = COMMON_WORDS
    if flags & _OWN_TABLE:
        end = 2 * (last_entry + 1)
        table = [data[place : place + 2] for place in range(0, end, 2)]
        data = data[end:]
    last = b""
    if size % 2:
        data, last = data[:-1], data[-1:]
    expanded = bytearray()
    place, tags, remaining = 0, 0xFF, 0
    while place < len(data) and len(expanded) < size:
        if flags & _TAGGED and not remaining:
            tags, remaining = data[place], 8
            place += 1
            continue
        remaining -= 1
        if not flags & _TAGGED or tags >> remaining & 1:
            if data[place] >= len(table):
                raise ExpansionError(f"it names word {data[place]} of a table of {len(table)}")
            expanded += table[data[place]]
            place += 1
        else:
            expanded += data[place : place + 2]
            place += 2
    return bytes(expanded + last)


class _Expander:
    """Expands what decompressors 0 and 1 read: codes for texts that are given, repeated or usual.

    Args:
        data: what follows the header.
        size: the bytes when it is expanded.
        number: the decompressor, 0 or 1.
    """

    def __init__(self, data: bytes, size: int, number: int) -> None:
        self._data = data
        self._most = size + 1
        self._place = 0
        self._found = bytearray()
        self._remembered: list[bytes] = []
        self._step = self._code_step if number == 0 else self._data_step
        self._only_bytes = number == 1

    def expanded(self) -> bytes:
        """The contents."""
        while (code := self._byte()) != _END:
            self._write(self._extended() if code == _EXTENDED else self._step(code))
        return bytes(self._found)

    def _write(self, text: bytes) -> None:
        self._found += text
        if len(self._found) > self._most:
            raise ExpansionError(f"it expands to more than the {self._most - 1} bytes it announces")

    def _code_step(self, code: int) -> bytes:
        """The text of a code of decompressor 0."""
        if code < 0x20:
            return self._text(code, 2 * (code & 15 or self._byte()))
        if code < 0x22:
            return self._again(0x28 + (code - 0x20 << 8 | self._byte()))
        if code == 0x22:
            return self._again(0x28 + int.from_bytes(self._take(2), "big"))
        if code < 0x4B:
            return self._again(code - 0x23)
        return CODE_WORDS[code - 0x4B]

    def _data_step(self, code: int) -> bytes:
        """The text of a code of decompressor 1."""
        if code < 0x20:
            return self._text(code, (code & 15) + 1)
        if code < 0xD0:
            return self._again(code - 0x20)
        if code < 0xD2:
            return self._text(_REMEMBER if code == 0xD1 else 0, self._byte())
        if code == 0xD2:
            return self._again(0xB0 + self._byte())
        if code < 0xD5:
            raise ExpansionError(f"code 0x{code:02x} is unknown")
        return DATA_WORDS[code - 0xD5]

    def _text(self, code: int, count: int) -> bytes:
        text = self._take(count)
        if code & _REMEMBER:
            self._remembered.append(text)
        return text

    def _again(self, number: int) -> bytes:
        if number >= len(self._remembered):
            raise ExpansionError(f"it repeats text {number} of {len(self._remembered)}")
        return self._remembered[number]

    def _extended(self) -> bytes:
        """The text of a code with a second byte."""
        kind = self._byte()
        if kind not in ((_BYTES,) if self._only_bytes else (0, 2, 3, 4, 6)):
            raise ExpansionError(f"code 0xfe{kind:02x} is unknown")
        value = self._number()
        if kind == _ENTRIES:
            return self._jump_table(struct.pack(">HHH", 0x3F3C, value & 0xFFFF, 0xA9F0))
        count = self._number()
        if not 0 <= count <= self._most:
            raise ExpansionError(f"code 0xfe{kind:02x} repeats {count} times")
        if kind in (_BYTES, _WORDS):
            size = kind - 1
            return (value % (1 << 8 * size)).to_bytes(size, "big") * (count + 1)
        values = [value]
        for _ in range(count):
            step = struct.unpack("b", self._take(1))[0] if kind == _STEPS else self._number()
            values.append(values[-1] + step)
        size = 2 if kind == _STEPS else 4
        return b"".join((number % (1 << 8 * size)).to_bytes(size, "big") for number in values)

    def _jump_table(self, loading: bytes) -> bytes:
        """The rest of a jump table's entry, and further entries of the same segment."""
        count = self._number()
        if not 1 <= count <= self._most:
            raise ExpansionError(f"code 0xfe00 makes {count} entries of a jump table")
        offset = self._number()
        entries = [loading]
        for index in range(count):
            if index:
                offset += self._number() - 6
            entries.append((offset & 0xFFFF).to_bytes(2, "big") + loading)
        return b"".join(entries)

    def _number(self) -> int:
        """A signed number: one byte below 0x80, two bytes around 0xC000, or 0xFF and a long."""
        first = self._byte()
        if first < 0x80:
            return first
        if first == 0xFF:
            return int.from_bytes(self._take(4), "big", signed=True)
        return int.from_bytes(bytes([first, self._byte()]), "big") - 0xC000

    def _byte(self) -> int:
        return self._take(1)[0]

    def _take(self, count: int) -> bytes:
        end = self._place + count
        if end > len(self._data):
            raise ExpansionError(f"it is cut off after {len(self._data)} bytes")
        text = self._data[self._place : end]
        self._place = end
        return text
