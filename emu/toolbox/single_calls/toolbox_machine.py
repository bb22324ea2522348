"""The machine that everybody uses: one whose routines can call the Toolbox."""

from __future__ import annotations

from emu import machine
from emu.machine.abi.base import CallingConvention
from emu.machine.calls.call_screen import MakeScreen
from emu.machine.calls.other_engine import MakeEngine
from emu.machine.calls.system import OperatingSystem
from emu.machine.machine import HEAP_SIZE
from emu.machine.memory.memory import GuestMemory
from emu.machine.program_file import ProgramFile
from emu.program import Program


class Machine(machine.BareMachine):  # noqa: D101 - its documentation is that of its base class
    __doc__ = machine.BareMachine.__doc__

    def __init__(
        self,
        program: Program | ProgramFile,
        cpu: machine.Cpu | str | None = None,
        convention: CallingConvention | None = None,
        *,
        budget: machine.Budget | None = None,
        heap_size: int = HEAP_SIZE,
        engine: MakeEngine | None = None,
        covers: bool = False,
        checked: bool = False,
        screen: MakeScreen | None = None,
    ) -> None:
        super().__init__(
            program,
            cpu,
            convention,
            budget=budget,
            heap_size=heap_size,
            system=_toolbox,
            engine=engine,
            covers=covers,
            checked=checked,
            screen=screen,
        )


def _toolbox(
    cpu: machine.Cpu, program: Program, memory: GuestMemory, until: int
) -> OperatingSystem:
    from emu.toolbox.single_calls.call_toolbox import (
        CalledToolbox,  # reads all managers: only for those who call it
    )

    return CalledToolbox(cpu, program, memory, until)
