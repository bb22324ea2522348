"""Hostile Mac files: each is read or refused with a ProgramError, soon and in little memory."""

from __future__ import annotations

import re
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import MacproofError, ProgramError
from emu.program.mac_file.mac_file import parse_mac_file, read_mac_file
from emu.program.mac_file.resource_fork import parse_resource_fork
from tests.program import fuzz_readers as fuzzing
from tests.program import mac_samples as samples

FILE = Path("hostile")
SAMPLES = {
    "MacBinary I": samples.macbinary(1),
    "MacBinary II": samples.macbinary(2),
    "MacBinary III": samples.macbinary(3),
    "AppleSingle": samples.apple_single(),
    "AppleDouble": samples.apple_single(double=True),
    "resource fork": samples.resource_fork(),
}


def attempt(contents: bytes) -> bool:
    """Whether a file is read; anything but success and ProgramError fails the test."""
    try:
        parse_mac_file(contents, FILE)
    except ProgramError:
        return False
    return True


@pytest.mark.parametrize("name", SAMPLES)
def test_every_beginning_is_refused(name: str) -> None:
    contents = SAMPLES[name].rstrip(b"\0")
    assert attempt(contents)
    for size in range(len(contents)):
        assert not attempt(contents[:size]), f"the first {size} bytes were read"


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_every_flipped_bit_of_the_structure(name: str) -> None:
    contents = bytearray(SAMPLES[name])
    length = min(len(contents), 200)
    for place in [*range(length), *range(len(contents) - 200, len(contents))]:
        for bit in range(8):
            contents[place] ^= 1 << bit
            attempt(bytes(contents))
            contents[place] ^= 1 << bit


@given(st.binary(max_size=400))
def test_any_bytes(contents: bytes) -> None:
    attempt(contents)
    attempt(samples.apple_single()[:24] + contents)
    attempt(samples.apple_single(double=True)[:24] + contents)


@given(st.binary(min_size=30, max_size=200))
def test_any_bytes_as_a_resource_map(contents: bytes) -> None:
    header = struct.pack(">4L", 16, 16 + 64, 64, len(contents))
    map_ = contents[:24] + b"\0\x1c" + contents[26:28] + b"\0" + contents[29:]
    try:
        fork = parse_resource_fork(header + bytes(64) + map_, FILE)
    except ProgramError:
        return
    assert sum(4 + len(one.data) for one in fork.resources) <= 64


def image_with(offset: int, field: str, *values: int) -> bytes:
    """The sample volume with one field changed."""
    image = bytearray(samples.hfs_image())
    struct.pack_into(field, image, offset, *values)
    return bytes(image)


IMAGE = samples.hfs_image()
CATALOGUE, CATALOGUE_END = samples.catalogue(IMAGE)
LEAF = CATALOGUE + 512 * struct.unpack_from(">L", IMAGE, CATALOGUE + 14 + 10)[0]
RECORD = samples.file_record(IMAGE, samples.NAME)
HUGE = 0xFFFFFFFF


