"""Where computed jumps go as a rule."""

from __future__ import annotations

from collections.abc import Mapping

from emu.lift.decoder import Decoder
from emu.lift.native.flow import find_flow
from emu.lift.native.likely_targets import likely_targets
from emu.lift.native.module import translate
from emu.machine.cpu import CPUS

AT, UNTIL = 0x1000, 0x900
RTS, NOTHING = "4e75", "4e71"
TWO_CALLS = ("61000008", "61000004", RTS, RTS)  # bsr to the last rts, twice; rts; rts


def decoder_of(*codes: str) -> Decoder:
    data = bytes.fromhex("".join(codes))
    return Decoder(CPUS["68000"], lambda at, size: data[at - AT : at - AT + size])


def targets(*codes: str, functions: tuple[int, ...] = ()) -> Mapping[int, tuple[int, ...]]:
    return likely_targets(find_flow(decoder_of(*codes), [AT], UNTIL, functions))


def test_a_function_returns_behind_its_calls() -> None:
    assert targets(*TWO_CALLS) == {0x100A: (0x1004, 0x1008)}


def test_of_a_function_that_nobody_calls_nothing_is_known() -> None:
    assert targets(NOTHING, RTS) == {}


def test_a_call_by_a_register_goes_to_the_functions_that_its_caller_names() -> None:
    # movea.l #$100c,a0; jsr (a0); nop; rts; then the function: rts
    code = ("207c0000100c", "4e90", NOTHING, RTS, RTS)
    assert targets(*code, functions=(0x100C,)) == {0x1006: (0x100C,), 0x100C: (0x1008,)}


def test_of_a_return_to_many_places_nothing_is_known() -> None:
    for count in (8, 9):
        calls = [f"6100{4 * (count - number):04x}" for number in range(count)]
        behind = tuple(AT + 4 * number for number in range(1, count + 1))
        known = {AT + 4 * count + 2: behind} if count == 8 else {}
        assert targets(*calls, RTS, RTS) == known


def test_translated_code_tries_these_places_first() -> None:
    text = translate(CPUS["68000"], decoder_of(*TWO_CALLS), [AT], UNTIL).text
    assert "label %jump [ i32 4100, label %i1004 i32 4104, label %i1008 ]" in text
