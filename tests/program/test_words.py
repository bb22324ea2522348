"""Programs given as machine words."""

from __future__ import annotations

import pytest

from emu.base.errors import UsageError
from emu.machine import CPUS, BareMachine, GuestFault
from emu.program import program_of_words

ROUTINES = {
    # adds 5 to its argument, which 68K finds on the stack
    "68040": (0x202F0004, 0x5A804E75),  # MOVE.L 4(A7),D0; ADDQ.L #5,D0; RTS
    "601": (0x38630005, 0x4E800020),  # addi r3,r3,5; blr
    "mips": (0x03E00008, 0x24820005),  # jr ra; addiu v0,a0,5
}


@pytest.mark.parametrize("cpu", ROUTINES)
def test_words_are_a_routine_that_can_be_called(cpu: str) -> None:
    program = program_of_words(ROUTINES[cpu], CPUS[cpu].architecture, 0x10000, "AddFive")
    machine = BareMachine(program, CPUS[cpu], heap_size=0)
    assert machine.call("AddFive", 37) == 42
    assert machine.call("AddFive", -5) == 0
    assert str(program.locate(0x10004)) == "0x00010004 AddFive+0x4"
    assert machine.pristine.size == 4096
    assert not machine.pristine.any()


def test_words_that_store_have_memory_to_store_to() -> None:
    words = (0x03E00008, 0xAC850000)  # jr ra; sw a1,0(a0)
    program = program_of_words(words, "mips", 0x80F8, "Poke", data_size=8192)
    (address, size) = (program.segments[1].address, program.segments[1].size)
    assert (address, size) == (0xA000, 8192)
    machine = BareMachine(program, CPUS["mips"])
    machine.call("Poke", address + 8188, 7)
    assert machine.memory.view(address + 8188, 4).tolist() == [0, 0, 0, 7]
    with pytest.raises(GuestFault, match="write of 4 bytes to unmapped memory at 0x0000c000"):
        machine.call("Poke", address + 8192, 7)


def test_words_without_memory() -> None:
    program = program_of_words(ROUTINES["601"], "powerpc", 0, "AddFive", data_size=0)
    assert BareMachine(program, CPUS["601"]).call("AddFive", 1) == 6


@pytest.mark.parametrize(
    ("words", "address", "data", "message"),
    [
        ((), 0x1000, 0, "Routine has no words"),
        ((0, 1 << 32), 0x1000, 0, "word 1 of Routine, 4294967296, does not fit 32 bits"),
        ((-1,), 0x1000, 0, "word 0 of Routine, -1, does not fit"),
        ((0,), 0x1002, 0, "Routine cannot lie at 0x1002"),
        ((0,), -4, 0, "cannot lie at"),
        ((0,), 0x1000, -1, "cannot lie at"),
        ((0,), 0xFFFFF000, 4096, "cannot lie at 0xfffff000 with 4096 bytes"),
    ],
)
def test_words_that_are_no_program(
    words: tuple[int, ...], address: int, data: int, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        program_of_words(words, "mips", address, "Routine", data_size=data)
