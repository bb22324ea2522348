"""Reads MacBinary I, II and III, and writes III.

The checksum tells that a file begins with such a header. The version bytes do not: Retro68 writes
0 there. The layout is from the MacBinary standards of 1985, 1987 and 1996.
"""

from __future__ import annotations

import binascii
import datetime
import struct
from pathlib import Path

from emu.base.errors import ProgramError, UsageError
from emu.program.mac_file.forks import LARGEST_FORK, Forks

HEADER_SIZE = 128

_LONGEST_NAME = 63
_LARGEST_FORK_OF_FIRST_VERSION = 0x7FFFFF
_SIGNATURE = b"mBIN"
_VERSIONS = (129, 130)  # of MacBinary II and III
_CHECKSUM_OFFSET = 124
# Every file has this date; with the date of today two equal builds would differ.
_DATE = (datetime.date(1994, 1, 1) - datetime.date(1904, 1, 1)).days * 24 * 60 * 60


def macbinary_version(header: bytes, file_size: int, path: Path) -> str | None:
    """The name of the MacBinary version that a file begins with, or None for another file.

    Args:
        header: the first 128 bytes, or what there is.
        file_size: the size of the whole file. A header without a checksum is accepted only if the
            forks fill the file.
        path: the file, for messages.

    Raises:
        ProgramError: it is MacBinary II or III in everything but the checksum.
    """
    if len(header) < HEADER_SIZE:
        return None
    if header[0] or header[74] or not 1 <= header[1] <= _LONGEST_NAME:
        return None
    data_size, resource_size = struct.unpack_from(">2L", header, 83)
    (stored,) = struct.unpack_from(">H", header, _CHECKSUM_OFFSET)
    computed = binascii.crc_hqx(header[:_CHECKSUM_OFFSET], 0)
    signed = header[102:106] == _SIGNATURE
    if stored == computed:
        return "MacBinary III" if signed else "MacBinary II"
    end = HEADER_SIZE + _padded(data_size) + resource_size
    versioned = header[122] in _VERSIONS and not header[82] and end <= file_size + HEADER_SIZE
    if signed or versioned:
        raise ProgramError(
            path,
            f"the checksum of the MacBinary header is 0x{stored:04x}, "
            f"that of its contents 0x{computed:04x}",
            where=f"offset {_CHECKSUM_OFFSET}",
            remedy="The header is damaged; copy the file again.",
        )
    # The first version has no checksum: the bytes that later ones use are zero in it, and the two
    # forks fill the file.
    if header[82] or any(header[101:126]):
        return None
    if max(data_size, resource_size) > _LARGEST_FORK_OF_FIRST_VERSION:
        return None
    if not data_size + resource_size or not end <= file_size < _padded(end) + HEADER_SIZE:
        return None
    return "MacBinary I"


def parse_macbinary(data: bytes, path: Path, version: str) -> Forks:
    """Read a MacBinary file; ``version`` is what `macbinary_version` returned for it.

    Raises:
        ProgramError: the file is truncated, has a fork of more than 64 MiB, or asks for a later
            version of MacBinary than III.
    """
    name = data[2 : 2 + data[1]].decode("mac_roman")
    type_, creator = struct.unpack_from(">4s4s", data, 65)
    data_size, resource_size, created, modified = struct.unpack_from(">4L", data, 83)
    flags = data[73] << 8
    second_header = 0
    if version != "MacBinary I":
        flags |= data[101]
        (second_header,) = struct.unpack_from(">H", data, 120)
        if data[123] > max(_VERSIONS):
            raise ProgramError(
                path,
                f"it can be read by MacBinary version {data[123]} and later only",
                where="offset 123",
            )
    data_start = HEADER_SIZE + _padded(second_header)
    resource_start = data_start + _padded(data_size)
    for what, start, size, field in (
        ("data", data_start, data_size, 83),
        ("resource", resource_start, resource_size, 87),
    ):
        problem = ""
        if size > LARGEST_FORK:
            problem = f"its {what} fork has {size:,} bytes, more than {LARGEST_FORK >> 20} MiB"
        elif size and start + size > len(data):
            end = f"the {what} fork ends at offset {start + size}, the file at {len(data)}"
            problem = f"it is truncated: {end}"
        if problem:
            raise ProgramError(path, problem, where=f"offset {field}")
    return Forks(
        name=name,
        type=type_.decode("mac_roman"),
        creator=creator.decode("mac_roman"),
        flags=flags,
        data=data[data_start : data_start + data_size],
        resource_fork=data[resource_start : resource_start + resource_size],
        container=version,
        created=created,
        modified=modified,
    )


def make_macbinary(
    name: str,
    *,
    type: str,
    creator: str,
    data: bytes = b"",
    resource_fork: bytes = b"",
    flags: int = 0,
) -> bytes:
    """Write a MacBinary III file; the same arguments always give the same bytes.

    Args:
        name: 1 to 63 MacRoman characters without a colon.
        type: four MacRoman characters ("APPL").
        creator: likewise.
        data: the data fork.
        resource_fork: the resource fork, as `make_resource_fork` gives it.
        flags: the Finder flags, 16 bits.

    Raises:
        UsageError: an argument does not fit into the header.
    """
    raw_name = _mac_roman(name, "the name")
    codes = [_mac_roman(type, "the type"), _mac_roman(creator, "the creator")]
    if not 1 <= len(raw_name) <= _LONGEST_NAME or b":" in raw_name:
        raise UsageError(f"{name!r} is no name for a Mac file: 1 to 63 characters without a colon")
    if any(len(code) != 4 for code in codes):
        raise UsageError(f"type {type!r} and creator {creator!r} have four characters each")
    if not 0 <= flags <= 0xFFFF:
        raise UsageError(f"Finder flags 0x{flags:x} do not fit into 16 bits")
    if max(len(data), len(resource_fork)) > LARGEST_FORK:
        raise UsageError(f"a fork has at most {LARGEST_FORK >> 20} MiB")
    header = bytearray(HEADER_SIZE)
    struct.pack_into(">64p", header, 1, raw_name)
    struct.pack_into(">4s4sB", header, 65, *codes, flags >> 8)
    struct.pack_into(">4L", header, 83, len(data), len(resource_fork), _DATE, _DATE)
    struct.pack_into(">B4s", header, 101, flags & 0xFF, _SIGNATURE)
    # Readers of MacBinary II can read it too, so that is the least version needed.
    header[122], header[123] = max(_VERSIONS), min(_VERSIONS)
    checksum = binascii.crc_hqx(bytes(header[:_CHECKSUM_OFFSET]), 0)
    struct.pack_into(">H", header, _CHECKSUM_OFFSET, checksum)
    return bytes(header) + _fill(data) + _fill(resource_fork)


def _mac_roman(text: str, what: str) -> bytes:
    try:
        return text.encode("mac_roman")
    except UnicodeEncodeError as error:
        raise UsageError(f"{what} {text!r} has characters outside MacRoman") from error


def _padded(size: int) -> int:
    return -(-size // HEADER_SIZE) * HEADER_SIZE


def _fill(fork: bytes) -> bytes:
    return fork + bytes(_padded(len(fork)) - len(fork))
