"""Resource forks: read as the Resource Manager reads them, written so that they read the same."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import macresources
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import ProgramError, UsageError
from emu.program.mac_file.resource_fork import (
    Resource,
    ResourceFork,
    looks_like_resource_fork,
    make_resource_fork,
    parse_resource_fork,
)
from tests.program import mac_samples
from tests.program.compressed_samples import with_repetitions

FILE = Path("Program")

resources = st.builds(
    Resource,
    type=st.one_of(
        st.sampled_from(["CODE", "SIZE"]),
        st.binary(min_size=4, max_size=4).map(lambda raw: raw.decode("mac_roman")),
    ),
    id=st.integers(-32768, 32767),
    name=st.binary(max_size=255).map(lambda raw: raw.decode("mac_roman")),
    attributes=st.integers(0, 255),
    data=st.binary(max_size=100),
)


def grouped(given: list[Resource]) -> tuple[Resource, ...]:
    """Resources by type, types in the order in which they come first."""
    types = list(dict.fromkeys(one.type for one in given))
    return tuple(sorted(given, key=lambda one: types.index(one.type)))


@given(st.lists(resources, max_size=12))
def test_what_is_written_is_read(given: list[Resource]) -> None:
    fork = make_resource_fork(given)
    assert parse_resource_fork(fork, FILE).resources == grouped(given)
    assert make_resource_fork(iter(given)) == fork


@given(st.lists(resources, max_size=12))
def test_a_fork_written_by_hand_is_read(given: list[Resource]) -> None:
    raw = [
        (one.type, one.id, one.name.encode("mac_roman"), one.attributes, one.data) for one in given
    ]
    read = parse_resource_fork(mac_samples.resource_fork(raw), FILE)
    assert read.resources == grouped(given)


@given(st.lists(resources, max_size=12))
def test_the_library_reads_the_same(given: list[Resource]) -> None:
    fork = make_resource_fork(given)
    theirs = [
        (one.type.decode("mac_roman"), one.id, one.name or "", one.attribs, bytes(one.data))
        for one in macresources.parse_file(fork)
    ]
    ours = [
        (one.type, one.id, one.name, one.attributes, one.data)
        for one in parse_resource_fork(fork, FILE).resources
    ]
    assert ours == theirs


def test_a_fork_is_a_mapping() -> None:
    fork = parse_resource_fork(mac_samples.resource_fork(), FILE)
    main = Resource("CODE", 1, "Main", 0, b"\0\1\0\2NuNu")
    assert fork.types == ("CODE", "SIZE", "vers")
    assert fork["CODE", 1] == fork.find("CODE", 1) == main
    assert fork.find("code", 1) is None
    assert fork.find("CODE", 2) is None
    assert ("SIZE", -1) in fork
    assert list(fork) == [("CODE", 0), ("CODE", 1), ("SIZE", -1), ("vers", 1)]
    assert len(fork) == 4
    assert [one.id for one in fork.of_type("CODE")] == [0, 1]
    assert fork.of_type("????") == ()
    assert fork == ResourceFork(fork.resources)
    assert hash(fork) == hash(ResourceFork(fork.resources))
    with pytest.raises(KeyError):
        fork["CODE", 2]


def test_names_are_found_in_either_case() -> None:
    fork = parse_resource_fork(mac_samples.resource_fork(), FILE)
    assert fork.named("CODE", "mAIN") == fork["CODE", 1]
    assert fork.named("vers", "Çversion") == fork.named("vers", "çVERSION") == fork["vers", 1]
    assert fork.named("SIZE", "Main") is None
    assert fork.named("CODE", "") is None, "CODE 0 has no name at all"


def test_of_equal_resources_the_first_is_found() -> None:
    twice = [Resource("STR ", 1, "", 0, b"first"), Resource("STR ", 1, "", 0, b"second")]
    fork = parse_resource_fork(make_resource_fork(twice), FILE)
    assert fork["STR ", 1].data == b"first"
    assert len(fork.resources) == 2
    assert len(fork) == 1


def test_compressed_resources_are_left_as_they_are() -> None:
    packed = with_repetitions(1, b"contents")
    fork = parse_resource_fork(
        mac_samples.resource_fork([("CODE", 0, b"", 0x20, b""), ("vers", 1, b"", 0x01, packed)]),
        FILE,
    )
    assert fork["vers", 1].compressed
    assert (fork["vers", 1].data, fork["vers", 1].contents) == (packed, b"contents")
    assert not fork["CODE", 0].compressed
    assert fork["CODE", 0].attributes == 0x20


def test_an_empty_fork_has_no_resources() -> None:
    assert parse_resource_fork(b"", FILE) == ResourceFork()
    assert ResourceFork().types == ()
    assert parse_resource_fork(make_resource_fork([]), FILE) == ResourceFork()


def test_every_beginning_of_a_fork_is_refused() -> None:
    fork = mac_samples.resource_fork()
    for size in range(1, len(fork)):
        with pytest.raises(ProgramError, match="truncated"):
            parse_resource_fork(fork[:size], FILE)
        assert not looks_like_resource_fork(fork[:size])
    assert looks_like_resource_fork(fork)
    assert parse_resource_fork(fork + bytes(100), FILE) == parse_resource_fork(fork, FILE)


# The map of the sample: types at 28 with two bytes in front, references behind them, then names.
FORK = mac_samples.resource_fork()
MAP = struct.unpack_from(">L", FORK, 4)[0]
TYPES = MAP + 30
REFERENCES = TYPES + 3 * 8
CODE_1 = REFERENCES + 12
HUGE = 0xFFFFFFFF


@pytest.mark.parametrize(
    ("offset", "field", "value", "message"),
    [
        (0, ">L", 15, "the resource data begins at offset 15, inside the header"),
        (4, ">L", 0, "the resource map begins at offset 0, inside the header"),
        (0, ">L", HUGE, "its data ends at offset 42949"),
        (8, ">L", HUGE, "its data ends at offset 4294967551, the fork at"),
        (12, ">L", HUGE, "its map ends at offset 42949"),
        (12, ">L", 29, "at least 30 bytes, this one 29"),
        (8, ">L", MAP - 255, "the resource data and the resource map overlap"),
        (MAP + 24, ">H", 27, "type list is at offset 27 of the resource map, not between 28 and"),
        (
            MAP + 24,
            ">H",
            0xFFFF,
            "the type list is at offset 65535 of the resource map, not betw",
        ),
        (MAP + 28, ">H", 0x7FFF, "the list of 32768 resource types runs out of the map"),
        (TYPES + 4, ">H", 0xFFFF, "the list of 65536 resources of type 'CODE' runs out"),
        (TYPES + 6, ">H", 0xFFFF, "the list of 2 resources of type 'CODE' runs out"),
        (TYPES + 6, ">H", 2, "the type list and the list of type 'CODE' overlap"),
        (TYPES + 4, ">H", 2, "the list of type 'CODE' and the list of type 'SIZE' overlap"),
        (CODE_1 + 4, ">L", 0xFFFFFF, "begins outside the resource data"),
        (256, ">L", HUGE, "has 4294967295 bytes and runs out"),
        (CODE_1 + 2, ">H", 0xFFFE, "the name of a resource runs out of the map"),
        (len(FORK) - 9, ">B", 9, "the name of a resource runs out of the map"),
    ],
)
def test_a_map_that_leads_astray(offset: int, field: str, value: int, message: str) -> None:
    fork = bytearray(FORK)
    struct.pack_into(field, fork, offset, value)
    with pytest.raises(ProgramError, match=message) as caught:
        parse_resource_fork(bytes(fork), FILE)
    assert str(caught.value).startswith("Program, offset ")
    assert caught.value.where.split()[-1] in ("fork", "map")


def test_a_file_whose_copy_was_not_finished() -> None:
    """GW AdaEd's, of the Apprentice CD: the fork was cut, and filled up with zeros."""
    fork = FORK[: MAP - 20] + b"!" + bytes(len(FORK) - MAP + 19)
    with pytest.raises(ProgramError, match=f"zeros, as all behind offset {MAP - 19:,} of the fork"):
        parse_resource_fork(fork, FILE)


