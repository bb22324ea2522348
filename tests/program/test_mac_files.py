"""Mac files out of every container, made by hand, by machfs, by hfsutils and by Retro68."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import machfs
import pytest

from emu.base.errors import ProgramError, UsageError
from emu.program.mac_file.mac_file import MacFile, parse_mac_file, read_mac_file
from emu.program.mac_file.macbinary import make_macbinary
from emu.program.mac_file.resource_fork import Resource, make_resource_fork, parse_resource_fork
from tests.program import mac_samples as samples

RESOURCES = parse_resource_fork(samples.resource_fork(), Path("sample"))
FINDER = {"type": samples.TYPE, "creator": samples.CREATOR, "flags": samples.FLAGS}
UNKNOWN = {"type": "????", "creator": "????", "flags": 0}


def facts(file: MacFile) -> dict[str, object]:
    return {"type": file.type, "creator": file.creator, "flags": file.flags}


@pytest.mark.parametrize(
    ("contents", "container"),
    [
        (samples.macbinary(0), "MacBinary II"),
        (samples.macbinary(2), "MacBinary II"),
        (samples.macbinary(3), "MacBinary III"),
        (samples.apple_single(), "AppleSingle"),
        (samples.apple_single(version=0x10000), "AppleSingle"),
        (samples.hfs_image(), "HFS image"),
        (samples.disk_copy(samples.hfs_image()), "HFS image"),
    ],
)
def test_a_file_that_holds_both_forks(tmp_path: Path, contents: bytes, container: str) -> None:
    path = tmp_path / "the suffix.txt"  # which says nothing
    path.write_bytes(contents)
    file = read_mac_file(path)
    assert facts(file) == FINDER
    assert (file.name, file.container) == (samples.NAME, container)
    assert file.data == samples.DATA
    assert file.resources == RESOURCES
    inner = f":{samples.NAME}" if container == "HFS image" else ""
    assert str(file.path) == f"{path}{inner}"
    assert parse_mac_file(contents, path) == file


def test_macbinary_of_the_first_version() -> None:
    file = parse_mac_file(samples.macbinary(1), Path("old.bin"))
    assert (file.name, file.container) == (samples.NAME, "MacBinary I")
    assert file.flags == samples.FLAGS & 0xFF00, "the low byte is of the second version"
    assert (file.data, file.resources) == (samples.DATA, RESOURCES)


def test_macbinary_with_a_second_header() -> None:
    plain = samples.macbinary(2)
    header = bytearray(plain[:128])
    struct.pack_into(">H", header, 120, 5)
    samples.repair_macbinary(header)
    file = parse_mac_file(bytes(header) + b"extra".ljust(128) + plain[128:], Path("f"))
    assert (file.data, file.resources) == (samples.DATA, RESOURCES)


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("offset", [3, 65, 101, 124, 125])
def test_a_wrong_checksum_is_named(version: int, offset: int) -> None:
    contents = bytearray(samples.macbinary(version))
    contents[offset] ^= 1
    with pytest.raises(ProgramError, match="checksum of the MacBinary header is 0x") as caught:
        parse_mac_file(bytes(contents), Path("f"))
    assert caught.value.where == "offset 124"


def test_a_damaged_size_is_damage_of_the_header_too() -> None:
    contents = bytearray(samples.macbinary(3))
    contents[83] ^= 0x80
    with pytest.raises(ProgramError, match="checksum of the MacBinary header is 0x"):
        parse_mac_file(bytes(contents), Path("f"))


def test_macbinary_of_a_later_version() -> None:
    contents = bytearray(samples.macbinary(3))
    contents[123] = 131
    samples.repair_macbinary(contents)
    with pytest.raises(ProgramError, match="version 131 and later") as caught:
        parse_mac_file(bytes(contents), Path("f"))
    assert caught.value.where == "offset 123"


def test_the_last_padding_may_be_missing() -> None:
    contents = samples.macbinary(2)
    assert parse_mac_file(contents.rstrip(b"\0"), Path("f")).resources == RESOURCES


def make_sample(**changes: object) -> bytes:
    arguments: dict[str, object] = {
        "type": samples.TYPE,
        "creator": samples.CREATOR,
        "data": samples.DATA,
        "resource_fork": samples.resource_fork(),
        "flags": samples.FLAGS,
        **changes,
    }
    return make_macbinary(arguments.pop("name", samples.NAME), **arguments)


def test_macbinary_is_written() -> None:
    contents = make_sample()
    file = parse_mac_file(contents, Path("f"))
    assert (facts(file), file.name, file.container) == (FINDER, samples.NAME, "MacBinary III")
    assert (file.data, file.resources) == (samples.DATA, RESOURCES)
    assert contents == make_sample()
    assert len(contents) % 128 == 0
    assert contents[122:124] == bytes([130, 129])
    created, modified = struct.unpack_from(">2L", contents, 91)
    assert created == modified == (90 * 365 + 23) * 24 * 60 * 60, "seconds from 1904 to 1994"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": ""}, "no name for a Mac file"),
        ({"name": "n" * 64}, "no name for a Mac file"),
        ({"name": "a:b"}, "no name for a Mac file"),
        ({"name": "漢"}, "outside MacRoman"),
        ({"type": "APP"}, "four characters"),
        ({"creator": "漢字漢字"}, "outside MacRoman"),
        ({"flags": 0x10000}, "0x10000 do not fit"),
        ({"data": bytes((64 << 20) + 1)}, "at most 64 MiB"),
    ],
)
def test_what_macbinary_cannot_hold(changes: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make_sample(**changes)


@pytest.mark.parametrize("header", ["%Program", "._Program", ".AppleDouble/Program"])
@pytest.mark.parametrize("given", ["header", "data"])
def test_apple_double(tmp_path: Path, header: str, given: str) -> None:
    (tmp_path / "Program").write_bytes(samples.DATA)
    (tmp_path / header).parent.mkdir(exist_ok=True)
    (tmp_path / header).write_bytes(samples.apple_single(double=True))
    file = read_mac_file(tmp_path / (header if given == "header" else "Program"))
    assert (facts(file), file.name, file.container) == (FINDER, samples.NAME, "AppleDouble")
    assert (file.data, file.resources) == (samples.DATA, RESOURCES)


def test_apple_double_that_says_little(tmp_path: Path) -> None:
    entries = {2: samples.resource_fork()}
    (tmp_path / "%Program").write_bytes(samples.apple_single(double=True, entries=entries))
    file = read_mac_file(tmp_path / "%Program")
    assert (facts(file), file.name, file.data) == (UNKNOWN, "Program", b"")
    assert file.resources == RESOURCES


def triple(folder: Path, name: str = "Program") -> Path:
    for inner in (".rsrc", ".finf"):
        (folder / inner).mkdir()
    (folder / name).write_bytes(samples.DATA)
    (folder / ".rsrc" / name).write_bytes(samples.resource_fork())
    (folder / ".finf" / name).write_bytes(samples.finder_info())
    return folder / name


def test_a_folder_of_basilisk(tmp_path: Path) -> None:
    path = triple(tmp_path)
    file = read_mac_file(str(path))
    assert (facts(file), file.name) == (FINDER, "Program")
    assert file.container == "Basilisk II folder"
    assert (file.data, file.resources) == (samples.DATA, RESOURCES)
    (tmp_path / ".finf" / "Program").unlink()
    assert facts(read_mac_file(path)) == UNKNOWN
    (tmp_path / ".finf" / "Program").write_bytes(b"APPL")
    with pytest.raises(ProgramError, match="Finder information has 4 bytes"):
        read_mac_file(path)


def test_resources_beside_a_pef_belong_to_it(tmp_path: Path) -> None:
    path = triple(tmp_path)
    path.write_bytes(samples.PEF)
    assert read_mac_file(path).resources == RESOURCES
    shutil.rmtree(tmp_path / ".rsrc")
    file = read_mac_file(path)
    assert (file.container, file.data, file.resources.resources) == ("PEF", samples.PEF, ())
    assert (facts(file), file.name) == (UNKNOWN, "Program")


def test_what_lies_beside_a_whole_container_is_not_asked(tmp_path: Path) -> None:
    """An archive from a Mac puts a ._NAME beside everything."""
    (tmp_path / "Program.bin").write_bytes(samples.macbinary(2))
    other = samples.apple_single(double=True, entries={9: samples.finder_info()})
    (tmp_path / "._Program.bin").write_bytes(other)
    assert read_mac_file(tmp_path / "Program.bin").resources == RESOURCES
    (tmp_path / "Program").write_bytes(samples.PEF)
    (tmp_path / "._Program").write_bytes(b"something else")
    assert read_mac_file(tmp_path / "Program").container == "PEF"


def test_a_resource_fork_alone(tmp_path: Path) -> None:
    path = tmp_path / "Program.rsrc"
    path.write_bytes(samples.resource_fork())
    file = read_mac_file(path)
    assert (file.container, file.data, file.resources) == ("resource fork", b"", RESOURCES)
    header = samples.apple_single(double=True, entries={9: samples.finder_info()})
    (tmp_path / "._Program.rsrc").write_bytes(header)
    assert read_mac_file(path) == file, "a header without resources changes nothing"


@pytest.mark.parametrize(
    "contents", [b"", b"\x7fELF" + bytes(2000), b"#!/bin/sh\n", bytes(4096), b"\xff" * 4096]
)
def test_what_is_none_of_these(tmp_path: Path, contents: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(contents)
    with pytest.raises(ProgramError, match="not a Mac file") as caught:
        read_mac_file(path)
    for word in (
        "MacBinary",
        "AppleSingle",
        "AppleDouble",
        "Basilisk",
        "HFS",
        "MFS",
        "resource",
        "PEF",
    ):
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("missing", "No such file"),
        ("missing.dsk:Program", "No such file"),
        (".", "Is a directory"),
        ("n" * 5000, "File name too long"),
        ("a\0b", "null byte"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        read_mac_file(tmp_path / name)


def test_files_in_an_image(tmp_path: Path) -> None:
    path = tmp_path / "disk.dsk"
    path.write_bytes(samples.hfs_image())
    notes = read_mac_file(f"{path}:Folder:Inner:Notes")
    assert (notes.name, notes.type, notes.data) == ("Notes", "TEXT", b"text")
    assert str(notes.path) == f"{path}:Folder:Inner:Notes"
    assert read_mac_file(f"{path}:folder:INNER:notes") == notes
    assert read_mac_file(f"{path}::{samples.NAME}:") == read_mac_file(path)
    with pytest.raises(ProgramError, match="no file 'Folder'") as caught:
        read_mac_file(f"{path}:Folder")
    assert f"'{samples.NAME}', 'Folder:Inner:Notes'" in str(caught.value)


def test_a_colon_in_the_name_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "odd:disk"
    path.write_bytes(samples.hfs_image())
    assert read_mac_file(path).name == samples.NAME
    assert read_mac_file(f"{path}:Folder:Inner:Notes").data == b"text"
    (tmp_path / "plain").write_bytes(samples.macbinary(2))
    with pytest.raises(
        ProgramError, match="not a disk image of HFS or MFS, so there is no 'Name' in it"
    ):
        read_mac_file(tmp_path / "plain:Name")


def test_an_image_names_its_applications() -> None:
    def refused(files: dict[tuple[str, ...], machfs.File], message: str) -> str:
        with pytest.raises(ProgramError, match=message) as caught:
            parse_mac_file(samples.hfs_image(files), Path("disk"))
        return str(caught.value)

    one, text = samples.hfs_file(), samples.hfs_file(b"", b"", "TEXT")
    two = {("One",): one, ("Folder", "Two"): one, ("Notes",): text}
    assert "'One', 'Folder:Two'." in refused(two, "2 such files")
    assert "Name one after a colon: it has 'Notes'" in refused(
        {("Notes",): text}, "no application in the image"
    )
    many = {(f"App {number:02}",): one for number in range(15)}
    assert "'App 09' and 5 more." in refused(many, "15 such files")
    image = samples.hfs_image(two)
    assert parse_mac_file(image, Path("disk"), "Folder:Two").name == "Two"


def test_an_image_is_read_as_machfs_reads_it() -> None:
    files = {
        (f"Folder {number % 7}", f"File {number}"): samples.hfs_file(
            bytes([number]) * number * 37, samples.resource_fork() if number % 3 else b""
        )
        for number in range(60)
    }
    image = samples.hfs_image(files)
    theirs = machfs.Volume()
    theirs.read(image)
    for names in files:
        ours = parse_mac_file(image, Path("disk"), ":".join(names))
        their = theirs[names]
        assert (ours.data, ours.type.encode(), ours.flags) == (their.data, their.type, their.flags)
        assert ours.resources == parse_resource_fork(their.rsrc, Path("theirs"))


def test_a_file_in_many_parts() -> None:
    image, contents = samples.fragmented_hfs_image()
    assert parse_mac_file(image, Path("disk")).data == contents
    theirs = machfs.Volume()
    theirs.read(image)
    assert theirs[samples.NAME].data == contents


@pytest.mark.parametrize(
    ("offset", "change", "message"),
    [
        (1024, b"H+", "the volume is HFS Plus"),
        (1024 + 124, b"H+", "the volume is HFS Plus"),
    ],
)
def test_other_file_systems(offset: int, change: bytes, message: str) -> None:
    image = bytearray(samples.hfs_image())
    image[offset : offset + 2] = change
    with pytest.raises(ProgramError, match=message):
        parse_mac_file(bytes(image), Path("disk"))


@pytest.fixture
def hfsutils(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Runs the programs of hfsutils on an image that is already mounted."""
    if not all(map(shutil.which, ("hformat", "hmount", "hcopy"))):
        pytest.skip("hfsutils is not installed (apt-get install hfsutils)")
    monkeypatch.setenv("HOME", str(tmp_path))  # where hmount remembers the image

    def run(*arguments: object) -> None:
        subprocess.run([str(one) for one in arguments], check=True, capture_output=True)

    image = tmp_path / "hfsutils.dsk"
    image.write_bytes(bytes(800 << 10))
    run("hformat", "-l", "Made by hfsutils", image)
    run("hmount", image)
    return run


