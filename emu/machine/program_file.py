"""Finds the program and the processor for a new machine."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from emu.base.arguments import require
from emu.base.errors import ProgramError, UsageError
from emu.base.yaml_document import did_you_mean
from emu.machine.cpu import CPUS, Cpu
from emu.program import Program


@runtime_checkable
class ProgramFile(Protocol):
    """A program that has yet to be read, and the processor that it is for.

    For example, `emu.cases.programs.programs.programs_of` returns such programs.
    """

    @property
    def cpu(self) -> str:
        """The processor's name in `CPUS`."""

    def read(self) -> Program:
        """The program with its symbols and types.

        Raises:
            ProgramError: it cannot be read.
        """


def program_and_cpu(program: Program | ProgramFile, cpu: Cpu | str | None) -> tuple[Program, Cpu]:
    """Read a program, if need be, and find the processor that runs it.

    Raises:
        UsageError: this is no program; or no processor is given or known, or there is none of that
            name.
        ProgramError: the program cannot be read, or is for another processor.
    """
    if not isinstance(program, Program):
        wanted = "what read_program returns, or one of what programs_of returns: programs[0]"
        program = require(program, ProgramFile, "program", wanted)  # type: ignore[type-abstract]
        cpu = cpu or program.cpu
        program = program.read()
    if cpu is None:
        fitting = [name for name, model in CPUS.items() if model.accepts(program)]
        raise UsageError(f"{program.path}: say which processor is to run it: {', '.join(fitting)}")
    if isinstance(cpu, str):
        if cpu not in CPUS:
            raise UsageError(f"there is no CPU {cpu}{did_you_mean(cpu, CPUS)}")
        cpu = CPUS[cpu]
    require(cpu, Cpu, "cpu", "the name of a processor")
    if not cpu.accepts(program):
        raise ProgramError(
            program.path,
            f"it is a {program.architecture} program and cannot run on a {cpu.title}",
        )
    return program, cpu
