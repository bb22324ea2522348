"""A program with some of its code replaced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from emu.base.errors import ProgramError
from emu.program.model.model import Program

Patch = tuple[int, bytes]
"""An address, and the bytes that take the place of those at it."""


def with_patches(program: Program, patches: Sequence[Patch]) -> Program:
    """A program in which other bytes lie at some addresses.

    Raises:
        ProgramError: no segment's data has all these addresses.
    """
    segments = list(program.segments)
    for address, code in patches:
        for number, segment in enumerate(segments):
            start = address - segment.address
            if start >= 0 and start + len(code) <= len(segment.data):
                data = segment.data[:start] + code + segment.data[start + len(code) :]
                segments[number] = replace(segment, data=data)
                break
        else:
            raise ProgramError(program.path, f"it has no {len(code)} bytes at 0x{address:08x}")
    return replace(program, segments=segments)