def test_a_type_list_anywhere_in_the_map() -> None:
    fork = bytearray(FORK[: MAP + 28] + bytes(10) + FORK[MAP + 28 :])
    struct.pack_into(">L", fork, 12, len(fork) - MAP)
    struct.pack_into(">HH", fork, MAP + 24, 38, struct.unpack_from(">H", FORK, MAP + 26)[0] + 10)
    assert parse_resource_fork(bytes(fork), FILE) == parse_resource_fork(FORK, FILE)


def test_resources_may_share_data() -> None:
    shared = bytearray(FORK)
    struct.pack_into(">L", shared, CODE_1 + 4, 0)  # where CODE 0 has its data
    fork = parse_resource_fork(bytes(shared), FILE)
    assert fork["CODE", 1].data is fork["CODE", 0].data
    overlapping = bytearray(FORK)
    struct.pack_into(">L", overlapping, 256, 25)
    assert parse_resource_fork(bytes(overlapping), FILE)["CODE", 0].data == FORK[260:285]


def test_resources_that_overlap_cannot_fill_memory() -> None:
    many = [Resource("DATA", number, "", 0, bytes(4)) for number in range(300)]
    fork = bytearray(make_resource_fork([*many, Resource("DATA", 999, "", 0, bytes(1 << 20))]))
    for number in range(300):
        struct.pack_into(">L", fork, 256 + 8 * number, 1 << 20)
    with pytest.raises(ProgramError, match="overlap, and have more than 64 MiB together"):
        parse_resource_fork(bytes(fork), FILE)