@pytest.mark.parametrize(
    ("offset", "field", "values", "message"),
    [
        (1024 + 18, ">H", (0xFFFF,), "the image is truncated: its 65535 allocation blocks"),
        (1024 + 20, ">L", (HUGE & ~511,), "the image is truncated"),
        (1024 + 20, ">L", (0,), "allocation blocks of 0 bytes"),
        (1024 + 20, ">L", (513,), "allocation blocks of 513 bytes"),
        (1024 + 28, ">H", (0xFFFF,), "the image is truncated"),
        (1024 + 130, ">L", (HUGE,), r"the extents overflow file has 4,294,967,295 bytes"),
        (1024 + 146, ">L", (HUGE,), r"the catalogue has 4,294,967,295 bytes"),
        (1024 + 146, ">L", (0,), "the catalogue does not begin with the header of a tree"),
        (1024 + 146, ">L", (1 << 20,), "the catalogue has [0-9]+ of its 2048 blocks only"),
        (1024 + 150, ">H", (0xFFFE,), "the catalogue has blocks 65534 to"),
        (CATALOGUE + 8, ">B", (0,), "does not begin with the header of a tree"),
        (CATALOGUE + 14 + 18, ">H", (0,), "nodes of 0 bytes"),
        (CATALOGUE + 14 + 18, ">H", (768,), "nodes of 768 bytes"),
        (CATALOGUE + 14 + 10, ">L", (HUGE,), "refers to node 4294967295, which it does not have"),
        (CATALOGUE + 14 + 10, ">L", (0,), "node 0 of the catalogue is not a leaf"),
        (CATALOGUE + 14 + 6, ">L", (HUGE,), "announces 4294967295 records and has"),
        (LEAF + 10, ">H", (0xFFFF,), "announces 65535 records, more than fit"),
        (LEAF + 508, ">H", (0,), "overlap or leave it"),
        (LEAF + 508, ">H", (0xFFFF,), "overlap or leave it"),
        (LEAF + 14, ">B", (0,), "a record of a wrong size"),
        (LEAF + 14 + 6, ">B", (255,), "a record of a wrong size"),
        (RECORD + 26, ">L", (HUGE,), "the data fork of 'Four Shifts' has 4,294,967,295 bytes"),
        (RECORD + 36, ">L", (1 << 20,), "the resource fork of 'Four Shifts' has"),
        (RECORD + 74, ">H", (0xFFFF,), "has blocks 65535 to"),
        (RECORD + 74, ">4H", (1, 1, 1, 1), "overlap"),
        (RECORD - 12 - 4, ">L", (4711,), "the catalogue lacks folder 4711"),
    ],
)
def test_a_volume_that_leads_astray(
    offset: int, field: str, values: tuple[int, ...], message: str
) -> None:
    with pytest.raises(ProgramError, match=message):
        parse_mac_file(image_with(offset, field, *values), FILE)


def test_leaves_in_a_circle() -> None:
    """Followed as they are, they would lead round for ever."""
    files = {(f"A file with a long name {n}",): samples.hfs_file(b"", b"") for n in range(20)}
    image = bytearray(samples.hfs_image(files))
    start, _ = samples.catalogue(image)
    first = struct.unpack_from(">L", image, start + 14 + 10)[0]
    struct.pack_into(">L", image, start + 512 * first, first)
    with pytest.raises(ProgramError, match=f"form a loop at node {first}"):
        parse_mac_file(bytes(image), FILE)


def test_folders_in_each_other() -> None:
    image = bytearray(IMAGE)
    inner = image.index(b"\x05Inner", CATALOGUE, CATALOGUE_END)
    (number,) = struct.unpack_from(">L", image, inner + 6 + 6)
    struct.pack_into(">L", image, inner - 4, number)
    with pytest.raises(ProgramError, match="nested deeper than 100, or contain themselves"):
        parse_mac_file(bytes(image), FILE)


def test_extents_that_go_on_for_ever() -> None:
    """A record in the overflow file that adds nothing would be asked for again and again."""
    image = bytearray(samples.fragmented_hfs_image()[0])
    start, _ = samples.extents_overflow(image)
    struct.pack_into(">6H", image, start + 512 + 14 + 8, 0, 0, 0, 0, 0, 0)
    with pytest.raises(ProgramError, match="has 3 of its 8 blocks only"):
        parse_mac_file(bytes(image), FILE)


@pytest.mark.parametrize(
    ("contents", "offset", "message"),
    [
        (samples.macbinary(2), 83, "its data fork has 4,294,967,295 bytes"),
        (samples.macbinary(3), 87, "its resource fork has 4,294,967,295 bytes"),
        (samples.macbinary(2), 84, "its data fork has 16,777,215 bytes|ends at offset"),
        (samples.apple_single(), 26 + 4, "the real name ends at offset"),
        (samples.apple_single(), 26 + 8, "the real name ends at offset"),
        (samples.apple_single(), 26 + 12 + 8, "the Finder information ends at offset"),
        (samples.apple_single(), 26 + 3 * 12 + 8, "the data fork ends at offset"),
    ],
)
def test_sizes_of_four_gigabytes(contents: bytes, offset: int, message: str) -> None:
    hostile = bytearray(contents)
    struct.pack_into(">L", hostile, offset, HUGE)
    if contents[0:4] != samples.apple_single()[0:4]:
        samples.repair_macbinary(hostile)
    with pytest.raises(ProgramError, match=message):
        parse_mac_file(bytes(hostile), FILE)


