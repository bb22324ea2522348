"""What differs between processors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from emu.program import Program


@dataclass(frozen=True, slots=True)
class Probe:
    """An instruction that some models of a family execute and others refuse.

    Attributes:
        name: the instruction, for messages.
        code: its bytes, big-endian as fetched.
        runs: whether the model in question executes it.
    """

    name: str
    code: bytes
    runs: bool


@dataclass(frozen=True, slots=True)
class StateField:
    """Bits of a state register that mean one thing.

    Attributes:
        name: what they are, for messages ("rounding mode").
        mask: where they are, bits without a gap.
        words: what each value means; one beyond these is said as a number.
    """

    name: str
    mask: int
    words: tuple[str, ...] = ()

    def describe(self, value: int) -> str:
        """What a value of the whole register says of this field."""
        part = (value & self.mask) // (self.mask & -self.mask)
        return self.words[part] if part < len(self.words) else f"0x{part:x}"


@dataclass(frozen=True, slots=True)
class StateRegister:
    """A register that says how the processor works, and of which a routine is no master.

    Attributes:
        name: as in processor manuals ("fpcr").
        at_call: what it holds when a routine is called.
        fields: what a routine must leave as it was; all other bits are its own.
    """

    name: str
    at_call: int
    fields: tuple[StateField, ...]

    @property
    def preserved(self) -> int:
        """The bits of all fields."""
        return sum(field.mask for field in self.fields)


@dataclass(frozen=True, slots=True)
class ClockRead:
    """What an instruction that reads a clock loads into a register.

    Attributes:
        register: the register's name.
        seconds: whether it is the seconds; otherwise it is the nanoseconds of the second.
    """

    register: str
    seconds: bool


@dataclass(frozen=True, slots=True)
class Special:
    """An instruction that the engine must not execute.

    Attributes:
        title: what it is, for a message ("BKPT #0").
        size: its size in bytes.
        clock: what it reads, where Python executes it in place of the engine; None where nobody
            does.
    """

    title: str
    size: int
    clock: ClockRead | None = None


@dataclass(frozen=True, slots=True)
class ConditionalTrap:
    """An instruction that traps on a condition, and that the engine takes for an illegal one.

    Attributes:
        code: its bytes.
        reported: the exception that the engine reports for it, by the engine's number.
        number: the exception that it should be where the condition holds.
        test: code that ends with some exception: with ``passes`` where it does not hold.
        passes: see ``test``.
    """

    code: bytes
    reported: int
    number: int
    test: bytes
    passes: int


@dataclass(frozen=True, slots=True)
class CacheEffect:
    """What an instruction does to code that was changed.

    Attributes:
        stores: whether it puts what is only in the data cache into memory.
        invalidates: whether it throws away what was fetched before.
    """

    stores: bool
    invalidates: bool


def disassembler(architecture: str, *modes: str) -> Callable[[bytes], str]:
    """What writes the first instruction of some code in words, by Capstone.

    Args:
        architecture: the name of Capstone's constant, without CS_ARCH_.
        modes: those of its modes, without CS_MODE_.
    """

    def disassemble(code: bytes) -> str:
        import capstone  # loaded only where code is shown

        mode = sum(getattr(capstone, f"CS_MODE_{name}") for name in modes)
        decoder = capstone.Cs(getattr(capstone, f"CS_ARCH_{architecture}"), mode)
        for _, _, name, operands in decoder.disasm_lite(code, 0, 1):
            return f"{name} {operands}".strip()
        return f"0x{code[:4].hex()}"

    return disassemble


@dataclass(frozen=True, slots=True, eq=False)
class Cpu:
    """One processor model.

    Attributes:
        name: what a user types ("68040").
        title: what a reader is shown ("Motorola 68040").
        architecture: the `Program.architecture` it executes.
        family: the engine's name for the processor family ("M68K", "PPC", "MIPS").
        general_registers: names in their usual order, as the engine spells them.
        stack_pointer: the register that is the stack pointer.
        state: state registers, which a call leaves as they were.
        boot: registers to set once, in this order, before anything else. The order matters on
            68K: writing SR exchanges the stack pointers.
        models: the engine's model numbers to try, the likeliest first.
        probes: instructions that tell this model from its relatives.
        interrupts: the engine's interrupt numbers in words.
        interrupt_bias: how far the program counter has moved on when an interrupt is reported.
        has_fpu: whether floating-point registers exist and are preserved across calls.
        count_instructions: how many instructions a block of code holds.
        disassemble: the first instruction of some code, in words; a number if it is none.
        no_operation: an instruction that does nothing, which ends a probe.
        loses_fault_address: whether the engine forgets where an exception happened, so that a
            traced run has to find out by running again.
        survives_faults: whether an engine that was stopped by a fault, an exception or the clock
            can run again.
        memory_hooks: whether the engine goes on as it should after a hook on a memory access that
            is allowed. Where it does not, ``stored`` says which addresses an instruction stores
            to, given its bytes and what reads a general register by its number.
        special: finds the instructions in a piece of code that the engine must not execute, by
            their offset. It takes every place for the beginning of an instruction, so some of what
            it finds may be part of another instruction, or data.
        conditional_trap: the instruction that the engine misunderstands, if there is one.
        cache_effect: what the instruction does that begins with a word as long as
            ``no_operation``; None from it for one that does nothing to caches. None in its place
            for a processor that executes changed code at once, or of which that is not known.
        unwatched: what the processor refuses and the engine executes, and nothing here notices.
    """

    name: str
    title: str
    architecture: str
    family: str
    general_registers: tuple[str, ...]
    stack_pointer: str
    state: tuple[StateRegister, ...]
    boot: tuple[tuple[str, int], ...]
    models: tuple[int, ...]
    probes: tuple[Probe, ...]
    interrupts: Mapping[int, str]
    interrupt_bias: int
    has_fpu: bool
    count_instructions: Callable[[bytes], int]
    disassemble: Callable[[bytes], str]
    no_operation: bytes
    loses_fault_address: bool = False
    survives_faults: bool = True
    memory_hooks: bool = True
    stored: Callable[[bytes, Callable[[int], int]], range] | None = None
    special: Callable[[bytes], dict[int, Special]] = lambda code: {}
    conditional_trap: ConditionalTrap | None = None
    cache_effect: Callable[[int], CacheEffect | None] | None = None
    unwatched: tuple[str, ...] = ()

    def accepts(self, program: Program) -> bool:
        """Whether a program is for this processor's architecture."""
        return program.architecture == self.architecture
