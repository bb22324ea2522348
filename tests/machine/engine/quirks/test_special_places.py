"""Special instructions are found where code changes, as if all of it were searched anew."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.machine.cpu import CPUS
from emu.machine.engine.quirks.special import SpecialInstructions
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion

CODE = 0x4000
SIZE = 3 * PAGE
# Special ones among others: BKPT, CAS2, and LEA with the MOVE that plants a word; mfspr.
WORDS = {
    "68040": [
        bytes.fromhex(text)
        for text in ("4848", "0efc000000000000", "41fa00063080", "4e71", "0000", "7001")
    ],
    "601": [bytes.fromhex(text) for text in ("7c6402a6", "7c6502a6", "7c0004ac", "60000000")],
}


def special_on(cpu: str, memory: GuestMemory) -> SpecialInstructions:
    special = SpecialInstructions(CPUS[cpu], memory, lambda: 0)
    for page in range(CODE, CODE + SIZE - PAGE, PAGE):  # the last page has no code
        special.scan(page)
    return special


def mixture(cpu: str, size: int, seed: int) -> bytes:
    numbers = np.random.default_rng(seed)
    pieces = [WORDS[cpu][number] for number in numbers.integers(len(WORDS[cpu]), size=size)]
    return b"".join(pieces)[:size]


@pytest.mark.parametrize("cpu", list(WORDS))
@given(
    before=st.integers(0, 50),
    changes=st.lists(
        st.tuples(st.integers(0, SIZE - 1), st.integers(1, PAGE + 100), st.integers(0, 50)),
        min_size=1,
        max_size=3,
    ),
)
def test_a_part_searched_anew_is_as_the_whole(
    cpu: str, before: int, changes: list[tuple[int, int, int]]
) -> None:
    memory = GuestMemory([MemoryRegion("code", CODE, SIZE, True, True)])
    memory.write(CODE, mixture(cpu, SIZE, before))
    special = special_on(cpu, memory)
    for offset, size, seed in changes:
        piece = mixture(cpu, min(size, SIZE - offset), seed)
        memory.write(CODE + offset, piece)
        special.scan_again(CODE + offset, len(piece))
    whole = special_on(cpu, memory)
    inside = range(CODE, CODE + SIZE - PAGE)
    assert len(whole._places) + len(whole._planted) > 0
    assert set(special._places) == set(whole._places)
    # What is planted on a page that has not changed stays an end, which does no harm.
    assert special._planted & set(inside) >= whole._planted & set(inside)
