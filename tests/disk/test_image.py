"""Disk images, read back by hfsutils, by our own reader, and block by block."""

from __future__ import annotations

import io
import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import machfs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.base.errors import ProgramError, ToolMissingError, UsageError
from emu.disk.contents import DATE, DiskFile, check_distinct, checked_name, file_from, places
from emu.disk.image import SIZES, is_untouched, make_image, parse_size, shown_size
from emu.disk.programs import own_programs, read_programs
from emu.disk.readme_text import make_readme
from emu.disk.tree_room import with_tree_room
from emu.program.mac_file.hfs_image import open_hfs_volume
from emu.program.mac_file.mac_file import read_mac_file
from emu.program.mac_file.macbinary import make_macbinary
from emu.program.mac_file.volume_image import ImageVolume
from emu.toolchain.mac_app.application import application_digest
from emu.toolchain.mac_app.applications import read_applications
from emu.toolchain.mac_app.mac_prebuilt import prebuilt_folder
from emu.toolchain.sources import mac_sources
from tests.disk.conftest import HfsUtils
from tests.disk.volume_check import check_volume
from tests.examples import examples
from tests.program import mac_samples as samples

ROOT = Path(__file__).parents[2]
PREBUILT = ROOT / "tests" / "programs" / "mac" / "prebuilt"
PROGRAMS = sorted(PREBUILT.glob("68000/*.bin"))
MAC_ROMAN = bytes(code for code in range(1, 256) if code != ord(":")).decode("mac_roman")


def document(name: str, data: bytes = b"text", resources: bytes = b"", flags: int = 0) -> DiskFile:
    return DiskFile(name, "TEXT", "ttxt", flags, data, resources)


def opened(image: bytes) -> ImageVolume:
    return open_hfs_volume(io.BytesIO(image), Path("made.dsk"))


@pytest.fixture(scope="module")
def programs() -> list[DiskFile]:
    return [
        *read_programs(map(str, PROGRAMS)),
        document("Résumé ƒ/•", b"\0\xff" * 999, b"", 0x6001),
    ]


def test_every_program_is_read_back_the_same(programs: list[DiskFile]) -> None:
    image = make_image(programs)
    found = check_volume(image.contents)
    volume = opened(image.contents)
    assert len(volume.files) == len(programs)
    for file, place in zip(programs, places(len(programs)), strict=True):
        forks = volume.read(volume.find(file.name))
        assert (forks.name, forks.type, forks.creator) == (file.name, file.type, file.creator)
        assert (forks.data, forks.resource_fork) == (file.data, file.resource_fork)
        assert forks.flags == file.flags & ~1 | 0x100, "inited, and not on the desktop"
        assert found.entries[file.raw_name].place == (place.vertical, place.horizontal)
    assert found.free == image.free


