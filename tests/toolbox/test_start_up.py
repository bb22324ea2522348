"""What start-up code of old compilers finds in low memory before the program's main routine."""

from __future__ import annotations

from pathlib import Path

import pytest

import macproof
from tests.program.code_samples import write_application

# THINK C clears its globals from CurStackBase up to A5, here 64 bytes below it.
CLEAR_GLOBALS = """
    2278 0908       movea.l $908,a1
    41ed ffc0       lea     -64(a5),a0
    b3c8            cmpa.l  a0,a1
    6614            bne.s   wrong
    43f8 0908       lea     $908,a1
    2251            movea.l (a1),a1
    4219            clear:  clr.b (a1)+
    bbc9            cmpa.l  a1,a5
    66fa            bne.s   clear
    4aad fffc       tst.l   -4(a5)
    6602            bne.s   wrong
    a9f4            _ExitToShell
    4afc            wrong: illegal
"""

# THINK C's console calls InitGraf and InitWindows only if nobody has.
EXISTING = """
    0c38 00ff 08f2  cmpi.b  #$ff,WWExist
    6628            bne.s   wrong
    0c38 00ff 08f3  cmpi.b  #$ff,QDExist
    6620            bne.s   wrong
    486d fffc       pea     -4(a5)
    a86e            _InitGraf
    4a38 08f3       tst.b   QDExist
    6614            bne.s   wrong
    a8fe            _InitFonts
    a912            _InitWindows
    4a38 08f2       tst.b   WWExist
    660a            bne.s   wrong
    0c78 005e 03f6  cmpi.w  #94,FSFCBLen
    6602            bne.s   wrong
    a9f4            _ExitToShell
    4afc            wrong: illegal
"""

# StripAddress without the trap, as MPW's libraries have it for machines of 24 bits.
STRIP_ADDRESS = """
    203c ff12 3456  move.l  #$ff123456,d0
    c0b8 031a       and.l   Lo3Bytes,d0
    0c80 0012 3456  cmpi.l  #$123456,d0
    6602            bne.s   wrong
    a9f4            _ExitToShell
    4afc            wrong: illegal
"""


# Glue of THINK C for StripAddress, which masks addresses itself where the ROM is old.
STRIP = """
    203c 0012 3456  move.l  #$123456,d0
    c0b8 031a       and.l   Lo3Bytes,d0
    0c80 0012 3456  cmpi.l  #$123456,d0
    6602            bne.s   wrong
    a9f4            _ExitToShell
    4afc            wrong: illegal
"""

# Glue of compilers asks for the processor and the System, and takes constants from low memory.
CONSTANTS = """
    0c38 0000 012f  cmpi.b  #0,CPUFlag
    6624            bne.s   wrong
    0c78 0710 015a  cmpi.w  #$710,SysVersion
    661c            bne.s   wrong
    0c38 0001 0cb2  cmpi.b  #1,MMU32Bit
    6614            bne.s   wrong
    7000            moveq   #0,d0
    d0b8 0a06       add.l   MinusOne,d0
    d0b8 0a02       add.l   OneOne,d0
    0c80 0001 0000  cmpi.l  #$10000,d0
    6602            bne.s   wrong
    a9f4            _ExitToShell
    4afc            wrong: illegal
"""

# Glue of StartSound: what it finds in low memory is MinusOne, or the handle of a sound, and with
# anything else it would write a parameter block through address 0.
NO_SOUND = """
    2078 0ae8       movea.l $ae8,a0
    b0f8 0a06       cmpa.w  MinusOne,a0
    6602            bne.s   wrong
    a9f4            _ExitToShell
    4afc            wrong: illegal
"""

# Glue of compilers that has the processor forget code, where there is a cache.
FLUSH = """
    7607            moveq   #7,d3
    2078 06f4       movea.l JCacheFlush,a0
    4e90            jsr     (a0)
    5f83            subq.l  #7,d3
    6602            bne.s   wrong
    a9f4            _ExitToShell
    4afc            wrong: illegal
"""

# A program that starts the Macintosh again by jumping into the ROM.
RESTART = """
    2078 02ae       movea.l ROMBase,a0
    0c68 0075 0008  cmpi.w  #$75,8(a0)
    6604            bne.s   wrong
    4ee8 000a       jmp     10(a0)
    4afc            wrong: illegal
"""

# What VideoToolbox asks for before InitGraf: the height of the screen.
SCREEN = """
    0c78 01e0 0838  cmpi.w  #480,CrsrPin+4
    660a            bne.s   wrong
    0c78 0280 083a  cmpi.w  #640,CrsrPin+6
    6602            bne.s   wrong
    a9f4            _ExitToShell
    4afc            wrong: illegal
"""

