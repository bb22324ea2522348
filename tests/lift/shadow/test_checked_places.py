"""Which accesses of a block are known to be at the same place."""

from __future__ import annotations

import pytest

from emu.lift.decoder import Decoder
from emu.lift.native.memory_operands import with_loads_and_stores
from emu.lift.pcode.operations import Opcode
from emu.lift.shadow.checked_places import AccessPlace, CheckedPlaces
from emu.machine.cpu import CPUS

AT = 0x1000


def decoder_of(cpu: str, code: str) -> Decoder:
    data = bytes.fromhex(code)
    return Decoder(CPUS[cpu], lambda address, size: data[address - AT : address - AT + size])


def places_of(cpu: str, *codes: str) -> list[AccessPlace]:
    """The places of all loads and stores of some instructions, one behind the other."""
    decoder, known = decoder_of(cpu, "".join(codes)), CheckedPlaces()
    found, at = [], AT
    for _ in codes:
        instruction = with_loads_and_stores(decoder.instruction(at))
        assert not instruction.refusal
        known.begin()
        for operation in instruction.operations:
            if operation.opcode is Opcode.LOAD:
                assert operation.output is not None
                found.append(known.place(operation.inputs[0], operation.output.size))
                known.load(found[-1], operation.output)
            elif operation.opcode is Opcode.STORE:
                found.append(known.place(operation.inputs[0], operation.inputs[1].size))
                known.store(found[-1], operation.inputs[1])
            elif operation.output is not None:
                known.compute(operation)
        at = instruction.following
    return found


@pytest.mark.parametrize(
    ("cpu", "codes"),
    [
        ("68000", ("20280008", "22280008")),  # move.l 8(a0),d0; move.l 8(a0),d1
        ("68000", ("21400008", "5088", "2010")),  # move.l d0,8(a0); addq.l #8,a0; move.l (a0),d0
        ("68000", ("2018", "2020")),  # move.l (a0)+,d0; move.l -(a0),d0
        ("601", ("80030004", "80830004")),  # lwz r0,4(r3); lwz r4,4(r3)
        ("601", ("7c641b78", "80030004", "80840004")),  # mr r4,r3; lwz r0,4(r3); lwz r4,4(r4)
        ("68000", ("20390000abcc", "22390000abcc")),  # move.l $abcc,d0 and d1
    ],
)
def test_these_are_the_same(cpu: str, codes: tuple[str, ...]) -> None:
    first, *_, last = places_of(cpu, *codes)
    assert first.has(last)


@pytest.mark.parametrize(
    ("cpu", "codes"),
    [
        ("68000", ("20280008", "2228000c")),  # another distance
        ("68000", ("20280008", "22290008")),  # another register
        ("68000", ("2010", "2050", "2010")),  # movea.l (a0),a0 between
        ("68000", ("2010", "3040", "2010")),  # movea.w d0,a0 between
        ("68000", ("3010", "2010")),  # a word first, then a long
        ("601", ("80030004", "38630004", "80030004")),  # addi r3,r3,4 between
    ],
)
def test_these_may_differ(cpu: str, codes: tuple[str, ...]) -> None:
    first, *_, last = places_of(cpu, *codes)
    assert not first.has(last)


def test_a_pointer_that_is_loaded_again_is_the_same_until_something_may_have_changed_it() -> None:
    again = "226efff8", "2011"  # movea.l -8(a6),a1; move.l (a1),d0
    beside, over = ("2d40fffc", "2340000c")  # move.l d0,-4(a6); move.l d0,12(a1)
    assert places_of("68000", *again, *again)[1] == places_of("68000", *again, *again)[3]
    first, last = (places_of("68000", *again, beside, *again)[at] for at in (1, 4))
    assert first == last
    first, last = (places_of("68000", *again, over, *again)[at] for at in (1, 4))
    assert first.base != last.base


def test_parts_and_neighbours() -> None:
    whole = AccessPlace(7, -8, 4)
    assert whole.has(AccessPlace(7, -6, 2))
    assert not whole.has(AccessPlace(7, -6, 4))
    assert not whole.has(AccessPlace(8, -6, 2))
    assert whole.is_apart(AccessPlace(7, -4, 4))
    assert not whole.is_apart(AccessPlace(7, -5, 1))
    assert not whole.is_apart(AccessPlace(8, 100, 1))
    last, first = AccessPlace(7, (1 << 31) - 2, 4), AccessPlace(7, -(1 << 31), 4)
    assert not last.is_apart(first), "addresses wrap round"
