"""Compiles the small program that makes calls inside qemu-user; see ``driver/driver.c``."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from emu.program import Program, read_program
from emu.toolchain import build_cache
from emu.toolchain.builds import TARGETS
from emu.toolchain.compiler import compiler_version, staged
from emu.toolchain.compilers.find import require_compiler

BASE = 0x70000000
"""The address that the driver is linked at."""

_SOURCE = Path(__file__).parent / "driver" / "driver.c"
_FLAGS = (
    *("-x", "c", "-O2", "-ffreestanding", "-fno-pic", "-fno-stack-protector"),
    *("-nostdlib", "-static", "-no-pie", f"-Wl,-Ttext-segment=0x{BASE:x},--build-id=none"),
)


@dataclass(frozen=True, slots=True)
class QemuTarget:
    """How qemu-user stands for one processor.

    Attributes:
        command: QEMU's command.
        model: the processor that it emulates.
        flags: the compiler's flags for the driver.
    """

    command: str
    model: str
    flags: tuple[str, ...]


EMULATORS: Mapping[str, QemuTarget] = MappingProxyType(
    {
        "68000": QemuTarget("qemu-m68k", "m68000", ("-mcpu=68000",)),
        "68040": QemuTarget("qemu-m68k", "m68040", ("-mcpu=68040",)),
        # QEMU has no 601. A 604 has the same instructions but those of the POWER architecture.
        "601": QemuTarget("qemu-ppc", "604", ("-mcpu=604", "-msdata=none")),
    }
)
"""By the name of a processor."""


@functools.cache
def driver(cpu: str) -> Program:
    """The driver for a processor, compiled or from the cache.

    Raises:
        ToolMissingError, UsageError: as of `require_compiler`.
    """
    target = require_compiler(TARGETS[cpu], {})
    version = compiler_version(target.compiler) or ""
    command = (target.compiler, *EMULATORS[cpu].flags, *_FLAGS, *target.link_flags)
    source = _SOURCE.read_bytes()
    key = build_cache.key_of("driver of qemu-user", version, *command, source.decode())
    cached = build_cache.find(key, ".elf")
    if cached is None:
        with staged({_SOURCE.name: source}) as stage:
            stage.run([*command, _SOURCE.name, "-o", "driver.elf"], _SOURCE)
            cached = build_cache.keep(key, ".elf", (stage.folder / "driver.elf").read_bytes(), {})
    cached.path.chmod(0o755)  # else QEMU refuses it
    return read_program(cached.path)
