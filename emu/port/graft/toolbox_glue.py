"""The routines of the Toolbox by name, and the functions by which new 68K code calls them."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from emu.toolchain.mac_app.glue import GlueEntry

_INLINE = {
    name: f"""
    .section .text.{name}, "ax"
    .weak {name}
{name}:
    {code}
    rts
"""
    for name, code in {
        "CloseCPort": "move.l 4(%sp), -(%sp); .short 0xA87D",
        "Delay": "movea.l 4(%sp), %a0; .short 0xA03B; movea.l 8(%sp), %a1; move.l %d0, (%a1)",
        "DisposeRoutineDescriptor": "",
        "GetMMUMode": "moveq #0, %d0; move.b 0xCB2.w, %d0",
        "HLockHi": "movea.l 4(%sp), %a0; .short 0xA064, 0xA029",
        "HandToHand": "movea.l 4(%sp), %a1; movea.l (%a1), %a0; .short 0xA9E1; "
        "movea.l 4(%sp), %a1; move.l %a0, (%a1)",
        "NewRoutineDescriptor": "movea.l 4(%sp), %a0; move.l %a0, %d0",
        "PtrToHand": "movea.l 4(%sp), %a0; move.l 12(%sp), %d0; .short 0xA9E3; "
        "movea.l 8(%sp), %a1; move.l %a0, (%a1)",
    }.items()
}
"""What headers of the time made of routines whose traps take and give other things than C does.

HLockHi is MoveHHi and HLock (Inside Macintosh: Memory, chapter 2), CloseCPort is ClosePort, and a
procedure needs no descriptor. Delay, HandToHand and PtrToHand leave in a register what C wants at
an address. GetMMUMode reads the global MMU32Bit.
"""


def is_routine(name: str) -> bool:
    """Whether a 68K program calls a routine of the Toolbox by a name, as Pascal does.

    Some have no trap: each program brings code for them, such as `GetIndString`. Those of C's
    library and of the glue for C's texts (`numtostring`) begin with a small letter.
    """
    return not name[:1].islower() and name in _entries()


def argument_bytes(name: str) -> int:
    """How many bytes of arguments a caller puts on the stack, as Pascal does.

    Args:
        name: a routine; see `is_routine`.
    """
    parameters = _entries()[name].routine.parameters
    return sum(parameter.type.stack_size for parameter in parameters)


def glue_text(names: Collection[str], slot: int) -> str:
    """Assembler text of the functions that call the Toolbox.

    Args:
        names: the names; others than the Toolbox's are left out.
        slot: the bytes that the compiler pushes for a short.
    """
    from emu.toolchain.mac_app.glue import m68k_glue

    entries = _entries()
    others = sorted(set(names) - _INLINE.keys())
    table = [entries[name] for name in others if name in entries]
    inline = "".join(text for name, text in _INLINE.items() if name in names)
    return inline + m68k_glue(table, slot, chars_in_upper_bytes=False)


@functools.cache
def _entries() -> Mapping[str, GlueEntry]:
    from emu.toolchain.mac_app import glue  # reads all declarations of the Toolbox

    return {entry.name: entry for entry in (*glue.absent_entries(), *glue.entries("m68k"))}
