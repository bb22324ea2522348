"""Programs as their own start-up code leaves them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from emu.base.errors import GuestError, ProgramError
from emu.machine import GuestFault
from emu.machine.cpu import CPUS
from emu.program import Program, read_program
from emu.program.declarations.c_declarations import parse_type
from emu.program.declarations.places import find_routine, with_global
from emu.program.instructions.listing import place_of
from emu.program.mac_file.macbinary import make_macbinary
from emu.program.mac_file.resource_fork import Resource, make_resource_fork
from emu.program.model.model import source_name
from emu.runner import start_up
from emu.runner.start_up import after_start_up
from emu.toolbox.single_calls.toolbox_machine import Machine
from tests.program.code_samples import NEAR, code_0, near

PREBUILT = Path("tests/programs/mac/prebuilt")

# The globals are at A5-4, a number, and at A5-8, a pointer to a block on the heap.
MAIN = """
    7010            moveq   #16,d0
    a11e            _NewPtr
    2b48 fff8       move.l  a0,-8(a5)
    30bc 0007       move.w  #7,(a0)
    2b7c 0001 000d fffc     move.l #$1000d,-4(a5)
    486d fffc       pea     -4(a5)
    a86e            _InitGraf
    a9f4            _ExitToShell
"""
ADD = """
    206d fff8       movea.l -8(a5),a0
    7000            moveq   #0,d0
    3010            move.w  (a0),d0
    d0ad fffc       add.l   -4(a5),d0
    4eed 002a       jmp     entry 1
"""
DOUBLE = """
    d080            add.l   d0,d0
    4e75            rts
"""
# As THINK C's console does: its own LoadSeg, which goes on to the Toolbox's.
PATCHING = """
    303c a9f0       move.w  #$a9f0,d0
    a146            _GetTrapAddress
    2b48 fff4       move.l  a0,-12(a5)
    303c a9f0       move.w  #$a9f0,d0
    41fa 000e       lea     patch,a0
    a047            _SetTrapAddress
    486d fffc       pea     -4(a5)
    a86e            _InitGraf
    a9f4            _ExitToShell
    4e71
    52ad fffc       patch:  addq.l #1,-4(a5)
    206d fff4       movea.l -12(a5),a0
    4ed0            jmp     (a0)
"""


# As CodeWarrior's start-up code does: it makes entry 1 of the jump table, at A5+0x28, in a form of
# its own (LoadSeg, the offset, the segment), and patches LoadSeg with what understands that.
MAKING = """
    303c a9f0       move.w  #$a9f0,d0
    41fa 0026       lea     patch,a0
    a047            _SetTrapAddress
    2b7c a9f0 0000 0028     move.l #$a9f00000,40(a5)
    2b7c 0004 0002 002c     move.l #$00040002,44(a5)
    2b7c 0000 0003 fffc     move.l #3,-4(a5)
    4e71
    486d fffc       pea     -4(a5)
    a86e            _InitGraf
    a9f4            _ExitToShell
    205f            patch:  movea.l (a7)+,a0
    5588            subq.l  #2,a0
    2f08            move.l  a0,-(a7)
    42a7            clr.l   -(a7)
    2f3c 434f 4445  move.l  #'CODE',-(a7)
    3f28 0006       move.w  6(a0),-(a7)
    a9a0            _GetResource
    225f            movea.l (a7)+,a1
    205f            movea.l (a7)+,a0
    2011            move.l  (a1),d0
    d0a8 0002       add.l   2(a0),d0
    30bc 4ef9       move.w  #$4ef9,(a0)
    2140 0002       move.l  d0,2(a0)
    4ed0            jmp     (a0)
