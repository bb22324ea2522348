"""Which registers translated code shares with the processor, and which flags it need not know."""

from __future__ import annotations

from dataclasses import dataclass

from emu.lift.decoder import registers
from emu.lift.pcode.operations import LiftedInstruction, Space, Varnode, refused
from emu.lift.powerpc.registers import Word, condition, floating, general

UNKNOWN = 2
"""What a flag has in translated code as long as the processor alone knows it."""

_UNSHARED = "it uses a register that the processor would not share"
_FLOAT_MOVES = (40, 72, 136, 264)  # fneg, fmr, fnabs and fabs set nothing in FPSCR
_FLOATS = (59, 63)


@dataclass(frozen=True, slots=True)
class KeptRegisters:
    """The registers of a processor family.

    Attributes:
        general: its general registers, and what follows them in `HostedEngine.registers`.
        stack_pointer: one of these.
        flags: flags that are `UNKNOWN` where code is entered; each is a byte.
        extended: flags that are known always: of XER summary overflow, overflow and carry.
        conditions: the fields of a condition register; each is a byte, too.
        floats: floating-point registers.
        scratch: offsets of what is written and never read from one instruction to the next.
    """

    general: tuple[Varnode, ...]
    stack_pointer: Varnode
    flags: tuple[Varnode, ...]
    extended: tuple[Varnode, ...]
    conditions: tuple[Varnode, ...]
    floats: tuple[Varnode, ...]
    scratch: frozenset[int]

    @property
    def all(self) -> tuple[Varnode, ...]:
        """All that are shared."""
        return (*self.general, *self.tested, *self.floats)

    @property
    def tested(self) -> tuple[Varnode, ...]:
        """All flags and conditions."""
        return (*self.flags, *self.extended, *self.conditions)

    def shared(self, instruction: LiftedInstruction) -> LiftedInstruction:
        """An instruction, or a refused one if the processor would not know all that it does."""
        if self.conditions and _computes_floats(instruction):
            return refused(instruction.address, instruction.code, "it sets flags of FPSCR")
        for operation in instruction.operations:
            for varnode in (*operation.inputs, operation.output):
                if varnode is not None and not self._is_shared(varnode):
                    return refused(instruction.address, instruction.code, _UNSHARED)
        return instruction

    def _is_shared(self, varnode: Varnode) -> bool:
        if varnode.space is not Space.REGISTER or varnode.offset in self.scratch:
            return True
        return any(
            one.offset <= varnode.offset and varnode.offset + varnode.size <= one.offset + one.size
            for one in self.all
        )


def _computes_floats(instruction: LiftedInstruction) -> bool:
    word = Word(int.from_bytes(instruction.code[:4], "big"))
    return word.primary in _FLOATS and word.extended not in _FLOAT_MOVES


def _m68k() -> KeptRegisters:
    named = registers("m68k")
    numbered = (*(f"D{n}" for n in range(8)), *(f"A{n}" for n in range(7)), "SP")
    flags = tuple(named[name] for name in ("XF", "NF", "ZF", "VF", "CF"))
    scratch = frozenset({named["PC"].offset})
    return KeptRegisters(
        tuple(named[name] for name in numbered), named["SP"], flags, (), (), (), scratch
    )


def _powerpc() -> KeptRegisters:
    named = registers("powerpc")
    return KeptRegisters(
        (*map(general, range(32)), named["LR"], named["CTR"]),
        general(1),
        (),
        tuple(named[name] for name in ("xer_so", "xer_ov", "xer_ca")),
        tuple(map(condition, range(8))),
        tuple(map(floating, range(32))),
        frozenset(named[name].offset for name in ("r2Save", "xer_ov32", "xer_ca32")),
    )


def kept_registers(architecture: str) -> KeptRegisters:
    """The registers of "m68k" or "powerpc"."""
    return {"m68k": _m68k, "powerpc": _powerpc}[architecture]()
