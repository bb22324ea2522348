"""Which accesses to a function's frame need no look, over all ways through it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from emu.lift.decoder import Decoder
from emu.lift.native.flow import find_flow
from emu.lift.native.memory_operands import with_loads_and_stores
from emu.lift.pcode.operations import LiftedInstruction
from emu.lift.shadow.frame_slots import FrameSlots, Passage, SlotUse, StackRegisters
from emu.lift.shadow.frame_state import FrameState
from emu.lift.shadow.hidden_frames import hidden_frames
from emu.machine.cpu import CPUS

AT, UNTIL = 0x1000, 0x900
RED_ZONE = 8
GATE = range(0x800, UNTIL)

LINK, UNLK, RTS = "4e56fff8", "4e5e", "4e75"  # link.w a6,#-8
STORE, LOAD, LOAD_BESIDE = "3d40fffe", "322efffe", "322efffc"  # move.w d0,-2(a6) and back; -4(a6)
BRANCH = "6704"  # beq over one instruction of 4 bytes


def slots_of(cpu: str, *codes: str, red_zone: int = 0) -> tuple[FrameSlots, list[int]]:
    """The frames of a program that begins with its first instruction; the addresses of all."""
    data, model = bytes.fromhex("".join(codes)), CPUS[cpu]
    decoder = Decoder(model, lambda address, size: data[address - AT : address - AT + size])
    flow = find_flow(decoder, [AT], UNTIL)
    for address, instruction in flow.instructions.items():
        flow.instructions[address] = with_loads_and_stores(instruction)
    places, at = [], AT
    for code in codes:
        places.append(at)
        at += len(code) // 2
    return FrameSlots(flow, StackRegisters.of(model.architecture), red_zone, GATE), places


def uses_of(cpu: str, *codes: str, red_zone: int = 0) -> list[SlotUse | None]:
    """What is known of the access of each instruction, which has one at most; None if nothing."""
    slots, places = slots_of(cpu, *codes, red_zone=red_zone)
    found: list[SlotUse | None] = []
    for place in places:
        uses: Mapping[int, SlotUse] = {}
        if place in slots.flow.instructions:
            uses = slots.uses(slots.flow.instructions[place])
        assert len(uses) <= 1
        found.append(next(iter(uses.values()), None))
    return found


def known(use: SlotUse | None) -> bool:
    return use is not None and use.is_known


def test_what_was_stored_needs_no_look() -> None:
    _, store, load, beside, again, unlk, rts = uses_of(
        "68000", LINK, STORE, LOAD, LOAD_BESIDE, STORE, UNLK, RTS
    )
    assert store is not None and store.is_own and not store.is_known
    assert known(load) and known(again)
    assert beside is not None and not beside.is_known
    assert known(unlk), "link has stored it"
    assert not known(rts), "nobody says who has called"


def test_what_was_looked_at_needs_no_second_look_but_is_not_stored() -> None:
    _, first, second, store, *_ = uses_of("68000", LINK, LOAD, LOAD, STORE, UNLK, RTS)
    assert not known(first) and known(second)
    assert store is not None and not store.is_known


def test_both_ways_have_to_have_stored_it() -> None:
    *_, load, _, _ = uses_of("68000", LINK, BRANCH, STORE, LOAD, UNLK, RTS)
    assert load is not None and not load.is_known
    *_, load, _, _ = uses_of("68000", LINK, STORE, BRANCH, STORE, LOAD, UNLK, RTS)
    assert known(load)


def test_a_loop_knows_what_is_known_each_time() -> None:
    back = "67fa"  # beq to the load
    *_, load, _, _, _ = uses_of("68000", LINK, STORE, LOAD, back, UNLK, RTS)
    assert known(load)
    store_behind = uses_of("68000", LINK, LOAD, STORE, "67f6", UNLK, RTS)
    assert not known(store_behind[1]), "the first time nothing was stored"


def test_what_lies_below_the_stack_pointer_is_no_slot() -> None:
    below = "3d40fff0"  # move.w d0,-16(a6)
    assert uses_of("68000", LINK, below, UNLK, RTS)[1] is None
    assert uses_of("68000", LINK, UNLK, "322ffff8", RTS)[2] is None  # move.w -8(sp),d1
    assert uses_of("601", "9001fffc", "8001fffc", "4e800020")[0] is None  # stw r0,-4(r1)
    store, load, _ = uses_of("601", "9001fffc", "8001fffc", "4e800020", red_zone=RED_ZONE)
    assert store is not None and store.is_own and known(load)


def test_a_call_keeps_the_frame_and_no_more() -> None:
    push, pop = "2f00", "221f"  # move.l d0,-(sp); move.l (sp)+,d1
    call = "61000008"  # to the last instruction
    assert known(uses_of("68000", LINK, STORE, call, LOAD, UNLK, RTS, RTS)[3])
    begin = LINK, push, "6100000c", pop, STORE, UNLK, RTS
    assert known(uses_of("68000", *begin, RTS)[3]), "the function returns as it should"
    moved = uses_of("68000", *begin, "588f", RTS)[3]  # addq.l #4,sp
    assert moved is None, "nobody knows where the stack pointer is"


def test_a_function_knows_what_all_its_callers_have_stored() -> None:
    push, argument = "2f00", "222f0004"  # move.l d0,-(sp); move.l 4(sp),d1
    one = push, "61000006", "588f", RTS
    *_, load, end = uses_of("68000", *one, argument, RTS)
    assert known(load) and known(end)
    other = "518f", "6100000e", "508f"  # subq.l #8,sp: it has nothing stored there
    *_, load, end = uses_of("68000", *other, push, "61000006", "588f", RTS, argument, RTS)
    assert load is not None and not load.is_known
    assert known(end), "each call has pushed its return address"


def test_registers_that_are_written_point_nowhere() -> None:
    written = "2c48"  # movea.l a0,a6
    assert uses_of("68000", LINK, STORE, written, LOAD, RTS)[3] is None
    assert uses_of("68000", LINK, STORE, "ddc0", LOAD, RTS)[3] is None  # adda.l d0,a6


def test_an_address_is_even_where_another_one_of_the_frame_was_looked_at() -> None:
    # stwu r1,-32(r1); stw r31,28(r1); mr r31,r1; stw r3,8(r31); lwz r9,9(r31); addi r11,r31,32
    codes = "9421ffe0", "93e1001c", "7c3f0b78", "907f0008", "813f0009", "397f0020"
    end = "83ebfffc", "7d615b78", "4e800020"  # lwz r31,-4(r11); mr r1,r11; blr
    begin, save, _, store, odd, _, load, move, _ = uses_of("601", *codes, *end)
    assert begin is None or not begin.is_aligned
    assert save is not None and save.is_aligned
    assert store is not None and store.is_aligned and store.is_own
    assert odd is not None and not odd.is_aligned
    assert known(load) and load is not None and load.is_aligned
    assert move is None


@pytest.mark.parametrize(
    ("cpu", "codes", "at", "rise"),
    [
        ("68000", (LINK, UNLK, RTS), 1, 12),
        ("68000", (LINK, "4e71", RTS), 1, 0),
        ("601", ("9421ffe0", "7c3f0b78", "397f0020", "7d615b78", "4e800020"), 3, 32),
    ],
)
def test_the_rise_of_the_stack_pointer(
    cpu: str, codes: tuple[str, ...], at: int, rise: int
) -> None:
    slots, places = slots_of(cpu, *codes)
    assert slots.rise(slots.flow.instructions[places[at]]) == rise


def hidden(cpu: str, *codes: str) -> bool:
    """Whether the frame of the function is hidden that begins with the first instruction."""
    slots, _ = slots_of(cpu, *codes)
    return AT in hidden_frames(slots.flow, slots)


def test_a_frame_that_nobody_else_sees_is_hidden() -> None:
    assert hidden("68000", LINK, STORE, LOAD, UNLK, RTS)
    codes = "9421ffe0", "93e1001c", "7c3f0b78", "907f0008", "813f0008", "397f0020"
    assert hidden("601", *codes, "83ebfffc", "7d615b78", "4e800020")


@pytest.mark.parametrize(
    "codes",
    [
        (LINK, STORE, "6100000a", LOAD, UNLK, RTS, RTS),  # it calls
        (LINK, LOAD, UNLK, RTS),  # it reads what it has not stored
        (LINK, STORE, "41eefffe", LOAD, UNLK, RTS),  # lea -2(a6),a0
        (LINK, STORE, "200e", LOAD, UNLK, RTS),  # move.l a6,d0
        (LINK, STORE, "208e", LOAD, UNLK, RTS),  # move.l a6,(a0)
        (LINK, STORE, "36360800", LOAD, UNLK, RTS),  # move.w (a6,d0.l),d3
        (LINK, STORE, LOAD, UNLK, "4ed0"),  # jmp (a0)
        (LINK, STORE, "9fc0", LOAD, UNLK, RTS),  # suba.l d0,sp
    ],
)
def test_any_of_these_shows_it(codes: tuple[str, ...]) -> None:
    assert not hidden("68000", *codes)


def test_what_an_instruction_does_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[int] = []
    real = FrameSlots._through

    def through(self: FrameSlots, state: FrameState, instruction: LiftedInstruction) -> Passage:
        found.append(instruction.address)
        return real(self, state, instruction)

    monkeypatch.setattr(FrameSlots, "_through", through)
    slots, places = slots_of("68000", LINK, STORE, LOAD, UNLK, RTS)
    hidden_frames(slots.flow, slots)
    for instruction in slots.flow.instructions.values():
        slots.uses(instruction)
        slots.rise(instruction)
    assert found == places
