"""Compressed resources of System 7: every code of the four decompressors, damage, programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import ProgramError
from emu.program.code68k.code_resources import read_code_program
from emu.program.mac_file.bit_codes import BitCodes
from emu.program.mac_file.expansion import LARGEST, ExpansionError, expand, is_compressed
from emu.program.mac_file.resource_fork import COMPRESSED, Resource, ResourceFork
from tests.program.code_samples import NEAR, RTS, application, code_0, near
from tests.program.compressed_samples import (
    header,
    number,
    with_back_references,
    with_repetitions,
    with_table,
)

_JUMP = bytes.fromhex("3f3c0002a9f0")


@pytest.mark.parametrize(
    ("which", "codes", "expected"),
    [
        (0, "02 41424344", b"ABCD"),
        (0, "00 02 41424344", b"ABCD"),
        (0, "11 4142 23 23", b"ABABAB"),
        (0, "10 01 4142 23", b"ABAB"),
        (0, "4b 4c 4e fd", bytes.fromhex("0000 4eba 4e75 4841")),
        (0, "fe00 02 02 10 0e", _JUMP + b"\0\x10" + _JUMP + b"\0\x18" + _JUMP),
        (0, "fe02 41 03", b"AAAA"),
        (0, "fe03 e143 01", b"\x21\x43\x21\x43"),
        (0, "fe03 ff00004142 01", b"ABAB"),
        (0, "fe04 10 02 01 ff", bytes.fromhex("0010 0011 0010")),
        (0, "fe06 bfff 01 02", bytes.fromhex("ffffffff 00000001")),
        (1, "03 41424344", b"ABCD"),
        (1, "11 4142 20 20", b"ABABAB"),
        (1, "d0 03 414243", b"ABC"),
        (1, "d1 03 414243 20", b"ABCABC"),
        (1, "d5 d6 fd", bytes.fromhex("0000 0001 3637")),
        (1, "fe02 41 03", b"AAAA"),
    ],
)
def test_every_code(which: int, codes: str, expected: bytes) -> None:
    data = header(which, len(expected)) + bytes.fromhex(codes) + b"\xff"
    assert is_compressed(data)
    assert expand(data) == expected


def test_a_text_beyond_the_short_codes_is_repeated_by_longer_ones() -> None:
    texts = [bytes([n >> 8, n & 0xFF]) for n in range(0x230)]
    for which, first in ((0, 1), (1, 1)):
        given_ones = b"".join(bytes([0x10 | first]) + text for text in texts)
        for index, code in {
            0: ((0x27, "4a"), (0x28, "2000"), (0x128, "2100"), (0x228, "220200")),
            1: ((0xAF, "cf"), (0xB0, "d200"), (0x1AF, "d2ff")),
        }[which]:
            data = given_ones + bytes.fromhex(code) + b"\xff"
            assert expand(header(which, 2 * len(texts) + 2) + data)[-2:] == texts[index]


@pytest.mark.parametrize(
    ("flags", "table", "codes", "expected"),
    [
        (0, b"", "00 02 05", bytes.fromhex("0000 4eba 000c")),
        (0, b"", "02 41", b"\x4e\xbaA"),
        (1, b"AABB", "01 00", b"BBAA"),
        (2, b"", "80 02 4142", b"\x4e\xbaAB"),
        (3, b"AABB", "40 4343 01 44", b"CCBBD"),
    ],
)
def test_words_of_a_table(flags: int, table: bytes, codes: str, expected: bytes) -> None:
    parameters = bytes([0, 0, max(len(table) // 2 - 1, 0), flags])
    data = header(2, len(expected), parameters) + table + bytes.fromhex(codes)
    assert expand(data) == expected


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        # 00 101 "ABC"; 1010, a distance of 10 01; 00 0 "D" would need a repetition before it.
        ("2a0a121d48", b"ABCABCABC"),
        # 00 0 "A"; a length of 1111111 0 and seven bits, 123 + 3; a distance of 0.
        ("083fc000", b"A" * 127),
    ],
)
def test_bits_that_repeat(codes: str, expected: bytes) -> None:
    assert expand(header(3, len(expected)) + bytes.fromhex(codes)) == expected


@given(st.data())
def test_a_distance_has_the_bits_that_the_bytes_before_it_need(data: st.DataObject) -> None:
    # The widths are those of the table of resource_dasm, for each form at its ends.
    most, width = data.draw(
        st.sampled_from(
            [
                *((5, 1), (7, 1), (8, 2), (10, 3), (11, 1), (20, 4), (0xA0, 7), (0x2A0, 9)),
                *((0x480, 9), (0x481, 10), (0x66C, 10), (0x66D, 11), (0x680, 11), (0xA80, 11)),
                (0x54000, 18),
            ]
        )
    )
    value = data.draw(st.integers(0, (1 << width) - 1))
    bits = f"11{value:0{width}b}1"
    packed = int(bits.ljust(24, "0"), 2).to_bytes(3, "big")
    form = [10, 20, 40, 80, 160, 0x2A0, 0x3E8, 0xA80] + [0x1500 << n for n in range(7)]
    near = 5 << next(n for n, most_of_form in enumerate(form) if most <= most_of_form)
    codes = BitCodes(packed)
    assert codes.distance(most) == 1 + near + value
    assert codes.bits(1) == 1, "the next code begins where the distance ends"


@given(
    st.binary(max_size=160) | st.lists(st.sampled_from([b"Mac", b"intosh", b"\0" * 9]), max_size=17)
)
def test_what_repeats_by_bits_is_expanded(text: bytes | list[bytes]) -> None:
    data = text if isinstance(text, bytes) else b"".join(text)
    assert expand(with_back_references(data)) == data


_TEXTS = st.binary(max_size=400) | st.lists(st.sampled_from([b"Macintosh", b"\0" * 8, b"8 bytes!"]))


@given(_TEXTS)
def test_what_is_compressed_is_expanded(text: bytes | list[bytes]) -> None:
    data = text if isinstance(text, bytes) else b"".join(text)
    for which in (0, 1):
        assert expand(with_repetitions(which, data)) == data
    assert expand(with_table(data, [b"Ma", b"ci", b"\0\0"])) == data


@given(
    st.sampled_from([0, 1, 2, 3]), st.integers(0, 300), st.binary(max_size=60), st.integers(0, 3)
)
def test_damage_is_told_and_never_grows(which: int, size: int, codes: bytes, flags: int) -> None:
    try:
        assert len(expand(header(which, size, bytes([0, 0, 5, flags])) + codes)) == size
    except ExpansionError as error:
        assert str(error)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (header(0, LARGEST + 1), "more than 16 MiB"),
        (header(4, 2), "its decompressor is 'dcmp' 4"),
        (header(3, 2), "cut off after 0 bytes"),
        (header(3, 4) + b"\x42", "repeats from 1 bytes back, and there are 0"),
        (header(0, 4) + b"\x4c\xff", "expands to 2 bytes and announces 4"),
        (header(0, 2) + b"\xfe\x02\0" + number(1 << 30) + b"\xff", "repeats 1073741824 times"),
        (header(0, 2) + b"\x4c\x4c\x4c\xff", "more than the 2 bytes"),
        (header(0, 2) + b"\x23\xff", "repeats text 0 of 0"),
        (header(0, 2) + b"\x01A", "cut off"),
        (header(0, 2) + b"\x4c", "cut off"),
        (header(0, 2) + b"\xfe\x09\0\xff", "code 0xfe09 is unknown"),
        (header(1, 2) + b"\xd4\xff", "code 0xd4 is unknown"),
        (header(2, 2, bytes([0, 0, 0, 1])) + b"AA\x01", "names word 1 of a table of 1"),
        (header(2, 2, bytes([0, 0, 0, 8])) + b"\0", "flags 0x08 are unknown"),
    ],
)
def test_each_damage_is_named(data: bytes, problem: str) -> None:
    with pytest.raises(ExpansionError, match=problem):
        expand(data)


def test_the_attribute_alone_does_not_compress() -> None:
    plain = Resource("DITL", 128, "", COMPRESSED, b"as it is")
    assert (plain.compressed, plain.contents) == (False, b"as it is")
    packed = Resource("DITL", 128, "", COMPRESSED, with_repetitions(1, b"as it is"))
    assert (packed.compressed, packed.contents) == (True, b"as it is")


@pytest.mark.parametrize("pack", [partial(with_repetitions, 0), partial(with_table, table=[RTS])])
def test_a_compressed_application_is_read(pack: Callable[[bytes], bytes]) -> None:
    plain = application({("CODE", 0): code_0([(NEAR, 1, 0)]), ("CODE", 1): near(RTS)})
    packed = ResourceFork(
        tuple(
            replace(one, attributes=COMPRESSED, data=pack(one.data))
            for one in plain.resources.resources
        )
    )
    found = read_code_program(replace(plain, resources=packed))
    assert found.segments == read_code_program(plain).segments
    damaged = replace(packed["CODE", 1], data=header(7, 1))
    file = replace(plain, resources=ResourceFork((packed["CODE", 0], damaged)))
    with pytest.raises(ProgramError, match=r"CODE 1.*cannot be expanded: its decompressor is .* 7"):
        read_code_program(file)
