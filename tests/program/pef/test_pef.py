"""PEF containers: every kind of section, every instruction, and what is said about bad ones."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.base.errors import ProgramError
from emu.machine import CPUS, BareMachine
from emu.program.fragments.fragment_program import pef_program
from emu.program.pef.pattern_data import unpack_pattern_data
from emu.program.pef.pef import is_pef, parse_pef
from emu.program.pef.pef_model import PefContainer
from tests.examples import examples
from tests.program import fragment_samples as sample
from tests.program.fragment_samples import CODE, CONSTANT, DATA, DEBUG, EXECUTABLE, PATTERN, Section

PATH = Path("Fragment")
INTERFACE = sample.Library("InterfaceLib", [("InitGraf", 2), ("NewPtr", 2), ("qd", 1)])


def words(*values: int) -> bytes:
    """Big-endian longs."""
    return struct.pack(f">{len(values)}I", *(v & 0xFFFFFFFF for v in values))


def container(
    size: int = 64, blocks: Sequence[int] = (), sections: Sequence[Section] = ()
) -> bytes:
    """A code section, a data section of zeros, and these relocations of the second."""
    return sample.pef(
        [Section(CODE, bytes(8)), Section(DATA, b"", size, 0), *sections],
        sample.loader_section([INTERFACE], relocations={1: blocks} if blocks else None),
    )


def relocated(blocks: Sequence[int], size: int = 64, sections: Sequence[Section] = ()) -> list[int]:
    """The words of the data section: C, D and E are 1000, 2000 and 3000, imports 11, 22, 33."""
    read = parse_pef(container(size, blocks, sections), PATH)
    images = read.place([1000, 2000, 3000][: len(read.placed)], [11, 22, 33])
    return list(struct.unpack(f">{size // 4}I", images[1]))


def refusal(data: bytes) -> str:
    """The message with which a file is refused."""
    with pytest.raises(ProgramError) as caught:
        parse_pef(data, PATH)
    assert str(caught.value).startswith("Fragment")
    return str(caught.value)


# -- what is in a container ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole() -> PefContainer:
    """A container with something of everything."""
    loader = sample.loader_section(
        [
            INTERFACE,
            sample.Library("MathLib", [("fmod", 0), ("pi", 1 | sample.WEAK)], 0x40 | 0x80),
            sample.Library("GlueLib", [("toc", 3), ("jump", 4 | sample.WEAK)]),
        ],
        [("main", 2, 1, 4), ("Zähler", 1, 1, 12), ("ROM", 0, -2, 0x40800000), ("again", 2, -3, 1)],
        {1: sample.run(3, 1)},
        main=(1, 0),
        initialise=(1, 8),
        terminate=(0, 4),
    )
    return parse_pef(
        sample.pef(
            [
                Section(CODE, b"code" * 2, share=4, alignment=4),
                Section(DATA, words(4, 8, 12), 64, default=0),
                Section(PATTERN, b"\x24ABCD\x00\x0c", 32, 16),
                Section(CONSTANT, b"fixed"),
                Section(EXECUTABLE, b"both", 8, share=5),
                Section(DEBUG, b"notes"),
            ],
            loader,
            names=["Code", "Data"],
        ),
        PATH,
    )


def test_sections(whole: PefContainer) -> None:
    kinds = [s.kind for s in whole.sections]
    assert kinds == [
        "code", "data", "pattern data", "constants", "executable data", "debug", "loader",
    ]  # fmt: skip
    assert [s.index for s in whole.placed] == [0, 1, 2, 3, 4]
    assert [s.writable for s in whole.placed] == [False, True, True, False, True]
    assert [s.executable for s in whole.placed] == [True, False, False, False, True]
    assert [s.size for s in whole.placed] == [8, 64, 32, 5, 8]
    assert [s.share for s in whole.placed] == ["global", *["process"] * 3, "protected"]
    assert [s.name for s in whole.sections[:3]] == ["Code", "Data", ""]
    assert whole.sections[2].data == b"ABCD" + bytes(12)
    assert whole.sections[0].alignment == 16


def test_header(whole: PefContainer) -> None:
    assert whole.architecture == "powerpc"
    assert (whole.definition_version, whole.implementation_version) == (3, 4)
    assert whole.current_version == 5
    assert (whole.main, whole.initialise, whole.terminate) == ((1, 0), (1, 8), (0, 4))


def test_libraries_and_imports(whole: PefContainer) -> None:
    assert [(lib.name, lib.weak, lib.initialise_before) for lib in whole.libraries] == [
        ("InterfaceLib", False, False),
        ("MathLib", True, True),
        ("GlueLib", False, False),
    ]
    assert [(lib.first, lib.count) for lib in whole.libraries] == [(0, 3), (3, 2), (5, 2)]
    assert [(i.name, i.library, i.kind, i.weak) for i in whole.imports] == [
        ("InitGraf", "InterfaceLib", "transition vector", False),
        ("NewPtr", "InterfaceLib", "transition vector", False),
        ("qd", "InterfaceLib", "data", False),
        ("fmod", "MathLib", "code", True),
        ("pi", "MathLib", "data", True),
        ("toc", "GlueLib", "contents", False),
        ("jump", "GlueLib", "glue", True),
    ]


def test_exports(whole: PefContainer) -> None:
    assert {(e.name, e.kind, e.section, e.offset) for e in whole.exports} == {
        ("main", "transition vector", 1, 4),
        ("Zähler", "data", 1, 12),
        ("ROM", "code", -2, 0x40800000),
        ("again", "transition vector", -3, 1),
    }


def test_placement_fills_up_with_zeros_and_relocates(whole: PefContainer) -> None:
    images = whole.place([0x1000, 0x2000, 0x3000, 0x4000, 0x5000], [0] * 7)
    assert [len(image) for image in images] == [8, 64, 32, 5, 8]
    assert images[1] == words(0x1004, 0x2008, 12) + bytes(52)


def test_a_default_address_is_what_addresses_in_the_file_count_from() -> None:
    data = sample.pef(
        [Section(CODE, bytes(8), default=0x100), Section(DATA, words(0x104, 0x208), default=0x200)],
        sample.loader_section(relocations={1: sample.run(3, 1)}),
    )
    assert parse_pef(data, PATH).place([0x7000, 0x9000], [])[1] == words(0x7004, 0x9008)


def test_placement_needs_an_address_for_everything(whole: PefContainer) -> None:
    with pytest.raises(ValueError, match="6 addresses for 7 imports"):
        whole.place([0] * 5, [0] * 6)
    with pytest.raises(ValueError, match="zip"):
        whole.place([0] * 4, [0] * 7)


# -- pattern-initialised data -------------------------------------------------------------------


def argument(value: int) -> bytes:
    """A count of seven bits a byte."""
    parts = [value & 0x7F]
    while value := value >> 7:
        parts.insert(0, value & 0x7F | 0x80)
    return bytes(parts)


def instruction(opcode: int, count: int, rest: bytes = b"", long: bool = False) -> bytes:
    """An instruction, its count in the first byte where it fits."""
    if count and count < 32 and not long:
        return bytes([opcode << 5 | count]) + rest
    return bytes([opcode << 5]) + argument(count) + rest


@st.composite
def patterns(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """Instructions, and the bytes they make."""
    packed = made = b""
    for _ in range(draw(st.integers(0, 6))):
        opcode, long = draw(st.integers(0, 4)), draw(st.booleans())
        block = draw(st.binary(max_size=40))
        if opcode == 0:
            packed += instruction(0, len(block), long=long)
            made += bytes(len(block))
        elif opcode == 1:
            packed += instruction(1, len(block), block, long)
            made += block
        elif opcode == 2:
            times = draw(st.integers(0, 200))
            packed += instruction(2, len(block), argument(times) + block, long)
            made += block * (times + 1)
        else:
            size = draw(st.integers(0, 5))
            unique = draw(st.lists(st.binary(min_size=size, max_size=size), max_size=150))
            rest = argument(size) + argument(len(unique))
            rest += (block if opcode == 3 else b"") + b"".join(unique)
            packed += instruction(opcode, len(block), rest, long)
            common = block if opcode == 3 else bytes(len(block))
            made += common.join([b"", *unique, b""]) if unique else common
    return packed, made


@given(patterns())
def test_patterns(both: tuple[bytes, bytes]) -> None:
    packed, made = both
    assert unpack_pattern_data(packed, len(made), PATH, "section 1") == made


@given(patterns(), st.integers(0, 400))
def test_patterns_that_make_another_size(both: tuple[bytes, bytes], size: int) -> None:
    packed, made = both
    if size != len(made):
        with pytest.raises(ProgramError, match=r"section 1: its patterns make \d+"):
            unpack_pattern_data(packed, size, PATH, "section 1")


@pytest.mark.parametrize(
    ("packed", "message"),
    [
        (b"\xa1", "unknown opcode 5"),
        (b"\x23ab", "reaches beyond the section's 3 bytes"),
        (b"\x00", "reaches beyond"),
        (b"\x00\xff\xff\xff\xff\xff\x01", "too long"),
        (b"\x00\x8f\xff\xff\xff\x7f", "4294967295 bytes, more than the 16"),
        (b"\x41\x8f\xff\xff\xff\x7fa", "more than the 16"),
        (b"\x60\x8f\xff\xff\xff\x7f\x00\x8f\xff\xff\xff\x7f", "more than the 16"),
    ],
)
def test_bad_patterns(packed: bytes, message: str) -> None:
    assert message in refusal(container(sections=[Section(PATTERN, packed, 16, 16)]))


# -- relocations ----------------------------------------------------------------------------------


def test_each_instruction() -> None:
    third = [Section(DATA, bytes(4))]
    for blocks, expected in [
        (sample.by_sect_d_with_skip(2, 3), [0, 0, 2000, 2000, 2000, 0]),
        (sample.by_sect_d_with_skip(2, 0) + sample.run(0, 1), [0, 0, 1000]),
        (sample.run(0, 2), [1000, 1000, 0]),
        (sample.run(1, 2), [2000, 2000, 0]),
        (sample.run(2, 2), [1000, 2000, 0, 1000, 2000, 0, 0]),
        (sample.run(3, 2), [1000, 2000, 1000, 2000, 0]),
        (sample.run(4, 2), [2000, 0, 2000, 0, 0]),
        (sample.run(5, 2), [11, 22, 0]),
        (sample.small(0, 1) + sample.run(5, 1), [22, 33, 0]),
        (sample.small(1, 2) + sample.run(0, 1), [3000, 0]),
        (sample.small(2, 2) + sample.run(1, 1), [3000, 0]),
        (sample.small(3, 2) + sample.run(0, 1), [3000, 1000, 0]),
        (sample.incr_position(8) + sample.run(0, 1), [0, 0, 1000, 0]),
        (sample.run(0, 1) + sample.sm_repeat(1, 2), [1000] * 3 + [0]),
        (sample.set_position(12) + sample.run(0, 1), [0, 0, 0, 1000]),
        (sample.lg_by_import(1) + sample.run(5, 1), [22, 33, 0]),
        (sample.run(0, 1) + sample.run(1, 1) + sample.lg_repeat(2, 1), [1000, 2000] * 2 + [0]),
        (sample.run(0, 1) + sample.lg_repeat(1, 0), [1000, 0]),
        (sample.large(0, 2) + sample.run(0, 1), [3000, 1000, 0]),
        (sample.large(1, 2) + sample.run(0, 1), [3000, 0]),
        (sample.large(2, 2) + sample.run(1, 1), [3000, 0]),
    ]:
        assert relocated(blocks, sections=third)[: len(expected)] == expected, [
            hex(b) for b in blocks
        ]


def test_a_word_may_be_relocated_twice_and_wraps() -> None:
    blocks = sample.run(0, 1) + sample.set_position(0) + sample.small(0, 0)
    assert relocated(blocks)[0] == 1011
    data = sample.pef(
        [Section(CODE, bytes(8)), Section(DATA, words(-4))],
        sample.loader_section(relocations={1: sample.run(0, 1)}),
    )
    assert parse_pef(data, PATH).place([0x10, 0x20], [])[1] == words(0x0C)


def test_words_need_not_be_aligned() -> None:
    blocks = sample.set_position(3) + sample.run(0, 1) + sample.run(1, 1)
    read = parse_pef(container(16, blocks), PATH)
    image = read.place([0x01020304, 0x05060708], [0, 0, 0])[1]
    assert image == bytes([0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0])


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        ([0x4C00], "relocation 0: 0x4c00 is no relocation instruction"),
        ([0x6800], "no relocation"),
        ([0xA800], "no relocation"),
        ([0xB4C0, 0], "no relocation"),
        ([0xFFFF], "no relocation"),
        ([0xA000], "its second half is missing"),
        ([0x4000, 0xB400], "relocation 1: its second half is missing"),
        (sample.sm_repeat(1, 1), "do not begin with an instruction"),
        (sample.set_position(0) + sample.sm_repeat(1, 1), "do not begin with an instruction"),
        (sample.run(0, 1) + 2 * sample.sm_repeat(1, 1), "relocation 2: it repeats a repetition"),
        (sample.run(0, 17), "writes at offset 64, beyond the section's 64 bytes"),
        (sample.set_position(61) + sample.run(0, 1), "writes at offset 61"),
        (sample.set_position(0x3FFFFFF) + sample.run(3, 1), "beyond the section"),
        (sample.set_position(0x3FFFFFF) + sample.small(0, 0), "beyond the section"),
        (sample.small(0, 3), "names import 3, and there are 3"),
        (sample.small(0, 2) + sample.run(5, 1), "names import 3"),
        (sample.lg_by_import(0x3FFFFFF), "names import 67108863"),
        (sample.small(1, 2), "names section 2, which is not among the 2 placed"),
        (sample.large(2, 0x3FFFFF), "names section 4194303"),
        (sample.small(3, 2), "names section 2"),
        (sample.run(0, 1) + sample.set_position(2) + sample.run(0, 1), "relocated words overlap"),
        (
            sample.run(0, 8) + sample.set_position(0) + sample.lg_repeat(3, 8),
            "more relocations than the section has bytes",
        ),
        (sample.small(1, 0) + sample.lg_repeat(1, 0x3FFFFF), "more than 1,048,576 steps"),
    ],
)
def test_bad_relocations(blocks: list[int], message: str) -> None:
    text = refusal(container(64, blocks))
    assert "relocations of section 1" in text
    assert message in text


def test_steps_are_counted_over_all_sections() -> None:
    blocks = 16 * sample.small(1, 0) + sample.lg_repeat(16, 50_000)
    sections = [Section(DATA, bytes(4)) for _ in range(3)]
    many = sample.loader_section(relocations=dict.fromkeys(range(3), blocks))
    few = sample.loader_section(relocations={1: blocks})
    parse_pef(sample.pef(sections, few), PATH)
    assert "steps" in refusal(sample.pef(sections, many))


OPERATIONS = st.one_of(
    st.tuples(st.just("skip"), st.integers(0, 5), st.integers(0, 5)),
    st.tuples(st.just("run"), st.integers(0, 5), st.integers(1, 5)),
    st.tuples(st.just("small"), st.integers(0, 3), st.integers(0, 3)),
    st.tuples(st.just("large"), st.integers(0, 2), st.integers(0, 3)),
    st.tuples(st.just("import"), st.integers(0, 3), st.just(0)),
    st.tuples(st.just("move"), st.integers(1, 12), st.just(0)),
    st.tuples(st.just("go"), st.integers(0, 60).map(lambda n: 2 * n), st.just(0)),
    st.tuples(st.just("repeat"), st.integers(1, 3), st.integers(1, 3)),
    st.tuples(st.just("long repeat"), st.integers(1, 3), st.integers(0, 3)),
)
Operation = tuple[str, int, int]
ENCODERS = {
    "skip": sample.by_sect_d_with_skip,
    "run": sample.run,
    "small": sample.small,
    "large": sample.large,
    "import": lambda index, _: sample.lg_by_import(index),
    "move": lambda offset, _: sample.incr_position(offset),
    "go": lambda offset, _: sample.set_position(offset),
    "repeat": sample.sm_repeat,
    "long repeat": sample.lg_repeat,
}
BASES, IMPORTS = (0x11000000, 0x22000100, 0x33000000), (0xA1, 0xB2, 0xC3)


class Refused(Exception):
    """What the model says to instructions that make no sense."""


class Model:
    """Relocation as the book tells it, one word at a time, on a bytearray."""

    def __init__(self, size: int) -> None:
        self.image = bytearray(size)
        self.position = self.next_import = 0
        self.c, self.d = BASES[0], BASES[1]
        self.written: set[int] = set()

    def add(self, value: int) -> None:
        at = self.position
        if at + 4 > len(self.image) or {at - 3, at - 2, at - 1, at + 1, at + 2, at + 3} & (
            self.written
        ):
            raise Refused
        self.written.add(at)
        word = int.from_bytes(self.image[at : at + 4], "big") + value
        self.image[at : at + 4] = (word & 0xFFFFFFFF).to_bytes(4, "big")
        self.position += 4

    def one_import(self, index: int) -> None:
        if index >= len(IMPORTS):
            raise Refused
        self.next_import = index + 1
        self.add(IMPORTS[index])

    def section(self, index: int) -> int:
        if index >= len(BASES):
            raise Refused
        return BASES[index]

    def step(self, kind: str, first: int, second: int) -> None:
        if kind == "skip":
            self.position += 4 * first
            for _ in range(second):
                self.add(self.d)
        elif kind == "run":
            for _ in range(second):
                if first in (0, 2, 3):
                    self.add(self.c)
                if first in (1, 2, 3, 4):
                    self.add(self.d)
                if first in (2, 4):
                    self.position += 4
                if first == 5:
                    self.one_import(self.next_import)
        elif (kind, first) in (("small", 0), ("import", first)):
            self.one_import(second if kind == "small" else first)
        elif (kind, first) in (("small", 1), ("large", 1)):
            self.c = self.section(second)
        elif (kind, first) in (("small", 2), ("large", 2)):
            self.d = self.section(second)
        elif kind in ("small", "large"):
            self.add(self.section(second))
        elif kind == "move":
            self.position += first
        elif kind == "go":
            self.position = first

    def run(self, operations: list[Operation]) -> bytes:
        lengths = [len(ENCODERS[kind](a, b)) for kind, a, b in operations]
        for index, (kind, first, second) in enumerate(operations):
            if "repeat" not in kind:
                self.step(kind, first, second)
                continue
            start, blocks = index, first
            while blocks > 0 and start > 0:
                start -= 1
                blocks -= lengths[start]
            body = operations[start:index]
            if blocks or any("repeat" in operation[0] for operation in body):
                raise Refused
            for _ in range(second):
                for operation in body:
                    self.step(*operation)
        return bytes(self.image)


@settings(max_examples=examples(400))
@given(st.lists(OPERATIONS, max_size=14))
def test_relocation_equals_a_naive_model(operations: list[Operation]) -> None:
    blocks = [block for kind, a, b in operations for block in ENCODERS[kind](a, b)]
    data = container(160, blocks, [Section(DATA, bytes(4))])
    try:
        expected = Model(160).run(operations)
    except Refused:
        refusal(data)
        return
    assert parse_pef(data, PATH).place(BASES, IMPORTS)[1] == expected


# -- damaged containers ---------------------------------------------------------------------------


def changed(offset: int, form: str, value: int) -> bytes:
    """A good container with one number replaced."""
    data = bytearray(container(64, sample.run(0, 1)))
    struct.pack_into(f">{form}", data, offset, value)
    return bytes(data)


LOADER_AT = 40 + 3 * 28 + 8


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it is not a PEF container"),
        (b"Joy!peff", "truncated: the header ends at offset 40"),
        (container()[:80], "truncated: the header of section 1"),
        (changed(12, "I", 2), "PEF version 2"),
        (changed(8, "4s", b"m68k"), "CFM-68K"),  # type: ignore[arg-type]
        (changed(8, "4s", b"axp "), "for processor 'axp '"),  # type: ignore[arg-type]
        (changed(34, "H", 4), "4 of 3 sections"),
        (changed(34, "H", 3), "it holds loader and is placed"),
        (changed(34, "H", 1), "it holds data and is not placed"),
        (changed(40 + 24, "B", 9), "section 0: its kind 9 is unknown"),
        (changed(40 + 25, "B", 2), "way of sharing 2"),
        (changed(40 + 26, "B", 17), "alignment is 2 to the 17"),
        (changed(40 + 20, "I", 0xFFFFFFF0), "section 0: it ends at offset 4294967288"),
        (changed(40 + 16, "I", 0xFFFFFFF0), "its sections have"),
        (changed(40 + 8, "I", 0xFFFFFFF0), "more than 64 MiB"),
        (changed(40 + 8, "I", 4), "8 of its 4 bytes are initialised"),
        (changed(40 + 12, "I", 4), "8 bytes in the file, of 4 initialised"),
        (changed(40, "i", 0x7FFFFFF), "section 0: no name ends"),
        (changed(40 + 2 * 28 + 24, "B", 5), "0 loader sections"),
        (changed(LOADER_AT, "i", 2), "the main symbol is in section 2"),
        (changed(LOADER_AT, "i", -2), "the main symbol is in section -2"),
        (changed(LOADER_AT + 8, "Q", 64 << 0 | 1 << 32), "initialisation routine is at offset 64"),
        (changed(LOADER_AT + 24, "I", 1 << 31), "its table of relocations ends"),
        (changed(LOADER_AT + 24, "I", 0), "of no library"),
        (changed(LOADER_AT + 28, "I", 0xFFFFFFFF), "its table of relocations ends"),
        (changed(LOADER_AT + 32, "I", 0xFFFFFFFF), "its table of relocations ends"),
        (changed(LOADER_AT + 36, "I", 0xFFFFFFF0), "the end of the relocations of section 1"),
        (changed(LOADER_AT + 40, "I", 0xFFFFFFF0), "its table of names"),
        (changed(LOADER_AT + 48, "I", 31), ""),
        (changed(LOADER_AT + 52, "I", 0x10000000), "its table of exports"),
        (changed(LOADER_AT + 56, "I", 0xFFFFFF), "name of library 0"),
        (changed(LOADER_AT + 56 + 12, "I", 4), "has symbols 0 to 3"),
        (changed(LOADER_AT + 56 + 16, "I", 1), "the next would be 0"),
        (changed(LOADER_AT + 56 + 24, "B", 9), "unknown class 9"),
        (changed(LOADER_AT + 56 + 24 + 12, "H", 2), "section 2 is relocated and not placed"),
    ],
)
def test_damage(data: bytes, message: str) -> None:
    if not message:  # without exports nobody looks at their table
        parse_pef(data, PATH)
        return
    assert message in refusal(data)


@pytest.mark.parametrize(
    ("export", "message"),
    [
        (("f", 0, 2, 0), "export f is in section 2"),
        (("f", 0, -1, 0), "export f is in section -1"),
        (("f", 0, 0, 9), "export f lies beyond the end of section 0"),
        (("f", 0, -3, 0), "export f is import 0 of 0"),
        (("f", 7, 0, 0), "symbol f is of the unknown class 7"),
    ],
)
def test_bad_exports(export: sample.Export, message: str) -> None:
    data = sample.pef([Section(CODE, bytes(8))], sample.loader_section(exports=[export]))
    assert message in refusal(data)


def test_a_hash_table_that_leads_elsewhere() -> None:
    loader = bytearray(sample.loader_section(exports=[("f", 0, 0, 0)]))
    table = struct.unpack_from(">I", loader, 44)[0]
    struct.pack_into(">II", loader, table, 0, 0)
    assert "leads to 0 of 1 exports" in refusal(
        sample.pef([Section(CODE, bytes(8))], bytes(loader))
    )
    struct.pack_into(">II", loader, table, 1 << 18 | 5, 0)
    assert "names export 5 of 1" in refusal(sample.pef([Section(CODE, bytes(8))], bytes(loader)))
    struct.pack_into(">I", loader, 48, 31)
    assert "2 to the 31 entries" in refusal(sample.pef([Section(CODE, bytes(8))], bytes(loader)))


def test_two_loaders_and_sections_relocated_twice() -> None:
    loader = sample.loader_section()
    two = sample.pef([Section(CODE, bytes(8)), Section(sample.LOADER, loader)], loader)
    assert "2 loader sections" in refusal(two)
    twice = bytearray(sample.loader_section(relocations={0: [], 1: []}))
    struct.pack_into(">H", twice, 56 + 12, 0)
    data = sample.pef([Section(DATA, bytes(8)), Section(DATA, bytes(8))], bytes(twice))
    assert "section 0 is relocated more than once" in refusal(data)


def test_names_that_share_bytes_are_bounded() -> None:
    long = "x" * 2000
    loader = bytearray(sample.loader_section([sample.Library("L", [(long, 0)] + [("", 0)] * 400)]))
    (first,) = struct.unpack_from(">I", loader, 56 + 24)
    struct.pack_into(">401I", loader, 56 + 24, *[first] * 401)
    assert "much longer than the whole section" in refusal(
        sample.pef([Section(CODE, bytes(8))], bytes(loader))
    )


def test_detection() -> None:
    assert is_pef(container())
    assert not is_pef(b"Joy!pef")


@pytest.mark.parametrize("kind", [sample.T_VECTOR, 1])
def test_an_imported_variable_is_memory_and_a_routine_is_not(kind: int) -> None:
    """The program stores 5 into errno, by the address that its table of contents has."""
    code = bytes.fromhex("81820008 38600005 906c0000 386000ff 806c0000 4e800020")
    loader = sample.loader_section(
        libraries=[sample.Library("StdCLib", [("errno", kind), ("exit", kind)])],
        relocations={1: sample.run(3, 1) + sample.run(5, 2)},
        main=(1, 0),
        exports=[("Go", sample.T_VECTOR, 1, 0)],
    )
    sections = [sample.Section(0, code), sample.Section(1, bytes(16))]
    program = pef_program(parse_pef(sample.pef(sections, loader), PATH), PATH)
    (variables,) = (s for s in program.segments if s.name == "imported variables")
    places = {symbol.name: symbol.address for symbol in program.symbols}
    assert places["errno"] == variables.address
    assert variables.writable and not variables.executable
    assert not any(s.address <= places["exit"] < s.address + s.size for s in program.segments)
    machine = BareMachine(program, CPUS["601"])
    assert machine.call("Go") == 5
