"""Files are written whole, through links, and with the permissions the user has asked for."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from emu.base.errors import InputError
from emu.base.files import read_at_most, write_whole


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


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
