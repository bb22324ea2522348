"""The Macintosh models that a program can be run on: what each says of itself, in one place.

All of them run System 7.1. Sources: Inside Macintosh: Operating System Utilities, chapter 1 (the
answers of Gestalt and the values of SysEnvirons), and Apple's hardware developer notes (screens,
ROM sizes and versions).
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.base.errors import UsageError
from emu.machine.cpu import Cpu
from emu.toolbox.computer.settings import Settings


@dataclass(frozen=True, slots=True)
class MacintoshModel:
    """A model.

    Attributes:
        name: as ``--machine`` has it.
        title: its name in full.
        cpu: the processor that its programs run on here.
        gestalt: the answer to 'mach'; the machineType of SysEnvirons is 2 less.
        processor: the answer to 'proc': 1 a 68000, 4 a 68030 or the 68K emulator, 5 a 68040.
        native: the answer to 'cput', if that is not the processor's number less 1.
        fpu: the answer to 'fpu '.
        mmu: the answer to 'mmu '.
        megahertz: its processor's clock, as GetCPUSpeed rounds it.
        rom: the answer to 'romv'.
        rom_size: the answer to 'rom ', in bytes.
        screen: its screen's width and height in pixels.
        depth: the bits of its screen for each pixel.
        address_bits: the bits of an address that count; programs keep flags in the others.
    """

    name: str
    title: str
    cpu: str
    gestalt: int
    processor: int
    native: int
    fpu: int
    mmu: int
    megahertz: int
    rom: int
    rom_size: int
    screen: tuple[int, int]
    depth: int
    address_bits: int = 32


_COMPACT, _LARGE = (512, 342), (640, 480)
MACHINES = {
    machine.name: machine
    for machine in (
        MacintoshModel(
            name="plus",
            title="Macintosh Plus",
            cpu="68000",
            gestalt=4,
            processor=1,
            native=0,
            fpu=0,
            mmu=0,
            megahertz=8,
            rom=0x75,
            rom_size=128 << 10,
            screen=_COMPACT,
            depth=1,
            address_bits=24,
        ),
        # Its 68030 is run as a 68040, which executes what applications for it contain.
        MacintoshModel(
            name="se30",
            title="Macintosh SE/30",
            cpu="68040",
            gestalt=9,
            processor=4,
            native=3,
            fpu=2,
            mmu=3,
            megahertz=16,
            rom=0x178,
            rom_size=256 << 10,
            screen=_COMPACT,
            depth=1,
        ),
        MacintoshModel(
            name="quadra",
            title="Quadra 700",
            cpu="68040",
            gestalt=22,
            processor=5,
            native=4,
            fpu=3,
            mmu=4,
            megahertz=25,
            rom=0x67C,
            rom_size=1 << 20,
            screen=_LARGE,
            depth=8,
        ),
        MacintoshModel(
            name="6100",
            title="Power Macintosh 6100",
            cpu="601",
            gestalt=75,
            processor=4,
            native=0x101,
            fpu=0,
            mmu=0,
            megahertz=60,
            rom=0x77D,
            rom_size=4 << 20,
            screen=_LARGE,
            depth=8,
        ),
    )
}
"""The models by their names."""


def machine_of(name: str, cpu: Cpu) -> MacintoshModel:
    """The model of a name; for "", the one that a processor's programs usually run on.

    Raises:
        UsageError: there is no such model, or it has another processor.
    """
    if not name:
        usual = "plus" if cpu.name == "68000" else "quadra"
        return MACHINES["6100" if cpu.architecture == "powerpc" else usual]
    machine = MACHINES.get(name)
    if machine is None:
        raise UsageError(f"there is no machine {name}; there are {', '.join(MACHINES)}")
    if machine.cpu != cpu.name:
        raise UsageError(f"a {machine.title} does not run as a {cpu.name}, but as a {machine.cpu}")
    return machine


def has_color_quickdraw(settings: Settings, machine: MacintoshModel) -> bool:
    """Whether there is Color QuickDraw: on a screen with colours, or a chosen model with it."""
    return (bool(settings.machine) and machine.processor > 1) or settings.depth > 1
