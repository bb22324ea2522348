"""Archives and disk images that are not read are named, with what opens them."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from emu.base.errors import ProgramError
from emu.program.mac_file.mac_file import parse_mac_file, read_mac_file
from emu.program.mac_program import not_an_application, read_executable
from tests.program import mac_samples as samples


def compact_pro(name: bytes = b"Program") -> bytes:
    folder = struct.pack(">B6sH", 0x86, b"Folder", 1)
    entries = folder + bytes([len(name)]) + name + bytes(45)
    return struct.pack(">BBHL", 1, 1, 0, 108) + bytes(100) + struct.pack(">LHB", 0, 2, 0) + entries


FORMATS = {
    "BinHex": b"\r\n(This file must be converted with BinHex 4.0)\r\r:#3\r",
    "a StuffIt archive": b"SIT!\0\1\0\0\1\0rLau" + bytes(100),
    "StuffIt 5": b"StuffIt (c)1997-1998 Aladdin Systems, Inc." + bytes(100),
    "StuffIt X": b"StuffIt!" + bytes(100),
    "Compact Pro": compact_pro(),
    "UDIF": bytes(1000) + b"koly" + bytes(508),
    "Disk Copy 4.2": samples.disk_copy(bytes(800 << 10)),
    "ISO 9660": bytes(32769) + b"CD001" + bytes(2048),
    "2352": b"\0" + b"\xff" * 10 + b"\0" + bytes(4000),
    "zip": b"PK\3\4" + bytes(100),
}


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_is_named(tmp_path: Path, name: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(FORMATS[name])
    for read in (
        lambda: read_mac_file(path),
        lambda: read_mac_file(f"{path}:Program"),
        lambda: parse_mac_file(FORMATS[name], path),
    ):
        with pytest.raises(ProgramError, match=f"{name}.*, which is not read") as caught:
            read()
        assert str(caught.value).endswith(".")


def test_an_archive_too_large_to_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "file.dmg"
    with path.open("wb") as file:
        file.truncate(200 << 20)
        file.seek(0, 2)
        file.write(b"koly" + bytes(508))
    with pytest.raises(ProgramError, match="UDIF"):
        read_mac_file(path)


@pytest.mark.parametrize(
    "contents",
    [
        compact_pro(b"n" * 64),
        compact_pro()[:-1],
        b"\1\1" + bytes(2) + b"\xff" * 4,
        b"\1\1\0\0\0\0\0\x08",
        samples.disk_copy(bytes(800 << 10)) + b"more",
    ],
)
def test_what_only_begins_like_one_is_none(contents: bytes) -> None:
    with pytest.raises(ProgramError, match="it is not a Mac file"):
        parse_mac_file(contents, Path("file"))


def test_what_a_macbinary_file_holds_is_named(tmp_path: Path) -> None:
    path = tmp_path / "file.bin"
    path.write_bytes(samples.macbinary(2, FORMATS["a StuffIt archive"], b""))
    error = not_an_application(read_executable(path))
    assert "no application" in str(error)
    assert "It is a StuffIt archive. Unpack it" in str(error)
    ndif = samples.resource_fork([("bcem", 128, b"", 0, bytes(128))])
    path.write_bytes(samples.macbinary(2, b"compressed", ndif))
    assert "NDIF" in str(not_an_application(read_executable(path)))
    with pytest.raises(ProgramError, match="NDIF"):
        read_mac_file(f"{path}:Program")
