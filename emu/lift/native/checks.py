"""The places at which checks are put into translated code."""

from __future__ import annotations

from emu.lift.native.assembler import Assembler
from emu.lift.native.flow import CodeFlow
from emu.lift.pcode.operations import LiftedInstruction, Operation, Varnode


class NativeChecks:
    """Checks that are part of translated code; this one checks nothing.

    Each method is called once while an instruction or operation is translated, before what belongs
    to the operation itself is written, and may append instructions to the assembler. Execution has
    to come out of them at their end: they may begin blocks, but not leave the function.
    ``assembler.instruction`` says where the guest is.

    Where `has_versions` is true, a function is written twice. The first version runs as long as the
    bank `SHADOW` of all registers is 0, and does not keep it. A load that finds something turns to
    the other one: it appends to ``assembler.turns`` a label to which its code branches, and what
    the value has in that bank. The other version goes back where all is 0 again.
    """

    has_versions = False

    def definitions(self) -> str:
        """Further functions and globals of the module, in LLVM's assembler language."""
        return ""

    def program(self, flow: CodeFlow) -> None:
        """The code of the whole program is known."""

    def before_call(self) -> str:
        """Instructions of LLVM before a call: ``%number`` is its number, from 0."""
        return ""

    def after_call(self) -> str:
        """Instructions behind a call, however it has ended."""
        return ""

    def begin(self, assembler: Assembler, instruction: LiftedInstruction) -> None:
        """A guest instruction begins."""

    def load(self, assembler: Assembler, address: str, operation: Operation) -> None:
        """A load: ``address`` is an i32, ``operation.inputs[0]`` where it comes from.

        The bank of ``operation.output`` may be written here: nothing reads it before the value is
        loaded.
        """

    def after_load(self, assembler: Assembler) -> None:
        """The place at which a load that has turned to the other version goes on."""

    def state(self) -> object:
        """What is known of the instruction under way; for `resume`."""

    def resume(self, state: object) -> None:
        """Go on within an instruction that was begun again."""

    def store(self, assembler: Assembler, address: str, value: str, operation: Operation) -> None:
        """A store: ``operation.inputs`` are where the address and the value come from."""

    def compute(self, assembler: Assembler, operation: Operation) -> None:
        """A computation; its output has the old value yet."""

    def branch(self, assembler: Assembler, condition: Varnode) -> None:
        """A conditional branch, or one to a computed address: ``condition`` decides it."""

    def stack_moves(self, assembler: Assembler, old: str, new: str) -> None:
        """The stack pointer gets a new value; both are i32."""