# THINK C's console fills TextEdit's scrap, also if the program has never called TEInit.
SCRAP = """
    2078 0ab4       movea.l TEScrpHandle,a0
    7019            moveq   #25,d0
    a024            _SetHandleSize
    4a40            tst.w   d0
    6602            bne.s   wrong
    a9f4            _ExitToShell
    4afc            wrong: illegal
"""

# Glue of Aztec C for CountAppFiles, which needs no trap: the message is 0 for "open".
DOCUMENTS = """
    2078 0aec       movea.l AppParmHandle,a0
    a025            _GetHandleSize
    5980            subq.l  #4,d0
    6b14            bmi.s   wrong
    2050            movea.l (a0),a0
    4a50            tst.w   (a0)
    660e            bne.s   wrong
    226d 0010       movea.l 16(a5),a1
    2251            movea.l (a1),a1
    b3c8            cmpa.l  a0,a1
    6604            bne.s   wrong
    a9f4            _ExitToShell
    4afc            wrong: illegal
"""

# A program looks for a debugger in front of where the bus error's vector leads.
DEBUGGER = """
    2278 0008       movea.l $8,a1
    5989            subq.l  #4,a1
    0c91 4d42 5547  cmpi.l  #'MBUG',(a1)
    6702            beq.s   wrong
    a9f4            _ExitToShell
    4afc            wrong: illegal
"""

# A program takes nil for a structure, and finds nil in it, or what is nil in turn.
NIL_STRUCTURE = """
    91c8            suba.l  a0,a0
    2268 0008       movea.l 8(a0),a1
    4a91            tst.l   (a1)
    6608            bne.s   wrong
    4aa8 001a       tst.l   26(a0)
    6602            bne.s   wrong
    a9f4            _ExitToShell
    4afc            wrong: illegal
"""

# MaxApplZone as glue for the ROM of 1984 has it, after the program has asked for a larger stack.
GROW_ZONE = """
    204f            movea.l a7,a0
    90fc 2000       suba.w  #$2000,a0
    91fc 0010 0000  suba.l  #$100000,a0
    a02d            _SetApplLimit
    2078 0130       movea.l ApplLimit,a0
    2008            move.l  a0,d0
    90b8 0114       sub.l   HeapEnd,d0
    740c            moveq   #12,d2
    b082            cmp.l   d2,d0
    6512            bcs.s   done
    2278 0114       movea.l HeapEnd,a1
    2280            move.l  d0,(a1)
    21c8 0114       move.l  a0,HeapEnd
    2278 02aa       movea.l ApplZone,a1
    2288            move.l  a0,(a1)
    2082            move.l  d2,(a0)
    203c 0010 0000  done: move.l #$100000,d0
    a11e            _NewPtr
    4a40            tst.w   d0
    6602            bne.s   wrong
    a9f4            _ExitToShell
    4afc            wrong: illegal
"""

# A program pushes 400,000 bytes, for which it has taken room from its heap.
DEEP_STACK = """
    2078 0130       movea.l ApplLimit,a0
    91fc 0006 1a80  suba.l  #400000,a0
    a02d            _SetApplLimit
    223c 0001 86a0  move.l  #100000,d1
    2f01            deeper: move.l  d1,-(sp)
    5381            subq.l  #1,d1
    66fa            bne.s   deeper
    a9f4            _ExitToShell
"""

# The screen's size, as the programs of 1985 ask QuickDraw for it.
SCREEN_SIZE = """
    486d fffe       pea     -2(a5)
    486d fffc       pea     -4(a5)
    2078 0810       movea.l JScrnSize,a0
    4e90            jsr     (a0)
    0c6d 0280 fffe  cmpi.w  #640,-2(a5)
    660a            bne.s   wrong
    0c6d 01e0 fffc  cmpi.w  #480,-4(a5)
    6602            bne.s   wrong
    a9f4            _ExitToShell
    4afc            wrong: illegal
"""

# The cursor's routines, called as QuickDraw itself does.
CURSOR = """
    2078 0814       movea.l JInitCrsr,a0
    4e90            jsr     (a0)
    2078 0800       movea.l JHideCursor,a0
    4e90            jsr     (a0)
    2078 0804       movea.l JShowCursor,a0
    4e90            jsr     (a0)
    a9f4            _ExitToShell
"""


def hexadecimal(listing: str) -> str:
    """The code of a listing, whose first 16 columns are hexadecimal."""
    return " ".join(line.strip()[:16] for line in listing.strip().splitlines())


def completes(folder: Path, listing: str) -> str:
    """Why the program of a listing could not go on."""
    path = write_application(folder, hexadecimal(listing))
    return macproof.run_program(path, cpu="68000").problem


def test_globals_begin_where_the_stack_does(tmp_path: Path) -> None:
    assert completes(tmp_path, CLEAR_GLOBALS) == ""


