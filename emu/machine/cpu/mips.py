"""MIPS processors, as the arcade machines of the time had them.

The model is a 24Kf: MIPS32 release 2, big-endian, with a floating-point unit. The probe SEH tells
it from release 1, ADD.D from models without that unit, and MUH from release 6. Later cores of
release 2 execute all that it does.

Unicorn has three defects here. When a hook is called for a memory access in a delay slot, it
forgets the branch or runs it wrongly (its issue 2272). Therefore its own page table is used, and
stores are watched by looking at instructions. An engine that could not fetch an instruction crashes
when it runs again (its issue 2134), and an engine that was stopped in a delay slot stays in that
state. Therefore a new engine is opened after every fault and exception. A block of more than about
370 instructions that access no memory crashes the engine.

Addresses are those of a processor without an operating system: the lower half of them and the
quarter above it reach the same memory, and the last quarter needs a page table, which is empty.
Source: MIPS32 Architecture for Programmers, volume II; and measurement with Unicorn 2.1.4, whose
numbers for exceptions are those of QEMU.
"""

from __future__ import annotations

from collections.abc import Callable

from emu.machine.cpu.base import Cpu, Probe, StateField, StateRegister, disassembler

_REGISTERS = (
    *("zero", "at", "v0", "v1"),
    *(f"a{n}" for n in range(4)),
    *(f"t{n}" for n in range(8)),
    *(f"s{n}" for n in range(8)),
    *("t8", "t9", "k0", "k1", "gp", "sp", "fp", "ra"),
)

_INTERRUPTS = {
    12: "address error (unaligned read)",
    13: "address error (unaligned write)",
    14: "TLB refill",
    15: "bus error (instruction)",
    17: "system call",
    18: "breakpoint",
    19: "coprocessor unusable",
    20: "reserved instruction (illegal instruction)",
    21: "integer overflow",
    22: "trap (division by zero, where a compiler checks for it)",
    23: "floating-point exception",
    26: "TLB refill (read or fetch)",
    27: "TLB refill (write)",
    33: "DSP instruction",
}

_FLOATING_POINT = (
    StateField("rounding mode", 0x03, ("to nearest", "toward zero", "up", "down")),
    StateField("set of enabled floating-point exceptions", 0xF80),
    StateField("flushing of denormal numbers to zero", 0x01000000, ("off", "on")),
)
# The status as after a reset (the error level is set), with the floating-point unit switched on.
_STATUS_AT_CALL = 0x20000004
_STATUS = (
    StateField("interrupt enable", 0x01, ("off", "on")),
    StateField("operating mode", 0x1E),
    StateField("interrupt mask", 0xFF00),
    StateField("size of a floating-point register", 0x04000000, ("32 bits", "64 bits")),
    StateField("set of usable coprocessors", 0xF0000000),
)

# Opcodes of stores, with how many bytes they store.
_STORES = {0x28: 1, 0x29: 2, 0x2B: 4, 0x38: 4, 0x39: 4, 0x3D: 8}
_SWL, _SWR = 0x2A, 0x2E
_COP1X, _INDEXED_STORES = 0x13, {0x08: 4, 0x09: 8}


def _stored(code: bytes, register: Callable[[int], int]) -> range:
    word = int.from_bytes(code, "big")
    opcode, base = word >> 26, register(word >> 21 & 31)
    if opcode == _COP1X:
        address = base + register(word >> 16 & 31) & 0xFFFFFFFF
        return range(address, address + _INDEXED_STORES.get(word & 63, 0))
    address = base + (word & 0x7FFF) - (word & 0x8000) & 0xFFFFFFFF
    if opcode == _SWL:  # from the address to the end of its word
        return range(address, (address | 3) + 1)
    if opcode == _SWR:  # from the beginning of its word to the address
        return range(address & ~3, address + 1)
    return range(address, address + _STORES.get(opcode, 0))


def _count_instructions(code: bytes) -> int:
    return len(code) // 4


MIPS = Cpu(
    name="mips",
    title="MIPS 24Kf",
    architecture="mips",
    family="MIPS",
    general_registers=_REGISTERS,
    stack_pointer="sp",
    state=(
        StateRegister("fcsr", 0, _FLOATING_POINT),
        StateRegister("status", _STATUS_AT_CALL, _STATUS),
    ),
    boot=(),
    models=(8, *(n for n in range(16) if n != 8)),
    probes=(
        Probe("seh $v0,$a0 (release 2)", bytes.fromhex("7c041620"), True),
        Probe("add.d $f0,$f2,$f2", bytes.fromhex("46221000"), True),
        Probe("muh $v0,$a0,$a1 (release 6)", bytes.fromhex("008510d8"), False),
    ),
    interrupts=_INTERRUPTS,
    interrupt_bias=0,
    has_fpu=True,
    count_instructions=_count_instructions,
    disassemble=disassembler("MIPS", "MIPS32", "BIG_ENDIAN"),
    no_operation=bytes(4),
    loses_fault_address=True,
    survives_faults=False,
    memory_hooks=False,
    stored=_stored,
)
