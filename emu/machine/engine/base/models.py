"""Opens the engine, and finds the engine's model of a processor by what it executes."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import unicorn
from unicorn import m68k_const, mips_const, ppc_const, unicorn_const

from emu.base.errors import MacproofError
from emu.machine.cpu import Cpu
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion, page_floor

_CONSTANTS = {"M68K": m68k_const, "MIPS": mips_const, "PPC": ppc_const}
_MODES = {
    "M68K": (unicorn.UC_ARCH_M68K, unicorn.UC_MODE_BIG_ENDIAN),
    "MIPS": (unicorn.UC_ARCH_MIPS, unicorn.UC_MODE_BIG_ENDIAN | unicorn.UC_MODE_MIPS32),
    "PPC": (unicorn.UC_ARCH_PPC, unicorn.UC_MODE_BIG_ENDIAN | unicorn.UC_MODE_PPC32),
}
_READ: int = unicorn_const.UC_PROT_READ
_WRITE: int = unicorn_const.UC_PROT_WRITE
_EXECUTE: int = unicorn_const.UC_PROT_EXEC
# Translated code of one small program; the engine's own default reserves 1 GiB of addresses.
_TRANSLATION_BUFFER = 32 << 20


class EngineError(MacproofError):
    """The engine does not behave like the processor, so its results could not be trusted."""

    exit_code = 3


def register_id(cpu: Cpu, name: str) -> int:
    """The engine's number for a register, by the name in ``cpu.general_registers``."""
    constant = f"UC_{cpu.family}_REG_{name.upper()}"
    if cpu.family == "PPC" and name[0] == "r" and name[1:].isdigit():
        constant = f"UC_PPC_REG_{name[1:]}"
    return int(getattr(_CONSTANTS[cpu.family], constant))


def open_engine(cpu: Cpu, model: int) -> unicorn.Uc:
    """An engine of that model with the processor's boot registers set."""
    engine = unicorn.Uc(*_MODES[cpu.family])
    engine.ctl_set_cpu_model(model)  # must come before any other call
    engine.ctl_set_tcg_buffer_size(_TRANSLATION_BUFFER)
    for name, value in cpu.boot:
        engine.reg_write(register_id(cpu, name), value)
    return engine


@functools.cache  # the probes take 13 ms, more than a Machine
def find_model(cpu: Cpu) -> int:
    """The engine's model number that executes exactly what this processor does.

    The number is found by running the processor's probes, never by the name of a constant.

    Raises:
        EngineError: no model of the engine behaves like the processor.
    """
    for model in cpu.models:
        try:
            if all(_executes(cpu, model, probe.code) == probe.runs for probe in cpu.probes):
                return model
        except unicorn.UcError:
            continue  # not a model number of this engine
    raise EngineError(
        f"no CPU model of Unicorn {unicorn.__version__} behaves like a {cpu.title}: "
        f"tried {len(cpu.models)} models with {len(cpu.probes)} probes. "
        "Install another version of unicorn (2.1.4 is known to work)."
    )


def _executes(cpu: Cpu, model: int, code: bytes) -> bool:
    engine = open_engine(cpu, model)
    engine.mem_map(0x1000, 0x2000)
    probe = code + cpu.no_operation
    engine.mem_write(0x1000, probe)
    refused: list[int] = []

    def stop(uc: unicorn.Uc, number: int, _: object) -> None:
        refused.append(number)
        uc.emu_stop()

    engine.hook_add(unicorn_const.UC_HOOK_INTR, stop)
    for name in cpu.general_registers[8:10]:  # A0 and A1, or r8 and r9: addresses for MOVE16
        engine.reg_write(register_id(cpu, name), 0x2000)
    try:
        engine.emu_start(0x1000, 0x1000 + len(probe))
    except unicorn.UcError:
        return False
    return not refused


def describe_engine() -> str:
    """Name and version of the engine, for receipts."""
    return f"unicorn {unicorn.__version__}"


def permissions_of(region: MemoryRegion) -> int:
    """A region's permissions as the engine takes them: the sum of read 1, write 2, execute 4."""
    writable = _WRITE if region.writable else 0
    return _READ | writable | (_EXECUTE if region.executable else 0)


def pages_of(regions: Iterable[MemoryRegion]) -> dict[int, int]:
    """What may be done with each page of some regions, as `permissions_of` says."""
    return {
        page: permissions_of(region)
        for region in regions
        for page in range(region.address, region.end, PAGE)
    }


def map_memory(engine: unicorn.Uc, memory: GuestMemory, *, further: int = 0) -> None:
    """Map every region of guest memory into an engine, without copying.

    Args:
        engine: the engine.
        memory: the regions.
        further: permissions that every region gets besides its own, where something else decides.
    """
    for region in memory.regions:
        permissions = permissions_of(region) | further
        place = memory.host_address(region.address)
        engine.mem_map_ptr(region.address, region.size, permissions, place)


def map_short(
    engine: unicorn.Uc, cpu: Cpu, memory: GuestMemory, address: int, *, further: int = 0
) -> MemoryRegion | None:
    """Map the page that a processor with fewer than 32 address lines finds at an address.

    A 68000 puts out 24 bits, so for it 0x01002000 is the byte at 0x00002000.

    Args:
        engine: the engine.
        cpu: the processor.
        memory: the regions.
        address: an address at which nothing is mapped.
        further: as of `map_memory`.

    Returns:
        The region whose page is mapped there now a second time; None if there is none.
    """
    # One page at a time, as it is used: the 16 MiB of a 68000 appear 256 times in 4 GiB.
    short = address & (1 << cpu.address_lines) - 1
    region = None if short == address else memory.find(short)
    if region is not None:
        place = memory.host_address(page_floor(short))
        engine.mem_map_ptr(page_floor(address), PAGE, permissions_of(region) | further, place)
    return region
