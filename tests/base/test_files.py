"""Files are written whole, never through links, and with the permissions the user has asked for."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from emu.base.errors import InputError
from emu.base.files import read_at_most, sha256_of, write_whole


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    for leads_to in (target, tmp_path / "nothing", Path("/dev/null"), tmp_path):
        link.symlink_to(leads_to)
        with pytest.raises(InputError, match=r"cannot be written: it is a link.*name the file"):
            write_whole(link, b"new")
        assert link.is_symlink()
        link.unlink()
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["target"]


def test_a_hard_link_leaves_the_other_file_as_it_is(tmp_path: Path) -> None:
    other, path = tmp_path / "other", tmp_path / "path"
    other.write_bytes(b"old")
    path.hardlink_to(other)
    write_whole(path, b"new")
    assert (other.read_bytes(), path.read_bytes()) == (b"old", b"new")


def test_no_link_below_the_folder_is_followed(tmp_path: Path) -> None:
    """Only the folder that the user has named may be one."""
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (inside / "way").symlink_to(outside)
    (tmp_path / "named").symlink_to(inside)
    with pytest.raises(InputError, match="way in its path is a link"):
        write_whole(tmp_path / "named" / "way" / "x", b"new", below=tmp_path / "named")
    with pytest.raises(InputError, match="cannot be written"):
        write_whole(outside / "x", b"new", below=inside)
    assert not any(outside.iterdir())
    write_whole(tmp_path / "named" / "deep" / "er" / "x", b"new", below=tmp_path / "named")
    assert (inside / "deep" / "er" / "x").read_bytes() == b"new"


def test_what_is_no_regular_file_is_not_written(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, why in (("pipe", "a device or a pipe"), ("folder", "it is a folder")):
        (tmp_path / "folder").mkdir(exist_ok=True)
        with pytest.raises(InputError, match=why):
            write_whole(tmp_path / name, b"new")
    write_whole(Path("/dev/null"), b"new")  # which is the system's own


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="it is a pipe; write what comes out of it into a file"):
        read_at_most(tmp_path / "pipe", 5, "a test")
    assert sha256_of(tmp_path / "pipe", 5) == ""
    reading, writing = os.pipe()
    os.write(writing, b"12345")
    os.close(writing)
    assert read_at_most(Path(f"/dev/fd/{reading}"), 5, "a test") == b"12345"
    os.close(reading)


def test_a_limit_reserves_no_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert read_at_most(tmp_path / "file", 1 << 60, "a test") == b"12345"


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_the_umask_is_honoured(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        write_whole(tmp_path / "file", b"")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o666 & ~mask


def test_nothing_is_left_when_it_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="cannot be written"):
        write_whole(tmp_path / "file" / "below", b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_more_than_the_limit_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert read_at_most(tmp_path / "file", 5, "a test") == b"12345"
    with pytest.raises(InputError, match="too large for a test"):
        read_at_most(tmp_path / "file", 4, "a test")
