"""Where computed jumps go as a rule: a return behind the calls of its function.

A jump to one of a few places is a comparison or two, and what a register holds goes there. The
dispatcher, to which all others go, has a place for each register of the processor, into which most
have to be moved: that was an eighth of the time of four-shifts at O0.
"""

from __future__ import annotations

from collections.abc import Mapping

from emu.lift.native.flow import CodeFlow, body_of, called_by, names_of
from emu.lift.pcode.operations import LiftedInstruction, Opcode

_MOST = 8
"""Of a jump that may go to more places, nothing is known."""


def likely_targets(flow: CodeFlow) -> Mapping[int, tuple[int, ...]]:
    """The addresses that instructions go to as a rule, by the addresses of these instructions.

    A function may be called by a computed call of another that has its address as a constant.
    """
    bodies = {address: body_of(flow, address) for address in flow.functions}
    targets: dict[int, set[int]] = {}
    behind: dict[int, set[int]] = {}
    for body in bodies.values():
        instructions = [flow.instructions[address] for address in body]
        named = {one for each in instructions for one in names_of(each, flow.functions)}
        for instruction in instructions:
            called = called_by(instruction)
            if _has(instruction, Opcode.CALLIND):
                targets.setdefault(instruction.address, set()).update(named)
                called |= named
            for one in called:
                behind.setdefault(one, set()).add(instruction.following)
    for function, body in bodies.items():
        for address in body:
            if _has(flow.instructions[address], Opcode.RETURN):
                targets.setdefault(address, set()).update(behind.get(function, ()))
    return {at: tuple(sorted(some)) for at, some in targets.items() if 0 < len(some) <= _MOST}


def _has(instruction: LiftedInstruction, opcode: Opcode) -> bool:
    return any(one.opcode is opcode for one in instruction.operations)
