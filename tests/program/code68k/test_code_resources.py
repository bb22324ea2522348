"""CODE resources: what is read of them, how they are linked, what is refused."""

from __future__ import annotations

import os
import struct
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.base.errors import ProgramError
from emu.machine import CPUS, BareMachine
from emu.program import Program
from emu.program.code68k import retro68
from emu.program.code68k.code_layout import parse_code_resources, parse_segment, parse_world
from emu.program.code68k.code_resources import link_code, read_code_program, segment_symbols
from emu.program.code68k.far_model import read_relocations
from emu.program.read import read_program
from emu.program.symbols.macsbug_names import find_procedure_names
from tests.examples import examples
from tests.program.code_samples import (
    FAR,
    MARK,
    NEAR,
    PATH,
    RTS,
    application,
    code_0,
    far,
    near,
    split_application,
    trampoline,
    uleb,
)

ROOT = Path(__file__).parents[3]


def long_at(program: Program, address: int) -> int:
    for segment in program.segments:
        if segment.address <= address < segment.end:
            data = segment.data.ljust(segment.size, b"\0")
            return int.from_bytes(data[address - segment.address :][:4], "big")
    raise AssertionError(f"nothing at 0x{address:x}")


# -- CODE 0 and headers ----------------------------------------------------------------------


def test_near_and_far_entries_are_read() -> None:
    data = code_0([(NEAR, 1, 0), (NEAR, -2, 6), (MARK, 0, 0), (FAR, 3, 0x12345)], below=10)
    world = parse_world(data, PATH)
    assert (world.above_a5, world.below_a5) == (0x40, 10)
    assert (world.table_offset, world.table_size) == (0x20, 32)
    found = [(e.index, e.segment, e.offset, e.far) for e in world.entries]
    # Near offsets count from behind the 4-byte header.
    assert found == [(0, 1, 4, False), (1, -2, 10, False), (3, 3, 0x12345, True)]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (bytes(15), "truncated: 15 of the header's 16 bytes"),
        (struct.pack(">4I", 0xFFFFFFFF, 0, 0, 0), "room above A5 of 4,294,967,295 bytes"),
        (struct.pack(">4I", 0x28, 0xFFFFFFF0, 0, 0x20), "room below A5 of 4,294,967,280 bytes"),
        (struct.pack(">4I", 0x28, 0, 0xFFFFFFF8, 0x20), "a jump table of 4,294,967,288 bytes"),
        (struct.pack(">4I", 0x28, 0, 4, 0x20) + bytes(4), "no multiple of 8"),
        (code_0([(NEAR, 1, 0)], above=0x20), "ends 0x28 bytes above A5"),
        (code_0([(NEAR, 1, 0)], offset=0x21), "odd offset"),
        (struct.pack(">4I", 0x28, 0, 8, 0x20) + b"garbage!", "entry 0 of the jump table"),
        (code_0([(FAR, 1, 40)]), "entry 0 of the jump table is in no known form"),
    ],
)
def test_a_bad_code_0_is_refused(data: bytes, problem: str) -> None:
    with pytest.raises(ProgramError, match=problem) as caught:
        parse_world(data, PATH)
    assert "CODE 0" in str(caught.value)


def test_entries_that_a_short_code_0_lacks_are_unused() -> None:
    data = code_0([(NEAR, 1, 0), (NEAR, 1, 6), (NEAR, 1, 12)])
    world = parse_world(data[:-8], PATH)
    assert (world.table_size, world.table) == (24, data[16:-8] + bytes(8))
    assert [entry.index for entry in world.entries] == [0, 1]


def test_entries_but_the_first_may_hold_anything() -> None:
    data = bytearray(code_0([(NEAR, 1, 0), (NEAR, 1, 6), (NEAR, 1, 12)]))
    data[24:32] = bytes.fromhex("a89f 002e 0001 8fde")
    assert [entry.index for entry in parse_world(bytes(data), PATH).entries] == [0, 2]
    data[16:24] = bytes.fromhex("0008 6004 ffff ffff")  # bra.s to the second entry
    assert [entry.index for entry in parse_world(bytes(data), PATH).entries] == [2]


