"""Disks of 1984: MFS volumes are read like HFS volumes, and damage is told."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import ProgramError
from emu.program.mac_file.disk_image import find_volumes, open_volume
from emu.program.mac_file.mac_file import parse_mac_file, read_files_beside, read_mac_file
from tests.program import mac_samples as samples
from tests.program import mfs_samples as mfs
from tests.program.mfs_samples import MfsFile, mfs_image

PATH = Path("disk.dsk")
ENTRY = 512 * mfs.DIRECTORY


def test_the_files_of_a_disk(tmp_path: Path) -> None:
    path = tmp_path / "disk.dsk"
    path.write_bytes(mfs_image())
    file = read_mac_file(path)
    assert (file.name, file.type, file.creator) == (samples.NAME, samples.TYPE, samples.CREATOR)
    assert (file.flags, file.container) == (samples.FLAGS, "MFS image")
    assert (file.data, file.resource_fork) == (samples.DATA, samples.resource_fork())
    assert (file.created, file.modified) == (mfs.CREATED, mfs.MODIFIED)
    (notes,) = read_files_beside(f"{path}:{samples.NAME}")
    assert (notes.name, notes.type, notes.data, notes.created) == (
        "Notes",
        "TEXT",
        b"text",
        mfs.CREATED,
    )
    assert read_mac_file(f"{path}:notes") == notes
    with pytest.raises(ProgramError, match=r"no file 'Other'.* it has 'Four Shifts', 'Notes'"):
        read_mac_file(f"{path}:Other")


@given(
    st.lists(st.tuples(st.text("abc", max_size=60), st.binary(max_size=5000)), max_size=20),
    st.booleans(),
)
def test_every_fork_of_every_file(contents: list[tuple[str, bytes]], backwards: bool) -> None:
    files = [
        MfsFile(f"{number} {name}", data, data[:2000][::-1])
        for number, (name, data) in enumerate(contents)
    ]
    image = mfs_image(files, backwards=backwards)
    for container in (image, samples.disk_copy(image)):
        opened = io.BytesIO(container)
        volume = open_volume(opened, PATH, *find_volumes(opened))
        assert [one.name for one in volume.files] == [file.name for file in files]
        for entry, file in zip(volume.files, files, strict=True):
            assert entry.read_forks() == (file.data, file.resources)


def test_a_neighbour_with_a_damaged_resource_fork_keeps_its_bytes(tmp_path: Path) -> None:
    own = MfsFile("Own", b"data", samples.resource_fork())
    damaged = samples.resource_fork()[:40]
    path = tmp_path / "disk.dsk"
    path.write_bytes(mfs_image([own, MfsFile("Memo", b"text", damaged)]))
    (memo,) = read_files_beside(f"{path}:Own")
    assert (memo.data, memo.resource_fork, len(memo.resources)) == (b"text", damaged, 0)
    with pytest.raises(ProgramError, match="Memo"):
        read_mac_file(f"{path}:Memo")


def test_blocks_behind_a_forks_end_do_not_matter() -> None:
    # A Mac allocates in clumps, so that the last blocks of a fork may hold nothing.
    longer = changed(ENTRY + 24, ">L", 1)
    assert parse_mac_file(longer, PATH, samples.NAME).data == samples.DATA[:1]


def changed(offset: int, form: str, *values: int) -> bytes:
    """A disk with other numbers at an offset."""
    image = bytearray(mfs_image())
    struct.pack_into(form, image, offset, *values)
    return bytes(image)


@pytest.mark.parametrize(
    ("image", "problem"),
    [
        (mfs_image()[:-1025], "its 391 allocation blocks of 1024 bytes end"),
        (mfs_image()[:1040], "no volume information of MFS"),
        (changed(1024 + 12, ">H", 3), "announces 3 files, its directory has 2"),
        (changed(1024 + 14, ">H", 800), "its directory of 12 sectors ends"),
        (changed(1024 + 16, ">H", 5000), "a directory of 5000 sectors"),
        (changed(1024 + 18, ">H", 4000), "its 4000 allocation blocks of 1024 bytes end"),
        (changed(1024 + 20, ">L", 1000), "allocation blocks of 1000 bytes"),
        (changed(ENTRY + 22, ">H", 700), "has 0 of its 1 blocks; then comes 700"),
        (changed(ENTRY + 24, ">L", 1025), "has 1 of its 2 blocks; then comes 1"),
        (changed(ENTRY + 24, ">L", 1 << 30), "more than 64 MiB"),
        (changed(ENTRY + 24, ">L", 1 << 20), "has 1024 blocks, the volume 391"),
    ],
)
def test_damage_is_told(image: bytes, problem: str) -> None:
    with pytest.raises(ProgramError, match=problem):
        parse_mac_file(image, PATH, samples.NAME)
