"""The engine qemu-user: QEMU executes the bytes of a program, thousands of calls in a process.

Registers, stack and the whole data image are checked as with Unicorn, because both run the same
gate. A call that ends the process, or that does not return, is told by its index; Unicorn says why.
"""

from __future__ import annotations

import functools
import shutil
import subprocess

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import ToolMissingError
from emu.base.system.support import require_linux
from emu.checks.isa_ppc import row_of
from emu.engines.qemu_driver import BASE, EMULATORS, QemuTarget, driver
from emu.engines.qemu_process import ProcessPlan, QemuProcess
from emu.machine.abi.instructions import machine_code
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.calls.other_engine import EngineRefusal, OtherEngine, StoppedCall
from emu.machine.cpu import Cpu
from emu.machine.memory import layout
from emu.machine.memory.memory import GuestMemory
from emu.program import Program

SECONDS = 10.0
"""A call that takes longer is given up; the usual one takes microseconds."""

_MOST_BYTES = 64 << 20
_PROCESSES_KEPT = 4
# Where QEMU puts its own stack, and from where on the driver is.
_TAKEN_FROM, _TAKEN_TO = 0x40000000, 0x80000000
_TRAP_0 = b"\x4e\x40"


class QemuUser(OtherEngine):
    """Makes calls in processes of qemu-user.

    Args:
        cpu: the processor.
        program: the program.
        memory: guest memory with the program loaded.
        seconds: a call that takes longer is given up.

    Raises:
        ToolMissingError: QEMU or the compiler of its driver is not installed, or this is no Linux.
        EngineRefusal: the program has instructions that QEMU's processor executes otherwise, or
            lies where QEMU has memory of its own.
    """

    def __init__(
        self, cpu: Cpu, program: Program, memory: GuestMemory, seconds: float = SECONDS
    ) -> None:
        emulator = EMULATORS.get(cpu.name)
        if emulator is None:
            raise EngineRefusal(f"{program.path}: qemu-user has no driver for the {cpu.name}")
        self.version = f"qemu-user {qemu_version(emulator.command)}, {emulator.model}"
        _require_same_instructions(program, cpu, emulator)
        _require_free(program, memory)
        self._cpu, self._program, self._emulator = cpu, program, emulator
        self._memory = memory
        self._seconds = seconds
        self._driver = driver(cpu.name)
        self._command = (emulator.command, "-cpu", emulator.model, str(self._driver.path))
        self._processes: dict[int, QemuProcess] = {}

    def run(self, entry: CallEntry, calls: Calls) -> StoppedCall | None:
        """Make calls up to the first that does not return; see `OtherEngine.run`."""
        self._require_same_data(entry, calls.before)
        process = self._process(entry, calls.site.routine)
        most = max(1, _MOST_BYTES // (entry.data.size + layout.FRAME_SIZE))
        for first in range(0, len(calls), most):
            done, why = process.run(calls, slice(first, first + most))
            self._require_same_data(entry, calls.after[first : first + done])
            if why:
                return StoppedCall(first + done, why)
        return None

    def _require_same_data(self, entry: CallEntry, images: NDArray[np.uint8]) -> None:
        """Refuse code in memory that calls can change, as it is before and after them."""
        for region in self._memory.regions:
            if region.executable and region.writable:
                start = entry.data.offset(region.address)
                for data in {image.tobytes() for image in images[:, start : start + region.size]}:
                    _require_same_code(
                        self._program, self._cpu, self._emulator, region.address, data
                    )

    def _process(self, entry: CallEntry, routine: int) -> QemuProcess:
        """A process with the gate to a routine; the one that is there, if it lives."""
        process = self._processes.pop(routine, None)
        if process is not None and process.driven.has_ended:
            process.driven.close()
            process = None
        if process is None:
            process = QemuProcess(self._command, self._plan(entry, routine), self._seconds)
            if process.trouble:
                raise EngineRefusal(
                    f"{self.version}: it cannot lay the program into memory: it {process.trouble}"
                )
        self._processes[routine] = process
        while len(self._processes) > _PROCESSES_KEPT:
            self._processes.pop(next(iter(self._processes))).driven.close()
        return process

    def _plan(self, entry: CallEntry, routine: int) -> ProcessPlan:
        stack = self._memory.region("stack")
        regions = []
        for region in self._memory.regions:
            content = self._memory.view(region.address, region.size).tobytes()
            if region == entry.gate:
                code = entry.user_gate(routine).ljust(layout.SENTINEL_OFFSET, b"\0")
                content = (code + self._way_back()).ljust(region.size, b"\0")
            rights = 1 + 2 * region.writable + 4 * region.executable
            is_data = region.writable and region != stack
            regions.append((region.address, region.size, rights, content, is_data))
        return ProcessPlan(
            entry.gate.address,
            stack.address,
            (entry.contract.address, layout.FRAME_SIZE),
            tuple(regions),
        )

    def _way_back(self) -> bytes:
        """A jump into the driver, for the place of the sentinel."""
        place = next(symbol.address for symbol in self._driver.symbols if symbol.name == "back")
        if self._cpu.architecture == "m68k":
            return b"\x4e\xf9" + place.to_bytes(4, "big")  # JMP (xxx).L
        load = [0x3D600000 | place >> 16, 0x616B0000 | place & 0xFFFF]  # lis, ori r11
        return machine_code([*load, 0x7D6903A6, 0x4E800420])  # mtctr r11; bctr

    def close(self) -> None:
        """End its processes."""
        for process in self._processes.values():
            process.driven.close()
        self._processes.clear()


def qemu_version(command: str) -> str:
    """The version of one of QEMU's commands.

    Raises:
        ToolMissingError: it is not installed, or this is no Linux.
    """
    require_linux("the engine qemu-user")
    path = shutil.which(command)
    if path is None:
        raise ToolMissingError(
            f"{command} is not installed, which the engine qemu-user needs. On Debian and Ubuntu: "
            "apt-get install qemu-user"
        )
    return _version_of(path)


@functools.cache
def _version_of(path: str) -> str:
    result = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    return result.stdout.partition("version ")[2].partition(" ")[0].strip() or "of unknown version"


def _require_same_instructions(program: Program, cpu: Cpu, emulator: QemuTarget) -> None:
    """Refuse a program with instructions that QEMU's processor has not, or that call Linux."""
    for segment in program.segments:
        if segment.executable:
            _require_same_code(program, cpu, emulator, segment.address, segment.data)


def _require_same_code(
    program: Program, cpu: Cpu, emulator: QemuTarget, address: int, code: bytes
) -> None:
    """Refuse a piece of code; what only looks like such an instruction is refused, too."""
    other = _other_instruction(code, cpu)
    if other is not None:
        offset, why = other
        raise EngineRefusal(
            f"{program.path}: at {program.locate(address + offset)} it has {why}, so qemu-user "
            f"({emulator.model}) cannot execute it. Use the engine unicorn"
        )


def _other_instruction(code: bytes, cpu: Cpu) -> tuple[int, str] | None:
    """The first instruction that QEMU executes otherwise: its offset, and what it is."""
    if cpu.architecture == "m68k":
        reasons = {
            at: f"{instruction.title}, which QEMU executes wrongly"
            for at, instruction in cpu.special(code).items()
            if instruction.is_wrong_in_qemu and at % 2 == 0
        }
        for at in range(0, len(code) - 1, 2):
            if code[at : at + 2] == _TRAP_0:
                reasons[at] = "TRAP #0, a call of Linux to QEMU"
        return min(reasons.items(), default=None)
    for at in range(0, len(code) - 3, 4):
        word = int.from_bytes(code[at : at + 4], "big")
        row = row_of(word)
        if row is not None and row[1] == "power":
            return at, f"{row[0]}, a POWER instruction that of all PowerPCs only a 601 has"
        if word >> 26 == 17:
            return at, "sc, a call of Linux to QEMU"
    return None


def _require_free(program: Program, memory: GuestMemory) -> None:
    """Refuse a program that lies where QEMU and the driver have memory of their own."""
    for region in memory.regions:
        if region.address < _TAKEN_TO and region.end > _TAKEN_FROM:
            raise EngineRefusal(
                f"{program.path}: {region.name} lies where qemu-user and its driver have memory of "
                f"their own, 0x{_TAKEN_FROM:08x} to 0x{_TAKEN_TO:08x} (the driver is at "
                f"0x{BASE:08x}). Use the engine unicorn"
            )
