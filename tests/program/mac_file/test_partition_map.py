"""Images of whole disks: the volumes in their partitions are found, and all of them are named."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from emu.base.errors import ProgramError
from emu.program.mac_file.mac_file import (
    parse_mac_file,
    read_files_beside,
    read_mac_file,
    read_volume_title,
)
from tests.program import mac_samples as samples
from tests.program.mfs_samples import mfs_image

HFS = b"Apple_HFS"
PATH = Path("disk.img")


def disk(*volumes: bytes, unit: int = 512, kind: bytes = HFS) -> bytes:
    """A disk with a driver descriptor, a map of its partitions, a driver, and the volumes."""
    count = len(volumes) + 2
    blocks = [(b"Apple_partition_map", 1, count), (b"Apple_Driver43", count + 1, 1)]
    contents, place = bytearray(unit * (count + 2)), count + 2
    for volume in volumes:
        size = -(-len(volume) // unit)
        blocks.append((kind, place, size))
        contents += volume.ljust(unit * size, b"\0")
        place += size
    struct.pack_into(">2sHL", contents, 0, b"ER", unit, place)
    for number, (name, start, size) in enumerate(blocks, 1):
        entry = struct.pack(">2s2xLLL32s32s", b"PM", count, start, size, b"MacOS", name)
        contents[unit * number : unit * number + len(entry)] = entry
    return bytes(contents)


def named(title: bytes, **files: bytes) -> bytes:
    image = bytearray(
        samples.hfs_image({(name,): samples.hfs_file(data) for name, data in files.items()})
    )
    struct.pack_into(">28p", image, 1024 + 36, title)
    return bytes(image)


@pytest.mark.parametrize("unit", [512, 2048])
def test_a_disk_with_one_volume_is_read_as_the_volume_is(tmp_path: Path, unit: int) -> None:
    path = tmp_path / "disk.img"
    path.write_bytes(disk(samples.hfs_image(), unit=unit))
    file = read_mac_file(path)
    assert (file.name, file.data, file.container) == (samples.NAME, samples.DATA, "HFS image")
    assert read_mac_file(f"{path}:Folder:Inner:Notes").data == b"text"
    assert parse_mac_file(path.read_bytes(), path) == file


def test_the_map_of_a_macintosh_plus() -> None:
    volume = samples.hfs_image()
    entries = struct.pack(">LL4sLL4s", 4, 2, b"xxxx", 6, len(volume) // 512, b"TFS1")
    contents = bytes(512) + (b"TS" + entries).ljust(512, b"\0") + bytes(2048) + volume
    assert parse_mac_file(contents, PATH).name == samples.NAME


def test_several_volumes_are_named_by_their_titles(tmp_path: Path) -> None:
    path = tmp_path / "disk.img"
    one = named(b"Work", First=b"1", Notes=b"n")
    path.write_bytes(disk(one, named(b"Work", Second=b"2"), mfs_image()))
    with pytest.raises(ProgramError, match="there are 4 such files") as caught:
        read_mac_file(path)
    for name in ("'Work:First'", "'Work:Notes'", "'Work 2:Second'", f":{samples.NAME}'"):
        assert name in str(caught.value)
    assert read_mac_file(f"{path}:work 2:Second").data == b"2"
    beside = [file.name for file in read_files_beside(f"{path}:Work:First")]
    assert beside == ["Desktop", "Notes"], "and none of another volume"
    assert read_volume_title(f"{path}:Work 2:Second") == b"Work"


def test_a_volume_that_cannot_be_read_is_told_where_a_file_is_missed() -> None:
    plus = bytearray(samples.hfs_image())
    plus[1024:1026] = b"H+"
    contents = disk(bytes(plus), samples.hfs_image())
    assert parse_mac_file(contents, PATH).name == samples.NAME
    with pytest.raises(ProgramError, match=r"not read: the volume at offset \d+: .* HFS Plus"):
        parse_mac_file(contents, PATH, "Other")
    with pytest.raises(ProgramError, match="the volume is HFS Plus"):
        parse_mac_file(disk(bytes(plus), bytes(plus)), PATH)


def test_damaged_maps_end() -> None:
    whole = disk(samples.hfs_image())
    endless = bytearray(whole)
    struct.pack_into(">L", endless, 512 + 4, 0xFFFFFFFF)
    assert parse_mac_file(bytes(endless), PATH).name == samples.NAME
    outside = bytearray(whole)
    struct.pack_into(">L", outside, 3 * 512 + 8, 0xFFFFFFFF)
    with pytest.raises(ProgramError, match="it has nothing, not 4244"):
        parse_mac_file(bytes(outside), PATH)
    with pytest.raises(ProgramError, match="not a Mac file"):
        parse_mac_file(disk(samples.hfs_image(), kind=b"Apple_UNIX_SVR2"), PATH)


def test_an_image_in_a_macbinary_file(tmp_path: Path) -> None:
    header = bytearray(samples.macbinary(1, samples.disk_copy(samples.hfs_image()), b""))
    header[65:69] = b"dImg"
    path = tmp_path / "disk.img.bin"
    path.write_bytes(header)
    assert read_mac_file(f"{path}:Folder:Inner:Notes").data == b"text"
    header[65:69] = b"TEXT"
    path.write_bytes(header)
    assert read_mac_file(path).type == "TEXT", "only a disk image's data fork is a disk"