"""


def code(listing: str) -> bytes:
    """The code of a listing, whose words of four hexadecimal digits come first."""
    words = []
    for line in listing.strip().splitlines():
        for word in line.split():
            if len(word) != 4 or any(letter not in "0123456789abcdef" for letter in word):
                break
            words.append(word)
    return bytes.fromhex("".join(words))


def application(
    folder: Path, main: str = MAIN, add: str = ADD, entries: Sequence[int] = (1, 2)
) -> Program:
    """An application with two segments; "Add" is in the first, and calls the second.

    The file has jump table entries of the segments ``entries``, and there is room for two.
    """
    first = code(main) + code(add) + b"\x83Add" + bytes(2)
    table = [(NEAR, number, 0) for number in entries]
    resources = [
        Resource("CODE", 0, "", 0, code_0(table, below=0x200, above=0x30)),
        Resource("CODE", 1, "", 0, near(first)),
        Resource("CODE", 2, "Far", 0, bytes.fromhex("0008 0001") + code(DOUBLE)),
    ]
    path = folder / "old.bin"
    fork = make_resource_fork(resources)
    path.write_bytes(make_macbinary("old", type="APPL", creator="????", resource_fork=fork))
    return read_program(path)


def place_of_add(main: str = MAIN) -> str:
    return f"CODE 1+{4 + len(code(main))}"


def call(program: Program, place: str, *words: int, cpu: str = "68000") -> int:
    machine = Machine(program, cpu)
    site = machine.site_of_words(find_routine(program, place), *words)
    return int.from_bytes(machine.call_typed(place, site, site.given), "big")


def test_globals_heap_and_jump_table_are_as_start_up_code_left_them(tmp_path: Path) -> None:
    program = application(tmp_path)
    assert call(after_start_up(program, CPUS["68000"], "InitGraf"), place_of_add()) == 2 * 0x10014
    with pytest.raises(GuestFault, match=r"CODE 1"):
        call(program, place_of_add())  # the pointer is null in the file


def test_it_can_be_run_up_to_one_of_its_own_routines(tmp_path: Path) -> None:
    program = application(tmp_path)
    for until in (f"CODE 1+{4 + len(code(MAIN)) - 4}", "InitGraf"):
        assert call(after_start_up(program, CPUS["68000"], until), place_of_add()) == 2 * 0x10014


def test_segments_are_loaded_through_the_program_s_own_patch(tmp_path: Path) -> None:
    program = application(tmp_path, PATCHING, "202d fffc\n" + "4eed 002a")
    started = after_start_up(program, CPUS["68000"], "InitGraf")
    assert call(started, place_of_add(PATCHING)) == 2  # the patch has counted CODE 2


def test_a_jump_table_entry_that_the_program_uses_for_something_else(tmp_path: Path) -> None:
    """THINK C's start-up code keeps a pointer in one; it is not called to load a segment."""
    main = "2b7c 0001 04bc 0028" + MAIN.replace("\n", "\n    ", 1)
    program = application(tmp_path, main, "202d 0028\n4e75")
    started = after_start_up(program, CPUS["68000"], "InitGraf")
    assert call(started, place_of_add(main)) == 0x104BC


def test_segments_are_loaded_that_the_start_up_code_puts_into_the_jump_table(
    tmp_path: Path,
) -> None:
    program = application(tmp_path, MAKING, "202d fffc\n4eed 0028", entries=[1])
    started = after_start_up(program, CPUS["68000"], "InitGraf")
    assert any(one.name.startswith("CODE 2") for one in started.segments)
    assert call(started, place_of_add(MAKING)) == 6


@pytest.mark.slow
def test_a_program_that_does_not_get_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = application(tmp_path)
    with pytest.raises(GuestError, match=r"old\.bin ends the program before it gets to NewWindow"):
        after_start_up(program, CPUS["68000"], "NewWindow")
    broken = application(tmp_path, "4afc")
    with pytest.raises(GuestError, match="does not get to InitGraf: processor exception: illegal"):
        after_start_up(broken, CPUS["68000"], "InitGraf")
    monkeypatch.setattr(start_up, "_SECONDS", 0.5)
    endless = application(tmp_path, "60fe")
    with pytest.raises(GuestError, match="it did not end within"):
        after_start_up(endless, CPUS["68000"], "InitGraf")


def test_what_it_is_to_get_to_must_exist(tmp_path: Path) -> None:
    program = application(tmp_path)
    with pytest.raises(ProgramError, match="InitGraph is neither a Toolbox routine nor one of its"):
        after_start_up(program, CPUS["68000"], "InitGraph")
    elf = read_program("mac_src/prebuilt/four-shifts-68040-O2.elf")
    with pytest.raises(ProgramError, match="not a Mac file"):
        after_start_up(elf, CPUS["68040"], "InitGraf")


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_symbols_of_an_application_move_with_it(cpu: str) -> None:
    """The constructors of globals have run, which the file alone does not show."""
    program = read_program(PREBUILT / cpu / "constructors.bin")
    started = after_start_up(program, CPUS[cpu], "main")
    before, after = (
        Machine(one, CPUS[cpu]).read(address_of(one, "gTwo"), 12) for one in (program, started)
    )
    assert before == bytes(12) != after
    assert started.function("main") != program.function("main")


def address_of(program: Program, name: str) -> int:
    (address,) = {one.address for one in program.symbols if source_name(one.name) == name}
    return address


@pytest.mark.parametrize(("cpu", "begins"), [("68000", "A5-0x"), ("601", "section 0+0x")])
def test_a_global_is_found_by_its_place(cpu: str, begins: str) -> None:
    """The place that is told for a symbol is where a case says that a global is."""
    program = read_program(PREBUILT / cpu / "globals.bin")
    place = place_of(program, address_of(program, "gShorts"))
    assert place.startswith(begins)
    started = after_start_up(program, CPUS[cpu], "main")
    placed = with_global(started, "shorts", place, parse_type("short[3]"))
    assert list(Machine(placed, CPUS[cpu]).globals["shorts"]) == [1, -2, 3]
    with pytest.raises(ProgramError, match="no data of 200000 bytes at"):
        with_global(started, "shorts", place, parse_type("char[200000]"))


def test_imported_routines_are_answered_after_start_up_code() -> None:
    """It asks for the first random number of a Macintosh that was just switched on, 16807."""
    program = read_program(PREBUILT / "601" / "random_picture.bin")
    started = after_start_up(program, CPUS["601"], "InitGraf")
    assert call(started, "Random", cpu="601") == 16807