def test_an_image_and_macbinary_of_hfsutils(tmp_path: Path, hfsutils: Callable[..., None]) -> None:
    (tmp_path / "in.bin").write_bytes(make_sample())
    hfsutils("hcopy", "-m", tmp_path / "in.bin", ":")
    hfsutils("hmkdir", ":Folder")
    hfsutils("hcopy", "-m", tmp_path / "in.bin", ":Folder:Again")
    hfsutils("hcopy", "-m", f":{samples.NAME}", tmp_path / "out.bin")
    hfsutils("humount")
    written = read_mac_file(tmp_path / "out.bin")
    assert written.container == "MacBinary II"
    image = tmp_path / "hfsutils.dsk"
    for file in (
        written,
        read_mac_file(f"{image}:{samples.NAME}"),
        read_mac_file(f"{image}:Folder:Again"),
    ):
        # hcopy clears the flag of a file that the Finder has seen (0x0100).
        assert (file.type, file.creator) == (samples.TYPE, samples.CREATOR)
        assert file.flags & ~0x0100 == samples.FLAGS & ~0x0100
        assert (file.data, file.resources) == (samples.DATA, RESOURCES)


def test_a_file_in_many_parts_by_hfsutils(tmp_path: Path, hfsutils: Callable[..., None]) -> None:
    (tmp_path / "small").write_bytes(bytes(9000))
    contents = bytes(index * 7 % 251 for index in range(300_000))
    (tmp_path / "large").write_bytes(contents)
    for index in range(80):
        hfsutils("hcopy", "-r", tmp_path / "small", f":small{index}")
    for index in range(0, 80, 2):
        hfsutils("hdel", f":small{index}")
    hfsutils("hcopy", "-r", tmp_path / "large", ":large")
    hfsutils("humount")
    image = tmp_path / "hfsutils.dsk"
    assert read_mac_file(f"{image}:large").data == contents
    start, _ = samples.extents_overflow(image.read_bytes())
    (records,) = struct.unpack_from(">L", image.read_bytes(), start + 14 + 6)
    assert records > 1, "the file was not in more than three parts"


