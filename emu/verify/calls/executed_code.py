"""Findings about executed code: instructions that the processor lacks, and stale cached code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from emu.checks.isa import check_block, executes, missing_instruction
from emu.checks.isa_model import REFUTES, UNDECIDED, InstructionFinding
from emu.machine import BareMachine, Batch, CodeBlock, Fault

_LONGEST_INSTRUCTION = 22  # bytes, of a 68020 and later


def missing_instructions(
    machine: BareMachine, blocks: Iterable[CodeBlock]
) -> tuple[InstructionFinding, ...]:
    """Find executed instructions that the machine's processor does not have.

    A machine is kept for many scenes, and the findings of one scene must not depend on the scenes
    before it. So the machine is told to report a block with a finding again when it is next
    executed.

    Args:
        machine: the machine.
        blocks: the blocks of code that the machine has reported as new since the last call.

    Returns:
        The findings, in the order of their addresses.
    """
    guilty, findings = [], []
    for block in blocks:
        instruction_findings = check_block(machine.cpu.name, block)
        if instruction_findings:
            guilty.append(block)
            findings += instruction_findings
    machine.calls.new_code.report_again(guilty)
    return tuple(replace(f, place=str(machine.program.locate(f.address))) for f in findings)


def is_missing_in_engine_only(machine: BareMachine, fault: Fault) -> bool:
    """Whether a fault is the engine's alone: it refused an instruction that the processor has."""
    code = _refused(machine, fault)
    return code is not None and executes(machine.cpu.name, code)


def words_of(machine: BareMachine, fault: Fault) -> str:
    """Why and where a call did not return; for a refused instruction, which processors have it."""
    words, code = f"{fault.reason}, at {fault.location}", _refused(machine, fault)
    lack = None if code is None else missing_instruction(machine.cpu.name, code)
    return words if lack is None else f'{words}: {lack.words}; write cpu: "{lack.cpu}"'


def _refused(machine: BareMachine, fault: Fault) -> CodeBlock | None:
    """The code from the instruction on that the engine refused as illegal; None if it did not."""
    if fault.kind != "exception" or "instruction" not in fault.reason:
        return None
    address = fault.location.address
    region = machine.memory.find(address)
    if region is None:
        return None
    size = min(_LONGEST_INSTRUCTION, region.end - address)
    return CodeBlock(address, machine.memory.view(address, size).tobytes())


def stale_code_findings(machine: BareMachine, batch: Batch) -> tuple[InstructionFinding, ...]:
    """Find code that calls of a batch changed and then executed without flushing the caches.

    A real processor may execute the old instructions, which are still in its instruction cache.

    Returns:
        At most one finding, about the first such code.
    """
    stale = batch.stale
    if stale is None:
        return ()
    place = str(machine.program.locate(stale.address))
    if stale.writer < 0:
        why = "was changed and then executed; it is not known whether the caches were emptied first"
        return (InstructionFinding(stale.address, "code", why, UNDECIDED, place),)
    writer = machine.program.locate(stale.writer)
    why = (
        f"was changed by the instruction at {writer} and then executed, and the caches were not "
        f"emptied in between: a {machine.cpu.name} may execute the old instructions"
    )
    return (InstructionFinding(stale.address, "code", why, REFUTES, place),)
