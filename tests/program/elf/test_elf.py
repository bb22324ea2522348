"""ELF files: what is read from good ones, and what is said about bad ones."""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import ProgramError
from emu.program import Program, Segment
from emu.program.elf.elf import parse_elf, read_elf

Reader = Callable[[str], Program]

# Offsets in the 32-bit ELF header (System V ABI, chapter 4).
CLASS, ORDER, TYPE, MACHINE, PHOFF, SHOFF, PHENTSIZE, PHNUM, SHENTSIZE = (
    4, 5, 16, 18, 28, 32, 42, 44, 46,
)  # fmt: skip
# Offsets in a program header.
P_TYPE, P_OFFSET, P_VADDR, P_FILESZ, P_MEMSZ, P_FLAGS = 0, 4, 8, 16, 20, 24
HEADER, ENTRY = 52, 32


@pytest.fixture
def image(programs: Path) -> bytearray:
    """A good program's bytes, to be damaged."""
    return bytearray((programs / "types-m68k.elf").read_bytes())


def put(image: bytearray, form: str, offset: int, value: int) -> None:
    """Store one big-endian number."""
    struct.pack_into(">" + form, image, offset, value)


def refusal(image: bytes) -> str:
    """The message with which a file is refused."""
    with pytest.raises(ProgramError) as caught:
        parse_elf(bytes(image), Path("guest.elf"))
    assert str(caught.value).startswith("guest.elf")
    assert caught.value.exit_code == 2
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "architecture", "order"),
    [
        ("types-m68k", "m68k", ">"),
        ("types-ppc", "powerpc", ">"),
        ("types-mips", "mips", ">"),
        ("types-mipsel", "mips", "<"),
    ],
)
def test_the_processor_and_its_byte_order(
    read: Reader, name: str, architecture: str, order: str
) -> None:
    program = read(name)
    assert (program.architecture, program.byte_order) == (architecture, order)
    assert program.has_debug_information


@pytest.mark.parametrize("name", ["types-m68k", "types-ppc", "types-mips", "types-mipsel"])
def test_segments(read: Reader, name: str) -> None:
    code, data = read(name).segments
    assert (code.address, code.writable, code.executable) == (0x10000, False, True)
    assert (data.address, data.writable, data.executable) == (0x100000, True, False)
    assert code.size == len(code.data), "code is all in the file"
    assert data.size > len(data.data), "zeroed data takes memory and no room in the file"
    assert code.end == code.address + code.size


def test_symbols(read: Reader) -> None:
    program = read("types-m68k")
    kinds = {s.name: (s.kind, s.size) for s in program.symbols}
    assert kinds["_Z5Starti"][0] == "function"
    assert kinds["_Z5Starti"][1] > 0
    assert kinds["gObjects"] == ("object", 36)
    assert kinds["_ZL7gStatic"] == ("object", 4)
    addresses = [s.address for s in program.symbols]
    assert addresses == sorted(addresses)
    assert not any(s.name in ("", "types.cpp", ".text") for s in program.symbols)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match=r"none\.elf: cannot be read: No such file"):
        read_elf(tmp_path / "none.elf")
    with pytest.raises(ProgramError, match="cannot be read: Is a directory"):
        read_elf(tmp_path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "it is not an ELF file"),
        (b"\x7f", "it is not an ELF file"),
        (b"MZ" + bytes(1000), "it is not an ELF file"),
        (b"Joy!peffpwpc" + bytes(100), "it is not an ELF file"),
        (b"\x7fELF", "it is truncated: 4 of the header's 52 bytes"),
        (b"\x7fELF" + bytes(60), "it is not a 32-bit ELF file"),
        (b"\x7fELF\x01\x03" + bytes(60), "it is not a 32-bit ELF file"),
    ],
)
def test_files_of_another_kind(content: bytes, words: str) -> None:
    assert words in refusal(content)


def test_a_64_bit_program(image: bytearray) -> None:
    image[CLASS] = 2
    assert "not a 32-bit ELF file. Build it for 32 bits." in refusal(image)


