"""Finds the functions whose frames nobody else sees: their shadow needs not be right meanwhile.

Such a function calls none, keeps the address of its frame to itself, and reads nothing of it that
needs a look. What it pushes and stores there need not be marked. Only what it frees is, so that its
stack is measured. A pointer to it that is none of the function's finds what lay there before, which
is dead.
"""

from __future__ import annotations

from emu.lift.native.flow import CodeFlow, body_of, calls
from emu.lift.pcode.operations import LiftedInstruction, Opcode
from emu.lift.shadow.frame_slots import FrameSlots


def hidden_frames(flow: CodeFlow, slots: FrameSlots) -> frozenset[int]:
    """The addresses of all instructions of such functions.

    Args:
        flow: the code.
        slots: what is known of its frames.
    """
    found: set[int] = set()
    for address in flow.functions:
        body = body_of(flow, address)
        others = (flow.entries | flow.functions) - {address}
        if not body & others and all(_hides(flow.instructions[one], slots) for one in body):
            found |= body
    return frozenset(found)


def _hides(instruction: LiftedInstruction, slots: FrameSlots) -> bool:
    passage = slots.passage(instruction)
    if passage is None or passage.shows or calls(instruction):
        return False
    for number, operation in enumerate(instruction.operations):
        if operation.opcode is Opcode.BRANCHIND:
            return False
        use = passage.uses.get(number)
        if operation.opcode is Opcode.LOAD and use is not None and use.is_own and not use.is_known:
            return False
    return True
