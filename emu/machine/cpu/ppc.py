"""PowerPC processors.

The 601 has instructions of the older POWER architecture (``mul``) and lacks the optional ones of
its successors (``fsel``). This tells it from every other model.
Source: PowerPC 601 RISC Microprocessor User's Manual, and measurement with Unicorn 2.1.4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from emu.machine.cpu.base import (
    CacheEffect,
    Cpu,
    Probe,
    StateField,
    StateRegister,
    disassembler,
)
from emu.machine.cpu.ppc_float import float_instructions, moves_fpscr, status_moves
from emu.machine.cpu.ppc_fpscr import has_modes
from emu.machine.cpu.special import (
    Execute,
    NotExecutableError,
    ProcessorState,
    SpecialInstruction,
    SpecialPattern,
    StatusInstructions,
    finder,
)

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
_MACHINE_STATE = (
    StateField("external interrupt enable", 0x8000, ("off", "on")),
    StateField("problem state", 0x4000, ("off", "on")),
    StateField("floating-point enable", _MACHINE_STATE_FP_ENABLED, ("off", "on")),
    StateField("machine check enable", 0x1000, ("off", "on")),
    StateField("floating-point exception mode 0", 0x0800, ("off", "on")),
    StateField("single-step tracing", 0x0400, ("off", "on")),
    StateField("floating-point exception mode 1", 0x0100, ("off", "on")),
    StateField("exception prefix", 0x0040, ("low", "high")),
    StateField("address translation", 0x0030),
)
# System V ABI, PowerPC Processor Supplement, "Registers": a routine must not change the rounding
# mode and the enable bits; it may change the sticky bits, which say what has happened.
_FLOATING_POINT = (
    StateField("rounding mode", 0x03, ("to nearest", "toward zero", "up", "down")),
    StateField("non-IEEE mode", 0x04, ("off", "on")),
    StateField("set of enabled floating-point exceptions", 0xF8),
)


def _count_instructions(code: bytes) -> int:
    return len(code) // 4


# mfspr rD,4 and mfspr rD,5 read the 601's real-time clock: RTCU, seconds, and RTCL, nanoseconds.
# mtspr 20,rS and mtspr 21,rS set it. The engine has no such clock, and its process crashes.
_MFSPR, _MTSPR = 0x7C0002A6, 0x7C0003A6
_READS, _WRITES = {4: "RTCU", 5: "RTCL"}, {20: "RTCU", 21: "RTCL"}
_NANOSECONDS = 1_000_000_000


def _clock_access(code: bytes) -> SpecialInstruction | None:
    word = int.from_bytes(code[:4], "big")
    general, special = word >> 21 & 31, word >> 16 & 31
    if word & 0xFC00FFFF == _MFSPR and special in _READS:
        title = f"mfspr r{general},{special} ({_READS[special]})"
        return SpecialInstruction(title, 4, _clock_read(f"r{general}", is_seconds=special == 4))
    if word & 0xFC00FFFF == _MTSPR and special in _WRITES:
        return SpecialInstruction(f"mtspr {special},r{general}, which sets {_WRITES[special]}", 4)
    return None


def _clock_read(register: str, *, is_seconds: bool) -> Execute:
    def run(state: ProcessorState, at: int) -> int:
        seconds, nanoseconds = divmod(state.now(), _NANOSECONDS)
        state.set_register(register, seconds if is_seconds else nanoseconds & ~127)
        return at + 4

    return run


def _signed(word: int) -> int:
    return word - (word >> 31 << 32)


def _difference(a: int, b: int, mq: int) -> tuple[int, int]:
    return max(_signed(b) - _signed(a), 0), mq


def _product(a: int, b: int, _: int) -> tuple[int, int]:
    product = _signed(a) * _signed(b)
    return product >> 32, product


def _quotient(a: int, b: int, mq: int) -> tuple[int, int]:
    """Of a and MQ by b; the remainder has the sign of the dividend."""
    dividend, divisor = _signed(a) << 32 | mq, _signed(b)
    size = abs(dividend) // abs(divisor) if divisor else 1 << 32
    quotient = size if (dividend < 0) == (divisor < 0) else -size
    if not -(1 << 31) <= quotient < 1 << 31:  # undefined: what the engine leaves
        return 1 << 31, 0
    return quotient, dividend - quotient * divisor


def _ones(start: int, stop: int, mq: int) -> tuple[int, int]:
    """Ones from one bit to another, around the end if it must be; bit 0 is the highest."""
    start, stop = start & 31, stop & 31
    from_start, to_stop = 0xFFFFFFFF >> start, 0xFFFFFFFF << 31 - stop
    return (from_start | to_stop if start > stop else from_start & to_stop), mq


@dataclass(frozen=True, slots=True)
class _PowerForm:
    """Arithmetic of POWER that QEMU gets wrong.

    Attributes:
        title: its name.
        compute: gives the result and MQ of two operands and MQ.
        refused: the bits of the instruction, of OE and Rc, with which it is not executed.
    """

    title: str
    compute: Callable[[int, int, int], tuple[int, int]]
    refused: int


_OE, _RC = 0x400, 1
_POWER_FORMS = {
    # QEMU has the comparison reversed, multiplies and divides without signs, and negates the mask
    # of MASKG where it should invert it.
    0x210: _PowerForm("DOZ", _difference, _OE),
    0x0D6: _PowerForm("MUL", _product, _OE | _RC),
    0x296: _PowerForm("DIV", _quotient, _OE | _RC),
    0x03A: _PowerForm("MASKG", _ones, 0),
}
_DOZI, _MASKG, _MASKIR = 9, 0x03A, 0x43A
_TO_MQ, _FROM_MQ, _RECORD = 0x7C0003A6, 0x7C0002A6, 0x7C000379


def _power_arithmetic(code: bytes) -> SpecialInstruction | None:
    """An instruction of `_POWER_FORMS`, or DOZI.

    Source: PowerPC 601 RISC Microprocessor User's Manual, chapter 10.
    """
    word = int.from_bytes(code[:4], "big")
    first, second, third = (word >> shift & 31 for shift in (21, 16, 11))
    if word >> 26 == _DOZI:
        immediate = (word & 0xFFFF ^ 0x8000) - 0x8000 & 0xFFFFFFFF
        run = _power_run(_POWER_FORMS[0x210], first, second, lambda _: immediate)
        return SpecialInstruction("DOZI", 4, run, is_wrong_in_qemu=True)
    form = _POWER_FORMS.get(word & 0x3FE)
    if form is None or word & 0x7FE == _MASKIR:
        return None
    if word & 0x7FE == _MASKG:
        first, second = second, first
    execute = _power_run(
        form, first, second, lambda state: state.register(f"r{third}"), is_recorded=bool(word & _RC)
    )
    return SpecialInstruction(
        form.title, 4, None if word & form.refused else execute, is_wrong_in_qemu=True
    )


def _power_run(
    form: _PowerForm,
    target: int,
    source: int,
    other: Callable[[ProcessorState], int],
    *,
    is_recorded: bool = False,
) -> Execute:
    def run(state: ProcessorState, at: int) -> int:
        def execute(word: int) -> None:
            state.run(word.to_bytes(4, "big"))

        name = f"r{target}"
        a, b = state.register(f"r{source}"), other(state)
        execute(_FROM_MQ | target << 21)
        result, mq = form.compute(a, b, state.register(name))
        state.set_register(name, mq)
        execute(_TO_MQ | target << 21)
        state.set_register(name, result)
        if is_recorded:
            execute(_RECORD | target * (1 << 21 | 1 << 16 | 1 << 11))
        return at + 4

    return run


_find = finder(
    (
        SpecialPattern(rb"[\x7c-\x7f].[\x02\x03]\xa6", _clock_access),
        SpecialPattern(rb"[\x24-\x27]...", _power_arithmetic),
        SpecialPattern(rb"[\x7c-\x7f]..[\x10\x11\x3a\x3b\x96\x97\xd6\xd7]", _power_arithmetic),
    )
)


def _special(code: bytes) -> dict[int, SpecialInstruction]:
    return {at: instruction for at, instruction in _find(code).items() if at % 4 == 0}


_CLCS, _CACHE_LINES, _LINE = 0x7C000426, (12, 13, 14, 15), 64


def _misread(code: bytes) -> SpecialInstruction | None:
    """CLCS of the 601, the size of a line of its cache, which the engine does not know.

    Source: PowerPC 601 RISC Microprocessor User's Manual, chapter 10, at clcs.
    """
    word = int.from_bytes(code[:4], "big")
    if word & 0xFC00FFFF != _CLCS:
        return None
    register, which = f"r{word >> 21 & 31}", word >> 16 & 31

    def run(state: ProcessorState, at: int) -> int:
        if which not in _CACHE_LINES:
            raise NotExecutableError(f"its operand {which} names no cache")
        state.set_register(register, _LINE)
        return at + 4

    return SpecialInstruction("CLCS", 4, run)


_ISYNC = 0x4C00012C


def _cache_effect(word: int) -> CacheEffect | None:
    """The effect of ISYNC: it drops instructions that were fetched early.

    The 601 has one cache for data and code, so no other instruction is needed.
    """
    return CacheEffect(stores=True, invalidates=True) if word == _ISYNC else None


PPC601 = Cpu(
    name="601",
    title="PowerPC 601",
    architecture="powerpc",
    family="PPC",
    general_registers=tuple(f"r{n}" for n in range(32)),
    stack_pointer="r1",
    state=(
        StateRegister("fpscr", 0, _FLOATING_POINT),
        StateRegister("msr", _MACHINE_STATE_FP_ENABLED, _MACHINE_STATE),
    ),
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
    disassemble=disassembler("PPC", "32", "BIG_ENDIAN"),
    no_operation=bytes.fromhex("60000000"),
    special=_special,
    branch=lambda distance: (0x48000000 | distance & 0x3FFFFFC).to_bytes(4, "big"),  # b
    floats=StatusInstructions(float_instructions, moves_fpscr, status_moves, has_modes),
    misread=_misread,
    misread_as=frozenset({96}),
    system_call=8,
    cache_effect=_cache_effect,
    aligned=3,
)
