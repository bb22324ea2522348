"""Keeps the imported routines of a PowerPC program callable after its start-up code.

While the program runs, what it imports leads to stubs in the ROM of its Macintosh. A call of one of
its routines has no such ROM. So the stubs are put behind the program, the pointers to them in its
memory are changed, and a symbol tells which routine each stub calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from emu.machine.memory.memory import page_ceiling
from emu.program import Program, Segment, Symbol
from emu.toolbox.calls.powerpc import CALL_PREFIX, STUB, STUB_SIZE
from emu.toolbox.guest.layout import GAP


def with_imports(program: Program, stubs: Mapping[int, str]) -> Program:
    """A program with stubs of its own for what it imports.

    Args:
        program: the program, whose memory has pointers to the transition vectors of the stubs.
        stubs: the address of each stub, in order, and the routine that it calls.
    """
    if not stubs:
        return program
    first = min(stubs)
    start = page_ceiling(max(segment.end for segment in program.segments)) + GAP
    places = range(start, start + STUB_SIZE * len(stubs), STUB_SIZE)
    code = b"".join(STUB + place.to_bytes(4, "big") + bytes(4) for place in places)
    segments = (
        *(
            _with_pointers(segment, range(first, max(stubs) + 1), start)
            for segment in program.segments
        ),
        Segment("imports", start, len(code), code, writable=False, executable=True),
    )
    called = [
        Symbol(CALL_PREFIX + name, place, STUB_SIZE, "other")
        for name, place in zip(stubs.values(), places, strict=True)
    ]
    return replace(program, segments=segments, symbols=(*program.symbols, *called))


def _with_pointers(segment: Segment, stubs: range, start: int) -> Segment:
    """A segment whose pointers to transition vectors of stubs lead to where they are now."""
    if not segment.writable:
        return segment
    size = len(segment.data) & -4
    words = np.frombuffer(segment.data[:size], ">u4").astype(np.int64)
    place = words - stubs.start - len(STUB)
    is_stub = (place >= 0) & (place <= stubs[-1] - stubs.start) & (place % STUB_SIZE == 0)
    words[is_stub] += start - stubs.start
    return replace(segment, data=words.astype(">u4").tobytes() + segment.data[size:])
