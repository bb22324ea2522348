"""The table of traps, and finding traps by disassembly."""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from emu.program.code68k.code_resources import link_code
from emu.program.instructions.disassembly import Code
from emu.program.instructions.trap_table import (
    UNKNOWN,
    normalised,
    trap_info,
    trap_table,
    with_trap,
)
from emu.program.instructions.traps import trap_inventory
from emu.program.model.lines import LineTable
from emu.program.model.model import Program, Segment, Symbol
from tests.program.code_samples import NEAR, application, code_0, near

BASE = 0x1000


def program(code: bytes, symbols: Sequence[Symbol] = ()) -> Program:
    """A program of one segment."""
    return Program(
        path=Path("sample"),
        architecture="m68k",
        byte_order=">",
        segments=[Segment("code", BASE, len(code), code, False, True)],
        symbols=symbols,
        variables={},
        functions={},
        lines=LineTable(),
        has_debug_information=False,
    )


def function(name: str, offset: int, size: int) -> Symbol:
    return Symbol(name, BASE + offset, size, "function")


# -- the table -------------------------------------------------------------------------------


def test_the_table_is_large_and_sound() -> None:
    table = trap_table()
    assert len(table) > 500
    for word, info in table.items():
        assert 0xA000 <= word <= 0xABFF
        assert info.word == word
        assert info.name.isidentifier()
        assert info.first_rom == UNKNOWN or "ROM" in info.first_rom
        assert info.first_system == UNKNOWN or info.first_system.startswith("System ")
    names = [info.name for info in table.values()]
    assert len(names) == len(set(names)), {n for n in names if names.count(n) > 1}


@pytest.mark.parametrize(
    ("word", "name", "rom"),
    [
        (0xA11E, "NewPtr", "64K"),
        (0xA01E, "NewPtr", "64K"),  # A0 kept or not is no part of the name
        (0xA31E, "NewPtrClear", "64K"),
        (0xA71E, "NewPtrSysClear", "64K"),
        (0xA22E, "BlockMoveData", UNKNOWN),
        (0xA346, "GetOSTrapAddress", "128K"),
        (0xA200, "HOpen", "128K"),
        (0xA060, "FSDispatch", "128K"),
        (0xA9A0, "GetResource", "64K"),
        (0xADA0, "GetResource", "64K"),  # auto-pop
        (0xA9F0, "LoadSeg", "64K"),
        (0xA860, "WaitNextEvent", UNKNOWN),
        (0xAA00, "OpenCPort", "256K"),
        (0xA193, "Microseconds", UNKNOWN),
        (0xA623, "DisposeHandle", "64K"),  # flags without a meaning
    ],
)
def test_traps_are_found_by_their_words(word: int, name: str, rom: str) -> None:
    info = trap_info(word)
    assert info is not None
    assert info.name == name
    assert info.first_rom.startswith(rom)


def test_a_number_without_a_name() -> None:
    assert trap_info(0xABFE) is None
    (use,) = trap_inventory(program(bytes.fromhex("abfe 4e75")), entries=[BASE]).uses
    assert (use.word, use.info.name, use.info.first_rom) == (0xABFE, "trap $ABFE", UNKNOWN)


@given(st.integers(0xA000, 0xAFFF))
def test_flags_never_change_the_number(word: int) -> None:
    assert normalised(normalised(word)) == normalised(word)
    info = trap_info(word)
    if info is not None:
        assert normalised(info.word) == normalised(word)


def test_routines_behind_a_trap() -> None:
    """A number of the operating system's is not that of a Toolbox trap with the same lower bits."""
    assert [one.name for one in with_trap(0xA400)][:3] == ["PBOpen", "PBOpenAsync", "PBOpenSync"]
    assert {one.trap for one in with_trap(0xA400)} == {0xA000, 0xA200}
    (get_resource,) = with_trap(0xADA0)
    assert (get_resource.name, get_resource.stack_size) == ("GetResource", 6)


# -- finding them ----------------------------------------------------------------------------


def test_words_that_only_look_like_traps_are_left_out() -> None:
    # MOVE.L #$A9A0A9A1,D0; _InitGraf; RTS; and tables behind it.
    code = bytes.fromhex("203c a9a0a9a1 a86e 4e75") + bytes.fromhex("a9f4 a9f4")
    inventory = trap_inventory(program(code, [function("Main", 0, 10)]))
    assert [(u.word, u.count, u.users) for u in inventory.uses] == [(0xA86E, 1, ("Main",))]
    assert (inventory.method, inventory.covered, inventory.total) == ("symbols", 10, 14)


def test_tables_for_exceptions_are_left_out() -> None:
    code = bytes.fromhex("a86e 4e75 a9f4 a9f0")
    symbols = [function("Main", 0, 0), Symbol("__EH_FRAME_BEGIN__00002", BASE + 4, 0, "other")]
    inventory = trap_inventory(program(code, symbols))
    assert [u.word for u in inventory.uses] == [0xA86E]


def switch(entries: Sequence[int], before: bytes = b"") -> bytes:
    """MOVE.W 6(PC,D0.W),D0; JMP 2(PC,D0.W); the table; then per entry a trap and RTS."""
    table = b"".join(struct.pack(">h", entry) for entry in entries)
    return before + bytes.fromhex("303b 0006 4efb 0002") + table


def test_switch_tables_are_stepped_over_and_followed() -> None:
    # Two targets; a third, empty one lies before the switch, at a distance that looks like a trap.
    empty = bytes.fromhex("4e75")
    ahead = bytes.fromhex("6000") + struct.pack(">h", 0x5F00) + empty + bytes(0x5EFC)
    body = switch([6, 10, -0x5F0A + 4], ahead)
    assert body.endswith(struct.pack(">H", 0xA0FA))
    code = body + bytes.fromhex("a9b4 4e75 a9c8 4e75")
    with_symbols = trap_inventory(program(code, [function("Switch", 0, len(code))]))
    followed = trap_inventory(program(code), entries=[BASE])
    assert [u.word for u in with_symbols.uses] == [0xA9B4, 0xA9C8]
    assert [u.word for u in followed.uses] == [0xA9B4, 0xA9C8]