def test_apple_single_with_its_entries_on_one_another() -> None:
    hostile = bytearray(samples.apple_single())
    struct.pack_into(">L", hostile, 26 + 4, 10)
    with pytest.raises(ProgramError, match="the header and the real name overlap"):
        parse_mac_file(bytes(hostile), FILE)
    struct.pack_into(">L", hostile, 26 + 4, 80)
    with pytest.raises(ProgramError, match="overlap"):
        parse_mac_file(bytes(hostile), FILE)


def test_files_that_never_end() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("there is no /dev/zero on this system")
    with pytest.raises(ProgramError, match="which is too large for a Mac file"):
        read_mac_file("/dev/zero")


def test_a_large_image_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "large.dsk"
    with path.open("wb") as file:
        file.write(samples.hfs_image())
        file.truncate(1 << 31)
    tracemalloc.start()
    try:
        assert read_mac_file(path).data == samples.DATA
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


# The fuzz driver itself, and a short run of it.


@pytest.mark.parametrize("reader", fuzzing.READERS, ids=lambda reader: reader.name)
def test_damaged_files(reader: fuzzing.Reader) -> None:
    report = fuzzing.fuzz(reader, 600, run=1994)
    assert report.faults == []
    assert report.read + report.refused == 600
    assert report.read > 30, "most of the damage is refused at once and reaches nothing"
    assert len(report.problems) > 5


def test_inputs_do_not_depend_on_the_run_before() -> None:
    reader = fuzzing.READERS[0]
    seeds = reader.seeds()
    first = [fuzzing.make_input(reader, seeds, 1, number) for number in range(50)]
    assert [fuzzing.make_input(reader, seeds, 1, number) for number in range(50)] == first
    assert len(set(first)) > 40
    assert fuzzing.make_input(reader, seeds, 2, 0) != first[0]


def fails(data: bytes) -> None:
    if data != b"valid file":
        raise ValueError("an error of the reader's own")


def hangs(data: bytes) -> None:
    while data != b"valid file":
        pass


def devours(data: bytes) -> None:
    if data != b"valid file":
        bytearray(8 << 30)


def devours_and_says_damaged(data: bytes) -> None:
    try:
        devours(data)
    except MemoryError as error:
        raise MacproofError("it is damaged") from error


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (fails, "ValueError: an error of the reader's own"),
        (hangs, r"took more than 0\.01 s"),
        (devours, "MemoryError"),
        (devours_and_says_damaged, "ran out of memory before it said: it is damaged"),
    ],
)
def test_the_driver_sees_what_a_reader_does_wrong(
    read: Callable[[bytes], None], message: str
) -> None:
    if "devours" in read.__name__ and not Path("/proc/self/statm").exists():
        pytest.skip("the use of memory is bounded on Linux only")
    seeds = [fuzzing.Seed(b"valid file")]
    reader = fuzzing.Reader("bad", lambda: seeds, read)
    report = fuzzing.fuzz(reader, 10, run=1, seconds=0.01)
    assert 5 < len(report.faults) <= 10
    assert all(one.startswith("bad, input ") for one in report.faults)
    assert all(re.search(message, one) for one in report.faults)


def test_the_driver_wants_valid_seeds() -> None:
    reader = fuzzing.Reader("bad", lambda: [fuzzing.Seed(b"invalid")], fails)
    with pytest.raises(ValueError, match="of the reader's own"):
        fuzzing.fuzz(reader, 1, run=1)


def test_the_driver_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fuzzing.main(["--inputs", "11", "--seed", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(fuzzing.READERS)
    assert all("0 faults" in line for line in lines)
    bad = fuzzing.Reader("bad", lambda: [fuzzing.Seed(b"valid file")], fails)
    assert fuzzing.main(["--inputs", "10", "--problems"], [bad]) == 1
    assert "bad, input 0: Traceback" in capsys.readouterr().out
    saved = tmp_path / "input"
    with pytest.raises(ValueError, match="of the reader's own"):
        fuzzing.main(["--replay", "bad", "0", "--save", str(saved)], [bad])
    assert saved.read_bytes() == fuzzing.make_input(bad, bad.seeds(), 1, 0)
    with pytest.raises(SystemExit):
        fuzzing.main(["--reader", "other"], [bad])