def test_code_begins_behind_the_long_that_codewarrior_adds_to_a_header() -> None:
    plain = bytes.fromhex("00a00033")
    assert parse_segment(2, "", plain + RTS, PATH).header_size == 4
    assert parse_segment(2, "", plain + bytes.fromhex("000000a0") + RTS, PATH).header_size == 8
    assert parse_segment(1, "", bytes.fromhex("00000001 00000000"), PATH).header_size == 4


def test_segment_headers() -> None:
    assert not parse_segment(1, "Main", near(RTS), PATH).far
    segment = parse_segment(2, "", far(RTS, own=(40, 7)), PATH)
    assert (segment.far, segment.header_size, segment.far_entries) == (True, 40, 1)
    assert (segment.segment_relocations, segment.base_assumed) == (40, 7)
    for data in (b"", b"\0\0\0", b"\xff\xff\0\0" + bytes(10)):
        with pytest.raises(ProgramError, match="truncated"):
            parse_segment(3, "", data, PATH)
    with pytest.raises(ProgramError, match="A5 relocations are at offset 99 of 42 bytes"):
        parse_segment(3, "", far(RTS, a5=(99, 0)), PATH)


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ((NEAR, 2, 0), r"jump table entry 0: it leads to CODE 2, which is not there"),
        ((NEAR, 1, 2), r"jump table entry 0: it leads to offset 6 of CODE 1"),
        ((NEAR, 1, 1), r"odd offset 5"),
    ],
)
def test_an_entry_out_of_its_segment_is_refused(entry: tuple[str, int, int], problem: str) -> None:
    file = application({("CODE", 0): code_0([entry]), ("CODE", 1): near(RTS)})
    with pytest.raises(ProgramError, match=problem):
        parse_code_resources(file)


def test_what_is_no_application_is_refused() -> None:
    with pytest.raises(ProgramError, match="no CODE resources"):
        parse_code_resources(application({}))
    with pytest.raises(ProgramError, match="no CODE 0"):
        parse_code_resources(application({("CODE", 1): near(RTS)}))


# -- near and far model ----------------------------------------------------------------------


def test_a_near_application_is_linked() -> None:
    # CODE 1: JSR 42(A5) to the second entry; CODE 2: MOVEQ #5,D0; RTS
    main = bytes.fromhex("4ead 002a 4e75")
    file = application(
        {
            ("CODE", 0): code_0([(NEAR, 1, 0), (NEAR, 2, 0)], below=0x123456),
            ("CODE", 1): near(main),
            ("CODE", 2): near(bytes.fromhex("7005 4e75")),
        }
    )
    link = link_code(file)
    program = link.program
    a5 = program.registers["a5"]
    assert program.convention == "m68k-pascal"
    assert link.layout == "near model, 2 segments"
    assert not link.initialised
    target = link.addresses[2] + 4
    assert long_at(program, a5 + 0x28) == 0x00024EF9
    assert long_at(program, a5 + 0x2C) == target
    assert target in link.entries
    for segment in program.segments:
        assert not (segment.writable and segment.executable)
    pages = [
        {page for s in program.segments if s.writable is writable for page in pages_of(s)}
        for writable in (True, False)
    ]
    assert not pages[0] & pages[1], "globals share a page with code or the jump table"


def pages_of(segment: object) -> range:
    return range(segment.address >> 12, (segment.end + 4095) >> 12)  # type: ignore[attr-defined]


def test_far_relocations_are_applied() -> None:
    # Behind 2 bytes of code a long that holds an A5 offset and one that holds an own offset.
    code = RTS + struct.pack(">II", 0x1000 - 8, 0x2000 + 42)
    lists = bytes([21, 0, 0]) + bytes([23, 0, 0])
    start = 40 + len(code)
    segment = far(code + lists, a5=(start, 0x1000), own=(start + 3, 0x2000))
    file = application(
        {
            ("CODE", 0): code_0([(NEAR, 1, 0), (MARK, 0, 0), (FAR, 2, 40)], below=16),
            ("CODE", 1): near(RTS),
            ("CODE", 2): segment,
        }
    )
    link = link_code(file)
    base = link.addresses[2]
    assert long_at(link.program, base + 42) == link.a5 - 8
    assert long_at(link.program, base + 46) == base + 42
    assert link.layout == "far model, 2 segments"
    assert link.code_ends[2] == base + start