@pytest.mark.parametrize(
    ("offset", "value", "problem"),
    [
        (
            CODE_1 + 4,
            0xFFFFFF,
            "'CODE': the data of resource 1 .* begins outside the resource data",
        ),
        (256, HUGE, "'CODE': the data of resource 0 .* has 4294967295 bytes and runs out"),
    ],
)
def test_only_the_damaged_resource_is_left_out(offset: int, value: int, problem: str) -> None:
    damaged = bytearray(FORK)
    struct.pack_into(">L", damaged, offset, value)
    whole, found = (
        parse_resource_fork(bytes(fork), FILE, strict=False) for fork in (FORK, damaged)
    )
    assert len(found.resources) == len(whole.resources) - 1
    assert set(found.resources) < set(whole.resources)
    assert len(found.damaged) == 1
    assert re.search(problem, found.damaged[0])
    assert whole.damaged == ()


@pytest.mark.parametrize(
    ("resource", "message"),
    [
        (Resource("COD", 0, "", 0, b""), "four characters, not 3"),
        (Resource("CODE", 32768, "", 0, b""), "signed number of 16 bits"),
        (Resource("CODE", -32769, "", 0, b""), "signed number of 16 bits"),
        (Resource("CODE", 0, "n" * 256, 0, b""), "at most 255 characters, not 256"),
        (Resource("CODE", 0, "漢", 0, b""), "outside MacRoman"),
        (Resource("漢字漢字", 0, "", 0, b""), "outside MacRoman"),
        (Resource("CODE", 0, "", 256, b""), "attributes 0x100"),
    ],
)
def test_what_no_map_can_hold(resource: Resource, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make_resource_fork([resource])


def test_more_than_a_map_can_hold() -> None:
    half = bytes(8 << 20)
    data = [Resource("DATA", number, "", 0, half) for number in range(3)]
    with pytest.raises(UsageError, match="no room for more than 16 MiB of data"):
        make_resource_fork(data)
    names = [Resource("DATA", number, "n" * 255, 0, b"") for number in range(257)]
    with pytest.raises(UsageError, match="64 KiB of names"):
        make_resource_fork(names)
    many = [Resource("DATA", number, "", 0, b"") for number in range(6000)]
    with pytest.raises(UsageError, match="6000 resources are too many"):
        make_resource_fork(many)
    # The last resource begins below 16 MiB, however long it is.
    long = [Resource("DATA", 0, "", 0, half), Resource("DATA", 1, "", 0, half)]
    assert parse_resource_fork(make_resource_fork(long), FILE).resources == tuple(long)
