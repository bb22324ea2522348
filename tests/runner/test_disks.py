"""Programs that are run out of disk images, with the files beside them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import machfs
import pytest

from emu.program.mac_file.mac_file import read_mac_file, read_volume_title
from emu.runner.runner import RunRequest, load_request, run_request
from emu.toolbox.loader import load
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.files.nodes import File
from tests.program import mac_samples, mfs_samples
from tests.program.mfs_samples import MfsFile

PROGRAM = Path("tests/programs/mac/prebuilt/68000/stdio.bin")


def hfs_disk(program: bytes) -> bytes:
    note = machfs.File()
    note.data, note.rsrc, note.type, note.creator = b"text", b"", b"TEXT", b"ttxt"
    note.crdate, note.mddate = mfs_samples.CREATED, mfs_samples.MODIFIED
    return mac_samples.hfs_image(
        {("Program",): mac_samples.hfs_file(b"", program), ("Notes",): note}
    )


def mfs_disk(program: bytes) -> bytes:
    files = [MfsFile("Program", b"", program), MfsFile("Notes", b"text", b"", "TEXT")]
    return mfs_samples.mfs_image(files, backwards=True)


@pytest.mark.slow
@pytest.mark.parametrize("make", [hfs_disk, mfs_disk])
def test_a_program_runs_from_a_disk(tmp_path: Path, make: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "disk.dsk"
    path.write_bytes(make(read_mac_file(PROGRAM).resource_fork))
    plain = run_request(RunRequest(PROGRAM))
    from_disk = run_request(RunRequest(tmp_path / "disk.dsk:Program"))
    assert (from_disk.completed, from_disk.text) == (True, plain.text)


def test_a_disk_may_hold_a_file_that_a_macintosh_cannot_name(tmp_path: Path) -> None:
    """Newer systems leave a .DS_Store on the disks of HFS that they write to."""
    path = tmp_path / "disk.dsk"
    program = mac_samples.hfs_file(b"", read_mac_file(PROGRAM).resource_fork)
    note = mac_samples.hfs_file(b"text", b"")
    files = {("Program",): program, (".DS_Store",): note, ("Notes",): note}
    path.write_bytes(mac_samples.hfs_image(files))
    mac = load_request(RunRequest(tmp_path / "disk.dsk:Program"))
    names = {file.name for file in mac.files.volume.files()}
    assert names - {b"Desktop"} == {b"Program", b"Notes"}


@pytest.mark.slow
@pytest.mark.parametrize(("make", "title"), [(hfs_disk, b"Untitled"), (mfs_disk, b"Disk1")])
def test_the_program_finds_its_disk_by_name(
    tmp_path: Path, make: Callable[[bytes], bytes], title: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program of 1985 opens "Disk1:Notes"."""
    path = tmp_path / "disk.dsk"
    path.write_bytes(make(read_mac_file(PROGRAM).resource_fork))
    names = []
    run_it = Macintosh.run

    def run(mac: Macintosh) -> None:
        names.append(mac.files.volume.name)
        run_it(mac)

    monkeypatch.setattr(Macintosh, "run", run)
    run_request(RunRequest(tmp_path / "disk.dsk:Program"))
    run_request(RunRequest(PROGRAM))
    assert names == [title, b"macproof"]
    assert (read_volume_title(f"{path}:Notes"), read_volume_title(PROGRAM)) == (title, b"")


def test_files_of_a_disk_have_their_forks_and_dates(tmp_path: Path) -> None:
    path = tmp_path / "disk.dsk"
    path.write_bytes(mfs_samples.mfs_image())
    mac = load(PROGRAM)
    mac.files.add_copy(read_mac_file(f"{path}:{mac_samples.NAME}"))
    file = mac.files.volume.find(mac.files.volume.root, mac_samples.NAME.encode())
    assert isinstance(file, File)
    assert (file.data, file.resources) == (mac_samples.DATA, mac_samples.resource_fork())
    assert file.finder[:10] == mac_samples.finder_info()[:10]
    assert (file.created, file.modified) == (mfs_samples.CREATED, mfs_samples.MODIFIED)