@pytest.mark.parametrize(
    ("stored", "problem"),
    [
        (b"", "not ended"),
        (b"\x15", "not ended"),
        (b"\x15\x00", "not ended"),
        (b"\x80", "not ended"),
        (b"\x00\x01\x00\x00\x00\x00\x00", "damaged"),
        (b"\x01\x00\x00", "names offset 2"),
        (b"\xff\xff\x00\x00", "names offset 65534"),
    ],
)
def test_bad_far_relocations_are_refused(stored: bytes, problem: str) -> None:
    data = far(bytes(8) + stored)
    segment = parse_segment(2, "", data, PATH)
    with pytest.raises(ProgramError, match=problem):
        read_relocations(segment, 48, PATH)


def test_every_form_of_distance_in_far_relocations() -> None:
    stored = b"\x14" + b"\x80\x02" + b"\x00\x80\x00\x00\x03" + b"\x00\x00"
    segment = parse_segment(2, "", far(bytes(16) + stored), PATH)
    assert read_relocations(segment, 56, PATH) == [40, 44, 50]


# -- Retro68's layouts -----------------------------------------------------------------------


def test_a_split_application_is_linked() -> None:
    link = link_code(split_application())
    program, a5, second = link.program, link.a5, link.addresses[2]
    assert link.layout == "Retro68, 2 segments"
    assert program.convention == "m68k-retro68"
    assert long_at(program, second + 42) == second + 40
    assert long_at(program, second + 46) == a5 - 12
    assert long_at(program, second + 50) == a5 - 4
    assert long_at(program, second + 54) == a5 + 0x32
    # The call in CODE 1 goes to the entry's JMP, and that to CODE 2.
    assert long_at(program, link.addresses[1] + 4 + 16) == a5 + 0x32
    assert long_at(program, a5 + 0x34) == second + 40
    # The data, of which one long refers to the data; the zeroed data; the loader's own notes.
    assert long_at(program, a5 - 12) == a5 - 12
    assert long_at(program, a5 - 8) == 7
    assert long_at(program, a5 - 4) == 0
    assert (long_at(program, second + 24), long_at(program, second + 32)) == (a5, second)
    assert link.addresses[1] + 4 + 14 in link.entries
    # The last long of the segment leads back to the tables for exceptions.
    assert link.code_ends[2] < second + len(link.code.segments[1].data)
    assert not link.findings


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"rela_2": b"\x07"}, "RELA 2: the relocation list is not ended"),
        ({"rela_2": b"\xff\xff\xff\xff\xff\xff\x00\x00"}, "more than 32 bits"),
        ({"rela_2": uleb((400, 0)) + b"\0"}, "relocation 0 is at offset 399 of"),
        ({"data_0": bytes(13)}, "DATA 0: it has 13 bytes; below A5 is room for 12"),
    ],
)
def test_bad_retro68_resources_are_refused(changed: dict[str, bytes], problem: str) -> None:
    with pytest.raises(ProgramError, match=problem):
        link_code(split_application(**changed))


def test_missing_retro68_resources_are_refused() -> None:
    for missing, problem in ((("RELA", 2), "no RELA 2"), (("DATA", 0), "no DATA 0")):
        whole = split_application()
        kept = {(r.type, r.id): r.data for r in whole.resources.resources}
        del kept[missing]
        with pytest.raises(ProgramError, match=problem):
            link_code(application(kept))


def test_a_list_that_ends_too_early_is_a_finding() -> None:
    """Two absolute relocations of one long: the second one is written as an end."""
    early = uleb((3, 0)) + uleb((8, 1), (4, 2), (4, 3)) + b"\0"
    link = link_code(split_application(rela_2=early))
    (finding,) = link.findings
    assert "RELA 2 ends 1 bytes too early" in finding
    assert "code at 0x7, 0xb, 0xf after the header is damaged" in finding


