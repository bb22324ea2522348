"""PowerPC processors.

The 601 carries instructions of the older POWER architecture (``mul``) and lacks the optional
ones of its successors (``fsel``), which tells it from every other model.
Source: PowerPC 601 RISC Microprocessor User's Manual, and measurement with Unicorn 2.1.4.
"""

from __future__ import annotations

from emu.machine.cpu.base import Cpu, Probe

# QEMU's POWERPC_EXCP numbers. The engine does not translate them for illegal instructions,
# which arrive as 96 (hypervisor emulation assistance).
_INTERRUPTS = {
    0: "critical interrupt",
    1: "machine check",
    2: "data storage interrupt",
    3: "instruction storage interrupt",
    5: "alignment interrupt",
    6: "program interrupt (illegal instruction or trap)",
    7: "floating point unavailable",
    8: "system call",
    96: "illegal instruction",
}

_MACHINE_STATE_FP_ENABLED = 0x2000


def _count_instructions(code: bytes) -> int:
    return len(code) // 4


PPC601 = Cpu(
    name="601",
    title="PowerPC 601",
    architecture="powerpc",
    family="PPC",
    general_registers=tuple(f"r{n}" for n in range(32)),
    stack_pointer="r1",
    boot=(("msr", _MACHINE_STATE_FP_ENABLED),),
    models=(150, *range(140, 160)),
    probes=(
        Probe("mul r3,r4,r5 (POWER)", bytes.fromhex("7c6428d6"), True),
        Probe("fadd f1,f2,f3", bytes.fromhex("fc22182a"), True),
        Probe("fsel f1,f2,f3,f4", bytes.fromhex("fc2220ee"), False),
    ),
    interrupts=_INTERRUPTS,
    interrupt_bias=4,
    has_fpu=True,
    count_instructions=_count_instructions,
    no_operation=bytes.fromhex("60000000"),
)
