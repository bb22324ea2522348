"""What instructions say of the stack pointer, and which of their stores push something."""

from __future__ import annotations

import pytest

from emu.lift.decoder import Decoder, registers
from emu.lift.shadow.stack_moves import NO_MOVE, StackMove, stack_move
from emu.machine.cpu import CPUS

AT = 0x1000
POINTERS = {"68000": "SP", "601": "r1"}


def move_of(cpu: str, code: str, red_zone: int = 0) -> StackMove | None:
    data, model = bytes.fromhex(code), CPUS[cpu]
    decoder = Decoder(model, lambda address, size: data[address - AT : address - AT + size])
    pointer = registers(model.architecture)[POINTERS[cpu]]
    instruction = decoder.instruction(AT)
    assert not instruction.refusal
    return stack_move(instruction, pointer, red_zone)


@pytest.mark.parametrize(
    ("cpu", "code", "distance", "pushes", "free"),
    [
        ("68000", "2f00", -4, 1, ()),  # move.l d0, -(sp)
        ("68000", "1f00", -2, 1, ((-1, 1),)),  # move.b d0, -(sp)
        ("68000", "48e73030", -16, 4, ()),  # movem.l d2-d3/a2-a3, -(sp)
        ("68000", "4e56fff8", -12, 1, ((-12, 8),)),  # link.w a6, #-8
        ("68000", "4fefffec", -20, 0, ((-20, 20),)),  # lea -20(sp), sp
        ("68000", "4e75", 4, 0, ()),  # rts
        ("68000", "4cdf0c0c", 16, 0, ()),  # movem.l (sp)+, d2-d3/a2-a3
        ("68000", "defc0010", 16, 0, ()),  # adda.w #16, sp
        ("601", "9421ffe0", -32, 1, ((-28, 28),)),  # stwu r1, -32(r1)
        ("601", "38210020", 32, 0, ()),  # addi r1, r1, 32
    ],
)
def test_moves_by_a_number(
    cpu: str, code: str, distance: int, pushes: int, free: tuple[tuple[int, int], ...]
) -> None:
    move = move_of(cpu, code)
    assert move is not None
    assert (move.distance, len(move.pushes), move.free) == (distance, pushes, free)


def test_behind_a_red_zone_a_store_at_the_new_pointer_is_no_push() -> None:
    move = move_of("601", "9421ffe0", red_zone=224)
    assert move == StackMove(-32, frozenset(), ((-256, 32),))


@pytest.mark.parametrize(
    ("cpu", "code"),
    [("68000", "4e5e"), ("68000", "2e48"), ("601", "80210000"), ("601", "7c21016e")],
)
def test_only_the_computer_knows_these(cpu: str, code: str) -> None:
    assert move_of(cpu, code) is None  # unlk a6; movea.l a0, sp; lwz r1, 0(r1); stwux r1, r1, r0


@pytest.mark.parametrize(("cpu", "code"), [("68000", "2d40fff8"), ("601", "90010024")])
def test_a_store_above_the_stack_pointer_moves_nothing(cpu: str, code: str) -> None:
    assert move_of(cpu, code) == NO_MOVE