def flat_block() -> tuple[bytes, int, int]:
    """Code, data and list as in an application of one segment, with the ends of code and data."""
    code = trampoline(14)
    # LEA of: its own beginning, the data's beginning and end, the zeroed data's beginning and end.
    for _ in range(5):
        code += bytes.fromhex("41f9 00000000")
    code += RTS
    data = struct.pack(">I", 0x11223344)
    end, whole = len(code), len(code) + len(data)
    longs = struct.pack(">I", 0), struct.pack(">I", end), struct.pack(">I", whole)
    block = bytearray(code + data)
    for index, value in enumerate((*longs, longs[2], struct.pack(">I", whole + 100))):
        at = 14 + 6 * index + 2
        block[at : at + 4] = value
    kinds = (0, 1, 1, 2, 2)
    items = [(17 if index == 0 else 6, kind) for index, kind in enumerate(kinds)]
    return bytes(block) + uleb(*items) + b"\0", end, whole


def test_a_flat_block_is_taken_apart() -> None:
    block, end, whole = flat_block()
    layout = retro68.find_flat_layout(block, PATH, "CODE 1")
    assert (layout.code_end, layout.data_end) == (end, whole)
    assert (layout.zeroed_start, layout.zeroed_size) == (whole, 100)
    assert layout == retro68.given_flat_layout(block, (end, whole - end, 100), PATH, "CODE 1")


def test_an_application_of_one_segment_is_linked() -> None:
    block, end, whole = flat_block()
    file = application({("CODE", 0): code_0([(NEAR, 1, 0)]), ("CODE", 1): near(block)})
    link = link_code(file)
    base = link.addresses[1] + 4
    assert link.layout == "Retro68, one segment with its data"
    assert long_at(link.program, base + 16) == base
    assert long_at(link.program, base + 22) == base + end
    assert long_at(link.program, base + 28) == base + whole
    zeroed = next(s for s in link.program.segments if s.name == "zeroed data")
    assert (zeroed.size, zeroed.writable) == (100, True)
    assert long_at(link.program, base + 34) == zeroed.address
    assert long_at(link.program, base + 40) == zeroed.end


def test_a_flat_block_without_a_list_is_refused() -> None:
    block, *_ = flat_block()
    with pytest.raises(ProgramError, match="no relocation list can be found"):
        retro68.find_flat_layout(block + b"\x55\x55", PATH, "CODE 1")


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.tuples(st.integers(1, 5000), st.integers(0, 3)), max_size=40))
def test_relocation_lists_are_read_as_they_were_written(items: list[tuple[int, int]]) -> None:
    found, left = retro68.parse_relocations(uleb(*items) + uleb(*items), 1 << 20, PATH, "RELA")
    places = [sum(d for d, _ in items[: n + 1]) - 1 for n in range(len(items))]
    expected = [(place, kind) for place, (_, kind) in zip(places, items, strict=True)]
    assert left == 0
    assert [(r.offset, r.kind) for r in found if not r.relative] == expected
    assert [(r.offset, r.kind) for r in found if r.relative] == expected


