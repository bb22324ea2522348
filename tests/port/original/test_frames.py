"""What of its caller's frame belongs to a function, so that it is not compared."""

from __future__ import annotations

import numpy as np
import pytest

from emu.machine.abi import CALLING_CONVENTIONS
from emu.machine.cpu import CPUS
from emu.port.original.frames import PowerPcFrames
from emu.program import GuestType

LONG = GuestType("long", "integer", np.dtype(">i4"))


@pytest.mark.parametrize(("words", "expected"), [(0, 24 + 32), (2, 24 + 32), (10, 24 + 40)])
def test_a_powerpc_function_owns_the_linkage_area_and_the_words_of_its_arguments(
    words: int, expected: int
) -> None:
    form = CALLING_CONVENTIONS["ppc-poweropen"].form(CPUS["601"], [LONG] * words, None)
    frames = object.__new__(PowerPcFrames)  # which bytes they are depends on no engine
    assert frames.callee_bytes(form.stack_bytes) == expected
    assert frames.callee_bytes(0) == 24 + 32
