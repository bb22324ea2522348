"""Damaged files: each is read or refused with a ProgramError, soon and in little memory."""

from __future__ import annotations

import contextlib
import random
import struct
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from emu.errors import ProgramError
from emu.program import Program
from emu.program.elf import parse_elf

GUEST = Path("guest.elf")
SECONDS = 3.0
MEBIBYTES = 64

PROGRAMS = ("types-m68k", "types-ppc-dwarf4", "types-mipsel")


def attempt(image: bytes) -> Program | None:
    """Read a file that may be damaged; anything but success and ProgramError fails the test."""
    with contextlib.suppress(ProgramError):
        program = parse_elf(image, GUEST)
        for name in [*program.variables, *program.functions]:
            # What is refused later must be refused as properly.
            with contextlib.suppress(ProgramError):
                program.variable(name)
            with contextlib.suppress(ProgramError):
                program.function(name)
        assert str(program.locate(0x10010))
        return program
    return None


@contextlib.contextmanager
def within_bounds(what: str) -> Iterator[None]:
    """Hold a block to the time and memory that one file may take."""
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    start = time.monotonic()
    yield
    spent = time.monotonic() - start
    peak = tracemalloc.get_traced_memory()[1] - before
    assert spent < SECONDS, f"{what} took {spent:.1f} s"
    assert peak < MEBIBYTES << 20, f"{what} took {peak >> 20} MiB"


@pytest.fixture(autouse=True)
def traced_memory() -> Iterator[None]:
    """Count memory while a test runs."""
    tracemalloc.start()
    yield
    tracemalloc.stop()


def sections(image: bytes) -> dict[str, tuple[int, int]]:
    """Offset and size of every section with contents, read by hand."""
    order = "<" if image[5] == 1 else ">"
    (table,) = struct.unpack_from(order + "I", image, 32)
    count, names = struct.unpack_from(order + "HH", image, 48)

    def header(index: int) -> tuple[int, ...]:
        return struct.unpack_from(order + "10I", image, table + 40 * index)

    start = header(names)[4]
    found = {}
    for index in range(1, count):
        name, kind, _, _, offset, size, *_ = header(index)
        end = image.index(b"\0", start + name)
        if kind != 8:
            found[image[start + name : end].decode()] = (offset, size)
    found["section headers"] = (table, 40 * count)
    found["file header"] = (0, 52 + 32 * 3)
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_truncation_is_refused(programs: Path, name: str) -> None:
    whole = (programs / f"{name}.elf").read_bytes()
    for size in range(0, len(whole), 64):
        with (
            within_bounds(f"{name} cut at {size}"),
            pytest.raises(ProgramError, match="not an ELF file|truncated") as caught,
        ):
            parse_elf(whole[:size], GUEST)
        assert str(caught.value).startswith("guest.elf")


# Where damage is worth trying; everything else is code, data and names.
STRUCTURES = (
    "file header",
    "section headers",
    ".symtab",
    ".debug_info",
    ".debug_abbrev",
    ".debug_line",
    ".debug_str",
)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("structure", STRUCTURES)
def test_flipped_bytes(programs: Path, name: str, structure: str) -> None:
    whole = (programs / f"{name}.elf").read_bytes()
    offset, size = sections(whole)[structure]
    chance = random.Random(f"{name} {structure}")
    for _ in range(12):
        image = bytearray(whole)
        places = [offset + chance.randrange(size) for _ in range(chance.choice((1, 1, 4)))]
        for place in places:
            image[place] = chance.choice((0, 0xFF, 0x7F, image[place] ^ 1 << chance.randrange(8)))
        with within_bounds(f"{name} with other bytes at {places}"):
            attempt(bytes(image))


@pytest.mark.parametrize("name", PROGRAMS)
def test_sections_of_zeros_and_of_noise(programs: Path, name: str) -> None:
    whole = (programs / f"{name}.elf").read_bytes()
    chance = random.Random(name)
    for structure in STRUCTURES[2:]:
        offset, size = sections(whole)[structure]
        for filler in (bytes(size), b"\xff" * size, chance.randbytes(size)):
            image = whole[:offset] + filler + whole[offset + size :]
            with within_bounds(f"{name} with other contents of {structure}"):
                attempt(image)


def test_an_undamaged_program_passes_the_same_attempt(programs: Path) -> None:
    for name in PROGRAMS:
        program = attempt((programs / f"{name}.elf").read_bytes())
        assert program is not None
        assert program.variable("gInt").type.size == 4