@pytest.mark.parametrize("suffix", ["bin", "ad", "dsk", "APPL", "rsrc"])
def test_files_of_retro68(tmp_path: Path, suffix: str) -> None:
    rez = Path(os.environ.get("RETRO68", "")) / "bin" / "Rez"
    if not os.environ.get("RETRO68") or not rez.is_file():
        pytest.skip("RETRO68 does not name the folder of a Retro68 toolchain")
    source = tmp_path / "sample.r"
    source.write_text(
        'data \'CODE\' (1, "Main", preload) { $"0001 0002" };\ndata \'SIZE\' (-1) { $"0000" };\n'
    )
    output = tmp_path / f"Sample.{suffix}"
    options = ["-o", str(output), "-t", "APPL", "-c", "MPrf"]
    subprocess.run([str(rez), str(source), *options], check=True, capture_output=True)
    file = read_mac_file(output)
    assert file.resources.resources == (
        Resource("CODE", 1, "Main", 0x04, b"\0\1\0\2"),
        Resource("SIZE", -1, "", 0, b"\0\0"),
    )
    if suffix != "rsrc":
        assert (file.type, file.creator) == ("APPL", "MPrf")


def test_a_program_of_a_million_bytes() -> None:
    large = [Resource("CODE", number, "", 0, bytes([number]) * 200_000) for number in range(5)]
    contents = make_macbinary(
        "Large", type="APPL", creator="????", resource_fork=make_resource_fork(large)
    )
    assert parse_mac_file(contents, Path("f")).resources.resources == tuple(large)