def test_the_forks_are_those_of_the_file_they_came_from() -> None:
    for path in PROGRAMS:
        contents = path.read_bytes()
        sizes = struct.unpack_from(">LL", contents, 83)
        data_end = 128 + -(-sizes[0] // 128) * 128
        file = file_from(read_mac_file(path))
        assert file.data == contents[128 : 128 + sizes[0]]
        assert file.resource_fork == contents[data_end : data_end + sizes[1]] != b""


def test_hfsutils_reads_it(programs: list[DiskFile], tmp_path: Path, hfsutils: HfsUtils) -> None:
    path = tmp_path / "made.dsk"
    path.write_bytes(make_image(programs, name="Année 1994").contents)
    assert "Année 1994".encode("mac_roman") in hfsutils("hmount", path)
    listing = hfsutils("hls", "-l", "-a", "-N").splitlines()
    assert len(listing) == len(programs)
    for file in programs:
        sizes = [len(file.resource_fork), len(file.data)]  # in this order
        (line,) = [one for one in listing if one.endswith(b" " + file.raw_name)]
        words = line.split(maxsplit=7)
        assert words[1] == f"{file.type}/{file.creator}".encode("mac_roman")
        assert [int(word) for word in words[2:4]] == sizes
        assert words[4:7] == [b"Jan", b"1", b"1994"]
        out = tmp_path / "copied"
        hfsutils("hcopy", "-m", b":" + file.raw_name, out)
        copied = read_mac_file(out)
        assert (copied.name, copied.type, copied.creator) == (file.name, file.type, file.creator)
        assert (copied.data, copied.resource_fork) == (file.data, file.resource_fork)
        hfsutils("hcopy", "-r", b":" + file.raw_name, out)
        assert out.read_bytes() == file.data


def test_every_character_of_macroman_can_be_in_a_name(tmp_path: Path, hfsutils: HfsUtils) -> None:
    """The catalogue is sorted as the reader searches it, or files would not be found."""
    # hfsutils takes these for patterns, "." and ".." for folders.
    characters = [c for c in MAC_ROMAN if c not in "*?[]{}\\." and c == c.lower() and c != "\xa0"]
    files = [document(f"{c}{c} name", c.encode()) for c in characters]
    path = tmp_path / "names.dsk"
    path.write_bytes(make_image(files).contents)
    volume = opened(path.read_bytes())
    hfsutils("hmount", path)
    for file in files:
        assert volume.read(volume.find(file.name)).data == file.data
    names = b"\0".join(b":" + file.raw_name for file in files[::5])
    folder = tmp_path / "out"
    folder.mkdir()
    hfsutils("hcopy", "-r", *names.split(b"\0"), folder)
    assert len(list(folder.iterdir())) == len(files[::5])


def test_a_name_of_31_characters_fits_and_one_of_32_does_not() -> None:
    longest = "É" * 31
    image = make_image([document(longest)])
    assert opened(image.contents).files[0].path == (longest,)
    with pytest.raises(
        UsageError, match=r"32 characters, but a Mac disk allows only 31.*FILE=NAME"
    ):
        checked_name("É" * 32)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "is empty"),
        ("a:b", "a colon"),
        ("a\0b", "a zero byte"),
        (".Sony", "begins with a period"),
        ("日本", "outside MacRoman"),
        ("\udcff", "outside MacRoman"),
        ("Desktop DB", "the Finder makes"),
    ],
)
def test_names_that_are_none(name: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        checked_name(name)


def test_a_slash_is_a_letter_and_parted_accents_are_put_together() -> None:
    assert checked_name("a/b") == "a/b"
    assert checked_name("Re\u0301sume\u0301") == "Résumé"


@pytest.mark.parametrize(
    ("one", "other"), [("Read Me", "read me"), ("É", "é"), ("a b", "a\xa0b"), ("x", "x")]
)
def test_names_that_a_mac_takes_for_the_same(one: str, other: str) -> None:
    with pytest.raises(UsageError, match="two files would be called"):
        make_image([document(one), document(other)])
    with pytest.raises(UsageError):
        check_distinct([document(one), document(other)])


@pytest.mark.slow
def test_the_same_files_give_the_same_bytes_anywhere(tmp_path: Path) -> None:
    made = []
    for zone, mask in (("UTC", "022"), ("Pacific/Auckland", "077")):
        path = tmp_path / f"{mask}.dsk"
        command = f'umask {mask}; exec "$@"'
        words = [sys.executable, "-m", "emu.cli", "disk", str(PROGRAMS[0]), "-o", str(path)]
        subprocess.run(
            ["sh", "-c", command, "sh", *words],
            cwd=ROOT,
            env={**os.environ, "TZ": zone, "PYTHONHASHSEED": mask},
            check=True,
            capture_output=True,
            timeout=60,
        )
        made.append(path.read_bytes())
        assert path.stat().st_mode & 0o777 == 0o666 & ~int(mask, 8)
    assert made[0] == made[1]
    files = list(read_programs([str(PROGRAMS[0])]))
    assert made[0] == make_image([*files, make_readme(files)]).contents


def test_the_size_is_chosen_with_room_to_spare() -> None:
    for kilobytes, size in ((10, SIZES[0]), (700, SIZES[0]), (760, SIZES[1]), (1420, SIZES[2])):
        image = make_image([document("data", bytes(kilobytes << 10))])
        assert len(image.contents) == size
        assert image.free >= 48 << 10
        check_volume(image.contents)


@pytest.mark.parametrize("size", [400 << 10, 800 << 10, 1440 << 10, 20 << 20, (33 << 20) + 512])
def test_sizes(size: int) -> None:
    image = make_image([document("data", bytes(300 << 10), b"\1" * 777)], size)
    assert len(image.contents) == size
    found = check_volume(image.contents)
    assert found.entries[b"data"].resources == 777
    assert min(found.clumps) >= size // 128 // 512 * 512


def test_what_does_not_fit_is_said_with_a_size_that_does() -> None:
    files = [document("large", bytes(790 << 10)), document("small")]
    with pytest.raises(UsageError, match=r"2 files with 791K do not fit on a disk of 800K") as said:
        make_image(files, 800 << 10)
    assert "--size 1440K" in str(said.value)
    check_volume(make_image(files, 1440 << 10).contents)


def test_a_disk_that_is_just_full() -> None:
    """What is free can be filled to the last block, and no further."""
    free = make_image([document("x", b"")], 400 << 10).free
    full = make_image([document("x", bytes(free))], 400 << 10)
    assert full.free == 0
    check_volume(full.contents)
    with pytest.raises(UsageError, match="do not fit"):
        make_image([document("x", bytes(free + 1))], 400 << 10)


@pytest.mark.parametrize("text", ["", "K", "399K", "257M", "800.5K", "819201", "-800K", "1e6"])
def test_sizes_that_are_none(text: str) -> None:
    with pytest.raises(UsageError, match="no size for a disk"):
        parse_size(text)


@pytest.mark.parametrize(
    ("text", "size", "shown"),
    [
        ("800k", 819_200, "800K"),
        ("1440KB", 1_474_560, "1440K"),
        ("10M", 10 << 20, "10M"),
        ("409600", 409_600, "400K"),
        ("410112", 410_112, "410112 bytes"),
    ],
)
def test_sizes_in_words(text: str, size: int, shown: str) -> None:
    assert parse_size(text) == size
    assert shown_size(size) == shown


def test_hundreds_of_files() -> None:
    files = [document(f"File {number:03}", str(number).encode()) for number in range(700)]
    image = make_image(files)
    found = check_volume(image.contents)
    volume = opened(image.contents)
    assert [volume.read(volume.find(f"file {n:03}")).data for n in (0, 350, 699)] == [
        b"0",
        b"350",
        b"699",
    ]
    assert len({entry.place for entry in found.entries.values()}) == 700


@given(st.integers(0, 20_000))
@settings(max_examples=30, deadline=None)
def test_no_two_icons_have_the_same_place(count: int) -> None:
    found = places(count)
    assert len({(place.vertical, place.horizontal) for place in found}) == count
    assert all(0 < v <= 32_767 for place in found for v in (place.vertical, place.horizontal))


def test_the_grid_fits_into_a_window_of_the_smallest_screen() -> None:
    assert all(place.horizontal + 32 < 480 for place in places(24))
    assert all(place.vertical + 32 < 300 for place in places(16))


def add_files(path: Path, count: int, hfsutils: HfsUtils) -> None:
    """What a Mac does, done by hfsutils."""
    one = path.with_name("one")
    one.write_bytes(b"result" * 50)
    hfsutils("hmount", path)
    for number in range(count):
        hfsutils("hcopy", "-r", one, f":added {number}")


@pytest.mark.slow
def test_a_volume_can_take_many_files_from_a_mac(tmp_path: Path, hfsutils: HfsUtils) -> None:
    path = tmp_path / "grown.dsk"
    path.write_bytes(make_image([document("Read Me")], 800 << 10).contents)
    add_files(path, 120, hfsutils)
    found = check_volume(path.read_bytes(), changed=True)
    assert len(found.entries) == 121
    again = machfs.Volume()
    again.read(path.read_bytes())
    assert len(again) == 121
    assert not is_untouched(path), "a Mac has dated it"


@pytest.mark.slow
def test_a_volume_without_room_for_its_trees_cannot(tmp_path: Path, hfsutils: HfsUtils) -> None:
    volume = machfs.Volume()
    volume["Read Me"] = machfs.File()
    path = tmp_path / "small.dsk"
    path.write_bytes(volume.write(size=800 << 10, desktopdb=False, bootable=False))
    add_files(path, 120, hfsutils)
    with pytest.raises(AssertionError):
        check_volume(path.read_bytes(), changed=True)


def test_an_image_as_we_wrote_it_is_known(tmp_path: Path) -> None:
    path = tmp_path / "made.dsk"
    contents = make_image([document("Read Me")]).contents
    path.write_bytes(contents)
    assert is_untouched(path)
    changed = bytearray(contents)
    struct.pack_into(">L", changed, 1024 + 6, DATE + 1)
    path.write_bytes(changed)
    assert not is_untouched(path)
    for other in (b"", contents[:1030], bytes(5000)):
        path.write_bytes(other)
        assert not is_untouched(path)
    assert not is_untouched(tmp_path)
    assert not is_untouched(tmp_path / "missing")


def test_trees_that_find_no_room() -> None:
    volume = machfs.Volume()
    volume["data"] = entry = machfs.File()
    entry.data = bytes(394 << 10)
    small = volume.write(size=400 << 10, desktopdb=False, bootable=False)
    check_volume(small)
    assert with_tree_room(small) is None


@pytest.mark.parametrize(
    "offset",
    [1024 + 34, 1024 + 84, 1536 + 1, -1024 + 35, 1024 + 18 + 130],
    ids=["free blocks", "files", "bitmap", "copy", "extents"],
)
def test_the_check_of_volumes_sees_damage(offset: int) -> None:
    contents = bytearray(make_image([document("data", bytes(30_000))]).contents)
    check_volume(bytes(contents))
    contents[offset] ^= 0x11
    with pytest.raises((AssertionError, struct.error)):
        check_volume(bytes(contents))


forks = st.binary(max_size=3000)
codes = st.text(MAC_ROMAN + ":", min_size=4, max_size=4)
made_files = st.lists(
    st.builds(
        DiskFile,
        name=st.text(MAC_ROMAN, min_size=1, max_size=31).filter(lambda name: name[0] != "."),
        type=codes,
        creator=codes,
        flags=st.integers(0, 0xFFFF),
        data=forks,
        resource_fork=forks,
    ),
    max_size=40,
    unique_by=lambda file: file.name.replace("\xa0", " ").lower(),
)


@given(made_files)
@settings(max_examples=examples(40), deadline=None)
def test_any_files_come_back(files: list[DiskFile]) -> None:
    image = make_image(files)
    check_volume(image.contents)
    volume = opened(image.contents)
    found = {file.path[-1]: volume.read(file) for file in volume.files}
    assert found.keys() == {file.name for file in files}
    for file in files:
        forks = found[file.name]
        assert (forks.type, forks.creator) == (file.type, file.creator)
        assert (forks.data, forks.resource_fork) == (file.data, file.resource_fork)


@given(st.text(max_size=40))
@settings(max_examples=examples(50), deadline=None)
def test_any_name_is_refused_or_fits(name: str) -> None:
    try:
        good = checked_name(name)
    except UsageError:
        return
    assert 1 <= len(good.encode("mac_roman")) <= 31
    assert ":" not in good


def test_programs_are_named_by_their_processors() -> None:
    (old,) = read_programs([str(PREBUILT / "68000" / "menus.bin")])
    (new,) = read_programs([f"{PREBUILT / '601' / 'menus.bin'}=Menus for PowerPC"])
    assert (old.processors, new.processors) == (("68K",), ("PowerPC",))
    assert new.name == "Menus for PowerPC"


def test_a_file_with_an_equals_sign_in_its_name(tmp_path: Path) -> None:
    path = tmp_path / "a=b"
    path.write_bytes(samples.macbinary(3))
    assert read_programs([str(path)])[0].name == samples.NAME
    assert read_programs([f"{path}=Other"])[0].name == "Other"
    for word in (f"{path}=", "=Name"):
        with pytest.raises(UsageError, match="FILE=NAME"):
            read_programs([word])
    with pytest.raises(ProgramError):
        read_programs([str(tmp_path / "missing=Name")])


def test_a_name_too_long_for_a_disk_comes_from_macbinary(tmp_path: Path) -> None:
    path = tmp_path / "long.bin"
    path.write_bytes(make_macbinary("x" * 63, type="APPL", creator="????", data=b"x"))
    with pytest.raises(UsageError, match=r"long\.bin: the name .* has 63 characters"):
        read_programs([str(path)])
    assert read_programs([f"{path}=Short"])[0].name == "Short"


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A copy of the sources, with a manifest that takes the prebuilt applications for theirs."""
    copy = Path(shutil.copytree(mac_sources(), tmp_path / "mac_src"))
    manifest = prebuilt_folder(copy) / "manifest.json"
    entries = json.loads(manifest.read_text())
    for entry in entries["applications"]:
        application = read_applications(copy)[entry["application"]]
        entry["source_sha256"] = application_digest(
            application.source_paths(copy), copy / application.resources, copy
        )
    manifest.write_text(json.dumps(entries))
    return copy


def test_the_kits_own_programs_are_fat(sources: Path) -> None:
    folder = prebuilt_folder(sources)
    shutil.copy(PREBUILT / "68000" / "menus.bin", folder / "68000")  # the manifest has it not
    found = own_programs(sources)
    assert [(file.name, file.processors) for file in found] == [
        ("Four Shifts", ("68K", "PowerPC")),
        ("PortCheck", ("68K", "PowerPC")),
    ]
    assert found[0].data == read_mac_file(folder / "601" / "Four Shifts.bin").data


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_the_kits_own_programs_are_what_the_manifest_says(sources: Path, cpu: str) -> None:
    path = prebuilt_folder(sources) / cpu / "PortCheck.bin"
    whole = path.read_bytes()
    shutil.copy(PREBUILT / cpu / "menus.bin", path)
    with pytest.raises(ProgramError, match="not the file its manifest describes"):
        own_programs(sources)
    path.write_bytes(whole)
    changed = sources / "port_check" / "window.cpp"
    changed.write_bytes(changed.read_bytes() + b"\n")
    with pytest.raises(
        ToolMissingError, match="PortCheck for the 68000 was made from other sources"
    ):
        own_programs(sources)


def test_the_read_me() -> None:
    files = list(read_programs([str(PREBUILT / "68000" / "menus.bin")]))
    readme = make_readme(files)
    assert (readme.type, readme.creator) == ("TEXT", "ttxt")
    assert b"\n" not in readme.data
    assert b"menus (68K, " in readme.data
    assert b"macproof results" not in readme.data, "nothing on the disk measures"
    many = [DiskFile(f"PortCheck {n}", "APPL", "MPrf", 0, b"", b"", ("68K",)) for n in range(900)]
    long = make_readme(many)
    assert len(long.data) < 32_000
    assert b"macproof results" in long.data
    assert b"and 800 more programs" in long.data