@pytest.mark.parametrize(
    "listing",
    [
        STRIP,
        CONSTANTS,
        NO_SOUND,
        FLUSH,
        RESTART,
        SCREEN,
        SCRAP,
        DOCUMENTS,
        DEBUGGER,
        NIL_STRUCTURE,
        GROW_ZONE,
        DEEP_STACK,
        CURSOR,
        SCREEN_SIZE,
    ],
)
def test_low_memory_is_as_the_system_leaves_it(tmp_path: Path, listing: str) -> None:
    assert completes(tmp_path, listing) == ""


# A program keeps a flag in the highest bit of a pointer, and hands both to the Toolbox.
FLAGGED = """
    41ed fff0       lea     -16(a5),a0
    2008            move.l  a0,d0
    08c0 001f       bset    #31,d0
    2040            movea.l d0,a0
    30bc 0102       move.w  #$102,(a0)
    0c6d 0102 fff0  cmpi.w  #$102,-16(a5)
    661c            bne.s   wrong
    42ad fff8       clr.l   -8(a5)
    2f08            move.l  a0,-(sp)
    486d fff8       pea     -8(a5)
    7002            moveq   #2,d0
    225f            movea.l (sp)+,a1
    205f            movea.l (sp)+,a0
    a02e            _BlockMove
    0c6d 0102 fff8  cmpi.w  #$102,-8(a5)
    6602            bne.s   wrong
    a9f4            _ExitToShell
    4afc            wrong: illegal
"""


def test_a_68000_ignores_the_highest_byte_of_addresses(tmp_path: Path) -> None:
    path = write_application(tmp_path, hexadecimal(FLAGGED))
    run = macproof.run_program(path, cpu="68000")
    assert run.problem == ""
    assert {finding.check for finding in run.findings} == {"address"}
    assert "unmapped memory" in macproof.run_program(path, cpu="68040").problem


# A program of 1984 jumps to a routine by the master pointer of a locked resource.
FLAGGED_JUMP = """
    41fa 000e       lea     there(pc),a0
    2008            move.l  a0,d0
    08c0 001f       bset    #31,d0
    2040            movea.l d0,a0
    4e90            jsr     (a0)
    6004            bra.s   done
    4e75            there: rts
    4afc            illegal
    a9f4            done: _ExitToShell
"""


def test_a_68000_ignores_the_highest_byte_of_a_jump(tmp_path: Path) -> None:
    path = write_application(tmp_path, hexadecimal(FLAGGED_JUMP))
    run = macproof.run_program(path, cpu="68000")
    assert (run.problem, [finding.check for finding in run.findings]) == ("", ["address"])
    plus = macproof.Settings(machine="plus")
    assert macproof.run_program(path, settings=plus, cpu="68000").findings == ()
    assert "unmapped memory" in macproof.run_program(path, cpu="68040").problem


# A program of 1984 locks a block in its master pointer, and asks whether it is locked.
MASTER_FLAGS = """
    7010            moveq   #16,d0
    a122            _NewHandle
    2448            movea.l a0,a2
    08d2 0007       bset    #7,(a2)
    2652            movea.l (a2),a3
    36bc 0102       move.w  #$102,(a3)
    204a            movea.l a2,a0
    a069            _HGetState
    0c00 0080       cmpi.b  #$80,d0
    661c            bne.s   wrong
    204b            movea.l a3,a0
    a128            _RecoverHandle
    b5c8            cmpa.l  a0,a2
    6614            bne.s   wrong
    200b            move.l  a3,d0
    a055            _StripAddress
    2240            movea.l d0,a1
    0c51 0102       cmpi.w  #$102,(a1)
    6608            bne.s   wrong
    4a38 0cb2       tst.b   MMU32Bit
    6602            bne.s   wrong
    a9f4            _ExitToShell
    4afc            wrong: illegal
"""


def test_a_plus_has_flags_in_its_master_pointers(tmp_path: Path) -> None:
    path = write_application(tmp_path, hexadecimal(MASTER_FLAGS))
    run = macproof.run_program(path, settings=macproof.Settings(machine="plus"), cpu="68000")
    assert (run.problem, run.findings) == ("", ())


def test_low_memory_says_what_was_initialised(tmp_path: Path) -> None:
    assert completes(tmp_path, EXISTING) == ""


def test_addresses_are_stripped_by_low_memory(tmp_path: Path) -> None:
    assert completes(tmp_path, STRIP_ADDRESS) == ""


# NetHack takes the value of DefltStack for a pointer, which leads into the system's zone.
SYSTEM_ZONE = """
    2078 0322       movea.l DefltStack,a0
    0c90 0000 c800  cmpi.l  #$c800,(a0)
    6c02            bge.s   wrong
    a9f4            _ExitToShell
    4afc            wrong: illegal
"""


def test_the_zone_of_the_system_can_be_read(tmp_path: Path) -> None:
    path = write_application(tmp_path, hexadecimal(SYSTEM_ZONE))
    assert macproof.run_program(path, cpu="68040").problem == ""
