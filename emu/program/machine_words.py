"""Makes a Program of machine words, such as the listing of a routine in a text gives."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from emu.base.errors import UsageError
from emu.program.model.lines import LineTable
from emu.program.model.model import Program, Segment, Symbol

_PAGE = 4096


def program_of_words(
    words: Sequence[int],
    architecture: str,
    address: int,
    name: str,
    *,
    data_size: int = _PAGE,
) -> Program:
    """A program of one routine, with some memory above it.

    Args:
        words: the routine, as 32-bit words in the order in which they lie in memory, big-endian.
        architecture: "m68k", "powerpc" or "mips".
        address: where the first word lies, a multiple of 4.
        name: what the routine is called.
        data_size: bytes of writable memory, filled with zeros, that begins at the second page
            after the code. A `Machine` of this program has it as its image.

    Raises:
        UsageError: there are no words, one does not fit, or the address does not.
    """
    if not words:
        raise UsageError(f"{name} has no words")
    for index, word in enumerate(words):
        if not 0 <= word < 1 << 32:
            raise UsageError(f"word {index} of {name}, {word}, does not fit 32 bits")
    code = b"".join(word.to_bytes(4, "big") for word in words)
    data = -(-(address + len(code)) // _PAGE) * _PAGE + _PAGE
    if address % 4 or address < 0 or data_size < 0 or data + data_size > 1 << 32:
        raise UsageError(f"{name} cannot lie at 0x{address:x} with {data_size} bytes of memory")
    segments = [Segment("code", address, len(code), code, writable=False, executable=True)]
    if data_size:
        segments.append(Segment("data", data, data_size, b"", writable=True, executable=False))
    return Program(
        path=Path(name),
        architecture=architecture,
        byte_order=">",
        segments=segments,
        symbols=[Symbol(name, address, len(code), "function")],
        variables={},
        functions={},
        lines=LineTable(),
        has_debug_information=False,
    )
