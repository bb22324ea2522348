"""The file of results: read, and every damage seen."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emu.base.errors import InputError
from emu.disk.contents import DiskFile
from emu.disk.image import make_image
from emu.program.mac_file.macbinary import make_macbinary
from emu.results.results_file import KEYS, parse_results_file, read_results_file
from emu.results.text_file import DamagedFileError, with_checksum


def test_it_is_read(right):
    found = parse_results_file(right)
    assert list(found.about) == list(KEYS)
    assert found.machine == "Quadra 700, 68040"
    assert len(found.scenes) == 25
    assert [t.objects for t in found.timings] == [0, 50, 100, 200]
    assert found.timings[0].per_second == 611
    assert not found.is_virtual


@pytest.mark.parametrize("end_of_line", [b"\n", b"\r\n"])
def test_other_ends_of_lines_are_the_same_file(right, lines, end_of_line):
    copied = right.replace(b"\r", end_of_line)
    assert parse_results_file(copied) == parse_results_file(right)
    assert copied == with_checksum(lines(), end_of_line)


@pytest.mark.parametrize("first", [b"\r", b"\n", b"\r\n"])
@pytest.mark.parametrize("other", [b"\r", b"\n", b"\r\n"])
@pytest.mark.parametrize("place", [0, 3, -1])
def test_mixed_ends_of_lines_are_called_so(lines, first, other, place):
    pieces = with_checksum(lines(), first).split(first)[:-1]
    ends = [first] * len(pieces)
    ends[place] = other
    data = b"".join(piece + end for piece, end in zip(pieces, ends, strict=True))
    if first == other:
        assert parse_results_file(data).scenes
        return
    cut = place == -1 and (first, other) == (b"\r\n", b"\r")
    with pytest.raises(DamagedFileError, match="cut short" if cut else "line ends are mixed"):
        parse_results_file(data)


text = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=40)
numbers = st.integers(0, 2**32 - 1)
positive = st.integers(1, 2**32 - 1)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text.filter(str.strip),
    st.lists(numbers, min_size=1, max_size=5, unique=True).map(sorted),
    st.lists(
        st.tuples(numbers, positive, positive).filter(lambda t: t[1] <= 10 * t[2]),
        max_size=5,
        unique_by=lambda t: t[0],
    ).map(sorted),
)
def test_what_is_written_is_read(lines, value, indices, times):
    scenes = [f"scene {i} {i} four-shifts {i:08x}" for i in indices]
    data = with_checksum(lines({"machine": value}, scenes, times))
    found = parse_results_file(data)
    assert found.about["machine"] == value
    assert [(s.index, s.digest) for s in found.scenes] == [(i, i) for i in indices]
    assert [(t.objects, t.iterations, t.microseconds) for t in found.timings] == times


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), st.integers(1, 255))
def test_any_byte_changed_is_seen(right, data, difference):
    changed = bytearray(right)
    changed[data.draw(st.integers(0, len(right) - 1))] ^= difference
    with pytest.raises(DamagedFileError):
        parse_results_file(bytes(changed))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_end_missing_is_seen(right, data):
    with pytest.raises(DamagedFileError):
        parse_results_file(right[: data.draw(st.integers(0, len(right) - 1))])


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda s: [*s[:1], "owner: me", *s[1:]], "'owner' is unknown here, where program belongs"),
        (lambda s: [*s[:2], s[3], s[2], *s[4:]], "'compiler' is not at its place"),
        (lambda s: [*s[:2], *s[3:]], "where build belongs"),
        (lambda s: [*s[:2], "build", *s[3:]], "no key and value"),
        (lambda s: [*s[:2], "build:  ", *s[3:]], "build has no value"),
        (lambda s: [x.replace("scenes-crc: ", "scenes-crc: 0") for x in s], "not a CRC"),
        (lambda s: [*s[:12], s[13], s[12], *s[14:]], "scene 0 of four-shifts is out of order"),
        (lambda s: [*s[:13], s[12], *s[13:]], "scene 0 of four-shifts is out of order"),
        (lambda s: [*s[:-1], s[-1], s[12]], "does not belong here"),
        (lambda s: [*s, s[-2]], "the time for 100 objects is out of order"),
        (lambda s: [*s, "time four-shifts 500 0 10"], "a time needs at least one"),
        (lambda s: [*s, "time four-shifts 500 10 0"], "a time needs at least one"),
        (lambda s: [*s, "time four-shifts 500 4294967295 1"], "more than any Macintosh"),
        (lambda s: [*s, "time four-shifts 500 10000001 1000000"], "more than 10,000,000 runs"),
        (lambda s: [*s, "time four-shifts 500 10 4294967296"], "a number that is none"),
        (lambda s: [*s, "time four-shifts 500 10"], "no time"),
        (lambda s: [*s, "note: fast"], "does not belong here"),
        (lambda s: [*s, ""], "does not belong here"),
        (lambda s: [*s[:12], s[12][:-1], *s[13:]], "no scene's result"),
        (lambda s: s[:12], "no scenes"),
        (lambda s: s[:5], "where machine belongs|where cpu belongs|no key and value"),
    ],
    ids=[
        "a new key",
        "keys in another order",
        "a missing key",
        "no colon",
        "an empty value",
        "no CRC",
        "scenes in another order",
        "a scene twice",
        "a scene behind the times",
        "times in another order",
        "no iterations",
        "no time at all",
        "absurdly fast",
        "just too fast",
        "too many microseconds",
        "a time cut short",
        "an unknown line",
        "an empty line",
        "a digest cut short",
        "no scenes",
        "half a head",
    ],
)
def test_a_right_checksum_does_not_help(lines, change, problem):
    with pytest.raises(DamagedFileError, match=problem):
        parse_results_file(with_checksum(change(lines())))


def test_it_is_read_out_of_what_comes_from_a_macintosh(right, tmp_path):
    wanted = parse_results_file(right).scenes
    name = "PortCheck Results"
    (tmp_path / "plain").write_bytes(right)
    packed = make_macbinary(name, type="TEXT", creator="MPrf", data=right, resource_fork=b"")
    (tmp_path / "packed.bin").write_bytes(packed)
    disk = make_image([DiskFile(name, "TEXT", "MPrf", 0, right, b"")])
    (tmp_path / "disk.dsk").write_bytes(disk.contents)
    for place in ("plain", "packed.bin", f"disk.dsk:{name}"):
        assert read_results_file(tmp_path / place).scenes == wanted


@pytest.mark.parametrize("content", [b"", b"\0", bytes(600), b"\0\x05\x16\0" + bytes(40), b"text"])
def test_other_files_are_refused(content, tmp_path):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(InputError):
        read_results_file(tmp_path / "file")
    with pytest.raises(InputError):
        read_results_file(tmp_path / "file:PortCheck Results")
