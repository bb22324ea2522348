"""Guest code around one instruction: it loads a state, executes the instruction, stores the state.

The guest program looks the same for all processors::

    0x004000  memory for the instructions, the last of it addresses of the middle
    0x020000  the state before, the state after, NEXT, and what a stub has to keep
    0x040000  a jump to the stub whose address is at NEXT, and the stubs

Memory begins so low that a short absolute address reaches it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from emu.machine.abi.instructions import machine_code, with_immediate
from emu.machine.cpu import Cpu

CODE, DATA, DATA_SIZE = 0x40000, 0x4000, 0x1C000
SHORT, TARGET, TABLE = 0x6000, 0x10000, 0x1E000
"""In that memory: what a short address and what a long one leads to, and where addresses lie."""
TABLE_SIZE = 2 * (DATA + DATA_SIZE - TABLE)
BEFORE, STATE_SIZE = DATA + DATA_SIZE, 0x1000
AFTER, NEXT, KEPT = BEFORE + 0x400, BEFORE + 0x800, BEFORE + 0x810

_ADDIS, _LWZ, _STW, _LFD, _STFD = 15, 32, 36, 50, 54
_MTFSF_F0, _MFFS_F0 = 0xFDFE058E, 0xFC00048E
_MTXER_R0, _MTCR_R0, _MTLR_R0, _MTCTR_R12, _MTLR_R12 = (
    0x7C0103A6,
    0x7C0FF120,
    0x7C0803A6,
    0x7D8903A6,
    0x7D8803A6,
)
_MFXER_R0, _MFCR_R0, _MFLR_R0 = 0x7C0102A6, 0x7C000026, 0x7C0802A6
_MTLR_R1, _MFCTR_R1 = 0x7C2803A6, 0x7C2902A6
_BLR, _BCTR = 0x4E800020, 0x4E800420


def state_of(cpu: Cpu) -> np.dtype[Any]:
    """What a stub loads and stores: general registers, flags, registers of the FPU."""
    fields: list[tuple[str, str]] = [(name, ">u4") for name in cpu.general_registers[:32]]
    if cpu.architecture == "m68k":
        fields += [("ccr", ">u2"), ("none", ">u2")]
        if cpu.has_fpu:
            fields += [*((f"fp{n}", "V12") for n in range(8)), ("fpsr", ">u4"), ("fpcr", ">u4")]
        return np.dtype(fields)
    return np.dtype(
        [
            *(*fields, ("cr", ">u4"), ("xer", ">u4"), *((f"f{n}", ">u8") for n in range(32))),
            ("fpscr", ">u8"),  # the lower half, as MFFS and MTFSF have it
        ]
    )


def dispatch(cpu: Cpu) -> bytes:
    """The jump to the stub whose address is at NEXT."""
    if cpu.architecture == "m68k":
        return _with_address("2079", NEXT) + bytes.fromhex("4ed0")  # MOVEA.L (xxx).L,A0; JMP (A0)
    load = [
        with_immediate(_ADDIS, 12, 0, BEFORE >> 16),
        with_immediate(_LWZ, 12, 12, NEXT - BEFORE),
    ]
    return machine_code([*load, _MTCTR_R12, _BCTR])


def stub(cpu: Cpu, code: bytes) -> bytes:
    """The stub of an instruction."""
    return _m68k_stub(cpu, code) if cpu.architecture == "m68k" else _ppc_stub(cpu, code)


def _with_address(opcode: str, address: int) -> bytes:
    return bytes.fromhex(opcode) + address.to_bytes(4, "big")


def _m68k_stub(cpu: Cpu, code: bytes) -> bytes:
    at = {name: int(field[1]) for name, field in (state_of(cpu).fields or {}).items()}
    floats = range(8) if cpu.has_fpu else ()
    text = _with_address("23cf", KEPT)  # MOVE.L A7,(xxx).L
    if cpu.has_fpu:
        text += _with_address("f2399000", KEPT + 4)  # FMOVE.L (xxx).L,FPCR; the word is 0
    for n in floats:  # FMOVE.X (xxx).L,FPn
        text += _with_address(f"f239{0x4800 | n << 7:04x}", BEFORE + at[f"fp{n}"])
    if cpu.has_fpu:
        text += _with_address("f2398800", BEFORE + at["fpsr"])  # FMOVE.L (xxx).L,FPSR
        text += _with_address("f2399000", BEFORE + at["fpcr"])  # FMOVE.L (xxx).L,FPCR
    text += _with_address("4cf9ffff", BEFORE)  # MOVEM.L (xxx).L,D0-D7/A0-A7
    text += _with_address("44f9", BEFORE + at["ccr"])  # MOVE.W (xxx).L,CCR
    text += code
    # MOVE.W CCR,(xxx).L, which the 68000 lacks; or MOVE.W SR,(xxx).L
    text += _with_address("42f9" if cpu.has_fpu else "40f9", AFTER + at["ccr"])
    text += _with_address("48f9ffff", AFTER)  # MOVEM.L D0-D7/A0-A7,(xxx).L
    if cpu.has_fpu:
        text += _with_address("f239a800", AFTER + at["fpsr"])  # FMOVE.L FPSR,(xxx).L
        text += _with_address("f239b000", AFTER + at["fpcr"])  # FMOVE.L FPCR,(xxx).L
        text += _with_address("f2399000", KEPT + 4)
    for n in floats:  # FMOVE.X FPn,(xxx).L
        text += _with_address(f"f239{0x6800 | n << 7:04x}", AFTER + at[f"fp{n}"])
    return text + _with_address("2e79", KEPT) + bytes.fromhex("4e75")  # MOVEA.L (xxx).L,A7; RTS


def _ppc_stub(cpu: Cpu, code: bytes) -> bytes:
    at = {name: int(field[1]) for name, field in (state_of(cpu).fields or {}).items()}
    kept, after = KEPT - BEFORE, AFTER - BEFORE
    words = [with_immediate(_ADDIS, 12, 0, BEFORE >> 16), with_immediate(_STW, 1, 12, kept)]
    words += [_MFLR_R0, with_immediate(_STW, 0, 12, kept + 4), _MTCTR_R12, _MTLR_R12]
    words += [with_immediate(_LFD, 0, 12, at["fpscr"]), _MTFSF_F0]
    words += [with_immediate(_LFD, n, 12, at[f"f{n}"]) for n in range(32)]
    words += [with_immediate(_LWZ, 0, 12, at["xer"]), _MTXER_R0]
    words += [with_immediate(_LWZ, 0, 12, at["cr"]), _MTCR_R0]
    words += [with_immediate(_LWZ, n, 12, at[f"r{n}"]) for n in (*range(12), *range(13, 32), 12)]
    # CTR has the address of the state, and LR takes r1 until r0 is free.
    rest = [_MTLR_R1, _MFCTR_R1]
    rest += [with_immediate(_STW, n, 1, after + at[f"r{n}"]) for n in (0, *range(2, 32))]
    rest += [_MFLR_R0, with_immediate(_STW, 0, 1, after + at["r1"])]
    rest += [_MFCR_R0, with_immediate(_STW, 0, 1, after + at["cr"])]
    rest += [_MFXER_R0, with_immediate(_STW, 0, 1, after + at["xer"])]
    rest += [with_immediate(_STFD, n, 1, after + at[f"f{n}"]) for n in range(32)]
    rest += [_MFFS_F0, with_immediate(_STFD, 0, 1, after + at["fpscr"])]
    rest += [with_immediate(_LFD, 0, 1, kept + 8), _MTFSF_F0]  # FPSCR is 0
    rest += [with_immediate(_LWZ, 0, 1, kept + 4), _MTLR_R0, with_immediate(_LWZ, 1, 1, kept), _BLR]
    return machine_code(words) + code + machine_code(rest)
