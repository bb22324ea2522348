"""68K applications of a few instructions, put together here by hand."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

from emu.program.mac_file.mac_file import MacFile
from emu.program.mac_file.macbinary import make_macbinary
from emu.program.mac_file.resource_fork import Resource, ResourceFork, make_resource_fork

PATH = Path("Sample.bin")
RTS = bytes.fromhex("4e75")
NEAR, FAR, MARK = "near", "far", "mark"


def application(
    resources: Mapping[tuple[str, int], bytes],
    names: Mapping[tuple[str, int], str] | None = None,
    path: Path = PATH,
) -> MacFile:
    """A file with these resources."""
    found = tuple(
        Resource(kind, number, (names or {}).get((kind, number), ""), 0, data)
        for (kind, number), data in resources.items()
    )
    return MacFile(path, path.stem, "APPL", "????", 0, b"", ResourceFork(found), "sample")


def write_application(
    folder: Path, code: str, name: str = "test", more: Sequence[Resource] = ()
) -> Path:
    """A file with the application whose only segment is this code, and with more resources."""
    resources = [
        Resource("CODE", 0, "", 0, code_0([(NEAR, 1, 0)], below=64)),
        Resource("CODE", 1, "", 0, near(bytes.fromhex(code))),
        *more,
    ]
    path = folder / f"{name}.bin"
    fork = make_resource_fork(resources)
    path.write_bytes(make_macbinary(name, type="APPL", creator="????", resource_fork=fork))
    return path


def code_0(
    entries: Sequence[tuple[str, int, int]], below: int = 0, offset: int = 0x20, above: int = -1
) -> bytes:
    """CODE 0 with entries of (form, segment, offset as it is written there)."""
    table = b""
    for form, segment, place in entries:
        if form == NEAR:
            table += struct.pack(">HHhH", place, 0x3F3C, segment, 0xA9F0)
        elif form == FAR:
            table += struct.pack(">hHI", segment, 0xA9F0, place)
        else:
            table += struct.pack(">HHI", 0, 0xFFFF, 0)
    room = offset + len(table) if above < 0 else above
    return struct.pack(">4I", room, below, len(table), offset) + table


def near(code: bytes, entries: int = 1) -> bytes:
    """A segment with the header of the near model."""
    return struct.pack(">HH", 0, entries) + code


def far(code: bytes, *, a5: tuple[int, int] = (0, 0), own: tuple[int, int] = (0, 0)) -> bytes:
    """A segment with the far header; ``a5`` and ``own`` are list offset and assumed base."""
    return struct.pack(">HH9I", 0xFFFF, 0, 0, 0, 0, 1, *a5, *own, 0) + code


def uleb(*items: tuple[int, int]) -> bytes:
    """Half of a RELA list: (distance from the long before, kind) each."""
    data = b""
    for distance, kind in items:
        value = distance << 2 | kind
        while value >= 0x80:
            data += bytes([value & 0x7F | 0x80])
            value >>= 7
        data += bytes([value])
    return data + b"\0"


def trampoline(start: int) -> bytes:
    """How every program of Retro68 begins; ``start`` is the offset it goes on at."""
    return bytes.fromhex("4e71 6100 0002 0697") + struct.pack(">i", start - 6) + RTS


# CODE 2: four longs, referring to itself, to the data, the zeroed data and the jump table.
SPLIT_LONGS = struct.pack(">4I", 40, -12 & 0xFFFFFFFF, -4 & 0xFFFFFFFF, 0x20 + 8 * 2 + 2)


def split_application(**changed: bytes) -> MacFile:
    """An application in the form of Retro68 with segments 1 and 2, 8 bytes of data and 4 zeroed.

    A long of CODE 1 calls CODE 2 through the jump table: JSR (entry 2).
    """
    main = trampoline(14) + bytes.fromhex("4eb9") + struct.pack(">I", 0x20 + 8 * 2 + 2) + RTS
    second = RTS + SPLIT_LONGS + bytes(2) + bytes(32) + struct.pack(">i", -34)
    parts = {
        "code_0": code_0([(NEAR, 1, 0), (MARK, 0, 0), (FAR, 2, 40)], below=12),
        "code_1": near(main),
        "code_2": far(second),
        "rela_1": uleb((17, 3)) + b"\0",
        "rela_2": uleb((3, 0), (4, 1), (4, 2), (4, 3)) + b"\0",
        "data_0": struct.pack(">iI", -12, 7),
        "rela_0": uleb((1, 1)) + b"\0",
    } | changed
    resources = {
        (name.split("_")[0].upper(), int(name.split("_")[1])): data for name, data in parts.items()
    }
    return application(resources, {("CODE", 2): "Second"})


def near_application() -> MacFile:
    """Two segments in the near model; the first, with a name, calls the second."""
    return application(
        {
            ("CODE", 0): code_0([(NEAR, 1, 0), (NEAR, 2, 0)], below=64),
            ("CODE", 1): near(bytes.fromhex("4ead 002a a9f4 4e75") + b"\x84Main" + bytes(3)),
            ("CODE", 2): near(bytes.fromhex("a974 303b 0006 4efb 0002 0004 0006 a9b4 4e75 4e75")),
        }
    )
