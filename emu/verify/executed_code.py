"""Findings about executed code: instructions that the processor lacks, and code in stale caches."""

from __future__ import annotations

from dataclasses import replace

from emu.checks.isa import check_block, executes
from emu.checks.isa_model import REFUTES, UNDECIDED, Finding
from emu.machine import Batch, CodeBlock, Fault, Machine

_LONGEST_INSTRUCTION = 22  # bytes, of a 68020 and later


def lacks(machine: Machine) -> tuple[Finding, ...]:
    """What the processor has not of the code executed since this was last asked, by address.

    Blocks with a finding are found again when they are executed again: a machine is kept, and what
    is said of scenes must not depend on those that it ran before.
    """
    guilty, findings = [], []
    for block in machine.new_code.take():
        found = check_block(machine.cpu.name, block)
        if found:
            guilty.append(block)
            findings += found
    machine.new_code.report_again(guilty)
    return tuple(replace(f, place=str(machine.program.locate(f.address))) for f in findings)


def lacks_only_the_engine(machine: Machine, fault: Fault) -> bool:
    """Whether the engine has called an instruction illegal that the processor has."""
    if fault.kind != "exception" or "instruction" not in fault.reason:
        return False
    address = fault.location.address
    region = machine.memory.find(address)
    if region is None:
        return False
    size = min(_LONGEST_INSTRUCTION, region.end - address)
    code = CodeBlock(address, machine.memory.view(address, size).tobytes())
    return executes(machine.cpu.name, code)


def stale_code(machine: Machine, batch: Batch) -> tuple[Finding, ...]:
    """What is to be said of code that calls of a batch have changed: at most one thing."""
    stale = batch.stale
    if stale is None:
        return ()
    place = str(machine.program.locate(stale.address))
    if stale.writer < 0:
        why = "was changed and executed; whether caches were emptied between was not found out"
        return (Finding(stale.address, "code", why, UNDECIDED, place),)
    writer = machine.program.locate(stale.writer)
    why = (
        f"was changed by the instruction at {writer} and executed, and no instruction between "
        f"emptied the caches: a {machine.cpu.name} may execute what was there before"
    )
    return (Finding(stale.address, "code", why, REFUTES, place),)