@settings(max_examples=examples(200), deadline=None)
@given(st.data())
def test_damaged_applications_are_read_or_refused(data: st.DataObject) -> None:
    whole = split_application()
    resources = {(r.type, r.id): r.data for r in whole.resources.resources}
    key = data.draw(st.sampled_from(sorted(resources)))
    image = bytearray(resources[key])
    for _ in range(data.draw(st.integers(1, 4))):
        image[data.draw(st.integers(0, len(image) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(image)))
    resources[key] = bytes(image[:cut] if data.draw(st.booleans()) else image)
    try:
        link = link_code(application(resources))
    except ProgramError:
        return
    assert sum(s.size for s in link.program.segments) < 130 << 20


# -- names -----------------------------------------------------------------------------------


def test_macsbug_names_of_all_forms() -> None:
    link_frame = bytes.fromhex("4e560000 4e5e")
    code = link_frame + RTS + b"\x85Hello" + bytes.fromhex("0000")
    second = len(code)
    code += link_frame + RTS + b"\x80\x06Second" + bytes.fromhex("0004 11111111")
    third = len(code)
    code += link_frame + bytes.fromhex("4ed0") + bytes([ord("T") | 0x80]) + b"hird   "
    fourth = len(code)
    code += link_frame + bytes.fromhex("4e740008")
    code += bytes([ord("F") | 0x80, ord("o") | 0x80]) + b"urthRoutine   "
    found = find_procedure_names(code)
    assert [(n.name, n.start) for n in found] == [
        ("Hello", 0),
        ("Second", second),
        ("Third", third),
        ("FourthRoutine", fourth),
    ]
    assert found[0].end == 8


def test_what_only_looks_like_a_name_is_none() -> None:
    assert find_procedure_names(RTS + bytes.fromhex("85 4865 00 6c6f 0000")) == []
    assert find_procedure_names(b"\x85Hello\0\0") == []  # nothing returns before it
    assert find_procedure_names(RTS) == []
    assert find_procedure_names(RTS + b"\x85He") == []


def test_a_routine_without_a_name_is_not_given_the_next_one() -> None:
    frame = bytes.fromhex("4e560000 4e5e 4e75")
    code = frame + frame + b"\x83Two" + bytes(2)
    (name,) = find_procedure_names(code)
    assert (name.name, name.start, name.end) == ("Two", 8, 16)


UNNAMED = "7001 4e75"


@pytest.mark.parametrize(
    ("code", "start"),
    [
        (UNNAMED + "7002 4e75", 4),  # two without a frame
        (UNNAMED + "4a00 6704 7001 4e75 7002 4e75", 4),  # a branch over the first of two returns
        (UNNAMED + "6004 7001 4e75 60fa 7002 4e75", 4),  # a branch back
        (UNNAMED + "303b 0006 4efb 0002 0004 0006 4e75 4e75", 4),  # a switch
        ("4a00 4efb 0000 7001 4e75 7002 4e75", 0),  # one whose table cannot be read
        ("a9f4 7002 4e75", 2),  # what ends the program
        ("2f03 4267 a9f4 588f 261f 4e75", 0),  # which the compiler did not know
        ("48e7 1000 a9f4 4cdf 0008 4e75", 0),
        ("a9f4 2f03 261f 4e75", 2),
        ("6002 7001 7002 4e75", 0),
        ("4e560000 7001 4e75 4e5e 4e75", 0),  # the frame is given back behind it
        (UNNAMED + "ffee ffca ffee ffee ffee ffee ffee 4e560000 4e5e 4e75", 18),  # a table before
    ],
)
def test_a_named_routine_begins_where_no_branch_leads_to_from_before(code: str, start: int) -> None:
    (name,) = find_procedure_names(bytes.fromhex(code) + b"\x83Two" + bytes(2))
    assert (name.name, name.start) == ("Two", start)


def test_macsbug_names_become_symbols() -> None:
    named = bytes.fromhex("7007 4e75") + b"\x85Seven" + bytes(2)
    file = application({("CODE", 0): code_0([(NEAR, 1, 0)]), ("CODE", 1): near(named)})
    link = link_code(file)
    assert link.symbol_source == "MacsBug names"
    assert link.program.function("Seven") == link.addresses[1] + 4
    (symbol,) = segment_symbols(file)[1]
    assert (symbol.name, symbol.offset, symbol.size) == ("Seven", 4, 4)


# -- with the compilers ----------------------------------------------------------------------


def test_an_elf_file_of_another_program_is_refused(tmp_path: Path) -> None:
    other = ROOT / "tests/programs/plain-m68k.elf"
    with pytest.raises(ProgramError, match="does not belong to the application"):
        read_code_program(split_application(), other)
    near_one = application({("CODE", 0): code_0([(NEAR, 1, 0)]), ("CODE", 1): near(RTS)})
    with pytest.raises(ProgramError, match="Retro68 did not make"):
        read_code_program(near_one, other)


def test_compiled_code_runs_from_a_code_resource(
    compilers: Callable[..., None], tmp_path: Path
) -> None:
    """A routine that Debian's compiler made, called in CODE 2 through the jump table."""
    compilers("68040")
    source = tmp_path / "sum.c"
    source.write_text("int Sum(int n) { int s = 0; while (n) s += n--; return s; }\n")
    subprocess.run(
        [
            *("m68k-linux-gnu-gcc", "-m68000", "-O1", "-fomit-frame-pointer"),
            *("-c", source, "-o", tmp_path / "sum.o"),
        ],
        check=True,
    )
    subprocess.run(
        [
            *("m68k-linux-gnu-objcopy", "-O", "binary", "-j", ".text"),
            *(tmp_path / "sum.o", tmp_path / "sum.text"),
        ],
        check=True,
    )
    routine = (tmp_path / "sum.text").read_bytes()
    # CODE 1: JMP 42(A5), the second entry of the jump table, with a name.
    call = bytes.fromhex("4eed 002a 4e75") + b"\x87CallSum" + bytes(2)
    file = application(
        {
            ("CODE", 0): code_0([(NEAR, 1, 0), (NEAR, 2, 0)]),
            ("CODE", 1): near(call),
            ("CODE", 2): near(routine),
        }
    )
    # What the compiler keeps of the Pascal convention.
    program = replace(read_code_program(file), convention="m68k-retro68")
    machine = BareMachine(program, CPUS["68040"])
    assert machine.call("CallSum", 100) == 5050


@pytest.fixture(scope="module")
def retro68_tools() -> Path:
    folder = os.environ.get("RETRO68")
    if not folder:
        pytest.skip("set RETRO68 to a Retro68 toolchain's folder")
    return Path(folder) / "bin"


@pytest.fixture(scope="module")
def four_shifts(retro68_tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our port as an application, with debugging information."""
    folder = tmp_path_factory.mktemp("retro68")
    main = '#include "four_shifts.h"\nint main() { _DetermineCollisions(); return 0; }\n'
    (folder / "main.cpp").write_text(main)
    port = ROOT / "mac_src/four_shifts"
    subprocess.run(
        [
            *(retro68_tools / "m68k-apple-macos-g++", "-g", "-O2", "-I", port),
            *("main.cpp", port / "four_shifts.cpp", "-o", "app.code.bin"),
        ],
        cwd=folder,
        check=True,
    )
    return folder / "app.code.bin"


def test_a_routine_inside_a_retro68_application(four_shifts: Path) -> None:
    program = read_program(four_shifts)
    assert program.convention == "m68k-retro68"
    assert program.variable("gObjects").type.shape == (200,)
    location = program.locate(program.function("_DetermineCollisions"))
    assert (location.symbol, location.file) == ("_DetermineCollisions", "four_shifts.cpp")
    machine = BareMachine(program, CPUS["68040"])
    machine.call("_DetermineCollisions")


def test_the_symbols_of_another_build_are_refused(four_shifts: Path, tmp_path: Path) -> None:
    image = bytearray((four_shifts.parent / "app.code.bin.gdb").read_bytes())
    (offset,) = struct.unpack_from(">I", image, 28 + 0)  # the first program header
    (start,) = struct.unpack_from(">I", image, offset + 4)
    image[start + 200] ^= 1
    (tmp_path / "app.code.bin").write_bytes(four_shifts.read_bytes())
    (tmp_path / "app.code.bin.gdb").write_bytes(image)
    with pytest.raises(ProgramError, match=r"section \.code00001 and CODE 1 differ at offset 0xc8"):
        read_program(tmp_path / "app.code.bin")


def test_jump_table_entries_that_load_nothing_are_left_alone() -> None:
    world = parse_world(code_0([(NEAR, 1, 0)]), PATH)
    jump = struct.pack(">4H", 0, 0x4EED, 0x40, 0x4E71)  # jmp $40(a5); nop
    data = struct.pack(">4I", 0x40, 0, 16, 0x20) + jump + code_0([(NEAR, 1, 0)])[16:24]
    assert [(e.index, e.segment) for e in parse_world(data, PATH).entries] == [(1, 1)]
    assert [e.segment for e in world.entries] == [1]


def test_a_program_does_without_segments_that_are_not_there(tmp_path: Path) -> None:
    entries = [(NEAR, 1, 0), (NEAR, 2, 0), (NEAR, 2, 4), (NEAR, 1, 99)]
    file = application({("CODE", 0): code_0(entries), ("CODE", 1): near(RTS)})
    link = link_code(file)
    assert [segment.id for segment in link.code.segments] == [1]
    assert [entry.index for entry in link.code.world.entries] == [0]
    assert link.findings == (
        "2 jump table entries lead to CODE 2, which is not there",
        "1 jump table entry leads to offset 103 of CODE 1, whose code is from 4 to 6",
    )
    table = next(one.data for one in link.program.segments if bytes.fromhex("4ef9") in one.data)
    at = table.index(bytes.fromhex("4ef9")) + 6
    assert table[at:] == bytes.fromhex("4afc") * 12  # a call of these is a fault
