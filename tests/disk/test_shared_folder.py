"""Shared folders and AppleDouble pairs, read back by our own readers and byte by byte."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest

from emu.base.errors import InputError, UsageError
from emu.disk.contents import DiskFile, places
from emu.disk.shared_folder import (
    EMULATOR,
    LAYOUTS,
    NETATALK,
    SAMBA,
    check_folder,
    folder_files,
    write_folder,
)
from emu.program.mac_file.mac_file import read_mac_file
from tests.program import mac_samples as samples

FILES = (
    DiskFile("Four Shifts", "APPL", "MPrf", 0x2100, b"", samples.resource_fork()),
    DiskFile("Four/Shifts 2", "APPL", "MPrf", 0x2001, samples.DATA, samples.resource_fork()),
    DiskFile("Read Me", "TEXT", "ttxt", 0, b"text\r", b""),
)


def contents(folder: Path) -> dict[str, bytes]:
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_read_back(tmp_path: Path, layout: str) -> None:
    folder = tmp_path / "shared"
    write_folder(folder, FILES, layout)
    hosts = {
        EMULATOR: "Four:Shifts 2",
        NETATALK: "Four:2fShifts 2",
        SAMBA: "Four:Shifts 2",
    }
    for file in FILES:
        host = hosts[layout] if "/" in file.name else file.name
        if layout == EMULATOR and not file.resource_fork:
            assert (folder / host).read_bytes() == file.data
            continue
        found = read_mac_file(folder / host)
        assert (found.type, found.creator) == (file.type, file.creator)
        assert found.flags == file.flags & ~1 | 0x100
        assert (found.data, found.resource_fork) == (file.data, file.resource_fork)
    assert [path.name for path in tmp_path.iterdir()] == ["shared"], "nothing is left over"


def test_the_folder_of_an_emulator(tmp_path: Path) -> None:
    write_folder(tmp_path / "shared", FILES, EMULATOR)
    found = contents(tmp_path / "shared")
    assert found.keys() == {
        *("Four Shifts", "Four:Shifts 2", "Read Me"),
        *(".rsrc/Four Shifts", ".rsrc/Four:Shifts 2"),
        *(".finf/Four Shifts", ".finf/Four:Shifts 2", ".finf/Read Me"),
    }
    for file, place in zip(FILES, places(len(FILES)), strict=True):
        record = found[f".finf/{file.name.replace('/', ':')}"]
        assert len(record) == 32
        assert struct.unpack(">4s4sHhh18x", record) == (
            file.type.encode(),
            file.creator.encode(),
            file.flags & ~1 | 0x100,
            place.vertical,
            place.horizontal,
        )


@pytest.mark.skipif(os.name != "posix", reason="file names of POSIX")
def test_names_for_an_emulator_are_macroman(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [DiskFile("Résumé", "TEXT", "ttxt", 0, b"", b"")]
    monkeypatch.setattr("sys.platform", "linux")
    assert [os.fsencode(path) for path, _ in folder_files(files, EMULATOR)][-1] == b"R\x8esum\x8e"
    monkeypatch.setattr("sys.platform", "darwin")
    assert [path.name for path, _ in folder_files(files, EMULATOR)][-1] == "Résumé"
    for layout in (NETATALK, SAMBA):
        assert [path.name for path, _ in folder_files(files, layout)][-1] == "Résumé"


def test_what_samba_needs_of_a_header_file() -> None:
    """It has Finder information at offset 50 and the resource fork at 82, as in its own files."""
    parts = {str(path): data for path, data in folder_files(FILES, SAMBA)}
    header = parts["._Four Shifts"]
    assert header[:26] == bytes.fromhex("00051607 00020000") + bytes(16) + b"\0\2"
    assert struct.unpack_from(">6L", header, 26) == (9, 50, 32, 2, 82, len(header) - 82)
    assert header[82:] == FILES[0].resource_fork
    assert len(parts["._Read Me"]) == 82


def test_what_netatalk_needs_of_a_header_file() -> None:
    """It wants version 2, 32 bytes of Finder information, and the resource fork at the end."""
    parts = {str(path): data for path, data in folder_files(FILES, NETATALK)}
    for file in FILES:
        header = parts[f".AppleDouble/{file.name.replace('/', ':2f')}"]
        magic, version, count = struct.unpack_from(">LL16xH", header)
        assert (magic, version) == (0x00051607, 0x20000)
        entries = {
            number: header[start : start + size]
            for number, start, size in (
                struct.unpack_from(">3L", header, 26 + 12 * index) for index in range(count)
            )
        }
        assert entries[3] == file.raw_name
        assert struct.unpack(">l", entries[8][:4]) == (-6 * 365 * 86400 - 86400,), "1 January 1994"
        assert len(entries[9]) == 32
        assert entries[2] == file.resource_fork
        (start,) = struct.unpack_from(">L", header, 26 + 12 * (count - 1) + 4)
        assert header[start:] == file.resource_fork
        assert start < 1024, "it reads so much of the header"


def test_a_folder_that_is_there_gets_what_is_missing(tmp_path: Path) -> None:
    write_folder(tmp_path, FILES[:1], EMULATOR)
    (tmp_path / "mine").write_bytes(b"other")
    write_folder(tmp_path, FILES[:1], EMULATOR)
    write_folder(tmp_path, (FILES[0], FILES[2]), EMULATOR)
    assert (tmp_path / "Read Me").read_bytes() == b"text\r"
    assert (tmp_path / "mine").read_bytes() == b"other"


@pytest.mark.parametrize("part", ["Read Me", ".finf/Four Shifts", ".rsrc/Four Shifts"])
def test_nothing_is_replaced_unasked(tmp_path: Path, part: str) -> None:
    path = tmp_path / part
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"somebody's")
    with pytest.raises(InputError, match=r"with other contents.*--force"):
        write_folder(tmp_path, FILES, EMULATOR)
    assert contents(tmp_path) == {part: b"somebody's"}
    write_folder(tmp_path, FILES, EMULATOR, replace=True)
    assert contents(tmp_path)[part] != b"somebody's"


def test_a_link_that_leads_nowhere_is_somebodys_too(tmp_path: Path) -> None:
    (tmp_path / "Read Me").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="is there already"):
        check_folder(tmp_path, FILES, EMULATOR)


def test_a_link_to_a_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "there" / "deep")
    write_folder(tmp_path / "link", FILES, SAMBA)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "deep" / "._Read Me").is_file()


def test_folders_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="is a file, not a folder"):
        write_folder(tmp_path / "file", FILES, EMULATOR)
    with pytest.raises(InputError, match="cannot be written"):
        write_folder(tmp_path / "file" / "inside", FILES, EMULATOR)
    with pytest.raises(InputError, match="cannot be written"):
        write_folder(tmp_path / ("x" * 300), FILES, EMULATOR)
    with pytest.raises(UsageError, match="no layout"):
        write_folder(tmp_path / "new", FILES, "windows")
    with pytest.raises(UsageError, match="two files"):
        write_folder(tmp_path / "new", (FILES[0], FILES[0]), EMULATOR)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_new_folder_appears_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []

    def full(path: Path, data: bytes, *, below: Path) -> None:
        if len(written) == 3:
            raise InputError(path, "cannot be written: No space left on device")
        written.append(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    monkeypatch.setattr("emu.disk.shared_folder.write_whole", full)
    with pytest.raises(InputError, match="No space left"):
        write_folder(tmp_path / "new", FILES, EMULATOR)
    assert list(tmp_path.iterdir()) == []