@pytest.mark.parametrize(
    ("number", "name"), [(3, "EM_386"), (40, "EM_ARM"), (62, "EM_X86_64"), (0x1234, "4660")]
)
def test_a_program_for_another_processor(image: bytearray, number: int, name: str) -> None:
    put(image, "H", MACHINE, number)
    message = refusal(image)
    assert f"it is for processor {name}" in message
    assert "68K, PowerPC and MIPS" in message


@pytest.mark.parametrize(("number", "name"), [(1, "ET_REL"), (3, "ET_DYN"), (4, "ET_CORE")])
def test_a_program_that_is_not_linked_to_fixed_addresses(
    image: bytearray, number: int, name: str
) -> None:
    put(image, "H", TYPE, number)
    assert f"it is of type {name}, not a linked executable" in refusal(image)


def test_an_object_file(programs: Path) -> None:
    message = refusal((programs / "object-m68k.o").read_bytes())
    assert "it is of type ET_REL" in message
    assert "Link it with -static and without -pie." in message


@pytest.mark.parametrize(
    ("form", "offset", "value", "words"),
    [
        ("I", PHOFF, 0xFFFFFFF0, "the program header table ends at offset"),
        ("I", SHOFF, 0x7FFFFFFF, "the section header table ends at offset"),
        ("H", PHENTSIZE, 56, "program headers of 56 bytes"),
        ("H", SHENTSIZE, 64, "section headers of 64 bytes"),
        ("H", PHNUM, 0, "it has nothing to load"),
        ("I", HEADER + P_OFFSET, 0x00F00000, "segment 0 ends at offset"),
        ("I", HEADER + P_FILESZ, 0xFFFFFFFF, "segment 0 ends at offset"),
        ("I", HEADER + P_MEMSZ, 1, "segment 0 is larger in the file than in memory"),
        ("I", HEADER + P_MEMSZ, 0x00200000, "segment 0 and segment 1 overlap"),
        ("I", HEADER + P_VADDR, 0x00100010, "overlap in memory"),
        ("I", HEADER + P_VADDR, 0x80000000, "more than 64 MiB"),
        ("I", HEADER + ENTRY + P_VADDR, 0xFFFFFFF0, "its segments span"),
    ],
)
def test_headers_that_contradict_the_file(
    image: bytearray, form: str, offset: int, value: int, words: str
) -> None:
    put(image, form, offset, value)
    assert words in refusal(image)


def test_every_section_must_lie_in_the_file(image: bytearray) -> None:
    table = struct.unpack_from(">I", image, SHOFF)[0]
    put(image, "I", table + 40 * 1 + 20, 0x01000000)
    assert "it is truncated: section 1 ends at offset" in refusal(image)


def test_a_program_without_memory(image: bytearray) -> None:
    for index in range(2):
        put(image, "I", HEADER + ENTRY * index + P_TYPE, 0)
    assert "it has nothing to load into memory" in refusal(image)


def test_permissions_come_from_the_flags(image: bytearray) -> None:
    put(image, "I", HEADER + P_FLAGS, 7)
    segment: Segment = parse_elf(bytes(image), Path("guest.elf")).segments[0]
    assert segment.writable
    assert segment.executable


@pytest.mark.parametrize(
    ("flags", "convention"), [([], ""), (["-mshort"], "m68k-elf-short"), (["-mshort", "-g0"], "")]
)
def test_short_ints_are_known_without_an_int(
    compilers: Callable[..., None], tmp_path: Path, flags: list[str], convention: str
) -> None:
    """GCC's own name for itself has the option, if there is debugging information at all."""
    compilers("68000")
    source, made = tmp_path / "plain.c", tmp_path / "plain.elf"
    source.write_text("long Sum(char c, long n) { return c + n; }\n")
    command = ["m68k-linux-gnu-gcc", "-g", *flags, "-O2", "-nostdlib", "-static", "-Wl,-e,Sum"]
    subprocess.run([*command, source, "-o", made], check=True)
    program = read_elf(made)
    assert "int" not in program.types
    assert program.convention == convention
