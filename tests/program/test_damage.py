"""Damaged files: each is read or refused with a ProgramError, soon and in little memory."""

from __future__ import annotations

import contextlib
import io
import random
import struct
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from emu.base.errors import ProgramError
from emu.program import Program
from emu.program.elf.elf import parse_elf
from tests.rows import slow_but

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
    start = time.process_time()
    yield
    spent = time.process_time() - start
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
            pytest.raises(ProgramError, match=r"not an ELF file|truncated") as caught,
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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_but(PROGRAMS[:1], PROGRAMS))
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


def refer(image: bytes, tag: str, name: str, attribute: str, *, to: str) -> bytes:
    """A program whose debugging entry of that tag and name refers to another place.

    ``to`` is "itself" or "before": the entry itself, or the one in front of it.
    """
    elf = ELFFile(io.BytesIO(image))
    debug = elf.get_section_by_name(".debug_info")
    assert debug is not None
    (unit,) = elf.get_dwarf_info().iter_CUs()
    previous = None
    for die in unit.iter_DIEs():
        named = die.attributes.get("DW_AT_name")
        if (
            die.tag == tag
            and attribute in die.attributes
            and (not name or (named is not None and named.value.decode() == name))
        ):
            break
        previous = die
    else:
        raise AssertionError(f"no {tag} {name} with {attribute}")
    target = die if to == "itself" else previous
    assert target is not None
    reference = die.attributes[attribute]
    assert reference.form == "DW_FORM_ref4"
    order = "<" if image[5] == 1 else ">"
    changed = bytearray(image)
    struct.pack_into(
        order + "I",
        changed,
        debug["sh_offset"] + reference.offset,
        target.offset - unit.cu_offset,
    )
    return bytes(changed)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("to", ["itself", "before"])
def test_a_sibling_that_leads_backwards(programs: Path, name: str, to: str) -> None:
    """Followed as it is, it would lead round for ever."""
    whole = (programs / f"{name}.elf").read_bytes()
    image = refer(whole, "DW_TAG_structure_type", "Outer", "DW_AT_sibling", to=to)
    with within_bounds(name), pytest.raises(ProgramError, match="names an earlier one as its next"):
        parse_elf(image, GUEST)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize(
    ("tag", "entry"), [("DW_TAG_typedef", "scalar"), ("DW_TAG_array_type", "")]
)
def test_a_type_made_of_itself(programs: Path, name: str, tag: str, entry: str) -> None:
    whole = (programs / f"{name}.elf").read_bytes()
    with within_bounds(name):
        program = parse_elf(refer(whole, tag, entry, "DW_AT_type", to="itself"), GUEST)
    suffering = [n for n, found in program.variables.items() if found[0].problem]
    message = "nested too deeply or contains itself"
    assert message in "".join(str(program.variables[n][0].problem) for n in suffering)
    assert program.variable("gInt").type.name == "int"


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_enumeration_of_itself(programs: Path, name: str) -> None:
    whole = (programs / f"{name}.elf").read_bytes()
    image = refer(whole, "DW_TAG_enumeration_type", "Balance", "DW_AT_type", to="itself")
    with within_bounds(name):
        attempt(image)


def test_a_damaged_line_table_is_told_when_lines_are_asked_for(programs: Path) -> None:
    image = bytearray((programs / f"{PROGRAMS[0]}.elf").read_bytes())
    offset, size = sections(bytes(image))[".debug_line"]
    code = parse_elf(bytes(image), GUEST).segments[0].address
    image[offset : offset + size] = b"\xff" * size
    program = parse_elf(bytes(image), GUEST)
    assert program.variables
    for _ in range(2):
        with pytest.raises(ProgramError, match=r"guest\.elf: its line table is damaged"):
            program.locate(code)
