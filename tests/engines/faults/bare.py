"""Executes one instruction on Unicorn as it is, and says what it changed.

    python bare.py 68040 e0d8 a0=00020300 m0=80000000

The arguments are the processor (68000, 68040 or 601), the instruction in hexadecimal and registers
before it. m0 to m3 are the four long words at 0x20300. The instruction is at 0x10100; what follows
it is no operation up to 0x10180, where the registers are stored.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

import unicorn
from unicorn import m68k_const, ppc_const, unicorn_const

CODE, AT, STORE, DATA = 0x10000, 0x10100, 0x10180, 0x20000
AFTER, MEMORY, SIZE = 0x200, 0x300, 0x310
UNWRITTEN = b"\xee" * (MEMORY - AFTER)
_M68K = {f"{kind}{n}": (32 * (kind == "a") + 4 * n, 4) for kind in "da" for n in range(8)}
_FLOATS_M68K = {"fpcr": (0x44, 4), "fpsr": (0x48, 4), "fp0": (0x60, 12), "fp1": (0x6C, 12)}
_GENERAL = {f"r{n}": (4 * n, 4) for n in range(3, 7)}
_PPC = _GENERAL | {f"f{n}": (0x20 + 8 * n, 8) for n in range(1, 5)}
_WORDS = {f"m{n}": (MEMORY + 4 * n, 4) for n in range(4)}
FIELDS = {
    "68000": _M68K | {"ccr": (0x40, 2)},
    "68040": _M68K | {"ccr": (0x40, 2)} | _FLOATS_M68K,
    "601": _PPC | {"xer": (0x60, 4), "cr": (0x64, 4), "fpscr": (0x6C, 4)},
}
"""Where the state has a register, in bytes, and how long it is."""


def program(cpu: str, code: bytes) -> bytes:
    """Guest code, for `CODE`, that loads the registers, executes an instruction and stores them."""
    nothing = bytes.fromhex("60000000" if cpu == "601" else "4e71")
    pieces = _ppc() if cpu == "601" else _m68k(cpu)
    load, store = (b"".join(piece) for piece in pieces)
    return _filled(_filled(load, nothing, AT - CODE) + code, nothing, STORE - CODE) + store


def state(cpu: str, values: Mapping[str, int]) -> bytes:
    """The state before, for `DATA`."""
    data = bytearray(SIZE)
    data[AFTER:MEMORY] = UNWRITTEN
    for name, value in values.items():
        start, size = (FIELDS[cpu] | _WORDS)[name]
        data[start : start + size] = value.to_bytes(size, "big")
    return bytes(data)


def changes(cpu: str, before: bytes, after: bytes) -> str:
    """What differs, as text; both are the whole of the data."""
    if after[AFTER:MEMORY] == UNWRITTEN:
        return "it ends before the registers are stored"
    found = []
    for name, (start, size) in FIELDS[cpu].items():
        stored = AFTER + start
        new = after[stored : stored + size]
        new = bytes([0, new[1] & 31]) if name == "ccr" else new
        if new != before[start : start + size]:
            found.append(f"{name}={new.hex()}")
    for name, (start, size) in _WORDS.items():
        if after[start : start + size] != before[start : start + size]:
            found.append(f"{name}={after[start : start + size].hex()}")
    return " ".join(found) or "nothing changes"


def run(cpu: str, code: bytes, values: Mapping[str, int]) -> str:
    """What Unicorn makes of an instruction: the changes, or how it ends otherwise."""
    engine, before, guest = _engine(cpu), state(cpu, values), program(cpu, code)
    engine.mem_map(CODE, 0x1000)
    engine.mem_map(DATA, 0x1000)
    engine.mem_write(CODE, guest)
    engine.mem_write(DATA, before)
    exceptions: list[int] = []

    def stop(uc: unicorn.Uc, number: int, _: object) -> None:
        exceptions.append(number)
        uc.emu_stop()

    engine.hook_add(unicorn_const.UC_HOOK_INTR, stop)
    try:
        engine.emu_start(CODE, CODE + len(guest))
    except unicorn.UcError as error:
        return str(error)
    if exceptions:
        return f"exception {exceptions[0]}"
    return changes(cpu, before, bytes(engine.mem_read(DATA, SIZE)))


def _engine(cpu: str) -> unicorn.Uc:
    if cpu == "601":
        engine = unicorn.Uc(unicorn.UC_ARCH_PPC, unicorn.UC_MODE_BIG_ENDIAN | unicorn.UC_MODE_PPC32)
        engine.ctl_set_cpu_model(ppc_const.UC_CPU_PPC32_601_V1)
        engine.reg_write(ppc_const.UC_PPC_REG_MSR, 0x2000)  # floating point is available
        return engine
    engine = unicorn.Uc(unicorn.UC_ARCH_M68K, unicorn.UC_MODE_BIG_ENDIAN)
    # The constants of Unicorn 2.1.4 are too large by one.
    model = m68k_const.UC_CPU_M68K_M68000 if cpu == "68000" else m68k_const.UC_CPU_M68K_M68040
    engine.ctl_set_cpu_model(model - 1)
    engine.reg_write(m68k_const.UC_M68K_REG_SR, 0x2000)  # supervisor mode, as on a Macintosh
    return engine


def _filled(code: bytes, nothing: bytes, size: int) -> bytes:
    return code + nothing * ((size - len(code)) // len(nothing))


def _m68k(cpu: str) -> tuple[list[bytes], list[bytes]]:
    def long(opcode: str, offset: int) -> bytes:
        return bytes.fromhex(opcode) + (DATA + offset).to_bytes(4, "big")

    floats = cpu != "68000"
    load = [long("44f9", 0x40), long("4cf9ffff", 0)]  # MOVE to CCR, MOVEM.L
    store = [long("42f9" if floats else "40f9", AFTER + 0x40), long("48f9ffff", AFTER)]
    if not floats:
        return load, store
    control = ("9000", 0x44), ("d0c0", 0x60), ("8800", 0x48)  # FPCR, FP0 and FP1, FPSR
    stored = ("a800", 0x48), ("b000", 0x44), ("f0c0", 0x60)
    load = [*(long("f239" + code, offset) for code, offset in control), *load]
    return load, [*store, *(long("f239" + code, AFTER + offset) for code, offset in stored)]


def _ppc() -> tuple[list[bytes], list[bytes]]:
    def words(*codes: int) -> list[bytes]:
        return [code.to_bytes(4, "big") for code in codes]

    lis = 0x3FE00000 | DATA >> 16
    lwz, stw, lfd, stfd = 0x801F0000, 0x901F0000, 0xC81F0000, 0xD81F0000
    r30 = 30 << 21
    load = [lis, lfd | 0x68, 0xFDFE058E]  # MTFSF 255,F0
    store = [0x7FC00026, stw | r30 | AFTER + 0x64, 0x7FC102A6, stw | r30 | AFTER + 0x60]
    load += [lwz | r30 | 0x60, 0x7FC103A6, lwz | r30 | 0x64, 0x7FCFF120]  # MTXER, MTCR
    for name, (offset, _) in _PPC.items():
        number = int(name[1:]) << 21
        load.append((lfd if name[0] == "f" else lwz) | number | offset)
        store.append((stfd if name[0] == "f" else stw) | number | AFTER + offset)
    return words(*load), words(
        *store, 0xFC00048E, stfd | AFTER + 0x70, lwz | r30 | AFTER + 0x74, stw | r30 | AFTER + 0x6C
    )  # MFFS F0


if __name__ == "__main__":
    named = dict(argument.split("=") for argument in sys.argv[3:])
    numbers = {name: int(value, 16) for name, value in named.items()}
    print(run(sys.argv[1], bytes.fromhex(sys.argv[2]), numbers))
