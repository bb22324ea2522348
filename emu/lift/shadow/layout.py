"""Where translated code keeps the shadow of guest memory, and what it notes there.

``%shadow`` of a function points to a byte of bits for each guest address. `BITS` of `shadow_areas`
behind it lies a byte of undefined bits for each, which means something only where the shadow says
`PARTLY`. `HEADER` behind it are words of 64 bits: what calls begin with, and a table of what was
noted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from emu.machine.engine.watch.accesses import UNDEFINED

VIRGIN, PARTLY, DEAD = 16, 64, 128
"""Bits of the shadow beside those of `emu.machine.engine.watch.accesses`: the stack pointer has
never been as low; the byte was stored with undefined bits, of which `BITS` says which; the byte
lies below the stack pointer."""

UNUSED_STACK = DEAD | UNDEFINED | VIRGIN
"""The shadow of the stack below the first stack pointer of a call."""

HARMLESS = UNDEFINED | PARTLY
"""Bits that a store may find and clears."""

NUMBER, NOTED, ONLY, USED, FULL, STACK, STACK_SIZE, RED_ZONE, LOWEST, LAST = range(10)
"""Indexes of words in the header: the number of the call; the kinds that it has noted, a bit for
each; the only instruction whose loads give undefined bits, or 0 for all; how many records there
are; whether one found no place; the lowest address of the stack, and the bytes from there to the
first stack pointer of a call; the bytes below the stack pointer that belong to the routine; the
address from which on the stack's shadow is not as at the beginning of a call; and the number of the
next access (see `RING`)."""

GIVEN, OUTCOMES, KEPT, ROW, PIECES = range(10, 15)
"""Further words: where, in bytes from the header on, there is the shadow that each call begins
with, a row of `ROW` bytes for each; the outcome of each call, which are two words, `NOTED` and the
bytes of stack that it has used; and two rows for each call, the shadow and the undefined bits that
it left, or 0; then the bytes of a row, and the number of pieces."""

PIECES_AT = 16
"""The first word of the pieces of a row. Each has three words: a guest address, the offset in a
row, and the number of bytes."""

MOST_PIECES = 16
HEADER_WORDS = PIECES_AT + 3 * MOST_PIECES

KEY, ADDRESS, BYTES, POINTER, CALL = range(5)
"""Indexes of words in a record: the instruction's address times 256 plus the kind; address and size
of the first such access, the stack pointer, and the number of the call."""

RECORD_WORDS = 8
RECORDS = 1 << 12
"""Places for records, a power of two; at most half of them are used."""

RING = HEADER_WORDS + RECORDS * RECORD_WORDS
"""The first word of the last accesses. Each has two words: the address times 256 plus twice the
size, plus 1 for a store; and the instruction's address."""

LAST_ACCESSES = 256
"""How many are remembered, a power of two."""

WORDS = RING + 2 * LAST_ACCESSES


class NoteKind(IntEnum):
    """What is noted. The first nine are those of `emu.machine.engine.watch.accesses.AccessKind`."""

    MISALIGNED = 1
    BELOW_STACK = 2
    TWO_OBJECTS = 3
    READ_OUTSIDE = 4
    WRITE_OUTSIDE = 5
    WRITE_CODE = 6
    READ_UNDEFINED = 7
    BEYOND_END = 8
    HIGH_BITS = 9
    AT_LIMIT = 10
    """It uses the first byte of an object that follows one with several elements."""
    STORED_UNDEFINED = 11
    """It stores a value with undefined bits."""
    UNDEFINED_BRANCH = 12
    """A branch depends on undefined bits."""
    UNDEFINED_ADDRESS = 13
    """An address does."""
    OTHER_STACK = 14
    """The stack pointer leaves the stack."""


@dataclass(frozen=True, slots=True)
class Note:
    """What one instruction did wrong, or what has to be looked at.

    Attributes:
        kind: what it is.
        instruction: the address of the instruction.
        address: the first address that it used.
        size: the bytes of that access.
        stack_pointer: the stack pointer at that time.
        call: the number of the call.
    """

    kind: NoteKind
    instruction: int
    address: int
    size: int
    stack_pointer: int
    call: int


def notes_in(words: NDArray[np.uint64]) -> Sequence[Note]:
    """The notes of a header, in the order of the instructions' addresses."""
    table = words[HEADER_WORDS:RING].reshape(-1, RECORD_WORDS)
    notes = [
        Note(
            kind=NoteKind(int(row[KEY]) & 0xFF),
            instruction=int(row[KEY]) >> 8,
            address=int(row[ADDRESS]),
            size=int(row[BYTES]),
            stack_pointer=int(row[POINTER]),
            call=int(row[CALL]),
        )
        for row in table[table[:, KEY] != 0]
    ]
    return sorted(notes, key=lambda note: (note.instruction, note.kind))