def test_branches_and_calls_are_followed() -> None:
    code = bytearray(64)
    pieces = {
        0: "6100 000e",  # BSR.W 16
        4: "6702",  # BEQ.S 8
        6: "4e75",
        8: "51c8 000e 4e75",  # DBRA D0,24
        16: "4eba 000e 4e75",  # JSR 32(PC)
        24: "a860 4e75",
        32: "a974 4ef9 00001028",  # _Button; JMP 40
        40: "a9b4 ad75",  # _SystemTask; _TickCount with auto-pop, which returns
        44: "a9ff",
    }
    for at, text in pieces.items():
        data = bytes.fromhex(text)
        code[at : at + len(data)] = data
    inventory = trap_inventory(program(bytes(code)), entries=[BASE])
    assert [u.word for u in inventory.uses] == [0xA860, 0xA974, 0xA9B4, 0xAD75]
    assert inventory.method == "flow"
    assert inventory.total == 64
    assert inventory.covered == sum(len(bytes.fromhex(t)) for t in list(pieces.values())[:-1])


def test_what_follows_a_call_without_return_is_taken_back() -> None:
    # BSR to a routine that exits; behind it a name and words that look like traps.
    code = bytes.fromhex("6100 0010 a9a0 303c ffff f8f9") + bytes(6) + bytes.fromhex("a9f4")
    inventory = trap_inventory(program(code), entries=[BASE])
    assert 0xA9F4 in [u.word for u in inventory.uses]


def test_flow_through_a_jump_table() -> None:
    file = application(
        {
            ("CODE", 0): code_0([(NEAR, 1, 0), (NEAR, 2, 0)]),
            ("CODE", 1): near(bytes.fromhex("4ead 002a a9f4")),  # JSR 42(A5); _ExitToShell
            ("CODE", 2): near(bytes.fromhex("a974 4e75")),
        }
    )
    link = link_code(file)
    inventory = trap_inventory(link.program, entries=[link.addresses[1] + 4])
    assert [u.word for u in inventory.uses] == [0xA974, 0xA9F4]


def test_code_that_has_no_name_is_followed_from_what_has() -> None:
    # Named: BSR.W to +8; A9FF; RTS. Without a name: A873; RTS. Reached by an entry: A874; RTS.
    code = bytes.fromhex("61000006 a9ff 4e75 a873 4e75 a874 4e75 a875 4e75")
    inventory = trap_inventory(program(code, [function("named", 0, 8)]), entries=[BASE + 12])
    assert [use.word for use in inventory.uses] == [0xA873, 0xA874, 0xA9FF]
    assert inventory.method == "symbols and flow"
    assert (inventory.covered, inventory.total) == (16, 20)


def test_following_code_decodes_each_piece_about_once() -> None:
    """Without waste: what a jump leads to is decoded in short pieces, each only once."""
    routine = bytes.fromhex("4e56 fff0 6704 a873 a874 4e5e 4e75".replace(" ", ""))
    code = routine * (100_000 // len(routine))
    decoded = 0
    searched = program(code, [function("first", 0, len(routine))])
    entries = range(BASE, BASE + len(code), len(routine))

    class Counting(Code):
        def read(self, address: int, size: int) -> bytes:
            nonlocal decoded
            decoded += size
            return super().read(address, size)

    assert len(Counting(searched).flow(entries)) > 40_000
    assert decoded < 16 * len(code)


# A branch into itself, where another instruction goes on into the bytes behind.
@example(bytes.fromhex("0100 6000 0000 0100 00"))
@given(st.binary(min_size=1, max_size=200))
def test_any_bytes_can_be_disassembled(data: bytes) -> None:
    subject = program(data + b"\0\0", [function("All", 0, len(data))])
    inventory = trap_inventory(subject)
    assert len(data) <= inventory.covered <= inventory.total == len(data) + 2
    code = Code(subject)
    at = BASE
    for instruction in code.decode(BASE, BASE + len(data)):
        assert instruction.address == at
        at = instruction.end
    assert at >= BASE + len(data)
    assert trap_inventory(program(data), entries=[BASE]).covered <= len(data)


def test_a_compiled_switch(compilers: Callable[..., None], tmp_path: Path) -> None:
    """What the compiler makes of a switch has no traps, and every byte of it is seen."""
    compilers("68040")
    source = tmp_path / "switch.c"
    cases = "\n".join(f"case {n}: Use({n * 977}); break;" for n in range(12))
    source.write_text(f"void Use(int n); void Switch(int n) {{ switch (n) {{\n{cases}\n}} }}\n")
    command = ["m68k-linux-gnu-gcc", "-m68000", "-O1", "-c", source, "-o", tmp_path / "switch.o"]
    subprocess.run(command, check=True)
    subprocess.run(
        [
            *("m68k-linux-gnu-objcopy", "-O", "binary", "-j", ".text"),
            *(tmp_path / "switch.o", tmp_path / "switch.text"),
        ],
        check=True,
    )
    code = (tmp_path / "switch.text").read_bytes()
    assert b"\x4e\xfb" in code, "the compiler made no table"
    symbols = [function("Switch", 0, len(code))]
    assert trap_inventory(program(code, symbols)).uses == ()
    followed = trap_inventory(program(code), entries=[BASE])
    assert followed.uses == ()
    assert followed.covered > 0.7 * len(code), "the table's targets were not followed"
